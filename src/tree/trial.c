#include "tree/trial.h"

#include "tree/root_report.h"

#include <math.h>

enum { MEMORY = 64 << 20, LENGTH_MAX = 400, OPENING = 4, LEAD = 6 };

typedef struct match {
  const trial *t;
  arena *keep;
  tree_search *sides[2];
  machine_workspace *w;
  void *position;
  move_id *joint;
  id_vec moves;
  rng random;
  const budget *limits;
} match;

static tree_search *new_side(const trial *t, search_style style) {
  tree_options o = style_apply(t->o, style);
  o.memory = MEMORY < o.memory ? MEMORY : o.memory;
  tree_search *s = tree_search_new(t->m, &o);
  s->net = style_uses_net(style) ? t->net : NULL;
  return s;
}

static void list_moves(match *k, uint32_t role) {
  const machine *m = k->t->m;
  while (true) {
    k->moves.count = machine_legal(m, k->w, k->position, role, k->moves.items, k->moves.capacity);
    if (k->moves.count <= k->moves.capacity) return;
    const uint32_t missing = k->moves.count;
    k->moves.count = 0;
    vec_reserve(k->keep, &k->moves, missing);
  }
}

/* Thinks for a short while.  MOVE_NONE: trouble. */
static move_id think(match *k, tree_search *s, uint32_t role) {
  thought found;
  if (!tree_begin(s, k->limits)) return MOVE_NONE;
  tree_set_root(s, k->position);
  const double end = clock_thread() + k->t->move_seconds;
  while (clock_thread() < end && tree_round(s, UINT32_MAX)) {}
  const arena_mark mark = arena_save(k->keep);
  root_report(&found, s, k->keep);
  const move_id best = found.roles[role].best;
  arena_restore(k->keep, mark);
  return best;
}

static move_id move_of(match *k, uint32_t role, uint32_t step, uint32_t side) {
  list_moves(k, role);
  if (!k->moves.count) return MOVE_NONE;
  if (k->moves.count == 1) return k->moves.items[0];
  if (step < OPENING || role == machine_nature(k->t->m))
    return k->moves.items[rng_below(&k->random, k->moves.count)];
  return think(k, k->sides[side], role);
}

static bool make_joint(match *k, uint32_t step, uint32_t game) {
  for (uint32_t r = 0; r < k->t->m->role_count; r++) {
    k->joint[r] = move_of(k, r, step, (r + game) % 2);
    if (k->joint[r] == MOVE_NONE) return false;
  }
  return true;
}

/* Of the first side: 1, 0 or .5. */
static double score_of(match *k, uint32_t game) {
  double sums[2] = {0, 0};
  for (uint32_t r = 0; r < k->t->m->role_count; r++) {
    int32_t goal;
    if (r == machine_nature(k->t->m)) continue;
    if (machine_goals(k->t->m, k->w, k->position, r, &goal, 1) == 1) sums[(r + game) % 2] += goal;
  }
  return sums[0] > sums[1] ? 1 : sums[0] < sums[1] ? 0 : .5;
}

static bool is_late(const trial *t) {
  return (t->by_processor ? clock_thread() : clock_now()) > t->until;
}

/* False: it did not come to an end. */
static bool play_game(match *k, uint32_t game, double *score) {
  const machine *m = k->t->m;
  k->random = rng_new(k->t->o->seed, 100 + game / 2);
  for (uint32_t i = 0; i < 2; i++) tree_forget(k->sides[i]);
  machine_start(m, k->position);
  for (uint32_t step = 0; !machine_terminal(m, k->w, k->position); step++) {
    if (step == LENGTH_MAX || is_late(k->t) || !make_joint(k, step, game)) return false;
    machine_step(m, k->w, k->position, k->joint, k->position);
  }
  *score = score_of(k, game);
  return !k->w->trouble.is_there;
}

static bool is_over(const trial *t, budget *limits) {
  return is_late(t) || budget_check_now(limits);
}

/* One of them is so many games ahead. */
static bool is_decided(const trial_result *r) { return fabs(2 * r->won - r->games) >= LEAD; }

bool trial_run(const trial *t, search_style first, search_style second, const budget *limits,
               trial_result *r) {
  budget b = *limits;
  arena *keep = arena_new();
  match k = {.t = t,
             .keep = keep,
             .sides = {new_side(t, first), new_side(t, second)},
             .w = machine_workspace_new(t->m, &b),
             .position = arena_alloc(keep, t->m->position_size),
             .joint = arena_new_array(keep, move_id, t->m->role_count),
             .limits = limits};
  *r = (trial_result){0};
  for (uint32_t game = 0; game < t->games_max && !is_decided(r) && !is_over(t, &b); game++) {
    double score;
    if (!play_game(&k, game, &score)) continue;
    r->won += score;
    r->games++;
  }
  const bool fine = !k.w->trouble.is_there && b.end == BUDGET_LEFT;
  machine_workspace_free(t->m, k.w);
  for (uint32_t i = 0; i < 2; i++) tree_search_free(k.sides[i]);
  arena_free(keep);
  return fine;
}
