"""Plays random games in several ways on one core, checks that all of them play the same game, and
writes down how fast each is.

What is measured is in METHODS; play_report.py makes summary and plot from the table alone."""

import argparse
import json
import math
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import measure
import play_prolog
import play_report
from ground import GB, TOP, commit, first_line_of, processor

SOURCES = TOP / "bench" / "playouts"
DRIVER = TOP / "bench" / "play_driver.pl"

# The games, and how deep the numbers of move sequences are compared.
PERFT_DEPTHS = {"tic-tac-toe": 9, "connect-four": 6, "breakthrough-8": 4, "reversi": 6,
                "gomoku-15": 2, "chess": 3}

COMPILERS = ("clang", "gcc")
FLAGS = ["-std=c17", "-D_GNU_SOURCE", "-O3", "-march=native", "-Wall", "-Wextra", "-Werror",
         "-Wno-psabi"]
BUILDING_SECONDS = 20  # in which a game is compiled well
TRIAL_SECONDS = 0.3  # to find the compiler whose program is faster

LIMITS = measure.Limits(seconds=600, clock="cpu", memory=8 * GB)

# Beyond this many standard errors two ways do not play the same game: by chance that is seen once
# in 150,000 comparisons.  With fewer playouts the errors are not normal and nothing is compared.
MOST_ERRORS = 4.5
ENOUGH_PLAYOUTS = 100


class Disagreement(Exception):
    pass


class Work:
    """Where the files of the run are."""

    def __init__(self, folder, tabia):
        self.folder = pathlib.Path(folder)
        self.tabia = str(self.folder / "tabia")
        shutil.copy(tabia, self.tabia)  # a build meanwhile must not change what is measured
        self.output = str(self.folder / "output")
        self.messages = str(self.folder / "messages")
        self.table = str(self.folder / "play.tsv")

    def rulesheet(self, game):
        return str(TOP / "games" / f"{game}.kif")

    def program(self, game):
        return str(self.folder / game)

    def prolog(self, game):
        return str(self.folder / f"{game}.pl")

    def run(self, command):
        """The result of a process, and what it printed as JSON if all went well."""
        result = measure.run(command, LIMITS, self.output, self.messages)
        if result.end != "ok":
            return result, None
        with open(self.output, encoding="utf-8") as file:
            return result, json.load(file)


# ---- the ways to play: a command for a number of playouts, or for seconds if that is 0 ----

def hand(work, game, count, seconds, seed):
    limit = ["-n", str(count)] if count else ["-s", str(seconds)]
    return [work.program(game), "--json", "--seed", str(seed), *limit]


def machine(name):
    def command(work, game, count, seconds, seed):
        limit = ["-n", str(count)] if count else ["--seconds", str(seconds)]
        return [work.tabia, "playout", "--json", "--machine", name, "--threads", "1", "--seed",
                str(seed), *limit, work.rulesheet(game)]
    return command


def prolog(work, game, count, seconds, seed):
    return ["swipl", "-q", "-f", "none", "--no-packs", "--on-error=halt",
            f"--stack-limit={LIMITS.memory}b", f"--table-space={LIMITS.memory}b", "-g", "main",
            "-t", "halt", work.prolog(game), str(DRIVER), "--", str(count),
            str(0 if count else seconds), str(seed)]


MACHINES = ("lanes", "circuit", "compiled", "datalog", "reference")
METHODS = {"hand": hand, **{m: machine(m) for m in MACHINES}, "prolog": prolog}


def methods_there(work):
    done = subprocess.run([work.tabia, "machines", "--json"], capture_output=True, check=True)
    machines = {m["machine"] for m in json.loads(done.stdout)["machines"]}
    return [m for m in METHODS if m in machines or m in ("hand", "prolog")]


# ---- preparing a game ----

def compile_program(work, game):
    """With each compiler that is there; keeps the faster program and tells whose it is."""
    rates = {}
    for compiler in filter(shutil.which, COMPILERS):
        path = f"{work.program(game)}.{compiler}"
        subprocess.run([compiler, *FLAGS, str(SOURCES / f"{game}.c"), "-lm", "-o", path],
                       check=True)
        done = subprocess.run([path, "--json", "-s", str(TRIAL_SECONDS)], capture_output=True,
                              check=True)
        rates[compiler] = json.loads(done.stdout)["playouts_per_second"]
    best = max(rates, key=rates.get)
    shutil.move(f"{work.program(game)}.{best}", work.program(game))
    return best


def write_prolog(work, game):
    text = pathlib.Path(work.rulesheet(game)).read_text(encoding="utf-8")
    pathlib.Path(work.prolog(game)).write_text(play_prolog.program_of(text), encoding="utf-8")


def check_perft(work, game):
    depth = str(PERFT_DEPTHS[game])
    commands = [[work.program(game), "--json", "--perft", depth],
                [work.tabia, "perft", "--json", "-d", depth, work.rulesheet(game)]]
    ours, theirs = (json.loads(subprocess.run(c, capture_output=True, check=True).stdout)["nodes"]
                    for c in commands)
    if ours != theirs:
        raise Disagreement(f"{game}: perft is {ours} by hand and {theirs} by the rulesheet")
    return ours


# ---- measuring ----

class Sample:
    """All playouts of one method, and the best rate among its runs."""

    def __init__(self):
        self.end = "ok"
        self.message = ""
        self.start_up = 0.0  # seconds of processor time before the first playout
        self.runs = []  # what each printed
        self.rate = 0.0  # playouts a second of processor time

    def add(self, printed):
        self.runs.append(printed)

    def add_timed(self, result, printed):
        self.add(printed)
        self.rate = max(self.rate, printed["playouts"] / max(result.cpu - self.start_up, 1e-9))

    def fail(self, result):
        self.end, self.message = result.end, result.message

    @property
    def playouts(self):
        return sum(r["playouts"] for r in self.runs)

    @property
    def mean_length(self):
        return sum(r["states"] for r in self.runs) / self.playouts

    def length_deviation(self):
        squares = sum(r["playouts"] * (r["length_deviation"] ** 2 + r["mean_length"] ** 2)
                      for r in self.runs)
        return math.sqrt(max(squares / self.playouts - self.mean_length ** 2, 0))

    def goals(self, role):
        """How often each goal was reached."""
        counts = {}
        for r in self.runs:
            for value, count in r["outcomes"][role]["histogram"].items():
                counts[int(value)] = counts.get(int(value), 0) + count
        return counts

    def share(self, role, value):
        return self.goals(role).get(value, 0) / self.playouts

    def mean_goal(self, role):
        return sum(v * n for v, n in self.goals(role).items()) / self.playouts


def measure_game(work, game, methods, options):
    samples = {m: Sample() for m in methods}
    if "compiled" in methods:  # both its builds are there when it counts
        work.run(METHODS["compiled"](work, game, 0, BUILDING_SECONDS, 1))
    for m in methods:
        result, printed = work.run(METHODS[m](work, game, 1, 0, 1))
        if printed:
            samples[m].start_up = max(result.cpu - printed["seconds"], 0)
        else:
            samples[m].fail(result)
    for seed in range(1, options.repeat + 1):
        for m in (m for m in methods if samples[m].end == "ok"):
            result, printed = work.run(METHODS[m](work, game, 0, options.seconds, seed))
            samples[m].add_timed(result, printed) if printed else samples[m].fail(result)
    if options.check and "reference" in methods and samples["reference"].end == "ok":
        command = METHODS["reference"](work, game, options.check, 0, options.repeat + 1)
        _, printed = work.run(command)
        if printed:
            samples["reference"].add(printed)
    return samples


# ---- whether they play the same game ----

def errors_between(few, many, role):
    """Standard errors between the means of two samples, with the deviations of the larger; by what
    is compared.  Where nothing varies any difference is infinite."""
    factor = math.sqrt(1 / few.playouts + 1 / many.playouts)

    def errors(a, b, deviation):
        if a == b:
            return 0.0
        return abs(a - b) / (deviation * factor) if deviation else math.inf

    found = {"length": errors(few.mean_length, many.mean_length, many.length_deviation())}
    for value in set(few.goals(role)) | set(many.goals(role)):
        share = many.share(role, value)
        found[f"goal {value} of {role}"] = errors(few.share(role, value), share,
                                                  math.sqrt(share * (1 - share)))
    return found


def roles_of(sample):
    return list(sample.runs[0]["outcomes"])


def check_agreement(game, samples):
    """The largest difference of each method from the hand-written program, in standard errors."""
    largest = {}
    by_hand = samples["hand"]
    for m, sample in samples.items():
        if m == "hand" or sample.end != "ok" or sample.playouts < ENOUGH_PLAYOUTS:
            continue
        found = {}
        for role in roles_of(by_hand):
            found.update(errors_between(sample, by_hand, role))
        worst = max(found, key=found.get)
        largest[m] = found[worst]
        if found[worst] > MOST_ERRORS:
            raise Disagreement(f"{game}: {m} and the hand-written program differ in {worst} by "
                               f"{found[worst]:.1f} standard errors")
    return largest


# ---- the table ----

COLUMNS = ["game", "method", "end", "playouts_per_second", "states_per_second", "playouts",
           "mean_length", "length_deviation", "mean_goal_first", "mean_goal_second",
           "largest_difference", "start_up_seconds", "processor", "note"]


def row_of(game, method, sample, difference, roles, note):
    row = {"game": game, "method": method, "end": sample.end, "processor": processor(),
           "note": note or sample.message}
    if sample.end == "ok":
        row.update(playouts_per_second=f"{sample.rate:.6g}",
                   states_per_second=f"{sample.rate * sample.mean_length:.6g}",
                   playouts=sample.playouts, mean_length=f"{sample.mean_length:.5f}",
                   length_deviation=f"{sample.length_deviation():.5f}",
                   mean_goal_first=f"{sample.mean_goal(roles[0]):.4f}",
                   mean_goal_second=f"{sample.mean_goal(roles[1]):.4f}",
                   start_up_seconds=f"{sample.start_up:.3f}",
                   largest_difference="" if difference is None else f"{difference:.2f}")
    return row


def facts_of_the_run(options, methods, work):
    return {"date": time.strftime("%Y-%m-%d"), "processor": processor(),
            "seconds": f"{options.seconds:g}", "repeat": str(options.repeat),
            "load": f"{os.getloadavg()[0]:.1f}",
            "methods": " ".join(methods),
            "tabia": f"{first_line_of(work.tabia, '--version')} ({commit()})",
            "prolog": first_line_of("swipl", "--version"),
            "compilers": "; ".join(first_line_of(c, "--version")
                                   for c in filter(shutil.which, COMPILERS))}


def write_table(file, options, work):
    methods = [m for m in methods_there(work) if m in options.methods]
    for key, value in facts_of_the_run(options, methods, work).items():
        print(f"# {key}: {value}", file=file)
    print("\t".join(COLUMNS), file=file)
    for game in options.games:
        compiler = compile_program(work, game)
        write_prolog(work, game)
        nodes = check_perft(work, game)
        samples = measure_game(work, game, methods, options)
        differences = check_agreement(game, samples)
        notes = {"hand": f"{compiler}; perft {' '.join(map(str, nodes[1:]))}"}
        for m in methods:
            row = row_of(game, m, samples[m], differences.get(m), roles_of(samples["hand"]),
                         notes.get(m))
            print("\t".join(str(row.get(c, "")) for c in COLUMNS), file=file, flush=True)
            print(f"{game}: {m} {row.get('playouts_per_second', row['end'])}", file=sys.stderr)


# ---- the run ----

def stay_on_one_core():
    """Of those allowed the last: interrupts prefer the first.  Processes started inherit it."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def some_of(known):
    def parse(words):
        chosen = words.split(",")
        unknown = sorted(set(chosen) - set(known))
        if unknown:
            raise argparse.ArgumentTypeError(f"{', '.join(unknown)}: not among {', '.join(known)}")
        return chosen
    return parse


def parse_arguments():
    p = argparse.ArgumentParser(
        prog="bench/play", description="Plays random games with hand-written programs, tabia and "
        "SWI-Prolog on one core; writes play.tsv, play.md and play.svg.")
    p.add_argument("--seconds", type=float, default=5, help="for each run (default: 5)")
    p.add_argument("--repeat", type=int, default=3, metavar="N",
                   help="runs of each, of which the fastest counts (default: 3)")
    p.add_argument("--check", type=int, default=1000, metavar="N",
                   help="more playouts, not timed, on reference, to compare results with the "
                   "hand-written program's (default: 1000)")
    p.add_argument("--games", type=some_of(PERFT_DEPTHS), default=list(PERFT_DEPTHS),
                   metavar="LIST", help=f"some of {','.join(PERFT_DEPTHS)} (default: all)")
    p.add_argument("--methods", type=some_of(METHODS), default=list(METHODS), metavar="LIST",
                   help=f"hand and some of {','.join(METHODS)} (default: all that are there)")
    p.add_argument("--out", type=pathlib.Path, default=TOP / "docs" / "bench", metavar="FOLDER",
                   help="where the results go (default: docs/bench)")
    p.add_argument("--report", action="store_true",
                   help="measure nothing: make summary and plot from the table that is there")
    options = p.parse_args()
    if "hand" not in options.methods:
        p.error("the others are compared with hand: name it too")
    return options


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that temporary files go
    options = parse_arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    table = options.out / "play.tsv"
    if not options.report:
        stay_on_one_core()
        with tempfile.TemporaryDirectory(prefix="bench-play.") as folder:
            work = Work(folder, os.environ["TABIA"])
            with open(work.table, "w", encoding="utf-8") as file:
                write_table(file, options, work)
            shutil.copyfile(work.table, table)  # only a whole one
    play_report.write(table, options.out)
    print(options.out / "play.md")


if __name__ == "__main__":
    try:
        main()
    except Disagreement as trouble:
        sys.exit(f"bench/play: {trouble}")
