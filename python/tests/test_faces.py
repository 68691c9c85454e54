"""Faces for other packages, and the examples.  Where a package is missing, its own checks are
skipped, and a stand-in for its classes lets ours run."""

import importlib
import importlib.util
import pathlib
import sys
import types

import numpy as np
import pytest

import tabia
import tabia.pgx

HERE = pathlib.Path(__file__).resolve().parent.parent


class Box:
    def __init__(self, low, high, shape, dtype):
        self.shape, self.dtype = shape, dtype


class Discrete:
    def __init__(self, n):
        self.n = n


def stand_ins():
    """Modules with the names that the faces use."""
    names = ("gymnasium", "vector", "utils", "spaces", "pettingzoo")
    gym, vector, utils, spaces, zoo = map(types.ModuleType, names)
    spaces.Box, spaces.Discrete, spaces.Dict = Box, Discrete, dict
    utils.batch_space = lambda space, n: (space, n)
    vector.VectorEnv, vector.utils, vector.AutoresetMode = object, utils, str
    gym.vector, gym.spaces = vector, spaces
    zoo.ParallelEnv = zoo.AECEnv = object
    return {"gymnasium": gym, "pettingzoo": zoo}


@pytest.fixture
def face(monkeypatch):
    def load(name):
        for package, module in stand_ins().items():
            if not importlib.util.find_spec(package):
                monkeypatch.setitem(sys.modules, package, module)
        monkeypatch.delitem(sys.modules, f"tabia.{name}", raising=False)
        return importlib.import_module(f"tabia.{name}")
    return load


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_gymnasium_steps_and_begins_anew(face, mode):
    env = face("gymnasium").VectorEnv("tic-tac-toe", 32, autoreset_mode=mode)
    seen, info = env.reset(seed=3)
    start, before, ended = seen[0].copy(), np.zeros(32, bool), 0
    for _ in range(30):
        actions = info["action_mask"].argmax(axis=1)
        seen, rewards, done, cut, info = env.step(actions)
        assert seen.shape == (32, *env.single_observation_space.shape) and not cut.any()
        assert (rewards[~done] == 0).all() and rewards.dtype == np.float64
        ended += done.sum()
        if mode == "NextStep":
            assert not (before & done).any() and (seen[before] == start).all()
        elif mode == "SameStep":
            assert (seen[done] == start).all() and ("final_obs" in info) == done.any()
        elif done.any():
            seen, info = env.reset(options={"reset_mask": done})
            assert (seen[done] == start).all()
        before = done.copy()
    assert ended > 32


def test_gymnasium_refuses_a_mode_that_is_none(face):
    with pytest.raises(tabia.MisuseError, match="NextStep, SameStep, Disabled"):
        face("gymnasium").VectorEnv("nim", 2, autoreset_mode="Never")


@pytest.mark.parametrize("name", ["tic-tac-toe", "rock-paper-scissors", "kuhn-poker"])
def test_pettingzoo_plays_to_the_end(face, name):
    env = face("pettingzoo").ParallelEnv(name)
    seen, _ = env.reset(seed=2)
    while env.agents:
        agents = list(env.agents)
        seen, rewards, done, cut, infos = env.step(
            {agent: int(seen[agent]["action_mask"].argmax()) for agent in agents})
        assert set(seen) == set(rewards) == set(done) == set(cut) == set(infos) == set(agents)
    assert all(done.values()) and env.render()


@pytest.mark.parametrize("name", ["tic-tac-toe", "kuhn-poker", "monty-hall", "nim", "three-player-tic-tac-toe"])
@pytest.mark.parametrize("layout", ["bytes", "packed"])
def test_pettingzoo_agents_act_one_after_another(face, name, layout):
    env = face("pettingzoo").AECEnv(name, observation=layout)
    env.reset(seed=2)
    chosen, total = [], dict.fromkeys(env.possible_agents, 0.0)
    while env.agents:
        agent = env.agent_selection
        total[agent] = env._cumulative_rewards[agent]
        over = env.terminations[agent]
        mask = env._bits(env.observe(agent)["action_mask"])
        assert over or np.count_nonzero(mask) > 1  # who has no choice is not asked
        chosen += [] if over else [agent]
        env.step(None if over else int(mask.argmax()))
    assert chosen and any(total.values()) or name == "monty-hall"


def test_pettingzoo_hides_moves_at_once_until_all_have_moved(face):
    env = face("pettingzoo").AECEnv("rock-paper-scissors")
    env.reset()
    first, before = env.agent_selection, env.env.state().copy()
    env.step(int(env.observe(first)["action_mask"].argmax()))
    assert env.agent_selection != first and (env.env.state() == before).all()
    second = env.agent_selection
    env.step(int(env.observe(second)["action_mask"].argmax()))
    assert (env.env.state() != before).any()


def test_pettingzoo_agents_leave_a_game_that_is_over_with_none(face):
    env = face("pettingzoo").AECEnv("nim")
    env.reset()
    while not env.terminations[env.agent_selection]:
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    with pytest.raises(ValueError, match="over"):
        env.step(0)


def test_the_checkers_of_pettingzoo_agree():
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, parallel_api_test
    from tabia.pettingzoo import AECEnv, ParallelEnv
    parallel_api_test(ParallelEnv("rock-paper-scissors"), num_cycles=100)
    api_test(AECEnv("tic-tac-toe"), num_cycles=100)


def test_the_spaces_of_gymnasium_hold_what_is_given():
    pytest.importorskip("gymnasium")
    from tabia.gymnasium import VectorEnv
    env = VectorEnv("connect-four", 4)
    assert env.reset()[0] in env.observation_space


def test_pgx_states_are_values():
    env = tabia.pgx.make("tic-tac-toe")
    start = env.init(8)
    one = env.step(start, start.legal_action_mask.argmax(axis=1))
    two = env.step(start, start.legal_action_mask.argmax(axis=1))
    assert (one.observation == two.observation).all() and (start.current_player == 0).all()
    state = start
    while not state.terminated.all():
        state = env.step(state, state.legal_action_mask.argmax(axis=1))
    assert state.legal_action_mask.all() and (np.abs(state.rewards) <= 1).all()


def test_pgx_ends_a_game_by_an_illegal_action():
    env = tabia.pgx.make("tic-tac-toe")
    state = env.init(2)
    actions = state.legal_action_mask.argmax(axis=1)
    actions[1] = 9999
    state = env.step(state, actions)
    assert state.terminated.tolist() == [False, True] and state.rewards[1].tolist() == [-1, 1]
    state = env.step(state, state.legal_action_mask.argmax(axis=1))
    assert state.terminated.tolist() == [False, True] and not state.rewards.any()
    with pytest.raises(tabia.MisuseError):
        tabia.pgx.make("kuhn-poker")


def example(name):
    spec = importlib.util.spec_from_file_location(name, HERE / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_random_agents_play():
    means = example("random_agents").main("connect-four", 5000)
    assert 50 < means["red"] < 62 and abs(sum(means.values()) - 100) < 1e-6


def test_a_policy_learns():
    pytest.importorskip("torch")
    assert example("policy_gradient").main("tic-tac-toe", 6) > 0.75


def test_alphazero_plays_tic_tac_toe_perfectly_with_search():
    pytest.importorskip("torch")
    alone, deep = example("alphazero").main("tic-tac-toe", 12)
    assert alone > 0.8 and deep > 0.995
