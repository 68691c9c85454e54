"""From the table of bench/play to a summary in Markdown and a bar plot."""

import plot
from report import markdown_table

NAMES = {"hand": "by hand", "lanes": "tabia, lanes", "circuit": "tabia, circuit",
         "compiled": "tabia, compiled", "datalog": "tabia, datalog",
         "reference": "tabia, reference", "prolog": "SWI-Prolog"}
COLOURS = {"hand": "#222222", "lanes": "#0072b2", "circuit": "#56b4e9", "compiled": "#d55e00",
           "datalog": "#009e73", "reference": "#e69f00", "prolog": "#cc79a7"}
BAR_SHARE = 0.86  # of the width of a game; the rest is a gap


class Table:
    def __init__(self, path):
        lines = path.read_text(encoding="utf-8").splitlines()
        self.about = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# "))
        self.methods = self.about["methods"].split()
        head, *rows = [line.split("\t") for line in lines if line and not line.startswith("# ")]
        self.rows = {(r[0], r[1]): dict(zip(head, r)) for r in rows}
        self.games = list(dict.fromkeys(game for game, _ in self.rows))

    def text(self, game, method, column):
        return self.rows.get((game, method), {}).get(column, "")

    def number(self, game, method, column):
        words = self.text(game, method, column)
        return float(words) if words else None

    def rate(self, game, method):
        return self.number(game, method, "playouts_per_second")


# ---- words ----

def rate_words(value):
    """Three digits."""
    return "–" if value is None else plot.count_label(float(f"{value:.3g}"))


def ratio_words(value, other):
    if not value or not other:
        return "–"
    return f"{value / other:.3g}" if 10 * value > other else f"1/{other / value:,.0f}"


# ---- sections: each gives Markdown ----

def section_setting(t):
    a = t.about
    return (f"One core; {a['processor']}; {a['tabia']}; {a['prolog']}; hand-written programs by "
            f"the faster of {a['compilers']}; {a['date']}, load average at the start "
            f"{a.get('load', 'not noted')}.  Best of {a['repeat']} runs of {a['seconds']} s, in "
            "processor time without what comes before the first playout; "
            "`bench/README.md` says how.  All play the same game: see the end.")


def section_rates(t, column, words):
    rows = [[game, *(rate_words(t.number(game, m, column)) for m in t.methods)] for game in t.games]
    return words + "\n\n" + markdown_table(["game", *(NAMES[m] for m in t.methods)], rows)


def section_playouts(t):
    return section_rates(t, "playouts_per_second",
                         f"Random games a second, on one core of {t.about['processor']}.")


def section_states(t):
    return section_rates(t, "states_per_second",
                         f"States reached by a move, a second, on one core of "
                         f"{t.about['processor']}.")


def section_ratios(t):
    others = [m for m in t.methods if m != "hand"]
    rows = [[game, *(ratio_words(t.rate(game, m), t.rate(game, "hand")) for m in others)]
            for game in t.games]
    return ("How many times faster than the hand-written program; below 1 it is slower.\n\n" +
            markdown_table(["game", *(NAMES[m] for m in others)], rows))


def section_agreement(t):
    rows = []
    for game in t.games:
        for m in t.methods:
            if t.text(game, m, "end") != "ok":
                rows.append([game, NAMES[m], t.text(game, m, "end"), *["–"] * 5])
                continue
            rows.append([game, NAMES[m], f"{int(t.number(game, m, 'playouts')):,}",
                         *(t.text(game, m, c) for c in ("mean_length", "length_deviation",
                                                        "mean_goal_first", "mean_goal_second")),
                         t.text(game, m, "largest_difference") or "–"])
    head = ["game", "", "playouts", "mean length", "deviation", "mean goal, first", "second",
            "difference"]
    return ("Over all runs.  The difference is the largest, in standard errors, of mean length and "
            "of the share of each goal from the hand-written program's; none is given for under "
            "100 playouts.\n\n" + markdown_table(head, rows))


def section_perft(t):
    rows = [[game, t.text(game, "hand", "note").split("perft ")[-1].replace(" ", ", ")]
            for game in t.games]
    return ("Sequences of moves from depth 1, the same by hand and by `tabia perft`.\n\n" +
            markdown_table(["game", "perft"], rows))


SECTIONS = [
    ("Playouts", section_playouts),
    ("Against the hand-written programs", section_ratios),
    ("States", section_states),
    ("The same game: playouts", section_agreement),
    ("The same game: perft", section_perft),
]


# ---- plot ----

def plot_bars(t, path):
    rates = {(g, m): t.rate(g, m) for g in t.games for m in t.methods if t.rate(g, m)}
    low, high = plot.ends_around(list(rates.values()))
    low /= 3  # so that the shortest bar is seen
    high *= 10 ** (len(t.methods) / 3)  # room for the legend
    chart = plot.Chart(
        "Random games a second, one core", f"{t.about['processor']}; logarithmic",
        plot.Axis("", (0, len(t.games)), False, ticks=[]),
        plot.Axis("playouts a second", (low, high), label=plot.count_label))
    wide = BAR_SHARE / len(t.methods)
    for i, game in enumerate(t.games):
        for j, m in enumerate(t.methods):
            if (game, m) in rates:
                bar(chart, i + (1 - BAR_SHARE) / 2 + j * wide, wide, rates[game, m], m, game)
        x, y = chart.at(i + 0.5, low)
        chart.text(x, y + 18, game, anchor="middle")
    chart.legend([(COLOURS[m], NAMES[m]) for m in t.methods], "top-right")
    chart.save(path)


def bar(chart, left, wide, value, method, game):
    (x, y), (end, floor) = chart.at(left, value), chart.at(left + wide, chart.y.ends[0])
    words = rate_words(value)
    chart.add("rect", f"<title>{game}, {NAMES[method]}: {words}</title>", x=f"{x:.1f}",
              y=f"{y:.1f}", width=f"{(end - x) * 0.92:.1f}", height=f"{floor - y:.1f}",
              fill=COLOURS[method])
    middle = x + (end - x) / 2 + 3
    chart.text(middle, y - 4, words, size=10, fill=plot.PALE, turn=-90)


def write(table, out):
    t = Table(table)
    plot_bars(t, out / "play.svg")
    parts = ["# Random play, measured", section_setting(t),
             "![Random games a second](play.svg)"]
    parts += [f"## {title}\n\n{section(t)}" for title, section in SECTIONS]
    (out / "play.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
