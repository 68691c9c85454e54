#include "machine/step_speed.h"

#include "base/rng.h"

enum { STATES_BETWEEN_LOOKS = 16 }; /* at the clock */
enum { TREE_DEPTH_MAX = 64 };       /* deeper trees are walked as if they had this depth */
enum { STATES_OF_A_PATH = 1000 };   /* then the walk of a tree begins anew, on another path */

/* A state on the way from the start of the game. */
typedef struct level {
  void *position;
  id_vec *moves;        /* by role */
  uint32_t joint_count; /* joint moves, as far as they matter */
} level;

struct speed_trial {
  const machine *m;
  speed_trial_shape shape;
  machine_workspace *w;
  budget *limits;
  level *levels;  /* by depth; in play, only the state and the next */
  uint32_t depth; /* of the state that is looked at */
  bool is_listed; /* its moves are known */
  bool is_done;   /* the walk begins anew */
  move_id *joint;
  uint64_t steps, states;
  rng r;
  arena *keep;
};

static bool is_tree(const speed_trial *t) { return t->shape.depth > 0; }

static bool is_at_last_moves(const speed_trial *t) { return t->depth + 1 == t->shape.depth; }

static void start_anew(speed_trial *t) {
  t->depth = 0;
  t->is_listed = false;
  machine_start(t->m, t->levels[0].position);
  const bool is_end = machine_terminal(t->m, t->w, t->levels[0].position);
  t->is_done = is_end && is_tree(t) && !t->shape.plays_on;
}

/* ---- moves ---- */

static uint32_t list_moves_of(speed_trial *t, const level *v, uint32_t role) {
  id_vec *list = &v->moves[role];
  uint32_t count = machine_legal(t->m, t->w, v->position, role, list->items, list->capacity);
  if (count > list->capacity) {
    list->count = 0;
    vec_reserve(t->keep, list, count);
    count = machine_legal(t->m, t->w, v->position, role, list->items, list->capacity);
  }
  return list->count = count;
}

static void list_moves(speed_trial *t, level *v) {
  uint64_t joint = 1;
  for (uint32_t role = 0; role < t->m->role_count && joint > 0; role++) {
    joint *= list_moves_of(t, v, role);
    if (joint > UINT32_MAX) joint = UINT32_MAX;
  }
  v->joint_count = (uint32_t)joint;
  t->is_listed = true;
}

/* False: the game goes no further there. */
static bool look_at_successor(speed_trial *t) {
  const level *v = &t->levels[t->depth];
  for (uint32_t role = 0; role < t->m->role_count; role++)
    t->joint[role] = v->moves[role].items[rng_below(&t->r, v->moves[role].count)];
  machine_step(t->m, t->w, v->position, t->joint, v[1].position);
  t->steps++;
  return !machine_terminal(t->m, t->w, v[1].position) || t->shape.plays_on;
}

/* ---- the way through the tree: as that of a search, but by chance ---- */

/* A state with n joint moves is left for good after one of its successors once in n times. */
static void leave_successor(speed_trial *t) {
  while (rng_below(&t->r, t->levels[t->depth].joint_count) == 0) {
    if (t->depth == 0) {
      t->is_done = true;
      return;
    }
    t->depth--;
  }
}

static void leave_state(speed_trial *t) {
  if (t->depth == 0) {
    t->is_done = true;
  } else {
    t->depth--;
    leave_successor(t);
  }
}

static void go_to_successor(speed_trial *t) {
  t->is_listed = false;
  if (is_tree(t)) {
    t->depth++;
  } else {
    const level left = t->levels[0];
    t->levels[0] = t->levels[1];
    t->levels[1] = left;
  }
}

static uint32_t successors_to_look_at(const speed_trial *t) {
  if (is_tree(t) && !is_at_last_moves(t)) return 1;
  const uint32_t there_are = t->levels[t->depth].joint_count;
  return there_are < t->shape.successors ? there_are : t->shape.successors;
}

static void visit_state(speed_trial *t) {
  if (t->is_done || (is_tree(t) && t->states % STATES_OF_A_PATH == 0)) start_anew(t);
  t->states++;
  if (t->is_done) return;
  if (!t->is_listed) list_moves(t, &t->levels[t->depth]);
  if (t->levels[t->depth].joint_count == 0) {
    leave_state(t);
    return;
  }
  bool goes_on = false;
  for (uint32_t i = successors_to_look_at(t); i > 0; i--) goes_on = look_at_successor(t);
  if (is_tree(t) && is_at_last_moves(t))
    leave_state(t);
  else if (goes_on)
    go_to_successor(t);
  else if (is_tree(t))
    leave_successor(t);
  else
    t->is_done = true;
}

/* ---- trials ---- */

static level level_new(const machine *m, arena *keep) {
  return (level){.position = arena_alloc(keep, m->position_size),
                 .moves = arena_zero_array(keep, id_vec, m->role_count)};
}

speed_trial *speed_trial_new(const machine *m, speed_trial_shape shape, arena *keep,
                             budget *limits) {
  speed_trial *t = arena_new_array(keep, speed_trial, 1);
  if (shape.depth > TREE_DEPTH_MAX) shape.depth = TREE_DEPTH_MAX;
  const uint32_t levels = shape.depth ? shape.depth + 1 : 2;
  *t = (speed_trial){.m = m,
                     .shape = shape,
                     .w = machine_workspace_new(m, limits),
                     .limits = limits,
                     .levels = arena_new_array(keep, level, levels),
                     .joint = arena_new_array(keep, move_id, m->role_count + 1),
                     .is_done = true,
                     .r = rng_new(1, 0),
                     .keep = keep};
  for (uint32_t i = 0; i < levels; i++) t->levels[i] = level_new(m, keep);
  return t;
}

void speed_trial_end(speed_trial *t) { machine_workspace_free(t->m, t->w); }

uint64_t speed_trial_steps(const speed_trial *t) { return t->steps; }

double speed_trial_go_on(speed_trial *t, uint32_t states) {
  const double started = clock_process();
  for (uint32_t i = 0; i < states && !budget_is_spent(t->limits); i++) visit_state(t);
  return t->w->trouble.is_there ? -1 : clock_process() - started;
}

double machine_step_speed(const machine *m, uint32_t successors, double seconds, budget *limits) {
  arena *scratch = arena_new();
  speed_trial *t =
      speed_trial_new(m, (speed_trial_shape){.successors = successors}, scratch, limits);
  double passed = 0, more = 0;
  while (passed < seconds && more >= 0 && !budget_is_spent(limits)) {
    more = speed_trial_go_on(t, STATES_BETWEEN_LOOKS);
    passed += more;
  }
  const double speed = more >= 0 && passed > 0 ? (double)t->steps / passed : 0;
  speed_trial_end(t);
  arena_free(scratch);
  return speed;
}
