#include "circuit/circuit.h"

#include "circuit/passes.h"

/* Circuits with more inputs than this are not made smaller: that takes longer than it saves. */
enum { LARGE = 1 << 19 };

static void count_pass(circuit *c, const char *pass, const move_sets *sets, double *since) {
  const double now = clock_now();
  circuit_count n = {.pass = pass, .latches = c->latches.count, .seconds = now - *since};
  for (gate_id g = 0; g < c->gates.count; g++) {
    const gate it = c->gates.items[g];
    if (it.kind == GATE_AND) {
      n.gates++;
      n.inputs += it.input_count;
    } else if (it.kind == GATE_MOVE_SET) {
      n.sets++;
      n.inputs += sets->sets.items[it.number].count;
    }
  }
  c->counts[c->pass_count++] = n;
  *since = now;
}

bool circuit_build(circuit *c, const ground_program *g, arena *keep, budget *limits, diag_sink *d) {
  double since = clock_now();
  arena *first = arena_new(), *second = arena_new();
  move_sets sets;
  circuit rules, merged, realised, factored;
  if (limits) limits->stage = "building the circuit";
  budget_watch(limits, first);
  budget_watch(limits, second);
  const bool ok = circuit_from_rules(&rules, &sets, g, first, limits, d);
  if (ok) {
    count_pass(&rules, "rules", &sets, &since);
    circuit_merge_latches(&merged, &rules, &sets, second);
    count_pass(&merged, "latches merged", &sets, &since);
    const bool is_large = merged.inputs.count > LARGE;
    circuit_realise_sets(is_large ? c : &realised, &merged, &sets, is_large ? keep : second);
    count_pass(is_large ? c : &realised, "moves realised", &sets, &since);
    arena_clear(first);
    if (!is_large) {
      circuit_factor(&factored, &realised, first);
      count_pass(&factored, "factored", &sets, &since);
      circuit_share_pairs(c, &factored, keep, limits);
      count_pass(c, "pairs shared", &sets, &since);
    }
  }
  budget_unwatch(limits, first);
  budget_unwatch(limits, second);
  arena_free(first);
  arena_free(second);
  return ok;
}
