// Places of the program and of the language server against offsets of the editor in UTF-16.

import type { ChangeSet, Text } from "@codemirror/state";
import type { Diagnostic } from "../net/forms";
import type { Place, Range, TextChange, TextEdit } from "../net/language_server";

export interface Edit {
  from: number;
  to: number;
  insert: string;
}

// Lines and columns of the program are from 1, columns in characters.
function offsetOf(doc: Text, line: number | null, column: number | null): number {
  if (line === null || line < 1) return 0;
  if (line > doc.lines) return doc.length;
  const { from, text } = doc.line(line);
  let units = 0;
  for (let i = 1; i < (column ?? 1) && units < text.length; i++) units += text.codePointAt(units)! > 0xffff ? 2 : 1;
  return from + units;
}

const notEmpty = (doc: Text, from: number, to: number): { from: number; to: number } => ({
  from,
  to: Math.max(to, Math.min(from + 1, doc.length)),
});

export const rangeOf = (doc: Text, d: Diagnostic): { from: number; to: number } =>
  notEmpty(doc, offsetOf(doc, d.line, d.column), offsetOf(doc, d.end_line ?? d.line, d.end_column ?? d.column));

function offsetOfPlace(doc: Text, { line, character }: Place): number {
  if (line >= doc.lines) return doc.length;
  const { from, to } = doc.line(line + 1);
  return Math.min(from + character, to);
}

export function placeOf(doc: Text, offset: number): Place {
  const line = doc.lineAt(offset);
  return { line: line.number - 1, character: offset - line.from };
}

export const spanOf = (doc: Text, { start, end }: Range): { from: number; to: number } =>
  notEmpty(doc, offsetOfPlace(doc, start), offsetOfPlace(doc, end));

export const editOf = (doc: Text, { range, newText }: TextEdit): Edit => ({
  from: offsetOfPlace(doc, range.start),
  to: offsetOfPlace(doc, range.end),
  insert: newText,
});

// Changes that are made one after the other: the last of the text first, so that places before it stay as they were.
export function textChanges(before: Text, changes: ChangeSet): TextChange[] {
  const list: TextChange[] = [];
  changes.iterChanges((from, to, _from, _to, inserted) => {
    list.unshift({ range: { start: placeOf(before, from), end: placeOf(before, to) }, text: inserted.toString() });
  });
  return list;
}
