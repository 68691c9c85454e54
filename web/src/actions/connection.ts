// The server may go and come back: the page waits for it, and goes on where it was.

import type { GameEntry, ServerInfo } from "../net/forms";
import { address, getJson } from "../net/socket";
import { say, setState, store } from "../state/app";
import { checkSoon } from "./check";
import { openLanguageServer } from "./language";
import { openSession } from "./session";

const waitMilliseconds = 700;
let isWaiting = false;

export async function connect(): Promise<void> {
  try {
    const [info, games] = await Promise.all([getJson<ServerInfo>("/api/info"), getJson<{ games: GameEntry[] }>("/api/games")]);
    setState({ info, games: games.games.filter((g) => !g.faulty), online: true });
    void openLanguageServer();
  } catch {
    lost();
  }
}

export function lost(): void {
  if (isWaiting) return;
  isWaiting = true;
  setState({ online: false });
  setTimeout(() => void look(), waitMilliseconds);
}

async function look(): Promise<void> {
  isWaiting = false;
  try {
    const answer = await fetch(address("/health"));
    if (!answer.ok) throw new Error(answer.statusText);
  } catch {
    return lost();
  }
  await connect();
  if (!store.get().online) return;
  say("The server is back");
  checkSoon();
  if (store.get().view === "board") void openSession();
}
