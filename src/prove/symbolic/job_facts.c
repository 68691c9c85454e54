/* The facts that induction proves of a game, found once for all methods. */
#include "induct/induct.h"
#include "prove/methods.h"

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
