"""A PettingZoo parallel environment; needs the package `pettingzoo`.

One step is one joint move of the rules, and every player acts in it: whose turn it is not has one
legal action.  Chance moves by itself."""

from __future__ import annotations

import os
from typing import Any

import gymnasium
import numpy as np
import pettingzoo

from tabia.batch import BatchEnv
from tabia.rules import Rules


class ParallelEnv(pettingzoo.ParallelEnv):
    """One game; observations are {"observation": ..., "action_mask": ...} of each agent."""

    metadata = {"name": "tabia", "render_modes": ["ansi"]}

    def __init__(self, game: Rules | str | os.PathLike[str], seed: int = 1,
                 observation: str = "bytes") -> None:
        self.env = BatchEnv(game, 1, seed, observation=observation, autoreset=False)
        self.possible_agents = list(self.env.players)
        self.agents = list(self.possible_agents)
        self.render_mode = "ansi"
        self._spaces = {agent: self._space(i) for i, agent in enumerate(self.possible_agents)}
        self._actions = {agent: gymnasium.spaces.Discrete(count)
                         for agent, count in zip(self.possible_agents, self.env.num_actions)}

    def _space(self, player: int) -> Any:
        box = gymnasium.spaces.Box
        seen, mask = self.env.observe(player), self.env.legal_mask[player]
        high = 255 if self.env.layout == "packed" else 1
        return gymnasium.spaces.Dict({"observation": box(0, high, seen.shape[1:], seen.dtype),
                                      "action_mask": box(0, high, mask.shape[1:], mask.dtype)})

    def observation_space(self, agent: str) -> Any:
        """The space of what an agent observes."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions."""
        return self._actions[agent]

    def _seen(self) -> dict[str, Any]:
        masks = self.env.legal_mask
        return {agent: {"observation": self.env.observe(i)[0].copy(),
                        "action_mask": masks[i][0].copy()}
                for i, agent in enumerate(self.possible_agents)}

    def reset(self, seed: int | None = None, options: Any = None) -> tuple[Any, Any]:
        """Begins a game."""
        self.env.reset(seed=seed)
        self.agents = list(self.possible_agents)
        return self._seen(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> tuple[Any, ...]:
        """Makes the moves of all agents."""
        agents = self.agents
        joint = np.array([[actions[agent] for agent in self.possible_agents]])
        self.env.step(joint)
        over = bool(self.env.terminated[0])
        rewards = {agent: float(self.env.reward[0, i]) for i, agent in enumerate(agents)}
        self.agents = [] if over else agents
        return (self._seen(), rewards, {agent: over for agent in agents},
                {agent: False for agent in agents}, {agent: {} for agent in agents})

    def render(self) -> str:
        """The fluents that hold, in KIF."""
        return self.env.machine.text(self.env.state()[0].tobytes())

    def close(self) -> None:
        """Nothing to close."""
