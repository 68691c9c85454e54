#include "prove/check_plays.h"

#include "base/graph.h"
#include "base/hash.h"
#include "machine/state_view.h"

#include <string.h>

/* The names of a game where a circuit is expected; there is nothing to compute with in it. */
static circuit names_of(const ground_program *g, arena *keep) {
  circuit c = {.keep = keep, .terms = g->terms};
  for (uint32_t i = 0; i < g->fluents.count; i++) {
    const circuit_fluent f = {.term = g->fluents.items[i].term};
    vec_push(keep, &c.fluents, f);
  }
  for (uint32_t i = 0; i < g->roles.count; i++) {
    const ground_role *from = &g->roles.items[i];
    const circuit_role r = {from->term, from->first_move, from->move_count};
    vec_push(keep, &c.roles, r);
  }
  for (uint32_t i = 0; i < g->moves.count; i++) {
    const circuit_move m = {.term = g->moves.items[i].term};
    vec_push(keep, &c.moves, m);
  }
  return c;
}

static bool read_property(const play_check *q, const circuit *names, property *p,
                          const char **why) {
  property_vec all = {0};
  if (!property_read(&all, q->property, names, q->keep, why)) return false;
  *p = all.items[0];
  *why = "it is more than one property";
  return all.count == 1;
}

/* ---- lines ---- */

static uint32_t find_move(const circuit *names, uint32_t role, const char *words, arena *scratch) {
  const circuit_role *r = &names->roles.items[role];
  text name = text_new(scratch);
  for (uint32_t i = r->first_move; i < r->first_move + r->move_count; i++) {
    text_clear(&name);
    term_print(names->terms, names->moves.items[i].term, NOTATION_KIF, NULL, &name);
    if (strcmp(text_string(&name), words) == 0) return i;
  }
  return ID_NONE;
}

static bool read_line(const play_check *q, const circuit *names, const char **texts,
                      uint32_t length, finding *v) {
  const uint32_t roles = names->roles.count;
  for (uint32_t i = 0; i < length * roles; i++) {
    const uint32_t move = find_move(names, i % roles, texts[i], q->keep);
    if (move == ID_NONE) return false;
    vec_push(q->keep, &v->line, move);
  }
  v->length = length;
  return true;
}

bool check_line(const play_check *q, const char **texts, uint32_t length, uint32_t returns_to,
                const char **why) {
  const circuit names = names_of(q->g, q->keep);
  property p;
  finding v = {.has_line = true, .returns_to = returns_to};
  witness_judge judge;
  if (!read_property(q, &names, &p, why)) return false;
  *why = "there is no such move in the line";
  if (!read_line(q, &names, texts, length, &v)) return false;
  *why = "the line does not show it";
  if (p.kind == PROPERTY_TERMINATES && returns_to >= length) return false;
  const bool ok =
      judge_open(&judge, &names, q->program, q->b, q->d) && judge_agrees(&judge, &p, &v, q->keep);
  judge_close(&judge);
  return ok;
}

/* ---- facts ---- */

/* By fluent: it holds in the state.  Both lists are sorted by their texts. */
static bool *values_in(const state_view *v, const char **fluent_names, uint32_t count,
                       arena *scratch) {
  bool *holds = arena_zero_array(scratch, bool, count + 1);
  for (uint32_t i = 0, k = 0; i < count && k < v->fluents.count;) {
    const int order = strcmp(fluent_names[i], v->fluents.items[k]);
    holds[i] = order == 0;
    i += order <= 0;
    k += order >= 0;
  }
  return holds;
}

static bool facts_hold_in(const play_check *q, const state_view *v, arena *scratch) {
  if (!q->facts->count) return true;
  const bool *holds = values_in(v, q->fluent_names, q->g->fluents.count, scratch);
  for (uint32_t i = 0; i < q->facts->count; i++)
    if (!fact_holds(&q->facts->items[i], holds)) return false;
  return true;
}

/* ---- all plays ---- */

typedef struct play_walk {
  const play_check *q;
  property p;
  witness_judge judge; /* on machine `datalog` */
  arena *keep;
  uint8_t *positions;
  uint32_t count, room;
  id_table index;
  id_vec tails, heads; /* steps, if ends are asked for */
  move_id *joint;
  uint8_t *next;
} play_walk;

static const uint8_t *position_at(const play_walk *w, uint32_t i) {
  return w->positions + (size_t)i * w->judge.m->position_size;
}

static uint64_t hash_of_position(const void *context, uint32_t id) {
  const play_walk *w = context;
  return hash_bytes(position_at(w, id), w->judge.m->position_size);
}

/* The number of the position, which is new or not. */
static uint32_t number_of(play_walk *w, const uint8_t *position) {
  const size_t size = w->judge.m->position_size;
  id_table_reserve(&w->index, w->keep, hash_of_position, w);
  uint32_t at = id_table_first(&w->index, hash_bytes(position, size));
  for (; w->index.slots[at] != ID_NONE; at = id_table_next(&w->index, at))
    if (memcmp(position_at(w, w->index.slots[at]), position, size) == 0) return w->index.slots[at];
  if (w->count == w->room) {
    const uint32_t more = w->room ? 2 * w->room : 64;
    w->positions = arena_grow(w->keep, w->positions, w->room * size, more * size + 1);
    w->room = more;
  }
  memcpy(w->positions + w->count * size, position, size);
  id_table_put(&w->index, at, w->count);
  return w->count++;
}

static void add_followers(play_walk *w, uint32_t from, const state_view *v) {
  const machine *m = w->judge.m;
  uint32_t *digits = arena_zero_array(w->judge.scratch, uint32_t, m->role_count + 1);
  for (uint32_t role = 0; role < m->role_count;) {
    for (uint32_t i = 0; i < m->role_count; i++) w->joint[i] = v->roles[i].moves[digits[i]];
    machine_step(m, w->judge.w, position_at(w, from), w->joint, w->next);
    const uint32_t to = number_of(w, w->next);
    if (w->p.kind == PROPERTY_TERMINATES) {
      vec_push(w->keep, &w->tails, from);
      vec_push(w->keep, &w->heads, to);
    }
    for (role = 0; role < m->role_count && ++digits[role] == v->roles[role].texts.count; role++)
      digits[role] = 0;
  }
}

/* False: what would decide it the other way is there, or a limit was reached. */
static bool look_at(play_walk *w, uint32_t i, const char **why) {
  const arena_mark mark = arena_save(w->judge.scratch);
  state_view v;
  bool ok = !budget_check_now(w->q->b) &&
            state_view_read(&v, w->judge.m, w->judge.w, position_at(w, i), w->judge.scratch);
  if (ok && judge_sees(&w->judge, &v, &w->p, why, w->q->keep)) ok = false;
  if (ok && !facts_hold_in(w->q, &v, w->judge.scratch)) {
    *why = "a fact does not hold in every state";
    ok = false;
  }
  if (ok && !v.terminal && view_stuck_role(&v) == v.role_count) add_followers(w, i, &v);
  arena_restore(w->judge.scratch, mark);
  return ok;
}

/* The longest play, from the states at its end on. */
static bool ends_after(play_walk *w, uint32_t longest, const char **why) {
  const graph steps = graph_new(w->keep, w->count, w->tails.items, w->heads.items, w->tails.count);
  uint32_t *part = arena_new_array(w->keep, uint32_t, w->count + 1);
  uint32_t *length = arena_zero_array(w->keep, uint32_t, w->count + 1);
  const uint32_t parts = graph_components(&steps, part, w->keep);
  const uint32_t *order = graph_order(&steps, part, parts, w->keep);
  *why = "a play need not end";
  if (parts != w->count) return false;
  for (uint32_t i = 0; i < w->count; i++) {
    const uint32_t n = order[i];
    for (uint32_t k = steps.from[n]; k < steps.from[n + 1]; k++) {
      if (steps.to[k] == n) return false;
      if (length[steps.to[k]] >= length[n]) length[n] = length[steps.to[k]] + 1;
    }
  }
  *why = "the longest play has another length";
  return length[0] == longest;
}

static bool walk_through(play_walk *w, uint32_t longest, const char **why) {
  const machine *m = w->judge.m;
  w->joint = arena_new_array(w->keep, move_id, m->role_count + 1);
  w->next = arena_alloc(w->keep, m->position_size + 1);
  machine_start(m, w->next);
  number_of(w, w->next);
  for (uint32_t i = 0; i < w->count; i++) {
    *why = "a state decides it the other way";
    if (!look_at(w, i, why) || w->judge.w->trouble.is_there) return false;
  }
  return w->p.kind != PROPERTY_TERMINATES || ends_after(w, longest, why);
}

/* Whether states alone decide it. */
static bool can_be_walked(property_kind kind, const char **why) {
  *why = "no certificate can be given for it by looking at all states";
  return property_is_reach(kind) || kind == PROPERTY_TERMINATES || kind == PROPERTY_MUTEX;
}

bool check_all_plays(const play_check *q, uint32_t longest, const char **why) {
  const circuit names = names_of(q->g, q->keep);
  const machine_source from = {.program = q->program};
  play_walk w = {.q = q, .keep = arena_new(), .judge = {.c = &names, .scratch = arena_new()}};
  budget_watch(q->b, w.keep);
  bool ok = read_property(q, &names, &w.p, why) && can_be_walked(w.p.kind, why);
  *why = ok ? "the rules cannot be played" : *why;
  w.judge.m = ok ? machine_open("datalog", &from, q->b, q->d) : NULL;
  if (w.judge.m) w.judge.w = machine_workspace_new(w.judge.m, q->b);
  ok = w.judge.m && walk_through(&w, longest, why);
  budget_unwatch(q->b, w.keep);
  judge_close(&w.judge);
  arena_free(w.keep);
  return ok;
}
