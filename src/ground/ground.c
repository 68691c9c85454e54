#include "ground/ground.h"

#include "ground/external.h"
#include "ground/ground_sound.h"
#include "ground/instantiate.h"
#include "ground/others/bounded_terms.h"
#include "ground/simplify/ground_strata.h"
#include "ground/simplify/simplify.h"

#include <assert.h>
#include <string.h>

static const char *const method_names[] = {"native", "asp", "prolog"};

const char *ground_method_name(ground_method m) { return method_names[m]; }

bool ground_method_find(const char *name, ground_method *m) {
  for (size_t i = 0; i < sizeof method_names / sizeof *method_names; i++) {
    if (strcmp(name, method_names[i]) != 0) continue;
    *m = (ground_method)i;
    return true;
  }
  return false;
}

static uint64_t count_static_facts(const bases *b) {
  uint64_t facts = 0;
  for (flat_id r = 0; r < b->rules.program.relations.count; r++)
    if (!b->rules.is_open[r] && b->rules.origin[r] == ORIGIN_RULES)
      facts += b->facts.tables[r].count;
  return facts;
}

/* Seconds since `*since`, which is set to now. */
static double lap(double *since) {
  const double now = clock_now();
  const double seconds = now - *since;
  *since = now;
  return seconds;
}

static void begin_stage(budget *limits, const char *words) {
  if (limits) limits->stage = words;
}

static bool ground_natively(ground_program *g, const program *p, ground_options o, arena *keep,
                            budget *limits, diag_sink *d, ground_stats *stats,
                            bool *is_stratified) {
  double since = clock_now();
  bases b;
  begin_stage(limits, "finding what can be true and what can be done");
  bool ok = bases_compute(&b, p, o.bases, keep, limits, d) &&
            (!o.optimise || bases_decompose(&b, keep, limits, d));
  stats->seconds_bases = lap(&since);
  begin_stage(limits, "writing the ground rules");
  ok = ok && instantiate(g, &b, keep, limits, d);
  if (ok) {
    stats->facts = count_static_facts(&b);
    g->is_derived &= o.bases != BASES_DECLARED; /* those may hold what cannot come about */
  }
  stats->seconds_instantiate = lap(&since);
  *is_stratified = b.is_stratified;
  bases_free(&b);
  return ok;
}

static void simplify(ground_program *g, bool optimise, budget *limits) {
  ground_fold_constants(g, optimise, limits);
  if (!optimise) {
    ground_index_rules(g);
    ground_drop_unneeded(g);
    return;
  }
  arena *scratch = arena_new();
  ground_index_minimal_rules(g);
  const bitset without_moves = ground_read_without_moves(g, scratch);
  ground_complement_moves(g, without_moves);
  ground_drop_unneeded_but(g, without_moves);
  arena_free(scratch);
}

static void count_sizes(const ground_program *g, ground_stats *stats) {
  stats->fluents = g->fluents.count;
  stats->moves = g->moves.count;
  stats->rules = g->rules.count;
  stats->literals = g->literals.count;
  stats->components = ground_components(g);
}

/* By the method that was asked for. */
static bool ground_somehow(ground_program *g, const program *p, ground_options o, arena *keep,
                           budget *limits, diag_sink *d, ground_stats *stats, bool *is_stratified) {
  if (o.method == METHOD_NATIVE)
    return ground_natively(g, p, o, keep, limits, d, stats, is_stratified);
  if (!terms_are_bounded(p, o.bases, limits, d)) return false;
  analysis a;
  rules_analyse(&a, p, keep);
  *is_stratified = a.stratified;
  return o.method == METHOD_ASP ? ground_with_gringo(g, p, o.bases, keep, limits, d)
                                : ground_with_prolog(g, p, o.bases, keep, limits, d);
}

void ground_order_roles(ground_program *g, const program *p) {
  arena *scratch = arena_new();
  term_id *terms = arena_new_array(scratch, term_id, g->roles.count + 1);
  for (uint32_t i = 0; i < g->roles.count; i++) terms[i] = g->roles.items[i].term;
  program_order_roles(p, g->terms, terms, g->roles.count);
  for (uint32_t i = 0; i < g->roles.count; i++) g->roles.items[i].term = terms[i];
  arena_free(scratch);
}

bool ground_rules(ground_program *g, const program *p, ground_options o, arena *keep,
                  budget *limits, diag_sink *d, ground_stats *stats) {
  *stats = (ground_stats){0};
  const double start = clock_now();
  bool is_stratified = true;
  if (!ground_somehow(g, p, o, keep, limits, d, stats, &is_stratified)) return false;
  double since = clock_now();
  stats->instances = o.method == METHOD_NATIVE ? g->rules.count : 0;
  simplify(g, o.optimise, limits);
  if (limits && limits->end != BUDGET_LEFT) {
    budget_report(limits, d, "the ground rules were made, but not simplified");
    return false;
  }
  assert(ground_is_sound(g));
  stats->seconds_simplify = lap(&since);
  stats->seconds_total = since - start;
  stats->peak_bytes = memory_peak();
  count_sizes(g, stats);
  return is_stratified || ground_is_stratified(g, p, d);
}

/* A proposition for each atom, a conjunction for each body of several literals, a disjunction for
   each atom of several rules, a negation for each atom that is negated somewhere. */
uint64_t ground_components(const ground_program *g) {
  arena *scratch = arena_new();
  const bitset negated = bitset_new(scratch, g->atoms.count);
  uint64_t count = g->atoms.count;
  for (uint32_t r = 0; r < g->rules.count; r++) count += g->rules.items[r].body_count > 1;
  for (atom_id a = 0; a < g->atoms.count; a++) count += g->rules_of[a + 1] - g->rules_of[a] > 1;
  for (uint32_t i = 0; i < g->literals.count; i++)
    if (literal_is_negated(g->literals.items[i]))
      bitset_add(negated, literal_atom(g->literals.items[i]));
  count += bitset_count(negated);
  arena_free(scratch);
  return count;
}
