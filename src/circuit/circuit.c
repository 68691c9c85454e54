#include "circuit/circuit.h"

#include "circuit/passes.h"

/* Circuits with more inputs than this are not made smaller: that takes longer than it saves. */
enum { LARGE = 1 << 19 };

static void count_pass(circuit *c, const char *pass, const move_sets *sets, uint32_t latches,
                       double *since) {
  const double now = clock_now();
  circuit_count n = {.pass = pass, .latches = latches, .seconds = now - *since};
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

/* Gives the gates back early. */
static void release_gates(circuit *c, arena *keep) {
  arena_release(keep, c->gates.items, c->gates.capacity * sizeof *c->gates.items);
  arena_release(keep, c->inputs.items, c->inputs.capacity * sizeof *c->inputs.items);
}

static uint32_t count_kept(const circuit *c, const wire *merged) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < c->latches.count; i++) kept += merged[i] == ID_NONE;
  return kept;
}

/* Makes the gates of `rules` fewer. */
static void make_smaller(circuit *c, circuit *rules, const move_sets *sets, arena *keep,
                         arena *scratch, budget *limits, double *since) {
  const wire *merged = circuit_find_equal_latches(rules, sets, scratch, limits);
  count_pass(rules, "latches merged", sets, count_kept(rules, merged), since);
  circuit_factor(c, rules, merged, sets, keep, limits);
  count_pass(c, "factored", NULL, c->latches.count, since);
  circuit shared;
  if (circuit_share_pairs(&shared, c, keep, limits)) {
    release_gates(c, keep);
    *c = shared;
  }
  count_pass(c, "pairs shared", NULL, c->latches.count, since);
}

/* All passes but the first; false: a limit was reached. */
static bool improve(circuit *c, circuit *rules, const move_sets *sets, arena *keep, budget *limits,
                    double *since) {
  arena *scratch = arena_new();
  budget_watch(limits, scratch);
  if (rules->inputs.count > LARGE) {
    circuit_merge_latches(c, rules, sets, keep, limits);
    count_pass(c, "latches merged", NULL, c->latches.count, since);
  } else {
    make_smaller(c, rules, sets, keep, scratch, limits, since);
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
    count_pass(&rules, "rules", &sets, rules.latches.count, &since);
    ok = improve(c, &rules, &sets, keep, limits, &since);
    if (!ok) budget_report(limits, d, "building the circuit");
  }
  budget_unwatch(limits, scratch);
  arena_free(scratch);
  return ok;
}
