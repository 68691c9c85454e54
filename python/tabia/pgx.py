"""The shape of pgx: states are values, `step` gives a new one.  Needs nothing but numpy.

For games with turns, without chance and hidden states; a state is about a whole batch.

>>> import tabia.pgx
>>> env = tabia.pgx.make("tic-tac-toe")
>>> state = env.init(4)
>>> state = env.step(state, state.legal_action_mask.argmax(axis=1))
>>> state.current_player.tolist(), state.rewards.shape
([1, 1, 1, 1], (4, 2))
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tabia import _native as native
from tabia.batch import BatchEnv
from tabia.errors import MisuseError
from tabia.rules import Source, machine_of

Array = NDArray[Any]


@dataclass(frozen=True)
class State:
    """A batch of states; arrays are its own, the first dimension is the game.

    current_player     int32
    observation        bool, fluents
    rewards            float32, of each player
    terminated         bool; then every action is legal, and changes nothing
    truncated          bool: never
    legal_action_mask  bool"""

    current_player: Array
    observation: Array
    rewards: Array
    terminated: Array
    truncated: Array
    legal_action_mask: Array
    position: Array
    _step_count: Array

    def replace(self, **changes: Any) -> State:
        """The same but for these."""
        return dataclasses.replace(self, **changes)


class Env(native.Shared):
    """Rules in the shape of a pgx environment; illegal actions end the game with -1.  Threads can
    share it: their calls take turns."""

    version = "tabia"

    def __init__(self, game: Source, threads: int = 1) -> None:
        super().__init__()
        self.machine, self.threads = machine_of(game, "lanes"), threads
        self._batches: dict[int, BatchEnv] = {}
        one = self._batch(1)
        if one.has_percepts or one.nature < len(self.machine.roles):
            raise MisuseError("chance and hidden states have no place here; use BatchEnv")
        self.id = self.machine.rules.name
        self.num_players = len(one.players)
        self.num_actions = max(one.num_actions)
        self.observation_shape = one.fluents.shape[1:]

    def __reduce__(self) -> tuple[Any, ...]:
        return Env, (self.machine, self.threads)

    def _batch(self, n: int) -> BatchEnv:
        if n not in self._batches:
            self._batches[n] = BatchEnv(self.machine, n, threads=self.threads, autoreset=False,
                                        illegal="lose", observation="bytes")
        return self._batches[n]

    def init(self, n: Any) -> State:
        """`n` games at their start; or one for each of several keys, which have no effect."""
        with self._lock:
            env = self._batch(len(n) if isinstance(n, np.ndarray) and n.ndim else n)
            env.reset()
            return self._state(env, np.zeros(env.n, np.int32))

    def _state(self, env: BatchEnv, steps: Array) -> State:
        current = np.array(env.current_player)
        if (current == -2).any():
            raise MisuseError("several players choose at once; use BatchEnv")
        mask = np.zeros((env.n, self.num_actions), np.bool_)
        for player, legal in enumerate(env.legal_mask):
            mine = current == player
            mask[mine, :legal.shape[1]] = legal[mine]
        mask[env.terminated] = True  # as pgx does, so that a policy has something to draw
        return State(np.maximum(current, 0), np.array(env.fluents, np.bool_), np.array(env.reward),
                     np.array(env.terminated), np.zeros(env.n, np.bool_), mask,
                     np.array(env.state()), steps)

    def step(self, state: State, action: ArrayLike, key: Any = None) -> State:
        """The states after an action of who is to move; a game that is over stays as it is.  A key has
        no effect, since there is no chance."""
        over, wanted = _checked(state).terminated, np.asarray(action)
        if wanted.shape != over.shape or wanted.dtype.kind not in "iu":
            raise MisuseError(f"actions must be integers of shape {over.shape}, not "
                              f"{wanted.dtype} of shape {wanted.shape}")
        with self._lock:
            env = self._batch(len(over))
            env.set_state(state.position)
            joint = env.sample_actions().astype(np.int64)  # the others have one action
            joint[np.arange(env.n), state.current_player] = wanted
            env.step(joint)
            new = self._state(env, state._step_count + ~over)
        for field in dataclasses.fields(State):  # a game that was lost is no terminal state
            getattr(new, field.name)[over] = getattr(state, field.name)[over]
        new.rewards[over] = 0
        return new

    def observe(self, state: State, player_id: Any = None) -> Array:
        """What players observe: the fluents, the same for each."""
        return _checked(state).observation


def _checked(state: object) -> State:
    if not isinstance(state, State):
        raise TypeError(f"state must be a tabia.pgx.State, not {type(state).__name__}")
    return state


def make(game: Source, threads: int = 1) -> Env:
    """An environment of rules, a path, or a built-in game."""
    return Env(game, threads)
