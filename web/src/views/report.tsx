import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { isReportCurrent, makeReport, stopReport } from "../actions/report";
import type { PlayFigures, Report } from "../net/forms";
import { histogram, meansByPlace } from "../plots/histogram";
import { Bars, Legend, Lines, LogBars } from "../plots/plots";
import type { SampleGame, State } from "../state/state";
import { Button, Failed, Running } from "../ui/controls";
import { count, fixed, rate, seconds } from "../ui/numbers";

export function ReportView({ state }: { state: State }): VNode {
  const { report, rules } = state;
  useEffect(() => {
    if (!isReportCurrent() && rules.check?.ok) void makeReport();
  }, [rules.name, rules.check?.ok]);
  return (
    <section class="view report" aria-labelledby="report-title">
      <div class="view-head">
        <div>
          <h1 id="report-title">Report</h1>
          <p class="lead">All that is quickly known of {rules.name}.</p>
        </div>
        {report.work.is === "running" ? <Running work={report.work} onStop={stopReport} /> : <Button onClick={() => void makeReport()}>Measure again</Button>}
      </div>
      <Failed work={report.work} />
      {report.work.is === "idle" && rules.check && !rules.check.ok && <p class="banner">The rules have errors; mend them first.</p>}
      {report.rulesRevision !== rules.revision && report.work.is === "done" && <p class="banner">The rules have changed since.</p>}
      {report.work.is === "done" && <Figures report={report.work.value} samples={report.samples} />}
    </section>
  );
}

function Figures({ report, samples }: { report: Report; samples: SampleGame[] }): VNode {
  return (
    <>
      <Tiles report={report} />
      <div class="plots">
        {report.play && <Goals play={report.play} />}
        <Lengths play={report.play} samples={samples} />
        <Branching samples={samples} />
        <LegalMoves samples={samples} roles={report.choosers.length > 0 ? report.choosers : report.roles} />
        <Speeds report={report} />
        <Verdicts report={report} />
      </div>
    </>
  );
}

function Tiles({ report }: { report: Report }): VNode {
  const { ground, play } = report;
  const tiles: [string, string][] = [
    ["Roles", report.roles.join(", ")],
    ["Turns", report.gdl_ii ? `${play?.turns ?? "–"}, hidden information` : (play?.turns ?? "–")],
    ["Fluents", ground ? count(ground.fluents) : "–"],
    ["Moves", ground ? count(ground.moves) : "–"],
    ["Ground rules", ground ? count(ground.rules) : "–"],
    ["Gates", ground ? count(ground.gates) : "–"],
    ["Branching", fixed(play?.mean_joint_moves ?? null, 2)],
    ["Length", play ? `${fixed(play.mean_length)} ± ${fixed(play.length_deviation)}` : "–"],
    ["Sum of goals", play?.constant_sum === null || !play ? "varies" : String(play.constant_sum)],
  ];
  return (
    <dl class="tiles">
      {tiles.map(([name, value]) => (
        <div class="tile">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Plot({ title, note, children }: { title: string; note?: string; children: preact.ComponentChildren }): VNode {
  return (
    <figure class="panel plot-panel">
      <figcaption>
        <h2>{title}</h2>
        {note && <p class="note">{note}</p>}
      </figcaption>
      {children}
    </figure>
  );
}

function Goals({ play }: { play: PlayFigures }): VNode {
  const roles = Object.entries(play.outcomes);
  const values = [...new Set(roles.flatMap(([, o]) => Object.keys(o.histogram)))].sort((a, b) => Number(a) - Number(b));
  const bars = values.flatMap((goal) =>
    roles.map(([role, o], tone) => ({ label: goal, value: o.histogram[goal] ?? 0, tone, title: `${role} ${goal}: ${o.histogram[goal] ?? 0} games` })),
  );
  return (
    <Plot title="Goals" note={`${play.playouts} random games; mean ${roles.map(([r, o]) => `${r} ${fixed(o.mean)}`).join(", ")}`}>
      <Bars title={`Goals in random games: ${roles.map(([r, o]) => `${r} ${fixed(o.mean)} on average`).join(", ")}`} bars={bars} />
      {roles.length > 1 && <Legend series={roles.map(([name], tone) => ({ name, tone }))} />}
    </Plot>
  );
}

function Lengths({ play, samples }: { play: PlayFigures | null; samples: SampleGame[] }): VNode {
  const lengths = samples.map((g) => g.branching.length);
  const note = play ? `from ${play.shortest} to ${play.longest} steps in ${play.playouts} random games; the bars show ${samples.length} more` : undefined;
  return (
    <Plot title="Lengths" note={note}>
      <Bars title={`Lengths of ${samples.length} random games`} bars={histogram(lengths, 16)} />
    </Plot>
  );
}

function Branching({ samples }: { samples: SampleGame[] }): VNode {
  return (
    <Plot title="Branching by step" note="legal joint moves, mean over the games that get there">
      <Lines title="Legal joint moves by step" xName="steps" series={[{ name: "joint moves", tone: 0, points: meansByPlace(samples.map((g) => g.branching)) }]} />
    </Plot>
  );
}

// Steps at which somebody else is to move are left out.
const whereChosen = (means: number[]): (number | null)[] => means.map((m) => (m > 1 ? m : null));

function LegalMoves({ samples, roles }: { samples: SampleGame[]; roles: string[] }): VNode {
  const series = roles.map((name, tone) => ({ name, tone, points: whereChosen(meansByPlace(samples.map((g) => g.byRole[name] ?? []))) }));
  return (
    <Plot title="Legal moves by role" note="mean at each step at which the role has a choice">
      <Lines title="Legal moves of each role by step" xName="steps" series={series} />
    </Plot>
  );
}

function Speeds({ report }: { report: Report }): VNode {
  const bars = report.machines.map((m) => ({ label: m.machine, value: m.states_per_second ?? 0, title: m.why_not ?? "" }));
  return (
    <Plot title="Speed of each machine" note="states a second, powers of ten">
      <LogBars title={`States a second: ${bars.map((b) => `${b.label} ${rate(b.value)}`).join(", ")}`} bars={bars} format={rate} />
      <p class="note">
        Ready in {report.machines.filter((m) => m.ready_seconds !== undefined).map((m) => `${m.machine} ${seconds(m.ready_seconds!)}`).join(", ")}.
      </p>
    </Plot>
  );
}

function Verdicts({ report }: { report: Report }): VNode {
  return (
    <Plot title="Quickly proved">
      <ul class="quick-verdicts">
        {report.verdicts.map((v) => (
          <li class={`verdict ${v.verdict}`}>
            <span class="badge">{v.verdict}</span> {v.property} <span class="evidence">{v.method ? `by ${v.method}` : ""}</span>
          </li>
        ))}
      </ul>
    </Plot>
  );
}
