"""How grounding grows on two families of rules that no grounder can write down at full size.

    bench/growth.py [--tabia PROGRAM] [--limit SECONDS]

`marks N`: N cells hold marks 1 to N, and a group of them is good when each mark is in exactly one.  The
relation behind it lists every row of N marks by its values, and every permutation is a ground rule.
`paths N`: two players mark the cells of a board of N hexagons, and a line is a path that remembers in
a list where it has been.  Every path without repetition is a ground atom.
Writes a table in Markdown; seconds are processor time."""

import argparse
import json
import resource
import subprocess
import sys


def marks(size):
    values = range(1, size + 1)
    names = [f"?m{i}" for i in values]
    rules = ["(role player)"]
    rules += [f"(index {i}) (eq {i} {i})" for i in values]
    rules.append("(<= (legal player (play ?i ?m)) (index ?i) (index ?m) (empty ?i))")
    rules.append("(<= (next (mark ?i ?m)) (does player (play ?i ?m)))")
    rules.append("(<= (next (mark ?i ?m)) (true (mark ?i ?m)))")
    blank = " ".join(f"(not (true (mark ?i {m})))" for m in values)
    rules.append(f"(<= (empty ?i) (index ?i) {blank})")
    rules.append("(<= some_empty (empty ?i)) (<= terminal (not some_empty))")
    others = names[1:]
    free = " ".join(f"(index {m})" for m in others)
    unequal = " ".join(f"(not (eq ?z {m}))" for m in others)
    rules.append(f"(<= (first ?z {' '.join(names)}) (eq ?z ?m1) {free} {unequal})")
    for i in range(size):
        rest = [names[i]] + names[:i] + names[i + 1:]
        rules.append(f"(<= (one ?z {' '.join(names)}) (first ?z {' '.join(rest)}))")
    body = " ".join(f"(true (mark {i} ?m{i}))" for i in values)
    body += " " + " ".join(f"(one {z} {' '.join(names)})" for z in values)
    rules.append(f"(<= good {body})")
    rules.append("(<= (goal player 100) good) (<= (goal player 0) (not good))")
    return "\n".join(rules)


BOARDS = {4: (2, 2), 6: (2, 3), 8: (2, 4), 9: (3, 3), 10: (2, 5), 12: (3, 4), 25: (5, 5)}


def paths(size):
    rows, columns = BOARDS[size]
    cells = [(x, y) for x in range(1, rows + 1) for y in range(1, columns + 1)]
    rules = ["(role blue) (role red) (init (control blue))"]
    rules += [f"(init (cell {x} {y} blank)) (id {x} {y} e{x}{y}) (element e{x}{y})" for x, y in cells]
    for x, y in cells:
        for u, v in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1), (x + 1, y + 1), (x - 1, y - 1)]:
            if (u, v) in cells:
                rules.append(f"(neighbour {x} {y} {u} {v})")
    rules.append("""
(<= (legal ?p (mark ?x ?y)) (true (control ?p)) (true (cell ?x ?y blank)))
(<= (legal blue noop) (true (control red))) (<= (legal red noop) (true (control blue)))
(<= (next (control blue)) (true (control red))) (<= (next (control red)) (true (control blue)))
(<= (next (cell ?x ?y ?p)) (does ?p (mark ?x ?y)))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (distinct ?c blank))
(<= (next (cell ?x ?y blank)) (does ?p (mark ?j ?k)) (true (cell ?x ?y blank))
    (or (distinct ?x ?j) (distinct ?y ?k)))
(<= (append ?e nil (list ?e nil)) (element ?e))
(<= (append ?e (list ?h ?t) (list ?h ?new)) (element ?h) (distinct ?e ?h) (append ?e ?t ?new)
    (is_list ?new))
(is_list nil)""")
    for length in range(1, len(cells) + 1):
        items = [f"?e{i}" for i in range(length)]
        term = "nil"
        for item in reversed(items):
            term = f"(list {item} {term})"
        rules.append(f"(<= (is_list {term}) {' '.join(f'(element {i})' for i in items)})")
    rules.append(f"""
(<= (linked ?x ?y ?u ?v ?c ?path) (id ?x ?y ?id) (append ?id ?path ?longer)
    (onward ?x ?y ?u ?v ?c ?longer))
(<= (onward ?x ?y ?u ?v ?c ?path) (neighbour ?x ?y ?u ?v) (true (cell ?u ?v ?c)) (is_list ?path))
(<= (onward ?x ?y ?u ?v ?c ?path) (neighbour ?x ?y ?s ?t) (true (cell ?s ?t ?c)) (is_list ?path)
    (linked ?s ?t ?u ?v ?c ?path))
(<= (line red) (true (cell 1 ?y red)) (linked 1 ?y {rows} ?v red nil))
(<= (line blue) (true (cell ?x 1 blue)) (linked ?x 1 ?u {columns} blue nil))
(<= (goal ?p 100) (line ?p)) (<= (goal red 0) (line blue)) (<= (goal blue 0) (line red))
(<= terminal (line ?p))""")
    return "\n".join(rules)


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ground(tabia, rules, limit):
    """What `tabia ground --json` says and the processor time it took, or None at the limit."""
    before = children_seconds()
    done = subprocess.run([tabia, "ground", "--json", "--time-limit", str(limit), "--memory-limit",
                           "4G", "-"], input=rules, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 4):
        sys.exit(done.stderr)
    return (json.loads(done.stdout), children_seconds() - before) if done.returncode == 0 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tabia", default="tabia")
    parser.add_argument("--limit", type=int, default=60)
    given = parser.parse_args()
    print("| rules | size | ground rules | literals | seconds | peak |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, write, sizes in (("marks", marks, range(2, 10)), ("paths", paths, BOARDS)):
        for size in sizes:
            found = ground(given.tabia, write(size), given.limit)
            if not found:
                print(f"| {name} | {size} | limit of {given.limit} s or 4 GB | | | |")
                break
            sizes, seconds = found
            print(f"| {name} | {size} | {sizes['rules']:,} | {sizes['literals']:,} | {seconds:.2f} | "
                  f"{sizes['peak_bytes'] / 1e6:.0f} MB |", flush=True)


if __name__ == "__main__":
    main()
