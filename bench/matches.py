"""Many matches on the loopback, and what went wrong in them.

`tabia player` processes sit down at `tabia match`, game after game, every second match with
scrambled names; with --seats the players are those of the referee's own process.  Every late or
illegal move, every player that could not be reached, the referee's own time, and the memory of the
player processes are counted.
"""

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict

TABIA = os.environ.get("TABIA", "build/release/tabia")
GAMES = (
    "tic-tac-toe nim monty-hall kuhn-poker dark-tic-tac-toe rock-paper-scissors tron breakthrough-6 "
    "towers-of-hanoi connect-four chomp domineering dots-and-boxes fox-and-geese hex-5 kalah "
    "three-player-tic-tac-toe four-player-tron river-crossing prisoners-dilemma"
)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=100, help="in all (100)")
    parser.add_argument("--games", default=GAMES, help="names or files, with blanks between them (20 of ours)")
    parser.add_argument("--kind", default="random", help="how the player processes play (random)")
    parser.add_argument("--seats", help="players of our own in the referee's process, such as tabia,random")
    parser.add_argument("--clocks", default="20 10", help="start and play clock, seconds (20 10)")
    parser.add_argument("--max-steps", type=int, default=500, help="of a match (500)")
    parser.add_argument("--results", help="appends a line of JSON for each match to this file")
    parser.add_argument("--table", metavar="FILE", help="plays nothing and sums such a file up")
    return parser.parse_args()


class Player:
    """A player process; what it logs is kept beside its standard error."""

    def __init__(self, kind, number):
        self.log = tempfile.TemporaryFile("w+", prefix=f"matches-{number}-")
        self.process = subprocess.Popen(
            [TABIA, "player", "--port", "0", "--name", f"p{number}", "--kind", kind],
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.address = re.search(r"listens at (\S+)", self.process.stdout.readline()).group(1)

    def resident_bytes(self):
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as numbers:
            return int(numbers.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def end(self):
        self.process.terminate()
        return self.process.wait(30)


def roles_of(game):
    info = json.loads(subprocess.run([TABIA, "info", "--json", game], check=True, capture_output=True).stdout)
    return [role for role in info["roles"] if role != "random"]


def play(game, seats, number, options):
    start, turn = options.clocks.split()
    command = [TABIA, "match", "--json", "--start-clock", start, "--play-clock", turn, "--seed", str(number),
               "--max-steps", str(options.max_steps), *(["--scramble"] if number % 2 else []), game, *seats]
    begin = time.monotonic()
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    result = json.loads(ended.stdout) if ended.stdout.startswith("{") else {"message": ended.stderr[-500:]}
    return {"game": game, "number": number, "status": ended.returncode,
            "seconds": round(time.monotonic() - begin, 3), **result}


def seats_for(roles, names, turn):
    """Names alternate over the seats, and begin with another one in the next match."""
    return [names[(i + turn) % len(names)] for i in range(len(roles))]


def play_all(options, out):
    games = options.games.split()
    roles = {game: roles_of(game) for game in games}
    count = 0 if options.seats else max(map(len, roles.values()))
    players = [Player(options.kind, i + 1) for i in range(count)]
    names = options.seats.split(",") if options.seats else [p.address for p in players]
    records, resident = [], []
    for number in range(options.matches):
        game, turn = games[number % len(games)], number // len(games)
        records.append(play(game, seats_for(roles[game], names, turn), number, options))
        print(json.dumps(records[-1]), file=out, flush=True)
        if (number + 1) % len(games) == 0:
            resident.append([p.resident_bytes() for p in players])
    for row, when in ((0, "first"), (-1, "last")):
        if resident and players:
            print(f"resident after the {when} round of all games:",
                  ", ".join(f"{bytes / 1e6:.1f} MB" for bytes in resident[row]))
    statuses = [p.end() for p in players]
    if any(statuses):
        print("players ended with", statuses)
    return records


def went_wrong(record):
    if "late" not in record:
        return True
    return record["late"] + record["illegal"] + record["unreachable"] > 0 or not record["completed"] or any(
        p["start_error"] for p in record["players"])


def mean_and_error(values):
    mean = sum(values) / len(values)
    spread = sum((v - mean) ** 2 for v in values) / max(1, len(values) - 1)
    return f"{mean:.2f} ± {math.sqrt(spread / len(values)):.2f}"


def goals_by_player(records):
    """Players of our own by their kind, player processes by their role."""
    goals = defaultdict(list)
    for record in records:
        for p in record.get("players", []):
            if p["goal"] is not None:
                goals[p["role"] if ":" in p["player"] else p["player"]].append(p["goal"])
    return ", ".join(f"{name} {mean_and_error(values)}" for name, values in sorted(goals.items()))


def print_table(records):
    by_game = defaultdict(list)
    for record in records:
        by_game[record["game"]].append(record)
    print("| game | matches | steps | late | illegal | unreachable | other | referee, ms a step | mean goal ± standard error |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
    for game, rows in sorted(by_game.items()) + [("all", records)]:
        steps = sum(r.get("steps", 0) for r in rows)
        late, illegal, unreachable = (sum(r.get(k, 0) for r in rows) for k in ("late", "illegal", "unreachable"))
        other = sum(went_wrong(r) and r.get("late", 0) + r.get("illegal", 0) + r.get("unreachable", 0) == 0 for r in rows)
        referee = 1000 * sum(r.get("referee_seconds", 0) * r.get("steps", 0) for r in rows) / max(1, steps)
        goals = goals_by_player(rows) if game != "all" else ""
        print(f"| {game} | {len(rows)} | {steps} | {late} | {illegal} | {unreachable} | {other} | {referee:.2f} | {goals} |")


def main():
    options = arguments()
    if options.table:
        with open(options.table, encoding="utf-8") as lines:
            records = [json.loads(line) for line in lines]
    elif options.results:
        with open(options.results, "a", encoding="utf-8") as out:
            records = play_all(options, out)
    else:
        with open(os.devnull, "w", encoding="utf-8") as out:
            records = play_all(options, out)
    print_table(records)
    for record in filter(went_wrong, records):
        print("went wrong:", json.dumps(record), file=sys.stderr)
    return any(map(went_wrong, records))


sys.exit(main())
