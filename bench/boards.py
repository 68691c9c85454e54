"""Finds the boards and the turn markers of a game from the shape of its fluents, never from names.

A turn marker is a fluent with one argument, of a relation whose arguments are all roles, two or more.

A board is a relation with three arguments or more, some of which are coordinates; the others are
what stands on a cell.  There are two ways to know coordinates.

- Two or more arguments whose values are in order: they are numbers, or facts of the rules join them
  to one path or circle, as (succ a b) (succ b c) do, or they are the same as those of an argument
  that is in order.  Where all arguments are, as in (cell 3 4 9), the last one is what stands there.
- One or more arguments, as few as possible, of whose values the first state has every combination
  once, as (pit inner north empty) (pit inner east white) ... do.

A pile is a relation with two arguments: the first says where, the last what is there."""

import collections
import itertools
import math
import re
from dataclasses import dataclass

TOKEN = re.compile(r'"[^"]*"|[()]|[^\s()]+')


def read_terms(text):
    """The terms of a text: words, and tuples of terms."""
    found = [[]]
    for token in TOKEN.findall(text):
        if token == "(":
            found.append([])
        elif token == ")":
            inner = tuple(found.pop())
            found[-1].append(inner)
        else:
            found[-1].append(token)
    return found[0]


@dataclass(frozen=True)
class Shape:
    """A relation whose fluents say what stands on cells."""
    kind: str  # board, pile or turn
    name: str
    arity: int
    where: tuple  # numbers of the arguments that name the cell; none for turns

    def fits(self, fluent):
        return is_compound(fluent) and (fluent[0], len(fluent) - 1) == (self.name, self.arity)

    def cell(self, fluent):
        return tuple(fluent[i + 1] for i in self.where)


def is_compound(term):
    return isinstance(term, tuple) and len(term) > 1


# ---- values in order ----

def is_number(value):
    return isinstance(value, str) and value.isdigit()


def static_graphs(rules):
    """By relation and pair of neighbouring arguments: the pairs that its facts hold."""
    graphs = collections.defaultdict(set)
    for fact in rules:
        if not is_compound(fact) or fact[0] in ("<=", "init", "base", "input", "role"):
            continue
        if all(isinstance(value, str) for value in fact):
            for i in range(1, len(fact) - 1):
                graphs[fact[0], len(fact), i].add((fact[i], fact[i + 1]))
    return list(graphs.values())


def is_path(edges, values):
    """Do they join the values one after the other, each once?  A circle of two is none."""
    within = [(a, b) for a, b in edges if a in values and b in values]
    after = dict(within)
    starts = values - set(after.values()) or (values if len(values) > 2 else set())
    at, seen = min(starts, default=None), set()
    while at is not None and at not in seen:
        seen.add(at)
        at = after.get(at)
    return len(within) == len(after) and seen == values


def are_in_order(values, graphs):
    if len(values) < 2:
        return False
    return all(map(is_number, values)) or any(is_path(edges, values) for edges in graphs)


# ---- shapes ----

def coordinates_in_order(columns, graphs):
    in_order = [i for i, values in enumerate(columns) if are_in_order(values, graphs)]
    like = [columns[i] for i in in_order]
    found = [i for i, values in enumerate(columns) if i in in_order or values in like]
    found = found[:-1] if len(found) == len(columns) else found
    return tuple(found) if len(found) >= 2 else ()


def coordinates_at_start(columns, start):
    """The fewest arguments of whose values the first state has every combination once."""
    arity = len(columns)
    for count in range(1, arity):
        for where in itertools.combinations(range(arity), count):
            cells = {tuple(fluent[i + 1] for i in where) for fluent in start}
            size = math.prod(len(columns[i]) for i in where)
            if 1 < size == len(cells) == len(start):
                return where
    return ()


def shape_of(name, arity, fluents, start, roles, graphs):
    """Or None."""
    columns = [{f[i + 1] for f in fluents} for i in range(arity)]
    if arity == 1:
        is_turn = len(columns[0]) > 1 and columns[0] <= roles
        return Shape("turn", name, arity, ()) if is_turn else None
    if arity == 2:
        return Shape("pile", name, arity, (0,))
    where = (coordinates_in_order(columns, graphs) or
             coordinates_at_start(columns, start.intersection(fluents)))
    return Shape("board", name, arity, where) if where else None


def shapes_of(fluents, start, rules):
    """The boards, piles and turn markers among the fluents of a game, given its first state."""
    roles = {rule[1] for rule in rules if is_compound(rule) and rule[0] == "role"}
    graphs = static_graphs(rules)
    by_name = collections.defaultdict(list)
    for fluent in fluents:
        if is_compound(fluent):
            by_name[fluent[0], len(fluent) - 1].append(fluent)
    shapes = (shape_of(*key, group, start, roles, graphs) for key, group in by_name.items())
    return [shape for shape in shapes if shape]


def cells_of(shape, fluents):
    """The fluents of each cell that several fluents may hold of."""
    cells = collections.defaultdict(list)
    for fluent in filter(shape.fits, fluents):
        cells[shape.cell(fluent)].append(fluent)
    return {cell: group for cell, group in cells.items() if len(group) > 1}
