// A language server of the page's own (docs/serve.md, `/ws/lsp`): one text, kept the same there edit by edit.

import { socketAddress } from "./socket";

export interface Place {
  line: number; // from 0
  character: number; // in UTF-16
}

export interface Range {
  start: Place;
  end: Place;
}

export interface TextEdit {
  range: Range;
  newText: string;
}

export interface TextChange {
  range: Range;
  text: string;
}

export interface LspDiagnostic {
  range: Range;
  severity: 1 | 2;
  code: string;
  message: string; // the hint is on lines of its own
}

export interface CodeAction {
  diagnostics: LspDiagnostic[];
  edit: { changes: Record<string, TextEdit[]> };
}

export interface CompletionItem {
  label: string;
  kind: number;
  detail?: string;
  sortText?: string;
}

export interface LanguageEvents {
  diagnostics(version: number, found: LspDiagnostic[]): void;
  closed(byServer: boolean): void; // by a server that is there: its child has ended, or was not to be had
}

interface Message {
  id?: number;
  method?: string;
  params?: { version: number; diagnostics: LspDiagnostic[] };
  result?: unknown;
  error?: { message: string };
  ended?: object;
}

export const uri = "file:///rules";

export class LanguageServer {
  private readonly waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  private nextId = 1;
  private hasEnded = false;

  private constructor(private readonly socket: WebSocket, private readonly events: LanguageEvents) {
    socket.onmessage = (event: MessageEvent<string>) => this.take(JSON.parse(event.data) as Message);
    socket.onclose = () => {
      for (const w of this.waiting.values()) w.reject(new Error("The language server has ended."));
      this.waiting.clear();
      events.closed(this.hasEnded);
    };
  }

  // `current` is asked for when the connection is there: people write meanwhile.
  static async open(current: () => { text: string; version: number }, events: LanguageEvents): Promise<LanguageServer> {
    const socket = new WebSocket(socketAddress("/ws/lsp"));
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve();
      socket.onerror = () => reject(new Error("There is no language server."));
    });
    const server = new LanguageServer(socket, events);
    void server.ask("initialize", { processId: null, rootUri: null, capabilities: {} }).catch(() => undefined);
    server.tell("initialized", {});
    const { text, version } = current();
    server.tell("textDocument/didOpen", { textDocument: { uri, languageId: "gdl", version, text } });
    return server;
  }

  private take(message: Message): void {
    if (message.ended || (message.id === undefined && message.error)) this.hasEnded = true; // or it was refused by the server
    if (message.method === "textDocument/publishDiagnostics") this.events.diagnostics(message.params!.version, message.params!.diagnostics);
    const waiting = message.id === undefined ? undefined : this.waiting.get(message.id);
    if (!waiting) return;
    this.waiting.delete(message.id!);
    if (message.error) waiting.reject(new Error(message.error.message));
    else waiting.resolve(message.result);
  }

  private tell(method: string, params: object): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  ask<T>(method: string, params: object): Promise<T> {
    const id = this.nextId++;
    return new Promise<T>((resolve, reject) => {
      if (this.socket.readyState !== WebSocket.OPEN) return reject(new Error("The language server has ended."));
      this.waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
      this.socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }

  askAt<T>(method: string, position: Place, more: object = {}): Promise<T> {
    return this.ask<T>(method, { textDocument: { uri }, position, ...more });
  }

  change(version: number, contentChanges: TextChange[]): void {
    this.tell("textDocument/didChange", { textDocument: { uri, version }, contentChanges });
  }
}
