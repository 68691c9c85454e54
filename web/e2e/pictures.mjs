// Pictures of every view, to be looked at; docs/studio has the four of the README:
//   node web/e2e/pictures.mjs TABIA CHROMIUM FOLDER [PART OF THE NAMES]
//   node web/e2e/pictures.mjs TABIA CHROMIUM docs/studio readme
import { mkdirSync, writeFileSync } from "node:fs";
import { openStudio } from "./browser.mjs";
import { startServer } from "./server.mjs";
import { cell, go, openGame, setPlayer, turn } from "./person.mjs";

const [tabia, chromium, folder, only = ""] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const server = await startServer(tabia);
const studio = await openStudio(chromium);

const playChess = async (page) => {
  await openGame(page, "chess");
  for (const role of ["white", "black"]) await setPlayer(page, role, "human");
  for (const [from, to, next] of [["e 2", "e 4", "black"], ["e 7", "e 5", "white"], ["g 1", "f 3", "black"], ["b 8", "c 6", "white"], ["f 1", "b 5", "black"]]) {
    await cell(page, from).click();
    await cell(page, to).click();
    await turn(page, `${next} to move`);
  }
  await cell(page, "a 7").click();
};

const winConnectFour = async (page) => {
  await openGame(page, "connect-four");
  await setPlayer(page, "yellow", "human");
  for (const column of [4, 3, 4, 3, 4, 3, 4]) {
    await turn(page, `${column === 4 ? "red" : "yellow"} to move`);
    await cell(page, `${column} 6`).click();
  }
  await turn(page, "The game is over");
};

const proveAll = async (page) => {
  await openGame(page, "tic-tac-toe");
  await go(page, "Analysis");
  await page.getByRole("button", { name: "Prove all" }).click();
  await page.getByRole("button", { name: "Prove all" }).waitFor({ timeout: 60_000 });
};

const stepWitness = async (page) => {
  await proveAll(page);
  await page.getByRole("button", { name: "Step through on the board" }).first().click();
  await page.getByRole("button", { name: "Last position of this line" }).click();
  await turn(page, "The game is over");
};

const report = async (page) => {
  await openGame(page, "connect-four");
  await go(page, "Report");
  await page.locator(".plots .plot").nth(4).waitFor({ timeout: 60_000 });
  await page.waitForTimeout(4000);
};

const inside = (tab) => async (page) => {
  await openGame(page, "tic-tac-toe");
  await go(page, "Inside");
  await page.getByRole("tab", { name: tab, exact: true }).click();
  await page.locator(".graph, .listing, .figures").first().waitFor();
};

const fault = async (page) => {
  await go(page, "Rules");
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("\n(<= (legal you jump)\n  (tru (light off))\n  (not (true (light ?x))))\n");
  await page.locator(".problems li").first().waitFor();
};

const play = (game, moves = 0) => async (page) => {
  await openGame(page, game);
  for (let i = 0; i < moves; i++) {
    const steps = await page.locator(".node").count();
    await page.getByRole("button", { name: "Random move", exact: true }).click();
    await page.locator(".node").nth(steps).waitFor();
  }
};

const gallery = async (page) => {
  await page.locator(".card").first().waitFor();
  await page.waitForTimeout(5000);
};

const pictures = {
  games: gallery,
  rules: fault,
  chess: playChess,
  "connect-four": winConnectFour,
  analysis: proveAll,
  witness: stepWitness,
  report,
  graph: inside("Dependencies"),
  frame: inside("Frame rules"),
  ground: inside("Ground rules"),
  circuit: inside("Circuit"),
  c: inside("C"),
  "gdl-ii": play("kuhn-poker", 2),
  "dark-tic-tac-toe": play("dark-tic-tac-toe", 3),
  simultaneous: play("simultaneous-tic-tac-toe", 2),
  "rock-paper-scissors": play("rock-paper-scissors"),
  tron: play("tron", 4),
  hex: play("hex-5", 6),
  hanoi: play("towers-of-hanoi", 3),
  "blocks-world": play("blocks-world", 1),
};

// In the README, with the looks that each is shown in.
const readme = { "games-light": true, "chess-light": true, "analysis-dark": true, "report-light": true };

const wide = { width: 1400, height: 900 };
const phone = { width: 390, height: 844 };
const looks = { light: ["light", wide], dark: ["dark", wide], phone: ["light", phone], "dark-phone": ["dark", phone] };

// Chromium makes the smaller file: a page of text and boards takes half of a PNG.
async function asWebP(png) {
  const page = await studio.newPage("about:blank");
  const url = await page.evaluate(async (bytes) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))]));
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.86);
  }, png.toString("base64"));
  await page.context().close();
  return Buffer.from(url.split(",")[1], "base64");
}

for (const [name, act] of Object.entries(pictures)) {
  for (const [look, [colorScheme, viewport]] of Object.entries(looks)) {
    const file = `${name}-${look}`;
    if (only === "readme" ? !readme[file] : !file.includes(only)) continue;
    const page = await studio.newPage(server.url, { colorScheme, viewport });
    await act(page).catch((error) => console.log(`${file}: ${String(error).split("\n")[0]}`));
    const picture = await page.screenshot();
    if (only === "readme") writeFileSync(`${folder}/${file}.webp`, await asWebP(picture));
    else writeFileSync(`${folder}/${file}.png`, picture);
    if (page.problems.length > 0) console.log(`${file}: ${page.problems.join("; ")}`);
    await page.context().close();
  }
}
await studio.close();
await server.stop();
