"""Batches: they play as `reference` does, copy nothing, and refuse what is wrong."""

import ctypes
import inspect
import sys

import numpy as np
import pytest

import agreement
import tabia

SLOW = {"chess": 3, "english-draughts": 6, "gomoku-15": 3, "sudoku-9": 3, "hex-9": 5,
        "amazons-6x6": 5, "atari-go-7": 5, "nine-mens-morris": 8}


@pytest.mark.parametrize("name", tabia.games())
def test_batches_play_as_reference_does(name):
    wanted = SLOW.get(name, 14)
    assert agreement.agree(name, wanted) == wanted


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
    assert array.ctypes.data == actions.ctypes.data and width == 2


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


def buffers(env):
    seen = env.observation if isinstance(env.observation, tuple) else (env.observation,)
    return [*seen, *env.legal_mask, env.fluents, env.reward, env.goals, env.current_player,
            env.sample_actions(), env.state(), env.playouts(2), env.terminated]


@pytest.mark.parametrize("name", ["nim", "kuhn-poker", "rock-paper-scissors"])
def test_buffers_are_handed_on_by_dlpack(name):
    env = tabia.BatchEnv(name, 8, observation="float32")
    for array in buffers(env):
        assert array.__dlpack_device__() == (1, 0)
        numbers = array.view(np.uint8) if array.dtype == np.bool_ else array  # numpy before 1.25
        for given in (numbers, numbers[2:5], numbers[::2]):
            taken = np.from_dlpack(given)
            assert taken.ctypes.data == given.ctypes.data and taken.strides == given.strides
            assert (taken == given).all()


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]


class Versioned(ctypes.Structure):
    """DLPack's DLManagedTensorVersioned, as its header has it."""

    _fields_ = [("version", ctypes.c_uint32 * 2), ("context", ctypes.c_void_p),
                ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p)), ("flags", ctypes.c_uint64),
                ("tensor", DLTensor)]


def versioned(capsule):
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return Versioned.from_address(pointer(capsule, b"dltensor_versioned"))


def test_buffers_speak_the_new_protocol():
    env = tabia.BatchEnv("nim", 8, observation="float32")
    for array, code in ((env.observation, 2), (env.terminated, 6), (env.goals, 0),
                        (env.sample_actions(), 1)):
        capsule = array.__dlpack__(max_version=(1, 0), dl_device=(1, 0), copy=None)
        told = versioned(capsule)
        assert tuple(told.version) == (1, 0) and told.flags == 0
        tensor = told.tensor
        assert tensor.data == array.ctypes.data and tuple(tensor.device) == (1, 0)
        assert (tensor.code, tensor.bits, tensor.lanes) == (code, 8 * array.itemsize, 1)
        assert tuple(tensor.shape[:tensor.ndim]) == array.shape
    copied = versioned(copy := env.reward.__dlpack__(max_version=(2, 1), copy=True))
    assert copied.tensor.data != env.reward.ctypes.data and copied.flags == 2
    fixed = env.reward[:4]
    fixed.flags.writeable = False
    assert versioned(shown := fixed.__dlpack__(max_version=(1, 0))).flags == 1
    del copy, shown
    with pytest.raises(BufferError, match="max_version"):
        fixed.__dlpack__()
    with pytest.raises(BufferError, match="device"):
        env.reward.__dlpack__(dl_device=(2, 0))
    with pytest.raises(BufferError, match="stream"):
        env.reward.__dlpack__(stream=1)


def test_what_is_handed_on_lives_as_long_as_it_is_used():
    env = tabia.BatchEnv("nim", 8)
    array = env.reward
    before = sys.getrefcount(array)
    capsules = [array.__dlpack__(), array.__dlpack__(max_version=(1, 0))]
    assert sys.getrefcount(array) == before + 2
    del capsules
    taken = np.from_dlpack(array)
    assert sys.getrefcount(array) == before + 1
    array[:] = 7
    assert (taken == 7).all()
    del taken
    assert sys.getrefcount(array) == before


def test_tensors_of_torch_share_the_memory():
    torch = pytest.importorskip("torch")
    env = tabia.BatchEnv("connect-four", 8, observation="float32")
    for array in (env.observation, *env.legal_mask, env.reward, env.goals, env.current_player):
        tensor = torch.from_dlpack(array)
        assert tensor.data_ptr() == array.ctypes.data and tuple(tensor.shape) == array.shape
    tensor = torch.from_dlpack(env.observation)
    env.step(env.sample_actions())
    env.observation
    assert (tensor.numpy() == env.observation).all()


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
    with pytest.raises(tabia.IllegalActionError, match=r"in 1 of 4 .* in environment 2 x has no "
                       r"action 9999; legal are \[0, 1,") as caught:
        env.step(actions)
    assert caught.value.lanes == (2,)
    with pytest.raises(tabia.IllegalActionError, match="environment 0 .* no action -1;"):
        env.step(np.full((4, 2), -1))
    with pytest.raises(tabia.IllegalActionError, match=r"environment 3 o has no action 9;"):
        env.reset()
        env.step(np.zeros(4, int))
        env.step(np.array([1, 2, 3, 9]))


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


@pytest.mark.parametrize("name, limit", [("connect-four", 12), ("tic-tac-toe", 8), ("kuhn-poker", 3),
                                         ("rock-paper-scissors", 4), ("eight-puzzle", 1)])
@pytest.mark.parametrize("autoreset", ["same-step", "next-step", "disabled"])
@pytest.mark.parametrize("illegal", [False, True])
def test_games_are_cut_after_so_many_steps(name, limit, autoreset, illegal):
    """Ages are counted beside it; some games end by themselves, or by an illegal action, before."""
    env = tabia.BatchEnv(name, 1100, autoreset=autoreset, illegal="lose", max_steps=limit, threads=2)
    start, rng = env.state()[0], np.random.default_rng(1)
    age, waits, count = np.zeros(1100, int), np.zeros(1100, bool), 0
    for step in range(3 * limit + 3):
        actions, before = env.sample_actions().copy(), env.state()
        if illegal:
            actions[rng.random(1100) < 0.1, 0] = 99999
        env.step(actions)
        after, cut = env.state(), env.truncated
        assert (env.reward[cut] == 0).all() and not (env.terminated & cut).any()
        if autoreset != "disabled":
            assert not ((env.terminated | cut) & waits).any()
        age[~waits] += 1
        assert (cut[~waits] == (age >= limit)[~waits] & ~env.terminated[~waits]).all()
        over, count = env.terminated | cut, count + int((cut & ~waits).sum())
        if autoreset == "disabled":
            assert over[waits].all() and (after[waits] == before[waits]).all()
            assert (env.current_player[over] == -4).all()
            again = over & (rng.random(1100) < 0.5)
            env.reset(again)
            assert not (env.terminated | env.truncated)[again].any()
            age[again], waits = 0, over & ~again
        elif autoreset == "next-step":
            assert (after[waits] == start).all() and (env.current_player[over] == -4).all()
            age[waits], waits = 0, over.copy()
        else:
            assert (after[over] == start).all()
            age[over] = 0
    assert count > 0


def test_games_are_not_cut_where_a_state_is_put_or_an_action_is_refused():
    env = tabia.BatchEnv("connect-four", 2, autoreset=False, max_steps=3)
    for _ in range(2):
        with pytest.raises(tabia.IllegalActionError):
            env.step([0, 99])
    assert env.truncated.tolist() == [False, False]
    env.set_state(env.state(), np.array([True, False]))
    env.step([0, 0])
    env.step([0, 0])
    assert env.truncated.tolist() == [False, False]
    env.step([0, 0])
    assert env.truncated.tolist() == [True, True] and not env.terminated.any()
    env.set_state(env.state())
    assert not env.truncated.any() and (env.current_player >= 0).all()


def test_a_batch_shows_its_games():
    env = tabia.BatchEnv("tic-tac-toe", 3)
    env.step(env.legal_mask[0].argmax(axis=1))
    assert env.render(2) == str(env.machine.board().draw(env.state()[2].tobytes()))
    assert "x" in env.render(1) and env.render(0, "svg").startswith("<svg")
    with pytest.raises(tabia.MisuseError, match="lane"):
        env.render(3)


def test_a_game_or_a_machine_stands_for_its_rules():
    game = tabia.Game("kuhn-poker", "lanes")
    env = tabia.BatchEnv(game, 2)
    assert env.machine.rules is game.rules and env.machine.kind == "lanes"
    assert tabia.Game(game.machine).machine is game.machine and tabia.Game(env).rules is game.rules
    assert tabia.BatchEnv(game.machine, 2).machine is game.machine
    with pytest.raises(TypeError, match="not int"):
        tabia.BatchEnv(7, 2)


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


@pytest.mark.parametrize("kind", ["u4", "i8", "u1", ">u4", ">i8"])
def test_actions_may_lie_in_any_way(kind):
    """By columns, with gaps, backwards, at odd addresses, read-only: all mean the same."""
    env = tabia.BatchEnv("tic-tac-toe", 4)
    plain = np.array([[0, 9], [1, 9], [2, 9], [8, 9]], kind)
    odd = np.frombuffer(b"." + plain.tobytes(), np.uint8)[1:].view(kind).reshape(4, 2)
    wide = np.zeros((4, 6), kind)
    wide[:, ::3] = plain
    for given in (plain, np.asfortranarray(plain), np.stack([plain[:, 0], plain[:, 1]]).T, odd,
                  wide[:, ::3], plain[::-1].copy()[::-1], plain.tolist()):
        env.reset()
        env.step(given)
        texts = [env.machine.text(row.tobytes()) for row in env.state()]
        assert texts == [f"(control o) (mark {cell} x)" for cell in ("1 1", "1 2", "1 3", "3 3")]


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


def test_a_game_without_fluents_is_played():
    """It is over at once, as it stays over."""
    env = tabia.BatchEnv("(role x) (<= terminal (legal ?r noop)) (<= (legal ?r noop) (role ?r))"
                         "(<= (goal ?r 100) (role ?r))", 5)
    assert env.fluents.shape == (5, 0) and env.legal_mask[0].tolist() == [[1]] * 5
    env.step(env.sample_actions())
    assert env.state().shape == (5, env.machine.position_size)
    assert tabia.Planes(env.machine)(env.fluents).shape[:2] == (5, 0)


def test_rules_that_cannot_be_played_are_refused():
    with pytest.raises(tabia.FaultyError, match="nothing to play"):
        tabia.BatchEnv("(role x)", 4)
    with pytest.raises(tabia.Error):
        tabia.BatchEnv("(role x) (<= (legal x ?y) (true ?y)) (<= (next ?x) (not (true ?x)))", 4)


def test_a_batch_takes_a_machine_with_numbers_however_long_it_takes():
    """`auto-many` takes another where grounding takes more than some seconds."""
    env = tabia.BatchEnv("nim")
    assert inspect.signature(tabia.BatchEnv).parameters["machine"].default == env.machine.kind == "lanes"
