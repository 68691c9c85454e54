"""Proves of many games which fluents exclude each other, and tells which cells of boards and which
turn markers (boards.py) the groups cover.

A fluent is covered when it is in a group; a cell is whole when one group holds all its fluents.  All
markers of a turn count as one cell.  Of a cell that is not whole two fluents are looked for that hold
at once in random games: then there is no such group to be found, and the cell counts as `both`.  Of
what is left those fluents do not count that can be proved never to hold.  The other cells are open.
The certificate of the groups is checked."""

import argparse
import concurrent.futures
import functools
import json
import pathlib
import subprocess
import tempfile
import time
from dataclasses import dataclass

import boards
from ground import begin_table
from prove import add_arguments, chosen_games, facts_of_the_run, make_table, read_table

COLUMNS = ("game", "relation", "kind", "fluents", "covered", "cells", "whole", "both", "open",
           "groups", "certificate", "seconds", "why")
GAMES_PLAYED = 8
STEPS_PLAYED = 200
LOOK_SECONDS = 30  # for each thing that is not the proof
UNREACHABLE_MOST = 300  # fluents of a relation that are tried


def output_of(*command, words=None, seconds=LOOK_SECONDS):
    """What a command writes, however it ends."""
    try:
        return subprocess.run(command, input=words, capture_output=True, text=True, check=False,
                              timeout=seconds).stdout
    except subprocess.TimeoutExpired as e:
        return (e.stdout or b"").decode()


# ---- the game ----

def state_of(line):
    return set(boards.read_terms(" ".join(json.loads(line)["state"])))


def whole_lines(words):
    return [line for line in words.split("\n")[:-1] if line]


def first_state(tabia, game):
    lines = whole_lines(output_of(tabia, "step", "--json", str(game), words=""))
    return state_of(lines[0]) if lines else set()


def random_states(tabia, game):
    """The states of some random games, as many as there is time for."""
    states, until = [], time.monotonic() + LOOK_SECONDS
    for seed in range(1, GAMES_PLAYED + 1):
        left = until - time.monotonic()
        if left <= 0:
            break
        trace = whole_lines(output_of(tabia, "trace", "--seed", str(seed), "--max-steps",
                                      str(STEPS_PLAYED), str(game), seconds=left / 2))
        steps = [json.loads(line).get("moves") for line in trace[1:]]
        moves = "".join(" ".join(step.values()) + "\n" for step in steps if step)
        states += map(state_of, whole_lines(output_of(tabia, "step", "--json", str(game),
                                                      words=moves, seconds=left / 2)))
    return states


class Proof:
    """The groups that were proved of a game, and whether the certificate holds."""

    def __init__(self, tabia, game, options, scratch):
        certificate = str(scratch / "certificate")
        words = output_of(tabia, "prove", "--json", "--property", options.properties,
                          "--time-limit", str(options.limit), "--memory-limit",
                          str(options.memory // 2), "--threads", str(options.threads),
                          "--certificate", certificate, str(game), seconds=options.limit + 120)
        found = [v for v in json.loads(words or "[]") if v["property"] == "mutex"]
        self.reason = found[0]["reason"] or "" if found else "nothing was proved in time"
        self.seconds = found[0]["seconds"] if found else options.limit
        self.groups = [frozenset(boards.read_terms(" ".join(g["fluents"])))
                       for v in found for g in v.get("groups") or []]
        self.is_checked = "none"
        if self.groups:
            self.is_checked = check(tabia, game, certificate, options.check_limit)
        self.covered = set().union(*self.groups)


def check(tabia, game, certificate, seconds):
    words = output_of(tabia, "prove", "--check", certificate, "--time-limit", str(seconds),
                      str(game), seconds=seconds + 60)
    answers = [line.split(": ", 1)[1] for line in words.split("\n")
               if line.startswith("(property mutex): ")]
    return " ".join(answers) or "no answer"


# ---- rows ----

def cells_with_two(cells, states):
    """Those cells of which two fluents hold at once."""
    found = {}
    for state in states:
        for cell in cells.keys() - found.keys():
            pair = boards.pair_at_once(cells[cell], state)
            if pair:
                found[cell] = pair
    return found


def never_holding(tabia, game, fluents):
    """Those of the fluents that can be proved never to hold."""
    asked = ",".join(f"unreachable {words_of(fluent)}" for fluent in fluents[:UNREACHABLE_MOST])
    words = output_of(tabia, "prove", "--json", "--property", asked, "--time-limit",
                      str(LOOK_SECONDS), str(game), seconds=2 * LOOK_SECONDS) if asked else ""
    return {fluent for fluent, found in zip(fluents, json.loads(words or "[]"))
            if found["verdict"] == "proved"}


def is_whole(group, groups):
    return len(group) < 2 or any(known.issuperset(group) for known in groups)


def words_of(fluent):
    return fluent if isinstance(fluent, str) else f"({' '.join(map(words_of, fluent))})"


def why_open(open_cells, pairs, proof, cells):
    words = []
    if pairs:
        words.append("at once: " + " ".join(map(words_of, next(iter(pairs.values())))))
    if open_cells:
        words.append("not proved: " + words_of(cells[open_cells[0]][0]) + "; " + proof.reason)
    return "; ".join(words)


def row_of(shape, fluents, proof, look):
    cells = boards.cells_of(shape, fluents)
    left = {cell: group for cell, group in cells.items() if not is_whole(group, proof.groups)}
    pairs = cells_with_two(left, look.states()) if left else {}
    doubtful = {cell: group for cell, group in left.items() if cell not in pairs}
    never = look.never_holding([fluent for group in doubtful.values() for fluent in group])
    open_cells = [cell for cell, group in doubtful.items()
                  if not is_whole(set(group) - never, proof.groups)]
    members = [fluent for group in cells.values() for fluent in group if fluent not in never]
    return [f"{shape.name}/{shape.arity}", shape.kind, len(members),
            sum(fluent in proof.covered for fluent in members), len(cells),
            len(cells) - len(pairs) - len(open_cells), len(pairs), len(open_cells),
            len(proof.groups), proof.is_checked, f"{proof.seconds:.2f}",
            why_open(open_cells, pairs, proof, cells)]


@dataclass(frozen=True)
class Look:
    """What is asked of a game beside the proof, when it is needed."""
    tabia: str
    game: pathlib.Path

    @functools.cache
    def states(self):
        return random_states(self.tabia, self.game)

    def never_holding(self, fluents):
        return never_holding(self.tabia, self.game, fluents)


def rows_of(tabia, name, game, options):
    text = output_of(tabia, "bases", str(game), seconds=options.limit)
    fluents = [term[1] for term in boards.read_terms(text) if term[0] == "base"]
    rules = boards.read_terms(output_of(tabia, "show", "rules", str(game)))
    if not fluents:
        return [[name, *["-"] * 2, *[0] * 7, "none", 0, "its fluents are not known in time"]]
    shapes = boards.shapes_of(fluents, first_state(tabia, game), rules)
    if not any(boards.cells_of(shape, fluents) for shape in shapes):
        return []
    with tempfile.TemporaryDirectory() as folder:
        proof = Proof(tabia, game, options, pathlib.Path(folder))
    look = Look(tabia, game)
    return [[name, *row_of(shape, fluents, proof, look)] for shape in shapes
            if boards.cells_of(shape, fluents)]


# ---- the table ----

def write_table(path, tabia, options):
    facts = facts_of_the_run(options, tabia)
    begin_table(path, facts, COLUMNS, [])
    games = chosen_games(options)
    pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
    try:
        with open(path, "a", encoding="utf-8") as file:
            found = pool.map(lambda game: rows_of(tabia, *game, options), games)
            for number, ((name, _), rows) in enumerate(zip(games, found), 1):
                file.write("".join("\t".join(map(str, row)) + "\n" for row in rows))
                file.flush()
                still = [f"{row[1]}: {row[8]} of {row[5]} cells open" for row in rows if row[8]]
                print(f"{number}/{len(games)} {name}", *still, flush=True)
    finally:
        pool.shutdown(cancel_futures=True)


# ---- the summary ----

def summary(about, rows):
    out = ["# Which cells and turn markers the groups cover", "",
           f"`bench/mutex` at {about['commit']}, {about['processor']}: {about['limit']} s a game, "
           f"{about['threads']} threads, properties {about['properties']}.  `mutex.tsv` has a row "
           "for each game and relation.", "",
           "| kind | games | relations | fluents | covered | cells | whole | both at once | open |",
           "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    for kind in ("board", "turn", "pile"):
        of_kind = [row for row in rows if row["kind"] == kind]
        sums = [sum(int(row[c]) for row in of_kind)
                for c in ("fluents", "covered", "cells", "whole", "both", "open")]
        games = len({row["game"] for row in of_kind})
        out.append(f"| {kind} | {games} | {len(of_kind)} | {' | '.join(map(str, sums))} |")
    out += ["", "Boards and turn markers with open cells:", "",
            "| game | relation | cells | whole | both at once | open | why |",
            "| --- | --- | --- | --- | --- | --- | --- |"]
    for row in rows:
        if row["kind"] != "pile" and (row["open"] != "0" or row["kind"] == "-"):
            out.append("| " + " | ".join(row[c] for c in ("game", "relation", "cells", "whole",
                                                          "both", "open", "why")) + " |")
    return "\n".join(out) + "\n"


def write_summary(path, table):
    about, rows = read_table(table, COLUMNS)
    path.write_text(summary(about, [dict(zip(COLUMNS, row.split("\t"))) for row in rows]),
                    encoding="utf-8")


# ---- the run ----

def parse_arguments():
    p = argparse.ArgumentParser(prog="bench/mutex", description=__doc__)
    add_arguments(p, properties="mutex")
    p.add_argument("--check-limit", type=float, default=60, metavar="SECONDS",
                   help="for checking the certificate of a game (default: 60)")
    return p.parse_args()


if __name__ == "__main__":
    make_table(parse_arguments(), "mutex", write_table, write_summary)
