#include "compile/rules/frozen_fluents.h"

#include "compile/rules/keyword_columns.h"
#include "compile/rules/sibling_relation.h"

/* The relation with this keyword whose atoms hold the same terms; ID_NONE: there is none. */
static flat_id same_shape(const flat_program *f, flat_id r, relation_id keyword, arena *keep) {
  for (flat_id to = 0; to < f->relations.count; to++) {
    column_map m;
    if (f->relations.items[to].relation == keyword && columns_map(f, r, to, &m, keep) &&
        columns_map(f, to, r, &m, keep))
      return to;
  }
  return ID_NONE;
}

/* Facts of the initial state, under a name of their own. */
static flat_id add_frozen(flat_program *f, flat_id held, const flat_clause *keeping, arena *keep) {
  const flat_id frozen = sibling_relation_add(f, held, "always", keep);
  const flat_id init = same_shape(f, held, SYM_INIT, keep);
  if (init == ID_NONE) return frozen;
  flat_clause c = *keeping;
  c.head = frozen;
  c.body = f->literals.count;
  vec_push(keep, &f->literals, ((flat_literal){LITERAL_POSITIVE, init, c.head_args}));
  vec_push(keep, &f->clauses, c);
  return frozen;
}

/* All but the rule that keeps them read the facts that never change. */
static void read_frozen(flat_program *f, flat_id held, flat_id frozen, flat_clause_id keeping) {
  for (flat_clause_id c = 0; c < f->clauses.count; c++) {
    const flat_clause *it = &f->clauses.items[c];
    for (uint32_t i = it->body; c != keeping && i < it->body + it->body_count; i++) {
      flat_literal *l = &f->literals.items[i];
      if (l->kind != LITERAL_DISTINCT && l->relation == held) l->relation = frozen;
    }
  }
}

void fluents_freeze(flat_program *f, const bool *is_spared, arena *keep) {
  const uint32_t count = f->relations.count;
  const flat_clause_id *only_rule = flat_only_clauses(f, keep);
  for (flat_id held = 0; held < count; held++) {
    if (f->relations.items[held].relation != SYM_TRUE || is_spared[held]) continue;
    const flat_id next = same_shape(f, held, SYM_NEXT, keep);
    const flat_clause_id rule = next == ID_NONE ? ID_NONE : only_rule[next];
    if (rule == ID_NONE || !clause_keeps_all(f, &f->clauses.items[rule], keep)) continue;
    const flat_clause keeping = f->clauses.items[rule];
    read_frozen(f, held, add_frozen(f, held, &keeping, keep), rule);
    f->relations.items[held].is_frozen = true;
  }
}
