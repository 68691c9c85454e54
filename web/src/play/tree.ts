// The tree of all lines that were played: pure functions on it.

import type { JointMove, Position } from "../net/forms";
import type { Line } from "../net/session";
import type { NodeId, PlayNode, PlayState } from "../state/state";

export const currentNode = (play: PlayState): PlayNode => play.nodes[play.current]!;
export const currentPosition = (play: PlayState): Position | null => currentNode(play).position;

// The position, or while it is not known yet the last one before it: the board stays, and the focus on it.
export function shownPosition(play: PlayState): Position | null {
  const path = pathTo(play, play.current);
  return path.reduce<Position | null>((last, node) => node.position ?? last, null);
}

export function pathTo(play: PlayState, id: NodeId): PlayNode[] {
  const path: PlayNode[] = [];
  for (let at: NodeId | null = id; at !== null; at = play.nodes[at]!.parent) path.unshift(play.nodes[at]!);
  return path;
}

export const lineTo = (play: PlayState, id: NodeId): Line => ({
  from: play.from,
  moves: pathTo(play, id).flatMap((n) => (n.joint ? [n.joint] : [])),
});

export const isSameJoint = (a: JointMove, b: JointMove): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([role, move]) => b[role] === move);

// Goes on with a joint move: to the child that is there, or to a new one.
export function withMove(play: PlayState, joint: JointMove): PlayState {
  const parent = currentNode(play);
  const known = parent.children.find((id) => isSameJoint(play.nodes[id]!.joint!, joint));
  if (known !== undefined) return at(play, known);
  const id = play.nextId;
  const child: PlayNode = { id, parent: parent.id, joint, children: [], favourite: null, position: null };
  const grown = { ...parent, children: [...parent.children, id] };
  return at({ ...play, nextId: id + 1, nodes: { ...play.nodes, [parent.id]: grown, [id]: child } }, id);
}

// Moves to a node; every node on the way remembers it for `redo`.
export function at(play: PlayState, id: NodeId): PlayState {
  const nodes = { ...play.nodes };
  for (let child = id; nodes[child]!.parent !== null; child = nodes[child]!.parent!) {
    const parent = nodes[child]!.parent!;
    if (nodes[parent]!.favourite !== child) nodes[parent] = { ...nodes[parent]!, favourite: child };
  }
  return { ...play, nodes, current: id, pending: {}, clicks: [], menu: [], thoughts: {}, why: null, missed: null };
}

export const withPosition = (play: PlayState, id: NodeId, position: Position): PlayState =>
  play.nodes[id] ? { ...play, nodes: { ...play.nodes, [id]: { ...play.nodes[id], position } } } : play;

// A line as rows to show: the moves of one branch one after another, branches below where they leave it.
export interface Branch {
  depth: number;
  nodes: PlayNode[];
}

export function branchesOf(play: PlayState): Branch[] {
  const branches: Branch[] = [];
  const queue: { id: NodeId; depth: number }[] = [{ id: play.root, depth: 0 }];
  while (queue.length > 0) {
    const { id, depth } = queue.shift()!;
    const nodes: PlayNode[] = [];
    const later: { id: NodeId; depth: number }[] = [];
    for (let n: PlayNode | undefined = play.nodes[id]; n; n = n.children.length ? play.nodes[n.children[0]!] : undefined) {
      nodes.push(n);
      for (const side of n.children.slice(1)) later.unshift({ id: side, depth: depth + 1 });
    }
    branches.push({ depth, nodes });
    queue.unshift(...later);
  }
  return branches;
}

export const stepOf = (play: PlayState, id: NodeId): number => pathTo(play, id).length - 1;
