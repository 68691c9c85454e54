/* The property `mutex`: groups of fluents of which at most one, or exactly one, holds.  They are
   among the facts that induction proves (induct.h), and the facts together are their proof. */
#include "induct/induct.h"
#include "prove/prove.h"

static const char method[] = "induction";

/* ---- groups among facts ---- */

static bool is_group(const fact *f) { return f->count > 1 && f->kind != FACT_AT_LEAST_ONE; }

static bool are_members(const fact_set *s, const fact *f, const bitset all) {
  for (uint32_t i = 0; i < f->count; i++)
    if (!bitset_has(all, s->members.items[f->first + i])) return false;
  return true;
}

/* Marks what says no more than fact number `larger` does: at most one of a part of it. */
static void mark_implied(const fact_set *s, uint32_t larger, const bitset members, bitset implied) {
  const fact *whole = &s->all.items[larger];
  for (uint32_t i = 0; i < whole->count; i++)
    bitset_add(members, s->members.items[whole->first + i]);
  for (uint32_t k = 0; k < s->all.count; k++) {
    const fact *f = &s->all.items[k];
    if (k == larger || f->kind != FACT_AT_MOST_ONE || f->count > whole->count) continue;
    if (are_members(s, f, members)) bitset_add(implied, k);
  }
  for (uint32_t i = 0; i < whole->count; i++)
    bitset_remove(members, s->members.items[whole->first + i]);
}

/* Those that do not follow from another. */
static const fact_set *groups_of(const fact_set *facts, const circuit *c, arena *keep) {
  fact_set *groups = arena_zero_array(keep, fact_set, 1);
  const bitset members = bitset_new(keep, 2 * c->fluents.count + 1);
  const bitset implied = bitset_new(keep, facts->all.count + 1);
  groups->keep = keep;
  for (uint32_t i = 0; i < facts->all.count; i++) {
    const fact *f = &facts->all.items[i];
    if (is_group(f) && !bitset_has(implied, i)) mark_implied(facts, i, members, implied);
  }
  for (uint32_t i = 0; i < facts->all.count; i++) {
    const fact *f = &facts->all.items[i];
    if (is_group(f) && !bitset_has(implied, i))
      fact_add(groups, f->kind, vec_from(&facts->members, f->first), f->count);
  }
  return groups;
}

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

/* That there is none is an answer, too, but none that could be checked. */
void prove_mutex(prove_job *j, budget *b) {
  if (!job_has_open(j, PROPERTY_MUTEX)) return;
  const fact_set *facts = job_facts(j, b);
  const fact_set *groups = groups_of(facts, &j->g.circuit, j->keep);
  const finding v = {.kind = VERDICT_PROVED,
                     .method = method,
                     .depth = 1,
                     .certificate = groups->all.count ? facts : NULL,
                     .groups = groups,
                     .reason = words_of_groups(groups, j->has_all_facts, j->keep)};
  for (uint32_t i = 0; i < j->properties.count; i++) {
    if (j->properties.items[i].kind != PROPERTY_MUTEX) continue;
    if (groups->all.count || j->is_sure_of_facts)
      job_settle(j, i, v);
    else
      job_explain(j, i,
                  j->has_all_facts
                      ? "induction: no group was proved, and some questions were too hard"
                      : "induction: the search for groups did not come to its end");
  }
}

static bool asks_for_groups(const prove_job *j) {
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (j->properties.items[i].kind == PROPERTY_MUTEX) return true;
  return false;
}

/* It is open again meanwhile, so that nobody thinks that there are facts enough. */
void prove_mutex_further(prove_job *j, budget *b) {
  if (!j->has_facts || j->has_all_facts || !asks_for_groups(j) || budget_check_now(b)) return;
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (j->properties.items[i].kind == PROPERTY_MUTEX) j->findings[i] = (finding){0};
  job_more_facts(j, b);
  prove_mutex(j, b);
}
