// The language server of the page: diagnostics with each keystroke, completion, hover, definitions, new names.

import { currentEditor, withEditor } from "../editor/current";
import { findingOf } from "../editor/findings";
import { editOf, spanOf } from "../editor/places";
import { LanguageServer, uri, type CodeAction, type CompletionItem, type LspDiagnostic, type Place, type Range, type TextChange, type TextEdit } from "../net/language_server";
import { say, setState, store } from "../state/app";
import { keepVersionNow } from "./rules";

const retryMilliseconds = 3000;
let server: LanguageServer | null = null;
let isOpening = false;

export const hasLanguageServer = (): boolean => server !== null;

const currentText = (): { text: string; version: number } => {
  const { text, revision } = store.get().rules;
  return { text, version: revision };
};

export async function openLanguageServer(): Promise<void> {
  if (server || isOpening || !store.get().info?.lsp) return;
  isOpening = true;
  try {
    server = await LanguageServer.open(currentText, { diagnostics: (version, found) => void show(version, found), closed });
  } catch {
    setTimeout(() => void openLanguageServer(), retryMilliseconds); // too many others have one
  }
  isOpening = false;
}

function closed(byServer: boolean): void {
  server = null;
  if (byServer) setTimeout(() => void openLanguageServer(), retryMilliseconds);
  else setState({ online: false });
}

export const tellEdit = (changes: TextChange[]): void => server?.change(store.get().rules.revision, changes);

// ---- diagnostics ----

// First what was found, at once; then the edits that mend it, which have to be asked for.
async function show(version: number, found: LspDiagnostic[]): Promise<void> {
  showFindings(version, found, []);
  if (found.length === 0 || !server) return;
  const range = { start: { line: 0, character: 0 }, end: { line: 1_000_000, character: 0 } };
  const actions = await server.ask<CodeAction[] | null>("textDocument/codeAction", { textDocument: { uri }, range, context: { diagnostics: found } }).catch(() => null);
  if (actions && actions.length > 0) showFindings(version, found, actions);
}

function showFindings(version: number, found: LspDiagnostic[], actions: CodeAction[]): void {
  const editor = currentEditor();
  if (!editor || store.get().rules.revision !== version) return; // places have moved
  const findings = found.map((d) => findingOf(editor.document(), d, actions));
  editor.showFindings(findings);
  performance.mark("diagnostics-shown", { detail: { version } });
  store.update((s) => ({ ...s, rules: { ...s.rules, findings } }));
}

// ---- asked for by the editor ----

export async function complete(place: Place): Promise<CompletionItem[]> {
  const answer = await server?.askAt<{ items: CompletionItem[] } | null>("textDocument/completion", place).catch(() => null);
  return answer?.items ?? [];
}

export async function hover(place: Place): Promise<{ text: string; range: Range | null } | null> {
  const answer = await server?.askAt<{ contents: { value: string }; range?: Range } | null>("textDocument/hover", place).catch(() => null);
  return answer ? { text: answer.contents.value, range: answer.range ?? null } : null;
}

// Who has written or moved on meanwhile stays there.
export async function define(place: Place): Promise<void> {
  const isWhereItWas = whereIsCursor();
  const found = await server?.askAt<{ range: Range }[] | null>("textDocument/definition", place).catch(() => null);
  if (!isWhereItWas()) return;
  const first = found?.[0];
  if (!first) return say("There is no definition of that");
  withEditor((editor) => {
    const { from, to } = spanOf(editor.document(), first.range);
    editor.goTo(from, to);
  });
}

// Takes down where the cursor is; the answer says whether it is there still, in the same text.
function whereIsCursor(): () => boolean {
  const now = (): string => `${store.get().rules.revision} ${JSON.stringify(currentEditor()?.cursorPlace())}`;
  const before = now();
  return () => now() === before;
}

// ---- new names ----

export async function askForName(place: Place): Promise<void> {
  const answer = await server?.askAt<{ placeholder: string } | null>("textDocument/prepareRename", place).catch(() => null);
  if (!answer) return say("Put the cursor on a name that can be changed first");
  setState({ dialog: "rename", renaming: { word: answer.placeholder, place } });
}

export async function rename(newName: string): Promise<void> {
  const { renaming } = store.get();
  if (!renaming || !server) return;
  try {
    const answer = await server.askAt<{ changes: Record<string, TextEdit[]> } | null>("textDocument/rename", renaming.place, { newName });
    const edits = answer?.changes[uri] ?? [];
    keepVersionNow();
    setState({ dialog: null, renaming: null });
    withEditor((editor) => editor.apply(edits.map((e) => editOf(editor.document(), e))));
    say(`${renaming.word} is now ${newName}, in ${edits.length} places`);
  } catch (error) {
    say((error as Error).message);
  }
}
