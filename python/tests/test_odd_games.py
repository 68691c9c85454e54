"""Games that are odd in one way each: batches, single states, the emulator of a card and `reference`
say the same about them."""

import random

import numpy as np
import pytest

import agreement
import tabia

GAMES = {
    "names": """
(role |x|) (role b/ö.1)
(init (cell (at 1 -2) nil)) (init (cell (at 007 7) nil)) (init (turn |x|))
(<= (legal ?r (put (at ?a ?b))) (true (turn ?r)) (true (cell (at ?a ?b) nil)))
(<= (legal ?r (f (g (h %noop)) 0)) (role ?r) (not (true (turn ?r))))
(<= (next (cell ?p ?r)) (does ?r (put ?p)))
(<= (put-at ?p) (does ?r (put ?p)))
(<= (next (cell (at ?a ?b) ?v)) (true (cell (at ?a ?b) ?v)) (not (put-at (at ?a ?b))))
(<= (next (turn ?s)) (true (turn ?r)) (role ?s) (distinct ?r ?s))
(<= terminal (not (true (cell (at 1 -2) nil))) (not (true (cell (at 007 7) nil))))
(<= (goal ?r 33) (true (cell (at 1 -2) ?r)))
(<= (goal ?r 67) (role ?r) (not (true (cell (at 1 -2) ?r))))
""",
    "one role": """
(role alone) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3) (legal alone up) (legal alone stay)
(<= (next (n ?y)) (does alone up) (true (n ?x)) (succ ?x ?y))
(<= (next (n ?x)) (does alone stay) (true (n ?x)))
(<= terminal (true (n 3)))
(<= (goal alone 41) (true (n 3))) (<= (goal alone 7) (not (true (n 3))))
""",
    "four roles": """
(role a) (role b) (role c) (role d) (init (turn a)) (order a b) (order b c) (order c d) (order d a)
(<= (legal ?r left) (true (turn ?r))) (<= (legal ?r right) (true (turn ?r)))
(<= (legal ?r (wait ?s)) (role ?r) (true (turn ?s)) (distinct ?r ?s))
(<= (next (turn ?s)) (true (turn ?r)) (order ?r ?s))
(<= (next (went ?r ?m)) (true (turn ?r)) (does ?r ?m))
(<= (next (went ?r ?m)) (true (went ?r ?m)))
(<= terminal (true (went d ?x)))
(<= (goal ?r 99) (true (went ?r left)) (not (true (went a right))))
(<= (goal ?r 1) (true (went ?r left)) (true (went a right)))
(<= (goal ?r 13) (true (went ?r right)))
(<= (goal ?r 50) (role ?r) (not (true (went ?r left))) (not (true (went ?r right))))
""",
    "moves at once with chance": """
(role p) (role random) (role q) (role r)
(init (round 1)) (succ 1 2) (succ 2 3) (succ 3 4) (face 1) (face 2) (face 3) (choice hi) (choice lo)
(<= (legal random (roll ?f)) (face ?f))
(<= (legal p ?m) (choice ?m)) (<= (legal q ?m) (choice ?m)) (legal r noop)
(<= (legal r lucky) (true (rolled 3)))
(<= (next (rolled ?f)) (does random (roll ?f)))
(<= (next (said ?r ?m)) (does ?r ?m) (distinct ?r random))
(<= (next (round ?y)) (true (round ?x)) (succ ?x ?y))
(<= terminal (true (round 4)))
(<= p-wins (true (said p hi)) (true (said q lo)))
(<= (goal p 100) p-wins) (<= (goal p 10) (not p-wins))
(<= (goal q 90) (not p-wins)) (<= (goal q 0) p-wins)
(<= (goal r 77) (true (said r lucky))) (<= (goal r 3) (not (true (said r lucky))))
(goal random 0)
""",
    "percepts": """
(role random) (role ann) (role bob) (role cal)
(init (phase 0)) (succ 0 1) (succ 1 2) (succ 2 3) (card (k 1)) (card (k 2)) (card (q (h 3)))
(<= (legal random (deal ?c ?d)) (true (phase 0)) (card ?c) (card ?d) (distinct ?c ?d))
(<= (legal random noop) (not (true (phase 0))))
(bid 0) (bid 1) (bid 2) (phase-of ann 1) (phase-of bob 2) (phase-of cal 2)
(<= (legal ?r (bid ?n)) (phase-of ?r ?p) (true (phase ?p)) (bid ?n))
(<= (legal ?r noop) (phase-of ?r ?p) (not (true (phase ?p))))
(<= (sees ann (card ?c)) (does random (deal ?c ?d)))
(<= (sees bob (card ?d)) (does random (deal ?c ?d)))
(<= (sees bob (ann-did ?m)) (does ann ?m) (true (phase 1)))
(<= (sees cal something) (does ann (bid 2)))
(<= (sees ?r (move ?q ?m)) (role ?r) (does ?q ?m) (true (phase 2)) (distinct ?q random))
(<= (next (phase ?y)) (true (phase ?x)) (succ ?x ?y))
(<= (next (has ann ?c)) (does random (deal ?c ?d))) (<= (next (has bob ?d)) (does random (deal ?c ?d)))
(<= (next (has ?r ?c)) (true (has ?r ?c)))
(<= (next (bid ?r ?n)) (does ?r (bid ?n))) (<= (next (bid ?r ?n)) (true (bid ?r ?n)))
(<= terminal (true (phase 3)))
(<= ann-wins (true (bid ann 2)) (true (has ann (k 2))))
(<= (goal ann 100) ann-wins) (<= (goal ann 20) (not ann-wins)) (goal bob 60) (goal random 0)
(<= (goal cal 0) (not (true (bid cal 1)))) (<= (goal cal 61) (true (bid cal 1)))
""",
    "a terminal start": """
(role x) (role y) (init (a 1)) (<= terminal (true (a 1)))
(<= (legal ?r go) (role ?r)) (<= (legal x stop) (true (a 1)))
(<= (next (a 2)) (true (a 1))) (<= (next (a ?n)) (true (a ?n))) (goal x 30) (goal y 70)
""",
    "goals": """
(role a) (role b) (role c) (role d) (role e) (init (s 0)) (succ 0 1) (succ 1 2)
(<= (legal ?r m) (role ?r)) (<= (legal ?r n) (role ?r))
(<= (next (s ?m)) (true (s ?n)) (succ ?n ?m)) (<= (next (said ?r ?m)) (does ?r ?m))
(<= terminal (true (s 2)))
(<= (goal a 1) (true (said a m))) (<= (goal a 99) (true (said a n)))
(<= (goal b 150) (true (said b m))) (<= (goal b 2000000000) (true (said b n)))
(goal c 10) (<= (goal c 20) (true (said c m)))
(<= (goal d high) (true (said d m))) (<= (goal d 50) (true (said d n)))
(<= (goal e -5) (true (said e m)))
""",
    "no choice": """
(role x) (role y) (init (s 0)) (succ 0 1) (succ 1 2) (succ 2 3) (legal x a) (legal y b)
(<= (next (s ?m)) (true (s ?n)) (succ ?n ?m)) (<= terminal (true (s 3))) (goal x 45) (goal y 55)
""",
    "chance alone": """
(role random) (init (s 0)) (succ 0 1) (succ 1 2) (legal random a) (legal random b)
(<= (next (s ?m)) (true (s ?n)) (succ ?n ?m)) (<= (next (did ?m)) (does random ?m))
(<= terminal (true (s 2))) (goal random 50)
""",
}

every_game = pytest.mark.parametrize("name", GAMES)
LANES = 520  # more than a block


def advance(env, batch, followers, actions):
    """A step of all; lanes that were over stay as they are."""
    was_over = env.terminated.copy()
    candidates = [[] if f.reference.is_terminal(f.position) else f.candidates(actions)
                  for f in followers]
    env.step(actions)
    batch.step(actions)
    state = env.state()
    for follower, ways in zip(followers, candidates):
        if ways:
            follower.move(ways, env.machine.text(state[follower.lane].tobytes()))
            if env.has_percepts:
                follower.compare_percepts(env.observation)
        if not was_over[follower.lane]:
            follower.compare_end()


def same(name, env, batch):
    """What a card says, too."""
    assert (env.state() == batch.state()).all()
    if name != "a terminal start":  # which no step ends on a card
        assert (env.reward == batch.reward.numpy()).all()
        assert (env.terminated == batch.terminated.numpy().astype(bool)).all()
    mine, theirs = (one.observation if one.has_percepts else (one.observation,) for one in (env, batch))
    for a, b in zip((*env.legal_mask, *mine), (*batch.legal_mask, *theirs)):
        assert (a == b.numpy()).all()


@every_game
@pytest.mark.parametrize("machine", ["lanes", "circuit"])
def test_batches_are_what_reference_says(monkeypatch, name, machine):
    monkeypatch.setenv("TABIA_GPU", "emulator")
    rules = tabia.read(GAMES[name])
    env = tabia.BatchEnv(rules, LANES, seed=5, autoreset=False, machine=machine)
    batch, reference = tabia.DeviceBatch(rules, LANES, seed=5, autoreset=False), rules.machine("reference")
    followers = [agreement.Follower(env, reference, lane) for lane in (0, 511, LANES - 1)]
    for _ in range(9):
        same(name, env, batch)
        state, masks = env.state(), env.legal_mask
        for follower in followers:
            follower.compare(masks, state)
        advance(env, batch, followers, np.array(env.sample_actions()))
    same(name, env, batch)
    assert env.terminated.any() or name == "one role"


@every_game
@pytest.mark.parametrize("autoreset", ["same-step", "next-step"])
def test_a_card_begins_games_anew_as_batches_do(monkeypatch, name, autoreset):
    monkeypatch.setenv("TABIA_GPU", "emulator")
    env, batch = (make(GAMES[name], LANES, seed=6, autoreset=autoreset)
                  for make in (tabia.BatchEnv, tabia.DeviceBatch))
    for _ in range(12):
        actions = np.array(env.sample_actions())
        env.step(actions)
        batch.step(actions)
        same(name, env, batch)


def move(state, rng):
    if state.is_simultaneous_node():
        players = range(state.num_players())
        state.apply_actions([rng.choice(state.legal_actions(player)) for player in players])
    else:
        state.apply_action(rng.choice(state.legal_actions()))


@every_game
def test_single_states_are_what_reference_says(name):
    """Not by their numbers, which are those of a machine, but by their texts."""
    fast, slow = (tabia.Game(GAMES[name], kind) for kind in ("circuit", "reference"))
    for seed in range(8):
        rng, state = random.Random(seed), fast.new_initial_state()
        while not state.is_terminal():
            move(state, rng)
        twin = slow.deserialize_state(state.serialize())
        assert twin == state and twin.is_terminal() and twin.text() == state.text()
        assert twin.goals() == state.goals() and twin.returns() == state.returns()
        for player in range(fast.num_players()):
            assert twin.information_state_string(player) == state.information_state_string(player)
