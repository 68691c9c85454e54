"""What a search has found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tabia import _native as n
from tabia._native import Limits, Log
from tabia._tabia import ffi, lib


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


def think(machine: Any, position: Any, role: int, seconds: float | None, iterations: int | None,
          options: dict[str, object]) -> Thought:
    """See `Machine.bestmove`."""
    log, search = Log(), ffi.new("tabia_search **")
    with Limits() as limits:
        status = lib.tabia_search_open(search, machine._c, n.options_of(options), limits.c, log.c)
        made = n.owned(search[0], lib.tabia_search_close, machine._c, threads=True)
        log.check(status)
        lib.tabia_search_set_seconds(made, seconds or 0)
        lib.tabia_search_set_iterations(made, iterations or 0)
        log.check(lib.tabia_search_think(made, position, role, limits.c, log.c))
    return _thought(machine, made, role)


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
