"""Rules, machines and proofs."""

import copy
import fractions
import inspect
import itertools
import os
import pathlib
import pickle

import numpy as np
import pytest

import tabia


def test_reads_a_built_in_game_a_file_and_a_text(tmp_path):
    text = tabia.read("tic-tac-toe").text
    path = tmp_path / "game.kif"
    path.write_text(text)
    assert tabia.read(path).text == tabia.read(str(path)).text == tabia.read(text).text == text
    assert tabia.read(path).name == str(path)


def test_errors_have_codes_and_places():
    with pytest.raises(tabia.FaultyError) as caught:
        tabia.read("(role x)\n(role (y")
    assert caught.value.code == "E101"
    message = caught.value.messages[0]
    assert (message.line, message.file, message.severity) == (2, "text", "error")
    assert "text:2:" in str(caught.value)


@pytest.mark.parametrize("source, error", [
    ("no-such-game", tabia.UnreadableError), (pathlib.Path("/no/such/file"), OSError),
    (7, TypeError), ("(\0", tabia.FaultyError), (b"(role x)", TypeError)])
def test_what_cannot_be_read_is_an_exception(source, error):
    with pytest.raises(error):
        tabia.read(source)


def test_check_tells_faults_with_places():
    for name in tabia.games(faulty=True):
        try:
            assert tabia.read(name).check("all"), name
        except tabia.FaultyError as error:
            assert error.messages[0].line > 0
    with pytest.raises(tabia.MisuseError, match="W4"):
        tabia.read("nim").check("W4")


def test_every_built_in_game_is_sound():
    for name in tabia.games():
        assert [m for m in tabia.read(name).check() if m.severity == "error"] == [], name


def test_format_says_the_same():
    rules = tabia.read("nim")
    infix = rules.format("prolog")
    assert tabia.read(infix).notation == "prolog"
    assert tabia.read(infix).perft(2).nodes == rules.perft(2).nodes
    with pytest.raises(tabia.MisuseError):
        rules.format("latin")


def test_stages_are_texts():
    rules = tabia.read("tic-tac-toe")
    assert "(place 1 1)" in rules.ground() and rules.circuit()
    assert {"ground", "circuit", "asp"} <= set(tabia.stages())
    with pytest.raises(tabia.MisuseError, match="ground"):
        rules.stage("grund")


def test_verdicts_come_one_by_one():
    verdicts = {v.property: v for v in tabia.read("nim").prove("terminates", "playable")}
    assert all(verdicts.values()) and set(verdicts) == {"terminates", "playable"}
    first, = itertools.islice(tabia.read("connect-four").prove(), 1)
    assert first.result in ("proved", "refuted")


def test_a_refuted_property_has_a_line():
    verdict, = tabia.read("nim").prove("unreachable (terminal)")
    assert verdict.result == "refuted" and not verdict and len(verdict.line) >= 1


def test_a_wrong_property_is_an_exception():
    with pytest.raises(tabia.MisuseError, match="the properties are .*playable, terminates"):
        list(tabia.read("nim").prove("beautiful"))
    with pytest.raises(tabia.MisuseError):
        list(tabia.read("nim").prove("terminates", methd="auto"))


def test_certificates_are_checked():
    rules = tabia.read("nim")
    evidence = rules.certificate("terminates", "playable")
    assert rules.check_certificate(evidence).count("accepted") == 2
    with pytest.raises(tabia.FaultyError, match="rejected: terminates"):
        tabia.read("chomp").check_certificate(evidence.replace("(longest 19)", "(longest 3)"))
    with pytest.raises(tabia.UnreadableError, match="E702"):
        rules.check_certificate("nonsense")
    with pytest.raises(tabia.FaultyError, match="certificate"):
        tabia.read("chess").certificate("strongly-winnable white", seconds=0.1)


def test_a_limit_of_time_leaves_it_unknown():
    verdict, = tabia.read("chess").prove("strongly-winnable white", seconds=0.2)
    assert verdict.result == "unknown"


def test_an_exception_does_not_say_twice_that_it_is_an_error():
    with pytest.raises(tabia.MisuseError, match=r"^rules has no option `foo`") as caught:
        tabia.read("nim").stage("rules", foo=1)
    assert str(caught.value.messages[0]).startswith("error: ")
    with pytest.raises(tabia.FaultyError, match=r"^text:1:1: error: this parenthesis"):
        tabia.read("(role x")


def test_methods_of_proof_are_listed():
    verdict, = tabia.read("nim").prove("playable", method="induction")
    assert verdict.method == "induction" and {"auto", "pdr", "bmc"} < set(tabia.methods())
    with pytest.raises(tabia.MisuseError, match="method must be one of 'auto', 'probe'"):
        tabia.read("nim").prove("playable", method="magic")


@pytest.mark.parametrize("call", [tabia.Rules.prove, tabia.Rules.certificate])
def test_a_proof_has_a_limit_of_time_as_that_of_the_program(call):
    assert inspect.signature(call).parameters["seconds"].default == 60
    verdict, = tabia.read("nim").prove("terminates", seconds=None)
    assert verdict.result == "proved"


def test_counts_and_values():
    rules = tabia.read("tic-tac-toe")
    assert rules.perft(4).nodes[4] == 3024
    found = rules.minimax(9)
    assert found.values == {"x": 50, "o": 50} and found.is_exact
    with pytest.raises(tabia.LimitError):
        tabia.read("chess").perft(12, seconds=0.2)


def test_hints_speak_of_this_package():
    with pytest.raises(tabia.LimitError, match="seconds=") as caught:
        tabia.read("chess").perft(12, seconds=0.01)
    assert "--" not in str(caught.value) and "tabia_" not in str(caught.value)
    with pytest.raises(tabia.UnreadableError, match=r"tabia\.games\(\)"):
        tabia.read("no-such-game-at-all")


def test_random_games_are_those_of_the_seed():
    machine = tabia.read("nim").machine("circuit")
    assert machine.playout(50, seed=3).mean_goals == machine.playout(50, seed=3).mean_goals
    with pytest.raises(tabia.MisuseError, match="seconds"):
        machine.playout()
    with pytest.raises(tabia.MisuseError, match="count must be from 1"):
        machine.playout(0)


@pytest.mark.parametrize("kind", ["lanes", "circuit", "datalog", "reference"])
def test_machines_agree_on_texts(kind):
    machine = tabia.read("tic-tac-toe").machine(kind)
    after = machine.play("(place 2 2) (place 1 1)")
    reference = tabia.read("tic-tac-toe").machine("reference")
    assert machine.text(after) == reference.text(reference.play("(place 2 2) (place 1 1)"))
    assert machine.position(machine.text(after)) == after


def test_wrong_arguments_of_machines_say_what_is_right():
    machine = tabia.read("tic-tac-toe").machine("circuit")
    with pytest.raises(tabia.MisuseError, match="bytes"):
        machine.legal(b"", 0)
    with pytest.raises(tabia.MisuseError, match="from 0 to 1"):
        machine.legal(machine.start(), 2)
    with pytest.raises(tabia.MisuseError, match="not legal for x"):
        machine.step(machine.start(), [99999, 0])
    with pytest.raises(TypeError, match="a name, a path or a text, not int"):
        tabia.BatchEnv(3)
    with pytest.raises(tabia.MisuseError, match="one for each role"):
        machine.step(machine.start(), [1])
    with pytest.raises(tabia.MisuseError):
        machine.move_text(0, 10000)
    with pytest.raises(tabia.FaultyError, match="E825"):
        machine.play("(place 4 4)")
    with pytest.raises(tabia.UnreadableError):
        machine.position("(mark 1 1")
    with pytest.raises(tabia.MisuseError, match="circuit"):
        tabia.read("nim").machine("circus")


def test_positions_of_another_machine_are_refused_where_they_mean_nothing():
    one, two = (tabia.read("nim").machine("reference") for _ in range(2))
    with pytest.raises(tabia.MisuseError, match="its own"):
        one.text(two.start())
    with pytest.raises(tabia.MisuseError, match="its own"):
        one.legal(bytes(one.start()), 0)


def test_a_search_finds_the_win():
    machine = tabia.read("tic-tac-toe").machine("lanes")
    late = machine.play("(place 1 1) (place 2 1) (place 1 2) (place 2 2)")
    thought = machine.bestmove(late, iterations=2000)
    assert thought.move == "(place 1 3)" and thought.values[0] == 100
    with pytest.raises(tabia.MisuseError):
        machine.bestmove(late, iterations=1, kindd="uct")
    reply = machine.play("(place 1 1) (place 3 3) (place 1 2)")  # o, the second role, is to move
    assert machine.bestmove(reply, iterations=2000).move == "(place 1 3)"
    assert machine.bestmove(reply, role=0, iterations=10).move == "noop"
    first = tabia.read("(role random) (role x) (init (at a)) (legal random toss) (legal random wait)"
                       "(legal x left) (legal x right) (<= (next (went ?m)) (does x ?m))"
                       "(<= terminal (not (true (at a)))) (goal random 0)"
                       "(<= (goal x 100) (true (went right))) (<= (goal x 0) (true (went left)))")
    assert first.machine("lanes").bestmove(iterations=100).move == "right"  # not what chance does


def test_games_are_drawn():
    machine = tabia.read("tic-tac-toe").machine("circuit")
    board, after = machine.board(), machine.play("(place 2 2)")
    assert board.draw(after) != board.draw() == str(board)
    assert machine.board(board.layout()).draw(after) == board.draw(after)
    assert "<svg" in tabia.read("chess").board()._repr_svg_()
    assert "<svg" in tabia.Game("tic-tac-toe").new_initial_state()._repr_svg_()
    with pytest.raises(tabia.MisuseError):
        board.draw(after, "png")
    with pytest.raises(tabia.UnreadableError):
        machine.board("nonsense (")


def test_machines_are_pickled_and_what_is_made_of_them():
    machine = tabia.read("tic-tac-toe").machine("circuit", encoding="direct")
    again = pickle.loads(pickle.dumps(machine))
    assert (again.kind, again.rules) == (machine.kind, machine.rules)
    assert again.play("(place 2 2)") == machine.play("(place 2 2)")
    symmetry = machine.symmetries().generators[0]
    twin = pickle.loads(pickle.dumps(symmetry))
    assert (twin.fluents == symmetry.fluents).all()
    planes = pickle.loads(pickle.dumps(tabia.Planes(machine)))
    assert planes.shape == tabia.Planes(machine).shape


def test_what_holds_memory_of_the_library_is_not_copied():
    env = tabia.BatchEnv("nim", 2)
    for thing in (env, env.machine.board(), env.machine.search(), env.machine.database()):
        for copied in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="make another"):
                copied(thing)
        assert "nim" in repr(thing)


def test_rules_are_pickled():
    rules = pickle.loads(pickle.dumps(tabia.read("nim")))
    assert rules.perft(2).nodes == (1, 19, 302)
    assert rules == tabia.read("nim") != tabia.read("chomp") and hash(rules) == hash(tabia.read("nim"))


def test_codes_are_explained():
    assert "parenthesis" in tabia.explain("E101")
    with pytest.raises(tabia.MisuseError):
        tabia.explain("E1")


def test_rules_say_why():
    rules = tabia.read("tic-tac-toe")
    why = rules.why("(legal x ?move)")
    assert why.holds and len(why.answers) == 9
    assert {step.kind for step in why.steps} >= {"rule", "fluent"} and why.steps[0].depth == 0
    line = next(step.line for step in why.steps if step.kind == "rule")
    assert "legal" in rules.text.splitlines()[line - 1]
    gone = rules.why("(legal x (place 1 1))", after="(place 1 1)")
    assert not gone.holds and gone.headline in str(gone)
    with pytest.raises(tabia.MisuseError):
        rules.why("(legal x")
    with pytest.raises(tabia.FaultyError, match="legal"):
        rules.why("terminal", after="(place 1 1) (place 1 1)")


def test_games_are_solved():
    solved = tabia.read("tic-tac-toe").solve()
    assert solved.values == {"x": 50, "o": 50} and len(solved.line) == solved.remoteness == 9
    assert len(solved.moves["x"]) == 9 and solved.gap == 0 and not solved.is_endless
    mixed = tabia.read("rock-paper-scissors").solve()
    assert mixed.values == {role: 50 for role in mixed.values} and mixed.remoteness is None
    with pytest.raises(tabia.LimitError):
        tabia.read("chess").solve(most_states=1000, method="strong")
    weakly = tabia.read("tic-tac-toe").solve(method="weak")
    assert weakly.values == solved.values and (weakly.kind, solved.kind) == ("weak", "strong")
    with pytest.raises(tabia.MisuseError, match="'auto', 'strong', 'weak'"):
        tabia.read("nim").solve(method="quick")


@pytest.mark.parametrize("name", ["plain.kif", "two words (new).kif", "größe-游戏.kif", "a:-b.kif",
                                  b"latin-\xe9.kif"])
def test_a_file_may_have_any_name(tmp_path, name):
    path = tmp_path / os.fsdecode(name)
    path.write_text(tabia.read("nim").text)
    rules = tabia.read(path)
    assert rules == tabia.read(str(path)) == pickle.loads(pickle.dumps(rules)) == tabia.read("nim")
    machine = rules.machine("lanes")
    machine.solve(database=path.with_suffix(".db"))
    assert tabia.Database(machine, path.with_suffix(".db")).values(machine.start()) == (100, 0)


def test_positions_of_another_game_are_refused():
    lanes, circuit = (tabia.read("tic-tac-toe").machine(kind) for kind in ("lanes", "circuit"))
    assert lanes.text(circuit.play("(place 2 2)")) == "(control o) (mark 2 2 x)"
    other = next(machine for machine in map(lambda name: tabia.read(name).machine("circuit"),
                                            ("dark-tic-tac-toe", "nim", "chomp", "hex-5", "kalah"))
                 if machine.position_size == lanes.position_size)
    for ask in (lanes.text, lanes.is_terminal, lanes.board().draw):
        with pytest.raises(tabia.MisuseError, match="a position of <tabia.Machine 'circuit' of"):
            ask(other.start())


def test_a_time_is_any_real_number():
    machine = tabia.read("nim").machine("circuit")
    for seconds in (1, 1.5, np.float32(2), np.int64(3), fractions.Fraction(1, 2)):
        assert machine.perft(1, seconds=seconds).nodes == (1, 19)
    for seconds in ("1", True, 1j):
        with pytest.raises(TypeError, match="a number"):
            machine.perft(1, seconds=seconds)
