// The session of the game that is open: made when the board is looked at, made anew when rules or server have changed.

import type { JointMove, Position } from "../net/forms";
import { Session } from "../net/session";
import { at, lineTo, withMove, withPosition } from "../play/tree";
import { say, setPlay, setState, store } from "../state/app";
import { newPlay } from "../state/initial";
import { idle } from "../state/state";
import { loadPlay, type SavedPlay } from "../state/storage";
import type { NodeId, Player, PlayState } from "../state/state";
import { drivePlayers, forgetDriver } from "./players";

let session: Session | null = null;
let opening: Promise<void> = Promise.resolve();
let attempt = 0; // to open one; what an older attempt comes to is of no interest

export const currentSession = (): Session | null => session;

export function closeSession(): void {
  session?.close();
  session = null;
  attempt++;
  forgetDriver();
}

// Makes sure that a session of the present rules is open and the current position is known.
export async function ensureSession(): Promise<void> {
  const { play, rules } = store.get();
  if (play.status === "opening") return opening;
  if (play.status === "open" && play.rulesRevision === rules.revision) return showPosition();
  await openSession();
}

export const openSession = (): Promise<void> => (opening = openAnew());

async function openAnew(): Promise<void> {
  closeSession();
  const mine = attempt;
  const saved = loadPlay(); // before what is opened now is kept
  const { rules, play } = store.get();
  const sameRules = play.rulesRevision === rules.revision && play.roles.length > 0;
  setPlay({ ...(sameRules ? {} : newPlay(rules.revision)), status: "opening", message: "", exact: idle });
  try {
    const layout = sameRules ? play.layout : saved?.text === rules.text ? (saved.layout ?? null) : null;
    const made = await Session.open(rules.text, rules.name, layout, (reason) => mine === attempt && sessionEnded(reason));
    if (mine !== attempt) return made.close(); // other rules were opened meanwhile
    session = made;
    const players = playersFor(made.roles, store.get().play.players);
    setPlay({ status: "open", roles: made.roles, players, layout, perspective: sameRules ? play.perspective : made.hidden ? onlyPerson(players) : null });
    if (!sameRules) restoreLines(saved, rules.text);
    await showPosition();
  } catch (error) {
    if (mine === attempt) setPlay({ status: "failed", message: (error as Error).message });
  }
}

// Ended by a server that is there, it waits for somebody to go on; else it is opened anew when the server is back.
function sessionEnded(reason: string | null): void {
  session = null;
  forgetDriver();
  setPlay({ status: "closed", message: reason ?? "" });
  if (reason === null) setState({ online: false });
}

// The first role is a person, the others are engines: a game to begin with.
function playersFor(roles: string[], before: Record<string, Player>): Record<string, Player> {
  const players: Record<string, Player> = {};
  roles.forEach((role, i) => {
    players[role] = before[role] ?? { kind: role === "random" ? "random" : i === 0 ? "human" : "engine", seconds: i === 0 ? 0 : 1 };
  });
  return players;
}

// Who plays alone against engines is not shown what the rules hide.
function onlyPerson(players: Record<string, Player>): string | null {
  const people = Object.keys(players).filter((role) => players[role]!.kind === "human");
  return people.length === 1 ? people[0]! : null;
}

// A layout that somebody wrote; null: the program's own again.  One with a fault takes the place of nothing.
export async function useLayout(layout: string | null): Promise<void> {
  const before = store.get().play.layout;
  await drawAnew(layout);
  const fault = session?.layoutFault;
  if (!fault) return setState({ dialog: null });
  say(fault);
  await drawAnew(before);
}

async function drawAnew(layout: string | null): Promise<void> {
  setPlay({ layout, nodes: withoutPositions(store.get().play), clicks: [], menu: [] });
  await openSession();
}

const withoutPositions = (play: PlayState): PlayState["nodes"] =>
  Object.fromEntries(Object.values(play.nodes).map((n) => [n.id, { ...n, position: null }]));

// Asks again what is known of the positions.
export async function refreshPositions(): Promise<void> {
  setPlay({ nodes: withoutPositions(store.get().play) });
  await showPosition();
}

function restoreLines(saved: SavedPlay | null, text: string): void {
  const play = store.get().play;
  if (!saved || saved.text !== text || saved.roles.join() !== play.roles.join()) return;
  const ids = new Map<NodeId, NodeId>();
  let grown: PlayState = { ...play, from: saved.from, players: { ...play.players, ...saved.players } };
  for (const node of saved.nodes.sort((a, b) => a.id - b.id)) {
    if (node.parent === null || !node.joint) ids.set(node.id, grown.root);
    else {
      grown = withMove(at(grown, ids.get(node.parent) ?? grown.root), node.joint);
      ids.set(node.id, grown.current);
    }
  }
  setPlay({ ...at(grown, ids.get(saved.current) ?? grown.root), running: false });
}

async function positionOf(id: NodeId): Promise<Position | null> {
  const known = store.get().play.nodes[id]?.position;
  if (known || !session) return known ?? null;
  const position = await session.position(lineTo(store.get().play, id));
  store.update((s) => ({ ...s, play: withPosition(s.play, id, position) }));
  return position;
}

export async function showPosition(): Promise<void> {
  const { play } = store.get();
  const asked = session;
  try {
    await positionOf(play.current);
    const parent = play.nodes[play.current]?.parent;
    if (parent !== null && parent !== undefined) await positionOf(parent); // to mark what has changed
    drivePlayers();
  } catch (error) {
    if (asked !== session) return;
    setPlay({ message: (error as Error).message });
    say((error as Error).message);
  }
}

// Plays a line from the start, such as a witness, and shows its first position.
export async function showLine(moves: JointMove[]): Promise<void> {
  await ensureSession();
  store.update((s) => {
    let play = at({ ...s.play, running: false }, s.play.root);
    for (const joint of moves) play = withMove(play, joint);
    return { ...s, play: at(play, s.play.root) };
  });
  await showPosition();
}
