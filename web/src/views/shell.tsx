// The frame around all views.

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { setState, show } from "../state/app";
import { views, type State, type View } from "../state/state";
import { Button } from "../ui/controls";
import { AnalysisView } from "./analysis";
import { BoardView } from "./board";
import { Dialogs } from "./dialogs";
import { GamesView } from "./games";
import { InsideView } from "./inside";
import { ReportView } from "./report";
import { RulesView } from "./rules";

const titles: Record<View, string> = {
  games: "Games",
  rules: "Rules",
  board: "Board",
  analysis: "Analysis",
  report: "Report",
  inside: "Inside",
};

export function Shell({ state }: { state: State }): VNode {
  const isWide = useWide();
  const isSplit = isWide && state.beside && state.view !== "games" && state.view !== "rules";
  const rulesShown = state.view === "rules" || isSplit;
  return (
    <>
      <a class="skip" href="#main" onClick={skipToMain}>
        To the main part
      </a>
      <Header state={state} isWide={isWide} />
      <main id="main" tabIndex={-1} class={isSplit ? "split" : "single"}>
        <div class="pane rules-pane" hidden={!rulesShown}>
          <RulesView state={state} narrow={isSplit || !isWide} />
        </div>
        {state.view !== "rules" && (
          <div class="pane view-pane">
            <CurrentView state={state} />
          </div>
        )}
      </main>
      <Notice state={state} />
      <Dialogs state={state} />
    </>
  );
}

function skipToMain(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function CurrentView({ state }: { state: State }): VNode | null {
  switch (state.view) {
    case "games":
      return <GamesView state={state} />;
    case "board":
      return <BoardView state={state} />;
    case "analysis":
      return <AnalysisView state={state} />;
    case "report":
      return <ReportView state={state} />;
    case "inside":
      return <InsideView state={state} />;
    default:
      return null;
  }
}

function Header({ state, isWide }: { state: State; isWide: boolean }): VNode {
  const canSplit = isWide && state.view !== "games" && state.view !== "rules";
  return (
    <header class="top">
      <span class="brand">
        <img src="icon.svg" alt="" width="24" height="24" /> Tabia
      </span>
      <nav aria-label="Views">
        <ul>
          {views.map((view) => (
            <li>
              <a
                href={`#${view}`}
                aria-current={state.view === view ? "page" : undefined}
                onClick={(e) => {
                  e.preventDefault();
                  show(view);
                }}
              >
                {titles[view]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <span class="open-game" title="the game that is open">
        {state.rules.name}
      </span>
      {canSplit && (
        <Button kind="quiet" pressed={state.beside} onClick={() => setState({ beside: !state.beside })}>
          Rules beside
        </Button>
      )}
    </header>
  );
}

function Notice({ state }: { state: State }): VNode {
  return (
    <footer class="bottom">
      <p class="notice" role="status" aria-live="polite">
        {state.notice.text}
      </p>
      {!state.online && (
        <p class="offline" role="alert">
          The server does not answer. Your work is kept here; waiting for it…
        </p>
      )}
    </footer>
  );
}

function useWide(): boolean {
  const query = matchMedia("(min-width: 1100px)");
  const [isWide, setWide] = useState(query.matches);
  useEffect(() => {
    const listen = (): void => setWide(query.matches);
    query.addEventListener("change", listen);
    return () => query.removeEventListener("change", listen);
  }, []);
  return isWide;
}
