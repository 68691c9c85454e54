"""Two builds of the program side by side: is anything slower than it was?

Both run the same commands in turns on one core, and the least processor time of each counts.  The
start of the program is measured on its own and taken off, so that a ratio is one of the work.

With --instructions they run under valgrind, and instructions are counted in place of time, which other
work on the machine does not change; `lanes`, whose machine code valgrind cannot run, is left out."""

import argparse
import os
import re
import subprocess
import sys
import tempfile

import measure
from ground import processor

LIMITS = measure.Limits(60, "cpu", 4 << 30)
PLAYOUTS = {  # about a tenth of a second on `lanes`
    "tic-tac-toe": 16_000_000, "connect-four": 8_000_000, "breakthrough-8": 1_000_000,
    "hex-9": 200_000, "reversi": 400_000, "gomoku-15": 300_000, "amazons-6x6": 150_000,
    "english-draughts": 60_000, "chess": 16_000}
SLOWER = {"circuit": 100, "datalog": 2000}  # so many times fewer games
PROVED = ("tic-tac-toe", "nim", "chomp", "eight-puzzle", "sokoban", "lights-out", "connect-four")


def commands():
    """What is run: its kind, the game, and the arguments."""
    for game, count in PLAYOUTS.items():
        for kind in ("ground", "circuit", "compile"):
            yield kind, game, [kind, game]
        yield "play lanes", game, ["playout", "--machine", "lanes", "-n", str(count), game]
        for machine, times in SLOWER.items():
            yield f"play {machine}", game, ["playout", "--machine", machine, "-n",
                                            str(max(2, count // times)), game]
    for game in PROVED:
        yield "prove", game, ["prove", "-p", "playable,terminates", "--time-limit", "20", game]


def instructions(programs, arguments):
    """Instructions that each program executes; None where one of them fails."""
    counts = []
    for program in programs:
        run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                              program, *arguments], stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True)
        if run.returncode:
            return None
        counts.append(int(re.search(r"Collected : (\d+)", run.stderr).group(1)))
    return counts


def least(programs, arguments, repeats):
    """The least processor time of each program, in seconds; None where one of them fails."""
    times = [[] for _ in programs]
    with tempfile.TemporaryDirectory() as scratch:
        for turn in range(repeats):
            for which in sorted(range(len(programs)), reverse=turn % 2 == 1):
                run = measure.run([programs[which], *arguments], LIMITS, f"{scratch}/out",
                                  f"{scratch}/messages")
                if run.end != "ok":
                    return None
                times[which].append(run.cpu)
    return [min(list_) for list_ in times]


def main():
    parser = argparse.ArgumentParser(prog="bench/compare", description=__doc__)
    parser.add_argument("old", help="the program as it was")
    parser.add_argument("new", nargs="?", default=os.environ["TABIA"], help="the one of this tree")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--only", default="", help="kinds that begin so: play, ground, prove")
    parser.add_argument("--instructions", action="store_true", help="count them in place of time")
    options = parser.parse_args()
    programs = [options.old, options.new]
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    compare(programs, options)


def compare(programs, options):
    unit, scale = ("M instructions", 1e-6) if options.instructions else ("ms", 1e3)

    def cost(arguments, repeats=options.repeats):
        if options.instructions:
            return instructions(programs, arguments)
        return least(programs, arguments, repeats)

    start = cost(["--version"], 5 * options.repeats)
    if start is None:
        sys.exit("bench/compare: a program does not start")
    print(f"{processor()}\nstart: {start[0] * scale:.2f} {unit}, now {start[1] * scale:.2f}")
    for kind, game, arguments in commands():
        if not kind.startswith(options.only) or options.instructions and kind == "play lanes":
            continue
        costs = cost(arguments)
        if costs is None:
            print(f"{kind:14} {game:18} fails", flush=True)
            continue
        before, now = (max(cost - of, 0.1 / scale) for cost, of in zip(costs, start))
        print(f"{kind:14} {game:18} {before * scale:9.2f} {now * scale:9.2f} {unit} "
              f"{now / before:6.2f}", flush=True)


if __name__ == "__main__":
    main()
