#include "compile/rules/split_by_moves.h"

#include "compile/rules/sibling_relation.h"

typedef struct splitter {
  flat_program *f;
  const bool *is_split; /* by flat relation, as far as there were any */
  flat_id *with_moves;  /* by flat relation: its new one, or itself */
  arena *keep;
} splitter;

static void add_relations(splitter *x) {
  flat_program *f = x->f;
  const uint32_t count = f->relations.count;
  x->with_moves = arena_new_array(x->keep, flat_id, count + 1);
  for (flat_id r = 0; r < count; r++)
    x->with_moves[r] = x->is_split[r] ? sibling_relation_add(f, r, "moves", x->keep) : r;
}

static bool is_move(const splitter *x, const flat_literal *l) {
  return l->kind != LITERAL_DISTINCT && x->f->relations.items[l->relation].relation == SYM_DOES;
}

/* Without moves.  False: the clause waits for one. */
static bool rest_clause(splitter *x, flat_clause *c) {
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

static void move_clause(splitter *x, flat_clause *c) {
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

void relations_split_by_moves(flat_program *f, const bool *is_split, arena *keep) {
  splitter x = {.f = f, .is_split = is_split, .keep = keep};
  add_relations(&x);
  const uint32_t count = f->clauses.count;
  uint32_t kept = 0;
  VEC(flat_clause) moving = {0};
  for (flat_clause_id c = 0; c < count; c++) {
    flat_clause it = f->clauses.items[c];
    flat_clause with_moves = it;
    move_clause(&x, &with_moves);
    if (!is_split[it.head]) {
      f->clauses.items[kept++] = with_moves;
      continue;
    }
    vec_push(keep, &moving, with_moves);
    if (rest_clause(&x, &it)) f->clauses.items[kept++] = it;
  }
  f->clauses.count = kept;
  vec_append(keep, &f->clauses, moving.items, moving.count);
}
