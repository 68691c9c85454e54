// CodeMirror for rulesheets.  The editor owns the text while it is open and tells each change; the page tells it what
// was found wrong.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic as Lint } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { highlighting, languageOf } from "../gdl/languages";
import { notationOf, type Notation } from "../gdl/notation";
import type { Diagnostic } from "../net/forms";
import { completeGdl } from "./completion";
import { fixOf } from "./fixes";
import { rangeOf } from "./places";
import { theme } from "./theme";

export interface EditorEvents {
  changed(text: string): void;
  moved(line: number): void;
  format(): void;
  save(): void;
  define(): void;
  rename(): void;
}

export class RulesEditor {
  private readonly view: EditorView;
  private readonly language = new Compartment();
  private notation: Notation;

  constructor(host: HTMLElement, text: string, events: EditorEvents) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    this.notation = notationOf(text);
    this.view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({ doc: text, extensions: this.extensions(events) }),
    });
  }

  private extensions(events: EditorEvents): Extension[] {
    return [
      lineNumbers(), highlightActiveLineGutter(), highlightActiveLine(), history(), drawSelection(),
      EditorState.tabSize.of(2), indentUnit.of("  "), EditorView.lineWrapping,
      bracketMatching(), closeBrackets(), highlightSelectionMatches(), search({ top: true }),
      autocompletion({ override: [completeGdl], activateOnTypingDelay: 150 }), lintGutter(),
      this.language.of(languageOf(this.notation)), highlighting, theme,
      EditorView.contentAttributes.of({ "aria-label": "Rules of the game", spellcheck: "false", tabindex: "0" }),
      keymap.of([
        { key: "Mod-s", run: () => (events.save(), true) },
        { key: "Shift-Alt-f", run: () => (events.format(), true) },
        { key: "F12", run: () => (events.define(), true) },
        { key: "F2", run: () => (events.rename(), true) },
        ...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap, ...completionKeymap, ...lintKeymap,
      ]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this.afterChange(update.state.doc.toString(), events);
        if (update.selectionSet || update.docChanged) events.moved(this.cursorLine());
      }),
    ];
  }

  private afterChange(text: string, events: EditorEvents): void {
    const notation = notationOf(text);
    if (notation !== this.notation) {
      this.notation = notation;
      queueMicrotask(() => this.view.dispatch({ effects: this.language.reconfigure(languageOf(notation)) }));
    }
    events.changed(text);
  }

  text(): string {
    return this.view.state.doc.toString();
  }

  // Replaces the whole text, as one step that can be undone.
  replace(text: string): void {
    if (text === this.text()) return;
    const { head } = this.view.state.selection.main;
    this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: text },
      selection: { anchor: Math.min(head, text.length) },
    });
  }

  showDiagnostics(diagnostics: Diagnostic[]): void {
    const doc = this.view.state.doc;
    const lints = diagnostics.map((d): Lint => {
      const fix = fixOf(d);
      return {
        ...rangeOf(doc, d),
        severity: d.severity,
        message: d.hint ? `${d.message} [${d.code}]\n${d.hint}` : `${d.message} [${d.code}]`,
        actions: fix
          ? [{ name: fix.label, apply: (view, from, to) => this.replaceRange(from, to, fix.replacement(view.state.sliceDoc(from, to))) }]
          : [],
      };
    });
    lints.sort((a, b) => a.from - b.from);
    this.view.dispatch(setDiagnostics(this.view.state, lints));
  }

  private replaceRange(from: number, to: number, insert: string): void {
    this.view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length } });
    this.view.focus();
  }

  applyFix(d: Diagnostic): void {
    const fix = fixOf(d);
    const { from, to } = rangeOf(this.view.state.doc, d);
    if (fix) this.replaceRange(from, to, fix.replacement(this.view.state.sliceDoc(from, to)));
  }

  goTo(from: number, to: number = from): void {
    const length = this.view.state.doc.length;
    const selection = { anchor: Math.min(to, length), head: Math.min(from, length) };
    this.view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.head, { y: "center" }) });
    this.view.focus();
  }

  goToDiagnostic(d: Diagnostic): void {
    const { from, to } = rangeOf(this.view.state.doc, d);
    this.goTo(from, to);
  }

  cursorLine(): number {
    return this.view.state.doc.lineAt(this.view.state.selection.main.head).number;
  }

  wordAtCursor(): string | null {
    const { head } = this.view.state.selection.main;
    const line = this.view.state.doc.lineAt(head);
    const before = /[^\s(),.;:&|~]*$/.exec(line.text.slice(0, head - line.from))![0];
    const after = /^[^\s(),.;:&|~]*/.exec(line.text.slice(head - line.from))![0];
    return before + after || null;
  }

  offsetAtCursor(): number {
    return this.view.state.selection.main.head;
  }

  focus(): void {
    this.view.focus();
  }
}
