"""What benchmarks that run over many games have in common: options, the table, the summary."""

import argparse
import os
import pathlib
import shutil
import tempfile

from ground import GB, TOP, default_folders, games_of


def parse_arguments(name, description):
    parser = argparse.ArgumentParser(prog=f"bench/{name}", description=description)
    parser.add_argument("--games", action="append", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--limit", type=float, default=60, metavar="SECONDS")
    parser.add_argument("--memory", type=int, default=4 * GB, metavar="BYTES")
    parser.add_argument("--out", type=pathlib.Path, default=TOP / "docs" / "bench")
    parser.add_argument("--report", action="store_true", help="only make the summary again")
    parser.add_argument("pattern", nargs="?", default="")
    return parser.parse_args()


def write_table(path, columns, measure_game, options, own_folders):
    """A row for each game that has one, written as soon as it is known."""
    games = games_of(options.games or default_folders() + own_folders, options.pattern)
    with tempfile.TemporaryDirectory() as folder, path.open("w") as table:
        scratch = pathlib.Path(folder)
        tabia = shutil.copy(os.environ["TABIA"], scratch)
        print("\t".join(columns), file=table)
        for number, (name, game) in enumerate(games, 1):
            row = measure_game(tabia, name, game, options, scratch)
            print(f"{number}/{len(games)} {name}", flush=True)
            if row:
                print("\t".join(map(str, row)), file=table, flush=True)


def read_table(path, columns):
    lines = path.read_text().splitlines()
    return [dict(zip(columns, line.split("\t"))) for line in lines[1:]]


def run(name, description, columns, measure_game, summary, own_folders=()):
    """`measure_game` gives the row of a game or None, `summary` turns rows into Markdown; games in
    `own_folders` are taken besides the usual ones."""
    options = parse_arguments(name, description)
    table = options.out / f"{name}.tsv"
    if not options.report:
        options.out.mkdir(parents=True, exist_ok=True)
        write_table(table, columns, measure_game, options, list(own_folders))
    (options.out / f"{name}.md").write_text(summary(read_table(table, columns)))
