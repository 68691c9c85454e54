import type { VNode } from "preact";
import { addFormula, allCertificates, checkCertificate, prove, proveAll, removeRow, setAnalysis, stopAll, stopProof, verdictOfCheck } from "../actions/analysis";
import { drawGroup } from "../actions/play";
import { download } from "../actions/rules";
import { showLine } from "../actions/session";
import type { Group, JointMove, Verdict } from "../net/forms";
import { show } from "../state/app";
import type { AnalysisState, PropertyRow, State } from "../state/state";
import { Button, Entry, Failed, FileButton, Running, Select, Switch } from "../ui/controls";
import { count, seconds } from "../ui/numbers";

const methods = ["auto", "probe", "squeeze", "exhaustive", "abstract", "induction", "termination", "pdr", "bmc"] as const;

export function AnalysisView({ state }: { state: State }): VNode {
  const { analysis, rules } = state;
  const isStale = analysis.rulesRevision !== rules.revision && analysis.rows.some((r) => r.work.is !== "idle");
  return (
    <section class="view analysis" aria-labelledby="analysis-title">
      <div class="view-head">
        <div>
          <h1 id="analysis-title">Analysis</h1>
          <p class="lead">What can be proved of this game. A refutation has a line of play, most proofs a certificate.</p>
        </div>
        <MainButtons analysis={analysis} />
      </div>
      {isStale && <p class="banner">The rules have changed since these verdicts were found.</p>}
      <Options analysis={analysis} />
      <ul class="verdicts">
        {analysis.rows.map((row) => (
          <Property key={row.key} row={row} roles={state.play.roles} />
        ))}
      </ul>
      <OwnFormula analysis={analysis} />
      <Certificates analysis={analysis} />
    </section>
  );
}

function MainButtons({ analysis }: { analysis: AnalysisState }): VNode {
  const running = analysis.rows.some((r) => r.work.is === "running");
  return (
    <div class="row">
      {running ? (
        <Button onClick={stopAll}>Stop all</Button>
      ) : (
        <Button kind="primary" onClick={() => void proveAll()}>
          Prove all
        </Button>
      )}
    </div>
  );
}

function Options({ analysis }: { analysis: AnalysisState }): VNode {
  const { options } = analysis;
  const set = (part: Partial<typeof options>): void => setAnalysis({ options: { ...options, ...part } });
  return (
    <div class="options panel" role="group" aria-label="How to prove">
      <Select label="Method" value={analysis.method} options={methods.map((m) => [m, m === "auto" ? "automatic" : m] as const)} onChange={(method) => setAnalysis({ method })} />
      <label class="field">
        <span class="name">Time limit</span>
        <Entry number={{ least: 1, most: 600 }} value={analysis.timeLimit} onEnter={(words) => setAnalysis({ timeLimit: Math.max(1, Number(words) || 20) })} />
        <span class="unit">s</span>
      </label>
      <fieldset disabled={analysis.method !== "abstract"}>
        <legend>The method abstract may use</legend>
        <Switch label="not terminal" hint="that a state in which a role must move is not terminal" checked={options.notTerminal} onChange={(notTerminal) => set({ notTerminal })} />
        <Switch label="reachable" hint="that legal moves led to the state" checked={options.reachable} onChange={(reachable) => set({ reachable })} />
        <Switch label="mutexes" hint="facts of all states, proved first" checked={options.mutexes} onChange={(mutexes) => set({ mutexes })} />
      </fieldset>
    </div>
  );
}

function Property({ row, roles }: { row: PropertyRow; roles: string[] }): VNode {
  const isOwn = row.key.startsWith("own");
  return (
    <li class="property" data-property={row.property}>
      <div class="property-head">
        <div class="property-name">
          <strong>{row.property}</strong>
          <span class="note">{row.title}</span>
        </div>
        {row.work.is === "running" ? (
          <Running work={row.work} onStop={() => stopProof(row.key)} />
        ) : (
          <div class="row">
            {row.certificate && (
              <Button label={`Certificate of ${row.property}`} onClick={() => download(`${row.key.split(" ")[0]}.cert`, row.certificate!)}>
                Certificate
              </Button>
            )}
            {isOwn && (
              <Button kind="quiet" label={`Remove ${row.property}`} onClick={() => removeRow(row.key)}>
                Remove
              </Button>
            )}
            <Button label={`${row.work.is === "done" ? "Again" : "Prove"} ${row.property}`} onClick={() => void prove(row.key)}>
              {row.work.is === "done" ? "Again" : "Prove"}
            </Button>
          </div>
        )}
      </div>
      <Failed work={row.work} />
      {row.work.is === "done" && row.work.value.map((v) => <VerdictView verdict={v} plain={row.work.is === "done" && row.work.value.length === 1} roles={roles} />)}
    </li>
  );
}

function VerdictView({ verdict: v, plain, roles }: { verdict: Verdict; plain: boolean; roles: string[] }): VNode {
  return (
    <div class={`verdict ${v.verdict}`} role="status">
      <p>
        <span class="badge">{v.verdict}</span>
        {!plain && <strong>{v.property}</strong>} <Evidence verdict={v} />
      </p>
      {v.longest_play && (
        <p class="note">
          The longest play has {v.longest_play.exact ? "" : "at most "}
          {count(v.longest_play.at_most)} steps.
        </p>
      )}
      {v.reason && <p class="note">{v.reason}</p>}
      {v.attempts && v.attempts.length > 0 && <Attempts attempts={v.attempts} />}
      {v.witness && v.witness.length > 0 && <Witness line={v.witness} roles={roles} />}
      {v.groups && v.groups.length > 0 && <Groups groups={v.groups} />}
      <Dead title="Never legal" items={v.never_legal} />
      <Dead title="Never fires" items={v.never_fires} />
    </div>
  );
}

function Evidence({ verdict: v }: { verdict: Verdict }): VNode {
  const parts = [v.method && `by ${v.method}`, seconds(v.seconds), v.states > 0 && `${count(v.states)} states`, v.depth > 0 && `depth ${v.depth}`, v.sense];
  return <span class="evidence">{parts.filter(Boolean).join(" · ")}</span>;
}

function Attempts({ attempts }: { attempts: NonNullable<Verdict["attempts"]> }): VNode {
  return (
    <details>
      <summary>What was tried</summary>
      <ul>
        {attempts.map((a) => (
          <li>
            <strong>{a.method}</strong>: {a.reason}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Witness({ line, roles }: { line: JointMove[]; roles: string[] }): VNode {
  const order = roles.length > 0 ? roles : Object.keys(line[0]!);
  const step = async (): Promise<void> => {
    show("board");
    await showLine(line);
  };
  return (
    <div class="witness">
      <Button kind="primary" onClick={() => void step()}>
        Step through on the board
      </Button>
      <details>
        <summary>The line: {line.length} steps</summary>
        <ol>
          {line.map((joint) => (
            <li>{order.map((r) => joint[r]).join("  ")}</li>
          ))}
        </ol>
      </details>
    </div>
  );
}

function Groups({ groups }: { groups: Group[] }): VNode {
  const draw = (index: number): void => {
    drawGroup(groups, index);
    show("board");
  };
  return (
    <details class="groups">
      <summary>{count(groups.length)} groups</summary>
      <Button onClick={() => draw(0)}>Draw them on the board</Button>
      <ul>
        {groups.slice(0, 200).map((g, i) => (
          <li>
            <span class="note">{g.kind.replaceAll("-", " ")} of</span> <span class="members">{g.members.slice(0, 6).join(" ")}{g.members.length > 6 ? ` and ${g.members.length - 6} more` : ""}</span>{" "}
            <Button kind="quiet" label={`Draw on the board: ${g.members.slice(0, 3).join(" ")}`} onClick={() => draw(i)}>
              Draw
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Dead({ title, items }: { title: string; items: unknown[] | undefined }): VNode | null {
  if (!items || items.length === 0) return null;
  return (
    <details open>
      <summary>
        {title}: {items.length}
      </summary>
      <ul>
        {items.slice(0, 100).map((i) => (
          <li>{typeof i === "string" ? i : JSON.stringify(i)}</li>
        ))}
      </ul>
    </details>
  );
}

function OwnFormula({ analysis }: { analysis: AnalysisState }): VNode {
  return (
    <form
      class="panel own"
      onSubmit={(e) => {
        e.preventDefault();
        addFormula();
      }}
    >
      <h2>Your own</h2>
      <div class="row">
        <Select
          hideLabel
          label="Kind of formula"
          value={analysis.formulaKind}
          options={[
            ["invariant", "always holds"],
            ["unreachable", "never holds"],
          ]}
          onChange={(formulaKind) => setAnalysis({ formulaKind })}
        />
        <label class="field grow">
          <span class="hidden">Formula</span>
          <input class="mono" value={analysis.formula} spellcheck={false} placeholder="(or (not (mark ?x ?y x)) (not (mark ?x ?y o)))" onInput={(e) => setAnalysis({ formula: e.currentTarget.value })} />
        </label>
        <button type="submit" class="button">
          Prove
        </button>
      </div>
    </form>
  );
}

function Certificates({ analysis }: { analysis: AnalysisState }): VNode {
  const { check } = analysis;
  const all = allCertificates();
  return (
    <section class="panel" aria-labelledby="certificates-title">
      <h2 id="certificates-title">Certificates</h2>
      <div class="row">
        <Button disabled={!all} onClick={() => download("proofs.cert", all)}>
          Download all
        </Button>
        <FileButton onFile={(file) => void checkCertificate(file)}>Check a certificate…</FileButton>
      </div>
      {check && (
        <div class="certificate-check">
          <Running work={check.work} onStop={() => undefined} />
          <Failed work={check.work} />
          {check.work.is === "done" && (
            <div class={`verdict ${check.work.value.status === 0 ? "proved" : check.work.value.status === 4 ? "unknown" : "refuted"}`} role="status">
              <p>
                <span class="badge">{verdictOfCheck(check.work.value.status)}</span> {check.fileName} <span class="evidence">{seconds(check.work.seconds)}</span>
              </p>
              <ul class="plain">
                {check.work.value.lines.map((line) => (
                  <li>{line}</li>
                ))}
              </ul>
            </div>
          )}
        </div>
      )}
    </section>
  );
}
