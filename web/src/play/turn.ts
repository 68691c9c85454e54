// Who has to choose in a position, and what.

import type { JointMove, Position } from "../net/forms";
import type { PlayerKind, PlayState } from "../state/state";
import { currentPosition } from "./tree";

// Chance plays itself.
export const playerOf = (play: PlayState, role: string): PlayerKind =>
  role === "random" ? "random" : (play.players[role]?.kind ?? "human");

export const hasChoice = (position: Position, role: string): boolean => (position.legal[role]?.length ?? 0) > 1;

const isStuck = (position: Position): boolean => Object.values(position.legal).some((moves) => moves.length === 0);

export const isOver = (position: Position): boolean => position.terminal || isStuck(position);

// Roles with one legal move make it by themselves, unless nobody has a choice: then people want to see it.
export function forcedMoves(play: PlayState, position: Position): JointMove {
  const joint: JointMove = {};
  const someoneChooses = play.roles.some((role) => hasChoice(position, role));
  for (const role of play.roles) {
    const moves = position.legal[role] ?? [];
    if (moves.length === 1 && (someoneChooses || playerOf(play, role) !== "human")) joint[role] = moves[0]!;
  }
  return joint;
}

// Roles that have neither chosen nor a forced move.
export function openRoles(play: PlayState): string[] {
  const position = currentPosition(play);
  if (!position || isOver(position)) return [];
  const forced = forcedMoves(play, position);
  return play.roles.filter((role) => !(role in forced) && !(role in play.pending));
}

// The person whose move clicks make: one at a time, in the order of the rules.
export const actingRole = (play: PlayState): string | null =>
  openRoles(play).find((role) => playerOf(play, role) === "human") ?? null;

export const isSimultaneous = (play: PlayState, position: Position): boolean =>
  play.roles.filter((role) => hasChoice(position, role)).length > 1;
