"""Planes of a board, and searches with a judge."""

import numpy as np
import pytest

import tabia


def test_a_disc_stands_in_its_cell():
    env = tabia.BatchEnv("connect-four", 2, observation="bytes", autoreset=False)
    planes = tabia.Planes(env.machine)
    position = env.machine.play("(drop 1) (drop 7) (drop 1)")
    env.set_state(np.stack([np.frombuffer(position, np.uint8)] * 2))
    seen = planes(env.fluents)[0]
    red, yellow = (planes.names.index(f"(disc ?column ?row {who})") for who in ("red", "yellow"))
    assert [tuple(cell) for cell in np.argwhere(seen[red])] == [(4, 0), (5, 0)]
    assert [tuple(cell) for cell in np.argwhere(seen[yellow])] == [(5, 6)]
    assert seen[planes.names.index("(control yellow)")].all()
    assert not seen[planes.names.index("(control red)")].any()


@pytest.mark.parametrize("game", tabia.games())
def test_no_fluent_is_lost(game):
    env = tabia.BatchEnv(game, 1, observation="bytes")
    planes = tabia.Planes(env.machine)
    fluents = np.eye(env.fluents.shape[1], dtype=np.uint8)
    flat = planes(fluents).reshape(len(fluents), -1)
    assert flat.any(axis=1).all() and len(np.unique(flat, axis=0)) == len(fluents)


def test_moves_of_chess_go_from_a_cell_to_another():
    machine = tabia.read("chess").machine("circuit")
    moves = tabia.MoveShape(machine, 0)
    pawn = next(m for m in range(len(moves.kind)) if machine.move_text(0, m) == "(move e 2 e 4)")
    assert (moves.source[pawn], moves.target[pawn]) == (6 * 8 + 4, 4 * 8 + 4)
    assert sum(kind.startswith("(promote") for kind in moves.kinds) == 4


def test_a_man_of_morris_is_placed_and_moved_on_one_board():
    machine = tabia.read("nine-mens-morris").machine("circuit")
    moves = tabia.MoveShape(machine, 0)
    texts = [machine.move_text(0, m) for m in range(len(moves.kind))]
    placed, moved = texts.index("(place a1)"), texts.index("(move a1 a4)")
    assert moves.source[placed] == -1 and moves.source[moved] == moves.target[placed] == 42


@pytest.mark.parametrize("game", tabia.games())
def test_no_two_actions_share_a_place(game):
    machine = tabia.read(game).machine("circuit")
    for role in range(len(machine.roles)):
        moves = tabia.MoveShape(machine, role)
        assert len(np.unique(moves.index)) == machine.move_count(role)
        assert moves.index.max() < np.prod(moves.shape)


def test_packed_fluents_have_no_planes():
    env = tabia.BatchEnv("tic-tac-toe", 2, observation="packed")
    with pytest.raises(tabia.MisuseError, match="packed"):
        tabia.Planes(env.machine)(env.fluents)


def test_a_judge_decides_what_a_search_prefers():
    machine = tabia.read("tic-tac-toe").machine("lanes")
    centre = next(f for f in range(20) if machine.fluent_text(f) == "(mark 2 2 x)")

    def likes_the_centre(seen):
        value = np.where(seen[:, centre] > 0, 90.0, 10.0)
        return np.stack([value, 100 - value], axis=1)

    thought = machine.search(likes_the_centre, solver="no").think(iterations=400)
    assert thought.move == "(place 2 2)"


def test_priors_say_what_is_tried():
    machine = tabia.read("tic-tac-toe").machine("lanes")
    moves = machine.move_count(0)
    wanted = next(m for m in range(moves) if machine.move_text(0, m) == "(place 3 1)")

    def judge(seen):
        priors = np.full((len(seen), moves + machine.move_count(1)), 1e-3)
        priors[:, wanted] = 1
        return np.full((len(seen), 2), 50.0), priors

    found = machine.search(judge, with_priors=True, solver="no").think(iterations=200)
    assert max(found.candidates, key=lambda c: c.visits).move == "(place 3 1)"


def test_what_a_judge_raises_ends_the_thought():
    machine = tabia.read("tic-tac-toe").machine("lanes")
    search = machine.search(lambda seen: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        search.think(iterations=100)
