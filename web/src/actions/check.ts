// The conditions on rules, by `tabia check`, when somebody pauses; and what it finds, where there is no language server.

import { currentEditor } from "../editor/current";
import { findingOfCheck } from "../editor/findings";
import type { CheckResult } from "../net/forms";
import { JobFailed, JobRefused, runJob } from "../net/job";
import { say, setState, store } from "../state/app";
import { hasLanguageServer } from "./language";

const pauseMilliseconds = 250;
let pause: ReturnType<typeof setTimeout> | null = null;
let isChecking = false;
let isWanted = false;

export function checkSoon(): void {
  if (pause) clearTimeout(pause);
  pause = setTimeout(startCheck, pauseMilliseconds);
}

// One check is under way at a time; what was written meanwhile is checked right after.
function startCheck(): void {
  isWanted = true;
  if (!isChecking) void checkUntilCurrent();
}

async function checkUntilCurrent(): Promise<void> {
  isChecking = true;
  while (isWanted) {
    isWanted = false;
    await checkOnce();
  }
  isChecking = false;
}

async function checkOnce(): Promise<void> {
  const { text, name, revision } = store.get().rules;
  try {
    const { out, err } = await runJob({ command: ["check", "--json"], rules: text, name });
    if (out.startsWith("{")) take(JSON.parse(out) as CheckResult, revision);
    else say(`Not checked: ${err.trim() || "no answer"}`); // stopped by a limit
  } catch (error) {
    if (isLost(error)) setState({ online: false }); // the connection is looked after elsewhere, and checks again
    else say(`Not checked: ${(error as Error).message}`);
  }
}

const isLost = (error: unknown): boolean => error instanceof JobFailed && !(error instanceof JobRefused);

function take(check: CheckResult, revision: number): void {
  store.update((s) => ({ ...s, rules: { ...s.rules, check, checkedRevision: revision } }));
  const editor = currentEditor();
  if (!editor || hasLanguageServer() || store.get().rules.revision !== revision) return; // places have moved
  const findings = check.diagnostics.map((d) => findingOfCheck(editor.document(), d));
  editor.showFindings(findings);
  store.update((s) => ({ ...s, rules: { ...s.rules, findings } }));
}
