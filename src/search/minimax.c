#include "search/minimax.h"

#include "search/expand.h"

#include <math.h>
#include <string.h>

/* What a state is worth, by role. */
typedef struct worth {
  double *sure;  /* pure maximin */
  double *most;  /* pure minimax, where at most two choose */
  double *max_n; /* where more than two choose */
} worth;

/* Numbers for the moves of a role. */
typedef struct move_values {
  double *items;
  uint32_t room;
} move_values;

/* A state on the way from the start. */
typedef struct frame {
  void *position;
  joint_moves moves;
  worth values;
  worth mean;         /* over the moves of `random` so far */
  move_values *worst; /* by role, by its move: the worst that came of it for the role ... */
  move_values *best;  /* ... and the best that came of it for the other one */
} frame;

typedef struct search {
  const machine *m;
  machine_workspace *w;
  const minimax_options *o;
  minimax_result *r;
  arena *keep; /* of the result */
  arena *scratch;
  frame *frames;   /* by depth */
  uint32_t nature; /* the role `random`; role_count: there is none */
  uint32_t choosers;
  bool has_choices_at_once;
} search;

/* ---- setting up ---- */

uint32_t minimax_choosers(const machine *m) {
  return m->role_count - (machine_nature(m) < m->role_count);
}

const char *minimax_sense_name(minimax_sense s) {
  static const char *const names[] = {"best", "guarantee", "lower-bound", "max-n"};
  return names[s];
}

bool has_imperfect_information(const program *p, const machine *m) {
  return program_has_sees(p) && m->role_count > 1;
}

static worth worth_new(uint32_t roles, arena *keep) {
  return (worth){.sure = arena_zero_array(keep, double, roles + (size_t)1),
                 .most = arena_zero_array(keep, double, roles + (size_t)1),
                 .max_n = arena_zero_array(keep, double, roles + (size_t)1)};
}

static frame frame_new(const machine *m, arena *keep) {
  return (frame){.position = arena_alloc(keep, m->position_size),
                 .moves = joint_moves_new(m->role_count, keep),
                 .values = worth_new(m->role_count, keep),
                 .mean = worth_new(m->role_count, keep),
                 .worst = arena_zero_array(keep, move_values, m->role_count),
                 .best = arena_zero_array(keep, move_values, m->role_count)};
}

/* ---- leaves ---- */

static void note_fault(search *s, uint32_t depth, fault_kind kind, uint32_t role) {
  if (s->w->trouble.is_there) return;
  const uint32_t roles = s->m->role_count;
  if (s->r->faults++) return;
  move_id *line = arena_new_array(s->scratch, move_id, (size_t)depth * roles + 1);
  for (uint32_t d = 0; d < depth; d++)
    memcpy(line + (size_t)d * roles, s->frames[d].moves.joint, roles * sizeof *line);
  const game_fault found = {.kind = kind,
                            .role = role,
                            .position = s->frames[depth].position,
                            .line = line,
                            .length = depth};
  s->r->fault = fault_copy(&found, s->m, s->keep);
}

static void set_value(frame *f, uint32_t role, double value) {
  f->values.sure[role] = f->values.most[role] = f->values.max_n[role] = value;
}

static void set_horizon_values(const search *s, frame *f) {
  for (uint32_t role = 0; role < s->m->role_count; role++) set_value(f, role, HORIZON_VALUE);
}

static void set_goal_values(search *s, uint32_t depth) {
  frame *f = &s->frames[depth];
  for (uint32_t role = 0; role < s->m->role_count; role++) {
    int32_t goal;
    const uint32_t count = machine_goals(s->m, s->w, f->position, role, &goal, 1);
    set_value(f, role, count == 1 ? goal : HORIZON_VALUE);
    if (count != 1 && role != s->nature)
      note_fault(s, depth, count ? FAULT_SEVERAL_GOALS : FAULT_NO_GOAL, role);
  }
}

/* Roles that have a choice here, `random` left out. */
static uint32_t count_choosers(const search *s, const frame *f) {
  uint32_t count = 0;
  for (uint32_t role = 0; role < s->m->role_count; role++)
    count += role != s->nature && f->moves.moves[role].count > 1;
  return count;
}

/* Notes what decides in which sense the values are to be taken. */
static void note_choices(search *s, const frame *f) {
  s->has_choices_at_once |= count_choosers(s, f) > 1;
  s->r->has_chance |= s->nature < s->m->role_count && f->moves.moves[s->nature].count > 1;
}

/* Counts the state.  True: it is a leaf, and has its values. */
static bool visit_leaf(search *s, uint32_t depth) {
  frame *f = &s->frames[depth];
  s->r->nodes[depth]++;
  const bool terminal = machine_terminal(s->m, s->w, f->position);
  const bool is_end = terminal && !s->o->ignore_terminal;
  if (depth < s->o->depth && !is_end) {
    const uint32_t stuck = joint_moves_first(&f->moves, s->m, s->w, f->position);
    if (stuck == s->m->role_count) {
      note_choices(s, f);
      return false;
    }
    if (!terminal) note_fault(s, depth, FAULT_STUCK, stuck);
  }
  if (terminal)
    set_goal_values(s, depth);
  else
    set_horizon_values(s, f);
  if (!terminal && depth == s->o->depth) s->r->reaches_end = false;
  return true;
}

/* Frames are made when a state of their depth is first reached. */
static void step_down(search *s, uint32_t depth) {
  frame *f = &s->frames[depth];
  if (!s->frames[depth + 1].position) s->frames[depth + 1] = frame_new(s->m, s->scratch);
  machine_step(s->m, s->w, f->position, f->moves.joint, s->frames[depth + 1].position);
}

static bool is_over(search *s) {
  progress_tell(s->o->progress, (double)s->r->nodes[s->o->depth], 0, "states of full depth");
  return workspace_is_over(s->w);
}

/* ---- all values at once ---- */

static void open_moves(search *s, move_values *v, uint32_t count, double first) {
  if (count > v->room) {
    v->items = arena_new_array(s->scratch, double, count *(size_t)2);
    v->room = count * 2;
  }
  for (uint32_t i = 0; i < count; i++) v->items[i] = first;
}

static void open_state(search *s, frame *f) {
  for (uint32_t role = 0; role < s->m->role_count; role++) {
    open_moves(s, &f->worst[role], f->moves.moves[role].count, HUGE_VAL);
    open_moves(s, &f->best[role], f->moves.moves[role].count, -HUGE_VAL);
    f->values.max_n[role] = -HUGE_VAL;
  }
}

/* In a game of two: the one that is neither this role nor `random`; in a game of one, the role
   itself. */
static uint32_t other_of(const search *s, uint32_t role) {
  for (uint32_t other = 0; other < s->m->role_count; other++)
    if (other != role && other != s->nature) return other;
  return role;
}

/* What each role can make sure of, from the worst that came of each of its moves; and no more than
   it gets if it knows the other's move. */
static void close_state(const search *s, frame *f) {
  for (uint32_t role = 0; role < s->m->role_count; role++) {
    if (role == s->nature) continue;
    const uint32_t other = other_of(s, role);
    f->values.sure[role] = -HUGE_VAL;
    f->values.most[role] = other == role ? -HUGE_VAL : HUGE_VAL;
    for (uint32_t i = 0; i < f->moves.moves[role].count; i++)
      f->values.sure[role] = fmax(f->values.sure[role], f->worst[role].items[i]);
    for (uint32_t i = 0; i < f->moves.moves[other].count; i++) {
      const double best = f->best[other].items[i];
      f->values.most[role] =
          other == role ? fmax(f->values.most[role], best) : fmin(f->values.most[role], best);
    }
  }
}

/* The only role that chooses here; role_count: none or several do. */
static uint32_t only_chooser(const search *s, const frame *f) {
  if (count_choosers(s, f) != 1) return s->m->role_count;
  uint32_t role = 0;
  while (role == s->nature || f->moves.moves[role].count == 1) role++;
  return role;
}

/* Takes what has come of one joint move of all but `random`. */
static void take_outcome(const search *s, frame *f, uint32_t mover, const worth *outcome) {
  const uint32_t roles = s->m->role_count;
  if (mover == roles || outcome->max_n[mover] > f->values.max_n[mover])
    memcpy(f->values.max_n, outcome->max_n, roles * sizeof *outcome->max_n);
  for (uint32_t role = 0; role < roles; role++) {
    if (role == s->nature) continue;
    double *worst = &f->worst[role].items[f->moves.at[role]];
    *worst = fmin(*worst, outcome->sure[role]);
    const uint32_t other = other_of(s, role);
    double *best = &f->best[other].items[f->moves.at[other]];
    *best = fmax(*best, outcome->most[role]);
  }
}

static void search_all(search *s, uint32_t depth);

static void add_share(double *mean, const double *values, uint32_t roles, uint32_t parts) {
  for (uint32_t role = 0; role < roles; role++) mean[role] += values[role] / parts;
}

/* The values behind the present joint move: the mean over what `random` may do. */
static void search_outcome(search *s, uint32_t depth) {
  frame *f = &s->frames[depth];
  const uint32_t roles = s->m->role_count;
  const id_vec *draws = s->nature < roles ? &f->moves.moves[s->nature] : NULL;
  const uint32_t count = draws ? draws->count : 1;
  double *means[] = {f->mean.sure, f->mean.most, f->mean.max_n};
  for (uint32_t k = 0; k < 3; k++) memset(means[k], 0, roles * sizeof *means[k]);
  for (uint32_t i = 0; i < count && !is_over(s); i++) {
    if (draws) f->moves.joint[s->nature] = draws->items[i];
    step_down(s, depth);
    search_all(s, depth + 1);
    const worth *after = &s->frames[depth + 1].values;
    add_share(f->mean.sure, after->sure, roles, count);
    add_share(f->mean.most, after->most, roles, count);
    add_share(f->mean.max_n, after->max_n, roles, count);
  }
}

/* The depth is bounded, so this may call itself. */
static void search_all(search *s, uint32_t depth) {
  frame *f = &s->frames[depth];
  if (is_over(s) || visit_leaf(s, depth)) return;
  const uint32_t mover = only_chooser(s, f);
  open_state(s, f);
  do {
    if (s->nature < s->m->role_count && f->moves.at[s->nature] > 0) continue; /* drawn already */
    search_outcome(s, depth);
    take_outcome(s, f, mover, &f->mean);
  } while (!is_over(s) && joint_moves_next(&f->moves));
  close_state(s, f);
}

/* ---- one value, with cuts ---- */

typedef struct window {
  double low, high; /* a value outside need not be exact */
} window;

/* The language knows no other goals. */
static const window all_goals = {0, 100};

static double search_for(search *s, uint32_t role, uint32_t depth, window v);

static double mean_for(search *s, uint32_t role, uint32_t depth, window v) {
  frame *f = &s->frames[depth];
  const id_vec *draws = s->nature < s->m->role_count ? &f->moves.moves[s->nature] : NULL;
  const uint32_t count = draws ? draws->count : 1;
  const window inside = count == 1 ? v : all_goals;
  double mean = 0;
  for (uint32_t i = 0; i < count && !is_over(s); i++) {
    if (draws) f->moves.joint[s->nature] = draws->items[i];
    step_down(s, depth);
    mean += search_for(s, role, depth + 1, inside) / count;
  }
  return mean;
}

/* Goes on to the next move of the others, the role's own and `random`'s left as they are. */
static bool next_of_others(const search *s, frame *f, uint32_t role) {
  for (uint32_t i = s->m->role_count; i-- > 0;) {
    if (i == role || i == s->nature) continue;
    const id_vec *v = &f->moves.moves[i];
    const bool is_last = ++f->moves.at[i] == v->count;
    if (is_last) f->moves.at[i] = 0;
    f->moves.joint[i] = v->items[f->moves.at[i]];
    if (!is_last) return true;
  }
  return false;
}

/* The worst that the others can do against the role's present move. */
static double worst_for(search *s, uint32_t role, uint32_t depth, window v) {
  frame *f = &s->frames[depth];
  double worst = HUGE_VAL;
  bool more;
  do {
    worst = fmin(worst, mean_for(s, role, depth, v));
    v.high = fmin(v.high, worst);
    more = next_of_others(s, f, role); /* after the last, all are at their first again */
  } while (more && worst > v.low && !is_over(s));
  for (uint32_t i = 0; i < s->m->role_count && more; i++) { /* it was cut short */
    if (i == role || i == s->nature) continue;
    f->moves.at[i] = 0;
    f->moves.joint[i] = f->moves.moves[i].items[0];
  }
  return worst;
}

static double search_for(search *s, uint32_t role, uint32_t depth, window v) {
  frame *f = &s->frames[depth];
  if (is_over(s) || visit_leaf(s, depth)) return f->values.sure[role];
  const id_vec *own = &f->moves.moves[role];
  double best = -HUGE_VAL;
  for (uint32_t i = 0; i < own->count && best < v.high && !is_over(s); i++) {
    f->moves.joint[role] = own->items[i];
    best = fmax(best, worst_for(s, role, depth, v));
    v.low = fmax(v.low, best);
  }
  return best;
}

/* ---- all of it ---- */

static void search_each(search *s, double *values) {
  for (uint32_t role = 0; role < s->m->role_count; role++) {
    machine_start_at(s->m, s->o->start, s->frames[0].position);
    values[role] = role == s->nature ? HORIZON_VALUE : search_for(s, role, 0, all_goals);
  }
}

/* Bounds that meet are no bounds. */
static bool bounds_meet(const search *s, const worth *found) {
  for (uint32_t role = 0; role < s->m->role_count; role++)
    if (role != s->nature && found->sure[role] < found->most[role]) return false;
  return true;
}

static minimax_sense sense_of_all(const search *s, const worth *found) {
  if (s->choosers <= 1) return MINIMAX_BEST;
  if (!s->has_choices_at_once) return s->choosers > 2 ? MINIMAX_MAX_N : MINIMAX_GUARANTEE;
  return s->choosers == 2 && bounds_meet(s, found) ? MINIMAX_GUARANTEE : MINIMAX_BOUND;
}

static void take_all(search *s) {
  minimax_result *r = s->r;
  const worth *found = &s->frames[0].values;
  const size_t bytes = s->m->role_count * sizeof *r->values;
  search_all(s, 0);
  r->sense = sense_of_all(s, found);
  memcpy(r->values, r->sense == MINIMAX_MAX_N ? found->max_n : found->sure, bytes);
  if (r->sense != MINIMAX_BOUND || s->choosers > 2) return;
  r->most = arena_new_array(s->keep, double, s->m->role_count);
  memcpy(r->most, found->most, bytes);
}

static void take_each(search *s) {
  search_each(s, s->r->values);
  s->r->sense = s->choosers <= 1         ? MINIMAX_BEST
                : s->has_choices_at_once ? MINIMAX_BOUND
                                         : MINIMAX_GUARANTEE;
}

bool minimax(minimax_result *r, const machine *m, machine_workspace *w, const minimax_options *o,
             arena *keep) {
  *r = (minimax_result){.nodes = arena_zero_array(keep, uint64_t, o->depth + (size_t)1),
                        .values = arena_zero_array(keep, double, m->role_count),
                        .reaches_end = true};
  search s = {.m = m,
              .w = w,
              .o = o,
              .r = r,
              .keep = keep,
              .scratch = arena_new(),
              .nature = machine_nature(m),
              .choosers = minimax_choosers(m)};
  budget_watch(w->budget, s.scratch);
  s.frames = arena_zero_array(s.scratch, frame, o->depth + (size_t)1);
  s.frames[0] = frame_new(m, s.scratch);
  machine_start_at(m, o->start, s.frames[0].position);
  if (o->alpha_beta)
    take_each(&s);
  else
    take_all(&s);
  for (uint32_t d = 0; d <= o->depth; d++) r->total += r->nodes[d];
  budget_unwatch(w->budget, s.scratch);
  arena_free(s.scratch);
  return !w->trouble.is_there;
}
