import type { VNode } from "preact";
import { rename } from "../actions/language";
import { pasteState } from "../actions/play";
import { openVersion } from "../actions/rules";
import { currentPosition } from "../play/tree";
import { setState } from "../state/app";
import type { State } from "../state/state";
import { Button, Dialog } from "../ui/controls";
import { count } from "../ui/numbers";

const close = (): void => setState({ dialog: null });

export function Dialogs({ state }: { state: State }): VNode | null {
  if (state.dialog === "versions") return <Versions state={state} />;
  if (state.dialog === "state") return <PasteState state={state} />;
  if (state.dialog === "rename" && state.renaming) return <Rename word={state.renaming.word} />;
  return null;
}

function Versions({ state }: { state: State }): VNode {
  return (
    <Dialog title="Versions" onClose={close}>
      <p class="note">Kept in this browser: when a game is opened, saved or formatted, and every minute while you write.</p>
      {state.versions.length === 0 && <p>There is none yet.</p>}
      <ul class="versions">
        {state.versions.map((v) => (
          <li>
            <Button onClick={() => openVersion(v.id, v.name)}>
              {v.name} · {new Date(v.time).toLocaleString()} · {count(v.size)} bytes
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function PasteState({ state }: { state: State }): VNode {
  const facts = currentPosition(state.play)?.state ?? [];
  return (
    <Dialog title="State" onClose={close}>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          void pasteState(String(new FormData(e.currentTarget).get("state") ?? ""));
        }}
      >
        <label class="stacked">
          <span>The fluents that hold. Change them, or paste others, and play goes on from there.</span>
          <textarea name="state" rows={14} spellcheck={false} defaultValue={facts.join("\n")} />
        </label>
        <button type="submit" class="button primary">
          Set up this state
        </button>
      </form>
    </Dialog>
  );
}

function Rename({ word }: { word: string }): VNode {
  return (
    <Dialog title="New name" onClose={close}>
      <form
        class="row"
        onSubmit={(e) => {
          e.preventDefault();
          void rename(String(new FormData(e.currentTarget).get("name") ?? "").trim());
        }}
      >
        <label class="field grow">
          <span class="name">{word} is now</span>
          <input name="name" class="mono" spellcheck={false} required defaultValue={word} />
        </label>
        <button type="submit" class="button primary">
          Rename
        </button>
      </form>
    </Dialog>
  );
}
