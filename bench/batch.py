"""Steps many games at once through tabia.h on one core, and plays random games from 512 different
states at once; beside it, in the same run, what `tabia playout` plays.

Every step reads the masks of legal moves of all roles and the fluents of all lanes, draws the moves,
makes them, and begins games anew that have ended.  Rates are by processor time; the best of some
rounds counts, in which all take turns.

Chess has 4,713 numbers a game, which as bytes are 19 MB a step in 4096 games: more than the caches
next to a core hold.  The next column is for batches of 512 games, one block, whose answers stay
there."""

import argparse
import json
import os
import pathlib
import resource
import subprocess

from ground import TOP, commit, processor

GAMES = ["tic-tac-toe", "connect-four", "breakthrough-8", "reversi", "chess", "hex-9"]
LAYOUTS = {"bits": "packed", "bytes": "bytes"}
LANES = 4096
BLOCK = 512
LEAVES = 512
DRIVER = os.path.join(os.environ["BENCH_TOOLS"], "batch_speed")


def output_of(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def batch(game, lanes, seconds, layout):
    rulesheet = str(TOP / "games" / f"{game}.kif")
    return output_of(DRIVER, rulesheet, "lanes", str(lanes), "1", str(seconds), layout)


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def playout(game, seconds):
    """Steps and games a second of the processor, the opening of the machine included."""
    before = children_seconds()
    found = output_of(os.environ["TABIA"], "playout", "--json", "--machine", "lanes", "--seconds",
                      str(seconds), game)
    used = children_seconds() - before
    return found["states"] / used, found["playouts"] / used


def measure(game, options):
    best = {key: 0 for key in ("steps", "games", "bits", "bytes", "block", "leaves")}
    for _ in range(options.rounds):
        steps, games = playout(game, options.seconds)
        found = {"steps": steps, "games": games}
        for layout in LAYOUTS:
            found[layout] = batch(game, LANES, options.seconds, layout)["steps_per_second"]
        found["block"] = batch(game, BLOCK, options.seconds, "bytes")["steps_per_second"]
        found["leaves"] = batch(game, LEAVES, options.seconds, "1")["games_per_second"]
        best = {key: max(best[key], found[key]) for key in best}
    return best


def millions(rate):
    return f"{rate / 1e6:.2f}" if rate < 1e8 else f"{rate / 1e6:.0f}"


def table(rows):
    out = ["# Many games at once, through the header", "", *__doc__.splitlines(), "",
           f"`bench/batch` at {commit()}, one core of {processor()}. Batches of {LANES} games; leaves: one",
           f"random game from each of {LEAVES} different states. In millions a second.", "",
           "| game | steps, packed | steps, bytes | bytes, one block | steps of `playout` | "
           "games from leaves | games of `playout` | share |",
           "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for game, found in rows:
        cells = [game, *(millions(found[key]) for key in ("bits", "bytes", "block", "steps", "leaves", "games")),
                 f"{found['leaves'] / found['games']:.2f}"]
        out.append("| " + " | ".join(cells) + " |")
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=pathlib.Path, default=TOP / "docs" / "bench")
    parser.add_argument("games", nargs="*", default=GAMES)
    options = parser.parse_args()
    rows = [(game, measure(game, options)) for game in options.games]
    words = table(rows)
    (options.out / "batch.md").write_text(words)
    print(words)


if __name__ == "__main__":
    main()
