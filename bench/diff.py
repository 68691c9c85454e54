"""`tabia diff` on rewritten and on mutated copies of rulesheets.

  bench/diff.py RULESHEET...           each against itself formatted, renamed, ground and frame-translated
  bench/diff.py --mutants N RULESHEET...   N mutated copies, of rulesheets drawn by SEED
  bench/diff.py --table FILE           what a file of such lines says

A line of JSON for each copy.  A rewritten copy must be the same; a mutated one may be either.

LIMIT    seconds for each question (5)
RESULTS  appends the lines to a file and leaves out what it has: so a long list can be run in slices
SLICE    seconds after which no copy is begun
SEED     of names and mutations (1)
COPIES   which rewritten copies, with blanks between them (all four)
TABIA    the program (build/release/tabia)
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter

TABIA = os.environ.get("TABIA", "build/release/tabia")
LIMIT = float(os.environ.get("LIMIT", "5"))
SEED = int(os.environ.get("SEED", "1"))
RESULTS = os.environ.get("RESULTS")
SLICE = float(os.environ.get("SLICE", "inf"))
COPIES = os.environ.get("COPIES", "formatted renamed ground frame-translated").split()

WORDS = "role init true does next legal goal terminal base input sees distinct not and or <= random".split()
TOKEN = re.compile(r";[^\n]*|[()]|[^\s();]+")


def run(*arguments, seconds=None):
    """Status and output of tabia."""
    try:
        done = subprocess.run([TABIA, *arguments], capture_output=True, text=True, errors="replace", timeout=seconds)
    except subprocess.TimeoutExpired:
        return 4, ""
    return done.returncode, done.stdout


# ---- rules as lists ----


def read(text):
    """The forms of a rulesheet: lists of lists and names."""
    stack = [[]]
    for token in TOKEN.findall(text):
        if token.startswith(";"):
            continue
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0]


def show(form):
    return "(" + " ".join(show(f) for f in form) + ")" if isinstance(form, list) else form


def names_in(form):
    if isinstance(form, list):
        for f in form:
            yield from names_in(f)
    else:
        yield form


# ---- rewritten copies ----


def formatted(path):
    status, text = run("fmt", path)
    return text if status == 0 else None, None


def renamed(path):
    """Every name but numbers and words of the language, and every variable."""
    names = {}
    draw = random.Random(SEED)

    def other(token):
        low = token.lower()
        if low in WORDS or re.fullmatch(r"[0-9]+", low) or "\\" in low or "|" in low:
            return token
        if low not in names:
            sign = "?" if low.startswith("?") else ""
            names[low] = f"{sign}n{len(names)}{''.join(draw.choice('abcdef') for _ in range(4))}"
        return names[low]

    text = "\n".join(show(f) for f in read(open(path, errors="replace").read()))
    copy = re.sub(r"[^\s()]+", lambda m: other(m.group()), text)
    return copy, "\n".join(f"{old} {new}" for old, new in names.items() if not old.startswith("?"))


def ground(path):
    status, text = run("ground", path, "--time-limit", str(LIMIT), seconds=4 * LIMIT)
    return text if status == 0 else None, None


def translated(path):
    status, text = run("frame", "--whole", path, "--time-limit", str(LIMIT), seconds=4 * LIMIT)
    return text if status == 0 else None, None


KINDS = {"formatted": formatted, "renamed": renamed, "ground": ground, "frame-translated": translated}


# ---- mutated copies ----


def conditions(rule):
    return range(2, len(rule)) if rule[0] == "<=" else range(0)


def mutate(forms, draw):
    """Changes one place of the rules; the words of what was done."""
    rules = [f for f in forms if isinstance(f, list) and f and f[0] == "<="]
    rule = draw.choice(rules)
    kind = draw.choice(["condition", "rule", "negation", "constant", "variable"])
    if kind == "rule":
        forms.remove(rule)
        return f"without {show(rule)[:60]}"
    if kind in ("condition", "negation") and len(rule) > 2:
        i = draw.choice(conditions(rule))
        gone = rule[i]
        if kind == "condition":
            del rule[i]
        else:
            rule[i] = gone[1] if isinstance(gone, list) and gone[0].lower() == "not" else ["not", gone]
        return f"{kind} {show(gone)[:60]}"
    wanted = "?" if kind == "variable" else ""
    places = [p for p in leaves(rule) if p[0][p[1]].startswith("?") == bool(wanted)]
    others = sorted(set(n for n in names_in(rule if wanted else forms) if n.startswith("?") == bool(wanted)))
    others = [n for n in others if n.lower() not in WORDS]
    if not places or len(others) < 2:
        return None
    where, i = draw.choice(places)
    before, where[i] = where[i], draw.choice(others)
    return f"{kind} {before} -> {where[i]}" if before != where[i] else None


def leaves(form):
    """Places of names that are arguments."""
    for i, f in enumerate(form):
        if isinstance(f, list):
            yield from leaves(f)
        elif i and f.lower() not in WORDS:
            yield form, i


def mutant(path, draw, folder):
    """A mutated copy that has no errors; None: none was found."""
    for _ in range(20):
        forms = read(open(path, errors="replace").read())
        words = mutate(forms, draw)
        if not words:
            continue
        file = os.path.join(folder, "mutant.kif")
        with open(file, "w") as out:
            out.write("\n".join(show(f) for f in forms) + "\n")
        if run("check", file, seconds=20)[0] == 0:
            return file, words
    return None, None


# ---- questions ----


def compare(old, new, names, folder):
    arguments = ["diff", old, new, "--json", "--most", "0", "--time-limit", str(LIMIT)]
    if names:
        file = os.path.join(folder, "names")
        with open(file, "w") as out:
            out.write(names)
        arguments += ["--map", file]
    before = os.times()
    status, text = run(*arguments, seconds=20 * LIMIT)
    after = os.times()
    answer = json.loads(text) if text else {"verdict": "no answer", "method": None}
    return {
        "status": status,
        "verdict": answer["verdict"],
        "method": answer["method"],
        "steps": len(answer.get("witness", [])),
        "is_shortest": answer.get("is_shortest"),
        "clear_steps": answer.get("clear_steps"),
        "random_games": answer.get("random_games"),
        "cpu": round(after.children_user + after.children_system - before.children_user - before.children_system, 2),
    }


def known():
    if not RESULTS or not os.path.exists(RESULTS):
        return set()
    return {(r["game"], r["copy"]) for r in map(json.loads, open(RESULTS))}


def tell(result):
    line = json.dumps(result)
    if RESULTS:
        with open(RESULTS, "a") as out:
            out.write(line + "\n")
    else:
        print(line, flush=True)


def rewrite_all(paths):
    done, end = known(), time.time() + SLICE
    for path in paths:
        for kind in COPIES:
            make, game = KINDS[kind], os.path.basename(path)
            if (game, kind) in done or time.time() > end:
                continue
            with tempfile.TemporaryDirectory() as folder:
                text, names = make(path)
                file = os.path.join(folder, "copy.kif")
                if text is not None:
                    open(file, "w").write(text)
                answer = compare(path, file, names, folder) if text is not None else {"verdict": "no copy"}
            tell({"game": game, "copy": kind, **answer})


def mutate_all(count, paths):
    done, end = known(), time.time() + SLICE
    for number in range(count):
        draw = random.Random(SEED * 1000003 + number)
        path = draw.choice(paths)
        name = f"mutant {number}"
        if (os.path.basename(path), name) in done or time.time() > end:
            continue
        with tempfile.TemporaryDirectory() as folder:
            file, words = mutant(path, draw, folder)
            answer = compare(path, file, None, folder) if file else {"verdict": "no copy"}
        tell({"game": os.path.basename(path), "copy": name, "change": words, **answer})


def table(path):
    results = [json.loads(line) for line in open(path)]
    kinds = Counter()
    for r in results:
        kind = "mutated" if r["copy"].startswith("mutant") else r["copy"]
        kinds[kind, r["verdict"], r.get("method") or ""] += 1
    print("| copy | answer | by | copies |\n| --- | --- | --- | ---: |")
    for (kind, verdict, method), count in sorted(kinds.items()):
        print(f"| {kind} | {verdict} | {method} | {count} |")


if __name__ == "__main__":
    if sys.argv[1] == "--table":
        table(sys.argv[2])
    elif sys.argv[1] == "--mutants":
        mutate_all(int(sys.argv[2]), sorted(sys.argv[3:]))
    else:
        rewrite_all(sys.argv[1:])
