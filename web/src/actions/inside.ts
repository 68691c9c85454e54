// Forms that the rules take inside.

import { currentEditor } from "../editor/current";
import { notationOf } from "../gdl/notation";
import { definitionsOf } from "../gdl/outline";
import { say, show, store } from "../state/app";
import { newInside } from "../state/initial";
import { idle, type InsideState, type InsideTab, type Work } from "../state/state";
import { isStopped, startWork, stopWork } from "./work";

export const setInside = (part: Partial<InsideState>): void =>
  store.update((s) => ({ ...s, inside: { ...s.inside, ...part } }));

const commands: Record<InsideTab, string[]> = {
  graph: ["show", "--format", "json", "deps"],
  frame: ["frame", "--explain"],
  ground: ["ground"],
  circuit: ["circuit", "--json"],
  c: ["compile"],
};

const workOf = (inside: InsideState, tab: InsideTab): Work<unknown> =>
  tab === "graph" ? inside.graph : tab === "circuit" ? inside.circuit : inside.text[tab];

function setWork(tab: InsideTab, work: Work<never> | Work<string>): void {
  const { inside } = store.get();
  if (tab === "graph" || tab === "circuit") setInside({ [tab]: parsed(work) });
  else setInside({ text: { ...inside.text, [tab]: work } });
}

const parsed = (work: Work<string>): Work<never> =>
  (work.is === "done" ? { ...work, value: JSON.parse(work.value) as unknown } : work) as Work<never>;

// Makes what a tab shows, unless it is there and of the present rules.
export async function ensureInside(tab: InsideTab): Promise<void> {
  const { inside, rules } = store.get();
  if (inside.rulesRevision !== rules.revision) setInside({ ...newInside(rules.revision), tab: inside.tab });
  if (workOf(store.get().inside, tab).is !== "idle") return;
  const since = performance.now();
  const settle = (work: Work<never> | Work<string>): void => {
    const now = workOf(store.get().inside, tab);
    if (now.is === "running" && now.since === since) setWork(tab, work); // else it was begun anew meanwhile
  };
  setWork(tab, { is: "running", since, progress: "", soFar: null });
  try {
    const request = { command: commands[tab], rules: rules.text, name: rules.name };
    const progress = (words: string): void => settle({ is: "running", since, progress: words, soFar: null });
    const { status, out, err, seconds } = await startWork(`inside ${tab}`, request, { progress });
    if (status !== 0 && !out) throw new Error(err.trim() || `status ${status}`);
    settle({ is: "done", value: out, seconds });
  } catch (error) {
    settle(isStopped(error) ? idle : { is: "failed", message: (error as Error).message });
  }
}

export const stopInside = (tab: InsideTab): void => stopWork(`inside ${tab}`);

export function openTab(tab: InsideTab): void {
  setInside({ tab });
  void ensureInside(tab);
}

// Shows where a relation is defined.
export function goToRelation(relation: string): void {
  const editor = currentEditor();
  const { text } = store.get().rules;
  const found = definitionsOf(text, notationOf(text)).find((d) => d.relation.toLowerCase() === relation.toLowerCase());
  if (!found || !editor) return say(`No rule of this text defines ${relation}`);
  if (!isBeside()) show("rules");
  requestAnimationFrame(() => editor.goTo(found.from, found.to));
}

const isBeside = (): boolean => store.get().beside && matchMedia("(min-width: 1100px)").matches;
