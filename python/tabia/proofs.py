"""Proofs: verdicts as an iterator."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tabia import _native as n
from tabia._native import Limits, Log, Sink
from tabia._tabia import ffi, lib


@dataclass(frozen=True)
class Group:
    """Fluents of which at most one holds, or exactly one."""

    fluents: tuple[str, ...]
    is_exact: bool


@dataclass(frozen=True)
class Verdict:
    """What was found about a property; `result` is "proved", "refuted" or "unknown".

    A line of play, where there is one, has a tuple of moves for each step."""

    property: str
    result: str
    method: str | None
    reason: str | None
    seconds: float
    states: int
    depth: int
    line: tuple[tuple[str, ...], ...] | None
    groups: tuple[Group, ...]
    text: str

    def __bool__(self) -> bool:
        return self.result == "proved"


class _Run:
    """One run of a proof in a thread of its own, which puts verdicts into a queue."""

    def __init__(self, rules: Any, properties: tuple[str, ...], limits: Limits,
                 options: Mapping[str, object]) -> None:
        self.proof = n.owned(lib.tabia_proof_new(rules), lib.tabia_proof_free, rules)
        for words in properties:
            lib.tabia_proof_ask(self.proof, n.c_text(words, "a property"))
        info = ffi.gc(lib.tabia_info_new(rules, ffi.NULL), lib.tabia_info_free)
        self.roles = lib.tabia_info_role_count(info)
        self.found: queue.SimpleQueue[Verdict | int] = queue.SimpleQueue()
        self.limits, self.options, self.log = limits, n.options_of(options), Log()
        self.handle = ffi.new_handle(self)
        self.thread = threading.Thread(target=self._run, name="tabia-proof", daemon=True)

    def _run(self) -> None:
        status = lib.tabia_proof_run(self.proof, self.options, self.limits.c, lib.tabia_py_found,
                                     self.handle, self.log.c)
        self.found.put(status)

    def verdicts(self) -> Iterator[Verdict]:
        self.thread.start()
        try:
            while isinstance(item := self.found.get(), Verdict):
                yield item
            self._end(item)
        finally:
            lib.tabia_limits_cancel(self.limits.c)
            self.thread.join()

    def _end(self, status: int) -> None:
        """Refuted and unknown properties are verdicts, not errors."""
        count = lib.tabia_proof_count(self.proof)
        if status in (n.MISUSE, n.UNREADABLE) or (status != n.OK and not count):
            raise self.log.error(status)


@ffi.def_extern()  # type: ignore[misc]
def tabia_py_found(context: Any, proof: Any, i: int) -> None:
    run: _Run = ffi.from_handle(context)
    run.found.put(_verdict(proof, i, run.roles))


def _line(proof: Any, i: int, roles: int) -> tuple[tuple[str, ...], ...] | None:
    if not lib.tabia_proof_has_line(proof, i):
        return None
    return tuple(tuple(n.text_of(lib.tabia_proof_line_move(proof, i, step, role))
                       for role in range(roles))
                 for step in range(lib.tabia_proof_line_length(proof, i)))


def _group(proof: Any, i: int, group: int) -> Group:
    size = lib.tabia_proof_group_size(proof, i, group)
    return Group(tuple(n.text_of(lib.tabia_proof_group_fluent(proof, i, group, k))
                       for k in range(size)), lib.tabia_proof_group_is_exact(proof, i, group))


def _verdict(proof: Any, i: int, roles: int) -> Verdict:
    sink = Sink()
    lib.tabia_proof_write(proof, i, b"text", sink.put, sink.c, ffi.NULL)
    groups = range(lib.tabia_proof_group_count(proof, i))
    return Verdict(n.text_of(lib.tabia_proof_property(proof, i)),
                   n.text_of(lib.tabia_verdict_name(lib.tabia_proof_verdict(proof, i))),
                   n.optional(lib.tabia_proof_method(proof, i)),
                   n.optional(lib.tabia_proof_reason(proof, i)),
                   lib.tabia_proof_seconds(proof, i), lib.tabia_proof_states(proof, i),
                   lib.tabia_proof_depth(proof, i), _line(proof, i, roles),
                   tuple(_group(proof, i, group) for group in groups), sink.text())


def prove(rules: Any, properties: tuple[str, ...], seconds: float | None, memory: int | None,
          options: Mapping[str, object]) -> Iterator[Verdict]:
    """See `Rules.prove`."""
    return _Run(rules, properties, Limits(seconds, memory), options).verdicts()
