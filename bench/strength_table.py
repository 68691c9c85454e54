"""Results of bench/strength, a file of JSON lines, as tables: one for each pair of searches."""

import json
import sys


def head_of(entry):
    return (
        f"`{entry['first']}` against `{entry['second']}`, {entry['seconds']} s of processor time a move, "
        f"{entry['learning']} s of learning"
    )


def verdict(llr):
    """What a sequential test with error rates of 5 % says: 200 Elo, or none."""
    return "200" if llr > 2.94 else "0" if llr < -2.94 else "open"


def elo(result):
    """A side that has won everything has no upper bound, and no Elo."""
    if result["score"] == 1:
        return f"over {result['elo_low']}"
    high = "" if result["elo_high"] >= 1200 else str(result["elo_high"])
    return f"{result['elo']} ({result['elo_low']} to {high or '...'})"


def row_of(entry):
    r = entry["result"]
    used = " / ".join(f"{s:.3f}" for s in r["seconds_a_move"])
    return (
        f"| {entry['game']} | {r['style']} | {r['games']} | {r['wins']} | {r['draws']} | {r['losses']} | "
        f"{r['score']:.2f} ± {r['error']:.2f} | {elo(r)} | {verdict(r['llr_0_200'])} | {used} |"
    )


def main():
    groups = {}
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            groups.setdefault(head_of(entry), []).append(row_of(entry))
    for head, rows in groups.items():
        print(f"\n{head}\n")
        print("| game | style | games | won | drawn | lost | score | Elo (95 %) | 0 or 200? | s used a move |")
        print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: |")
        print("\n".join(sorted(rows)))


if __name__ == "__main__":
    main()
