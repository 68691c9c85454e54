#include "prove/prove.h"

#include "induct/induct.h"
#include "rules/analysis.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* How long a replay may take, whatever is left of the time: a line that was found should be shown.
 */
static const double replay_seconds = 60;

/* ---- jobs ---- */

static bool reads_moves_at_rest(const program *p, arena *keep) {
  analysis a;
  rules_analyse(&a, p, keep);
  return a.depends_on_does[SYM_LEGAL] || a.depends_on_does[SYM_GOAL] ||
         a.depends_on_does[SYM_TERMINAL];
}

bool job_open(prove_job *j, const program *p, prove_options o, budget *b, diag_sink *d) {
  const machine_source from = {.program = p};
  *j = (prove_job){.keep = arena_new(), .program = p, .options = o, .started = clock_now(), .d = d};
  j->facts.keep = j->walked_groups.keep = j->keep;
  if (!grounded_open(&j->g, &from, b, d)) return false;
  j->reads_moves_at_rest = reads_moves_at_rest(p, j->keep);
  if (!j->g.circuit.roles.count) diag_add(d, DIAG_E601, SPAN_NONE, "the game has no role");
  return j->g.circuit.roles.count > 0;
}

void job_close(prove_job *j) {
  job_forget_walk(j);
  if (j->has_stepper) stepper_free(&j->stepper);
  grounded_close(&j->g);
  arena_free(j->keep);
}

void job_ask(prove_job *j, const property_vec *properties) {
  j->properties = *properties;
  j->findings = arena_zero_array(j->keep, finding, properties->count + 1);
  if (j->has_rules_only) return;
  j->targets = question_targets(properties, j->keep);
  j->extras = question_extras(properties, &j->g, j->keep);
  question_circuit(&j->full, &j->g, properties, false, j->keep);
  question_circuit(&j->reduced, &j->g, properties, true, j->keep);
}

bool job_has_open(const prove_job *j, property_kind kind) {
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (j->properties.items[i].kind == kind && job_is_open(j, i)) return true;
  return false;
}

bool job_has_open_reach(const prove_job *j) {
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (property_is_reach(j->properties.items[i].kind) && job_is_open(j, i)) return true;
  return false;
}

bool job_is_settled(const prove_job *j) {
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (job_is_open(j, i)) return false;
  return true;
}

/* ---- verdicts ---- */

static bool replays(prove_job *j, uint32_t i, finding *v) {
  budget b = budget_new(replay_seconds, 0);
  witness_judge judge;
  const bool ok = judge_open(&judge, &j->g.circuit, j->program, &b, j->d) &&
                  judge_agrees(&judge, &j->properties.items[i], v, j->keep);
  judge_close(&judge);
  return ok;
}

void job_settle(prove_job *j, uint32_t i, finding v) {
  if (!job_is_open(j, i)) return;
  v.seconds = clock_now() - j->started;
  if (j->reads_moves_at_rest) { /* the checker has no clauses for that */
    v.certificate = NULL;
    v.is_bounded = false;
  }
  if (v.has_line && !replays(j, i, &v))
    job_explain(j, i, "%s found a line that machine `reference` does not confirm", v.method);
  else
    j->findings[i] = v;
}

void job_reached(prove_job *j, uint32_t i, finding v) {
  const bool is_good = j->properties.items[i].kind == PROPERTY_WINNABLE;
  v.kind = is_good ? VERDICT_PROVED : VERDICT_REFUTED;
  v.has_line = true;
  v.depth = v.length;
  job_settle(j, i, v);
}

void job_never_reached(prove_job *j, uint32_t i, finding v) {
  const bool is_good = j->properties.items[i].kind == PROPERTY_WINNABLE;
  v.kind = is_good ? VERDICT_REFUTED : VERDICT_PROVED;
  job_settle(j, i, v);
}

/* What is asked about something that never holds can be plain from the ground rules. */
static void settle_absent(prove_job *j) {
  for (uint32_t i = 0; !j->has_rules_only && i < j->properties.count; i++) {
    const char *absent = j->properties.items[i].claim.absent;
    if (!absent || j->full.goals.items[j->targets[i]].holds != WIRE_FALSE) continue;
    text why = text_new(j->keep);
    text_add_format(&why, "%s is no fluent that can ever hold: no rule that can fire gives it",
                    absent);
    job_never_reached(j, i, (finding){.method = "grounding", .reason = text_string(&why)});
  }
}

void job_explain(prove_job *j, uint32_t i, const char *format, ...) {
  if (!job_is_open(j, i)) return;
  text words = text_new(j->keep);
  va_list list;
  va_start(list, format);
  text_add_format_list(&words, format, list);
  va_end(list);
  j->findings[i].reason = text_string(&words);
}

const stepper *job_stepper(prove_job *j) {
  if (!j->has_stepper) stepper_init(&j->stepper, &j->reduced, j->keep);
  j->has_stepper = true;
  return &j->stepper;
}

typedef struct fact_watch {
  prove_job *j;
  budget *b;
  uint32_t seen; /* facts that have been looked at */
} fact_watch;

/* All facts are wanted as long as anything is open, but a counter need not wait for them. */
static bool watch_facts(void *context, const fact_set *proved) {
  fact_watch *w = context;
  termination_look(w->j, proved, w->seen, w->b);
  w->seen = proved->all.count;
  return job_is_settled(w->j);
}

const fact_set *job_facts(prove_job *j, budget *b) {
  if (!j->has_facts) job_more_facts(j, b);
  return &j->facts;
}

void job_more_facts(prove_job *j, budget *b) {
  fact_watch watch = {.j = j, .b = b};
  const induct_options o = {
      .never_true = true, .seed = j->options.seed, .is_enough = watch_facts, .context = &watch};
  induct_counts counts = {0};
  induct_find_facts(&j->facts, &j->full, o, b, &counts);
  j->has_facts = true;
  j->has_all_facts = !budget_check_now(b) && !counts.is_cut_short;
}

/* ---- methods ---- */

static void search_dead(prove_job *j, budget *b) {
  prove_dead(j, DEAD_BY_PLAY | DEAD_BY_FACTS | DEAD_BY_WALK, b);
}

/* What induction looks for on the circuit need not be looked for in the rules again. */
static void run_abstraction(prove_job *j, budget *b) {
  const abstract_options asked = j->options.abstract;
  j->options.abstract.mutexes = false;
  prove_by_abstraction(j, b);
  j->options.abstract = asked;
}

/* Nothing is open but groups, which have been looked for: what is left to do for them comes last.
 */
static bool has_only_groups_to_find(const prove_job *j) {
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (job_is_open(j, i) && !(j->has_facts && j->properties.items[i].kind == PROPERTY_MUTEX))
      return false;
  return true;
}

/* From cheap to dear.  Each gets a part of what is left, and no more seconds than it is likely to
   make good use of.  What nothing else needs goes to the search for groups. */
static void run_all(prove_job *j, budget *b) {
  static const struct {
    void (*run)(prove_job *j, budget *b);
    double part, most;
  } plan[] = {
      {prove_by_play, 0.05, 0.25},    {prove_by_walk, 0.1, 60},      {prove_by_squeezing, 0.02, 1},
      {prove_by_induction, 0.4, 600}, {prove_mutex, 0.3, 600},       {run_abstraction, 0.05, 5},
      {prove_monotone, 0.3, 600},     {prove_termination, 0.4, 600}, {prove_by_play, 0.1, 60},
      {prove_by_squeezing, 0.2, 30},  {prove_by_chance, 0.15, 60},   {search_dead, 0.3, 60},
      {prove_by_pdr, 0.5, DBL_MAX},   {prove_by_bmc, 0.5, DBL_MAX},  {prove_by_walk, 1, DBL_MAX}};
  for (size_t i = 0; i < sizeof plan / sizeof *plan && !has_only_groups_to_find(j); i++) {
    const double seconds = fmin(0.02 + budget_seconds_left(b) * plan[i].part, plan[i].most);
    budget part = budget_part(b, seconds);
    if (budget_check_now(&part)) break;
    plan[i].run(j, &part);
  }
  prove_mutex_further(j, b);
}

/* Groups are what induction finds on its way. */
static void run_induction(prove_job *j, budget *b) {
  prove_by_induction(j, b);
  prove_monotone(j, b);
  prove_mutex(j, b);
  prove_dead(j, DEAD_BY_FACTS, b);
  prove_mutex_further(j, b);
}

static void run_play(prove_job *j, budget *b) {
  prove_dead(j, DEAD_BY_PLAY, b);
  budget half = budget_part(b, budget_seconds_left(b) / 2);
  prove_by_chance(j, &half);
  prove_by_play(j, b);
}

static void run_walk(prove_job *j, budget *b) {
  prove_by_walk(j, b);
  prove_mutex_by_walk(j, b);
  prove_dead(j, DEAD_BY_WALK, b);
}

static void run_pdr(prove_job *j, budget *b) {
  prove_by_pdr(j, b);
  prove_mutex_by_pdr(j, b);
}

const prove_method prove_methods[] = {
    {"auto", "all of them, from cheap to dear", run_all, INPUT_EITHER},
    {"probe", "play at random", run_play, INPUT_CIRCUIT},
    {"squeeze", "play towards states with few moves", prove_by_squeezing, INPUT_CIRCUIT},
    {"exhaustive", "look at every reachable state", run_walk, INPUT_CIRCUIT},
    {"abstract", "first-order deduction from the rules", prove_by_abstraction, INPUT_RULES},
    {"induction", "from k steps to the next", run_induction, INPUT_CIRCUIT},
    {"termination", "a measure that every step makes smaller", prove_termination, INPUT_CIRCUIT},
    {"pdr", "clauses that no step breaks", run_pdr, INPUT_CIRCUIT},
    {"bmc", "all lines of 0, 1, 2, ... steps", prove_by_bmc, INPUT_CIRCUIT},
    {0}};

void job_end(prove_job *j) {
  for (uint32_t i = 0; i < j->properties.count; i++) {
    if (!job_is_open(j, i)) continue;
    j->findings[i].seconds = clock_now() - j->started;
    if (j->why_rules_only && !j->findings[i].reason) j->findings[i].reason = j->why_rules_only;
  }
}

void job_run(prove_job *j, const prove_method *m, budget *b) {
  settle_absent(j);
  if (!job_is_settled(j)) (j->has_rules_only ? prove_by_abstraction : m->run)(j, b);
  job_end(j);
}

const prove_method *prove_method_find(const char *name) {
  for (const prove_method *m = prove_methods; m->name; m++)
    if (strcmp(m->name, name) == 0) return m;
  return NULL;
}
