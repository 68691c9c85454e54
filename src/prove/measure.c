#include "prove/measure.h"

void measure_begin(measure_list *l, uint32_t level, uint64_t range) {
  const measure m = {.first = l->terms.count, .level = level, .range = range};
  vec_push(l->keep, &l->all, m);
}

void measure_add(measure_list *l, uint32_t member, int64_t weight) {
  if (!weight) return;
  const measure_term t = {member ^ (weight < 0), (uint32_t)(weight < 0 ? -weight : weight)};
  vec_push(l->keep, &l->terms, t);
  vec_last(&l->all).count++;
}

/* ---- ranges ---- */

/* What a measure can be, with weights by fluent. */
typedef struct span_of_sum {
  const circuit *c;
  int64_t *weights; /* by fluent: what it adds when it holds */
  bool *is_counted; /* by fluent */
  int64_t least, most, at_start;
} span_of_sum;

static void weigh_fluents(span_of_sum *x, const measure_list *l, const measure *m) {
  for (uint32_t i = m->first; i < m->first + m->count; i++) {
    const measure_term *t = &l->terms.items[i];
    const int64_t constant = t->member & 1 ? t->weight : 0;
    x->weights[t->member >> 1] += t->member & 1 ? -(int64_t)t->weight : t->weight;
    x->least += constant;
    x->most += constant;
    x->at_start += constant;
  }
  for (uint32_t i = 0; i < x->c->fluents.count; i++)
    if (wire_starts_true(x->c, x->c->fluents.items[i].now)) x->at_start += x->weights[i];
}

/* Of the fluents of a group that are not counted yet at most one holds. */
static void count_group(span_of_sum *x, const fact_set *facts, const fact *f) {
  const uint32_t *members = vec_from(&facts->members, f->first);
  int64_t least = INT64_MAX, most = INT64_MIN;
  bool may_be_none = f->kind != FACT_EXACTLY_ONE;
  for (uint32_t i = 0; i < f->count; i++) {
    const uint32_t fluent = members[i] >> 1;
    if (members[i] & 1 || x->is_counted[fluent]) {
      may_be_none = true;
      continue;
    }
    x->is_counted[fluent] = true;
    if (x->weights[fluent] < least) least = x->weights[fluent];
    if (x->weights[fluent] > most) most = x->weights[fluent];
  }
  if (least > most) return;
  x->least += may_be_none && least > 0 ? 0 : least;
  x->most += may_be_none && most < 0 ? 0 : most;
}

static void count_rest(span_of_sum *x) {
  for (uint32_t i = 0; i < x->c->fluents.count; i++) {
    if (x->is_counted[i]) continue;
    if (x->weights[i] < 0) x->least += x->weights[i];
    if (x->weights[i] > 0) x->most += x->weights[i];
  }
}

void measure_narrow(measure_list *l, const fact_set *facts, const circuit *c, bool never_grows) {
  arena *scratch = arena_new();
  span_of_sum x = {.c = c,
                   .weights = arena_zero_array(scratch, int64_t, c->fluents.count + 1),
                   .is_counted = arena_zero_array(scratch, bool, c->fluents.count + 1)};
  weigh_fluents(&x, l, &vec_last(&l->all));
  for (uint32_t i = 0; i < facts->all.count; i++)
    if (facts->all.items[i].kind != FACT_AT_LEAST_ONE) count_group(&x, facts, &facts->all.items[i]);
  count_rest(&x);
  vec_last(&l->all).range = (uint64_t)((never_grows ? x.at_start : x.most) - x.least);
  arena_free(scratch);
}

static uint64_t times(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* Within a level their sum falls; for each value of one level the next may run through all of its
   own. */
uint64_t measures_bound(const measure_list *l) {
  uint64_t bound = 1, sum = 0;
  for (uint32_t i = 0; i < l->all.count; i++) {
    sum += l->all.items[i].range;
    if (i + 1 < l->all.count && l->all.items[i + 1].level == l->all.items[i].level) continue;
    bound = times(bound, sum + 1);
    sum = 0;
  }
  return bound == UINT64_MAX ? bound : bound - 1;
}

static void print_term(const measure_term *t, const circuit *c, text *out) {
  text_add_format(out, " (%u ", t->weight);
  if (t->member & 1) text_add(out, "(not ");
  term_print(c->terms, c->fluents.items[t->member >> 1].term, NOTATION_KIF, NULL, out);
  text_add(out, t->member & 1 ? "))" : ")");
}

void measures_print(const measure_list *l, const circuit *c, text *out) {
  for (uint32_t i = 0; i < l->all.count; i++) {
    const measure *m = &l->all.items[i];
    text_add(out, "(measure");
    for (uint32_t k = 0; k < m->count; k++) print_term(&l->terms.items[m->first + k], c, out);
    text_add(out, ")\n");
  }
}
