#include "compile/frozen.h"

#include "compile/strata.h"
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
    if (f->relations.items[to].relation == keyword && strata_map_columns(f, r, to, &m, x->keep) &&
        strata_map_columns(f, to, r, &m, x->keep))
      return to;
  }
  return ID_NONE;
}

/* next(f) <= true(f), whatever f is. */
static bool keeps_all(const freezer *x, const flat_clause *c, flat_id held) {
  const flat_program *f = x->f;
  const flat_literal *l = vec_from(&f->literals, c->body);
  if (c->body_count != 1 || l->kind != LITERAL_POSITIVE || l->relation != held ||
      !flat_head_is_open(f, c))
    return false;
  for (uint32_t i = 0; i < f->relations.items[held].arity; i++)
    if (flat_args(f, c->head_args)[i] != flat_args(f, l->args)[i]) return false;
  return true;
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

void fluents_freeze(flat_program *f, arena *keep) {
  freezer x = {.f = f, .keep = keep};
  const uint32_t count = f->relations.count;
  find_rules(&x);
  for (flat_id held = 0; held < count; held++) {
    if (f->relations.items[held].relation != SYM_TRUE) continue;
    const flat_id next = same_shape(&x, held, SYM_NEXT);
    if (next == ID_NONE || x.rule_count[next] != 1) continue;
    const flat_clause keeping = f->clauses.items[x.rule[next]];
    if (keeps_all(&x, &keeping, held))
      read_frozen(&x, held, add_frozen(&x, held, &keeping), x.rule[next]);
  }
}
