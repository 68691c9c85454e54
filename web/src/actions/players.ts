// Makes the moves of engines, of chance and of forced roles, and puts moves together once every role has chosen.

import type { JointMove, Thought } from "../net/forms";
import { currentPosition, lineTo, withMove } from "../play/tree";
import { actingRole, forcedMoves, isOver, openRoles, playerOf } from "../play/turn";
import { setPlay, store } from "../state/app";
import { currentSession, showPosition } from "./session";

let thinking: { role: string; node: number; isStopped: boolean } | null = null;
let humanSince: { role: string; node: number; time: number } | null = null;

export function forgetDriver(): void {
  thinking = null;
  humanSince = null;
}

export function stopThinking(): void {
  if (!thinking) return;
  thinking.isStopped = true; // what it has found by then is not wanted
  currentSession()?.stop();
}

// Looks at the position and does the next thing that needs no person.  Called after every change of play.
export function drivePlayers(): void {
  const { play } = store.get();
  const position = currentPosition(play);
  if (!position || play.status !== "open" || isOver(position)) return;
  const open = openRoles(play);
  if (open.length === 0) return void commit({ ...forcedMoves(play, position), ...play.pending });
  noteHuman();
  if (!play.running) return;
  const random = open.find((role) => playerOf(play, role) === "random");
  if (random) return choose(random, pick(position.legal[random]!));
  const engine = open.find((role) => playerOf(play, role) === "engine");
  if (engine && !thinking) void think(engine);
}

export const pick = <T>(items: T[]): T => items[Math.floor(Math.random() * items.length)]!;

// A role's move is kept back until all have chosen.
export function choose(role: string, move: string): void {
  const { play } = store.get();
  chargeHuman(role);
  setPlay({ pending: { ...play.pending, [role]: move }, clicks: [], menu: [] });
  drivePlayers();
}

async function commit(joint: JointMove): Promise<void> {
  store.update((s) => ({ ...s, play: withMove(s.play, joint) }));
  await showPosition();
}

async function think(role: string): Promise<void> {
  const { play } = store.get();
  const session = currentSession();
  if (!session) return;
  const job = (thinking = { role, node: play.current, isStopped: false });
  const started = performance.now();
  const seconds = play.players[role]?.seconds || 1;
  const isCurrent = (): boolean => thinking === job && !job.isStopped && store.get().play.current === job.node;
  try {
    const thought = await session.think(lineTo(play, play.current), role, seconds, (t) => isCurrent() && showThought(t));
    const stillWanted = isCurrent() && store.get().play.running;
    if (thinking === job) thinking = null;
    charge(role, (performance.now() - started) / 1000);
    if (!stillWanted) return drivePlayers();
    showThought(thought);
    choose(role, thought.move ?? pick(currentPosition(play)!.legal[role]!));
  } catch (error) {
    if (thinking === job) thinking = null;
    if (job.isStopped) return drivePlayers();
    setPlay({ running: false, message: (error as Error).message });
  }
}

function showThought(thought: Thought): void {
  setPlay({ thoughts: { ...store.get().play.thoughts, [thought.role]: thought } });
}

// ---- clocks ----

function charge(role: string, seconds: number): void {
  const { clocks } = store.get().play;
  setPlay({ clocks: { ...clocks, [role]: (clocks[role] ?? 0) + seconds } });
}

// A person's clock runs from when it is their turn.
function noteHuman(): void {
  const { play } = store.get();
  const role = actingRole(play);
  if (!role) humanSince = null;
  else if (humanSince?.role !== role || humanSince.node !== play.current) {
    humanSince = { role, node: play.current, time: performance.now() };
  }
}

function chargeHuman(role: string): void {
  if (humanSince?.role !== role) return;
  charge(role, (performance.now() - humanSince.time) / 1000);
  humanSince = null;
}

export const humanSeconds = (role: string): number =>
  humanSince?.role === role ? (performance.now() - humanSince.time) / 1000 : 0;

// A person whose time is over gets a random move; 0 means that there is no limit.
export function watchClock(): void {
  const { play } = store.get();
  const role = actingRole(play);
  const limit = role ? (play.players[role]?.seconds ?? 0) : 0;
  const position = currentPosition(play);
  if (role && position && play.running && limit > 0 && humanSeconds(role) > limit) choose(role, pick(position.legal[role]!));
}
