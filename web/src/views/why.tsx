// Why something holds in the position on the board, or why not.

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { askWhy } from "../actions/why";
import type { Explanation, Position } from "../net/forms";
import type { PlayState, Work } from "../state/state";
import { Button } from "../ui/controls";

const shownAtoms = 300;

export function Why({ play, position }: { play: PlayState; position: Position }): VNode {
  return (
    <section class="panel" aria-labelledby="why-title">
      <h2 id="why-title">Why?</h2>
      {play.missed && (
        <p class="row missed" role="status">
          <span>{play.missed.move} is not legal.</span>
          <Button kind="primary" onClick={() => void askWhy(`(legal ${play.missed!.role} ${play.missed!.move})`)}>
            Why not?
          </Button>
        </p>
      )}
      <div class="row">
        <Button onClick={() => void askWhy("terminal")}>{position.terminal ? "Why is it over?" : "Why is it not over?"}</Button>
        {Object.entries(position.goals).flatMap(([role, goals]) =>
          goals.map((goal) => (
            <Button label={`Why has ${role} ${goal}?`} onClick={() => void askWhy(`(goal ${role} ${goal})`)}>
              {role} {goal}
            </Button>
          )),
        )}
      </div>
      <Question position={position} />
      {play.why && <Answer title={play.why.title} work={play.why.work} />}
    </section>
  );
}

// What can be asked for is listed when somebody begins to ask.
function Question({ position }: { position: Position }): VNode {
  const [isAsking, setAsking] = useState(false);
  const moves = Object.entries(position.legal).flatMap(([role, list]) => list.slice(0, 100).map((move) => `(legal ${role} ${move})`));
  const atoms = [...moves, ...position.state.map((f) => `(true ${f})`)].slice(0, shownAtoms);
  return (
    <form
      class="row"
      onSubmit={(e) => {
        e.preventDefault();
        void askWhy(String(new FormData(e.currentTarget).get("atom") ?? ""));
      }}
    >
      <label class="field grow">
        <span class="hidden">An atom that holds or not</span>
        <input name="atom" class="mono" list="why-atoms" placeholder={atoms[0] ?? "terminal"} spellcheck={false} onFocus={() => setAsking(true)} />
      </label>
      <datalist id="why-atoms">
        {(isAsking ? atoms : []).map((a) => (
          <option value={a} />
        ))}
      </datalist>
      <button type="submit" class="button">
        Explain
      </button>
    </form>
  );
}

function Answer({ title, work }: { title: string; work: Work<Explanation> }): VNode | null {
  if (work.is === "running") return <p class="note">Looking for the reason of {title}…</p>;
  if (work.is === "failed") return <p class="failed">{work.message}</p>;
  if (work.is !== "done") return null;
  return (
    <pre class="why" tabIndex={0} role="region" aria-label={`Explanation of ${title}`}>
      {work.value.text}
    </pre>
  );
}
