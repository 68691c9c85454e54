"""Many games at once on a graphics card, in arrays that stay there."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tabia import _native as native
from tabia._native import Log
from tabia._tabia import ffi, lib
from tabia.buffers import NAMES, zeros, capsule_of
from tabia.errors import MisuseError
from tabia.machine import Machine
from tabia.rules import Source, machine_of

AUTORESET = {"disabled": lib.TABIA_DEVICE_STAYS, "same-step": lib.TABIA_DEVICE_SAME_STEP,
             "next-step": lib.TABIA_DEVICE_NEXT_STEP}
LAYOUTS = {"packed": lib.TABIA_BITS, "bytes": lib.TABIA_BYTES}
ON_CPU, ON_CUDA = 1, 2
LEGACY_STREAM = 1  # how DLPack calls the stream 0 of CUDA


class _Tensor(ctypes.Structure):
    """DLPack's, as a capsule of before version 1 has it first."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_number", ctypes.c_int32), ("dimensions", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]


_pointer_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi))


class _Games(native.Shared):
    """The memory on the device.  Arrays refer to it alone, and it to none of them: it is given back as
    soon as the last one is gone, not when a collector finds a cycle."""

    def __init__(self, machine: Machine, n: int, ending: Any) -> None:
        super().__init__()
        log, batch = Log(), ffi.new("tabia_device_batch **")
        status = lib.tabia_device_batch_new(batch, machine._c, n, ending, ffi.NULL, log.c)
        self._c = native.owned(batch[0], lib.tabia_device_batch_free, machine._c, threads=True)
        log.check(status)
        self._born, place = native.generation(), ffi.new("int32_t[2]")
        lib.tabia_device_batch_place(self._c, place, place + 1)
        self.place = (int(place[0]), int(place[1]))

    def call(self, function: Any, *arguments: Any) -> None:
        if self._born != native.generation():
            raise RuntimeError("this DeviceBatch was made before a fork, which no card survives")
        log = Log()
        with self._lock:
            log.check(function(self._c, *arguments, log.c))


class DeviceArray:
    """An array of a DeviceBatch, which every step of it writes anew.  It is handed on by DLPack,
    without a copy: `torch.from_dlpack(array)`, `jax.dlpack.from_dlpack(array)`."""

    def __init__(self, games: _Games, address: int, shape: tuple[int, ...],
                 strides: tuple[int, ...], kind: Any) -> None:
        self._games, self.address, self.shape = games, address, shape
        self.strides, self.dtype = strides, np.dtype(kind)  # strides in bytes, as numpy's

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._games.place

    def __dlpack__(self, *, stream: Any = None, max_version: tuple[int, int] | None = None,
                   dl_device: tuple[int, int] | None = None, copy: bool | None = None) -> Any:
        """A capsule with this memory; what is begun on `stream` from now on waits for the batch."""
        if dl_device is not None and tuple(dl_device) != self._games.place:
            raise BufferError(f"this is memory of the device {self._games.place}, and is not copied")
        if copy:
            raise BufferError("this is memory of a device: copy it there")
        if stream not in (None, -1):
            self._games.call(lib.tabia_device_batch_join,
                             0 if stream == LEGACY_STREAM else int(stream))
        is_new = max_version is not None and tuple(max_version)[:1] >= (1,)
        return capsule_of(self, self.address, self.shape, self.strides, self.dtype, is_new,
                          place=self._games.place)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if self._games.place[0] != ON_CPU:
            raise TypeError(f"this is memory of the device {self._games.place}: "
                            "torch.from_dlpack(array).cpu().numpy() copies it")
        return self.numpy().astype(dtype or self.dtype, copy=bool(copy))

    def numpy(self) -> Any:
        """As a numpy array, where the device is an emulator."""
        return np.from_dlpack(self)

    def __repr__(self) -> str:
        return f"<tabia.DeviceArray {self.shape} of {self.dtype} on {self._games.place}>"


class DeviceBatch(native.Bound):
    """`n` games of the same rules on a graphics card: states, actions and answers stay there.

    game         rules, or what `tabia.read` takes, or a Machine of the kind `gpu`
    observation  layout of masks and observations: "bytes" or "packed", as of BatchEnv
    autoreset    as of BatchEnv
    stream       of CUDA, on which all of it works; `torch.cuda.current_stream().cuda_stream`

    Names mean what they mean in BatchEnv; arrays are DeviceArrays, which are there once they have
    been asked for and are written anew by every step.  `illegal` holds where the last action was not
    legal: such a game stays as it is.  A game that begins in a terminal state is over, without reward;
    BatchEnv rewards it in the first step.
    """

    def __init__(self, game: Source, n: int = 1, seed: int = 1, observation: str = "bytes",
                 autoreset: bool | str = True, stream: int = 0) -> None:
        self.n = native.whole(n, "the number of games", 1, 2**28)
        self.layout = native.one_of(observation, "observation", LAYOUTS)
        self.seed = native.whole(seed, "seed", 0, 2**64 - 1)
        ending = native.ending(autoreset, AUTORESET)
        self.machine = machine_of(game, "gpu")
        self._steps, self._draws = 0, 0
        self._games = _Games(self.machine, self.n, ending)
        self._call, self.place = self._games.call, self._games.place
        self._stream = 0
        self._find_players()
        self._arrays: dict[Any, DeviceArray] = {}
        self._actions = ffi.new("tabia_device_actions *")
        if stream:
            self.stream = stream

    def _find_players(self) -> None:
        roles = self.machine.roles
        self._roles = [i for i, role in enumerate(roles) if role != "random"]
        self.players = tuple(roles[i] for i in self._roles)
        self.num_actions = tuple(self.machine.move_count(role) for role in self._roles)
        self.has_percepts = self.machine.has_percepts()

    # ---- calls ----

    @property
    def stream(self) -> int:
        """The stream of CUDA that all of it works on."""
        return self._stream

    @stream.setter
    def stream(self, stream: int) -> None:
        self._call(lib.tabia_device_batch_set_stream, stream)
        self._stream = stream

    def wait(self) -> None:
        """Waits until all that was begun is done."""
        self._call(lib.tabia_device_batch_wait)

    # ---- answers ----

    def _array(self, what: int, role: int, kind: Any, width: int | None) -> DeviceArray:
        found = self._arrays.get((what, role))
        if found is None:
            out = ffi.new("tabia_device_buffer *")
            self._call(lib.tabia_device_batch_buffer, what, role, LAYOUTS[self.layout], out)
            columns = () if width == 0 else (out.columns,)
            strides = () if width == 0 else (out.item_bytes,)
            found = DeviceArray(self._games, out.address, (self.n, *columns), (out.stride, *strides), kind)
            self._arrays[what, role] = found
        return found

    @property
    def legal_mask(self) -> tuple[DeviceArray, ...]:
        """Of each player: which of its actions are legal."""
        return tuple(self._array(lib.TABIA_DEVICE_LEGAL, role, np.uint8, None)
                     for role in self._roles)

    @property
    def fluents(self) -> DeviceArray:
        """Which fluents hold: the state, also where players do not know it."""
        return self._array(lib.TABIA_DEVICE_FLUENTS, 0, np.uint8, None)

    @property
    def observation(self) -> DeviceArray | tuple[DeviceArray, ...]:
        """The state; in GDL-II, of each player what it has seen of the last step."""
        if not self.has_percepts:
            return self.fluents
        return tuple(self._array(lib.TABIA_DEVICE_PERCEPTS, role, np.uint8, None)
                     for role in self._roles)

    @property
    def reward(self) -> DeviceArray:
        """float32 of shape (n, players): of games that the last step has ended, else 0."""
        return self._array(lib.TABIA_DEVICE_REWARDS, 0, np.float32, None)

    @property
    def goals(self) -> DeviceArray:
        """int32 likewise; `tabia.NO_GOAL` of C, the least number, where there is none."""
        return self._array(lib.TABIA_DEVICE_GOALS, 0, np.int32, None)

    @property
    def terminated(self) -> DeviceArray:
        """uint8 of shape (n,): the last step led to a terminal state."""
        return self._array(lib.TABIA_DEVICE_TERMINATED, 0, np.uint8, 0)

    @property
    def illegal(self) -> DeviceArray:
        """uint8 of shape (n,): the last action was not legal."""
        return self._array(lib.TABIA_DEVICE_ILLEGAL, 0, np.uint8, 0)

    def sample_actions(self) -> DeviceArray:
        """Legal actions of all players, drawn uniformly, as BatchEnv draws; shape (n, players)."""
        drawn = self._array(lib.TABIA_DEVICE_DRAWN, 0, np.uint32, None)
        self._call(lib.tabia_device_batch_draw, self.seed ^ 2**63, self._draws)
        self._draws += 1
        return drawn

    # ---- arrays of others ----

    def _peek(self, array: Any) -> tuple[Any, int, tuple[int, ...], tuple[int, ...], int, int]:
        """What a capsule says: itself, address, shape, strides and size in bytes, kind."""
        if isinstance(array, DeviceArray):
            code = 2 if array.dtype.kind == "f" else 1
            return array, array.address, array.shape, array.strides, array.dtype.itemsize, code
        stream = {} if self.place[0] == ON_CPU else {"stream": self._stream or LEGACY_STREAM}
        capsule = array.__dlpack__(**stream)
        t = _Tensor.from_address(_pointer_of(capsule, NAMES[0]))
        shape, size = tuple(t.shape[:t.dimensions]), t.bits // 8
        strides = (tuple(s * size for s in t.strides[:t.dimensions]) if t.strides else
                   tuple(size * int(np.prod(shape[i + 1:])) for i in range(len(shape))))
        return capsule, (t.data or 0) + t.offset, shape, strides, size, t.code

    def _ours(self, array: Any, room: DeviceArray) -> Any:
        """What an emulator works on is its own memory: arrays of others are copied there."""
        if isinstance(array, DeviceArray):
            return array
        place = getattr(array, "__dlpack_device__", lambda: (ON_CPU, 0))()
        if tuple(int(i) for i in place) != self.place:
            raise MisuseError(f"the array is on the device {place}, and the games on {self.place}")
        if self.place[0] != ON_CPU:
            return array
        given, kind = np.asarray(array), room.dtype
        if given.dtype.kind not in ("iu" if kind == np.uint32 else "iub"):
            raise MisuseError(f"actions are integers, and a mask bytes or bools; not {given.dtype}")
        if given.shape not in (room.shape, room.shape[:1]):
            wanted = " or ".join(dict.fromkeys(map(str, (room.shape, room.shape[:1]))))
            raise MisuseError(f"the shape must be {wanted}, not {given.shape}")
        beyond = 1 if kind == np.uint8 else lib.TABIA_NO_MOVE
        clean = np.where((given >= 0) & (given < beyond), given, beyond).astype(kind)
        ffi.memmove(ffi.cast("void *", room.address), np.ascontiguousarray(clean), clean.nbytes)
        return DeviceArray(self._games, room.address, given.shape, clean.strides, kind)

    # ---- stepping ----

    def step(self, actions: Any) -> None:
        """Makes these moves in all games that are not over.

        actions  integers on the same device, with `__dlpack__`: of shape (n, players), or (n,) for
                 the player that has a choice; then others make their only move."""
        room = self._array(lib.TABIA_DEVICE_DRAWN, 0, np.uint32, None)
        kept, address, shape, strides, size, code = self._peek(self._ours(actions, room))
        if code > 1 or shape not in ((self.n, len(self.players)), (self.n,)):
            raise MisuseError(f"actions are integers of shape ({self.n}, {len(self.players)}) or "
                              f"({self.n},), not {shape}")
        a = self._actions
        a.address, a.item_bytes, a.game_stride = address, size, strides[0]
        a.player_stride = strides[1] if len(shape) == 2 else 0
        a.is_single = len(shape) == 1 and len(self.players) > 1
        a.seed, a.stream = self.seed, self._steps
        self._call(lib.tabia_device_batch_step, a)
        self._steps += 1
        del kept  # alive until the work is on the stream

    def reset(self, mask: Any = None) -> None:
        """Begins anew: everywhere, or where the mask, bytes or bools of shape (n,), holds."""
        kept, address = None, 0
        if mask is not None:
            kept, address, shape, strides, size, _ = self._peek(self._ours(mask, self.illegal))
            if shape != (self.n,) or size != 1 or strides != (1,):
                raise MisuseError(f"a mask has {self.n} bytes without gaps")
        self._call(lib.tabia_device_batch_reset, address)
        del kept

    # ---- states ----

    def state(self) -> Any:
        """The positions of all games, as bytes in a new numpy array that `set_state` takes."""
        positions = zeros((self.n, self.machine.position_size), np.uint8)
        self._call(lib.tabia_device_batch_store, ffi.from_buffer(positions))
        return positions

    def set_state(self, positions: ArrayLike, mask: Any = None) -> None:
        """Puts positions into all games, or where the mask on the device holds."""
        array = np.ascontiguousarray(positions)
        wanted = (self.n, self.machine.position_size)
        if array.dtype != np.uint8 or array.shape != wanted:
            raise MisuseError(f"positions must be uint8 of shape {wanted}, not {array.dtype} of "
                              f"shape {array.shape}")
        kept, address = None, 0
        if mask is not None:
            kept, address, *_ = self._peek(self._ours(mask, self.illegal))
        self._call(lib.tabia_device_batch_put, ffi.from_buffer(array), address)
        del kept

    def action_to_string(self, player: int, action: int) -> str:
        """An action in KIF."""
        player = native.whole(player, "player", 0, len(self.players) - 1)
        return self.machine.move_text(self._roles[player], action)

    def __repr__(self) -> str:
        return f"<tabia.DeviceBatch {self.n} of {self.machine.rules.name!r} on {self.place}>"
