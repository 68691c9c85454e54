// What the position is worth under best play, and each of its moves.

import type { VNode } from "preact";
import { solveGame, stopSolving } from "../actions/exact";
import { makeMove } from "../actions/play";
import type { MoveWorth, Position } from "../net/forms";
import { keepsValue, movesByWorth } from "../play/worth";
import { actingRole } from "../play/turn";
import type { PlayState } from "../state/state";
import { Button } from "../ui/controls";
import { count, fixed } from "../ui/numbers";

const shownMoves = 40;

export function Exact({ play, position }: { play: PlayState; position: Position }): VNode {
  const work = play.exact;
  return (
    <section class="panel" aria-labelledby="exact-title">
      <h2 id="exact-title">Exact values</h2>
      {(work.is === "idle" || work.is === "failed") && (
        <div class="row">
          <Button onClick={() => void solveGame()}>{work.is === "idle" ? "Solve this game" : "Try again"}</Button>
        </div>
      )}
      {work.is === "idle" && <p class="note">Finds what every state is worth, if there are not too many of them.</p>}
      {work.is === "failed" && <p class="failed">{work.message}</p>}
      {work.is === "running" && (
        <div class="row">
          <span class="note" role="status">
            Solving… {work.progress}
          </span>
          <Button onClick={stopSolving}>Stop</Button>
        </div>
      )}
      {work.is === "done" && <p class="note">{count(work.value.states)} states are solved.</p>}
      {work.is === "done" && <Values play={play} position={position} />}
    </section>
  );
}

function Values({ play, position }: { play: PlayState; position: Position }): VNode {
  const { exact } = position;
  if (!exact) return <p class="note">This state does not come up in play from the start.</p>;
  const role = actingRole(play);
  return (
    <>
      <p role="status">
        <strong>{Object.entries(exact.values).map(([name, value]) => `${name} ${worthText(value)}`).join(", ")}</strong>
        {stepsText(exact.remoteness)}
      </p>
      <ul class="worths" aria-label="Moves by value">
        {movesByWorth(position)
          .slice(0, shownMoves)
          .map((m) => (
            <li class={keepsValue(position, m) ? "good" : "bad"}>
              <Button disabled={role !== m.role} onClick={() => makeMove(m.role, m.move)}>
                {m.move}
              </Button>
              <span>{moveText(m)}</span>
            </li>
          ))}
      </ul>
    </>
  );
}

const worthText = (value: number): string => (Number.isInteger(value) ? String(value) : fixed(value, 1));

const stepsText = (steps: number | null): string => (steps === null ? "" : ` in ${steps} ${steps === 1 ? "step" : "steps"}`);

const moveText = (m: MoveWorth): string => `${worthText(m.value)}${stepsText(m.remoteness)}`;
