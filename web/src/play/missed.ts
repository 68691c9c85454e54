// The move that clicks on cells would make if it were legal, made after the example of one that is: for `why not`.

import { readTerms, writeTerm, type Term } from "../gdl/terms";
import type { BoardMove, Drawing } from "../net/forms";
import type { CellRef } from "./clicks";

const keyOf = (drawing: Drawing, at: CellRef): string[] => drawing.boards[at.board]?.cells[at.cell]?.key ?? [];

// Puts the keys of other cells in the place of those of the example; null where they do not stand in it in their order.
function withKeys(term: Term, from: string[], to: string[]): Term | null {
  const args = Array.isArray(term) ? [...term] : [];
  let next = 1;
  for (const [k, word] of from.entries()) {
    const place = args.findIndex((a, i) => i >= next && a === word);
    if (place < 0) return null;
    args[place] = to[k]!;
    next = place + 1;
  }
  return args;
}

function afterExample(drawing: Drawing, example: BoardMove, clicks: CellRef[]): string | null {
  if (example.clicks.length !== clicks.length || example.clicks.some((c) => c.cells.length !== 1)) return null;
  const from = example.clicks.flatMap((c) => keyOf(drawing, { board: c.board, cell: c.cells[0]! }));
  const to = clicks.flatMap((at) => keyOf(drawing, at));
  const term = readTerms(example.move)[0];
  const made = term === undefined || from.length !== to.length ? null : withKeys(term, from, to);
  return made ? writeTerm(made) : null;
}

export function missedMove(drawing: Drawing, examples: BoardMove[], clicks: CellRef[]): string | null {
  for (const example of examples) {
    const move = afterExample(drawing, example, clicks);
    if (move) return move;
  }
  return null;
}
