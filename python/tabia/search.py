"""Tree search, with leaf values of random games or of the caller's own judge."""

from __future__ import annotations

import threading
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from tabia import _native as n
from tabia._native import Limits, Log
from tabia._tabia import ffi, lib
from tabia.errors import MisuseError

if TYPE_CHECKING:
    from tabia.machine import Machine


@dataclass(frozen=True)
class Candidate:
    """A legal move, and what the search thinks of it."""

    move: str
    visits: int
    value: float
    share: float
    is_proved: bool


@dataclass(frozen=True)
class Thought:
    """The move to make, what each role may expect (0 to 100), and why."""

    move: str | None
    values: tuple[float, ...]
    is_proved: bool
    candidates: tuple[Candidate, ...]
    iterations: int
    seconds: float


Judge = Callable[[Any], Any]
MOST = {"values": 100.0, "priors": 1e30}
ROUNDING = 1e-3  # what values may be beyond 0 and 100


def _checked(answer: Any, name: str, shape: tuple[int, int]) -> Any:
    """What a judge has returned, or an exception that says what is wrong with it."""
    numbers, most = np.asarray(answer), MOST[name]
    if numbers.shape != shape or numbers.dtype.kind not in "fiu":
        raise MisuseError(f"a judge's {name} must be numbers of the shape {shape}, not "
                          f"{numbers.dtype} of the shape {numbers.shape}")
    fine = (numbers >= -ROUNDING) & (numbers <= most + ROUNDING)
    if not fine.all():
        raise MisuseError(f"a judge's {name} must be from 0 to {most:g}, not {numbers[~fine][0]}")
    return np.clip(numbers, 0, most)


class Search(n.Shared, n.Bound):
    """A tree of play that is searched, and kept from one question to the next.

    judge         values new states in place of random games: it is given their fluents, float32 of
                  shape (k, fluents), and returns values, (k, roles) from 0 to 100; with
                  `with_priors` a pair of values and priors, (k, moves of all roles, one role behind
                  another): how likely each move is, in any scale from 0 on; it must leave the
                  search alone that asks it
    options       those of tabia_search_open: solver="no", leaves=8, exploration=2, seed=1, ...

    >>> import numpy as np, tabia
    >>> machine = tabia.read("tic-tac-toe").machine("lanes")
    >>> search = machine.search(lambda seen: np.full((len(seen), 2), 50.0), solver="no")
    >>> len(search.think(iterations=2000).candidates)
    9
    """

    def __init__(self, machine: Machine, judge: Judge | None = None, with_priors: bool = False,
                 **options: object) -> None:
        super().__init__()
        log, search, of = Log(), ffi.new("tabia_search **"), n.handle(machine, "machine", "machine")
        if judge is not None and not callable(judge):
            raise TypeError(f"judge must be a function, not {type(judge).__name__}")
        self.machine, self._judge, self._with_priors = machine, judge, bool(with_priors)
        self._handle = ffi.new_handle(weakref.ref(self))
        self._trouble: BaseException | None = None
        self._judging: int | None = None  # the thread in which the judge is at work
        with Limits() as self._limits:
            status = lib.tabia_search_open(search, of, n.options_of(options), self._limits.c,
                                           log.c)
        self._c = n.owned(search[0], lib.tabia_search_close, of, threads=True)
        log.check(status)
        if judge is not None:
            self._prepare_judge()

    def _prepare_judge(self) -> None:
        machine = self.machine
        machine._require_numbers()
        self._batch, self._lanes = None, 0
        roles = range(len(machine.roles))
        self._widths = len(roles), sum([machine.move_count(role) for role in roles])
        lib.tabia_search_set_judge(self._c, lib.tabia_py_judge, self._with_priors, self._handle)

    def _fluents(self, positions: Any, count: int) -> Any:
        """Fluents of positions, float32, (count, fluents)."""
        if count > self._lanes:
            log, batch = Log(), ffi.new("tabia_batch **")
            self._lanes = max(count, 512)
            status = lib.tabia_batch_new(batch, self.machine._c, self._lanes, 1, ffi.NULL, log.c)
            self._batch = n.owned(batch[0], lib.tabia_batch_free, self.machine._c)
            log.check(status)
        lib.tabia_batch_load(self._batch, positions, count)
        seen = np.zeros((count, self.machine.fluent_count()), np.float32)
        lib.tabia_batch_read(self._batch, lib.TABIA_FLUENTS, 0, lib.TABIA_FLOATS,
                             ffi.from_buffer(seen))
        return seen

    def _judged(self, positions: Any, count: int, values: Any, priors: Any) -> None:
        assert self._judge is not None
        self._judging = threading.get_ident()
        try:
            found = self._judge(self._fluents(positions, count))
        finally:
            self._judging = None
        if self._with_priors and not (isinstance(found, (tuple, list)) and len(found) == 2):
            raise MisuseError("with priors, a judge returns a pair of values and priors, not "
                              f"{type(found).__name__}")
        if not self._with_priors and isinstance(found, tuple):
            raise MisuseError("without with_priors=True, a judge returns values alone, not a tuple")
        answers = found if self._with_priors else (found,)
        for name, memory, width, answer in zip(MOST, (values, priors), self._widths, answers):
            if memory != ffi.NULL:
                room = np.frombuffer(ffi.buffer(memory, count * width * 4), np.float32)
                room.reshape(count, width)[:] = _checked(answer, name, (count, width))

    def __repr__(self) -> str:
        return f"<tabia.Search of {self.machine.rules.name!r}>"

    def _turn(self) -> Any:
        if self._judging == threading.get_ident():
            raise MisuseError("a judge must not use the search that asks it: make another")
        return self._lock

    def forget(self) -> None:
        """Another game begins: drops the tree, and keeps what was learned."""
        with self._turn():
            lib.tabia_search_forget(self._c)

    def learn(self, seconds: float) -> None:
        """Gets ready for the game, as in a start clock."""
        log, most = Log(), n.duration(seconds)
        with self._turn(), Limits() as limits:
            log.check(lib.tabia_search_learn(self._c, most, limits.c, log.c))

    def think(self, position: bytes | None = None, role: int | None = None,
              seconds: float | None = None, iterations: int | None = None) -> Thought:
        """Searches from a position, or from the start, for some time or so many iterations.

        role  whose move is wanted; None: of the first player who has a choice"""
        if seconds is None and iterations is None:
            raise MisuseError("say how long to think: seconds=... or iterations=...")
        machine, log = self.machine, Log()
        most = 0.0 if seconds is None else n.duration(seconds)
        count = 0 if iterations is None else n.whole(iterations, "iterations", 1, 2**64 - 1)
        place = machine._place(position)
        role = machine._chooser(position) if role is None else machine._role(role)
        with self._turn(), Limits() as self._limits:
            self._trouble = None
            lib.tabia_search_set_seconds(self._c, most)
            lib.tabia_search_set_iterations(self._c, count)
            status = lib.tabia_search_think(self._c, place, role, self._limits.c, log.c)
        trouble, self._trouble = self._trouble, None
        if trouble is not None:
            raise trouble
        log.check(status)
        return _thought(machine, self._c, role)


def _judge_failed(_kind: Any, trouble: BaseException, trace: Any) -> None:
    """Ends the thought, which raises what the judge has raised."""
    search: Search = ffi.from_handle(trace.tb_frame.f_locals["context"])()
    search._trouble = trouble
    lib.tabia_limits_cancel(search._limits.c)


@ffi.def_extern(onerror=_judge_failed)  # type: ignore[misc]
def tabia_py_judge(context: Any, positions: Any, count: int, values: Any, priors: Any) -> None:
    search: Search = ffi.from_handle(context)()  # it thinks, so it is there
    search._judged(positions, count, values, priors)


def _candidate(machine: Any, search: Any, role: int, i: int) -> Candidate:
    return Candidate(machine.move_text(role, lib.tabia_search_move(search, role, i)),
                     lib.tabia_search_move_visits(search, role, i),
                     lib.tabia_search_move_value(search, role, i),
                     lib.tabia_search_move_share(search, role, i),
                     lib.tabia_search_move_is_proved(search, role, i))


def _thought(machine: Any, search: Any, role: int) -> Thought:
    best = lib.tabia_search_best(search, role)
    return Thought(machine.move_text(role, best) if best != lib.TABIA_NO_MOVE else None,
                   tuple(lib.tabia_search_value(search, r) for r in range(len(machine.roles))),
                   lib.tabia_search_is_proved(search),
                   tuple(_candidate(machine, search, role, i)
                         for i in range(lib.tabia_search_move_count(search, role))),
                   lib.tabia_search_effort(search, lib.TABIA_EFFORT_ITERATIONS),
                   lib.tabia_search_time(search))
