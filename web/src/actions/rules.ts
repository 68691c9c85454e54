// What is done to the rules: open, check, format, save, keep versions.

import { withEditor } from "../editor/current";
import { notationOf, type Notation } from "../gdl/notation";
import { runJob } from "../net/job";
import type { TextChange } from "../net/language_server";
import { getText } from "../net/socket";
import { say, setState, show, store } from "../state/app";
import { newAnalysis, newInside, newPlay, newReport, newRules } from "../state/initial";
import { keepVersion, loadVersionText } from "../state/storage";
import { count } from "../ui/numbers";
import type { View } from "../state/state";
import { checkSoon } from "./check";
import { tellEdit } from "./language";
import { closeSession } from "./session";
import { stopAllWork } from "./work";

// A text that is opened stands in the state before it stands in the editor.
export function changeText(text: string, changes: TextChange[]): void {
  if (text !== store.get().rules.text) store.update((s) => ({ ...s, rules: { ...s.rules, text, revision: s.rules.revision + 1 } }));
  tellEdit(changes);
  checkSoon();
}

export function keepVersionNow(): void {
  const { name, text } = store.get().rules;
  setState({ versions: keepVersion({ name, text }, Date.now()) });
}

// Everything that was found out about the old rules goes with them.
export function openRules(name: string, text: string, view: View): void {
  keepVersionNow();
  stopAllWork();
  closeSession();
  store.update((s) => {
    const revision = s.rules.revision + 1;
    return {
      ...s,
      rules: newRules(name, text, revision),
      play: newPlay(revision),
      analysis: newAnalysis(revision),
      report: newReport(revision),
      inside: newInside(revision),
      dialog: null,
    };
  });
  withEditor((e) => {
    e.showFindings([]);
    if (!e.replace(text)) tellEdit([]); // the same text again, to be looked at again
  });
  checkSoon();
  show(view);
}

export async function openGame(name: string, view: View): Promise<void> {
  try {
    openRules(`${name}.kif`, await getText(`/api/games/${encodeURIComponent(name)}`), view);
    say(`${name} is open`);
  } catch (error) {
    say(`${name} could not be opened: ${(error as Error).message}`);
  }
}

export async function openFile(file: File): Promise<void> {
  const most = store.get().info?.limits.message ?? Infinity;
  if (file.size > most) return say(`${file.name} is too large: ${count(file.size)} bytes, and the server takes ${count(most)} at most`);
  try {
    openRules(file.name, await file.text(), "rules");
    say(`${file.name} is open`);
  } catch (error) {
    say(`${file.name} could not be read: ${(error as Error).message}`);
  }
}

export function openVersion(id: string, name: string): void {
  const text = loadVersionText(id);
  if (text !== null) openRules(name, text, "rules");
}

export async function format(notation: Notation | "same"): Promise<void> {
  const { name, text, revision } = store.get().rules;
  try {
    const { status, out, err } = await runJob({ command: ["fmt", "--notation", notation], rules: text, name });
    if (status !== 0) return say(`Not formatted: ${firstLine(err) || "there are faults of syntax"}`);
    if (store.get().rules.revision !== revision) return say("The text has changed meanwhile; format again");
    keepVersionNow();
    withEditor((e) => e.replace(out));
    say(out === text ? "The layout was right" : "Formatted");
  } catch (error) {
    say((error as Error).message);
  }
}

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";

export const otherNotation = (text: string): Notation => (notationOf(text) === "kif" ? "prolog" : "kif");

export function download(name: string, text: string, type = "text/plain"): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // a browser that is slow has begun by then
}

export function saveFile(): void {
  const { name, text } = store.get().rules;
  keepVersionNow();
  download(name, text);
  say(`${name} is saved`);
}

export const rename = (name: string): void => store.update((s) => ({ ...s, rules: { ...s.rules, name } }));
