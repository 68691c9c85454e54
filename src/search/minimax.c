#include "search/minimax.h"

#include "search/expand.h"

#include <math.h>
#include <string.h>

/* A state on the way from the start. */
typedef struct frame {
  void *position;
  joint_moves moves;
  double *values;       /* by role: what the state is worth */
  double **least;       /* by role, by its move: the worst that came of it */
  uint32_t *least_room; /* by role: how many moves `least` has room for */
  double *mean;         /* by role: over the moves of `random` so far */
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
  bool is_max_n;   /* more than two choose in this game */
} search;

/* ---- setting up ---- */

uint32_t minimax_choosers(const machine *m) {
  return m->role_count - (machine_nature(m) < m->role_count);
}

static frame frame_new(const machine *m, arena *keep) {
  return (frame){.position = arena_alloc(keep, m->position_size),
                 .moves = joint_moves_new(m->role_count, keep),
                 .values = arena_zero_array(keep, double, m->role_count),
                 .least = arena_zero_array(keep, double *, m->role_count),
                 .least_room = arena_zero_array(keep, uint32_t, m->role_count),
                 .mean = arena_zero_array(keep, double, m->role_count)};
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

static void set_horizon_values(const search *s, frame *f) {
  for (uint32_t role = 0; role < s->m->role_count; role++) f->values[role] = HORIZON_VALUE;
}

static void set_goal_values(search *s, uint32_t depth) {
  frame *f = &s->frames[depth];
  for (uint32_t role = 0; role < s->m->role_count; role++) {
    int32_t goal;
    const uint32_t count = machine_goals(s->m, s->w, f->position, role, &goal, 1);
    f->values[role] = count == 1 ? goal : HORIZON_VALUE;
    if (count != 1 && role != s->nature)
      note_fault(s, depth, count ? FAULT_SEVERAL_GOALS : FAULT_NO_GOAL, role);
  }
}

/* Counts the state.  True: it is a leaf, and has its values. */
static bool visit_leaf(search *s, uint32_t depth) {
  frame *f = &s->frames[depth];
  s->r->nodes[depth]++;
  const bool terminal = machine_terminal(s->m, s->w, f->position);
  const bool is_end = terminal && !s->o->ignore_terminal;
  if (depth < s->o->depth && !is_end) {
    const uint32_t stuck = joint_moves_first(&f->moves, s->m, s->w, f->position);
    if (stuck == s->m->role_count) return false;
    if (!terminal) note_fault(s, depth, FAULT_STUCK, stuck);
  }
  if (terminal)
    set_goal_values(s, depth);
  else
    set_horizon_values(s, f);
  if (!terminal && depth == s->o->depth) s->r->is_exact = false;
  return true;
}

/* Frames are made when a state of their depth is first reached. */
static void step_down(search *s, uint32_t depth) {
  frame *f = &s->frames[depth];
  if (!s->frames[depth + 1].position) s->frames[depth + 1] = frame_new(s->m, s->scratch);
  machine_step(s->m, s->w, f->position, f->moves.joint, s->frames[depth + 1].position);
}

static bool is_over(search *s) {
  progress_say(s->o->progress, "%llu states", (unsigned long long)s->r->nodes[s->o->depth]);
  return workspace_is_over(s->w);
}

/* ---- all values at once ---- */

static void open_least(search *s, frame *f) {
  for (uint32_t role = 0; role < s->m->role_count; role++) {
    const uint32_t count = f->moves.moves[role].count;
    if (count > f->least_room[role]) {
      f->least[role] = arena_new_array(s->scratch, double, count *(size_t)2);
      f->least_room[role] = count * 2;
    }
    for (uint32_t i = 0; i < count; i++) f->least[role][i] = HUGE_VAL;
  }
}

/* What each role can make sure of, from the worst that came of each of its moves. */
static void close_least(const search *s, frame *f) {
  for (uint32_t role = 0; role < s->m->role_count; role++) {
    const uint32_t choices = role == s->nature ? 1 : f->moves.moves[role].count;
    f->values[role] = -HUGE_VAL;
    for (uint32_t i = 0; i < choices; i++)
      f->values[role] = fmax(f->values[role], f->least[role][i]);
  }
}

/* The only role that chooses here; role_count: none or several do. */
static uint32_t only_chooser(const search *s, const frame *f) {
  uint32_t found = s->m->role_count;
  for (uint32_t role = 0; role < s->m->role_count; role++) {
    if (role == s->nature || f->moves.moves[role].count == 1) continue;
    if (found != s->m->role_count) return s->m->role_count;
    found = role;
  }
  return found;
}

/* Takes what has come of one joint move of all but `random`. */
static void take_outcome(const search *s, frame *f, uint32_t mover, const double *outcome) {
  if (mover < s->m->role_count) {
    if (outcome[mover] > f->values[mover])
      memcpy(f->values, outcome, s->m->role_count * sizeof *outcome);
    return;
  }
  for (uint32_t role = 0; role < s->m->role_count; role++) {
    double *least = &f->least[role][f->moves.at[role]];
    *least = fmin(*least, outcome[role]);
  }
}

static void search_all(search *s, uint32_t depth);

/* The values behind the present joint move: the mean over what `random` may do. */
static void search_outcome(search *s, uint32_t depth) {
  frame *f = &s->frames[depth];
  const uint32_t roles = s->m->role_count;
  const id_vec *draws = s->nature < roles ? &f->moves.moves[s->nature] : NULL;
  const uint32_t count = draws ? draws->count : 1;
  memset(f->mean, 0, roles * sizeof *f->mean);
  for (uint32_t i = 0; i < count; i++) {
    if (draws) f->moves.joint[s->nature] = draws->items[i];
    step_down(s, depth);
    search_all(s, depth + 1);
    for (uint32_t role = 0; role < roles; role++)
      f->mean[role] += s->frames[depth + 1].values[role] / count;
  }
}

/* The depth is bounded, so this may call itself. */
static void search_all(search *s, uint32_t depth) {
  frame *f = &s->frames[depth];
  if (is_over(s) || visit_leaf(s, depth)) return;
  const uint32_t mover = s->is_max_n ? only_chooser(s, f) : s->m->role_count;
  if (mover < s->m->role_count)
    f->values[mover] = -HUGE_VAL;
  else
    open_least(s, f);
  do {
    if (s->nature < s->m->role_count && f->moves.at[s->nature] > 0) continue; /* drawn already */
    search_outcome(s, depth);
    take_outcome(s, f, mover, f->mean);
  } while (joint_moves_next(&f->moves));
  if (mover == s->m->role_count) close_least(s, f);
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
  for (uint32_t i = 0; i < count; i++) {
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
  } while (more && worst > v.low);
  for (uint32_t i = 0; i < s->m->role_count && more; i++) { /* it was cut short */
    if (i == role || i == s->nature) continue;
    f->moves.at[i] = 0;
    f->moves.joint[i] = f->moves.moves[i].items[0];
  }
  return worst;
}

static double search_for(search *s, uint32_t role, uint32_t depth, window v) {
  frame *f = &s->frames[depth];
  if (is_over(s) || visit_leaf(s, depth)) return f->values[role];
  const id_vec *own = &f->moves.moves[role];
  double best = -HUGE_VAL;
  for (uint32_t i = 0; i < own->count && best < v.high; i++) {
    f->moves.joint[role] = own->items[i];
    best = fmax(best, worst_for(s, role, depth, v));
    v.low = fmax(v.low, best);
  }
  return best;
}

/* ---- all of it ---- */

static void search_each(search *s, double *values) {
  for (uint32_t role = 0; role < s->m->role_count; role++) {
    machine_start(s->m, s->frames[0].position);
    values[role] = role == s->nature ? HORIZON_VALUE : search_for(s, role, 0, all_goals);
  }
}

bool minimax(minimax_result *r, const machine *m, machine_workspace *w, const minimax_options *o,
             arena *keep) {
  *r = (minimax_result){.nodes = arena_zero_array(keep, uint64_t, o->depth + (size_t)1),
                        .values = arena_zero_array(keep, double, m->role_count),
                        .is_exact = true};
  search s = {.m = m,
              .w = w,
              .o = o,
              .r = r,
              .keep = keep,
              .scratch = arena_new(),
              .nature = machine_nature(m),
              .is_max_n = minimax_choosers(m) > 2};
  budget_watch(w->budget, s.scratch);
  s.frames = arena_zero_array(s.scratch, frame, o->depth + (size_t)1);
  s.frames[0] = frame_new(m, s.scratch);
  machine_start(m, s.frames[0].position);
  if (o->alpha_beta) {
    search_each(&s, r->values);
  } else {
    search_all(&s, 0);
    memcpy(r->values, s.frames[0].values, m->role_count * sizeof *r->values);
  }
  for (uint32_t d = 0; d <= o->depth; d++) r->total += r->nodes[d];
  budget_unwatch(w->budget, s.scratch);
  arena_free(s.scratch);
  return !w->trouble.is_there;
}
