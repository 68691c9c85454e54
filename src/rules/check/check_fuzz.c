/* Any bytes: read, build, analyse and check them, and print what became of them.  Every fault
   has a place inside the text, words, and sound second places. */
#include "rules/check.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
  if (!holds) abort();
}

static void check_span(span where, const source *s) {
  require(where.start <= where.end);
  require(where.end <= s->length || where.start == UINT32_MAX);
}

static void check_faults(const diag_sink *d, const source *s) {
  for (uint32_t i = 0; i < d->all.count; i++) {
    const diag *g = &d->all.items[i];
    require(g->message && g->message[0]);
    check_span(g->where, s);
    for (const diag_related *r = g->related; r; r = r->next) check_span(r->where, s);
  }
}

static void print_clauses(const program *p, arena *keep) {
  text out = text_new(keep);
  for (clause_id c = 0; c < p->clauses.count && out.length < 1000000; c++)
    clause_print(p, c, NOTATION_KIF, &out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  arena *keep = arena_new();
  arena *scratch = arena_new();
  const char *bytes = arena_copy_text(keep, (const char *)data, size);
  const source s = source_of("fuzz", bytes, (uint32_t)size);
  diag_sink d;
  diag_sink_init(&d, keep);
  tree t;
  program p;
  analysis a;
  tree_read(&t, &s, symbols_new(keep), keep, &d);
  rules_build(&p, &t, keep, &d);
  rules_analyse(&a, &p, keep);
  rules_check(&p, &a, scratch, NULL, &d);
  check_faults(&d, &s);
  print_clauses(&p, keep);
  arena_free(keep);
  arena_free(scratch);
  return 0;
}
