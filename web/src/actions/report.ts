// Figures of the game, and a few random games for what the figures do not tell: branching by step, lengths.

import type { Report } from "../net/forms";
import { store } from "../state/app";
import { idle, type ReportState, type SampleGame } from "../state/state";
import { isStopped, startWork, stopWork } from "./work";

const sampleCount = 40;
const sampleLanes = 2; // so many jobs at once

let serial = 0; // of reports; what comes of an older one is of no interest

const setReport = (part: Partial<ReportState>): void => store.update((s) => ({ ...s, report: { ...s.report, ...part } }));

export const isReportCurrent = (): boolean => {
  const { report, rules } = store.get();
  return report.rulesRevision === rules.revision && report.work.is !== "idle";
};

export async function makeReport(): Promise<void> {
  const { rules } = store.get();
  const since = performance.now();
  const mine = ++serial;
  const isMine = (): boolean => mine === serial && store.get().report.rulesRevision === rules.revision;
  const settle = (work: ReportState["work"]): void => {
    if (isMine()) setReport({ work });
  };
  setReport({ work: { is: "running", since, progress: "", soFar: null }, samples: [], rulesRevision: rules.revision });
  try {
    const request = { command: ["report", "--json"], rules: rules.text, name: rules.name };
    const progress = (words: string): void => settle({ is: "running", since, progress: words, soFar: null });
    const { out, err, seconds } = await startWork("report", request, { progress });
    if (!out.startsWith("{")) throw new Error(err.trim() || "no report");
    settle({ is: "done", value: JSON.parse(out) as Report, seconds });
    const lanes = Array.from({ length: sampleLanes }, (_, lane) => sampleGames(lane, isMine));
    await Promise.all(lanes).catch(() => undefined); // plots of fewer games take nothing from the figures
  } catch (error) {
    settle(isStopped(error) ? idle : { is: "failed", message: (error as Error).message });
  }
}

export const stopReport = (): void => stopWork("report");

async function sampleGames(lane: number, isWanted: () => boolean): Promise<void> {
  const { rules } = store.get();
  for (let seed = lane + 1; seed <= sampleCount && isWanted() && isReportCurrent(); seed += sampleLanes) {
    const request = { command: ["trace", "--seed", String(seed), "--max-steps", "500"], rules: rules.text, name: rules.name };
    const { out, status } = await startWork(`sample ${lane}`, request);
    if (status !== 0 || !isWanted()) return;
    setReport({ samples: [...store.get().report.samples, readTrace(out)] });
  }
}

interface TraceLine {
  legal?: Record<string, [number, string]>;
  terminal?: boolean;
}

function readTrace(text: string): SampleGame {
  const game: SampleGame = { branching: [], byRole: {} };
  for (const line of text.split("\n")) {
    if (!line.startsWith("{")) continue;
    const { legal, terminal } = JSON.parse(line) as TraceLine;
    if (!legal || terminal) continue;
    game.branching.push(Object.values(legal).reduce((product, [n]) => product * n, 1));
    for (const [role, [n]] of Object.entries(legal)) (game.byRole[role] ??= []).push(n);
  }
  return game;
}
