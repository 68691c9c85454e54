"""Draws every game after some random moves: how long it takes, what was found, how many moves clicks
can make, and contact sheets to judge the pictures by."""

import argparse
import json
import os
import pathlib
import re
import resource
import subprocess

from ground import TOP, default_folders, games_of

COLUMNS = ["game", "seconds", "boards", "cells", "rest", "moves", "clicked", "menu", "button"]
SHEET_COLUMNS, SHEET_ROWS, TILE = 7, 6, 250
OVERVIEW_COLUMNS, OVERVIEW_TILE = 24, 96
RIGHT = ["right-2d", "right-1d"]
NOT_RIGHT = ["unverified-2d", "wrong-2d", "otherwise-1d", "missed", "failed"]
NO_BOARD = ["strip", "none"]


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench/pictures", description=__doc__)
    parser.add_argument("--games", action="append", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--limit", type=float, default=20, metavar="SECONDS")
    parser.add_argument("--random", type=int, default=12, metavar="STEPS")
    parser.add_argument("--out", type=pathlib.Path, default=TOP / "build" / "pictures")
    parser.add_argument("--judged", type=pathlib.Path, default=TOP / "docs" / "bench" / "boards.tsv",
                        metavar="FILE", help="what a person said of each picture")
    parser.add_argument("pattern", nargs="?", default="")
    return parser.parse_args()


def run(options, game, *arguments):
    """Its output; None when it fails or takes too long."""
    words = [os.environ["TABIA"], "board", str(game), "--random", str(options.random), *arguments]
    try:
        done = subprocess.run(words, capture_output=True, timeout=options.limit)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout.decode(errors="replace") if done.returncode == 0 else None


def count_moves(moves):
    """Moves of roles that have a choice: all, by clicks alone, from a menu, by a button."""
    choices = {}
    for move in moves:
        choices.setdefault(move["role"], []).append(move["by"])
    ways = [way for role in choices.values() if len(role) > 1 for way in role]
    return [len(ways), ways.count("arguments") + ways.count("effect"), ways.count("menu"),
            ways.count("button")]


def summary_of(picture):
    kinds = [f"{b['kind']}:{b['relation']}:{len(b['columns'])}x{len(b['rows'])}"
             for b in picture["boards"]]
    cells = sum(len(b["cells"]) for b in picture["boards"])
    return [" ".join(kinds) or "-", cells, len(picture["rest"]), *count_moves(picture["moves"])]


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(options, name, game):
    """A row of the table, and the picture."""
    begin = processor_seconds()
    text = run(options, game, "--json")
    seconds = processor_seconds() - begin
    if text is None:
        return [name, f"{seconds:.3f}", "failed", *[0] * 6], None
    return [name, f"{seconds:.3f}", *summary_of(json.loads(text))], run(options, game, "--svg", "-")


# ---- sheets ----

def size_of(svg):
    return tuple(float(re.search(rf'{side}="([\d.]+)"', svg).group(1)) for side in ("width", "height"))


def tile(svg, name, column, row, size):
    width, height = size_of(svg)
    letters = max(6, size // 19)
    scale = min((size - 10) / width, (size - letters - 17) / height, 1)
    x, y = column * size + 5, row * size + letters + 9
    inner = re.sub(r'width="[\d.]+" height="[\d.]+"',
                   f'x="{x}" y="{y}" width="{width * scale}" height="{height * scale}"', svg, count=1)
    return (f'<text x="{x}" y="{y - 10}" style="text-anchor:start" font-size="{letters}">{name[:27]}</text>'
            f'<rect x="{x - 3}" y="{y - letters - 7}" width="{size - 4}" height="{size - 4}" fill="none" '
            f'stroke="#ccc"/>'
            f"{inner}")


def write_sheet(path, tiles, columns=SHEET_COLUMNS, size=TILE):
    width, height = columns * size, (len(tiles) + columns - 1) // columns * size
    parts = [tile(svg, name, i % columns, i // columns, size) for i, (name, svg) in enumerate(tiles)]
    text = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
            f'<rect width="100%" height="100%" fill="white"/>{"".join(parts)}</svg>')
    path.with_suffix(".svg").write_text(text)
    subprocess.run(["rsvg-convert", "--unlimited", "-o", path, path.with_suffix(".svg")], check=True)


def write_sheets(out, tiles):
    on_sheet = SHEET_COLUMNS * SHEET_ROWS
    for start in range(0, len(tiles), on_sheet):
        write_sheet(out / f"sheet{start // on_sheet + 1:02}.png", tiles[start:start + on_sheet])
    ours = [(name.removeprefix("games/"), svg) for name, svg in tiles if name.startswith("games/")]
    public = [(name, svg) for name, svg in tiles if not name.startswith("games/")]
    if ours:
        write_sheet(out / "ours.png", ours)
    if public:
        write_sheet(out / "public.png", public, OVERVIEW_COLUMNS, OVERVIEW_TILE)


# ---- all games ----

def report(rows):
    drawn = [row for row in rows if row[2] not in ("failed", "-")]
    clicked = [row[6] / row[5] for row in drawn if row[5]]
    seconds = sorted(float(row[1]) for row in rows)
    print(f"{len(rows)} games, {len(drawn)} with a board, "
          f"{sum(row[2] == 'failed' for row in rows)} failed")
    if clicked:
        print(f"moves by clicks alone: {100 * sum(clicked) / len(clicked):.1f} % (mean of "
              f"{len(clicked)} games)")
    print(f"seconds of the processor: median {seconds[len(seconds) // 2]:.3f}, "
          f"95 % below {seconds[len(seconds) * 95 // 100]:.3f}, most {seconds[-1]:.3f}")


def read_judgements(path):
    if not path.is_file():
        return {}
    lines = [line.split("\t") for line in path.read_text().splitlines()[1:]]
    return {line[0]: line[1] for line in lines}


def report_judgements(rows, judged):
    """What a person said of the pictures, and the share that is right of what a person would draw."""
    counts = {}
    for row in rows:
        said = judged.get(row[0], "not judged")
        counts[said] = counts.get(said, 0) + 1
    for said in [*RIGHT, *NOT_RIGHT, *NO_BOARD, "not judged"]:
        print(f"{said}: {counts.get(said, 0)}")
    right = sum(counts.get(said, 0) for said in RIGHT)
    drawable = right + sum(counts.get(said, 0) for said in NOT_RIGHT)
    if drawable:
        print(f"right: {right} of {drawable} that a person would draw, {100 * right / drawable:.1f} %")


def main():
    options = parse_arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    rows, tiles = [], []
    for name, game in games_of(options.games or default_folders(), options.pattern):
        row, svg = measure(options, name, game)
        rows.append(row)
        if svg:
            tiles.append((name, svg))
    with (options.out / "pictures.tsv").open("w") as table:
        for row in [COLUMNS, *rows]:
            print("\t".join(map(str, row)), file=table)
    write_sheets(options.out, tiles)
    report(rows)
    report_judgements(rows, read_judgements(options.judged))


main()
