"""Steps 4,096 games at once through the Python package, on one core unless it says otherwise.

Every step reads the masks of legal moves of all players and the observation of all games, draws
legal actions, makes them, and begins games anew that have ended.  Beside it, in the same run: the
same loop in C through tabia.h; two threads, by the clock on the wall, which means something on a
machine without other work alone; and random games through State, one state at a time.  The share of
Python is at most what the loop takes for one tic-tac-toe, by what it takes for all games.
Rates are by processor time; the best of some rounds counts."""

import argparse
import json
import os
import pathlib
import random
import subprocess
import time

import tabia
from ground import TOP, commit, processor

GAMES = ["connect-four", "chess"]
LAYOUTS = {"packed": "bits", "bytes": "bytes"}
LANES = 4096
DRIVER = os.path.join(os.environ["BENCH_TOOLS"], "batch_speed")


def steps(env, seconds, clock):
    """Steps of all games together in a second."""
    start, made = clock(), 0
    while (now := clock()) - start < seconds:
        for _ in range(10):
            env.legal_mask
            env.observation
            env.step(env.sample_actions())
        made += 10 * env.n
    return made / (now - start)


def rate(game, layout, lanes, threads, seconds):
    env = tabia.BatchEnv(game, lanes, observation=layout, threads=threads)
    clock = time.process_time if threads == 1 else time.monotonic
    steps(env, seconds / 5, clock)
    return steps(env, seconds, clock)


def bare_loop(layout, seconds):
    """Seconds of the loop when there is next to nothing to compute."""
    machine = tabia.read("tic-tac-toe").machine("circuit")
    env = tabia.BatchEnv(machine, 1, observation=layout)
    return 1 / steps(env, seconds, time.process_time)


def in_c(game, layout, seconds):
    rulesheet = str(TOP / "games" / f"{game}.kif")
    command = [DRIVER, rulesheet, "lanes", str(LANES), "1", str(seconds), LAYOUTS[layout]]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["steps_per_second"]


def one_by_one(game, seconds):
    """Random games through State."""
    rng, made, game = random.Random(1), 0, tabia.Game(game)
    state, start = game.new_initial_state(), time.process_time()
    while (now := time.process_time()) - start < seconds:
        if state.is_terminal():
            state = game.new_initial_state()
        state.legal_actions_mask()
        state.observation_tensor()
        state.apply_action(rng.choice(state.legal_actions()))
        made += 1
    return made / (now - start)


def measure(game, options):
    rows = {}
    one = one_by_one(game, options.seconds)
    for layout in LAYOUTS:
        best, bare = [0.0] * 4, bare_loop(layout, options.seconds)
        for _ in range(options.rounds):
            found = [rate(game, layout, LANES, 1, options.seconds),
                     in_c(game, layout, options.seconds),
                     rate(game, layout, LANES, 2, options.seconds),
                     one]
            best = [max(pair) for pair in zip(best, found)]
        rows[layout] = best, bare / (LANES / best[0])
    return rows


def millions(value):
    return f"{value / 1e6:.2f}" if value >= 1e5 else f"{value / 1e6:.4f}"


def table(found):
    out = ["# Many games at once, in Python", "", *__doc__.splitlines(), "",
           f"`bench/python` at {commit()}, {processor()}, load average {os.getloadavg()[0]:.1f}. "
           f"Batches of {LANES} games, millions of steps a second.", "", "| game | layout | Python | C | two threads | one by one | "
           "share of Python |", "| --- | --- | ---: | ---: | ---: | ---: | ---: |"]
    for game, rows in found:
        out += [f"| {game} | {layout} | {' | '.join(map(millions, rates))} | {share:.1%} |"
                for layout, (rates, share) in rows.items()]
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=pathlib.Path, default=TOP / "docs" / "bench")
    parser.add_argument("games", nargs="*", default=GAMES)
    options = parser.parse_args()
    words = table([(game, measure(game, options)) for game in options.games])
    (options.out / "python.md").write_text(words)
    print(words)


if __name__ == "__main__":
    main()
