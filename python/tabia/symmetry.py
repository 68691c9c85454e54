"""Symmetries that were proved from the rules: for data augmentation, and for tables of positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tabia import _native as n
from tabia._native import Limits, Log
from tabia._tabia import ffi, lib
from tabia.errors import MisuseError

if TYPE_CHECKING:
    from tabia.machine import Machine, Position

Images = NDArray[np.intp]


def _inverse(images: Images) -> Images:
    inverse = np.empty_like(images)
    inverse[images] = np.arange(len(images), dtype=np.intp)
    return inverse


class Symmetry:
    """A permutation of what a game is about that changes nothing in its rules.

    A position and its image are worth the same, and what is legal in one is legal in the other, by
    other names.

    roles     (roles,): the image of each; only where roles are exchanged is it another
    fluents   (fluents,): the number of the image of each fluent
    moves     of each role (moves,): the image of each move, a move of the role's image
    percepts  of each role (percepts,): likewise (GDL-II)

    >>> import numpy as np, tabia
    >>> machine = tabia.read("connect-four").machine("lanes")
    >>> same, mirror = machine.symmetries().group()
    >>> mirror.moves[0].tolist()  # columns from right to left; 7 is noop
    [6, 5, 4, 3, 2, 1, 0, 7]
    >>> mirror.actions(np.array([.4, .3, .2, .1, 0, 0, 0, 0]), role=0).tolist()
    [0.0, 0.0, 0.0, 0.1, 0.2, 0.3, 0.4, 0.0]
    >>> left, right = machine.play("(drop 1)"), machine.play("(drop 7)")
    >>> mirror.position(left) == right and same.position(left) == left
    True
    """

    def __init__(self, machine: Machine, roles: Images, fluents: Images, moves: tuple[Images, ...],
                 percepts: tuple[Images, ...]) -> None:
        self.machine, self.roles, self.fluents = machine, roles, fluents
        self.moves, self.percepts = moves, percepts
        self._fluents_from = _inverse(fluents)
        self._moves_from = tuple(map(_inverse, moves))
        self._percepts_from = tuple(map(_inverse, percepts))
        for images in self._all():
            images.flags.writeable = False

    def _all(self) -> tuple[Images, ...]:
        return self.roles, self.fluents, *self.moves, *self.percepts

    def __repr__(self) -> str:
        moved = int((self.fluents != np.arange(len(self.fluents))).sum())
        return f"<tabia.Symmetry of {self.machine.rules.name!r} that moves {moved} fluents>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Symmetry):
            return NotImplemented
        return self.machine is other.machine and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> bytes:
        return b"".join(images.tobytes() for images in self._all())

    @property
    def keeps_roles(self) -> bool:
        """Is every role its own image?"""
        return bool((self.roles == np.arange(len(self.roles))).all())

    def __matmul__(self, first: Symmetry) -> Symmetry:
        """`second @ first` is `first`, and then `second`."""
        if not isinstance(first, Symmetry):
            return NotImplemented
        def after(second: tuple[Images, ...], images: tuple[Images, ...]) -> tuple[Images, ...]:
            return tuple(second[image][own] for image, own in zip(first.roles, images))

        return Symmetry(self.machine, self.roles[first.roles], self.fluents[first.fluents],
                        after(self.moves, first.moves), after(self.percepts, first.percepts))

    # ---- positions and moves ----

    def position(self, position: bytes) -> Position:
        """The image of a position."""
        machine = self.machine
        return machine.position(" ".join(machine.fluent_text(int(self.fluents[fluent]))
                                         for fluent in machine.fluents(position)))

    def joint(self, joint: Sequence[int]) -> list[int]:
        """The image of a joint move."""
        if len(joint) != len(self.roles):
            raise MisuseError(f"a joint move has {len(self.roles)} moves, one for each role of "
                              f"{self.machine.roles}, not {len(joint)}")
        images = [0] * len(self.roles)
        for role, move in enumerate(joint):
            known = n.whole(move, "move", 0, len(self.moves[role]) - 1)
            images[self.roles[role]] = int(self.moves[role][known])
        return images

    # ---- arrays ----

    def _by_role(self, values: NDArray[Any], numbers: tuple[Images, ...], role: int,
                 name: str) -> NDArray[Any]:
        return _taken(values, numbers[n.whole(role, "role", 0, len(numbers) - 1)], name)

    def observation(self, fluents: NDArray[Any]) -> NDArray[Any]:
        """(..., fluents), as `BatchEnv.fluents` gives them in "bytes" or "float32", of the image."""
        return _taken(fluents, self._fluents_from, "fluents")

    def actions(self, values: NDArray[Any], role: int) -> NDArray[Any]:
        """(..., moves): masks, shares or scores of a role's moves, of the image: there they are
        those of `roles[role]`."""
        return self._by_role(values, self._moves_from, role, "moves")

    def percepts_seen(self, values: NDArray[Any], role: int) -> NDArray[Any]:
        """(..., percepts): what a role has seen, of the image (GDL-II)."""
        return self._by_role(values, self._percepts_from, role, "percepts")


def _taken(values: NDArray[Any], numbers: Images, name: str) -> NDArray[Any]:
    array = np.asarray(values)
    if not array.ndim or array.shape[-1] != len(numbers):
        raise MisuseError(f"the last dimension must be the {len(numbers)} {name}, not the shape "
                          f"{array.shape}; the layout \"packed\" has no symmetries")
    found: NDArray[Any] = array[..., numbers]
    return found


class Symmetries:
    """All symmetries of a game that were found; `Machine.symmetries` makes them.

    generators  all others are products of these
    is_whole    none was left out, within the limits
    order       how many there are that act on states and keep every role, at most 1024

    >>> import tabia
    >>> found = tabia.read("tic-tac-toe").symmetries()
    >>> len(found.generators), found.order, len(found.group())
    (2, 8, 8)
    """

    def __init__(self, machine: Machine, generators: tuple[Symmetry, ...], is_whole: bool,
                 order: int) -> None:
        self.machine, self.generators = machine, generators
        self.is_whole, self.order = is_whole, order

    def __repr__(self) -> str:
        return f"<tabia.Symmetries of {self.machine.rules.name!r}, of order {self.order}>"

    def identity(self) -> Symmetry:
        """What leaves all as it is."""
        machine, roles = self.machine, range(len(self.machine.roles))
        return Symmetry(machine, _numbers(len(roles)), _numbers(machine.fluent_count()),
                        tuple(_numbers(machine.move_count(role)) for role in roles),
                        tuple(_numbers(machine.width(lib.TABIA_PERCEPTS, role)) for role in roles))

    def group(self, most: int = 1024) -> list[Symmetry]:
        """All products of the generators, but at most so many; the first leaves all as it is."""
        most = n.whole(most, "most", 1, 2**31)
        found = {self.identity(): None}
        for symmetry in (waiting := list(found)):
            for generator in self.generators:
                image = generator @ symmetry
                if image not in found and len(found) < most:
                    found[image] = None
                    waiting.append(image)
        return list(found)

    def __iter__(self) -> Iterator[Symmetry]:
        return iter(self.group())


def _numbers(count: int) -> Images:
    return np.arange(count, dtype=np.intp)


def _images(image: Callable[[int], int], count: int) -> Images:
    return np.array([image(i) for i in range(count)], np.intp)


def _generator(machine: Machine, found: Any, i: int) -> Symmetry:
    roles = range(len(machine.roles))
    return Symmetry(
        machine, _images(lambda role: int(lib.tabia_symmetries_role(found, i, role)), len(roles)),
        _images(lambda fluent: int(lib.tabia_symmetries_fluent(found, i, fluent)),
                lib.tabia_symmetries_fluent_count(found)),
        tuple(_images(lambda move: int(lib.tabia_symmetries_move(found, i, role, move)),
                      lib.tabia_symmetries_move_count(found, role)) for role in roles),
        tuple(_images(lambda seen: int(lib.tabia_symmetries_percept(found, i, role, seen)),
                      lib.tabia_symmetries_percept_count(found, role)) for role in roles))


def symmetries(machine: Machine, seconds: float | None, memory: int | None) -> Symmetries:
    """See `Machine.symmetries`."""
    log, out, of = Log(), ffi.new("tabia_symmetries **"), n.handle(machine, "machine", "machine")
    if not lib.tabia_symmetries_possible():
        raise MisuseError("this library was built without bliss, which finds symmetries")
    with Limits(seconds, memory) as limits:
        status = lib.tabia_symmetries_find(out, of, limits.c, log.c)
    found = n.owned(out[0], lib.tabia_symmetries_free, of)
    log.check(status)
    count = lib.tabia_symmetries_count(found)
    return Symmetries(machine, tuple(_generator(machine, found, i) for i in range(count)),
                      lib.tabia_symmetries_are_all(found), lib.tabia_symmetries_order(found))
