"""Layouts as `Board.layout` writes them: which fact stands on which cell of which grid."""

from __future__ import annotations

import re
from typing import Union

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
    """A board of the layout: its axes, and the patterns of its layers.

    Where cells have places, their columns and rows are the ranks of these: on hexagons every second
    column of a row is none."""

    def __init__(self, board: list[Term]) -> None:
        parts = {str(part[0]): part[1:] for part in board[2:] if isinstance(part, list)}
        names = ("columns", "rows", "outer-columns", "outer-rows")
        self.axes = {axis: {str(value): i for i, value in enumerate(parts.get(name, []))}
                     for axis, name in zip(AXES, names)}
        self.rows_up = "rows-up" in parts
        self.row_width = int(str(parts.get("row-width", ["0"])[0]))
        self.layers = [part[1] for part in board[2:] if isinstance(part, list) and part[0] == "layer"]
        self.columns, self.rows = (max(1, len(self.axes[axis])) for axis in AXES[:2])
        self._places = self._ranks(parts.get("places", []))

    def _ranks(self, places: Terms) -> dict[tuple[int, ...], tuple[int, int]]:
        """Row and column of each key that has a place, (KEY... X Y)."""
        rows = [[str(word) for word in place] for place in places if isinstance(place, list)]
        across, down = ({x: i for i, x in enumerate(sorted({float(row[at]) for row in rows}))}
                        for at in (-2, -1))
        return {tuple(self.axes[axis].get(value, -1) for axis, value in zip(AXES, row[:-2])):
                (down[float(row[-1])], across[float(row[-2])]) for row in rows}

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns, boards side by side included."""
        if self._places:
            rows, columns = zip(*self._places.values())
            return max(rows) + 1, max(columns) + 1
        if self.row_width:
            return -(-self.columns // self.row_width), self.row_width * self.rows
        outer = [max(1, len(self.axes[axis])) for axis in AXES[2:]]
        return self.rows * outer[1], self.columns * outer[0]

    def cell(self, at: dict[str, int]) -> tuple[int, int]:
        """Row, from the top, and column of a fact."""
        column, row = at.get("?column", 0), at.get("?row", 0)
        if self._places:
            return self._places.get(tuple(at[axis] for axis in AXES if axis in at), (0, 0))
        if self.row_width:
            return column // self.row_width, row * self.row_width + column % self.row_width
        row = self.rows - 1 - row if self.rows_up else row
        return (at.get("?outer-row", 0) * self.rows + row,
                at.get("?outer-column", 0) * self.columns + column)

    def match(self, pattern: Term, term: Term, at: dict[str, int], rest: list[str]) -> bool:
        """Does a fact fit a layer?  Then `at` has its place and `rest` what is said of it."""
        if isinstance(pattern, list):
            return (isinstance(term, list) and len(term) == len(pattern)
                    and all(self.match(p, t, at, rest) for p, t in zip(pattern, term)))
        if pattern in ("?_", "?side"):
            rest.append(text_of_term(term))
            return True
        if isinstance(term, list):
            return False
        if pattern == "?column+row":
            return self._match_both(term, at)
        axis = pattern.replace("end-", "")
        if axis in self.axes:
            at[pattern] = self.axes[axis].get(term, -1)
            return at[pattern] >= 0
        return pattern == term

    def _match_both(self, term: str, at: dict[str, int]) -> bool:
        for column, i in self.axes["?column"].items():
            for row, j in self.axes["?row"].items():
                if re.fullmatch(rf"\W*_*{re.escape(column)}[\W_]*{re.escape(row)}", term):
                    at["?column"], at["?row"] = i, j
                    return True
        return False


def name_of(pattern: Term, rest: list[str], ats: list[dict[str, int]]) -> str:
    """A pattern with what stands there in it, and ends of lines as seen from where they begin:
    "(line ?column ?row ?column+1 ?row)".  `ats` has the places of each click, or of the fact."""
    values = iter(rest)
    text = re.sub(r"\?_|\?side\d*", lambda _: next(values), text_of_term(pattern))

    def end(found: re.Match[str]) -> str:
        at = ats[int(found[2] or 1) - 1]
        along = at[f"?end-{found[1]}"] - at[f"?{found[1]}"]
        return f"?{found[1]}{found[2]}" + (f"{along:+}" if along else "")

    return re.sub(r"\?end-(column|row)(\d*)", end, text)


def text_of_term(term: Term) -> str:
    return term if isinstance(term, str) else "(" + " ".join(map(text_of_term, term)) + ")"


def grids_of(layout: Terms) -> dict[int, Grid]:
    """Those boards of a layout that are grids, by their numbers, from 1."""
    boards = [term for term in layout if isinstance(term, list) and term[0] == "board"]
    return {i: Grid(board) for i, board in enumerate(boards, 1) if board[1] in GRIDS}
