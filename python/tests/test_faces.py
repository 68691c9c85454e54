"""Faces for other packages, and the examples.  Where a package is missing, its own checks are
skipped, and a stand-in for its classes lets ours run."""

import copy
import importlib
import importlib.util
import pathlib
import pickle
import sys
import threading
import types
import typing

import numpy as np
import pytest

import tabia
import tabia.pgx

HERE = pathlib.Path(__file__).resolve().parent.parent


class Box:
    def __init__(self, low, high, shape, dtype):
        self.low, self.high, self.shape, self.dtype = low, high, shape, np.dtype(dtype)

    def __contains__(self, array):
        return (array.shape == self.shape and array.dtype == self.dtype
                and bool(((array >= self.low) & (array <= self.high)).all()))


class Discrete:
    def __init__(self, n):
        self.n = n

    def sample(self, mask):
        """Only a mask of this kind is taken."""
        assert type(mask) is np.ndarray and mask.dtype == np.int8 and mask.shape == (self.n,)
        assert ((mask == 0) | (mask == 1)).all()
        return int(RNG.choice(np.flatnonzero(mask)))


class Dict(dict):
    def __contains__(self, value):
        return self.keys() == value.keys() and all(value[key] in self[key] for key in self)


class Vector:
    """What VectorEnv gives to what derives from it."""

    def reset(self, *, seed=None, options=None):
        self.np_random_seed = seed


class One(Vector, typing.Generic[typing.TypeVar("Seen"), typing.TypeVar("Action")]):
    """What Env gives."""


def registering(registry):
    """gymnasium.register, and what `make` and `make_vec` do with what is registered."""
    def register(id, entry_point, vector_entry_point, kwargs):
        registry[id] = entry_point, vector_entry_point, kwargs

    def make(id, **kwargs):
        known = registry[id]
        return known[0](**{**copy.deepcopy(known[2]), **kwargs})

    def make_vec(id, num_envs=1, **kwargs):
        known = registry[id]
        return known[1](num_envs=num_envs, **{**copy.deepcopy(known[2]), **kwargs})
    return register, make, make_vec


RNG = np.random.default_rng(1)


def stand_ins():
    """Modules with the names that the faces use."""
    names = ("gymnasium", "vector", "utils", "spaces", "pettingzoo")
    gym, vector, utils, spaces, zoo = map(types.ModuleType, names)
    spaces.Box, spaces.Discrete, spaces.Dict = Box, Discrete, Dict
    utils.batch_space = lambda space, n: (
        Box(space.low, space.high, (n, *space.shape), space.dtype) if isinstance(space, Box)
        else (space, n))
    vector.VectorEnv, vector.utils, vector.AutoresetMode = Vector, utils, str
    gym.vector, gym.spaces, gym.Env, gym.registry = vector, spaces, One, {}
    gym.register, gym.make, gym.make_vec = registering(gym.registry)
    zoo.ParallelEnv = zoo.AECEnv = object
    return {"gymnasium": gym, "pettingzoo": zoo}


MISSING = [package for package in stand_ins() if not importlib.util.find_spec(package)]


@pytest.fixture
def face(monkeypatch):
    def load(name):
        for package, module in stand_ins().items():
            if package in MISSING:
                monkeypatch.setitem(sys.modules, package, module)
        monkeypatch.delitem(sys.modules, f"tabia.{name}", raising=False)
        return importlib.import_module(f"tabia.{name}")
    return load


def test_faces_are_there_when_they_are_asked_for(monkeypatch):
    monkeypatch.delattr(tabia, "pgx", raising=False)
    monkeypatch.delitem(sys.modules, "tabia.pgx")
    assert tabia.pgx.make("nim").num_players == 2
    with pytest.raises(AttributeError, match="'nonsense'"):
        tabia.nonsense
    for package in MISSING:
        with pytest.raises(ModuleNotFoundError, match="gymnasium|pettingzoo"):
            getattr(tabia, package)


GYM_GAMES = ["tic-tac-toe", "rock-paper-scissors", "kuhn-poker", "dark-tic-tac-toe"]


@pytest.mark.parametrize("name", GYM_GAMES)
@pytest.mark.parametrize("layout", ["packed", "bytes", "float32"])
@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_gymnasium_steps_and_begins_anew(face, mode, layout, name):
    env = face("gymnasium").VectorEnv(name, 32, autoreset_mode=mode, observation=layout)
    seen, info = env.reset(seed=3)
    start, before, ended, total = seen[0].copy(), np.zeros(32, bool), 0, 0
    for _ in range(30):
        assert seen in env.observation_space and type(seen) is np.ndarray
        assert info["action_mask"].dtype == np.int8 and info["_action_mask"].all()
        actions = np.array([env.single_action_space.sample(mask=mask) if mask.any() else 0
                            for mask in info["action_mask"]])
        seen, rewards, done, cut, info = env.step(actions)
        for flags in (done, cut):
            assert type(flags) is np.ndarray and flags.dtype == np.bool_ and flags.shape == (32,)
        assert not cut.any() and rewards.dtype == np.float64 and rewards.shape == (32,)
        ended, total = ended + done.sum(), total + np.abs(rewards).sum()
        if mode == "NextStep":
            assert (rewards[~done] == 0).all()
            assert not (before & done).any() and (seen[before] == start).all()
        elif mode == "SameStep":
            assert (rewards[~done] == 0).all() and (seen[done] == start).all()
            check_final(info, done, env)
        elif done.any():
            seen, info = env.reset(options={"reset_mask": done})
            assert (seen[done] == start).all()
        assert all(f"_{key}" in info for key in info if not key.startswith("_"))
        before = done.copy()
    assert ended > 32 and total > 0


def check_final(info, done, env):
    """What the last step of a game has, where a new one has begun."""
    assert ("final_obs" in info) == ("final_info" in info) == done.any()
    if done.any():
        assert (info["_final_obs"] == done).all() and (info["_final_info"] == done).all()
        assert info["final_obs"].dtype == object
        for last, over in zip(info["final_obs"], done):
            assert last in env.single_observation_space if over else last is None
        assert (info["final_info"]["_action_mask"] == done).all()
        assert info["final_info"]["action_mask"].shape == info["action_mask"].shape


def test_gymnasium_takes_every_action_of_the_space(face):
    env = face("gymnasium").VectorEnv("tic-tac-toe", 16, autoreset_mode="SameStep")
    env.reset()
    lost = 0
    for _ in range(40):
        _, rewards, done, _, info = env.step(RNG.integers(0, env.single_action_space.n, 16))
        assert set(rewards.tolist()) <= {-1.0, 0.0, 1.0} and (rewards[~done] == 0).all()
        lost += int((rewards == -1).sum())
    assert lost > 16
    strict = face("gymnasium").VectorEnv("tic-tac-toe", 1, illegal="error")
    strict.reset()
    with pytest.raises(tabia.IllegalActionError):
        strict.step(np.array([strict.single_action_space.n - 1]))
    with pytest.raises(tabia.MisuseError, match=r"shape \(16,\)"):
        env.step(np.zeros((16, 2), int))


def test_gymnasium_refuses_a_mode_that_is_none(face):
    with pytest.raises(tabia.MisuseError, match="NextStep, SameStep, Disabled"):
        face("gymnasium").VectorEnv("nim", 2, autoreset_mode="Never")


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_gymnasium_truncates_long_games(face, mode):
    env = face("gymnasium").VectorEnv("connect-four", 16, autoreset_mode=mode, max_episode_steps=9)
    env.reset(seed=1)
    ended = cuts = 0
    for step in range(40):
        seen, rewards, done, cut, info = env.step(env.env.sample_actions()[:, 0].copy())
        assert not (done & cut).any() and (rewards[cut] == 0).all()
        assert (cut == (step % (10 if mode == "NextStep" else 9) == 8) & ~done).all() or ended
        ended, cuts = ended + int(done.sum()), cuts + int(cut.sum())
        if mode == "SameStep":
            check_final(info, done | cut, env)
        elif mode == "Disabled" and (done | cut).any():
            env.reset(options={"reset_mask": done | cut})
    assert cuts > 16


@pytest.mark.parametrize("name", GYM_GAMES)
def test_gymnasium_has_single_games(face, name):
    env = face("gymnasium").Env(name, max_episode_steps=50)
    for seed in range(3):
        seen, info = env.reset(seed=seed, options={})
        again, _ = env.reset(seed=seed)
        over = cut = False
        assert (seen == again).all() and env.np_random_seed == seed
        while not over and not cut:
            assert seen in env.observation_space and type(seen) is np.ndarray
            assert set(info) == {"action_mask"}
            seen, reward, over, cut, info = env.step(env.action_space.sample(info["action_mask"]))
            assert [type(value) for value in (reward, over, cut)] == [float, bool, bool]
        assert env.render()


def test_gymnasium_knows_games_by_their_names(face):
    module = face("gymnasium")
    gym = module.gymnasium
    assert {f"tabia/{name}-v0" for name in tabia.games()} <= set(gym.registry)
    env = gym.make_vec("tabia/connect-four-v0", num_envs=3, player=1, max_episode_steps=7)
    assert env.num_envs == 3 and env.player == 1 and env.env.rules.name == "connect-four"
    mine = module.register(tabia.read("(role x) (legal x a) (init s) (<= terminal (not (true s))) (goal x 0)"),
                           "mine", observation="bytes")
    one = gym.make(mine, render_mode=None)
    one.reset()
    assert mine == "tabia/mine-v0" and one.env.layout == "bytes" and one.render() is None
    with pytest.raises(tabia.MisuseError, match="render_mode must be one of 'ansi', not 'human'"):
        gym.make(mine, render_mode="human")


def test_faces_draw_boards(face):
    board = str(tabia.read("tic-tac-toe").machine("lanes").board())
    vector = face("gymnasium").VectorEnv("tic-tac-toe", 2)
    assert vector.render() == (board, board)
    assert face("gymnasium").VectorEnv("tic-tac-toe", 2, render_mode=None).render() is None
    for kind in ("ParallelEnv", "AECEnv"):
        env = getattr(face("pettingzoo"), kind)("tic-tac-toe")
        env.reset()
        assert env.render() == board
        assert getattr(face("pettingzoo"), kind)("tic-tac-toe", render_mode=None).render() is None


@pytest.mark.parametrize("kind", ["ParallelEnv", "AECEnv"])
def test_pettingzoo_truncates_long_games(face, kind):
    env = getattr(face("pettingzoo"), kind)("connect-four", max_cycles=5)
    env.reset(seed=1)
    steps = 0
    while env.agents and kind == "ParallelEnv":
        masks = [np.array(mask[0]) for mask in env.env.legal_mask]
        agents = {agent: int(mask.argmax()) for agent, mask in zip(env.agents, masks)}
        _, rewards, done, cut, _ = env.step(agents)
        steps += 1
        assert not any(done.values()) and list(cut.values()) == [steps == 5] * 2
        assert list(rewards.values()) == [0, 0]
    while kind == "AECEnv" and not env.truncations[env.agent_selection]:
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
        steps += 1
    assert steps == 5
    while env.agents:
        assert env.truncations[env.agent_selection] and not env.terminations[env.agent_selection]
        env.step(None)


ZOO_GAMES = ["tic-tac-toe", "rock-paper-scissors", "kuhn-poker", "monty-hall", "nim",
             "three-player-tic-tac-toe", "dark-tic-tac-toe", "eight-queens"]


@pytest.mark.parametrize("name", ZOO_GAMES)
@pytest.mark.parametrize("layout", ["packed", "bytes", "float32"])
def test_pettingzoo_plays_to_the_end(face, name, layout):
    env = face("pettingzoo").ParallelEnv(name, observation=layout)
    seen, infos = env.reset(seed=2, options={"any": 1})
    assert set(seen) == set(infos) == set(env.agents) == set(env.possible_agents)
    while env.agents:
        agents = list(env.agents)
        for agent in agents:
            assert seen[agent] in env.observation_space(agent)
            assert env.observation_space(agent) is env.observation_space(agent)
        seen, rewards, done, cut, infos = env.step(
            {agent: env.action_space(agent).sample(seen[agent]["action_mask"])
             for agent in agents})
        assert set(seen) == set(rewards) == set(done) == set(cut) == set(infos) == set(agents)
        assert {type(flag) for flag in (*done.values(), *cut.values())} == {bool}
        assert {type(reward) for reward in rewards.values()} == {float}
    assert all(done.values()) and env.render() and env.state() in env.state_space
    assert env.step({}) == ({}, {}, {}, {}, {})


def test_pettingzoo_says_which_action_is_missing(face):
    env = face("pettingzoo").ParallelEnv("tic-tac-toe")
    env.reset()
    with pytest.raises(tabia.MisuseError, match="'o'"):
        env.step({"x": 0})


def act(env, agent):
    """An agent's random action, or None when the game is over for it."""
    if env.terminations[agent] or env.truncations[agent]:
        return None
    return env.action_space(agent).sample(env.observe(agent)["action_mask"])


@pytest.mark.parametrize("name", ZOO_GAMES)
@pytest.mark.parametrize("layout", ["bytes", "packed", "float32"])
def test_pettingzoo_agents_act_one_after_another(face, name, layout):
    """The loop of PettingZoo's own checker: what `last` gives is the sum of `rewards` since."""
    env = face("pettingzoo").AECEnv(name, observation=layout)
    for game in range(3):
        env.reset(seed=game)
        gathered, gone, total = dict.fromkeys(env.agents, 0.0), set(), 0.0
        assert not any(env.terminations.values()) and env.agents == env.possible_agents
        while env.agents:
            agent, before = env.agent_selection, list(env.agents)
            assert agent not in gone and isinstance(env.infos[agent], dict)
            assert env.observe(agent) in env.observation_space(agent)
            assert gathered[agent] == env._cumulative_rewards[agent]
            over, action = env.terminations[agent], act(env, agent)
            assert over or np.count_nonzero(env.observe(agent)["action_mask"]) > 1
            gone |= {agent} if over else set()
            total, gathered[agent] = total + abs(gathered[agent]), 0.0
            assert env.step(action) is None
            for other, reward in env.rewards.items():
                gathered[other] += reward
            assert env.agents == [other for other in before if other not in gone]
            assert (set(env.rewards) == set(env.terminations) == set(env.truncations)
                    == set(env.infos) == set(env.agents))
        assert gone == set(env.possible_agents)
        assert total > 0 or name in ("monty-hall", "rock-paper-scissors", "dark-tic-tac-toe",
                                     "tic-tac-toe", "three-player-tic-tac-toe")
        with pytest.raises(tabia.MisuseError, match="reset"):
            env.step(None)


def test_pettingzoo_agents_observe_all_since_their_last_action(face):
    env = face("pettingzoo").AECEnv("kuhn-poker")
    for seed in range(6):
        env.reset(seed=seed)
        second = env.possible_agents[1]
        env.step(int(env._legal(env.agent_selection)[0]))
        assert env.agent_selection == second
        role = env.env.role_of(1)
        seen = {env.env.machine.percept_text(role, int(percept))
                for percept in np.flatnonzero(env.observe(second)["observation"])}
        assert any(text.startswith("(dealt") for text in seen) and len(seen) > 1


def test_pettingzoo_refuses_an_illegal_action_at_once(face):
    env = face("pettingzoo").AECEnv("rock-paper-scissors")
    env.reset()
    first = env.agent_selection
    for action in (77, -1, None):
        with pytest.raises(tabia.IllegalActionError, match="legal are"):
            env.step(action)
    assert env.agent_selection == first and env.agents == env.possible_agents


def test_pettingzoo_asks_for_a_reset_before_all_else(face):
    env = face("pettingzoo").AECEnv("nim")
    for call in (lambda: env.step(0), lambda: env.observe(env.possible_agents[0])):
        with pytest.raises(tabia.MisuseError, match="reset"):
            call()
    env.reset()
    with pytest.raises(tabia.MisuseError, match="'nobody'"):
        env.observe("nobody")


def test_games_without_an_agent_or_a_choice_are_refused(face):
    chance = "(role random) (legal random a) (init s) (<= terminal (not (true s))) (goal random 50)"
    gym, zoo = face("gymnasium"), face("pettingzoo")
    for make in (zoo.AECEnv, zoo.ParallelEnv, lambda game: gym.VectorEnv(game, 2)):
        with pytest.raises(tabia.MisuseError, match="the only role is random"):
            make(chance)
    forced = "(role x) (legal x a) (init s) (<= (next s) (true s)) (<= terminal (not (true s))) (goal x 0)"
    stuck = forced.replace("(legal x a)", "(<= (legal x a) (not (true s)))")
    for rules, words in ((forced, "nobody had a choice"), (stuck, "x has no legal move")):
        with pytest.raises(tabia.FaultyError, match=words):
            zoo.AECEnv(rules).reset()


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
    from pettingzoo.test import api_test, parallel_api_test, seed_test
    from tabia.pettingzoo import AECEnv, ParallelEnv
    for name in ZOO_GAMES:
        parallel_api_test(ParallelEnv(name), num_cycles=100)
        api_test(AECEnv(name), num_cycles=100)
        seed_test(lambda name=name: AECEnv(name), num_cycles=20)


def test_the_spaces_of_gymnasium_hold_what_is_given():
    gymnasium = pytest.importorskip("gymnasium")
    from tabia.gymnasium import VectorEnv
    for mode in gymnasium.vector.AutoresetMode:
        env = VectorEnv("connect-four", 4, autoreset_mode=mode)
        assert env.reset(seed=1)[0] in env.observation_space
        for _ in range(50):
            assert env.step(env.action_space.sample())[0] in env.observation_space
        env.close()


def test_the_checker_of_gymnasium_agrees():
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env
    for name in GYM_GAMES:
        check_env(gymnasium.make(f"tabia.gymnasium:tabia/{name}-v0").unwrapped)
        made = gymnasium.make_vec(f"tabia.gymnasium:tabia/{name}-v0", num_envs=3)
        assert made.reset(seed=1)[0] in made.observation_space


PGX_GAMES = ["tic-tac-toe", "connect-four", "nim", "three-player-tic-tac-toe", "eight-queens"]


@pytest.mark.parametrize("name", PGX_GAMES)
@pytest.mark.parametrize("is_careful", [True, False])
def test_pgx_states_keep_the_contract(name, is_careful):
    """What pgx's own checker asks of states, in whole batches; some actions are illegal."""
    env = tabia.pgx.make(name)
    state, count = env.init(32), np.zeros(32, np.int32)
    assert not state.rewards.any() and state.legal_action_mask.any(axis=1).all()
    for _ in range(60):
        kinds = {"current_player": np.int32, "observation": np.bool_, "rewards": np.float32,
                 "terminated": np.bool_, "truncated": np.bool_, "legal_action_mask": np.bool_}
        assert all(getattr(state, field).dtype == kind for field, kind in kinds.items())
        assert (state._step_count == count).all() and (state.current_player >= 0).all()
        assert state.legal_action_mask[state.terminated].all()
        actions = np.array([RNG.choice(np.flatnonzero(mask)) for mask in state.legal_action_mask])
        if not is_careful:
            actions = np.where(RNG.random(32) < 0.1, RNG.integers(0, env.num_actions, 32), actions)
        illegal = ~state.legal_action_mask[np.arange(32), actions]
        new = env.step(state, actions)
        penalty = np.full((32, env.num_players), env.num_players - 1, np.float32)
        penalty[np.arange(32), state.current_player] = -1
        assert new.terminated[illegal].all() and (new.rewards[illegal] == penalty[illegal]).all()
        over, count = state.terminated, count + ~state.terminated
        assert not new.rewards[over].any()
        for field in (*kinds, "position"):
            if field != "rewards":
                assert (getattr(new, field)[over] == getattr(state, field)[over]).all()
        state = new
    assert state.terminated.sum() > 16 or name == "connect-four" and is_careful
    assert env.observe(state, 0) is state.observation
    assert env.init(np.zeros((5, 2), np.uint32)).terminated.shape == (5,)


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


def test_pgx_states_are_values_in_threads_too():
    env = tabia.pgx.make("tic-tac-toe")
    start, wrong = env.init(64), []
    actions = start.legal_action_mask.argmax(axis=1)
    wanted = env.step(start, actions)

    def work():
        for _ in range(100):
            found = env.step(start, actions)
            if (found.observation != wanted.observation).any() or (found.current_player != 1).any():
                wrong.append(found)
            env.init(64)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    again = pickle.loads(pickle.dumps(env))
    assert (again.step(pickle.loads(pickle.dumps(start)), actions).position == wanted.position).all()


def test_pgx_ends_a_game_by_an_illegal_action():
    env = tabia.pgx.make("tic-tac-toe")
    state = env.init(2)
    actions = state.legal_action_mask.argmax(axis=1)
    actions[1] = 9999
    state = env.step(state, actions, key=None)
    assert state.terminated.tolist() == [False, True] and state.rewards[1].tolist() == [-1, 1]
    state = env.step(state, state.legal_action_mask.argmax(axis=1))
    assert state.terminated.tolist() == [False, True] and not state.rewards.any()
    with pytest.raises(tabia.MisuseError):
        tabia.pgx.make("kuhn-poker")
    for call in (env.observe, lambda wrong: env.step(wrong, actions)):
        with pytest.raises(TypeError, match="pgx.State"):
            call(7)


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
    assert example("policy_gradient").main("tic-tac-toe", 1.5) > 0.75


def test_alphazero_plays_tic_tac_toe_perfectly_with_search():
    pytest.importorskip("torch")
    alone, deep = example("alphazero").main("tic-tac-toe", 6, 8)
    assert alone > 0.8 and deep > 0.985
