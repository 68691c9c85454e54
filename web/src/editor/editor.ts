// CodeMirror for rulesheets.  The editor owns the text while it is open and tells each change; the page tells it what
// was found wrong.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic as Lint } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension, type Text } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers, type ViewUpdate } from "@codemirror/view";
import { highlighting, languageOf } from "../gdl/languages";
import { notationOf, type Notation } from "../gdl/notation";
import type { Place, TextChange } from "../net/language_server";
import type { Finding } from "./findings";
import { clickToDefine, completionSource, hoverOf, type LanguageTools } from "./language_tools";
import { placeOf, textChanges, type Edit } from "./places";
import { theme } from "./theme";

export interface EditorEvents extends LanguageTools {
  changed(text: string, changes: TextChange[]): void;
  moved(line: number): void;
  format(): void;
  save(): void;
  rename(place: Place): void;
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
      autocompletion({ override: [completionSource(events)], activateOnTypingDelay: 150 }), lintGutter(),
      hoverOf(events), clickToDefine(events),
      this.language.of(languageOf(this.notation)), highlighting, theme,
      EditorView.contentAttributes.of({ "aria-label": "Rules of the game", spellcheck: "false", tabindex: "0" }),
      keymap.of([
        { key: "Mod-s", run: () => (events.save(), true) },
        { key: "Shift-Alt-f", run: () => (events.format(), true) },
        { key: "F12", run: () => (events.define(this.cursorPlace()), true) },
        { key: "F2", run: () => (events.rename(this.cursorPlace()), true) },
        ...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap, ...completionKeymap, ...lintKeymap,
      ]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this.afterChange(update, events);
        if (update.selectionSet || update.docChanged) events.moved(this.cursorLine());
      }),
    ];
  }

  private afterChange(update: ViewUpdate, events: EditorEvents): void {
    const text = update.state.doc.toString();
    const notation = notationOf(text);
    if (notation !== this.notation) {
      this.notation = notation;
      queueMicrotask(() => this.view.dispatch({ effects: this.language.reconfigure(languageOf(notation)) }));
    }
    events.changed(text, textChanges(update.startState.doc, update.changes));
  }

  text(): string {
    return this.view.state.doc.toString();
  }

  // Replaces the whole text, as one step that can be undone; false: it was there already.
  replace(text: string): boolean {
    if (text === this.text()) return false;
    const { head } = this.view.state.selection.main;
    this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: text },
      selection: { anchor: Math.min(head, text.length) },
    });
    return true;
  }

  showFindings(findings: Finding[]): void {
    const lints = findings.map((f): Lint => {
      const message = `${f.message} [${f.code}]`;
      const actions = f.fix ? [{ name: f.fix.label, apply: () => this.apply(f.fix!.edits) }] : [];
      return { from: f.from, to: f.to, severity: f.severity, message: f.hint ? `${message}\n${f.hint}` : message, actions };
    });
    lints.sort((a, b) => a.from - b.from);
    this.view.dispatch(setDiagnostics(this.view.state, lints));
  }

  // Makes edits as one step that can be undone.
  apply(edits: Edit[]): void {
    this.view.dispatch({ changes: edits });
    this.view.focus();
  }

  goTo(from: number, to: number = from): void {
    const length = this.view.state.doc.length;
    const selection = { anchor: Math.min(to, length), head: Math.min(from, length) };
    this.view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.head, { y: "center" }) });
    this.view.focus();
  }

  cursorLine(): number {
    return this.view.state.doc.lineAt(this.view.state.selection.main.head).number;
  }

  cursorPlace(): Place {
    return placeOf(this.view.state.doc, this.view.state.selection.main.head);
  }

  document(): Text {
    return this.view.state.doc;
  }

  focus(): void {
    this.view.focus();
  }
}
