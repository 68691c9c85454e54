// How fast the page is, in Chromium, as rows of a table: bench/studio runs it.
//   node web/e2e/figures.mjs TABIA CHROMIUM
import { openStudio } from "./browser.mjs";
import { go, keyTime, openGame, setPlayer } from "./person.mjs";
import { startServer } from "./server.mjs";
import { wide } from "./wide_rules.mjs";

const [tabia, chromium] = process.argv.slice(2);
const server = await startServer(tabia);
const studio = await openStudio(chromium);
const rounds = 15;

const sorted = (values) => [...values].sort((a, b) => a - b);
const middle = (values) => sorted(values)[Math.floor(values.length / 2)];
const most = (values) => Math.max(...values);
const row = (what, bound, values, unit = "ms") =>
  console.log(`| ${what} | ${middle(values).toFixed(1)} ${unit} | ${most(values).toFixed(1)} ${unit} | ${bound} |`);

// ---- the first view, by a browser that has nothing of it ----

async function firstView() {
  const page = await studio.newPage(server.url);
  await page.locator(".card").first().waitFor();
  const times = await page.evaluate(() => ({
    drawn: performance.getEntriesByName("first-view")[0].startTime,
    painted: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
    bytes: performance.getEntriesByType("navigation")[0].encodedBodySize
      + performance.getEntriesByType("resource").filter((r) => /app\.(js|css)|icon\.svg/.test(r.name)).reduce((sum, r) => sum + r.encodedBodySize, 0),
  }));
  await page.context().close();
  return times;
}

async function measureFirstView() {
  const views = [];
  for (let i = 0; i < 5; i++) views.push(await firstView());
  row("first view, drawn", "1 s", views.map((v) => v.drawn));
  row("first view, first contentful paint", "1 s", views.map((v) => v.painted));
  row("page as sent, compressed", "1 MB", views.map((v) => v.bytes / 1000), "kB");
}

// ---- from a keystroke to findings in the editor ----

async function measureKeys(what, text) {
  const page = await studio.newPage(server.url);
  await go(page, "Rules");
  await page.locator(".rules input[type=file]").setInputFiles({ name: "wide.kif", mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.locator(".cm-content").click();
  await page.locator(".problems-head", { hasText: "Sound" }).waitFor();
  await page.waitForTimeout(1500);
  const times = [];
  for (let i = 0; i < 2 * rounds; i++) {
    times.push(await keyTime(page, i % 2 ? "Backspace" : "x"));
    await page.waitForTimeout(400);
  }
  row(what, "100 ms", times);
  await page.context().close();
}

// ---- a board that changes ----

// Processor time of the page's thread in script, style and layout, from one click to the next: a click on a piece draws the
// board once, a move three times (the choice, the move, the position).
async function measureRedraw() {
  const page = await studio.newPage(server.url);
  await openGame(page, "chess");
  for (const role of ["white", "black"]) await setPlayer(page, role, "human");
  await page.waitForTimeout(500);
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const spent = async () => {
    const { metrics } = await client.send("Performance.getMetrics");
    return ["ScriptDuration", "RecalcStyleDuration", "LayoutDuration"].reduce((sum, name) => sum + metrics.find((m) => m.name === name).value * 1000, 0);
  };
  const clicks = ["e 2", "e 4", "e 7", "e 5", "g 1", "f 3", "b 8", "c 6", "f 1", "b 5", "a 7", "a 6", "b 5", "c 6", "d 7", "c 6", "b 1", "c 3", "f 7", "f 6", "d 2", "d 4"];
  const times = [];
  for (const key of clicks) {
    await page.evaluate(() => performance.clearMeasures("draw"));
    const before = await spent();
    await page.evaluate((k) => document.querySelector(`svg.board [data-key="${k}"]`).dispatchEvent(new MouseEvent("click", { bubbles: true })), key);
    await page.waitForTimeout(400);
    const after = await spent();
    times.push((after - before) / (await page.evaluate(() => performance.getEntriesByName("draw").length)));
  }
  row("chess redrawn: script, style and layout of a draw, processor time", "16 ms", times);
  await page.context().close();
}

console.log("| what | median | most | bound |\n| --- | --- | --- | --- |");
await measureFirstView();
await measureKeys("keystroke to findings, 100 kB of rules", wide(100_000));
await measureRedraw();
await studio.close();
await server.stop();
