// A game that is kept open on the server (docs/serve.md, `/ws/session`): a child of it holds rules, machine and board.
// Positions are named by the moves that lead to them, so nothing is lost when the child or the server has to be started anew.

import type { ByRole, Diagnostic, Drawing, Exact, Explanation, JointMove, Position, Solved, Thought } from "./forms";
import { socketAddress } from "./socket";

export interface Line {
  from: string[] | null; // a state, or the first of the game
  moves: JointMove[];
}

interface Message {
  id?: number;
  result?: unknown;
  error?: { code: string; message: string; diagnostics?: Diagnostic[] };
  thought?: Thought;
  progress?: { what: string; done: number; whole: number };
  ended?: { status: number; stopped: string | null };
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
  partly: (message: Message) => void; // before the result
}

interface Opened {
  playable: boolean;
  diagnostics: Diagnostic[];
  roles: string[];
  hidden: boolean;
  position?: PositionForm; // where it can be played
}

interface PositionForm {
  facts: string[];
  terminal: boolean;
  roles: { role: string; legal: string[]; goals: number[]; sees?: string[] }[];
  board: Drawing | null;
  exact?: Exact; // of a game that was solved
}

const ignore = (): void => undefined;

export class Session {
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;
  private reason: string | null = null; // why the server has ended it
  roles: string[] = [];
  hidden = false;
  layoutFault: string | null = null; // why the board is not drawn as the layout says

  private constructor(private readonly socket: WebSocket, closed: (reason: string | null) => void) {
    socket.onmessage = (event: MessageEvent<string>) => this.take(JSON.parse(event.data) as Message);
    socket.onclose = () => {
      for (const w of this.waiting.values()) w.reject(new Error(this.reason ?? "The connection to the server is lost."));
      this.waiting.clear();
      closed(this.reason);
    };
  }

  static async open(rules: string, name: string, layout: string | null, closed: (reason: string | null) => void): Promise<Session> {
    const socket = new WebSocket(socketAddress("/ws/session"));
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve();
      socket.onerror = () => reject(new Error("The server does not answer."));
    });
    const session = new Session(socket, closed);
    try {
      const opened = await session.ask<Opened>("open", layout === null ? { rules, name } : { rules, name, layout });
      if (!opened.playable) throw new Error(errorsOf(opened.diagnostics) || "The rules cannot be played.");
      session.roles = opened.roles;
      session.hidden = opened.hidden;
      if (layout !== null && !opened.position?.board) session.layoutFault = errorsOf(opened.diagnostics) || "The layout cannot be used.";
      return session;
    } catch (error) {
      session.close(); // or its child would wait on the server for as long as the page is open
      throw error;
    }
  }

  private take(message: Message): void {
    if (message.ended) this.reason = `The game was ended by the server: ${message.ended.stopped ?? `status ${message.ended.status}`}.`;
    if (message.id === undefined && message.error) this.reason = wordsOf(message.error); // of the server itself, which closes then
    const waiting = message.id === undefined ? undefined : this.waiting.get(message.id);
    if (!waiting) return;
    if (message.thought || message.progress) return waiting.partly(message);
    if (message.error) waiting.reject(new Error(wordsOf(message.error)));
    else if ("result" in message) waiting.resolve(message.result);
    else return;
    this.waiting.delete(message.id!);
  }

  private ask<T>(method: string, params: object, partly: (message: Message) => void = ignore): Promise<T> {
    const id = this.nextId++;
    return new Promise<T>((resolve, reject) => {
      if (this.socket.readyState !== WebSocket.OPEN) return reject(new Error(this.reason ?? "The connection is closed."));
      this.waiting.set(id, { resolve: resolve as (result: unknown) => void, reject, partly });
      this.socket.send(JSON.stringify({ id, method, params }));
    });
  }

  private placeOf({ from, moves }: Line): object {
    const after = moves.map((joint) => this.roles.map((role) => joint[role]!));
    return from ? { state: from.join(" "), after } : { after };
  }

  async position(line: Line): Promise<Position> {
    const p = await this.ask<PositionForm>("position", this.placeOf(line));
    const byRole = <T>(member: (role: PositionForm["roles"][number]) => T): ByRole<T> =>
      Object.fromEntries(p.roles.map((r) => [r.role, member(r)]));
    return {
      drawing: p.board ?? { boards: [], rest: [], moves: plainMoves(p) },
      state: p.facts,
      legal: byRole((r) => r.legal),
      terminal: p.terminal,
      goals: byRole((r) => r.goals),
      percepts: this.hidden ? byRole((r) => r.sees ?? []) : null,
      exact: p.exact ?? null,
    };
  }

  think(line: Line, role: string, seconds: number, thought: (thought: Thought) => void): Promise<Thought> {
    return this.ask<Thought>("think", { ...this.placeOf(line), role, seconds }, (m) => m.thought && thought(m.thought));
  }

  // Positions have exact values from then on.
  solve(progress: (words: string) => void): Promise<Solved> {
    return this.ask<Solved>("solve", {}, ({ progress: p }) => p && progress(p.whole > 0 ? `${p.what}: ${p.done} of ${p.whole}` : p.what));
  }

  why(line: Line, question: string): Promise<Explanation> {
    return this.ask<Explanation>("why", { ...this.placeOf(line), question });
  }

  async layout(): Promise<string> {
    return (await this.ask<{ drawing: string }>("draw", { format: "layout" })).drawing;
  }

  // What is worked on ends soon, with what it has found.
  stop(): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ id: 0, method: "stop", params: {} }));
  }

  close(): void {
    this.socket.onclose = null;
    this.socket.close();
  }
}

// Where no board can be drawn every move is a button.
const plainMoves = (p: PositionForm): Drawing["moves"] =>
  p.roles.flatMap((r) => r.legal.map((move) => ({ role: r.role, move, by: "button" as const, clicks: [] })));

const wordsOf = (error: NonNullable<Message["error"]>): string =>
  [...new Set([error.message, ...(error.diagnostics ?? []).map((d) => d.message)])].join("\n");

function errorsOf(diagnostics: Diagnostic[]): string {
  const errors = diagnostics.filter((d) => d.severity === "error").slice(0, 5);
  return errors.map((d) => `${d.line === null ? "" : `line ${d.line}: `}${d.message}`).join("\n");
}
