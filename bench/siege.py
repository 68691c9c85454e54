"""bench/siege: what strangers may do to `tabia serve`, and 200 who analyse small games at once.  With --short it is a test."""
import argparse, glob, json, os, socket, statistics, sys, threading, time

top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(top, "tests"))
from serve_client import PATIENCE, Server, Socket, wait_until  # noqa: E402

count = failed = 0
figures = []


def case(name, good, why=""):
    global count, failed
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} - {name}", flush=True)
    if not good:
        failed += 1
        print(f"# {why}", flush=True)


def figure(name, value):
    figures.append((name, value))
    print(f"# {name}: {value}", flush=True)


def high_water(server):
    with open(f"/proc/{server.process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024


def cpu_seconds(server):
    """Processor time of the server and of all its children that have ended."""
    with open(f"/proc/{server.process.pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def job_end(server, **message):
    s = Socket(server, "/ws/job")
    s.send(message)
    messages = s.all()
    s.close()
    return messages[-1] if messages else None


def health_seconds(server):
    started = time.monotonic()
    good = server.get("/health")[0] == 200
    return time.monotonic() - started if good else float("inf")


# ---- hostile rules ----


def rules_of(shared, short):
    files = sorted(glob.glob(f"{shared}/repro/*/*.kif") + glob.glob(f"{top}/games/unsound/*.kif"))
    made = {"deep": "(" * 100000, "quotes": "(role <script>alert(1)</script>)", "nul": "(role \0x)", "empty": "", "long name": f"(role {'a' * 200000})",
            "wide": "(role r)" + "(init (f a))" * 20000, "product": "(role r)" + "".join(f"(d {i})" for i in range(60))
            + "(<= (legal r (m ?a ?b ?c ?d ?e ?f)) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f))(<= (next p) (does r (m ?a ?b ?c ?d ?e ?f)))(terminal)(goal r 100)"}
    texts = dict(made)
    for path in files[:: 6 if short else 1]:
        with open(path, errors="replace") as file:
            texts[os.path.relpath(path, shared)] = file.read()
    return texts


def hostile(server, shared, short):
    texts = rules_of(shared, short)
    commands = (["check", "--json"], ["prove", "--json"], ["ground"], ["board", "--text"]) if not short else (["check", "--json"], ["ground"])
    lost, ends = [], {}
    for name, text in texts.items():
        for command in commands:
            end = job_end(server, command=command, rules=text)
            kind = "none" if end is None else end["stopped"] or f"status {end['status']}" if "status" in end else end["error"]["code"]
            ends[kind] = ends.get(kind, 0) + 1
            if end is None:
                lost.append((name, command))
        s = Socket(server, "/ws/session")
        answer = s.ask("open", rules=text)
        s.close()
        if answer is None:
            lost.append((name, "session"))
    case(f"{len(texts)} hostile rulesheets, {len(commands)} commands and a session each: all answered", not lost, str(lost[:5]))
    figure("how these jobs ended", ", ".join(f"{n} × {kind}" for kind, n in sorted(ends.items(), key=lambda e: -e[1])))


# ---- who asks ----


def strangers(server):
    port = server.port
    hosts = ["evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", f"localhost.evil.example:{port}", "0.0.0.0", f"127.0.0.1:{port + 1}", f"127.0.0.1:{port}@evil.example", ""]
    case("no other name reaches the server (DNS rebinding)", all(server.get("/api/info", Host=h)[0] in (400, 403) for h in hosts), str([(h, server.get("/api/info", Host=h)[0]) for h in hosts]))
    origins = ["http://evil.example", "null", f"https://127.0.0.1:{port}", f"http://127.0.0.1:{port + 1}", f"http://127.0.0.1:{port}.evil.example", "file://", "chrome-extension://x"]
    refused = [Socket(server, path, Origin=o).status for o in origins for path in ("/ws/job", "/ws/session", "/ws/lsp")]
    case("no other page opens a WebSocket", set(refused) == {403}, str(refused))
    case("no other page reads by HTTP", all(server.get("/api/games", Origin=o)[0] == 403 for o in origins))
    headers = server.get("/")[2]
    case("no page may frame this one, and none is told what it may read", "frame-ancestors 'none'" in headers["Content-Security-Policy"] and headers["Access-Control-Allow-Origin"] is None)


def markup(server):
    names = ["<img src=x onerror=alert(1)>", "\"><script>alert(1)</script>", "../../etc/passwd", "a\r\nSet-Cookie: x=y", "%00"]
    answers = [server.get("/api/games/" + "".join(f"%{b:02x}" for b in n.encode())) for n in names]
    case("names with markup come back as JSON that is never HTML", all(a[0] in (400, 404) and a[2]["Content-Type"].startswith("application/json") and a[2]["X-Content-Type-Options"] == "nosniff"
                                                                      and a[2]["Set-Cookie"] is None for a in answers), str([(a[0], a[2]["Content-Type"]) for a in answers]))


# ---- floods ----


def hold_half_open(server, number):
    pieces = [b"", b"GET /hea", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ", b"\x16\x03\x01\x02\x00\x01"]
    held = []
    for i in range(number):
        try:
            s = socket.create_connection(("127.0.0.1", server.port), timeout=5)
            s.sendall(pieces[i % len(pieces)])
            held.append(s)
        except OSError:
            pass  # refused
    return held


def half_open(server, number):
    """A job is answered while others wait for their end; they are given up after ten seconds, for which a machine may stall, but not each time."""
    good = False
    for _ in range(10):
        held = hold_half_open(server, number)
        worst = max(health_seconds(server) for _ in range(10))
        end = job_end(server, command=["check"], rules="(role x)")
        good = end and "status" in end and server.health()["connections"] > min(number, 800) / 2
        for s in held:
            s.close()
        if good:
            break
    case(f"{number} half-open requests hold nobody up", good, f"{worst} {end} {len(held)}")
    figure("worst of 10 answers of /health meanwhile, ms", f"{1000 * worst:.0f}")


def flood(server, number):
    started, answered = time.monotonic(), 0
    for _ in range(number):
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as s:
            s.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n" % server.port)
            answered += s.recv(64).startswith(b"HTTP/1.1 200")
    seconds = time.monotonic() - started
    case(f"{number} connections one after the other are all answered", answered == number, f"{answered}")
    figure("connections a second, one after the other", f"{number / seconds:.0f}")


def deaf(server, number):
    """Clients that ask for much and take nothing."""
    text = "(role r)" + "".join(f"(init (f {i}))" for i in range(20000))
    held = []
    for _ in range(number):
        s = Socket(server, "/ws/job")
        s.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        s.send({"command": ["show", "clauses"], "rules": text})
        held.append(s)
    wait_until(lambda: server.health()["jobs"]["running"])
    case(f"{number} clients that take nothing hold no page up", server.health()["status"] == "ok")  # they go when it has answered
    for s in held:
        s.close()
    end = job_end(server, command=["check"], rules="(role x)")
    case("and their jobs go with them", end is not None and "status" in end and wait_until(lambda: not server.health()["jobs"]["running"]), str(end))


def frames(server):
    """Broken WebSocket frames: no mask, wrong opcodes, pieces without a beginning, huge lengths."""
    broken = [b"\x81\x05hello", b"\x83\x80\0\0\0\0", b"\x80\x80\0\0\0\0", b"\x81\xff" + b"\xff" * 8 + bytes(4), b"\xff" * 64, b"\x89\xfe\x10\x00" + bytes(4100), os.urandom(4096)]
    for words in broken:
        for path in ("/ws/job", "/ws/session", "/ws/lsp"):
            s = Socket(server, path)
            try:
                s.socket.sendall(words)
                s.socket.settimeout(0.05)
                s.all()
            except OSError:
                pass
            s.close()
    case("broken frames end their own connection alone", server.health()["status"] == "ok")


# ---- many at once ----

SMALL = ("tic-tac-toe", "nim", "rock-paper-scissors", "monty-hall", "river-crossing")


def analyse(server, who, rounds, results):
    for i in range(rounds):
        started = time.monotonic()
        try:
            end = job_end(server, command=["prove", "--json", "--property", "playable,terminates", "--threads", "1"], game=SMALL[(who + i) % len(SMALL)])
        except OSError as error:
            end = {"lost": repr(error)}
        results.append((time.monotonic() - started, end))


def analysers(server, people, rounds):
    results, before, started = [], cpu_seconds(server), time.monotonic()
    threads = [threading.Thread(target=analyse, args=(server, i, rounds, results)) for i in range(people)]
    for t in threads:
        t.start()
    worst = max(health_seconds(server) for _ in range(10))
    for t in threads:
        t.join()
    seconds = time.monotonic() - started
    good = [t for t, end in results if end and end.get("status") in (0, 1)]
    bad = [end for _, end in results if not end or end.get("status") not in (0, 1)]
    case(f"{people} analysers, {rounds} games each: nothing is lost", len(good) == people * rounds, str(bad[:3]))
    if len(good) < 2:
        return
    cuts = statistics.quantiles(good, n=100)
    figure("processor time of an analysis, server and child, ms", f"{1000 * (cpu_seconds(server) - before) / len(good):.0f}")
    figure("analyses a second", f"{len(good) / seconds:.0f}")
    figure("seconds until the verdicts: median, 99th percentile, most", f"{cuts[49]:.2f}, {cuts[98]:.2f}, {max(good):.2f}")
    figure("worst of 10 answers of /health meanwhile, ms", f"{1000 * worst:.0f}")


def alone(server):
    times = []
    for i in range(20):
        results = []
        analyse(server, i, 1, results)
        times.append(results[0][0])
    figure("the same analysis when nobody else asks, median, s", f"{statistics.median(times):.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--shared", default=os.environ.get("TABIA_SHARED") or os.path.join(top, "../shared"))
    a = parser.parse_args()
    besiege(Server("--job-seconds", "2", "--job-memory", "500M"),
            ((strangers, ()), (markup, ()), (frames, ()), (half_open, (500 if a.short else 3000,)), (flood, (500 if a.short else 5000,)), (deaf, (10 if a.short else 50,)),
             (hostile, (a.shared, a.short))))
    besiege(Server("--job-memory", "500M"), ((alone, ()), (analysers, (200, 1 if a.short else 3))))
    print(f"1..{count}")
    return 1 if failed else 0


def besiege(server, parts):
    figure("memory of the server at the start, MiB", f"{high_water(server):.1f}")
    for part, arguments in parts:
        try:
            part(server, *arguments)
        except Exception as fault:  # a part that cannot go on is a case that fails
            case(f"{part.__name__} goes on", False, repr(fault))
    case("the server is alive, with no job left", wait_until(lambda: server.health()["jobs"]["running"] == 0), str(server.health()))
    figure("most memory of the server, MiB", f"{high_water(server):.1f}")
    case("its memory is bounded", high_water(server) < 256, f"{high_water(server)}")
    case("the server ends in order", server.stop() == 0)


sys.exit(main())
