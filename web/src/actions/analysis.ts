// Proofs: one job for each property, so that verdicts come in as they are found and each can be stopped.

import type { Verdict } from "../net/forms";
import type { JobResult } from "../net/job";
import { store, say } from "../state/app";
import { newAnalysis } from "../state/initial";
import { idle, type AnalysisState, type PropertyRow, type Work } from "../state/state";
import { isStopped, startWork, stopWork } from "./work";

export const setAnalysis = (part: Partial<AnalysisState>): void =>
  store.update((s) => ({ ...s, analysis: { ...s.analysis, ...part } }));

const setRow = (key: string, part: Partial<PropertyRow>): void =>
  store.update((s) => ({
    ...s,
    analysis: { ...s.analysis, rows: s.analysis.rows.map((r) => (r.key === key ? { ...r, ...part } : r)) },
  }));

// Verdicts of rules that have changed since are not shown as if they were of these.
export function freshAnalysis(): void {
  const { analysis, rules } = store.get();
  if (analysis.rulesRevision === rules.revision) return;
  stopAll();
  const { method, timeLimit, options, formula, formulaKind, rows } = analysis;
  const own = rows.filter((r) => r.key.startsWith("own")).map((r) => ({ ...r, work: idle, certificate: null }));
  const fresh = newAnalysis(rules.revision);
  setAnalysis({ ...fresh, rows: [...fresh.rows, ...own], method, timeLimit, options, formula, formulaKind });
}

const certificateFile = "proof.cert";
const yesNo = (on: boolean): string => (on ? "yes" : "no");

function commandOf(property: string, { method, timeLimit, options }: AnalysisState): string[] {
  const command = ["prove", "--json", "--certificate", certificateFile, "--time-limit", String(timeLimit), "--property", property];
  if (method !== "auto") command.push("--method", method);
  if (method === "abstract") {
    command.push("--not-terminal", yesNo(options.notTerminal), "--reachable", yesNo(options.reachable));
    command.push("--mutexes", yesNo(options.mutexes));
  }
  return command;
}

export async function prove(key: string): Promise<void> {
  freshAnalysis();
  const { analysis, rules } = store.get();
  const row = analysis.rows.find((r) => r.key === key);
  if (!row) return;
  const since = performance.now();
  const progress = (text: string): void => setRow(key, { work: { is: "running", since, progress: text, soFar: null } });
  const settle = (part: Partial<PropertyRow>): void => {
    const work = store.get().analysis.rows.find((r) => r.key === key)?.work;
    if (work?.is === "running" && work.since === since) setRow(key, part); // else it was begun anew meanwhile
  };
  progress("");
  setRow(key, { certificate: null });
  try {
    const request = { command: commandOf(row.property, analysis), rules: rules.text, name: rules.name };
    const result = await startWork(`prove ${key}`, request, {
      queued: (place) => progress(`${place} before it`),
      progress,
    });
    settle(outcomeOf(result));
  } catch (error) {
    settle({ work: isStopped(error) ? idle : { is: "failed", message: (error as Error).message } });
  }
}

function outcomeOf({ out, err, seconds, files }: JobResult): { work: Work<Verdict[]>; certificate: string | null } {
  if (!out.startsWith("{")) return { work: { is: "failed", message: err.trim() || "no answer" }, certificate: null };
  const { verdicts } = JSON.parse(out) as { verdicts: Verdict[] };
  return { work: { is: "done", value: verdicts, seconds }, certificate: files[certificateFile] ?? null };
}

export async function proveAll(): Promise<void> {
  freshAnalysis();
  const rows = store.get().analysis.rows.filter((r) => r.key !== "strongly-winnable" && r.key !== "monotone");
  await Promise.all(rows.map((r) => prove(r.key)));
  const now = store.get().analysis.rows;
  const decided = now.flatMap((r) => (r.work.is === "done" ? r.work.value : []));
  const failed = now.filter((r) => r.work.is === "failed").length;
  const proved = decided.filter((v) => v.verdict === "proved").length;
  const refuted = decided.filter((v) => v.verdict === "refuted").length;
  say(`${proved} proved, ${refuted} refuted, ${decided.length - proved - refuted} unknown${failed ? `, ${failed} could not be asked` : ""}`);
}

export const stopProof = (key: string): void => stopWork(`prove ${key}`);

export function stopAll(): void {
  for (const row of store.get().analysis.rows) stopProof(row.key);
}

export function addFormula(): void {
  const { formula, formulaKind, rows } = store.get().analysis;
  const text = formula.trim();
  if (!text) return;
  const key = `own ${formulaKind} ${text}`;
  const row: PropertyRow = { key, property: `${formulaKind} ${text}`, title: "Your own", work: idle, certificate: null };
  setAnalysis({ rows: [...rows.filter((r) => r.key !== key), row], formula: "" });
  void prove(key);
}

export function removeRow(key: string): void {
  stopProof(key);
  setAnalysis({ rows: store.get().analysis.rows.filter((r) => r.key !== key) });
}

export function allCertificates(): string {
  return store.get().analysis.rows.map((r) => r.certificate ?? "").join("");
}

export async function checkCertificate(file: File): Promise<void> {
  const { rules, analysis } = store.get();
  const fileName = file.name;
  const since = performance.now();
  const setCheck = (work: NonNullable<AnalysisState["check"]>["work"]): void => setAnalysis({ check: { fileName, work } });
  setCheck({ is: "running", since, progress: "", soFar: null });
  try {
    const certificate = await file.text();
    const command = ["prove", "--check", "uploaded.cert", "--time-limit", String(Math.max(analysis.timeLimit, 10))];
    const request = { command, rules: rules.text, name: rules.name, files: { "uploaded.cert": certificate } };
    const { status, out, err, seconds } = await startWork("check certificate", request);
    const lines = `${out}${err}`.trim().split("\n");
    setCheck({ is: "done", value: { status, lines }, seconds });
    say(`${fileName}: ${verdictOfCheck(status)}`);
  } catch (error) {
    setCheck(isStopped(error) ? idle : { is: "failed", message: (error as Error).message });
  }
}

export const verdictOfCheck = (status: number): string =>
  ({ 0: "accepted", 1: "rejected", 3: "not a certificate", 4: "not checked" })[status] ?? "not checked";
