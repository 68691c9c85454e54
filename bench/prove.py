"""Proves properties of many games, one process at a time, and writes what was found out.

The table has a row for each game and property; the summary is made from the table alone."""

import argparse
import collections
import json
import os
import pathlib
import shutil
import tempfile

import measure
from ground import GB, TOP, commit, default_folders, games_of, processor

COLUMNS = ("game", "property", "verdict", "method", "seconds", "states", "depth", "reason")
GRACE_S = 120  # for a replay that begins just before the limit


def prove_game(tabia, name, game, options, scratch):
    """The rows of a game."""
    out, messages = scratch / "out", scratch / "messages"
    limits = measure.Limits(options.limit + GRACE_S, "wall", options.memory)
    arguments = [tabia, "prove", "--json", "--property", options.properties, "--time-limit",
                 str(options.limit), "--memory-limit", str(options.memory // 2),
                 "--threads", str(options.threads), str(game)]
    run = measure.run(arguments, limits, str(out), str(messages))
    try:
        found = json.loads(out.read_text())
    except ValueError:
        reason = run.message or run.end
        return [[name, asked, "unknown", "", f"{run.wall:.2f}", 0, 0, reason]
                for asked in options.properties.split(",")]
    return [[name, f["property"], f["verdict"], f["method"] or "", f"{f['seconds']:.2f}",
             f["states"], f["depth"], f["reason"] or ""] for f in found]


def write_table(path, tabia, options):
    games = games_of(options.games or default_folders(), options.pattern)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, game) in enumerate(games, 1):
            rows += prove_game(tabia, name, game, options, pathlib.Path(folder))
            print(f"{number}/{len(games)} {name}", flush=True)
    lines = ["\t".join(map(str, row)) for row in [COLUMNS, *rows]]
    path.write_text("\n".join(lines) + "\n")


def read_table(path):
    lines = path.read_text().splitlines()
    return [dict(zip(COLUMNS, line.split("\t"))) for line in lines[1:]]


def share(part, whole):
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "none"


def summary(rows, options):
    """Counts by property, and by method."""
    by_property = collections.defaultdict(collections.Counter)
    by_method = collections.Counter()
    for row in rows:
        kind = row["property"].split()[0]
        by_property[kind][row["verdict"]] += 1
        by_method[kind, row["method"]] += row["verdict"] != "unknown"
    out = ["# What is proved of the games", "",
           f"`bench/prove` at {commit()}, {processor()}: {options.limit:g} s a game, "
           f"{options.threads} threads. `prove.tsv` has a row for each game and property.", "",
           "| property | proved | refuted | unknown | decided |", "| --- | --- | --- | --- | --- |"]
    for kind, counts in by_property.items():
        decided = counts["proved"] + counts["refuted"]
        out.append(f"| {kind} | {counts['proved']} | {counts['refuted']} | {counts['unknown']} "
                   f"| {share(decided, sum(counts.values()))} |")
    out += ["", "| property | method | decided |", "| --- | --- | --- |"]
    for (kind, method), count in sorted(by_method.items()):
        if count:
            out.append(f"| {kind} | {method} | {count} |")
    return "\n".join(out) + "\n"


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench/prove", description=__doc__)
    parser.add_argument("--games", action="append", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--properties", default="playable,terminates,winnable,goals,mutex")
    parser.add_argument("--limit", type=float, default=60, metavar="SECONDS")
    parser.add_argument("--memory", type=int, default=8 * GB, metavar="BYTES")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=pathlib.Path, default=TOP / "docs" / "bench")
    parser.add_argument("--report", action="store_true", help="only make the summary again")
    parser.add_argument("pattern", nargs="?", default="")
    return parser.parse_args()


def main():
    options = parse_arguments()
    table = options.out / "prove.tsv"
    if not options.report:
        options.out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            tabia = shutil.copy(os.environ["TABIA"], folder)
            write_table(table, tabia, options)
    (options.out / "prove.md").write_text(summary(read_table(table), options))


if __name__ == "__main__":
    main()
