#include "machine/datalog/datalog_layout.h"

#include "base/bitset.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 1 << 16 }; /* cells of a table of rows by place */

typedef struct domains {
  const dl_rules *r;
  arena *keep;
  arena *scratch;
  bitset **columns; /* by flat relation and column: constants */
} domains;

/* ---- what a column can hold ---- */

static bitset *domains_of_facts(const domains *x, flat_id r) {
  const table *t = &x->r->facts[r];
  bitset *columns = arena_new_array(x->scratch, bitset, t->arity);
  for (uint32_t c = 0; c < t->arity; c++) columns[c] = bitset_new(x->scratch, x->r->constant_count);
  if (x->r->layers[r] != DL_STATIC) return columns;
  for (uint32_t row = 0; row < t->count; row++)
    for (uint32_t c = 0; c < t->arity; c++) bitset_add(columns[c], table_row(t, row)[c]);
  return columns;
}

/* False: nothing is left. */
static bool intersect(bitset to, bitset with) {
  uint64_t left = 0;
  for (uint32_t i = 0; i < bitset_words(to); i++) left |= to.words[i] &= with.words[i];
  return left;
}

static bool unite(bitset to, bitset with) {
  bool changed = false;
  for (uint32_t i = 0; i < bitset_words(to); i++) {
    changed |= with.words[i] & ~to.words[i];
    to.words[i] |= with.words[i];
  }
  return changed;
}

/* Narrows the variables to what the literal's columns hold.  False: it can never hold. */
static bool narrow_by_literal(const domains *x, const flat_literal *l, bitset *variables) {
  const flat_program *f = &x->r->flat;
  for (uint32_t c = 0; c < f->relations.items[l->relation].arity; c++) {
    const term_id arg = flat_args(f, l->args)[c];
    const bitset column = x->columns[l->relation][c];
    if (term_is_variable(f->terms, arg)
            ? !intersect(variables[term_variable_number(f->terms, arg)], column)
            : !bitset_has(column, arg))
      return false;
  }
  return true;
}

static bool widen_head(const domains *x, const flat_clause *c, const bitset *variables) {
  const flat_program *f = &x->r->flat;
  bool changed = false;
  for (uint32_t i = 0; i < f->relations.items[c->head].arity; i++) {
    const term_id arg = flat_args(f, c->head_args)[i];
    const bitset column = x->columns[c->head][i];
    if (term_is_variable(f->terms, arg))
      changed |= unite(column, variables[term_variable_number(f->terms, arg)]);
    else
      changed |= bitset_insert(column, arg);
  }
  return changed;
}

/* True: some column has got wider. */
static bool run_clause(const domains *x, const flat_clause *c) {
  const arena_mark mark = arena_save(x->scratch);
  bitset *variables = arena_new_array(x->scratch, bitset, c->variable_count);
  for (uint32_t v = 0; v < c->variable_count; v++) {
    variables[v] = bitset_new(x->scratch, x->r->constant_count);
    memset(variables[v].words, 0xff, bitset_words(variables[v]) * sizeof(uint64_t));
  }
  bool fires = true;
  for (uint32_t i = 0; i < c->body_count && fires; i++) {
    const flat_literal *l = &x->r->flat.literals.items[c->body + i];
    if (l->kind == LITERAL_POSITIVE) fires = narrow_by_literal(x, l, variables);
  }
  const bool changed = fires && widen_head(x, c, variables);
  arena_restore(x->scratch, mark);
  return changed;
}

static void find_domains(domains *x) {
  const flat_program *f = &x->r->flat;
  x->columns = arena_new_array(x->scratch, bitset *, f->relations.count);
  for (flat_id r = 0; r < f->relations.count; r++) x->columns[r] = domains_of_facts(x, r);
  for (bool changed = true; changed;) {
    changed = false;
    for (flat_clause_id c = 0; c < f->clauses.count; c++)
      if (x->r->layers[f->clauses.items[c].head] != DL_STATIC)
        changed |= run_clause(x, &f->clauses.items[c]);
  }
}

/* ---- places ---- */

typedef struct text_order {
  const term_table *terms;
  char after; /* what follows the constant in the text of the fact */
} text_order;

static int byte_at(slice s, size_t at, char after) {
  return (unsigned char)(at < s.length ? s.start[at] : after);
}

static int compare_in_text(const void *left, const void *right, void *context) {
  const text_order *o = context;
  const slice a =
      symbol_canonical(o->terms->symbols, term_get(o->terms, *(const term_id *)left)->name);
  const slice b =
      symbol_canonical(o->terms->symbols, term_get(o->terms, *(const term_id *)right)->name);
  const size_t common = a.length < b.length ? a.length : b.length;
  const int order = common ? memcmp(a.start, b.start, common) : 0;
  return order ? order : byte_at(a, common, o->after) - byte_at(b, common, o->after);
}

/* What follows each hole of a skeleton in its text. */
static void find_followers(const term_table *t, term_id skeleton, char after, char *followers) {
  const term it = *term_get(t, skeleton);
  if (it.is_variable) followers[it.name] = after;
  for (uint32_t i = 0; i < it.arg_count && !it.is_variable; i++)
    find_followers(t, t->args.items[it.args + i], i + 1u < it.arg_count ? ' ' : ')', followers);
}

static void list_values(const domains *x, dl_column *column, bitset domain, char after) {
  text_order order = {&x->r->terms, after};
  column->values = arena_new_array(x->keep, term_id, bitset_count(domain));
  for (term_id t = 0; t < x->r->constant_count; t++)
    if (bitset_has(domain, t)) column->values[column->value_count++] = t;
  qsort_r(column->values, column->value_count, sizeof(term_id), compare_in_text, &order);
}

static void number_values(const domains *x, dl_column *column) {
  column->parts = arena_new_array(x->keep, uint32_t, x->r->constant_count);
  column->codes = arena_new_array(x->keep, uint32_t, x->r->constant_count);
  for (uint32_t i = 0; i < x->r->constant_count; i++)
    column->parts[i] = column->codes[i] = DL_ABSENT;
  for (uint32_t i = 0; i < column->value_count; i++) {
    column->parts[column->values[i]] = i * column->stride;
    column->codes[column->values[i]] = i;
  }
}

/* 0: there are too many. */
static uint32_t count_places(const bitset *columns, uint32_t arity) {
  uint64_t size = 1;
  if (arity > DL_ARITY_MAX) return 0;
  for (uint32_t c = 0; c < arity; c++) {
    const uint32_t values = bitset_count(columns[c]);
    size *= values ? values : 1;
    if (size > DL_PLACES_MAX) return 0;
  }
  return (uint32_t)size;
}

static void fill_rows(dl_layout *l, arena *keep) {
  if ((uint64_t)l->size * l->arity > ROWS_MAX) return;
  term_id *rows = arena_zero_array(keep, term_id, (size_t)l->size * l->arity + 1);
  for (uint32_t place = 0; place < l->size; place++)
    dl_layout_row(l, place, rows + (size_t)place * l->arity);
  l->rows = rows;
}

static dl_layout layout_new(const domains *x, flat_id r) {
  const flat_relation *it = &x->r->flat.relations.items[r];
  dl_layout l = {.arity = it->arity, .constant_count = x->r->constant_count};
  if (x->r->has_generic) return l;
  l.size = count_places(x->columns[r], it->arity);
  if (!l.size) return l;
  char *followers = arena_zero_array(x->scratch, char, it->arity + 1);
  find_followers(&x->r->terms, it->skeleton, '\0', followers);
  l.columns = arena_zero_array(x->keep, dl_column, it->arity);
  uint32_t stride = 1;
  for (uint32_t c = it->arity; c-- > 0;) {
    l.columns[c].stride = stride;
    list_values(x, &l.columns[c], x->columns[r][c], followers[c]);
    number_values(x, &l.columns[c]);
    stride *= l.columns[c].value_count ? l.columns[c].value_count : 1;
  }
  fill_rows(&l, x->keep);
  return l;
}

/* What ceases has the places of what is true: every fluent that ceases is. */
static void share_with_ceasing(const domains *x, const dl_inertia *n, dl_layout *layouts) {
  for (flat_id i = 0; i < x->r->flat.relations.count; i++)
    if (n->keeps[i] < DL_ALWAYS_KEPT) layouts[n->keeps[i]] = layouts[i];
}

static dl_layout *layout_all(const domains *x, const dl_inertia *n) {
  const dl_rules *r = x->r;
  dl_layout *layouts = arena_new_array(x->keep, dl_layout, r->flat.relations.count);
  for (flat_id i = 0; i < r->flat.relations.count; i++) layouts[i] = layout_new(x, i);
  for (flat_id i = 0; i < r->flat.relations.count; i++) {
    const relation_id source = r->flat.relations.items[i].relation;
    const flat_id same = source == SYM_NEXT   ? dl_under_keyword(r, i, SYM_TRUE)
                         : source == SYM_DOES ? dl_under_keyword(r, i, SYM_LEGAL)
                                              : ID_NONE;
    if (same != ID_NONE) layouts[i] = layouts[same];
  }
  share_with_ceasing(x, n, layouts);
  return layouts;
}

dl_layout *dl_layouts_make(const dl_rules *r, const dl_inertia *n, arena *keep) {
  domains x = {.r = r, .keep = keep, .scratch = arena_new()};
  if (!r->has_generic) find_domains(&x);
  dl_layout *layouts = layout_all(&x, n);
  arena_free(x.scratch);
  return layouts;
}

void dl_layout_row(const dl_layout *l, uint32_t place, term_id *row) {
  if (l->rows) {
    memcpy(row, l->rows + (size_t)place * l->arity, l->arity * sizeof *row);
    return;
  }
  for (uint32_t c = 0; c < l->arity; c++) {
    const dl_column *column = &l->columns[c];
    row[c] = column->value_count ? column->values[place / column->stride % column->value_count] : 0;
  }
}
