"""Proves of many games which fluents exclude each other, and tells which cells of boards and which
turn markers (boards.py) the groups cover.

A fluent is covered when it is in a group; a cell is whole when one group holds all its fluents, but
for those that never hold (the circuit has a constant for them).  All markers of a turn count as one
cell.  Of a cell that is not whole it is asked as an invariant, with all
methods, that at most one of its fluents holds: where that is refuted by a line of play the cell counts
as `both` at once, and where it is proved as `apart`.  The other cells are open.  The certificate of
the groups is checked."""

import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import tempfile
from dataclasses import dataclass

import boards
from ground import begin_table
from prove import add_arguments, chosen_games, facts_of_the_run, make_table, read_table

COLUMNS = ("game", "relation", "kind", "fluents", "covered", "cells", "whole", "apart", "both",
           "open", "groups", "certificate", "seconds", "why")
LOOK_SECONDS = 30  # for each thing that is not a proof
ASKED_TOGETHER = 200  # cells in one process


def output_of(*command, words=None, seconds=LOOK_SECONDS):
    """What a command writes, however it ends."""
    try:
        return subprocess.run(command, input=words, capture_output=True, text=True, check=False,
                              timeout=seconds).stdout
    except subprocess.TimeoutExpired as e:
        return (e.stdout or b"").decode()


NOTHING = '{"verdicts": []}'  # of a command that was stopped

# ---- the game ----

def state_of(line):
    return set(boards.read_terms(" ".join(json.loads(line)["state"])))


def whole_lines(words):
    return [line for line in words.split("\n")[:-1] if line]


def first_state(tabia, game):
    lines = whole_lines(output_of(tabia, "step", "--json", str(game), words=""))
    return state_of(lines[0]) if lines else set()


class Proof:
    """The groups that were proved of a game, and whether the certificate holds."""

    def __init__(self, tabia, game, options, scratch):
        certificate = str(scratch / "certificate")
        words = output_of(tabia, "prove", "--json", "--property", options.properties,
                          "--time-limit", str(options.limit), "--memory-limit",
                          str(options.memory // 2), "--threads", str(options.threads),
                          "--certificate", certificate, str(game), seconds=options.limit + 120)
        found = [v for v in json.loads(words or NOTHING)["verdicts"] if v["property"] == "mutex"]
        self.reason = found[0]["reason"] or "" if found else "nothing was proved in time"
        self.seconds = found[0]["seconds"] if found else options.limit
        self.groups = [frozenset(boards.read_terms(" ".join(g["members"])))
                       for v in found for g in v.get("groups") or []]
        self.is_checked = "none"
        if pathlib.Path(certificate).exists():
            self.is_checked = check(tabia, game, certificate, options.check_limit)
        self.covered = set().union(*self.groups)


def check(tabia, game, certificate, seconds):
    words = output_of(tabia, "prove", "--check", certificate, "--time-limit", str(seconds),
                      str(game), seconds=seconds + 60)
    answers = [line.split(": ", 1)[1] for line in words.split("\n")
               if line.startswith("(property mutex): ")]
    return "; ".join(dict.fromkeys(answers)) or "no answer"


# ---- rows ----

def at_most_one(shape, cell):
    """The formula: of two different fluents of the cell, one does not hold."""
    what = [i for i in range(shape.arity) if i not in shape.where]

    def fluent(letter):
        arguments = [f"?{letter}{i}" for i in range(shape.arity)]
        for i, value in zip(shape.where, cell):
            arguments[i] = words_of(value)
        return f"({shape.name} {' '.join(arguments)})"

    same = " ".join(f"(not (distinct ?a{i} ?b{i}))" for i in what)
    formula = f"(or (not {fluent('a')}) (not {fluent('b')}) (and {same}))"
    for i in what:
        formula = f"(forall ?a{i} (forall ?b{i} {formula}))"
    return formula


def verdicts_of_cells(look, shape, cells):
    """By cell: is it proved or refuted that at most one of its fluents holds?"""
    found = {}
    parts = [cells[i:i + ASKED_TOGETHER] for i in range(0, len(cells), ASKED_TOGETHER)]
    for part in parts:
        asked = ",".join(f"invariant {at_most_one(shape, cell)}" for cell in part)
        seconds = look.options.limit / len(parts)
        words = output_of(look.tabia, "prove", "--json", "--property", asked, "--time-limit",
                          str(seconds), "--memory-limit", str(look.options.memory // 2),
                          "--threads", str(look.options.threads), str(look.game),
                          seconds=seconds + 120)
        found |= {cell: v["verdict"] for cell, v in zip(part, json.loads(words or NOTHING)["verdicts"])}
    return found


def is_whole(group, groups):
    return len(group) < 2 or any(known.issuperset(group) for known in groups)


def words_of(fluent):
    return fluent if isinstance(fluent, str) else f"({' '.join(map(words_of, fluent))})"


def why_open(verdicts, proof):
    words = [f"{verdict}: at most one of {' '.join(map(words_of, cell)) or 'all'}"
             for verdict in ("refuted", "unknown")
             for cell in [next((c for c, v in verdicts.items() if v == verdict), None)]
             if cell is not None]
    return "; ".join([*words, proof.reason]) if words else ""


def row_of(shape, fluents, proof, look):
    cells = boards.cells_of(shape, fluents)
    left = [cell for cell, group in cells.items() if not is_whole(group, proof.groups)]
    verdicts = dict.fromkeys(left, "unknown") | verdicts_of_cells(look, shape, left)
    apart, both, still = (sum(v == verdict for v in verdicts.values())
                          for verdict in ("proved", "refuted", "unknown"))
    members = [fluent for group in cells.values() for fluent in group]
    return [f"{shape.name}/{shape.arity}", shape.kind, len(members),
            sum(fluent in proof.covered for fluent in members), len(cells), len(cells) - len(left),
            apart, both, still, len(proof.groups), proof.is_checked, f"{proof.seconds:.2f}",
            why_open(verdicts, proof)]


@dataclass(frozen=True)
class Look:
    """How a game is asked about beside the proof."""
    tabia: str
    game: pathlib.Path
    options: argparse.Namespace


NEVER = {"gate": 0, "negated": False}  # the wire of what never holds


def fluents_of(tabia, game, seconds):
    """Those that can come to hold; none if there is no time."""
    words = output_of(tabia, "circuit", "--format", "json", str(game), seconds=seconds)
    try:
        fluents = json.loads(words)["fluent_list"]
    except ValueError:
        return []
    return boards.read_terms(" ".join(f["fluent"] for f in fluents if f["true_wire"] != NEVER))


def shapes_of_game(tabia, game, seconds):
    """Its fluents, and the boards, piles and turn markers among them; nothing if there is no time."""
    fluents = fluents_of(tabia, game, seconds)
    rules = boards.read_terms(output_of(tabia, "show", "rules", str(game)))
    shapes = boards.shapes_of(fluents, first_state(tabia, game), rules) if fluents else []
    return fluents, [shape for shape in shapes if boards.cells_of(shape, fluents)]


def rows_of(tabia, name, game, options):
    fluents, shapes = shapes_of_game(tabia, game, options.limit)
    if not fluents:
        return [[name, *["-"] * 2, *[0] * 8, "none", 0, "its fluents are not known in time"]]
    if not shapes:
        return []
    with tempfile.TemporaryDirectory() as folder:
        proof = Proof(tabia, game, options, pathlib.Path(folder))
    look = Look(tabia, game, options)
    return [[name, *row_of(shape, fluents, proof, look)] for shape in shapes]


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
                still = [f"{row[1]}: {row[9]} of {row[5]} cells open" for row in rows if row[9]]
                print(f"{number}/{len(games)} {name}", *still, flush=True)
    finally:
        pool.shutdown(cancel_futures=True)


# ---- the summary ----

def summary(about, rows):
    out = ["# Which cells and turn markers the groups cover", "",
           f"`bench/mutex` at {about['commit']}, {about['processor']}: {about['limit']} s a game, "
           f"{about['threads']} threads, properties {about['properties']}.  `mutex.tsv` has a row "
           "for each game and relation.", "",
           "| kind | games | relations | fluents | covered | cells | whole | apart | both at once | "
           "open |",
           "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    for kind in ("board", "turn", "pile"):
        of_kind = [row for row in rows if row["kind"] == kind]
        sums = [sum(int(row[c]) for row in of_kind)
                for c in ("fluents", "covered", "cells", "whole", "apart", "both", "open")]
        games = len({row["game"] for row in of_kind})
        out.append(f"| {kind} | {games} | {len(of_kind)} | {' | '.join(map(str, sums))} |")
    out += ["", "Boards and turn markers with open cells:", "",
            "| game | relation | cells | whole | apart | both at once | open | why |",
            "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    for row in rows:
        if row["kind"] != "pile" and (row["open"] != "0" or row["kind"] == "-"):
            out.append("| " + " | ".join(row[c] for c in ("game", "relation", "cells", "whole",
                                                          "apart", "both", "open", "why")) + " |")
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
