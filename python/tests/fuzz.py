"""fuzz.py [CALLS] [SEED]: calls everything that is public with arguments of any kind.

A call may succeed, or raise an exception that says something: an `Error` of ours, TypeError,
ValueError, BufferError or MemoryError.  Any other exception, a crash, or a call that Ctrl-C does not
end, is a fault: it is printed, and the status is 1."""

import faulthandler
import inspect
import os
import random
import resource
import signal
import sys
import tempfile
import threading
import traceback

import numpy as np

import tabia
import tabia.pgx

FINE = (tabia.Error, TypeError, ValueError, BufferError, MemoryError, KeyboardInterrupt,
        StopIteration)
PATIENCE, MEMORY = 0.3, 3 << 30
NAMES = ("tic-tac-toe", "nim", "kuhn-poker", "rock-paper-scissors", "dark-tic-tac-toe", "monty-hall")


class Watch:
    """Ctrl-C for a call that takes long; the end of all when that does not help."""

    def __init__(self):
        self.call, self.timers = "", []

    def __enter__(self):
        self.timers = [threading.Timer(PATIENCE, os.kill, (os.getpid(), signal.SIGINT)),
                       threading.Timer(30, self.give_up)]
        for timer in self.timers:
            timer.daemon = True
            timer.start()

    def give_up(self):
        print(f"Ctrl-C does not end {self.call}", flush=True)
        faulthandler.dump_traceback()
        os._exit(1)

    def __exit__(self, *_):
        for timer in self.timers:
            timer.cancel()


class Fuzzer:
    def __init__(self, seed):
        self.rng, self.watch = random.Random(seed), Watch()
        self.numbers = np.random.default_rng(seed)
        self.faults = []
        name = self.rng.choice(NAMES)
        self.env = tabia.BatchEnv(name, self.rng.choice([1, 3, 600]), threads=self.rng.choice([1, 2]),
                                  observation=self.rng.choice(["packed", "bytes", "float32"]),
                                  autoreset=self.rng.choice(["disabled", "same-step", "next-step"]),
                                  illegal=self.rng.choice(["error", "lose"]))
        self.machine = tabia.read(name).machine(self.rng.choice(["circuit", "lanes", "reference"]))
        self.game, self.rules = tabia.Game(name), tabia.read(name)
        symmetries = self.env.machine.symmetries()
        self.things = [self.env, self.machine, self.game, self.rules,
                       self.game.new_initial_state(), self.env.machine.board(),
                       self.env.machine.search(), tabia.Planes(self.env.machine), symmetries,
                       symmetries.identity(), tabia.read("nim").database(), self.env.reward]
        if name in ("tic-tac-toe", "nim"):
            pgx = tabia.pgx.make(name)
            self.things += [pgx, pgx.init(3)]
        self.functions = [tabia.read, tabia.read_text, tabia.explain, tabia.games, tabia.stages,
                          tabia.machines, tabia.properties,
                          tabia.Game, tabia.BatchEnv, tabia.Planes, tabia.MoveShape, tabia.Board,
                          tabia.Machine, tabia.Search, tabia.pgx.make, tabia.Database]

    # ---- values ----

    def array(self):
        shape = self.rng.choice([(), (0,), (3,), (1,), (600,), (3, 2), (600, 2), (1, 2), (3, 0),
                                 (2, 2, 2), self.env.reward.shape, self.env.terminated.shape,
                                 self.env.state().shape, self.env.fluents.shape])
        kind = self.rng.choice([np.uint32, np.int64, np.uint8, bool, np.float32, np.float64, "O",
                                "U3", ">i4", np.complex64, "M8[s]", np.uint64, np.int8])
        array = self.numbers.integers(0, self.rng.choice([1, 2, 10, 2**31]), shape)
        array = np.array(array.astype("i8").view("M8[s]") if kind == "M8[s]" else array.astype(kind))
        ways = [lambda a: a, lambda a: a[::-1] if a.ndim else a, lambda a: a.T,
                lambda a: np.asfortranarray(a), lambda a: a.tolist()]
        return self.rng.choice(ways)(array)

    def value(self):
        rng, texts = self.rng, ["", "x", "(", ")", "(role x)", "\0", "\ud800", "tic-tac-toe", "auto",
                                "lanes", "text", "svg", "(place 1 1)", "random", "é" * 300, "kif",
                                "terminates", "ground", "E101", "same-step", "(a (b"]
        simple = [None, True, False, 0, 1, 2, -1, 7, 2**31, 2**32 - 1, 2**63, 2**64, -2**70, 0.0,
                  0.5, -1.5, float("nan"), float("inf"), 1e300, 1j, b"", b"abc", [], [0, 0], (1,),
                  {}, {"a": 1}, {1, 2}, object(), print, int, lambda seen: seen, ...]
        state = self.game.new_initial_state()
        ours = [self.env, self.machine, self.game, self.rules, state, self.machine.start(),
                self.env.machine.start(), state.position(), state.serialize(), state.text(),
                self.env.state(), self.env.sample_actions(), self.env.terminated,
                self.env.current_player, self.env.fluents, tabia.Rules, bytes(3)]
        return rng.choice([lambda: rng.choice(simple), lambda: rng.choice(texts),
                           lambda: rng.choice(ours), self.array,
                           lambda: rng.randrange(-3, 20)])()

    def arguments(self, function):
        """As many as the function takes, or a few; some by name."""
        try:
            taken = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            taken = []
        places = [p for p in taken if p.kind == p.POSITIONAL_OR_KEYWORD]
        least = sum(p.default is p.empty for p in places)
        count = self.rng.randint(least, max(least, len(places)))
        if self.rng.random() < 0.1:
            count = self.rng.randrange(4)
        rest = [p.name for p in taken if p not in places[:count]] + ["seconds", "leaves"]
        named = {name: self.value() for name in self.rng.sample(rest, min(len(rest), 2))
                 if self.rng.random() < 0.3}
        return [self.value() for _ in range(count)], named

    # ---- calls ----

    def target(self):
        if self.rng.random() < 0.15:
            function = self.rng.choice(self.functions)
            return function, getattr(function, "__name__", "?")
        thing = self.rng.choice(self.things)
        kind = type(thing)
        names = [name for name in dir(kind) if not name.startswith("_")
                 and (kind.__module__.startswith("tabia") and name in vars(kind)
                      or isinstance(thing, tabia.pgx.Env))]
        if isinstance(thing, np.ndarray):
            names = ["__dlpack__", "__dlpack_device__"]
        if not names:
            return repr, "repr"
        name = self.rng.choice(names)
        if isinstance(getattr(kind, name, None), property) or not callable(getattr(thing, name)):
            return lambda *_, **__: getattr(thing, name), f"{kind.__name__}.{name}"
        return getattr(thing, name), f"{kind.__name__}.{name}"

    def call(self):
        function, name = self.target()
        given, named = self.arguments(function)
        self.watch.call = f"{name}(*{given!r:.300}, **{named!r:.300})"
        print(self.watch.call, file=LAST, flush=True)
        try:
            with self.watch:
                found = function(*given, **named)
                if inspect.isgenerator(found):
                    next(found, None)
                    found.close()
                elif isinstance(found, (tabia.Machine, tabia.State, tabia.Rules, tabia.Board)):
                    self.things[-1] = found
        except FINE as error:
            if not str(error) and not isinstance(error, (KeyboardInterrupt, MemoryError)):
                self.fault("says nothing")
        except BaseException:
            self.fault(traceback.format_exc(limit=-4))

    def fault(self, words):
        self.faults.append(self.watch.call)
        print(f"FAULT {self.watch.call}\n{words}", flush=True)


def main(calls="300", seed="1"):
    global LAST
    LAST = open(os.environ.get("FUZZ_LAST", os.devnull), "w", errors="backslashreplace")
    faulthandler.enable()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    left, seed, faults = int(calls), int(seed), 0
    with tempfile.TemporaryDirectory() as folder:  # calls may write files
        os.chdir(folder)
        while left > 0:
            fuzzer = Fuzzer(seed)
            for _ in range(min(left, 100)):
                fuzzer.call()
            left, seed, faults = left - 100, seed + 1, faults + len(fuzzer.faults)
        os.chdir("/")
    print(f"{calls} calls, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
