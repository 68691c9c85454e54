"""Observations as planes of a board, (n, planes, height, width): what convolutions need.

A plane is one kind of fact on one board ("(piece ? ? white king)"), by the layout that
`Machine.board` finds; facts that are on no grid are planes of one value."""

from __future__ import annotations

from typing import Any, Iterator

import numpy as np
from numpy.typing import NDArray

from tabia import _native as native
from tabia.derived import Place, derived_places
from tabia.errors import MisuseError
from tabia.layout import Grid, Term, grids_of, name_of, terms_of, text_of_term
from tabia.machine import Machine
from tabia.symmetry import Symmetry


def plain_places(grid: Grid, fluents: list[Term]) -> Iterator[Place]:
    """Where facts stand, each on one cell."""
    for fluent, term in enumerate(fluents):
        for layer in grid.layers:
            at: dict[str, int] = {}
            rest: list[str] = []
            if grid.match(layer, term, at, rest):
                yield Place(name_of(layer, rest, [at]), grid.cell(at), fluent, fluent)
                break


class Planes:
    """Turns fluents of a machine into planes.

    layout   a text that `Board.layout` gave, perhaps corrected by hand; None: it is found

    Where two facts say where a thing is, such as (posx car 3) and (posy car 5), a plane has the cell
    that both name, and each has its column or row on a plane of its own.  A fact that lists what lies in
    a row stands on all cells of it.

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
        count = machine.fluent_count()
        machine._require_numbers()
        text = machine.board().layout() if layout is None else layout
        self._grids = list(grids_of(terms_of(text)).values())
        sizes = [grid.size for grid in self._grids]
        self.height, self.width = (max((size[i] for size in sizes), default=1) for i in (0, 1))
        fluents = [terms_of(machine.fluent_text(f))[0] for f in range(count)]
        self._place(fluents, self._places(fluents))

    def __repr__(self) -> str:
        return f"<tabia.Planes of {self.machine.rules.name!r}, {self.shape}>"

    def _places(self, fluents: list[Term]) -> list[Place]:
        """Where facts stand; of a fact that fits several boards, on the first of them."""
        found: list[Place] = []
        placed: set[int] = set()
        for number, grid in enumerate(self._grids):
            prefix = f"{number + 1}: " if number else ""
            here = [place for place in (*plain_places(grid, fluents), *derived_places(grid, fluents))
                    if not {place.first, place.second} & placed]
            placed.update(fluent for place in here for fluent in (place.first, place.second))
            found += [place._replace(plane=prefix + place.plane) for place in here]
        return found

    def _place(self, fluents: list[Term], places: list[Place]) -> None:
        names = sorted({place.plane for place in places})
        numbers, area = {name: i for i, name in enumerate(names)}, self.height * self.width
        placed = {fluent for place in places for fluent in (place.first, place.second)}
        wide = [fluent for fluent in range(len(fluents)) if fluent not in placed]
        self.names = (*names, *(text_of_term(fluents[f]) for f in wide))
        self._wide = np.array(wide, np.intp)
        self._lay_out(np.array(
            [(numbers[plane] * area + cell[0] * self.width + cell[1], first, second)
             for plane, cell, first, second in places], np.intp).reshape(-1, 3))

    def _lay_out(self, places: NDArray[Any]) -> None:
        """Most places are of one fact; of others, any pair of facts puts something there."""
        places = places[np.argsort(places[:, 0], kind="stable")]
        _, starts, which, counts = np.unique(places[:, 0], return_index=True, return_inverse=True,
                                             return_counts=True)
        alone = (counts[which] == 1) & (places[:, 1] == places[:, 2])
        self._to, self._from = places[alone, 0], places[alone, 1]
        self._pairs = places[~alone]
        self._pairs_to, self._pairs_start = np.unique(self._pairs[:, 0], return_index=True)

    def _facts(self) -> dict[int, frozenset[tuple[int, int]]]:
        """Of each place of the planes that a fact can fill: the facts, in pairs."""
        facts: dict[int, set[tuple[int, int]]] = {}
        alone = np.stack([self._to, self._from, self._from], axis=1)
        area = self.height * self.width
        first = (len(self.names) - len(self._wide)) * area
        wide = [(first + i * area + cell, fluent, fluent)
                for i, fluent in enumerate(self._wide) for cell in range(area)]
        for place, one, two in [*alone.tolist(), *self._pairs.tolist(), *wide]:
            facts.setdefault(place, set()).add((min(one, two), max(one, two)))
        return {place: frozenset(pairs) for place, pairs in facts.items()}

    def image(self, symmetry: Symmetry) -> NDArray[np.intp]:
        """How planes of positions become those of their images: `flat[:, planes.image(symmetry)]`
        for planes that are laid flat, (n, planes * height * width).

        >>> import numpy as np, tabia
        >>> machine = tabia.read("connect-four").machine("lanes")
        >>> planes, mirror = tabia.Planes(machine), machine.symmetries().generators[0]
        >>> planes.image(mirror)[:7].tolist()
        [6, 5, 4, 3, 2, 1, 0]
        """
        if not isinstance(symmetry, Symmetry):
            raise TypeError(f"symmetry must be a tabia.Symmetry, not {type(symmetry).__name__}")
        if symmetry.machine.rules.text != self.machine.rules.text:
            raise MisuseError("the symmetry must be of the same rules as the planes")
        facts, to, place_of = self._facts(), symmetry.fluents.tolist(), {}
        for place, pairs in facts.items():
            place_of[frozenset((min(to[one], to[two]), max(to[one], to[two]))
                               for one, two in pairs)] = place
        source = np.arange(np.prod(self.shape), dtype=np.intp)
        for place, pairs in facts.items():
            if pairs not in place_of:
                raise MisuseError("this symmetry does not map planes onto planes: map fluents, by "
                                  "Symmetry.observation, and make planes of them")
            source[place] = place_of[pairs]
        return source

    @property
    def shape(self) -> tuple[int, int, int]:
        """Planes, height, width."""
        return len(self.names), self.height, self.width

    def __call__(self, fluents: NDArray[Any], out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Planes of (n, fluents) as `BatchEnv.fluents` gives them in "bytes" or "float32"."""
        fluents, wanted = np.asarray(fluents), self.machine.fluent_count()
        if fluents.ndim != 2 or fluents.shape[1] != wanted:
            raise MisuseError(f"fluents must have the shape (n, {wanted}), not {fluents.shape}; "
                              "the layout \"packed\" has no planes")
        made = np.zeros((len(fluents), *self.shape), fluents.dtype) if out is None else out
        if made.shape != (len(fluents), *self.shape) or not made.flags.c_contiguous:
            raise MisuseError(f"out must have the shape {(len(fluents), *self.shape)}, without "
                              f"gaps; not {made.shape}")
        if out is not None:
            out[:] = 0
        flat = made.reshape(len(fluents), -1)
        flat[:, self._to] = fluents[:, self._from]
        if len(self._pairs):
            both = np.minimum(fluents[:, self._pairs[:, 1]], fluents[:, self._pairs[:, 2]])
            flat[:, self._pairs_to] = np.maximum.reduceat(both, self._pairs_start, axis=1)
        if len(self._wide):
            made[:, -len(self._wide):] = fluents[:, self._wide, None, None]
        return made
