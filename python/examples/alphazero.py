"""alphazero.py [GAME] [SECONDS]: learns a game with turns from nothing but its rules.

A network values states and proposes moves; the engine's tree search asks it for whole bundles of
leaves (`Machine.search(judge)`); games against itself give it what to learn.  At the end, in games
of at most 20,000 states, every state is valued exactly, and the share of states is printed in which
the network's favourite move, and the search's, keep that value."""

import sys
import time

import numpy as np
import torch

import tabia

ITERATIONS, LEAVES, GAMES, MEMORY = 96, 8, 16, 20000


class Network(torch.nn.Module):
    """Fluents to a value for each role and a score for each move of each role."""

    def __init__(self, fluents: int, roles: int, moves: int) -> None:
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Linear(fluents, 128), torch.nn.ReLU(),
                                        torch.nn.Linear(128, 128), torch.nn.ReLU())
        self.values, self.scores = torch.nn.Linear(128, roles), torch.nn.Linear(128, moves)

    def forward(self, seen):
        body = self.body(seen)
        return torch.sigmoid(self.values(body)), self.scores(body)

    def judge(self, seen):
        with torch.no_grad():
            values, scores = self(torch.from_numpy(seen))
        return 100 * values.numpy(), torch.exp(scores - scores.amax(1, keepdim=True)).numpy()


class Player:
    def __init__(self, name: str) -> None:
        self.machine = tabia.read(name).machine("lanes")
        self.roles = range(len(self.machine.roles))
        widths = [self.machine.move_count(role) for role in self.roles]
        self.first = np.cumsum([0, *widths])  # where each role's moves begin
        start = self.seen(self.machine.start())
        self.network = Network(len(start), len(self.roles), int(self.first[-1]))
        self.search = self.machine.search(self.network.judge, with_priors=True, solver="no",
                                          leaves=LEAVES, exploration=2)
        self.learner = torch.optim.Adam(self.network.parameters(), 2e-3, weight_decay=1e-5)
        self.rng, self.memory = np.random.default_rng(1), []

    def seen(self, position):
        row = np.zeros(self.machine.width(tabia.batch.lib.TABIA_FLUENTS), np.float32)
        row[self.machine.fluents(position)] = 1
        return row

    def chooser(self, position):
        """The role that has a choice, or the first one, and every role's legal moves."""
        legal = [self.machine.legal(position, role) for role in self.roles]
        return max(self.roles, key=lambda role: len(legal[role]) > 1), legal

    def shares(self, position, role, legal):
        """How often the search would make each legal move."""
        found = self.search.think(position, role, iterations=ITERATIONS).candidates
        visits = {candidate.move: candidate.visits for candidate in found}
        shares = np.array([visits[self.machine.move_text(role, move)] for move in legal], float)
        return (shares + 1e-6) / (shares + 1e-6).sum()

    def play(self):
        """A game against itself; every state with its shares and the goals in the end."""
        position, steps = self.machine.start(), []
        while not self.machine.is_terminal(position):
            role, legal = self.chooser(position)
            joint = [moves[0] for moves in legal]
            if len(legal[role]) > 1:
                shares = self.shares(position, role, legal[role])
                wanted = np.zeros(self.first[-1], np.float32)
                wanted[self.first[role] + np.array(legal[role])] = shares
                steps.append((self.seen(position), wanted))
                wide = 0.75 * shares + 0.25 / len(shares)  # look at other moves, too
                joint[role] = legal[role][self.rng.choice(len(wide), p=wide)]
            position = self.machine.step(position, joint)
        goals = np.array([self.machine.goal(position, role) for role in self.roles], np.float32)
        return [(seen, wanted, goals / 100) for seen, wanted in steps]

    def learn(self, updates: int) -> float:
        for _ in range(updates):
            rows = self.rng.integers(len(self.memory), size=256)
            seen, wanted, goals = (torch.from_numpy(np.stack([self.memory[row][i] for row in rows]))
                                   for i in range(3))
            values, scores = self.network(seen)
            scores = torch.where(wanted > 0, scores, torch.tensor(-1e9))
            loss = ((values - goals) ** 2).mean() * 4 - (
                wanted * torch.log_softmax(scores, 1)).sum(1).mean()
            self.learner.zero_grad()
            loss.backward()
            self.learner.step()
        self.search.forget()  # the tree holds what the network said before
        return float(loss.detach())

    def values(self, most: int = 20000):
        """The exact value of every reachable state, by each role's best choice; None: too many."""
        exact, stack = {}, [self.machine.start()]
        while stack:
            position = stack[-1]
            children = [] if self.machine.is_terminal(position) else self.children(position)[1]
            missing = [child for child in children if child not in exact]
            if len(exact) + len(stack) > most:
                return None
            if missing:
                stack += missing
                continue
            stack.pop()
            exact[position] = tuple(
                self.machine.goal(position, role) for role in self.roles) if not children else max(
                (exact[child] for child in children), key=lambda v: v[self.chooser(position)[0]])
        return exact

    def children(self, position):
        role, legal = self.chooser(position)
        joints = [[moves[0] for moves in legal] for _ in legal[role]]
        for joint, move in zip(joints, legal[role]):
            joint[role] = move
        return role, [self.machine.step(position, joint) for joint in joints]

    def keeps(self, exact, choose) -> float:
        """In which share of the states with a choice does `choose` keep the value?"""
        right = total = 0
        for position, value in exact.items():
            if not self.machine.is_terminal(position):
                role, children = self.children(position)
                best = choose(position, role, self.chooser(position)[1][role])
                right += exact[children[best]][role] == value[role]
                total += 1
        return right / total

    def favourite(self, position, role, legal):
        scores = self.network.judge(self.seen(position)[None])[1][0]
        return int(scores[self.first[role] + np.array(legal)].argmax())

    def searched(self, position, role, legal):
        return int(self.shares(position, role, legal).argmax())


def main(name: str = "tic-tac-toe", seconds: float = 120) -> tuple[float, float]:
    torch.manual_seed(1)
    player, start, games = Player(name), time.thread_time(), 0
    while time.thread_time() - start < seconds:
        for _ in range(GAMES):
            player.memory += player.play()
        player.memory, games = player.memory[-MEMORY:], games + GAMES
        loss = player.learn(20)
    print(f"{games} games, loss {loss:.3f}")
    exact = player.values()
    if exact is None:
        return 0.0, 0.0
    alone, deep = player.keeps(exact, player.favourite), player.keeps(exact, player.searched)
    print(f"moves that keep the exact value, of {len(exact)} states: "
          f"the network's {alone:.1%}, with {ITERATIONS} iterations of search {deep:.1%}")
    return alone, deep


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(float, sys.argv[2:3]))
