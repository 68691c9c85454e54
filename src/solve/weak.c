#include "solve/weak.h"

#include "base/hash.h"
#include "solve/pn_search.h"

#include <string.h>

/* Bytes of the table where no limit says how many there may be, and its part of a limit. */
static const size_t usual_table = (size_t)1 << 30;
static const double table_part = 0.75;

#define NOT_ASKED UINT32_MAX

/* What a role may get. */
typedef struct goal_scale {
  uint32_t role;
  int32_t values[CODE_MAX]; /* from the lowest */
  bool is_goal[CODE_MAX];   /* not only what endless or faulty play is worth */
  uint32_t count;
  uint32_t low, high;   /* the value lies between these, both included */
  uint32_t can, cannot; /* questions that were answered so: about the last bounds; or NOT_ASKED */
} goal_scale;

typedef struct weak_solver {
  solve_result *r;
  const solve_space *s;
  pn_search pn;
  goal_scale scales[2];
  uint32_t roles[2]; /* that choose */
  arena *keep, *scratch;
  budget *b;
} weak_solver;

/* ---- values ---- */

static void add_value(goal_scale *v, int32_t value, bool is_goal) {
  uint32_t at = 0;
  while (at < v->count && v->values[at] < value) at++;
  if (at == v->count || v->values[at] != value) {
    if (v->count == CODE_MAX) return;
    memmove(v->values + at + 1, v->values + at, (v->count - at) * sizeof *v->values);
    memmove(v->is_goal + at + 1, v->is_goal + at, (v->count - at) * sizeof *v->is_goal);
    v->values[at] = value;
    v->is_goal[at] = false;
    v->count++;
  }
  v->is_goal[at] |= is_goal;
}

static bool is_uneven(const weak_solver *x) { return x->s->choosers == 2 && x->pn.met_uneven_ends; }

static int32_t endless_value(const weak_solver *x) {
  return x->s->choosers == 1 ? 0 : ENDLESS_VALUE;
}

static void list_values(weak_solver *x, goal_scale *v, uint32_t role) {
  const grounded *g = x->s->g;
  *v = (goal_scale){.role = role, .can = NOT_ASKED, .cannot = NOT_ASKED};
  add_value(v, ENDLESS_VALUE, false);
  add_value(v, endless_value(x), false);
  for (uint32_t i = g->goals_of[role]; i < g->goals_of[role + 1]; i++)
    add_value(v, g->goal_values[g->goals[i]], true);
  v->high = v->count - 1;
}

/* The middle one of the goals above `low`; where there is none, of what else there is. */
static uint32_t next_value(const goal_scale *v) {
  uint32_t goals = 0, at;
  for (uint32_t i = v->low + 1; i <= v->high; i++) goals += v->is_goal[i];
  if (!goals) return v->low + (v->high - v->low + 1) / 2;
  uint32_t left = goals / 2;
  for (at = v->low + 1; !v->is_goal[at] || left-- > 0;) at++;
  return at;
}

/* Where neither cycles nor faults were met, only goals can be values. */
static void take_answer(weak_solver *x, goal_scale *v, uint32_t at, uint32_t question, bool can) {
  const pn_question *q = &x->pn.questions.items[question];
  const bool only_goals = !q->met_cycles && !q->met_faults;
  if (can) {
    v->low = at;
    v->can = question;
    while (only_goals && v->low < v->high && !v->is_goal[v->low]) v->low++;
  } else {
    v->high = at - 1;
    v->cannot = question;
    while (only_goals && v->low < v->high && !v->is_goal[v->high]) v->high--;
  }
}

/* Does the role make sure of that value? */
static pn_question question_about(const weak_solver *x, const goal_scale *v, uint32_t at) {
  return (pn_question){
      .role = v->role, .least = v->values[at], .cycles_suffice = v->values[at] <= endless_value(x)};
}

/* False: it is not known. */
static bool find_value(weak_solver *x, goal_scale *v) {
  while (v->low < v->high) {
    const uint32_t at = next_value(v);
    const uint32_t question = pn_search_add(&x->pn, question_about(x, v, at));
    const pn_answer answer = pn_search_ask(&x->pn, question, x->s->start);
    if (answer == PN_OPEN) return false;
    take_answer(x, v, at, question, answer == PN_YES);
  }
  return true;
}

static bool has_met_cycles(const weak_solver *x, const goal_scale *v) {
  bool any = false;
  for (uint32_t i = 0; i < x->pn.questions.count; i++) {
    const pn_question *q = &x->pn.questions.items[i];
    any |= q->role == v->role && q->met_cycles;
  }
  return any;
}

/* Where goals add up to the whole in all ends that were met, a proof of what the first role makes
   sure of bounds what the second one can get, and so does a refutation. */
static void bound_second(const weak_solver *x, goal_scale *second, const goal_scale *first) {
  const int32_t rest = WHOLE_SUM - first->values[first->low];
  if (is_uneven(x)) return;
  while (first->can != NOT_ASKED && second->high > 0 && second->values[second->high] > rest)
    second->high--;
  while (first->cannot != NOT_ASKED && second->low < second->high &&
         second->values[second->low] < rest)
    second->low++;
}

static bool find_values(weak_solver *x) {
  solve_result *r = x->r;
  for (uint32_t i = 0; i < x->s->choosers; i++) {
    goal_scale *v = &x->scales[i];
    list_values(x, v, x->roles[i]);
    if (i) bound_second(x, v, &x->scales[0]);
    if (!find_value(x, v)) return false;
    r->values[x->roles[i]] = v->values[v->low];
    r->has_endless |= v->values[v->low] == endless_value(x) && has_met_cycles(x, v);
  }
  return true;
}

/* ---- a line ---- */

/* A state, and what follows. */
typedef struct line_step {
  weak_solver *x;
  uint32_t count;
  uint8_t *states; /* as they are */
  uint32_t *joints;
  arena *keep;
} line_step;

static bool take_step(void *context, const lane_successors *batch) {
  line_step *l = context;
  const size_t bytes = l->x->s->stepper.state_bytes, roles = l->x->s->m->role_count;
  const uint32_t all = l->count + batch->count;
  l->states = arena_grow(l->keep, l->states, l->count * bytes, all * bytes);
  l->joints = arena_grow(l->keep, l->joints, l->count * roles * sizeof *l->joints,
                         all * roles * sizeof *l->joints);
  memcpy(l->states + l->count * bytes, batch->states, batch->count * bytes);
  memcpy(l->joints + l->count * roles, batch->joints, batch->count * roles * sizeof *l->joints);
  l->count = all;
  return !budget_is_spent(l->x->b);
}

/* Is this answer still right one step later?  An end says so itself. */
static bool keeps_answer(weak_solver *x, uint32_t question, bool can, const uint8_t *state,
                         bool may_search) {
  const pn_question *q = &x->pn.questions.items[question];
  const uint32_t bytes = x->s->stepper.state_bytes;
  uint8_t *kept = arena_zero_array(x->scratch, uint8_t, bytes + 8);
  memcpy(kept, state, bytes);
  if (x->s->stepper.symmetries) state_group_reduce(&x->s->symmetries, kept, 1);
  lane_expander_look(&x->pn.look, kept, 1);
  if (!lane_expander_is_open(&x->pn.look, 0)) {
    const bool is_end = is_end_lane(&x->pn.look, 0);
    const int32_t goal = is_end ? goal_in_lane(x->s, &x->pn.look, q->role, 0, NULL) : ENDLESS_VALUE;
    return (goal >= q->least) == can;
  }
  const pn_answer answer =
      may_search ? pn_search_ask(&x->pn, question, kept) : pn_search_known(&x->pn, question, kept);
  return answer == (can ? PN_YES : PN_NO);
}

static uint32_t step_that_keeps(weak_solver *x, const line_step *l, uint32_t question, bool can,
                                bool may_search) {
  const size_t bytes = x->s->stepper.state_bytes;
  for (uint32_t i = 0; i < l->count; i++)
    if (keeps_answer(x, question, can, l->states + i * bytes, may_search)) return i;
  return l->count;
}

/* A second role whose value follows from the first one's keeps that one from more, as far as it is
   known how.  A new search might do so by ends whose goals add up to something else: so what has to
   be searched is about the role's own goal. */
static uint32_t step_of_second(weak_solver *x, const line_step *l, goal_scale *v) {
  const uint32_t bound = x->scales[0].cannot;
  if (bound != NOT_ASKED && !is_uneven(x)) {
    const uint32_t at = step_that_keeps(x, l, bound, false, false);
    if (at < l->count) return at;
  }
  v->can = pn_search_add(&x->pn, question_about(x, v, v->low));
  return l->count;
}

/* The first step that keeps to the value of the mover; count: none was found in time. */
static uint32_t best_step(weak_solver *x, const line_step *l, uint32_t mover) {
  const bool is_second = x->s->choosers == 2 && mover == x->roles[1];
  goal_scale *v = &x->scales[is_second];
  uint32_t at = l->count;
  if (!v->low) return 0; /* it gets that much in any case */
  if (v->can == NOT_ASKED) at = step_of_second(x, l, v);
  if (at == l->count) at = step_that_keeps(x, l, v->can, true, false);
  return at < l->count ? at : step_that_keeps(x, l, v->can, true, true);
}

static uint32_t machine_move(const weak_solver *x, uint32_t role, uint32_t move) {
  return move - x->s->g->circuit.roles.items[role].first_move;
}

static void plan_start(weak_solver *x, const uint32_t *joint) {
  for (uint32_t role = 0; role < x->s->m->role_count; role++) {
    mixed_plan *p = &x->r->plans[role];
    *p = (mixed_plan){.count = 1,
                      .moves = arena_new_array(x->keep, uint32_t, 1),
                      .shares = arena_new_array(x->keep, double, 1)};
    p->moves[0] = machine_move(x, role, joint[role]);
    p->shares[0] = 1;
  }
}

/* One step of best play.  False: the line ends there. */
static bool follow(weak_solver *x, lane_expander *e, uint8_t *state) {
  solve_result *r = x->r;
  uint32_t mover;
  const uint32_t roles = x->s->m->role_count, bytes = x->s->stepper.state_bytes;
  line_step l = {.x = x, .keep = x->scratch};
  lane_expander_look(e, state, 1);
  if (!lane_expander_is_open(e, 0)) return false;
  if (!choosers_in_lane(x->s, e, 0, &mover)) mover = x->roles[0];
  if (!lane_expander_make_steps(e, take_step, &l)) return false;
  const uint32_t at = best_step(x, &l, mover);
  if (at == l.count) return false;
  const uint32_t *joint = l.joints + (size_t)at * roles;
  if (!r->length) plan_start(x, joint);
  for (uint32_t role = 0; role < roles; role++)
    vec_push(x->keep, &r->line, machine_move(x, role, joint[role]));
  r->length++;
  memcpy(state, l.states + (size_t)at * bytes, bytes);
  return !is_uneven(x);
}

/* Best play from the start, until an end or a state that was there before, or until time is up. */
static void follow_line(weak_solver *x) {
  const uint32_t bytes = x->s->stepper.state_bytes;
  arena *steps = arena_new();
  lane_expander e;
  uint8_t *state = arena_zero_array(x->scratch, uint8_t, bytes + 8);
  uint64_t seen = 0;
  lane_expander_init(&e, &x->s->stepper, steps);
  e.keeps_states = true;
  memcpy(state, x->s->start, bytes);
  VEC(uint64_t) hashes = {0};
  for (bool goes_on = true; goes_on && follow(x, &e, state);) {
    seen = hash_bytes(state, bytes);
    for (uint32_t i = 0; i < hashes.count; i++) goes_on &= hashes.items[i] != seen;
    vec_push(x->scratch, &hashes, seen);
  }
  arena_free(steps);
}

/* ---- all of it ---- */

static const char *reason_against(const weak_solver *x) {
  return x->s->choosers > 2 ? "a weak solution is for one role, or for two in turn" : NULL;
}

static void list_choosers(weak_solver *x) {
  uint32_t count = 0;
  for (uint32_t role = 0; role < x->s->m->role_count && count < 2; role++)
    if (role != x->s->g->nature) x->roles[count++] = role;
}

static size_t table_bytes(const budget *b) {
  return b->max_bytes ? (size_t)(table_part * (double)b->max_bytes) : usual_table;
}

/* The start itself may be an end. */
static bool start_is_open(weak_solver *x) {
  lane_expander_look(&x->pn.look, x->s->start, 1);
  return lane_expander_is_open(&x->pn.look, 0);
}

static bool solve(weak_solver *x) {
  solve_result *r = x->r;
  if (!start_is_open(x)) {
    for (uint32_t i = 0; i < x->s->choosers; i++)
      r->values[x->roles[i]] = is_end_lane(&x->pn.look, 0)
                                   ? goal_in_lane(x->s, &x->pn.look, x->roles[i], 0, NULL)
                                   : ENDLESS_VALUE;
    return true;
  }
  if (!find_values(x)) return false;
  follow_line(x);
  return true;
}

bool weak_solve(solve_result *r, const solve_space *s, arena *keep, budget *b) {
  weak_solver x = {.r = r, .s = s, .keep = keep, .scratch = arena_new(), .b = b};
  list_choosers(&x);
  r->kind = SOLUTION_WEAK;
  r->sense = s->choosers == 1 ? MINIMAX_BEST : MINIMAX_GUARANTEE;
  r->symmetries = s->symmetries.order;
  r->reason = reason_against(&x);
  if (!r->reason) {
    pn_search_init(&x.pn, s, table_bytes(b), b);
    r->is_solved = solve(&x);
    r->reason = x.pn.reason;
    r->nodes = x.pn.nodes;
    pn_search_free(&x.pn);
  }
  arena_free(x.scratch);
  return r->is_solved || r->reason;
}
