"""Every feature on every kind of game: turns, moves at once, chance, hidden states."""

import pickle
import random

import numpy as np
import pytest

import tabia

KINDS = ["tic-tac-toe", "three-player-tic-tac-toe", "rock-paper-scissors", "tron", "kuhn-poker",
         "monty-hall", "dark-tic-tac-toe"]
N = 600  # more than a block of lanes
every_kind = pytest.mark.parametrize("name", KINDS)


def seen(env):
    found = env.observation
    return [array.copy() for array in (found if isinstance(found, tuple) else (found,))]


def looks(env):
    """All that can be asked about the states."""
    return [env.fluents.copy(), env.current_player.copy(), *(mask.copy() for mask in env.legal_mask)]


def equal(one, two, lanes=slice(None)):
    return all((a[lanes] == b[lanes]).all() for a, b in zip(one, two, strict=True))


def play(env, steps):
    for _ in range(steps):
        env.step(env.sample_actions())


@every_kind
def test_states_are_kept_and_put_back(name):
    env, some = tabia.BatchEnv(name, N, seed=3), np.arange(N) % 3 == 1
    play(env, 2)
    kept, before = env.state(), looks(env)
    play(env, 2)
    after = looks(env)
    env.set_state(kept, some)
    assert equal(looks(env), before, some) and equal(looks(env), after, ~some)
    env.set_state(kept)
    assert equal(looks(env), before) and (env.state() == kept).all()
    assert not env.reward.any() and not env.terminated.any()
    if env.has_percepts:
        assert not any(array.any() for array in seen(env))  # no step was made since


@every_kind
@pytest.mark.parametrize("autoreset", ["disabled", "same-step", "next-step"])
def test_some_games_begin_anew(name, autoreset):
    env, some = tabia.BatchEnv(name, N, seed=4, autoreset=autoreset), np.arange(N) % 2 == 0
    start = looks(env)
    play(env, 3)
    before, rewards = looks(env), env.reward.copy()
    env.reset(some)
    assert equal(looks(env), start, some) and equal(looks(env), before, ~some)
    assert not env.reward[some].any() and not env.terminated[some].any()
    assert (env.reward[~some] == rewards[~some]).all()
    env.reset()
    assert equal(looks(env), start)


@every_kind
def test_drawn_actions_are_legal_and_all_are_drawn(name):
    env, chosen = tabia.BatchEnv(name, N, seed=5), None
    for _ in range(40):
        actions = env.sample_actions()
        for player, mask in enumerate(env.legal_mask):
            assert mask[np.arange(N), actions[:, player]].all()
        if chosen is None:
            chosen = [set(actions[:, p].tolist()) for p in range(len(env.players))]
            legal = [set(np.flatnonzero(mask[0]).tolist()) for mask in env.legal_mask]
            assert chosen == legal
        env.step(actions)


@every_kind
def test_a_step_gets_ready_what_was_asked_for(name):
    """One environment asks before each step, the other never does."""
    asks, waits = (tabia.BatchEnv(name, N, seed=6, threads=2) for _ in range(2))
    for _ in range(12):
        looks(asks), seen(asks)
        actions = asks.sample_actions().copy()
        asks.step(actions)
        waits.step(actions)
        assert asks._ready_looks and not waits._ready_looks
    assert equal(looks(asks), looks(waits)) and equal(seen(asks), seen(waits))


@every_kind
def test_actions_that_were_drawn_stay_over_a_step(name):
    env = tabia.BatchEnv(name, N, seed=7)
    for _ in range(5):
        actions = env.sample_actions()
        kept = actions.copy()
        env.step(actions)
        assert (actions == kept).all()


@every_kind
def test_the_end_brings_rewards_once(name):
    modes = {mode: tabia.BatchEnv(name, N, seed=8, autoreset=mode)
             for mode in ("disabled", "same-step", "next-step")}
    start = modes["disabled"].state()
    for mode, env in modes.items():
        ended = np.zeros(N, bool)
        for _ in range(30):
            env.step(env.sample_actions())
            done, before = env.terminated.copy(), ended
            assert not env.reward[~done].any()
            if mode == "disabled":
                assert done[before].all() and not env.reward[before].any()
                ended = done
            elif mode == "same-step":
                assert (env.state()[done] == start[done]).all()
            else:
                assert not done[before].any() and (env.state()[before] == start[before]).all()
                ended = done
            assert (env.current_player[done] == -4).all() or mode == "same-step"
        over = env.goals[done]
        assert ((over >= 0) & (over <= 100)).all()


@every_kind
@pytest.mark.parametrize("autoreset", ["disabled", "same-step", "next-step"])
def test_an_illegal_action_loses_the_game(name, autoreset):
    env = tabia.BatchEnv(name, N, seed=9, illegal="lose", autoreset=autoreset)
    play(env, 1)
    guilty, waits = np.arange(N) % 5 == 2, env.terminated.copy() & (autoreset != "same-step")
    player = len(env.players) - 1
    actions = env.sample_actions().copy()
    actions[guilty, player] = 2**31
    env.step(actions)
    punished = guilty & ~waits
    assert env.terminated[punished].all()
    assert (env.reward[punished, player] == -1).all()
    others = [p for p in range(len(env.players)) if p != player]
    assert (env.reward[np.ix_(punished, others)] == len(env.players) - 1).all()
    play(env, 20)


@every_kind
def test_an_illegal_action_is_an_error_and_the_others_move_on(name):
    env, twin = (tabia.BatchEnv(name, N, seed=10) for _ in range(2))
    actions = env.sample_actions().copy()
    before = env.state()
    wrong = actions.copy()
    wrong[[3, 577], 0] = 2**31
    with pytest.raises(tabia.IllegalActionError) as caught:
        env.step(wrong)
    assert caught.value.lanes == (3, 577)
    twin.step(actions)
    moved = np.ones(N, bool)
    moved[[3, 577]] = False
    assert (env.state()[moved] == twin.state()[moved]).all()
    assert (env.state()[~moved] == before[~moved]).all()


@every_kind
def test_the_seed_decides(name):
    one, two = (tabia.BatchEnv(name, N, seed=11, threads=t) for t in (1, 2))
    for env in (one, two):
        play(env, 14)
    assert (one.state() == two.state()).all() and (one.goals == two.goals).all()
    first = one.state()
    one.reset(seed=11)
    play(one, 14)
    assert (one.state() == first).all()
    one.reset(seed=12)
    play(one, 14)
    assert (one.state() != first).any()


# ---- one state at a time ----

def advance(state, rng):
    if state.is_chance_node():
        state.apply_action(rng.choice(state.chance_outcomes())[0])
    elif state.is_simultaneous_node():
        players = range(state.get_game().num_players())
        state.apply_actions([rng.choice(state.legal_actions(player)) for player in players])
    else:
        state.apply_action(rng.choice(state.legal_actions()))


@every_kind
def test_nodes_are_what_they_say(name):
    game, rng, met = tabia.Game(name), random.Random(1), set()
    for _ in range(6):
        state = game.new_initial_state()
        while not state.is_terminal():
            kinds = state.is_chance_node(), state.is_simultaneous_node(), state.is_player_node()
            assert sum(kinds) == 1
            met.add(kinds.index(True))
            if state.is_chance_node():
                chances = [chance for _, chance in state.chance_outcomes()]
                assert abs(sum(chances) - 1) < 1e-12 and len(chances) > 1
            elif state.is_simultaneous_node():
                assert sum(len(state.legal_actions(p)) > 1 for p in range(game.num_players())) > 1
            copy, text = pickle.loads(pickle.dumps(state)), state.serialize()
            for other in (copy, game.deserialize_state(text), state.clone()):
                assert other == state and other.serialize() == text
                assert other.current_player() == state.current_player()
            advance(state, rng)
    assert (0 in met) == ("random" in game.machine.roles)
    assert (1 in met) == (name in ("rock-paper-scissors", "tron"))


@every_kind
def test_what_a_player_knows_is_as_long_as_it_says(name):
    game, rng = tabia.Game(name), random.Random(2)
    state = game.new_initial_state()
    while not state.is_terminal():
        for player in range(game.num_players()):
            width = game.observation_tensor_shape(player)[0]
            assert state.observation_tensor(player).shape == (width,)
            tensor = state.information_state_tensor(player, steps=3)
            moves = game.machine.move_count(game.role_of(player))
            assert tensor.shape == ((3 * (width + moves),) if game.has_percepts else (width,))
            assert list(tensor.shape) == game.information_state_tensor_shape(player, steps=3)
            assert set(np.unique(tensor)) <= {0, 1}
            if game.has_percepts:  # a move of each step that was made
                rows = tensor.reshape(3, -1)
                assert rows[:, :moves].sum() == min(3, state.move_number())
        advance(state, rng)


@pytest.mark.parametrize("name", [name for name in KINDS if name not in ("kuhn-poker", "monty-hall")])
def test_batches_and_states_see_the_same(name):
    """Percepts, too, and those alone; chance, which moves by itself, is left to `agreement`."""
    env, game = tabia.BatchEnv(name, 1, seed=13, autoreset=False), tabia.Game(name)
    state = game.new_initial_state()
    while not state.is_terminal():
        actions = [int(action) for action in env.sample_actions()[0]]
        env.step([actions])
        if state.is_simultaneous_node():
            state.apply_actions(actions)
        else:
            state.apply_action(actions[state.current_player()])
        assert state.text() == env.machine.text(env.state()[0].tobytes())
        for player in range(game.num_players()):
            assert (state.observation_tensor(player) == env.observe(player)[0]).all()
    assert state.returns() == env.reward[0].tolist()
