import type { VNode } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { ensureInside, goToRelation, openTab, setInside, stopInside } from "../actions/inside";
import { download } from "../actions/rules";
import { layOut, nodeHeight, type PlacedEdge } from "../inside/layout";
import type { CircuitSizes, Dependencies } from "../net/forms";
import { Bars } from "../plots/plots";
import { insideTabs, type InsideState, type InsideTab, type State, type Work } from "../state/state";
import { Button, Failed, Running } from "../ui/controls";
import { count, seconds } from "../ui/numbers";

const titles: Record<InsideTab, string> = {
  graph: "Dependencies",
  frame: "Frame rules",
  ground: "Ground rules",
  circuit: "Circuit",
  c: "C",
};

const leads: Record<InsideTab, string> = {
  graph: "Which relation depends on which; strata from left to right. Choose a relation to go to its rules.",
  frame: "Rules that say what stays, turned into fnext: rules that say what ceases.",
  ground: "Every instance of every rule that the game can need; the result is again a rulesheet.",
  circuit: "The gates that the ground rules become, after each pass.",
  c: "The game as a C program.",
};

export function InsideView({ state }: { state: State }): VNode {
  const { inside, rules } = state;
  useEffect(() => void ensureInside(inside.tab), [rules.name, inside.tab, rules.checkedRevision]);
  return (
    <section class="view inside" aria-labelledby="inside-title">
      <div class="view-head">
        <div>
          <h1 id="inside-title">Inside</h1>
          <p class="lead">{leads[inside.tab]}</p>
        </div>
      </div>
      <TabList tab={inside.tab} />
      <div role="tabpanel" id="inside-panel" aria-labelledby={`inside-${inside.tab}`} class="inside-panel">
        <TabBody inside={inside} name={rules.name} />
      </div>
    </section>
  );
}

function TabList({ tab }: { tab: InsideTab }): VNode {
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const next = insideTabs[(insideTabs.indexOf(tab) + step + insideTabs.length) % insideTabs.length]!;
    openTab(next);
    document.getElementById(`inside-${next}`)?.focus();
    event.preventDefault();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Forms of the game" onKeyDown={onKey}>
      {insideTabs.map((t) => (
        <button type="button" role="tab" id={`inside-${t}`} aria-selected={t === tab} aria-controls="inside-panel" tabIndex={t === tab ? 0 : -1} onClick={() => openTab(t)}>
          {titles[t]}
        </button>
      ))}
    </div>
  );
}

function TabBody({ inside, name }: { inside: InsideState; name: string }): VNode {
  const { tab } = inside;
  const work = tab === "graph" ? inside.graph : tab === "circuit" ? inside.circuit : inside.text[tab];
  if (work.is === "running") return <Running work={work} onStop={() => stopInside(tab)} />;
  if (work.is === "failed") return <Failed work={work} />;
  if (work.is === "idle")
    return (
      <p class="empty">
        <Button onClick={() => void ensureInside(tab)}>Make it</Button>
      </p>
    );
  if (tab === "graph") return <Graph graph={work.value as Dependencies} chosen={inside.chosenRelation} />;
  if (tab === "circuit") return <Circuit sizes={work.value as CircuitSizes} />;
  return <Listing text={(work as Work<string> & { is: "done" }).value} name={listingName(name, tab)} title={titles[tab]} />;
}

const listingName = (name: string, tab: InsideTab): string => `${name.replace(/\.\w+$/, "")}${tab === "c" ? ".c" : `-${tab}.kif`}`;

const shownBytes = 200_000;

function Listing({ text, name, title }: { text: string; name: string; title: string }): VNode {
  const isCut = text.length > shownBytes;
  return (
    <>
      <div class="row">
        <Button onClick={() => download(name, text)}>Download {name}</Button>
        <span class="note">
          {count(text.length)} bytes{isCut ? `, the first ${count(shownBytes)} are shown` : ""}
        </span>
      </div>
      <pre class="listing" tabIndex={0} role="region" aria-label={title}>
        {isCut ? text.slice(0, text.lastIndexOf("\n", shownBytes)) : text}
      </pre>
    </>
  );
}

function Circuit({ sizes }: { sizes: CircuitSizes }): VNode {
  return (
    <>
      <table class="figures">
        <caption class="hidden">Sizes of the circuit after each pass</caption>
        <thead>
          <tr>
            <th scope="col">After</th>
            <th scope="col">Gates</th>
            <th scope="col">Inputs</th>
            <th scope="col">Move sets</th>
            <th scope="col">Latches</th>
            <th scope="col">Time</th>
          </tr>
        </thead>
        <tbody>
          {sizes.passes.map((p) => (
            <tr>
              <th scope="row">{p.pass}</th>
              <td>{count(p.gates)}</td>
              <td>{count(p.inputs)}</td>
              <td>{count(p.move_sets)}</td>
              <td>{count(p.latches)}</td>
              <td>{seconds(p.seconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="note">
        From {count(sizes.ground.rules)} ground rules with {count(sizes.ground.literals)} literals. {sizes.recursive_parts} recursive parts.
      </p>
      <figure class="panel plot-panel narrow">
        <figcaption>
          <h2>Inputs of all gates</h2>
        </figcaption>
        <Bars title="Inputs of all gates after each pass" bars={sizes.passes.map((p) => ({ label: p.pass, value: p.inputs }))} />
      </figure>
    </>
  );
}

function Graph({ graph, chosen }: { graph: Dependencies; chosen: number | null }): VNode {
  const layout = useMemo(() => layOut(graph), [graph]);
  const name = (i: number): string => graph.relations[i]!.relation;
  const isNear = (e: PlacedEdge): boolean => e.from === chosen || e.to === chosen;
  return (
    <>
      <div class="graph-scroll" tabIndex={0} role="region" aria-label="Dependency graph">
        <svg class="graph" width={layout.width} height={layout.height} viewBox={`0 0 ${layout.width} ${layout.height}`} role="group" aria-label={`${graph.relations.length} relations, ${graph.edges.length} dependencies`}>
          {layout.strata.map((s) => (
            <g aria-hidden="true">
              <rect class={`band ${s.stratum % 2 ? "odd" : ""}`} x={s.x} y={0} width={s.width} height={layout.height} rx={8} />
              <text class="band-name" x={s.x + 10} y={17}>
                stratum {s.stratum}
              </text>
            </g>
          ))}
          {layout.edges.map((e) => (
            <path class={`dependency${e.negated ? " negated" : ""}${chosen !== null ? (isNear(e) ? " near" : " far") : ""}`} d={e.path} />
          ))}
          {layout.nodes.map((n) => (
            <g
              class={`relation ${graph.relations[n.index]!.kind}${n.index === chosen ? " chosen" : ""}`}
              role="button"
              tabIndex={0}
              aria-label={`${name(n.index)}, stratum ${graph.relations[n.index]!.stratum}, ${graph.relations[n.index]!.kind}; needs ${needs(graph, n.index)}`}
              onClick={() => choose(n.index, name(n.index))}
              onKeyDown={(e) => (e.key === "Enter" || e.key === " ") && (e.preventDefault(), choose(n.index, name(n.index)))}
              onMouseEnter={() => setInside({ chosenRelation: n.index })}
              onFocus={() => setInside({ chosenRelation: n.index })}
            >
              <rect x={n.x} y={n.y - nodeHeight / 2} width={n.width} height={nodeHeight} rx={6} />
              <text x={n.x + n.width / 2} y={n.y} text-anchor="middle" dominant-baseline="central">
                {name(n.index)}
              </text>
            </g>
          ))}
        </svg>
      </div>
      <ul class="legend">
        <li>
          <span class="key static" /> the same in every state
        </li>
        <li>
          <span class="key dynamic" /> depends on the state
        </li>
        <li>
          <span class="key dashed" /> by a negation
        </li>
      </ul>
    </>
  );
}

function choose(index: number, relation: string): void {
  setInside({ chosenRelation: index });
  goToRelation(relation);
}

const needs = (graph: Dependencies, index: number): string =>
  graph.edges.filter((e) => e.from === index).map((e) => `${e.negated ? "not " : ""}${graph.relations[e.to]!.relation}`).join(", ") || "nothing";
