"""Actions by what they click on: from one cell of a board to another.

A policy head of a network is then a picture, too: planes of cells where something moves to, for each
cell where it moves from."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabia import _native as native
from tabia.errors import MisuseError
from tabia.machine import Machine
from tabia.layout import Grid, Term, Terms, grids_of, name_of, terms_of, text_of_term

CLICK = re.compile(r"(\?(?:(?:outer-|end-)?(?:column\+row|column|row)|side))([1-9]\d*)")


class _Pattern:
    """`(click 1 1 (move ?column1 ?row1 ?column2 ?row2))` of a layout."""

    def __init__(self, click: Terms, grids: dict[int, Grid]) -> None:
        self.pattern = click[-1]
        self.grids = [grids.get(int(str(board))) for board in click[1:-1]]

    def cells(self, move: Term) -> tuple[list[tuple[int, int]], str] | None:
        """The cells that are clicked, and what else the move says; None: another kind of move."""
        places: list[dict[str, int]] = [{} for _ in self.grids]
        rest: list[str] = []
        if None in self.grids or not self._match(self.pattern, move, places, rest):
            return None
        cells = [grid.cell(at) for grid, at in zip(self.grids, places) if grid]
        return cells, name_of(self.pattern, rest, places)

    def _match(self, pattern: Term, term: Term, places: list[dict[str, int]],
               rest: list[str]) -> bool:
        if isinstance(pattern, list):
            return (isinstance(term, list) and len(term) == len(pattern)
                    and all(self._match(p, t, places, rest) for p, t in zip(pattern, term)))
        click = CLICK.fullmatch(re.sub(r"(\d+)\+row\1$", r"+row\1", pattern))
        if not click:
            rest += [text_of_term(term)] if pattern == "?_" else []
            return pattern in (term, "?_")
        number = int(click[2]) - 1
        grid = self.grids[number] if number < len(self.grids) else None
        return grid is not None and grid.match(click[1], term, places[number], rest)


class MoveShape:
    """What each action of a player clicks on, by the layout of the game's board.

    kinds    what actions say beside cells: "(promote ?column1 ?row1 ?column2 ?row2 queen)"
    kind     (actions,): the number of its kind
    source   (actions,): where from, as row * width + column, rows from the top; -1: nowhere
    target   (actions,): where to; that of a click on a column is its highest cell; -1: nowhere
    index    (actions,): its place in a head of `shape`, each its own

    `head[:, shape.index]` gives the logits of all actions from a head of (n, *shape) that is laid
    flat.  Without a source anywhere, a head has (kinds, cells), else (kinds, cells, cells).

    layout   a text that `Board.layout` gave, perhaps corrected by hand; None: it is found

    >>> import tabia
    >>> moves = tabia.MoveShape(tabia.read("chess").machine("circuit"), 0)
    >>> moves.shape[1:], moves.kinds[0]
    ((64, 64), '(move ?column1 ?row1 ?column2 ?row2)')
    >>> tabia.MoveShape(tabia.read("tic-tac-toe").machine("circuit"), 0).shape
    (2, 9)
    """

    def __init__(self, machine: Machine, role: int, layout: str | None = None) -> None:
        native.handle(machine, "machine", "machine")
        machine._require_numbers()
        count = machine.move_count(machine._role(role))
        if not count:
            raise MisuseError(f"{machine.roles[role]} has no moves")
        terms = terms_of(machine.board().layout() if layout is None else layout)
        grids = grids_of(terms)
        patterns = [_Pattern(t, grids) for t in terms if isinstance(t, list) and t[0] == "click"]
        self.width = max((grid.size[1] for grid in grids.values()), default=1)
        self.height = max((grid.size[0] for grid in grids.values()), default=1)
        self._place([terms_of(machine.move_text(role, move))[0] for move in range(count)], patterns)

    def __repr__(self) -> str:
        return f"<tabia.MoveShape of {len(self.index)} actions, {self.shape}>"

    def _clicked(self, move: Term, patterns: list[_Pattern]) -> tuple[str, int, int]:
        for pattern in patterns:
            found = pattern.cells(move)
            if found and len(found[0]) <= 2:
                flat = [row * self.width + column for row, column in found[0]]
                return found[1], flat[0] if len(flat) == 2 else -1, flat[-1]
        return text_of_term(move), -1, -1

    def _place(self, moves: list[Term], patterns: list[_Pattern]) -> None:
        clicked = [self._clicked(move, patterns) for move in moves]
        self.kinds = tuple(dict.fromkeys(kind for kind, _, _ in clicked))
        numbers = {kind: i for i, kind in enumerate(self.kinds)}
        self.kind = np.array([numbers[kind] for kind, _, _ in clicked], np.intp)
        self.source = np.array([source for _, source, _ in clicked], np.intp)
        self.target = np.array([target for _, _, target in clicked], np.intp)
        self.shape, self.index = self._lay_out()

    def _lay_out(self) -> tuple[tuple[int, ...], NDArray[Any]]:
        area, target = self.height * self.width, np.maximum(self.target, 0)
        if (self.source < 0).all():
            return (len(self.kinds), area), self.kind * area + target
        source = np.maximum(self.source, 0)
        return (len(self.kinds), area, area), (self.kind * area + source) * area + target
