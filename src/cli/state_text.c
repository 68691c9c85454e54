#include "cli/state_text.h"

#include "base/json.h"
#include "cli/session.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static int compare_words(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static void sort_words(word_list *l) {
  if (l->count) qsort(l->items, l->count, sizeof *l->items, compare_words);
}

static void add_fluent(word_list *l, const tabia_machine *m, tabia_fluent f, arena *keep) {
  const size_t length = tabia_fluent_text(m, f, NULL, 0);
  char *words = arena_alloc(keep, length + 1);
  tabia_fluent_text(m, f, words, length + 1);
  vec_push(keep, l, words);
}

static void add_percept(word_list *l, const tabia_machine *m, uint32_t role, tabia_percept percept,
                        arena *keep) {
  const size_t length = tabia_percept_text(m, role, percept, NULL, 0);
  char *words = arena_alloc(keep, length + 1);
  tabia_percept_text(m, role, percept, words, length + 1);
  vec_push(keep, l, words);
}

static void read_fluents(state_text *t, const tabia_machine *m, const void *position, arena *keep) {
  const uint32_t count = tabia_position_fluents(m, position, NULL, 0);
  tabia_fluent *fluents = arena_new_array(keep, tabia_fluent, count + (size_t)1);
  tabia_position_fluents(m, position, fluents, count);
  for (uint32_t i = 0; i < count; i++) add_fluent(&t->fluents, m, fluents[i], keep);
  sort_words(&t->fluents);
}

/* Trouble can come between two questions: the second answer counts. */
static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static void read_moves(role_text *r, tabia_workspace *w, const tabia_machine *m,
                       const void *position, uint32_t role, arena *keep) {
  const uint32_t room = tabia_position_legal(w, position, role, NULL, 0);
  tabia_move *moves = arena_new_array(keep, tabia_move, room + (size_t)1);
  const uint32_t count = least(room, tabia_position_legal(w, position, role, moves, room));
  for (uint32_t i = 0; i < count; i++)
    vec_push(keep, &r->legal, move_text(m, role, moves[i], keep));
}

static void read_goals(role_text *r, tabia_workspace *w, const void *position, uint32_t role,
                       arena *keep) {
  const uint32_t room = tabia_position_goals(w, position, role, NULL, 0);
  r->goals = arena_new_array(keep, int32_t, room + (size_t)1);
  r->goal_count = least(room, tabia_position_goals(w, position, role, r->goals, room));
}

state_text state_text_read(tabia_workspace *w, const tabia_machine *m, const void *position,
                           arena *keep) {
  state_text t = {.role_count = tabia_machine_role_count(m)};
  t.roles = arena_zero_array(keep, role_text, t.role_count + (size_t)1);
  read_fluents(&t, m, position, keep);
  t.is_terminal = tabia_position_terminal(w, position);
  for (uint32_t i = 0; i < t.role_count; i++) {
    t.roles[i].name = tabia_machine_role(m, i);
    read_moves(&t.roles[i], w, m, position, i, keep);
    read_goals(&t.roles[i], w, position, i, keep);
  }
  return t;
}

void state_text_add_percepts(state_text *t, tabia_workspace *w, const tabia_machine *m,
                             const void *before, const tabia_move *joint, arena *keep) {
  t->has_percepts = true;
  for (uint32_t role = 0; role < t->role_count; role++) {
    const uint32_t room = tabia_position_sees(w, before, joint, role, NULL, 0);
    tabia_percept *seen = arena_new_array(keep, tabia_percept, room + (size_t)1);
    const uint32_t count = least(room, tabia_position_sees(w, before, joint, role, seen, room));
    for (uint32_t i = 0; i < count; i++)
      add_percept(&t->roles[role].percepts, m, role, seen[i], keep);
    sort_words(&t->roles[role].percepts);
  }
}

/* ---- for people ---- */

static void put_list(const char *word, const char *role, const word_list *l) {
  for (uint32_t i = 0; i < l->count; i++)
    printf("%s %s%s%s\n", word, role, *role ? " " : "", l->items[i]);
}

void state_text_put(const state_text *t) {
  put_list("true", "", &t->fluents);
  for (uint32_t i = 0; i < t->role_count; i++) {
    const role_text *r = &t->roles[i];
    put_list("legal", r->name, &r->legal);
    for (uint32_t k = 0; k < r->goal_count; k++) printf("goal %s %d\n", r->name, r->goals[k]);
    put_list("sees", r->name, &r->percepts);
  }
  puts(t->is_terminal ? "terminal\n" : "");
}

/* ---- for programs ---- */

static void write_list(json_writer *w, const char *key, const word_list *l) {
  json_open_array(w, key);
  for (uint32_t i = 0; i < l->count; i++) json_put_string(w, NULL, l->items[i]);
  json_close_array(w);
}

static void write_legal(json_writer *w, const state_text *t) {
  json_open_object(w, "legal");
  for (uint32_t i = 0; i < t->role_count; i++) write_list(w, t->roles[i].name, &t->roles[i].legal);
  json_close_object(w);
}

static void write_goals(json_writer *w, const state_text *t) {
  json_open_object(w, "goals");
  for (uint32_t i = 0; i < t->role_count; i++) {
    json_open_array(w, t->roles[i].name);
    for (uint32_t k = 0; k < t->roles[i].goal_count; k++)
      json_put_integer(w, NULL, t->roles[i].goals[k]);
    json_close_array(w);
  }
  json_close_object(w);
}

static void write_percepts(json_writer *w, const state_text *t) {
  json_open_object(w, "percepts");
  for (uint32_t i = 0; i < t->role_count; i++)
    write_list(w, t->roles[i].name, &t->roles[i].percepts);
  json_close_object(w);
}

void state_text_put_json(const state_text *t, uint64_t step, arena *scratch) {
  text out = text_new(scratch);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_integer(&w, "step", (int64_t)step);
  write_list(&w, "state", &t->fluents);
  json_put_bool(&w, "terminal", t->is_terminal);
  write_legal(&w, t);
  write_goals(&w, t);
  if (t->has_percepts) write_percepts(&w, t);
  json_close_object(&w);
  puts(text_string(&out));
}
