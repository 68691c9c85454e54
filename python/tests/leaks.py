"""leaks.py [STEPS] [WORK...]: does every kind of call give back its memory?

Each work is repeated until it has made so many steps, after a tenth of them that does not count: what
Python holds by `tracemalloc`, and what the C library has in use by `mallinfo2`, must not grow.  One
line for each; status 1: something has grown.

leaks.py --valgrind [STEPS]: the same once more under valgrind, without measuring: status 1 where memory
of the extension is lost, or anything reads or writes where it must not."""

import ctypes
import gc
import itertools
import os
import pickle
import random
import re
import subprocess
import sys
import tempfile
import tracemalloc

import numpy as np

import tabia
import tabia.pgx

MOST = 96 << 10  # bytes by which either may grow


class Mallinfo2(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in
                ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
                 "fordblks", "keepcost")]


def in_use():
    """Bytes that malloc has given out."""
    ask = ctypes.CDLL(None).mallinfo2
    ask.restype = Mallinfo2
    told = ask()
    return told.uordblks + told.hblkhd


# ---- works: each makes a function that is called again and again ----

def batch(name, n=2, **options):
    env = tabia.BatchEnv(name, n, **options)

    def step():
        env.step(env.sample_actions())
        env.legal_mask, env.observation, env.fluents, env.current_player
    return step


def single_actions():
    env = tabia.BatchEnv("connect-four", 2)
    return lambda: env.step(env.legal_mask[int(env.current_player[0])].argmax(axis=1))


def illegal_actions():
    env = tabia.BatchEnv("nim", 2)

    def step():
        try:
            env.step([[99, 99], [0, 0]])
        except tabia.IllegalActionError:
            pass
    return step


def positions():
    env, some = tabia.BatchEnv("connect-four", 4), np.array([True, False, True, False])

    def step():
        env.set_state(env.state(), some)
        env.step(env.sample_actions())
        env.reset(some)
    return step


def shared_memory():
    env = tabia.BatchEnv("nim", 2, observation="float32")

    def step():
        np.from_dlpack(env.observation)
        env.reward.__dlpack__()
        env.reward.__dlpack__(max_version=(1, 0), copy=True)
    return step


def moved(state, rng):
    """The state after a random step; a new one after the last."""
    if state.is_terminal():
        return state.get_game().new_initial_state()
    if state.is_simultaneous_node():
        players = range(state.get_game().num_players())
        state.apply_actions([rng.choice(state.legal_actions(player)) for player in players])
    else:
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def one_state(name):
    here, rng = [tabia.Game(name).new_initial_state()], random.Random(1)

    def step():
        state = here[0] = moved(here[0], rng)
        before = state.clone()
        before.legal_actions_mask(0), state.returns()
        if before.full_history():
            before.undo_action()
        state.observation_tensor(0), state.information_state_tensor(0), str(state)
    return step


def kept_states():
    state = tabia.Game("kuhn-poker").new_initial_state()
    state.apply_action(state.legal_actions()[0])
    return lambda: pickle.loads(state.serialize() and pickle.dumps(state))


def values():
    env = tabia.pgx.make("tic-tac-toe")
    here = [env.init(4)]

    def step():
        here[0] = env.step(here[0], here[0].legal_action_mask.argmax(axis=1))
        if here[0].terminated.all():
            here[0] = env.init(4)
    return step


def faults():
    def fail():
        for wrong in ("(role x", "no-such-game", 7):
            try:
                tabia.read(wrong)
            except (tabia.Error, TypeError):
                pass
    return fail


def proofs():
    rules = tabia.read("nim")

    def prove():
        list(rules.prove("terminates"))
        next(itertools.islice(rules.prove(), 1))  # and is dropped
    return prove


def searches():
    machine = tabia.read("tic-tac-toe").machine("lanes")

    def judge(seen):
        return np.full((len(seen), 2), 50.0), np.ones((len(seen), 20))

    def think():
        machine.search(judge, with_priors=True, solver="no").think(iterations=50)
        machine.bestmove(iterations=50)
    return think


def objects():
    def make():
        rules = tabia.read("tic-tac-toe")
        machine = rules.machine("lanes")
        rules.check(), rules.info(), rules.why("(legal x ?m)"), rules.format(), rules.ground()
        machine.perft(2), machine.minimax(2), machine.playout(20)
        machine.symmetries().group(), str(machine.board()), tabia.Planes(machine)
        pickle.loads(pickle.dumps(machine)), tabia.BatchEnv(machine, 3, threads=2).playouts(2)
    return make


def databases():
    machine = tabia.read("nim").machine("lanes")
    return lambda: (machine.solve(), machine.database().values(machine.start()))


WORKS = {  # how many steps a call stands for, and what makes it
    "batch": (1, lambda: batch("connect-four")),
    "batch-cut": (1, lambda: batch("connect-four", max_steps=5, autoreset="next-step")),
    "batch-hidden": (1, lambda: batch("kuhn-poker", observation="packed")),
    "batch-threads": (20, lambda: batch("tic-tac-toe", 1200, threads=2)),
    "single-actions": (1, single_actions),
    "illegal-actions": (10, illegal_actions),
    "positions": (2, positions),
    "shared-memory": (2, shared_memory),
    "state": (5, lambda: one_state("tic-tac-toe")),
    "state-hidden": (5, lambda: one_state("kuhn-poker")),
    "state-simultaneous": (5, lambda: one_state("rock-paper-scissors")),
    "kept-states": (20, kept_states),
    "values": (20, values),
    "faults": (20, faults),
    "searches": (500, searches),
    "proofs": (5000, proofs),
    "objects": (5000, objects),
    "databases": (5000, databases),
}


def repeat(work, calls):
    for _ in range(calls):
        work()
    gc.collect()


def growth(name, steps):
    """Calls that were counted, and the bytes by which Python's memory and all of it grew."""
    cost, make = WORKS[name]
    work, calls = make(), max(10, steps // cost)
    tracemalloc.start()
    repeat(work, calls // 10 + min(calls, 25))  # caches fill
    before = tracemalloc.get_traced_memory()[0], in_use()
    repeat(work, calls)
    after = tracemalloc.get_traced_memory()[0], in_use()
    tracemalloc.stop()
    return calls, after[0] - before[0], after[1] - before[1]


def measure(steps, names):
    leaks = 0
    for name in names or WORKS:
        calls, python, all_of_it = growth(name, steps)
        leaks += python > MOST or all_of_it > MOST
        print(f"{name}\t{calls} calls\tPython {python:+} bytes\tmalloc {all_of_it:+} bytes",
              flush=True)
    return 1 if leaks else 0


# ---- valgrind ----

def run_once(steps):
    for cost, make in WORKS.values():
        repeat(make(), max(2, steps // cost))
    return 0


def faults_of(log):
    """What valgrind says of memory of the extension, or of reads and writes out of place."""
    records = re.split(r"\n==\d+== *\n", log)
    return [record for record in records if "Invalid" in record
            or "_tabia.abi3.so" in record and "PyInit__tabia" not in record  # once, by cffi
            and re.search("definitely lost|uninit", record)]


def under_valgrind(steps):
    with tempfile.NamedTemporaryFile("r", errors="replace") as log:
        done = subprocess.run(["valgrind", "--leak-check=full", "--show-leak-kinds=definite",
                               "--errors-for-leak-kinds=definite", "--num-callers=40",
                               f"--log-file={log.name}", sys.executable, __file__, "--once",
                               str(steps)], env=dict(os.environ, PYTHONMALLOC="malloc"))
        said = log.read()
    found = faults_of(said)
    print(*found, *re.findall("==.*(?:lost|reachable): .*|.*ERROR SUMMARY.*", said), sep="\n")
    print(f"valgrind: status {done.returncode}, {len(found)} faults")
    return 1 if found or done.returncode else 0


def main(*arguments):
    if arguments[:1] == ("--once",):
        return run_once(int(arguments[1]))
    if arguments[:1] == ("--valgrind",):
        return under_valgrind(int((*arguments, 1000)[1]))
    return measure(int((*arguments, 1_000_000)[0]), arguments[1:])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
