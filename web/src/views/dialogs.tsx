import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { rename } from "../actions/language";
import { pasteState } from "../actions/play";
import { download, openVersion } from "../actions/rules";
import { currentSession, useLayout } from "../actions/session";
import { currentPosition } from "../play/tree";
import { say, setState } from "../state/app";
import type { State } from "../state/state";
import { Button, Dialog, FileButton } from "../ui/controls";
import { count } from "../ui/numbers";

const close = (): void => setState({ dialog: null });

export function Dialogs({ state }: { state: State }): VNode | null {
  if (state.dialog === "versions") return <Versions state={state} />;
  if (state.dialog === "state") return <PasteState state={state} />;
  if (state.dialog === "layout") return <Layout state={state} />;
  if (state.dialog === "rename" && state.renaming) return <Rename state={state} word={state.renaming.word} />;
  return null;
}

function Versions({ state }: { state: State }): VNode {
  return (
    <Dialog title="Versions" onClose={close} notice={state.notice}>
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
    <Dialog title="State" onClose={close} notice={state.notice}>
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

// How the board is laid out, to be corrected by hand: docs/boards.md has the words.
function Layout({ state }: { state: State }): VNode {
  const [text, setText] = useState<string | null>(state.play.layout);
  const [isOwn, setOwn] = useState(state.play.layout !== null);
  useEffect(() => {
    if (text === null) currentSession()?.layout().then((found) => setText((t) => t ?? found), (error: Error) => say(error.message));
  }, []);
  const change = (words: string): void => {
    setText(words);
    setOwn(true);
  };
  return (
    <Dialog title="Layout" onClose={close} notice={state.notice}>
      <label class="stacked">
        <span>How this game is drawn, and which clicks make which moves. Correct it, or keep it in a file for `tabia board --layout`.</span>
        <textarea rows={14} spellcheck={false} disabled={text === null} value={text ?? ""} onInput={(e) => change(e.currentTarget.value)} />
      </label>
      <div class="row">
        <Button kind="primary" disabled={!isOwn || !text} onClick={() => void useLayout(text)}>
          Draw it so
        </Button>
        <Button onClick={() => download(`${state.rules.name.replace(/\.\w+$/, "")}.layout`, text ?? "")}>Save</Button>
        <FileButton onFile={(file) => void file.text().then(change)}>Open</FileButton>
        <Button onClick={() => void useLayout(null)}>As the program finds it</Button>
      </div>
    </Dialog>
  );
}

function Rename({ state, word }: { state: State; word: string }): VNode {
  return (
    <Dialog title="New name" onClose={close} notice={state.notice}>
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
