#include "machine/datalog/datalog_state.h"

#include "machine/datalog/datalog_incremental.h"

#include <string.h>

/* To take a fact out costs some times what it costs to tell one.  But it may pay to keep what
   follows from the others. */
enum { TAKEN_OUT_PART = 4, TAKEN_OUT_PART_KEEPING = 2 };

void dl_told_init(dl_told *s, const dl_teller *t, const dl_plan *p, budget *limits,
                  machine_trouble *trouble) {
  dl_model_init(&s->model, p, t->terms, limits, trouble, t->keep);
  s->state = (id_vec){0};
  s->joint = arena_new_array(t->keep, move_id, t->role_count + 1);
  s->joint[0] = MOVE_NONE;
}

/* ---- facts from numbers ---- */

/* Adds the fact of a term that has a name: true of it, or that the role does it. */
static void add_named(dl_teller *t, dl_model *m, symbol_id keyword, uint32_t role, uint32_t name) {
  const term_id named = dl_named(t->names, name, t->terms);
  const term_id args[] = {keyword == SYM_DOES ? t->role_terms[role] : named, named};
  const term_id atom = term_atom(t->terms, keyword, args, keyword_arity(keyword));
  flat_id r;
  if (!flat_find(t->flat, atom, &r, t->row)) return;
  dl_model_add_unknown(m, r, t->row);
}

static bool is_read(const dl_model *m, const dl_entry *e) {
  return e->to != ID_NONE && m->plan->is_read[e->to];
}

static void add_numbered(dl_teller *t, dl_model *m, const dl_catalog *c, uint32_t number,
                         uint32_t *hint) {
  const dl_entry *e = dl_catalog_find(c, number, hint);
  if (!is_read(m, e)) return;
  const uint32_t place = number - e->base;
  if (e->layout->rows) {
    dl_model_add(m, e->to, e->layout->rows + (size_t)place * e->layout->arity, place);
    return;
  }
  dl_layout_row(e->layout, place, t->row);
  dl_model_add(m, e->to, t->row, place);
}

/* ---- the state ---- */

bool dl_told_is(const dl_told *s, const uint32_t *state) {
  return s->state.count == state[0] + 1 &&
         memcmp(s->state.items, state, s->state.count * sizeof *state) == 0;
}

static bool has_names(const dl_teller *t, const uint32_t *state) {
  return state[0] && state[state[0]] >= t->fluents->size;
}

/* Lists what is in one state alone.  False: that is too much, or not known by numbers. */
static bool list_differences(dl_teller *t, const dl_told *s, const uint32_t *state) {
  const uint32_t *old = s->state.items;
  if (!s->state.count || has_names(t, old) || has_names(t, state)) return false;
  const bool keeps = dl_model_is_worth_keeping(&s->model);
  const uint32_t most = state[0] / (keeps ? TAKEN_OUT_PART_KEEPING : TAKEN_OUT_PART);
  uint32_t i = 1, k = 1;
  t->gone.count = t->come.count = 0;
  while (i <= old[0] || k <= state[0]) {
    if (i <= old[0] && k <= state[0] && old[i] == state[k]) {
      i++;
      k++;
    } else if (k > state[0] || (i <= old[0] && old[i] < state[k])) {
      if (t->gone.count == most) return false;
      vec_push(t->keep, &t->gone, old[i++]);
    } else {
      vec_push(t->keep, &t->come, state[k++]);
    }
  }
  return true;
}

/* Makes places of the numbers from `at` on that belong to the entry.  Returns where they end. */
static uint32_t place_numbers(const id_vec *numbers, uint32_t at, const dl_entry *e) {
  while (at < numbers->count && numbers->items[at] - e->base < e->layout->size)
    numbers->items[at++] -= e->base;
  return at;
}

/* Tells the changes of one relation after another; both lists are in ascending order. */
static void tell_differences(dl_teller *t, dl_model *m) {
  uint32_t gone = 0, come = 0, hint = 0;
  dl_change_begin(m);
  while (gone < t->gone.count || come < t->come.count) {
    const uint32_t first_gone = gone < t->gone.count ? t->gone.items[gone] : UINT32_MAX;
    const uint32_t first_come = come < t->come.count ? t->come.items[come] : UINT32_MAX;
    const dl_entry *e =
        dl_catalog_find(t->fluents, first_gone < first_come ? first_gone : first_come, &hint);
    const uint32_t gone_end = place_numbers(&t->gone, gone, e);
    const uint32_t come_end = place_numbers(&t->come, come, e);
    const dl_changes x = {vec_from(&t->gone, gone), vec_from(&t->come, come), gone_end - gone,
                          come_end - come};
    if (is_read(m, e)) dl_change(m, e->to, &x);
    gone = gone_end;
    come = come_end;
  }
  dl_change_end(m);
}

static void tell_all(dl_teller *t, dl_model *m, const uint32_t *state) {
  dl_model_forget_state(m);
  uint32_t hint = 0;
  for (uint32_t i = 1; i <= state[0]; i++) {
    if (state[i] < t->fluents->size)
      add_numbered(t, m, t->fluents, state[i], &hint);
    else
      add_named(t, m, SYM_TRUE, 0, state[i] - t->fluents->size);
  }
}

void dl_tell_state(dl_teller *t, dl_told *s, const uint32_t *state) {
  s->joint[0] = MOVE_NONE;
  if (list_differences(t, s, state))
    tell_differences(t, &s->model);
  else
    tell_all(t, &s->model, state);
  s->state.count = 0;
  vec_append(t->keep, &s->state, state, state[0] + 1);
}

/* ---- the moves ---- */

void dl_tell_moves(dl_teller *t, dl_told *s, const move_id *joint) {
  if (s->joint[0] != MOVE_NONE && memcmp(s->joint, joint, t->role_count * sizeof *joint) == 0)
    return;
  dl_model_forget_moves(&s->model);
  const dl_catalog *c = t->moves;
  for (uint32_t i = 0; i < t->role_count; i++) {
    uint32_t hint = 0;
    if (joint[i] < c->size)
      add_numbered(t, &s->model, c, joint[i], &hint);
    else
      add_named(t, &s->model, SYM_DOES, i, joint[i] - c->size);
  }
  memcpy(s->joint, joint, t->role_count * sizeof *joint);
}

void dl_tell_no_moves(dl_told *s) {
  if (s->joint[0] == MOVE_NONE) return;
  dl_model_forget_moves(&s->model);
  s->joint[0] = MOVE_NONE;
}
