// What stands on a cell, drawn as `tabia board --svg` draws it.

import type { VNode } from "preact";
import type { Glyph } from "../net/forms";

export const CELL = 44;

const lightColours = new Set(["white", "yellow", "gold", "silver", "pink", "orange"]);

const textFill = (colour: string): string => (lightColours.has(colour) ? "#222" : "#fff");

const fitting = (text: string, room: number, most: number): number => Math.min(most, room / Math.max(1, 0.6 * [...text].length));

interface PieceProps {
  glyph: Glyph;
  x: number;
  y: number;
  r: number; // half the room that there is
}

export function Piece({ glyph, x, y, r }: PieceProps): VNode {
  const { kind, text, colour, fill } = glyph;
  switch (kind) {
    case "chess":
      return <Words class="chess" fill={fill} x={x} y={y} size={2 * r} text={text} />;
    case "cross":
      return <path class="stroke" stroke={fill} d={cross(x, y, 0.6 * r)} />;
    case "circle":
      return <circle class="open" stroke={fill} cx={x} cy={y} r={0.65 * r} />;
    case "mark":
      return <rect class="piece" fill={fill} x={x - 0.6 * r} y={y - 0.6 * r} width={1.2 * r} height={1.2 * r} rx={3} />;
    case "disc":
      return (
        <>
          <circle class="piece" fill={fill} cx={x} cy={y} r={0.85 * r} />
          {text && <Words class="word" fill={textFill(colour)} x={x} y={y} size={fitting(text, 1.3 * r, r)} text={text} />}
        </>
      );
    case "chip":
      return (
        <>
          <rect class="piece" fill={fill} x={x - r} y={y - 0.75 * r} width={2 * r} height={1.5 * r} rx={4} />
          <Words class="word" fill={textFill(colour)} x={x} y={y} size={fitting(text, 1.8 * r, r)} text={text} />
        </>
      );
    default:
      return <Words class="word" x={x} y={y} size={fitting(text, 2 * r, 1.3 * r)} text={text} />;
  }
}

const cross = (x: number, y: number, r: number): string =>
  `M${x - r} ${y - r}L${x + r} ${y + r}M${x - r} ${y + r}L${x + r} ${y - r}`;

interface WordsProps {
  class: string;
  fill?: string;
  x: number;
  y: number;
  size: number;
  text: string;
}

export function Words({ class: name, fill, x, y, size, text }: WordsProps): VNode {
  return (
    <text class={name} fill={fill} x={x} y={y} font-size={size.toFixed(1)} dominant-baseline="central" text-anchor="middle">
      {text}
    </text>
  );
}
