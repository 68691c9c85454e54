"""Observations as planes of a board, (n, planes, height, width): what convolutions need.

A plane is one kind of fact on one board ("(piece ? ? white king)"), by the layout that
`Machine.board` finds; facts that are on no grid are planes of one value."""

from __future__ import annotations

import re
from typing import Any, Iterator, Union

import numpy as np
from numpy.typing import NDArray

from tabia import _native as native
from tabia._tabia import lib
from tabia.errors import MisuseError
from tabia.machine import Machine

Term = Union[str, list["Term"]]
Terms = list[Term]

GRIDS = ("grid", "hexagons")
AXES = ("?column", "?row", "?outer-column", "?outer-row")


def terms_of(text: str) -> list[Term]:
    """The terms of a KIF text."""
    stack: list[list[Term]] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", re.sub(r";[^\n]*", "", text)):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0]


class Grid:
    """A board of the layout: its axes, and the patterns of its layers."""

    def __init__(self, board: list[Term]) -> None:
        parts = {str(part[0]): part[1:] for part in board[2:] if isinstance(part, list)}
        names = ("columns", "rows", "outer-columns", "outer-rows")
        self.axes = {axis: {str(value): i for i, value in enumerate(parts.get(name, []))}
                     for axis, name in zip(AXES, names)}
        self.rows_up = "rows-up" in parts
        self.layers = [part[1] for part in board[2:] if isinstance(part, list) and part[0] == "layer"]
        self.columns, self.rows = (max(1, len(self.axes[axis])) for axis in AXES[:2])

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns, boards side by side included."""
        outer = [max(1, len(self.axes[axis])) for axis in AXES[2:]]
        return self.rows * outer[1], self.columns * outer[0]

    def cell(self, at: dict[str, int]) -> tuple[int, int]:
        """Row, from the top, and column of a fact."""
        row = at.get("?row", 0)
        row = self.rows - 1 - row if self.rows_up else row
        return (at.get("?outer-row", 0) * self.rows + row,
                at.get("?outer-column", 0) * self.columns + at.get("?column", 0))

    def match(self, pattern: Term, term: Term, at: dict[str, int], rest: list[str]) -> bool:
        """Does a fact fit a layer?  Then `at` has its place and `rest` what is said of it."""
        if isinstance(pattern, list):
            return (isinstance(term, list) and len(term) == len(pattern)
                    and all(self.match(p, t, at, rest) for p, t in zip(pattern, term)))
        if pattern == "?_":
            rest.append(text_of_term(term))
            return True
        if isinstance(term, list):
            return False
        if pattern == "?column+row":
            return self._match_both(term, at)
        if pattern in self.axes:
            at[pattern] = self.axes[pattern].get(term, -1)
            return at[pattern] >= 0
        return pattern == term

    def _match_both(self, term: str, at: dict[str, int]) -> bool:
        for column, i in self.axes["?column"].items():
            for row, j in self.axes["?row"].items():
                if re.fullmatch(rf"\W*_*{re.escape(column)}[\W_]*{re.escape(row)}", term):
                    at["?column"], at["?row"] = i, j
                    return True
        return False


def text_of_term(term: Term) -> str:
    return term if isinstance(term, str) else "(" + " ".join(map(text_of_term, term)) + ")"


def grids_of(layout: Terms) -> dict[int, Grid]:
    """Those boards of a layout that are grids, by their numbers, from 1."""
    boards = [term for term in layout if isinstance(term, list) and term[0] == "board"]
    return {i: Grid(board) for i, board in enumerate(boards, 1) if board[1] in GRIDS}


class Planes:
    """Turns fluents of a machine into planes.

    layout   a text that `Board.layout` gave, perhaps corrected by hand; None: it is found

    >>> import numpy as np, tabia
    >>> env = tabia.BatchEnv("connect-four", 3, observation="bytes")
    >>> planes = tabia.Planes(env.machine)
    >>> planes.names
    ('(disc ?column ?row red)', '(disc ?column ?row yellow)', '(control red)', '(control yellow)')
    >>> planes(env.fluents).shape
    (3, 4, 6, 7)
    """

    def __init__(self, machine: Machine, layout: str | None = None) -> None:
        native.handle(machine, "machine", "machine")
        self.machine = machine
        count = machine.width(lib.TABIA_FLUENTS)
        if not count:
            raise MisuseError(f"the machine {machine.kind!r} has no fixed numbers of fluents; "
                              "use machine='lanes' or 'circuit'")
        text = machine.board().layout() if layout is None else layout
        self._grids = list(grids_of(terms_of(text)).values())
        sizes = [grid.size for grid in self._grids]
        self.height, self.width = (max((size[i] for size in sizes), default=1) for i in (0, 1))
        self._place([terms_of(machine.fluent_text(f))[0] for f in range(count)])

    def _found(self, term: Term) -> Iterator[tuple[str, tuple[int, int]]]:
        for number, grid in enumerate(self._grids):
            for layer in grid.layers:
                at: dict[str, int] = {}
                rest: list[str] = []
                if grid.match(layer, term, at, rest):
                    values = iter(rest)
                    name = re.sub(r"\?_", lambda _: next(values), text_of_term(layer))
                    yield (f"{number + 1}: " if number else "") + name, grid.cell(at)

    def _place(self, fluents: list[Term]) -> None:
        cells: dict[str, list[tuple[int, tuple[int, int]]]] = {}
        wide: list[int] = []
        for fluent, term in enumerate(fluents):
            found = next(self._found(term), None)
            if found is None:
                wide.append(fluent)
            else:
                cells.setdefault(found[0], []).append((fluent, found[1]))
        names = sorted(cells)
        self.names = (*names, *(text_of_term(fluents[f]) for f in wide))
        area = self.height * self.width
        places = [(fluent, plane * area + row * self.width + column)
                  for plane, name in enumerate(names) for fluent, (row, column) in cells[name]]
        self._from = np.array([fluent for fluent, _ in places], np.intp)
        self._to = np.array([place for _, place in places], np.intp)
        self._wide = np.array(wide, np.intp)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Planes, height, width."""
        return len(self.names), self.height, self.width

    def __call__(self, fluents: NDArray[Any], out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Planes of (n, fluents) as `BatchEnv.fluents` gives them in "bytes" or "float32"."""
        wanted = self.machine.width(lib.TABIA_FLUENTS)
        if fluents.ndim != 2 or fluents.shape[1] != wanted:
            raise MisuseError(f"fluents must have the shape (n, {wanted}), not {fluents.shape}; "
                              "the layout \"packed\" has no planes")
        made = np.zeros((len(fluents), *self.shape), fluents.dtype) if out is None else out
        flat = made.reshape(len(fluents), -1)
        flat[:, self._to] = fluents[:, self._from]
        if len(self._wide):
            made[:, -len(self._wide):] = fluents[:, self._wide, None, None]
        return made
