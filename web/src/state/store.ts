// One value that holds all that the page shows, and who wants to know when it changes.

export interface Store<S> {
  get(): S;
  update(change: (state: S) => S): void;
  subscribe(listener: (state: S, before: S) => void): void;
}

export function createStore<S>(initial: S): Store<S> {
  let state = initial;
  const listeners: ((state: S, before: S) => void)[] = [];
  return {
    get: () => state,
    update(change) {
      const before = state;
      state = change(state);
      if (state !== before) for (const listener of listeners) listener(state, before);
    },
    subscribe(listener) {
      listeners.push(listener);
    },
  };
}
