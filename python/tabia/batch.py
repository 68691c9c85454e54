"""Many games at once, in numpy arrays that are written in place."""

from __future__ import annotations

import os
import threading
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tabia import _native as native
from tabia._native import Log
from tabia._tabia import ffi, lib
from tabia.errors import IllegalActionError, MisuseError
from tabia.machine import Machine
from tabia.rules import Rules, rules_of

Array = NDArray[Any]

LAYOUTS = {"packed": (lib.TABIA_BITS, np.uint8), "bytes": (lib.TABIA_BYTES, np.uint8),
           "float32": (lib.TABIA_FLOATS, np.float32)}
AUTORESET = {"disabled": lib.TABIA_ENDING_STAYS, "same-step": lib.TABIA_ENDING_SAME_STEP,
             "next-step": lib.TABIA_ENDING_NEXT_STEP}
CHANCE, SIMULTANEOUS, TERMINAL = -1, -2, -4


def _one_of(value: str, name: str, known: Any) -> str:
    if value not in known:
        raise MisuseError(f"{name} must be one of {', '.join(map(repr, known))}, not {value!r}")
    return value


def _autoreset(value: bool | str) -> Any:
    word = value if isinstance(value, str) else "same-step" if value else "disabled"
    return AUTORESET[_one_of(word, "autoreset", AUTORESET)]


class _Answer:
    """A buffer for one answer about all lanes, and how to fill it."""

    def __init__(self, machine: Machine, what: int, role: int, layout: str, lanes: int) -> None:
        self.what, self.role = what, role
        self.layout, kind = LAYOUTS[layout]
        self.width = machine.width(what, role)
        columns = (self.width + 63) // 64 * 8 if layout == "packed" else self.width
        self.array: Array = np.zeros((lanes, columns), kind)
        self.call = (what, role, self.layout, ffi.from_buffer(self.array) if self.array.size
                     else ffi.NULL)  # what tabia_batch_read is given behind the batch


class BatchEnv:
    """`n` games of the same rules, stepped together.

    game         rules, a path, a text, or the name of a built-in game
    seed         of chance and of `sample_actions`
    threads      that share the work; results do not depend on them
    observation  "packed": bit i % 8 of byte i // 8; "bytes": 0 or 1; "float32"
    autoreset    "same-step" (or True): a game that ends begins anew at once; "next-step": the step
                 behind its end does nothing but begin it anew; "disabled" (or False): it waits
    illegal      "error": an exception; "lose": the game ends with -1 for who made the action

    Players are all roles but `random`, which is chance and draws its own moves.  Buffers
    are made once: `reward` and `terminated` are written by each step, `observation` and
    `legal_mask` whenever they are asked for.  Copy what is to be kept.

    >>> import tabia
    >>> env = tabia.BatchEnv("tic-tac-toe", 4, observation="bytes")
    >>> env.legal_mask[0].sum(axis=1)
    array([9, 9, 9, 9], dtype=uint64)
    >>> env.step(env.sample_actions())
    >>> env.current_player
    array([1, 1, 1, 1], dtype=int32)
    >>> env.reward.shape, bool(env.terminated.any())
    ((4, 2), False)
    """

    def __init__(self, game: Rules | Machine | str | os.PathLike[str], n: int = 1,
                 seed: int = 1, threads: int = 1, observation: str = "bytes",
                 autoreset: bool | str = True, illegal: str = "error",
                 machine: str = "auto-many") -> None:
        self.n = native.whole(n, "the number of environments", 1, 2**24)
        self.threads = native.whole(threads, "threads", 1, 1024)
        self.layout = _one_of(observation, "observation", LAYOUTS)
        ending, loses = _autoreset(autoreset), _one_of(illegal, "illegal", ("error", "lose"))
        seed = native.whole(seed, "seed", 0, 2**64 - 1)
        self.machine = game if isinstance(game, Machine) else Machine(rules_of(game), machine)
        if not self.machine.width(lib.TABIA_FLUENTS):
            raise MisuseError(f"the machine {self.machine.kind!r} has no fixed numbers of moves; "
                              "use machine='lanes' or 'circuit'")
        self._lock, self._born = threading.Lock(), native.generation()
        self._batch = self._new_batch()
        self._make_buffers()
        self._make_env(seed, ending, loses == "lose")

    # ---- making ----

    def _new_batch(self) -> Any:
        log, batch = Log(), ffi.new("tabia_batch **")
        machine = self.machine._c
        status = lib.tabia_batch_new(batch, machine, self.n, self.threads, ffi.NULL, log.c)
        made = native.owned(batch[0], lib.tabia_batch_free, machine, threads=self.threads > 1)
        log.check(status)
        return made

    def _make_buffers(self) -> None:
        roles, lanes = self.machine.roles, self.n
        self.nature = roles.index("random") if "random" in roles else len(roles)
        self._roles = [i for i in range(len(roles)) if i != self.nature]
        self.players = tuple(roles[i] for i in self._roles)
        self.num_actions = tuple(self.machine.move_count(role) for role in self._roles)
        self.has_percepts = self.machine.has_percepts()

        def answer(what: int, role: int) -> _Answer:
            return _Answer(self.machine, what, role, self.layout, lanes)

        self._masks = [answer(lib.TABIA_LEGAL, role) for role in self._roles]
        self._mask_arrays = tuple(answer.array for answer in self._masks)
        self._fluents = answer(lib.TABIA_FLUENTS, 0)
        self._percepts = [answer(lib.TABIA_PERCEPTS, role) for role in self._roles]
        self.reward: Array = np.zeros((lanes, len(self.players)), np.float32)
        self.goals: Array = np.zeros((lanes, len(self.players)), np.int32)
        self.terminated: Array = np.zeros(lanes, np.bool_)
        self._current: Array = np.zeros(lanes, np.int32)
        self._sample: Array = np.zeros((lanes, len(self.players)), np.uint32)
        self._sample_memory = ffi.from_buffer("tabia_move[]", self._sample)

    def _make_env(self, seed: int, ending: Any, loses: bool) -> None:
        players, roles = len(self.players), len(self.machine.roles)
        widest = max((count + 63) // 64 for count in (*self.num_actions, 1))
        scratch = {"joints": np.zeros((self.n, roles), np.uint32),
                   "drawn": np.zeros((self.n, roles), np.uint32),
                   "terminated": self.terminated, "reward": self.reward, "goals": self.goals,
                   "over": np.zeros(self.n, np.bool_), "illegal": np.zeros(self.n, np.bool_),
                   "now": np.zeros(self.n, np.bool_), "lost": np.zeros(self.n, np.bool_),
                   "ended": np.zeros(self.n, np.uint32),
                   "column": np.zeros(self.n, np.int32),
                   "counts": np.zeros((players + 1, self.n), np.uint32),
                   "mask": np.zeros((self.n, widest), np.uint64),
                   "player_roles": np.array(self._roles, np.uint32),
                   "move_counts": np.array(self.num_actions, np.uint32)}
        self._scratch, env = scratch, ffi.new("tabia_env *")
        for name, array in scratch.items():
            kind = ffi.typeof(getattr(env, name))
            memory = ffi.from_buffer(array) if array.size else ffi.NULL
            setattr(env, name, ffi.cast(kind, memory))
        env.batch, env.lanes, env.roles, env.players = self._batch, self.n, roles, players
        env.nature, env.seed, env.ending, env.illegal_loses = self.nature, seed, ending, loses
        self._env = env

    # ---- what every call needs ----

    def _ready(self) -> threading.Lock:
        if self._born != native.generation() and self.threads > 1:
            raise RuntimeError("this BatchEnv was made before a fork, and its threads stayed in "
                               "the parent: make a new one in the child")
        return self._lock

    def _read(self, answer: _Answer) -> Array:
        lib.tabia_batch_read(self._batch, *answer.call)
        return answer.array

    def _player(self, player: int) -> int:
        return native.whole(player, "player", 0, len(self.players) - 1)

    def _which(self, mask: ArrayLike | None) -> Any:
        if mask is None:
            return ffi.NULL
        array = np.ascontiguousarray(mask)
        if array.dtype != np.bool_ or array.shape != (self.n,):
            raise MisuseError(f"a mask must be bool of shape ({self.n},), not {array.dtype} of "
                              f"shape {array.shape}")
        return ffi.from_buffer("bool[]", array)

    # ---- stepping ----

    def reset(self, mask: ArrayLike | None = None, seed: int | None = None) -> None:
        """Begins anew: everywhere, or where the mask holds."""
        which = self._which(mask)
        with self._ready():
            if seed is not None:
                self._env.seed = native.whole(seed, "seed", 0, 2**64 - 1)
                self._env.steps = self._env.samples = 0
            lib.tabia_env_reset(self._env, which)
            chosen: Any = slice(None) if mask is None else np.asarray(mask)
            self.reward[chosen] = 0
            self.terminated[chosen] = False

    def _actions(self, actions: ArrayLike) -> tuple[Any, int]:
        array = np.asarray(actions)
        if array.dtype.kind not in "iu":
            raise MisuseError(f"actions must be integers, not {array.dtype}")
        players = len(self.players)
        if array.shape not in ((self.n, players), (self.n,)):
            raise MisuseError(f"actions must have the shape ({self.n}, {players}), one for each of "
                              f"{self.players}, or ({self.n},) where one player chooses; "
                              f"not {array.shape}")
        if array.dtype != np.uint32 or not array.flags.c_contiguous:
            fits = (array >= 0) & (array < lib.TABIA_NO_MOVE)
            array = np.where(fits, array, lib.TABIA_NO_MOVE).astype(np.uint32)
        return array, players if array.ndim == 2 else 1

    def step(self, actions: ArrayLike) -> None:
        """Makes these moves in all games that are not over.

        actions  integers of shape (n, players), or of shape (n,) for the player whose turn it is:
                 then players without a choice make their only move.  uint32 without gaps is not
                 copied."""
        if actions is self._sample:
            memory, width = self._sample_memory, len(self.players)
        else:
            array, width = self._actions(actions)
            memory = ffi.from_buffer("tabia_move[]", array)
        with self._ready():
            result = lib.tabia_env_step(self._env, memory, width)
            if result:
                self._refuse(result)

    def _refuse(self, result: int) -> None:
        if result == lib.TABIA_ENV_SIMULTANEOUS:
            raise MisuseError("several players choose at once: actions must have the shape "
                              f"({self.n}, {len(self.players)})")
        lanes = tuple(int(i) for i in np.flatnonzero(self._scratch["illegal"]))
        raise IllegalActionError(
            f"{len(lanes)} actions are not legal, the first in environment {lanes[0]}, which stays "
            "as it is; see legal_mask, or choose illegal='lose'", lanes)

    def sample_actions(self) -> Array:
        """Legal actions of all players, drawn uniformly; shape (n, players), written in place."""
        with self._ready():
            lib.tabia_env_sample(self._env, self._sample_memory)
        return self._sample

    # ---- looking ----

    @property
    def legal_mask(self) -> tuple[Array, ...]:
        """Of each player: which of its actions are legal, in the layout of observations."""
        with self._ready():
            for answer in self._masks:
                lib.tabia_batch_read(self._batch, *answer.call)
        return self._mask_arrays

    @property
    def fluents(self) -> Array:
        """Which fluents hold: the state, also where players do not know it."""
        with self._ready():
            return self._read(self._fluents)

    def observe(self, player: int) -> Array:
        """What a player sees: the state, or, in GDL-II, its percepts of the last step."""
        if not self.has_percepts:
            return self.fluents
        with self._ready():
            return self._read(self._percepts[self._player(player)])

    @property
    def observation(self) -> Array | tuple[Array, ...]:
        """The state; in GDL-II, of each player what it has seen of the last step."""
        if not self.has_percepts:
            with self._ready():
                return self._read(self._fluents)
        return tuple(self.observe(player) for player in range(len(self.players)))

    @property
    def current_player(self) -> Array:
        """Who has a choice: a player, -1: chance, -2: several, -4: nobody, the game is over."""
        with self._ready():
            lib.tabia_env_choosers(self._env, ffi.from_buffer("int32_t[]", self._current))
        return self._current

    # ---- states ----

    def state(self) -> Array:
        """The positions of all games, as bytes: a new array that `set_state` takes."""
        positions = np.zeros((self.n, self.machine.position_size), np.uint8)
        with self._ready():
            if positions.size:
                lib.tabia_batch_store(self._batch, ffi.from_buffer(positions))
        return positions

    def set_state(self, positions: ArrayLike, mask: ArrayLike | None = None) -> None:
        """Puts positions of `state`, or of the same machine, into all games or where it is said."""
        array = np.require(positions, requirements=["C", "A"])
        wanted = (self.n, self.machine.position_size)
        if array.dtype != np.uint8 or array.shape != wanted:
            raise MisuseError(f"positions must be uint8 of shape {wanted}, not {array.dtype} of "
                              f"shape {array.shape}")
        if array.ctypes.data % 8:
            array = array.copy()
        which = self._which(mask)
        with self._ready():
            if array.size:
                lib.tabia_env_put(self._env, ffi.from_buffer(array), which)
            chosen: Any = slice(None) if mask is None else np.asarray(mask)
            self.reward[chosen] = 0
            self.terminated[chosen] = self._scratch["over"][chosen]

    def playouts(self, games: int = 1, seed: int = 1, first: int = 0, max_steps: int = 0) -> Array:
        """Goals, (n, games, roles), of random games from the state of each; -1: none."""
        games = native.whole(games, "games", 1, 2**24)
        goals = np.zeros((self.n, games, len(self.machine.roles)), np.int32)
        log = Log()
        with self._ready():
            log.check(lib.tabia_batch_play(self._batch, seed, first, games, max_steps,
                                           ffi.from_buffer("int32_t[]", goals), log.c))
        goals[goals == lib.TABIA_NO_GOAL] = -1
        return goals

    def action_to_string(self, player: int, action: int) -> str:
        """An action in KIF."""
        return self.machine.move_text(self._roles[self._player(player)], action)

    def __repr__(self) -> str:
        return f"<tabia.BatchEnv {self.n} of {self.machine.rules.name!r}>"
