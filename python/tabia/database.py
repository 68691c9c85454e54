"""Databases of exact values: what every position of a solved game is worth."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from typing import TYPE_CHECKING, Any

from tabia import _native as n
from tabia._native import Limits, Log
from tabia._tabia import ffi, lib
from tabia.errors import MisuseError

if TYPE_CHECKING:
    from tabia.machine import Machine


class Database(n.Bound):
    """The values of all positions that can be reached; `Machine.database` makes one.

    It is on disk, and looked up in microseconds.

    folder  where `Machine.solve` has written it, on any machine of the same rules

    >>> import tabia
    >>> machine = tabia.read("tic-tac-toe").machine("lanes")
    >>> exact = machine.database()
    >>> exact.values(machine.start()), exact.remoteness(machine.start())
    ((50.0, 50.0), 9)
    >>> late = machine.play("(place 1 1) (place 2 1) (place 1 2) (place 2 2)")
    >>> exact.values(late), [machine.move_text(0, move) for move in exact.moves(late, 0)]
    ((100.0, 0.0), ['(place 1 3)'])
    >>> exact.states + exact.ends
    5478
    """

    def __init__(self, machine: Machine, folder: str | os.PathLike[str]) -> None:
        log, out, of = Log(), ffi.new("tabia_database **"), n.handle(machine, "machine", "machine")
        status = lib.tabia_database_open(out, of, n.c_path(folder, "folder"), log.c)
        self._c = n.owned(out[0], lib.tabia_database_close, of)
        log.check(status)
        self.machine, self.folder = machine, os.fspath(folder)

    def __repr__(self) -> str:
        return f"<tabia.Database of {self.machine.rules.name!r}, {self.states + self.ends} states>"

    @property
    def states(self) -> int:
        """Those that are not over."""
        return int(lib.tabia_database_states(self._c))

    @property
    def ends(self) -> int:
        """States in which the game is over."""
        return int(lib.tabia_database_ends(self._c))

    def sizes(self) -> dict[str, int]:
        """Bytes of its files."""
        sizes = {name: int(lib.tabia_database_bytes(self._c, name.encode()))
                 for name in ("index", "values", "steps")}
        return {name: size for name, size in sizes.items() if size}

    def values(self, position: bytes) -> tuple[float, ...] | None:
        """What the position is worth to each role; None: it is not there.

        A position that no play leads to may get any value."""
        roles = len(self.machine.roles)
        values, place = ffi.new("double[]", roles), self.machine._positioned(position)
        with self.machine._lock:
            found = lib.tabia_database_values(self._c, self.machine._workspace, place, values)
        return tuple(ffi.unpack(values, roles)) if found else None

    def remoteness(self, position: bytes) -> int | None:
        """Steps to the end under best play, of one role and of two in turns whose goals add up to 100;
        None: not known, or play need not end."""
        steps, place = ffi.new("uint32_t *"), self.machine._positioned(position)
        with self.machine._lock:
            found = lib.tabia_database_remoteness(self._c, self.machine._workspace, place, steps)
        return int(steps[0]) if found else None

    def moves(self, position: bytes, role: int) -> list[int]:
        """The best moves of the only role that has a choice; none where others choose as well."""
        machine, role = self.machine, self.machine._role(role)
        room = max(1, machine.move_count(role))
        moves, place = ffi.new("tabia_move[]", room), machine._positioned(position)
        with machine._lock:
            count = lib.tabia_database_moves(self._c, machine._workspace, place, role, moves, room)
        return list(ffi.unpack(moves, count)) if count else []

    def check(self, judge: Machine, positions: int = 1000, seed: int = 1,
              seconds: float | None = None) -> int:
        """Plays at random on another machine, "reference" for instance, and compares the values of
        positions with those of their successors; how many.  FaultyError: one is wrong."""
        log, of = Log(), n.handle(judge, "machine", "judge")
        count, checked = n.whole(positions, "positions", 1, 2**63), ffi.new("uint64_t *")
        with Limits(seconds) as limits:
            status = lib.tabia_database_check(self._c, of, count,
                                              n.whole(seed, "seed", 0, 2**64 - 1), limits.c, log.c,
                                              checked)
        log.check(status)
        return int(checked[0])


def database(machine: Machine, folder: str | os.PathLike[str] | None, options: Any) -> Database:
    """See `Machine.database`."""
    if folder is not None:
        if options:
            raise MisuseError(f"a folder is opened, not solved: {', '.join(options)} has no effect")
        return Database(machine, folder)
    files = tempfile.mkdtemp(prefix="tabia-")
    try:
        machine.solve(database=files, **options)
        made = Database(machine, files)
    except BaseException:
        shutil.rmtree(files, ignore_errors=True)
        raise
    weakref.finalize(made, shutil.rmtree, files, ignore_errors=True)
    return made
