// The one store of the page, and the smallest changes that all actions need.

import { initialState } from "./initial";
import type { PlayState, State, View } from "./state";
import { createStore } from "./store";

export const store = createStore<State>(initialState());

export const setState = (part: Partial<State>): void => store.update((s) => ({ ...s, ...part }));

export const setPlay = (part: Partial<PlayState>): void =>
  store.update((s) => ({ ...s, play: { ...s.play, ...part } }));

// Says something to everyone, by the line at the bottom and by screen readers.
export const say = (text: string): void =>
  store.update((s) => ({ ...s, notice: { text, serial: s.notice.serial + 1 } }));

export function show(view: View): void {
  if (location.hash !== `#${view}`) location.hash = view;
  if (store.get().view !== view) setState({ view });
}
