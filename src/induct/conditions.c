/* Conditions, and whether a reachable state can meet them. */
#include "induct/induct.h"

void condition_begin(induct_condition *c, arena *keep) { *c = (induct_condition){.keep = keep}; }

void condition_add(induct_condition *c, const wire *any, uint32_t count) {
  vec_append(c->keep, &c->wires, any, count);
  vec_push(c->keep, &c->ends, c->wires.count);
}

struct induct_query {
  const circuit *c;
  const fact_set *proved;
  unrolling *u;
  arena *keep;
  uint32_t conflicts;
  sat_literal *guards; /* by fact: it is assumed */
};

induct_query *induct_query_new(const circuit *c, const fact_set *proved, bool open_only,
                               induct_options o, budget *limits, arena *keep) {
  induct_query *q = arena_alloc_zero(keep, sizeof *q);
  *q = (induct_query){.c = c,
                      .proved = proved,
                      .u = unroll_new(c, false, limits),
                      .keep = keep,
                      .conflicts = induct_conflicts(o),
                      .guards = arena_new_array(keep, sat_literal, proved->all.count + 1)};
  for (uint32_t i = 0; i < proved->all.count; i++) {
    q->guards[i] = sat_variable(unroll_solver(q->u));
    fact_require(proved, c, &proved->all.items[i], q->u, 0, q->guards[i]);
  }
  if (open_only) unroll_require_open(q->u, 0);
  return q;
}

void induct_query_free(induct_query *q) {
  if (q) unroll_free(q->u);
}

bool induct_is_unreachable(induct_query *q, const induct_condition *condition, id_vec *used) {
  arena *scratch = arena_new();
  VEC(sat_literal) assumed = {0};
  for (uint32_t i = 0, first = 0; i < condition->ends.count; first = condition->ends.items[i++]) {
    VEC(sat_literal) any = {0};
    for (uint32_t k = first; k < condition->ends.items[i]; k++)
      vec_push(scratch, &any, unroll_wire(q->u, condition->wires.items[k], 0));
    vec_push(scratch, &assumed, unroll_any(q->u, any.items, any.count));
  }
  vec_append(scratch, &assumed, q->guards, q->proved->all.count);
  sat_solver *s = unroll_solver(q->u);
  const bool is_unreachable = sat_solve(s, assumed.items, assumed.count, q->conflicts) == SAT_NO;
  for (uint32_t i = 0; is_unreachable && used && i < q->proved->all.count; i++)
    if (sat_was_used(s, q->guards[i])) vec_push(q->keep, used, i);
  arena_free(scratch);
  return is_unreachable;
}
