// Hints that are edits: one click makes them.

import type { Diagnostic } from "../net/forms";

export interface Fix {
  label: string;
  // The new text for the place of the diagnostic, given what stands there.
  replacement(there: string): string;
}

export function fixOf(diagnostic: Diagnostic): Fix | null {
  const hint = diagnostic.hint ?? "";
  const meant = /^did you mean (\S+)\?$/.exec(hint)?.[1];
  if (meant) return { label: `Write ${meant}`, replacement: (there) => replaceName(there, meant) };
  if (/^remove it\b/.test(hint)) return { label: "Remove it", replacement: () => "" };
  const instead = /^write (\S+|\(.*\)) instead$/.exec(hint)?.[1];
  if (instead?.includes("...")) {
    const [before, after] = instead.split("...") as [string, string];
    return { label: `Write ${instead}`, replacement: (there) => `${before}${inner(there)}${after}` };
  }
  return null;
}

// The place may be an atom of which only the name is meant.
const replaceName = (there: string, name: string): string =>
  there.startsWith("(") ? there.replace(/^\(\s*[^\s()]+/, `(${name}`) : name;

const inner = (there: string): string => /^\(not\s+([\s\S]*)\)$/.exec(there)?.[1] ?? there;
