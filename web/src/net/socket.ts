// Addresses of the server that the page came from.

export function socketAddress(path: string): string {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}${path}${location.search}`;
}

export const address = (path: string): string => `${path}${location.search}`;

async function get(path: string): Promise<Response> {
  const answer = await fetch(address(path)).catch(() => {
    throw new Error("the server does not answer");
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${answer.statusText}`);
  return answer;
}

export const getJson = async <T>(path: string): Promise<T> => (await (await get(path)).json()) as T;

export const getText = async (path: string): Promise<string> => (await get(path)).text();
