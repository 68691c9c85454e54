// A stand-in for `tabia serve`, with the protocol of docs/serve.md and none of its guards: for work on the page alone.
//   node web/e2e/stand_in.mjs TABIA [PORT]
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [tabia, port = "0"] = process.argv.slice(2);
const dist = new URL("../dist/", import.meta.url).pathname;
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const types = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml" };

const run = (args, input = "", cwd = undefined) =>
  new Promise((done) => {
    const child = execFile(tabia, args, { maxBuffer: 1e9, cwd }, (error, out, err) => done({ status: error?.code ?? 0, out, err }));
    child.stdin.on("error", () => undefined); // a command that does not read it
    child.stdin.end(input);
  });

async function answer(request, response) {
  const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
  const send = (type, body, status = 200) => {
    response.writeHead(status, { "Content-Type": `${type}; charset=utf-8`, "Content-Security-Policy": policy });
    response.end(body);
  };
  if (path === "/health") return send("application/json", '{"status":"ok"}');
  if (path === "/api/info") return send("application/json", JSON.stringify({ version: "0", job_commands: [], session: true, lsp: false, why: false }));
  if (path === "/api/games") {
    const { games } = JSON.parse((await run(["games", "--json"])).out);
    return send("application/json", JSON.stringify({ games: games.map((g) => ({ name: g.game ?? g.name, title: g.title ?? g.summary })) }));
  }
  const game = /^\/api\/games\/(.*?)(\.svg)?$/.exec(path);
  if (game?.[2]) return send("image/svg+xml", (await run(["board", "--random", "8", "--svg", "-", game[1]])).out);
  if (game) return send("text/plain", (await run(["games", game[1]])).out);
  const file = path === "/" ? "index.html" : path.slice(1);
  try {
    return send(types[file.split(".").pop()] ?? "text/plain", readFileSync(dist + file));
  } catch {
    return send("text/plain", "not found", 404);
  }
}

// ---- WebSockets, as far as a browser needs them ----

function upgrade(request, socket) {
  const key = createHash("sha1").update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`);
  const send = (object) => socket.writable && socket.write(frame(Buffer.from(JSON.stringify(object))));
  const close = () => socket.writable && socket.end(Buffer.from([0x88, 0]));
  const isJob = request.url.startsWith("/ws/job");
  const handler = isJob ? job(send, close) : session(send);
  let bytes = Buffer.alloc(0);
  let text = [];
  socket.on("data", (data) => {
    bytes = Buffer.concat([bytes, data]);
    for (let f = unframe(bytes); f; f = unframe(bytes)) {
      bytes = bytes.subarray(f.end);
      if (f.kind === 8) return socket.end(Buffer.from([0x88, 0]));
      text.push(f.payload);
      if (f.isLast) handler.message(JSON.parse(Buffer.concat(text.splice(0)).toString()));
    }
  });
  socket.on("error", () => undefined);
  socket.on("close", () => handler.closed());
}

function frame(payload) {
  const n = payload.length;
  const head = n < 126 ? Buffer.from([0x81, n]) : n < 65536 ? Buffer.from([0x81, 126, n >> 8, n & 255]) : Buffer.alloc(10);
  if (n >= 65536) {
    head[0] = 0x81;
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(n), 2);
  }
  return Buffer.concat([head, payload]);
}

function unframe(b) {
  if (b.length < 2) return null;
  let n = b[1] & 127;
  let at = 2;
  if (n === 126) [n, at] = [b.length >= 4 ? b.readUInt16BE(2) : Infinity, 4];
  else if (n === 127) [n, at] = [b.length >= 10 ? Number(b.readBigUInt64BE(2)) : Infinity, 10];
  if (b.length < at + 4 + n) return null;
  const mask = b.subarray(at, at + 4);
  const payload = Buffer.from(b.subarray(at + 4, at + 4 + n)).map((byte, i) => byte ^ mask[i & 3]);
  return { kind: b[0] & 15, isLast: (b[0] & 128) !== 0, payload, end: at + 4 + n };
}

function job(send, close) {
  let child = null;
  return {
    message({ command, rules, name, files = {} }) {
      const folder = mkdtempSync(join(tmpdir(), "stand-in-"));
      writeFileSync(join(folder, name), rules);
      for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
      const started = performance.now();
      child = spawn(tabia, [...command, name], { cwd: folder });
      child.stdout.setEncoding("utf8").on("data", (out) => send({ out }));
      child.stderr.setEncoding("utf8").on("data", (err) => send({ err }));
      child.on("close", (status) => {
        for (const file of readdirSync(folder)) if (file !== name && !(file in files)) send({ file, text: readFileSync(join(folder, file), "utf8") });
        rmSync(folder, { recursive: true });
        send({ status: status ?? 4, seconds: (performance.now() - started) / 1000, stopped: null });
        close();
      });
    },
    closed: () => child?.kill("SIGKILL"),
  };
}

function session(send) {
  const folder = mkdtempSync(join(tmpdir(), "stand-in-"));
  const rules = join(folder, "game.kif");
  let thinking = null;
  let queue = Promise.resolve();
  const place = ({ after = [], state }) => [...(state ? ["--from", state] : []), ...(after.length ? ["--after", after.map((j) => j.join(" ")).join("\n")] : [])];
  const methods = {
    async open(params) {
      writeFileSync(rules, params.rules);
      const check = JSON.parse((await run(["check", "--json", rules])).out);
      const info = check.ok ? JSON.parse((await run(["info", "--json", rules])).out) : null;
      const hidden = info?.relations.some((r) => r.relation === "sees" && r.rules + r.facts > 0) ?? false;
      return { playable: check.ok, diagnostics: check.diagnostics, roles: info?.roles ?? [], hidden };
    },
    async position(params) {
      const [step, board] = await Promise.all([run(["step", "--json", ...place(params), rules]), run(["board", "--json", ...place(params), rules])]);
      if (!step.out) throw new Error(step.err);
      const s = JSON.parse(step.out.split("\n", 1)[0]);
      const roles = Object.keys(s.legal).map((role) => ({ role, legal: s.legal[role], goals: s.goals[role] ?? [], sees: s.percepts?.[role] }));
      return { facts: s.state, terminal: s.terminal, roles, board: JSON.parse(board.out) };
    },
    async think(params) {
      const args = ["bestmove", "--json", "--role", params.role, "--seconds", String(params.seconds), ...place(params), rules];
      const out = await new Promise((done) => {
        thinking = execFile(tabia, args, (_, text) => done(text));
      });
      if (!out) throw new Error("stopped");
      return JSON.parse(out);
    },
  };
  return {
    message({ id, method, params }) {
      if (method === "stop") return thinking?.kill("SIGKILL");
      queue = queue.then(() => methods[method](params)).then((result) => send({ id, result }), (error) => send({ id, error: { code: "fault", message: error.message } }));
    },
    closed() {
      thinking?.kill("SIGKILL");
      rmSync(folder, { recursive: true });
    },
  };
}

const server = createServer((request, response) => void answer(request, response));
server.on("upgrade", (request, socket) => upgrade(request, socket));
server.listen(Number(port), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));
