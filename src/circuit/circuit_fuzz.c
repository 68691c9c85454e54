/* Any bytes: read them as rules, ground them and build the circuit, all with small budgets.  When
   it is finished, it must say what the ground rules say after random moves. */
#include "circuit/circuit_model_fixture.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RULES_MAX = 20000, STEPS = 6 };

static void require(bool holds) {
  if (!holds) abort();
}

static void try_circuit(const ground_program *g, rng r, arena *keep, diag_sink *d) {
  budget limits = budget_new(1, (size_t)64 << 20);
  circuit c;
  const uint32_t errors = d->errors;
  if (circuit_build(&c, g, keep, &limits, d))
    require(circuit_differs(g, &c, STEPS, r, keep) == NULL);
  else
    require(d->errors > errors);
}

static void try_program(const program *p, bool optimise, rng r, arena *keep, diag_sink *d) {
  budget limits = budget_new(0.2, (size_t)64 << 20);
  ground_program g;
  ground_stats stats;
  const ground_options how = {.optimise = optimise};
  budget_watch(&limits, keep);
  if (ground_rules(&g, p, how, keep, &limits, d, &stats) && g.rules.count < RULES_MAX) {
    ground_name_atoms(&g);
    try_circuit(&g, r, keep, d);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  arena *keep = arena_new();
  const char *bytes = arena_copy_text(keep, (const char *)data, size);
  const source s = source_of("fuzz", bytes, (uint32_t)size);
  const rng r = rng_new(hash_bytes(data, size), 0);
  diag_sink d;
  tree t;
  program p;
  diag_sink_init(&d, keep);
  tree_read(&t, &s, symbols_new(keep), keep, &d);
  rules_build(&p, &t, keep, &d);
  try_program(&p, true, r, keep, &d);
  try_program(&p, false, r, keep, &d);
  arena_free(keep);
  return 0;
}
