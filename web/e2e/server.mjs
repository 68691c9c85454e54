// Starts the server that the page comes from: `tabia serve`, or where the program has none, the stand-in.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";

const standIn = new URL("stand_in.mjs", import.meta.url).pathname;

const hasServe = (tabia) => spawnSync(tabia, ["serve", "-h"]).status === 0;

export async function startServer(tabia, port = "0") {
  const child = hasServe(tabia)
    ? spawn(tabia, ["serve", "--listen", `127.0.0.1:${port}`], { stdio: ["ignore", "pipe", "ignore"] })
    : spawn(process.execPath, [standIn, tabia, port], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(child.stdout, "data");
  child.stdout.resume();
  const url = /http:\/\/\S+/.exec(String(line))[0];
  return {
    url,
    async stop() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
