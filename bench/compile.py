"""Measures the forward-chaining compiler: sizes and times of each step (Table 2 of the paper) and
random playouts a second (its Table 3), beside our datalog machine and SWI-Prolog; with --corpus
every game at hand beside datalog."""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile

import compile_corpus
import duplicate_state
import measure
import play_prolog
from ground import TOP, default_folders

DRIVER = TOP / "bench" / "play_driver.pl"
C_DRIVER = TOP / "bench" / "compile_driver.c"
TABIA = os.environ["TABIA"]
LIMITS = measure.Limits(300, "wall", 4 << 30)

# The paper's figures: KB of rules, OCaml and object code; seconds to translate and to compile.
TABLE_2 = {
    "breakthrough": (3.6, 48, 115, 0.024, 0.46),
    "ticTacToe": (3.2, 22, 55, 0.012, 0.27),
    "duplicateStateSmall": (3.7, 47, 108, 0.022, 0.43),
    "duplicateStateMedium": (23, 337, 755, 0.170, 3.6),
    "duplicateStateLarge": (73, 1100, 2500, 0.980, 28),
    "stateSpaceSmall": (2.0, 34, 76, 0.018, 0.33),
    "stateSpaceMedium": (13, 236, 516, 0.108, 2.3),
    "stateSpaceLarge": (45, 825, 1700, 0.620, 16),
}

# Playouts in 30 s of YAP and of GaDeLaC.
TABLE_3 = {
    "breakthrough": (1395, 340),
    "connectFour": (3249, 990),
    "nim1": (26066, 17500),
    "sum15": (36329, 37300),
    "roshambo2": (68252, 70900),
    "bunk_t": (17620, 22950),
    "doubletictactoe": (17713, 23600),
    "ticTacToeSerial": (8248, 11200),
    "ticTacToe": (31370, 45800),
}


class Work:
    """A folder for what is made on the way."""

    def __init__(self, folder, games, seconds):
        self.folder = pathlib.Path(folder)
        self.games = [pathlib.Path(g) for g in games]
        self.seconds = seconds
        os.environ["XDG_CACHE_HOME"] = str(self.folder)

    def rulesheet(self, name):
        for folder in self.games:
            for file in folder.glob("*.kif"):
                if file.stem.lower() == name.lower():
                    return str(file)
        if name not in duplicate_state.DEPTHS:
            return None
        made = self.folder / f"{name}.kif"
        made.write_text(duplicate_state.rulesheet(name), encoding="utf-8")
        return str(made)

    def run(self, command):
        """The result of a process and what it printed; no text when it failed."""
        output, messages = str(self.folder / "out"), str(self.folder / "err")
        result = measure.run(command, LIMITS, output, messages)
        text = pathlib.Path(output).read_text(encoding="utf-8") if result.end == "ok" else None
        return result, text


# ---- Table 2 ----

def steps_of(work, name):
    file = work.rulesheet(name)
    if not file:
        return None
    target = str(work.folder / "game.o")
    translated, text = work.run([TABIA, "compile", "--json", "--emit", "c", file])
    if not text:
        return None
    built, _ = work.run([TABIA, "compile", "--emit", "object", "-O", "1", "-o", target, file])
    if built.end != "ok":
        return None
    sizes = json.loads(text.splitlines()[0])
    return {"game": name, "source_bytes": sizes["source_bytes"], "c_bytes": sizes["text_bytes"],
            "object_bytes": os.path.getsize(target), "translate_cpu_s": round(translated.cpu, 3),
            "compile_cpu_s": round(max(built.cpu - translated.cpu, 0), 3)}


# ---- Table 3 ----

def machine_rate(work, name, file):
    """Playouts a second of processor time on a machine; None: it cannot play."""
    command = [TABIA, "playout", "--machine", name, "--json", file]
    if name == "compiled":  # both builds are there when it counts
        work.run(command + ["--seconds", str(max(work.seconds, 10))])
    result, text = work.run(command + ["--seconds", str(work.seconds)])
    return json.loads(text)["playouts"] / result.cpu if text else None


def linked_rate(work, kb, file):
    """The same for a linked program under a knowledge base."""
    source, program = str(work.folder / "game.c"), str(work.folder / "game")
    if work.run([TABIA, "compile", "--knowledge-base", kb, "-o", source, file])[0].end != "ok":
        return None
    subprocess.run(["cc", "-O2", "-w", f"-I{work.folder}", "-DTABIA_GAME=the_game", source,
                    str(C_DRIVER), "-o", program], check=True)
    text = work.run([program, str(work.seconds)])[1]
    games, _, seconds = text.split() if text else (0, 0, 1)
    return int(games) / float(seconds)


def prolog_rate(work, file):
    program = work.folder / "game.pl"
    text = pathlib.Path(file).read_text(encoding="utf-8")
    program.write_text(play_prolog.program_of(text), encoding="utf-8")
    result = work.run(["swipl", "-q", "-f", "none", "--no-packs", "--on-error=halt", "-g", "main",
                       "-t", "halt", str(program), str(DRIVER), "--", "0", str(work.seconds), "1"])
    if not result[1]:
        return None
    found = json.loads(result[1])
    return found["playouts"] / found["seconds"]


def playouts_of(work, name):
    file = work.rulesheet(name)
    if not file:
        return None
    return {"game": name, "compiled": machine_rate(work, "compiled", file),
            "datalog": machine_rate(work, "datalog", file),
            "linked_dense": linked_rate(work, "dense", file),
            "linked_hash": linked_rate(work, "hash", file),
            "linked_trie": linked_rate(work, "trie", file), "prolog": prolog_rate(work, file)}


# ---- writing ----

def number(value, digits=0):
    return "" if value is None else f"{value:,.{digits}f}"


def ratio(a, b):
    return "" if not a or not b else f"{a / b:,.1f}"


def write_table(path, rows):
    with open(path, "w", encoding="utf-8") as file:
        file.write("\t".join(rows[0]) + "\n")
        for row in rows:
            file.write("\t".join("" if v is None else f"{v:g}" if isinstance(v, float) else str(v)
                                 for v in row.values()) + "\n")


def steps_table(rows):
    lines = ["| game | rules KB | C KB | object KB | translate s | compile s | paper: translate s | "
             "paper: compile s |", "| --- " + "| ---: " * 7 + "|"]
    for r in rows:
        paper = TABLE_2[r["game"]]
        lines.append(f"| {r['game']} | {r['source_bytes'] / 1000:.1f} | {r['c_bytes'] / 1000:.0f} | "
                     f"{r['object_bytes'] / 1000:.0f} | {r['translate_cpu_s']:.3f} | "
                     f"{r['compile_cpu_s']:.2f} | {paper[3]:.3f} | {paper[4]:.2f} |")
    return lines


def playouts_table(rows):
    lines = ["| game | compiled | datalog | SWI-Prolog | compiled / datalog | compiled / SWI | "
             "paper: GaDeLaC / YAP |", "| --- " + "| ---: " * 6 + "|"]
    for r in rows:
        yap, gadelac = TABLE_3[r["game"]]
        lines.append(f"| {r['game']} | {number(r['compiled'])} | {number(r['datalog'])} | "
                     f"{number(r['prolog'])} | {ratio(r['compiled'], r['datalog'])} | "
                     f"{ratio(r['compiled'], r['prolog'])} | {gadelac / yap:.2f} |")
    return lines


def bases_table(rows):
    lines = ["| game | dense | hash | trie | dense / hash | hash / trie |",
             "| --- " + "| ---: " * 5 + "|"]
    for r in rows:
        lines.append(f"| {r['game']} | {number(r['linked_dense'])} | {number(r['linked_hash'])} | "
                     f"{number(r['linked_trie'])} | {ratio(r['linked_dense'], r['linked_hash'])} | "
                     f"{ratio(r['linked_hash'], r['linked_trie'])} |")
    return lines


def read_table(path):
    """What write_table wrote; numbers are numbers again."""
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    names = lines[0].split("\t")
    rows = [dict(zip(names, line.split("\t"))) for line in lines[1:]]
    return [{n: v if n == "game" else float(v) if v else None for n, v in r.items()} for r in rows]


def write_summary(path, steps, playouts, corpus):
    lines = ["# The compiler to C", "", "Written by `bench/compile`; see `bench/README.md`.",
             "All times are of the processor, on one core.", "",
             "## Sizes and times of each step (Table 2 of the paper)", "",
             "`compile` is `cc -O1`, what the machine `compiled` waits for at opening. The rulesheets of",
             "duplicateStateMedium and duplicateStateLarge are made by `bench/duplicate_state.py`.", "",
             *steps_table(steps), "", "## Random playouts a second (Table 3)", "",
             "SWI-Prolog runs the same rules as `bench/play` gives it.", "",
             *playouts_table(playouts), "", "## Knowledge bases", "",
             "The same games as linked programs (`cc -O2`), under each knowledge base.", "",
             *bases_table(playouts), "", *compile_corpus.summary(corpus)]
    pathlib.Path(path).write_text("\n".join(lines), encoding="utf-8")


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench/compile", description=__doc__)
    parser.add_argument("--games", action="append", help="a folder of rulesheets")
    parser.add_argument("--seconds", type=float, default=5, help="of each measurement (5)")
    parser.add_argument("--corpus", action="store_true", help="every game, and nothing else")
    parser.add_argument("--report", action="store_true", help="only make the summary again")
    parser.add_argument("--out", default=str(TOP / "docs" / "bench"), help="where results go")
    return parser.parse_args()


def measure_tables(work, out):
    steps = [s for s in (steps_of(work, name) for name in TABLE_2) if s]
    playouts = [p for p in (playouts_of(work, name) for name in TABLE_3) if p]
    write_table(out / "compile_steps.tsv", steps)
    write_table(out / "compile_playouts.tsv", playouts)


def main():
    options = parse_arguments()
    games = options.games or default_folders()
    out = pathlib.Path(options.out)
    corpus = out / "compile_corpus.tsv"
    with tempfile.TemporaryDirectory() as folder:
        if options.corpus:
            compile_corpus.measure_all(corpus, games, options.seconds, pathlib.Path(folder))
        elif not options.report:
            measure_tables(Work(folder, games, options.seconds), out)
    write_summary(out / "compile.md", read_table(out / "compile_steps.tsv"),
                  read_table(out / "compile_playouts.tsv"), compile_corpus.read_rows(corpus))


main()
