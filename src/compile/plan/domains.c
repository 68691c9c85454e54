#include "compile/plan/domains.h"

#include "base/bitset.h"
#include "compile/rules/keyword_columns.h"
#include "datalog/flat_roles.h"

#include <stdlib.h>
#include <string.h>

typedef struct finder {
  domains *d;
  const normal_program *n;
  arena *keep;
  arena *scratch;
  budget *limits;
  uint32_t column_count;
  uint32_t *constant_of; /* by term: its number among the constants, or ID_NONE */
  term_id *constants;
  uint32_t constant_count;
  bitset *held;        /* by column */
  uint32_t *parent;    /* by column: union-find */
  bitset *of_variable; /* room for the variables of one clause */
  bool *is_met;        /* by variable of one clause */
  uint32_t *column_of_variable;
} finder;

static const flat_program *program_of(const finder *x) { return &x->n->flat; }

static uint32_t column_at(const finder *x, flat_id r, uint32_t i) {
  return x->d->first_column[r] + i;
}

/* ---- constants ---- */

static void note_constant(finder *x, term_id t) {
  if (term_is_variable(program_of(x)->terms, t) || x->constant_of[t] != ID_NONE) return;
  x->constant_of[t] = x->constant_count;
  x->constants[x->constant_count++] = t;
}

static void note_constants(finder *x) {
  const flat_program *f = program_of(x);
  const uint32_t terms = f->terms->terms.count;
  x->constant_of = arena_new_array(x->scratch, uint32_t, terms);
  x->constants = arena_new_array(x->scratch, term_id, terms);
  memset(x->constant_of, 0xff, terms * sizeof *x->constant_of);
  for (uint32_t i = 0; i < f->args.count; i++) note_constant(x, f->args.items[i]);
  for (flat_id r = 0; r < f->relations.count; r++) {
    if (!x->n->is_permanent[r]) continue;
    const table *t = &x->n->facts[r];
    for (uint32_t i = 0; i < t->count * t->arity; i++) note_constant(x, t->cells.items[i]);
  }
}

static void number_columns(finder *x) {
  const flat_program *f = program_of(x);
  x->d->first_column = arena_new_array(x->keep, uint32_t, f->relations.count + 1);
  for (flat_id r = 0; r < f->relations.count; r++) {
    x->d->first_column[r] = x->column_count;
    x->column_count += f->relations.items[r].arity;
  }
  x->held = arena_new_array(x->scratch, bitset, x->column_count + 1);
  for (uint32_t i = 0; i < x->column_count; i++)
    x->held[i] = bitset_new(x->scratch, x->constant_count);
}

static void hold_permanent_facts(finder *x) {
  for (flat_id r = 0; r < program_of(x)->relations.count; r++) {
    if (!x->n->is_permanent[r]) continue;
    const table *t = &x->n->facts[r];
    for (uint32_t row = 0; row < t->count; row++)
      for (uint32_t i = 0; i < t->arity; i++)
        bitset_add(x->held[column_at(x, r, i)], x->constant_of[table_row(t, row)[i]]);
  }
}

/* ---- what columns hold ---- */

static bool add_all(bitset to, bitset from) {
  bool changed = false;
  for (uint32_t i = 0; i < bitset_words(to); i++) {
    changed |= (from.words[i] & ~to.words[i]) != 0;
    to.words[i] |= from.words[i];
  }
  return changed;
}

static void keep_common(bitset to, bitset from) {
  for (uint32_t i = 0; i < bitset_words(to); i++) to.words[i] &= from.words[i];
}

/* False: some argument can hold nothing. */
static bool narrow_by_literal(finder *x, const flat_literal *l) {
  const flat_program *f = program_of(x);
  for (uint32_t i = 0; i < f->relations.items[l->relation].arity; i++) {
    const term_id arg = flat_args(f, l->args)[i];
    const bitset held = x->held[column_at(x, l->relation, i)];
    if (!term_is_variable(f->terms, arg)) {
      if (!bitset_has(held, x->constant_of[arg])) return false;
      continue;
    }
    const uint32_t v = term_variable_number(f->terms, arg);
    if (x->is_met[v])
      keep_common(x->of_variable[v], held);
    else
      memcpy(x->of_variable[v].words, held.words, bitset_words(held) * sizeof *held.words);
    x->is_met[v] = true;
    if (bitset_is_empty(x->of_variable[v])) return false;
  }
  return true;
}

static bool narrow_variables(finder *x, const flat_clause *c) {
  const flat_program *f = program_of(x);
  memset(x->is_met, 0, c->variable_count * sizeof *x->is_met);
  for (uint32_t i = 0; i < c->body_count; i++) {
    const flat_literal *l = &f->literals.items[c->body + i];
    if (l->kind != LITERAL_POSITIVE) continue;
    if (f->relations.items[l->relation].arity == 0) continue;
    if (!narrow_by_literal(x, l)) return false;
  }
  return true;
}

static bool run_clause(finder *x, flat_clause_id id) {
  const flat_program *f = program_of(x);
  const flat_clause *c = &f->clauses.items[id];
  if (!narrow_variables(x, c)) return false;
  bool changed = !x->d->can_fire[id];
  x->d->can_fire[id] = true;
  for (uint32_t i = 0; i < f->relations.items[c->head].arity; i++) {
    const term_id arg = flat_args(f, c->head_args)[i];
    const bitset held = x->held[column_at(x, c->head, i)];
    if (term_is_variable(f->terms, arg))
      changed |= add_all(held, x->of_variable[term_variable_number(f->terms, arg)]);
    else
      changed |= bitset_insert(held, x->constant_of[arg]);
  }
  return changed;
}

/* Calls `act` for each pair of relations that hold the same arguments under two keywords. */
typedef bool pair_act(finder *x, flat_id from, flat_id to, const column_map *m);

static bool each_pair(finder *x, relation_id from, relation_id to, pair_act *act) {
  const flat_program *f = program_of(x);
  bool changed = false;
  for (flat_id a = 0; a < f->relations.count; a++) {
    if (f->relations.items[a].relation != from) continue;
    for (flat_id b = 0; b < f->relations.count; b++) {
      column_map m;
      if (f->relations.items[b].relation != to || !columns_map(f, a, b, &m, x->scratch)) continue;
      changed |= act(x, a, b, &m);
    }
  }
  return changed;
}

static bool each_keyword_pair(finder *x, pair_act *act) {
  const bool init = each_pair(x, SYM_INIT, SYM_TRUE, act);
  const bool next = each_pair(x, SYM_NEXT, SYM_TRUE, act);
  const bool legal = each_pair(x, SYM_LEGAL, SYM_DOES, act);
  return init | next | legal;
}

static bool hold_under_other_keyword(finder *x, flat_id from, flat_id to, const column_map *m) {
  bool changed = false;
  for (uint32_t i = 0; i < program_of(x)->relations.items[to].arity; i++) {
    const bitset held = x->held[column_at(x, to, i)];
    if (m->from_column[i] == ID_NONE)
      changed |= bitset_insert(held, x->constant_of[m->constants[i]]);
    else
      changed |= add_all(held, x->held[column_at(x, from, m->from_column[i])]);
  }
  return changed;
}

static void find_held(finder *x) {
  const flat_program *f = program_of(x);
  uint32_t most = 0;
  for (flat_clause_id c = 0; c < f->clauses.count; c++)
    if (f->clauses.items[c].variable_count > most) most = f->clauses.items[c].variable_count;
  x->of_variable = arena_new_array(x->scratch, bitset, most + 1);
  for (uint32_t v = 0; v < most; v++) x->of_variable[v] = bitset_new(x->scratch, x->constant_count);
  x->is_met = arena_zero_array(x->scratch, bool, most + 1);
  x->column_of_variable = arena_new_array(x->scratch, uint32_t, most + 1);
  for (bool changed = true; changed;) {
    changed = each_keyword_pair(x, hold_under_other_keyword);
    for (flat_clause_id c = 0; c < f->clauses.count && !budget_is_spent(x->limits); c++)
      changed |= run_clause(x, c);
    changed &= !budget_check_now(x->limits);
  }
}

/* ---- classes ---- */

static uint32_t root_of(finder *x, uint32_t column) {
  while (x->parent[column] != column) {
    x->parent[column] = x->parent[x->parent[column]];
    column = x->parent[column];
  }
  return column;
}

static void unite(finder *x, uint32_t a, uint32_t b) { x->parent[root_of(x, a)] = root_of(x, b); }

static bool unite_pair(finder *x, flat_id from, flat_id to, const column_map *m) {
  for (uint32_t i = 0; i < program_of(x)->relations.items[to].arity; i++)
    if (m->from_column[i] != ID_NONE)
      unite(x, column_at(x, to, i), column_at(x, from, m->from_column[i]));
  return false;
}

static void unite_args(finder *x, flat_id r, uint32_t args) {
  const flat_program *f = program_of(x);
  for (uint32_t i = 0; i < f->relations.items[r].arity; i++) {
    const term_id arg = flat_args(f, args)[i];
    if (!term_is_variable(f->terms, arg)) continue;
    uint32_t *column = &x->column_of_variable[term_variable_number(f->terms, arg)];
    if (*column == ID_NONE)
      *column = column_at(x, r, i);
    else
      unite(x, *column, column_at(x, r, i));
  }
}

static void unite_distinct(finder *x, uint32_t args) {
  const flat_program *f = program_of(x);
  const term_id left = flat_args(f, args)[0];
  const term_id right = flat_args(f, args)[1];
  if (!term_is_variable(f->terms, left) || !term_is_variable(f->terms, right)) return;
  unite(x, x->column_of_variable[term_variable_number(f->terms, left)],
        x->column_of_variable[term_variable_number(f->terms, right)]);
}

static void unite_clause(finder *x, const flat_clause *c) {
  const flat_program *f = program_of(x);
  memset(x->column_of_variable, 0xff, c->variable_count * sizeof *x->column_of_variable);
  for (uint32_t i = 0; i < c->body_count; i++) {
    const flat_literal *l = &f->literals.items[c->body + i];
    if (l->kind != LITERAL_DISTINCT) unite_args(x, l->relation, l->args);
  }
  unite_args(x, c->head, c->head_args);
  for (uint32_t i = 0; i < c->body_count; i++)
    if (f->literals.items[c->body + i].kind == LITERAL_DISTINCT)
      unite_distinct(x, f->literals.items[c->body + i].args);
}

/* The first column of these keywords is a role, where that is no compound. */
static void unite_roles(finder *x) {
  const flat_program *f = program_of(x);
  uint32_t role = ID_NONE;
  for (flat_id r = 0; r < f->relations.count; r++) {
    const relation_id k = f->relations.items[r].relation;
    if (k != SYM_ROLE && k != SYM_LEGAL && k != SYM_GOAL && k != SYM_SEES && k != SYM_DOES)
      continue;
    if (!flat_has_role(f, r)) continue;
    if (role == ID_NONE)
      role = column_at(x, r, 0);
    else
      unite(x, role, column_at(x, r, 0));
  }
}

static void find_classes(finder *x) {
  x->parent = arena_new_array(x->scratch, uint32_t, x->column_count + 1);
  for (uint32_t i = 0; i < x->column_count; i++) x->parent[i] = i;
  each_keyword_pair(x, unite_pair);
  unite_roles(x);
  for (flat_clause_id c = 0; c < program_of(x)->clauses.count; c++)
    unite_clause(x, &program_of(x)->clauses.items[c]);
}

/* ---- codes ---- */

typedef struct coded_value {
  term_id term;
  bool is_number;
  long long number;
  uint32_t first_column; /* that holds it */
} coded_value;

static coded_value coded_of(const finder *x, uint32_t constant, uint32_t first_column) {
  const term_table *t = program_of(x)->terms;
  coded_value v = {.term = x->constants[constant], .first_column = first_column};
  const slice name = symbol_folded(t->symbols, term_get(t, v.term)->name);
  char digits[16];
  if (name.length == 0 || name.length >= sizeof digits) return v;
  memcpy(digits, name.start, name.length);
  digits[name.length] = '\0';
  char *end;
  v.number = strtoll(digits, &end, 10);
  v.is_number = end == digits + name.length;
  return v;
}

static int compare_values(const void *left, const void *right, void *terms) {
  const coded_value *a = left;
  const coded_value *b = right;
  if (a->is_number != b->is_number) return a->is_number ? -1 : 1;
  if (a->is_number && a->number != b->number) return a->number < b->number ? -1 : 1;
  if (!a->is_number && a->first_column != b->first_column)
    return a->first_column < b->first_column ? -1 : 1;
  return term_compare(terms, a->term, b->term);
}

static uint64_t hash_of_code(const void *context, uint32_t id) {
  return hash_mix(((const domains *)context)->code_keys.items[id]);
}

static void add_code(finder *x, uint32_t class_id, term_id value, uint32_t code) {
  domains *d = x->d;
  const uint64_t key = (uint64_t)class_id << 32 | value;
  id_table_reserve(&d->codes, x->keep, hash_of_code, d);
  uint32_t at = id_table_first(&d->codes, hash_mix(key));
  while (d->codes.slots[at] != ID_NONE) at = id_table_next(&d->codes, at);
  id_table_put(&d->codes, at, d->code_keys.count);
  vec_push(x->keep, &d->code_keys, key);
  vec_push(x->keep, &d->code_values, code);
}

uint32_t domain_code(const domains *d, uint32_t class_id, term_id value) {
  if (d->codes.count == 0) return ID_NONE;
  const uint64_t key = (uint64_t)class_id << 32 | value;
  for (uint32_t at = id_table_first(&d->codes, hash_mix(key));; at = id_table_next(&d->codes, at)) {
    const uint32_t id = d->codes.slots[at];
    if (id == ID_NONE) return ID_NONE;
    if (d->code_keys.items[id] == key) return d->code_values.items[id];
  }
}

static void number_class(finder *x, uint32_t class_id, const uint32_t *first_column) {
  VEC(coded_value) all = {0};
  for (uint32_t i = 0; i < x->constant_count; i++)
    if (first_column[i] != ID_NONE) vec_push(x->scratch, &all, coded_of(x, i, first_column[i]));
  if (all.count)
    qsort_r(all.items, all.count, sizeof *all.items, compare_values, program_of(x)->terms);
  value_class *c = &x->d->classes[class_id];
  *c = (value_class){arena_new_array(x->keep, term_id, all.count + 1), all.count};
  for (uint32_t i = 0; i < all.count; i++) {
    c->values[i] = all.items[i].term;
    add_code(x, class_id, all.items[i].term, i);
  }
}

/* Constants that rules mention have codes in the class of their column, held or not. */
static void mention(finder *x, bitset *mentioned, flat_id r, uint32_t args) {
  const flat_program *f = program_of(x);
  for (uint32_t i = 0; i < f->relations.items[r].arity; i++) {
    const term_id arg = flat_args(f, args)[i];
    if (!term_is_variable(f->terms, arg))
      bitset_add(mentioned[column_at(x, r, i)], x->constant_of[arg]);
  }
}

static bitset *find_mentioned(finder *x) {
  const flat_program *f = program_of(x);
  bitset *mentioned = arena_new_array(x->scratch, bitset, x->column_count + 1);
  for (uint32_t i = 0; i < x->column_count; i++) {
    mentioned[i] = bitset_new(x->scratch, x->constant_count);
    add_all(mentioned[i], x->held[i]);
  }
  for (flat_clause_id c = 0; c < f->clauses.count; c++) {
    const flat_clause *it = &f->clauses.items[c];
    mention(x, mentioned, it->head, it->head_args);
    for (uint32_t i = 0; i < it->body_count; i++) {
      const flat_literal *l = &f->literals.items[it->body + i];
      if (l->kind != LITERAL_DISTINCT) mention(x, mentioned, l->relation, l->args);
    }
  }
  return mentioned;
}

/* The columns of each class as chains: first[root] is the lowest, next[column] the next higher. */
typedef struct chains {
  uint32_t *first;
  uint32_t *next;
} chains;

static chains chain_columns(finder *x) {
  const size_t size = (x->column_count + 1) * sizeof(uint32_t);
  chains c = {arena_alloc(x->scratch, size), arena_alloc(x->scratch, size)};
  memset(c.first, 0xff, size);
  for (uint32_t i = x->column_count; i-- > 0;) {
    const uint32_t root = root_of(x, i);
    c.next[i] = c.first[root];
    c.first[root] = i;
  }
  return c;
}

/* For each constant of the class the lowest column that holds or mentions it. */
static void find_first_columns(finder *x, const chains *c, uint32_t root, const bitset *mentioned,
                               uint32_t *first_column) {
  memset(first_column, 0xff, (x->constant_count + 1) * sizeof *first_column);
  for (uint32_t k = c->first[root]; k != ID_NONE; k = c->next[k])
    for (uint32_t v = 0; v < x->constant_count; v++)
      if (bitset_has(mentioned[k], v) && first_column[v] == ID_NONE) first_column[v] = k;
}

static void number_classes(finder *x) {
  domains *d = x->d;
  const bitset *mentioned = find_mentioned(x);
  const chains c = chain_columns(x);
  uint32_t *first_column = arena_new_array(x->scratch, uint32_t, x->constant_count + 1);
  d->columns = arena_zero_array(x->keep, column_domain, x->column_count + 1);
  d->classes = arena_new_array(x->keep, value_class, x->column_count + 1);
  for (uint32_t root = 0; root < x->column_count; root++) {
    if (c.first[root] == ID_NONE) continue;
    find_first_columns(x, &c, root, mentioned, first_column);
    for (uint32_t k = c.first[root]; k != ID_NONE; k = c.next[k])
      d->columns[k].class_id = d->class_count;
    number_class(x, d->class_count++, first_column);
  }
}

static void find_ranges(finder *x) {
  for (uint32_t i = 0; i < x->column_count; i++) {
    column_domain *c = &x->d->columns[i];
    c->low = UINT32_MAX;
    for (uint32_t v = 0; v < x->constant_count; v++) {
      if (!bitset_has(x->held[i], v)) continue;
      const uint32_t code = domain_code(x->d, c->class_id, x->constants[v]);
      if (c->low == UINT32_MAX || code < c->low) c->low = code;
      if (code > c->high) c->high = code;
    }
  }
}

void domains_find(domains *d, const normal_program *n, arena *keep, budget *limits) {
  *d = (domains){.n = n};
  finder x = {.d = d, .n = n, .keep = keep, .scratch = arena_new(), .limits = limits};
  budget_watch(limits, x.scratch);
  d->can_fire = arena_zero_array(keep, bool, n->flat.clauses.count + 1);
  note_constants(&x);
  number_columns(&x);
  hold_permanent_facts(&x);
  find_held(&x);
  find_classes(&x);
  number_classes(&x);
  if (!budget_check_now(limits)) find_ranges(&x);
  budget_unwatch(limits, x.scratch);
  arena_free(x.scratch);
}

uint64_t domain_product(const domains *d, flat_id r) {
  uint64_t product = 1;
  for (uint32_t i = 0; i < d->n->flat.relations.items[r].arity; i++) {
    const uint64_t size = domain_size(domain_of(d, r, i));
    if (__builtin_mul_overflow(product, size, &product)) return UINT64_MAX;
  }
  return product;
}
