// Which cell a fluent belongs to, whether it holds now or not: read off the facts that stand on cells.

import { readTerms, writeTerm, type Term } from "../gdl/terms";
import type { Board, Cell } from "../net/forms";

interface Shape {
  head: string; // name and number of arguments
  places: number[]; // which arguments are the cell's key, in its order
}

const parts = (fact: string): string[] => {
  const term = readTerms(fact)[0] ?? "";
  return typeof term === "string" ? [term] : term.map((t: Term) => writeTerm(t));
};

const headOf = (words: string[]): string => `${words[0]}/${words.length}`;

// For each part of the key the argument that is always equal to it.
export function shapesOf(board: Board): Shape[] {
  const examples = new Map<string, { words: string[]; key: string[] }[]>();
  for (const cell of board.cells)
    for (const item of cell.items) {
      const words = parts(item.fact);
      examples.set(headOf(words), [...(examples.get(headOf(words)) ?? []), { words, key: cell.key }]);
    }
  return [...examples].flatMap(([head, all]) => {
    const places = all[0]!.key.map((_, k) => all[0]!.words.findIndex((_w, p) => p > 0 && all.every((e) => e.words[p] === e.key[k])));
    return places.every((p) => p > 0) ? [{ head, places }] : [];
  });
}

// The cells of fluents; those on the board by their facts, others by the shape of these.
export function cellsOfFluents(board: Board, fluents: Set<string>): Set<number> {
  const cells = new Set<number>();
  if (fluents.size === 0) return cells;
  const shapes = shapesOf(board);
  const keys = new Map<string, number>();
  board.cells.forEach((cell: Cell, i) => {
    keys.set(cell.key.join(" "), i);
    if (cell.items.some((item) => fluents.has(item.fact))) cells.add(i);
  });
  for (const fluent of fluents) {
    const words = parts(fluent);
    const shape = shapes.find((s) => s.head === headOf(words));
    const cell = shape && keys.get(shape.places.map((p) => words[p]).join(" "));
    if (cell !== undefined) cells.add(cell);
  }
  return cells;
}
