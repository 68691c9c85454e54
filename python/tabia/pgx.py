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

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tabia.batch import BatchEnv
from tabia.errors import MisuseError
from tabia.machine import Machine
from tabia.rules import Rules, rules_of

Array = NDArray[Any]


@dataclass(frozen=True)
class State:
    """A batch of states; arrays are its own."""

    current_player: Array
    observation: Array
    rewards: Array
    terminated: Array
    truncated: Array
    legal_action_mask: Array
    position: Array


class Env:
    """Rules in the shape of a pgx environment; illegal actions end the game with -1."""

    def __init__(self, game: Rules | str | os.PathLike[str], threads: int = 1) -> None:
        self.machine, self.threads = Machine(rules_of(game), "auto-many"), threads
        self._batches: dict[int, BatchEnv] = {}
        one = self._batch(1)
        if one.has_percepts or one.nature < len(self.machine.roles):
            raise MisuseError("chance and hidden states have no place here; use BatchEnv")
        self.num_players = len(one.players)
        self.num_actions = max(one.num_actions)
        self.observation_shape = one.fluents.shape[1:]

    def _batch(self, n: int) -> BatchEnv:
        if n not in self._batches:
            self._batches[n] = BatchEnv(self.machine, n, threads=self.threads, autoreset=False,
                                        illegal="lose", observation="bytes")
        return self._batches[n]

    def init(self, n: int) -> State:
        """`n` games at their start."""
        env = self._batch(n)
        env.reset()
        return self._state(env)

    def _state(self, env: BatchEnv) -> State:
        current = env.current_player.copy()
        if (current == -2).any():
            raise MisuseError("several players choose at once; use BatchEnv")
        mask = np.zeros((env.n, self.num_actions), np.bool_)
        for player, legal in enumerate(env.legal_mask):
            mine = current == player
            mask[mine, :legal.shape[1]] = legal[mine]
        mask[env.terminated] = True  # as pgx does, so that a policy has something to draw
        return State(np.maximum(current, 0), env.fluents.astype(np.bool_), env.reward.copy(),
                     env.terminated.copy(), np.zeros(env.n, np.bool_), mask, env.state())

    def step(self, state: State, action: ArrayLike) -> State:
        """The states after an action of who is to move; a game that is over stays as it is."""
        if not isinstance(state, State):
            raise TypeError(f"state must be a tabia.pgx.State, not {type(state).__name__}")
        env = self._batch(len(state.terminated))
        env.set_state(state.position)
        env.step(np.asarray(action))
        new = self._state(env)
        lost = state.terminated & ~env.terminated  # by an illegal action before
        if lost.any():
            new.terminated[lost], new.rewards[lost] = True, 0
            new.position[lost] = state.position[lost]
        return new


def make(game: Rules | str | os.PathLike[str], threads: int = 1) -> Env:
    """An environment of rules, a path, or a built-in game."""
    return Env(game, threads)
