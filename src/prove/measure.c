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
