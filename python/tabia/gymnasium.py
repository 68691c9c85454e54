"""A Gymnasium vector environment; needs the package `gymnasium`, 1.1 or later.

One step is one joint move of the rules: in games with turns a player whose turn it is not has one
legal action.  `info["action_mask"]`, int8 as `Discrete.sample` takes it, tells what is legal."""

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
                    "Disabled"
    illegal         "lose": an illegal action ends the game with -1, since Gymnasium allows every
                    action of the space; "error": an exception

    In a step that ends games in the mode "SameStep", info has "final_obs", an array of objects with
    the last observation of each, None elsewhere, and "final_info" with their masks.  As everywhere
    in Gymnasium, info["_KEY"] tells for which games info["KEY"] is."""

    def __init__(self, game: Rules | str | os.PathLike[str], num_envs: int, player: int = 0,
                 others: Callable[[BatchEnv, Array], None] | None = None,
                 autoreset_mode: Any = "NextStep", observation: str = "float32", seed: int = 1,
                 threads: int = 1, illegal: str = "lose") -> None:
        mode = getattr(autoreset_mode, "value", autoreset_mode)
        if mode not in MODES:
            raise MisuseError(f"autoreset_mode must be one of {', '.join(MODES)}, not {mode!r}")
        self.mode, self.others = mode, others
        self.env = BatchEnv(game, num_envs, seed, threads, observation, MODES[mode], illegal,
                            masks="bytes")
        if not self.env.players:
            raise MisuseError("there is no player: the only role is random")
        self.player, self.num_envs = self.env._player(player), num_envs
        self.render_mode = "ansi"
        self.metadata = {"render_modes": ["ansi"],
                         "autoreset_mode": gymnasium.vector.AutoresetMode(mode)}
        self._set_spaces(255 if observation == "packed" else 1)

    def _set_spaces(self, high: int) -> None:
        sample, batch = self.env.observe(self.player), gymnasium.vector.utils.batch_space
        self.single_observation_space = gymnasium.spaces.Box(0, high, sample.shape[1:],
                                                             sample.dtype.type)
        self.single_action_space = gymnasium.spaces.Discrete(self.env.num_actions[self.player])
        self.observation_space = batch(self.single_observation_space, self.num_envs)
        self.action_space = batch(self.single_action_space, self.num_envs)

    def _seen(self) -> tuple[Array, dict[str, Any]]:
        mask = np.array(self.env.legal_mask[self.player]).view(np.int8)
        return np.array(self.env.observe(self.player)), {
            "action_mask": mask, "_action_mask": np.ones(self.num_envs, np.bool_)}

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, Any]:
        """Begins anew: everywhere, or where options["reset_mask"] says."""
        super().reset(seed=seed)
        self.env.reset((options or {}).get("reset_mask"), seed)
        return self._seen()

    def step(self, actions: Any) -> tuple[Any, ...]:
        """Observations, rewards, terminations, truncations (none) and infos."""
        wanted = np.asarray(actions)
        if wanted.shape != (self.num_envs,) or wanted.dtype.kind not in "iu":
            raise MisuseError(f"actions must be integers of shape ({self.num_envs},), not "
                              f"{wanted.dtype} of shape {wanted.shape}")
        joint = self.env.sample_actions().astype(np.int64)
        if self.others:
            self.others(self.env, joint)
        joint[:, self.player] = np.where(self.env.terminated, joint[:, self.player], wanted)
        self.env.step(joint)
        rewards, ended = self.env.reward[:, self.player], np.array(self.env.terminated)
        result = rewards.astype(np.float64), ended, np.zeros(self.num_envs, np.bool_)
        seen, info = self._begin_anew(ended) if self.mode == "SameStep" else self._seen()
        return seen, *result, info

    def _begin_anew(self, ended: Array) -> tuple[Array, dict[str, Any]]:
        last, final = self._seen()
        if not ended.any():
            return last, final
        self.env.reset(ended)
        seen, info = self._seen()
        final_obs = np.full(self.num_envs, None, dtype=object)
        for lane in np.flatnonzero(ended):
            final_obs[lane] = last[lane]
        final["_action_mask"] = ended
        info.update(final_obs=final_obs, _final_obs=ended, final_info=final, _final_info=ended)
        return seen, info

    def render(self) -> tuple[str, ...]:
        """The fluents that hold in each game, in KIF."""
        return tuple(self.env.machine.text(row.tobytes()) for row in self.env.state())

    def close_extras(self, **_: Any) -> None:
        """Nothing to close: memory is given back with the object."""
