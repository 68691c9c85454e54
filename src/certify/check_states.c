/* All reachable states, looked at one by one: for games that are small. */
#include "base/graph.h"
#include "base/hash.h"
#include "certify/play_state.h"

#include <string.h>

typedef struct state_walk {
  play p;
  checker *k;
  const evidence *e;
  arena *keep;
  uint8_t *positions;
  uint32_t count, room;
  id_table index;
  id_vec tails, heads; /* steps, if ends are asked for */
  move_id *joint;
  uint32_t *choice; /* by role: which of its moves */
  uint8_t *next;
} state_walk;

static const uint8_t *position_at(const state_walk *w, uint32_t i) {
  return w->positions + (size_t)i * w->p.m->position_size;
}

static uint64_t hash_of_position(const void *context, uint32_t id) {
  const state_walk *w = context;
  return hash_bytes(position_at(w, id), w->p.m->position_size);
}

static void make_room(state_walk *w) {
  const size_t size = w->p.m->position_size;
  const uint32_t more = w->room ? 2 * w->room : 64;
  if (w->count < w->room) return;
  w->positions = arena_grow(w->keep, w->positions, w->room * size, more * size + 1);
  w->room = more;
}

/* The number of the position, which is new or not. */
static uint32_t number_of(state_walk *w, const uint8_t *position) {
  const size_t size = w->p.m->position_size;
  id_table_reserve(&w->index, w->keep, hash_of_position, w);
  uint32_t at = id_table_first(&w->index, hash_bytes(position, size));
  for (; w->index.slots[at] != ID_NONE; at = id_table_next(&w->index, at))
    if (memcmp(position_at(w, w->index.slots[at]), position, size) == 0) return w->index.slots[at];
  make_room(w);
  memcpy(w->positions + w->count * size, position, size);
  id_table_put(&w->index, at, w->count);
  return w->count++;
}

/* ---- steps ---- */

static void add_follower(state_walk *w, uint32_t from, const play_state *s) {
  for (uint32_t i = 0; i < w->p.m->role_count; i++) w->joint[i] = s->roles[i].moves[w->choice[i]];
  machine_step(w->p.m, w->p.w, position_at(w, from), w->joint, w->next);
  const uint32_t to = number_of(w, w->next);
  if (w->e->kind != CERTIFIED_TERMINATES) return;
  vec_push(w->keep, &w->tails, from);
  vec_push(w->keep, &w->heads, to);
}

/* The moves of the roles run like the digits of a counter. */
static void add_followers(state_walk *w, uint32_t from, const play_state *s) {
  const uint32_t roles = w->p.m->role_count;
  memset(w->choice, 0, roles * sizeof *w->choice);
  for (uint32_t role = 0; role < roles && !budget_is_spent(w->k->b);) {
    add_follower(w, from, s);
    for (role = 0; role < roles && ++w->choice[role] == s->roles[role].move_count; role++)
      w->choice[role] = 0;
  }
}

static bool facts_hold_in(state_walk *w, const play_state *s) {
  for (uint32_t i = 0; i < w->e->facts.count; i++)
    if (!fact_holds(&w->e->facts.items[i], s->fluents))
      return checker_reject(w->k, "a fact does not hold in every state", w->e->facts.items[i].node);
  return true;
}

static bool is_out_of_budget(state_walk *w) {
  return budget_check_now(w->k->b) && !checker_give_up(w->k, "a limit was reached");
}

static bool look_at(state_walk *w, uint32_t i) {
  const arena_mark mark = arena_save(w->p.scratch);
  play_state s;
  bool ok = !is_out_of_budget(w) && play_read(&w->p, w->k, position_at(w, i), &s);
  if (ok && state_is_forbidden(&w->p, &s, w->e))
    ok = checker_reject(w->k, "a state decides it the other way", ID_NONE);
  ok = ok && facts_hold_in(w, &s);
  if (ok && !s.is_terminal && !state_is_stuck(&w->p, &s)) add_followers(w, i, &s);
  ok = ok && !is_out_of_budget(w);
  arena_restore(w->p.scratch, mark);
  return ok;
}

/* ---- ends ---- */

/* States in an order in which those that a step leads to come first; NULL: there is a cycle. */
static const uint32_t *order_by_steps(state_walk *w, const graph *steps) {
  uint32_t *component = arena_new_array(w->keep, uint32_t, w->count + 1);
  const uint32_t components = graph_components(steps, component, w->keep);
  for (uint32_t i = 0; i < w->tails.count; i++)
    if (w->tails.items[i] == w->heads.items[i]) return NULL;
  return components == w->count ? graph_order(steps, component, components, w->keep) : NULL;
}

static bool ends_are_right(state_walk *w) {
  const graph steps = graph_new(w->keep, w->count, w->tails.items, w->heads.items, w->tails.count);
  const uint32_t *order = order_by_steps(w, &steps);
  uint32_t *length = arena_zero_array(w->keep, uint32_t, w->count + 1);
  if (!order) return checker_reject(w->k, "a play need not end", ID_NONE);
  for (uint32_t i = 0; i < w->count; i++) {
    const uint32_t n = order[i];
    for (uint32_t at = steps.from[n]; at < steps.from[n + 1]; at++)
      if (length[steps.to[at]] >= length[n]) length[n] = length[steps.to[at]] + 1;
  }
  return length[0] == w->e->section->longest ||
         checker_reject(w->k, "the longest play has another length", ID_NONE);
}

/* ---- the walk ---- */

static void begin_walk(state_walk *w) {
  const machine *m = w->p.m;
  w->joint = arena_new_array(w->keep, move_id, m->role_count + 1);
  w->choice = arena_new_array(w->keep, uint32_t, m->role_count + 1);
  w->next = arena_alloc(w->keep, m->position_size + 1);
  machine_start(m, w->next);
  number_of(w, w->next);
}

static bool walk_through(state_walk *w) {
  begin_walk(w);
  for (uint32_t i = 0; i < w->count; i++)
    if (!look_at(w, i)) return false;
  w->k->states = w->count;
  return w->e->kind != CERTIFIED_TERMINATES || ends_are_right(w);
}

bool all_states_hold(checker *k, const evidence *e) {
  state_walk w = {.k = k, .e = e, .keep = arena_new()};
  budget_watch(k->b, w.keep);
  const bool ok = play_open(&w.p, k, "datalog", "reference") && walk_through(&w);
  play_close(&w.p);
  budget_unwatch(k->b, w.keep);
  arena_free(w.keep);
  return ok;
}
