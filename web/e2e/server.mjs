// Starts the server that the page comes from: `tabia serve`, or where the program has none, the stand-in.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { patience } from "./patience.mjs";

const standIn = new URL("stand_in.mjs", import.meta.url).pathname;

const hasServe = (tabia) => spawnSync(tabia, ["serve", "-h"]).status === 0;

// However this program ends, no server and no file of one is left.
const scratch = mkdtempSync(join(tmpdir(), "studio-"));
const children = new Set();
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(scratch, { recursive: true, force: true });
});

function start(tabia, port) {
  const env = { ...process.env, TMPDIR: scratch };
  const child = hasServe(tabia)
    ? spawn(tabia, ["serve", "--listen", `127.0.0.1:${port}`], { stdio: ["ignore", "pipe", "ignore"], env })
    : spawn(process.execPath, [standIn, tabia, port], { stdio: ["ignore", "pipe", "inherit"], env });
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

// The first line of what it says; null: it has ended.
const firstLine = (child) =>
  new Promise((done) => {
    let words = "";
    child.stdout.on("data", (piece) => {
      words += piece;
      if (words.includes("\n")) done(words);
    });
    child.once("exit", () => done(null));
  });

// A port that was free a moment ago may be taken for a while by a connection of somebody else.
export async function startServer(tabia, port = "0") {
  for (const end = performance.now() + patience; performance.now() < end; await sleep(200)) {
    const child = start(tabia, port);
    const line = await firstLine(child);
    if (line !== null) return { url: /http:\/\/\S+/.exec(line)[0], stop: () => stop(child) };
  }
  throw new Error(`no server starts at port ${port}`);
}

async function stop(child) {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
