"""Why a literal holds in a state, or why it does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tabia import _native as n
from tabia._native import Limits, Log, Sink
from tabia._tabia import ffi, lib


@dataclass(frozen=True)
class WhyStep:
    """A step of an explanation; its parts follow it, one level deeper.

    kind    "rule", "fact", "fluent", "move", "not", "distinct", "fails", "attempt", "holds",
            "again" or "note"; docs/json.md tells what each is
    line    where the rule, fact or condition is written, from 1; None: nowhere"""

    kind: str
    depth: int
    holds: bool
    literal: str
    words: str | None
    line: int | None


@dataclass(frozen=True)
class Why:
    """The answer, the atoms that hold, and the steps that show it; as text it is for people."""

    holds: bool
    headline: str
    answers: tuple[str, ...]
    steps: tuple[WhyStep, ...]
    text: str

    def __str__(self) -> str:
        return self.text


def _step(why: Any, i: int) -> WhyStep:
    start, end, line = ffi.new("size_t *"), ffi.new("size_t *"), ffi.new("uint32_t *")
    is_written = lib.tabia_why_step_place(why, i, start, end, line)
    return WhyStep(n.text_of(lib.tabia_why_step_kind(why, i)), lib.tabia_why_step_depth(why, i),
                   lib.tabia_why_step_holds(why, i), n.text_of(lib.tabia_why_step_literal(why, i)),
                   n.optional(lib.tabia_why_step_words(why, i)), line[0] if is_written else None)


def why(rules: Any, literal: str, options: dict[str, object], seconds: float | None,
        memory: int | None) -> Why:
    """Asks tabia_why_ask."""
    log, sink, made = Log(), Sink(), ffi.new("tabia_why **")
    with Limits(seconds, memory) as limits:
        status = lib.tabia_why_ask(made, rules, n.c_text(literal, "a literal"),
                                   n.options_of(options), limits.c, log.c)
    answer = n.owned(made[0], lib.tabia_why_free, rules)
    log.check(status)
    log.check(lib.tabia_why_write(answer, b"text", 2**32 - 1, sink.put, sink.c, log.c))
    return Why(lib.tabia_why_holds(answer), n.text_of(lib.tabia_why_headline(answer)),
               tuple(n.text_of(lib.tabia_why_answer(answer, i))
                     for i in range(lib.tabia_why_answer_count(answer))),
               tuple(_step(answer, i) for i in range(lib.tabia_why_step_count(answer))),
               sink.text())
