"""Repeats the experiment of the frame paper (Romero, Saffidine, Thielscher, Table 1).

For each game of its table that is at hand, a full minimax search to the paper's depth is run with
every encoding, on the machine `datalog` and on SWI-Prolog; terminal states are played on, as there.
All must visit the same number of states; it is compared with the paper's, which has three digits.

A search also finds moves and ends, which no encoding changes: `steps` is the time for the steps of a
game alone, on `datalog`, in microseconds each."""

import argparse
import collections
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import typing

import measure
from mutex import shapes_of_game

TOP = pathlib.Path(__file__).resolve().parent.parent
ENCODINGS = ["original", "direct", "pruned"]
PAPER = {"original": "O_s", "direct": "XD_s", "pruned": "XP_s"}
GB = 1 << 30
REPEAT = 10     # searches with an encoding at most, and
REPEAT_S = 3    # seconds for them; the fastest counts
STEPS_S = 1  # of processor time, for the steps of each encoding


# ---- the paper's table, and the games at hand ----

def read_table(path):
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    names = lines[0].split("\t")
    return [dict(zip(names, line.split("\t"))) for line in lines[1:] if line.strip()]


def plain_name(name):
    """Names without what versions of a rulesheet differ in."""
    name = re.sub(r"(_v\d+|_dresden|_libgdl)$", "", name.lower())
    return re.sub(r"[^a-z0-9]", "", name)


def candidates(name, folder):
    """The files that may be the game, the plainest name first."""
    wanted = {plain_name(name), plain_name(name).replace("knights", "knight")}
    found = [f for f in pathlib.Path(folder).glob("*.kif") if plain_name(f.stem) in wanted]
    return sorted(found, key=lambda f: (len(f.stem), f.stem))


def agrees(states, k_states):
    """Does the number agree with the paper's thousands, to the three digits that it has?"""
    digits = float(k_states)
    return abs(states / 1000 - digits) <= unit_of_last_digit(k_states) * 0.51


def unit_of_last_digit(text):
    if "." in text:
        return 10 ** -len(text.split(".")[1])
    significant = text.rstrip("0") if len(text) > 3 else text
    return 10 ** (len(text) - max(len(significant), 3)) if len(text) > 3 else 1


# ---- searches ----

class Work:
    def __init__(self, folder, tabia, limit):
        self.folder = pathlib.Path(folder)
        self.tabia = str(self.folder / "tabia")
        shutil.copy(tabia, self.tabia)  # a build meanwhile must not change what is measured
        self.output = str(self.folder / "output")
        self.messages = str(self.folder / "messages")
        self.limits = measure.Limits(limit, "cpu", 4 * GB)

    def run(self, arguments):
        result = measure.run(arguments, self.limits, self.output, self.messages)
        return result, pathlib.Path(self.output).read_text(encoding="utf-8", errors="replace")


class Search(typing.NamedTuple):
    """What came of a search."""
    states: typing.Optional[int]
    seconds: typing.Union[float, str]  # of processor time; or why there are none
    before: typing.Optional[float] = None  # seconds of what went before it
    took: str = ""  # the encoding that was searched with


def search_datalog(work, game, depth, encoding):
    run, text = work.run([work.tabia, "minimax", "-d", str(depth), "--ignore-terminal", "--machine",
                          "datalog", "--encoding", encoding, "--json", str(game)])
    if run.end in ("time", "memory") or not text.strip():
        return Search(None, run.end)
    found = json.loads(text.splitlines()[0])
    return Search(found["total"], found["cpu_seconds"], run.cpu - found["cpu_seconds"],
                  found["encoding"])


def search_prolog(work, game, depth, encoding):
    program = str(work.folder / f"{encoding}.pl")
    export = [work.tabia, "export", "prolog", "--encoding", encoding, "-o", program, str(game)]
    if subprocess.run(export, stderr=subprocess.DEVNULL, check=False).returncode:
        return Search(None, "refused")
    run, text = work.run(["swipl", "-q", "-g", "main", "-t", "halt", program, "--", str(depth)])
    found = re.search(r"states (\d+)\n.*\nseconds ([\d.]+)", text)
    if run.end != "ok" or not found:
        return Search(None, run.end)
    return Search(int(found[1]), float(found[2]))


@functools.cache
def step_speeds(game):
    """By encoding: steps a second; none where the game is not translated so."""
    out = subprocess.run([os.path.join(os.environ["BENCH_TOOLS"], "step_speed"), str(STEPS_S), str(game)], capture_output=True,
                         text=True, check=True).stdout
    return {e: float(v) for e, v in zip(ENCODINGS, out.split("\t")[1:]) if v.strip() != "-"}


def time_steps(_work, game, _depth, encoding):
    speed = step_speeds(game).get(encoding)
    return Search(None, 1e6 / speed if speed else "not translated")


METHODS = {"datalog": search_datalog, "steps": time_steps, "prolog": search_prolog}


def encodings_of(method):
    return ENCODINGS + (["auto"] if method == "datalog" else [])


def is_to_be_repeated(searches):
    if searches[0].states is None:
        return False
    return len(searches) < REPEAT and sum(search.seconds for search in searches) < REPEAT_S


def search_in_turns(method, work, file, depth):
    """By encoding: its searches.  The encodings take turns, so that a disturbance meets all."""
    found = {}
    open_ones = encodings_of(method)
    while open_ones:
        for encoding in open_ones:
            found.setdefault(encoding, []).append(METHODS[method](work, file, depth, encoding))
        open_ones = [encoding for encoding in open_ones if is_to_be_repeated(found[encoding])]
    return found


def counted(names):
    """'pruned 9, direct 1'"""
    return ", ".join(f"{name} {count}" for name, count in collections.Counter(names).most_common())


def choose_file(work, row, folder):
    """The file whose number of states is the paper's; else the first, with its number."""
    first = None
    for file in candidates(row["game"], folder):
        states = search_datalog(work, file, row["depth"], "original").states
        first = first or (file, states)
        if states and agrees(states, row["k_states"]):
            return file, states
    return first or (None, None)


def kind_of_game(work, file):
    """Is it a board game in which the players take turns?  boards.py says how that is known."""
    kinds = {shape.kind for shape in shapes_of_game(work.tabia, file, work.limits.seconds)[1]}
    return "yes" if {"board", "turn"} <= kinds else "no"


def note_searches(result, method, encoding, searches):
    best = min(searches, key=lambda search: search.seconds)
    is_known = not isinstance(best.seconds, str)
    result[f"{method}_{encoding}"] = f"{best.seconds:.4g}" if is_known else best.seconds
    if best.before is not None:
        result[f"{method}_{encoding}_setup"] = f"{best.before:.3f}"
    if encoding == "auto" and is_known:
        result[f"{method}_auto_took"] = counted(search.took for search in searches)
    if best.states is not None and result["states"] and best.states != result["states"]:
        result["encodings_agree"] = f"no: {method} {encoding} {best.states}"


def measure_game(work, row, folder, methods):
    file, states = choose_file(work, row, folder)
    if not file:
        return None
    result = {"game": row["game"], "file": file.stem, "depth": row["depth"],
              "k_states": row["k_states"], "states": states or "",
              "paper_agrees": "" if not states else "yes" if agrees(states, row["k_states"]) else "no",
              "encodings_agree": "yes", "board": kind_of_game(work, file)}
    for encoding in ENCODINGS:
        result[f"paper_{encoding}"] = row[PAPER[encoding]]
    for method in methods:
        for encoding, searches in search_in_turns(method, work, file, row["depth"]).items():
            note_searches(result, method, encoding, searches)
    return result


# ---- the report ----

def columns(methods):
    names = ["game", "file", "depth", "k_states", "states", "paper_agrees", "encodings_agree",
             "board"]
    names += [f"paper_{e}" for e in ENCODINGS]
    for method in methods:
        names += [f"{method}_{e}" for e in encodings_of(method)]
    if "datalog" in methods:
        names += [f"datalog_{e}_setup" for e in encodings_of("datalog")] + ["datalog_auto_took"]
    return names


def write_table(path, rows, methods):
    names = columns(methods)
    lines = ["\t".join(names)] + ["\t".join(str(r.get(n, "")) for n in names) for r in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_rows(path):
    """The rows of a table, and the methods in it."""
    names, *lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    return ([dict(zip(names, line)) for line in lines],
            [method for method in METHODS if f"{method}_original" in names])


def seconds_of(row, name):
    try:
        return float(row.get(name, ""))
    except ValueError:
        return None


def ratio(row, prefix, encoding):
    """How many times faster than the original."""
    before, after = seconds_of(row, f"{prefix}_original"), seconds_of(row, f"{prefix}_{encoding}")
    return before / after if before and after else None


def shown(value):
    return f"{value:.2f}" if value else ""


def summary_line(rows, prefix):
    ratios = [ratio(r, prefix, "pruned") for r in rows]
    on_boards = [p for r, p in zip(rows, ratios) if p and r["board"] == "yes"]
    pruned = [p for p in ratios if p]
    return (f"| {prefix} | {len(pruned)} | {sum(p >= 1 for p in pruned)} | "
            f"{sum(p >= 2 for p in pruned)} | {len(on_boards)} | {sum(p >= 2 for p in on_boards)} |")


def rest_lines(rows):
    """What a search does besides steps, on board games, and how little it would have to be for the
    whole to be twice as fast."""
    lines = ["", "On board games with turns, in microseconds a state: all of a search, a step, the rest, and",
             "how little the rest would have to be for a whole search to be twice as fast with the pruned",
             "rules (original less twice pruned; below 0 no search can be).", "",
             "| game | search O | search P | step O | step P | rest | rest for twice |",
             "| --- |" + " --- |" * 6]
    for r in rows:
        names = ("datalog_original", "datalog_pruned", "steps_original", "steps_pruned")
        values = [seconds_of(r, name) for name in names]
        if r["board"] != "yes" or None in values:
            continue
        original, pruned = (1e6 * value / int(r["states"]) for value in values[:2])
        steps, fewer = values[2:]
        numbers = (original, pruned, steps, fewer, original - steps, steps - 2 * fewer)
        lines.append(f"| {r['game']} | " + " | ".join(f"{n:.2f}" for n in numbers) + " |")
    return lines


def losses_of_auto(row):
    """By the time with the best encoding: that with those that `auto` took, on average over its runs,
    and that with the slowest of them."""
    times = {e: seconds_of(row, f"datalog_{e}") for e in ENCODINGS}
    took = [part.split() for part in row.get("datalog_auto_took", "").split(", ") if part]
    if not took or not all(times.values()):
        return None
    taken = [times[e] / min(times.values()) for e, count in took for _ in range(int(count))]
    return sum(taken) / len(taken), max(taken)


def do_encodings_differ(row):
    times = [seconds_of(row, f"datalog_{e}") for e in ENCODINGS]
    return max(times) > 1.05 * min(times)


def auto_lines(rows):
    known = [(r, losses) for r, losses in ((r, losses_of_auto(r)) for r in rows) if losses]
    if not known:
        return []
    means, worst = zip(*(losses for _, losses in known))
    lines = ["", "What `auto` took, and in how many runs, where encodings differ by over 5 %; then the time with what",
             "it took by the time with the best, on average over the runs and at worst.  Of all "
             f"{len(known)} games the mean", f"is at most 1.05 on {sum(loss <= 1.05 for loss in means)} "
             f"({max(means):.2f} at most), the worst on {sum(loss <= 1.05 for loss in worst)} "
             f"({max(worst):.2f}).", "",
             "| game | original | direct | pruned | took | mean | worst |", "| --- |" + " --- |" * 6]
    for r, losses in known:
        if do_encodings_differ(r):
            cells = [r[f"datalog_{e}"] for e in ENCODINGS] + [r["datalog_auto_took"]]
            lines.append(f"| {r['game']} | " + " | ".join(cells + [f"{loss:.2f}" for loss in losses]) + " |")
    return lines


def write_report(path, rows, methods):
    lines = ["# The frame paper's experiment, repeated", "",
             "Made by `bench/frame`.  Times are seconds of processor time for a full minimax search to the",
             "paper's depth, terminal states played on.  A ratio is the original encoding's time by the",
             "translated one's: above 1 the translation is faster.  What goes before the search (reading,",
             "translating, proving, and for `auto` trying the encodings) is in the columns `_setup` of",
             "`frame.tsv`.  `steps` is the time for steps alone, in microseconds each: a search also",
             "finds moves and ends, which no encoding changes.", "",
             f"Games of the paper's table at hand: {len(rows)}.  Number of states as in the paper: "
             f"{sum(r['paper_agrees'] == 'yes' for r in rows)}.  All encodings visit the same number: "
             f"{sum(r['encodings_agree'] == 'yes' for r in rows)}.", "",
             "| | games | pruned at least as fast | at least twice | turn-taking board games | "
             "at least twice |", "| --- | --- | --- | --- | --- | --- |"]
    lines += [summary_line(rows, prefix) for prefix in ["paper"] + methods]
    prefixes = ["paper"] + methods
    lines += ["", "| game | file | depth | states | as the paper | "
              + " | ".join(f"{p} O | {p} O/D | {p} O/P" for p in prefixes) + " |",
              "| --- |" + " --- |" * (4 + 3 * len(prefixes))]
    for r in rows:
        cells = [r["game"], r["file"], r["depth"], str(r["states"]),
                 r["paper_agrees"] if r["paper_agrees"] != "no" else f"no: {r['k_states']} k"]
        for p in prefixes:
            cells += [r.get(f"{p}_original", ""), shown(ratio(r, p, "direct")),
                      shown(ratio(r, p, "pruned"))]
        lines.append("| " + " | ".join(cells) + " |")
    lines += auto_lines(rows)
    if {"datalog", "steps"} <= set(methods):
        lines += rest_lines(rows)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def parse(arguments):
    parser = argparse.ArgumentParser(prog="bench/frame", description=__doc__)
    parser.add_argument("--table", default=str(TOP / "../shared/papers/tables/frame-table1.tsv"))
    parser.add_argument("--games", default=str(TOP / "../shared/games"), help="folder")
    parser.add_argument("--limit", type=float, default=100, help="seconds of processor time a run")
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--out", default=str(TOP / "docs/bench"), help="folder for table and summary")
    parser.add_argument("--report", action="store_true",
                        help="measure nothing, make the summary again from the table")
    parser.add_argument("pattern", nargs="?", default="", help="part of a game's name")
    return parser.parse_args(arguments)


def main():
    o = parse(sys.argv[1:])
    methods = o.methods.split(",")
    rows = []
    out = pathlib.Path(o.out)
    out.mkdir(parents=True, exist_ok=True)
    if o.report:
        write_report(out / "frame.md", *read_rows(out / "frame.tsv"))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        work = Work(folder, os.environ["TABIA"], o.limit)
        for row in read_table(o.table):
            if o.pattern not in row["game"]:
                continue
            result = measure_game(work, row, o.games, methods)
            if not result:
                continue
            rows.append(result)
            print(json.dumps(result), file=sys.stderr)
            write_table(out / "frame.tsv", rows, methods)
            write_report(out / "frame.md", rows, methods)
    return 0 if all(r["encodings_agree"] == "yes" for r in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
