"""policy_gradient.py [GAME] [SECONDS]: a policy learns a game with turns, by REINFORCE in PyTorch.

The first player learns against one that moves at random.  The policy is a network with one hidden
layer from the fluents to the actions; illegal actions are masked out.  Prints how often it wins new
games, from which it does not learn, and the standard error of that."""

import sys
import time

import numpy as np
import torch

import tabia

Step = tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]  # lanes, seen, legal, actions
GAMES, HIDDEN, RATE, TRIALS = 512, 128, 3e-3, 8


def policy_of(env: tabia.BatchEnv) -> torch.nn.Module:
    """Fluents to scores of actions."""
    return torch.nn.Sequential(torch.nn.Linear(env.fluents.shape[1], HIDDEN), torch.nn.ReLU(),
                               torch.nn.Linear(HIDDEN, env.num_actions[0]))


def chances(policy: torch.nn.Module, seen: torch.Tensor,
            legal: torch.Tensor) -> torch.distributions.Categorical:
    scores = torch.where(legal > 0, policy(seen), torch.tensor(-1e9))
    return torch.distributions.Categorical(logits=scores)


def play(env: tabia.BatchEnv, policy: torch.nn.Module) -> tuple[list[Step], torch.Tensor]:
    """One game in each lane: what the first player saw and did, and what it got."""
    env.reset()
    steps: list[Step] = []
    result = np.zeros(env.n, np.float32)
    while not env.terminated.all():
        joint = env.sample_actions()
        mine = np.flatnonzero(env.current_player == 0)
        if len(mine):
            seen, legal = (torch.from_numpy(array[mine])
                           for array in (env.observation, env.legal_mask[0]))
            with torch.no_grad():
                actions = chances(policy, seen, legal).sample()
            joint[mine, 0] = actions.numpy()
            steps.append((torch.from_numpy(mine), seen, legal, actions))
        env.step(joint)
        result += env.reward[:, 0]
    return steps, torch.from_numpy(result)


def wins(result: torch.Tensor) -> float:
    return float((result == 1).float().mean())


def main(name: str = "connect-four", seconds: float | str = 120) -> float:
    torch.manual_seed(1)
    torch.set_num_threads(1)  # more do not help networks of this size
    env = tabia.BatchEnv(name, GAMES, observation="float32", autoreset=False)
    policy = policy_of(env)
    learner = torch.optim.Adam(policy.parameters(), RATE)
    start, games, first = time.thread_time(), 0, 0.0
    while time.thread_time() - start < float(seconds):
        steps, result = play(env, policy)
        lanes, seen, legal, actions = (torch.cat(part) for part in zip(*steps))
        advantage = (result - result.mean())[lanes]
        loss = -(chances(policy, seen, legal).log_prob(actions) * advantage).mean()
        learner.zero_grad()
        loss.backward()
        learner.step()
        first, games = first if games else wins(result), games + GAMES
    won = float(np.mean([wins(play(env, policy)[1]) for _ in range(TRIALS)]))
    error = (won * (1 - won) / (TRIALS * GAMES)) ** 0.5
    print(f"{games} games in {time.thread_time() - start:.0f} s of processor time; wins {first:.0%} "
          f"at first, {won:.1%} +- {error:.1%} of {TRIALS * GAMES} new games in the end")
    return won


if __name__ == "__main__":
    main(*sys.argv[1:3])
