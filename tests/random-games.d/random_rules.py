"""Random rulesheets of small games of several shapes: tokens on graphs, marks on cells, sums of piles, and rules without
a plan.  One to three roles, chance, moves at once or in turns, cycles, ends without a goal or with several, roles
without a move, names that look like something else."""

import random
import re

ODD_NAMES = [
    "x+y", "a-b", "1", "007", "c_2", "a.b", "null", "true1", "NaN", "int", "for", "a:b", "x'y", "a|b", "%s", "a/b", "*",
    "__init__", "-", "é", "a&b", "$x", "#1", "@file", "random1", "noop2", "[0]", "{}", "long" * 12, "=", "<", "2.5", "-1", "!a",
]  # fmt: skip
KEYWORDS = {
    "role", "init", "true", "does", "next", "legal", "goal", "terminal", "sees", "random", "not", "or", "distinct", "<=", "base", "input",
}  # fmt: skip


def rename(rng, text):
    """Some names become odd ones."""
    words = sorted(set(re.findall(r"[a-z][a-z0-9]*", text)) - KEYWORDS)
    names = rng.sample(ODD_NAMES, len(ODD_NAMES))
    table = {w: names.pop() for w in words if names and rng.random() < 0.4}
    for word in [w for w in words if w not in table]:
        if word in table.values():
            return text
    return re.sub(r"(?<![?\w])[a-z][a-z0-9]*(?![\w])", lambda m: table.get(m.group(), m.group()), text)


class Sheet:
    def __init__(self, rng):
        self.rng, self.lines = rng, []

    def add(self, *lines):
        self.lines += lines

    def chance(self, p):
        return self.rng.random() < p

    def text(self):
        return "\n".join(self.lines) + "\n"


def roles_of(rng):
    shape = rng.choice(["one", "two", "two", "two", "two", "three", "one+", "two+"])
    names = {"one": ["p"], "two": ["p", "q"], "three": ["p", "q", "u"]}[shape.rstrip("+")]
    return names + ["random"] if shape.endswith("+") else names, names


def add_turns(s, roles, players):
    """Who may choose: (turn ROLE) holds, or everybody.  Returns the condition for ?r to choose."""
    kind = s.rng.choice(["alternate"] * 6 + ["place"] + ["free"] * (len(roles) < 3))
    for r in roles:
        s.add(f"(role {r})")
    if len(roles) == 1 or kind == "free":
        return "(role ?r)", None
    if kind == "alternate":
        order = list(roles)
        s.rng.shuffle(order)
        for a, b in zip(order, order[1:] + order[:1]):
            s.add(f"(after {a} {b})")
        s.add(f"(init (turn {order[0]}))")
        return "(true (turn ?r))", "(<= (next (turn ?s)) (true (turn ?r)) (after ?r ?s))"
    return "(moves ?r)", None


def add_counter(s):
    """Some games end after some steps."""
    if s.chance(0.55):
        return
    n = s.rng.randint(2, 6)
    s.add("(init (age 0))", *(f"(count {i} {i + 1})" for i in range(n)))
    s.add("(<= (next (age ?y)) (true (age ?x)) (count ?x ?y))", f"(<= terminal (true (age {n})))")
    if s.chance(0.3):
        s.add("(<= (next (age ?x)) (true (age ?x)) (not (counted ?x)))", "(<= (counted ?x) (count ?x ?y))")


def goal_rules(s, players, condition_of):
    """Goals by conditions; else another.  condition_of(role) gives a random one."""
    values = s.rng.choice([[0, 100], [0, 50, 100], [0, 25, 50, 75, 100], [30, 60], [1, 2, 3, 99], [50], [10, 90], [0, 40, 60, 100]])
    if len(players) == 2 and s.chance(0.6):
        for i in range(s.rng.randint(1, 3)):
            v = s.rng.choice(values)
            c = condition_of("p")
            s.add(f"(<= (won {i}) {c})")
            before = " ".join(f"(not (won {k}))" for k in range(i))
            s.add(f"(<= (goal p {v}) (won {i}) {before})", f"(<= (goal q {100 - v}) (won {i}) {before})")
        v = s.rng.choice(values)
        before = " ".join(f"(not (won {k}))" for k in range(i + 1))
        s.add(f"(<= (goal p {v}) {before})", f"(<= (goal q {100 - v}) {before})")
    else:
        for r in players:
            high, low = s.rng.choice(values), s.rng.choice(values)
            s.add(f"(<= (well {r}) {condition_of(r)})", f"(<= (goal {r} {high}) (well {r}))")
            s.add(f"(<= (goal {r} {low}) (not (well {r})))")
            if s.chance(0.3):
                s.add(f"(<= (goal {r} {s.rng.choice(values)}) {condition_of(r)})")
    if s.chance(0.08):
        s.add("(<= (goal nobody 100) (true (turn p)))", "(goal (t p) 20)")


def tokens(rng):
    s = Sheet(rng)
    roles, players = roles_of(rng)
    may = add_turns(s, roles, players)
    n, k = rng.randint(2, 5), rng.randint(1, 3)
    edges = set()
    shape = rng.choice(["random", "cycle", "path", "line", "complete"])
    for a in range(n):
        for b in range(n):
            if shape == "random" and rng.random() < 1.6 / n and (a != b or rng.random() < 0.3):
                edges.add((a, b))
            if shape == "cycle" and b in ((a + 1) % n, (a - 1) % n) and a != b:
                edges.add((a, b))
            if shape == "path" and a < b <= a + 2:
                edges.add((a, b))
            if shape == "line" and abs(a - b) == 1:
                edges.add((a, b))
            if shape == "complete" and a != b and n < 5:
                edges.add((a, b))
    s.add(*(f"(edge v{a} v{b})" for a, b in sorted(edges)))
    if not edges:
        s.add("(edge v0 v1)")
    same = rng.random() < 0.5
    first = rng.randrange(n)
    for t in range(k):
        s.add(f"(init (at t{t} v{first if same else rng.randrange(n)}))", f"(token t{t})")
    # a place decides who moves
    if may[0] == "(moves ?r)":
        for a in range(n):
            s.add(f"(owner v{a} {rng.choice(roles)})")
        s.add("(<= (moves ?r) (true (at t0 ?v)) (owner ?v ?r))")
    owned = rng.random() < 0.3 and len(players) > 1
    if owned:
        for t in range(k):
            s.add(f"(own {rng.choice(roles)} t{t})")
    extra = "".join([" (own ?r ?t)" if owned else "", " (not (true (at ?u ?b))) (token ?u) (distinct ?u ?t)" if rng.random() < 0.1 else ""])
    if rng.random() < 0.25:
        extra += " (not (held ?b))"
        s.add("(<= (held ?b) (true (at ?u ?b)))")
    s.add(f"(<= (legal ?r (go ?t ?b)) {may[0]} (true (at ?t ?a)) (edge ?a ?b){extra})")
    kind = rng.random()
    if kind < 0.3:
        s.add(f"(<= (legal ?r pass) {may[0]})")
    elif kind < 0.6:
        s.add(f"(<= (legal ?r pass) {may[0]} (not (mobile ?r)))", "(<= (mobile ?r) (legal ?r (go ?t ?b)))")
    if may[0] != "(role ?r)":
        s.add(f"(<= (legal ?r noop) (role ?r) (not {may[0]}))")
    elif rng.random() < 0.7:
        s.add("(<= (legal ?r noop) (role ?r))")
    s.add("(<= (next (at ?t ?b)) (does ?r (go ?t ?b)))")
    s.add("(<= (next (at ?t ?a)) (true (at ?t ?a)) (not (moved ?t)))", "(<= (moved ?t) (does ?r (go ?t ?b)))")
    if may[1]:
        s.add(may[1])
    if rng.random() < 0.3:
        s.add("(<= (next (seen ?b)) (does ?r (go ?t ?b)))", "(<= (next (seen ?b)) (true (seen ?b)))")
        if rng.random() < 0.5:
            s.add("(<= terminal" + "".join(f" (true (seen v{a}))" for a in rng.sample(range(n), min(n, 2))) + ")")
    add_counter(s)

    def condition_of(r):
        kind = rng.random()
        v = rng.randrange(n)
        if kind < 0.3:
            return f"(true (at t{rng.randrange(k)} v{v}))"
        if kind < 0.6:
            return f"(true (at ?t v{v}))"
        if kind < 0.75 and k > 1:
            return "(true (at ?t ?v)) (true (at ?u ?v)) (distinct ?t ?u)"
        if kind < 0.9 and may[1]:
            return f"(true (turn {r}))"
        return f"(true (at ?t v{v})) (not (true (at t0 v{rng.randrange(n)})))"

    for _ in range(rng.randint(0, 2)):
        s.add(f"(<= terminal {condition_of(rng.choice(roles))})")
    if may[1] and rng.random() < 0.3:
        s.add("(<= terminal (not stirs))", "(<= stirs (legal ?r (go ?t ?b)))")
    goal_rules(s, players, condition_of)
    return s


def marks(rng):
    s = Sheet(rng)
    roles, players = roles_of(rng)
    may = add_turns(s, roles, players)
    if may[0] == "(moves ?r)":
        s.add("(<= (moves ?r) (role ?r) (true (mark c0 ?r)))", f"(init (mark c0 {rng.choice(roles)}))")
    n = rng.randint(2, 5 if len(roles) < 3 else 4)
    s.add(*(f"(cell c{i})" for i in range(n)))
    lines = [rng.sample(range(n), min(n, rng.randint(1, 3))) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.4:  # a ring
        lines = [[i, (i + 1) % n] for i in range(n)]
    s.add("(<= (full ?c) (true (mark ?c ?r)))")
    again = rng.random() < 0.25  # a mark may be taken over
    s.add(
        f"(<= (legal ?r (put ?c)) {may[0]} (cell ?c) "
        + ("(not (true (mark ?c ?r))))" if again else "(not (full ?c)))")
    )
    if rng.random() < 0.3:
        s.add(f"(<= (legal ?r (take ?c)) {may[0]} (true (mark ?c ?r)))")
    kind = rng.random()
    if kind < 0.3:
        s.add(f"(<= (legal ?r pass) {may[0]})")
    elif kind < 0.7:
        s.add(f"(<= (legal ?r pass) {may[0]} (not open))", "(<= open (cell ?c) (not (full ?c)))")
    if may[0] != "(role ?r)":
        s.add(f"(<= (legal ?r noop) (role ?r) (not {may[0]}))")
    elif rng.random() < 0.6:
        s.add("(<= (legal ?r noop) (role ?r))")
    s.add("(<= (next (mark ?c ?r)) (does ?r (put ?c)))", "(<= (put ?c) (does ?r (put ?c)))", "(<= (taken ?c) (does ?r (take ?c)))")
    s.add("(<= (next (mark ?c ?r)) (true (mark ?c ?r)) (not (put ?c)) (not (taken ?c)))")
    if may[1]:
        s.add(may[1])
    for i, line in enumerate(lines):
        s.add("(<= (line ?r) (role ?r) " + " ".join(f"(true (mark c{c} ?r))" for c in line) + ")")
    s.add("(<= (blank ?c) (cell ?c) (not (full ?c)))")
    add_counter(s)
    if rng.random() < 0.8:
        s.add("(<= terminal (line ?r))")
    if rng.random() < 0.8:
        s.add("(<= terminal (not vacant))", "(<= vacant (blank ?c))")

    def condition_of(r):
        kind = rng.random()
        if kind < 0.6:
            return f"(line {r})"
        if kind < 0.8:
            return f"(true (mark c{rng.randrange(n)} {r}))"
        return "(blank ?c)"

    goal_rules(s, players, condition_of)
    return s


def piles(rng):
    """Sums of independent parts, some of them alike."""
    s = Sheet(rng)
    roles, players = (["p", "q"], ["p", "q"]) if rng.random() < 0.8 else roles_of(rng)
    may = add_turns(s, roles, players)
    if may[0] == "(moves ?r)":
        s.add("(<= (moves ?r) (true (on a0 ?n)) (due ?n ?r))", *(f"(due {i} {rng.choice(roles)})" for i in range(6)))
    k = rng.randint(1, 3)
    top = rng.randint(1, 4)
    loops = rng.random() < 0.3
    kinds = rng.randint(1, 2)
    for kind in range(kinds):
        for a in range(top + 1):
            for b in range(top + 1):
                if (b < a and rng.random() < 0.6) or (loops and b > a and rng.random() < 0.15):
                    s.add(f"(down g{kind} {a} {b})")
    s.add("(down g0 1 0)")
    for i in range(k):
        s.add(f"(init (on a{i} {rng.randint(0, top)}))", f"(sort a{i} g{rng.randrange(kinds)})")
    only = rng.random() < 0.25  # partisan: some steps are for one role
    if only:
        for r in roles:
            s.add(*(f"(can {r} {i})" for i in range(top + 1) if rng.random() < 0.7), f"(can {r} 0)")
    s.add(f"(<= (legal ?r (take ?i ?n)) {may[0]} (true (on ?i ?m)) (sort ?i ?g) (down ?g ?m ?n){' (can ?r ?n)' if only else ''})")
    if may[0] != "(role ?r)":
        s.add(f"(<= (legal ?r noop) (role ?r) (not {may[0]}))")
    elif rng.random() < 0.7:
        s.add("(<= (legal ?r noop) (role ?r))")
    s.add("(<= (next (on ?i ?n)) (does ?r (take ?i ?n)))", "(<= (hit ?i) (does ?r (take ?i ?n)))")
    s.add("(<= (next (on ?i ?n)) (true (on ?i ?n)) (not (hit ?i)))")
    if may[1]:
        s.add(may[1])
    s.add("(<= stirs (legal ?r (take ?i ?n)))")
    if rng.random() < 0.8:
        s.add("(<= terminal (not stirs))")
    if rng.random() < 0.3:
        s.add(f"(<= terminal {' '.join(f'(true (on a{i} 0))' for i in range(k))})")
    if rng.random() < 0.2:
        add_counter(s)

    def condition_of(r):
        if may[1] and rng.random() < 0.7:
            return f"(true (turn {r}))"
        return f"(true (on a{rng.randrange(k)} {rng.randint(0, top)}))"

    goal_rules(s, players, condition_of)
    return s


def anything(rng):
    """Rules without a plan, over few fluents."""
    s = Sheet(rng)
    roles, players = roles_of(rng)
    for r in roles:
        s.add(f"(role {r})")
    s.add("(s c0)", "(s c1)", "(e c0 c1)", "(e c1 c0)", "(init (f c0))", "(init (h c1))")
    turns = rng.random() < 0.6 and len(roles) > 1
    if turns:
        for a, b in zip(roles, roles[1:] + roles[:1]):
            s.add(f"(after {a} {b})")
        s.add(f"(init (turn {roles[0]}))", "(<= (next (turn ?s)) (true (turn ?r)) (after ?r ?s))")

    def cell(bound, fresh=False):
        if rng.random() < 0.2 or (not bound and not fresh):
            return rng.choice(["c0", "c1"])
        v = rng.choice(["?x", "?y"]) if fresh else rng.choice(sorted(bound))
        bound.add(v)
        return v

    def fluent(bound, fresh=False):
        kind = rng.randrange(6)
        if kind == 0:
            return "z"
        if kind < 3:
            return f"(f {cell(bound, fresh)})"
        if kind < 5:
            return f"(h {cell(bound, fresh)})"
        return f"(g {cell(bound, fresh)} {cell(bound, fresh)})"

    def literal(bound, fresh, helpers, moves):
        kind = rng.random()
        if moves and kind < 0.3:
            move = "(m %s)" % cell(bound, fresh) if rng.random() < 0.5 else "noop"
            return f"(does {rng.choice(['?r'] + roles)} {move})"
        if helpers and kind < 0.45:
            return f"(a{rng.randrange(helpers)} {cell(bound, fresh)})"
        if kind < 0.55:
            return f"(e {cell(bound, fresh)} {cell(bound, fresh)})"
        return f"(true {fluent(bound, fresh)})"

    def body(bound, least, helpers, moves, own=None):
        out = ["(role ?r)"]
        for _ in range(rng.randint(least, 2)):
            out.append(literal(bound, True, helpers, moves))
        if own is not None and rng.random() < 0.3:
            out.append(f"(a{own} {cell(bound, True)})")
        for _ in range(rng.randint(0, 2)):
            kind = rng.random()
            if kind < 0.2:
                out.append(f"(distinct {cell(bound)} {cell(bound)})")
            elif kind < 0.4:
                out.append(f"(or (not {literal(bound, False, helpers, moves)}) {literal(set(bound), False, helpers, moves)})")
            else:
                out.append(f"(not {literal(bound, False, helpers, moves)})")
        return " ".join(out)

    for number in range(3):
        for _ in range(rng.randint(1, 2)):
            bound = set()
            b = body(bound, 1, number, False, number)
            s.add(f"(<= (a{number} {cell(bound)}) {b})")
    for _ in range(rng.randint(2, 5)):
        bound = set()
        b = body(bound, 1, 3, True)
        s.add(f"(<= (next {fluent(bound)}) {b})")
    if rng.random() < 0.5:
        s.add("(<= (next (f ?x)) (true (f ?x)) (not (does p (m ?x))))")
    if rng.random() < 0.5:
        s.add("(<= (next (h ?x)) (does ?r (m ?x)))")
    mine = "(true (turn ?r))" if turns else "(role ?r)"
    for _ in range(rng.randint(1, 3)):
        bound = set()
        b = body(bound, 1, 3, False)
        s.add(f"(<= (legal ?r (m {cell(bound)})) {mine} {b})")
    if turns:
        s.add("(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))")
        if rng.random() < 0.6:
            s.add("(<= (legal ?r pass) (true (turn ?r)))")
    elif rng.random() < 0.9:
        s.add("(<= (legal ?r noop) (role ?r))")
    add_counter(s)
    for _ in range(rng.randint(0, 2)):
        s.add(f"(<= terminal {body(set(), 1, 3, False)})")
    goal_rules(s, players, lambda r: body(set(), 1, 3, False))
    return s


def parts_rules(rng):
    """One role, and games side by side: it moves in one of them at a time, or in all at once."""
    s = Sheet(rng)
    s.add("(role p)")
    k, at_once = rng.randint(2, 3), rng.random() < 0.25
    sizes = [rng.randint(2, 4 if k < 3 else 3) for _ in range(k)]
    alike = rng.random() < 0.3
    for i in range(k):
        n = sizes[0] if alike else sizes[i]
        sizes[i] = n
        s.add(f"(init (at{i} v{0 if alike else rng.randrange(n)}))")
        kind = rng.choice(["path", "random", "circle"])
        for a in range(n):
            for b in range(n):
                if {"path": b == a + 1, "circle": b == (a + 1) % n, "random": rng.random() < 0.4}[kind]:
                    s.add(f"(edge{0 if alike and i else i} v{a} v{b})")
        s.add(f"(edge{i} v0 v1)")
        edge = 0 if alike else i
        if not at_once:
            s.add(f"(<= (legal p (go{i} ?b)) (true (at{i} ?a)) (edge{edge} ?a ?b))")
            s.add(f"(<= (next (at{i} ?b)) (does p (go{i} ?b)))")
            s.add(f"(<= (next (at{i} ?a)) (true (at{i} ?a)) (not hit{i}))", f"(<= hit{i} (does p (go{i} ?b)))")
        elif rng.random() < 0.5:
            s.add(f"(<= (may{i} stay) (true (at{i} ?a)))")
        if at_once:
            s.add(f"(<= (may{i} ?b) (true (at{i} ?a)) (edge{edge} ?a ?b))")
            there = " ".join("?b" if m == i else f"?x{m}" for m in range(k))
            s.add(f"(<= (next (at{i} ?b)) (does p (go {there})) (distinct ?b stay))")
            s.add(f"(<= (next (at{i} ?a)) (true (at{i} ?a)) (does p (go {there.replace('?b', 'stay')})))")
    if at_once:
        s.add(f"(<= (legal p (go {' '.join(f'?x{m}' for m in range(k))})) {' '.join(f'(may{m} ?x{m})' for m in range(k))})")
    if rng.random() < 0.2:
        s.add("(legal p wait)" if not at_once else "(legal p (go stay stay stay))" if k == 3 else "(legal p (go stay stay))")
    add_counter(s)

    def condition_of(r):
        some = rng.sample(range(k), rng.randint(1, k))
        return " ".join(f"(true (at{i} v{rng.randrange(sizes[i])}))" if rng.random() < 0.8 else f"(not (true (at{i} v{rng.randrange(sizes[i])})))" for i in some)

    for _ in range(rng.randint(0, 2)):
        s.add(f"(<= terminal {condition_of('p')})")
    if rng.random() < 0.4 and not at_once:
        s.add("(<= terminal (not stirs))", *(f"(<= stirs (legal p (go{i} ?b)))" for i in range(k)))
    goal_rules(s, ["p"], condition_of)
    return s.text()


def hidden_rules(rng):
    """A short game whose roles see a part of what happens (GDL-II)."""
    s = rng.choice([tokens, marks, piles, anything])(rng)
    text = s.text()
    n = rng.randint(2, 3)
    if "(age 0)" not in text:
        s.add("(init (age 0))", *(f"(count {i} {i + 1})" for i in range(n)))
        s.add("(<= (next (age ?y)) (true (age ?x)) (count ?x ?y))", f"(<= terminal (true (age {n})))")
    roles = re.findall(r"\(role (\w+)\)", text)
    for _ in range(rng.randint(1, 3)):
        r, o = rng.choice(["?r"] + roles), rng.choice(["?o"] + roles)
        s.add(
            rng.choice(
                [
                    f"(<= (sees {r} (did {o} ?m)) (role {r}) (does {o} ?m))",
                    f"(<= (sees {r} (was ?f)) (role {r}) (true ?f))",
                    f"(<= (sees {r} moved) (role {r}) (does {o} ?m) (distinct ?m noop))",
                    f"(<= (sees {r} (same ?m)) (does {r} ?m) (does {o} ?m))",
                ]
            )
        )
    return s.text()


def random_rules(rng):
    s = rng.choice([tokens, tokens, marks, marks, piles, anything])(rng)
    if rng.random() < 0.06:  # what never changes
        s.add("(init (lamp on))", "(<= (next (lamp ?x)) (true (lamp ?x)))")
    if rng.random() < 0.04:
        s.add("(<= (legal nobody (go t0 v0)) (role p))")
    if rng.random() < 0.03:
        s.add("terminal")
    text = s.text()
    if rng.random() < 0.25:
        lines = text.splitlines()
        rng.shuffle(lines)
        text = "\n".join(lines) + "\n"
    return rename(rng, text) if rng.random() < 0.1 else text
