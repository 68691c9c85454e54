// From clicks on cells to moves.

import type { BoardMove, Drawing } from "../net/forms";

export interface CellRef {
  board: number;
  cell: number;
}

export interface ClickResult {
  clicks: CellRef[]; // so far; empty when they led to a move or nowhere
  done: string[]; // moves that these clicks make: one is made, of several one is chosen from a menu
}

const fits = (move: BoardMove, k: number, at: CellRef): boolean => {
  const click = move.clicks[k];
  return click !== undefined && click.board === at.board && click.cells.includes(at.cell);
};

export const movesAfter = (moves: BoardMove[], clicks: CellRef[]): BoardMove[] =>
  moves.filter((move) => clicks.every((at, k) => fits(move, k, at)));

export const movesOf = (drawing: Drawing, role: string): BoardMove[] => drawing.moves.filter((m) => m.role === role);

// Cells that a next click may be on.
export function targets(moves: BoardMove[], clicks: CellRef[]): Set<string> {
  const cells = new Set<string>();
  for (const move of movesAfter(moves, clicks)) {
    const next = move.clicks[clicks.length];
    for (const cell of next?.cells ?? []) cells.add(cellKey({ board: next!.board, cell }));
  }
  return cells;
}

export const cellKey = (at: CellRef): string => `${at.board}.${at.cell}`;

export function clickCell(moves: BoardMove[], clicks: CellRef[], at: CellRef): ClickResult {
  const longer = movesAfter(moves, [...clicks, at]);
  if (longer.length === 0) return clicks.length > 0 && !isSame(clicks, at) ? clickCell(moves, [], at) : { clicks: [], done: [] };
  const complete = longer.filter((m) => m.clicks.length === clicks.length + 1);
  if (complete.length === longer.length) return { clicks: [...clicks, at], done: complete.map((m) => m.move) };
  return { clicks: [...clicks, at], done: [] };
}

const isSame = (clicks: CellRef[], at: CellRef): boolean => {
  const last = clicks[clicks.length - 1];
  return last?.board === at.board && last.cell === at.cell;
};
