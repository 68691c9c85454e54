"""Batches on a device: the same games as those of BatchEnv; on a card where there is one, and by the
emulator everywhere."""

import copy
import ctypes
import gc
import pickle
import weakref

import numpy as np
import pytest

import tabia


def has_card():
    try:
        return bool(ctypes.CDLL("libcuda.so.1"))
    except OSError:
        return False


@pytest.fixture(autouse=True)
def emulator(monkeypatch):
    monkeypatch.setenv("TABIA_GPU", "emulator")


def same(env, batch):
    bits = lambda a: np.asarray(a)
    masks = zip(env.legal_mask, batch.legal_mask)
    assert all((bits(a) == b.numpy()).all() for a, b in masks)
    assert (bits(env.fluents) == batch.fluents.numpy()).all()
    assert (env.reward == batch.reward.numpy()).all()
    assert (env.terminated == batch.terminated.numpy().astype(bool)).all()


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "simultaneous-tic-tac-toe", "nim"])
@pytest.mark.parametrize("autoreset", ["same-step", "next-step", "disabled"])
def test_games_are_those_of_batches(name, autoreset):
    env = tabia.BatchEnv(name, 200, autoreset=autoreset)
    batch = tabia.DeviceBatch(name, 200, autoreset=autoreset)
    for _ in range(12):
        same(env, batch)
        actions = np.array(env.sample_actions())
        env.step(actions)
        batch.step(actions)
    same(env, batch)
    assert (env.state() == batch.state()).all()


def test_random_games_by_counter_are_those_of_lanes():
    first, second = (tabia.BatchEnv("connect-four", 40, machine=m) for m in ("lanes", "gpu"))
    for env in first, second:
        for _ in range(5):
            env.step(env.sample_actions())
    goals = first.playouts(3, seed=2, first=9, random="counter")
    assert (goals.sum(axis=2) == 100).all()
    assert (goals == second.playouts(3, seed=2, first=9, random="counter")).all()
    assert (goals == second.playouts(3, seed=2, first=9)).all()  # it has no other
    with pytest.raises(tabia.MisuseError, match="dice"):
        first.playouts(random="dice")


def test_one_action_is_enough_where_one_player_chooses():
    env, batch = tabia.BatchEnv("connect-four", 64), tabia.DeviceBatch("connect-four", 64)
    for _ in range(20):
        both, turn = np.array(env.sample_actions()), np.array(env.current_player)
        chosen = both[np.arange(64), turn]
        env.step(chosen)
        batch.step(chosen.astype(np.int64))
        same(env, batch)


def test_drawn_actions_are_legal_and_others_change_nothing():
    batch = tabia.DeviceBatch("tic-tac-toe", 100)
    for _ in range(6):
        batch.step(batch.sample_actions())
        assert not batch.illegal.numpy().any()
    before = batch.state()
    batch.step(np.full((100, 2), 77))
    assert batch.illegal.numpy().all() and (batch.state() == before).all()


def test_states_are_put_and_games_begin_anew():
    batch, first = tabia.DeviceBatch("tic-tac-toe", 50, autoreset=False), None
    first = batch.state()
    for _ in range(4):
        batch.step(batch.sample_actions())
    middle, mask = batch.state(), np.arange(50) % 2 == 0
    batch.reset(mask)
    assert (batch.state() == np.where(mask[:, None], first, middle)).all()
    batch.set_state(middle)
    assert (batch.state() == middle).all()
    batch.reset()
    assert (batch.state() == first).all()


def test_memory_is_given_back_with_the_last_array_of_it():
    """At once: a card has little of it, and knows nothing of Python's collector."""
    machine = tabia.Machine(tabia.read("nim"), "gpu")
    gc.disable()
    try:
        for _ in range(30):
            batch = tabia.DeviceBatch(machine, 4)
            batch.step(batch.sample_actions())
            kept = batch.reward.numpy()
            games = weakref.ref(batch._games)
            del batch
            assert games() and not kept.any()
            del kept
            assert not games()
    finally:
        gc.enable()


def test_mistakes_are_told():
    with pytest.raises(tabia.MisuseError, match="no games on a device"):
        tabia.DeviceBatch(tabia.Machine(tabia.read("nim"), "lanes"), 4)
    batch = tabia.DeviceBatch("tic-tac-toe", 4)
    for wrong in (np.zeros(3, np.int32), np.zeros((4, 3), np.int32)):
        with pytest.raises(tabia.MisuseError, match="shape"):
            batch.step(wrong)
    for wrong in (np.zeros((4, 2)), np.zeros((4, 2), bool), [["a", "b"]] * 4, None):
        with pytest.raises(tabia.MisuseError, match="integers"):
            batch.step(wrong)
    with pytest.raises(tabia.MisuseError, match="bytes or bools; not float64"):
        batch.reset(np.ones(4))
    with pytest.raises(tabia.MisuseError, match=r"must be \(4,\), not \(3,\)"):
        batch.reset(np.ones(3, bool))
    assert np.asarray(batch.reward).dtype == np.float32 and np.array(batch.reward, "f8").shape == (4, 2)
    for copied in (copy.copy, pickle.dumps):
        with pytest.raises(TypeError, match="make another"):
            copied(batch)
    with pytest.raises(tabia.MisuseError):
        tabia.DeviceBatch("nim", 4, observation="float32")


def test_packed_is_bytes_in_bits():
    a = tabia.DeviceBatch("breakthrough-6", 40, observation="packed")
    b = tabia.DeviceBatch("breakthrough-6", 40)
    for _ in range(5):
        a.step(a.sample_actions())
        b.step(b.sample_actions())
    for x, y in zip((a.fluents, *a.legal_mask), (b.fluents, *b.legal_mask)):
        bits = np.unpackbits(x.numpy(), axis=1, bitorder="little")
        assert (bits[:, :y.shape[1]] == y.numpy()).all()


@pytest.mark.skipif(not has_card(), reason="there is no NVIDIA driver")
def test_a_card_plays_the_same_games(monkeypatch):
    torch = pytest.importorskip("torch")
    monkeypatch.delenv("TABIA_GPU")
    env, batch = tabia.BatchEnv("connect-four", 5000), tabia.DeviceBatch("connect-four", 5000)
    host = lambda array: torch.from_dlpack(array).cpu().numpy()
    for _ in range(60):
        actions = np.array(env.sample_actions())
        env.step(actions)
        batch.step(torch.tensor(actions.astype(np.int64), device="cuda"))
        assert (host(batch.fluents) == env.fluents).all()
        assert all((host(a) == b).all() for a, b in zip(batch.legal_mask, env.legal_mask))
        assert (host(batch.reward) == env.reward).all()
