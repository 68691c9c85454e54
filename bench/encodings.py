"""Grounds many games with their own rules and with frame rules translated, and compares.

Plain grounding keeps every instance of a rule; optimised grounding has its own way with frame rules
('any move but these').  Both are measured.

Games whose own rulesheets have no frame rules that square are measured with classical ones too."""

import json
import statistics

import measure
import sweep
from ground import TOP, commit, processor

ENCODINGS = ("original", "direct", "pruned")
WAYS = {"plain": ["--no-optimise"], "optimised": []}
CLASSICAL = TOP / "bench" / "classical"
COLUMNS = ("game", "proof_s", *(f"{way}_{encoding}_{what}" for way in WAYS
                                for encoding in ENCODINGS for what in ("literals", "ms")))


def ground(tabia, game, encoding, way, options, scratch):
    """What `tabia ground --json` tells, or None at a limit."""
    out, messages = scratch / "out", scratch / "messages"
    limits = measure.Limits(options.limit, "cpu", options.memory)
    arguments = [tabia, "ground", "--json", "--encoding", encoding, *WAYS[way], str(game)]
    run = measure.run(arguments, limits, str(out), str(messages))
    return json.loads(out.read_text()) if run.end == "ok" else None


def measure_game(tabia, name, game, options, scratch):
    """The row of a game; None where nothing is translated or nothing is grounded in time."""
    row = {"game": name, "proof_s": ""}
    for encoding in reversed(ENCODINGS):
        for way in WAYS:
            found = ground(tabia, game, encoding, way, options, scratch)
            if encoding == "pruned" and (not found or found["encoding"] != "pruned"):
                return None
            key = f"{way}_{encoding}"
            row[f"{key}_literals"] = found["literals"] if found else ""
            row[f"{key}_ms"] = f"{found['seconds'] * 1e3:.3f}" if found else ""
            if encoding == "pruned":
                row["proof_s"] = f"{found['encode_seconds']:.3f}"
    return [row[column] for column in COLUMNS]


def ratio(row, way, what):
    """The original's by the pruned one's: above 1 the translation has less."""
    before, after = (row[f"{way}_{encoding}_{what}"] for encoding in ("original", "pruned"))
    return float(before) / float(after) if before and after and float(after) else None


def totals(rows):
    lines = ["| grounding | measure | median | at least 5 | at least 1 | games |",
             "| --- | --- | ---: | ---: | ---: | ---: |"]
    for way in WAYS:
        for what in ("literals", "ms"):
            ratios = [r for r in (ratio(row, way, what) for row in rows) if r is not None]
            median = f"{statistics.median(ratios):.2f}" if ratios else ""
            lines.append(f"| {way} | {what} | {median} | {sum(r >= 5 for r in ratios)} | "
                         f"{sum(r >= 1 for r in ratios)} | {len(ratios)} |")
    return lines


def where_most_is_gained(rows):
    lines = ["| game | original, literals | direct | pruned | ratio | optimised original | optimised pruned |",
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    ranked = sorted(rows, key=lambda row: -(ratio(row, "plain", "literals") or 0))
    for row in ranked[:25]:
        cells = [row[f"plain_{encoding}_literals"] for encoding in ENCODINGS]
        lines.append(f"| {row['game']} | " + " | ".join(cells)
                     + f" | {ratio(row, 'plain', 'literals'):.1f} | {row['optimised_original_literals']}"
                     + f" | {row['optimised_pruned_literals']} |")
    return lines


def every_figure(rows):
    lines = ["| game | grounding | literals original | direct | pruned | ratio | ms original | direct | pruned | ratio |",
             "| --- | --- |" + " ---: |" * 8]
    for row in rows:
        for way in WAYS:
            cells = []
            for what in ("literals", "ms"):
                cells += [row[f"{way}_{encoding}_{what}"] for encoding in ENCODINGS]
                found = ratio(row, way, what)
                cells.append(f"{found:.1f}" if found else "")
            lines.append(f"| {row['game']} | {way} | " + " | ".join(cells) + " |")
    return lines


def is_classical(row):
    return row["game"].startswith(f"{CLASSICAL.name}/")


def summary(rows):
    games = [row for row in rows if not is_classical(row)]
    out = ["# Grounding with frame rules translated", "",
           f"`bench/encodings` at {commit()}, {processor()}. `encodings.tsv` has a row for each of the "
           f"{len(games)} games in which frame rules were translated.", "",
           "Original by pruned:", "", *totals(games), "",
           "Where plain grounding gains most:", "", *where_most_is_gained(games), "",
           "## Classical rulesheets", "",
           "The rulesheets of `bench/classical`, which name every square that a move does not touch; they are "
           "not counted above.", "", *every_figure([row for row in rows if is_classical(row)])]
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    sweep.run("encodings", __doc__, COLUMNS, measure_game, summary, own_folders=[CLASSICAL])
