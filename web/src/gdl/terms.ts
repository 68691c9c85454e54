// Reads and writes terms in KIF, as far as moves and states need it.

export type Term = string | Term[];

const token = /;[^\n]*|[()]|[^\s();]+/g;

// All terms of a text; parentheses that are missing at its end are taken as there.
export function readTerms(text: string): Term[] {
  const stack: Term[][] = [[]];
  for (const [word] of text.matchAll(token)) {
    const top = stack[stack.length - 1]!;
    if (word.startsWith(";")) continue;
    if (word === "(") {
      const list: Term[] = [];
      top.push(list);
      stack.push(list);
    } else if (word === ")") {
      if (stack.length > 1) stack.pop();
    } else {
      top.push(word);
    }
  }
  return stack[0]!;
}

export const writeTerm = (term: Term): string => (typeof term === "string" ? term : `(${term.map(writeTerm).join(" ")})`);

// A state that somebody pasted: fluents, with or without `true` around them, in a list or not.
export function readState(text: string): string[] {
  const terms = readTerms(text);
  const only = terms.length === 1 ? terms[0] : undefined;
  const isList = Array.isArray(only) && only.length > 0 && only.every((part) => Array.isArray(part));
  const fluents = isList ? (only as Term[]) : terms.filter((t) => t !== "true");
  return fluents.map(withoutTrue).map(writeTerm);
}

const withoutTrue = (term: Term): Term =>
  Array.isArray(term) && term.length === 2 && term[0] === "true" ? term[1]! : term;
