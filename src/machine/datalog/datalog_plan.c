#include "machine/datalog/datalog_plan.h"

#include "base/graph.h"
#include "machine/datalog/datalog_counting.h"
#include "machine/datalog/datalog_literal_order.h"

static const symbol_id keyword_of[DL_QUESTION_COUNT] = {SYM_TERMINAL, SYM_LEGAL, SYM_GOAL, SYM_NEXT,
                                                        SYM_SEES};

/* ---- components ---- */

typedef struct planning {
  dl_plan *p;
  const flat_program *f; /* the dynamic clauses */
  arena *keep;
  arena *scratch;
  budget *limits;
  graph reads; /* of flat relations */
} planning;

static void find_components(planning *x) {
  id_vec tails = {0};
  id_vec heads = {0};
  for (flat_clause_id c = 0; c < x->f->clauses.count; c++) {
    const flat_clause *it = &x->f->clauses.items[c];
    for (uint32_t i = 0; i < it->body_count; i++) {
      const flat_literal *l = &x->f->literals.items[it->body + i];
      if (l->kind == LITERAL_DISTINCT) continue;
      vec_push(x->scratch, &tails, it->head);
      vec_push(x->scratch, &heads, l->relation);
    }
  }
  const uint32_t relations = x->f->relations.count;
  x->reads = graph_new(x->scratch, relations, tails.items, heads.items, tails.count);
  x->p->component = arena_new_array(x->keep, uint32_t, relations);
  x->p->is_read = arena_zero_array(x->keep, bool, relations);
  for (uint32_t i = 0; i < heads.count; i++) x->p->is_read[heads.items[i]] = true;
  x->p->component_count = graph_components(&x->reads, x->p->component, x->scratch);
  x->p->components = arena_zero_array(x->keep, dl_component, x->p->component_count);
  for (uint32_t c = 0; c < x->p->component_count; c++) x->p->components[c].denier = ID_NONE;
  for (flat_id r = 0; r < relations; r++) {
    dl_component *c = &x->p->components[x->p->component[r]];
    vec_push(x->keep, &c->relations, r);
    if (x->p->r->layers[r] > c->layer) c->layer = x->p->r->layers[r];
  }
}

static bool is_inside(const planning *x, const flat_clause *c, const flat_literal *l,
                      literal_kind kind) {
  return l->kind == kind && x->p->component[l->relation] == x->p->component[c->head];
}

/* Facts without places are numbered by name: their clauses are evaluated after all. */
static void drop_inertia_without_places(dl_plan *p) {
  const flat_program *f = &p->r->dynamic;
  for (flat_clause_id c = 0; c < f->clauses.count; c++) {
    const flat_id head = f->clauses.items[c].head;
    if (!p->inertia.is_skipped[c] || p->layouts[head].size) continue;
    p->inertia.is_skipped[c] = false;
    p->inertia.keeps[head] = DL_RENEWED;
  }
}

/* Relations that their own component denies get a second set of rows. */
static void find_denied(planning *x) {
  dl_plan *p = x->p;
  p->rows_count = x->f->relations.count;
  p->denied = arena_new_array(x->keep, uint32_t, p->rows_count);
  for (flat_id r = 0; r < p->rows_count; r++) p->denied[r] = r;
  for (flat_clause_id c = 0; c < x->f->clauses.count; c++) {
    const flat_clause *it = &x->f->clauses.items[c];
    for (uint32_t i = 0; i < it->body_count; i++) {
      const flat_literal *l = &x->f->literals.items[it->body + i];
      if (!is_inside(x, it, l, LITERAL_NEGATIVE)) continue;
      p->components[x->p->component[it->head]].denier = c;
      if (p->denied[l->relation] == l->relation) p->denied[l->relation] = p->rows_count++;
    }
  }
}

static void make_shapes(planning *x) {
  dl_plan *p = x->p;
  dl_inertia_find(&p->inertia, p->r, x->keep);
  p->layouts = dl_layouts_make(p->r, &p->inertia, x->keep);
  drop_inertia_without_places(p);
  dl_inertia_drop_ceasing(&p->inertia, p->r);
  dl_guards_make(&p->guards, p->r, p->layouts, x->keep);
  p->shapes = arena_zero_array(x->keep, dl_shape, p->rows_count);
  for (flat_id r = 0; r < x->f->relations.count; r++) {
    p->shapes[r].layout = p->shapes[p->denied[r]].layout = &p->layouts[r];
    if (p->layouts[r].arity > p->arity_max) p->arity_max = p->layouts[r].arity;
  }
  for (uint32_t i = 0; i < p->rows_count; i++) {
    const dl_layout *l = p->shapes[i].layout;
    if (l->size) continue; /* else the first index tells whether a row is there */
    uint32_t *columns = arena_new_array(x->scratch, uint32_t, l->arity + 1);
    for (uint32_t c = 0; c < l->arity; c++) columns[c] = c;
    dl_index_on(&p->shapes[i], columns, l->arity, x->keep);
  }
}

/* ---- code ---- */

void dl_plan_note_sizes(dl_plan *p, const dl_code *code) {
  const uint32_t variables = p->r->dynamic.clauses.items[code->clause].variable_count;
  if (variables > p->variables_max) p->variables_max = variables;
  if (code->step_count > p->steps_max) p->steps_max = code->step_count;
}

/* A clause that reads its own component is run for each literal that does so, else once. */
static void compile_clause(planning *x, const dl_compiler *compiler, flat_clause_id c) {
  const flat_clause *it = &x->f->clauses.items[c];
  dl_component *part = &x->p->components[x->p->component[it->head]];
  bool is_recursive = false;
  dl_code code;
  for (uint32_t i = 0; i < it->body_count; i++) {
    const flat_literal *l = &x->f->literals.items[it->body + i];
    if (!is_inside(x, it, l, LITERAL_POSITIVE)) continue;
    is_recursive = true;
    dl_compile(&code, compiler, c, i);
    dl_plan_note_sizes(x->p, &code);
    const dl_trigger t = {l->relation, code};
    vec_push(x->keep, &part->triggers, t);
  }
  if (is_recursive) return;
  dl_compile(&code, compiler, c, DL_NOTHING);
  dl_guard_code(&code, &x->p->guards, x->p->r, x->p->layouts);
  dl_plan_note_sizes(x->p, &code);
  vec_push(x->keep, &part->codes, code);
}

static void compile_all(planning *x) {
  const dl_compiler compiler = {.r = x->p->r,
                                .layouts = x->p->layouts,
                                .shapes = x->p->shapes,
                                .denied = x->p->denied,
                                .keep = x->keep};
  for (flat_clause_id c = 0; c < x->f->clauses.count && !budget_is_spent(x->limits); c++)
    if (!x->p->inertia.is_skipped[c]) compile_clause(x, &compiler, c);
  dl_counting_plan(x->p, &compiler, x->keep, x->limits);
}

/* ---- questions ---- */

/* Components are numbered in the order of evaluation. */
static void find_needs(planning *x, dl_question q) {
  dl_plan *p = x->p;
  bool *is_needed = arena_zero_array(x->scratch, bool, p->component_count);
  const flat_program *f = &p->r->flat;
  const symbol_id keyword = keyword_of[q];
  for (uint32_t i = f->relations_from[keyword]; i < f->relations_from[keyword + 1]; i++)
    is_needed[x->p->component[f->relations_by_source.items[i]]] = true;
  for (uint32_t c = p->component_count; c-- > 0;) {
    if (!is_needed[c]) continue;
    const dl_component *part = &p->components[c];
    for (uint32_t i = 0; i < part->relations.count; i++) {
      const flat_id r = part->relations.items[i];
      for (uint32_t e = x->reads.from[r]; e < x->reads.from[r + 1]; e++)
        is_needed[x->p->component[x->reads.to[e]]] = true;
    }
  }
  for (uint32_t c = 0; c < p->component_count; c++) {
    const dl_component *part = &p->components[c];
    if (!is_needed[c]) continue;
    p->reads_moves[q] |= part->layer == DL_MOVE;
    if (part->codes.count || part->triggers.count) vec_push(x->keep, &p->needs[q], c);
  }
}

/* ---- the static facts ---- */

static void take_facts(dl_plan *p, arena *keep, budget *limits) {
  p->facts = arena_zero_array(keep, dl_rows, p->rows_count);
  for (flat_id r = 0; r < p->r->flat.relations.count; r++) {
    if (p->r->layers[r] != DL_STATIC) continue;
    const table *from = &p->r->facts[r];
    dl_rows *to = &p->facts[r];
    dl_rows_init(to, &p->shapes[r], keep);
    for (uint32_t row = 0; row < from->count && !budget_is_spent(limits); row++)
      dl_rows_add(to, table_row(from, row));
    for (uint32_t i = 0; i < p->shapes[r].indexes.count; i++) dl_rows_update(to, i);
  }
}

void dl_plan_make(dl_plan *p, const dl_rules *r, arena *keep, budget *limits) {
  *p = (dl_plan){.r = r};
  planning x = {.p = p, .f = &r->dynamic, .keep = keep, .scratch = arena_new(), .limits = limits};
  find_components(&x);
  find_denied(&x);
  make_shapes(&x);
  compile_all(&x);
  for (dl_question q = 0; q < DL_QUESTION_COUNT; q++) find_needs(&x, q);
  take_facts(p, keep, limits);
  arena_free(x.scratch);
}
