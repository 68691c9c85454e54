/* Facts of certificates as clauses over ground rules. */
#include "certify/evidence.h"

uint32_t fact_ways_to_break(ground_clauses *c, const claim_fact *f, const clause_literal *fluents,
                            clause_literal *ways) {
  clause_literal some = -c->truth;
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->members.count; i++) {
    const clause_literal l = f->members.items[i].negated ? -fluents[i] : fluents[i];
    if (f->at_most) ways[count++] = clauses_all(c, (const clause_literal[]){some, l}, 2);
    some = clauses_any(c, (const clause_literal[]){some, l}, 2);
  }
  if (f->at_least) ways[count++] = -some;
  return count;
}

clause_literal fact_broken(ground_clauses *c, const claim_fact *f, const clause_literal *fluents,
                           arena *scratch) {
  const arena_mark mark = arena_save(scratch);
  clause_literal *ways = arena_new_array(scratch, clause_literal, f->members.count + 1);
  const clause_literal found = clauses_any(c, ways, fact_ways_to_break(c, f, fluents, ways));
  arena_restore(scratch, mark);
  return found;
}

static clause_literal broken_at(ground_clauses *c, const claim_fact *f, uint32_t time,
                                arena *scratch) {
  const arena_mark mark = arena_save(scratch);
  clause_literal *fluents = arena_new_array(scratch, clause_literal, f->members.count + 1);
  for (uint32_t i = 0; i < f->members.count; i++)
    fluents[i] = c->moments.items[time].fluents[f->members.items[i].fluent];
  const clause_literal found = fact_broken(c, f, fluents, scratch);
  arena_restore(scratch, mark);
  return found;
}

clause_literal facts_broken(ground_clauses *c, const claim_facts *facts, uint32_t time) {
  arena *scratch = arena_new();
  clause_literal *all = arena_new_array(scratch, clause_literal, facts->count + 1);
  for (uint32_t i = 0; i < facts->count; i++)
    all[i] = broken_at(c, &facts->items[i], time, scratch);
  const clause_literal found = clauses_any(c, all, facts->count);
  arena_free(scratch);
  return found;
}

void facts_require(ground_clauses *c, const claim_facts *facts, uint32_t time) {
  const clause_literal all_hold = -facts_broken(c, facts, time);
  clauses_add(c, &all_hold, 1);
}

bool fact_holds(const claim_fact *f, const bool *fluents) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->members.count; i++)
    count += fluents[f->members.items[i].fluent] != f->members.items[i].negated;
  return !(f->at_least && !count) && !(f->at_most && count > 1);
}
