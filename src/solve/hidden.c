#include "solve/hidden.h"

#include <math.h>

enum { ROUNDS_BETWEEN_LOOKS = 64 };

/* By node: what its play is worth to the hero, and how likely others (and chance) play so that it
   is reached.  By choice: what regret matching makes of regrets now, their sums so far. */
typedef struct learner {
  const hidden_tree *t;
  arena *keep;
  budget *b;
  double *values, *reach_by_others, *reach_by_hero;
  double *regrets, *gains, *shares, *sums;
  double *averages;
} learner;

/* ---- strategies ---- */

/* Shares in proportion to weights, which are at least 0; alike where all are 0. */
static void normalise(const double *weights, uint32_t count, double *shares) {
  double sum = 0;
  for (uint32_t i = 0; i < count; i++) sum += weights[i];
  for (uint32_t i = 0; i < count; i++) shares[i] = sum > 0 ? weights[i] / sum : 1.0 / count;
}

static void normalise_all(const learner *l, const double *weights, double *shares) {
  for (uint32_t i = 0; i < l->t->sets.count; i++) {
    const hidden_set *s = &l->t->sets.items[i];
    if (s->moves) normalise(weights + s->first, s->moves, shares + s->first);
  }
}

/* The share of a chooser's move in a node; who is not there has one move. */
static double share_of(const learner *l, const double *shares, const hidden_node *n,
                       uint32_t chooser, uint32_t move) {
  if (chooser >= l->t->chooser_count) return 1;
  return shares[l->t->sets.items[n->sets[chooser]].first + move];
}

/* ---- down the tree ---- */

static void reach_children(learner *l, const double *shares, uint32_t hero, uint32_t number) {
  const hidden_node *n = &l->t->nodes.items[number];
  for (uint32_t a = 0; a < n->moves[0]; a++)
    for (uint32_t b = 0; b < n->moves[1]; b++) {
      const double by[] = {share_of(l, shares, n, 0, a), share_of(l, shares, n, 1, b)};
      for (uint32_t c = 0; c < n->chances; c++) {
        const uint32_t child = hidden_child(n, a, b, c);
        l->reach_by_hero[child] = l->reach_by_hero[number] * by[hero];
        l->reach_by_others[child] = l->reach_by_others[number] * by[!hero] / n->chances;
      }
    }
}

static void reach_all(learner *l, const double *shares, uint32_t hero) {
  l->reach_by_hero[0] = l->reach_by_others[0] = 1;
  for (uint32_t i = 0; i < l->t->nodes.count; i++)
    if (l->t->nodes.items[i].first != UINT32_MAX) reach_children(l, shares, hero, i);
}

/* ---- up the tree ---- */

static double goal_for(const hidden_node *n, uint32_t hero) {
  return hero ? 100 - n->goal : n->goal;
}

/* What a move of the hero is worth in a node, when the other plays by `shares`. */
static double worth_of_move(const learner *l, const double *shares, const hidden_node *n,
                            uint32_t hero, uint32_t move) {
  double sum = 0;
  for (uint32_t other = 0; other < n->moves[!hero]; other++) {
    double mean = 0;
    for (uint32_t c = 0; c < n->chances; c++)
      mean += l->values[hidden_child(n, hero ? other : move, hero ? move : other, c)];
    sum += share_of(l, shares, n, !hero, other) * mean / n->chances;
  }
  return sum;
}

/* The hero's moves gain what they are worth, weighed by how likely the node is. */
static void gain_in_node(learner *l, const double *shares, uint32_t number, uint32_t hero) {
  const hidden_node *n = &l->t->nodes.items[number];
  const uint32_t first = l->t->sets.items[n->sets[hero]].first;
  for (uint32_t move = 0; move < n->moves[hero]; move++)
    l->gains[first + move] += l->reach_by_others[number] * worth_of_move(l, shares, n, hero, move);
}

static void value_node(learner *l, const double *shares, uint32_t number, uint32_t hero,
                       const double *hero_shares) {
  const hidden_node *n = &l->t->nodes.items[number];
  double value = 0;
  for (uint32_t move = 0; move < n->moves[hero]; move++) {
    const double share = share_of(l, hero_shares, n, hero, move);
    if (share > 0) value += share * worth_of_move(l, shares, n, hero, move);
  }
  l->values[number] = value;
}

static void clear_gains(learner *l) {
  memset(l->gains, 0, l->t->choice_moves.count * sizeof *l->gains);
}

static bool is_inner(const learner *l, uint32_t number) {
  return l->t->nodes.items[number].first != UINT32_MAX;
}

/* Only the best move of each set of the hero, by gains, in one level. */
static void take_best_moves(learner *l, uint32_t first, uint32_t end, uint32_t hero, double *best) {
  for (uint32_t i = first; i < end; i++) {
    if (!is_inner(l, i)) continue;
    const hidden_set *s = &l->t->sets.items[l->t->nodes.items[i].sets[hero]];
    uint32_t most = 0;
    for (uint32_t move = 0; move < s->moves; move++) {
      best[s->first + move] = 0;
      if (l->gains[s->first + move] > l->gains[s->first + most]) most = move;
    }
    best[s->first + most] = 1;
  }
}

/* What the hero gets by the best answer to the other's `shares`. */
static double best_answer(learner *l, const double *shares, uint32_t hero) {
  const hidden_tree *t = l->t;
  double *best = l->shares; /* is made anew in each round */
  reach_all(l, shares, hero);
  clear_gains(l);
  for (uint32_t level = t->levels.count - 1; level-- > 0;) {
    const uint32_t first = t->levels.items[level], end = t->levels.items[level + 1];
    for (uint32_t i = first; i < end; i++)
      if (is_inner(l, i))
        gain_in_node(l, shares, i, hero);
      else
        l->values[i] = goal_for(&t->nodes.items[i], hero);
    take_best_moves(l, first, end, hero, best);
    for (uint32_t i = first; i < end; i++)
      if (is_inner(l, i)) value_node(l, shares, i, hero, best);
  }
  return l->values[0];
}

/* ---- a round ---- */

/* Adds shares, by how likely the hero itself comes to where they are used.  All nodes of a set are
   as likely by that, so the first one counts. */
static void add_to_sums(learner *l, uint32_t hero, double weight) {
  for (uint32_t i = l->t->nodes.count; i-- > 0;) {
    if (!is_inner(l, i)) continue;
    const uint32_t set = l->t->nodes.items[i].sets[hero];
    l->values[set] = l->reach_by_hero[i]; /* by set here */
  }
  for (uint32_t i = 0; i < l->t->sets.count; i++) {
    const hidden_set *s = &l->t->sets.items[i];
    if (s->role != hero) continue;
    for (uint32_t move = 0; move < s->moves; move++)
      l->sums[s->first + move] += weight * l->values[i] * l->shares[s->first + move];
  }
}

static void update_regrets(learner *l, uint32_t hero) {
  for (uint32_t i = 0; i < l->t->sets.count; i++) {
    const hidden_set *s = &l->t->sets.items[i];
    double value = 0;
    if (s->role != hero) continue;
    for (uint32_t move = 0; move < s->moves; move++)
      value += l->shares[s->first + move] * l->gains[s->first + move];
    for (uint32_t move = 0; move < s->moves; move++) {
      double *regret = &l->regrets[s->first + move];
      *regret = fmax(*regret + l->gains[s->first + move] - value, 0);
    }
  }
}

static void update_role(learner *l, uint32_t hero, uint32_t round) {
  normalise_all(l, l->regrets, l->shares);
  reach_all(l, l->shares, hero);
  clear_gains(l);
  for (uint32_t i = l->t->nodes.count; i-- > 0;) {
    if (!is_inner(l, i)) {
      l->values[i] = goal_for(&l->t->nodes.items[i], hero);
      continue;
    }
    gain_in_node(l, l->shares, i, hero);
    value_node(l, l->shares, i, hero, l->shares);
  }
  update_regrets(l, hero);
  add_to_sums(l, hero, round + 1.0);
}

static void look_at_averages(learner *l, hidden_result *r) {
  const uint32_t choosers = l->t->chooser_count;
  normalise_all(l, l->sums, l->averages);
  const double best = best_answer(l, l->averages, 0);
  if (choosers == 2) {
    r->guarantees[1] = 100 - best;
    r->guarantees[0] = 100 - best_answer(l, l->averages, 1);
    r->gap = fmax(100 - r->guarantees[0] - r->guarantees[1], 0);
  } else {
    r->guarantees[0] = best; /* an answer to chance alone is a best strategy */
    r->gap = 0;
    memcpy(l->averages, l->shares, l->t->choice_moves.count * sizeof *l->shares);
  }
}

/* ---- all of it ---- */

static void learner_init(learner *l, const hidden_tree *t, arena *keep, arena *scratch, budget *b) {
  const uint32_t choices = t->choice_moves.count + 1;
  const uint32_t most = (t->nodes.count > t->sets.count ? t->nodes.count : t->sets.count) + 1;
  *l = (learner){.t = t, .keep = keep, .b = b};
  l->values = arena_zero_array(scratch, double, most);
  l->reach_by_others = arena_zero_array(scratch, double, most);
  l->reach_by_hero = arena_zero_array(scratch, double, most);
  l->regrets = arena_zero_array(scratch, double, choices);
  l->gains = arena_zero_array(scratch, double, choices);
  l->shares = arena_zero_array(scratch, double, choices);
  l->sums = arena_zero_array(scratch, double, choices);
  l->averages = arena_zero_array(keep, double, choices);
}

bool hidden_solve(hidden_result *r, const hidden_tree *t, double wanted_gap, uint32_t most_rounds,
                  arena *keep, budget *b) {
  learner l;
  arena *scratch = arena_new();
  *r = (hidden_result){.gap = HUGE_VAL};
  budget_watch(b, scratch);
  learner_init(&l, t, keep, scratch, b);
  while (r->gap > wanted_gap && r->rounds < most_rounds && !budget_check_now(b)) {
    for (uint32_t hero = 0; hero < t->chooser_count; hero++) update_role(&l, hero, r->rounds);
    if (++r->rounds % ROUNDS_BETWEEN_LOOKS == 0) look_at_averages(&l, r);
    progress_tell(b->progress, (double)r->rounds, (double)most_rounds, "rounds of regrets");
  }
  r->averages = l.averages;
  budget_unwatch(b, scratch);
  arena_free(scratch);
  return r->gap < HUGE_VAL && b->end == BUDGET_LEFT;
}
