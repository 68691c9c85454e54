"""Batches: they play as `reference` does, copy nothing, and refuse what is wrong."""

import math
import os
import time

import numpy as np
import pytest

import tabia

STEPS = int(os.environ.get("AGREEMENT_STEPS", "1000"))  # in all games together
SECONDS = float(os.environ.get("AGREEMENT_SECONDS", "inf"))  # for each game, to open it and to play
SLOW = {"chess": 3, "english-draughts": 6, "gomoku-15": 3, "sudoku-9": 3, "hex-9": 5,
        "amazons-6x6": 5, "atari-go-7": 5, "nine-mens-morris": 8}


class Follower:
    """One game of a batch, followed on `reference`."""

    def __init__(self, env, reference, lane):
        self.env, self.reference, self.lane = env, reference, lane
        self.position, self.seen = reference.start(), None

    def compare(self, masks, state):
        env, fast = self.env, self.env.machine
        assert fast.text(state[self.lane].tobytes()) == self.reference.text(self.position)
        for player, role in enumerate(env._roles):
            found = [fast.move_text(role, int(move))
                     for move in np.flatnonzero(masks[player][self.lane])]
            expected = [self.reference.move_text(role, move)
                        for move in self.reference.legal(self.position, role)]
            assert sorted(found) == sorted(expected)

    def joint(self, actions):
        """The same moves on the other machine; chance's is not known, so that it is found."""
        texts = [self.env.action_to_string(p, int(a)) for p, a in enumerate(actions[self.lane])]
        joints = [[]]
        for role in range(len(self.reference.roles)):
            moves = {self.reference.move_text(role, m): m
                     for m in self.reference.legal(self.position, role)}
            if role == self.env.nature:
                joints = [j + [m] for j in joints for m in moves.values()]
            else:
                joints = [j + [moves[texts[self.env._roles.index(role)]]] for j in joints]
        return joints

    def candidates(self, actions):
        return [(joint, self.reference.step(self.position, joint)) for joint in self.joint(actions)]

    def move(self, candidates, text):
        """Goes on where the batch went; in terminal states and after them, by the rewards."""
        joint, position = next((j, p) for j, p in candidates if self.reference.text(p) == text)
        self.seen = [sorted(self.reference.sight_text(role, s)
                            for s in self.reference.sees(self.position, joint, role))
                     for role in self.env._roles]
        self.position = position

    def compare_percepts(self, percepts):
        for player, role in enumerate(self.env._roles):
            found = [self.env.machine.sight_text(role, int(s))
                     for s in np.flatnonzero(percepts[player][self.lane])]
            assert sorted(found) == self.seen[player]

    def compare_end(self):
        over = self.reference.is_terminal(self.position)
        assert bool(self.env.terminated[self.lane]) == over
        for player, role in enumerate(self.env._roles):
            goal = self.reference.goal(self.position, role)
            reward = (goal - 50) / 50 if over and goal is not None else 0
            assert self.env.reward[self.lane, player] == np.float32(reward)
            if over:
                assert self.env.goals[self.lane, player] == (NO_GOAL if goal is None else goal)
        return over

    def is_stuck(self, masks):
        """A fault of the rules that both agree on: nobody can go on from here."""
        return not all(mask[self.lane].any() for mask in masks)


GAMES = os.environ.get("AGREEMENT_GAMES", "").split() or tabia.games()
NO_GOAL = -2**31


def machines_of(name):
    """A fast machine and `reference`; what cannot be ground or has no meaning is skipped."""
    seconds = None if SECONDS == math.inf else SECONDS
    try:
        fast = tabia.read(name).machine("auto-many", seconds=seconds)
        if not fast.width(2):
            pytest.skip("declined: not ground in time")
        return fast, tabia.read(name).machine("reference", seconds=seconds)
    except (tabia.FaultyError, tabia.LimitError) as error:
        if name in tabia.games():
            raise
        pytest.skip(f"declined: {error}".splitlines()[0])


def follow(env, followers):
    """One step, compared; has a game ended, or is one stuck?"""
    masks, state = env.legal_mask, env.state()
    for follower in followers:
        follower.compare(masks, state)
    if any(follower.is_stuck(masks) for follower in followers):
        return True
    actions = env.sample_actions()
    candidates = [follower.candidates(actions) for follower in followers]
    env.step(actions)
    state = env.state()
    for follower, ways in zip(followers, candidates):
        follower.move(ways, env.machine.text(state[follower.lane].tobytes()))
        if env.has_percepts:
            follower.compare_percepts(env.observation)
    return any([follower.compare_end() for follower in followers])


@pytest.mark.parametrize("name", GAMES)
def test_batches_play_as_reference_does(name):
    fast, reference = machines_of(name)
    env, end = tabia.BatchEnv(fast, 2, seed=5, autoreset=False), time.monotonic() + SECONDS
    followers = [Follower(env, reference, lane) for lane in range(2)]
    steps = 0
    while steps < SLOW.get(name, STEPS // 2 // len(GAMES) + 2) and time.monotonic() < end:
        steps += 1
        if follow(env, followers):
            env.reset()
            for follower in followers:
                follower.position = reference.start()
    assert steps
    print(f"{name}: {2 * steps} steps agree")


def test_observations_of_gdl_ii_hold_what_sees_gives_and_nothing_else():
    env = tabia.BatchEnv("dark-tic-tac-toe", 8)
    assert env.has_percepts
    env.step(env.sample_actions())
    for player, seen in enumerate(env.observation):
        assert seen.shape == (8, env.machine.width(3, player))
    assert env.fluents.shape[1] != env.observation[0].shape[1]
    env.reset()
    assert not any(seen.any() for seen in env.observation)


@pytest.mark.parametrize("layout", ["packed", "bytes", "float32"])
def test_nothing_is_copied(layout):
    env = tabia.BatchEnv("connect-four", 100, observation=layout)
    places = lambda: [a.ctypes.data for a in (env.observation, *env.legal_mask, env.reward,
                                              env.terminated, env.current_player)]
    before, samples = places(), set()
    for _ in range(50):
        samples.add(env.sample_actions().ctypes.data)
        env.step(env.sample_actions())
    assert places() == before and len(samples) <= 2  # what was drawn and what is drawn
    actions = env.sample_actions()
    array, width = env._actions(actions)
    assert array is actions and width == 2


def test_layouts_agree():
    envs = {layout: tabia.BatchEnv("breakthrough-6", 70, observation=layout)
            for layout in ("packed", "bytes", "float32")}
    for _ in range(20):
        for env in envs.values():
            env.step(env.sample_actions())
        wide = envs["bytes"].observation
        assert (envs["float32"].observation == wide).all()
        bits = np.unpackbits(envs["packed"].observation, axis=1, bitorder="little")
        assert (bits[:, :wide.shape[1]] == wide).all()


def test_buffers_are_handed_on_by_dlpack():
    env = tabia.BatchEnv("nim", 8, observation="float32")
    for array in (env.observation, *env.legal_mask, env.reward):
        assert np.from_dlpack(array).ctypes.data == array.ctypes.data


def test_threads_change_nothing():
    one, two = (tabia.BatchEnv("connect-four", 2000, seed=9, threads=t) for t in (1, 2))
    for _ in range(60):
        one.step(one.sample_actions())
        two.step(two.sample_actions())
        assert (one.terminated == two.terminated).all() and (one.reward == two.reward).all()
    assert (one.state() == two.state()).all()


def play(env, steps=200):
    ended = 0
    for _ in range(steps):
        env.step(env.sample_actions())
        ended += int(env.terminated.sum())
        assert (env.reward[~env.terminated] == 0).all()
    return ended


def test_games_begin_anew_in_the_same_step():
    env = tabia.BatchEnv("tic-tac-toe", 64)
    assert play(env) > 64
    assert (env.current_player >= 0).all()


def test_games_begin_anew_in_the_next_step():
    env = tabia.BatchEnv("tic-tac-toe", 64, autoreset="next-step")
    start = env.state()[0].copy()
    before = env.terminated.copy()
    for _ in range(60):
        env.step(env.sample_actions())
        assert not (before & env.terminated).any()
        assert (env.state()[before] == start).all()
        assert (env.current_player[env.terminated] == -4).all()
        before = env.terminated.copy()


def test_games_wait_for_a_reset():
    env = tabia.BatchEnv("tic-tac-toe", 64, autoreset="disabled")
    start = env.state()
    play(env, 9)
    assert env.terminated.all()
    last = env.state()
    env.step(env.sample_actions())
    assert env.terminated.all() and (env.reward == 0).all() and (env.state() == last).all()
    half = np.arange(64) % 2 == 0
    env.reset(half)
    assert (env.terminated == ~half).all()
    assert (env.state()[half] == start[half]).all() and (env.state()[~half] == last[~half]).all()


def test_one_action_is_that_of_the_player_whose_turn_it_is():
    env = tabia.BatchEnv("tic-tac-toe", 16)
    for _ in range(50):
        current = env.current_player.copy()
        actions = env.sample_actions()
        env.step(actions[np.arange(16), current].copy())


def test_one_action_is_not_enough_where_several_choose():
    env = tabia.BatchEnv("rock-paper-scissors", 3)
    assert (env.current_player == -2).all()
    with pytest.raises(tabia.MisuseError, match="several players"):
        env.step(np.zeros(3, np.uint32))
    play(env)


@pytest.mark.parametrize("name", ["kuhn-poker", "monty-hall"])
def test_chance_moves_by_itself(name):
    env = tabia.BatchEnv(name, 256, seed=3)
    assert (env.current_player == -1).all() and "random" not in env.players
    assert play(env, 50) > 256
    env.reset(seed=3)
    env.step(env.sample_actions())
    assert len(np.unique(env.state(), axis=0)) > 1


def test_illegal_actions_are_an_error_that_names_them():
    env = tabia.BatchEnv("tic-tac-toe", 4)
    actions = env.sample_actions().copy()
    actions[2, 0] = 9999
    with pytest.raises(tabia.IllegalActionError, match="environment 2") as caught:
        env.step(actions)
    assert caught.value.lanes == (2,)
    with pytest.raises(tabia.IllegalActionError):
        env.step(np.full((4, 2), -1))


def test_illegal_actions_can_lose_the_game():
    env = tabia.BatchEnv("tic-tac-toe", 4, illegal="lose", autoreset=False)
    actions = env.sample_actions().copy()
    actions[2, 0] = 9999
    env.step(actions)
    assert env.terminated.tolist() == [False, False, True, False]
    assert env.reward[2].tolist() == [-1, 1] and (env.reward[[0, 1, 3]] == 0).all()
    env.step(env.sample_actions())
    assert env.terminated.tolist() == [False, False, True, False] and not env.reward.any()
    assert env.current_player.tolist() == [0, 0, -4, 0]
    env.reset(env.terminated.copy())
    assert env.current_player[2] == 0


@pytest.mark.parametrize("autoreset", ["same-step", "next-step"])
def test_a_game_that_was_lost_begins_anew(autoreset):
    env = tabia.BatchEnv("tic-tac-toe", 4, illegal="lose", autoreset=autoreset)
    start = env.state()
    env.step(env.sample_actions())
    actions = env.sample_actions().copy()
    actions[1, 1] = 9999
    env.step(actions)
    assert env.terminated.tolist() == [False, True, False, False]
    assert env.reward[1].tolist() == [1, -1]
    if autoreset == "next-step":
        env.step(env.sample_actions())
    assert (env.state()[1] == start[1]).all()
    play(env, 50)


def test_states_can_be_kept_and_put_back():
    env = tabia.BatchEnv("reversi", 32)
    play(env, 10)
    kept = env.state()
    play(env, 10)
    env.set_state(kept)
    assert (env.state() == kept).all()
    game = tabia.Game("reversi")
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    kept[3] = np.frombuffer(state.position(), np.uint8)
    env.set_state(kept, np.arange(32) == 3)
    assert env.machine.text(env.state()[3].tobytes()) == state.text()


def test_random_games_from_each_state():
    goals = tabia.BatchEnv("tic-tac-toe", 8).playouts(100)
    assert goals.shape == (8, 100, 2) and (goals.sum(axis=2) == 100).all()


@pytest.mark.parametrize("arguments, error, words", [
    (dict(n=0), tabia.MisuseError, "environments"), (dict(n=2.5), TypeError, "integer"),
    (dict(n=2, threads=0), tabia.MisuseError, "threads"),
    (dict(n=2, observation="planes"), tabia.MisuseError, "'packed', 'bytes', 'float32'"),
    (dict(n=2, autoreset="later"), tabia.MisuseError, "'disabled', 'same-step', 'next-step'"),
    (dict(n=2, illegal="ignore"), tabia.MisuseError, "'error', 'lose'"),
    (dict(n=2, seed=-1), tabia.MisuseError, "seed"),
    (dict(n=2, machine="reference"), tabia.MisuseError, "'lanes' or 'circuit'"),
    (dict(n=2, machine="lane"), tabia.MisuseError, "lanes")])
def test_wrong_arguments_say_what_is_right(arguments, error, words):
    with pytest.raises(error, match=words):
        tabia.BatchEnv("tic-tac-toe", **arguments)


@pytest.mark.parametrize("actions, words", [
    (np.zeros((4, 3), np.uint32), r"shape \(4, 2\)"), (np.zeros(3, np.uint32), "shape"),
    (np.zeros((4, 2)), "integers"), ("abc", "integers"), (None, "integers"), ([], "integers")])
def test_wrong_actions_say_what_is_right(actions, words):
    with pytest.raises(tabia.MisuseError, match=words):
        tabia.BatchEnv("tic-tac-toe", 4).step(actions)


def test_wrong_masks_and_states_say_what_is_right():
    env = tabia.BatchEnv("tic-tac-toe", 4)
    for mask in (np.zeros(3, bool), np.zeros(4, np.int8), 7):
        with pytest.raises(tabia.MisuseError, match=r"bool of shape \(4,\)"):
            env.reset(mask)
    with pytest.raises(tabia.MisuseError, match="uint8"):
        env.set_state(np.zeros((4, 3)))
    with pytest.raises(tabia.MisuseError, match="player"):
        env.action_to_string(2, 0)


def test_rules_that_cannot_be_played_are_refused():
    with pytest.raises(tabia.Error):
        tabia.BatchEnv("(role x) (<= (legal x ?y) (true ?y)) (<= (next ?x) (not (true ?x)))", 4)
