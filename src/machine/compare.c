#include "machine/compare.h"

#include "base/rng.h"

#include <string.h>

/* One of the two. */
typedef struct side {
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
  side sides[2];  /* the trusted one first */
  arena *scratch; /* cleared for each state */
  text line;      /* the moves so far */
  bool has_earlier;
  uint64_t game;
  uint64_t step;
} comparison;

static side side_new(const machine *m, machine_workspace *w, arena *keep) {
  return (side){.m = m,
                .w = w,
                .position = arena_alloc(keep, m->position_size),
                .joint = arena_new_array(keep, move_id, m->role_count),
                .earlier = arena_alloc(keep, m->position_size),
                .earlier_joint = arena_new_array(keep, move_id, m->role_count),
                .room = arena_alloc(keep, m->position_size)};
}

/* ---- differences ---- */

/* Always false. */
static bool differ(comparison *x, const char *what, const char *role) {
  text *out = &x->report->words;
  x->report->same = false;
  text_add_format(out, "game %llu, step %llu: %s%s%s differ\n", (unsigned long long)x->game,
                  (unsigned long long)x->step, what, role ? " of " : "", role ? role : "");
  text_add_bytes(out, x->line.bytes, x->line.length);
  text_add_format(out, "--- %s\n+++ %s\n", x->sides[0].m->ops->name, x->sides[1].m->ops->name);
  return false;
}

static bool lists_agree(comparison *x, const text_list *left, const text_list *right,
                        const char *what, const char *role) {
  text difference = text_new(x->scratch);
  list_diff(left, right, &difference);
  if (difference.length == 0) return true;
  differ(x, what, role);
  text_add_bytes(&x->report->words, difference.bytes, difference.length);
  return false;
}

static bool goals_agree(comparison *x, const role_view *left, const role_view *right) {
  if (left->goal_count == right->goal_count &&
      memcmp(left->goals, right->goals, left->goal_count * sizeof *left->goals) == 0)
    return true;
  differ(x, "goals", left->name);
  for (uint32_t i = 0; i < left->goal_count; i++)
    text_add_format(&x->report->words, "-%d\n", left->goals[i]);
  for (uint32_t i = 0; i < right->goal_count; i++)
    text_add_format(&x->report->words, "+%d\n", right->goals[i]);
  return false;
}

static bool terminals_agree(comparison *x, const state_view *left, const state_view *right) {
  if (left->terminal == right->terminal) return true;
  differ(x, "ends of the game", NULL);
  text_add(&x->report->words, left->terminal ? "-terminal\n" : "+terminal\n");
  return false;
}

static bool views_agree(comparison *x) {
  const state_view *left = &x->sides[0].view;
  const state_view *right = &x->sides[1].view;
  if (!lists_agree(x, &left->fluents, &right->fluents, "fluents", NULL)) return false;
  if (!terminals_agree(x, left, right)) return false;
  for (uint32_t i = 0; i < left->role_count; i++) {
    const role_view *a = &left->roles[i];
    const role_view *b = &right->roles[i];
    if (!lists_agree(x, &a->texts, &b->texts, "legal moves", a->name)) return false;
    if (!goals_agree(x, a, b)) return false;
  }
  return true;
}

static bool roles_agree(comparison *x) {
  const machine *a = x->sides[0].m;
  const machine *b = x->sides[1].m;
  bool same = a->role_count == b->role_count;
  for (uint32_t i = 0; same && i < a->role_count; i++) same = !strcmp(a->roles[i], b->roles[i]);
  return same || differ(x, "roles", NULL);
}

static bool has_trouble(const comparison *x) {
  return x->sides[0].w->trouble.is_there || x->sides[1].w->trouble.is_there;
}

/* Whoever has trouble sees nothing; that is no difference. */
static bool sights_agree(comparison *x) {
  text_list seen[2];
  for (uint32_t role = 0; role < x->sides[0].m->role_count; role++) {
    for (int i = 0; i < 2; i++) {
      const side *s = &x->sides[i];
      seen[i] = sights_of(s->m, s->w, s->position, s->joint, role, x->scratch);
    }
    if (has_trouble(x)) return false;
    if (!lists_agree(x, &seen[0], &seen[1], "sights", x->sides[0].m->roles[role])) return false;
  }
  return true;
}

/* ---- playing ---- */

static bool look(comparison *x) {
  for (int i = 0; i < 2; i++) {
    side *s = &x->sides[i];
    if (!state_view_read(&s->view, s->m, s->w, s->position, x->scratch)) return false;
  }
  return true;
}

/* The same move for both: their lists agree. */
static void choose(comparison *x, rng *r) {
  const state_view *v = &x->sides[0].view;
  text_add_format(&x->line, "  %llu.", (unsigned long long)x->step + 1);
  for (uint32_t i = 0; i < v->role_count; i++) {
    const uint32_t choice = rng_below(r, v->roles[i].texts.count);
    for (int k = 0; k < 2; k++) x->sides[k].joint[i] = x->sides[k].view.roles[i].moves[choice];
    text_add_format(&x->line, " %s", v->roles[i].texts.items[choice]);
  }
  text_add_char(&x->line, '\n');
}

static void step_both(comparison *x) {
  for (int i = 0; i < 2; i++) {
    side *s = &x->sides[i];
    machine_step(s->m, s->w, s->position, s->joint, s->position);
  }
}

/* Every few states the one just left is kept. */
static void remember(comparison *x) {
  if (x->step % 3) return;
  for (int i = 0; i < 2; i++) {
    side *s = &x->sides[i];
    memcpy(s->earlier, s->position, s->m->position_size);
    memcpy(s->earlier_joint, s->joint, s->m->role_count * sizeof *s->joint);
  }
  x->has_earlier = true;
}

/* The earlier state is left once more by the same moves, without a question before; then the
   present one must be as it was. */
static bool earlier_agrees(comparison *x) {
  text_list after[2];
  if (!x->has_earlier || x->step % 3 != 2) return true;
  for (int i = 0; i < 2; i++) {
    const side *s = &x->sides[i];
    machine_step(s->m, s->w, s->earlier, s->earlier_joint, s->room);
    if (s->w->trouble.is_there) return false;
    after[i] = fluents_of(s->m, s->room, x->scratch);
  }
  return lists_agree(x, &after[0], &after[1], "fluents after a state taken up again", NULL) &&
         look(x) && views_agree(x);
}

static bool has_ended(const comparison *x) {
  const state_view *v = &x->sides[0].view;
  if (x->o->states && x->report->states >= x->o->states) return true;
  return (v->terminal && !x->o->ignore_terminal) || view_stuck_role(v) < v->role_count ||
         x->step >= x->o->max_steps;
}

/* One state.  False: the game is over, or they differ, or there is trouble. */
static bool compare_state(comparison *x, rng *r) {
  if (!look(x) || !views_agree(x)) return false;
  x->report->states++;
  if (!earlier_agrees(x) || has_ended(x)) return false;
  choose(x, r);
  if (!sights_agree(x)) return false;
  remember(x);
  step_both(x);
  return true;
}

static bool compare_game(comparison *x) {
  rng r = rng_new(x->o->seed, x->game);
  for (int i = 0; i < 2; i++) machine_start(x->sides[i].m, x->sides[i].position);
  text_clear(&x->line);
  x->has_earlier = false;
  for (x->step = 0; compare_state(x, &r); x->step++) arena_clear(x->scratch);
  arena_clear(x->scratch);
  return x->report->same && !has_trouble(x);
}

static bool wants_more(const comparison *x) {
  return x->o->states ? x->report->states < x->o->states : x->game < x->o->games;
}

bool machines_compare(compare_report *r, const machine *trusted, machine_workspace *trusted_w,
                      const machine *other, machine_workspace *other_w, const compare_options *o,
                      arena *keep) {
  arena *scratch = arena_new();
  *r = (compare_report){.same = true, .words = text_new(keep)};
  comparison x = {.report = r, .o = o, .scratch = scratch, .line = text_new(keep)};
  x.sides[0] = side_new(trusted, trusted_w, keep);
  x.sides[1] = side_new(other, other_w, keep);
  if (roles_agree(&x))
    for (; wants_more(&x) && compare_game(&x); x.game++) r->games++;
  arena_free(scratch);
  return !has_trouble(&x);
}
