"""Runs one process under limits and measures it."""

import os
import re
import signal
import threading
import time
from dataclasses import dataclass

PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")
LOOK_EVERY = 0.02  # seconds: how often the memory of a running process is looked at
WRITING = os.O_WRONLY | os.O_CREAT | os.O_TRUNC


@dataclass
class Run:
    end: str  # ok, time, memory, failed
    wall: float  # seconds from before its start until its end
    cpu: float  # seconds, user and system
    peak: int  # bytes of resident memory
    message: str  # the first line of its standard error


@dataclass
class Limits:
    seconds: float
    clock: str  # which time is limited: wall or cpu
    memory: int  # bytes


def run(arguments, limits, output, messages):
    """Runs `arguments` with standard output and error into the files named.  The clock starts when
    these are open, and nothing but the process itself is waited for."""
    files = [os.open("/dev/null", os.O_RDONLY), *(os.open(path, WRITING, 0o644)
                                                  for path in (output, messages))]
    actions = [(os.POSIX_SPAWN_DUP2, file, number) for number, file in enumerate(files)]
    environment = dict(os.environb)
    begin = time.perf_counter()
    pid = os.posix_spawnp(arguments[0], arguments, environment, file_actions=actions)
    killed_for = watch(pid, begin, limits)
    wall = time.perf_counter() - begin
    _, status, usage = os.wait4(pid, 0)
    for file in files:
        os.close(file)
    end = killed_for or ("ok" if os.waitstatus_to_exitcode(status) == 0 else "failed")
    return Run(end, wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024,
               first_line(messages))


def watch(pid, begin, limits):
    """Returns when the process has ended; kills it at a limit and names the limit.  A thread looks at
    the limits now and then: benchmarks run several processes from threads."""
    reached, has_ended = [], threading.Event()

    def look():
        while not reached and not has_ended.wait(LOOK_EVERY):
            limit = limit_reached(pid, begin, limits)
            if limit:
                os.kill(pid, signal.SIGKILL)  # not waited for yet: the number is still its own
                reached.append(limit)

    looker = threading.Thread(target=look)
    looker.start()
    try:
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    except BaseException:  # we are being stopped: take it with us
        os.kill(pid, signal.SIGKILL)
        raise
    finally:
        has_ended.set()
        looker.join()
    return reached[0] if reached else None


def limit_reached(pid, begin, limits):
    used = cpu_seconds(pid) if limits.clock == "cpu" else time.perf_counter() - begin
    if used > limits.seconds:
        return "time"
    return "memory" if resident_bytes(pid) > limits.memory else None


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
        fields = file.read().rpartition(")")[2].split()  # the name may hold blanks
    return (int(fields[11]) + int(fields[12])) / TICKS  # utime and stime, man 5 proc


def resident_bytes(pid):
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * PAGE


def first_line(path):
    """The first line that says something, without the folders of files that it names."""
    with open(path, encoding="utf-8", errors="replace") as file:
        line = next((line.strip() for line in file if line.strip()), "")
    return re.sub(r"(/[^\s/:]+)+/", "", line)
