// Which moves keep the value of a position, where it is known.

import type { MoveWorth, Position } from "../net/forms";
import { cellKey, movesAfter, movesOf, type CellRef } from "./clicks";

// The best first: more, sooner if it is all there is to get, later if there is less.
export function movesByWorth(position: Position): MoveWorth[] {
  const steps = (m: MoveWorth): number => (m.value >= 100 ? 1 : -1) * (m.remoteness ?? Infinity);
  return [...(position.exact?.moves ?? [])].sort((a, b) => b.value - a.value || steps(a) - steps(b) || a.move.localeCompare(b.move));
}

const bestValue = (moves: MoveWorth[]): number => Math.max(...moves.map((m) => m.value));

export const keepsValue = (position: Position, worth: MoveWorth): boolean => worth.value === bestValue(position.exact?.moves ?? []);

// Cells that a next click may be on, by whether a move that keeps the value goes on there.
export function worthOfTargets(position: Position, role: string, clicks: CellRef[]): { good: Set<string>; bad: Set<string> } {
  const worths = new Map((position.exact?.moves ?? []).filter((m) => m.role === role).map((m) => [m.move, m]));
  const good = new Set<string>();
  const bad = new Set<string>();
  for (const move of movesAfter(movesOf(position.drawing, role), clicks)) {
    const next = move.clicks[clicks.length];
    const worth = worths.get(move.move);
    if (!next || !worth) continue;
    for (const cell of next.cells) (keepsValue(position, worth) ? good : bad).add(cellKey({ board: next.board, cell }));
  }
  for (const key of good) bad.delete(key);
  return { good, bad };
}
