"""Proves properties of many games, a process each, and writes what was found out.

The table has a row for each game and property; the summary is made from the table alone."""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import time

import measure
from ground import TOP, begin_table, bytes_of, commit, default_folders, games_of, processor

COLUMNS = ("game", "property", "verdict", "method", "seconds", "states", "depth", "reason")
GRACE_S = 120  # for a replay that begins just before the limit

# What must be the same for two runs to make one table.
SAME_FOR_ALL_ROWS = ("properties", "limit", "memory", "threads", "program")

# What we want decided of all games and roles, in per cent.
ASKED = {"playable": 97, "terminates": 96, "winnable": 98}


# ---- a game ----

def cell(value):
    return " ".join(str(value).split())


def rows_of(tabia, name, game, options):
    """The rows of a game."""
    with tempfile.TemporaryDirectory() as folder:
        return prove(tabia, name, game, options, pathlib.Path(folder))


def prove(tabia, name, game, options, scratch):
    out, messages = scratch / "out", scratch / "messages"
    limits = measure.Limits(options.limit + GRACE_S, "wall", options.memory)
    arguments = [tabia, "prove", "--json", "--property", options.properties, "--time-limit",
                 str(options.limit), "--memory-limit", str(options.memory // 2),
                 "--threads", str(options.threads), str(game)]
    run = measure.run(arguments, limits, str(out), str(messages))
    try:
        found = json.loads(out.read_text())["verdicts"]
    except ValueError:
        reason = run.message or run.end
        return [[name, asked, "unknown", "", f"{run.wall:.2f}", 0, 0, cell(reason)]
                for asked in options.properties.split(",")]
    return [[name, f["property"], f["verdict"], f["method"] or "", f"{f['seconds']:.2f}",
             f["states"], f["depth"], cell(f["reason"] or "")] for f in found]


# ---- the table ----

def facts_of_the_run(options, tabia):
    return {"date": time.strftime("%Y-%m-%d"), "processor": processor(), "commit": commit(),
            "properties": options.properties, "limit": f"{options.limit:g}",
            "memory": str(options.memory), "threads": str(options.threads),
            "program": hashlib.sha256(pathlib.Path(tabia).read_bytes()).hexdigest()[:12]}


def read_table(path, columns=COLUMNS):
    """What is said of the run, and the rows as they are written."""
    lines = path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []
    about = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# "))
    rows = [line for line in lines if not line.startswith("# ")][1:]
    return about, [row for row in rows if row.count("\t") == len(columns) - 1]


def game_of(row):
    return row.split("\t", 1)[0]


def rows_to_keep(path, facts, options):
    """Of a table that was begun with the same settings and the same program.  The last game may not
    be whole: it is proved again, and on request all those of which something is unknown."""
    about, rows = read_table(path)
    other = [k for k in SAME_FOR_ALL_ROWS if about and about.get(k) != facts[k]]
    if other:
        sys.exit(f"bench/prove: cannot go on with {path}: its {', '.join(other)} differ")
    without = {game_of(row) for row in rows if options.again and row.split("\t")[2] == "unknown"}
    if rows:
        without.add(game_of(rows[-1]))
    return [row for row in rows if game_of(row) not in without]


def chosen_games(options):
    games = games_of(options.games or default_folders(), options.pattern)
    if options.list:
        wanted = set(options.list.read_text(encoding="utf-8").split())
        games = [(name, path) for name, path in games if name in wanted]
    if options.sample and options.sample < len(games):
        games = sorted(random.Random(options.seed).sample(games, options.sample))
    return games


def write_table(path, tabia, options):
    """The rows of a game are on disk as soon as those of the games before it are."""
    facts = facts_of_the_run(options, tabia)
    kept = rows_to_keep(path, facts, options) if options.resume or options.again else []
    begin_table(path, facts, COLUMNS, kept)
    known = {game_of(row) for row in kept}
    games = [(name, game) for name, game in chosen_games(options) if name not in known]
    pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
    try:
        with open(path, "a", encoding="utf-8") as file:
            found = pool.map(lambda game: rows_of(tabia, *game, options), games)
            for number, ((name, _), rows) in enumerate(zip(games, found), 1):
                file.write("".join("\t".join(map(str, row)) + "\n" for row in rows))
                file.flush()
                unknown = [row[1] for row in rows if row[2] == "unknown"]
                print(f"{number}/{len(games)} {name}", *(["unknown:", ", ".join(unknown)]
                                                         if unknown else []), flush=True)
    finally:
        pool.shutdown(cancel_futures=True)


# ---- the summary ----

def share(part, whole):
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "none"


def summary(about, rows):
    """Counts by property, and by method."""
    by_property = collections.defaultdict(collections.Counter)
    by_method = collections.Counter()
    for row in rows:
        kind = row["property"].split()[0]
        by_property[kind][row["verdict"]] += 1
        by_method[kind, row["method"]] += row["verdict"] != "unknown"
    games = len({row["game"] for row in rows})
    out = ["# What is proved of the games", "",
           f"`bench/prove` at {about['commit']}, {about['processor']}: {games} games, "
           f"{about['limit']} s a game, {about['threads']} threads. `prove.tsv` has a row for each "
           "game and property.", "",
           "| property | proved | refuted | unknown | decided | asked |",
           "| --- | --- | --- | --- | --- | --- |"]
    for kind, counts in by_property.items():
        decided = counts["proved"] + counts["refuted"]
        asked = f"{ASKED[kind]} %" if kind in ASKED else ""
        out.append(f"| {kind} | {counts['proved']} | {counts['refuted']} | {counts['unknown']} "
                   f"| {share(decided, sum(counts.values()))} | {asked} |")
    out += ["", "| property | method | decided |", "| --- | --- | --- |"]
    for (kind, method), count in sorted(by_method.items()):
        if count:
            out.append(f"| {kind} | {method} | {count} |")
    return "\n".join(out + open_games(rows)) + "\n"


WORDS_MAX = 100  # of a reason


def open_games(rows):
    """What is unknown of each game, and the last that was said of it."""
    properties, reasons = collections.defaultdict(list), {}
    for row in rows:
        if row["verdict"] == "unknown":
            properties[row["game"]].append(row["property"])
            reasons[row["game"]] = row["reason"].replace("|", "/")[:WORDS_MAX]
    return ["", "| game | open | the last word |", "| --- | --- | --- |"] + [
        f"| {game} | {', '.join(names)} | {reasons[game]} |"
        for game, names in properties.items()]


def write_summary(path, table):
    about, rows = read_table(table)
    named = [dict(zip(COLUMNS, row.split("\t"))) for row in rows]
    path.write_text(summary(about, named), encoding="utf-8")


# ---- the run ----

def add_arguments(p, properties):
    """Those that say what is proved of which games."""
    p.add_argument("pattern", nargs="?", default="", metavar="PATTERN",
                   help="only games whose name contains this")
    p.add_argument("--games", action="append", type=pathlib.Path, metavar="FOLDER",
                   help="a folder of .kif files; may be given several times "
                   "(default: ../shared/games if there, and games)")
    p.add_argument("--list", type=pathlib.Path, metavar="FILE",
                   help="only the games that are named in this file")
    p.add_argument("--sample", type=int, metavar="N", help="only N games, taken at random")
    p.add_argument("--seed", type=int, default=1, metavar="N", help="of the sample (default: 1)")
    p.add_argument("--properties", default=properties,
                   metavar="LIST")
    p.add_argument("--limit", type=float, default=60, metavar="SECONDS",
                   help="for each game (default: 60)")
    p.add_argument("--memory", type=bytes_of, default="8G", metavar="BYTES",
                   help="for each process; K, M and G may follow (default: 8G)")
    p.add_argument("--threads", type=int, default=os.cpu_count(), metavar="N",
                   help="of each process (default: one for each core)")
    p.add_argument("--jobs", type=int, default=1, metavar="N",
                   help="games at a time, which then share the cores (default: 1)")
    p.add_argument("--out", type=pathlib.Path, default=TOP / "docs" / "bench", metavar="FOLDER",
                   help="where the results go (default: docs/bench)")
    p.add_argument("--report", action="store_true", help="only make the summary again")


def parse_arguments():
    p = argparse.ArgumentParser(prog="bench/prove", description=__doc__)
    add_arguments(p, properties="playable,terminates,winnable,goals,mutex")
    p.add_argument("--resume", action="store_true",
                   help="keep the rows of the table that is there, if it was begun with the same "
                   "settings and program, and prove of the games that it lacks")
    p.add_argument("--again", action="store_true",
                   help="as --resume, and prove again of the games of which something is unknown")
    return p.parse_args()


def make_table(options, name, write, summarise):
    """Writes the table and the summary of that name; the program may be built anew meanwhile."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that temporary files go
    table, page = options.out / f"{name}.tsv", options.out / f"{name}.md"
    if not options.report:
        options.out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            write(table, shutil.copy(os.environ["TABIA"], folder), options)
    summarise(page, table)
    print(page)


if __name__ == "__main__":
    make_table(parse_arguments(), "prove", write_table, write_summary)
