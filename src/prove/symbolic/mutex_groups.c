#include "prove/symbolic/mutex_groups.h"

#include "base/bitset.h"

static bool is_group(const fact *f) { return f->count > 1 && f->kind != FACT_AT_LEAST_ONE; }

static bool are_members(const fact_set *s, const fact *f, const bitset all) {
  for (uint32_t i = 0; i < f->count; i++)
    if (!bitset_has(all, s->members.items[f->first + i])) return false;
  return true;
}

/* Marks what says no more of the one set than a fact of the other does: at most one of a part of
   it.  `self`: the number of the fact where the sets are the same. */
static void mark_implied(const fact_set *s, const fact_set *by, const fact *larger, uint32_t self,
                         const bitset members, bitset implied) {
  for (uint32_t i = 0; i < larger->count; i++)
    bitset_add(members, by->members.items[larger->first + i]);
  for (uint32_t k = 0; k < s->all.count; k++) {
    const fact *f = &s->all.items[k];
    if (k == self || f->kind != FACT_AT_MOST_ONE || f->count > larger->count) continue;
    if (are_members(s, f, members)) bitset_add(implied, k);
  }
  for (uint32_t i = 0; i < larger->count; i++)
    bitset_remove(members, by->members.items[larger->first + i]);
}

const fact_set *groups_among(const fact_set *facts, const circuit *c, arena *keep) {
  fact_set *groups = arena_zero_array(keep, fact_set, 1);
  const bitset members = bitset_new(keep, 2 * c->fluents.count + 1);
  const bitset implied = bitset_new(keep, facts->all.count + 1);
  groups->keep = keep;
  for (uint32_t i = 0; i < facts->all.count; i++) {
    const fact *f = &facts->all.items[i];
    if (is_group(f) && !bitset_has(implied, i)) mark_implied(facts, facts, f, i, members, implied);
  }
  for (uint32_t i = 0; i < facts->all.count; i++)
    if (is_group(&facts->all.items[i]) && !bitset_has(implied, i))
      fact_copy(groups, facts, &facts->all.items[i]);
  return groups;
}

void groups_add_open(fact_set *open, const fact_set *candidates, const fact_set *known,
                     const circuit *c) {
  arena *scratch = arena_new();
  const bitset members = bitset_new(scratch, 2 * c->fluents.count + 1);
  const bitset implied = bitset_new(scratch, candidates->all.count + 1);
  for (uint32_t i = 0; i < known->all.count; i++)
    if (is_group(&known->all.items[i]))
      mark_implied(candidates, known, &known->all.items[i], ID_NONE, members, implied);
  for (uint32_t i = 0; i < candidates->all.count; i++) {
    const fact *f = &candidates->all.items[i];
    if (!is_group(f) || bitset_has(implied, i)) continue;
    if (fact_find(known, candidates, f, f->kind) == ID_NONE &&
        fact_find(open, candidates, f, f->kind) == ID_NONE)
      fact_copy(open, candidates, f);
  }
  arena_free(scratch);
}
