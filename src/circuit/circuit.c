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

/* All passes but the first; false: a limit was reached. */
static bool improve(circuit *c, const circuit *rules, const move_sets *sets, arena *keep,
                    budget *limits, double *since) {
  arena *scratch = arena_new();
  circuit merged, factored;
  budget_watch(limits, scratch);
  const bool is_large = rules->inputs.count > LARGE;
  circuit_merge_latches(is_large ? c : &merged, rules, sets, is_large ? keep : scratch, limits);
  count_pass(is_large ? c : &merged, "latches merged", NULL, since);
  if (!is_large) {
    circuit_factor(&factored, &merged, scratch, limits);
    count_pass(&factored, "factored", NULL, since);
    circuit_share_pairs(c, &factored, keep, limits);
    count_pass(c, "pairs shared", NULL, since);
  }
  budget_unwatch(limits, scratch);
  arena_free(scratch);
  return !budget_is_spent(limits);
}

bool circuit_build(circuit *c, const ground_program *g, arena *keep, budget *limits, diag_sink *d) {
  double since = clock_now();
  arena *scratch = arena_new();
  move_sets sets;
  circuit rules;
  if (limits) limits->stage = "building the circuit";
  budget_watch(limits, scratch);
  bool ok = circuit_from_rules(&rules, &sets, g, scratch, limits, d);
  if (ok) {
    count_pass(&rules, "rules", &sets, &since);
    ok = improve(c, &rules, &sets, keep, limits, &since);
    if (!ok) budget_report(limits, d, "building the circuit");
  }
  budget_unwatch(limits, scratch);
  arena_free(scratch);
  return ok;
}
