"""Planes of a board, and searches with a judge."""

import numpy as np
import pytest

import tabia
from tabia.layout import grids_of, terms_of


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


WALKER = """
(role walker)
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(init (posx car 1)) (init (posy car 1)) (init (posx bus 6)) (init (posy bus 2))
(<= (legal walker (go ?t ?x ?y)) (true (posx ?t ?x0)) (true (posy ?t ?y0)) (succ ?x0 ?x) (succ ?y0 ?y))
(<= (legal walker stay))
(<= (next (posx ?t ?x)) (does walker (go ?t ?x ?y)))
(<= (next (posy ?t ?y)) (does walker (go ?t ?x ?y)))
(<= (gone ?t) (does walker (go ?t ?x ?y)))
(<= (next (posx ?t ?x)) (true (posx ?t ?x)) (not (gone ?t)))
(<= (next (posy ?t ?y)) (true (posy ?t ?y)) (not (gone ?t)))
(<= terminal (true (posx car 5)))
(goal walker 100)
"""

SHUFFLE = """
(role cook)
(init (order a b c d))
(legal cook front) (legal cook turn)
(<= (next (order ?y ?x ?u ?v)) (true (order ?x ?y ?u ?v)) (does cook front))
(<= (next (order ?y ?u ?v ?x)) (true (order ?x ?y ?u ?v)) (does cook turn))
(<= terminal (true (order d c b a)))
(goal cook 100)
"""


def planes_after(rules, moves):
    machine = tabia.read(rules).machine("circuit")
    planes, row = tabia.Planes(machine), np.zeros((1, machine.fluent_count()), np.float32)
    row[0, machine.fluents(machine.play(moves))] = 1
    return planes, {name: plane for name, plane in zip(planes.names, planes(row)[0])}


def test_two_facts_that_say_where_a_thing_is_meet_in_its_cell():
    planes, seen = planes_after(WALKER, "(go car 2 2) (go car 3 3)")
    assert planes.shape == (6, 6, 6)
    car, across, down = (seen[name] for name in (
        "(posx+posy car ?column ?row)", "(posx car ?column)", "(posy car ?row)"))
    assert car.sum() == 1 and across.sum() == down.sum() == 6
    assert (car == across * down).all() and across[:, 2].all()
    assert seen["(posx+posy bus ?column ?row)"].sum() == 1


def test_a_list_lies_on_the_cells_of_a_row():
    planes, seen = planes_after(SHUFFLE, "turn front")
    assert planes.shape == (4, 1, 4)
    names = [next(name for name in "abcd" if seen[f"(order# ?column {name})"][0, at])
             for at in range(4)]
    assert names == ["c", "b", "d", "a"] and sum(plane.sum() for plane in seen.values()) == 4


def test_lines_of_a_board_have_planes_by_their_direction():
    planes = tabia.Planes(tabia.read("dots-and-boxes").machine("circuit"))
    assert planes.shape == (6, 4, 4)
    assert {"(drawn across ?column ?row)", "(drawn upright ?column ?row)"} < set(planes.names)
    kinds = tabia.MoveShape(planes.machine, 0).kinds
    assert "(draw across ?column1 ?row1)" in kinds


def test_cells_without_rows_lie_as_they_are_drawn():
    layout = """(board grid (columns 1 2 3 4 5 6) (rows north south) (row-width 3)
                 (layer (digit ?column ?row ?_)))"""
    grid = grids_of(terms_of(layout))[1]
    assert grid.size == (2, 6) and grid.cell({"?column": 4, "?row": 1}) == (1, 4)


def test_cells_with_places_lie_where_they_are():
    layout = """(board hexagons (columns top left right) (layer (cell ?column ?_))
                 (places (top 0.5 0) (left 0 0.866) (right 1 0.866)))"""
    grid = grids_of(terms_of(layout))[1]
    assert grid.size == (2, 3)
    assert [grid.cell({"?column": i}) for i in range(3)] == [(0, 1), (1, 0), (1, 2)]


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


def judged(judge, **options):
    return tabia.read("tic-tac-toe").machine("lanes").search(judge, solver="no", **options)


@pytest.mark.parametrize("answer, words", [
    (lambda k: 50, "shape"), (lambda k: None, "object"), (lambda k: np.full((k, 3), 50), "shape"),
    (lambda k: np.full((k, 2), np.nan), "from 0 to 100, not nan"),
    (lambda k: np.full((k, 2), 101), "not 101"), (lambda k: np.full((k, 2), -1.5), "not -1.5")])
def test_values_that_mean_nothing_are_refused(answer, words):
    with pytest.raises(tabia.MisuseError, match="without with_priors=True, .* not a tuple"):
        judged(lambda seen: (answer(len(seen)), None)).think(iterations=100)
    with pytest.raises(tabia.MisuseError, match=f"values .*{words}"):
        judged(lambda seen: answer(len(seen))).think(iterations=100)


def test_rounding_may_go_beyond_the_bounds_of_values():
    thought = judged(lambda seen: np.full((len(seen), 2), 100.0001)).think(iterations=100)
    assert thought.values == (100, 100)


@pytest.mark.parametrize("answer, words", [
    (lambda k: np.full((k, 2), 50), "a pair .*, not ndarray"),
    (lambda k: (np.full((k, 2), 50), np.ones((k, 3))), "priors .* shape"),
    (lambda k: (np.full((k, 2), 50), np.full((k, 20), np.inf)), "priors .* not inf"),
    (lambda k: (np.full((k, 2), 50), np.full((k, 20), -0.5)), "priors .* not -0.5")])
def test_priors_that_mean_nothing_are_refused(answer, words):
    with pytest.raises(tabia.MisuseError, match=words):
        judged(lambda seen: answer(len(seen)), with_priors=True).think(iterations=100)


@pytest.mark.parametrize("use", [lambda search: search.think(iterations=1),
                                 lambda search: search.forget(), lambda search: search.learn(0.1)])
def test_a_judge_that_uses_its_own_search_does_not_wait_for_itself(use):
    search = judged(lambda seen: use(search))
    with pytest.raises(tabia.MisuseError, match="make another"):
        search.think(iterations=10)


def test_planes_are_written_into_what_is_given():
    env = tabia.BatchEnv("connect-four", 4)
    planes, out = tabia.Planes(env.machine), np.full((4, 4, 6, 7), 9, np.float32)
    assert planes(env.fluents, out) is out and (out == planes(env.fluents)).all()
    assert (planes(env.fluents.tolist()) == out).all()
    for wrong in (out[:2], np.zeros((2, 8, 6, 7)), np.zeros((4, 4, 6, 14))[..., ::2]):
        with pytest.raises(tabia.MisuseError, match=r"\(4, 4, 6, 7\), without gaps"):
            planes(env.fluents, wrong)
