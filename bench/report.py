"""From the table of bench/ground to a summary in Markdown and three plots."""

import math
from statistics import mean, median

import plot

NAMES = {"native": "tabia", "plain": "tabia --no-optimise",
         "written": "tabia --no-optimise, rules written", "gringo": "gringo",
         "prolog": "SWI-Prolog, tabled"}
COLOURS = {"native": "#0072b2", "plain": "#56b4e9", "written": "#009e73", "gringo": "#d55e00",
           "prolog": "#cc79a7"}
CLOCKS = {"wall": "wall time", "cpu": "processor time"}
STAGES = ("bases", "instantiate", "simplify")
SLOW_FOR_GRINGO = 0.020  # seconds: below it the start of a process is most of what is measured
MANY_RULES = 100_000
MANY_LITERALS = 1_000_000


# ---- the table ----

class Row:
    def __init__(self, values, clock):
        self.values = values
        self.clock = clock
        self.game = values["game"]

    def end(self, method):
        return self.values.get(f"{method}_end", "")

    def number(self, column):
        words = self.values.get(column, "")
        return float(words) if words else None

    def seconds(self, method):
        """By the clock of the run, and only where the game was grounded."""
        return self.number(f"{method}_{self.clock}") if self.end(method) == "ok" else None

    def done(self, *methods):
        return all(self.end(m) == "ok" for m in methods)

    def ratio(self, method, other, clock=None):
        """How many times longer `other` takes."""
        clock = clock or self.clock
        return self.number(f"{other}_{clock}") / self.number(f"{method}_{clock}")


class Table:
    def __init__(self, path):
        lines = path.read_text(encoding="utf-8").splitlines()
        notes = [line[2:].split(": ", 1) for line in lines if line.startswith("# ")]
        self.about = dict(notes)
        self.methods = self.about["methods"].split()
        rows = [line.split("\t") for line in lines if line and not line.startswith("# ")]
        self.rows = [Row(dict(zip(rows[0], r)), self.about["clock"]) for r in rows[1:]]

    def done(self, *methods):
        return [r for r in self.rows if r.done(*methods)]


# ---- words ----

def seconds_words(value):
    if value is None:
        return "–"
    if value < 0.0995:
        return f"{value * 1e3:.1f} ms"
    return f"{value:.2f} s" if value < 99.5 else f"{value:.0f} s"


def count_words(value):
    return f"{value:,.0f}"


def markdown_table(head, rows):
    """Numbers to the right: every column but the first."""
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    lines += ["| " + " | ".join(str(c).replace("|", "\\|") for c in r) + " |" for r in rows]
    return "\n".join(lines)


# ---- sections: each gives Markdown ----

def section_setting(t):
    about = t.about
    methods = ", ".join(NAMES[m] for m in t.methods)
    return (f"{len(t.rows)} games, one process at a time, at most {about['limit']} s and "
            f"{float(about['memory']) / 2**30:g} GB each; {about['processor']}; {about['tabia']}, "
            f"{about['gringo']}, {about['prolog']}; {about['date']}.  Measured: {methods}.  Times "
            f"are {CLOCKS[about['clock']]} with the start of the process, the best of several runs "
            "where they are short; `bench/README.md` says how.")


def section_methods(t):
    common = t.done(*t.methods)
    rows = []
    for m in t.methods:
        ends = [r.end(m) for r in t.rows]
        times = [r.seconds(m) for r in common]
        rows.append([NAMES[m], ends.count("ok"), ends.count("time"), ends.count("memory"),
                     ends.count("failed") + ends.count("refused"), seconds_words(sum(times)),
                     seconds_words(mean(times)), seconds_words(median(times))])
    return (f"Total, mean and median over the {len(common)} games that all of them ground.\n\n" +
            markdown_table(["", "grounded", "time", "memory", "failed", "total", "mean", "median"],
                           rows))


def ratio_row(rows, method, clock):
    ours = sum(r.number(f"{method}_{clock}") for r in rows)
    theirs = sum(r.number(f"gringo_{clock}") for r in rows)
    ratios = sorted(r.ratio(method, "gringo", clock) for r in rows)
    return [f"{NAMES[method]}, {CLOCKS[clock]}", seconds_words(ours), seconds_words(theirs),
            f"{theirs / ours:.1f}", f"{median(ratios):.1f}", f"{ratios[len(ratios) // 10]:.1f}",
            f"{ratios[0]:.2f}"]


def section_ratio(t):
    rows = []
    for m in ours_of(t):
        rows += [ratio_row(t.done(m, "gringo"), m, c) for c in ("wall", "cpu")]
    head = ["games that both ground", "ours", "gringo's", "ratio of totals", "median ratio",
            "lowest tenth", "lowest"]
    return ("How many times longer gringo takes.  Processor time is what a busy machine disturbs "
            "least.\n\n" + markdown_table(head, rows))


def section_ratio_by_size(t):
    """How the ratio grows with the work."""
    rows = []
    for low, high in ((0, 0.01), (0.01, 0.1), (0.1, 1), (1, limit_of(t))):
        group = [r for r in t.done("native", "gringo") if low <= r.seconds("gringo") < high]
        if group:
            ratios = [r.ratio("native", "gringo") for r in group]
            ours, theirs = (sum(r.seconds(m) for r in group) for m in ("native", "gringo"))
            rows.append([f"{seconds_words(low)} to {seconds_words(high)}", len(group),
                         seconds_words(ours), seconds_words(theirs), f"{theirs / ours:.1f}",
                         f"{median(ratios):.1f}"])
    return markdown_table(["gringo takes", "games", "ours", "gringo's", "ratio of totals",
                           "median ratio"], rows)


def section_nearest(t, count=25):
    """Where gringo comes nearest: what to work on."""
    rows = [r for r in t.done("native", "gringo") if r.seconds("gringo") > SLOW_FOR_GRINGO]
    rows.sort(key=lambda r: r.ratio("native", "gringo"))
    head = ["game", "ours", "gringo's", "ratio", "rules", *STAGES]
    return markdown_table(head, [
        [r.game, seconds_words(r.seconds("native")), seconds_words(r.seconds("gringo")),
         f"{r.ratio('native', 'gringo'):.2f}", *stage_words(r, "native")] for r in rows[:count]])


def section_stages(t):
    """Where the time of all games goes."""
    rows = []
    for m in sized(t):
        done = t.done(m)
        stages = [sum(r.number(f"{m}_seconds_{s}") for r in done) for s in STAGES]
        total = sum(r.number(f"{m}_wall") for r in done)
        rest = total - sum(stages)
        rows.append([NAMES[m], *(f"{100 * part / total:.0f} %" for part in (*stages, rest))])
    return "Of all wall time.\n\n" + markdown_table(["", *STAGES, "start, reading, the rest"], rows)


def ours_of(t):
    return [m for m in t.methods if m in ("native", "plain", "written")]


def slower_than_gringo(t, method):
    rows = [r for r in t.done(method, "gringo") if r.seconds("gringo") > SLOW_FOR_GRINGO]
    slower = [r for r in rows if r.ratio(method, "gringo") < 1]
    return sorted(slower, key=lambda r: r.ratio(method, "gringo"))


def section_slower(t):
    parts = []
    for m in ours_of(t):
        rows = slower_than_gringo(t, m)
        parts.append(f"**{NAMES[m]}**: " + (slower_list(rows, m) if rows else "none."))
    return "\n\n".join(parts)


def slower_list(rows, m):
    head = ["game", "ours", "gringo's", "times slower", "rules", *STAGES]
    return f"{len(rows)} games.\n\n" + markdown_table(head, [
        [r.game, seconds_words(r.seconds(m)), seconds_words(r.seconds("gringo")),
         f"{1 / r.ratio(m, 'gringo'):.2f}", *stage_words(r, m)] for r in rows])


def stage_words(r, m):
    rules = r.number(f"{m}_rules")
    stages = [r.number(f"{m}_seconds_{s}") for s in STAGES]
    return ["–" if rules is None else count_words(rules), *map(seconds_words, stages)]


def section_slowest(t, count=20):
    m = "native"
    rows = sorted(t.done(m), key=lambda r: -r.seconds(m))[:count]
    head = ["game", "tabia", "gringo", "rules", *STAGES]
    return markdown_table(head, [[r.game, seconds_words(r.seconds(m)), outcome(r, "gringo"),
                                  *stage_words(r, m)] for r in rows])


def outcome(r, m):
    return seconds_words(r.seconds(m)) if r.done(m) else r.end(m) or "–"


def section_rates(t):
    """Rules a second where there are many rules."""
    counted = [("native", "native_instances", "made"), ("native", "native_rules", "left"),
               ("native", "gringo_rules", "as gringo writes them"),
               ("plain", "plain_instances", "made"), ("plain", "plain_rules", "left"),
               ("gringo", "gringo_rules", "made")]
    rows = [rate_row(t, *what) for what in counted if what[0] in t.methods]
    return ("On games with over 100,000 ground rules.  `made` are the rules that instantiation wrote, "
            "which is what gringo's count is, too, though gringo also counts facts, the relaxation and "
            "rules that nothing needs; `left` are those that remain when repeated, subsumed and "
            "constant ones are gone and frame rules are in their short form; `as gringo writes them` "
            "counts gringo's rules for the same game, by our time.  The time is that of the whole "
            "process in every case.\n\n" +
            markdown_table(["", "rules", "games", "all together", "median", "lowest", "highest"],
                           [r for r in rows if r]))


def rate_row(t, m, column, kind):
    """Rules a second of a method, on games that it and the method that counts them have done."""
    counter = column.split("_")[0]
    big = [r for r in t.done(m, counter) if r.number(column) > MANY_RULES]
    if not big:
        return None
    rates = sorted(r.number(column) / r.seconds(m) for r in big)
    total = sum(r.number(column) for r in big) / sum(r.seconds(m) for r in big)
    return [NAMES[m], kind, len(big), *map(count_words, (total, median(rates), rates[0], rates[-1]))]


def sized(t):
    return [m for m in t.methods if m in ("native", "plain")]


def section_memory(t):
    """Peak memory for each ground literal where there are many."""
    rows = []
    for m in sized(t):
        big = [r for r in t.done(m) if r.number(f"{m}_literals") > MANY_LITERALS]
        rows += [[NAMES[m], r.game, count_words(r.number(f"{m}_literals")),
                  f"{r.number(f'{m}_peak_bytes') / 1e6:,.0f} MB", f"{bytes_each(r, m):.1f}"]
                 for r in sorted(big, key=lambda r: bytes_each(r, m))]
    if not rows:
        return "No game has over a million ground literals."
    return ("Peak memory of the process on games with over a million ground literals.\n\n" +
            markdown_table(["", "game", "literals", "peak", "bytes a literal"], rows))


def bytes_each(r, m):
    return r.number(f"{m}_peak_bytes") / r.number(f"{m}_literals")


def section_linear(t):
    parts = []
    for m in sized(t):
        points = [(r.number(f"{m}_literals"), r.seconds(m)) for r in t.done(m)
                  if r.number(f"{m}_literals") > 1e4]
        if len(points) > 2:
            parts.append(f"{NAMES[m]}: time grows with the number of literals to the power of "
                         f"{slope(points):.2f}, over {len(points)} games with over 10,000")
    return "; ".join(parts or ["too few large games"]) + "."


def slope(points):
    """Of the least-squares line through the logarithms."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    mx, my = mean(xs), mean(ys)
    return (sum((x - mx) * (y - my) for x, y in zip(xs, ys)) /
            sum((x - mx) ** 2 for x in xs))


def section_failures(t):
    rows = [r for r in t.rows if not r.done("native")]
    if not rows:
        return "tabia grounds every game."
    return markdown_table(["game", *(NAMES[m] for m in t.methods), "tabia says"], [
        [r.game, *(outcome(r, m) for m in t.methods), r.values.get("native_message", "")]
        for r in rows])


def section_only_ours(t):
    others = [m for m in t.methods if m in ("gringo", "prolog")]
    rows = [r for r in t.done("native") if not r.done(*others)]
    rows.sort(key=lambda r: -r.seconds("native"))
    return markdown_table(["game", "tabia", *(NAMES[m] for m in others)], [
        [r.game, seconds_words(r.seconds("native")), *(outcome(r, m) for m in others)]
        for r in rows])


# Title, text, and the methods without which it has nothing to say.
SECTIONS = [
    ("How much each grounds", section_methods, []),
    ("Against gringo", section_ratio, ["gringo"]),
    ("Against gringo, by size", section_ratio_by_size, ["native", "gringo"]),
    ("Slower than gringo, where gringo takes over 20 ms", section_slower, ["gringo"]),
    ("Where gringo comes nearest", section_nearest, ["native", "gringo"]),
    ("Not grounded by tabia", section_failures, ["native"]),
    ("The slowest games", section_slowest, ["native"]),
    ("Where the time goes", section_stages, ["native"]),
    ("Rules a second", section_rates, []),
    ("Memory", section_memory, []),
    ("Time against size", section_linear, []),
    ("Grounded by tabia, not by one of the others", section_only_ours, ["native", "gringo"]),
]


# ---- plots ----

def clock_of(t):
    return CLOCKS[t.about["clock"]]


def limit_of(t):
    return float(t.about["limit"])


def plot_within(t, path):
    """Percentage of games grounded within a time, one line for each method."""
    limit = limit_of(t)
    first = plot.ends_around([r.seconds(m) for m in t.methods for r in t.done(m)])[0]
    chart = plot.Chart(
        "Games grounded within a time", f"{len(t.rows)} games, start of the process included",
        plot.Axis(clock_of(t), (first, limit), label=plot.seconds_label,
                  ticks=plot.powers_of_ten(first, limit) + [limit]),
        plot.Axis("games grounded", (0, 100), False, "{:g} %".format, range(0, 101, 20)))
    for m in t.methods:
        chart.path(steps(sorted(r.seconds(m) for r in t.done(m)), len(t.rows), first, limit),
                   COLOURS[m])
    chart.legend([(COLOURS[m], f"{NAMES[m]} ({len(t.done(m))})") for m in t.methods])
    chart.save(path)


def steps(times, count, first, last):
    points = [(first, 0)]
    for i, seconds in enumerate(times):
        points += [(seconds, 100 * i / count), (seconds, 100 * (i + 1) / count)]
    return points + [(last, 100 * len(times) / count)]


def plot_against_gringo(t, path):
    limit = limit_of(t)
    rows = [r for r in t.rows if r.done("native") or r.done("gringo")]
    pairs = [(r.seconds("gringo") or limit, r.seconds("native") or limit, r.game) for r in rows]
    ends = plot.ends_around([v for p in pairs for v in p[:2]])[0], limit
    ticks = plot.powers_of_ten(*ends) + [limit]
    chart = plot.Chart(
        "tabia against gringo", "one dot a game; below the line tabia is faster; at the edge: "
        "not grounded within the limits",
        plot.Axis(f"gringo, {clock_of(t)}", ends, label=plot.seconds_label, ticks=ticks),
        plot.Axis(f"tabia, {clock_of(t)}", ends, label=plot.seconds_label, ticks=ticks))
    for factor, words in ((1, "equal"), (0.1, "10 times faster"), (0.01, "100 times faster")):
        chart.diagonal(factor, words)
    chart.dots([p for p, r in zip(pairs, rows) if r.done("native", "gringo")], COLOURS["native"])
    chart.dots([p for p, r in zip(pairs, rows) if not r.done("native", "gringo")],
               COLOURS["gringo"])
    chart.legend([(COLOURS["native"], "grounded by both"),
                  (COLOURS["gringo"], "by one of them only")], "top-left")
    chart.save(path)


def plot_linear(t, path):
    points = {m: [(max(r.number(f"{m}_literals"), 1), r.seconds(m), r.game) for r in t.done(m)]
              for m in sized(t)}
    every = [p for ps in points.values() for p in ps]
    x_ends = plot.ends_around([p[0] for p in every])
    y_ends = plot.ends_around([p[1] for p in every])
    chart = plot.Chart(
        "Time against the size of the ground program", "one dot a game and way; dashed: the same "
        "number of literals a second",
        plot.Axis("ground literals", x_ends, label=plot.count_label),
        plot.Axis(clock_of(t), y_ends, label=plot.seconds_label))
    for rate in (1e5, 1e6, 1e7):
        chart.diagonal(1 / rate, f"{plot.count_label(rate)} a second")
    for m in reversed(points):
        chart.dots(points[m], COLOURS[m])
    chart.legend([(COLOURS[m], NAMES[m]) for m in points], "top-left")
    chart.save(path)


PLOTS = [
    ("ground-within.svg", "Games grounded within a time", plot_within, []),
    ("ground-gringo.svg", "tabia against gringo", plot_against_gringo, ["native", "gringo"]),
    ("ground-linear.svg", "Time against size", plot_linear, ["native"]),
]


def write(table, out):
    t = Table(table)
    parts = ["# Grounding, measured", section_setting(t)]
    if t.done(*t.methods):
        parts += plots(t, out) + sections(t)
    else:
        parts += ["No game was grounded by all of them.", section_failures(t)]
    (out / "ground.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def plots(t, out):
    parts = []
    for name, title, draw, needs in PLOTS:
        if set(needs) <= set(t.methods):
            draw(t, out / name)
            parts.append(f"![{title}]({name})")
    return parts


def sections(t):
    return [f"## {title}\n\n{section(t)}" for title, section, needs in SECTIONS
            if set(needs) <= set(t.methods)]
