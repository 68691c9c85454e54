#include "circuit/circuit.h"

#include "circuit/circuit_sound.h"
#include "circuit/passes.h"
#include "ground/ground_sound.h"

#include <assert.h>

/* One of the moves of a role, as a gate: the conjunction of their negations. */
static bool is_move_set(const circuit *c, gate_id g) {
  const wire *inputs = gate_inputs(c, g);
  for (uint32_t i = 0; i < c->gates.items[g].input_count; i++)
    if (!wire_is_negated(inputs[i]) || c->gates.items[wire_gate(inputs[i])].kind != GATE_MOVE)
      return false;
  return true;
}

static void count_pass(circuit *c, const char *pass, double *since) {
  const double now = clock_now();
  circuit_count n = {.pass = pass, .latches = c->latches.count, .seconds = now - *since};
  for (gate_id g = 0; g < c->gates.count; g++) {
    if (c->gates.items[g].kind != GATE_AND) continue;
    n.gates++;
    n.inputs += c->gates.items[g].input_count;
    n.sets += is_move_set(c, g);
  }
  c->counts[c->pass_count++] = n;
  *since = now;
}

/* The gates are still the same. */
static void count_merged_latches(circuit *c, const wire *merged, double *since) {
  const double now = clock_now();
  circuit_count n = c->counts[c->pass_count - 1];
  n.pass = "latches merged";
  n.seconds = now - *since;
  for (uint32_t i = 0; i < c->latches.count; i++) n.latches -= merged[i] != ID_NONE;
  c->counts[c->pass_count++] = n;
  *since = now;
}

/* Gives the gates back early. */
static void release_gates(circuit *c, arena *keep) {
  arena_release(keep, c->gates.items, c->gates.capacity * sizeof *c->gates.items);
  arena_release(keep, c->inputs.items, c->inputs.capacity * sizeof *c->inputs.items);
}

/* All passes but the first; false: a limit was reached. */
static bool improve(circuit *c, arena *keep, budget *limits, double *since) {
  arena *scratch = arena_new();
  budget_watch(limits, scratch);
  const wire *merged = circuit_find_equal_latches(c, scratch, limits);
  count_merged_latches(c, merged, since);
  circuit shared;
  if (circuit_share_pairs(&shared, c, merged, keep, limits)) {
    release_gates(c, keep);
    *c = shared;
  }
  count_pass(c, "pairs shared", since);
  budget_unwatch(limits, scratch);
  arena_free(scratch);
  return !budget_is_spent(limits);
}

bool circuit_build(circuit *c, const ground_program *g, arena *keep, budget *limits, diag_sink *d) {
  double since = clock_now();
  assert(ground_is_sound(g));
  if (limits) limits->stage = "building the circuit";
  if (!circuit_from_rules(c, g, keep, limits, d)) return false;
  count_pass(c, "rules", &since);
  const bool ok = improve(c, keep, limits, &since);
  assert(circuit_is_sound(c));
  if (!ok) budget_report(limits, d, "building the circuit");
  return ok;
}
