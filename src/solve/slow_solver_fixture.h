/* A solver that shares nothing with src/solve: all states on `reference`, as a graph, and values by
   going over it again and again.  Roles have at most two moves where several choose at once. */
#ifndef TABIA_SOLVE_SLOW_SOLVER_FIXTURE_H
#define TABIA_SOLVE_SLOW_SOLVER_FIXTURE_H

#include "machine/machine_fixture.h"

enum { SLOW_STATES = 400, SLOW_STEPS = 64, SLOW_ROLES = 3, SLOW_MOVES = 16 };

typedef struct slow_state {
  bool is_end;
  int32_t goals[SLOW_ROLES];
  uint32_t moves[SLOW_ROLES]; /* how many */
  uint32_t next[SLOW_STEPS];  /* by joint move, the last role's changing fastest */
  uint32_t steps;
} slow_state;

typedef struct slow_game {
  machine_fixture *f;
  uint32_t roles, nature, count;
  uint8_t *positions;
  slow_state states[SLOW_STATES];
} slow_game;

static inline uint8_t *slow_position(slow_game *g, uint32_t i) {
  return g->positions + i * g->f->m->position_size;
}

static inline uint32_t slow_find(slow_game *g, const void *position) {
  for (uint32_t i = 0; i < g->count; i++)
    if (memcmp(slow_position(g, i), position, g->f->m->position_size) == 0) return i;
  assert_true(g->count < SLOW_STATES);
  memcpy(slow_position(g, g->count), position, g->f->m->position_size);
  return g->count++;
}

static inline void slow_goals(slow_game *g, slow_state *s, uint32_t i) {
  for (uint32_t r = 0; r < g->roles; r++) {
    int32_t values[4];
    const bool is_sound =
        s->is_end && machine_goals(g->f->m, g->f->w, slow_position(g, i), r, values, 4) == 1;
    s->goals[r] = is_sound ? values[0] : 50;
  }
}

static inline void slow_look(slow_game *g, uint32_t i) {
  const machine *m = g->f->m;
  slow_state *s = &g->states[i];
  move_id moves[SLOW_ROLES][SLOW_MOVES], joint[SLOW_ROLES];
  uint32_t all = 1;
  s->is_end = machine_terminal(m, g->f->w, slow_position(g, i));
  slow_goals(g, s, i);
  for (uint32_t r = 0; r < g->roles && !s->is_end; r++) {
    s->moves[r] = machine_legal(m, g->f->w, slow_position(g, i), r, moves[r], SLOW_MOVES);
    all *= s->moves[r];
  }
  if (!all) s->is_end = true; /* stuck: it counts 50 */
  s->steps = s->is_end ? 0 : all;
  for (uint32_t step = 0; step < s->steps; step++) {
    uint32_t rest = step;
    for (uint32_t r = g->roles; r-- > 0; rest /= s->moves[r])
      joint[r] = moves[r][rest % s->moves[r]];
    machine_step(m, g->f->w, slow_position(g, i), joint, g->f->position);
    s->next[step] = slow_find(g, g->f->position);
  }
}

/* Of the game that is open on `reference`. */
static inline slow_game *slow_game_of(machine_fixture *f) {
  slow_game *g = arena_alloc_zero(f->keep, sizeof *g);
  *g = (slow_game){.f = f, .roles = f->m->role_count, .nature = machine_nature(f->m)};
  g->positions = arena_alloc_zero(f->keep, SLOW_STATES * f->m->position_size);
  machine_start(f->m, f->position);
  slow_find(g, f->position);
  for (uint32_t i = 0; i < g->count; i++) slow_look(g, i);
  return g;
}

/* ---- turns ---- */

static inline bool slow_moves(const slow_game *g, uint32_t i, uint32_t role) {
  const slow_state *s = &g->states[i];
  for (uint32_t r = 0; r < g->roles; r++)
    if (r != role && s->moves[r] > 1) return false;
  return true;
}

/* From which states can `role` (or, if !helps, the others) force one that is marked?  Marks them,
   too. */
static inline void slow_force(const slow_game *g, uint32_t role, bool helps, bool *marked) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < g->count; i++) {
      const slow_state *s = &g->states[i];
      uint32_t good = 0;
      for (uint32_t n = 0; n < s->steps; n++) good += marked[s->next[n]];
      const bool chooses = slow_moves(g, i, role) == helps;
      if (marked[i] || !good || (!chooses && good < s->steps)) continue;
      marked[i] = changed = true;
    }
  }
}

/* What `role` can make sure of in state i: one role, or two in turns. */
static inline int32_t slow_turns_value_at(const slow_game *g, uint32_t at, uint32_t role) {
  const bool is_alone = g->roles == 1;
  const int32_t endless = is_alone ? 0 : 50;
  for (int32_t goal = 100; goal > 0; goal--) {
    bool marked[SLOW_STATES] = {0};
    const bool helps = goal > endless;
    for (uint32_t i = 0; i < g->count; i++)
      marked[i] = g->states[i].is_end && (g->states[i].goals[role] >= goal) == helps;
    slow_force(g, role, helps, marked);
    if (marked[at] == helps) return goal;
  }
  return 0;
}

static inline int32_t slow_turns_value(const slow_game *g, uint32_t role) {
  return slow_turns_value_at(g, 0, role);
}

/* ---- chance and moves at once, where every play ends ---- */

static inline double slow_two_by_two(const double *a) {
  const double low = fmax(fmin(a[0], a[1]), fmin(a[2], a[3]));
  const double high = fmin(fmax(a[0], a[2]), fmax(a[1], a[3]));
  return low >= high ? low : (a[0] * a[3] - a[1] * a[2]) / (a[0] + a[3] - a[1] - a[2]);
}

/* What `role` (0 or 1) can make sure of; `random` is role 2. */
static inline double slow_mixed_value(const slow_game *g, uint32_t i, uint32_t role) {
  const slow_state *s = &g->states[i];
  double a[4] = {0};
  if (s->is_end) return s->goals[role];
  for (uint32_t n = 0; n < s->steps; n++) {
    const uint32_t chance = s->moves[2], left = n / chance / s->moves[1],
                   right = n / chance % s->moves[1];
    const double value = slow_mixed_value(g, s->next[n], role) / chance;
    a[role ? right * 2 + left : left * 2 + right] += value;
  }
  const bool one_row = s->moves[role] == 1, one_column = s->moves[!role] == 1;
  if (one_column) {
    a[1] = a[0];
    a[3] = a[2];
  }
  if (one_row) {
    a[2] = a[0];
    a[3] = a[1];
  }
  return slow_two_by_two(a);
}

#endif
