"""agreement.py STEPS SECONDS GAME...: batches of games play as `reference` does.

Two games of a batch are followed on `reference`, for so many steps or so many seconds of processor
time: states, legal moves, percepts, ends, goals and rewards.  One line for each game: its name, a
verdict (`agrees`, `declined`, `differs`) and the number of steps, or why; at last their counts.
Status 1: something differs."""

import resource
import subprocess
import sys
import time

import numpy as np

import tabia

NO_GOAL = -2**31
MEMORY = 2 << 30
PATIENCE = 20  # times the limit by the clock, where other work goes on


class Follower:
    """One game of a batch, followed on `reference`, which is slow: each question is asked once."""

    def __init__(self, env, reference, lane):
        self.env, self.reference, self.lane = env, reference, lane
        self.position, self.seen = reference.start(), None

    def legal(self, role):
        """The legal moves, by their texts."""
        return {self.reference.move_text(role, move): move
                for move in self.reference.legal(self.position, role)}

    def compare(self, masks, state):
        env, fast = self.env, self.env.machine
        assert fast.text(state[self.lane].tobytes()) == self.reference.text(self.position)
        self.moves = [self.legal(role) for role in range(len(self.reference.roles))]
        for player, role in enumerate(env._roles):
            found = [fast.move_text(role, int(move))
                     for move in np.flatnonzero(masks[player][self.lane])]
            assert sorted(found) == sorted(self.moves[role])

    def joint(self, actions):
        """The same moves on the other machine; chance's is not known, so that it is found."""
        texts = [self.env.action_to_string(p, int(a)) for p, a in enumerate(actions[self.lane])]
        joints = [[]]
        for role, moves in enumerate(self.moves):
            if role == self.env.nature:
                joints = [j + [m] for j in joints for m in moves.values()]
            else:
                joints = [j + [moves[texts[self.env._roles.index(role)]]] for j in joints]
        return joints

    def candidates(self, actions):
        return [(joint, self.reference._step(self.position, joint))
                for joint in self.joint(actions)]

    def move(self, candidates, text):
        """Goes on where the batch went; in terminal states and after them, by the rewards."""
        joint, position = next((j, p) for j, p in candidates if self.reference.text(p) == text)
        self.seen = [sorted(self.reference.percept_text(role, s)
                            for s in self.reference._sees(self.position, joint, role))
                     for role in self.env._roles if self.env.has_percepts]
        self.position = position

    def compare_percepts(self, percepts):
        for player, role in enumerate(self.env._roles):
            found = [self.env.machine.percept_text(role, int(s))
                     for s in np.flatnonzero(percepts[player][self.lane])]
            assert sorted(found) == self.seen[player]

    def compare_end(self):
        over = self.reference.is_terminal(self.position)
        assert bool(self.env.terminated[self.lane]) == over
        for player, role in enumerate(self.env._roles):
            goal = self.reference.goal(self.position, role) if over else None
            reward = 0 if goal is None else (goal - 50) / 50
            assert self.env.reward[self.lane, player] == np.float32(reward)
            if over:
                assert self.env.goals[self.lane, player] == (NO_GOAL if goal is None else goal)
        return over

    def is_stuck(self, masks):
        """A fault of the rules that both agree on: nobody can go on from here."""
        return not all(mask[self.lane].any() for mask in masks)


def follow(env, followers):
    """One step, compared; has a game ended, or is one stuck?"""
    masks, state = env.legal_mask, env.state()
    for follower in followers:
        follower.compare(masks, state)
    if any(follower.is_stuck(masks) for follower in followers):
        return True
    actions = env.sample_actions()
    candidates = [follower.candidates(actions) for follower in followers]
    env.step(actions)
    state = env.state()
    for follower, ways in zip(followers, candidates):
        follower.move(ways, env.machine.text(state[follower.lane].tobytes()))
        if env.has_percepts:
            follower.compare_percepts(env.observation)
    return any([follower.compare_end() for follower in followers])


def agree(name, most_steps, seconds=float("inf")):
    """Plays and compares; how many steps were made."""
    limit = None if seconds == float("inf") else PATIENCE * seconds
    fast = tabia.read(name).machine("lanes", seconds=limit, memory=MEMORY * 3 // 4)
    reference = tabia.read(name).machine("reference", seconds=limit)
    env, end = tabia.BatchEnv(fast, 2, seed=5, autoreset=False), time.process_time() + seconds
    followers = [Follower(env, reference, lane) for lane in range(2)]
    steps = 0
    while steps < most_steps and (not steps or time.process_time() < end):
        steps += 1
        if follow(env, followers):
            env.reset()
            for follower in followers:
                follower.position = reference.start()
    return steps


def tell(name, steps, seconds):
    """The line of a game."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        print(f"{name}\tagrees\t{agree(name, steps, seconds)}")
    except (tabia.FaultyError, tabia.LimitError) as error:
        print(f"{name}\tdeclined\t{str(error).splitlines()[0]}")


def ask(name, steps, seconds):
    """The line of a game that is played in a process of its own."""
    command = [sys.executable, __file__, str(steps), str(seconds), name]
    try:
        done = subprocess.run(command, capture_output=True, text=True,
                              timeout=2 * PATIENCE * seconds + 60)
    except subprocess.TimeoutExpired:
        return f"{name}\tdeclined\tno answer in time"
    lines = [line for line in done.stdout.splitlines() if line.startswith(f"{name}\t")]
    said = (done.stderr.splitlines() or [f"status {done.returncode}"])[-1]
    return lines[0] if lines else f"{name}\tdiffers\t{said}"


def main(steps, seconds, *names):
    steps, seconds, counts = int(steps), float(seconds), {}
    if len(names) == 1:
        tell(names[0], steps, seconds)
        return 0
    for name in names:
        line = ask(name, steps, seconds)
        verdict, figure = line.split("\t")[1:3]
        verdict += " to the end" if figure == str(steps) else ""
        counts[verdict] = counts.get(verdict, 0) + 1
        print(line, flush=True)
    print(", ".join(f"{verdict}: {count}" for verdict, count in sorted(counts.items())))
    return 1 if "differs" in counts else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
