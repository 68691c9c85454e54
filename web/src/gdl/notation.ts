// The two notations of GDL, told apart by a look: KIF begins with a parenthesis.

export type Notation = "kif" | "prolog";

export function notationOf(text: string): Notation {
  const first = /^(?:\s+|;[^\n]*|%[^\n]*)*([^\s])/.exec(text.slice(0, 20_000))?.[1];
  return first === undefined || first === "(" || first === ")" ? "kif" : "prolog";
}

export const keywords = [
  "role", "init", "true", "does", "next", "legal", "goal", "terminal", "base", "input", "sees",
  "distinct", "not", "or", "and", "random",
];
