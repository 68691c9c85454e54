/* The property `mutex`: groups of fluents of which at most one, or exactly one, holds.  They are
   among the facts that induction proves (induct.h), and the facts together are their proof.  What
   induction leaves open is asked in other ways (mutex_open.h). */
#include "prove/symbolic/mutex_open.h"

#include "prove/symbolic/mutex_groups.h"

#include <math.h>

/* ---- words ---- */

static void add_count(text *words, uint32_t count, const char *how) {
  if (!count) return;
  text_add_format(words, "%s%u group%s of which %s", words->length ? ", " : "", count,
                  plural(count), how);
}

static const char *words_of_groups(const fact_set *groups, bool are_all, arena *keep) {
  uint32_t counts[FACT_AT_LEAST_ONE + 1] = {0};
  text words = text_new(keep);
  for (uint32_t i = 0; i < groups->all.count; i++) counts[groups->all.items[i].kind]++;
  add_count(&words, counts[FACT_EXACTLY_ONE], "exactly one holds");
  add_count(&words, counts[FACT_AT_MOST_ONE], "at most one holds");
  if (!groups->all.count) text_add(&words, NO_GROUP_WORDS);
  if (!are_all) text_add(&words, "; the search for more did not come to its end");
  return text_string(&words);
}

/* ---- all ---- */

static bool asks_for_groups(const prove_job *j) {
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (j->properties.items[i].kind == PROPERTY_MUTEX) return true;
  return false;
}

static const fact_set *all_groups(const prove_job *j) {
  fact_set all = {.keep = j->keep};
  facts_add_all(&all, &j->facts);
  facts_add_all(&all, &j->walked_groups);
  return groups_among(&all, &j->g.circuit, j->keep);
}

static bool has_group(const prove_job *j) {
  return groups_among(&j->facts, &j->g.circuit, j->keep)->all.count > 0;
}

/* That there is none is an answer, too, but none that could be checked. */
static void settle_groups(prove_job *j) {
  const fact_set *groups = all_groups(j);
  const bool are_all = j->has_all_groups || (j->has_all_facts && !j->leaves_groups);
  const bool is_walked = j->walked_groups.all.count > 0;
  const finding v = {.kind = VERDICT_PROVED,
                     .method = j->groups_by,
                     .depth = is_walked || !groups->all.count ? 0 : 1,
                     .states = is_walked ? j->walked_states : 0,
                     .certificate = has_group(j) ? &j->facts : NULL,
                     .walked = is_walked ? &j->walked_groups : NULL,
                     .groups = groups,
                     .may_grow = !j->has_all_groups,
                     .reason = words_of_groups(groups, are_all, j->keep)};
  for (uint32_t i = 0; i < j->properties.count; i++) {
    if (j->properties.items[i].kind != PROPERTY_MUTEX || j->is_told[i]) continue;
    j->findings[i] = (finding){.attempts = j->findings[i].attempts};
    if (groups->all.count || j->has_all_groups)
      job_settle(j, i, v);
    else
      job_explain(j, i, j->groups_by, "%s",
                  are_all
                      ? "no group was proved, but there are candidates that nothing speaks against"
                      : "the search for groups did not come to its end");
  }
}

void prove_mutex(prove_job *j, budget *b) {
  if (!job_has_open(j, PROPERTY_MUTEX)) return;
  job_facts(j, b);
  j->groups_by = "induction";
  if (!has_group(j)) mutex_open_by_walk(j, b);
  settle_groups(j);
}

/* The property is open again meanwhile, so that nobody thinks that there are facts enough. */
static void go_on_with_facts(prove_job *j, budget *b) {
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (j->properties.items[i].kind == PROPERTY_MUTEX && !j->is_told[i])
      j->findings[i] = (finding){.attempts = j->findings[i].attempts};
  job_more_facts(j, b);
}

/* Seconds for a part of the search: not all that are left, and no more than has been worth while so
   far, or a few. */
static double share(const prove_job *j, const budget *b, double part) {
  static const double few = 1;
  return fmin(part * budget_seconds_left(b), fmax(few, clock_now() - j->started));
}

void prove_mutex_by_walk(prove_job *j, budget *b) {
  if (!asks_for_groups(j)) return;
  j->groups_by = "exhaustive";
  mutex_open_by_walk(j, b);
  settle_groups(j);
}

void prove_mutex_by_pdr(prove_job *j, budget *b) {
  if (!asks_for_groups(j)) return;
  j->groups_by = "pdr";
  mutex_open_one_by_one(j, b);
  settle_groups(j);
}

void prove_mutex_further(prove_job *j, budget *b) {
  if (!j->has_facts || !asks_for_groups(j) || budget_check_now(b)) return;
  budget for_walk = budget_part(b, share(j, b, 0.15));
  if (!j->has_all_groups) mutex_open_by_walk(j, &for_walk);
  budget for_facts = budget_part(b, 0.8 * budget_seconds_left(b));
  if (!j->has_all_groups && !j->has_all_facts) go_on_with_facts(j, &for_facts);
  budget for_each = budget_part(b, share(j, b, 1));
  if (!j->has_all_groups && !budget_check_now(b)) mutex_open_one_by_one(j, &for_each);
  settle_groups(j);
}
