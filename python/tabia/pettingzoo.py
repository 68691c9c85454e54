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


class AECEnv(pettingzoo.AECEnv):
    """One game in which agents act one after another.

    `agent_selection` is who has a choice.  Where several have, they are asked in turn, none sees
    what the others chose, and the last one's action makes the step of all.  Steps in which nobody
    has a choice are made by themselves.  Rewards come at the end; then each agent is stepped once
    with None, as PettingZoo demands."""

    metadata = {"name": "tabia", "render_modes": ["ansi"], "is_parallelizable": True}

    def __init__(self, game: Rules | str | os.PathLike[str], seed: int = 1,
                 observation: str = "bytes") -> None:
        super().__init__()
        self._parallel = ParallelEnv(game, seed, observation)
        self.env = self._parallel.env
        self.possible_agents = list(self._parallel.possible_agents)
        self.render_mode = "ansi"

    def observation_space(self, agent: str) -> Any:
        """The space of what an agent observes."""
        return self._parallel.observation_space(agent)

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions."""
        return self._parallel.action_space(agent)

    def observe(self, agent: str) -> Any:
        """What an agent sees now, and its legal actions."""
        return self._seen[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Begins a game."""
        self._seen, self.infos = self._parallel.reset(seed, options)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._find_choosers()

    def _only_move(self, agent: str) -> int:
        mask = self._seen[agent]["action_mask"]
        return int(np.flatnonzero(self._bits(mask))[0])

    def _bits(self, mask: Any) -> Any:
        packed = self.env.layout == "packed"
        return np.unpackbits(mask, bitorder="little") if packed else mask

    def _find_choosers(self) -> None:
        """Goes on until somebody has a choice, or the game is over."""
        while True:
            self._chosen: dict[str, int] = {}
            self._waiting = [agent for agent in self.possible_agents
                             if np.count_nonzero(self._bits(self._seen[agent]["action_mask"])) > 1]
            if self._waiting:
                self.agent_selection = self._waiting.pop(0)
                return
            if self._make_moves():
                return

    def _make_moves(self) -> bool:
        """Makes the step of all agents, and returns whether the game is over."""
        joint = {agent: self._chosen[agent] if agent in self._chosen else self._only_move(agent)
                 for agent in self.possible_agents}
        self._seen, self.rewards, self.terminations, self.truncations, self.infos = (
            self._parallel.step(joint))
        for agent, reward in self.rewards.items():
            self._cumulative_rewards[agent] += reward
        if not any(self.terminations.values()):
            return False
        self.agent_selection = self.agents[0]
        return True

    def _leave(self, action: int | None) -> None:
        if action is not None:
            raise ValueError("the game is over: step with None")
        agent = self.agent_selection
        self.agents.remove(agent)
        for kept in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations,
                     self.infos):
            kept.pop(agent)
        if self.agents:
            self.agent_selection = self.agents[0]

    def step(self, action: int | None) -> None:
        """The action of `agent_selection`."""
        if self.terminations[self.agent_selection]:
            self._leave(action)
            return
        assert action is not None
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._chosen[self.agent_selection] = int(action)
        if self._waiting:
            self.agent_selection = self._waiting.pop(0)
        elif not self._make_moves():
            self._find_choosers()

    def render(self) -> str:
        """The fluents that hold, in KIF."""
        return self._parallel.render()

    def close(self) -> None:
        """Nothing to close."""
