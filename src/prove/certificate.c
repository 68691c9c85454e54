#include "prove/certificate.h"

/* What the circuit takes for granted: fluents that are constant, and fluents that share a latch. */
static void add_merged(const circuit *c, fact_set *out) {
  for (uint32_t i = 0; i < c->fluents.count; i++) {
    const wire now = c->fluents.items[i].now;
    if (wire_is_constant(now)) {
      fact_add(out, FACT_AT_LEAST_ONE, (const uint32_t[]){i << 1 | (now == WIRE_FALSE)}, 1);
      continue;
    }
    const uint32_t first = c->latches.items[c->gates.items[wire_gate(now)].number].fluent;
    if (first == i) continue;
    const bool differs = wire_is_negated(now) != wire_is_negated(c->fluents.items[first].now);
    fact_add(out, FACT_EXACTLY_ONE, (const uint32_t[]){first << 1, i << 1 | !differs}, 2);
  }
}

void certificate_print(const property *p, const finding *f, const circuit *c, text *out) {
  arena *scratch = arena_new();
  fact_set merged = {.keep = scratch};
  add_merged(c, &merged);
  text_add_format(out, "(property %s)\n(k %u)\n", p->name, f->induction);
  facts_print(&merged, c, out);
  facts_print(f->certificate, c, out);
  arena_free(scratch);
}
