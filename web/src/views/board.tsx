import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { click, clearClicks, jump, makeMove, newGame, randomMove, randomMoves, redo, setPlayer, setRunning, toEnd, toStart, undo } from "../actions/play";
import { humanSeconds, watchClock } from "../actions/players";
import { ensureSession, openSession } from "../actions/session";
import { askWhy } from "../actions/why";
import { BoardSvg, type Marks } from "../board/board_svg";
import { lastMoveCells } from "../board/changes";
import { cellKey, movesOf, targets } from "../play/clicks";
import { branchesOf, currentNode, currentPosition, shownPosition, stepOf } from "../play/tree";
import { hidden, ownCells, viewerOf } from "../play/percepts";
import { worthOfTargets } from "../play/worth";
import { actingRole, hasChoice, isOver, isSimultaneous, openRoles, playerOf } from "../play/turn";
import type { JointMove, Position, Thought } from "../net/forms";
import { setPlay, setState } from "../state/app";
import type { PlayerKind, PlayNode, PlayState, State } from "../state/state";
import { Button, Empty, Entry, Fold, Select, Switch } from "../ui/controls";
import { clock, count, fixed } from "../ui/numbers";
import { useTicks } from "../ui/ticks";
import { Exact } from "./exact";
import { Percepts } from "./percepts";
import { Why } from "./why";

export function BoardView({ state }: { state: State }): VNode {
  const { play } = state;
  useEffect(() => void ensureSession(), [state.rules.name]);
  const position = shownPosition(play);
  const isStale = play.rulesRevision !== state.rules.revision;
  return (
    <section class="view play" aria-labelledby="board-title">
      <h1 id="board-title" class="hidden">
        Board
      </h1>
      {isStale && (
        <p class="banner">
          The rules have changed since this game began. <Button onClick={() => void openSession()}>Play the new rules</Button>
        </p>
      )}
      <Trouble state={state} />
      {position ? <Table play={play} position={position} canExplain={canExplain(state)} /> : <Waiting play={play} />}
    </section>
  );
}

const canExplain = (state: State): boolean => state.info?.why ?? false;

function Waiting({ play }: { play: PlayState }): VNode | null {
  return play.status === "opening" || play.status === "open" ? <Empty>Drawing the board…</Empty> : null;
}

function Trouble({ state }: { state: State }): VNode | null {
  const { play } = state;
  if (play.status === "failed")
    return (
      <div class="banner bad" role="alert">
        <strong>This game cannot be played yet.</strong>
        <pre>{play.message}</pre>
        <Button onClick={() => void openSession()}>Try again</Button>
      </div>
    );
  if (play.message)
    return (
      <p class="banner">
        {play.message} {play.status === "closed" && <Button onClick={() => void openSession()}>Go on</Button>}
      </p>
    );
  return null;
}

interface TableProps {
  play: PlayState;
  position: Position;
  canExplain: boolean;
}

// What the rules hide from the one who plays is not shown.
function Table({ play, position: whole, canExplain: explains }: TableProps): VNode {
  const viewer = viewerOf(play);
  const position = viewer ? hidden(whole) : whole;
  return (
    <div class="table">
      <div class="table-main">
        <TurnLine play={play} position={position} />
        <Boards play={play} position={position} viewer={viewer} />
        <GroupBar play={play} />
        <Menu play={play} />
        <MoveButtons play={play} position={position} explains={explains} />
        <Controls play={play} position={position} />
      </div>
      <div class="table-side">
        <Players play={play} position={position} />
        {position.percepts && <Percepts play={play} />}
        {!position.percepts && <Exact play={play} position={position} />}
        <Moves play={play} viewer={viewer} />
        {explains && !viewer && <Why play={play} position={position} />}
        {!viewer && <Facts position={position} marked={markedFluents(play)} explains={explains} />}
      </div>
    </div>
  );
}

// ---- whose turn, the end ----

function TurnLine({ play, position }: { play: PlayState; position: Position }): VNode {
  return (
    <p class="turn-line" role="status" aria-live="polite">
      {turnText(play, position)}
    </p>
  );
}

function turnText(play: PlayState, position: Position): string {
  if (!currentPosition(play)) return "…";
  if (position.terminal) return `The game is over: ${goalsText(play, position)}.`;
  if (isOver(position)) return "A role has no legal move: play cannot go on.";
  const role = actingRole(play);
  if (role && isSimultaneous(play, position)) return `${role} chooses; moves are shown when all have chosen.`;
  if (role) return play.clicks.length > 0 ? `${role} to move: where to?` : `${role} to move.`;
  const thinking = openRoles(play).join(", ");
  return play.running ? `${thinking} is thinking…` : `${thinking} to move; play is paused.`;
}

const goalsText = (play: PlayState, position: Position): string =>
  play.roles
    .filter((role) => role !== "random")
    .map((role) => `${role} ${position.goals[role]?.join("/") ?? "–"}`)
    .join(", ");

// ---- the boards ----

const markedFluents = (play: PlayState): Set<string> => new Set(play.groups[play.group]?.members ?? []);

function marksOf(play: PlayState, position: Position, viewer: string | null): Marks {
  const role = actingRole(play);
  const moves = role ? movesOf(position.drawing, role) : [];
  const node = currentNode(play);
  const parent = node.parent === null || !node.position ? null : play.nodes[node.parent]!.position;
  const areShown = play.showMoves || play.clicks.length > 0;
  return {
    targets: areShown ? targets(moves, play.clicks) : new Set(),
    ...(areShown && role ? worthOfTargets(position, role, play.clicks) : { good: new Set<string>(), bad: new Set<string>() }),
    chosen: new Set(play.clicks.map(cellKey)),
    last: viewer ? ownCells(play, viewer) : parent && node.joint ? lastMoveCells(parent.drawing, position.drawing, node.joint) : new Set(),
    fluents: markedFluents(play),
  };
}

function Boards({ play, position, viewer }: { play: PlayState; position: Position; viewer: string | null }): VNode {
  const { boards, rest } = position.drawing;
  const marks = marksOf(play, position, viewer);
  return (
    <>
      <div class={boards.length > 1 ? "boards several" : "boards"}>
        {boards.map((board, number) => (
          <figure key={`${number} ${board.relation}`}>
            {(boards.length > 1 || board.certain) && (
              <figcaption>
                {board.relation}
                {board.certain && <span class="certain" title="It is proved that at most one thing stands on each cell"> proved</span>}
              </figcaption>
            )}
            <BoardSvg board={board} number={number} title={`Board of ${board.relation}`} marks={marks} onClick={(cell) => click({ board: number, cell })} />
          </figure>
        ))}
        {boards.length === 0 && <p class="no-board">This game has no board; its facts are listed below.</p>}
      </div>
      {rest.length > 0 && (
        <ul class="chips" aria-label="Facts beside the board">
          {rest.map((r) => (
            <li class={`chip ${r.kind}${marks.fluents.has(r.fact) ? " marked" : ""}`} title={r.fact}>
              {r.label}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

// Groups of fluents that were proved, one after the other on the board.
function GroupBar({ play }: { play: PlayState }): VNode | null {
  const group = play.groups[play.group];
  if (!group) return null;
  const step = (by: number): void => setPlay({ group: (play.group + by + play.groups.length) % play.groups.length });
  return (
    <div class="group-bar row" role="group" aria-label="Groups that were proved">
      <span>
        <strong>{group.kind.replaceAll("-", " ")}</strong> of {group.members.slice(0, 4).join(" ")}
        {group.members.length > 4 ? ` and ${group.members.length - 4} more` : ""}: group {play.group + 1} of {count(play.groups.length)}
      </span>
      <Button label="Group before" onClick={() => step(-1)} disabled={play.groups.length < 2}>‹</Button>
      <Button label="Next group" onClick={() => step(1)} disabled={play.groups.length < 2}>›</Button>
      <Button kind="quiet" onClick={() => setPlay({ groups: [], group: 0 })}>
        Unmark
      </Button>
    </div>
  );
}

function Menu({ play }: { play: PlayState }): VNode | null {
  const role = actingRole(play);
  if (!role || play.menu.length === 0) return null;
  return (
    <div class="menu" role="group" aria-label="Which of these moves?">
      <span>Which move?</span>
      {play.menu.map((move) => (
        <Button kind="primary" onClick={() => makeMove(role, move)}>
          {move}
        </Button>
      ))}
      <Button kind="quiet" onClick={clearClicks}>
        None
      </Button>
    </div>
  );
}

function MoveButtons({ play, position, explains }: { play: PlayState; position: Position; explains: boolean }): VNode | null {
  const role = actingRole(play);
  if (!role) return null;
  const moves = movesOf(position.drawing, role);
  const buttons = moves.filter((m) => m.clicks.length === 0);
  return (
    <>
      {buttons.length > 0 && buttons.length <= 60 && (
        <div class="move-buttons" role="group" aria-label={`Moves of ${role} without a place on the board`}>
          {buttons.map((m) => (
            <Button onClick={() => makeMove(role, m.move)}>{m.move}</Button>
          ))}
        </div>
      )}
      <Fold class="all-moves" title={`${moves.length} legal ${moves.length === 1 ? "move" : "moves"} of ${role}`}>
        {() => (
          <div class="move-buttons">
            {moves.slice(0, 400).map((m) => (
              <MoveAndWhy role={role} move={m.move} explains={explains} />
            ))}
          </div>
        )}
      </Fold>
    </>
  );
}

function MoveAndWhy({ role, move, explains }: { role: string; move: string; explains: boolean }): VNode {
  return (
    <span class="move-and-why">
      <Button onClick={() => makeMove(role, move)}>{move}</Button>
      {explains && (
        <Button kind="quiet" label={`Why is ${move} legal?`} onClick={() => void askWhy(`(legal ${role} ${move})`)}>
          ?
        </Button>
      )}
    </span>
  );
}

function Controls({ play, position }: { play: PlayState; position: Position }): VNode {
  const node = currentNode(play);
  const atStart = node.parent === null;
  const atEnd = node.children.length === 0;
  const enginesWait = !play.running && openRoles(play).some((r) => playerOf(play, r) !== "human");
  return (
    <div class="toolbar controls" role="group" aria-label="Moves">
      <Button label="First position" onClick={toStart} disabled={atStart}>«</Button>
      <Button onClick={undo} disabled={atStart}>
        Undo
      </Button>
      <Button onClick={redo} disabled={atEnd}>
        Redo
      </Button>
      <Button label="Last position of this line" onClick={toEnd} disabled={atEnd}>»</Button>
      {enginesWait && (
        <Button kind="primary" onClick={() => setRunning(true)}>
          Play on
        </Button>
      )}
      {play.running && !isOver(position) && openRoles(play).some((r) => playerOf(play, r) !== "human") && <Button onClick={() => setRunning(false)}>Pause</Button>}
      <span class="spacer" />
      <Button onClick={() => void randomMove()} disabled={isOver(position)}>
        Random move
      </Button>
      <Button onClick={() => void randomMoves(10)} disabled={isOver(position)} label="×10 random moves">
        ×10
      </Button>
      <Button onClick={() => setState({ dialog: "state" })}>State…</Button>
      <Button onClick={() => setState({ dialog: "layout" })}>Layout…</Button>
      <Button onClick={() => void newGame()}>New game</Button>
    </div>
  );
}

// ---- beside the board ----

const kinds: [PlayerKind, string][] = [
  ["human", "Person"],
  ["engine", "Engine"],
  ["random", "Random"],
];

function Players({ play, position }: { play: PlayState; position: Position }): VNode {
  useTicks(500, watchClock);
  return (
    <section class="panel" aria-labelledby="players-title">
      <h2 id="players-title">Players</h2>
      <ul class="players">
        {play.roles.map((role) => (
          <PlayerRow play={play} position={position} role={role} />
        ))}
      </ul>
      <Switch label="Show legal moves" checked={play.showMoves} onChange={(showMoves) => setPlay({ showMoves })} />
    </section>
  );
}

function PlayerRow({ play, position, role }: { play: PlayState; position: Position; role: string }): VNode {
  const kind = playerOf(play, role);
  const seconds = play.players[role]?.seconds ?? 0;
  const used = (play.clocks[role] ?? 0) + humanSeconds(role);
  const isChoosing = openRoles(play).includes(role);
  const hasChosen = role in play.pending && hasChoice(position, role);
  const thought = play.thoughts[role];
  return (
    <li class={isChoosing ? "player choosing" : "player"}>
      <div class="player-head">
        <span class="role">{role}</span>
        {hasChosen && <span class="badge">has chosen</span>}
        <span class="goal" title="goal in this position">
          {viewerOf(play) ? "" : (position.goals[role]?.join("/") ?? "")}
        </span>
        <span class="clock" title="time used">
          {clock(used)}
        </span>
      </div>
      {role === "random" ? (
        <p class="note">Chance plays this role.</p>
      ) : (
        <div class="row">
          <Select hideLabel label={`Who plays ${role}`} value={kind} options={kinds} onChange={(k) => setPlayer(role, { kind: k, seconds: k === "engine" ? seconds || 1 : 0 })} />
          {kind !== "random" && (
            <label class="field">
              <Entry
                number={{ least: 0, most: 600 }}
                value={seconds}
                label={`Seconds a move of ${role}`}
                onEnter={(words) => setPlayer(role, { kind, seconds: Math.max(0, Number(words) || 0) })}
              />
              <span class="unit">s a move</span>
            </label>
          )}
        </div>
      )}
      {thought && <ThoughtView thought={thought} hidden={isSimultaneous(play, position)} />}
    </li>
  );
}

function ThoughtView({ thought, hidden }: { thought: Thought; hidden: boolean }): VNode {
  const value = thought.values?.[thought.role];
  return (
    <p class="thought">
      {hidden ? "thinking" : (thought.move ?? "…")}
      {value !== undefined && ` · worth ${fixed(value)}${thought.proved ? ", proved" : ""}`} · {count(thought.playouts)} games
    </p>
  );
}

// ---- the lines that were played ----

function Moves({ play, viewer }: { play: PlayState; viewer: string | null }): VNode {
  return (
    <section class="panel" aria-labelledby="moves-title">
      <h2 id="moves-title">Moves</h2>
      <div class="move-tree" tabIndex={0} role="group" aria-label="Positions of all lines">
        {branchesOf(play).map((branch) => (
          <ol class={`branch depth${Math.min(branch.depth, 4)}`} start={stepOf(play, branch.nodes[0]!.id)}>
            {branch.nodes.map((n) => (
              <li>
                <NodeButton play={play} node={n} viewer={viewer} />
              </li>
            ))}
          </ol>
        ))}
      </div>
    </section>
  );
}

function NodeButton({ play, node, viewer }: { play: PlayState; node: PlayNode; viewer: string | null }): VNode {
  const isCurrent = node.id === play.current;
  const text = node.joint ? (viewer ? node.joint[viewer] : jointText(play, node.joint)) : play.from ? "pasted state" : "start";
  return (
    <button type="button" class={isCurrent ? "node current" : "node"} aria-current={isCurrent ? "step" : undefined} onClick={() => jump(node.id)}>
      <span class="step">{stepOf(play, node.id)}</span> {text}
    </button>
  );
}

// Moves of roles without a choice are left away where another had one.
function jointText(play: PlayState, joint: JointMove): string {
  const idleMoves = new Set(["noop", "wait", "pass"]);
  const shown = play.roles.map((role) => joint[role] ?? "?").filter((m) => !idleMoves.has(m));
  return shown.length > 0 ? shown.join("  ") : play.roles.map((role) => joint[role] ?? "?").join("  ");
}

function Facts({ position, marked, explains }: { position: Position; marked: Set<string>; explains: boolean }): VNode {
  return (
    <Fold class="panel facts" title={<h2>{position.state.length} {position.state.length === 1 ? "fact" : "facts"} of this state</h2>}>
      {() => (
        <>
          <ul class="fact-list" tabIndex={0} aria-label="Facts">
            {position.state.map((f) => (
              <li class={marked.has(f) ? "marked" : undefined}>
                {f}{" "}
                {explains && (
                  <button type="button" class="ask" aria-label={`Why is ${f} true?`} onClick={() => void askWhy(`(true ${f})`)}>
                    ?
                  </button>
                )}
              </li>
            ))}
          </ul>
          <Button onClick={() => void navigator.clipboard?.writeText(position.state.join("\n"))}>Copy</Button>
        </>
      )}
    </Fold>
  );
}
