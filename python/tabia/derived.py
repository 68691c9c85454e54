"""Layers of facts that the rules do not have, but that say the same in the form of a board.

(posx car 3) and (posy car 5) say (posx+posy car 3 5); (order c a b) says (order# 1 c), (order# 2 a),
(order# 3 b)."""

from __future__ import annotations

import itertools
from typing import Iterator, NamedTuple

from tabia.layout import AXES, Grid, Term, Terms, name_of, text_of_term


class Place(NamedTuple):
    """A cell of a plane has something where both fluents hold; one alone is there twice."""

    plane: str
    cell: tuple[int, int]
    first: int
    second: int


Facts = list[tuple[int, Terms]]  # a fluent's number and its term


def facts_of(fluents: list[Term], relation: str) -> Facts:
    return [(number, term) for number, term in enumerate(fluents)
            if isinstance(term, list) and term[0] == relation]


def made_place(grid: Grid, layer: Term, made: Terms, first: int, second: int) -> Iterator[Place]:
    at: dict[str, int] = {}
    rest: list[str] = []
    if grid.match(layer, made, at, rest):
        yield Place(name_of(layer, rest, [at]), grid.cell(at), first, second)


def list_places(grid: Grid, layer: Terms, fluents: list[Term]) -> Iterator[Place]:
    """What lies at each place of a list."""
    for number, term in facts_of(fluents, str(layer[0])[:-1]):
        for at, value in enumerate(term[1:], 1):
            yield from made_place(grid, layer, [layer[0], str(at), value], number, number)


class Half:
    """One of the two relations of a join: which of its arguments is the coordinate."""

    def __init__(self, grid: Grid, facts: Facts, axis: str) -> None:
        self.grid, self.facts, self.axis, self.values = grid, facts, axis, grid.axes[axis]
        inside = [sum(str(term[i]) in self.values for _, term in facts)
                  for i in range(1, len(facts[0][1]))]
        self.column = max(range(len(inside)), key=lambda i: (inside[i], i)) + 1

    def split(self) -> Iterator[tuple[tuple[str, ...], str, int]]:
        """Of each fact: what it is about, its coordinate, its number."""
        for number, term in self.facts:
            others = term[1:self.column] + term[self.column + 1:]
            yield tuple(map(text_of_term, others)), str(term[self.column]), number

    def stripes(self) -> Iterator[Place]:
        """Each fact alone, on all cells that have its coordinate."""
        others = [[(axis, i) for i in self.grid.axes[axis].values()] for axis in AXES
                  if axis != self.axis and self.grid.axes[axis]]
        for number, term in self.facts:
            value = self.values.get(str(term[self.column]), -1)
            name = text_of_term([*term[:self.column], self.axis, *term[self.column + 1:]])
            for at in itertools.product(*others) if value >= 0 else ():
                yield Place(name, self.grid.cell({self.axis: value, **dict(at)}), number, number)


def join_places(grid: Grid, layer: Terms, fluents: list[Term]) -> Iterator[Place]:
    """Where two facts agree in what they are about, the cell that both name."""
    words = str(layer[0]).split("+")
    axes = [str(axis) for axis in layer[-2:]]
    for cut in range(1, len(words)):
        both = [[(number, term) for number, term in facts_of(fluents, "+".join(part))
                 if len(term) == len(layer) - 1] for part in (words[:cut], words[cut:])]
        if not all(both) or not all(axis in grid.axes for axis in axes):
            continue
        first, second = (Half(grid, facts, axis) for facts, axis in zip(both, axes))
        yield from first.stripes()
        yield from second.stripes()
        about: dict[tuple[str, ...], list[tuple[str, int]]] = {}
        for others, value, number in second.split():
            about.setdefault(others, []).append((value, number))
        for others, value, number in first.split():
            for row, other in about.get(others, []):
                made: Terms = [layer[0], *others, value, row]
                yield from made_place(grid, layer, made, number, other)


def derived_places(grid: Grid, fluents: list[Term]) -> Iterator[Place]:
    """The places of all layers of a grid whose facts the rules do not have."""
    for layer in grid.layers:
        if isinstance(layer, list) and str(layer[0]).endswith("#"):
            yield from list_places(grid, layer, fluents)
        elif isinstance(layer, list) and "+" in str(layer[0]):
            yield from join_places(grid, layer, fluents)
