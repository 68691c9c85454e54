// Completion from the text itself: keywords, relations and constants that occur, variables of the rule at hand.

import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { definitionsOf } from "../gdl/outline";
import { keywords, notationOf } from "../gdl/notation";

const nameBefore = /[^\s(),.;:&|~]+$/;

export function completeGdl(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(nameBefore);
  if (!word && !context.explicit) return null;
  const from = word?.from ?? context.pos;
  const text = context.state.doc.toString();
  const isVariable = word?.text.startsWith("?") ?? false;
  return { from, options: isVariable ? variablesAround(text, from) : names(text, from), validFor: /^[^\s(),.;]*$/ };
}

function names(text: string, at: number): Completion[] {
  const relations = new Set(definitionsOf(text, notationOf(text)).map((d) => d.relation));
  const options: Completion[] = keywords.map((label) => ({ label, type: "keyword" }));
  for (const label of relations) if (!keywords.includes(label)) options.push({ label, type: "function" });
  for (const label of wordsOf(text, at)) {
    if (!relations.has(label) && !keywords.includes(label)) options.push({ label, type: "constant" });
  }
  return options;
}

// The words of a text but for the one that is being written.
function wordsOf(text: string, at: number): Set<string> {
  const words = new Set<string>();
  for (const m of text.slice(0, 200_000).matchAll(/;[^\n]*|%[^\n]*|[A-Za-z][^\s(),.;]*/g)) {
    if (m.index !== at && !m[0].startsWith(";") && !m[0].startsWith("%")) words.add(m[0]);
  }
  return words;
}

function variablesAround(text: string, at: number): Completion[] {
  const rule = definitionsOf(text, "kif").find((d) => d.from <= at && at <= d.to);
  const body = rule ? text.slice(rule.from, rule.to) : text.slice(Math.max(0, at - 500), at);
  const found = new Set<string>();
  for (const m of body.matchAll(/\?[^\s()]+/g)) if (m.index + (rule?.from ?? 0) !== at) found.add(m[0]);
  return [...found].map((label) => ({ label, type: "variable" }));
}
