// Why something holds in the position on the board, or does not: where the program can tell.

import { lineTo } from "../play/tree";
import { setPlay, store } from "../state/app";
import { currentSession } from "./session";

export async function askWhy(question: string): Promise<void> {
  const { play } = store.get();
  const title = question.trim();
  const session = currentSession();
  if (!title || !session) return;
  const started = performance.now();
  setPlay({ why: { title, work: { is: "running", since: started, progress: "", soFar: null } } });
  try {
    const answer = await session.why(lineTo(play, play.current), title);
    setPlay({ why: { title, work: { is: "done", value: answer, seconds: (performance.now() - started) / 1000 } } });
  } catch (error) {
    setPlay({ why: { title, work: { is: "failed", message: (error as Error).message } } });
  }
}
