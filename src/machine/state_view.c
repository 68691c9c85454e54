#include "machine/state_view.h"

#include "base/sha1.h"

#include <stdlib.h>
#include <string.h>

static int compare_texts(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static text_list list_new(uint32_t count, arena *keep) {
  return (text_list){.items = arena_new_array(keep, const char *, count), .count = count};
}

void list_sort(text_list *l) {
  if (l->count) qsort(l->items, l->count, sizeof *l->items, compare_texts);
}

static const char *fluent_words(const machine *m, fluent_id f, arena *keep) {
  text out = text_new(keep);
  m->ops->fluent_text(m, f, &out);
  return text_string(&out);
}

const char *move_words(const machine *m, uint32_t role, move_id move, arena *keep) {
  text out = text_new(keep);
  m->ops->move_text(m, role, move, &out);
  return text_string(&out);
}

static const char *percept_words(const machine *m, uint32_t role, percept_id percept, arena *keep) {
  text out = text_new(keep);
  m->ops->percept_text(m, role, percept, &out);
  return text_string(&out);
}

text_list fluents_of(const machine *m, const void *position, arena *keep) {
  const uint32_t count = machine_fluents(m, position, NULL, 0);
  fluent_id *ids = arena_new_array(keep, fluent_id, count);
  machine_fluents(m, position, ids, count);
  text_list l = list_new(count, keep);
  for (uint32_t i = 0; i < count; i++) l.items[i] = fluent_words(m, ids[i], keep);
  list_sort(&l);
  return l;
}

static void read_moves(role_view *r, const machine *m, machine_workspace *w, const void *position,
                       uint32_t role, arena *keep) {
  const uint32_t count = machine_legal(m, w, position, role, NULL, 0);
  r->moves = arena_new_array(keep, move_id, count);
  r->texts = list_new(machine_legal(m, w, position, role, r->moves, count), keep);
  for (uint32_t i = 0; i < r->texts.count; i++)
    r->texts.items[i] = move_words(m, role, r->moves[i], keep);
}

static void read_goals(role_view *r, const machine *m, machine_workspace *w, const void *position,
                       uint32_t role, arena *keep) {
  const uint32_t count = machine_goals(m, w, position, role, NULL, 0);
  r->goals = arena_new_array(keep, int32_t, count);
  r->goal_count = machine_goals(m, w, position, role, r->goals, count);
}

bool state_view_read(state_view *v, const machine *m, machine_workspace *w, const void *position,
                     arena *keep) {
  *v = (state_view){.role_count = m->role_count, .nature = machine_nature(m)};
  v->fluents = fluents_of(m, position, keep);
  v->terminal = machine_terminal(m, w, position);
  v->roles = arena_zero_array(keep, role_view, m->role_count);
  for (uint32_t i = 0; i < m->role_count; i++) {
    v->roles[i].name = m->roles[i];
    read_moves(&v->roles[i], m, w, position, i, keep);
    read_goals(&v->roles[i], m, w, position, i, keep);
  }
  return !w->trouble.is_there;
}

move_id view_find_move(const role_view *r, const char *canonical) {
  if (!r->texts.count) return MOVE_NONE;
  const char **found =
      bsearch(&canonical, r->texts.items, r->texts.count, sizeof *r->texts.items, compare_texts);
  return found ? r->moves[found - r->texts.items] : MOVE_NONE;
}

uint32_t view_stuck_role(const state_view *v) {
  uint32_t role = 0;
  while (role < v->role_count && v->roles[role].texts.count) role++;
  return role;
}

uint32_t view_unjudged_role(const state_view *v) {
  uint32_t role = 0;
  while (role < v->role_count && (v->roles[role].goal_count == 1 || role == v->nature)) role++;
  return role;
}

text_list percepts_seen(const machine *m, machine_workspace *w, const void *position,
                        const move_id *joint, uint32_t role, arena *keep) {
  const uint32_t count = machine_sees(m, w, position, joint, role, NULL, 0);
  percept_id *ids = arena_new_array(keep, percept_id, count);
  text_list l = list_new(machine_sees(m, w, position, joint, role, ids, count), keep);
  for (uint32_t i = 0; i < l.count; i++) l.items[i] = percept_words(m, role, ids[i], keep);
  list_sort(&l);
  return l;
}

/* ---- lists ---- */

void list_sha1(const text_list *l, char *hex) {
  sha1 s;
  sha1_init(&s);
  for (uint32_t i = 0; i < l->count; i++) {
    if (i) sha1_add(&s, "\n", 1);
    sha1_add(&s, l->items[i], strlen(l->items[i]));
  }
  sha1_hex(&s, hex);
}

static void add_line(text *out, char mark, const char *words) {
  text_add_char(out, mark);
  text_add(out, words);
  text_add_char(out, '\n');
}

static int compare_heads(const text_list *left, uint32_t i, const text_list *right, uint32_t k) {
  if (i == left->count) return 1;
  if (k == right->count) return -1;
  return strcmp(left->items[i], right->items[k]);
}

void list_diff(const text_list *left, const text_list *right, text *out) {
  for (uint32_t i = 0, k = 0; i < left->count || k < right->count;) {
    const int order = compare_heads(left, i, right, k);
    if (order < 0) add_line(out, '-', left->items[i]);
    if (order > 0) add_line(out, '+', right->items[k]);
    i += order <= 0;
    k += order >= 0;
  }
}
