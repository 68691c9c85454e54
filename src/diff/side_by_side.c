#include "diff/side_by_side.h"

#include <stdlib.h>

const char *difference_kind_name(difference_kind k) {
  static const char *const names[] = {"role", "terminal", "legal", "goal", "sees"};
  return names[k];
}

/* ---- opening ---- */

static bool side_open(playing_side *s, const program *p, const char *kind, budget *b, diag_sink *d,
                      arena *keep) {
  const machine_source from = {.program = p};
  s->m = machine_open(kind, &from, b, d);
  if (!s->m) return false;
  s->w = machine_workspace_new(s->m, b);
  s->position = arena_alloc(keep, s->m->position_size);
  return true;
}

static void side_close(playing_side *s) {
  if (s->w) machine_workspace_free(s->m, s->w);
  machine_close(s->m);
}

static void add_difference(side_by_side *s, difference_kind kind, bool is_in_new, const char *role,
                           const char *value) {
  text words = text_new(s->scratch);
  text_add_format(&words, role ? "(%s" : "%s", difference_kind_name(kind));
  if (role) text_add_format(&words, " %s", role);
  if (value) text_add_format(&words, " %s", value);
  if (role) text_add_char(&words, ')');
  vec_push(s->scratch, &s->differences,
           ((difference){.kind = kind, .literal = text_string(&words), .is_in_new = is_in_new}));
}

static uint32_t find_role(const machine *m, const char *name) {
  uint32_t i = 0;
  while (i < m->role_count && strcmp(m->roles[i], name) != 0) i++;
  return i;
}

/* The order of roles does not matter. */
static void match_roles(side_by_side *s) {
  const machine *old = s->old.m, *new = s->new.m;
  const diff_names *n = s->q->names;
  s->roles = old->role_count;
  s->new_role = arena_new_array(s->keep, uint32_t, s->roles + (size_t)1);
  for (uint32_t i = 0; i < s->roles; i++) {
    s->new_role[i] = find_role(new, names_to_new(n, old->roles[i], s->keep));
    if (s->new_role[i] == new->role_count)
      add_difference(s, DIFFERENCE_ROLE, false, old->roles[i], NULL);
  }
  for (uint32_t i = 0; i < new->role_count; i++) {
    const char *name = names_to_old(n, new->roles[i], s->keep);
    if (find_role(old, name) == old->role_count)
      add_difference(s, DIFFERENCE_ROLE, true, name, NULL);
  }
  s->has_other_roles = s->differences.count > 0;
}

bool side_by_side_open(side_by_side *s, const diff_question *q, const char *kind, budget *b,
                       diag_sink *d) {
  *s = (side_by_side){.q = q, .keep = arena_new(), .scratch = arena_new()};
  if (!side_open(&s->old, q->old_rules, kind, b, d, s->keep)) return false;
  s->is_new_faulty = !side_open(&s->new, q->new_rules, kind, b, d, s->keep);
  if (s->is_new_faulty) return false;
  match_roles(s);
  return true;
}

void side_by_side_close(side_by_side *s) {
  side_close(&s->old);
  side_close(&s->new);
  arena_free(s->scratch);
  arena_free(s->keep);
}

bool side_by_side_has_trouble(const side_by_side *s) {
  return s->old.w->trouble.is_there || s->new.w->trouble.is_there;
}

void side_by_side_start(side_by_side *s) {
  machine_start(s->old.m, s->old.position);
  machine_start(s->new.m, s->new.position);
}

/* ---- looking ---- */

typedef struct named_move {
  const char *words;
  move_id move;
} named_move;

static int compare_named(const void *a, const void *b) {
  return strcmp(((const named_move *)a)->words, ((const named_move *)b)->words);
}

/* Moves with their old names, in the order of these. */
static void rename_moves(role_view *r, const diff_names *n, arena *scratch) {
  named_move *all = arena_new_array(scratch, named_move, r->texts.count + (size_t)1);
  for (uint32_t i = 0; i < r->texts.count; i++)
    all[i] = (named_move){names_to_old(n, r->texts.items[i], scratch), r->moves[i]};
  qsort(all, r->texts.count, sizeof *all, compare_named);
  for (uint32_t i = 0; i < r->texts.count; i++) {
    r->texts.items[i] = all[i].words;
    r->moves[i] = all[i].move;
  }
}

/* The view of the new rules as the old ones would have it. */
static void translate_view(side_by_side *s) {
  role_view *roles = arena_new_array(s->scratch, role_view, s->roles + (size_t)1);
  for (uint32_t i = 0; i < s->roles; i++) {
    roles[i] = s->new.view.roles[s->new_role[i]];
    if (s->q->names->count) rename_moves(&roles[i], s->q->names, s->scratch);
  }
  s->new.view.roles = roles;
}

/* Both lists are sorted. */
static void compare_lists(side_by_side *s, difference_kind kind, const char *role,
                          const text_list *old, const text_list *new) {
  uint32_t i = 0, k = 0;
  while (i < old->count || k < new->count) {
    const int order = i == old->count   ? 1
                      : k == new->count ? -1
                                        : strcmp(old->items[i], new->items[k]);
    if (order < 0) add_difference(s, kind, false, role, old->items[i]);
    if (order > 0) add_difference(s, kind, true, role, new->items[k]);
    i += order <= 0;
    k += order >= 0;
  }
}

static text_list goal_texts(const role_view *r, arena *scratch) {
  text_list l = {.items = arena_new_array(scratch, const char *, r->goal_count + (size_t)1),
                 .count = r->goal_count};
  for (uint32_t i = 0; i < r->goal_count; i++) {
    text words = text_new(scratch);
    text_add_format(&words, "%d", r->goals[i]);
    l.items[i] = text_string(&words);
  }
  list_sort(&l);
  return l;
}

static void compare_role(side_by_side *s, uint32_t i) {
  const role_view *old = &s->old.view.roles[i], *new = &s->new.view.roles[i];
  const bool is_over = s->old.view.terminal && s->new.view.terminal;
  if (!is_over) compare_lists(s, DIFFERENCE_LEGAL, old->name, &old->texts, &new->texts);
  if (s->q->goals_at_end && !is_over) return;
  const text_list goals = goal_texts(old, s->scratch), others = goal_texts(new, s->scratch);
  compare_lists(s, DIFFERENCE_GOAL, old->name, &goals, &others);
}

bool side_by_side_look(side_by_side *s) {
  arena_clear(s->scratch);
  s->differences.items = NULL;
  s->differences.count = s->differences.capacity = 0;
  if (!state_view_read(&s->old.view, s->old.m, s->old.w, s->old.position, s->scratch) ||
      !state_view_read(&s->new.view, s->new.m, s->new.w, s->new.position, s->scratch))
    return false;
  translate_view(s);
  if (s->old.view.terminal != s->new.view.terminal)
    add_difference(s, DIFFERENCE_TERMINAL, s->new.view.terminal, NULL, NULL);
  for (uint32_t i = 0; i < s->roles; i++) compare_role(s, i);
  return !s->differences.count;
}

bool side_by_side_is_over(const side_by_side *s) {
  return s->old.view.terminal || view_stuck_role(&s->old.view) < s->roles;
}

/* ---- stepping ---- */

static text_list seen_by_new(side_by_side *s, const move_id *joint, uint32_t role) {
  text_list l =
      percepts_seen(s->new.m, s->new.w, s->new.position, joint, s->new_role[role], s->scratch);
  for (uint32_t i = 0; i < l.count; i++)
    l.items[i] = names_to_old(s->q->names, l.items[i], s->scratch);
  list_sort(&l);
  return l;
}

static void compare_percepts(side_by_side *s, const move_id *joint, const move_id *new_joint) {
  for (uint32_t i = 0; i < s->roles; i++) {
    const text_list seen = percepts_seen(s->old.m, s->old.w, s->old.position, joint, i, s->scratch);
    const text_list other = seen_by_new(s, new_joint, i);
    compare_lists(s, DIFFERENCE_SEES, s->old.view.roles[i].name, &seen, &other);
  }
}

static bool step_both(side_by_side *s, const move_id *joint, const move_id *new_joint) {
  if (program_has_sees(s->q->old_rules) || program_has_sees(s->q->new_rules))
    compare_percepts(s, joint, new_joint);
  machine_step(s->old.m, s->old.w, s->old.position, joint, s->old.position);
  machine_step(s->new.m, s->new.w, s->new.position, new_joint, s->new.position);
  return !s->differences.count && !side_by_side_has_trouble(s);
}

bool side_by_side_step(side_by_side *s, const uint32_t *choice) {
  move_id *joint = arena_new_array(s->scratch, move_id, s->roles + (size_t)1);
  move_id *new_joint = arena_new_array(s->scratch, move_id, s->roles + (size_t)1);
  for (uint32_t i = 0; i < s->roles; i++) {
    joint[i] = s->old.view.roles[i].moves[choice[i]];
    new_joint[s->new_role[i]] = s->new.view.roles[i].moves[choice[i]];
  }
  return step_both(s, joint, new_joint);
}

static uint32_t number_of(const role_view *r, const char *words) {
  uint32_t i = 0;
  while (i < r->texts.count && strcmp(r->texts.items[i], words) != 0) i++;
  return i;
}

bool side_by_side_play(side_by_side *s, const char *const *joint) {
  uint32_t *choice = arena_new_array(s->scratch, uint32_t, s->roles + (size_t)1);
  for (uint32_t i = 0; i < s->roles; i++) {
    choice[i] = number_of(&s->old.view.roles[i], joint[i]);
    if (choice[i] == s->old.view.roles[i].texts.count) return false;
  }
  return side_by_side_step(s, choice);
}
