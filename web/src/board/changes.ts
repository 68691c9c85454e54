// Which cells the last step has changed.

import type { Board, Cell, Drawing, JointMove } from "../net/forms";
import { cellKey } from "../play/clicks";

const factsOf = (cell: Cell): string => cell.items.map((i) => i.fact).join(" ");

function changedCells(before: Drawing, after: Drawing): Set<string> {
  const changed = new Set<string>();
  after.boards.forEach((board, b) =>
    board.cells.forEach((cell, c) => {
      const old = before.boards[b]?.cells[c];
      if (old && factsOf(old) !== factsOf(cell)) changed.add(cellKey({ board: b, cell: c }));
    }),
  );
  return changed;
}

// The cells of the move that was made, where clicks on single cells make it; else what has changed.
export function lastMoveCells(before: Drawing, after: Drawing, joint: JointMove): Set<string> {
  const clicked = new Set<string>();
  const changed = changedCells(before, after);
  for (const move of before.moves) {
    if (joint[move.role] !== move.move) continue;
    for (const click of move.clicks) {
      for (const cell of click.cells) {
        const key = cellKey({ board: click.board, cell });
        if (click.cells.length === 1 || changed.has(key)) clicked.add(key);
      }
    }
  }
  return clicked.size > 0 ? clicked : changed;
}

export const hasChess = (board: Board): boolean =>
  board.cells.some((c) => c.items.some((i) => i.glyph?.kind === "chess"));
