"""Threads, forks, Ctrl-C and memory."""

import gc
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import tracemalloc

import pytest

import tabia


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
    with pytest.raises(tabia.LimitError):
        machine.perft(20, seconds=0.3)
    done.set()
    thread.join()
    assert len(ticks) > 10


INTERRUPTED = {
    "perft": "tabia.read('chess').machine('circuit').perft(30)",
    "playout": "tabia.read('chess').machine('circuit').playout(10**12)",
    "minimax": "tabia.read('chess').machine('circuit').minimax(30)",
    "prove": "list(tabia.read('chess').prove('strongly-winnable white'))",
    "bestmove": "tabia.read('chess').machine('lanes').bestmove(seconds=10**6)",
    "playouts": "tabia.BatchEnv('chess', 600).playouts(2**16)",
    "lanes": "tabia.read('chess').machine('lanes').playout(10**12)",
}


@pytest.fixture(scope="module")
def interrupted():
    """What each call says when it is interrupted; all at once, since each must first be at work."""
    children = {}
    for name, call in INTERRUPTED.items():
        program = f"import tabia\nprint('ready', flush=True)\n{call}\n"
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


def test_control_c_can_be_caught_and_calls_go_on():
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


def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_a_million_steps_leak_nothing():
    env = tabia.BatchEnv("tic-tac-toe", 1000)

    def play(steps):
        for _ in range(steps):
            env.step(env.sample_actions())
            env.legal_mask, env.observation, env.current_player

    play(20)
    tracemalloc.start()
    before, memory = tracemalloc.get_traced_memory()[0], resident()
    play(1000)
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 20_000 and resident() - memory < 4_000_000


def test_objects_give_back_their_memory():
    def use():
        env = tabia.BatchEnv("connect-four", 512)
        env.step(env.sample_actions())
        list(tabia.read("nim").prove("terminates", seconds=5))
        with pytest.raises(tabia.FaultyError):
            tabia.read("(role")

    for _ in range(5):
        use()
    gc.collect()
    before = resident()
    for _ in range(20):
        use()
    gc.collect()
    assert resident() - before < 10_000_000


def test_calls_with_any_arguments_never_crash():
    script = pathlib.Path(__file__).resolve().parent / "fuzz.py"
    done = subprocess.run([sys.executable, str(script), "600", "7"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
