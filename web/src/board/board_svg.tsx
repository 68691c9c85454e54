// A board as SVG in the page: cells are buttons, arrow keys go from one to the next.

import type { VNode } from "preact";
import { memo } from "preact/compat";
import { useRef, useState } from "preact/hooks";
import type { Board, Cell, Item } from "../net/forms";
import { cellKey } from "../play/clicks";
import { cellName, describeCell, hasAxisLabels, hasOwnLabel, neighbour } from "./cells";
import { hasChess } from "./changes";
import { cellsOfFluents } from "./fluents";
import { CELL, Piece, Words } from "./pieces";

export interface Marks {
  targets: Set<string>; // a click there goes on with a move
  good: Set<string>; // with one that keeps the value
  bad: Set<string>; // only with moves that do not
  chosen: Set<string>;
  last: Set<string>;
  fluents: Set<string>; // whose cells are marked
}

interface BoardProps {
  board: Board;
  number: number;
  title: string;
  marks: Marks;
  onClick: ((cell: number) => void) | null;
}

const MARGIN = 6;
const LABELS = 20;

const px = (units: number): number => (units + 0.5) * CELL;

export function BoardSvg({ board, number, title, marks, onClick }: BoardProps): VNode {
  const [focused, setFocused] = useState(0);
  const svg = useRef<SVGSVGElement>(null);
  const labelled = hasAxisLabels(board);
  const left = labelled ? LABELS : 0;
  const below = labelled || hasOwnLabel(board) ? LABELS : 0;
  const width = board.width * CELL + left + 2 * MARGIN;
  const height = board.height * CELL + below + 2 * MARGIN;
  const chequered = hasChess(board);
  const marked = cellsOfFluents(board, marks.fluents);
  const onKey = (event: KeyboardEvent): void => {
    const step = arrows[event.key];
    if (event.key === "Enter" || event.key === " ") onClick?.(focused);
    else if (!step) return;
    else focusCell(neighbour(board.cells, focused, step[0], step[1]));
    event.preventDefault();
  };
  const focusCell = (cell: number): void => {
    setFocused(cell);
    svg.current?.querySelector<SVGGElement>(`[data-cell="${cell}"]`)?.focus();
  };
  const order = board.cells.map((_, i) => i).sort((a, b) => Number(isLine(board.cells[a]!)) - Number(isLine(board.cells[b]!)));
  return (
    <svg
      ref={svg}
      class={marks.chosen.size > 0 ? "board selecting" : "board"}
      viewBox={`${-left - MARGIN} ${-MARGIN} ${width} ${height}`}
      style={{ maxWidth: `${width * 1.6}px`, aspectRatio: `${width} / ${height}` }}
      role="group"
      aria-label={title}
      onKeyDown={onKey}
    >
      {board.links.map(([a, b]) => (
        <line class="link" x1={px(board.cells[a]!.x)} y1={px(board.cells[a]!.y)} x2={px(board.cells[b]!.x)} y2={px(board.cells[b]!.y)} />
      ))}
      {order.map((i) => {
        const key = cellKey({ board: number, cell: i });
        const cell = board.cells[i]!;
        return (
          <CellView
            key={i}
            board={board}
            cell={cell}
            index={i}
            dark={chequered && (Math.round(cell.x) + Math.round(cell.y)) % 2 !== 0}
            isTarget={marks.targets.has(key)}
            worth={marks.good.has(key) ? "good" : marks.bad.has(key) ? "bad" : ""}
            isChosen={marks.chosen.has(key)}
            isLast={marks.last.has(key)}
            isMarked={marked.has(i)}
            tabbable={i === Math.min(focused, board.cells.length - 1)}
            onClick={onClick}
            onFocus={setFocused}
          />
        );
      })}
      {board.walls.map(([x1, y1, x2, y2]) => (
        <line class="edge drawn" x1={px(x1)} y1={px(y1)} x2={px(x2)} y2={px(y2)} />
      ))}
      {labelled && <AxisLabels board={board} />}
      {hasOwnLabel(board) && board.kind !== "stacks" && <CellLabels board={board} />}
    </svg>
  );
}

const arrows: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const isLine = (cell: Cell): boolean => cell.x2 !== undefined;

interface CellProps {
  board: Board;
  cell: Cell;
  index: number;
  dark: boolean;
  isTarget: boolean;
  worth: "good" | "bad" | ""; // of a target; "": not known
  isChosen: boolean;
  isLast: boolean;
  isMarked: boolean;
  tabbable: boolean;
  onClick: ((cell: number) => void) | null;
  onFocus: (cell: number) => void;
}

// Redrawn only if what stands there or how it is marked has changed: a move redraws a few cells of a board.
const CellView = memo(DrawnCell, (a, b) => {
  const names = ["isTarget", "worth", "isChosen", "isLast", "isMarked", "tabbable", "dark"] as const;
  return names.every((n) => a[n] === b[n]) && a.onClick === null === (b.onClick === null) && isSameCell(a.cell, b.cell) && a.board.kind === b.board.kind;
});

const isSameCell = (a: Cell, b: Cell): boolean =>
  a.x === b.x && a.y === b.y && a.items.length === b.items.length && a.items.every((item, i) => isSameItem(item, b.items[i]!));

const isSameItem = (a: Item, b: Item): boolean =>
  a.fact === b.fact && a.glyph?.text === b.glyph?.text && a.glyph?.kind === b.glyph?.kind && a.glyph?.fill === b.glyph?.fill;

const worthWords = { good: ", keeps the value", bad: ", gives value away", "": "" };

function DrawnCell(p: CellProps): VNode {
  const { board, cell, index } = p;
  const classes = ["square", p.dark && "dark", p.isTarget && "target", p.worth, p.isChosen && "chosen", p.isLast && "last", p.isMarked && "marked"];
  return (
    <g
      class={classes.filter(Boolean).join(" ")}
      data-cell={index}
      data-key={cell.key.join(" ")}
      role="button"
      tabIndex={p.tabbable ? 0 : -1}
      aria-label={`${describeCell(cell)}${p.isTarget ? ", can be chosen" : ""}${worthWords[p.worth]}${p.isChosen ? ", chosen" : ""}${p.isLast ? ", of the last move" : ""}${p.isMarked ? ", marked" : ""}`}
      aria-disabled={p.isTarget ? undefined : "true"}
      onClick={() => p.onClick?.(index)}
      onFocus={() => p.onFocus(index)}
    >
      {isLine(cell) ? <LineCell cell={cell} /> : <SpaceCell board={board} cell={cell} />}
    </g>
  );
}

function LineCell({ cell }: { cell: Cell }): VNode {
  const [x1, y1, x2, y2] = [px(cell.x), px(cell.y), px(cell.x2!), px(cell.y2!)];
  const look = cell.items[0]?.glyph;
  const stroke = look && look.kind !== "mark" ? look.fill : undefined;
  return (
    <>
      <line class="grip" x1={x1} y1={y1} x2={x2} y2={y2} />
      <line class={cell.items.length > 0 ? "edge drawn" : "edge"} stroke={stroke} x1={x1} y1={y1} x2={x2} y2={y2} />
    </>
  );
}

function SpaceCell({ board, cell }: { board: Board; cell: Cell }): VNode {
  const [x, y] = [px(cell.x), px(cell.y)];
  const joinsLines = board.cells.some(isLine) && board.kind === "grid" && cell.items.length === 0;
  if (board.kind === "stacks") return <Stack name={cellName(cell)} x={x} y={y} />;
  return (
    <>
      {joinsLines ? <circle class="joint" cx={x} cy={y} r={4} /> : <Space board={board} tint={cell.tint} x={x} y={y} />}
      <Items items={cell.items} x={x} y={y} />
      {cell.items.every((i) => i.blank) ? <circle class="dot" cx={x} cy={y} r={CELL * 0.11} /> : <circle class="ring" cx={x} cy={y} r={CELL * 0.44} />}
    </>
  );
}

function Stack({ name, x, y }: { name: string; x: number; y: number }): VNode {
  const r = CELL * 0.46;
  return (
    <>
      <rect class="ground" x={x - CELL / 2} y={y - CELL / 2} width={CELL} height={CELL} />
      <Piece glyph={{ kind: "chip", text: name, colour: "teal", fill: "#2a7f79" }} x={x} y={y} r={r} />
    </>
  );
}

function Space({ board, tint, x, y }: { board: Board; tint: string | undefined; x: number; y: number }): VNode {
  const style = tint ? { fill: tint } : undefined;
  if (board.kind === "hexagons") return <polygon class="ground" style={style} points={hexagon(x, y, CELL * 0.577)} />;
  if (board.kind === "ring" || board.kind === "graph") return <circle class="ground" style={style} cx={x} cy={y} r={CELL * 0.46} />;
  return <rect class="ground" style={style} x={x - CELL / 2} y={y - CELL / 2} width={CELL} height={CELL} />;
}

const hexagon = (x: number, y: number, r: number): string =>
  [0, 1, 2, 3, 4, 5]
    .map((i) => (Math.PI / 3) * i + Math.PI / 6)
    .map((a) => `${(x + r * Math.cos(a)).toFixed(1)},${(y + r * Math.sin(a)).toFixed(1)}`)
    .join(" ");

// One thing fills the cell, several share it.
function Items({ items, x, y }: { items: Item[]; x: number; y: number }): VNode {
  const shown = items.filter((i) => !i.blank && i.glyph).slice(0, 9);
  const side = shown.length <= 1 ? 1 : shown.length <= 4 ? 2 : 3;
  const room = (CELL * 0.86) / side;
  return (
    <>
      {shown.map((item, i) => (
        <Piece
          glyph={item.glyph!}
          x={x + ((i % side) - (side - 1) / 2) * room}
          y={y + (Math.floor(i / side) - (side - 1) / 2) * room}
          r={room * 0.46}
        />
      ))}
    </>
  );
}

function AxisLabels({ board }: { board: Board }): VNode {
  const spots = board.kind === "hexagons" ? hexagonLabels(board) : gridLabels(board);
  return (
    <g class="axes" aria-hidden="true">
      {spots.map(({ text, x, y }) => (
        <Words class="label" x={x} y={y} size={Math.min(11, 30 / Math.max(1, text.length * 0.6))} text={text} />
      ))}
    </g>
  );
}

// Outside of the cells: a cell's own name says all of this.
function CellLabels({ board }: { board: Board }): VNode {
  return (
    <g class="axes" aria-hidden="true">
      {board.cells
        .filter((c) => !isLine(c))
        .map((c) => (
          <Words class="label" x={px(c.x)} y={px(c.y) + CELL * 0.6} size={10} text={cellName(c)} />
        ))}
    </g>
  );
}

interface Spot {
  text: string;
  x: number;
  y: number;
}

function gridLabels(board: Board): Spot[] {
  const bottom = board.height * CELL + 11;
  const columns = uniqueBy(board.cells, (c) => c.key[0]!).map((c) => ({ text: c.key[0]!, x: px(c.x), y: bottom }));
  const rows = uniqueBy(board.cells, (c) => c.key[1]!).map((c) => ({ text: c.key[1]!, x: -11, y: px(c.y) }));
  return [...columns, ...rows];
}

// Rows are shifted: a label stands by the first cell of its row, and below the lowest row.
function hexagonLabels(board: Board): Spot[] {
  const lowest = Math.max(...board.cells.map((c) => c.y));
  const columns = board.cells.filter((c) => c.y === lowest).map((c) => ({ text: c.key[0]!, x: px(c.x), y: px(c.y) + CELL * 0.75 }));
  const firsts = new Map<string, Cell>();
  for (const c of board.cells) if ((firsts.get(c.key[1]!)?.x ?? Infinity) > c.x) firsts.set(c.key[1]!, c);
  return [...columns, ...[...firsts.values()].map((c) => ({ text: c.key[1]!, x: px(c.x) - CELL * 0.72, y: px(c.y) }))];
}

function uniqueBy(cells: Cell[], key: (cell: Cell) => string): Cell[] {
  const seen = new Map<string, Cell>();
  for (const cell of cells) if (!seen.has(key(cell))) seen.set(key(cell), cell);
  return [...seen.values()];
}
