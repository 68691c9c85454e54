"""policy_gradient.py [GAME] [SECONDS]: a policy learns a game with turns, by REINFORCE in numpy.

The first player learns against one that moves at random.  The policy is a network with one hidden
layer from the fluents to the actions; illegal actions are masked out.  Prints how often it wins,
of the games in the last part of the time."""

import sys
import time

import numpy as np

import tabia

GAMES, HIDDEN, RATE = 512, 128, 3e-3


class Policy:
    """Fluents to probabilities of actions; learns by Adam."""

    def __init__(self, inputs: int, actions: int) -> None:
        rng = np.random.default_rng(1)
        shapes = [(inputs, HIDDEN), (HIDDEN,), (HIDDEN, actions), (actions,)]
        self.weights = [rng.normal(0, 0.1, shape).astype(np.float32) for shape in shapes]
        self.moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        self.updates, self.rng = 0, rng

    def __call__(self, seen: np.ndarray, legal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        w1, b1, w2, b2 = self.weights
        hidden = np.maximum(seen @ w1 + b1, 0)
        scores = np.where(legal > 0, hidden @ w2 + b2, -1e9)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return hidden, powers / powers.sum(axis=1, keepdims=True)

    def draw(self, chances: np.ndarray) -> np.ndarray:
        sums = chances.cumsum(axis=1)
        drawn = (sums < self.rng.random((len(sums), 1)) * sums[:, -1:]).sum(axis=1)
        return np.minimum(drawn, chances.shape[1] - 1).astype(np.uint32)

    def learn(self, seen: np.ndarray, legal: np.ndarray, actions: np.ndarray,
              advantage: np.ndarray) -> None:
        hidden, chances = self(seen, legal)
        chances[np.arange(len(actions)), actions] -= 1
        slope = chances * advantage[:, None] / len(actions)
        back = slope @ self.weights[2].T * (hidden > 0)
        self._update([seen.T @ back, back.sum(0), hidden.T @ slope, slope.sum(0)])

    def _update(self, slopes: list[np.ndarray]) -> None:
        self.updates += 1
        for weight, slope, (first, second) in zip(self.weights, slopes, self.moments):
            first += 0.1 * (slope - first)
            second += 0.001 * (slope * slope - second)
            scale = np.sqrt(second / (1 - 0.999 ** self.updates)) + 1e-8
            weight -= RATE * (first / (1 - 0.9 ** self.updates)) / scale


def play(env: tabia.BatchEnv, policy: Policy) -> tuple[list[tuple[np.ndarray, ...]], np.ndarray]:
    """One game in each lane: what the first player saw and did, and what it got."""
    env.reset()
    steps, result = [], np.zeros(env.n, np.float32)
    while not env.terminated.all():
        joint = env.sample_actions()
        mine = (env.current_player == 0).copy()
        if mine.any():
            seen, legal = env.observation[mine], env.legal_mask[0][mine]
            actions = policy.draw(policy(seen, legal)[1])
            joint[mine, 0] = actions
            steps.append((np.flatnonzero(mine), seen, legal, actions))
        env.step(joint)
        result += env.reward[:, 0]
    return steps, result


def main(name: str = "connect-four", seconds: float = 120) -> float:
    env = tabia.BatchEnv(name, GAMES, observation="float32", autoreset=False)
    policy = Policy(env.fluents.shape[1], env.num_actions[0])
    start, won = time.monotonic(), []
    while time.monotonic() - start < seconds:
        steps, result = play(env, policy)
        lanes, seen, legal, actions = (np.concatenate(part) for part in zip(*steps))
        policy.learn(seen, legal, actions, (result - result.mean())[lanes])
        won.append(float((result == 1).mean()))
    last = float(np.mean(won[-max(1, len(won) // 10):]))
    print(f"{len(won) * GAMES} games; wins {won[0]:.0%} at first, {last:.0%} in the end")
    return last


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(float, sys.argv[2:3]))
