// Completion, hover and definitions in the editor, answered by the language server.

import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import { EditorView, hoverTooltip } from "@codemirror/view";
import type { CompletionItem, Place, Range } from "../net/language_server";
import { placeOf, spanOf } from "./places";

export interface LanguageTools {
  complete(place: Place): Promise<CompletionItem[]>;
  hover(place: Place): Promise<{ text: string; range: Range | null } | null>;
  define(place: Place): void;
}

const nameBefore = /[^\s(),.;:&|~]+$/;
const kinds: Record<number, string> = { 3: "function", 6: "variable", 14: "keyword", 20: "constant", 22: "type" };

export const completionSource =
  (tools: LanguageTools) =>
  async (context: CompletionContext): Promise<CompletionResult | null> => {
    const word = context.matchBefore(nameBefore);
    const from = word?.from ?? context.pos;
    // An empty list that is valid for no other word, and not null: after null the editor does not ask
    // for what was typed while the answer was on its way.
    if (!word && !context.explicit) return { from, options: [] };
    const items = await tools.complete(placeOf(context.state.doc, context.pos));
    return { from, options: items.map(optionOf), ...(items.length > 0 ? { validFor: /^[^\s(),.;]*$/ } : {}) };
  };

const optionOf = (item: CompletionItem): Completion => ({
  label: item.label,
  type: kinds[item.kind] ?? "text",
  ...(item.detail ? { info: item.detail } : {}),
});

export const hoverOf = (tools: LanguageTools): Extension =>
  hoverTooltip(async (view, pos) => {
    const doc = view.state.doc;
    const answer = await tools.hover(placeOf(doc, pos));
    if (!answer || view.state.doc !== doc) return null;
    const { from, to } = answer.range ? spanOf(doc, answer.range) : { from: pos, to: pos };
    return { pos: from, end: to, above: true, create: () => ({ dom: paragraphs(answer.text) }) };
  });

// The few marks of Markdown that the server writes: strong words, code and blocks of code.
function paragraphs(text: string): HTMLElement {
  const box = document.createElement("div");
  box.className = "hover-text";
  for (const part of text.trim().split(/\n{2,}/)) {
    const line = box.appendChild(document.createElement("p"));
    for (const [piece, strong, code] of part.replace(/^```\w*$/gm, "").matchAll(/\*\*(.+?)\*\*|`([^`]+)`|[^*`]+|[*`]/g)) {
      const inner = document.createElement(strong ? "strong" : code ? "code" : "span");
      inner.textContent = strong ?? code ?? piece;
      line.append(inner);
    }
  }
  return box;
}

// With Ctrl or Command a click goes to the definition.
export const clickToDefine = (tools: LanguageTools): Extension =>
  EditorView.domEventHandlers({
    mousedown(event, view) {
      const pos = event.ctrlKey || event.metaKey ? view.posAtCoords(event) : null;
      if (pos === null) return false;
      tools.define(placeOf(view.state.doc, pos));
      return true;
    },
  });
