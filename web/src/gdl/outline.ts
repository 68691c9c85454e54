// What a rulesheet defines and where, found by a look at its text: quick enough for every keystroke, in both notations,
// and in rules that are not finished.

import type { Notation } from "./notation";

export interface Definition {
  relation: string;
  from: number; // of the whole rule
  to: number;
  isFact: boolean;
}

export interface Section {
  relation: string;
  definitions: Definition[];
}

export const definitionsOf = (text: string, notation: Notation): Definition[] =>
  notation === "kif" ? kifDefinitions(text) : prologDefinitions(text);

function kifDefinitions(text: string): Definition[] {
  const found: Definition[] = [];
  const token = /;[^\n]*|[()]/g;
  let depth = 0;
  let start = 0;
  for (let m = token.exec(text); m; m = token.exec(text)) {
    if (m[0] === "(" && depth++ === 0) start = m.index;
    if (m[0] === ")" && depth > 0 && --depth === 0) found.push(kifDefinition(text, start, m.index + 1));
  }
  return found;
}

const kifHead = /^\(\s*(<=\s*\(?\s*)?([^\s()]+)/;

function kifDefinition(text: string, from: number, to: number): Definition {
  const head = kifHead.exec(text.slice(from, to));
  return { relation: head?.[2] ?? "?", from, to, isFact: !head?.[1] };
}

function prologDefinitions(text: string): Definition[] {
  const found: Definition[] = [];
  const token = /%[^\n]*|'[^']*'|\.(?=\s|$)|[a-zA-Z_][\w]*|:-|<=|[^\s]/g;
  let start = -1;
  let head = "";
  let isFact = true;
  for (let m = token.exec(text); m; m = token.exec(text)) {
    if (m[0].startsWith("%")) continue;
    if (start < 0) [start, head, isFact] = [m.index, m[0], true];
    if (m[0] === ":-" || m[0] === "<=") isFact = false;
    if (m[0] !== ".") continue;
    found.push({ relation: head, from: start, to: m.index + 1, isFact });
    start = -1;
  }
  return found;
}

// Definitions by relation, in the order in which relations come first.
export function outlineOf(definitions: Definition[]): Section[] {
  const sections = new Map<string, Section>();
  for (const d of definitions) {
    const section = sections.get(d.relation) ?? { relation: d.relation, definitions: [] };
    section.definitions.push(d);
    sections.set(d.relation, section);
  }
  return [...sections.values()];
}
