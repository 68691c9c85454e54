"""Describes the extension `tabia._tabia` to cffi: all of tabia.h, read from the header itself, env.h
and dlpack.h."""

import os
import pathlib
import re
import shutil
import subprocess

import cffi

HERE = pathlib.Path(__file__).resolve().parent
ARCHIVES = ["cadical", "xxhash", "jansson", "stdc++"]  # become part of the extension
WHERE_FOUND = ["bliss", "gmp"]  # likewise; the library is built without them where they are missing
WITH_STREAMS = ["bliss", "gmp", "jansson"]


def library_sources() -> pathlib.Path:
    """The checkout around this folder, or what a source archive holds of it."""
    inside = HERE / "library"
    return inside if inside.is_dir() else HERE.parent


def declarations(header: pathlib.Path) -> str:
    """What cffi can read of a header: no comments, directives or attributes."""
    text = re.sub(r"/\*.*?\*/", " ", header.read_text(), flags=re.S)
    text = re.sub(r"^#if(n?def)? *__cplusplus.*?^#endif", "", text, flags=re.S | re.M)
    text = re.sub(r"^#(?:.*\\\n)*.*$", "", text, flags=re.M)
    return text.replace("TABIA_API", "")


def library_folder() -> pathlib.Path:
    """The folder with libtabia.a: TABIA_BUILD, or one of our own."""
    if "TABIA_BUILD" in os.environ:
        return pathlib.Path(os.environ["TABIA_BUILD"]).resolve()
    return HERE / "build" / "library"


def build_library() -> None:
    """Builds libtabia.a, unless TABIA_BUILD says that it is there."""
    folder = library_folder()
    if "TABIA_BUILD" in os.environ:
        return
    configure = ["cmake", "-S", str(library_sources()), "-B", str(folder), "-G", "Ninja",
                 "-DCMAKE_BUILD_TYPE=Release", "-DTABIA_TESTS=OFF", "-DBUILD_SHARED_LIBS=OFF"]
    subprocess.run(configure, check=True)
    subprocess.run(["cmake", "--build", str(folder), "--target", "libtabia.a"], check=True)


def archive_of(name: str) -> str:
    """A static archive where the system has it, else the usual library."""
    answer = subprocess.run([shutil.which("gcc") or "cc", f"-print-file-name=lib{name}.a"],
                            capture_output=True, text=True, check=True).stdout.strip()
    return answer if os.path.isabs(answer) else f"-l{name}"


def archives() -> list[str]:
    found = [name for name in WHERE_FOUND if os.path.isabs(archive_of(name))]
    return found + ARCHIVES


def for_shared_objects(name: str) -> str:
    """Some of Debian's archives are ones for shared objects but for how they reach `stdin`, `stdout` and
    `stderr`: of those, a copy that takes the streams of env.c; of others, the archive as it is."""
    archive = archive_of(name)
    if name not in WITH_STREAMS or not os.path.isabs(archive):
        return archive
    if not shutil.which("objcopy"):
        return f"-l{name}"
    copy = library_folder() / f"lib{name}-for-python.a"
    copy.parent.mkdir(parents=True, exist_ok=True)
    streams = [f"--redefine-sym={stream}=tabia_{stream}" for stream in ("stdin", "stdout", "stderr")]
    subprocess.run(["objcopy", *streams, archive, str(copy)], check=True)
    return str(copy)


def describe() -> cffi.FFI:
    sources = library_sources()
    ffi = cffi.FFI()
    ffi.cdef("typedef int... sig_atomic_t;")
    ffi.cdef(declarations(sources / "include" / "tabia.h"))
    ffi.cdef(declarations(HERE / "env.h"))
    ffi.cdef(declarations(HERE / "dlpack.h"))
    ffi.cdef("#define TABIA_NO_MOVE ...\n#define TABIA_NO_GOAL ...\n#define TABIA_BLOCK ...")
    ffi.cdef('extern "Python" void tabia_py_found(void *, const tabia_proof *, uint32_t);')
    ffi.cdef('extern "Python" void tabia_py_judge(void *, const void *, uint32_t, float *, float *);')
    folder = library_folder()
    ffi.set_source(
        "tabia._tabia", '#include "env.h"\n#include "dlpack.h"', sources=["env.c", "dlpack.c"],
        include_dirs=[str(sources / "include"), str(HERE)],
        extra_compile_args=["-O2", "-std=gnu17", "-fvisibility=hidden"],
        extra_link_args=[str(folder / "libtabia.a"),
                         *(for_shared_objects(name) for name in archives()),
                         "-static-libgcc", "-lm", "-ldl", "-pthread", "-Wl,--strip-debug",
                         "-Wl,--gc-sections", "-Wl,--exclude-libs,ALL"],
        depends=["env.h", "dlpack.h", str(folder / "libtabia.a")],
        py_limited_api=True)
    return ffi


ffi = describe()
