// GDL-II: what each role sees, and the choice to be shown no more than that.

import type { VNode } from "preact";
import { perceptsOf } from "../play/percepts";
import { setPlay } from "../state/app";
import type { PlayState } from "../state/state";
import { Select } from "../ui/controls";

const everyone = "";

export function Percepts({ play }: { play: PlayState }): VNode {
  const roles = play.roles.filter((r) => r !== "random");
  const options: [string, string][] = [[everyone, "everything"], ...roles.map((r): [string, string] => [r, `what ${r} knows`])];
  const shown = play.perspective ? [play.perspective] : roles;
  return (
    <section class="panel" aria-labelledby="percepts-title">
      <h2 id="percepts-title">What roles see</h2>
      <Select label="Shown" value={play.perspective ?? everyone} options={options} onChange={(role) => setPlay({ perspective: role || null })} />
      {shown.map((role) => (
        <PerceptList key={role} play={play} role={role} />
      ))}
      {play.perspective && <p class="note">The board hides what stands on it and marks your own moves; those of others are hidden. At the end all is shown.</p>}
    </section>
  );
}

function PerceptList({ play, role }: { play: PlayState; role: string }): VNode {
  return (
    <section class="percepts" aria-label={`What ${role} sees`}>
      <h3>{role}</h3>
      <ul class="fact-list" tabIndex={0} aria-label={`Steps as ${role} sees them`}>
        {perceptsOf(play, role)
          .slice(1)
          .map((s) => (
            <li>
              <span class="step">{s.step}</span> {s.move} <span class="sees">{s.percepts.length > 0 ? `sees ${s.percepts.join(" ")}` : "sees nothing"}</span>
            </li>
          ))}
      </ul>
    </section>
  );
}
