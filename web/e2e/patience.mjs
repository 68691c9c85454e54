// How long a test waits for what comes at once unless the machine stalls, in milliseconds: only against waiting for ever.
export const patience = 100_000;
