"""Builds the extension, with libtabia inside, and a source archive with the library's sources.

TABIA_BUILD names a folder in which CMake has built libtabia.a already; without it the library is
built here, from the checkout around this folder or from `library/` of a source archive."""

import pathlib
import shutil
import sys

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import build_ffi  # noqa: E402  it lies beside this file

LIBRARY = ("CMakeLists.txt", "LICENSE", "cmake", "completions", "games", "include", "man", "src",
           "tabia.pc.in", "tools")


class build_ext_with_library(build_ext):
    """Builds libtabia.a first."""

    def run(self) -> None:
        build_ffi.build_library()
        super().run()


class sdist_with_library(sdist):
    """Adds `library/`: what CMake needs to build libtabia.a."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        inside = HERE / "library"
        top = inside if inside.is_dir() else HERE.parent
        target = pathlib.Path(base_dir) / "library"
        for name in LIBRARY:
            if (top / name).is_dir():
                shutil.copytree(top / name, target / name, dirs_exist_ok=True,
                                ignore=shutil.ignore_patterns("*_test.c", "*_fuzz.c"))
            else:
                target.mkdir(exist_ok=True)
                shutil.copy(top / name, target / name)


setup(
    cffi_modules=["build_ffi.py:ffi"],
    cmdclass={"build_ext": build_ext_with_library, "sdist": sdist_with_library},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
