"""Makes the circuits of many games and compares the time with that of their grounding.

A game is run several times and the least of each time counts: the two are measured in one process,
one right after the other."""

import json
import statistics

import measure
import sweep
from ground import commit, processor

COLUMNS = ("game", "rules", "literals", "gates", "inputs", "ground_ms", "circuit_ms", "ratio")
REPEAT = 5
LONG_S = 2  # longer runs are not repeated


def measure_game(tabia, name, game, options, scratch):
    """The row of a game, or None where it has no circuit within the limits."""
    out, messages = scratch / "out", scratch / "messages"
    limits = measure.Limits(options.limit, "cpu", options.memory)
    found, ground, circuit = None, [], []
    for _ in range(REPEAT):
        run = measure.run([tabia, "circuit", "--json", str(game)], limits, str(out), str(messages))
        if run.end != "ok":
            return None
        found = json.loads(out.read_text())
        ground.append(found["ground"]["seconds"])
        circuit.append(found["seconds"])
        if run.cpu > LONG_S:
            break
    last = found["passes"][-1]
    return [name, found["ground"]["rules"], found["ground"]["literals"], last["gates"],
            last["inputs"], f"{min(ground) * 1e3:.3f}", f"{min(circuit) * 1e3:.3f}",
            f"{min(circuit) / min(ground):.2f}"]


def summary(rows):
    ratios = sorted(float(row["ratio"]) for row in rows)
    ground, circuit = (sum(float(row[key]) for row in rows) / 1e3
                       for key in ("ground_ms", "circuit_ms"))
    faster = sum(ratio < 1 for ratio in ratios)
    out = ["# Circuits against grounding", "",
           f"`bench/circuit` at {commit()}, {processor()}. `circuit.tsv` has a row a game.", "",
           f"- games: {len(rows)}; circuit made in less time than grounding took: {faster}",
           f"- time of the circuit by time of grounding: median {statistics.median(ratios):.2f}, "
           f"nine in ten below {ratios[len(ratios) * 9 // 10]:.2f}, at most {ratios[-1]:.2f}",
           f"- in all: grounding {ground:.1f} s, circuits {circuit:.1f} s", "",
           "The largest ratios:", "", "| game | ground rules | grounding, ms | circuit, ms | ratio |",
           "| --- | ---: | ---: | ---: | ---: |"]
    for row in sorted(rows, key=lambda row: -float(row["ratio"]))[:20]:
        out.append(f"| {row['game']} | {row['rules']} | {row['ground_ms']} | {row['circuit_ms']} "
                   f"| {row['ratio']} |")
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    sweep.run("circuit", __doc__, COLUMNS, measure_game, summary)
