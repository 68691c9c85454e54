// Addresses of the server that the page came from.

export function socketAddress(path: string): string {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}${path}${location.search}`;
}

export const address = (path: string): string => `${path}${location.search}`;

export async function getJson<T>(path: string): Promise<T> {
  const answer = await fetch(address(path));
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${answer.statusText}`);
  return (await answer.json()) as T;
}

export async function getText(path: string): Promise<string> {
  const answer = await fetch(address(path));
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${answer.statusText}`);
  return await answer.text();
}
