"""A Gymnasium vector environment; needs the package `gymnasium`, 1.1 or later.

One step is one joint move of the rules: in games with turns a player whose turn it is not has one
legal action.  `info["action_mask"]` tells what is legal."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from tabia.batch import BatchEnv
from tabia.errors import MisuseError
from tabia.rules import Rules

Array = NDArray[Any]
MODES = {"NextStep": "next-step", "SameStep": "disabled", "Disabled": "disabled"}


class VectorEnv(gymnasium.vector.VectorEnv):
    """One player learns; the others do what `others` says, or move at random.

    others          is given the BatchEnv and an array (n, players) of legal actions to change
    autoreset_mode  of gymnasium.vector.AutoresetMode, or its value: "NextStep", "SameStep",
                    "Disabled" """

    def __init__(self, game: Rules | str | os.PathLike[str], num_envs: int, player: int = 0,
                 others: Callable[[BatchEnv, Array], None] | None = None,
                 autoreset_mode: Any = "NextStep", observation: str = "float32", seed: int = 1,
                 threads: int = 1) -> None:
        mode = getattr(autoreset_mode, "value", autoreset_mode)
        if mode not in MODES:
            raise MisuseError(f"autoreset_mode must be one of {', '.join(MODES)}, not {mode!r}")
        self.mode, self.player, self.others = mode, player, others
        self.env = BatchEnv(game, num_envs, seed, threads, observation, MODES[mode])
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": gymnasium.vector.AutoresetMode(mode)}
        sample = self.env.observe(player)
        high = 255 if observation == "packed" else 1
        box = gymnasium.spaces.Box
        self.single_observation_space = box(0, high, sample.shape[1:], sample.dtype)
        self.single_action_space = gymnasium.spaces.Discrete(self.env.num_actions[player])
        batch = gymnasium.vector.utils.batch_space
        self.observation_space = batch(self.single_observation_space, num_envs)
        self.action_space = batch(self.single_action_space, num_envs)

    def _seen(self) -> tuple[Array, dict[str, Any]]:
        mask = self.env.legal_mask[self.player].copy()
        return self.env.observe(self.player).copy(), {"action_mask": mask}

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, Any]:
        """Begins anew: everywhere, or where options["reset_mask"] says."""
        self.env.reset((options or {}).get("reset_mask"), seed)
        return self._seen()

    def step(self, actions: Any) -> tuple[Any, ...]:
        """Observations, rewards, terminations, truncations (none) and infos."""
        joint = self.env.sample_actions()
        if self.others:
            self.others(self.env, joint)
        joint[:, self.player] = np.where(self.env.terminated, joint[:, self.player], actions)
        self.env.step(joint)
        rewards, ended = self.env.reward[:, self.player].copy(), self.env.terminated.copy()
        seen, info = self._seen()
        if self.mode == "SameStep" and ended.any():
            final, final_info = seen, info
            self.env.reset(ended)
            seen, info = self._seen()
            info.update(final_obs=final, _final_obs=ended, final_info=final_info, _final_info=ended)
        return seen, rewards.astype(np.float64), ended, np.zeros_like(ended), info

    def close_extras(self, **_: Any) -> None:
        """Nothing to close: memory is given back with the object."""
