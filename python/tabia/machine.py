"""Machines: ways to run a game, and what they count."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabia import _native as n
from tabia._native import Limits, Log
from tabia._tabia import ffi, lib
from tabia.board import Board
from tabia.database import Database, database
from tabia.errors import FaultyError, MisuseError
from tabia.search import Judge, Search, Thought
from tabia.symmetry import Symmetries, symmetries

if TYPE_CHECKING:
    from tabia.rules import Rules

GROUND = ("lanes", "circuit", "gpu")
ROOM = 1024  # moves that are asked for at first
SOLVE_METHODS = {"auto": lib.TABIA_SOLVE_AUTO, "strong": lib.TABIA_SOLVE_STRONG,
                 "weak": lib.TABIA_SOLVE_WEAK}


def machines() -> dict[str, str]:
    """The names that `Rules.machine` takes, and what each is; "auto" takes the best for one game at
    a time, "auto-many" for many.

    >>> import tabia
    >>> "lanes" in tabia.machines()
    True
    """
    return {n.text_of(lib.tabia_kind_name(i)): n.text_of(lib.tabia_kind_summary(i))
            for i in range(lib.tabia_kind_count())}


@dataclass(frozen=True)
class PlayoutResult:
    """Figures of random games; goals are by role, None where a role has none."""

    played: int
    states: int
    faulty: int
    too_long: int
    seconds: float
    mean_length: float
    shortest: int
    longest: int
    mean_goals: dict[str, float | None]


@dataclass(frozen=True)
class PerftResult:
    """Sequences of joint moves, and distinct states, by length from 0."""

    nodes: tuple[int, ...]
    unique: tuple[int, ...]
    stuck: int


@dataclass(frozen=True)
class MinimaxResult:
    """Values by role, in which sense, and whether they are exact."""

    values: dict[str, float]
    sense: str
    is_exact: bool
    nodes: int


@dataclass(frozen=True)
class SolveResult:
    """Values by role, in which sense, and best play from the start.

    kind         "strong": from all states; "weak": of the start alone; "equilibrium": GDL-II
    remoteness   steps to the end under best play; None: it has no meaning in this kind of game
    moves        by role: its best moves, and how often to make each
    line         best play: the joint moves, where there is a remoteness
    gap          values are as near to the truth
    is_endless   some value rests on a play that never ends"""

    values: dict[str, float]
    sense: str
    remoteness: int | None
    moves: dict[str, dict[str, float]]
    line: tuple[tuple[str, ...], ...]
    gap: float
    is_endless: bool
    states: int
    depth: int
    kind: str


class Position(bytes):
    """A state of a machine: bytes that can be compared, hashed and kept."""

    machine: Machine

    def __reduce__(self) -> tuple[Any, ...]:
        return bytes, (bytes(self),)


class Machine(n.Shared):
    """A way to run a game.  All machines give the same answers at different speeds.

    A machine can be used by many threads; questions about positions take turns.

    >>> import tabia
    >>> machine = tabia.read("tic-tac-toe").machine("circuit")
    >>> start = machine.start()
    >>> len(machine.legal(start, 0)), machine.is_terminal(start)
    (9, False)
    """

    def __init__(self, rules: Rules, kind: str = "auto", seconds: float | None = None,
                 memory: int | None = None, **options: object) -> None:
        super().__init__()
        log, machine, of = Log(), ffi.new("tabia_machine **"), n.handle(rules, "rules", "rules")
        word = n.one_of(kind, "machine", ("auto", "auto-many", *machines())).encode()
        with Limits(seconds, memory) as limits:
            status = lib.tabia_machine_open_with(machine, of, word, n.options_of(options),
                                                 limits.c, log.c)
        self._c: Any = n.owned(machine[0], lib.tabia_machine_close)
        log.check(status)
        self.rules, self._options = rules, options
        self.roles: tuple[str, ...] = tuple(n.text_of(lib.tabia_machine_role(self._c, i))
                           for i in range(lib.tabia_machine_role_count(self._c)))
        self.position_size = int(lib.tabia_position_size(self._c))
        self._is_ground = any([self.fluent_count(), *map(self.move_count, range(len(self.roles)))])
        self._workspace = n.owned(lib.tabia_workspace_new(self._c, ffi.NULL),
                                  lib.tabia_workspace_free, self._c)
        self._texts: dict[tuple[int, int], str] = {}
        self._bits = int(lib.tabia_machine_size(self._c, lib.TABIA_SIZE_LATCHES))  # of a position
        self._relatives: weakref.WeakSet[Machine] = weakref.WeakSet()  # with the same positions
        self._given: set[tuple[int, int, int]] = set()  # numbers that turned up; if not ground

    @property
    def kind(self) -> str:
        """Which machine "auto" has taken."""
        return n.text_of(lib.tabia_machine_kind(self._c))

    def __reduce__(self) -> tuple[Any, ...]:
        return _reopened, (self.rules, self.kind, self._options)

    def __repr__(self) -> str:
        return f"<tabia.Machine {self.kind!r} of {self.rules.name!r}>"

    def width(self, what: int, role: int = 0) -> int:
        """How many numbers an answer is about; 0 where the machine gives numbers as it goes."""
        return int(lib.tabia_answer_width(self._c, n.whole(what, "what", 0, lib.TABIA_PERCEPTS),
                                          self._role(role)))

    def move_count(self, role: int) -> int:
        """How many moves the role can ever have; 0: not known to this machine."""
        return self.width(lib.TABIA_LEGAL, role)

    def fluent_count(self) -> int:
        """How many fluents there can ever be; 0: not known to this machine."""
        return self.width(lib.TABIA_FLUENTS)

    def is_ground(self) -> bool:
        """Does it know the numbers of all moves and fluents beforehand, as "lanes" and "circuit" do?"""
        return self._is_ground

    def _require_numbers(self) -> None:
        """An exception where moves and fluents have no numbers that are known beforehand."""
        if self._is_ground:
            return
        if self.kind in GROUND:
            raise FaultyError("there is nothing to play: the rules have neither moves nor fluents")
        raise MisuseError(f"the machine {self.kind!r} has no fixed numbers of moves and fluents; "
                          "use machine='lanes' or 'circuit', which say why where they cannot")

    def has_percepts(self) -> bool:
        """GDL-II: do roles see what `sees` tells, and not the state?"""
        return bool(lib.tabia_machine_has_hidden_state(self._c))

    # ---- positions: bytes that can be compared and kept ----

    def _check(self) -> None:
        if lib.tabia_workspace_status(self._workspace, ffi.NULL) != n.OK:
            log = Log()
            log.check(lib.tabia_workspace_status(self._workspace, log.c))

    def _positioned(self, position: bytes) -> Any:
        """The bytes in memory of their own, which is aligned."""
        if not isinstance(position, (bytes, bytearray, memoryview)):
            raise TypeError(f"a position must be bytes, not {type(position).__name__}")
        if len(position) != self.position_size:
            raise MisuseError(f"a position of this machine has {self.position_size} bytes, "
                                f"not {len(position)}")
        owner = getattr(position, "machine", None)
        if owner is not self and not self._is_ground:
            raise MisuseError(f"positions of a machine {self.kind!r} are its own: take them from "
                                "its start, step, play and position")
        if owner is not self and owner is not None and not self._shares(owner):
            raise MisuseError(f"this is a position of {owner!r}, which has other fluents or moves")
        if owner is None and int.from_bytes(position, "little") >> self._bits:
            raise MisuseError(f"these bytes are no position of this machine: only the first "
                              f"{self._bits} bits mean something")
        room = ffi.new("uint64_t[]", (self.position_size + 7) // 8)
        ffi.memmove(room, position, self.position_size)
        return room

    def _shares(self, other: Machine) -> bool:
        """Do positions of the other mean the same here?"""
        if other not in self._relatives:
            if not lib.tabia_machine_shares_positions(self._c, other._c):
                return False
            self._relatives.add(other)
        return True

    def _bytes(self, room: Any) -> Position:
        position = Position(ffi.buffer(room, self.position_size))
        position.machine = self
        return position

    def _role(self, role: int) -> int:
        return n.whole(role, "role", 0, len(self.roles) - 1)

    def start(self) -> Position:
        """The position at the start of the game."""
        room = ffi.new("uint64_t[]", (self.position_size + 7) // 8)
        lib.tabia_position_start(self._c, room)
        return self._bytes(room)

    def is_terminal(self, position: bytes) -> bool:
        """Is the game over?"""
        with self._lock:
            answer = lib.tabia_position_terminal(self._workspace, self._positioned(position))
            self._check()
        return bool(answer)

    def legal(self, position: bytes, role: int) -> list[int]:
        """The legal moves of a role, in the order of their texts."""
        role, place = self._role(role), self._positioned(position)
        moves = self._listed("tabia_move[]", lambda moves, room: int(lib.tabia_position_legal(
            self._workspace, place, role, moves, room)))
        return self._give(lib.TABIA_LEGAL, role, moves)

    def _listed(self, kind: str, ask: Callable[[Any, int], int]) -> list[int]:
        """The numbers that a query writes, in as much room as they need."""
        room = ROOM
        with self._lock:
            while True:
                numbers = ffi.new(kind, room)
                count = ask(numbers, room)
                if count <= room:
                    break
                room = count
            self._check()
        return list(ffi.unpack(numbers, count)) if count else []

    def goal(self, position: bytes, role: int) -> int | None:
        """The role's goal, 0 to 100; None when it has none or several."""
        with self._lock:
            goal = lib.tabia_position_goal(self._workspace, self._positioned(position),
                                           self._role(role))
            self._check()
        return None if goal == lib.TABIA_NO_GOAL else int(goal)

    def _chooser(self, position: bytes | None) -> int:
        """The first role with several legal moves that is not chance, else the first."""
        here = self.start() if position is None else position
        players = [role for role, name in enumerate(self.roles) if name != "random"] or [0]
        return next((role for role in players if len(self.legal(here, role)) > 1), players[0])

    def _check_joint(self, position: bytes, joint: Sequence[int]) -> None:
        if len(joint) != len(self.roles):
            raise MisuseError(f"a joint move has {len(self.roles)} moves, one for each role of "
                                f"{self.roles}, not {len(joint)}")
        for role, move in enumerate(joint):
            legal = self.legal(position, role)
            if move not in legal:
                raise MisuseError(f"move {move} is not legal for {self.roles[role]}; "
                                  f"legal are {legal[:20]}")

    def step(self, position: bytes, joint: Sequence[int]) -> Position:
        """The position after a joint move: a legal move for each role, in their order."""
        self._check_joint(position, joint)
        return self._step(position, joint)

    def _step(self, position: bytes, joint: Sequence[int]) -> Position:
        """Takes for granted that the moves are legal, as `_sees` does."""
        moves, place = ffi.new("tabia_move[]", list(joint)), self._positioned(position)
        with self._lock:
            lib.tabia_position_step(self._workspace, place, moves, place)
            self._check()
        return self._bytes(place)

    def sees(self, position: bytes, joint: Sequence[int], role: int) -> list[int]:
        """What a role sees while the joint move is made (GDL-II): numbers of percepts."""
        self._check_joint(position, joint)
        return self._sees(position, joint, self._role(role))

    def _sees(self, position: bytes, joint: Sequence[int], role: int) -> list[int]:
        moves, place = ffi.new("tabia_move[]", list(joint)), self._positioned(position)
        percepts = self._listed("tabia_percept[]", lambda seen, room: int(lib.tabia_position_sees(
            self._workspace, place, moves, role, seen, room)))
        return self._give(lib.TABIA_PERCEPTS, role, percepts)

    def fluents(self, position: bytes) -> list[int]:
        """The fluents that hold: numbers."""
        place = self._positioned(position)
        count = lib.tabia_position_fluents(self._c, place, ffi.NULL, 0)
        fluents = ffi.new("tabia_fluent[]", count + 1)
        lib.tabia_position_fluents(self._c, place, fluents, count)
        return self._give(lib.TABIA_FLUENTS, 0, ffi.unpack(fluents, count) if count else [])

    # ---- numbers ----

    def _give(self, what: int, role: int, numbers: Sequence[int]) -> list[int]:
        """Remembers numbers of a machine that gives them as it goes."""
        if not self._is_ground:
            self._given.update((what, role, number) for number in numbers)
        return list(numbers)

    def _known(self, what: int, role: int, number: int, name: str) -> int:
        """A number that has a text."""
        if self._is_ground:
            return n.whole(number, name, 0, self.width(what, role) - 1)
        if (what, role, n.whole(number, name, 0, 2**32 - 1)) not in self._given:
            raise MisuseError(f"{name} {number} is none that this machine {self.kind!r} has given")
        return number

    # ---- texts ----

    def text(self, position: bytes) -> str:
        """The fluents that hold, in KIF, sorted; the same on every machine."""
        place = self._positioned(position)
        return n.sized_text(
            lambda room, size: int(lib.tabia_position_text(self._c, place, room, size)))

    def position(self, text: str) -> Position:
        """The position in which these fluents hold and no others."""
        log, data, place = Log(), n.c_text(text, "a position"), self._positioned(self.start())
        log.check(lib.tabia_position_read(self._c, b"position", data, len(data), place, log.c))
        return self._bytes(place)

    def play(self, moves: str, position: bytes | None = None) -> Position:
        """The position after a line of moves in KIF; only moves of a role may be left out.

        >>> import tabia
        >>> machine = tabia.read("tic-tac-toe").machine("circuit")
        >>> after = machine.play("(place 2 2) (place 1 1)")
        >>> len(machine.legal(after, 0))
        7
        """
        log, data = Log(), n.c_text(moves, "moves")
        place = self._positioned(self.start() if position is None else position)
        with self._lock:
            log.check(lib.tabia_position_play(self._workspace, b"moves", data, len(data), place,
                                              log.c))
        return self._bytes(place)

    def move_text(self, role: int, move: int) -> str:
        """A move in KIF."""
        if (role, move) not in self._texts:
            self._known(lib.TABIA_LEGAL, self._role(role), move, "move")
            self._texts[role, move] = n.sized_text(
                lambda room, size: int(lib.tabia_move_text(self._c, role, move, room, size)))
        return self._texts[role, move]

    def fluent_text(self, fluent: int) -> str:
        """A fluent in KIF."""
        self._known(lib.TABIA_FLUENTS, 0, fluent, "fluent")
        return n.sized_text(
            lambda room, size: int(lib.tabia_fluent_text(self._c, fluent, room, size)))

    def percept_text(self, role: int, percept: int) -> str:
        """A percept in KIF."""
        self._known(lib.TABIA_PERCEPTS, self._role(role), percept, "percept")
        return n.sized_text(
            lambda room, size: int(lib.tabia_percept_text(self._c, role, percept, room, size)))

    def board(self, layout: str | None = None) -> Board:
        """How the game is drawn; see `Board`."""
        return Board(self, layout)

    # ---- games and trees ----

    def _place(self, start: bytes | None) -> Any:
        return ffi.NULL if start is None else self._positioned(start)

    def playout(self, count: int | None = None, seconds: float | None = None, seed: int = 1,
                threads: int = 1, max_steps: int = 0, start: bytes | None = None) -> PlayoutResult:
        """Random games: so many, or as many as can be in the time.

        >>> import tabia
        >>> result = tabia.read("tic-tac-toe").machine().playout(100)
        >>> result.played, result.longest
        (100, 9)
        """
        if count is None and seconds is None:
            raise MisuseError("say how many games: count=..., or how long: seconds=...")
        log = Log()
        run = n.owned(lib.tabia_playouts_new(self._c), lib.tabia_playouts_free, self._c)
        place = self._place(start)
        lib.tabia_playouts_set_seed(run, n.whole(seed, "seed", 0, 2**64 - 1))
        lib.tabia_playouts_set_count(run, 0 if count is None else n.whole(count, "count", 1, 2**64 - 1))
        lib.tabia_playouts_set_seconds(run, 0 if seconds is None else n.duration(seconds))
        lib.tabia_playouts_set_threads(run, n.whole(threads, "threads", 1, 1024))
        lib.tabia_playouts_set_max_steps(run, n.whole(max_steps, "max_steps", 0, 2**64 - 1))
        lib.tabia_playouts_set_start(run, place)
        with Limits() as limits:
            status = lib.tabia_playouts_run(run, limits.c, log.c)
        log.check(status)
        return _playout_result(self, run)

    def perft(self, depth: int, threads: int = 1, start: bytes | None = None,
              seconds: float | None = None) -> PerftResult:
        """Sequences of joint moves up to a length."""
        log = Log()
        run = n.owned(lib.tabia_perft_new(self._c), lib.tabia_perft_free, self._c)
        place = self._place(start)
        lib.tabia_perft_set_threads(run, n.whole(threads, "threads", 1, 1024))
        lib.tabia_perft_set_start(run, place)
        depth = n.whole(depth, "depth", 0, 100000)
        with Limits(seconds) as limits:
            status = lib.tabia_perft_run(run, depth, limits.c, log.c)
        log.check(status)
        return PerftResult(tuple(lib.tabia_perft_nodes(run, i) for i in range(depth + 1)),
                           tuple(lib.tabia_perft_unique(run, i) for i in range(depth + 1)),
                           lib.tabia_perft_stuck(run))

    def minimax(self, depth: int, alpha_beta: bool = False, perfect_information: bool = False,
                start: bytes | None = None, seconds: float | None = None) -> MinimaxResult:
        """The whole tree to that depth, and what it is worth; a state that is cut off counts 50."""
        log = Log()
        run = n.owned(lib.tabia_minimax_new(self._c), lib.tabia_minimax_free, self._c)
        place = self._place(start)
        lib.tabia_minimax_set_alpha_beta(run, bool(alpha_beta))
        lib.tabia_minimax_set_perfect_information(run, bool(perfect_information))
        lib.tabia_minimax_set_start(run, place)
        depth = n.whole(depth, "depth", 0, 1000)
        with Limits(seconds) as limits:
            status = lib.tabia_minimax_run(run, depth, limits.c, log.c)
        log.check(status)
        return MinimaxResult({role: lib.tabia_minimax_value(run, i)
                              for i, role in enumerate(self.roles)},
                             n.text_of(lib.tabia_sense_name(lib.tabia_minimax_sense(run))),
                             lib.tabia_minimax_is_exact(run), lib.tabia_minimax_total(run))

    def solve(self, threads: int = 1, most_states: int = 0, seconds: float | None = None,
              memory: int | None = None, database: str | os.PathLike[str] | None = None,
              checkpoint: str | os.PathLike[str] | None = None,
              method: str = "auto") -> SolveResult:
        """The value of the game; FaultyError: it is declined, and why.

        method      "strong": by all states; "weak": by a search for proofs, the value of the start
                    alone; "auto": strongly within half of the limits and `most_states`, then weakly
        database    a folder for the values of all states, which `Database` looks up
        checkpoint  a folder for files from which a run that was ended goes on

        >>> import tabia
        >>> solved = tabia.read("tic-tac-toe").machine("lanes").solve()
        >>> solved.values, solved.states, solved.remoteness
        ({'x': 50.0, 'o': 50.0}, 5478, 9)
        """
        log = Log()
        run = n.owned(lib.tabia_solve_new(self._c), lib.tabia_solve_free, self._c)
        lib.tabia_solve_set_threads(run, n.whole(threads, "threads", 1, 1024))
        lib.tabia_solve_set_most_states(run, n.whole(most_states, "most_states", 0, 2**64 - 1))
        lib.tabia_solve_set_method(run, SOLVE_METHODS[n.one_of(method, "method", SOLVE_METHODS)])
        folders = [ffi.NULL if folder is None
                   else ffi.new("char[]", n.c_path(folder, name))
                   for folder, name in ((database, "database"), (checkpoint, "checkpoint"))]
        lib.tabia_solve_set_database(run, folders[0])
        lib.tabia_solve_set_checkpoint(run, folders[1], 0)
        with Limits(seconds, memory) as limits:
            status = lib.tabia_solve_run(run, limits.c, log.c)
        log.check(status)
        return _solve_result(self, run)

    def database(self, folder: str | os.PathLike[str] | None = None,
                 **options: Any) -> Database:
        """The value of every position: from a folder that `solve` has written, or, without one, by
        solving the game now, with the options of `solve`."""
        return database(self, folder, options)

    def symmetries(self, seconds: float | None = None, memory: int | None = None) -> Symmetries:
        """Permutations of moves and fluents under which the rules stay the same; see `Symmetry`."""
        return symmetries(self, seconds, memory)

    def bestmove(self, position: bytes | None = None, role: int | None = None,
                 seconds: float | None = None, iterations: int | None = None,
                 **options: object) -> Thought:
        """Searches for some time or so many iterations, and says what to do; see `Search.think`.

        >>> import tabia
        >>> machine = tabia.read("tic-tac-toe").machine("lanes")
        >>> late = machine.play("(place 1 1) (place 2 1) (place 1 2) (place 2 2)")
        >>> machine.bestmove(late, iterations=1000).move
        '(place 1 3)'
        """
        return Search(self, None, False, **options).think(position, role, seconds, iterations)

    def search(self, judge: Judge | None = None, with_priors: bool = False,
               **options: object) -> Search:
        """A search that keeps its tree from one question to the next; see `Search`."""
        return Search(self, judge, with_priors, **options)


def _reopened(rules: Rules, kind: str, options: dict[str, Any]) -> Machine:
    return Machine(rules, kind, **options)


def _mean_goal(run: Any, role: int) -> float | None:
    if not lib.tabia_playouts_has_goals(run, role):
        return None
    return float(lib.tabia_playouts_mean_goal(run, role))


def _solve_result(m: Machine, run: Any) -> SolveResult:
    roles = range(len(m.roles))
    moves = {m.roles[i]: {m.move_text(i, lib.tabia_solve_move(run, i, k)):
                          lib.tabia_solve_move_share(run, i, k)
                          for k in range(lib.tabia_solve_move_count(run, i))} for i in roles}
    line = [lib.tabia_solve_line_joint(run, i) for i in range(lib.tabia_solve_line_length(run))]
    return SolveResult(
        {m.roles[i]: lib.tabia_solve_value(run, i) for i in roles},
        n.text_of(lib.tabia_sense_name(lib.tabia_solve_sense(run))),
        lib.tabia_solve_remoteness(run) if lib.tabia_solve_has_remoteness(run) else None, moves,
        tuple(tuple(m.move_text(i, joint[i]) for i in roles) for joint in line),
        lib.tabia_solve_gap(run), lib.tabia_solve_has_endless(run), lib.tabia_solve_states(run),
        lib.tabia_solve_depth(run), n.text_of(lib.tabia_solve_kind(run)))


def _playout_result(machine: Machine, run: Any) -> PlayoutResult:
    return PlayoutResult(lib.tabia_playouts_played(run), lib.tabia_playouts_states(run),
                         lib.tabia_playouts_faulty(run), lib.tabia_playouts_too_long(run),
                         lib.tabia_playouts_time(run), lib.tabia_playouts_mean_length(run),
                         lib.tabia_playouts_shortest(run), lib.tabia_playouts_longest(run),
                         {role: _mean_goal(run, i) for i, role in enumerate(machine.roles)})
