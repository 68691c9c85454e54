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

export const turn = (page, text) => page.locator(".turn-line", { hasText: text }).waitFor();
export const setPlayer = (page, role, kind) => page.getByLabel(`Who plays ${role}`).selectOption(kind);
export const cell = (page, key) => page.locator(`svg.board [data-key="${key}"]`);
// Waits until the place is said to hold something, such as a mark.
export const holds = (page, key, word) => page.locator(`svg.board [data-key="${key}"][aria-label*="${word}"]`).waitFor();
