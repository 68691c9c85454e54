"""The rulesheets duplicateStateMedium and duplicateStateLarge of the compiler paper, made again.

They belong to a family: a tree of depth D, four ways on from each node; for each length L < D one path
of random steps leads to a goal, which the steps of no other path may touch; steps that lead nowhere
are all the same.  The small one is among the public games; these two are not."""

import random

DEPTHS = {"duplicateStateMedium": 10, "duplicateStateLarge": 15}
WAYS = 4

RULES = """(role robot)
(init (depth level1))
(init (prev-goal 0))
(<= (legal robot (move ?direction))
    (direction ?direction))
(<= (next (choice ?x ?y))
    (true (choice ?x ?y)))
(<= (next (depth ?y))
    (true (depth ?x))
    (succ ?x ?y))
(<= (next (choice ?d ?x))
    (does robot (move ?x))
    (true (depth ?d))
    move-distinguished)
(<= (next (choice ?d generic))
    (true (depth ?d))
    (not move-distinguished))
(<= (next (prev-goal ?x))
    (state-goal ?x))
(<= (next (prev-goal ?x))
    (not goal-defined)
    (true (prev-goal ?x)))
(<= goal-defined
    (state-goal ?x))
(<= (goal robot ?g)
    (state-goal ?g))
(<= (goal robot ?g)
    (not goal-defined)
    (true (prev-goal ?g)))
"""


def choice(level, way):
    return f"(true (choice level{level} c{way}))"


def goal_rule(value, own, others):
    lines = [f"    {choice(*step)}" for step in own]
    lines += [f"    (not {choice(*step)})" for path in others for step in path if step not in own]
    return f"(<= (state-goal {value})\n" + "\n".join(lines) + ")\n"


def step_rule(path, length):
    level, way = path[length - 1]
    lines = [f"    (does robot (move c{way}))", f"    (true (depth level{level}))"]
    lines += [f"    {choice(*step)}" for step in path[:length - 1]]
    return "(<= move-distinguished\n" + "\n".join(lines) + ")\n"


def rulesheet(name):
    depth = DEPTHS[name]
    numbers = random.Random(1)
    paths = [[(level, numbers.randint(1, WAYS)) for level in range(1, length + 1)]
             for length in range(1, depth)]
    parts = [RULES]
    for i, path in enumerate(paths):
        parts.append(goal_rule(100 * (i + 1) // (depth - 1), path, paths[:i] + paths[i + 1:]))
    parts.append(f"(<= terminal\n    (true (depth level{depth})))\n")
    parts += [f"(succ level{i} level{i + 1})\n" for i in range(1, depth)]
    parts += [f"(direction c{way})\n" for way in range(1, WAYS + 1)]
    parts += [step_rule(path, length) for path in paths for length in range(1, len(path) + 1)]
    return "".join(parts)
