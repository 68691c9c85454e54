"""The bridge to the library: messages become exceptions, Ctrl-C reaches calls that compute."""

from __future__ import annotations

import numbers
import os
import threading
import weakref
from collections.abc import Callable, Collection, Mapping
from typing import Any

from tabia._tabia import ffi, lib
from tabia.errors import (Error, FaultyError, LimitError, Message, MisuseError, UnreadableError)

SEVERITIES = ("note", "warning", "error")
EXCEPTIONS: dict[int, type[Error]] = {1: FaultyError, 2: MisuseError, 3: UnreadableError,
                                      4: LimitError}
OK, FAULTY, MISUSE, UNREADABLE, LIMIT = range(5)
# Hints that name the program or the C interface, in the words of this package.
HINTS = {
    "`tabia games` lists": "tabia.games() lists",
    "`tabia games tic-tac-toe` prints": "tabia.read('tic-tac-toe').text is",
    "--time-limit SECONDS, or tabia_limits_set_seconds": "seconds=...",
    "--memory-limit BYTES (K, M and G may follow), or tabia_limits_set_bytes": "memory=...",
    "`--machine lanes`": "the machine 'lanes'",
}


def text_of(pointer: Any) -> str:
    return str(ffi.string(pointer).decode("utf-8", "replace")) if pointer else ""


def optional(pointer: Any) -> str | None:
    return text_of(pointer) if pointer else None


def _hint(words: str | None) -> str | None:
    for said, meant in HINTS.items():
        words = words and words.replace(said, meant)
    return words


# ---- forks ----

class _Process:
    """Counts forks, so that threads of a parent are not waited for in a child."""

    generation = 0
    shared: weakref.WeakSet[Shared] = weakref.WeakSet()

    @classmethod
    def has_forked(cls) -> None:
        cls.generation += 1
        for thing in list(cls.shared):
            if thing._lock.locked():
                thing._lock = _Abandoned()


os.register_at_fork(after_in_child=_Process.has_forked)


class _Abandoned:
    """In place of a lock whose thread stayed in the parent, in the middle of a call."""

    def __enter__(self) -> None:
        raise RuntimeError("another thread was using this object when the process forked: make a "
                           "new one in the child")

    def __exit__(self, *_: object) -> None:
        pass

    def locked(self) -> bool:
        return True


class Shared:
    """What threads can share: calls take turns."""

    def __init__(self) -> None:
        self._lock: threading.Lock | _Abandoned = threading.Lock()
        _Process.shared.add(self)


def generation() -> int:
    return _Process.generation


class _Held:
    """Memory of the library, which is freed once it was dropped and nothing needs it any more.

    Objects that go together are dropped in any order, so that references alone do not keep a
    machine longer than its workspace.  What is held is in a table, where no collector finds it; each
    change is one operation, which no other thread or finaliser can come between."""

    table: dict[int, _Held] = {}

    def __init__(self, pointer: Any, free: Callable[[Any], None], parents: list[_Held],
                 threads: bool) -> None:
        self.pointer, self.free, self.parents = pointer, free, parents
        self.born = generation() if threads else None
        self.users: set[_Held] = set()
        self.is_dropped = False
        for parent in parents:
            parent.users.add(self)
        self.table[_address(pointer)] = self

    def drop(self, _: Any) -> None:
        self.is_dropped = True
        self.release()

    def release(self) -> None:
        if self.users or not self.is_dropped or not self.table.pop(_address(self.pointer), None):
            return
        if self.born in (None, generation()):
            self.free(self.pointer)
        for parent in self.parents:
            parent.users.discard(self)
            parent.release()


def _address(pointer: Any) -> int:
    return int(ffi.cast("uintptr_t", pointer))


def owned(pointer: Any, free: Callable[[Any], None], *parents: Any, threads: bool = False) -> Any:
    """The object frees itself, before its parents do; with threads, only where it was made."""
    if not pointer:
        return pointer
    held = _Held(pointer, free, [_Held.table[_address(parent)] for parent in parents], threads)
    return ffi.gc(pointer, held.drop)


def made(pointer: Any) -> Any:
    """The object itself, where there was memory for it."""
    if not pointer:
        raise MemoryError("there is no memory for this object")
    return pointer


class Bound:
    """What holds memory or threads of the library, and so cannot be pickled or copied."""

    def __reduce_ex__(self, protocol: object) -> Any:
        raise TypeError(f"a {type(self).__name__} cannot be pickled or copied: make another of the "
                        "same rules")


# ---- messages ----

class Log:
    """Collects what the library has to say in one call."""

    def __init__(self) -> None:
        self.c = ffi.gc(lib.tabia_messages_new(), lib.tabia_messages_free)

    def messages(self) -> tuple[Message, ...]:
        return tuple(self._message(i) for i in range(lib.tabia_messages_count(self.c)))

    def _message(self, i: int) -> Message:
        log = self.c
        return Message(SEVERITIES[lib.tabia_message_severity(log, i)],
                       text_of(lib.tabia_message_code(log, i)),
                       text_of(lib.tabia_message_text(log, i)),
                       _hint(optional(lib.tabia_message_hint(log, i))),
                       optional(lib.tabia_message_file(log, i)),
                       lib.tabia_message_line(log, i), lib.tabia_message_column(log, i))

    def error(self, status: int) -> Error:
        messages = self.messages()
        told = [str(m) for m in messages if m.severity == "error"] or [str(m) for m in messages]
        text = "\n".join(words.removeprefix("error: ") for words in told) or text_of(lib.tabia_status_text(status))
        return EXCEPTIONS[status](text, messages)

    def check(self, status: int) -> None:
        """Raises what the status tells."""
        if status != OK:
            raise self.error(status)


# ---- texts ----

class Sink:
    """Takes a text that the library writes."""

    def __init__(self) -> None:
        self.c = ffi.gc(ffi.new("tabia_sink *"), lib.tabia_sink_clear)
        self.put = ffi.addressof(lib, "tabia_sink_put")

    def text(self) -> str:
        return bytes(self.data()).decode("utf-8", "replace")

    def data(self) -> bytes:
        return bytes(ffi.buffer(self.c.bytes, self.c.length)) if self.c.length else b""


def sized_text(ask: Callable[[Any, int], int]) -> str:
    """The text that a function writes in the manner of snprintf."""
    room = ffi.new("char[]", 256)
    length = ask(room, 256)
    if length >= 256:
        room = ffi.new("char[]", length + 1)
        ask(room, length + 1)
    return bytes(ffi.buffer(room, length)).decode("utf-8", "replace")


# ---- limits and options ----

def _can_handle_signals() -> bool:
    return threading.current_thread() is threading.main_thread()


class Limits:
    """Limits of one call; in the main thread Ctrl-C ends the call, too.

    Within `with`, give `c` to the library."""

    def __init__(self, seconds: float | None = None, memory: int | None = None) -> None:
        self.c = ffi.gc(lib.tabia_limits_new(), lib.tabia_limits_free)
        if seconds is not None:
            lib.tabia_limits_set_seconds(self.c, duration(seconds))
        if memory is not None:
            lib.tabia_limits_set_bytes(self.c, whole(memory, "memory", 1, 2**64 - 1))
        self._listens = False

    def __enter__(self) -> Limits:
        if _can_handle_signals():
            flag = lib.tabia_interrupt_begin()
            self._listens = flag != ffi.NULL
            if self._listens:
                lib.tabia_limits_set_interrupt(self.c, flag)
        return self

    def __exit__(self, *_: object) -> None:
        if not self._listens:
            return
        lib.tabia_limits_set_interrupt(self.c, ffi.NULL)
        lib.tabia_interrupt_end()
        # Python's own handler runs before the next instruction, and raises KeyboardInterrupt.


def options_of(values: Mapping[str, object]) -> Any:
    """Options by name; None chooses nothing, underscores are hyphens, True is "yes"."""
    options = ffi.gc(lib.tabia_options_new(), lib.tabia_options_free)
    for name, value in values.items():
        if value is not None:
            word = ("yes" if value else "no") if isinstance(value, bool) else str(value)
            lib.tabia_options_set(options, name.replace("_", "-").encode(), word.encode())
    return options


def whole(value: object, name: str, least: int, most: int) -> int:
    """An integer within bounds, or an exception that says so."""
    try:
        number = value.__index__()  # type: ignore[attr-defined]
    except AttributeError:
        raise TypeError(f"{name} must be an integer, not {type(value).__name__}") from None
    if not least <= number <= most:
        raise MisuseError(f"{name} must be from {least} to {most}, not {number}")
    return int(number)


def one_of(value: Any, name: str, known: Collection[str]) -> str:
    """A word that is known, or an exception that lists those that are."""
    if not isinstance(value, str) or value not in known:
        raise MisuseError(f"{name} must be one of {', '.join(map(repr, known))}, not {value!r}")
    return str(value)


def ending(autoreset: bool | str, endings: Mapping[str, Any]) -> Any:
    """What the library calls a way in which games begin anew."""
    word = autoreset if isinstance(autoreset, str) else "same-step" if autoreset else "disabled"
    return endings[one_of(word, "autoreset", endings)]


def duration(seconds: object) -> float:
    """A time that is more than 0, or an exception that says so."""
    if isinstance(seconds, bool) or not isinstance(seconds, numbers.Real):
        raise TypeError(f"seconds must be a number, not {type(seconds).__name__}")
    if not float(seconds) > 0:
        raise MisuseError("seconds must be more than 0; None is no limit")
    return min(float(seconds), 1e9)


def c_text(value: str, name: str) -> bytes:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a text, not {type(value).__name__}")
    if "\0" in value:
        raise MisuseError(f"{name} must not hold NUL")
    return value.encode()


def c_path(value: str | os.PathLike[str], name: str) -> bytes:
    """A path as the system writes it, which need not be UTF-8."""
    path = os.fspath(value)
    if isinstance(path, str) and "\0" not in path:
        return os.fsencode(path)
    return c_text(path, name)


def handle(value: object, kind: str, name: str) -> Any:
    """What the library knows an object of ours by, or an exception that says what is wanted."""
    c = getattr(value, "_c", None)
    if not isinstance(c, ffi.CData) or ffi.typeof(c) is not ffi.typeof(f"tabia_{kind} *"):
        raise TypeError(f"{name} must be a tabia.{kind.capitalize()}, not {type(value).__name__}")
    return c
