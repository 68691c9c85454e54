// GDL-II: what one role knows of a line, which is its own moves and its percepts.

import type { Position } from "../net/forms";
import type { PlayState } from "../state/state";
import { cellKey } from "./clicks";
import { currentPosition, pathTo } from "./tree";

export interface PerceivedStep {
  step: number;
  move: string | null; // of the role, before these percepts
  percepts: string[];
}

// Whose knowledge is shown; null: everything is, as at the end of the game.
export function viewerOf(play: PlayState): string | null {
  const position = currentPosition(play);
  return position?.percepts && !position.terminal ? play.perspective : null;
}

export const perceptsOf = (play: PlayState, role: string): PerceivedStep[] =>
  pathTo(play, play.current).map((node, step) => ({
    step,
    move: node.joint?.[role] ?? null,
    percepts: node.position?.percepts?.[role] ?? [],
  }));

// Cells of the role's own moves: what it may remember.
export function ownCells(play: PlayState, role: string): Set<string> {
  const cells = new Set<string>();
  const path = pathTo(play, play.current);
  path.slice(1).forEach((node, i) => {
    const moves = path[i]!.position?.drawing.moves ?? [];
    const made = moves.find((m) => m.role === role && m.move === node.joint?.[role]);
    for (const click of made?.clicks ?? []) if (click.cells.length === 1) cells.add(cellKey({ board: click.board, cell: click.cells[0]! }));
  });
  return cells;
}

// The board without what stands on it: places to click, nothing that the role may not know.
export function hidden(position: Position): Position {
  const boards = position.drawing.boards.map((b) => ({ ...b, cells: b.cells.map((c) => ({ ...c, items: [] })) }));
  return { ...position, state: [], drawing: { ...position.drawing, boards, rest: [] } };
}
