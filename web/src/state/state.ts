// All that the page knows.  Views are functions of it; actions change it by way of the store.

import type { Finding } from "../editor/findings";
import type { Place } from "../net/language_server";
import type {
  CheckResult,
  CircuitSizes,
  Dependencies,
  Explanation,
  GameEntry,
  Group,
  JointMove,
  Position,
  Report,
  ServerInfo,
  Solved,
  Thought,
  Verdict,
} from "../net/forms";

export const views = ["games", "rules", "board", "analysis", "report", "inside"] as const;
export type View = (typeof views)[number];

// Work that takes time: not asked for, under way, done or failed.
export type Work<T> =
  | { is: "idle" }
  | { is: "running"; since: number; progress: string; soFar: T | null }
  | { is: "done"; value: T; seconds: number }
  | { is: "failed"; message: string };

export const idle: Work<never> = { is: "idle" };

export interface RulesState {
  name: string;
  text: string;
  revision: number; // of the text; grows with every change
  findings: Finding[] | null;
  check: CheckResult | null; // the conditions on rules, some time after the findings
  checkedRevision: number;
  cursorLine: number;
}

export type PlayerKind = "human" | "engine" | "random";

export interface Player {
  kind: PlayerKind;
  seconds: number; // that an engine thinks, or that a person has; 0: as long as it takes
}

export type NodeId = number;

// A position in the tree of all lines that were played.
export interface PlayNode {
  id: NodeId;
  parent: NodeId | null;
  joint: JointMove | null; // that led here; null at the root
  children: NodeId[];
  favourite: NodeId | null; // the child that `redo` takes
  position: Position | null;
}

export interface PlayState {
  roles: string[];
  from: string[] | null; // the state at the root, if it is not the first of the game
  nodes: Record<NodeId, PlayNode>;
  root: NodeId;
  current: NodeId;
  nextId: NodeId;
  players: Record<string, Player>;
  pending: JointMove; // chosen by some roles and not shown until all have
  running: boolean; // engines and chance move by themselves
  clicks: { board: number; cell: number }[];
  menu: string[]; // moves that the clicks leave open
  thoughts: Record<string, Thought>;
  clocks: Record<string, number>; // seconds used
  status: "closed" | "opening" | "open" | "failed";
  message: string;
  rulesRevision: number; // what the session was opened with
  groups: Group[]; // of fluents that were proved to exclude each other, to be drawn on the board
  group: number; // the one that is drawn
  missed: { role: string; move: string } | null; // the last click would have made it, were it legal
  layout: string | null; // of the board, corrected by hand
  why: { title: string; work: Work<Explanation> } | null;
  exact: Work<Solved>;
  showMoves: boolean;
  perspective: string | null; // of GDL-II: only what this role knows is shown; null: all
}

export interface PropertyRow {
  key: string;
  property: string; // as `prove -p` takes it
  title: string;
  work: Work<Verdict[]>;
  certificate: string | null;
}

export interface AbstractOptions {
  notTerminal: boolean;
  reachable: boolean;
  mutexes: boolean;
}

export interface AnalysisState {
  rows: PropertyRow[];
  method: string;
  timeLimit: number;
  options: AbstractOptions;
  formula: string;
  formulaKind: "invariant" | "unreachable";
  check: { fileName: string; work: Work<{ status: number; lines: string[] }> } | null;
  rulesRevision: number;
}

// Of one random game: legal joint moves at each step.
export interface SampleGame {
  branching: number[];
  byRole: Record<string, number[]>;
}

export interface ReportState {
  work: Work<Report>;
  samples: SampleGame[];
  rulesRevision: number;
}

export const insideTabs = ["graph", "frame", "ground", "circuit", "c"] as const;
export type InsideTab = (typeof insideTabs)[number];

export interface InsideState {
  tab: InsideTab;
  graph: Work<Dependencies>;
  circuit: Work<CircuitSizes>;
  text: Record<"frame" | "ground" | "c", Work<string>>;
  rulesRevision: number;
  chosenRelation: number | null;
}

export interface Version {
  id: string;
  name: string;
  time: number;
  size: number;
}

export interface State {
  view: View;
  beside: boolean; // rules are shown beside the other views where there is room
  online: boolean;
  info: ServerInfo | null;
  games: GameEntry[] | null;
  filter: string;
  rules: RulesState;
  versions: Version[];
  dialog: "versions" | "state" | "layout" | "rename" | null;
  renaming: { word: string; place: Place } | null;
  play: PlayState;
  analysis: AnalysisState;
  report: ReportState;
  inside: InsideState;
  notice: { text: string; serial: number };
}
