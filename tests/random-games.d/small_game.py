"""Small games of the Game Description Language: their rules, all of their states, and what these are worth.

Written for comparison, so it shares nothing with Tabia: rules are grounded by naive evaluation, made a Python
function each, and states are found and solved by going over all of them.  For rules as random_rules.py writes
them: safe, stratified when ground, and finite.
"""

import itertools
import re

ENDLESS = 50


def parse(text):
    stack = [[]]
    for token in re.findall(r"[()]|[^\s()]+", re.sub(r";[^\n]*", "", text.lower())):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = tuple(stack.pop())
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0]


def spell(term):
    return term if isinstance(term, str) else "(" + " ".join(map(spell, term)) + ")"


def is_variable(term):
    return isinstance(term, str) and term.startswith("?")


def substitute(term, binding):
    if isinstance(term, str):
        return binding.get(term, term)
    return tuple(substitute(part, binding) for part in term)


def match(pattern, term, binding):
    """The binding extended so that the pattern is the term; None if there is none."""
    if isinstance(pattern, str):
        if not pattern.startswith("?"):
            return binding if pattern == term else None
        if pattern in binding:
            return binding if binding[pattern] == term else None
        return {**binding, pattern: term}
    if isinstance(term, str) or len(pattern) != len(term):
        return None
    for left, right in zip(pattern, term):
        binding = match(left, right, binding)
        if binding is None:
            return None
    return binding


def name_of(atom):
    return atom if isinstance(atom, str) else (atom[0], len(atom))


def clauses_of(text):
    """Rules as (head, body) without `or`."""
    for item in parse(text):
        if not isinstance(item, tuple) or item[0] != "<=":
            yield item, ()
            continue
        ways = [way if isinstance(way, tuple) and way[0] == "or" else ("or", way) for way in item[2:]]
        for body in itertools.product(*(way[1:] for way in ways)):
            yield item[1], body


class Facts:
    def __init__(self):
        self.by_name = {}

    def add(self, atom):
        rows = self.by_name.setdefault(name_of(atom), {})
        if atom in rows:
            return False
        rows[atom] = True
        return True

    def of(self, pattern):
        return list(self.by_name.get(name_of(pattern), ()))


def holds_distinct(literal, binding):
    return substitute(literal[1], binding) != substitute(literal[2], binding)


def instances(body, facts):
    """Bindings that make the positive literals facts; distinct is checked, negation is not."""
    positive = [l for l in body if not (isinstance(l, tuple) and l[0] in ("not", "distinct"))]
    checks = [l for l in body if isinstance(l, tuple) and l[0] == "distinct"]

    def extend(number, binding):
        if number == len(positive):
            if all(holds_distinct(l, binding) for l in checks):
                yield binding
            return
        for fact in facts.of(positive[number]):
            more = match(positive[number], fact, binding)
            if more is not None:
                yield from extend(number + 1, more)

    yield from extend(0, {})


def relax(clauses):
    """All atoms that may ever hold, and all instances of the rules over them."""
    facts = Facts()
    changed = True
    while changed:
        changed = False
        for head, body in clauses:
            for binding in list(instances(body, facts)):
                atom = substitute(head, binding)
                changed |= facts.add(atom)
                if isinstance(atom, tuple) and atom[0] in ("init", "next") and len(atom) == 2:
                    changed |= facts.add(("true", atom[1]))
                if isinstance(atom, tuple) and atom[0] == "legal" and len(atom) == 3:
                    changed |= facts.add(("does", atom[1], atom[2]))
    rules = {}
    for head, body in clauses:
        for binding in instances(body, facts):
            rule = (
                tuple(
                    (False, substitute(l[1], binding)) if isinstance(l, tuple) and l[0] == "not" else (True, substitute(l, binding))
                    for l in body
                    if not (isinstance(l, tuple) and l[0] == "distinct")
                )
            )
            rules.setdefault(substitute(head, binding), set()).add(rule)
    return facts, rules


def components(atoms, edges):
    """Strongly connected components, those that others need first (Tarjan 1972)."""
    number, low, on_stack, stack, out = {}, {}, set(), [], []
    for root in atoms:
        if root in number:
            continue
        work = [(root, iter(edges(root)))]
        number[root] = low[root] = len(number)
        stack.append(root)
        on_stack.add(root)
        while work:
            atom, rest = work[-1]
            for other in rest:
                if other not in number:
                    number[other] = low[other] = len(number)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(edges(other))))
                    break
                if other in on_stack:
                    low[atom] = min(low[atom], number[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[atom])
                if low[atom] == number[atom]:
                    part = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        part.append(member)
                        if member == atom:
                            break
                    out.append(part)
    return out


class Unstratified(Exception):
    """These are no rules of a game: a relation depends on its negation, or what must not on moves."""


class Game:
    """fluents and moves are numbered; a state is a frozen set of fluents as an integer of bits."""

    def __init__(self, text):
        clauses = list(clauses_of(text))
        self.text = text
        self.roles = [head[1] for head, body in clauses if isinstance(head, tuple) and head[0] == "role"]
        facts, rules = relax(clauses)
        self.fluents = sorted((a[1] for a in facts.of(("true", "?"))), key=spell)
        self.bit = {f: i for i, f in enumerate(self.fluents)}
        self.moves = [
            sorted((a[2] for a in facts.of(("does", "?", "?")) if a[1] == role), key=spell) for role in self.roles
        ]
        self.start = 0
        for atom in rules:
            if isinstance(atom, tuple) and atom[0] == "init":
                self.start |= 1 << self.bit[atom[1]]
        self._compile(rules)
        self._views, self._steps = {}, {}

    def _compile(self, rules):
        edges = {head: [l[1] for body in bodies for l in body if l[1] in rules] for head, bodies in rules.items()}
        order = components(list(rules), lambda a: edges[a])
        names = {}
        needs_moves = set()

        def value(literal):
            positive, atom = literal
            if isinstance(atom, tuple) and atom[0] == "true" and len(atom) == 2:
                text = f"(s>>{self.bit[atom[1]]}&1)" if atom[1] in self.bit else "0"
            elif isinstance(atom, tuple) and atom[0] == "does" and len(atom) == 3:
                role = self.roles.index(atom[1]) if atom[1] in self.roles else None
                known = role is not None and atom[2] in self.moves[role]
                text = f"(j[{role}]=={self.moves[role].index(atom[2])})" if known else "0"
            else:
                text = names.get(atom, "0")
            return text if positive else f"(not {text})"

        def formula(atom):
            return " or ".join(" and ".join(map(value, body)) or "1" for body in rules[atom]) or "0"

        view, step = ["def view(s):"], ["def step(s, j):"]
        for part in order:
            moving = any(
                isinstance(l[1], tuple) and l[1][0] == "does" and len(l[1]) == 3 or l[1] in needs_moves
                for atom in part
                for body in rules[atom]
                for l in body
            )
            members = set(part)
            if any(l[1] in members and not l[0] for atom in part for body in rules[atom] for l in body):
                raise Unstratified()
            for atom in part:
                names[atom] = f"a{len(names)}"
                if moving:
                    needs_moves.add(atom)
            lines = []
            if len(part) > 1 or any(l[1] in members for body in rules[part[0]] for l in body):
                for atom in part:
                    lines.append(f" {names[atom]}=0")
                lines.append(" while 1:")
                lines.append("  n=" + ",".join(names[a] for a in part) + ",")
                for atom in part:
                    lines.append(f"  {names[atom]}=1 if {formula(atom)} else 0")
                lines.append("  if n==(" + ",".join(names[a] for a in part) + ",): break")
            else:
                lines.append(f" {names[part[0]]}=1 if {formula(part[0])} else 0")
            step += lines
            if not moving:
                view += lines
        if any(name_of(a) in ("terminal", ("legal", 3), ("goal", 3)) for a in needs_moves):
            raise Unstratified()
        legal = [[f"{names.get(('legal', r, m), '0')}" for m in self.moves[i]] for i, r in enumerate(self.roles)]
        goals = []
        for role in self.roles:
            own = [a for a in rules if isinstance(a, tuple) and a[0] == "goal" and len(a) == 3 and a[1] == role]
            goals.append([(a[2], names[a]) for a in own if re.fullmatch(r"\d+", a[2] if isinstance(a[2], str) else "")])
        view.append(
            f" return {names.get('terminal', '0')},"
            + "("
            + "".join("[i for i,x in enumerate((" + "".join(x + "," for x in row) + ")) if x]," for row in legal)
            + "),("
            + "".join("sorted({" + "v for v,x in (" + "".join(f"({int(v)},{x})," for v, x in row) + ") if x})," for row in goals)
            + ")"
        )
        nexts = [a for a in rules if isinstance(a, tuple) and a[0] == "next" and len(a) == 2]
        after = "|".join(f"{names[a]}<<{self.bit[a[1]]}" for a in nexts) or "0"
        seen = [a for a in rules if isinstance(a, tuple) and a[0] == "sees" and len(a) == 3]
        self.has_sees = bool(seen)
        percepts = [[(spell(a[2]), names[a]) for a in seen if a[1] == role] for role in self.roles]
        step.append(
            f" return {after},("
            + "".join("frozenset(p for p,x in (" + "".join(f"({p!r},{x})," for p, x in row) + ") if x)," for row in percepts)
            + ")"
        )
        space = {}
        exec("\n".join(view + step), space)
        self._view, self._step = space["view"], space["step"]

    def view(self, state):
        """terminal, legal moves by role, goals by role"""
        if state not in self._views:
            self._views[state] = self._view(state)
        return self._views[state]

    def steps(self, state):
        """[(joint move, state)]; none where the game is over or a role is stuck"""
        if state not in self._steps:
            terminal, legal, _ = self.view(state)
            self._steps[state] = (
                [] if terminal else [(j, self._step(state, j)[0]) for j in itertools.product(*legal)]
            )
        return self._steps[state]

    def percepts(self, state, joint):
        return self._step(state, joint)[1]

    def walk(self, most):
        """States by level; None: there are more."""
        levels, seen = [[self.start]], {self.start: 0}
        edges = 0
        while levels[-1]:
            after = []
            for state in levels[-1]:
                for _, other in self.steps(state):
                    edges += 1
                    if other not in seen:
                        seen[other] = len(levels)
                        after.append(other)
                if len(seen) > most or edges > 12 * most:
                    return None
            levels.append(after)
        levels.pop()
        self.levels, self.states = levels, seen
        return levels


# ---- what follows from all states ----

def goal_at(game, state, role):
    goals = game.view(state)[2][role]
    return goals[0] if len(goals) == 1 else ENDLESS


class Facts_of:
    """What holds of a game whose states are known."""

    def __init__(self, game):
        self.game = game
        g = game
        self.chance = g.roles.index("random") if "random" in g.roles else None
        self.choosers = [r for r in range(len(g.roles)) if r != self.chance]
        self.ends = [s for s in g.states if g.view(s)[0]]
        self.stuck = [s for s in g.states if not g.view(s)[0] and not g.steps(s)]
        self.open = [s for s in g.states if g.steps(s)]
        self.at_once = any(len([r for r in self.choosers if len(g.view(s)[1][r]) > 1]) > 1 for s in self.open)
        self.has_chance = self.chance is not None and any(len(g.view(s)[1][self.chance]) > 1 for s in self.open)
        self.order = self._order()
        self.acyclic = self.order is not None
        self.constant = len(self.choosers) == 2 and all(sum(goal_at(g, s, r) for r in self.choosers) == 100 for s in self.ends)

    def _order(self):
        parts = components(list(self.game.states), lambda s: {t for _, t in self.game.steps(s)})
        for part in parts:
            if len(part) > 1 or any(t == part[0] for _, t in self.game.steps(part[0])):
                return None
        return [p[0] for p in parts]

    # -- properties

    def faults(self):
        return len(self.stuck) + sum(
            1 for s in self.ends for r in self.choosers if len(self.game.view(s)[2][r]) != 1
        )

    def verdicts(self):
        g = self.game
        out = {"playable": not self.stuck, "terminates": self.acyclic}
        for r in self.choosers:
            out["winnable " + spell(g.roles[r])] = any(100 in g.view(s)[2][r] for s in self.ends)
        out["goals"] = all(
            len(g.view(s)[2][r]) == 1 and 0 <= g.view(s)[2][r][0] <= 100 for s in self.ends for r in self.choosers
        )
        out["monotone"] = all(
            len(g.view(s)[2][r]) == 1 and 0 <= g.view(s)[2][r][0] <= 100 for s in g.states for r in self.choosers
        ) and all(g.view(t)[2][r][0] >= g.view(s)[2][r][0] for s in g.states for _, t in g.steps(s) for r in self.choosers)
        return out

    def longest_play(self):
        length = {}
        for s in self.order:
            length[s] = max((length[t] + 1 for _, t in self.game.steps(s)), default=0)
        return length[self.game.start]

    def perft(self, depth):
        counts, out = {self.game.start: 1}, []
        for _ in range(depth + 1):
            out.append(sum(counts.values()))
            after = {}
            for s, n in counts.items():
                for _, t in self.game.steps(s):
                    after[t] = after.get(t, 0) + n
            counts = after
        return out

    # -- values

    def mover(self, state):
        for r in self.choosers:
            if len(self.game.view(state)[1][r]) > 1:
                return r
        return None

    def worth_at_end(self, state, role):
        return goal_at(self.game, state, role) if self.game.view(state)[0] else ENDLESS

    def attract(self, wanted, forcer):
        """States from which forcer(state) can force the wanted ones."""
        g = self.game
        before, left = {}, {}
        for s in g.states:
            targets = {t for _, t in g.steps(s)}
            left[s] = len(targets)
            for t in targets:
                before.setdefault(t, []).append(s)
        got, queue = set(wanted), list(wanted)
        while queue:
            t = queue.pop()
            for s in before.get(t, ()):
                if s in got:
                    continue
                left[s] -= 1
                if forcer(s) or not left[s]:
                    got.add(s)
                    queue.append(s)
        return got

    def turn_values(self, hero):
        """By state: what the hero can make sure of where one chooses at a time, and there is no chance."""
        g = self.game
        leaves = self.ends + self.stuck
        goals = sorted({self.worth_at_end(s, hero) for s in leaves})
        if len(self.choosers) == 1:
            value = {s: 0 for s in g.states}
            for goal in goals:
                for s in self.attract([s for s in leaves if self.worth_at_end(s, hero) >= goal], lambda s: True):
                    value[s] = max(value[s], goal)
            return value
        value = {s: ENDLESS for s in g.states}
        for goal in goals:
            if goal > ENDLESS:
                for s in self.attract([s for s in leaves if self.worth_at_end(s, hero) >= goal], lambda s: self.mover(s) in (hero, None)):
                    value[s] = goal
        for goal in reversed(goals):
            if goal < ENDLESS:
                for s in self.attract([s for s in leaves if self.worth_at_end(s, hero) <= goal], lambda s: self.mover(s) not in (hero, None)):
                    value[s] = goal
        return value

    def remoteness(self, hero, value):
        """Of the start, where play ends when both keep to values; None where it need not.  Only of states that are worth more or less
        than endless play, of games that end, or of one role."""
        g = self.game
        alone = len(self.choosers) == 1
        start = value[g.start]
        if not alone and start == ENDLESS and not self.acyclic:
            return NotImplemented
        if self.acyclic:
            steps = {}
            for s in self.order:
                after = [steps[t] + 1 for _, t in g.steps(s) if value[t] == value[s]]
                hero_moves = self.mover(s) in (hero, None)
                hurries = alone or (value[s] > ENDLESS if hero_moves else value[s] < ENDLESS)
                steps[s] = (min if hurries else max)(after) if g.steps(s) else 0
            return steps[g.start]
        steps = {s: 0 for s in self.ends + self.stuck if self.worth_at_end(s, hero) == start}
        forcer = lambda s: alone or (self.mover(s) in (hero, None)) == (start > ENDLESS)
        number = 0
        while g.start not in steps:
            number += 1
            found = []
            for s in g.states:
                if s in steps or not g.steps(s) or value[s] != start:
                    continue
                same = [t for _, t in g.steps(s) if value[t] == start]
                known = [t in steps for t in same]
                if any(known) if forcer(s) else all(known):
                    found.append(s)
            if not found:
                return None
            for s in found:
                steps[s] = number
        return steps[g.start]

    def max_n(self):
        g = self.game
        value = {}
        for s in self.order:
            if not g.steps(s):
                value[s] = [self.worth_at_end(s, r) for r in range(len(g.roles))]
                continue
            mover = self.mover(s)
            best = None
            for _, t in g.steps(s):
                if best is None or mover is not None and value[t][mover] > best[mover]:
                    best = value[t]
            value[s] = best
        return value

    def chance_values(self, hero):
        """Where one chooses at a time, besides chance."""
        g = self.game
        value = {}
        for s in self.order:
            if not g.steps(s):
                value[s] = self.worth_at_end(s, hero)
                continue
            means = {}
            for joint, t in g.steps(s):
                key = tuple(m for r, m in enumerate(joint) if r != self.chance)
                means.setdefault(key, []).append(value[t])
            means = [sum(m) / len(m) for m in means.values()]
            value[s] = max(means) if self.mover(s) in (hero, None) else min(means)
        return value


class HiddenTree:
    """The tree of all plays of two roles that know only what they see, and bounds of its value by CFR+ (Tammelin 2014).

    A role knows the moves that it has made and what it saw."""

    def __init__(self, game, facts, most):
        self.game, self.choosers, self.chance = game, facts.choosers, facts.chance
        self.moves_of, self.left, self.is_fit = {}, most, True
        self.root = self._node(game.start, ((),) * len(self.choosers))

    def _node(self, state, known):
        g = self.game
        terminal, legal, goals = g.view(state)
        self.left -= 1
        if self.left < 0 or not self.is_fit:
            self.is_fit = False
            return None
        if terminal:
            own = [goals[r] for r in self.choosers]
            self.is_fit &= all(len(x) == 1 for x in own) and (len(own) == 1 or own[0][0] + own[1][0] == 100)
            return own[0][0] if own[0] else 0
        self.is_fit &= all(legal)
        for i, r in enumerate(self.choosers):
            self.is_fit &= self.moves_of.setdefault((i, known[i]), legal[r]) == legal[r]
        children = {}
        for joint, after in g.steps(state):
            saw = g.percepts(state, joint)
            then = tuple(known[i] + ((joint[r], saw[r]),) for i, r in enumerate(self.choosers))
            key = tuple(legal[r].index(joint[r]) for r in self.choosers)
            children.setdefault(key, []).append(self._node(after, then))
        return known, children

    def _value(self, node, plans):
        """Mean goal of the first role."""
        if not isinstance(node, tuple):
            return node
        known, children = node
        total = 0
        for key, results in children.items():
            p = 1
            for i, k in enumerate(key):
                p *= plans[i][(i, known[i])][k]
            if p:
                total += p * sum(self._value(n, plans) for n in results) / len(results)
        return total

    def best_answer(self, hero, plans):
        """What the hero gets at most against the plan of the other (as a goal of the first role)."""
        sets = {}

        def visit(node, reach, depth):
            if not isinstance(node, tuple):
                return
            known, children = node
            sets.setdefault((depth, known[hero]), []).append((node, reach))
            for key, results in children.items():
                p = reach / len(results)
                for i, k in enumerate(key):
                    if i != hero:
                        p *= plans[i][(i, known[i])][k]
                for n in results:
                    visit(n, p, depth + 1)

        visit(self.root, 1, 0)
        choice = {}

        def value(node):
            if not isinstance(node, tuple):
                return node
            known, children = node
            total = 0
            for key, results in children.items():
                if key[hero] != choice[known[hero]]:
                    continue
                p = 1
                for i, k in enumerate(key):
                    if i != hero:
                        p *= plans[i][(i, known[i])][k]
                if p:
                    total += p * sum(map(value, results)) / len(results)
            return total

        for depth, known in sorted(sets, key=lambda k: -k[0]):
            best = None
            for k in range(len(self.moves_of[(hero, known)])):
                choice[known] = k
                worth = sum(reach * value(node) for node, reach in sets[(depth, known)] if reach)
                worth = worth if hero == 0 else -worth
                if best is None or worth > best[0]:
                    best = worth, k
            choice[known] = best[1]
        return value(self.root)

    def bounds(self, rounds):
        """The least and the most that the first role can get."""
        n = len(self.choosers)
        regrets = {s: [0.0] * len(m) for s, m in self.moves_of.items()}
        sums = {s: [0.0] * len(m) for s, m in self.moves_of.items()}

        def plan_of(weights):
            whole = sum(weights)
            return [w / whole for w in weights] if whole else [1 / len(weights)] * len(weights)

        def visit(node, hero, plans, own, others, weight):
            if not isinstance(node, tuple):
                return node if hero == 0 else -node
            known, children = node
            mine = (hero, known[hero])
            worths = [0.0] * len(regrets[mine])
            for key, results in children.items():
                p = 1 / len(results)
                for i, k in enumerate(key):
                    if i != hero:
                        p *= plans[i][(i, known[i])][k]
                q = plans[hero][mine][key[hero]]
                worths[key[hero]] += sum(visit(r, hero, plans, own * q, others * p, weight) for r in results) * p
            mean = sum(w * q for w, q in zip(worths, plans[hero][mine]))
            for k, w in enumerate(worths):
                changes[mine][k] += others * (w - mean)
                sums[mine][k] += weight * own * plans[hero][mine][k]
            return mean

        for number in range(1, rounds + 1):
            for hero in range(n):
                now = {s: plan_of(r) for s, r in regrets.items()}
                changes = {s: [0.0] * len(r) for s, r in regrets.items() if s[0] == hero}
                visit(self.root, hero, [now] * n, 1.0, 1.0, number)
                for s, c in changes.items():
                    regrets[s] = [max(0.0, r + x) for r, x in zip(regrets[s], c)]
        average = [{s: plan_of(x) for s, x in sums.items()}] * n
        most = self.best_answer(0, average)
        return (self.best_answer(1, average) if n == 2 else most), most
