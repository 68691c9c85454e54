// What was found wrong, by the language server or by `tabia check`, with the edit that mends it where there is one.

import type { Text } from "@codemirror/state";
import type { Diagnostic } from "../net/forms";
import { uri, type CodeAction, type LspDiagnostic } from "../net/language_server";
import { editOf, rangeOf, spanOf, type Edit } from "./places";

export interface Finding {
  code: string;
  severity: "error" | "warning";
  message: string;
  hint: string | null;
  line: number;
  from: number;
  to: number;
  fix: { label: string; edits: Edit[] } | null;
}

export function findingOfCheck(doc: Text, d: Diagnostic): Finding {
  const { code, severity, message, hint } = d;
  const { from, to } = rangeOf(doc, d);
  return { code, severity, message, hint, line: d.line ?? 1, from, to, fix: null };
}

export function findingOf(doc: Text, d: LspDiagnostic, actions: CodeAction[]): Finding {
  const [message, ...hint] = d.message.split("\n");
  const action = actions.find((a) => a.diagnostics.some((of) => isSame(of, d)));
  return {
    code: d.code,
    severity: d.severity === 1 ? "error" : "warning",
    message: message!,
    hint: hint.join("\n") || null,
    line: d.range.start.line + 1,
    ...spanOf(doc, d.range),
    fix: action ? fixOf((action.edit.changes[uri] ?? []).map((e) => editOf(doc, e))) : null,
  };
}

const isSame = (a: LspDiagnostic, b: LspDiagnostic): boolean =>
  a.code === b.code && JSON.stringify(a.range) === JSON.stringify(b.range);

const shownLength = 24;

function fixOf(edits: Edit[]): Finding["fix"] {
  const words = edits.map((e) => e.insert.trim()).join(" ");
  if (edits.every((e) => e.insert === "")) return { label: "Remove it", edits };
  return { label: words && words.length <= shownLength ? `Write ${words}` : "Mend it", edits };
}
