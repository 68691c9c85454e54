// Diagnostics as you type.  One check is under way at a time; what was typed meanwhile is checked right after, so the
// first keystroke waits for nothing and a burst of them costs one check more.

import { withEditor } from "../editor/current";
import type { CheckResult } from "../net/forms";
import { JobRefused, runJob } from "../net/job";
import { setState, store } from "../state/app";

let isChecking = false;
let isWanted = false;

export function checkSoon(): void {
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
  const started = performance.now();
  try {
    const { out } = await runJob({ command: ["check", "--json"], rules: text, name });
    take(JSON.parse(out) as CheckResult, revision, performance.now() - started);
  } catch (error) {
    if (!(error instanceof JobRefused)) setState({ online: false }); // the connection is looked after elsewhere, and checks again
  }
}

function take(check: CheckResult, revision: number, milliseconds: number): void {
  store.update((s) => ({
    ...s,
    rules: { ...s.rules, check, checkedRevision: revision, checkMilliseconds: milliseconds },
  }));
  if (store.get().rules.revision !== revision) return; // places have moved
  withEditor((e) => e.showDiagnostics(check.diagnostics));
  performance.mark("diagnostics-shown", { detail: { revision, milliseconds } });
}
