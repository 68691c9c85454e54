"""Many games at once, in numpy arrays that are written in place."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tabia import _native as native
from tabia._native import Limits, Log
from tabia._tabia import ffi, lib
from tabia.board import Board
from tabia.buffers import zeros
from tabia.errors import IllegalActionError, MisuseError
from tabia.machine import Machine
from tabia.rules import Rules, Source, machine_of

Array = NDArray[Any]

LAYOUTS = {"packed": (lib.TABIA_BITS, np.uint8), "bytes": (lib.TABIA_BYTES, np.uint8),
           "float32": (lib.TABIA_FLOATS, np.float32)}
AUTORESET = {"disabled": lib.TABIA_ENDING_STAYS, "same-step": lib.TABIA_ENDING_SAME_STEP,
             "next-step": lib.TABIA_ENDING_NEXT_STEP}
CHANCE, SIMULTANEOUS, TERMINAL = -1, -2, -4
MOST_MEMORY = 8 << 30  # of a machine that is made here


MASKS, FLUENTS, PERCEPTS = lib.TABIA_LOOK_MASKS, lib.TABIA_LOOK_FLUENTS, lib.TABIA_LOOK_PERCEPTS
SAMPLE, CURRENT = lib.TABIA_LOOK_SAMPLE, lib.TABIA_LOOK_CURRENT


def _memory(array: Array) -> Any:
    return ffi.from_buffer(array) if array.size else ffi.NULL


class _Answers:
    """Buffers for answers about all lanes, one for each role that is given."""

    def __init__(self, machine: Machine, what: int, roles: list[int], layout: str,
                 lanes: int) -> None:
        number, kind = LAYOUTS[layout]
        self.c, arrays = ffi.new("tabia_look[]", len(roles)), []
        for look, role in zip(self.c, roles):
            width = machine.width(what, role)
            columns = (width + 63) // 64 * 8 if layout == "packed" else width
            array = zeros((lanes, columns), kind)
            look.what, look.role, look.layout = what, role, number
            look.stride, look.out = array.strides[0] if array.size else 0, _memory(array)
            arrays.append(array)
        self.arrays = tuple(arrays)


class BatchEnv(native.Shared, native.Bound):
    """`n` games of the same rules, stepped together.

    game         rules, a path, a text, the name of a built-in game, a Game, or a Machine to use
    seed         of chance and of `sample_actions`
    threads      that share the work; results do not depend on them
    observation  "packed": bit i % 8 of byte i // 8; "bytes": 0 or 1; "float32"
    masks        the same of `legal_mask`; None: as observations
    autoreset    "same-step" (or True): a game that ends begins anew at once; "next-step": the step
                 behind its end does nothing but begin it anew; "disabled" (or False): it waits
    machine      one that gives numbers to moves and fluents; where making it may take at most so much
                 time or memory, make it beforehand: `BatchEnv(rules.machine("lanes", seconds=60), n)`
    illegal      "error": an exception; "lose": the game ends with -1 for who made the action
    max_steps    a game that has not ended by then is cut, without reward; 0: never

    players      names of all roles but `random`, which is chance and draws its own moves
    num_actions  of each player: how many actions it has, numbered from 0
    reward       float32 (n, players): of games that the last step has ended, -1 to 1; else 0
    goals        int32 (n, players): of the last game that ended in each place, 0 to 100; -2**31
                 where the player had none, or several
    terminated   bool (n,): the last step ended the game; where nothing begins anew: it is over
    truncated    bool (n,): likewise, of games that were cut
    has_percepts GDL-II: do players see percepts, and not the state?

    Buffers are made once, and a step writes into them: `reward`, `terminated`, `truncated`, and what was
    asked for since the step before; the rest is written when it is asked for.  Copy what is to be kept.  What
    `sample_actions` gave stays while the next actions are drawn.

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

    def __init__(self, game: Source, n: int = 1, seed: int = 1, threads: int = 1, observation: str = "bytes",
                 autoreset: bool | str = True, illegal: str = "error",
                 machine: str = "lanes", masks: str | None = None,
                 max_steps: int = 0) -> None:
        super().__init__()
        self.n = native.whole(n, "the number of environments", 1, 2**24)
        self.threads = native.whole(threads, "threads", 1, 1024)
        self.layout = native.one_of(observation, "observation", LAYOUTS)
        self.mask_layout = native.one_of(observation if masks is None else masks, "masks",
                                         LAYOUTS)
        ending = native.ending(autoreset, AUTORESET)
        loses = native.one_of(illegal, "illegal", ("error", "lose")) == "lose"
        seed = native.whole(seed, "seed", 0, 2**64 - 1)
        self.machine = machine_of(game, machine, MOST_MEMORY)
        self.machine._require_numbers()
        self._born = native.generation()
        self._board: Board | None = None
        self._batch = self._new_batch()
        self._make_buffers()
        self._make_env(seed, ending, loses)
        self._env.max_steps = native.whole(max_steps, "max_steps", 0, 2**32 - 1)

    # ---- making ----

    def _new_batch(self, limits: Any = ffi.NULL) -> Any:
        log, batch = Log(), ffi.new("tabia_batch **")
        machine = self.machine._c
        status = lib.tabia_batch_new(batch, machine, self.n, self.threads, limits, log.c)
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

        def answers(what: int, roles: list[int], layout: str) -> _Answers:
            return _Answers(self.machine, what, roles, layout, lanes)

        self._masks = answers(lib.TABIA_LEGAL, self._roles, self.mask_layout)
        self._mask_arrays = self._masks.arrays
        self._fluents = answers(lib.TABIA_FLUENTS, [0], self.layout)
        self._percepts = answers(lib.TABIA_PERCEPTS, self._roles, self.layout)
        self._seen: Array | tuple[Array, ...] = (
            self._percepts.arrays if self.has_percepts else self._fluents.arrays[0])
        self._seen_look = PERCEPTS if self.has_percepts else FLUENTS
        self.reward = zeros((lanes, len(self.players)), np.float32)
        self.goals = zeros((lanes, len(self.players)), np.int32)
        self.terminated, self.truncated = zeros((lanes,), np.bool_), zeros((lanes,), np.bool_)
        self._current = zeros((lanes,), np.int32)
        self._samples = tuple(zeros((lanes, len(self.players)), np.uint32) for _ in range(2))
        self._sample_memory = tuple(ffi.from_buffer("tabia_move[]", array)
                                    for array in self._samples)

    def _make_env(self, seed: int, ending: Any, loses: bool) -> None:
        players, roles = len(self.players), len(self.machine.roles)
        widest = max((count + 63) // 64 for count in (*self.num_actions, 1))
        scratch = {"joints": np.zeros((self.n, roles), np.uint32),
                   "drawn": np.zeros((self.n, roles), np.uint32),
                   "terminated": self.terminated, "reward": self.reward, "goals": self.goals,
                   "current": self._current,
                   "truncated": self.truncated, "age": np.zeros(self.n, np.uint32),
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
            setattr(env, name, ffi.cast(ffi.typeof(getattr(env, name)), _memory(array)))
        self._parts = ffi.new("tabia_env_part[]", (self.n - 1) // lib.TABIA_BLOCK + 1)
        env.sample, env.parts, env.mask_words = self._sample_memory, self._parts, widest
        env.masks, env.fluents, env.percepts = self._masks.c, self._fluents.c, self._percepts.c
        env.batch, env.lanes, env.roles, env.players = self._batch, self.n, roles, players
        env.nature, env.seed, env.ending, env.illegal_loses = self.nature, seed, ending, loses
        self._env = env
        self._drawn = 0  # samples; as env.samples, which takes longer to ask
        self._ready_looks = self._asked_looks = 0

    # ---- what every call needs ----

    def _ready(self) -> Any:
        if self.threads > 1 and self._born != native.generation():
            raise RuntimeError("this BatchEnv was made before a fork, and its threads stayed in "
                               "the parent: make a new one in the child")
        return self._lock

    def _look(self, look: int) -> None:
        """Gets an answer ready, unless the last step has done so since it was asked for before."""
        with self._ready():
            if not self._ready_looks & look:
                lib.tabia_env_look(self._env, look)
                self._ready_looks |= look
                self._drawn += look == SAMPLE

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
                self._env.steps = self._env.samples = self._drawn = 0
            self._ready_looks = 0
            lib.tabia_env_reset(self._env, which)
            chosen: Any = slice(None) if mask is None else np.asarray(mask)
            self.reward[chosen] = 0
            self.terminated[chosen] = self.truncated[chosen] = False

    def _actions(self, actions: ArrayLike) -> tuple[Any, int]:
        array = np.asarray(actions)
        if array.dtype.kind not in "iu":
            raise MisuseError(f"actions must be integers, not {array.dtype}")
        players = len(self.players)
        if array.shape not in ((self.n, players), (self.n,)):
            raise MisuseError(f"actions must have the shape ({self.n}, {players}), one for each of "
                              f"{self.players}, or ({self.n},) where one player chooses; "
                              f"not {array.shape}")
        if array.dtype != np.uint32 or not (array.flags.c_contiguous and array.flags.aligned):
            fits = (array >= 0) & (array < lib.TABIA_NO_MOVE)
            array = np.where(fits, array, lib.TABIA_NO_MOVE).astype(np.uint32, order="C")
        return array, players if array.ndim == 2 else 1

    def step(self, actions: ArrayLike) -> None:
        """Makes these moves in all games that are not over.

        actions  integers of shape (n, players), or of shape (n,) for the player whose turn it is:
                 then players without a choice make their only move.  uint32 without gaps is not
                 copied."""
        if actions is self._samples[0] or actions is self._samples[1]:
            memory = self._sample_memory[0 if actions is self._samples[0] else 1]
            width = len(self.players)
        else:
            array, width = self._actions(actions)
            memory = ffi.from_buffer("tabia_move[]", array)
        with self._ready():
            looks, self._asked_looks, self._ready_looks = self._asked_looks, 0, 0
            result = lib.tabia_env_step(self._env, memory, width, looks)
            if result:
                self._refuse(result, actions)
            self._ready_looks = looks
            self._drawn += looks & SAMPLE and 1

    def _refuse(self, result: int, actions: ArrayLike) -> None:
        self._drawn = self._env.samples
        if result == lib.TABIA_ENV_TROUBLE:
            log = Log()
            log.check(lib.tabia_batch_status(self._batch, log.c))
        if result == lib.TABIA_ENV_SIMULTANEOUS:
            raise MisuseError("several players choose at once: actions must have the shape "
                              f"({self.n}, {len(self.players)})")
        lanes = tuple(int(i) for i in np.flatnonzero(self._scratch["illegal"]))
        raise IllegalActionError(
            f"illegal actions in {len(lanes)} of {self.n} environments, which stay as they are; "
            f"{self._illegal_in(lanes[0], actions)}; see legal_mask, or choose illegal='lose'", lanes)

    def _illegal_in(self, lane: int, actions: ArrayLike) -> str:
        """What is wrong with the actions of an environment."""
        given, positions = np.asarray(actions)[lane], self._positions()
        for player, role in enumerate(self._roles):
            legal = self.machine.legal(positions[lane].tobytes(), role)
            action = given if given.ndim == 0 else given[player]
            if action not in legal and (given.ndim or len(legal) > 1):
                break
        if not legal:
            return (f"in environment {lane} {self.players[player]} has no legal action at all, which "
                    "is a fault of the rules")
        return (f"in environment {lane} {self.players[player]} has no action {action}; legal are "
                f"{sorted(legal)[:20]}")

    def sample_actions(self) -> Array:
        """Legal actions of all players, drawn uniformly; shape (n, players), written in place."""
        self._asked_looks |= SAMPLE
        if not self._ready_looks & SAMPLE:
            self._look(SAMPLE)
        self._ready_looks &= ~SAMPLE
        return self._samples[(self._drawn - 1) & 1]

    # ---- looking ----

    @property
    def legal_mask(self) -> tuple[Array, ...]:
        """Of each player: which of its actions are legal, in the layout `masks`."""
        self._asked_looks |= MASKS
        if not self._ready_looks & MASKS:
            self._look(MASKS)
        return self._mask_arrays

    @property
    def fluents(self) -> Array:
        """Which fluents hold: the state, also where players do not know it."""
        self._asked_looks |= FLUENTS
        if not self._ready_looks & FLUENTS:
            self._look(FLUENTS)
        return self._fluents.arrays[0]

    def observe(self, player: int) -> Array:
        """What a player sees: the state, or, in GDL-II, its percepts of the last step."""
        player, seen = self._player(player), self.observation
        return seen[player] if isinstance(seen, tuple) else seen

    @property
    def observation(self) -> Array | tuple[Array, ...]:
        """The state; in GDL-II, of each player what it has seen of the last step."""
        self._asked_looks |= self._seen_look
        if not self._ready_looks & self._seen_look:
            self._look(self._seen_look)
        return self._seen

    @property
    def current_player(self) -> Array:
        """Who has a choice: a player, -1: chance, -2: several, -4: nobody, the game is over."""
        self._asked_looks |= CURRENT
        if not self._ready_looks & CURRENT:
            self._look(CURRENT)
        return self._current

    # ---- states ----

    def state(self) -> Array:
        """The positions of all games, as bytes: a new array that `set_state` takes."""
        with self._ready():
            return self._positions()

    def _positions(self) -> Array:
        positions = zeros((self.n, self.machine.position_size), np.uint8)
        if positions.size:
            lib.tabia_batch_store(self._batch, ffi.from_buffer(positions))
        return positions

    def _are_positions(self, array: Array) -> bool:
        byte, bit = divmod(self.machine._bits, 8)
        beyond = array[:, byte:]
        return not (beyond[:, :1] >> bit).any() and not beyond[:, 1:].any()

    def set_state(self, positions: ArrayLike, mask: ArrayLike | None = None) -> None:
        """Puts positions of `state`, or of the same machine, into all games or where it is said."""
        array = np.require(positions, requirements=["C", "A"])
        wanted = (self.n, self.machine.position_size)
        if array.dtype != np.uint8 or array.shape != wanted:
            raise MisuseError(f"positions must be uint8 of shape {wanted}, not {array.dtype} of "
                              f"shape {array.shape}")
        if not self._are_positions(array):
            raise MisuseError("these bytes are no positions of this machine: only the first "
                              f"{self.machine._bits} bits of each mean something")
        if array.ctypes.data % 8:
            array = array.copy()
        which = self._which(mask)
        with self._ready():
            self._ready_looks = 0
            if array.size:
                lib.tabia_env_put(self._env, ffi.from_buffer(array), array.shape[1], which)
            chosen: Any = slice(None) if mask is None else np.asarray(mask)
            self.reward[chosen] = 0
            self.terminated[chosen] = self._scratch["over"][chosen]
            self.truncated[chosen] = False

    def playouts(self, games: int = 1, seed: int = 1, first: int = 0, max_steps: int = 0,
                 random: str = "stream") -> Array:
        """Goals, (n, games, roles), of random games from the state of each; -1: none.

        `random="counter"`: the games are the same on `lanes` and `gpu`.
        """
        word = native.one_of(random, "random", ("stream", "counter"))
        games, top = native.whole(games, "games", 1, 2**24), 2**64 - 1
        numbers = [native.whole(value, name, 0, top) for value, name in
                   ((seed, "seed"), (first, "first"), (max_steps, "max_steps"))]
        goals, positions = zeros((self.n, games, len(self.machine.roles)), np.int32), self.state()
        log = Log()
        with Limits() as limits:  # a batch of its own, which Ctrl-C may leave in trouble
            batch = self._new_batch(limits.c)
            if not lib.tabia_batch_set_random(batch, word.encode()):
                raise MisuseError(f"the machine {self.machine.kind!r} has no random={random!r}; "
                                  "use machine='lanes'")
            lib.tabia_batch_load(batch, _memory(positions), self.n)
            status = lib.tabia_batch_play(batch, numbers[0], numbers[1], games, numbers[2],
                                          ffi.from_buffer("int32_t[]", goals), log.c)
        log.check(status)
        goals[goals == lib.TABIA_NO_GOAL] = -1
        return goals

    @property
    def rules(self) -> Rules:
        """What is played."""
        return self.machine.rules

    def role_of(self, player: int) -> int:
        """The role that a player has in the rules: its number for `machine`."""
        return self._roles[self._player(player)]

    def action_to_string(self, player: int, action: int) -> str:
        """An action in KIF."""
        return self.machine.move_text(self.role_of(player), action)

    def render(self, lane: int = 0, format: str = "text") -> str:
        """The board of one game, as "text" or "svg".

        >>> import tabia
        >>> print(tabia.BatchEnv("nim").render(), end="")
         3 4 5 7
         a b c d
        <BLANKLINE>
        control: first
        """
        lane = native.whole(lane, "lane", 0, self.n - 1)
        if self._board is None:
            self._board = self.machine.board()
        return self._board.draw(self.state()[lane].tobytes(), format)

    def __repr__(self) -> str:
        return f"<tabia.BatchEnv {self.n} of {self.machine.rules.name!r}>"
