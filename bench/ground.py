"""Grounds the games of folders in several ways and writes down what each took.

What is measured is in METHODS; report.py makes the summary and the plots from the table alone."""

import argparse
import hashlib
import json
import os
import pathlib
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import measure
import report

TOP = pathlib.Path(__file__).resolve().parent.parent
GB = 1 << 30
BLOCK = 1 << 20

# A method is measured again while it is quick: until it has had ENOUGH seconds, at least
# SHORT_RUNS times if a run takes less than SHORT seconds, and never more than MOST_RUNS times.
SHORT, SHORT_RUNS, ENOUGH, MOST_RUNS = 1.0, 3, 0.1, 10

# After a run that takes less than BRIEF seconds the method runs once more, and that counts: the first
# finds the processor's caches full of what another program left, and is over before they are its own.
BRIEF = 0.1


# To make a file empty on a disk takes 0.1 ms and more of whoever opens it.
IN_MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None


class Work:
    """Where the files of one game are while it is measured: what is read in one folder, what is
    written in another."""

    def __init__(self, folder, written, tabia):
        self.folder = pathlib.Path(folder)
        self.tabia = str(self.folder / "tabia")
        shutil.copy(tabia, self.tabia)  # a build meanwhile must not change what is measured
        self.asp = str(self.folder / "game.lp")
        self.prolog = str(self.folder / "game.pl")
        self.output = str(pathlib.Path(written) / "output")
        self.messages = str(pathlib.Path(written) / "messages")

    def write_inputs(self, game, methods):
        """False where tabia refuses the game, so that there is nothing to hand over."""
        kinds = [("asp", self.asp, "gringo"), ("prolog-grounder", self.prolog, "prolog")]
        return all(self.export(kind, game, path) for kind, path, user in kinds if user in methods)

    def export(self, kind, game, path):
        command = [self.tabia, "export", kind, "-o", path, str(game)]
        return subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0


# ---- the ways to ground: a command, and whether it prints the sizes as JSON ----

def native(work, game, _):
    return [work.tabia, "ground", "--json", str(game)], True


def plain(work, game, _):
    return [work.tabia, "ground", "--json", "--no-optimise", str(game)], True


def written(work, game, _):
    return [work.tabia, "ground", "--no-optimise", str(game)], False


def gringo(work, _, __):
    return ["gringo", "--warn", "none", "--output=smodels", work.asp], False


def prolog(work, _, memory):
    return ["swipl", "-q", "-f", "none", "--no-packs", "--on-error=halt",
            f"--stack-limit={2 * memory}b", f"--table-space={2 * memory}b",
            "-g", "main", "-t", "halt", work.prolog], False


METHODS = {f.__name__: f for f in (native, plain, written, gringo, prolog)}


# ---- measuring ----

def measure_once(method, work, game, options):
    arguments, has_sizes = METHODS[method](work, game, options.memory)
    output = work.output if has_sizes else "/dev/null"
    limits = measure.Limits(options.limit, options.clock, options.memory)
    result = measure.run(arguments, limits, output, work.messages)
    sizes = read_sizes(work.output) if has_sizes and result.end == "ok" else {}
    return result, sizes


def read_sizes(path):
    with open(path, encoding="utf-8") as file:
        sizes = json.load(file)
    stages = {f"seconds_{stage}": sizes[f"{stage}_seconds"] for stage in report.STAGES}
    return {**sizes, **stages, "seconds_total": sizes["seconds"]}


def count_gringo_rules(work, limit):
    """Not timed, in another output mode, which takes longer: a line that begins with 1 is a rule.
    Empty where it does not end in time."""
    command = ["timeout", f"{3 * limit:g}", "gringo", "--warn", "none", "--output=intermediate",
               work.asp]
    count, before = 0, b""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        while block := process.stdout.read(BLOCK):
            count += (before + block).count(b"\n1 ")
            before = block[-2:]  # too short to hold one that was counted
    return count if process.returncode == 0 else ""


def wants_another(runs):
    if not runs:
        return True
    if runs[-1].end != "ok" or len(runs) >= MOST_RUNS:
        return False
    if len(runs) < SHORT_RUNS and runs[-1].wall < SHORT:
        return True
    return sum(r.wall for r in runs) < ENOUGH


def measure_game(work, game, methods, options):
    """In rounds, so that a disturbance from outside meets every method alike."""
    runs = {m: [] for m in methods}
    sizes = {}
    while any(wants_another(runs[m]) for m in methods):
        for m in methods:
            if not wants_another(runs[m]):
                continue
            result, found = measure_once(m, work, game, options)
            if result.wall < BRIEF:
                result, found = measure_once(m, work, game, options)
            runs[m].append(result)
            keep_sizes(sizes, m, found)
    if "gringo" in runs and runs["gringo"][-1].end == "ok":
        sizes["gringo"] = {"rules": count_gringo_rules(work, options.limit)}
    return runs, sizes


def keep_sizes(sizes, method, found):
    """The sizes are the same each time; of the times by stage the quickest run counts."""
    if found and found["seconds_total"] < sizes.get(method, found)["seconds_total"] + 1e-12:
        sizes[method] = found


# ---- the table ----

RUN_COLUMNS = ["end", "wall", "cpu", "peak_bytes", "runs", "message"]
SIZE_COLUMNS = ["fluents", "moves", "facts", "instances", "rules", "literals", "components",
                "seconds_bases", "seconds_instantiate", "seconds_simplify", "seconds_total"]

SIZES_OF = {"native": SIZE_COLUMNS, "plain": SIZE_COLUMNS, "gringo": ["rules"]}


def columns(methods):
    names = ["game"]
    for m in methods:
        names += [f"{m}_{c}" for c in RUN_COLUMNS]
        names += [f"{m}_{c}" for c in SIZES_OF.get(m, [])]
    return names


def row_of(name, runs, sizes):
    row = {"game": name}
    for m, done in runs.items():
        row.update({f"{m}_end": done[-1].end,
                    f"{m}_wall": f"{min(r.wall for r in done):.6f}",
                    f"{m}_cpu": f"{min(r.cpu for r in done):.6f}",
                    f"{m}_peak_bytes": max(r.peak for r in done), f"{m}_runs": len(done),
                    f"{m}_message": done[-1].message})
        row.update({f"{m}_{c}": sizes.get(m, {}).get(c, "") for c in SIZES_OF.get(m, [])})
    return row


def refused_row(name, methods):
    return {"game": name, **{f"{m}_end": "refused" for m in methods}}


# ---- the run ----

def games_of(folders, pattern):
    """Pairs of a name and a path; what is not in the first folder is named with its folder."""
    found = []
    for i, folder in enumerate(folders):
        for path in sorted(folder.glob("*.kif")):
            name = path.stem if i == 0 else f"{folder.name}/{path.stem}"
            if pattern in name:
                found.append((name, path))
    return found


def default_folders():
    shared = TOP.parent / "shared" / "games"
    return ([shared] if shared.is_dir() else []) + [TOP / "games"]


def first_line_of(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (done.stdout.splitlines() or ["?"])[0]


def processor():
    """Its name with the family and model, since virtual machines often hide the name."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        facts = dict(map(str.strip, line.split(":", 1)) for line in file if ":" in line)
    name = facts.get("model name", platform.machine())
    if "cpu family" in facts:
        name += f" (family {facts['cpu family']}, model {facts['model']})"
    return f"{name}, {os.cpu_count()} cores"


def commit():
    git = ["git", "--no-optional-locks", "-C", str(TOP)]
    changed = first_line_of(*git, "status", "--porcelain", "--untracked-files=no", "src") != "?"
    return first_line_of(*git, "rev-parse", "--short", "HEAD") + (" and changes" if changed else "")


def facts_of_the_run(options, methods, tabia):
    return {"date": time.strftime("%Y-%m-%d"), "processor": processor(),
            "clock": options.clock, "limit": f"{options.limit:g}", "memory": str(options.memory),
            "methods": " ".join(methods),
            "tabia": f"{first_line_of(tabia, '--version')} ({commit()})",
            "program": hashlib.sha256(pathlib.Path(tabia).read_bytes()).hexdigest()[:12],
            "gringo": first_line_of("gringo", "--version"),
            "prolog": first_line_of("swipl", "--version")}


# What must be the same for two runs to make one table.
SAME_FOR_ALL_ROWS = ("clock", "limit", "memory", "methods", "program")


def rows_to_keep(table, facts, names):
    """The whole rows of a table that was begun with the same settings and the same program."""
    lines = table.read_text(encoding="utf-8").split("\n")[:-1] if table.exists() else []
    about = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# "))
    other = [k for k in SAME_FOR_ALL_ROWS if lines and about.get(k) != facts[k]]
    if other:
        sys.exit(f"bench/ground: cannot go on with {table}: its {', '.join(other)} differ")
    rows = [line for line in lines if not line.startswith("# ")][1:]
    return [row for row in rows if row.count("\t") == len(names) - 1]


def begin_table(table, facts, names, kept):
    """Written anew as a whole, so that it never lacks what it had."""
    fresh = table.with_suffix(".new")
    lines = [f"# {key}: {value}" for key, value in facts.items()] + ["\t".join(names)] + kept
    fresh.write_text("\n".join(lines) + "\n", encoding="utf-8")
    fresh.replace(table)


def write_table(table, options, methods, work):
    """Each row is on disk before the next game begins."""
    names = columns(methods)
    facts = facts_of_the_run(options, methods, work.tabia)
    kept = rows_to_keep(table, facts, names) if options.resume else []
    begin_table(table, facts, names, kept)
    known = {row.split("\t", 1)[0] for row in kept}
    games = games_of(options.games or default_folders(), options.pattern)
    with open(table, "a", encoding="utf-8") as file:
        for number, (name, path) in enumerate(games, 1):
            if name in known:
                continue
            row = refused_row(name, methods)
            if work.write_inputs(path, methods):
                row = row_of(name, *measure_game(work, path, methods, options))
            print("\t".join(str(row.get(c, "")) for c in names), file=file, flush=True)
            show_progress(number, len(games), name, row, methods)


def show_progress(number, count, name, row, methods):
    parts = [f"{m} {row.get(f'{m}_cpu', '')[:6]} {row[f'{m}_end']}" for m in methods]
    print(f"{number}/{count} {name}: " + ", ".join(parts), file=sys.stderr)


def bytes_of(words):
    units = {"K": 1 << 10, "M": 1 << 20, "G": GB}
    return int(float(words[:-1]) * units[words[-1]]) if words[-1] in units else int(words)


def parse_arguments():
    p = argparse.ArgumentParser(
        prog="bench/ground", description="Grounds many games in several ways, one process at a "
        "time; writes ground.tsv, ground.md and plots.")
    p.add_argument("pattern", nargs="?", default="", metavar="PATTERN",
                   help="only games whose name contains this")
    p.add_argument("--games", action="append", type=pathlib.Path, metavar="FOLDER",
                   help="a folder of .kif files; may be given several times "
                   "(default: ../shared/games if there, and games)")
    p.add_argument("--limit", type=float, default=60, metavar="SECONDS",
                   help="for each process (default: 60)")
    p.add_argument("--clock", choices=["wall", "cpu"], default="wall",
                   help="the time that is limited and compared; cpu where other work runs on "
                   "the same machine (default: wall)")
    p.add_argument("--memory", type=bytes_of, default=4 * GB, metavar="BYTES",
                   help="for each process; K, M and G may follow (default: 4G)")
    p.add_argument("--methods", default=",".join(METHODS), metavar="LIST",
                   help=f"some of {','.join(METHODS)} (default: all)")
    p.add_argument("--out", type=pathlib.Path, default=TOP / "docs" / "bench", metavar="FOLDER",
                   help="where the results go (default: docs/bench)")
    p.add_argument("--resume", action="store_true",
                   help="keep the rows of the table that is there, if it was begun with the same "
                   "limits, methods and program, and measure the games that it lacks")
    p.add_argument("--report", action="store_true",
                   help="measure nothing: make summary and plots from the table that is there")
    options = p.parse_args()
    unknown = set(options.methods.split(",")) - set(METHODS)
    if unknown:
        p.error(f"no such method: {', '.join(sorted(unknown))}")
    return options


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that temporary files go
    options = parse_arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    table = options.out / "ground.tsv"
    if not options.report:
        with tempfile.TemporaryDirectory(prefix="bench-ground.") as folder, \
                tempfile.TemporaryDirectory(prefix="bench-ground.", dir=IN_MEMORY) as written:
            work = Work(folder, written, os.environ["TABIA"])
            write_table(table, options, options.methods.split(","), work)
    report.write(table, options.out)
    print(options.out / "ground.md")


if __name__ == "__main__":
    main()
