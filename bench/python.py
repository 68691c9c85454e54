"""Steps 4,096 games at once through the Python package, on one core unless it says otherwise.

Every step reads the masks of legal moves of all players and the observation of all games, draws
legal actions, makes them, and begins games anew that have ended.  Beside it, in the same run: the
same loop in C through tabia.h; two threads and one, in turns of a tenth of a second by the clock on
the wall, of which the best count, since other work on the machine takes the second core away; and
plain numpy over a list of `State`, whose `legal_actions` are asked one by one.  The share of Python
is at most what the loop takes for one tic-tac-toe, by what it takes for all games.  Rates are by
processor time but for threads; the best of some rounds counts."""

import argparse
import json
import os
import pathlib
import subprocess
import time

import numpy as np
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


def rate(game, layout, seconds):
    env = tabia.BatchEnv(game, LANES, observation=layout)
    steps(env, seconds / 5, time.process_time)
    return steps(env, seconds, time.process_time)


def by_the_wall(game, layout, seconds):
    """The best rates of one thread and of two."""
    envs = [tabia.BatchEnv(game, LANES, observation=layout, threads=threads) for threads in (1, 2)]
    best, end = [0.0, 0.0], time.monotonic() + 2 * seconds
    while time.monotonic() < end:
        best = [max(found, steps(env, 0.1, time.monotonic)) for found, env in zip(best, envs)]
    return best


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


def one_by_one(name, seconds):
    """Random games in a list of states: masks and observations in numpy, moves one by one."""
    rng, made, game = np.random.default_rng(1), 0, tabia.Game(name)
    states = [game.new_initial_state() for _ in range(64)]
    masks = np.zeros((len(states), game.num_distinct_actions()), np.uint8)
    seen = np.zeros((len(states), *game.observation_tensor_shape()), np.float32)
    start = time.process_time()
    while (now := time.process_time()) - start < seconds:
        masks[:] = 0
        for i, state in enumerate(states):
            legal = state.legal_actions()
            masks[i, legal], seen[i] = 1, state.observation_tensor()
            state.apply_action(legal[rng.integers(len(legal))])
            if state.is_terminal():
                states[i] = game.new_initial_state()
        made += len(states)
    return made / (now - start)


def measure(game, options):
    rows = {}
    one = one_by_one(game, options.seconds)
    for layout in LAYOUTS:
        best, bare = [0.0] * 4, bare_loop(layout, options.seconds)
        for _ in range(options.rounds):
            found = [rate(game, layout, options.seconds), in_c(game, layout, options.seconds),
                     *by_the_wall(game, layout, options.seconds)]
            best = [max(pair) for pair in zip(best, found)]
        rows[layout] = [*best, one], bare / (LANES / best[0])
    return rows


def millions(value):
    return f"{value / 1e6:.2f}" if value >= 1e5 else f"{value / 1e6:.4f}"


COLUMNS = ("game", "layout", "Python", "C", "one thread by the wall", "two threads by the wall",
           "one by one", "share of Python")


def table(found):
    out = ["# Many games at once, in Python", "", *__doc__.splitlines(), "",
           f"`bench/python` at {commit()}, {processor()}, load average {os.getloadavg()[0]:.1f}. "
           f"Batches of {LANES} games, millions of steps a second.", "",
           f"| {' | '.join(COLUMNS)} |", "| --- | --- " + "| ---: " * 6 + "|"]
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
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "python.md").write_text(words)
    print(words)


if __name__ == "__main__":
    main()
