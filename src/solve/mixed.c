#include "solve/mixed.h"

#include "solve/matrix_game.h"

#include <math.h>
#include <string.h>

/* What a block of states works with.  The outcomes of a state are the joint moves of all roles but
   `random`, the last role's changing fastest; each has a value for each role: the mean over
   chance. */
typedef struct mixer {
  mixed_values *v;
  arena *keep, *scratch;
  lane_expander e;
  uint8_t *states;
  state_place *places, *next;
  VEC(double) outcomes;
  uint32_t starts[LANES]; /* where a lane's outcomes begin */
  uint32_t steps[LANES];  /* that were taken so far */
  bool is_open[LANES];
  uint64_t found, left;
  mixed_plan *plans; /* to be filled; or NULL */
  arena *plan_keep;
  budget *b;
} mixer;

static uint32_t role_count(const mixer *k) { return k->v->s->m->role_count; }

/* ---- outcomes ---- */

/* Which outcome a step belongs to, by its number among those of its state. */
static uint32_t outcome_of(const mixer *k, uint32_t lane, uint32_t step) {
  uint32_t outcome = 0, weight = 1;
  for (uint32_t role = role_count(k); role-- > 0;) {
    const uint32_t count = moves_in_lane(&k->e, role, lane);
    if (role != k->v->s->g->nature) {
      outcome += step % count * weight;
      weight *= count;
    }
    step /= count;
  }
  return outcome;
}

static uint32_t outcome_count(const mixer *k, uint32_t lane) {
  uint32_t count = 1;
  for (uint32_t role = 0; role < role_count(k); role++)
    if (role != k->v->s->g->nature) count *= moves_in_lane(&k->e, role, lane);
  return count;
}

static uint32_t chance_count(const mixer *k, uint32_t lane) {
  const uint32_t nature = k->v->s->g->nature;
  return nature < role_count(k) ? moves_in_lane(&k->e, nature, lane) : 1;
}

static double *outcome_at(mixer *k, uint32_t lane, uint32_t outcome) {
  return k->outcomes.items + k->starts[lane] + (size_t)outcome * role_count(k);
}

static void open_lanes(mixer *k, uint32_t count) {
  k->outcomes.count = 0;
  for (uint32_t lane = 0; lane < count; lane++) {
    const uint32_t size =
        lane_expander_is_open(&k->e, lane) ? outcome_count(k, lane) * role_count(k) : 0;
    k->starts[lane] = k->outcomes.count;
    k->steps[lane] = 0;
    k->is_open[lane] = false;
    vec_reserve(k->keep, &k->outcomes, size + 1);
    k->outcomes.count += size;
  }
  memset(k->outcomes.items, 0, k->outcomes.count * sizeof *k->outcomes.items);
}

static bool take_steps(void *context, const lane_successors *batch) {
  mixer *k = context;
  store_find_all(&k->v->s->w.store, batch->states, batch->count, k->next);
  for (uint32_t i = 0; i < batch->count; i++) {
    const uint32_t lane = batch->lanes[i];
    const double *after = mixed_values_at(k->v, k->next[i]);
    double *to = outcome_at(k, lane, outcome_of(k, lane, k->steps[lane]++));
    if (isnan(after[0])) k->is_open[lane] = true;
    for (uint32_t role = 0; role < role_count(k); role++)
      to[role] += after[role] / chance_count(k, lane);
  }
  return true;
}

/* ---- a state ---- */

static void plan_move(mixer *k, uint32_t lane, uint32_t role, const double *shares) {
  if (!k->plans) return;
  mixed_plan *p = &k->plans[role];
  const uint32_t count = moves_in_lane(&k->e, role, lane);
  p->moves = arena_new_array(k->plan_keep, uint32_t, count);
  p->shares = arena_new_array(k->plan_keep, double, count);
  p->count = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (shares[i] <= 0) continue;
    p->moves[p->count] = k->e.legal.items[k->e.starts[role * LANES + lane] + i];
    p->shares[p->count++] = shares[i];
  }
}

/* The state as a matrix for a role: its moves, and the joint moves of all others. */
static double solve_for(mixer *k, uint32_t lane, uint32_t role) {
  const uint32_t rows = moves_in_lane(&k->e, role, lane), all = outcome_count(k, lane);
  const uint32_t columns = all / rows;
  uint32_t weight = 1;
  const arena_mark mark = arena_save(k->scratch);
  double *items = arena_new_array(k->scratch, double, all);
  double *shares = arena_new_array(k->scratch, double, rows);
  for (uint32_t other = role + 1; other < role_count(k); other++)
    if (other != k->v->s->g->nature) weight *= moves_in_lane(&k->e, other, lane);
  for (uint32_t i = 0; i < all; i++) {
    const uint32_t row = i / weight % rows;
    const uint32_t column = i / weight / rows * weight + i % weight;
    items[(size_t)row * columns + column] = outcome_at(k, lane, i)[role];
  }
  const matrix_game g = {.rows = rows, .columns = columns, .items = items};
  const double value = matrix_game_solve(&g, shares, k->scratch, k->b);
  plan_move(k, lane, role, shares);
  arena_restore(k->scratch, mark);
  return value;
}

/* The only role that has a choice takes what is best for itself. */
static void take_best(mixer *k, uint32_t lane, double *values) {
  uint32_t mover, best = 0;
  const uint32_t all = outcome_count(k, lane);
  choosers_in_lane(k->v->s, &k->e, lane, &mover);
  for (uint32_t i = 1; i < all; i++)
    if (outcome_at(k, lane, i)[mover] > outcome_at(k, lane, best)[mover]) best = i;
  memcpy(values, outcome_at(k, lane, best), role_count(k) * sizeof *values);
  if (!k->plans) return;
  double *shares = arena_zero_array(k->plan_keep, double, all);
  for (uint32_t role = 0; role < role_count(k); role++) {
    shares[0] = shares[best] = 0;
    shares[role == mover ? best : 0] = 1;
    if (role != k->v->s->g->nature) plan_move(k, lane, role, shares);
  }
}

static void close_lane(mixer *k, uint32_t lane, double *values) {
  const solve_space *s = k->v->s;
  if (!lane_expander_is_open(&k->e, lane)) {
    for (uint32_t role = 0; role < role_count(k); role++)
      values[role] =
          is_end_lane(&k->e, lane) ? goal_in_lane(s, &k->e, role, lane, NULL) : ENDLESS_VALUE;
    return;
  }
  if (s->choosers > 2) {
    take_best(k, lane, values);
    return;
  }
  for (uint32_t role = 0; role < role_count(k); role++)
    values[role] = role == s->g->nature ? ENDLESS_VALUE : solve_for(k, lane, role);
}

/* ---- all states ---- */

static uint32_t keep_open(mixer *k, uint32_t count) {
  const uint32_t bytes = k->e.s->state_bytes;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!isnan(mixed_values_at(k->v, k->places[i])[0]) && !k->plans) continue;
    if (kept < i) memcpy(k->states + (size_t)kept * bytes, k->states + (size_t)i * bytes, bytes);
    k->places[kept++] = k->places[i];
  }
  return kept;
}

/* A state with many moves at once takes long: what is not done when time is up stays open. */
static void mix_block(mixer *k, uint32_t level, uint64_t block) {
  const uint32_t all = level_read(&k->v->s->w, level, block, k->states, k->places);
  const uint32_t count = keep_open(k, all);
  if (!count) return;
  lane_expander_look(&k->e, k->states, count);
  open_lanes(k, count);
  lane_expander_make_steps(&k->e, take_steps, k);
  for (uint32_t lane = 0; lane < count; lane++) {
    if (k->is_open[lane]) continue;
    if (budget_check_now(k->b)) return;
    const state_place p = k->places[lane];
    close_lane(k, lane, k->v->values[p.shard] + (size_t)p.number * role_count(k));
    k->found++;
  }
}

static void mixer_init(mixer *k, mixed_values *v, budget *b) {
  const lane_stepper *s = &v->s->stepper;
  *k = (mixer){.v = v, .keep = arena_new(), .scratch = arena_new(), .b = b};
  lane_expander_init(&k->e, s, k->keep);
  k->states = arena_new_array(k->keep, uint8_t, (size_t)LANES * s->state_bytes + 8);
  k->places = arena_new_array(k->keep, state_place, LANES);
  k->next = arena_new_array(k->keep, state_place, LANES);
}

static void mixer_free(mixer *k) {
  arena_free(k->scratch);
  arena_free(k->keep);
}

/* Once over all states.  False: time is up. */
static bool mix_all(mixer *k, budget *b) {
  const walk *w = &k->v->s->w;
  for (uint32_t level = w->levels.count; level-- > 0;)
    for (uint64_t block = (level_size(w, level) + LANES - 1) / LANES; block-- > 0;) {
      if (budget_check_now(b)) return false;
      mix_block(k, level, block);
    }
  progress_tell(b->progress, (double)k->found, (double)k->left, "states solved");
  return !budget_check_now(b);
}

static void open_states(mixed_values *v, arena *keep) {
  for (uint32_t i = 0; i < STORE_SHARDS; i++) {
    const size_t count = v->s->w.store.shards[i].count * (size_t)v->s->m->role_count;
    v->values[i] = arena_new_array(keep, double, count + 1);
    for (size_t n = 0; n < count; n++) v->values[i][n] = (double)NAN;
  }
}

bool mixed_solve(mixed_values *v, solve_space *s, arena *keep, budget *b) {
  *v = (mixed_values){.s = s};
  mixer k;
  uint64_t before;
  bool is_timely;
  open_states(v, keep);
  mixer_init(&k, v, b);
  k.left = walk_states(&s->w);
  do {
    before = k.found;
    is_timely = mix_all(&k, b);
  } while (is_timely && k.found > before && k.found < k.left);
  v->has_cycles = is_timely && k.found < k.left;
  mixer_free(&k);
  return is_timely && !v->has_cycles;
}

mixed_plan *mixed_plans(mixed_values *v, arena *keep, budget *b) {
  mixer k;
  mixer_init(&k, v, b);
  k.plans = arena_zero_array(keep, mixed_plan, v->s->m->role_count);
  k.plan_keep = keep;
  mix_block(&k, 0, 0);
  mixer_free(&k);
  return k.plans;
}
