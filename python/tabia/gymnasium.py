"""Gymnasium environments, many games at once or one; needs the package `gymnasium`, 1.1 or later.

One step is one joint move of the rules: in games with turns a player whose turn it is not has one
legal action.  `info["action_mask"]`, int8 as `Discrete.sample` takes it, tells what is legal.

The built-in games are registered when this module is imported, others by `register`:
`gymnasium.make_vec("tabia.gymnasium:tabia/connect-four-v0", num_envs=64)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from tabia import _native as native
from tabia.batch import BatchEnv
from tabia.errors import MisuseError
from tabia.rules import Source, games

Array = NDArray[Any]
MODES = {"NextStep": "next-step", "SameStep": "disabled", "Disabled": "disabled"}


class VectorEnv(gymnasium.vector.VectorEnv):
    """One player learns; the others do what `others` says, or move at random.

    others          is given the BatchEnv and an array (n, players) of legal actions to change
    autoreset_mode  of gymnasium.vector.AutoresetMode, or its value: "NextStep", "SameStep",
                    "Disabled"
    illegal         "lose": an illegal action ends the game with -1, since Gymnasium allows every
                    action of the space; "error": an exception
    max_episode_steps  games that are longer are truncated
    render_mode     "ansi": `render` gives boards as texts; None: it gives nothing

    In a step that ends games in the mode "SameStep", info has "final_obs", an array of objects with
    the last observation of each, None elsewhere, and "final_info" with their masks.  As everywhere
    in Gymnasium, info["_KEY"] tells for which games info["KEY"] is."""

    def __init__(self, game: Source, num_envs: int = 1, player: int = 0,
                 others: Callable[[BatchEnv, Array], None] | None = None,
                 autoreset_mode: Any = "NextStep", observation: str = "float32", seed: int = 1,
                 threads: int = 1, illegal: str = "lose", render_mode: str | None = "ansi",
                 max_episode_steps: int | None = None) -> None:
        mode = getattr(autoreset_mode, "value", autoreset_mode)
        if mode not in MODES:
            raise MisuseError(f"autoreset_mode must be one of {', '.join(MODES)}, not {mode!r}")
        self.mode, self.others = mode, others
        self.env = BatchEnv(game, num_envs, seed, threads, observation, MODES[mode], illegal,
                            masks="bytes", max_steps=max_episode_steps or 0)
        if not self.env.players:
            raise MisuseError("there is no player: the only role is random")
        self.player, self.num_envs = self.env._player(player), num_envs
        self.render_mode = render_mode and native.one_of(render_mode, "render_mode", ("ansi",))
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
        """Observations, rewards, terminations, truncations and infos."""
        wanted = np.asarray(actions)
        if wanted.shape != (self.num_envs,) or wanted.dtype.kind not in "iu":
            raise MisuseError(f"actions must be integers of shape ({self.num_envs},), not "
                              f"{wanted.dtype} of shape {wanted.shape}")
        joint = self.env.sample_actions().astype(np.int64)
        if self.others:
            self.others(self.env, joint)
        over = self.env.terminated | self.env.truncated
        joint[:, self.player] = np.where(over, joint[:, self.player], wanted)
        self.env.step(joint)
        rewards, ended, cut = (np.array(self.env.reward[:, self.player], np.float64),
                               np.array(self.env.terminated), np.array(self.env.truncated))
        seen, info = self._begin_anew(ended | cut) if self.mode == "SameStep" else self._seen()
        return seen, rewards, ended, cut, info

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

    def render(self) -> tuple[str, ...] | None:
        """The board of each game as text; without a render_mode, None."""
        lanes = range(self.num_envs)
        return tuple(self.env.render(lane) for lane in lanes) if self.render_mode else None

    def close_extras(self, **_: Any) -> None:
        """Nothing to close: memory is given back with the object."""


class Env(gymnasium.Env[Array, np.int64]):
    """One game, with the options of VectorEnv but for `num_envs` and `autoreset_mode`.

    In a game with turns a step is a move of either player: wait where the mask has one action."""

    metadata = {"render_modes": ["ansi"]}

    def __init__(self, game: Source, **options: Any) -> None:
        self.vector = VectorEnv(game, 1, autoreset_mode="Disabled", **options)
        self.env, self.render_mode = self.vector.env, self.vector.render_mode
        self.observation_space = self.vector.single_observation_space
        self.action_space = self.vector.single_action_space

    def reset(self, *, seed: int | None = None,
              options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begins a game."""
        super().reset(seed=seed)
        seen, info = self.vector.reset(seed=seed)
        return seen[0], {"action_mask": info["action_mask"][0]}

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Observation, reward, terminated, truncated and info."""
        seen, rewards, ended, cut, info = self.vector.step(np.array([action]))
        return (seen[0], float(rewards[0]), bool(ended[0]), bool(cut[0]),
                {"action_mask": info["action_mask"][0]})

    def render(self) -> str | None:
        """The board as text; without a render_mode, None."""
        return self.env.render() if self.render_mode else None


def register(game: Source, name: str, **options: Any) -> str:
    """Makes a game known to `gymnasium.make` and `gymnasium.make_vec`, and returns the id by which it
    is: "tabia/NAME-v0"."""
    known = f"tabia/{name}-v0"
    gymnasium.register(id=known, entry_point=Env, vector_entry_point=VectorEnv,
                       kwargs={"game": game, **options})
    return known


for _name in games():
    if f"tabia/{_name}-v0" not in gymnasium.registry:
        register(_name, _name)
