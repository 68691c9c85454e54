"""Proofs: verdicts as an iterator."""

from __future__ import annotations

import json
import queue
import threading
import weakref
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tabia import _native as n
from tabia._native import Limits, Log, Sink
from tabia._tabia import ffi, lib
from tabia.errors import FaultyError


@dataclass(frozen=True)
class Group:
    """Fluents of which at most one holds, or exactly one."""

    fluents: tuple[str, ...]
    is_exact: bool


@dataclass(frozen=True)
class Verdict:
    """What was found about a property; `result` is "proved", "refuted" or "unknown".

    line     of play, where there is one: a tuple of moves for each step
    longest  no play has more steps, where it is known (of "terminates")"""

    property: str
    result: str
    method: str | None
    reason: str | None
    seconds: float
    states: int
    depth: int
    line: tuple[tuple[str, ...], ...] | None
    groups: tuple[Group, ...]
    longest: int | None
    text: str

    def __bool__(self) -> bool:
        return self.result == "proved"


class _Run:
    """One run of a proof in a thread of its own, which puts verdicts into a queue."""

    def __init__(self, rules: Any, properties: tuple[str, ...], limits: Limits,
                 options: Mapping[str, object]) -> None:
        method = options.get("method")
        if method is not None:
            n.one_of(method, "method", methods())
        self.proof = n.owned(lib.tabia_proof_new(rules), lib.tabia_proof_free, rules, threads=True)
        for words in properties:
            lib.tabia_proof_ask(self.proof, n.c_text(words, "a property"))
        info = ffi.gc(n.made(lib.tabia_info_new(rules, ffi.NULL)), lib.tabia_info_free)
        self.roles = lib.tabia_info_role_count(info)
        self.found: queue.SimpleQueue[Verdict | int] = queue.SimpleQueue()
        self.limits, self.options, self.log = limits, n.options_of(options), Log()
        self.handle = ffi.new_handle(weakref.ref(self))
        self.thread = threading.Thread(target=self._run, name="tabia-proof", daemon=True)

    def _run(self) -> None:
        status = lib.tabia_proof_run(self.proof, self.options, self.limits.c, lib.tabia_py_found,
                                     self.handle, self.log.c)
        self.found.put(status)

    def _next(self, born: int) -> Verdict | int:
        if born != n.generation():
            raise RuntimeError("this proof was begun before a fork, and its thread stayed in the "
                               "parent: prove again in the child")
        return self.found.get()

    def verdicts(self) -> Iterator[Verdict]:
        self.thread.start()
        born = n.generation()
        try:
            while isinstance(item := self._next(born), Verdict):
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
    run: _Run = ffi.from_handle(context)()  # it runs, so it is there
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


def _written(proof: Any, i: int, format: bytes) -> str:
    sink = Sink()
    lib.tabia_proof_write(proof, i, format, sink.put, sink.c, ffi.NULL)
    return sink.text()


def _longest(proof: Any, i: int) -> int | None:
    longest = json.loads(_written(proof, i, b"json")).get("longest_play") or {}
    found: int | None = longest.get("at_most")
    return found


def _verdict(proof: Any, i: int, roles: int) -> Verdict:
    groups = range(lib.tabia_proof_group_count(proof, i))
    return Verdict(n.text_of(lib.tabia_proof_property(proof, i)),
                   n.text_of(lib.tabia_verdict_name(lib.tabia_proof_verdict(proof, i))),
                   n.optional(lib.tabia_proof_method(proof, i)),
                   n.optional(lib.tabia_proof_reason(proof, i)),
                   lib.tabia_proof_seconds(proof, i), lib.tabia_proof_states(proof, i),
                   lib.tabia_proof_depth(proof, i), _line(proof, i, roles),
                   tuple(_group(proof, i, group) for group in groups), _longest(proof, i),
                   _written(proof, i, b"text"))


def certificate(rules: Any, properties: tuple[str, ...], seconds: float | None,
                memory: int | None, options: Mapping[str, object]) -> str:
    """See `Rules.certificate`."""
    run, log, sink = _Run(rules, properties, Limits(seconds, memory), options), Log(), Sink()
    for _ in run.verdicts():
        pass
    log.check(lib.tabia_proof_write_certificate(run.proof, sink.put, sink.c, log.c))
    return sink.text()


def check_certificate(rules: Any, text: str, seconds: float | None, memory: int | None) -> str:
    """See `Rules.check_certificate`."""
    log, sink, data = Log(), Sink(), n.c_text(text, "a certificate")
    with Limits(seconds, memory) as limits:
        status = lib.tabia_certificate_check(rules, b"certificate", data, len(data), limits.c,
                                             sink.put, sink.c, log.c)
    if status == n.FAULTY and sink.text():
        raise FaultyError(sink.text().rstrip(), log.messages())
    log.check(status)
    return sink.text()


def properties() -> dict[str, str]:
    """The names that `Rules.prove` takes, and what each claims.

    >>> import tabia
    >>> "terminates" in tabia.properties()
    True
    """
    return {n.text_of(lib.tabia_property_name(i)): n.text_of(lib.tabia_property_summary(i))
            for i in range(lib.tabia_property_count())}


def methods() -> dict[str, str]:
    """The names that `Rules.prove` takes as `method`, and what each does.

    >>> import tabia
    >>> "induction" in tabia.methods()
    True
    """
    return {n.text_of(lib.tabia_method_name(i)): n.text_of(lib.tabia_method_summary(i))
            for i in range(lib.tabia_method_count())}


def prove(rules: Any, properties: tuple[str, ...], seconds: float | None, memory: int | None,
          options: Mapping[str, object]) -> Iterator[Verdict]:
    """See `Rules.prove`."""
    return _Run(rules, properties, Limits(seconds, memory), options).verdicts()
