/* The method `bdd`: every reachable state, as sets of states by level (bdd/bdd_run.h).

   Its own program finds them; lines of play are played again here, as all are. */
#include "base/process.h"
#include "bdd/bdd_run.h"
#include "prove/methods.h"

#include <stdlib.h>

static const char method[] = "bdd";

/* Groups of fluents make states short: what is not found within that part of the time is left. */
static const double part_for_facts = 0.25;

/* Of physical memory, where nobody set a limit. */
enum { MEMORY_PART = 3 };

static uint64_t bytes_for(const budget *b) {
  return b->max_bytes ? b->max_bytes : memory_of_machine() / MEMORY_PART;
}

static void settle_target(prove_job *j, uint32_t i, const bdd_answer *a, finding v) {
  const bdd_reached *reached = &a->targets[j->targets[i]];
  if (!reached->is_found && a->states) job_never_reached(j, i, v);
  if (!reached->is_found) return;
  v.depth = v.length = reached->depth;
  vec_append(j->keep, &v.line, reached->line.items, reached->line.count);
  job_reached(j, i, v);
}

static void settle_end(prove_job *j, uint32_t i, const bdd_answer *a, finding v) {
  if (a->end == BDD_END_UNKNOWN) return;
  v.kind = a->end == BDD_ENDS ? VERDICT_PROVED : VERDICT_REFUTED;
  if (a->end == BDD_ENDS) {
    v.depth = a->longest;
    v.plays = play_length_exact(a->longest);
  } else {
    v.has_line = true;
    vec_append(j->keep, &v.line, a->cycle.items, a->cycle.count);
    v.returns_to = a->returns_to;
    v.length = v.depth = v.line.count / j->reduced.roles.count;
  }
  job_settle(j, i, v);
}

static void explain_open(prove_job *j, uint32_t i, const bdd_answer *a) {
  if (a->stop && strcmp(a->stop, "recursion") == 0)
    job_explain(j, i, method, "the diagrams of a recursive rule are too large");
  else if (a->levels.count)
    job_explain(j, i, method, "found the states of %u level%s, in the last %s; %s needs more %s",
                a->levels.count, plural(a->levels.count), vec_last(&a->levels).states,
                a->states ? "whether plays end" : "it", a->stop ? "memory" : "time or memory");
  else
    job_explain(j, i, method, "no level was found within its time");
}

static void settle_all(prove_job *j, const bdd_answer *a) {
  const finding v = {.method = method,
                     .states = a->states ? strtoull(a->states, NULL, 10) : 0,
                     .depth = a->levels.count ? a->levels.count - 1 : 0,
                     .is_walked = a->states};
  for (uint32_t i = 0; i < j->properties.count; i++) {
    if (!job_is_open(j, i)) continue;
    if (j->targets[i] != ID_NONE) settle_target(j, i, a, v);
    if (j->properties.items[i].kind == PROPERTY_TERMINATES) settle_end(j, i, a, v);
    if (job_is_open(j, i)) explain_open(j, i, a);
  }
}

void prove_by_diagrams(prove_job *j, budget *b) {
  arena *keep = arena_new();
  bdd_encoding e;
  bdd_answer a;
  diag_sink d = {.keep = keep};
  budget for_facts = budget_part(b, budget_seconds_left(b) * part_for_facts);
  bdd_encode(&e, &j->reduced, job_facts(j, &for_facts), keep);
  const bdd_wish wish = {.bytes = bytes_for(b),
                         .depth = UINT32_MAX,
                         .asks_ends = job_has_open(j, PROPERTY_TERMINATES)};
  bdd_run(&a, &j->reduced, &e, wish, NULL, NULL, keep, b, &d);
  settle_all(j, &a);
  arena_free(keep);
}
