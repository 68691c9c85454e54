"""Tabia: checked, proved and fast games from their rules.

>>> import tabia
>>> rules = tabia.read("tic-tac-toe")
>>> [verdict.result for verdict in rules.prove("terminates")]
['proved']
>>> state = tabia.Game(rules).new_initial_state()
>>> state.apply_action(state.legal_actions()[0])
>>> state.current_player()
1
"""

import importlib as _importlib
from typing import Any as _Any

from tabia._tabia import ffi as _ffi, lib as _lib
from tabia.actions import MoveShape
from tabia.batch import BatchEnv
from tabia.board import Board
from tabia.database import Database
from tabia.device import DeviceArray, DeviceBatch
from tabia.errors import (Error, FaultyError, IllegalActionError, LimitError, Message, MisuseError,
                          UnreadableError)
from tabia.machine import (Machine, MinimaxResult, PerftResult, PlayoutResult, Position, SolveResult,
                           machines)
from tabia.planes import Planes
from tabia.proofs import Group, Verdict, methods, properties
from tabia.rules import Info, Relation, Rules, explain, games, read, read_text, stages
from tabia.search import Candidate, Search, Thought
from tabia.spiel import Game, GameType, PlayerAction, State
from tabia.symmetry import Symmetries, Symmetry
from tabia.why import Why, WhyStep

_FACES = ("gymnasium", "pettingzoo", "pgx")


def __getattr__(name: str) -> _Any:
    """Faces are imported when they are asked for, since they need their packages."""
    if name in _FACES:
        return _importlib.import_module(f"tabia.{name}")
    raise AttributeError(f"module 'tabia' has no attribute {name!r}")


__version__ = str(_ffi.string(_lib.tabia_version()).decode())

__all__ = ["BatchEnv", "Board", "Candidate", "Database", "DeviceArray", "DeviceBatch",
           "Error", "FaultyError", "Game", "GameType", "Group", "IllegalActionError", "Info",
           "LimitError", "Machine", "Message", "MinimaxResult", "MisuseError",
           "MoveShape", "PerftResult", "Planes", "PlayerAction", "PlayoutResult", "Position",
           "Relation", "Rules", "Search", "SolveResult", "State", "Symmetries",
           "Symmetry", "Thought", "UnreadableError", "Verdict", "Why", "WhyStep",
           "explain", "games", "machines", "methods", "properties", "read", "read_text", "stages"]
