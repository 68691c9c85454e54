// Nothing is lost on reload: the text, earlier versions of it and the lines that were played are kept in the browser.

import type { JointMove } from "../net/forms";
import type { NodeId, Player, PlayState, Version, View } from "./state";

const prefix = "tabia.";
const versionLimit = 40;
const versionBytes = 2_000_000;
const versionMost = versionBytes / 4; // of one: a single large text takes the place of all others

function read<T>(key: string, storage: () => Storage = () => localStorage): T | null {
  try {
    const text = storage().getItem(prefix + key);
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null; // no storage, or not ours
  }
}

// Room is made by dropping the oldest versions; where nothing helps, the page goes on without.
function write(key: string, value: unknown): boolean {
  const text = JSON.stringify(value);
  for (;;) {
    try {
      localStorage.setItem(prefix + key, text);
      return true;
    } catch {
      if (!dropOldestVersion()) return false;
    }
  }
}

// What a tab works on is its own: another tab goes on with something else.  A new tab begins with what was last worked on.
const readOwn = <T>(key: string): T | null => read<T>(key, () => sessionStorage) ?? read<T>(key);

function writeOwn(key: string, value: unknown): boolean {
  try {
    sessionStorage.setItem(prefix + key, JSON.stringify(value));
  } catch {
    dropOwn(key); // rather than an old one
  }
  return write(key, value);
}

function dropOwn(key: string): void {
  try {
    sessionStorage.removeItem(prefix + key);
  } catch {
    return; // there is none
  }
}

export interface SavedRules {
  name: string;
  text: string;
}

export const loadRules = (): SavedRules | null => readOwn<SavedRules>("rules");
export const saveRules = (rules: SavedRules): boolean => writeOwn("rules", rules);

export interface SavedPage {
  view: View;
  beside: boolean;
}

export const loadPage = (): SavedPage | null => readOwn<SavedPage>("page");
export const savePage = (page: SavedPage): boolean => writeOwn("page", page);

// ---- versions ----

export const loadVersions = (): Version[] => read<Version[]>("versions") ?? [];

export const loadVersionText = (id: string): string | null => read<string>(`version.${id}`);

function dropOldestVersion(): boolean {
  const list = loadVersions();
  const oldest = list.pop();
  if (!oldest) return false;
  localStorage.removeItem(`${prefix}version.${oldest.id}`);
  localStorage.setItem(`${prefix}versions`, JSON.stringify(list));
  return true;
}

// Keeps a version unless the newest of that name is the same, or it is too large; returns all, the newest first.
export function keepVersion(rules: SavedRules, now: number): Version[] {
  const list = loadVersions();
  if (rules.text.length > versionMost) return list;
  const newest = list.find((v) => v.name === rules.name);
  if (newest && loadVersionText(newest.id) === rules.text) return list;
  const version = { id: now.toString(36), name: rules.name, time: now, size: rules.text.length };
  if (!write(`version.${version.id}`, rules.text)) return loadVersions();
  write("versions", [version, ...loadVersions()]);
  while (isTooMuch(loadVersions())) dropOldestVersion();
  return loadVersions();
}

const isTooMuch = (list: Version[]): boolean =>
  list.length > versionLimit || (list.length > 1 && list.reduce((sum, v) => sum + v.size, 0) > versionBytes);

// ---- lines of play ----

interface SavedNode {
  id: NodeId;
  parent: NodeId | null;
  joint: JointMove | null;
}

export interface SavedPlay {
  text: string; // of the rules: lines of other rules mean nothing
  roles: string[];
  from: string[] | null;
  nodes: SavedNode[];
  current: NodeId;
  players: Record<string, Player>;
  layout?: string | null;
}

export const loadPlay = (): SavedPlay | null => readOwn<SavedPlay>("play");

export function savePlay(play: PlayState, text: string): boolean {
  const nodes = Object.values(play.nodes).map(({ id, parent, joint }) => ({ id, parent, joint }));
  const { roles, from, current, players, layout } = play;
  return writeOwn("play", { text, roles, from, nodes, current, players, layout } satisfies SavedPlay);
}
