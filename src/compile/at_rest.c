#include "compile/at_rest.h"

typedef struct doubler {
  flat_program *f;
  const bool *is_double; /* by flat relation, as far as there were any */
  flat_id *with_moves;   /* by flat relation: its new one, or itself */
  arena *keep;
} doubler;

static symbol_id fresh_name(doubler *x, symbol_id plain) {
  symbol_table *symbols = x->f->source->symbols;
  const slice stem = symbol_name(symbols, plain);
  text name = text_new(x->keep);
  text_add_format(&name, "%.*s#moves", (int)stem.length, stem.start);
  while (symbol_find(symbols, (slice){name.bytes, name.length}) != SYM_NONE)
    text_add_char(&name, '#');
  return symbol_intern(symbols, (slice){name.bytes, name.length});
}

static void add_relations(doubler *x) {
  flat_program *f = x->f;
  const uint32_t count = f->relations.count;
  x->with_moves = arena_new_array(x->keep, flat_id, count + 1);
  for (flat_id r = 0; r < count; r++) {
    x->with_moves[r] = x->is_double[r] ? f->relations.count : r;
    if (!x->is_double[r]) continue;
    flat_relation twin = f->relations.items[r];
    const term it = *term_get(f->terms, twin.skeleton);
    term_id *args = arena_new_array(x->keep, term_id, it.arg_count + 1);
    for (uint32_t i = 0; i < it.arg_count; i++) args[i] = term_arg(f->terms, twin.skeleton, i);
    twin.relation = RELATION_NONE;
    twin.skeleton = term_compound(f->terms, fresh_name(x, it.name), args, it.arg_count);
    vec_push(x->keep, &f->relations, twin);
  }
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
