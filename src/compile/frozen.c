#include "compile/frozen.h"

#include "compile/columns.h"
#include "compile/twin.h"

typedef struct freezer {
  flat_program *f;
  uint32_t *rule_count; /* by flat relation */
  flat_clause_id *rule; /* by flat relation: its last rule */
  arena *keep;
} freezer;

static void find_rules(freezer *x) {
  const uint32_t count = x->f->relations.count;
  x->rule_count = arena_zero_array(x->keep, uint32_t, count + 1);
  x->rule = arena_new_array(x->keep, flat_clause_id, count + 1);
  for (flat_clause_id c = 0; c < x->f->clauses.count; c++) {
    const flat_id head = x->f->clauses.items[c].head;
    x->rule_count[head]++;
    x->rule[head] = c;
  }
}

/* The relation with this keyword whose atoms hold the same terms; ID_NONE: there is none. */
static flat_id same_shape(const freezer *x, flat_id r, relation_id keyword) {
  const flat_program *f = x->f;
  for (flat_id to = 0; to < f->relations.count; to++) {
    column_map m;
    if (f->relations.items[to].relation == keyword && columns_map(f, r, to, &m, x->keep) &&
        columns_map(f, to, r, &m, x->keep))
      return to;
  }
  return ID_NONE;
}

/* Facts of the initial state, under a name of their own. */
static flat_id add_frozen(freezer *x, flat_id held, const flat_clause *keeping) {
  const flat_id frozen = twin_relation(x->f, held, "always", x->keep);
  const flat_id init = same_shape(x, held, SYM_INIT);
  if (init == ID_NONE) return frozen;
  flat_clause c = *keeping;
  c.head = frozen;
  c.body = x->f->literals.count;
  vec_push(x->keep, &x->f->literals, ((flat_literal){LITERAL_POSITIVE, init, c.head_args}));
  vec_push(x->keep, &x->f->clauses, c);
  return frozen;
}

/* All but the rule that keeps them read the facts that never change. */
static void read_frozen(freezer *x, flat_id held, flat_id frozen, flat_clause_id keeping) {
  for (flat_clause_id c = 0; c < x->f->clauses.count; c++) {
    const flat_clause *it = &x->f->clauses.items[c];
    for (uint32_t i = it->body; c != keeping && i < it->body + it->body_count; i++) {
      flat_literal *l = &x->f->literals.items[i];
      if (l->kind != LITERAL_DISTINCT && l->relation == held) l->relation = frozen;
    }
  }
}

void fluents_freeze(flat_program *f, const bool *is_spared, arena *keep) {
  freezer x = {.f = f, .keep = keep};
  const uint32_t count = f->relations.count;
  find_rules(&x);
  for (flat_id held = 0; held < count; held++) {
    if (f->relations.items[held].relation != SYM_TRUE || is_spared[held]) continue;
    const flat_id next = same_shape(&x, held, SYM_NEXT);
    if (next == ID_NONE || x.rule_count[next] != 1) continue;
    const flat_clause keeping = f->clauses.items[x.rule[next]];
    if (clause_keeps_all(f, &keeping, keep))
      read_frozen(&x, held, add_frozen(&x, held, &keeping), x.rule[next]);
  }
}
