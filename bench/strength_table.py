"""Results of bench/strength, a file of JSON lines, as tables: one for each pair of searches.

Lines that differ only in the seed and the number of games are parts of one row."""

import json
import math
import sys


def head_of(entry):
    return (
        f"`{entry['first']}` against `{entry['second']}`, {entry['seconds']} s of processor time a move, "
        f"{entry['learning']} s of learning"
    )


class Row:
    """The games of one pair at one game."""

    def __init__(self):
        self.wins = self.draws = self.losses = 0
        self.styles = []
        self.used = [0.0, 0.0]

    def add(self, result):
        self.wins += result["wins"]
        self.draws += result["draws"]
        self.losses += result["losses"]
        if result["style"] not in self.styles:
            self.styles.append(result["style"])
        for side in range(2):
            self.used[side] += result["seconds_a_move"][side] * result["games"]

    @property
    def games(self):
        return self.wins + self.draws + self.losses

    @property
    def score(self):
        return (self.wins + self.draws / 2) / self.games

    @property
    def variance(self):
        """Of a game's score; never less than one half game in all would make it."""
        return max((self.wins + self.draws / 4) / self.games - self.score**2, 0.25 / self.games)

    @property
    def error(self):
        return math.sqrt(self.variance / self.games)


def elo_of(score):
    return -400 * math.log10(1 / min(max(score, 0.001), 0.999) - 1)


def expected(elo):
    return 1 / (1 + 10 ** (-elo / 400))


def verdict(row):
    """What a sequential test with error rates of 5 % says: 200 Elo, or none."""
    low, high = expected(0), expected(200)
    llr = row.games * (high - low) * (2 * row.score - low - high) / (2 * row.variance)
    return "200" if llr > 2.94 else "0" if llr < -2.94 else "open"


def elo(row):
    """A side that has won everything has no upper bound, and no Elo."""
    low, high = elo_of(row.score - 1.96 * row.error), elo_of(row.score + 1.96 * row.error)
    if row.score == 1:
        return f"over {low:.0f}"
    return f"{elo_of(row.score):.0f} ({low:.0f} to {f'{high:.0f}' if high < 1199 else '...'})"


def line_of(game, row):
    used = " / ".join(f"{s / row.games:.3f}" for s in row.used)
    return (
        f"| {game} | {', '.join(row.styles)} | {row.games} | {row.wins} | {row.draws} | {row.losses} | "
        f"{row.score:.2f} ± {row.error:.2f} | {elo(row)} | {verdict(row)} | {used} |"
    )


def main():
    groups = {}
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            rows = groups.setdefault(head_of(entry), {})
            rows.setdefault(entry["game"], Row()).add(entry["result"])
    for head, rows in groups.items():
        print(f"\n{head}\n")
        print("| game | style | games | won | drawn | lost | score | Elo (95 %) | 0 or 200? | s used a move |")
        print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: |")
        print("\n".join(line_of(game, rows[game]) for game in sorted(rows)))


if __name__ == "__main__":
    main()
