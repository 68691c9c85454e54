"""Rules: reading, checking, laying out, proving, and what they become."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol, Union

from tabia import _native as n
from tabia._native import Limits, Log, Sink
from tabia._tabia import ffi, lib
from tabia.board import Board
from tabia.database import Database
from tabia.errors import Message, MisuseError
from tabia.machine import Machine, MinimaxResult, PerftResult, PlayoutResult, SolveResult
from tabia.proofs import Verdict, certificate, check_certificate, prove
from tabia.search import Thought
from tabia.symmetry import Symmetries
from tabia.why import Why, why

PROOF_SECONDS = 60.0  # as `tabia prove` has it


@dataclass(frozen=True)
class Relation:
    """A relation of the rules, as `Info.relations` lists them."""

    name: str
    arity: int
    stratum: int
    rules: int
    facts: int
    kind: str
    lifetime: str
    is_recursive: bool


@dataclass(frozen=True)
class Info:
    """What a rulesheet is like, found without grounding it."""

    roles: tuple[str, ...]
    relations: tuple[Relation, ...]
    is_sound: bool
    is_stratified: bool
    is_allowed: bool
    is_recursion_restricted: bool
    is_bounded: bool
    has_role_rules: bool
    has_percepts: bool
    has_random: bool
    rules: int
    facts: int
    clauses: int
    strata: int


class Rules:
    """A rulesheet in the Game Description Language; `tabia.read` makes one.

    >>> import tabia
    >>> rules = tabia.read("tic-tac-toe")
    >>> rules.info().roles
    ('x', 'o')
    >>> rules.check()
    ()
    """

    def __init__(self, pointer: Any) -> None:
        self._c = pointer

    @property
    def name(self) -> str:
        """The file, or what the text was called."""
        return n.text_of(lib.tabia_rules_name(self._c))

    @property
    def text(self) -> str:
        """The text as it was read."""
        length = ffi.new("size_t *")
        start = lib.tabia_rules_text(self._c, length)
        return bytes(ffi.buffer(start, length[0])).decode("utf-8", "replace")

    @property
    def notation(self) -> str:
        """ "kif" or "prolog"."""
        return n.text_of(lib.tabia_rules_notation(self._c))

    def __repr__(self) -> str:
        return f"<tabia.Rules {self.name!r}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rules):
            return NotImplemented
        return self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[Any, ...]:
        return read_text, (self.text, self.name)

    def check(self, *warnings: str) -> tuple[Message, ...]:
        """Every fault of the rules; empty when there is none.

        `warnings` choose which are told: "all", "W406", "no-W406", "error=W406".

        >>> import tabia
        >>> tabia.read("(role x) (role x)").check()[-1].severity
        'warning'
        """
        log = Log()
        for word in warnings:
            log.check(lib.tabia_messages_choose(log.c, n.c_text(word, "a warning")))
        lib.tabia_rules_check(self._c, log.c)
        return log.messages()

    def format(self, notation: str = "same") -> str:
        """The rules laid out, in "kif", "prolog" or the "same" notation.

        >>> import tabia
        >>> print(tabia.read("(role   x)").format("prolog"), end="")
        role(x).
        """
        log, sink = Log(), Sink()
        word = n.c_text(notation, "notation")
        log.check(lib.tabia_rules_format(self._c, word, sink.put, sink.c, log.c))
        return sink.text()

    def info(self) -> Info:
        """What the rules are like."""
        info = ffi.gc(n.made(lib.tabia_info_new(self._c, ffi.NULL)), lib.tabia_info_free)
        roles = range(lib.tabia_info_role_count(info))
        relations = range(lib.tabia_info_relation_count(info))
        return Info(tuple(n.text_of(lib.tabia_info_role(info, i)) for i in roles),
                    tuple(_relation(info, i) for i in relations), lib.tabia_info_is_sound(info),
                    *(lib.tabia_info_is(info, what) for what in range(7)),
                    *(lib.tabia_info_figure(info, what) for what in range(4)))

    def with_start(self, fluents: str) -> Rules:
        """The same game from another start: `fluents` hold there, and no others.

        >>> import tabia
        >>> late = tabia.read("nim").with_start(tabia.Game("nim").new_initial_state().text())
        >>> late.info().roles == tabia.read("nim").info().roles
        True
        """
        log, other = Log(), ffi.new("tabia_rules **")
        text = n.c_text(fluents, "fluents")
        status = lib.tabia_rules_with_start(other, self._c, b"fluents", text, len(text), log.c)
        made = n.owned(other[0], lib.tabia_rules_free) if other[0] else None
        log.check(status)
        return Rules(made)

    # ---- stages ----

    def stage(self, name: str, seconds: float | None = None, memory: int | None = None,
              **options: object) -> str:
        """A stage on the way to a machine, or for other programs; `tabia.stages()` lists them."""
        log, sink, word = Log(), Sink(), n.one_of(name, "stage", stages()).encode()
        with Limits(seconds, memory) as limits:
            status = lib.tabia_rules_write(self._c, word, n.options_of(options), limits.c,
                                           sink.put, sink.c, log.c)
        log.check(status)
        return sink.text()

    def ground(self, **options: Any) -> str:
        """Rules without variables."""
        return self.stage("ground", **options)

    def circuit(self, **options: Any) -> str:
        """The gates that compute legal moves, goals and the next state."""
        return self.stage("circuit", **options)

    # ---- proofs and play ----

    def prove(self, *properties: str, seconds: float | None = PROOF_SECONDS,
              memory: int | None = None, **options: object) -> Iterator[Verdict]:
        """Verdicts, each as soon as it is found; without properties, those that every game has;
        `tabia.properties()` lists them.

        Proofs that are cheap come first, by parts of the time; None: until all is known, which may
        be never.  Options: method="auto", one of `tabia.methods()`, threads=1, seed=1,
        confidence=0.99, walk=FILE.

        >>> import tabia
        >>> verdict, = tabia.read("tic-tac-toe").prove("winnable x")
        >>> verdict.result, len(verdict.line)
        ('proved', 5)
        """
        return prove(self._c, properties, seconds, memory, options)

    def certificate(self, *properties: str, seconds: float | None = PROOF_SECONDS,
                    memory: int | None = None, **options: object) -> str:
        """Proves, and gives the evidence for all verdicts that have some; FaultyError: none has.

        >>> import tabia
        >>> rules = tabia.read("nim")
        >>> evidence = rules.certificate("terminates")
        >>> print(rules.check_certificate(evidence), end="")
        accepted: terminates is proved, by looking at all states (1904); the longest play has 19 steps
        """
        return certificate(self._c, properties, seconds, memory, options)

    def check_certificate(self, certificate: str, seconds: float | None = None,
                          memory: int | None = None) -> str:
        """Checks the evidence by code that shares little with the provers, and says what it found, a
        line for each section; FaultyError: some of it is rejected."""
        return check_certificate(self._c, certificate, seconds, memory)

    def why(self, literal: str, position: str | None = None, after: str | None = None,
            does: str | None = None, seconds: float | None = None,
            memory: int | None = None) -> Why:
        """Why a literal holds at the start, or why it does not.

        literal    an atom, "(not ATOM)", or a fluent alone, in KIF; it may have variables
        position   fluents to begin with in place of the start, as `Machine.text` gives them
        after      moves that are made before
        does       what is done then, for `next` and `sees`

        >>> import tabia
        >>> why = tabia.read("tic-tac-toe").why("(legal x (place 2 2))", after="(place 2 2)")
        >>> why.holds, why.headline
        (False, 'no: (legal x (place 2 2)) does not hold after 1 step')
        """
        return why(self._c, literal, {"from": position, "after": after, "does": does}, seconds,
                   memory)

    def machine(self, kind: str = "auto", seconds: float | None = None, memory: int | None = None,
                **options: object) -> Machine:
        """A machine that plays the game; `tabia.machines()` lists them."""
        return Machine(self, kind, seconds, memory, **options)

    def board(self) -> Board:
        """How the game is drawn; a notebook shows the start of it."""
        return self.machine("circuit").board()

    def playout(self, count: int | None = None, machine: str = "auto-many",
                **options: Any) -> PlayoutResult:
        """Random games; see `Machine.playout`."""
        return self.machine(machine).playout(count, **options)

    def perft(self, depth: int, machine: str = "auto", **options: Any) -> PerftResult:
        """How many sequences of joint moves there are; see `Machine.perft`.

        >>> import tabia
        >>> tabia.read("tic-tac-toe").perft(3).nodes
        (1, 9, 72, 504)
        """
        return self.machine(machine).perft(depth, **options)

    def minimax(self, depth: int, machine: str = "auto", **options: Any) -> MinimaxResult:
        """What the game is worth to each role; see `Machine.minimax`."""
        return self.machine(machine).minimax(depth, **options)

    def solve(self, machine: str = "lanes", **options: Any) -> SolveResult:
        """The value of the game; see `Machine.solve`."""
        return self.machine(machine).solve(**options)

    def database(self, folder: str | os.PathLike[str] | None = None, machine: str = "lanes",
                 **options: Any) -> Database:
        """The value of every position; see `Machine.database`."""
        return self.machine(machine).database(folder, **options)

    def symmetries(self, **options: Any) -> Symmetries:
        """What may be exchanged without a change of the rules; see `Symmetries`."""
        return self.machine("lanes").symmetries(**options)

    def bestmove(self, seconds: float = 1, machine: str = "auto-many", **options: Any) -> Thought:
        """What to do at the start; see `Machine.bestmove`."""
        return self.machine(machine).bestmove(seconds=seconds, **options)


def _relation(info: Any, i: int) -> Relation:
    return Relation(n.text_of(lib.tabia_info_relation_name(info, i)),
                    lib.tabia_info_relation_arity(info, i),
                    lib.tabia_info_relation_stratum(info, i),
                    lib.tabia_info_relation_rules(info, i),
                    lib.tabia_info_relation_facts(info, i),
                    n.text_of(lib.tabia_info_relation_kind(info, i)),
                    n.text_of(lib.tabia_info_relation_lifetime(info, i)),
                    lib.tabia_info_relation_is_recursive(info, i))


def _made(status: int, rules: Any, log: Log) -> Rules:
    made = n.owned(rules[0], lib.tabia_rules_free) if rules[0] else None
    log.check(status)
    return Rules(made)


def read_text(text: str, name: str = "text") -> Rules:
    """Rules from a text, which is called `name` in messages."""
    if not isinstance(text, str):
        raise TypeError(f"rules must be a text or a path, not {type(text).__name__}")
    log, rules, data = Log(), ffi.new("tabia_rules **"), text.encode()
    title = n.c_text(name, "name")
    return _made(lib.tabia_rules_read_text(rules, title, data, len(data), log.c), rules, log)


def _is_text(source: str) -> bool:
    """Rules have a parenthesis, a line end or an arrow; but so may the name of a file."""
    return (any(sign in source for sign in "(\n") or ":-" in source) and not os.path.isfile(source)


def read(source: str | os.PathLike[str]) -> Rules:
    """Rules from a file, from a built-in game, or from a text in KIF or infix notation.

    >>> import tabia
    >>> tabia.read("(role x")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    tabia.errors.FaultyError: text:1:1: error: this parenthesis is never closed [E101] ...
    """
    if isinstance(source, str) and _is_text(source):
        return read_text(source)
    log, rules = Log(), ffi.new("tabia_rules **")
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError("rules must be a name, a path or a text, not "
                        f"{type(source).__name__}")
    return _made(lib.tabia_rules_read(rules, n.c_path(source, "a path"), log.c), rules, log)


class HasRules(Protocol):
    """A Game or a Machine."""

    @property
    def rules(self) -> Rules:
        """What it plays."""


Source = Union[Rules, HasRules, str, os.PathLike[str]]


def rules_of(source: Source) -> Rules:
    """Rules as they are, those of a game or a machine, or what is read."""
    found: Any = getattr(source, "rules", source)
    return found if isinstance(found, Rules) else read(found)


def machine_of(source: Source, kind: str, memory: int | None = None) -> Machine:
    """A machine as it is, or one of that kind for the rules."""
    return source if isinstance(source, Machine) else Machine(rules_of(source), kind, None, memory)


def games(faulty: bool = False) -> list[str]:
    """The names of the built-in games, or of examples of faults.

    >>> import tabia
    >>> "chess" in tabia.games()
    True
    """
    return [n.text_of(lib.tabia_game_name(i)) for i in range(lib.tabia_game_count())
            if lib.tabia_game_is_faulty(i) == faulty]


def stages() -> dict[str, str]:
    """The names that `Rules.stage` takes, and what each is."""
    return {n.text_of(lib.tabia_stage_name(i)): n.text_of(lib.tabia_stage_summary(i))
            for i in range(lib.tabia_stage_count())}


def explain(code: str) -> str:
    """What a code of a message means, with an example of the fault and of its mend."""
    log, sink, nearest = Log(), Sink(), ffi.new("const char **")
    found = lib.tabia_code_find(n.c_text(code, "code"), nearest)
    if found == lib.tabia_code_count():
        meant = f"; did you mean {n.text_of(nearest[0])!r}?" if nearest[0] else ""
        raise MisuseError(f"there is no code {code!r}{meant}")
    log.check(lib.tabia_code_explain(found, sink.put, sink.c))
    return sink.text()
