#include "machine/datalog/datalog_incremental.h"

#include "machine/datalog/datalog_counting.h"

enum {
  REVIEW_STATES_MAX = 2048,
  REVIEW_TIMES = 4,  /* between reviews are so many times the states before the last, at most */
  TRIAL_REVIEWS = 8, /* so often, all are tried again */
};

/* Of keeping a component, in rows looked at: in a state, for each tally that has changed, and for
   each fact that comes or goes. */
enum { STATE_WORK = 3, TALLY_WORK = 2, FACT_WORK = 8 };

/* ---- one relation ---- */

static void push_place(dl_model *m, dl_rows *t, uint32_t place) {
  const dl_layout *l = t->shape->layout;
  if (l->rows) {
    dl_rows_push(t, l->rows + (size_t)place * l->arity, place);
    return;
  }
  dl_layout_row(l, place, m->runner.row);
  dl_rows_push(t, m->runner.row, place);
}

static void run_deltas(dl_model *m, const dl_delta_vec *list, uint32_t row, uint32_t way) {
  for (uint32_t i = 0; i < list->count; i++) {
    m->runner.way = list->items[i].is_denied ? -way : way;
    dl_run(&m->runner, &list->items[i].code, row, row + 1);
  }
}

/* Changes the tally of a component by the ways that use the rows. */
static void count_ways(dl_model *m, const dl_deltas *d, const dl_rows *t, const uint32_t *places,
                       uint32_t count, uint32_t way) {
  const uint64_t before = dl_work(&m->runner);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t row = t->row_at[places[i]];
    run_deltas(m, &d->any, row, way);
    if (!d->of) continue;
    const uint32_t *codes = t->shape->layout->columns[d->column].codes;
    run_deltas(m, &d->of[codes[dl_row(t, row)[d->column]]], row, way);
  }
  m->cares[d->component].kept_work += dl_work(&m->runner) - before;
}

static void mark_all(dl_rows *t, const uint32_t *places, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) dl_mark(t, places[i]);
}

/* Changes the tallies of all that is kept.  The rows must be there. */
static void tell_readers(dl_model *m, flat_id r, const uint32_t *places, uint32_t count,
                         uint32_t way) {
  dl_rows *t = &m->runner.rows[r];
  const dl_deltas_vec *readers = &m->plan->readers[r];
  if (!m->kept_count || !count) return;
  mark_all(t, places, count);
  for (uint32_t i = 0; i < readers->count; i++)
    if (m->cares[readers->items[i].component].is_kept)
      count_ways(m, &readers->items[i], t, places, count, way);
  mark_all(t, places, count);
}

static void apply(dl_model *m, flat_id r, const dl_changes *x) {
  dl_rows *t = &m->runner.rows[r];
  tell_readers(m, r, x->gone, x->gone_count, DL_WAY_LESS);
  for (uint32_t i = 0; i < x->gone_count; i++) dl_rows_remove(t, x->gone[i]);
  for (uint32_t i = 0; i < x->come_count; i++) push_place(m, t, x->come[i]);
  tell_readers(m, r, x->come, x->come_count, DL_WAY);
}

void dl_change(dl_model *m, flat_id relation, const dl_changes *changes) {
  const uint8_t bit = m->plan->guards.of[relation].first_place;
  if (m->plan->layouts[relation].size <= DL_PLACES_KEPT_MAX)
    dl_rows_track(&m->runner.rows[relation]);
  if (changes->gone_count) dl_rows_rest(&m->runner.rows[relation]);
  apply(m, relation, changes);
  if (bit != DL_NO_BIT) {
    for (uint32_t i = 0; i < changes->gone_count; i++)
      m->runner.told &= ~(UINT64_C(1) << (bit + changes->gone[i]));
    for (uint32_t i = 0; i < changes->come_count; i++)
      m->runner.told |= UINT64_C(1) << (bit + changes->come[i]);
  }
  m->changed |= m->plan->fluents[relation];
}

/* ---- components ---- */

/* Lists the facts that have lost their last way, or got a first one. */
static void list_changes(dl_model *m, uint32_t component, dl_rows *t) {
  m->gone.count = m->come.count = 0;
  m->cares[component].kept_work += t->touched.count * (uint64_t)TALLY_WORK;
  for (uint32_t i = 0; i < t->touched.count; i++) {
    const uint32_t place = t->touched.items[i];
    t->tally[place] &= ~UINT32_C(1);
    const bool holds = t->tally[place];
    if (holds == dl_has_place(t, place)) continue;
    vec_push(m->keep, holds ? &m->come : &m->gone, place);
  }
  t->touched.count = 0;
}

/* Makes the facts agree with the tally.  A change may lead to others of the same relation. */
static void settle(dl_model *m, uint32_t component) {
  const flat_id r = m->plan->components[component].relations.items[0];
  dl_rows *t = &m->runner.rows[r];
  while (t->touched.count && !m->runner.trouble->is_there) {
    list_changes(m, component, t);
    const dl_changes x = {m->gone.items, m->come.items, m->gone.count, m->come.count};
    if (!x.gone_count && !x.come_count) break;
    m->cares[component].kept_work += (x.gone_count + x.come_count) * (uint64_t)FACT_WORK;
    apply(m, r, &x);
  }
}

bool dl_can_keep(const dl_model *m, uint32_t component) {
  const dl_component *c = &m->plan->components[component];
  if (!m->is_near) return false;
  for (uint32_t i = 0; i < c->inputs.count; i++) {
    const uint32_t from = m->plan->component[c->inputs.items[i]];
    if (m->plan->components[from].can_be_kept && !m->cares[from].is_kept) return false;
  }
  return true;
}

void dl_keep(dl_model *m, uint32_t component) {
  const dl_component *c = &m->plan->components[component];
  dl_care *care = &m->cares[component];
  const uint64_t before = dl_work(&m->runner);
  dl_rows_count(&m->runner.rows[c->relations.items[0]]);
  care->is_kept = true;
  care->uses++;
  m->kept_count++;
  m->runner.way = DL_WAY;
  for (uint32_t i = 0; i < c->counted.count; i++) dl_run(&m->runner, &c->counted.items[i], 0, 0);
  care->kept_work += dl_work(&m->runner) - before;
  settle(m, component);
}

/* ---- reviews ---- */

/* What keeping a component saves by itself.  It should be more than next to nothing: work is not
   measured exactly. */
static int64_t own_saving(const dl_care *care) {
  return (int64_t)(care->plain_work * care->uses * 9 / 10) - (int64_t)care->kept_work;
}

/* Adds a saving to those of all components without which it would not be. */
static void credit_inputs(const dl_model *m, uint32_t component, int64_t *savings) {
  const id_vec *inputs = &m->plan->components[component].inputs;
  for (uint32_t i = 0; i < inputs->count; i++)
    savings[m->plan->component[inputs->items[i]]] += savings[component];
}

static bool reads_what_is_dear(const dl_model *m, const dl_component *c) {
  for (uint32_t i = 0; i < c->inputs.count; i++)
    if (m->cares[m->plan->component[c->inputs.items[i]]].is_dear) return true;
  return false;
}

/* Nothing is kept in this state, so that all work is measured again. */
static void review(dl_model *m) {
  arena *scratch = arena_new();
  int64_t *savings = arena_zero_array(scratch, int64_t, m->plan->component_count);
  const bool is_trial = ++m->reviews % TRIAL_REVIEWS == 0;
  for (uint32_t c = m->plan->component_count; c-- > 0;) {
    dl_care *care = &m->cares[c];
    if (care->kept_work) {
      savings[c] += own_saving(care);
      care->is_dear = savings[c] <= 0;
      if (!care->is_dear) credit_inputs(m, c, savings);
    }
    if (is_trial) care->is_dear = false;
    care->kept_work = care->uses = 0;
  }
  for (uint32_t c = 0; c < m->plan->component_count; c++)
    m->cares[c].is_dear |= reads_what_is_dear(m, &m->plan->components[c]);
  m->since_review = 0;
  m->review_at *= REVIEW_TIMES;
  if (m->review_at > REVIEW_STATES_MAX) m->review_at = REVIEW_STATES_MAX;
  if (is_trial) m->review_at = DL_FIRST_REVIEW;
  arena_free(scratch);
}

/* ---- states ---- */

/* Forgets what is kept but was not asked for; or all that is kept. */
static void drop_kept(dl_model *m, bool all) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < m->done.count; i++) {
    const uint32_t number = m->done.items[i];
    const dl_care *care = &m->cares[number];
    if (care->is_kept && (all || care->asked != m->state))
      dl_model_drop(m, number);
    else
      m->done.items[left++] = number;
  }
  m->done.count = left;
}

void dl_change_begin(dl_model *m) {
  const bool is_due = ++m->since_review == m->review_at;
  dl_model_forget_moves(m);
  if (is_due) review(m);
  if (m->kept_count) drop_kept(m, is_due);
  m->state++;
  m->changed = 0;
  m->plain_work = 0;
  m->is_near = true;
}

void dl_change_end(dl_model *m) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < m->done.count; i++) {
    const uint32_t number = m->done.items[i];
    dl_care *care = &m->cares[number];
    if (care->is_kept) {
      care->kept_work += STATE_WORK;
      settle(m, number);
    } else if (m->plan->components[number].fluents & m->changed) {
      dl_model_drop(m, number);
      continue;
    }
    m->done.items[left++] = number;
  }
  m->done.count = left;
}
