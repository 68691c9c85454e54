// Starts the page: what was kept, the server, the first view.

import { render } from "preact";
import { checkSoon } from "./actions/check";
import { connect, lost } from "./actions/connection";
import { keepVersionNow, openFile } from "./actions/rules";
import { setState, store } from "./state/app";
import { newRules } from "./state/initial";
import { loadPage, loadRules, loadVersions, savePage, savePlay, saveRules } from "./state/storage";
import { views, type State, type View } from "./state/state";
import { Shell } from "./views/shell";

const versionMinutes = 1;

function restore(): void {
  const rules = loadRules();
  const page = loadPage();
  store.update((s) => ({
    ...s,
    rules: rules ? newRules(rules.name, rules.text, s.rules.revision) : s.rules,
    view: viewOfAddress() ?? page?.view ?? s.view,
    beside: page?.beside ?? s.beside,
    versions: loadVersions(),
  }));
}

function viewOfAddress(): View | null {
  const name = location.hash.slice(1);
  return (views as readonly string[]).includes(name) ? (name as View) : null;
}

// All changes between two frames are drawn once.
function drawChanges(root: HTMLElement): void {
  let isPlanned = false;
  const draw = (): void => {
    isPlanned = false;
    const started = performance.now();
    render(<Shell state={store.get()} />, root);
    performance.measure("draw", { start: started, end: performance.now() });
  };
  store.subscribe(() => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(draw);
  });
  draw();
}

function keepChanges(): void {
  store.subscribe((s: State, before: State) => {
    if (s.rules.text !== before.rules.text || s.rules.name !== before.rules.name) saveRules({ name: s.rules.name, text: s.rules.text });
    if (s.view !== before.view || s.beside !== before.beside) savePage({ view: s.view, beside: s.beside });
    const p = s.play;
    const b = before.play;
    const isNews = p.current !== b.current || p.nextId !== b.nextId || p.players !== b.players || p.from !== b.from;
    if (isNews && p.roles.length > 0 && p.rulesRevision === s.rules.revision) savePlay(p, s.rules.text);
    if (before.online && !s.online) lost();
  });
  setInterval(keepVersionNow, versionMinutes * 60_000);
}

function takeDroppedFiles(): void {
  addEventListener("dragover", (e) => e.preventDefault());
  addEventListener("drop", (e) => {
    e.preventDefault();
    const file = e.dataTransfer?.files[0];
    if (file) void openFile(file);
  });
}

restore();
drawChanges(document.getElementById("app")!);
performance.mark("first-view");
keepChanges();
takeDroppedFiles();
addEventListener("hashchange", () => {
  const view = viewOfAddress();
  if (view) setState({ view });
});
void connect().then(checkSoon);
