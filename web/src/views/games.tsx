import type { VNode } from "preact";
import { openGame, openRules } from "../actions/rules";
import type { GameEntry } from "../net/forms";
import { address } from "../net/socket";
import { setState } from "../state/app";
import { starterRules } from "../state/initial";
import type { State } from "../state/state";
import { Button, Empty } from "../ui/controls";

const fits = (game: GameEntry, words: string): boolean =>
  words.toLowerCase().split(/\s+/).every((w) => `${game.name} ${game.title}`.toLowerCase().includes(w));

export function GamesView({ state }: { state: State }): VNode {
  const games = state.games?.filter((g) => fits(g, state.filter)) ?? [];
  return (
    <section class="view games" aria-labelledby="games-title">
      <div class="view-head">
        <div>
          <h1 id="games-title">Games</h1>
          <p class="lead">Every board here is drawn from the rules alone. Choose a game to play it, change it, or prove something of it.</p>
        </div>
        <div class="row">
          <label class="field">
            <span class="hidden">Find a game</span>
            <input type="search" placeholder="Find a game" value={state.filter} onInput={(e) => setState({ filter: e.currentTarget.value })} />
          </label>
          <Button onClick={() => openRules("new.kif", starterRules, "rules")}>New game</Button>
        </div>
      </div>
      {state.games === null && <Empty>{state.online ? "Looking for games…" : "The server does not answer."}</Empty>}
      {state.games && games.length === 0 && <Empty>No game has that in its name.</Empty>}
      <ul class="gallery">
        {games.map((g) => (
          <li key={g.name}>
            <GameCard game={g} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function GameCard({ game }: { game: GameEntry }): VNode {
  return (
    <button type="button" class="card" onClick={() => void openGame(game.name, "board")}>
      <span class="thumbnail">
        <img src={address(`/api/games/${encodeURIComponent(game.name)}.svg`)} alt="" loading="lazy" decoding="async" />
      </span>
      <span class="card-name">{game.name}</span>
      <span class="card-title">{game.title}</span>
    </button>
  );
}
