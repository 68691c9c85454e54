// What a person does in the page: shared by tests and pictures.

export const go = (page, view) => page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: view, exact: true }).click();

export async function openGame(page, name) {
  await go(page, "Games");
  await page.locator(".card", { has: page.locator(".card-name", { hasText: new RegExp(`^${name}$`) }) }).click();
  await page.locator("svg.board, .no-board").first().waitFor();
}

export async function write(page, text) {
  await go(page, "Rules");
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}

// Waits until the language server of the page has answered.
export const isServed = (page) => page.waitForFunction(() => performance.getEntriesByName("diagnostics-shown").length > 0);

// Presses a key; the milliseconds until the mark that the page sets when diagnostics are in the editor, which the next frame
// shows.
export async function keyTime(page, key) {
  await page.evaluate(() => {
    performance.clearMarks("diagnostics-shown");
    globalThis.typed = 0;
    addEventListener("keydown", (e) => (globalThis.typed = e.timeStamp), { capture: true, once: true });
  });
  await page.keyboard.press(key);
  const shown = await page.waitForFunction(() => {
    const mark = performance.getEntriesByName("diagnostics-shown").at(-1);
    return globalThis.typed > 0 && mark ? mark.startTime - globalThis.typed : null;
  });
  return shown.jsonValue();
}

// Holds back what the language server says, from the first message on for which `isFirst` holds; `change` makes another of
// that one.  `first` waits until it has come, `letGo` passes on what was held.  For pages that are loaded after this.
export async function holdBack(page, isFirst, change = (message) => message) {
  let held = null;
  let isOver = false;
  let passOn;
  let tellFirst;
  const first = new Promise((done) => (tellFirst = done));
  await page.routeWebSocket(/\/ws\/lsp/, (socket) =>
    socket.connectToServer().onMessage((words) => {
      const message = JSON.parse(words);
      const begins = !held && !isOver && isFirst(message);
      if (begins) [held, passOn] = [[], (kept) => socket.send(kept)];
      if (held) held.push(begins ? JSON.stringify(change(message)) : words);
      else socket.send(words);
      if (begins) tellFirst();
    }),
  );
  const letGo = () => {
    isOver = true;
    for (const words of held.splice(0)) passOn(words);
    held = null;
  };
  return { first, letGo };
}

export const turn = (page, text) => page.locator(".turn-line", { hasText: text }).waitFor();
export const setPlayer = (page, role, kind) => page.getByLabel(`Who plays ${role}`).selectOption(kind);
export const cell = (page, key) => page.locator(`svg.board [data-key="${key}"]`);
// Waits until the place is said to hold something, such as a mark.
export const holds = (page, key, word) => page.locator(`svg.board [data-key="${key}"][aria-label*="${word}"]`).waitFor();
