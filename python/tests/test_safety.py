"""Threads, forks, Ctrl-C and memory."""

import gc
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import weakref

import numpy as np
import pytest

import leaks
import tabia
from tabia import _native, proofs


def test_threads_can_share_everything():
    env, machine = tabia.BatchEnv("connect-four", 512), tabia.read("nim").machine("circuit")
    errors = []

    def work():
        try:
            for _ in range(30):
                env.sample_actions(), env.legal_mask, env.observation, env.state()
                assert len(machine.legal(machine.start(), 0)) == 19
        except Exception as error:  # a thread's exception would go unseen
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors


def test_other_threads_run_while_the_library_computes():
    machine, ticks, done = tabia.read("chess").machine("circuit"), [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    for seconds in (0.3, 3, 30):  # a busy computer needs longer
        with pytest.raises(tabia.LimitError):
            machine.perft(20, seconds=seconds)
        if len(ticks) > 10:
            break
    done.set()
    thread.join()
    assert len(ticks) > 10


INTERRUPTED = {
    "perft": "tabia.read('chess').machine('circuit').perft(30)",
    "playout": "tabia.read('chess').machine('circuit').playout(10**12)",
    "minimax": "tabia.read('chess').machine('circuit').minimax(30)",
    "prove": "list(tabia.read('chess').prove('strongly-winnable white', seconds=None))",
    "solve": "tabia.read('connect-four').machine('lanes').solve(method='strong')",
    "learn": "tabia.read('chess').machine('lanes').search().learn(10**6)",
    "judge": "tabia.read('chess').machine('lanes').search(lambda seen: 50 + 0 * seen[:, :2]).think("
             "seconds=10**6)",
    "certificate": "tabia.read('chess').certificate('strongly-winnable white', seconds=None)",
    "length": "tabia.Game('chess').max_game_length(10**6)",
    "bestmove": "tabia.read('chess').machine('lanes').bestmove(seconds=10**6)",
    "playouts": "tabia.BatchEnv('chess', 600).playouts(2**16)",
    "lanes": "tabia.read('chess').machine('lanes').playout(10**12)",
}


@pytest.fixture(scope="module")
def interrupted():
    """What each call says when it is interrupted; all at once, since each must first be at work."""
    children = {}
    for name, call in INTERRUPTED.items():
        program = ("import signal, tabia\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
                   f"print('ready', flush=True)\n{call}\n")
        children[name] = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE,
                                          stderr=subprocess.PIPE, text=True)
    try:
        for child in children.values():
            child.stdout.readline()
        time.sleep(2)
        for child in children.values():
            child.send_signal(signal.SIGINT)
        yield {name: (child.communicate(timeout=60)[1], child.returncode)
               for name, child in children.items()}
    finally:
        for child in children.values():
            child.kill()


@pytest.mark.parametrize("name", INTERRUPTED)
def test_control_c_ends_a_call(name, interrupted):
    said, status = interrupted[name]
    assert "KeyboardInterrupt" in said and status != 0


@pytest.fixture
def python_s_own_handler():
    """Where tests run in the background, a shell may have them ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_control_c_can_be_caught_and_calls_go_on(python_s_own_handler):
    machine = tabia.read("chess").machine("circuit")
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        machine.perft(30)
    assert machine.perft(2).nodes == (1, 20, 400)


def in_child(work):
    """Runs the work in a fork; its exit status, 99 for an exception."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(work())
        except BaseException:
            os._exit(99)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_fork_can_go_on():
    env = tabia.BatchEnv("tic-tac-toe", 64)

    def work():
        for _ in range(10):
            env.step(env.sample_actions())
        return 7

    assert in_child(work) == 7


def test_threads_of_a_parent_are_refused_in_a_fork():
    env = tabia.BatchEnv("tic-tac-toe", 2000, threads=2)

    def work():
        with pytest.raises(RuntimeError, match="fork"):
            env.sample_actions()
        fresh = tabia.BatchEnv("tic-tac-toe", 2000, threads=2)
        fresh.step(fresh.sample_actions())
        return 8

    assert in_child(work) == 8


def test_a_proof_of_a_parent_is_refused_in_a_fork():
    verdicts = tabia.read("connect-four").prove()
    found = next(verdicts)

    def work():
        with pytest.raises(RuntimeError, match="fork"):
            next(verdicts)
        verdict, = tabia.read("nim").prove("terminates")
        return 9 if verdict and not list(verdicts) else 0

    assert found and in_child(work) == 9
    verdicts.close()


@pytest.mark.parametrize("name", leaks.WORKS)
def test_calls_give_back_their_memory(name):
    calls, python, all_of_it = leaks.growth(name, 1500)
    assert python < leaks.MOST and all_of_it < leaks.MOST, calls


def test_a_leak_is_seen(monkeypatch):
    kept = []
    monkeypatch.setitem(leaks.WORKS, "batch", (1, lambda: lambda: kept.append(bytes(100))))
    calls, python, _ = leaks.growth("batch", 1000)
    assert calls == 1000 and python > 100_000 > leaks.MOST


def test_a_fault_that_valgrind_finds_is_seen():
    told = "==7== x\n==7== \n==7== 8 bytes in 1 blocks are definitely lost\n==7==  in _tabia.abi3.so\n"
    assert len(leaks.faults_of(told + "==7== \n==7== Invalid read of size 4\n==7== ")) == 2
    assert not leaks.faults_of(told.replace("_tabia.abi3.so", "python3.11"))


def test_what_is_dropped_together_is_freed_in_order():
    """In a cycle of references the collector drops objects in any order."""
    from tabia import _native
    freed, real = [], _native.lib

    def told(name):
        return lambda pointer: (freed.append(name), getattr(real, name)(pointer))

    for backwards in (False, True):
        freed.clear()
        machine = _native.owned(open_machine(real), told("tabia_machine_close"))
        workspace = _native.owned(real.tabia_workspace_new(machine, _native.ffi.NULL),
                                  told("tabia_workspace_free"), machine)
        cycle = [workspace, machine] if backwards else [machine, workspace]
        cycle.append(cycle)
        del machine, workspace, cycle
        gc.collect()
        assert freed == ["tabia_workspace_free", "tabia_machine_close"]


def a_batch():
    env = tabia.BatchEnv("nim", 3)
    env.step(env.sample_actions())
    return env


def a_search():
    search = tabia.read("nim").machine("lanes").search(lambda seen: np.full((len(seen), 2), 50.0))
    search.think(iterations=5)
    return search


def a_proof():
    run = proofs._Run(tabia.read("nim")._c, ("terminates",), _native.Limits(), {})
    assert [verdict.result for verdict in run.verdicts()] == ["proved"]
    return run


@pytest.mark.parametrize("make", [a_batch, a_search, a_proof, lambda: tabia.Game("nim").board(),
                                  lambda: tabia.read("nim").machine("lanes").database()])
def test_memory_is_given_back_at_once(make):
    """Not when a collector runs, which knows nothing of how much the library holds."""
    gc.disable()
    try:
        thing = make()
        there = weakref.ref(thing)
        del thing
        assert there() is None
    finally:
        gc.enable()


def open_machine(lib):
    from tabia._tabia import ffi
    made = ffi.new("tabia_machine **")
    assert lib.tabia_machine_open_game(made, b"nim", b"circuit", ffi.NULL, ffi.NULL) == 0
    return made[0]


def test_calls_with_any_arguments_never_crash():
    script = pathlib.Path(__file__).resolve().parent / "fuzz.py"
    done = subprocess.run([sys.executable, str(script), "600", "7"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


def test_what_another_thread_of_the_parent_uses_is_refused_in_a_fork():
    """The thread stays in the parent, and nobody would give the lock back."""
    env, search = tabia.BatchEnv("tic-tac-toe", 4), tabia.read("nim").machine("lanes").search()
    machine = tabia.read("chess").machine("circuit")

    def work():
        for call in (env.sample_actions, search.forget, lambda: machine.legal(machine.start(), 0)):
            with pytest.raises(RuntimeError, match="when the process forked"):
                call()
        return 6

    with env._lock, search._lock, machine._lock:
        assert in_child(work) == 6
    assert env.sample_actions().shape == (4, 2) and len(machine.legal(machine.start(), 0)) == 20


@pytest.mark.parametrize("kind", ["circuit", "lanes"])
def test_bytes_that_are_no_position_are_refused_and_any_that_are_one_do_no_harm(kind):
    machine, numbers = tabia.read("tic-tac-toe").machine(kind), np.random.default_rng(1)
    env = tabia.BatchEnv(machine, 8)
    for _ in range(50):
        states = numbers.integers(0, 256, (8, machine.position_size), np.uint8)
        if (np.unpackbits(states, axis=1, bitorder="little")[:, machine._bits:]).any():
            with pytest.raises(tabia.MisuseError, match="no positions of this machine"):
                env.set_state(states)
            with pytest.raises(tabia.MisuseError, match="no position of this machine"):
                machine.is_terminal(states[states.any(axis=1)][0].tobytes())
        bits = np.unpackbits(states, axis=1, bitorder="little")
        bits[:, machine._bits:] = 0
        states = np.packbits(bits, axis=1, bitorder="little")
        env.set_state(states)
        assert (env.state() == states).all()
        for lane, state in enumerate(map(bytes, states)):
            assert sorted(machine.legal(state, 0)) == np.flatnonzero(env.legal_mask[0][lane]).tolist()
            assert len(machine.fluents(state)) == env.fluents[lane].sum()


def test_an_object_for_which_there_was_no_memory_is_an_exception():
    with pytest.raises(MemoryError):
        _native.made(_native.ffi.NULL)
