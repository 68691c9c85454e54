"""START and one PLAY for many rulesheets, against one `tabia player` on one core.

  bench/starts.py RULESHEET...    a line of JSON for each
  bench/starts.py --table FILE    what a file of such lines says

CLOCKS   start and play clock, seconds ("3 1": stricter than the customary 15 and 5)
AGAIN    clocks for games that were late, illegal or without their fast machine ("15 5"; "": none)
RESULTS  appends the lines to a file and leaves out what it has: so a long list can be run in slices
SLICE    seconds after which no game is begun
TABIA    the program (build/release/tabia)
"""

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections import Counter

TABIA = os.environ.get("TABIA", "build/release/tabia")
MOVE_GRACE = 1.0  # seconds that referees allow beyond the play clock; such a move is counted apart
FAST = ("lanes", "circuit", "compiled")


class Player:
    """A player process; its log is read as it grows."""

    def __init__(self):
        self.log = open("/tmp/starts-player.log", "w+", encoding="utf-8", errors="replace")
        self.process = subprocess.Popen(
            ["taskset", "-c", "0", TABIA, "player", "--port", "0", "--memory-limit", "4G"],
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )
        self.address = re.search(r"listens at (\S+)", self.process.stdout.readline()).group(1)

    def ask(self, message, seconds):
        """The reply and how long it took; None: there was none."""
        begin = time.monotonic()
        request = urllib.request.Request(f"http://{self.address}/", data=message.encode(), method="POST")
        try:
            with urllib.request.urlopen(request, timeout=seconds) as reply:
                words = reply.read().decode("utf-8", "replace")
        except OSError:
            words = None
        return words, time.monotonic() - begin

    def log_of(self, match):
        self.log.flush()
        with open(self.log.name, encoding="utf-8", errors="replace") as lines:
            return [line for line in lines if line.startswith(match + ":")]

    def is_alive(self):
        return self.process.poll() is None

    def end(self):
        self.process.terminate()
        self.process.wait(30)


def rules_of(path):
    """On one line, without comments."""
    with open(path, encoding="utf-8", errors="replace") as lines:
        return " ".join(line.split(";")[0].strip() for line in lines)


def start_of(path):
    """Legal moves of the first state, by role; None: `reference` cannot tell."""
    try:
        done = subprocess.run(
            [TABIA, "step", "--json", "--machine", "reference", path],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=120,
        )
        state = json.loads(done.stdout.splitlines()[0])
    except (subprocess.TimeoutExpired, ValueError, IndexError):
        return None
    return state


def flat(words):
    return " ".join(re.findall(r"[()]|[^\s()]+", words.lower()))


def machine_of(log):
    """Whose move it was: the last thinker that speaks of turn 0, or None."""
    found = re.findall(r"turn 0 on (\S+):", " ".join(log))
    return found[-1] if found else None


def log_after(player, match):
    """The fast machine's thinker writes its line when it has stopped."""
    for _ in range(20):
        log = player.log_of(match)
        opened = re.findall(r"(\S+) is open after", " ".join(log))
        if machine_of(log) and (machine_of(log) in FAST or not set(opened) & set(FAST)):
            break
        time.sleep(0.05)
    return log


def try_game(player, path, clocks, number, legal):
    match = f"m{number}"
    start_clock, play_clock = clocks
    role = next(r for r in legal if r != "random")
    ready, ready_seconds = player.ask(
        f"( START {match} {role} ({rules_of(path)}) {start_clock:g} {play_clock:g})", start_clock + 30
    )
    move, move_seconds = player.ask(f"( PLAY {match} NIL )", play_clock + 30)
    player.ask(f"( ABORT {match} )", 30)
    log = log_after(player, match)
    is_legal = move is not None and flat(move) in {flat(m) for m in legal[role]}
    return {
        "clocks": [start_clock, play_clock],
        "ready": ready,
        "ready_seconds": round(ready_seconds, 2),
        "move": (move or "")[:80],
        "move_seconds": round(move_seconds, 2),
        "is_legal": is_legal,
        "is_ready": ready == "ready" and ready_seconds <= start_clock,
        "is_in_time": move_seconds <= play_clock,
        "opened": re.findall(r"(\S+) is open after ([0-9.]+) s", " ".join(log)),
        "machine": machine_of(log),
    }


def is_fine(result):
    return result["is_legal"] and result["is_ready"] and result["is_in_time"]


def clocks_of(name, default):
    words = os.environ.get(name, default).split()
    return tuple(float(w) for w in words) if words else None


def measure(paths):
    results = os.environ.get("RESULTS", os.devnull)
    slice_end = time.monotonic() + float(os.environ.get("SLICE", "1e9"))
    clocks, again = clocks_of("CLOCKS", "3 1"), clocks_of("AGAIN", "15 5")
    done = set()
    if os.path.isfile(results):
        with open(results, encoding="utf-8") as lines:
            done = {json.loads(line)["game"] for line in lines}
    player, number = Player(), 0
    for path in paths:
        game = os.path.splitext(os.path.basename(path))[0]
        if game in done:
            continue
        if time.monotonic() > slice_end:
            print("more is left")
            break
        line = {"game": game}
        state = start_of(path)
        legal = state and state["legal"]
        if not legal or state["terminal"] or all(r == "random" for r in legal):
            line["skipped"] = "no first state on `reference`" if not state else "no move in the first state"
        else:
            number += 1
            line.update(try_game(player, path, clocks, number, legal))
            if again and not (is_fine(line) and line["machine"] in FAST):
                number += 1
                line["short"] = {k: line[k] for k in ("clocks", "ready_seconds", "move_seconds", "is_legal")}
                line.update(try_game(player, path, again, number, legal))
        if not player.is_alive():
            line["crashed"] = player.process.returncode
            player = Player()
        words = json.dumps(line)
        print(words, flush=True)
        with open(results, "a", encoding="utf-8") as out:
            print(words, file=out)
    player.end()


def table(path):
    with open(path, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    tried = [r for r in rows if "skipped" not in r]
    print(f"{len(rows)} games, {len(tried)} tried")
    print("by clocks:", dict(Counter("/".join(f"{c:g}" for c in r["clocks"]) for r in tried)))
    print("machine of the first move:", dict(Counter(r["machine"] for r in tried)))
    for title, names in (
        ("late or missing `ready`", [r["game"] for r in tried if not r["is_ready"]]),
        ("late first move", [r["game"] for r in tried if not r["is_in_time"]]),
        ("illegal first move", [r["game"] for r in tried if not r["is_legal"]]),
        ("crashed", [r["game"] for r in rows if "crashed" in r]),
        ("first move not from a fast machine", [f"{r['game']} ({r['machine']})" for r in tried if r["machine"] not in FAST]),
        ("skipped", [f"{r['game']}: {r['skipped']}" for r in rows if "skipped" in r]),
    ):
        print(f"{title}: {len(names)}", *sorted(names), sep="\n  " if names else "")


if __name__ == "__main__":
    if sys.argv[1] == "--table":
        table(sys.argv[2])
    else:
        measure(sys.argv[1:])
