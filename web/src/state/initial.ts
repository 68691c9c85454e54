// How the page is before anything was done.

import { idle } from "./state";
import type { AnalysisState, InsideState, PlayState, PropertyRow, ReportState, RulesState, State } from "./state";

export const starterRules = `; A game for one: turn the light on.
(role you)

(init (light off))

(legal you push)
(legal you wait)

(<= (next (light on))
  (does you push))
(<= (next (light ?l))
  (true (light ?l))
  (does you wait))

(<= terminal
  (true (light on)))

(<= (goal you 100)
  (true (light on)))
(<= (goal you 0)
  (true (light off)))
`;

export function newRules(name: string, text: string, revision: number): RulesState {
  return { name, text, revision, findings: null, check: null, checkedRevision: -1, cursorLine: 1 };
}

export function newPlay(rulesRevision: number): PlayState {
  return {
    roles: [],
    from: null,
    nodes: { 0: { id: 0, parent: null, joint: null, children: [], favourite: null, position: null } },
    root: 0,
    current: 0,
    nextId: 1,
    players: {},
    pending: {},
    running: true,
    clicks: [],
    menu: [],
    thoughts: {},
    clocks: {},
    status: "closed",
    message: "",
    rulesRevision,
    groups: [],
    group: 0,
    missed: null,
    layout: null,
    why: null,
    exact: idle,
    showMoves: true,
    perspective: null,
  };
}

const properties: [string, string][] = [
  ["playable", "Every role can always move until the game ends"],
  ["terminates", "Every play comes to an end"],
  ["winnable", "Each role can win, if all play for it"],
  ["goals", "At the end every role has exactly one goal"],
  ["dead", "Every move is legal once, every rule fires"],
  ["mutex", "Fluents that exclude each other"],
  ["monotone", "Goals never fall"],
  ["strongly-winnable", "Which role can force a win"],
];

export function propertyRows(): PropertyRow[] {
  return properties.map(([property, title]) => ({ key: property, property, title, work: idle, certificate: null }));
}

export function newAnalysis(rulesRevision: number): AnalysisState {
  return {
    rows: propertyRows(),
    method: "auto",
    timeLimit: 20,
    options: { notTerminal: true, reachable: true, mutexes: true },
    formula: "",
    formulaKind: "invariant",
    check: null,
    rulesRevision,
  };
}

export const newReport = (rulesRevision: number): ReportState => ({ work: idle, samples: [], rulesRevision });

export function newInside(rulesRevision: number): InsideState {
  return {
    tab: "graph",
    graph: idle,
    circuit: idle,
    text: { frame: idle, ground: idle, c: idle },
    rulesRevision,
    chosenRelation: null,
  };
}

export function initialState(): State {
  return {
    view: "games",
    beside: true,
    online: true,
    info: null,
    games: null,
    filter: "",
    rules: newRules("light.kif", starterRules, 1),
    versions: [],
    dialog: null,
    renaming: null,
    play: newPlay(1),
    analysis: newAnalysis(1),
    report: newReport(1),
    inside: newInside(1),
    notice: { text: "", serial: 0 },
  };
}
