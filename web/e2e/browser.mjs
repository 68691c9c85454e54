// Chromium with one fresh context for each case, and axe.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";
import { patience } from "./patience.mjs";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

// Random moves of the page are the same each time.
function drawTheSame() {
  let state = 1;
  Math.random = () => (state = (state * 48271) % 2147483647) / 2147483647;
}

export async function openStudio(executablePath) {
  const browser = await chromium.launch({ executablePath, headless: true, args: flags, timeout: patience });
  return {
    async newPage(url, { colorScheme = "light", viewport = { width: 1400, height: 900 } } = {}) {
      const context = await browser.newContext({ colorScheme, viewport });
      context.setDefaultTimeout(patience);
      await context.addInitScript(drawTheSame);
      const page = await context.newPage();
      page.problems = [];
      page.mayFail = false; // while the server is away
      page.on("pageerror", (error) => page.problems.push(error.message));
      page.on("console", (m) => m.type() === "error" && !page.mayFail && page.problems.push(m.text()));
      await page.goto(url);
      return page;
    },
    // Rules of axe that the view breaks, each with the first element.
    async violations(page) {
      await page.evaluate(axeSource); // by the debugger, so the page's policy need not allow it
      const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
      return violations.map((v) => `${v.id} (${v.nodes.length}): ${v.nodes[0].html.slice(0, 160)}`);
    },
    close: () => browser.close(),
  };
}
