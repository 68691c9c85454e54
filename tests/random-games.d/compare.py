#!/usr/bin/env python3
"""Random games, and what Tabia finds out about them in every way, against small_game.py.

    compare.py FIRST COUNT [WHAT...]   games with these seeds; a line for each: a tab and what disagrees
    compare.py --print SEED            the rules of one
    compare.py --file GAME [WHAT...]   another game

WHAT are names of comparisons; all but mpi and match (which takes time by the clock), if none is given.  TABIA and TABIA_MPI are the programs.  Standard error
has how many games there were of which kind."""

import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

from random_rules import KEYWORDS, hidden_rules, parts_rules, random_rules
from small_game import Facts_of, Game, HiddenTree, Unstratified, parse, spell

PROGRAM = os.environ.get("TABIA", "tabia")
MPI = os.environ.get("TABIA_MPI", "tabia-mpi")
MOST_STATES = 400
counts = collections.Counter()


class Disagreement(Exception):
    pass


def expect(what, found, wanted, *more):
    if found != wanted:
        raise Disagreement(f"{what}: {found}, not {wanted} {' '.join(map(str, more))}")


def run(*words, text=None, limit=60, statuses=(0, 1, 4)):
    try:
        done = subprocess.run([PROGRAM, *map(str, words)], input=text, capture_output=True, timeout=limit, encoding="utf-8")
    except subprocess.TimeoutExpired:
        raise Disagreement("no end of: " + " ".join(map(str, words)))
    if done.returncode not in statuses:
        raise Disagreement(f"status {done.returncode} of {' '.join(map(str, words))}: {done.stderr[-300:]}")
    return done


def run_json(*words, **more):
    done = run(*words, "--json", **more)
    if not done.stdout:
        raise Disagreement(f"{' '.join(map(str, words))} says nothing: {done.stderr[-300:]}")
    return json.loads(done.stdout), done


class Case:
    def __init__(self, seed, game, folder):
        self.seed, self.game, self.facts = seed, game, Facts_of(game)
        self.file = os.path.join(folder, "game.kif")
        self.folder = folder
        self.rng = random.Random(seed + 1)
        self.role_names = [spell(r) for r in game.roles]

    def values(self):
        """By role; None: the game is declined, NotImplemented: no exact values from here."""
        g, f = self.game, self.facts
        if f.at_once and len(f.choosers) > 2:
            return None
        if f.at_once or f.has_chance or len(f.choosers) > 2:
            if not f.acyclic:
                return None
            if f.at_once:
                return NotImplemented
            if len(f.choosers) > 2:
                if f.has_chance:
                    return NotImplemented
                all_values = f.max_n()
                return {r: all_values[g.start][r] for r in f.choosers}
            return {r: f.chance_values(r)[g.start] for r in f.choosers}
        return {r: f.turn_values(r)[g.start] for r in f.choosers}

    def follow(self, line):
        """States of a line in JSON."""
        g, state = self.game, self.game.start
        states = [state]
        for joint in line:
            wanted = tuple(g.moves[r].index(term_of(joint[name])) for r, name in enumerate(self.role_names))
            after = dict(g.steps(state))
            if wanted not in after:
                raise Disagreement(f"a line is no play: {joint}")
            state = after[wanted]
            states.append(state)
        return states


def term_of(text):
    return parse(text)[0]


def compare_hidden(case):
    """Another game, whose roles know only what they see."""
    text = hidden_rules(case.rng)
    try:
        game = Game(text)
    except Unstratified:
        return
    if not game.has_sees or not game.walk(MOST_STATES):
        return
    facts = Facts_of(game)
    if not facts.acyclic or len(facts.choosers) > 2:
        return
    tree = HiddenTree(game, facts, 1500)
    if tree.left < 0:
        return
    file = os.path.join(case.folder, "hidden.kif")
    with open(file, "w") as f:
        f.write(text)
    found, done = run_json("solve", file)
    if found["sense"] is None or found["solution"] != "equilibrium":
        counts["hidden, solved as if seen" if found["values"] else "hidden, declined"] += 1
        expect("a game that is declined", bool(found["values"]) or not tree.is_fit, True, done.stderr, text)
        return
    expect("a hidden game that is solved", tree.is_fit, True, text)
    expect("depth of a hidden game", found["depth"], facts.longest_play(), text)
    expect("nodes of a hidden game", found["states"], 1500 - tree.left, text)
    least, most = tree.bounds(60 if len(tree.moves_of) < 60 else 15)
    name = spell(game.roles[facts.choosers[0]])
    value = found["values"][name]
    counts["hidden"] += 1
    counts["hidden, sharp"] += most - least < 2
    if value < least - 0.01 or value > most + 0.01:
        raise Disagreement(f"hidden: {value} is not from {least} to {most}: {text}")
    if len(facts.choosers) == 2:
        other = found["values"][spell(game.roles[facts.choosers[1]])]
        if abs(value + other - 100) > found["gap"] + 1e-3:
            raise Disagreement(f"hidden: {value} and {other}: {text}")


def near(a, b, gap=1e-6):
    return a.keys() == b.keys() and all(abs(a[k] - b[k]) <= gap for k in a)


# ---- solve ----


def solve_one(case, *options):
    found, done = run_json("solve", case.file, *options)
    if found["values"] is None:
        return found
    return found


def check_solution(case, what, found, is_strong=True):
    g, f = case.game, case.facts
    wanted = case.wanted
    if wanted is None:
        expect(what + " declines", found["values"], None, found["reason"])
        counts["declined"] += 1
        return
    if found["values"] is None:
        raise Disagreement(f"{what} has no values: {found}")
    if wanted is not NotImplemented:
        by_name = {case.role_names[r]: v for r, v in wanted.items()}
        if not near(by_name, found["values"]):
            raise Disagreement(f"{what}: values {found['values']}, not {by_name}")
    if is_strong:
        expect(what + " states", found["states"], len(g.states))
        expect(what + " ends", found["ends"], len(f.ends))
        expect(what + " depth", found["depth"], len(g.levels) - 1)
        if found["kept_states"] == found["states"]:
            expect(what + " faults", found["faults"], f.faults())
        elif bool(found["faults"]) != bool(f.faults()):
            raise Disagreement(f"{what} faults: {found['faults']}")
    plain = not f.at_once and not f.has_chance and len(f.choosers) <= 2
    if plain and is_strong:
        hero = f.choosers[0]
        if f.constant or len(f.choosers) == 1:
            steps = f.remoteness(hero, f.turn_values(hero))
            if steps is not NotImplemented:
                expect(what + " remoteness", found["remoteness"], steps)
        if found["remoteness"] is not None:
            expect(what + " line", len(found["line"]), found["remoteness"])
    if plain and found["line"]:
        states = case.follow(found["line"])
        for r in f.choosers:
            if not (f.constant or len(f.choosers) == 1):
                continue
            value = f.turn_values(r)
            for s in states:
                expect(what + " a line that keeps to the value", value[s], value[g.start])
        if is_strong and g.steps(states[-1]):
            raise Disagreement(what + " a line that ends nowhere")
    if plain and g.steps(g.start):
        check_moves(case, what, found, is_strong)


def check_moves(case, what, found, is_strong):
    """Moves keep to the value; a strong solution has all that do as well, seen with the steps to the end."""
    g, f = case.game, case.facts
    mover = f.mover(g.start)
    if mover is None:
        return
    value = f.turn_values(mover)
    best = {spell(g.moves[mover][j[mover]]) for j, t in g.steps(g.start) if value[t] == value[g.start]}
    named = {m["move"] for m in found["moves"] if m["role"] == case.role_names[mover]}
    if not named or not named <= best:
        raise Disagreement(f"{what}: best moves {sorted(named)}, not of {sorted(best)}")


def compare_solve(case):
    plain, _ = run_json("solve", case.file, "--method", "strong")
    check_solution(case, "solve", plain)
    for options in (["--no-symmetry"], ["--threads", "2"], ["--no-symmetry", "--threads", "2"]):
        other, _ = run_json("solve", case.file, "--method", "strong", *options)
        check_solution(case, "solve " + " ".join(options), other)
        for member in ("values", "remoteness", "moves", "line", "sense", "exact", "expected", "endless", "reason", "states", "ends", "depth"):
            if case.facts.at_once and member in ("values", "moves"):
                if member == "values" and plain["values"] and not near(plain["values"], other["values"], 1e-6):
                    raise Disagreement(f"solve {options}: {member} {other[member]}, not {plain[member]}")
                continue
            expect(f"solve {options} {member}", other[member], plain[member])
    case.plain = plain
    counts["symmetric"] += plain["symmetries"] > 1


def compare_weak(case):
    f = case.facts
    found, _ = run_json("solve", case.file, "--method", "weak")
    if f.at_once or f.has_chance or len(f.choosers) > 2:
        if found["values"] is not None and case.wanted is None:
            # the search may never have met what is to be declined
            counts["weak of what strong declines"] += 1
        elif found["values"] is not None and case.wanted is not NotImplemented:
            if len(f.choosers) <= 2:
                check_solution(case, "weak", found, False)
        return
    check_solution(case, "weak", found, False)


def compare_database(case):
    folder = os.path.join(case.folder, "db")
    found, _ = run_json("solve", case.file, "--database", folder)
    check_solution(case, "solve --database", found)
    if found["database"] is None:
        counts["no database"] += 1
        return
    expect("database", found["database"]["states"] + found["database"]["ends"], len(case.game.states))
    done = run("solve", case.file, "--check", folder, "--samples", 300)
    expect("solve --check", done.returncode, 0, done.stderr[-300:])
    counts["databases"] += 1


def compare_checkpoint(case):
    folder = os.path.join(case.folder, "job")
    f = case.facts
    done = run("solve", case.file, "--checkpoint", folder, "--save-every", "0.001", "--max-states", max(1, len(case.game.states) // 2), "--json")
    found, done = run_json("solve", case.file, "--checkpoint", folder)
    if f.at_once or f.has_chance or len(f.choosers) > 2:
        expect("solve --checkpoint declines", found["values"], None)
    else:
        check_solution(case, "solve --checkpoint", found)
        expect("the folder of a checkpoint is there", os.path.exists(folder), False)


def compare_minimax(case):
    g, f = case.game, case.facts
    if f.has_chance or f.at_once or not f.acyclic or sum(f.perft(12)) > 30000 or f.longest_play() > 11:
        return
    for options in ([], ["--alpha-beta"]):
        if options and len(f.choosers) > 2:
            continue
        found, _ = run_json("minimax", case.file, "-d", f.longest_play() + 1, *options)
        expect("minimax is exact", found["exact"], True)
        by_name = {case.role_names[r]: v for r, v in case.wanted.items()}
        if not near(by_name, found["values"]):
            raise Disagreement(f"minimax {options}: {found['values']}, not {by_name}")
    counts["minimax"] += 1


def compare_deep(case):
    """minimax without depth"""
    found, _ = run_json("minimax", case.file)
    if case.wanted is None:
        counts["weak of what strong declines"] += found["values"] is not None
    elif case.wanted is not NotImplemented:
        by_name = {case.role_names[r]: v for r, v in case.wanted.items()}
        if not found["values"] or not near(by_name, found["values"]):
            raise Disagreement(f"minimax without depth: {found['values']}, not {by_name}")


def compare_states(case):
    g = case.game
    sizes = [str(len(level)) for level in g.levels]
    for options in ([], ["--threads", "2"], ["--method", "bdd"]):
        found, done = run_json("states", case.file, *options)
        if found["complete"] is not True and "bdd" in options:
            counts["bdd gave up"] += 1
            expect("states bdd, incomplete", found["levels"], sizes[: len(found["levels"])], done.stderr)
            continue
        expect(f"states {options}", found["levels"], sizes)
        expect(f"states {options}", found["complete"], True)
    depth = case.rng.randrange(len(sizes) + 1)
    for options in ([], ["--method", "bdd"]):
        found, _ = run_json("states", case.file, "--depth", depth, *options)
        expect(f"states --depth {depth} {options}", found["levels"], sizes[: depth + 1])


def compare_perft(case):
    depth = 4
    found, _ = run_json("perft", case.file, "-d", depth)
    wanted = case.facts.perft(depth)
    while wanted and not wanted[-1] and len(wanted) > len(found["nodes"]):
        wanted.pop()
    expect("perft", found["nodes"], wanted)


PROPERTIES = ["playable", "terminates", "winnable", "goals", "dead", "mutex", "strongly-winnable", "monotone"]
METHODS = ["probe", "squeeze", "seek", "exhaustive", "proof-number", "abstract", "induction", "balance", "termination", "pdr", "bmc", "bdd"]


def check_verdict(case, method, verdict, wanted):
    if verdict["verdict"] == "unknown":
        return
    name = verdict["property"]
    counts[f"{method} decides"] += 1
    if name in wanted:
        expect(f"{name} by {method}", verdict["verdict"] == "proved", wanted[name])
    if name == "dead":  # all methods say the same
        wanted[name] = verdict["verdict"] == "proved"
    if name == "terminates" and verdict["verdict"] == "proved":
        longest = verdict.get("longest_play")
        length = case.facts.longest_play()
        if longest and longest["at_most"] is not None:
            if longest["exact"]:
                expect(f"longest play by {method}", longest["at_most"], length)
            elif longest["at_most"] < length:
                raise Disagreement(f"no play is longer than {longest['at_most']}, but {length} is, by {method}")
    if name == "mutex" and verdict["verdict"] == "proved":
        for group in verdict.get("groups") or []:
            members = [case.game.bit.get(term_of(m)) for m in group["members"]]
            for s in case.game.states:
                n = sum(s >> b & 1 for b in members if b is not None)
                if n > 1 or (n == 0 and group["kind"] == "exactly-one"):
                    raise Disagreement(f"{group['kind']} of {group['members']} by {method}")
    if verdict["witness"]:
        case.follow(verdict["witness"])


def compare_prove(case):
    wanted = case.facts.verdicts()
    f = case.facts
    if not f.at_once and not f.has_chance and len(f.choosers) <= 2:
        for r in f.choosers:
            value = f.attract([s for s in f.ends if 100 in case.game.view(s)[2][r]], lambda s: f.mover(s) in (r, None))
            wanted["strongly-winnable " + case.role_names[r]] = case.game.start in value
    if case.game.fluents:
        formulas = [spell(x) for x in case.rng.sample(case.game.fluents, min(2, len(case.game.fluents)))]
        for x in formulas:
            bit = case.game.bit[term_of(x)]
            wanted["unreachable " + x] = not any(s >> bit & 1 for s in case.game.states)
            wanted["invariant " + x] = all(s >> bit & 1 for s in case.game.states)
    else:
        formulas = []
    asked = ",".join(PROPERTIES)
    more = [w for x in formulas for w in ("-p", "unreachable " + x, "-p", "invariant " + x)]
    for method in METHODS + ["auto"]:
        proof = os.path.join(case.folder, "proof")
        words = ["prove", case.file, "-p", asked, *more, "--time-limit", "20"]
        if method != "auto":
            words += ["-m", method]
        if method in ("probe", "squeeze", "seek"):
            words[words.index("--time-limit") + 1] = "0.3"
        if method in ("auto", "exhaustive", "induction", "pdr", "bmc", "termination"):
            words += ["--certificate", proof]
        if method in ("auto", "exhaustive"):
            words += ["--threads", case.rng.randint(1, 2)]
        found, done = run_json(*words, statuses=(0, 1, 2, 4))
        for verdict in found["verdicts"]:
            check_verdict(case, method, verdict, wanted)
        if method == "exhaustive" and not case.game.start and False:
            pass
        if "--certificate" in words and os.path.exists(proof) and os.path.getsize(proof):
            done = run("prove", case.file, "--check", proof, statuses=(0, 1, 2, 3, 4))
            if "rejected" in done.stdout or done.returncode not in (0, 4):
                raise Disagreement(f"certificate of {method}: {done.stdout} {done.stderr}")
            os.remove(proof)


def compare_bestmove(case):
    g, f = case.game, case.facts
    if not g.steps(g.start) or f.mover(g.start) is None:
        return
    for options in (["--iterations", 300], ["--iterations", 3000, "--seed", 5], ["--iterations", 300, "--kind", "uct"]):
        found, done = run_json("bestmove", case.file, *options, statuses=(0, 1, 4))
        counts["proved" if found["proved"] else "not proved"] += 1
        role = case.role_names.index(found["role"])
        legal = {spell(g.moves[role][m]) for m in g.view(g.start)[1][role]}
        if found["move"] not in legal:
            raise Disagreement(f"bestmove {options}: {found['move']}")
        if found["witness"]:
            case.follow(found["witness"])
        if not found["proved"] or case.wanted is None or case.wanted is NotImplemented:
            continue
        if len(f.choosers) == 2 and not f.constant:
            continue  # not a value that is defined here
        by_name = {case.role_names[r]: v for r, v in case.wanted.items()}
        mine = {n: found["values"][n] for n in by_name}
        if not near(mine, by_name, 1e-4):
            raise Disagreement(f"bestmove {options} proved {mine}, not {by_name}")
        if f.has_chance or f.at_once or len(f.choosers) > 2:
            continue
        value = f.turn_values(role)
        for j, t in g.steps(g.start):
            if spell(g.moves[role][j[role]]) == found["move"] and value[t] != value[g.start]:
                raise Disagreement(f"bestmove {options} proved, but {found['move']} gets {value[t]}, not {value[g.start]}")


def compare_mpi(case):
    f = case.facts
    env = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    for ranks in (1, 2, 3):
        done = subprocess.run(
            ["mpirun", "--oversubscribe", "-n", str(ranks), MPI, "solve", case.file], capture_output=True, timeout=60, env=env, encoding="utf-8"
        )
        lines = done.stdout.splitlines()
        if f.at_once or f.has_chance or len(f.choosers) > 2:
            continue
        wanted = {case.role_names[r]: v for r, v in case.wanted.items()}
        if f"{len(case.game.states)} states, {len(f.ends)} of them ends, to depth {len(case.game.levels) - 1}" not in lines:
            raise Disagreement(f"{ranks} ranks: {done.stdout} {done.stderr}")
        for name, value in wanted.items():
            if not any(l == f"{name}: {value}" or l.startswith(f"{name}: {value};") for l in lines):
                raise Disagreement(f"{ranks} ranks: {done.stdout}, not {wanted}")
        steps = case.plain["remoteness"] if hasattr(case, "plain") else None
        if steps is not None and f"remoteness {steps}" not in lines:
            raise Disagreement(f"{ranks} ranks: no remoteness {steps}: {done.stdout}")


def compare_machines(case):
    """A random play of the program on each of its machines."""
    g = case.game
    state, moves, states = g.start, [], [g.start]
    for _ in range(6):
        steps = g.steps(state)
        if not steps:
            break
        joint, state = case.rng.choice(steps)
        moves.append(" ".join(spell(g.moves[r][m]) for r, m in enumerate(joint)))
        states.append(state)
    for machine in ("reference", "lanes", "circuit", "datalog"):
        done = run("step", case.file, "--machine", machine, text="\n".join(moves) + "\n")
        blocks = done.stdout.split("\n\n")
        for s, block in zip(states, blocks):
            lines = block.splitlines()
            fluents = sorted(l[5:] for l in lines if l.startswith("true "))
            expect(machine + " state", fluents, sorted(spell(x) for x in g.fluents if s >> g.bit[x] & 1))
            expect(machine + " terminal", "terminal" in lines, bool(g.view(s)[0]))
            legal = sorted(l for l in lines if l.startswith("legal "))
            expect(machine + " legal", legal, sorted(f"legal {case.role_names[r]} {spell(g.moves[r][m])}" for r in range(len(g.roles)) for m in g.view(s)[1][r]))


def compare_parts(case):
    """Another game, which may be one of independent parts."""
    text = parts_rules(case.rng)
    game = Game(text)
    if not game.walk(MOST_STATES):
        return
    other = Case(case.seed, game, case.folder)
    other.file = os.path.join(case.folder, "parts.kif")
    with open(other.file, "w") as f:
        f.write(text)
    other.wanted = other.values()
    found, done = run_json("solve", other.file, "--method", "by-parts")
    counts["by parts" if found["values"] else "no parts"] += 1
    if not found["values"]:
        return
    try:
        check_solution(other, "by parts", found, False)
        hero = other.facts.choosers[0]
        expect("by parts remoteness", found["remoteness"], other.facts.remoteness(hero, other.facts.turn_values(hero)))
    except Disagreement as e:
        raise Disagreement(f"{e}: {text}")


def compare_match(case):
    """A player that solves the game in its start clock keeps to values."""
    g, f = case.game, case.facts
    if f.at_once or f.has_chance or not f.constant or not g.steps(g.start) or f.stuck:
        return
    hero = case.rng.choice(f.choosers)
    record = os.path.join(case.folder, "record.json")
    players = ["tabia" if r == hero else "random" for r in f.choosers]
    run("match", case.file, *players, "--start-clock", 10, "--play-clock", 2, "--max-steps", 20, "--record", record, "--seed", case.rng.randrange(99))
    with open(record) as file:
        moves = json.load(file)["moves"]
    value, state = f.turn_values(hero), g.start
    for joint in moves:
        terms = [parse(re.sub(r"\( ", "(", re.sub(r" \)", ")", m)))[0] for m in joint]
        after = dict(g.steps(state))[tuple(g.moves[r].index(t) for r, t in enumerate(terms))]
        if f.mover(state) == hero and value[after] != value[state]:
            raise Disagreement(f"match: {joint} gives up {value[state]} for {value[after]}")
        state = after
    counts["matches"] += 1


# ---- two rulesheets ----


def change_rules(rng, text):
    """The rules with a small change, or in another form."""
    lines = text.splitlines()
    kind = rng.random()
    if kind < 0.2:
        rng.shuffle(lines)
    elif kind < 0.4:
        del lines[rng.choice([i for i, l in enumerate(lines) if not l.startswith("(role")])]
    elif kind < 0.5:
        lines.append(rng.choice([l for l in lines if not l.startswith("(role")] or ["(extra)"]).replace("(<= (goal", "(<= (also"))
    else:
        words = [m for m in re.finditer(r"[^\s()]+", text) if m.group() not in KEYWORDS and not m.group().startswith("?")]
        a, b = rng.choice(words), rng.choice(words)
        if "(role" in text[text.rfind("\n", 0, a.start()) + 1 : a.start()]:
            return text
        return text[: a.start()] + b.group() + text[a.end() :]
    return "\n".join(lines) + "\n"


def first_difference(a, b, most):
    """The least number of steps after which two games differ; None: they do not; NotImplemented: too many states."""

    def seen(g, s):
        terminal, legal, goals = g.view(s)
        moves = () if terminal else tuple(frozenset(spell(g.moves[r][m]) for m in legal[r]) for r in range(len(g.roles)))
        return bool(terminal), moves, tuple(map(tuple, goals))

    level, known, depth = [(a.start, b.start)], {(a.start, b.start)}, 0
    while level:
        if any(seen(a, s) != seen(b, t) for s, t in level):
            return depth
        after = []
        for s, t in level:
            there = {tuple(spell(b.moves[r][m]) for r, m in enumerate(j)): u for j, u in b.steps(t)}
            for j, u in a.steps(s):
                pair = (u, there[tuple(spell(a.moves[r][m]) for r, m in enumerate(j))])
                if pair not in known:
                    known.add(pair)
                    after.append(pair)
        if len(known) > most:
            return NotImplemented
        level, depth = after, depth + 1
    return None


def compare_diff(case):
    text = change_rules(case.rng, case.game.text)
    other_file = os.path.join(case.folder, "other.kif")
    with open(other_file, "w") as f:
        f.write(text)
    try:
        other = Game(text)
    except Unstratified:
        return
    if other.roles != case.game.roles:
        return
    wanted = first_difference(case.game, other, 3000)
    if wanted is NotImplemented:
        return
    for options in ([], ["--method", "pairs"], ["--method", "product"], ["--method", "play"]):
        found, done = run_json("diff", case.file, other_file, *options, "--time-limit", "10", statuses=(0, 1, 3, 4))
        if done.returncode == 3:
            counts["diff of unsound rules"] += 1
            return
        counts[f"diff {' '.join(options)} {found['verdict']}"] += 1
        if found["verdict"] == "unknown":
            if wanted is not None and found["clear_steps"] > wanted:
                raise Disagreement(f"diff {options}: {found['clear_steps']} steps are clear, but {wanted} show a difference: {text}")
            continue
        if (found["verdict"] == "different") != (wanted is not None):
            raise Disagreement(f"diff {options}: {found['verdict']}, but a difference is after {wanted} steps: {text}")
        if wanted is not None:
            length = len(found["witness"])
            if length < wanted or (found["is_shortest"] and length != wanted):
                raise Disagreement(f"diff {options}: {length} steps, not {wanted}: {text}")


COMPARISONS = {
    "hidden": compare_hidden,
    "diff": compare_diff,
    "machines": compare_machines,
    "solve": compare_solve,
    "weak": compare_weak,
    "database": compare_database,
    "checkpoint": compare_checkpoint,
    "minimax": compare_minimax,
    "deep": compare_deep,
    "states": compare_states,
    "perft": compare_perft,
    "prove": compare_prove,
    "bestmove": compare_bestmove,
    "parts": compare_parts,
    "mpi": compare_mpi,
    "match": compare_match,
}


def try_game(seed, text, names):
    """What disagrees; None: the game is not one for this."""
    try:
        game = Game(text)
    except Unstratified:
        counts["unstratified"] += 1
        return None
    if not game.walk(MOST_STATES):
        counts["large"] += 1
        return None
    if len(game.states) < 4 and seed % 8:
        counts["tiny"] += 1
        return None
    out = []
    with tempfile.TemporaryDirectory() as folder:
        case = Case(seed, game, folder)
        with open(case.file, "w") as f:
            f.write(text)
        case.wanted = case.values()
        counts["games"] += 1
        counts["cyclic"] += not case.facts.acyclic
        for name in names:
            try:
                COMPARISONS[name](case)
            except Disagreement as e:
                out.append(f"{name}: " + " / ".join(str(e).splitlines()))
            except (KeyError, ValueError, TypeError, AttributeError) as e:  # an answer of another shape
                out.append(f"{name}: {type(e).__name__} {e}")
    return out


def main(words):
    if words[0] == "--print":
        print(random_rules(random.Random(int(words[1]))), end="")
        return
    if words[0] == "--file":
        for problem in try_game(0, open(words[1]).read(), words[2:] or list(COMPARISONS)):
            print(problem)
        return
    first, count = int(words[0]), int(words[1])
    names = words[2:] or [n for n in COMPARISONS if n not in ("mpi", "match")]
    for seed in range(first, first + count):
        problems = try_game(seed, random_rules(random.Random(seed)), names)
        if problems is not None:
            print(f"random game {seed}: {' '.join(names)}\t{'; '.join(problems)}", flush=True)
    print(", ".join(f"{n} {w}" for w, n in sorted(counts.items())), file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
