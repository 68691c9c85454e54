#include "machine/datalog/datalog_acyclic_recursion.h"

#include "base/graph.h"

/* More ties are not looked at. */
enum { TIES_MAX = 1 << 16 };

/* A recursive use: the clause, the literal of its own relation, and the static literal that ties
   its values to those of the head. */
typedef struct tie {
  const flat_clause *clause;
  const flat_literal *used;
  const flat_literal *by;
} tie;

typedef struct ranking {
  const dl_rules *r;
  flat_id relation;
  uint32_t arity;
  VEC(tie) ties;
  uint32_t columns; /* one bit each: those that all ties tell of */
  table nodes;      /* values in these columns */
  id_vec tails, heads;
  arena *scratch;
} ranking;

static const term_id *args_of(const ranking *x, const flat_literal *l) {
  return flat_args(&x->r->dynamic, l->args);
}

/* The column of a variable in the static literal; UINT32_MAX: it is not there. */
static uint32_t column_of(const ranking *x, const flat_literal *by, term_id variable) {
  const uint32_t arity = x->r->dynamic.relations.items[by->relation].arity;
  if (!term_is_variable(&x->r->terms, variable)) return UINT32_MAX;
  for (uint32_t c = 0; c < arity; c++)
    if (args_of(x, by)[c] == variable) return c;
  return UINT32_MAX;
}

/* The columns whose values before and after the static literal tells. */
static uint32_t columns_of(const ranking *x, const tie *t) {
  uint32_t columns = 0;
  for (uint32_t c = 0; c < x->arity; c++) {
    const term_id after = flat_args(&x->r->dynamic, t->clause->head_args)[c];
    const term_id before = args_of(x, t->used)[c];
    if (column_of(x, t->by, after) != UINT32_MAX && column_of(x, t->by, before) != UINT32_MAX)
      columns |= UINT32_C(1) << c;
  }
  return columns;
}

/* Takes the static literal that determines most columns.  False: none determines any. */
static bool add_tie(ranking *x, const flat_clause *c, const flat_literal *used) {
  tie best = {c, used, NULL};
  uint32_t columns = 0;
  for (uint32_t i = 0; i < c->body_count; i++) {
    const flat_literal *l = &x->r->dynamic.literals.items[c->body + i];
    if (l->kind != LITERAL_POSITIVE || x->r->layers[l->relation] != DL_STATIC) continue;
    const tie t = {c, used, l};
    const uint32_t its = columns_of(x, &t);
    if (__builtin_popcount(its) <= __builtin_popcount(columns)) continue;
    best = t;
    columns = its;
  }
  x->columns &= columns;
  vec_push(x->scratch, &x->ties, best);
  return x->columns != 0;
}

static bool find_ties(ranking *x) {
  const flat_program *f = &x->r->dynamic;
  for (flat_clause_id c = 0; c < f->clauses.count; c++) {
    const flat_clause *it = &f->clauses.items[c];
    for (uint32_t i = 0; it->head == x->relation && i < it->body_count; i++) {
      const flat_literal *l = &f->literals.items[it->body + i];
      if (l->kind == LITERAL_POSITIVE && l->relation == x->relation && !add_tie(x, it, l))
        return false;
    }
  }
  return true;
}

/* The node of a fact's values, as a fact of the static literal determines them. */
static uint32_t node_of(ranking *x, const tie *t, const term_id *args, const term_id *fact) {
  term_id values[DL_ARITY_MAX];
  uint32_t count = 0;
  for (uint32_t c = 0; c < x->arity; c++)
    if (x->columns >> c & 1) values[count++] = fact[column_of(x, t->by, args[c])];
  return table_insert(&x->nodes, values);
}

static bool add_edges(ranking *x, const tie *t) {
  const table *facts = &x->r->facts[t->by->relation];
  if (facts->count + x->tails.count > TIES_MAX) return false;
  for (uint32_t row = 0; row < facts->count; row++) {
    const term_id *fact = table_row(facts, row);
    const uint32_t before = node_of(x, t, args_of(x, t->used), fact);
    const uint32_t after = node_of(x, t, flat_args(&x->r->dynamic, t->clause->head_args), fact);
    if (before == after) return false;
    vec_push(x->scratch, &x->tails, before);
    vec_push(x->scratch, &x->heads, after);
  }
  return true;
}

static bool has_no_cycle(const ranking *x) {
  const uint32_t nodes = x->nodes.count;
  const graph g = graph_new(x->scratch, nodes, x->tails.items, x->heads.items, x->tails.count);
  uint32_t *component = arena_new_array(x->scratch, uint32_t, nodes);
  return graph_components(&g, component, x->scratch) == nodes;
}

bool dl_recursion_is_acyclic(const dl_plan *p, flat_id relation) {
  ranking x = {.r = p->r,
               .relation = relation,
               .arity = p->layouts[relation].arity,
               .columns = UINT32_MAX,
               .scratch = arena_new()};
  bool ok = x.arity <= DL_ARITY_MAX && find_ties(&x);
  table_init(&x.nodes, (uint32_t)__builtin_popcount(x.columns), x.scratch);
  for (uint32_t i = 0; i < x.ties.count && ok; i++) ok = add_edges(&x, &x.ties.items[i]);
  ok = ok && has_no_cycle(&x);
  arena_free(x.scratch);
  return ok;
}
