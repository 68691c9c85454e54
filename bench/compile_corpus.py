"""Every game at hand on the machines compiled and datalog, for bench/compile --corpus.

A row is written as soon as a game has been measured, and games that have a row are not measured
again: the run can be stopped and taken up at any time."""

import os
import pathlib

import measure
import sweep
from ground import games_of

COLUMNS = ("game", "datalog_ready_s", "datalog", "compiled_ready_s", "compiled", "compiled_best",
           "note")
LOW, BEST = 1, 3  # the optimisation levels of the machine's first and second build
LIMITS = measure.Limits(300, "wall", 4 << 30)


def measured(tool, game, level, seconds, scratch):
    """Both machines: seconds until ready, states a second, and why not; None: it failed."""
    output, messages = str(scratch / "out"), str(scratch / "err")
    command = [tool, str(seconds), str(level), str(game)]
    run = measure.run(command, LIMITS, output, messages)
    fields = pathlib.Path(output).read_text(encoding="utf-8").rstrip("\n").split("\t")
    if run.end != "ok" or len(fields) != 7:
        return None, run.end if run.end != "ok" else "\t".join(fields[1:])
    return fields[1:], ""


def row_of(tool, name, game, seconds, scratch):
    found, why = measured(tool, game, LOW, seconds, scratch)
    if not found:
        return {"game": name, "note": why}
    row = {"game": name, "datalog_ready_s": found[0], "datalog": found[1],
           "compiled_ready_s": found[3], "compiled": found[4], "note": found[5] or found[2]}
    if found[1] and found[4] and float(found[4]) < float(found[1]):
        best, _ = measured(tool, game, BEST, seconds, scratch)
        row["compiled_best"] = best[4] if best else ""
    return row


def read_rows(path):
    return sweep.read_table(path, COLUMNS) if path.exists() else []


def measure_all(path, folders, seconds, scratch):
    os.environ["XDG_CACHE_HOME"] = str(scratch)
    tool = os.path.join(os.environ["BENCH_TOOLS"], "compiled_speed")
    known = {row["game"] for row in read_rows(path)}
    games = games_of([pathlib.Path(folder) for folder in folders], "")
    if not path.exists():
        path.write_text("\t".join(COLUMNS) + "\n", encoding="utf-8")
    for number, (name, game) in enumerate(games, 1):
        if name in known:
            continue
        row = row_of(tool, name, game, seconds, scratch)
        with open(path, "a", encoding="utf-8") as file:
            file.write("\t".join(row.get(c, "") for c in COLUMNS) + "\n")
        print(f"{number}/{len(games)} {name}", flush=True)


# ---- the summary ----

def best_of(row):
    return float(row.get("compiled_best") or row["compiled"])


def ratios_of(rows):
    """(compiled / datalog, row) of the games that both play, the slowest first."""
    both = [r for r in rows if r.get("compiled") and r.get("datalog")]
    return sorted(((best_of(r) / float(r["datalog"]), r) for r in both), key=lambda pair: pair[0])


def share_below(values, limit):
    return f"{sum(v < limit for v in values)} of {len(values)}"


def summary(rows):
    ratios = ratios_of(rows)
    if not ratios:
        return []
    ready = [float(r["compiled_ready_s"]) for _, r in ratios]
    middle = ratios[len(ratios) // 2][0]
    slower = [(ratio, r) for ratio, r in ratios if ratio < 1]
    alone = [r for r in rows if r.get("compiled") and not r.get("datalog")]
    declined = [r for r in rows if not r.get("compiled")]
    lines = ["## Every game at hand", "",
             f"`compiled` and `datalog` both play {len(ratios)} of {len(rows)} games; "
             f"`compile_corpus.tsv` has them all. `compiled` is {middle:.1f} times as fast in the "
             f"middle, {ratios[0][0]:.2f} times at least ({ratios[0][1]['game']}) and "
             f"{ratios[-1][0]:.0f} times at most ({ratios[-1][1]['game']}). It is ready, translated "
             f"and compiled, after less than 1 s in {share_below(ready, 1)}, after less than 10 s in "
             f"{share_below(ready, 10)}; the longest takes {max(ready):.1f} s.", ""]
    if slower:
        lines += ["Slower than `datalog`: " +
                  ", ".join(f"{r['game']} ({ratio:.2f})" for ratio, r in slower) + ".", ""]
    if alone:
        lines += ["Played by `compiled` alone: " + ", ".join(r["game"] for r in alone) + ".", ""]
    if declined:
        lines += ["Not played by `compiled`: " +
                  "; ".join(f"{r['game']} ({r.get('note', '')})" for r in declined) + ".", ""]
    return lines
