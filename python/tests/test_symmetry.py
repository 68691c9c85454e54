"""Symmetries: mapped positions step to mapped positions; what is mapped is what is seen there."""

import gc
import os
import random

import numpy as np
import pytest

import tabia

WITH_SYMMETRIES = ["connect-four", "tic-tac-toe", "simultaneous-tic-tac-toe", "dark-tic-tac-toe",
                   "monty-hall", "rock-paper-scissors", "prisoners-dilemma", "nine-mens-morris",
                   "dots-and-boxes", "three-player-tic-tac-toe", "tron", "river-crossing"]


def legal(machine, position):
    return [machine.legal(position, role) for role in range(len(machine.roles))]


def follow(machine, symmetry, rng, steps=30):
    """A random game and its image: legal moves, percepts, states, ends and goals are the images."""
    here, there = machine.start(), symmetry.position(machine.start())
    assert there == machine.start()
    for _ in range(steps):
        assert machine.is_terminal(here) == machine.is_terminal(there)
        for role, image in enumerate(symmetry.roles):
            assert machine.goal(here, role) == machine.goal(there, int(image))
        if machine.is_terminal(here):
            break
        moves, images = legal(machine, here), legal(machine, there)
        for role, image in enumerate(symmetry.roles):
            assert sorted(symmetry.moves[role][moves[role]].tolist()) == sorted(images[image])
        joint = [rng.choice(own) for own in moves]
        mapped = symmetry.joint(joint)
        for role, image in enumerate(symmetry.roles):
            seen = symmetry.percepts[role][machine.sees(here, joint, role)]
            assert sorted(seen.tolist()) == sorted(machine.sees(there, mapped, int(image)))
        here, there = machine.step(here, joint), machine.step(there, mapped)
        assert symmetry.position(here) == there


@pytest.mark.parametrize("name", tabia.games())
def test_mapped_positions_step_to_mapped_positions(name):
    machine, rng = tabia.read(name).machine("circuit"), random.Random(1)
    for symmetry in machine.symmetries().generators[:4]:
        follow(machine, symmetry, rng)


@pytest.mark.parametrize("name", WITH_SYMMETRIES)
def test_products_are_symmetries_too(name):
    machine, rng = tabia.read(name).machine("circuit"), random.Random(2)
    found = machine.symmetries()
    group = found.group()
    assert len(group) > 1 and group[0] == found.identity() and len(set(group)) == len(group)
    assert sum(symmetry.keeps_roles for symmetry in group) >= found.order
    for symmetry in rng.sample(group, min(len(group), 8)):
        follow(machine, symmetry, rng)
        assert {symmetry @ other for other in group} == set(group)


@pytest.mark.parametrize("name", ["connect-four", "tic-tac-toe", "dark-tic-tac-toe", "tron",
                                  "simultaneous-tic-tac-toe", "monty-hall"])
def test_arrays_are_those_of_mapped_positions(name):
    env = tabia.BatchEnv(name, 16, autoreset=False)
    roles = [env.role_of(player) for player in range(len(env.players))]
    for symmetry in env.machine.symmetries().group(8):
        twin, other = tabia.BatchEnv(env.machine, 16, autoreset=False), env.machine.start()
        for _ in range(4):
            positions = [symmetry.position(row.tobytes()) for row in env.state()]
            twin.set_state(np.stack([np.frombuffer(p, np.uint8) for p in positions]))
            assert (symmetry.observation(env.fluents) == twin.fluents).all()
            for player, role in enumerate(roles):
                image = roles.index(symmetry.roles[role])
                assert (symmetry.actions(env.legal_mask[player], role)
                        == twin.legal_mask[image]).all()
            env.step(env.sample_actions())
        assert symmetry.position(other) == other


@pytest.mark.parametrize("name", ["connect-four", "tic-tac-toe", "breakthrough-6", "gomoku-9",
                                  "eight-queens", "domineering", "amazons-6x6"])
def test_planes_are_mapped_onto_planes(name):
    env = tabia.BatchEnv(name, 8)
    planes = tabia.Planes(env.machine)
    group = env.machine.symmetries().group()
    assert len(group) > 1
    for _ in range(5):
        flat = planes(env.fluents).reshape(8, -1)
        for symmetry in group:
            wanted = planes(symmetry.observation(env.fluents)).reshape(8, -1)
            assert (flat[:, planes.image(symmetry)] == wanted).all()
        env.step(env.sample_actions())


def test_a_mirror_of_connect_four_turns_planes_around():
    machine = tabia.read("connect-four").machine("lanes")
    planes, (mirror,) = tabia.Planes(machine), machine.symmetries().generators
    source = planes.image(mirror).reshape(planes.shape)
    discs = np.arange(source.size).reshape(planes.shape)[:2]
    assert (source[:2] == discs[:, :, ::-1]).all()


def test_what_percepts_say_is_mapped():
    machine = tabia.read("monty-hall").machine("circuit")
    role = machine.roles.index("candidate")
    for symmetry in machine.symmetries().group():
        for percept, image in enumerate(symmetry.percepts[role]):
            door, other = (machine.percept_text(role, int(p)) for p in (percept, image))
            assert door.split()[0] == other.split()[0]
        seen = np.eye(len(symmetry.percepts[role]))
        assert (symmetry.percepts_seen(seen, role).argmax(axis=1) == symmetry.percepts[role]).all()


def test_wrong_arguments_say_what_is_right():
    machine = tabia.read("connect-four").machine("lanes")
    mirror, = machine.symmetries().generators
    with pytest.raises(tabia.MisuseError, match="packed"):
        mirror.observation(np.zeros((3, 16), np.uint8))
    with pytest.raises(tabia.MisuseError, match="from 0 to 1"):
        mirror.actions(np.zeros(8), 2)
    with pytest.raises(tabia.MisuseError, match="same rules"):
        tabia.Planes(tabia.read("nim").machine("lanes")).image(mirror)
    with pytest.raises(tabia.FaultyError, match="lanes"):
        tabia.read("nim").machine("reference").symmetries()


# ---- databases ----

@pytest.mark.parametrize("name", ["tic-tac-toe", "nim", "chomp", "river-crossing",
                                  "towers-of-hanoi", "rock-paper-scissors"])
def test_databases_hold_what_successors_are_worth(name):
    rules = tabia.read(name)
    machine = rules.machine("lanes")
    exact, solved = machine.database(), machine.solve()
    assert exact.values(machine.start()) == pytest.approx(tuple(solved.values.values()))
    assert exact.remoteness(machine.start()) == solved.remoteness
    assert exact.states + exact.ends == solved.states
    assert exact.check(rules.machine("reference"), 100) >= 100
    for role, name in enumerate(machine.roles):
        best = {machine.move_text(role, move) for move in exact.moves(machine.start(), role)}
        assert not best or best >= set(solved.moves[name])


def test_a_database_without_a_folder_leaves_no_files():
    exact = tabia.read("nim").database()
    folder = exact.folder
    assert os.listdir(folder)
    del exact
    gc.collect()
    assert not os.path.exists(folder)


def test_what_cannot_be_solved_has_no_database():
    with pytest.raises(tabia.FaultyError, match="roles do not know the state"):
        tabia.read("kuhn-poker").database()
    with pytest.raises(tabia.LimitError):
        tabia.read("eight-puzzle").database(most_states=1000)


def test_a_database_stays_in_its_folder(tmp_path):
    rules = tabia.read("tic-tac-toe")
    rules.solve(database=tmp_path)
    machine = rules.machine("circuit")
    exact = rules.database(tmp_path, machine="circuit")
    after = machine.play("(place 1 1) (place 1 2)")
    assert exact.values(after) == (100, 0) and exact.remoteness(after) == 5
    assert exact.sizes()["values"] > 0 and exact.moves(after, 1) == []
    assert "5478" in repr(exact)


def test_what_is_no_database_is_refused(tmp_path):
    with pytest.raises(tabia.UnreadableError):
        tabia.read("nim").database(tmp_path)
    tabia.read("tic-tac-toe").solve(database=tmp_path)
    with pytest.raises(tabia.UnreadableError):
        tabia.read("nim").database(tmp_path)
    with pytest.raises(tabia.MisuseError, match="no effect"):
        tabia.read("nim").database(tmp_path, threads=2)
    with pytest.raises(TypeError, match="bytes"):
        tabia.read("tic-tac-toe").database(tmp_path).values("nothing")
