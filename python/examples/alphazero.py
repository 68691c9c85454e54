"""alphazero.py [GAME] [SECONDS] [SHARE]: learns a game with turns from nothing but its rules.

A network values states and proposes moves; the engine's tree search asks it for whole bundles of
leaves (`Machine.search(judge)`); games against itself give it what to learn, and symmetries of the
rules turn each of them into several.  At the end, in games of at most 20,000 positions, every
position is solved (`Machine.database`), and the share of positions is printed in which the
network's favourite move, and the search's, keep the exact value; SHARE 10: of every tenth."""

import sys
import time
from collections.abc import Callable, Collection
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

import tabia

ITERATIONS, LEAVES, GAMES, MEMORY, MOST_STATES = 96, 8, 16, 20000, 20000


Array = NDArray[Any]
Legal = list[list[int]]  # the moves of each role
Choose = Callable[[bytes, int, list[int]], int]  # which of them a role makes


class Network(torch.nn.Module):
    """Fluents to a value for each role and a score for each move of each role."""

    def __init__(self, fluents: int, roles: int, moves: int) -> None:
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Linear(fluents, 128), torch.nn.ReLU(),
                                        torch.nn.Linear(128, 128), torch.nn.ReLU())
        self.values, self.scores = torch.nn.Linear(128, roles), torch.nn.Linear(128, moves)

    def forward(self, seen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        body = self.body(seen)
        return torch.sigmoid(self.values(body)), self.scores(body)

    def judge(self, seen: Array) -> tuple[Array, Array]:
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
        self.symmetries = self.machine.symmetries().group(64)
        self.rng = np.random.default_rng(1)
        self.memory: list[tuple[Array, Array, Array]] = []

    def seen(self, position: bytes) -> Array:
        row = np.zeros(self.machine.fluent_count(), np.float32)
        row[self.machine.fluents(position)] = 1
        return row

    def chooser(self, position: bytes) -> tuple[int, Legal]:
        """The role that has a choice, or the first one, and every role's legal moves."""
        legal = [self.machine.legal(position, role) for role in self.roles]
        return max(self.roles, key=lambda role: len(legal[role]) > 1), legal

    def shares(self, position: bytes, role: int, legal: list[int]) -> Array:
        """How often the search would make each legal move."""
        found = self.search.think(position, role, iterations=ITERATIONS).candidates
        visits = {candidate.move: candidate.visits for candidate in found}
        shares: Array = np.array([visits[self.machine.move_text(role, move)] for move in legal]) + 1e-6
        shares /= shares.sum()
        return shares

    def play(self) -> list[tuple[Array, Array, Array]]:
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

    def image_of(self, seen: Array, wanted: Array, goals: Array) -> tuple[Array, Array, Array]:
        """The same by other names: a symmetry of the rules, drawn at random."""
        symmetry = self.symmetries[self.rng.integers(len(self.symmetries))]
        shares, values = np.empty_like(wanted), np.empty_like(goals)
        for role, image in enumerate(symmetry.roles):
            own = slice(*self.first[role:role + 2])
            shares[:, slice(*self.first[image:image + 2])] = symmetry.actions(wanted[:, own], role)
            values[:, image] = goals[:, role]
        return symmetry.observation(seen), shares, values

    def learn(self, updates: int) -> float:
        for _ in range(updates):
            rows = self.rng.integers(len(self.memory), size=256)
            some = [np.stack(column) for column in zip(*(self.memory[row] for row in rows))]
            seen, wanted, goals = map(torch.from_numpy, self.image_of(*some))
            values, scores = self.network(seen)
            scores = torch.where(wanted > 0, scores, torch.tensor(-1e9))
            loss = ((values - goals) ** 2).mean() * 4 - (
                wanted * torch.log_softmax(scores, 1)).sum(1).mean()
            self.learner.zero_grad()
            loss.backward()
            self.learner.step()
        self.search.forget()  # the tree holds what the network said before
        return float(loss.detach())

    def reachable(self) -> Collection[bytes]:
        """All positions that play can lead to."""
        found: dict[bytes, None] = {self.machine.start(): None}
        for position in (waiting := list(found)):
            if not self.machine.is_terminal(position):
                new = [child for child in self.children(position) if child not in found]
                found.update(dict.fromkeys(new))
                waiting += dict.fromkeys(new)
        return found

    def children(self, position: bytes) -> list[bytes]:
        role, legal = self.chooser(position)
        joints = [[moves[0] for moves in legal] for _ in legal[role]]
        for joint, move in zip(joints, legal[role]):
            joint[role] = move
        return [self.machine.step(position, joint) for joint in joints]

    def keeps(self, exact: tabia.Database, positions: Collection[bytes], choose: Choose) -> float:
        """In which share of the positions with a choice does `choose` keep the value?"""
        right = total = 0
        for position in positions:
            role, legal = self.chooser(position)
            if len(legal[role]) > 1 and not self.machine.is_terminal(position):
                child = self.children(position)[choose(position, role, legal[role])]
                after, before = exact.values(child), exact.values(position)
                right += bool(after and before and after[role] >= before[role] - 1e-9)
                total += 1
        return right / total

    def favourite(self, position: bytes, role: int, legal: list[int]) -> int:
        scores = self.network.judge(self.seen(position)[None])[1][0]
        return int(scores[self.first[role] + np.array(legal)].argmax())

    def searched(self, position: bytes, role: int, legal: list[int]) -> int:
        return int(self.shares(position, role, legal).argmax())


def main(name: str = "tic-tac-toe", seconds: float | str = 120,
         share: int | str = 1) -> tuple[float, float]:
    torch.manual_seed(1)
    torch.set_num_threads(1)  # more do not help networks of this size
    player, start, games = Player(name), time.thread_time(), 0
    while time.thread_time() - start < float(seconds):
        for _ in range(GAMES):
            player.memory += player.play()
        player.memory, games = player.memory[-MEMORY:], games + GAMES
        loss = player.learn(20)
    print(f"{games} games, each {len(player.symmetries)} by symmetry, loss {loss:.3f}")
    try:
        exact = player.machine.database(most_states=MOST_STATES)
    except tabia.Error as error:
        print(f"no exact values: {error}")
        return 0.0, 0.0
    positions = list(player.reachable())[::int(share)]
    alone, deep = (player.keeps(exact, positions, choose)
                   for choose in (player.favourite, player.searched))
    print(f"moves that keep the exact value, in {len(positions)} positions: "
          f"the network's {alone:.1%}, with {ITERATIONS} iterations of search {deep:.1%}")
    return alone, deep


if __name__ == "__main__":
    main(*sys.argv[1:4])
