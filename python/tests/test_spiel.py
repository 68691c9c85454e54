"""One state at a time, as OpenSpiel shapes it."""

import pickle
import random
import tracemalloc

import numpy as np
import pytest

import tabia

NAMES = ["tic-tac-toe", "rock-paper-scissors", "kuhn-poker", "monty-hall", "dark-tic-tac-toe",
         "three-player-tic-tac-toe", "eight-puzzle", "tron"]


def advance(state, rng):
    if state.is_chance_node():
        outcomes = state.chance_outcomes()
        assert abs(sum(p for _, p in outcomes) - 1) < 1e-9
        state.apply_action(rng.choice([action for action, _ in outcomes]))
    elif state.is_simultaneous_node():
        players = range(state.get_game().num_players())
        state.apply_actions([rng.choice(state.legal_actions(p)) for p in players])
    else:
        mask = state.legal_actions_mask()
        assert np.flatnonzero(mask).tolist() == state.legal_actions()
        state.apply_action(rng.choice(state.legal_actions()))


@pytest.mark.parametrize("name", NAMES)
def test_games_are_played_to_their_end(name):
    game, rng = tabia.Game(name), random.Random(1)
    for _ in range(5):
        state = game.new_initial_state()
        while not state.is_terminal():
            copy = state.clone()
            assert game.deserialize_state(state.serialize()) == state == copy
            advance(state, rng)
            assert state.history_str() == copy.history_str() or len(copy.history()) < len(
                state.history())
        assert state.current_player() == -4 and state.legal_actions() == []
        assert all(game.min_utility() <= r <= game.max_utility() for r in state.returns())
        assert len(state.returns()) == game.num_players() == state.num_players()
        assert [state.player_reward(p) for p in range(state.num_players())] == state.rewards()


@pytest.mark.parametrize("name", NAMES)
def test_states_are_pickled(name):
    state = tabia.Game(name).new_initial_state()
    for _ in range(2):
        advance(state, random.Random(2))
    again = pickle.loads(pickle.dumps(state))
    assert again == state and again.text() == state.text()
    assert again.current_player() == state.current_player()


def test_a_state_agrees_with_a_batch():
    env, game = tabia.BatchEnv("connect-four", 1, autoreset=False), tabia.Game("connect-four")
    state = game.new_initial_state()
    while not state.is_terminal():
        player = state.current_player()
        assert player == env.current_player[0]
        assert np.flatnonzero(env.legal_mask[player][0]).tolist() == state.legal_actions()
        assert (state.observation_tensor(player) == env.observation[0]).all()
        action = int(env.sample_actions()[0, player])
        env.step(np.array([action]))
        state.apply_action(action)
    assert state.returns() == env.reward[0].tolist()


def test_players_know_what_they_see_alone():
    game = tabia.Game("dark-tic-tac-toe")
    one, two = game.new_initial_state(), game.new_initial_state()
    one.apply_action(one.string_to_action(0, "(try 1 1)"))
    two.apply_action(two.string_to_action(0, "(try 3 3)"))
    assert one.information_state_string(1) == two.information_state_string(1)
    assert (one.observation_tensor(1) == two.observation_tensor(1)).all()
    assert one.information_state_string(0) != two.information_state_string(0)
    assert one.observation_string(1) == two.observation_string(1) != one.text()
    assert (one.information_state_tensor(0) != two.information_state_tensor(0)).any()
    assert (one.information_state_tensor(1) == two.information_state_tensor(1)).all()


def test_an_information_state_tells_all_that_a_player_knows():
    """A tensor of all steps differs where the string does: the card is in the first of them."""
    game, rng, known = tabia.Game("kuhn-poker"), random.Random(4), {}
    assert game.max_game_length() == 4
    for _ in range(200):
        state = game.new_initial_state()
        while not state.is_terminal():
            for player in range(2):
                tensor = state.information_state_tensor(player)
                assert list(tensor.shape) == game.information_state_tensor_shape(player)
                known.setdefault((player, tensor.tobytes()), set()).add(
                    state.information_state_string(player))
            advance(state, rng)
    assert all(len(strings) == 1 for strings in known.values()) and len(known) > 20
    last = state.information_state_tensor(0, steps=1)
    assert (state.information_state_tensor(0)[:len(last)] == last).all()


def test_counterfactual_regret_finds_the_value_of_kuhn_poker():
    """As it is written for OpenSpiel; the first player loses one chip in 18, which counts 1/36 here."""
    sums = {}

    def shares(state, player):
        key, count = (player, state.information_state_string(player)), len(state.legal_actions())
        regrets, used = sums.setdefault(key, np.zeros((2, count)))
        hopes = np.maximum(regrets, 0)
        return hopes / hopes.sum() if hopes.any() else np.full(count, 1 / count), regrets, used

    def value(state, reach, is_mean):
        if state.is_terminal():
            return np.array(state.returns())
        if state.is_chance_node():
            return sum(share * value(state.child(action), reach * share, is_mean)
                       for action, share in state.chance_outcomes())
        player, found = state.current_player(), []
        now, regrets, used = shares(state, player)
        now = used / used.sum() if is_mean else now
        for action, share in zip(state.legal_actions(), now):
            there = reach.copy()
            there[player] *= share
            found.append(value(state.child(action), there, is_mean))
        if not is_mean:
            mean = now @ np.array(found)
            regrets += reach[1 - player] * (np.array(found)[:, player] - mean[player])
            used += reach[player] * now
        return now @ np.array(found)

    start = tabia.Game("kuhn-poker").new_initial_state()
    for _ in range(400):
        value(start, np.ones(2), False)
    assert len(sums) == 12
    assert value(start, np.ones(2), True) == pytest.approx([-1 / 36, 1 / 36], abs=2e-3)


def test_a_game_says_how_long_it_can_last():
    assert tabia.Game("connect-four").max_game_length() == 42
    endless = ("(role x) (role y) (init (at a)) (legal x go) (legal y go) (<= (next (at a)) (true (at a)))"
               "(<= terminal (true (at b))) (goal x 0) (<= (sees x hm) (does y go))")
    with pytest.raises(tabia.LimitError, match="refuted"):
        tabia.Game(endless).max_game_length()
    with pytest.raises(tabia.MisuseError, match="steps="):
        tabia.Game(endless).information_state_tensor_shape()
    assert tabia.Game(endless).information_state_tensor_shape(steps=3) == [6]


def test_a_machine_without_numbers_has_no_masks():
    state = tabia.Game("tic-tac-toe", "reference").new_initial_state()
    state.apply_action(state.legal_actions()[0])
    for ask in (state.legal_actions_mask, state.observation_tensor):
        with pytest.raises(tabia.MisuseError, match="'lanes' or 'circuit'"):
            ask()


def test_cards_are_dealt_by_chance():
    state = tabia.Game("kuhn-poker").new_initial_state()
    assert state.is_chance_node() and state.current_player() == -1
    assert len(state.chance_outcomes()) == 6
    state.apply_action(state.chance_outcomes()[0][0])
    assert state.is_player_node()
    with pytest.raises(tabia.MisuseError, match="no chance node"):
        state.chance_outcomes()


def test_a_state_shows_itself():
    state = tabia.Game("tic-tac-toe").new_initial_state()
    assert repr(state) == "<tabia.State of 'tic-tac-toe': (control x)>" and str(state) == "(control x)"
    assert state.render().splitlines()[0] == "1  . . ." and state.render("svg") == state._repr_svg_()


def test_wrong_actions_say_what_is_right():
    state = tabia.Game("tic-tac-toe").new_initial_state()
    with pytest.raises(tabia.IllegalActionError, match="legal are"):
        state.apply_action(77)
    with pytest.raises(tabia.MisuseError, match="apply_action"):
        state.apply_actions([0, 0])
    with pytest.raises(tabia.MisuseError):
        state.legal_actions(5)
    with pytest.raises(tabia.MisuseError, match="serialize"):
        state.get_game().deserialize_state("nonsense")
    together = tabia.Game("rock-paper-scissors").new_initial_state()
    for call, words in ((together.apply_action, "apply_actions"),
                        (together.action_to_string, r"action_to_string\(player, action\)")):
        with pytest.raises(tabia.MisuseError, match=words):
            call(0)
    with pytest.raises(tabia.MisuseError, match="2 players"):
        together.apply_actions([0])


HIT = ("(role x) (role y) (init (s 0)) (succ 0 1) (succ 1 2) (succ 2 3) (legal x a) (legal x b)"
       "(<= (legal y c) (not (true (s 2)))) (<= (next (s ?m)) (true (s ?n)) (succ ?n ?m))"
       "(<= terminal (true (s 3))) (goal x 100) (goal y 0)")


def test_states_of_different_games_differ():
    one, two, three = (tabia.Game(rules, kind).new_initial_state() for rules, kind in (
        (HIT, "circuit"), (HIT.replace("(goal x 100)", "(goal x 10)"), "circuit"), (HIT, "reference")))
    assert one != two and one == three and len({one, two, three}) == 2


def test_a_step_into_a_faulty_state_is_not_made():
    state = tabia.Game(HIT).new_initial_state()
    state.apply_action(0)
    for _ in range(2):
        with pytest.raises(tabia.FaultyError, match=r"y has no legal move .* \(s 2\)"):
            state.apply_action(1)
        assert state.text() == "(s 1)" and state.move_number() == 1
        assert state.legal_actions() == [0, 1] and state.clone() == state


@pytest.mark.parametrize("name", NAMES)
def test_actions_are_taken_back(name):
    game, rng = tabia.Game(name), random.Random(3)
    state, before = game.new_initial_state(), []
    with pytest.raises(tabia.MisuseError, match="nothing was done"):
        state.undo_action()
    while not state.is_terminal() and len(before) < 30:
        before.append(state.clone())
        advance(state, rng)
    again = game.deserialize_state(state.serialize())
    for then in reversed(before):
        made = state.full_history()[-1]
        assert state.full_history() == again.full_history()
        with pytest.raises(tabia.MisuseError, match="the last actions"):
            state.undo_action(made.player + 77)
        state.undo_action(*made)
        again.undo_action()
        for taken_back in (state, again):
            assert taken_back == then and taken_back.current_player() == then.current_player()
            assert taken_back.history() == then.history() and taken_back.text() == then.text()
            assert taken_back._legal == then._legal
    assert state.full_history() == []


def test_long_games_take_no_more_than_their_steps():
    endless = ("(role x) (legal x a) (legal x b) (init (at a)) (<= (next (at ?m)) (does x ?m))"
               "(<= terminal (true (at c))) (goal x 0)")
    state = tabia.Game(endless).new_initial_state()
    state.apply_action(1)
    tracemalloc.start()
    for step in range(5000):
        state.apply_action(step % 2)
    assert tracemalloc.get_traced_memory()[0] < 20 << 20 and state.move_number() == 5001
    tracemalloc.stop()
    assert [action for _, action in state.full_history()[:4]] == [1, 0, 1, 0]
    assert state.history()[-2:] == [(0,), (1,)]


def test_a_full_history_has_chance_and_moves_at_once():
    state = tabia.Game("kuhn-poker").new_initial_state()
    state.apply_action(deal := state.legal_actions()[2])
    state.apply_action(bet := state.string_to_action("bet"))
    assert state.full_history() == [(-1, deal), (0, bet)]
    assert tabia.PlayerAction(0, bet) == state.full_history()[1]
    together = tabia.Game("rock-paper-scissors").new_initial_state()
    together.apply_actions([2, 0])
    assert together.full_history() == [(0, 2), (1, 0)]


@pytest.mark.parametrize("name, dynamics, chance, information, utility, total", [
    ("connect-four", "sequential", "deterministic", "perfect_information", "zero_sum", 0),
    ("kuhn-poker", "sequential", "explicit_stochastic", "imperfect_information", "zero_sum", 0),
    ("rock-paper-scissors", "simultaneous", "deterministic", "perfect_information", "zero_sum", 0),
    ("prisoners-dilemma", "simultaneous", "deterministic", "perfect_information", "general_sum", None),
    ("eight-puzzle", "sequential", "deterministic", "perfect_information", "general_sum", None)])
def test_a_game_has_a_type(name, dynamics, chance, information, utility, total):
    game = tabia.Game(name)
    found = game.get_type()
    assert (found.dynamics, found.chance_mode, found.information, found.utility) == (
        dynamics, chance, information, utility)
    assert game.utility_sum() == total and found.num_players == game.num_players()
    assert found.short_name == name and found.reward_model == "terminal"


def test_three_players_have_a_constant_sum():
    rules = ("(role a) (role b) (role c) (init s) (<= (legal ?r (take ?x)) (role ?r) (role ?x))"
             "(<= (next (got ?x)) (does a (take ?x))) (<= terminal (not (true s)))"
             "(<= (goal ?x 100) (true (got ?x))) (<= (goal ?x 0) (role ?x) (not (true (got ?x))))")
    game = tabia.Game(rules)
    assert game.get_type().utility == "constant_sum" and game.utility_sum() == -1


def test_a_text_names_an_action_of_whose_turn_it_is():
    state = tabia.Game("connect-four").new_initial_state()
    assert state.string_to_action("(drop 3)") == state.string_to_action(0, "(drop 3)") == 2
    for given in (("(drop 9)",), (0, "(drop 9)"), (1, "(drop 3)")):
        with pytest.raises(tabia.IllegalActionError, match="no legal action of (red|yellow)"):
            state.string_to_action(*given)
    with pytest.raises(tabia.MisuseError, match=r"string_to_action\(player, text\)"):
        tabia.Game("rock-paper-scissors").new_initial_state().string_to_action("(show rock)")


def test_a_text_with_moves_that_chance_does_not_follow_is_no_state():
    game = tabia.Game("kuhn-poker")
    state = game.new_initial_state()
    text = state.serialize().replace('"pending": null', '"pending": ["noop", "noop", "%s"]'
                                     % state.action_to_string(-1, state.legal_actions()[0]))
    with pytest.raises(tabia.MisuseError, match="no state of the game"):
        game.deserialize_state(text)
