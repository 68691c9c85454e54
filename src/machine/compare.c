#include "machine/compare.h"

#include "base/rng.h"

#include <string.h>

/* One that takes part. */
typedef struct side {
  const char *name;
  const machine *m;
  machine_workspace *w;
  void *position;
  state_view view;
  move_id *joint;
  void *earlier; /* a state of this game that was left by `earlier_joint` */
  move_id *earlier_joint;
  void *room; /* for one more position */
} side;

typedef struct comparison {
  compare_report *report;
  const compare_options *o;
  side *sides; /* the trusted one first */
  uint32_t count;
  arena *scratch; /* cleared for each state */
  text line;      /* the moves so far */
  bool has_earlier;
  uint64_t game;
  uint64_t step;
} comparison;

static side side_new(const compared *it, arena *keep) {
  const machine *m = it->m;
  return (side){.name = it->name,
                .m = m,
                .w = it->w,
                .position = arena_alloc(keep, m->position_size),
                .joint = arena_new_array(keep, move_id, m->role_count),
                .earlier = arena_alloc(keep, m->position_size),
                .earlier_joint = arena_new_array(keep, move_id, m->role_count),
                .room = arena_alloc(keep, m->position_size)};
}

/* ---- differences ----

   Each side but the first is held against the first. */

/* Always false. */
static bool differ(comparison *x, const side *s, const char *what, const char *role) {
  text *out = &x->report->words;
  x->report->same = false;
  text_add_format(out, "game %llu, step %llu: %s%s%s differ\n", (unsigned long long)x->game,
                  (unsigned long long)x->step, what, role ? " of " : "", role ? role : "");
  text_add_bytes(out, x->line.bytes, x->line.length);
  text_add_format(out, "--- %s\n+++ %s\n", x->sides[0].name, s->name);
  return false;
}

static bool lists_agree(comparison *x, const side *s, const text_list *trusted,
                        const text_list *list, const char *what, const char *role) {
  text difference = text_new(x->scratch);
  list_diff(trusted, list, &difference);
  if (difference.length == 0) return true;
  differ(x, s, what, role);
  text_add_bytes(&x->report->words, difference.bytes, difference.length);
  return false;
}

static bool goals_agree(comparison *x, const side *s, const role_view *left,
                        const role_view *right) {
  if (left->goal_count == right->goal_count &&
      memcmp(left->goals, right->goals, left->goal_count * sizeof *left->goals) == 0)
    return true;
  differ(x, s, "goals", left->name);
  for (uint32_t i = 0; i < left->goal_count; i++)
    text_add_format(&x->report->words, "-%d\n", left->goals[i]);
  for (uint32_t i = 0; i < right->goal_count; i++)
    text_add_format(&x->report->words, "+%d\n", right->goals[i]);
  return false;
}

static bool terminals_agree(comparison *x, const side *s) {
  const bool is_end = x->sides[0].view.terminal;
  if (is_end == s->view.terminal) return true;
  differ(x, s, "ends of the game", NULL);
  text_add(&x->report->words, is_end ? "-terminal\n" : "+terminal\n");
  return false;
}

static bool view_agrees(comparison *x, const side *s) {
  const state_view *trusted = &x->sides[0].view;
  if (!lists_agree(x, s, &trusted->fluents, &s->view.fluents, "fluents", NULL)) return false;
  if (!terminals_agree(x, s)) return false;
  for (uint32_t i = 0; i < trusted->role_count; i++) {
    const role_view *a = &trusted->roles[i];
    const role_view *b = &s->view.roles[i];
    if (!lists_agree(x, s, &a->texts, &b->texts, "legal moves", a->name)) return false;
    if (!goals_agree(x, s, a, b)) return false;
  }
  return true;
}

static bool views_agree(comparison *x) {
  bool same = true;
  for (uint32_t i = 1; same && i < x->count; i++) same = view_agrees(x, &x->sides[i]);
  return same;
}

static bool roles_agree(comparison *x, const side *s) {
  const machine *a = x->sides[0].m;
  const machine *b = s->m;
  bool same = a->role_count == b->role_count;
  for (uint32_t i = 0; same && i < a->role_count; i++) same = !strcmp(a->roles[i], b->roles[i]);
  return same || differ(x, s, "roles", NULL);
}

static bool all_roles_agree(comparison *x) {
  bool same = true;
  for (uint32_t i = 1; same && i < x->count; i++) same = roles_agree(x, &x->sides[i]);
  return same;
}

static bool has_trouble(const comparison *x) {
  bool is_there = false;
  for (uint32_t i = 0; i < x->count; i++) is_there |= x->sides[i].w->trouble.is_there;
  return is_there;
}

/* Machines may never look at the budget themselves. */
static bool is_over(const comparison *x) {
  for (uint32_t i = 0; i < x->count; i++) {
    machine_workspace *w = x->sides[i].w;
    if (!w->trouble.is_there && budget_is_spent(w->budget))
      w->trouble = (machine_trouble){.is_there = true,
                                     .kind = DIAG_E801,
                                     .where = SPAN_NONE,
                                     .message = "not all states were compared"};
  }
  return has_trouble(x);
}

static text_list percepts_on(const comparison *x, uint32_t i, uint32_t role) {
  const side *s = &x->sides[i];
  return percepts_seen(s->m, s->w, s->position, s->joint, role, x->scratch);
}

/* A machine in trouble sees nothing; that is no difference. */
static bool percepts_agree(comparison *x) {
  const machine *trusted = x->sides[0].m;
  for (uint32_t role = 0; role < trusted->role_count; role++) {
    const text_list expected = percepts_on(x, 0, role);
    for (uint32_t i = 1; i < x->count; i++) {
      const text_list seen = percepts_on(x, i, role);
      if (has_trouble(x)) return false;
      if (!lists_agree(x, &x->sides[i], &expected, &seen, "percepts", trusted->roles[role]))
        return false;
    }
  }
  return true;
}

/* ---- playing ---- */

static bool look(comparison *x) {
  for (uint32_t i = 0; i < x->count; i++) {
    side *s = &x->sides[i];
    if (!state_view_read(&s->view, s->m, s->w, s->position, x->scratch)) return false;
  }
  return true;
}

/* The same move for all: their lists agree. */
static void choose(comparison *x, rng *r) {
  const state_view *v = &x->sides[0].view;
  text_add_format(&x->line, "  %llu.", (unsigned long long)x->step + 1);
  for (uint32_t i = 0; i < v->role_count; i++) {
    const uint32_t choice = rng_below(r, v->roles[i].texts.count);
    for (uint32_t k = 0; k < x->count; k++)
      x->sides[k].joint[i] = x->sides[k].view.roles[i].moves[choice];
    text_add_format(&x->line, " %s", v->roles[i].texts.items[choice]);
  }
  text_add_char(&x->line, '\n');
}

static void step_all(comparison *x) {
  for (uint32_t i = 0; i < x->count; i++) {
    side *s = &x->sides[i];
    machine_step(s->m, s->w, s->position, s->joint, s->position);
  }
}

/* Every few states the one just left is kept. */
static void remember(comparison *x) {
  if (x->step % 3) return;
  for (uint32_t i = 0; i < x->count; i++) {
    side *s = &x->sides[i];
    memcpy(s->earlier, s->position, s->m->position_size);
    memcpy(s->earlier_joint, s->joint, s->m->role_count * sizeof *s->joint);
  }
  x->has_earlier = true;
}

/* The fluents after the earlier state, left by the same moves. */
static text_list after_earlier(const comparison *x, uint32_t i) {
  const side *s = &x->sides[i];
  machine_step(s->m, s->w, s->earlier, s->earlier_joint, s->room);
  return s->w->trouble.is_there ? (text_list){0} : fluents_of(s->m, s->room, x->scratch);
}

/* The earlier state is left once more by the same moves, without a question before; then the
   present one must be as it was. */
static bool earlier_agrees(comparison *x) {
  if (!x->has_earlier || x->step % 3 != 2) return true;
  const text_list expected = after_earlier(x, 0);
  for (uint32_t i = 1; i < x->count; i++) {
    const text_list after = after_earlier(x, i);
    if (has_trouble(x)) return false;
    if (!lists_agree(x, &x->sides[i], &expected, &after, "fluents after a state taken up again",
                     NULL))
      return false;
  }
  return look(x) && views_agree(x);
}

static bool has_ended(const comparison *x) {
  const state_view *v = &x->sides[0].view;
  if (x->o->states && x->report->states >= x->o->states) return true;
  return (v->terminal && !x->o->ignore_terminal) || view_stuck_role(v) < v->role_count ||
         x->step >= x->o->max_steps;
}

/* One state.  False: the game is over, or they differ, or there is trouble. */
static bool compare_state(comparison *x, rng *r) {
  if (is_over(x) || !look(x) || !views_agree(x)) return false;
  x->report->states++;
  if (!earlier_agrees(x) || has_ended(x)) return false;
  choose(x, r);
  if (!percepts_agree(x)) return false;
  remember(x);
  step_all(x);
  return true;
}

static bool compare_game(comparison *x) {
  rng r = rng_new(x->o->seed, x->game);
  for (uint32_t i = 0; i < x->count; i++) machine_start(x->sides[i].m, x->sides[i].position);
  text_clear(&x->line);
  x->has_earlier = false;
  for (x->step = 0; compare_state(x, &r); x->step++) arena_clear(x->scratch);
  arena_clear(x->scratch);
  return x->report->same && !has_trouble(x);
}

static bool wants_more(const comparison *x) {
  return x->o->states ? x->report->states < x->o->states : x->game < x->o->games;
}

/* How far it is, to the listener of the first machine's budget. */
static void say_progress(const comparison *x, const compared *first) {
  const budget *b = first->w->budget;
  if (!b) return;
  if (x->o->states)
    progress_tell(b->progress, (double)x->report->states, (double)x->o->states, "states compared");
  else
    progress_tell(b->progress, (double)x->game, (double)x->o->games, "games compared");
}

bool machines_compare_all(compare_report *r, const compared *all, uint32_t count,
                          const compare_options *o, arena *keep) {
  arena *scratch = arena_new();
  *r = (compare_report){.same = true, .words = text_new(keep)};
  comparison x = {.report = r,
                  .o = o,
                  .sides = arena_new_array(keep, side, count),
                  .count = count,
                  .scratch = scratch,
                  .line = text_new(keep)};
  for (uint32_t i = 0; i < count; i++) x.sides[i] = side_new(&all[i], keep);
  if (all_roles_agree(&x))
    for (; wants_more(&x) && compare_game(&x); x.game++) {
      r->games++;
      say_progress(&x, &all[0]);
    }
  arena_free(scratch);
  return !has_trouble(&x);
}

bool machines_compare(compare_report *r, const machine *trusted, machine_workspace *trusted_w,
                      const machine *other, machine_workspace *other_w, const compare_options *o,
                      arena *keep) {
  const compared both[] = {{trusted->ops->name, trusted, trusted_w},
                           {other->ops->name, other, other_w}};
  return machines_compare_all(r, both, 2, o, keep);
}
