// Lines and columns of the program, both from 1 and columns in characters, against offsets of the editor in UTF-16.

import type { Text } from "@codemirror/state";
import type { Diagnostic } from "../net/forms";

function offsetOf(doc: Text, line: number | null, column: number | null): number {
  if (line === null || line < 1) return 0;
  if (line > doc.lines) return doc.length;
  const { from, text } = doc.line(line);
  let units = 0;
  for (let i = 1; i < (column ?? 1) && units < text.length; i++) units += text.codePointAt(units)! > 0xffff ? 2 : 1;
  return from + units;
}

export function rangeOf(doc: Text, d: Diagnostic): { from: number; to: number } {
  const from = offsetOf(doc, d.line, d.column);
  const to = offsetOf(doc, d.end_line ?? d.line, d.end_column ?? d.column);
  return { from, to: Math.max(to, Math.min(from + 1, doc.length)) };
}
