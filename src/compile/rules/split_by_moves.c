#include "compile/rules/split_by_moves.h"

#include "compile/rules/sibling_relation.h"

typedef struct doubler {
  flat_program *f;
  const bool *is_double; /* by flat relation, as far as there were any */
  flat_id *with_moves;   /* by flat relation: its new one, or itself */
  arena *keep;
} doubler;

static void add_relations(doubler *x) {
  flat_program *f = x->f;
  const uint32_t count = f->relations.count;
  x->with_moves = arena_new_array(x->keep, flat_id, count + 1);
  for (flat_id r = 0; r < count; r++)
    x->with_moves[r] = x->is_double[r] ? twin_relation(f, r, "moves", x->keep) : r;
}

static bool is_move(const doubler *x, const flat_literal *l) {
  return l->kind != LITERAL_DISTINCT && x->f->relations.items[l->relation].relation == SYM_DOES;
}

/* Without moves.  False: the clause waits for one. */
static bool rest_clause(doubler *x, flat_clause *c) {
  flat_program *f = x->f;
  const uint32_t body = f->literals.count;
  for (uint32_t i = 0; i < c->body_count; i++) {
    const flat_literal l = f->literals.items[c->body + i];
    if (is_move(x, &l) && l.kind == LITERAL_POSITIVE) return false;
    if (!is_move(x, &l)) vec_push(x->keep, &f->literals, l);
  }
  c->body = body;
  c->body_count = f->literals.count - body;
  return true;
}

static void move_clause(doubler *x, flat_clause *c) {
  flat_program *f = x->f;
  const uint32_t body = f->literals.count;
  for (uint32_t i = 0; i < c->body_count; i++) {
    flat_literal l = f->literals.items[c->body + i];
    if (l.kind != LITERAL_DISTINCT) l.relation = x->with_moves[l.relation];
    vec_push(x->keep, &f->literals, l);
  }
  c->head = x->with_moves[c->head];
  c->body = body;
}

void at_rest_double(flat_program *f, const bool *is_double, arena *keep) {
  doubler x = {.f = f, .is_double = is_double, .keep = keep};
  add_relations(&x);
  const uint32_t count = f->clauses.count;
  uint32_t kept = 0;
  VEC(flat_clause) moving = {0};
  for (flat_clause_id c = 0; c < count; c++) {
    flat_clause it = f->clauses.items[c];
    flat_clause twin = it;
    move_clause(&x, &twin);
    if (!is_double[it.head]) {
      f->clauses.items[kept++] = twin;
      continue;
    }
    vec_push(keep, &moving, twin);
    if (rest_clause(&x, &it)) f->clauses.items[kept++] = it;
  }
  f->clauses.count = kept;
  vec_append(keep, &f->clauses, moving.items, moving.count);
}
