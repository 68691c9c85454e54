"""Turns a rulesheet in KIF into a Prolog program for play_driver.pl.

- Relations that no state can change are computed once, at the start, and become facts.
- A fluent `(true (mark 1 2 x))` is a fact `f_mark(1, 2, x)` of a dynamic predicate of its own, so
  that Prolog indexes it by its arguments.
- Recursive relations are tabled, so that left recursion ends, and so are those computed from
  them, except the ones that a step asks for only once.  Of four ways to choose what is tabled this
  was the fastest or near it in every game; to table everything takes up to five times longer.
- A negated or `distinct` literal stands as early as its variables are bound."""

import re

NEGATIVE = ("not", "distinct")
MADE_BY_STATE = {"true", "does"}
ASKED_ONCE = {"legal", "next", "goal", "terminal"}


# ---- reading ----

def read(text):
    """The top-level lists and atoms of a text, as nested lists of words."""
    stack = [[]]
    for word in re.findall(r"[()]|[^\s()]+", re.sub(r";[^\n]*", "", text).lower()):
        if word == "(":
            stack.append([])
        elif word == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word)
    return stack[0]


def rules_of(text):
    """Pairs of a head and a body without disjunctions."""
    found = []
    for clause in read(text):
        is_rule = isinstance(clause, list) and clause[0] == "<="
        head, body = (clause[1], clause[2:]) if is_rule else (clause, [])
        found += [(head, b) for b in without_or(body)]
    return found


def without_or(body):
    bodies = [[]]
    for literal in body:
        is_or = isinstance(literal, list) and literal[0] == "or"
        choices = [b for part in literal[1:] for b in without_or([part])] if is_or else [[literal]]
        bodies = [b + c for b in bodies for c in choices]
    return bodies


# ---- what depends on what ----

def name_of(literal):
    return literal if isinstance(literal, str) else literal[0]


def arity_of(literal):
    return 0 if isinstance(literal, str) else len(literal) - 1


def atom_in(literal):
    return atom_in(literal[1]) if name_of(literal) == "not" else literal


def computed_from(rules, relations):
    """Those relations and all that are computed from one of them."""
    found = set(relations)
    while True:
        more = {name_of(h) for h, body in rules if any(name_of(atom_in(l)) in found for l in body)}
        if more <= found:
            return found
        found |= more


def recursive(rules):
    users = {}  # by relation: the relations in whose bodies it stands
    for head, body in rules:
        for literal in body:
            users.setdefault(name_of(atom_in(literal)), set()).add(name_of(head))
    return {name for name in users if name in computed_from(rules, users[name])}


def tabled(rules, changing):
    """Constant relations are computed once in any case."""
    names = {name_of(h) for h, _ in rules}
    return (names - changing) | (computed_from(rules, recursive(rules) & changing) - ASKED_ONCE)


# ---- writing ----

def term(t):
    if isinstance(t, list):
        return f"{term(t[0])}({', '.join(map(term, t[1:]))})" if len(t) > 1 else term(t[0])
    if t.startswith("?"):
        return "V_" + re.sub(r"\W", "_", t[1:])
    return t if re.fullmatch(r"[0-9]+", t) else f"'{t}'"


def atom(literal, prefix="g_"):
    arguments = [] if isinstance(literal, str) else literal[1:]
    words = ", ".join(map(term, arguments))
    return f"'{prefix}{name_of(literal)}'" + (f"({words})" if arguments else "")


def goal(literal):
    kind = name_of(literal)
    if kind == "not":
        return f"\\+ {goal(literal[1])}"
    if kind == "distinct":
        return f"{term(literal[1])} \\== {term(literal[2])}"
    if kind == "true":
        return atom(literal[1], "f_")
    return atom(literal)


def variables(t):
    if isinstance(t, list):
        return set().union(*map(variables, t))
    return {t} if t.startswith("?") else set()


def ordered(body):
    """Negative literals as early as their variables are bound, the others in their order."""
    waiting = [l for l in body if name_of(l) in NEGATIVE]
    done, bound = [], set()

    def place_ready():
        for literal in [w for w in waiting if variables(w) <= bound]:
            waiting.remove(literal)
            done.append(literal)

    place_ready()
    for literal in body:
        if name_of(literal) not in NEGATIVE:
            done.append(literal)
            bound |= variables(literal)
            place_ready()
    return done + waiting


def clause(head, body):
    goals = ", ".join(map(goal, ordered(body)))
    return f"{atom(head)} :- {goals}." if goals else f"{atom(head)}."


def fluents_of(rules):
    found = set()
    for head, body in rules:
        holders = [atom_in(l) for l in body if name_of(atom_in(l)) == "true"]
        holders += [head] if name_of(head) in ("init", "next") else []
        found |= {(name_of(h[1]), arity_of(h[1])) for h in holders}
    return sorted(found)


def program_of(text):
    rules = rules_of(text)
    changing = computed_from(rules, MADE_BY_STATE)
    in_tables = tabled(rules, changing)
    relations = sorted({(name_of(h), arity_of(h)) for h, _ in rules})
    lines = [":- style_check(-singleton).", ":- style_check(-discontiguous).",
             ":- dynamic 'g_does'/2."]
    lines += [f":- dynamic 'f_{name}'/{arity}." for name, arity in fluents_of(rules)]
    lines += [f"fluent_relation('f_{name}', {arity})." for name, arity in fluents_of(rules)]
    for name, arity in relations:
        lines += [f":- table 'g_{name}'/{arity}."] if name in in_tables else []
        lines += [f"constant('g_{name}', {arity})."] if name not in changing and arity else []
    lines += [clause(h, b) for h, b in sorted(rules, key=lambda r: (name_of(r[0]), arity_of(r[0])))]
    return "\n".join(lines) + "\n"
