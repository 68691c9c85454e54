import type { VNode } from "preact";
import { memo } from "preact/compat";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { askForName, complete, define, hover } from "../actions/language";
import { changeText, format, openFile, openRules, otherNotation, rename, saveFile } from "../actions/rules";
import { currentEditor, setEditor, withEditor } from "../editor/current";
import { RulesEditor } from "../editor/editor";
import type { Finding } from "../editor/findings";
import { notationOf } from "../gdl/notation";
import { definitionsOf, outlineOf } from "../gdl/outline";
import type { CheckResult } from "../net/forms";
import { setState, store } from "../state/app";
import { starterRules } from "../state/initial";
import type { RulesState, State } from "../state/state";
import { Button, Entry, FileButton } from "../ui/controls";

export function RulesView({ state, narrow }: { state: State; narrow: boolean }): VNode {
  const { rules } = state;
  return (
    <section class={narrow ? "view rules beside" : "view rules"} aria-labelledby="rules-title">
      <h1 id="rules-title" class="hidden">
        Rules
      </h1>
      <Toolbar rules={rules} />
      <div class="rules-body">
        <div class="editor-pane">
          <EditorHost />
          <Problems rules={rules} />
        </div>
        {!narrow && <Outline text={rules.text} />}
      </div>
    </section>
  );
}

function Toolbar({ rules }: { rules: RulesState }): VNode {
  const other = otherNotation(rules.text);
  return (
    <div class="toolbar" role="group" aria-label="Rules">
      <label class="field grow">
        <span class="hidden">Name of the file</span>
        <Entry class="file-name" value={rules.name} onEnter={(name) => rename(name || "game.kif")} />
      </label>
      <Button onClick={() => openRules("new.kif", starterRules, "rules")}>New</Button>
      <FileButton accept=".kif,.gdl,.pl,.txt" onFile={(file) => void openFile(file)}>
        Open
      </FileButton>
      <Button onClick={saveFile} title="Ctrl+S">
        Save
      </Button>
      <Button onClick={() => void format("same")} title="Shift+Alt+F">
        Format
      </Button>
      <Button onClick={() => void format(other)} title="Write the rules in the other notation">
        To {other === "kif" ? "KIF" : "infix"}
      </Button>
      <Button onClick={() => setState({ dialog: "versions" })}>Versions</Button>
    </div>
  );
}

// Made once; the editor owns its inside.
const EditorHost = memo(function EditorHost(): VNode {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!host.current || currentEditor()) return;
    const editor = new RulesEditor(host.current, store.get().rules.text, {
      changed: changeText,
      moved: (cursorLine) => store.update((s) => (s.rules.cursorLine === cursorLine ? s : { ...s, rules: { ...s.rules, cursorLine } })),
      format: () => void format("same"),
      save: saveFile,
      complete,
      hover,
      define: (place) => void define(place),
      rename: (place) => void askForName(place),
    });
    setEditor(editor);
    const { findings } = store.get().rules;
    if (findings) editor.showFindings(findings);
  }, []);
  return <div class="editor" ref={host} />;
}, () => true);

function Problems({ rules }: { rules: RulesState }): VNode {
  const { check, findings } = rules;
  return (
    <section class="problems" aria-label="Findings">
      <p class="problems-head" role="status">
        {findings ? <Summary findings={findings} check={check} /> : "Checking…"}
      </p>
      {findings && findings.length > 0 && (
        <ul tabIndex={0} aria-label="List of findings">
          {findings.map((f) => (
            <Problem finding={f} />
          ))}
        </ul>
      )}
    </section>
  );
}

const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? "" : "s"}`;

function Summary({ findings, check }: { findings: Finding[]; check: CheckResult | null }): VNode {
  const errors = findings.filter((f) => f.severity === "error").length;
  const warnings = findings.length - errors;
  const conditions: [string, boolean | null][] = [
    ["stratified", check?.stratified ?? null],
    ["allowed", check?.allowed ?? null],
    ["recursion restricted", check?.recursion_ok ?? null],
    ["bounded", check?.bounded ?? null],
  ];
  return (
    <>
      <strong class={errors ? "bad" : warnings ? "warn" : "good"}>
        {errors || warnings ? [errors && plural(errors, "error"), warnings && plural(warnings, "warning")].filter(Boolean).join(", ") : "Sound"}
      </strong>
      {conditions.map(([name, holds]) => (
        <span class={holds === false ? "condition bad" : "condition"}>{holds === false ? `not ${name}` : holds === null ? `${name}?` : name}</span>
      ))}
    </>
  );
}

function Problem({ finding: f }: { finding: Finding }): VNode {
  return (
    <li class={f.severity}>
      <button type="button" class="problem" onClick={() => withEditor((e) => e.goTo(f.from, f.to))}>
        <span class="where">{f.line}</span>
        <span class="what">
          <span class="hidden">{f.severity}: </span>
          {f.message} <span class="code">{f.code}</span>
          {f.hint && <span class="hint">{f.hint}</span>}
        </span>
      </button>
      {f.fix && <Button onClick={() => withEditor((e) => e.apply(f.fix!.edits))}>{f.fix.label}</Button>}
    </li>
  );
}

const Outline = memo(function Outline({ text }: { text: string }): VNode {
  const sections = useMemo(() => outlineOf(definitionsOf(text, notationOf(text))), [text]);
  return (
    <nav class="outline" aria-label="Outline of the rules">
      <h2>Outline</h2>
      <ul>
        {sections.map((s) => (
          <li key={s.relation}>
            <button type="button" onClick={() => withEditor((e) => e.goTo(s.definitions[0]!.from, s.definitions[0]!.to))}>
              <span>{s.relation}</span>
              <span class="count">{s.definitions.length}</span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
});
