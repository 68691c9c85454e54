"""Arrays that other packages can share: DLPack's old protocol and its new one, with any numpy."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabia._tabia import ffi, lib

Array = NDArray[Any]
CODES = {"i": 0, "u": 1, "f": 2, "b": 6}  # DLPack's, by the kinds of numpy
ON_CPU = (1, 0)
NAMES = (b"dltensor", b"dltensor_versioned")  # capsules refer to them

_capsule_new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p,
                                 ctypes.c_void_p)(("PyCapsule_New", ctypes.pythonapi))
_forget = int(ffi.cast("uintptr_t", ffi.addressof(lib, "tabia_dlpack_forget")))


class Buffer(np.ndarray[Any, Any]):
    """A numpy array that is also handed on by DLPack where numpy itself cannot: with the arguments
    of the new protocol, and as bool.  What is computed from it is a plain array.

    >>> import numpy as np, tabia
    >>> env = tabia.BatchEnv("nim", 2)
    >>> np.from_dlpack(env.observation).ctypes.data == env.observation.ctypes.data
    True
    """

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        plain = array.view(np.ndarray)
        return plain if plain.ndim else plain[()]

    def __repr__(self) -> str:
        return repr(self.view(np.ndarray))

    def __dlpack__(self, *, stream: Any = None,
                   max_version: tuple[int, int] | None = None,
                   dl_device: tuple[int, int] | None = None, copy: bool | None = None) -> Any:
        """A capsule with this memory, or with a copy of it."""
        if stream is not None:
            raise BufferError("memory of the processor has no streams: stream must be None")
        if dl_device is not None and tuple(dl_device) != ON_CPU:
            raise BufferError(f"this is memory of the processor, {ON_CPU}: it cannot be handed on "
                              f"to the device {tuple(dl_device)}")
        is_new = max_version is not None and tuple(max_version)[:1] >= (1,)
        array = self.copy() if copy else self
        if not is_new and not array.flags.writeable:
            raise BufferError("only DLPack 1.0 and later can hand on what is not to be written; "
                              "give max_version=(1, 0), or copy=True")
        return _capsule(array, is_new, bool(copy))


def _capsule(array: Array, is_new: bool, is_copied: bool) -> Any:
    return capsule_of(array, array.ctypes.data, array.shape, array.strides, array.dtype, is_new,
                      is_read_only=not array.flags.writeable, is_copied=is_copied)


def capsule_of(owner: Any, address: int, shape: tuple[int, ...], byte_strides: tuple[int, ...],
               dtype: Any, is_new: bool, place: tuple[int, int] = ON_CPU,
               is_read_only: bool = False, is_copied: bool = False) -> Any:
    """A capsule with memory that lives as long as its owner."""
    kind, size = dtype.kind, dtype.itemsize
    if kind not in CODES or not dtype.isnative or any(s % size for s in byte_strides):
        raise BufferError(f"DLPack has no such arrays: {dtype}, strides {byte_strides}")
    sizes = ffi.new("int64_t[]", [*shape, 0])
    strides = ffi.new("int64_t[]", [*(s // size for s in byte_strides), 0])
    tensor = ffi.new("tabia_tensor *", {
        "owner": ffi.cast("void *", id(owner)), "data": ffi.cast("void *", address),
        "code": CODES[kind], "bits": 8 * size, "dimensions": len(shape), "shape": sizes,
        "strides": strides, "is_read_only": is_read_only, "is_copied": is_copied,
        "device_type": place[0], "device_number": place[1]})
    made = lib.tabia_dlpack_new(tensor, is_new)
    if not made:
        raise MemoryError("there is no memory for a capsule")
    return _capsule_new(int(ffi.cast("uintptr_t", made)), NAMES[is_new], _forget)


def zeros(shape: tuple[int, ...], kind: Any) -> Array:
    """A buffer of zeros."""
    return np.zeros(shape, kind).view(Buffer)
