// Renames a name of the rules everywhere, or a variable within its rule.

import { withEditor } from "../editor/current";
import { notationOf } from "../gdl/notation";
import { definitionsOf } from "../gdl/outline";
import { say } from "../state/app";
import { keepVersionNow } from "./rules";

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

export function renameWord(): void {
  withEditor((editor) => {
    const word = editor.wordAtCursor();
    if (!word) return say("Put the cursor on a name first");
    const name = prompt(`New name for ${word}`, word)?.trim();
    if (!name || name === word || /[\s();,]/.test(name)) return;
    const text = editor.text();
    keepVersionNow();
    editor.replace(renamed(text, word, name, editor.offsetAtCursor()));
    say(`${word} is now ${name}`);
  });
}

export function renamed(text: string, word: string, name: string, at: number): string {
  const notation = notationOf(text);
  const isVariable = notation === "kif" ? word.startsWith("?") : /^[A-Z_]/.test(word);
  const rule = isVariable ? definitionsOf(text, notation).find((d) => d.from <= at && at <= d.to) : undefined;
  const [from, to] = rule ? [rule.from, rule.to] : [0, text.length];
  const comment = notation === "kif" ? ";[^\\n]*" : "%[^\\n]*";
  const pattern = new RegExp(`${comment}|(?<![^\\s(),.;:&|~])${escape(word)}(?![^\\s(),.;:&|~])`, "g");
  const changed = text.slice(from, to).replace(pattern, (found) => (found === word ? name : found));
  return text.slice(0, from) + changed + text.slice(to);
}
