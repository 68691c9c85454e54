// Solves the game that is open: from then on its positions have exact values.

import { setPlay, store } from "../state/app";
import { stopThinking } from "./players";
import { currentSession, refreshPositions } from "./session";

export async function solveGame(): Promise<void> {
  const session = currentSession();
  if (!session || store.get().play.exact.is === "running") return;
  const since = performance.now();
  const isWanted = (): boolean => session === currentSession();
  const running = (progress: string): void => {
    if (isWanted()) setPlay({ exact: { is: "running", since, progress, soFar: null } });
  };
  stopThinking();
  setPlay({ running: false });
  running("");
  try {
    const value = await session.solve(running);
    if (!isWanted()) return;
    setPlay({ exact: { is: "done", value, seconds: (performance.now() - since) / 1000 } });
    await refreshPositions();
  } catch (error) {
    if (isWanted()) setPlay({ exact: { is: "failed", message: (error as Error).message } });
  }
}

export const stopSolving = (): void => currentSession()?.stop();
