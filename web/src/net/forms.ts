// The JSON forms that the program and the server write; docs/json.md, docs/boards.md and docs/serve.md tell of them.

export type ByRole<T> = Record<string, T>;
export type JointMove = ByRole<string>;

export interface Diagnostic {
  code: string;
  severity: "error" | "warning";
  line: number | null;
  column: number | null;
  end_line: number | null;
  end_column: number | null;
  message: string;
  hint: string | null;
  related: { line: number | null; column: number | null; message: string }[];
}

export interface CheckResult {
  ok: boolean;
  notation: "kif" | "prolog" | null;
  stratified: boolean | null;
  allowed: boolean | null;
  recursion_ok: boolean | null;
  bounded: boolean | null;
  diagnostics: Diagnostic[];
  not_shown: Record<string, number>;
}

export interface Glyph {
  kind: "chip" | "text" | "disc" | "chess" | "cross" | "circle" | "mark";
  text: string;
  colour: string;
  fill: string;
}

export interface Item {
  fact: string;
  label: string;
  blank: boolean;
  glyph?: Glyph;
}

export interface Cell {
  key: string[];
  x: number;
  y: number;
  x2?: number;
  y2?: number;
  tint?: string;
  tint_of?: string;
  items: Item[];
}

export interface Board {
  relation: string;
  kind: "grid" | "hexagons" | "ring" | "graph" | "places" | "stacks";
  certain: boolean;
  columns: string[];
  rows: string[];
  outer_columns: string[];
  outer_rows: string[];
  rows_up: boolean;
  width: number;
  height: number;
  layers: string[];
  cells: Cell[];
  links: [number, number][];
  walls: [number, number, number, number][];
}

export interface RestFact {
  fact: string;
  label: string;
  kind: "turn" | "counter" | "score" | "fact";
}

export interface Click {
  board: number;
  cells: number[];
}

export interface BoardMove {
  role: string;
  move: string;
  by: "arguments" | "effect" | "menu" | "button";
  clicks: Click[];
}

export interface Drawing {
  boards: Board[];
  rest: RestFact[];
  moves: BoardMove[];
}

export interface MoveWorth {
  role: string;
  move: string;
  value: number;
  remoteness: number | null;
}

// What a state is worth under best play: of a game that was solved.
export interface Exact {
  values: ByRole<number>;
  remoteness: number | null; // steps to the end
  moves: MoveWorth[]; // of the only role that chooses
}

export interface Solved {
  states: number;
  ends: number;
}

// What is known of one state of a game.
export interface Position {
  drawing: Drawing;
  state: string[];
  legal: ByRole<string[]>;
  terminal: boolean;
  goals: ByRole<number[]>;
  percepts: ByRole<string[]> | null;
  exact: Exact | null;
}

export interface Candidate {
  move: string;
  visits: number;
  mean: number | null;
  share: number;
  proved: boolean;
}

// What an engine thinks of a position, so far or at the end.
export interface Thought {
  role: string;
  move: string | null;
  values: ByRole<number> | null;
  proved: boolean;
  candidates?: Candidate[];
  playouts: number;
  depth: number;
  seconds: number;
}

// Why something holds, or why not.
export interface Explanation {
  holds: boolean;
  text: string;
}

export interface Group {
  kind: "exactly-one" | "at-most-one" | "at-least-one";
  members: string[];
}

export interface Verdict {
  property: string;
  verdict: "proved" | "refuted" | "unknown";
  sense?: string;
  method: string | null;
  seconds: number;
  states: number;
  depth: number;
  witness: JointMove[] | null;
  reason: string | null;
  attempts?: { method: string; reason: string }[];
  longest_play?: { at_most: number; seen: number; exact: boolean };
  groups?: Group[];
  never_legal?: unknown[];
  never_fires?: unknown[];
  undecided?: unknown[];
}

export interface Report {
  bytes: number;
  warnings: number;
  gdl_ii: boolean;
  roles: string[];
  choosers: string[];
  ground: { fluents: number; moves: number; rules: number; literals: number; gates: number; seconds: number } | null;
  play: PlayFigures | null;
  verdicts: { property: string; verdict: string; method: string | null }[];
  machines: MachineSpeed[];
}

export interface PlayFigures {
  playouts: number;
  mean_length: number | null;
  length_deviation: number | null;
  shortest: number | null;
  longest: number | null;
  outcomes: ByRole<{ mean: number | null; histogram: Record<string, number> }>;
  turns: string;
  mean_joint_moves: number | null;
  constant_sum: number | null;
}

export interface MachineSpeed {
  machine: string;
  ready_seconds?: number;
  playouts_per_second?: number;
  states_per_second?: number;
  why_not?: string;
}

export interface RelationInfo {
  relation: string;
  arity: number;
  stratum: number;
  kind: "static" | "dynamic";
}

export interface Dependencies {
  relations: RelationInfo[];
  edges: { from: number; to: number; negated: boolean }[];
}

export interface CircuitSizes {
  ground: { rules: number; literals: number; seconds: number };
  passes: { pass: string; gates: number; inputs: number; move_sets: number; latches: number; seconds: number }[];
  recursive_parts: number;
  places: number;
}

export interface GameEntry {
  name: string;
  title: string;
  faulty?: boolean;
  given?: boolean; // on the command line of the server
}

export interface ServerInfo {
  version: string;
  job_commands: string[];
  session: boolean;
  lsp: boolean;
  why: boolean;
  limits: { message: number }; // bytes of one message
}
