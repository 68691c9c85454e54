"""One state at a time, in the shape of OpenSpiel's `Game` and `State`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabia import _native as native
from tabia._tabia import lib
from tabia.batch import BatchEnv
from tabia.board import Board
from tabia.errors import FaultyError, IllegalActionError, LimitError, MisuseError
from tabia.machine import Machine
from tabia.rules import Source, machine_of

CHANCE, SIMULTANEOUS, TERMINAL = -1, -2, -4
Floats = NDArray[np.float32]
TYPE_GAMES, TYPE_STEPS = 256, 1000  # random games that a type rests on, and how far they go


@dataclass(frozen=True)
class GameType:
    """What kind of game it is, in OpenSpiel's words.

    dynamics     "sequential", or "simultaneous": several players choose at once
    chance_mode  "deterministic" or "explicit_stochastic"
    information  "perfect_information", or "imperfect_information": GDL-II
    utility      "zero_sum", "constant_sum" or "general_sum"

    `dynamics` and `utility` are what random games show, which is no proof."""

    short_name: str
    dynamics: str
    chance_mode: str
    information: str
    utility: str
    reward_model: str
    num_players: int


class Step(NamedTuple):
    """A step that was made: a move for each role, what each player saw of it, and the step before."""

    joint: tuple[int, ...]
    seen: tuple[tuple[int, ...], ...]
    before: Step | None
    number: int


class PlayerAction(NamedTuple):
    """Who did what; player -1 is chance."""

    player: int
    action: int


class Game:
    """A game for agents: players are all roles but `random`, which is chance.

    Actions are numbers of one player, from 0; every player has its own.

    >>> import tabia
    >>> game = tabia.Game("tic-tac-toe")
    >>> game.num_players(), game.num_distinct_actions()
    (2, 10)
    """

    def __init__(self, rules: Source, machine: str = "circuit") -> None:
        self.machine = machine_of(rules, machine)
        self.rules = self.machine.rules
        roles = self.machine.roles
        self._nature = roles.index("random") if "random" in roles else None
        self._roles = [i for i in range(len(roles)) if i != self._nature]
        self.players = tuple(roles[i] for i in self._roles)
        self.has_percepts = self.machine.has_percepts()
        self._board: Board | None = None
        self._longest: int | None = None
        self._type: tuple[GameType, float | None] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Game, (self.machine,)

    def __repr__(self) -> str:
        return f"<tabia.Game {self.rules.name!r}>"

    def num_players(self) -> int:
        """Players, without chance."""
        return len(self.players)

    def num_distinct_actions(self) -> int:
        """The largest number of actions that a player has."""
        self.machine._require_numbers()
        return max((self.machine.move_count(role) for role in self._roles), default=0)

    def max_chance_outcomes(self) -> int:
        """Moves of chance; 0: there is none."""
        return 0 if self._nature is None else self.machine.move_count(self._nature)

    def max_game_length(self, seconds: float = 10) -> int:
        """No play has more joint moves, by a proof that play ends; LimitError: none was found.

        >>> import tabia
        >>> tabia.Game("connect-four").max_game_length()
        42
        """
        if self._longest is None:
            verdict, = self.rules.prove("terminates", seconds=seconds)
            if verdict.longest is None:
                raise LimitError("how long play can last was not found in "
                                 f"{seconds} seconds: {verdict.text.strip()}")
            self._longest = verdict.longest
        return self._longest

    def get_type(self) -> GameType:
        """What kind of game it is; see `GameType`.

        >>> import tabia
        >>> found = tabia.Game("kuhn-poker").get_type()
        >>> found.dynamics, found.information, found.utility
        ('sequential', 'imperfect_information', 'zero_sum')
        """
        return self._typed()[0]

    def utility_sum(self) -> float | None:
        """What returns add up to, as random games show; None: not always to the same."""
        return self._typed()[1]

    def _typed(self) -> tuple[GameType, float | None]:
        if self._type is None:
            at_once, sums = _random_games(self.machine)
            total = sums.pop() if len(sums) == 1 and self.num_players() > 1 else None
            self._type = GameType(
                self.rules.name, "simultaneous" if at_once else "sequential",
                "deterministic" if self._nature is None else "explicit_stochastic",
                f"{'im' * self.has_percepts}perfect_information",
                "general_sum" if total is None else "constant_sum" if total else "zero_sum",
                "terminal", self.num_players()), total
        return self._type

    def min_utility(self) -> float:
        """What a goal of 0 is worth."""
        return -1.0

    def max_utility(self) -> float:
        """What a goal of 100 is worth."""
        return 1.0

    def observation_tensor_shape(self, player: int = 0) -> list[int]:
        """Fluents; in GDL-II, percepts of the player."""
        self.machine._require_numbers()
        if self.has_percepts:
            return [self.machine.width(lib.TABIA_PERCEPTS, self.role_of(player))]
        return [self.machine.fluent_count()]

    def observation_tensor_size(self, player: int = 0) -> int:
        """How many numbers `State.observation_tensor` has."""
        return self.observation_tensor_shape(player)[0]

    def information_state_tensor_shape(self, player: int = 0,
                                       steps: int | None = None) -> list[int]:
        """What `State.information_state_tensor` has: in GDL-II, moves and percepts of each step."""
        seen = self.observation_tensor_size(player)
        if not self.has_percepts:
            return [seen]
        return [self._steps(steps) * (self.machine.move_count(self.role_of(player)) + seen)]

    def _steps(self, steps: int | None) -> int:
        if steps is not None:
            return native.whole(steps, "steps", 1, 2**31)
        try:
            return max(1, self.max_game_length())
        except LimitError as error:
            raise MisuseError(f"say how many steps to tell, steps=...: {error}") from None

    def role_of(self, player: int) -> int:
        """The role that a player has in the rules; that of chance for -1."""
        if player == CHANCE and self._nature is not None:
            return self._nature
        return self._roles[native.whole(player, "player", 0, len(self.players) - 1)]

    def action_to_string(self, player: int, action: int) -> str:
        """An action in KIF."""
        return self.machine.move_text(self.role_of(player), action)

    def board(self) -> Board:
        """How states are drawn; notebooks draw them by themselves."""
        if self._board is None:
            self._board = self.machine.board()
        return self._board

    def new_initial_state(self) -> State:
        """The start of the game."""
        return State(self, self.machine.start())

    def deserialize_state(self, text: str) -> State:
        """The state that `State.serialize` wrote.

        >>> import tabia
        >>> game = tabia.Game("tic-tac-toe")
        >>> state = game.new_initial_state()
        >>> state.apply_action(3)
        >>> game.deserialize_state(state.serialize()) == state
        True
        """
        return _read_state(self, text)


def _random_games(machine: Machine) -> tuple[bool, set[float]]:
    """Of random games: did several players ever choose at once, and what returns added up to."""
    env, at_once, sums = BatchEnv(machine, TYPE_GAMES, autoreset=False), False, set[float]()
    for _ in range(TYPE_STEPS):
        at_once = at_once or bool((env.current_player == SIMULTANEOUS).any())
        env.step(env.sample_actions())
        if env.terminated.all():
            break
    goals = env.goals[env.terminated].astype(np.int64)
    goals[goals == lib.TABIA_NO_GOAL] = 50
    return at_once, {float(total) for total in (goals - 50).sum(axis=1) / 50}


class State:
    """A state of a game, and how it came about.

    Where several players choose, `apply_actions` takes an action of each; where chance chooses at
    the same time, its node follows.  A player without a choice is not asked, unless nobody has one:
    then the first player makes its only move."""

    def __init__(self, game: Game, position: bytes) -> None:
        self._game = game
        self._pending: tuple[int, ...] | None = None
        self._last: Step | None = None
        self._before: dict[str, Any] | None = None  # what is here, as it was
        self._made: tuple[tuple[int, int], ...] = ()  # since then: players and their actions
        self._enter(position)

    def _enter(self, position: bytes) -> None:
        """Asks all that later questions need; after an exception all is as it was."""
        machine = self._game.machine
        over = machine.is_terminal(position)
        legal = [[] if over else machine.legal(position, role)
                 for role in range(len(machine.roles))]
        stuck = [role for role, moves in enumerate(legal) if not moves]
        if stuck and not over:
            raise FaultyError(f"{machine.roles[stuck[0]]} has no legal move in a state that "
                              f"is not terminal: {machine.text(position)}")
        self._position, self._over, self._legal = position, over, legal
        self._choosers = [player for player, role in enumerate(self._game._roles)
                          if len(self._legal[role]) > 1]

    # ---- who is to move ----

    def get_game(self) -> Game:
        """The game."""
        return self._game

    def num_players(self) -> int:
        """Players, without chance."""
        return self._game.num_players()

    def num_distinct_actions(self) -> int:
        """The largest number of actions that a player has."""
        return self._game.num_distinct_actions()

    def is_terminal(self) -> bool:
        """Is the game over?"""
        return self._over

    def is_chance_node(self) -> bool:
        """Is chance to move?"""
        return self.current_player() == CHANCE

    def is_simultaneous_node(self) -> bool:
        """Do several players choose at once?"""
        return self.current_player() == SIMULTANEOUS

    def is_player_node(self) -> bool:
        """Is it the turn of one player?"""
        return self.current_player() >= 0

    def _chance_chooses(self) -> bool:
        nature = self._game._nature
        return nature is not None and len(self._legal[nature]) > 1

    def current_player(self) -> int:
        """A player, -1: chance, -2: several at once, -4: nobody."""
        if self._over:
            return TERMINAL
        if self._pending is not None or (not self._choosers and self._chance_chooses()):
            return CHANCE
        if len(self._choosers) > 1:
            return SIMULTANEOUS
        return self._choosers[0] if self._choosers else 0

    def _mover(self, call: str) -> int:
        """Whose turn it is; where several choose, an exception that names the call to use."""
        current = self.current_player()
        if current == SIMULTANEOUS:
            raise MisuseError(f"several players choose at once: use {call}")
        if current == TERMINAL:
            raise IllegalActionError("the game is over; nobody can move")
        return current

    # ---- actions ----

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Of the player whose turn it is, or of any; none for others than those who choose."""
        if self._over:
            return []
        current = self.current_player()
        player = self._mover("legal_actions(player)") if player is None else player
        role = self._game.role_of(player)
        if current == SIMULTANEOUS or player == current:
            return sorted(self._legal[role])
        return []

    def legal_actions_mask(self, player: int | None = None) -> NDArray[np.int8]:
        """1 where an action is legal; as long as there are distinct actions.

        >>> import tabia
        >>> tabia.Game("tic-tac-toe").new_initial_state().legal_actions_mask().sum()
        9
        """
        size = self.num_distinct_actions()
        if self.is_chance_node() and player in (None, CHANCE):
            size = self._game.max_chance_outcomes()
        mask = np.zeros(size, np.int8)
        mask[self.legal_actions(player)] = 1
        return mask

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The moves of chance and their probabilities."""
        if not self.is_chance_node():
            raise MisuseError("this is no chance node; see current_player()")
        actions = self.legal_actions(CHANCE)
        return [(action, 1 / len(actions)) for action in actions]

    def action_to_string(self, player: int, action: int | None = None) -> str:
        """An action in KIF: of a player, or of the one whose turn it is."""
        if action is None:
            player, action = self._mover("action_to_string(player, action)"), player
        return self._game.action_to_string(player, action)

    def string_to_action(self, player: int | str, text: str | None = None) -> int:
        """The legal action with that text: of a player, or of the one whose turn it is."""
        if text is None:
            player, text = self._mover("string_to_action(player, text)"), str(player)
        player = native.whole(player, "player", CHANCE, self.num_players() - 1)
        for action in self.legal_actions(player):
            if self._game.action_to_string(player, action) == text:
                return action
        raise IllegalActionError(f"{text!r} is no legal action of "
                                 f"{self._game.machine.roles[self._game.role_of(player)]}")

    def _only_moves(self) -> list[int]:
        return [moves[0] for moves in self._legal]

    def _place(self, joint: list[int], player: int, action: int) -> None:
        role = self._game.role_of(player)
        if action not in self._legal[role]:
            raise IllegalActionError(f"action {action} is not legal for player {player}; legal are "
                                     f"{sorted(self._legal[role])[:20]}")
        joint[role] = int(action)

    def apply_action(self, action: int) -> None:
        """Makes the move of the player whose turn it is, or of chance."""
        current = self._mover("apply_actions")
        joint = list(self._pending) if self._pending is not None else self._only_moves()
        self._place(joint, current, action)
        self._advance(joint, (current, int(action)))

    def apply_actions(self, actions: Sequence[int]) -> None:
        """Makes the moves of all players, one for each, where several choose at once."""
        if len(actions) != self.num_players():
            raise MisuseError(f"there are {self.num_players()} players, not {len(actions)}")
        if not self.is_simultaneous_node():
            raise MisuseError("one player chooses: use apply_action")
        joint = self._only_moves()
        for player, action in enumerate(actions):
            self._place(joint, player, action)
        self._advance(joint, *((player, int(action)) for player, action in enumerate(actions)))

    def _advance(self, joint: list[int], *made: tuple[int, int]) -> None:
        before = self.__dict__.copy()
        if made[0][0] != CHANCE and self._chance_chooses():
            joint[self._game.role_of(CHANCE)] = self._only_moves()[self._game.role_of(CHANCE)]
            self._pending = tuple(joint)
        else:
            self._step(joint)
        self._before, self._made = before, made

    def _step(self, joint: list[int]) -> None:
        game, before = self._game, self._position
        seen = tuple(tuple(game.machine._sees(before, joint, role)) for role in game._roles
                     ) if game.has_percepts else ()
        self._enter(game.machine._step(before, joint))
        self._last = Step(tuple(joint), seen, self._last, self.move_number() + 1)
        self._pending = None

    def undo_action(self, player: int | None = None, action: int | None = None) -> None:
        """Takes back the last action, or the last ones that were made at once.

        >>> import tabia
        >>> state = tabia.Game("connect-four").new_initial_state()
        >>> state.apply_action(3)
        >>> state.undo_action()
        >>> state.history(), state.current_player()
        ([], 0)
        """
        if self._before is None:
            raise MisuseError("nothing was done that could be taken back")
        for name, said, made in (("player", player, [p for p, _ in self._made]),
                                 ("action", action, [a for _, a in self._made])):
            if said is not None and said not in made:
                raise MisuseError(f"{name} is {said}, but the last actions, by player, were "
                                  f"{dict(self._made)}")
        self.__dict__ = self._before.copy()

    # ---- results ----

    def goals(self) -> list[int | None]:
        """The goals of the players in this state, 0 to 100."""
        return [self._game.machine.goal(self._position, role) for role in self._game._roles]

    def returns(self) -> list[float]:
        """From -1 for a goal of 0 to 1 for 100; 0 as long as the game is not over."""
        if not self._over:
            return [0.0] * self.num_players()
        return [0.0 if goal is None else (goal - 50) / 50 for goal in self.goals()]

    def rewards(self) -> list[float]:
        """Those of the last step: returns at the end, 0 before."""
        return self.returns()

    def player_return(self, player: int) -> float:
        """The return of one player."""
        return self.returns()[native.whole(player, "player", 0, self.num_players() - 1)]

    def player_reward(self, player: int) -> float:
        """The reward of one player."""
        return self.player_return(player)

    # ---- what players know ----

    def observation_string(self, player: int = 0) -> str:
        """The state; in GDL-II, what the player saw of the last step."""
        role = self._game.role_of(player)
        if not self._game.has_percepts:
            return self._game.machine.text(self._position)
        return "" if self._last is None else self._seen_text(self._last, player, role)

    def observation_tensor(self, player: int = 0) -> Floats:
        """1 for each fluent that holds; in GDL-II, for what the player saw of the last step."""
        self._game.role_of(player)
        tensor = np.zeros(self._game.observation_tensor_shape(player), np.float32)
        if not self._game.has_percepts:
            tensor[self._game.machine.fluents(self._position)] = 1
        elif self._last is not None:
            tensor[list(self._last.seen[player])] = 1
        return tensor

    def _seen_text(self, step: Step, player: int, role: int) -> str:
        texts = [self._game.machine.percept_text(role, s) for s in step.seen[player]]
        return " ".join(sorted(texts))

    def _backwards(self) -> Iterator[Step]:
        """The steps that were made, the last one first."""
        step = self._last
        while step is not None:
            yield step
            step = step.before

    def information_state_string(self, player: int = 0) -> str:
        """All that the player knows: the state and how it came about; in GDL-II, its own moves and
        what it saw, a line for each step."""
        role = self._game.role_of(player)
        if not self._game.has_percepts:
            return self.history_str() + "\n" + self._game.machine.text(self._position)
        lines = [f"{self._game.machine.move_text(role, step.joint[role])} / "
                 f"{self._seen_text(step, player, role)}" for step in self._backwards()]
        return "\n".join(reversed(lines))

    def information_state_tensor(self, player: int = 0, steps: int | None = None) -> Floats:
        """All steps, or so many, the latest first: its own move and what it saw, as 0 and 1;
        without GDL-II, the state."""
        role = self._game.role_of(player)
        if not self._game.has_percepts:
            return self.observation_tensor(player)
        moves = self._game.machine.move_count(role)
        steps = self._game._steps(steps)
        rows = np.zeros((steps, moves + self._game.observation_tensor_size(player)), np.float32)
        for row, step in zip(rows, self._backwards()):
            row[step.joint[role]] = 1
            row[[moves + percept for percept in step.seen[player]]] = 1
        return rows.reshape(-1)

    # ---- history and copies ----

    def history(self) -> list[tuple[int, ...]]:
        """The joint moves that were made: a move for each role."""
        return [step.joint for step in self._backwards()][::-1]

    def full_history(self) -> list[PlayerAction]:
        """All actions and who made them, also those of chance; those at once by player.

        >>> import tabia
        >>> state = tabia.Game("connect-four").new_initial_state()
        >>> for action in (3, 4):
        ...     state.apply_action(action)
        >>> state.full_history()
        [PlayerAction(player=0, action=3), PlayerAction(player=1, action=4)]
        """
        made, there = list[PlayerAction](), self.__dict__
        while there["_before"] is not None:
            made += [PlayerAction(*action) for action in reversed(there["_made"])]
            there = there["_before"]
        return made[::-1]

    def history_str(self) -> str:
        """The joint moves that were made, in KIF: what `Machine.play` reads."""
        return " ".join(self._game.machine.move_text(role, move)
                        for joint in self.history() for role, move in enumerate(joint))

    def move_number(self) -> int:
        """How many joint moves were made."""
        return 0 if self._last is None else self._last.number

    def text(self) -> str:
        """The fluents that hold, in KIF."""
        return self._game.machine.text(self._position)

    def position(self) -> bytes:
        """The position, for `Machine` and `BatchEnv.set_state`."""
        return self._position

    def clone(self) -> State:
        """A state that moves on its own."""
        copy = State.__new__(State)
        copy.__dict__ = self.__dict__.copy()
        return copy

    def child(self, action: int) -> State:
        """The state after an action."""
        copy = self.clone()
        copy.apply_action(action)
        return copy

    def serialize(self) -> str:
        """A text that `Game.deserialize_state` reads, on any machine of the same rules."""
        return _write_state(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _read_state, (self._game, self.serialize())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return (self._game.rules == other._game.rules and self._pending == other._pending
                and self.serialize() == other.serialize())

    def __hash__(self) -> int:
        return hash(self.text())

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<tabia.State of {self._game.rules.name!r}: {self.text()}>"

    def render(self, format: str = "text") -> str:
        """The board, as "text" or "svg"."""
        return self._game.board().draw(self._position, format)

    def _repr_svg_(self) -> str:
        return self.render("svg")


# ---- texts of states ----

def _write_state(state: State) -> str:
    machine, game = state._game.machine, state._game

    def moves(joint: Sequence[int]) -> list[str]:
        return [machine.move_text(role, move) for role, move in enumerate(joint)]

    pending = None if state._pending is None else moves(state._pending)
    return json.dumps({"roles": machine.roles, "steps": [moves(joint) for joint in state.history()],
                       "pending": pending, "game": game.rules.name})


def _numbers(state: State, texts: Sequence[str]) -> list[int]:
    machine, joint = state._game.machine, []
    for role, text in enumerate(texts):
        known = {machine.move_text(role, move): move for move in state._legal[role]}
        if text not in known:
            raise MisuseError(f"{text!r} is not legal for {machine.roles[role]}: this is no state "
                              "of the game")
        joint.append(known[text])
    return joint


def _read_state(game: Game, text: str) -> State:
    state = game.new_initial_state()
    try:
        read = json.loads(text)
        steps, pending, roles = read["steps"], read["pending"], tuple(read["roles"])
    except (ValueError, KeyError, TypeError):
        raise MisuseError("this is no text of State.serialize") from None
    if roles != game.machine.roles:
        raise MisuseError(f"this is a state of a game with the roles {roles}")
    for texts in steps:
        _repeat(state, _numbers(state, texts))
    if pending is not None:
        joint = _numbers(state, pending)
        state._advance(joint, *_made_by_players(state, joint))
        if state._pending is None:
            raise MisuseError("chance does not choose behind these moves: this is no state of the game")
    return state


def _made_by_players(state: State, joint: list[int]) -> list[tuple[int, int]]:
    current = state.current_player()
    players = range(state.num_players()) if current == SIMULTANEOUS else [current]
    return [(player, joint[state._game.role_of(player)]) for player in players]


def _repeat(state: State, joint: list[int]) -> None:
    """Makes a joint move once more: the players', and then that of chance."""
    state._advance(list(joint), *_made_by_players(state, joint))
    if state._pending is not None:
        state._advance(joint, *_made_by_players(state, joint))
