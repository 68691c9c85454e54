#include "prove/certificate.h"

#include <string.h>

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

static void print_facts(const finding *f, const circuit *c, text *out) {
  arena *scratch = arena_new();
  fact_set merged = {.keep = scratch};
  add_merged(c, &merged);
  text_add_format(out, "(k %u)\n", f->induction);
  facts_print(&merged, c, out);
  facts_print(f->certificate, c, out);
  if (f->measures) measures_print(f->measures, c, out);
  arena_free(scratch);
}

static void print_line(const property *p, const finding *f, const circuit *c, text *out) {
  arena *scratch = arena_new();
  const char **texts = line_texts(c, &f->line, scratch);
  if (p->kind == PROPERTY_TERMINATES) text_add_format(out, "(returns-to %u)\n", f->returns_to);
  text_add(out, "(line");
  for (uint32_t i = 0; i < f->length; i++)
    for (uint32_t role = 0; role < c->roles.count; role++)
      text_add_format(out, "%s%s%s", role ? " " : "\n  (", *texts++,
                      role + 1 == c->roles.count ? ")" : "");
  text_add(out, ")\n");
  arena_free(scratch);
}

/* A formula is printed without its variables: what is checked are its instances. */
static void print_property(const property *p, const circuit *c, text *out) {
  if (!p->claim.has_variables) {
    text_add_format(out, "(property %s)\n", p->name);
    return;
  }
  arena *scratch = arena_new();
  text_add_format(out, "(property %.*s ", (int)strcspn(p->name, " \t"), p->name);
  claim_print(&p->claim, c, out, scratch);
  text_add(out, ")\n");
  arena_free(scratch);
}

static void print_walked(const property *p, const finding *f, const circuit *c, text *out) {
  print_property(p, c, out);
  text_add(out, "(exhaustive)\n");
  facts_print(f->walked, c, out);
}

void certificate_print(const property *p, const finding *f, const circuit *c, text *out) {
  assert(finding_has_certificate(p, f));
  if (f->walked) print_walked(p, f, c, out);
  if (f->walked && !f->certificate) return;
  print_property(p, c, out);
  if (f->has_line)
    print_line(p, f, c, out);
  else if (f->certificate)
    print_facts(f, c, out);
  else if (f->is_bounded)
    text_add_format(out, "(steps %u)\n", f->depth);
  else
    text_add(out, "(exhaustive)\n");
  if (f->is_walked && !f->has_line && p->kind == PROPERTY_TERMINATES)
    text_add_format(out, "(longest %u)\n", f->depth);
  if (f->is_walked && f->walk_file && !f->has_line && !f->certificate && !f->is_bounded)
    text_add_format(out, "(walk-file x%016llx)\n", (unsigned long long)f->walk_file);
}
