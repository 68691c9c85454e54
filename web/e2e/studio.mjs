// End-to-end tests of the studio in Chromium, as TAP.  tests/studio starts it:
//   node web/e2e/studio.mjs TABIA CHROMIUM [PART OF THE NAMES OF CASES]
import { readFileSync } from "node:fs";
import { openStudio } from "./browser.mjs";
import { cell, go, holdBack, holds, isServed, keyTime, openGame, setPlayer, turn, write } from "./person.mjs";
import { startServer } from "./server.mjs";
import { wide } from "./wide_rules.mjs";

const [tabia, chromium, only = ""] = process.argv.slice(2);
let server = await startServer(tabia);
const studio = await openStudio(chromium);
const figures = [];
let number = 0;
let failed = 0;

// ---- what cases share ----

async function testCase(name, act, options = {}) {
  if (!name.includes(only)) return;
  const started = performance.now();
  let page = null;
  try {
    page = await studio.newPage(server.url, options);
    await act(page);
    if (page.problems.length > 0) throw new Error(page.problems.join("; "));
    console.log(`ok ${++number} - ${name} # ${((performance.now() - started) / 1000).toFixed(1)} s`);
  } catch (error) {
    failed++;
    console.log(`not ok ${++number} - ${name}`);
    for (const line of String(error.stack ?? error).split("\n").slice(0, 12)) console.log(`# ${line}`);
  }
  await page?.context().close();
}

function check(condition, message) {
  if (!condition) throw new Error(message);
}

const light = readFileSync(new URL("../src/state/initial.ts", import.meta.url), "utf8").split("`")[1];

// ---- the cases ----

await testCase("a fault is shown as it is written, and mended by one click", async (page) => {
  await write(page, light.replace("(true (light off)))\n", "(tru (light off)))\n"));
  await page.getByText("the relation tru is used but never defined").first().waitFor();
  await page.locator(".cm-lintRange").first().waitFor();
  await page.getByRole("button", { name: "Write true" }).click();
  await page.locator(".problems-head", { hasText: "Sound" }).waitFor();
});

await testCase("names are completed, found and changed everywhere", async (page) => {
  await write(page, light);
  await isServed(page);
  await page.locator(".problems-head", { hasText: "Sound" }).waitFor();
  await page.keyboard.press("Control+Home");
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowDown");
  for (let i = 0; i < 9; i++) await page.keyboard.press("ArrowRight"); // (init (li|ght off))
  await page.keyboard.press("F2");
  await page.getByLabel("light is now").fill("lamp");
  await page.keyboard.press("Enter");
  await page.getByText("light is now lamp, in 7 places").waitFor();
  await page.locator(".cm-editor.cm-focused").waitFor();
  check((await page.locator(".cm-content").textContent()).match(/lamp/g).length === 7, "not all names were changed");
  await page.keyboard.press("Control+End");
  await page.locator(".cm-line", { hasText: "(next (lamp on))" }).getByText("lamp").click({ modifiers: ["Control"] });
  await page.locator(".cm-activeLine", { hasText: "(init (lamp off))" }).waitFor();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("(<= (goal you 50) (tr");
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "true" }).waitFor();
  await page.locator(".outline button", { hasText: "terminal" }).click();
  await page.locator(".cm-activeLine", { hasText: "terminal" }).waitFor();
});

await testCase("a definition that is found late takes nobody away from where they write", async (page) => {
  const { first, letGo } = await holdBack(page, ({ result }) => Array.isArray(result) && result[0]?.uri === "file:///rules");
  await page.reload();
  await write(page, light);
  await isServed(page);
  await page.locator(".problems-head", { hasText: "Sound" }).waitFor();
  await page.locator(".cm-line", { hasText: "(next (light on))" }).getByText("light").click({ modifiers: ["Control"] });
  await page.keyboard.press("Control+End");
  await page.keyboard.type("; a note");
  await first;
  await page.evaluate(() => performance.clearMarks("diagnostics-shown"));
  letGo();
  await isServed(page); // the definition came before these findings
  await page.keyboard.type(" more");
  await page.locator(".cm-activeLine", { hasText: "; a note more" }).waitFor();
});

await testCase("what is typed while a slow, empty answer is on its way is completed, too", async (page) => {
  const { first, letGo } = await holdBack(page, ({ result }) => result?.items, (message) => ({ ...message, result: { items: [] } }));
  await page.reload();
  await write(page, light);
  await isServed(page);
  await page.locator(".problems-head", { hasText: "Sound" }).waitFor();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("(<= (goal you 50");
  await first;
  await page.keyboard.type(") (tr");
  letGo();
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "true" }).waitFor();
});

await testCase("a file is dropped on the page, and an earlier version comes back", async (page) => {
  await write(page, light);
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(["(role dropped)"], "dropped.kif", { type: "text/plain" }));
    dispatchEvent(new DragEvent("drop", { dataTransfer: data }));
  });
  await page.locator(".cm-line", { hasText: "(role dropped)" }).waitFor();
  await page.getByRole("button", { name: "Versions" }).click();
  await page.locator(".versions .button", { hasText: "light.kif" }).first().click();
  await page.locator(".cm-line", { hasText: "(role you)" }).waitFor();
});

await testCase("names with markup are words", async (page) => {
  const bad = "<img/src=x/onerror=globalThis.broken=1>";
  await write(page, light.replaceAll("light", bad).replaceAll("push", "<b>push</b>"));
  await page.locator(".file-name").fill(`${bad}.kif`);
  await page.locator(".problems-head", { hasText: "Sound" }).waitFor();
  await go(page, "Board");
  await page.locator(".chip, .square, .no-board").first().waitFor();
  await page.getByRole("button", { name: "<b>push</b>", exact: true }).first().click();
  await turn(page, "The game is over: you 100.");
  await go(page, "Analysis");
  await page.getByRole("button", { name: "Prove winnable", exact: true }).click();
  await page.locator(".verdict").first().waitFor();
  await go(page, "Inside");
  await page.locator(".relation").first().waitFor();
  check(await page.evaluate(() => globalThis.broken === undefined && !document.querySelector("img[onerror], b")), "markup was taken as such");
});

await testCase("rules are formatted, and written in the other notation and back", async (page) => {
  await write(page, "(role   you)(init (light off))(legal you push)(<= terminal (true (light on)))(<= (next (light on)) (does you push))(<= (goal you 100) (true (light on)))");
  await page.getByRole("button", { name: "To infix" }).click();
  await page.locator(".cm-line", { hasText: "role(you)." }).waitFor();
  await page.getByRole("button", { name: "To KIF" }).click();
  await page.locator(".cm-line", { hasText: "(role you)" }).waitFor();
});

await testCase("a whole game of connect four is won by clicks", async (page) => {
  await openGame(page, "connect-four");
  await setPlayer(page, "yellow", "human");
  for (const column of [1, 2, 1, 2, 1, 2, 1]) {
    await turn(page, `${column === 1 ? "red" : "yellow"} to move`);
    await cell(page, `${column} 6`).click();
  }
  await turn(page, "The game is over: red 100, yellow 0.");
  await page.locator(".square.last").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await turn(page, "red to move");
  await page.getByRole("button", { name: "Redo" }).click();
  await turn(page, "The game is over");
});

await testCase("branches stay in the tree of moves", async (page) => {
  await openGame(page, "tic-tac-toe");
  await setPlayer(page, "o", "human");
  await cell(page, "2 2").click();
  await turn(page, "o to move");
  await page.getByRole("button", { name: "Undo" }).click();
  await turn(page, "x to move");
  await cell(page, "1 1").click();
  await turn(page, "o to move");
  await page.locator(".branch").nth(1).waitFor();
  await page.locator(".node", { hasText: "(place 2 2)" }).click();
  await holds(page, "2 2", "x");
  await page.getByRole("button", { name: "Random move", exact: true }).click();
  await page.locator(".node").nth(3).waitFor();
});

await testCase("a click that makes no move is explained, and so is a legal one", async (page) => {
  await openGame(page, "tic-tac-toe");
  await setPlayer(page, "o", "human");
  await cell(page, "2 2").click();
  await turn(page, "o to move");
  await cell(page, "2 2").click({ force: true });
  await page.getByRole("button", { name: "Why not?" }).click();
  await page.locator(".why", { hasText: "no: (legal o (place 2 2)) does not hold" }).waitFor();
  await page.locator(".all-moves summary").click();
  await page.getByRole("button", { name: "Why is (place 1 1) legal?" }).click();
  await page.locator(".why", { hasText: "yes: (legal o (place 1 1)) holds" }).waitFor();
});

await testCase("who plays a game of hidden information sees no more than the role", async (page) => {
  await openGame(page, "dark-tic-tac-toe");
  await setPlayer(page, "o", "random");
  await page.getByLabel("Shown").selectOption("x");
  await page.locator('svg.board .target[data-key="2 2"]').click();
  await page.locator(".percepts", { hasText: "(yours 2 2)" }).waitFor();
  await turn(page, "x to move");
  check((await page.locator("svg.board .piece, svg.board .stroke, svg.board .open").count()) === 0, "marks are shown");
  await page.getByLabel("Shown").selectOption("");
  await page.locator("svg.board .stroke").first().waitFor();
});

await testCase("a layout is corrected by hand", async (page) => {
  await openGame(page, "tic-tac-toe");
  await page.getByRole("button", { name: "Layout…" }).click();
  const text = await page.locator("dialog textarea:enabled").inputValue();
  check(text.includes("(columns 1 2 3)"), text);
  await page.locator("dialog textarea").fill("(columns");
  await page.getByRole("button", { name: "Draw it so" }).click();
  await page.locator("dialog .said", { hasText: "this is not KIF" }).waitFor();
  await cell(page, "3 1").waitFor();
  await page.locator("dialog textarea").fill(text.replace("(columns 1 2 3)", "(columns 3 2 1)"));
  await page.getByRole("button", { name: "Draw it so" }).click();
  await page.waitForFunction(() => {
    const x = (key) => document.querySelector(`svg.board [data-key="${key}"]`)?.getBoundingClientRect().x;
    return x("3 1") < x("1 1");
  });
});

await testCase("a piece of chess is moved by the keyboard alone", async (page) => {
  await openGame(page, "chess");
  await setPlayer(page, "black", "human");
  await cell(page, "a 1").focus();
  for (const key of ["ArrowUp", "ArrowRight", "ArrowRight", "Enter", "ArrowUp", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await turn(page, "black to move");
  await holds(page, "c 4", "pawn");
  const draws = await page.evaluate(() => performance.getEntriesByName("draw").map((d) => d.duration));
  figures.push(["chess redrawn, most of all draws, ms", Math.max(...draws.slice(5)).toFixed(1)]);
});

await testCase("a game is solved, and each move shows what it is worth", async (page) => {
  await openGame(page, "tic-tac-toe");
  await setPlayer(page, "o", "human");
  await cell(page, "1 1").click();
  await turn(page, "o to move");
  await page.getByRole("button", { name: "Solve this game" }).click();
  await page.getByText("5\u2009478 states are solved.").waitFor();
  await page.getByText("x 50, o 50 in 8 steps").waitFor();
  const moves = await page.locator(".worths li").allTextContents();
  check(moves.length === 8 && moves[0] === "(place 2 2)50 in 8 steps" && moves[1].endsWith("0 in 6 steps"), moves.join("; "));
  await page.locator('.square.good[data-key="2 2"]').waitFor();
  check((await page.locator(".square.bad").count()) === 7, "seven moves give value away");
  await page.locator(".worths").getByRole("button", { name: "(place 1 2)" }).click();
  await page.getByText("x 100, o 0 in 5 steps").waitFor();
  await page.getByRole("button", { name: "New game" }).click();
  await page.getByText("x 50, o 50 in 9 steps").waitFor();
});

await testCase("who does not wait for a game to be solved plays on", async (page) => {
  await openGame(page, "chess");
  await page.getByRole("button", { name: "Solve this game" }).click();
  await page.getByText(/Solving… states of depth/).waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.locator("#exact-title ~ .failed", { hasText: "the game was not solved" }).waitFor();
  await cell(page, "e 2").click();
  await cell(page, "e 4").click();
  await turn(page, "black");
});

await testCase("engines play each other to the end", async (page) => {
  await openGame(page, "tic-tac-toe");
  for (const role of ["x", "o"]) {
    await setPlayer(page, role, "engine");
    await page.getByLabel(`Seconds a move of ${role}`).fill("20");
    await page.getByLabel(`Seconds a move of ${role}`).blur();
  }
  await turn(page, "The game is over: x 50, o 50.");
});

await testCase("moves at the same time stay hidden until all have chosen", async (page) => {
  await openGame(page, "rock-paper-scissors");
  const roles = await page.locator(".role").allTextContents();
  for (const role of roles) await setPlayer(page, role, "human");
  await turn(page, `${roles[0]} chooses`);
  await page.locator(".move-buttons .button:visible").first().click();
  await turn(page, `${roles[1]} chooses`);
  await page.locator(".player .badge", { hasText: "has chosen" }).waitFor();
  check((await page.locator(".node").count()) === 1, "a move is shown");
  await page.locator(".move-buttons .button:visible").first().click();
  await page.locator(".node").nth(1).waitFor();
});

await testCase("who takes over a role from an engine chooses for it", async (page) => {
  await openGame(page, "rock-paper-scissors");
  const [, second] = await page.locator(".role").allTextContents();
  await page.locator(".player .badge", { hasText: "has chosen" }).waitFor();
  await setPlayer(page, second, "human");
  await page.locator(".player .badge").waitFor({ state: "detached" });
  await page.locator(".move-buttons .button:visible").first().click();
  await turn(page, `${second} chooses`);
});

await testCase("a witness is found and stepped through on the board", async (page) => {
  await openGame(page, "tic-tac-toe");
  await go(page, "Analysis");
  await page.getByRole("button", { name: "Prove winnable", exact: true }).click();
  await page.getByRole("button", { name: "Step through on the board" }).first().click();
  await page.locator(".node").nth(5).waitFor();
  await page.getByRole("button", { name: "Redo" }).click();
  await page.locator(".node.current", { hasText: "1" }).waitFor();
  await page.getByRole("button", { name: "Last position of this line" }).click();
  await turn(page, "The game is over: x 100");
});

await testCase("a certificate is downloaded and accepted, a false one is rejected", async (page) => {
  await openGame(page, "tic-tac-toe");
  await go(page, "Analysis");
  await page.getByRole("button", { name: "Prove winnable", exact: true }).click();
  await page.getByRole("button", { name: "Certificate of winnable" }).waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Certificate of winnable" }).click()]);
  const certificate = readFileSync(await download.path());
  const upload = (name, text) => page.locator(".panel input[type=file]").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await upload("right.cert", certificate);
  await page.locator(".certificate-check .badge", { hasText: "accepted" }).waitFor();
  await upload("false.cert", "(property winnable x)\n(line ((place 1 1) noop) (noop (place 2 2)))\n");
  await page.locator(".certificate-check .badge", { hasText: "rejected" }).waitFor();
});

await testCase("an own invariant is proved", async (page) => {
  await openGame(page, "tic-tac-toe");
  await go(page, "Analysis");
  await page.getByLabel("Formula", { exact: true }).fill("(or (not (mark ?x ?y x)) (not (mark ?x ?y o)))");
  await page.keyboard.press("Enter");
  await page.locator('[data-property^="invariant"] .badge', { hasText: "proved" }).waitFor();
});

await testCase("groups that were proved are drawn on the board", async (page) => {
  await openGame(page, "breakthrough-6");
  await go(page, "Analysis");
  await page.getByRole("button", { name: "Prove mutex", exact: true }).click();
  await page.locator(".groups summary").click();
  await page.getByRole("button", { name: "Draw them on the board" }).click();
  await page.locator(".group-bar", { hasText: "group 1 of" }).waitFor();
  const groups = Number(/of (\d+)/.exec(await page.locator(".group-bar").textContent())[1]);
  for (let i = 2; i <= groups && (await page.locator(".square.marked").count()) === 0; i++) {
    await page.getByRole("button", { name: "Next group" }).click();
    await page.locator(".group-bar", { hasText: `group ${i} of` }).waitFor();
  }
  await page.locator(".square.marked").first().waitFor();
});

await testCase("the options of abstract decide what it proves", async (page) => {
  await openGame(page, "tic-tac-toe");
  await go(page, "Analysis");
  await page.getByLabel("Method").selectOption("abstract");
  await page.getByRole("button", { name: "Prove playable", exact: true }).click();
  await page.locator('[data-property="playable"] .badge', { hasText: "proved" }).waitFor();
  for (const name of ["not terminal", "reachable", "mutexes"]) await page.getByLabel(name).uncheck({ force: true });
  await page.getByRole("button", { name: "Again playable" }).click();
  await page.locator('[data-property="playable"] .badge', { hasText: "unknown" }).waitFor();
});

await testCase("a report has plots, the inside a graph that leads to rules", async (page) => {
  await openGame(page, "tic-tac-toe");
  await go(page, "Report");
  await page.locator(".plots .plot").nth(4).waitFor();
  await go(page, "Inside");
  await page.locator(".relation", { hasText: "some-line" }).first().click();
  await page.locator(".cm-activeLine", { hasText: "some-line" }).waitFor();
  await page.getByRole("tab", { name: "Ground rules" }).click();
  await page.locator(".listing", { hasText: "(<=" }).waitFor();
  await page.getByRole("tab", { name: "C", exact: true }).click();
  await page.locator(".listing", { hasText: "#include" }).waitFor();
});

await testCase("a reload in the middle loses neither rules nor moves", async (page) => {
  await openGame(page, "connect-four");
  await setPlayer(page, "yellow", "human");
  await cell(page, "3 6").click();
  await turn(page, "yellow to move");
  await cell(page, "4 6").click();
  await turn(page, "red to move");
  await page.reload();
  await page.locator(".node").nth(2).waitFor();
  await holds(page, "3 1", "red");
});

await testCase("each tab goes on with its own game", async (page) => {
  await openGame(page, "tic-tac-toe");
  await setPlayer(page, "o", "human");
  await cell(page, "2 2").click();
  await turn(page, "o to move");
  const other = await page.context().newPage();
  await other.goto(server.url);
  await openGame(other, "connect-four");
  await page.reload();
  await holds(page, "2 2", "x");
  await turn(page, "o to move");
});

await testCase("a game that opens late does not take the place of the one that was opened after it", async (page) => {
  let letGo;
  const held = new Promise((done) => (letGo = done));
  let count = 0;
  await page.routeWebSocket(/\/ws\/session/, (socket) => {
    const isFirst = count++ === 0;
    socket.connectToServer().onMessage(async (words) => {
      if (isFirst) await held;
      socket.send(words);
    });
  });
  await page.reload();
  await go(page, "Games");
  await page.locator(".card", { hasText: "connect-four" }).click();
  await page.getByText("Drawing the board…").waitFor();
  await openGame(page, "nim");
  letGo();
  await page.getByRole("button", { name: "Random move", exact: true }).click();
  await page.locator(".node").nth(1).waitFor();
  check((await page.locator(".role").allTextContents()).join() === "first,second", "another game is played");
});

await testCase("a file that is too large is refused in words, and takes the place of nothing", async (page) => {
  await write(page, light);
  const open = (name, size) => page.locator(".rules input[type=file]").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.alloc(size, "(role you)\n") });
  await open("vast.kif", 5_000_000);
  await page.getByText("vast.kif is too large").waitFor();
  await open("large.kif", 1_000_000);
  await page.getByText("large.kif is open").waitFor();
  await page.getByRole("button", { name: "New", exact: true }).click();
  await page.getByRole("button", { name: "Versions" }).click();
  await page.locator(".versions .button", { hasText: "light.kif" }).waitFor();
  check((await page.locator(".versions .button").count()) === 1, "the large file is kept");
});

await testCase("the server goes and comes back, and play goes on", async (page) => {
  await openGame(page, "tic-tac-toe");
  await setPlayer(page, "o", "human");
  await cell(page, "2 2").click();
  await turn(page, "o to move");
  const { port } = new URL(server.url);
  page.mayFail = true;
  await server.stop();
  await go(page, "Rules");
  await page.locator(".cm-content").click();
  await page.keyboard.type(" ");
  await page.keyboard.press("Backspace");
  await page.getByRole("alert").filter({ hasText: "does not answer" }).waitFor();
  server = await startServer(tabia, port);
  await page.getByText("The server is back").waitFor();
  await go(page, "Board");
  await page.locator(".node").nth(1).waitFor();
  await holds(page, "2 2", "x");
  await cell(page, "1 1").click();
  await turn(page, "x to move");
});

await testCase("the server goes while one looks at the board, and play goes on by itself", async (page) => {
  await openGame(page, "tic-tac-toe");
  await setPlayer(page, "o", "human");
  const { port } = new URL(server.url);
  page.mayFail = true;
  await server.stop();
  await page.getByRole("alert").filter({ hasText: "does not answer" }).waitFor();
  server = await startServer(tabia, port);
  await page.getByText("The server is back").waitFor();
  await cell(page, "2 2").click();
  await turn(page, "o to move");
});

// Presses Tab until what has the focus is called so.
async function tabTo(page, name, key = "Tab") {
  for (let i = 0; i < 120; i++) {
    await page.keyboard.press(key);
    const there = await page.evaluate(() => {
      const e = document.activeElement;
      return [e.labels?.[0]?.textContent, e.getAttribute("aria-label"), e.getAttribute("placeholder"), e.querySelector(".card-name")?.textContent, e.textContent].find(Boolean) ?? "";
    });
    if (there.startsWith(name)) return;
  }
  throw new Error(`no way by Tab to ${name}`);
}

await testCase("by the keyboard alone a game is found, played to its end, and proved", async (page) => {
  await page.locator(".card").first().waitFor();
  await tabTo(page, "Find a game");
  await page.keyboard.type("tic-tac-toe");
  await tabTo(page, "tic-tac-toe");
  await page.keyboard.press("Enter");
  await turn(page, "x to move");
  await tabTo(page, "Who plays o");
  await page.keyboard.type("Random");
  await tabTo(page, "1, 1: empty", "Shift+Tab");
  const snake = ["Enter", "ArrowRight", "Enter", "ArrowRight", "Enter", "ArrowDown", "Enter", "ArrowLeft", "Enter", "ArrowLeft", "Enter", "ArrowDown", "Enter", "ArrowRight", "Enter", "ArrowRight", "Enter"];
  for (const key of snake) {
    const steps = await page.locator(".node").count();
    const isOver = (await page.locator(".turn-line").textContent()).includes("over");
    const isMove = key === "Enter" && !isOver && (await page.evaluate(() => document.activeElement.getAttribute("aria-label")?.includes("empty")));
    await page.keyboard.press(key);
    if (isMove) await page.locator(".node").nth(steps).waitFor();
    await page.locator(".turn-line", { hasText: /x to move|over/ }).waitFor();
  }
  await turn(page, "The game is over");
  await tabTo(page, "Analysis", "Shift+Tab");
  await page.keyboard.press("Enter");
  await tabTo(page, "Prove terminates");
  await page.keyboard.press("Enter");
  await page.locator('[data-property="terminates"] .badge', { hasText: "proved" }).waitFor();
});

await testCase("a state that is pasted is played from", async (page) => {
  await openGame(page, "tic-tac-toe");
  await page.getByRole("button", { name: "State…" }).click();
  await page.locator("textarea").fill("(control o) (mark 1 1 queen)");
  await page.getByRole("button", { name: "Set up this state" }).click();
  await page.locator("dialog .said", { hasText: "queen" }).waitFor();
  await page.locator("textarea").fill("(control o) (mark 1 1 x) (mark 2 2 x)");
  await page.getByRole("button", { name: "Set up this state" }).click();
  await page.locator(".node", { hasText: "pasted state" }).waitFor();
  await holds(page, "2 2", "x");
});

await testCase("diagnostics of 100 kB of rules come as one types", async (page) => {
  await go(page, "Rules");
  const buffer = Buffer.from(wide(100_000));
  await page.locator(".rules input[type=file]").setInputFiles({ name: "wide.kif", mimeType: "text/plain", buffer });
  await page.locator(".cm-line", { hasText: "(at 0)" }).first().waitFor();
  await page.locator(".cm-content").click();
  await page.locator(".problems-head", { hasText: "Sound" }).waitFor();
  await page.waitForTimeout(300);
  const times = [];
  for (const key of ["x", "Backspace", "x", "Backspace", "x"]) {
    times.push(await keyTime(page, key));
    await page.waitForTimeout(250);
  }
  figures.push(["from keystroke to diagnostics, 100 kB of rules, median ms", times.sort((a, b) => a - b)[2].toFixed(0)]);
});

await testCase("the first view is there at once", async (page) => {
  await page.locator(".card").first().waitFor();
  const { first, script } = await page.evaluate(() => ({
    first: performance.getEntriesByName("first-view")[0].startTime,
    script: performance.getEntriesByType("resource").filter((r) => /app\.(js|css)/.test(r.name)).reduce((sum, r) => sum + r.encodedBodySize, 0),
  }));
  check(script < 1_000_000, `script and style are ${script} bytes`);
  figures.push(["first view, ms", first.toFixed(0)], ["script and style as sent, bytes", String(script)]);
});

const prepare = {
  Games: (page) => page.locator(".card").first().waitFor(),
  Rules: (page) => page.locator(".problems-head strong").waitFor(),
  Board: (page) => page.locator("svg.board").first().waitFor(),
  Analysis: async (page) => {
    await page.getByRole("button", { name: "Prove winnable", exact: true }).click();
    await page.locator(".verdict").first().waitFor();
  },
  Report: (page) => page.locator(".plots .plot").nth(4).waitFor(),
  Inside: (page) => page.locator(".relation").first().waitFor(),
};

const wideScreen = { width: 1400, height: 900 };
const phone = { width: 390, height: 844 };

// What axe finds in the view as it is now, and whether it is wider than the screen.
async function faultsOf(page, what, viewport) {
  const wrong = (await studio.violations(page)).map((found) => `${what}: ${found}`);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  return width > viewport.width ? [...wrong, `${what} is ${width} wide`] : wrong;
}

async function faultsOfDialogs(page, viewport) {
  const wrong = [];
  await go(page, "Board");
  for (const name of ["State…", "Layout…"]) {
    await page.getByRole("button", { name }).click();
    await page.locator("dialog[open] textarea:enabled").waitFor();
    wrong.push(...(await faultsOf(page, name, viewport)));
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
  }
  return wrong;
}

// Positions of several kinds: hidden information, moves at the same time, an end.
async function faultsOfGames(page, viewport) {
  const wrong = [];
  for (const game of ["dark-tic-tac-toe", "simultaneous-tic-tac-toe", "nim"]) {
    await openGame(page, game);
    await page.getByRole("button", { name: "×10 random moves" }).click();
    await page.locator(".node").nth(2).waitFor();
    wrong.push(...(await faultsOf(page, game, viewport)));
  }
  return wrong;
}

for (const colorScheme of ["light", "dark"])
  for (const viewport of [wideScreen, phone])
    await testCase(`axe finds nothing in any view, ${colorScheme}, ${viewport.width} wide`, async (page) => {
      const wrong = [];
      await openGame(page, "tic-tac-toe");
      for (const view of Object.keys(prepare)) {
        await go(page, view);
        await prepare[view](page);
        wrong.push(...(await faultsOf(page, view, viewport)));
      }
      wrong.push(...(await faultsOfDialogs(page, viewport)), ...(await faultsOfGames(page, viewport)));
      check(wrong.length === 0, wrong.join("\n"));
    }, { colorScheme, viewport });

for (const [what, value] of figures) console.log(`# ${what}: ${value}`);
console.log(`1..${number}`);
await studio.close();
await server.stop();
process.exit(failed > 0 ? 1 : 0);
