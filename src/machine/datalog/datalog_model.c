#include "machine/datalog/datalog_model.h"

#include "machine/datalog/datalog_incremental.h"

/* ---- models ---- */

void dl_model_init(dl_model *m, const dl_plan *p, term_table *terms, budget *limits,
                   machine_trouble *trouble, arena *keep) {
  *m = (dl_model){.plan = p,
                  .counts = arena_zero_array(keep, uint32_t, p->rows_count),
                  .keep = keep,
                  .state = 2,
                  .cares = arena_zero_array(keep, dl_care, p->component_count),
                  .review_at = DL_FIRST_REVIEW};
  m->runner = (dl_runner){.r = p->r,
                          .terms = terms,
                          .limits = limits,
                          .trouble = trouble,
                          .rows = arena_new_array(keep, dl_rows, p->rows_count),
                          .bindings = arena_zero_array(keep, term_id, p->variables_max + 1),
                          .cursors = arena_new_array(keep, uint32_t, p->steps_max + 1),
                          .ends = arena_new_array(keep, uint32_t, p->steps_max + 1),
                          .row = arena_new_array(keep, term_id, p->arity_max + 2)};
  vec_reserve(keep, &m->done, p->component_count);
  vec_reserve(keep, &m->done_moves, p->component_count);
  for (uint32_t i = 0; i < p->rows_count; i++) {
    const bool is_static = i < p->r->flat.relations.count && p->r->layers[i] == DL_STATIC;
    if (is_static)
      m->runner.rows[i] = p->facts[i];
    else
      dl_rows_init(&m->runner.rows[i], &p->shapes[i], keep);
  }
}

static void clear_facts(dl_model *m, const dl_component *c) {
  for (uint32_t i = 0; i < c->relations.count; i++)
    dl_rows_clear(&m->runner.rows[c->relations.items[i]]);
}

static void clear_denied(dl_model *m, const dl_component *c) {
  for (uint32_t i = 0; i < c->relations.count; i++)
    dl_rows_clear(&m->runner.rows[m->plan->denied[c->relations.items[i]]]);
}

static void clear_given(dl_model *m, symbol_id keyword) {
  const flat_program *f = &m->plan->r->flat;
  for (uint32_t i = f->relations_from[keyword]; i < f->relations_from[keyword + 1]; i++)
    dl_rows_clear(&m->runner.rows[f->relations_by_source.items[i]]);
}

void dl_model_drop(dl_model *m, uint32_t component) {
  const dl_component *c = &m->plan->components[component];
  dl_care *care = &m->cares[component];
  clear_facts(m, c);
  if (c->denier != ID_NONE) clear_denied(m, c);
  m->kept_count -= care->is_kept;
  care->is_done = care->is_kept = false;
}

static void drop_all(dl_model *m, id_vec *done) {
  for (uint32_t i = 0; i < done->count; i++) dl_model_drop(m, done->items[i]);
  done->count = 0;
}

void dl_model_forget_moves(dl_model *m) {
  drop_all(m, &m->done_moves);
  clear_given(m, SYM_DOES);
  m->runner.told &= ~m->plan->guards.moves;
}

void dl_model_forget_state(dl_model *m) {
  dl_model_forget_moves(m);
  drop_all(m, &m->done);
  clear_given(m, SYM_TRUE);
  m->runner.told = 0;
  m->state++;
  m->plain_work = 0;
  m->is_near = false;
}

void dl_model_add_unknown(dl_model *m, flat_id r, const term_id *row) {
  const dl_guard *guard = &m->plan->guards.of[r];
  dl_rows *t = &m->runner.rows[r];
  dl_rows_add(t, row);
  m->runner.told |= dl_guard_bit(guard->any);
  if (!t->bits || !t->count) return;
  const uint32_t last = t->count - 1;
  m->runner.told |= dl_guard_bits(guard, t->shape->layout, dl_row(t, last), t->places[last]);
}

/* ---- evaluation ---- */

/* Joins every new row once with all that is there; rows that come up meanwhile have their turn. */
static void join_new_rows(dl_model *m, const dl_component *c) {
  for (uint32_t i = 0; i < c->relations.count; i++) m->counts[c->relations.items[i]] = 0;
  for (bool changed = true; changed && !m->runner.trouble->is_there;) {
    changed = false;
    for (uint32_t i = 0; i < c->relations.count; i++) {
      const flat_id r = c->relations.items[i];
      const uint32_t start = m->counts[r];
      const uint32_t end = m->runner.rows[r].count;
      if (start == end) continue;
      changed = true;
      m->counts[r] = end;
      for (uint32_t t = 0; t < c->triggers.count; t++)
        if (c->triggers.items[t].relation == r)
          dl_run(&m->runner, &c->triggers.items[t].code, start, end);
    }
  }
}

/* A relation without arguments needs no second fact. */
static void evaluate(dl_model *m, const dl_component *c) {
  for (uint32_t i = 0; i < c->codes.count; i++) {
    const dl_code *code = &c->codes.items[i];
    const uint64_t told = m->runner.told;
    if ((code->needs & ~told) | (code->denies & told)) continue;
    const dl_rows *head = &m->runner.rows[code->head];
    if (head->arity || !head->count) dl_run(&m->runner, code, 0, 0);
  }
  if (c->triggers.count) join_new_rows(m, c);
}

static uint32_t count_rows(const dl_model *m, const dl_component *c) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->relations.count; i++)
    count += m->runner.rows[c->relations.items[i]].count;
  return count;
}

/* What holds now is what the next turn denies. */
static void deny_all(dl_model *m, const dl_component *c) {
  for (uint32_t i = 0; i < c->relations.count; i++) {
    const flat_id r = c->relations.items[i];
    if (m->plan->denied[r] == r) continue;
    dl_rows *denied = &m->runner.rows[m->plan->denied[r]];
    dl_rows_clear(denied);
    dl_rows_copy(denied, &m->runner.rows[r]);
  }
  clear_facts(m, c);
}

/* Turns give too many facts first, then too few, and so on.  Each has as many as the turn before
   the last only when nothing changes any more.  At the end what is denied is what does hold, so
   that other components may read it too. */
static void evaluate_in_turns(dl_model *m, const dl_component *c) {
  uint32_t counts[2] = {UINT32_MAX, UINT32_MAX};
  for (uint32_t turn = 0;; turn ^= 1) {
    if (m->runner.trouble->is_there) return;
    evaluate(m, c);
    const uint32_t count = count_rows(m, c);
    if (count == counts[turn ^ 1]) return; /* too many and too few are the same */
    if (count == counts[turn]) {
      dl_fail(&m->runner, DIAG_E501, c->denier,
              "in this state, a condition of this rule depends on its own negation");
      return;
    }
    counts[turn] = count;
    deny_all(m, c);
  }
}

static void evaluate_plainly(dl_model *m, const dl_component *c) {
  if (c->denier != ID_NONE)
    evaluate_in_turns(m, c);
  else
    evaluate(m, c);
}

/* Evaluates a component that may be kept in other states, and measures the work. */
static void evaluate_state(dl_model *m, uint32_t number) {
  const dl_component *c = &m->plan->components[number];
  const uint64_t before = dl_work(&m->runner);
  evaluate_plainly(m, c);
  m->cares[number].plain_work = dl_work(&m->runner) - before + count_rows(m, c) * DL_ROW_WORK;
  m->plain_work += m->cares[number].plain_work;
}

void dl_model_ask(dl_model *m, dl_question q) {
  const id_vec *needs = &m->plan->needs[q];
  for (uint32_t i = 0; i < needs->count && !m->runner.trouble->is_there; i++) {
    const uint32_t number = needs->items[i];
    const dl_component *c = &m->plan->components[number];
    dl_care *care = &m->cares[number];
    const uint32_t asked = care->asked;
    care->asked = m->state;
    care->uses += care->is_kept && asked != m->state;
    if (care->is_done) continue;
    if (!c->can_be_kept || care->is_dear)
      evaluate_plainly(m, c);
    else if (asked + 1 == m->state && dl_can_keep(m, number))
      dl_keep(m, number);
    else
      evaluate_state(m, number);
    care->is_done = true;
    id_vec *done = c->layer == DL_MOVE ? &m->done_moves : &m->done;
    done->items[done->count++] = number;
  }
}
