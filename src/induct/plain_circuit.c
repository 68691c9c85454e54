#include "induct/plain_circuit.h"

#include "circuit/passes.h"

bool induct_build_circuit(circuit *c, const ground_program *g, arena *keep, budget *limits,
                          diag_sink *d) {
  arena *scratch = arena_new();
  circuit rules;
  bool ok = circuit_from_rules(&rules, g, scratch, limits, d) && !budget_check_now(limits);
  if (ok) {
    circuit_merge_latches(c, &rules, keep, limits);
    ok = !budget_is_spent(limits);
  }
  arena_free(scratch);
  return ok;
}
