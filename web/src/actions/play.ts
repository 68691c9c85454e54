// What a person does at the board.

import { readState } from "../gdl/terms";
import type { BoardMove, Group } from "../net/forms";
import { clickCell, movesOf, type CellRef } from "../play/clicks";
import { missedMove } from "../play/missed";
import { at, currentNode, currentPosition, withMove } from "../play/tree";
import { actingRole } from "../play/turn";
import { say, setPlay, setState, store } from "../state/app";
import { newPlay } from "../state/initial";
import type { NodeId, Player, PlayState } from "../state/state";
import { choose, drivePlayers, pick, stopThinking } from "./players";
import { currentSession, openSession, showPosition } from "./session";

export function click(cell: CellRef): void {
  const { play } = store.get();
  const role = actingRole(play);
  const position = currentPosition(play);
  if (!role || !position) return;
  const { clicks, done } = clickCell(movesOf(position.drawing, role), play.clicks, cell);
  if (done.length === 1) return makeMove(role, done[0]!);
  const move = clicks.length === 0 ? missedMove(position.drawing, examplesOf(play, role), [...play.clicks, cell]) : null;
  setPlay({ clicks, menu: done, missed: move && !position.legal[role]!.includes(move) ? { role, move } : null });
}

// Moves of the role that were legal here or before.
const examplesOf = (play: PlayState, role: string): BoardMove[] =>
  [currentNode(play), ...Object.values(play.nodes)].flatMap((n) => (n.position ? movesOf(n.position.drawing, role) : []));

export function makeMove(role: string, move: string): void {
  setPlay({ running: true });
  choose(role, move);
}

export const clearClicks = (): void => setPlay({ clicks: [], menu: [] });

// Engines wait while somebody looks at other positions.
export function jump(id: NodeId): void {
  stopThinking();
  store.update((s) => ({ ...s, play: { ...at(s.play, id), running: false } }));
  void showPosition();
}

export function undo(): void {
  const { parent } = currentNode(store.get().play);
  if (parent !== null) jump(parent);
}

export function redo(): void {
  const node = currentNode(store.get().play);
  const child = node.favourite ?? node.children[0];
  if (child !== undefined) jump(child);
}

export const toStart = (): void => jump(store.get().play.root);

export function toEnd(): void {
  const { play } = store.get();
  let node = currentNode(play);
  while (node.children.length > 0) node = play.nodes[node.favourite ?? node.children[0]!]!;
  jump(node.id);
}

export function setRunning(running: boolean): void {
  setPlay({ running });
  if (running) drivePlayers();
  else stopThinking();
}

// Who takes over a role chooses for it, also where another has chosen and nobody was shown what.
export function setPlayer(role: string, player: Player): void {
  const { play } = store.get();
  const { [role]: _chosen, ...pending } = play.pending;
  const isOther = player.kind !== play.players[role]?.kind;
  stopThinking();
  setPlay({ players: { ...play.players, [role]: player }, pending: isOther ? pending : play.pending });
  drivePlayers();
}

// A joint move drawn at random, whoever plays.
export async function randomMove(): Promise<void> {
  const { play } = store.get();
  const position = currentPosition(play);
  if (!position || position.terminal || Object.values(position.legal).some((m) => m.length === 0)) return;
  const joint = Object.fromEntries(play.roles.map((role) => [role, pick(position.legal[role]!)]));
  stopThinking();
  store.update((s) => ({ ...s, play: { ...withMove(s.play, joint), running: false } }));
  await showPosition();
}

export async function randomMoves(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await randomMove();
}

// A state that the game does not have takes the place of nothing.
export async function pasteState(text: string): Promise<void> {
  const from = readState(text);
  if (from.length === 0) return say("There is no fluent in that text");
  stopThinking();
  const session = currentSession();
  if (!session) return say("The server does not answer.");
  try {
    await session.position({ from, moves: [] });
  } catch (error) {
    return say((error as Error).message);
  }
  const { play, rules } = store.get();
  setState({ dialog: null });
  setPlay({ ...newPlay(rules.revision), roles: play.roles, players: play.players, layout: play.layout, perspective: play.perspective, exact: play.exact, from, status: "open", running: false });
  await showPosition();
}

export async function newGame(): Promise<void> {
  const { play, rules } = store.get();
  stopThinking();
  if (play.status !== "open" || play.rulesRevision !== rules.revision) return openSession();
  setPlay({ ...newPlay(rules.revision), roles: play.roles, players: play.players, layout: play.layout, perspective: play.perspective, exact: play.exact, status: "open" });
  await showPosition();
}

export const drawGroup = (groups: Group[], group: number): void => setPlay({ groups, group });
