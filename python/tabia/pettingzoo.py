"""PettingZoo environments, parallel and AEC; needs the package `pettingzoo`.

Chance moves by itself.  An observation is {"observation": ..., "action_mask": ...}; masks are int8,
as `Discrete.sample` takes them.  An illegal action is an IllegalActionError, and changes nothing:
pettingzoo.utils.TerminateIllegalWrapper makes a loss of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
from numpy.typing import NDArray

from tabia import _native as native
from tabia.batch import BatchEnv
from tabia.errors import FaultyError, IllegalActionError, MisuseError
from tabia.rules import Source

Array = NDArray[Any]
PATIENCE = 10_000  # steps


def _rendered(mode: str | None) -> str | None:
    return mode if mode is None else native.one_of(mode, "render_mode", ("ansi",))


class ParallelEnv(pettingzoo.ParallelEnv):
    """One game, in which every agent acts in every step: whose turn it is not has one legal
    action.

    max_cycles  steps after which the game is truncated; None: never"""

    metadata = {"name": "tabia", "render_modes": ["ansi"], "is_parallelizable": True}

    def __init__(self, game: Source, seed: int = 1, observation: str = "bytes",
                 render_mode: str | None = "ansi", max_cycles: int | None = None) -> None:
        self.env = BatchEnv(game, 1, seed, observation=observation, autoreset=False, masks="bytes",
                            max_steps=max_cycles or 0)
        self.possible_agents = list(self.env.players)
        if not self.possible_agents:
            raise MisuseError("there is no agent: the only role is random")
        self.agents = list(self.possible_agents)
        self.render_mode = _rendered(render_mode)
        self._spaces = {agent: self._space(i) for i, agent in enumerate(self.possible_agents)}
        self._actions = {agent: gymnasium.spaces.Discrete(count)
                         for agent, count in zip(self.possible_agents, self.env.num_actions)}
        self.state_space = self._box(self.env.fluents)

    def _box(self, array: Array) -> Any:
        high = 255 if self.env.layout == "packed" else 1
        return gymnasium.spaces.Box(0, high, array.shape[1:], array.dtype.type)

    def _space(self, player: int) -> Any:
        actions = gymnasium.spaces.Box(0, 1, (self.env.num_actions[player],), np.int8)
        return gymnasium.spaces.Dict({"observation": self._box(self.env.observe(player)),
                                      "action_mask": actions})

    def observation_space(self, agent: str) -> Any:
        """The space of what an agent observes."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions."""
        return self._actions[agent]

    def _seen(self) -> dict[str, Any]:
        masks = self.env.legal_mask
        return {agent: {"observation": np.array(self.env.observe(i)[0]),
                        "action_mask": np.array(masks[i][0]).view(np.int8)}
                for i, agent in enumerate(self.possible_agents)}

    def reset(self, seed: int | None = None, options: Any = None) -> tuple[Any, Any]:
        """Begins a game."""
        self.env.reset(seed=seed)
        self.agents = list(self.possible_agents)
        return self._seen(), {agent: {} for agent in self.agents}

    def step(self, actions: Mapping[str, int]) -> tuple[Any, ...]:
        """Makes the moves of all agents; nothing happens once the game is over."""
        agents = self.agents
        if not agents:
            return {}, {}, {}, {}, {}
        missing = [agent for agent in agents if agent not in actions]
        if missing:
            raise MisuseError(f"there is no action of {missing[0]!r}; every agent acts: {agents}")
        self.env.step(np.array([[actions[agent] for agent in agents]]))
        over, cut = bool(self.env.terminated[0]), bool(self.env.truncated[0])
        rewards = {agent: float(self.env.reward[0, i]) for i, agent in enumerate(agents)}
        self.agents = [] if over or cut else agents
        return (self._seen(), rewards, {agent: over for agent in agents},
                {agent: cut for agent in agents}, {agent: {} for agent in agents})

    def state(self) -> Array:
        """The fluents, also where agents do not know them."""
        return np.array(self.env.fluents[0])

    def render(self) -> str | None:
        """The board as text; without a render_mode, None."""
        return self.env.render() if self.render_mode else None

    def close(self) -> None:
        """Nothing to close."""


class AECEnv(pettingzoo.AECEnv):
    """One game in which agents act one after another.

    `agent_selection` is who has a choice.  Where several have, they are asked in turn, none sees
    what the others chose, and the last one's action makes the step of all.  Steps in which nobody
    has a choice are made by themselves.  In GDL-II an agent observes all that it has seen since its
    last action.  Rewards come at the end; then each agent is stepped once with None, as PettingZoo
    demands."""

    metadata = {"name": "tabia", "render_modes": ["ansi"], "is_parallelizable": True}

    def __init__(self, game: Source, seed: int = 1, observation: str = "bytes",
                 render_mode: str | None = "ansi", max_cycles: int | None = None) -> None:
        super().__init__()
        self._parallel = ParallelEnv(game, seed, observation, render_mode, max_cycles)
        self.env, self.state_space = self._parallel.env, self._parallel.state_space
        self.possible_agents = list(self._parallel.possible_agents)
        self.agents: list[str] = []  # until the first reset
        self._seen: dict[str, Any] = {}
        self.render_mode = self._parallel.render_mode

    def observation_space(self, agent: str) -> Any:
        """The space of what an agent observes."""
        return self._parallel.observation_space(agent)

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions."""
        return self._parallel.action_space(agent)

    def observe(self, agent: str) -> Any:
        """What an agent sees now, and its legal actions."""
        if agent not in self._seen:
            raise MisuseError(f"there is no observation of {agent!r}: reset() begins a game of "
                              f"{self.possible_agents}")
        return self._seen[agent]

    def state(self) -> Array:
        """The fluents, also where agents do not know them."""
        return self._parallel.state()

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Begins a game."""
        self._seen, self.infos = self._parallel.reset(seed, options)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._find_choosers()

    def _legal(self, agent: str) -> Array:
        return np.flatnonzero(self._seen[agent]["action_mask"])

    def _find_choosers(self) -> None:
        """Goes on until somebody has a choice, or the game is over."""
        for _ in range(PATIENCE):
            self._chosen: dict[str, int] = {}
            self._waiting = [agent for agent in self.possible_agents if len(self._legal(agent)) > 1]
            if self._waiting:
                self.agent_selection = self._waiting.pop(0)
                return
            if self._make_moves():
                return
        raise FaultyError(f"nobody had a choice in {PATIENCE} steps, and the game goes on")

    def _remember(self, seen: dict[str, Any]) -> None:
        """Adds what agents who were not asked have seen before."""
        both: Any = np.maximum if self.env.layout == "float32" else np.bitwise_or
        for agent in self.possible_agents if self.env.has_percepts else ():
            if agent not in self._chosen:
                now = seen[agent]["observation"]
                both(now, self._seen[agent]["observation"], out=now)

    def _make_moves(self) -> bool:
        """Makes the step of all agents, and returns whether the game is over."""
        stuck = [agent for agent in self.possible_agents if not len(self._legal(agent))]
        if stuck:
            raise FaultyError(f"{stuck[0]} has no legal move in a state that is not terminal: "
                              f"{self.env.machine.text(self.env.state()[0].tobytes())}")
        joint = {agent: self._chosen[agent] if agent in self._chosen else int(self._legal(agent)[0])
                 for agent in self.possible_agents}
        seen, self.rewards, self.terminations, self.truncations, self.infos = (
            self._parallel.step(joint))
        self._remember(seen)
        self._seen = seen
        for agent, reward in self.rewards.items():
            self._cumulative_rewards[agent] += reward
        if not any((*self.terminations.values(), *self.truncations.values())):
            return False
        self.agent_selection = self.agents[0]
        return True

    def _leave(self, action: int | None) -> None:
        if action is not None:
            raise ValueError("the game is over: step with None")
        agent = self.agent_selection
        self.agents.remove(agent)
        for kept in (self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            kept.pop(agent)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self.agent_selection = self.agents[0]

    def _checked(self, action: int | None) -> int:
        legal = self._legal(self.agent_selection)
        if action is None or action not in legal:
            raise IllegalActionError(f"action {action} is not legal for {self.agent_selection}; "
                                     f"legal are {legal[:20].tolist()}")
        return int(action)

    def step(self, action: int | None) -> None:
        """The action of `agent_selection`."""
        if not self.agents:
            raise MisuseError("no game is going on: reset() begins one")
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._leave(action)
            return
        chosen = self._checked(action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._chosen[self.agent_selection] = chosen
        if self._waiting:
            self.agent_selection = self._waiting.pop(0)
        elif not self._make_moves():
            self._find_choosers()

    def render(self) -> str | None:
        """The board as text; without a render_mode, None."""
        return self._parallel.render()

    def close(self) -> None:
        """Nothing to close."""
