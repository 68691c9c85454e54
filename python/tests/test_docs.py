"""Examples in docstrings and in the manual do what they say; types are what they say."""

import doctest
import importlib
import pathlib
import shutil
import subprocess
import sys

import pytest

import tabia

HERE = pathlib.Path(__file__).resolve().parent.parent
MODULES = ["tabia", "tabia.rules", "tabia.machine", "tabia.batch", "tabia.spiel", "tabia.pgx",
           "tabia.board", "tabia.buffers", "tabia.planes", "tabia.actions", "tabia.search",
           "tabia.symmetry", "tabia.database", "tabia.proofs"]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_are_true(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0 and result.failed == 0


def test_the_manual_is_true():
    result = doctest.testfile(str(HERE / "README.md"), module_relative=False)
    assert result.attempted > 0 and result.failed == 0


def test_public_names_have_docstrings():
    for name in tabia.__all__:
        thing = getattr(tabia, name)
        assert thing.__doc__, name
        for member, value in vars(thing).items() if isinstance(thing, type) else ():
            if callable(value) and not member.startswith("_"):
                assert value.__doc__, f"{name}.{member}"


def test_types_agree():
    mypy = shutil.which("mypy", path="/usr/bin")
    if not mypy:
        pytest.skip("mypy is not there")
    cache = pathlib.Path(tabia.__file__).resolve().parent.parent / "mypy-cache"
    done = subprocess.run([mypy, "--config-file", str(HERE / "pyproject.toml"), "--cache-dir",
                           str(cache), "--python-executable", sys.executable,
                           *(str(HERE / folder) for folder in ("tabia", "examples"))],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
