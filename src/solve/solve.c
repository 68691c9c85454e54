#include "solve/solve.h"

#include "database/database_writer.h"
#include "solve/parts.h"
#include "solve/weak.h"
#include "states/walk_images.h"

#include <math.h>
#include <string.h>

/* Guarantees of floating-point numbers are rounded to this, and the answer says so. */
static const double least_gap = 1e-9;

/* Of hidden.h: how near values are to come, in how many rounds; what is played less is left out. */
static const double wanted_gap = 1e-4, least_share = 1e-6;
enum { most_rounds = 1 << 17 };

/* SOLVE_AUTO: a strong solution has so much of the limits, and so many states where the user has
   not said how many. */
static const double strong_part = 0.5;
static const uint64_t most_strong_states = 100 * 1000 * 1000;

/* A game in parts is solved by them if it has more states than this; so many states of a part, and
   combinations. */
static const uint64_t few_states = 10 * 1000, most_part_states = 2 * 1000 * 1000;

typedef struct solver {
  solve_result *r;
  solve_space s;
  turn_values turns[2]; /* of one role, or of two */
  uint32_t turn_count;
  uint32_t roles[2]; /* that choose, where there are at most two */
  uint8_t *kept;     /* room for the images of LANES states */
  arena *keep, *scratch;
  budget *b;
  const solve_options *o;
  diag_sink *d;
} solver;

/* ---- the database ---- */

/* Where one is wished for.  False: the budget is spent, or there was trouble. */
static bool keep_values(solver *x, state_values v) {
  solve_result *r = x->r;
  if (!x->o->database) return true;
  r->has_database = database_make(x->o->database, &x->s, x->roles, v, &r->database,
                                  &r->database_reason, x->b, x->d);
  return r->has_database || r->database_reason;
}

/* ---- turns ---- */

static const turn_values *values_for(const solver *x, uint32_t role) {
  return &x->turns[x->turn_count == 2 && role == x->roles[1]];
}

static double value_of(const solver *x, uint32_t role, turn_worth worth) {
  const turn_values *v = values_for(x, role);
  const double value = v->values[worth.code];
  return role == v->hero ? value : WHOLE_SUM - value;
}

static double value_in(const solver *x, uint32_t role, state_place p) {
  return value_of(x, role, turn_worth_at(values_for(x, role), p));
}

/* The states that stand for these. */
static const uint8_t *kept_of(solver *x, const uint8_t *states, uint32_t count) {
  const size_t bytes = (size_t)count * x->s.stepper.state_bytes;
  if (!x->s.stepper.symmetries) return states;
  memcpy(x->kept, states, bytes);
  state_group_reduce(&x->s.symmetries, x->kept, count);
  return x->kept;
}

/* What states are worth, wherever they are kept: every rank asks for the same.  False: a rank has
   failed. */
static bool find_worths(solver *x, const turn_values *v, const uint8_t *states, uint32_t count,
                        turn_worth *out) {
  uint64_t numbers[LANES];
  const uint8_t *kept = kept_of(x, states, count);
  for (uint32_t i = 0; i < count; i++) {
    state_place p;
    numbers[i] = 0;
    if (!space_find(&x->s, kept + (size_t)i * x->s.stepper.state_bytes, &p)) continue;
    const turn_worth worth = turn_worth_at(v, p);
    numbers[i] = (uint64_t)worth.code << 16 | worth.steps;
  }
  if (x->s.ranks && !ranks_sum(x->s.ranks, numbers, count)) return false;
  for (uint32_t i = 0; i < count; i++)
    out[i] = (turn_worth){(uint8_t)(numbers[i] >> 16), (uint16_t)numbers[i]};
  return true;
}

/* A state, its successors and their joint moves. */
typedef struct fan {
  solver *x;
  uint32_t mover;
  bool has_best;
  turn_worth best;
  uint8_t *next; /* the first of the best */
  uint32_t *joint;
  id_vec moves; /* of the mover that are as good */
} fan;

static bool take_fan(void *context, const lane_successors *batch) {
  fan *f = context;
  const turn_values *v = values_for(f->x, f->mover);
  const uint32_t roles = f->x->s.m->role_count, bytes = f->x->s.stepper.state_bytes;
  turn_worth worths[LANES];
  if (!find_worths(f->x, v, batch->states, batch->count, worths)) return false;
  for (uint32_t i = 0; i < batch->count; i++) {
    const uint32_t *joint = batch->joints + (size_t)i * roles;
    const turn_worth after = worths[i];
    const bool hero = f->mover == v->hero;
    if (f->has_best && turn_is_better(v, hero, f->best, after)) continue;
    if (!f->has_best || turn_is_better(v, hero, after, f->best)) {
      f->best = after;
      memcpy(f->next, batch->states + (size_t)i * bytes, bytes);
      f->moves.count = 0;
      memcpy(f->joint, joint, roles * sizeof *joint);
    }
    f->has_best = true;
    vec_push(f->x->scratch, &f->moves, joint[f->mover]);
  }
  return true;
}

/* False: the game is over there. */
static bool look_at(fan *f, lane_expander *e, const uint8_t *state) {
  const solve_space *s = &f->x->s;
  f->has_best = false;
  f->moves.count = 0;
  lane_expander_look(e, state, 1);
  if (!lane_expander_is_open(e, 0)) return false;
  if (!choosers_in_lane(s, e, 0, &f->mover)) f->mover = f->x->roles[0];
  return lane_expander_make_steps(e, take_fan, f);
}

static uint32_t machine_move(const solver *x, uint32_t role, uint32_t move) {
  return move - x->s.g->circuit.roles.items[role].first_move;
}

static void plan_turn(solver *x, const fan *f) {
  solve_result *r = x->r;
  for (uint32_t role = 0; role < x->s.m->role_count; role++) {
    const bool moves = role == f->mover;
    const uint32_t count = moves ? f->moves.count : 1;
    r->plans[role] = (mixed_plan){.count = count,
                                  .moves = arena_new_array(x->keep, uint32_t, count),
                                  .shares = arena_new_array(x->keep, double, count)};
    for (uint32_t i = 0; i < count; i++) {
      const uint32_t move = moves ? f->moves.items[i] : f->joint[role];
      r->plans[role].moves[i] = machine_move(x, role, move);
      r->plans[role].shares[i] = moves && i ? 0 : 1;
    }
  }
}

/* Best play from the start, as far as it leads to an end. */
static void follow_line(solver *x) {
  solve_result *r = x->r;
  lane_expander e;
  fan f = {.x = x};
  const uint32_t roles = x->s.m->role_count;
  const uint32_t bytes = x->s.stepper.state_bytes;
  uint8_t *state = arena_zero_array(x->scratch, uint8_t, bytes + 8);
  memcpy(state, x->s.start, bytes);
  f.joint = arena_new_array(x->scratch, uint32_t, roles + 1);
  f.next = arena_zero_array(x->scratch, uint8_t, bytes + 8);
  arena *steps = arena_new(); /* the expander rewinds it, while moves are kept elsewhere */
  lane_expander_init(&e, &x->s.stepper, steps);
  e.keeps_states = true;
  while (look_at(&f, &e, state) && (r->has_remoteness || !r->length) && !budget_is_spent(x->b)) {
    if (!r->length) plan_turn(x, &f);
    for (uint32_t role = 0; role < roles && r->has_remoteness; role++)
      vec_push(x->keep, &r->line, machine_move(x, role, f.joint[role]));
    r->length++;
    memcpy(state, f.next, bytes);
  }
  arena_free(steps);
  if (!r->has_remoteness) r->length = 0;
}

static state_place start_place(const solver *x) {
  state_place p = {0};
  for (uint32_t i = 0; i < STORE_SHARDS; i++)
    if (x->s.w.levels.items[1].starts[i]) p.shard = i;
  return p;
}

static void read_turns(const void *context, state_place p, double *values, uint16_t *steps) {
  const solver *x = context;
  for (uint32_t i = 0; i < x->s.choosers; i++) values[x->roles[i]] = value_in(x, x->roles[i], p);
  *steps = turn_worth_at(&x->turns[0], p).steps;
}

static bool solve_turns(solver *x) {
  solve_result *r = x->r;
  x->turn_count = x->s.choosers == 2 && !x->s.is_constant_sum ? 2 : 1;
  for (uint32_t i = 0; i < x->turn_count; i++) {
    if (turns_solve(x->turns, i, &x->s, x->roles[i], x->scratch, x->b)) continue;
    if (x->turns[i].is_too_long) r->reason = "an end is more than 65,534 steps away";
    return r->reason != NULL;
  }
  x->kept = arena_new_array(x->scratch, uint8_t, (size_t)LANES * x->s.stepper.state_bytes + 8);
  turn_worth starts[2] = {{0}};
  for (uint32_t i = 0; i < x->turn_count; i++)
    if (!find_worths(x, &x->turns[i], x->s.start, 1, &starts[i])) return false;
  const turn_worth first = starts[0];
  r->has_endless = x->turns[0].has_endless || x->turns[1].has_endless;
  r->has_remoteness = first.steps != STEPS_NONE && x->turn_count == 1;
  r->remoteness = r->has_remoteness ? first.steps : 0;
  for (uint32_t i = 0; i < x->s.choosers; i++)
    r->values[x->roles[i]] = value_of(x, x->roles[i], starts[x->turn_count == 2 ? i : 0]);
  follow_line(x);
  const state_values all = {read_turns, x, x->turn_count == 1};
  return r->is_solved = keep_values(x, all);
}

/* ---- the others ---- */

static void round_values(solver *x) {
  solve_result *r = x->r;
  double sum = 0;
  for (uint32_t role = 0; role < x->s.m->role_count; role++)
    if (role != x->s.g->nature) sum += r->values[role];
  r->gap = least_gap;
  if (x->s.choosers == 2 && x->s.is_constant_sum) r->gap = fmax(least_gap, WHOLE_SUM - sum);
  for (uint32_t role = 0; role < x->s.m->role_count; role++)
    r->values[role] = round(r->values[role] / least_gap) * least_gap;
}

static void read_mixed(const void *context, state_place p, double *values, uint16_t *steps) {
  const mixed_values *v = context;
  memcpy(values, mixed_values_at(v, p), v->s->m->role_count * sizeof *values);
  *steps = 0;
}

static bool solve_mixed(solver *x) {
  mixed_values v;
  solve_result *r = x->r;
  const uint32_t roles = x->s.m->role_count;
  if (!mixed_solve(&v, &x->s, x->scratch, x->b)) {
    if (v.has_cycles)
      r->reason = "some plays never end, and there is chance, or roles choose at once, or there "
                  "are more than two";
    return r->reason != NULL;
  }
  memcpy(r->values, mixed_values_at(&v, start_place(x)), roles * sizeof *r->values);
  if (x->s.has_chance || x->s.has_choices_at_once) round_values(x);
  r->plans = mixed_plans(&v, x->keep, x->b);
  if (budget_check_now(x->b)) return false;
  for (uint32_t role = 0; role < roles; role++)
    for (uint32_t i = 0; i < r->plans[role].count; i++)
      r->plans[role].moves[i] = machine_move(x, role, r->plans[role].moves[i]);
  const state_values all = {read_mixed, &v, false};
  return r->is_solved = keep_values(x, all);
}

/* ---- roles that know only what they see ---- */

/* How a role plays at the start. */
static void plan_hidden(solver *x, const hidden_tree *t, const hidden_result *h, uint32_t chooser) {
  const hidden_set *s = &t->sets.items[chooser]; /* the first sets are those of the root */
  mixed_plan *p = &x->r->plans[t->choosers[chooser]];
  p->moves = arena_new_array(x->keep, uint32_t, s->moves);
  p->shares = arena_new_array(x->keep, double, s->moves);
  for (uint32_t i = 0; i < s->moves; i++) {
    if (h->averages[s->first + i] < least_share) continue;
    p->moves[p->count] = t->choice_moves.items[s->first + i];
    p->shares[p->count++] = h->averages[s->first + i];
  }
}

static void note_hidden(solver *x, const hidden_tree *t, const hidden_result *h) {
  solve_result *r = x->r;
  for (uint32_t i = 0; i < t->chooser_count; i++) {
    r->values[t->choosers[i]] = h->guarantees[i];
    plan_hidden(x, t, h, i);
  }
  r->gap = fmax(h->gap, least_gap);
  r->is_solved = true;
}

static bool solve_hidden(solver *x, const machine *m, const solve_options *o) {
  hidden_tree t;
  hidden_result h;
  solve_result *r = x->r;
  const bool is_whole = hidden_tree_make(&t, m, o->max_states, x->scratch, x->b);
  r->kind = SOLUTION_EQUILIBRIUM;
  if (o->database) r->database_reason = "roles do not know the state";
  r->reason = t.reason;
  r->states = r->kept_states = t.nodes.count;
  r->symmetries = 1;
  r->ends = t.ends;
  r->depth = hidden_tree_depth(&t);
  r->bytes = t.nodes.count * sizeof *t.nodes.items;
  r->has_chance = t.has_chance;
  r->sense = t.chooser_count == 1 ? MINIMAX_BEST : MINIMAX_GUARANTEE;
  if (!is_whole) return t.reason != NULL;
  if (!hidden_solve(&h, &t, wanted_gap, most_rounds, x->scratch, x->b)) return false;
  note_hidden(x, &t, &h);
  return true;
}

/* ---- all of it ---- */

static bool is_mixed(const solver *x) {
  return x->s.has_chance || x->s.has_choices_at_once || x->s.choosers > 2;
}

static minimax_sense sense_of(const solver *x) {
  return x->s.choosers <= 1 ? MINIMAX_BEST : x->s.choosers > 2 ? MINIMAX_MAX_N : MINIMAX_GUARANTEE;
}

static void note_fault(solver *x) {
  id_vec line = {0};
  const uint32_t roles = x->s.m->role_count;
  if (!x->s.faults || !walk_line(&x->s.w, x->s.fault_place, x->b, &line, x->scratch)) return;
  uint8_t *position = arena_alloc_zero(x->scratch, x->s.m->position_size + 8);
  line_follow(&x->s.stepper, &line, position);
  for (uint32_t i = 0; i < line.count; i++)
    line.items[i] = machine_move(x, i % roles, line.items[i]);
  const game_fault found = {.kind = x->s.fault,
                            .role = x->s.fault_role,
                            .position = position,
                            .line = line.items,
                            .length = line.count / roles};
  x->r->fault = fault_copy(&found, x->s.m, x->keep);
}

static void note_states(solver *x) {
  x->r->states = x->r->kept_states = space_states(&x->s);
  x->r->symmetries = x->s.symmetries.order;
  x->r->depth = space_depth(&x->s);
  x->r->bytes = x->s.ranks ? level_walk_bytes(&x->s.spread) : atomic_load(&x->s.w.store.bytes);
}

static bool solve_states(solver *x, const solve_options *o, diag_sink *d) {
  solve_result *r = x->r;
  const bool is_whole = space_walk(&x->s, o->max_states, x->b, d);
  note_states(x);
  if (!is_whole || !space_survey(&x->s, x->b)) return false;
  r->states = x->s.states;
  r->kept_states = x->s.kept;
  r->ends = x->s.ends;
  r->faults = x->s.faults;
  r->has_chance = x->s.has_chance;
  r->sense = sense_of(x);
  if (!x->s.ranks) note_fault(x);
  if (x->s.ranks && is_mixed(x)) {
    r->reason =
        "several processes, or one with a checkpoint, solve no games with chance, moves at once or "
        "more than two roles";
    return true;
  }
  if (x->s.choosers > 2 && x->s.has_choices_at_once) {
    r->reason = "more than two roles choose at once";
    return true;
  }
  return is_mixed(x) ? solve_mixed(x) : solve_turns(x);
}

static void list_choosers(solver *x, const machine *m) {
  const uint32_t nature = machine_nature(m);
  uint32_t count = 0;
  for (uint32_t role = 0; role < m->role_count && count < 2; role++)
    if (role != nature) x->roles[count++] = role;
}

/* False: one of them failed. */
static bool leave_ranks(solver *x, ranks *others, bool ok) {
  const bool was_whole = !ranks_have_failed(others);
  if (!ok) ranks_stop(others);
  const bool is_whole = ok && ranks_meet(others);
  if (is_whole && x->s.files) checkpoint_remove(x->s.files);
  ranks_free(others);
  return ok ? is_whole : was_whole;
}

/* A database has a value for every state, and ranks share states as they are.  Of more than two roles,
   one takes the first of equal moves, and the first is another in an image. */
static bool keeps_one(const solve_options *o, const machine *m) {
  const uint32_t choosers = m->role_count - (machine_nature(m) < m->role_count);
  return o->by_symmetry && choosers <= 2 && !o->database && !o->others && !o->checkpoint.folder;
}

/* Who keeps its work in files is a rank, be it the only one. */
static ranks *join_ranks(const solve_options *o, arena *keep) {
  const exchange alone = exchange_alone();
  if (o->others) return ranks_new(o->others, keep);
  return o->checkpoint.folder ? ranks_new(&alone, keep) : NULL;
}

static solve_result result_new(const machine *m, arena *keep) {
  return (solve_result){.values = arena_zero_array(keep, double, m->role_count + (size_t)1),
                        .plans = arena_zero_array(keep, mixed_plan, m->role_count + (size_t)1)};
}

/* Before all is solved; of ranks, the first writes. */
static bool can_keep_values(const solve_options *o, diag_sink *d) {
  return !o->database || (o->others && o->others->rank) || database_can_be_written(o->database, d);
}

static bool solve_strongly(solve_result *r, const machine *m, const solve_options *o, arena *keep,
                           budget *b, diag_sink *d) {
  solver *x = arena_alloc_zero(keep, sizeof *x);
  *r = result_new(m, keep);
  *x = (solver){.r = r, .keep = keep, .scratch = arena_new(), .b = b, .o = o, .d = d};
  ranks *others = o->is_hidden ? NULL : join_ranks(o, x->scratch);
  list_choosers(x, m);
  budget_watch(b, x->scratch);
  const bool ok = o->is_hidden ? solve_hidden(x, m, o)
                               : can_keep_values(o, d) &&
                                     space_init(&x->s, m, o->threads, keeps_one(o, m), others,
                                                o->checkpoint, x->scratch, b, d) &&
                                     solve_states(x, o, d);
  if (others) r->has_failed_ranks = !leave_ranks(x, others, ok);
  space_free(&x->s);
  budget_unwatch(b, x->scratch);
  arena_free(x->scratch);
  return ok;
}

static bool solve_weakly(solve_result *r, const machine *m, const solve_options *o, arena *keep,
                         budget *b, diag_sink *d) {
  solve_space s;
  const checkpoint_wish none = {0};
  arena *scratch = arena_new();
  *r = result_new(m, keep);
  budget_watch(b, scratch);
  const bool ok =
      space_init(&s, m, 1, o->by_symmetry, NULL, none, scratch, b, d) && weak_solve(r, &s, keep, b);
  space_free(&s);
  budget_unwatch(b, scratch);
  arena_free(scratch);
  return ok;
}

static bool solve_by_parts(solve_result *r, const machine *m, const solve_options *o, arena *keep,
                           budget *b, diag_sink *d) {
  *r = result_new(m, keep);
  return parts_solve(r, m, o, keep, b, d);
}

/* Whoever wishes for all values, or has no way to a weak solution, gets a strong one or none. */
static solve_method method_for(const solve_options *o) {
  if (o->is_hidden || o->database || o->others || o->checkpoint.folder) return SOLVE_STRONG;
  return o->method;
}

/* Half of the time that is left, and of the memory. */
static budget half_of(budget *b) {
  budget half = budget_within(b, b->deadline > 0 ? budget_seconds_left(b) * strong_part : 0,
                              (size_t)((double)b->max_bytes * strong_part));
  half.progress = b->progress;
  return half;
}

static bool has_parts(const machine *m, budget *b) {
  factors f = {0};
  arena *scratch = arena_new();
  if (m->role_count == 1) factors_find(&f, &machine_grounded(m)->circuit, scratch, b);
  arena_free(scratch);
  return f.count > 0;
}

static uint64_t least_limit(uint64_t limit, uint64_t other) {
  return limit && limit < other ? limit : other;
}

/* Of a game in parts: strongly where there are few states, else by parts, where half of what there
   is suffices for it. */
static bool are_parts_enough(solve_result *r, const machine *m, const solve_options *o, arena *keep,
                             budget *b) {
  solve_options few = *o, half = *o;
  diag_sink aside = {.keep = keep};
  budget part = half_of(b);
  if (!has_parts(m, &part)) return false;
  few.max_states = least_limit(o->max_states, few_states);
  half.max_states = least_limit(o->max_states, most_part_states);
  if (solve_strongly(r, m, &few, keep, &part, &aside) && !r->reason) return true;
  return solve_by_parts(r, m, &half, keep, &part, &aside) && !r->reason;
}

/* A strong solution, where half of what there is suffices for it, or where there is no other. */
static bool solve_either(solve_result *r, const machine *m, const solve_options *o, arena *keep,
                         budget *b, diag_sink *d) {
  solve_options half = *o;
  diag_sink aside = {.keep = keep};
  if (are_parts_enough(r, m, o, keep, b)) return true;
  budget part = half_of(b);
  if (!o->max_states) half.max_states = most_strong_states;
  if (solve_strongly(r, m, &half, keep, &part, &aside) && !r->reason) return true;
  if (budget_check_now(b)) return false;
  const solve_result declined = *r;
  const bool ok = solve_weakly(r, m, o, keep, b, d);
  if (!ok || !r->reason) return ok;
  if (!declined.reason) return solve_strongly(r, m, o, keep, b, d);
  *r = declined; /* what stands against both is told once */
  return true;
}

bool solve_game(solve_result *r, const machine *m, const solve_options *o, arena *keep, budget *b,
                diag_sink *d) {
  const solve_method method = method_for(o);
  if (method == SOLVE_STRONG) return solve_strongly(r, m, o, keep, b, d);
  if (method == SOLVE_BY_PARTS) return solve_by_parts(r, m, o, keep, b, d);
  return (method == SOLVE_WEAK ? solve_weakly : solve_either)(r, m, o, keep, b, d);
}
