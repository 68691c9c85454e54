// What cells are called and how they lie.

import type { Board, Cell } from "../net/forms";

export const hasAxisLabels = (b: Board): boolean =>
  (b.kind === "grid" || b.kind === "hexagons") && b.columns.length > 0 && b.rows.length > 0 && b.outer_columns.length === 0 && b.outer_rows.length === 0;

export const hasOwnLabel = (b: Board): boolean =>
  b.kind === "graph" || b.kind === "ring" || b.kind === "stacks" || b.kind === "places" || (b.rows.length === 0 && b.columns.length > 1);

// As people name squares: c4 where columns are letters, else 3, 4.
export function cellName(cell: Cell): string {
  const [column, row] = cell.key;
  const isLetter = cell.key.length === 2 && /^[a-z]$/i.test(column ?? "") && /^\d+$/.test(row ?? "");
  return isLetter ? `${column}${row}` : cell.key.join(", ");
}

export function describeCell(cell: Cell): string {
  const things = cell.items.filter((i) => !i.blank).map((i) => i.label);
  return `${cellName(cell)}: ${things.length > 0 ? things.join(", ") : "empty"}`;
}

// The nearest cell in a direction, for the arrow keys: along it first, little aside.
export function neighbour(cells: Cell[], from: number, dx: number, dy: number): number {
  const start = cells[from]!;
  let best = from;
  let bestCost = Infinity;
  cells.forEach((cell, i) => {
    const along = (cell.x - start.x) * dx + (cell.y - start.y) * dy;
    const aside = Math.abs((cell.x - start.x) * dy) + Math.abs((cell.y - start.y) * dx);
    const cost = along + 2.5 * aside;
    if (along > 0.2 && aside <= along * 2 && cost < bestCost) [best, bestCost] = [i, cost];
  });
  return best;
}
