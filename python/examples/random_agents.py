"""random_agents.py [GAME] [GAMES]: random agents play many games at once; prints mean goals."""

import sys

import tabia


def main(name: str = "connect-four", wanted: int | str = 10_000) -> dict[str, float]:
    env = tabia.BatchEnv(name, 1024, seed=1, autoreset=True)
    sums, played = [0.0] * len(env.players), 0
    while played < int(wanted):
        env.step(env.sample_actions())
        ended = env.terminated
        played += int(ended.sum())
        for player in range(len(env.players)):
            sums[player] += float(env.goals[ended, player].sum())
    means = {name: total / played for name, total in zip(env.players, sums)}
    print(f"{played} games:", ", ".join(f"{name} {mean:.1f}" for name, mean in means.items()))
    return means


if __name__ == "__main__":
    main(*sys.argv[1:3])
