#include "rules/program.h"

#include "base/bitset.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void program_init(program *p, symbol_table *symbols, arena *keep) {
  *p = (program){.keep = keep, .symbols = symbols, .mark = SYM_NONE};
  p->terms = arena_alloc(keep, sizeof *p->terms);
  terms_init(p->terms, symbols, keep);
}

void program_derive(program *derived, const program *from, arena *keep) {
  *derived = *from;
  derived->keep = keep;
  derived->clauses = (__typeof__(derived->clauses)){0};
  derived->literals = (__typeof__(derived->literals)){0};
  derived->relations = (__typeof__(derived->relations)){0};
  derived->clauses_of_relation = (id_vec){0};
  derived->relation_index = (id_table){0};
}

clause_id program_add_clause(program *p, term_id head, rule_id from, const literal *body,
                             uint32_t body_count, uint32_t variable_count) {
  const clause c = {.head = head,
                    .rule = from,
                    .body = p->literals.count,
                    .body_count = body_count,
                    .variable_count = variable_count};
  vec_append(p->keep, &p->literals, body, body_count);
  vec_push(p->keep, &p->clauses, c);
  return p->clauses.count - 1;
}

/* ---- relations ---- */

static uint64_t relation_hash(symbol_id name, uint32_t arity) {
  return hash_ids((const uint32_t[]){name, arity}, 2);
}

static uint64_t hash_of_relation(const void *context, uint32_t id) {
  const program *p = context;
  return relation_hash(p->relations.items[id].name, p->relations.items[id].arity);
}

static relation_id intern_relation(program *p, symbol_id name, uint32_t arity) {
  id_table_reserve(&p->relation_index, p->keep, hash_of_relation, p);
  uint32_t at = id_table_first(&p->relation_index, relation_hash(name, arity));
  for (;; at = id_table_next(&p->relation_index, at)) {
    const relation_id id = p->relation_index.slots[at];
    if (id == ID_NONE) break;
    if (p->relations.items[id].name == name && p->relations.items[id].arity == arity) return id;
  }
  const relation fresh = {.name = name, .arity = arity, .first_use = UINT32_MAX};
  vec_push(p->keep, &p->relations, fresh);
  id_table_put(&p->relation_index, at, p->relations.count - 1);
  return p->relations.count - 1;
}

id_vec program_roles(const program *p, arena *keep) {
  const relation *r = &p->relations.items[SYM_ROLE];
  arena *scratch = arena_new();
  const bitset found = bitset_new(scratch, p->terms->terms.count);
  id_vec roles = {0};
  for (uint32_t i = 0; i < r->clause_count; i++) {
    const clause *c = &p->clauses.items[p->clauses_of_relation.items[r->first_clause + i]];
    const term_id role = term_arg(p->terms, c->head, 0);
    if (!c->body_count && term_is_ground(p->terms, role) && bitset_insert(found, role))
      vec_push(keep, &roles, role);
  }
  arena_free(scratch);
  return roles;
}

static int compare_roles(const void *left, const void *right, void *terms) {
  return term_compare(terms, *(const term_id *)left, *(const term_id *)right);
}

void program_order_roles(const program *p, term_table *terms, term_id *roles, uint32_t count) {
  arena *scratch = arena_new();
  const id_vec named = program_roles(p, scratch);
  const bitset left = bitset_new(scratch, terms->terms.count);
  id_vec ordered = {0};
  for (uint32_t i = 0; i < count; i++) bitset_add(left, roles[i]);
  for (uint32_t i = 0; i < named.count; i++) {
    const term_id role = named.items[i];
    if (role >= left.size || !bitset_has(left, role)) continue;
    bitset_remove(left, role);
    vec_push(scratch, &ordered, role);
  }
  const uint32_t placed = ordered.count;
  for (uint32_t i = 0; i < count; i++)
    if (bitset_has(left, roles[i])) vec_push(scratch, &ordered, roles[i]);
  if (count) memcpy(roles, ordered.items, count * sizeof *roles);
  if (count > placed) qsort_r(roles + placed, count - placed, sizeof *roles, compare_roles, terms);
  arena_free(scratch);
}

bool role_is_nature(const term_table *terms, term_id role) {
  const term *t = term_get(terms, role);
  return t->name == SYM_RANDOM && !t->arg_count;
}

relation_id program_relation(const program *p, symbol_id name, uint32_t arity) {
  if (p->relation_index.count == 0) return RELATION_NONE;
  uint32_t at = id_table_first(&p->relation_index, relation_hash(name, arity));
  for (;; at = id_table_next(&p->relation_index, at)) {
    const relation_id id = p->relation_index.slots[at];
    if (id == ID_NONE) return RELATION_NONE;
    if (p->relations.items[id].name == name && p->relations.items[id].arity == arity) return id;
  }
}

relation_id atom_relation(const program *p, term_id atom) {
  const term *it = term_get(p->terms, atom);
  return program_relation(p, it->name, it->arg_count);
}

static relation_id intern_atom_relation(program *p, term_id atom) {
  const term *it = term_get(p->terms, atom);
  return intern_relation(p, it->name, it->arg_count);
}

static void note_use(program *p, const literal *l) {
  if (l->kind == LITERAL_DISTINCT) return;
  const relation_id id = intern_atom_relation(p, l->atom);
  relation *r = &p->relations.items[id];
  if (r->first_use == UINT32_MAX) r->first_use = l->node;
}

static void collect_relations(program *p) {
  for (symbol_id s = 0; s < KEYWORD_RELATION_COUNT; s++) {
    const relation_id id = intern_relation(p, s, keyword_arity(s));
    assert(id == s);
    (void)id;
  }
  for (clause_id c = 0; c < p->clauses.count; c++) {
    const clause *it = &p->clauses.items[c];
    const relation_id head = intern_atom_relation(p, it->head);
    p->relations.items[head].clause_count++;
    for (uint32_t i = 0; i < it->body_count; i++) note_use(p, &p->literals.items[it->body + i]);
  }
}

/* Counting sort of the clauses by the relation that they define. */
void program_index_relations(program *p) {
  p->relations.count = 0;
  id_table_clear(&p->relation_index);
  collect_relations(p);
  uint32_t start = 0;
  for (relation_id r = 0; r < p->relations.count; r++) {
    p->relations.items[r].first_clause = start;
    start += p->relations.items[r].clause_count;
    p->relations.items[r].clause_count = 0;
  }
  p->clauses_of_relation.count = 0;
  vec_reserve(p->keep, &p->clauses_of_relation, p->clauses.count);
  p->clauses_of_relation.count = p->clauses.count;
  for (clause_id c = 0; c < p->clauses.count; c++) {
    relation *r = &p->relations.items[atom_relation(p, p->clauses.items[c].head)];
    p->clauses_of_relation.items[r->first_clause + r->clause_count++] = c;
  }
}

/* Relations that are needed; those from `next` on have not been looked at. */
typedef struct needed_relations {
  bool *is_marked;
  relation_id *all; /* room for every relation */
  uint32_t count, next;
} needed_relations;

static void need(needed_relations *n, relation_id r) {
  if (n->is_marked[r]) return;
  n->is_marked[r] = true;
  n->all[n->count++] = r;
}

static void need_body(needed_relations *n, const program *p, const clause *c) {
  for (uint32_t i = 0; i < c->body_count; i++) {
    const literal *l = &p->literals.items[c->body + i];
    if (l->kind != LITERAL_DISTINCT) need(n, atom_relation(p, l->atom));
  }
}

void program_copy_clauses(program *to, const program *from, const bool *is_wanted) {
  for (clause_id c = 0; c < from->clauses.count; c++) {
    const clause *it = &from->clauses.items[c];
    if (is_wanted && !is_wanted[atom_relation(from, it->head)]) continue;
    const literal *body = it->body_count ? &from->literals.items[it->body] : NULL;
    program_add_clause(to, it->head, it->rule, body, it->body_count, it->variable_count);
  }
}

/* Marks what the results depend on, and them. */
static bool *mark_needed(const program *p, const symbol_id *results, size_t count, arena *keep) {
  needed_relations n = {.is_marked = arena_zero_array(keep, bool, p->relations.count),
                        .all = arena_new_array(keep, relation_id, p->relations.count)};
  for (size_t i = 0; i < count; i++) need(&n, results[i]);
  while (n.next < n.count) {
    const relation *r = &p->relations.items[n.all[n.next++]];
    for (uint32_t i = 0; i < r->clause_count; i++)
      need_body(&n, p, &p->clauses.items[p->clauses_of_relation.items[r->first_clause + i]]);
  }
  return n.is_marked;
}

bool *program_needed(const program *p, arena *keep) {
  static const symbol_id results[] = {SYM_ROLE, SYM_INIT,     SYM_LEGAL, SYM_NEXT,
                                      SYM_GOAL, SYM_TERMINAL, SYM_SEES};
  return mark_needed(p, results, sizeof results / sizeof *results, keep);
}

void program_for_bases(program *part, const program *p, arena *keep) {
  static const symbol_id results[] = {SYM_ROLE, SYM_INIT, SYM_LEGAL, SYM_NEXT, SYM_BASE, SYM_INPUT};
  arena *scratch = arena_new();
  program_derive(part, p, keep);
  program_copy_clauses(part, p, mark_needed(p, results, sizeof results / sizeof *results, scratch));
  program_index_relations(part);
  arena_free(scratch);
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

uint32_t program_most_variables(const program *p) {
  uint32_t most = 0;
  for (rule_id i = 0; i < p->rules.count; i++)
    most = larger(most, p->rules.items[i].variable_count);
  for (clause_id i = 0; i < p->clauses.count; i++)
    most = larger(most, p->clauses.items[i].variable_count);
  return most + 1;
}

span program_span(const program *p, node_id n) {
  return p->tree && n < p->tree->nodes.count ? tree_node(p->tree, n)->where : SPAN_NONE;
}

/* ---- printing ---- */

/* The names of a rule's variables; NULL prints their numbers. */
static const symbol_id *names_of(const program *p, rule_id r) {
  if (r == RULE_NONE || p->rules.items[r].variable_count == 0) return NULL;
  return vec_from(&p->variable_names, p->rules.items[r].variables);
}

static void print_atom(const program *p, term_id atom, notation n, const symbol_id *names,
                       text *out) {
  term_print(p->terms, atom, n, names, out);
}

static void print_negated(const program *p, term_id atom, notation n, const symbol_id *names,
                          text *out) {
  text_add(out, n == NOTATION_KIF ? "(not " : "~");
  print_atom(p, atom, n, names, out);
  if (n == NOTATION_KIF) text_add_char(out, ')');
}

static void print_formula(const program *p, uint32_t at, notation n, const symbol_id *names,
                          text *out);

static void print_operands(const program *p, const formula *f, uint32_t first, notation n,
                           const symbol_id *names, const char *between, text *out) {
  for (uint32_t i = first; i < f->after; i = p->formulas.items[i].after) {
    if (i != first) text_add(out, between);
    print_formula(p, i, n, names, out);
  }
}

static void print_connective_kif(const program *p, uint32_t at, const symbol_id *names, text *out) {
  const formula *f = &p->formulas.items[at];
  text_add(out, f->kind == FORMULA_NOT ? "(not " : f->kind == FORMULA_AND ? "(and " : "(or ");
  print_operands(p, f, at + 1, NOTATION_KIF, names, " ", out);
  text_add_char(out, ')');
}

static void print_connective_prolog(const program *p, uint32_t at, const symbol_id *names,
                                    text *out) {
  const formula *f = &p->formulas.items[at];
  text_add(out, f->kind == FORMULA_NOT ? "~(" : "(");
  print_operands(p, f, at + 1, NOTATION_PROLOG, names, f->kind == FORMULA_OR ? " or " : " & ", out);
  text_add_char(out, ')');
}

static void print_formula(const program *p, uint32_t at, notation n, const symbol_id *names,
                          text *out) {
  const formula *f = &p->formulas.items[at];
  if (f->kind == FORMULA_ATOM || f->kind == FORMULA_DISTINCT)
    print_atom(p, f->atom, n, names, out);
  else if (n == NOTATION_KIF)
    print_connective_kif(p, at, names, out);
  else
    print_connective_prolog(p, at, names, out);
}

static void print_before_body(notation n, term_id head, const program *p, const symbol_id *names,
                              bool is_fact, text *out) {
  if (n == NOTATION_KIF && !is_fact) text_add(out, "(<= ");
  print_atom(p, head, n, names, out);
  if (n == NOTATION_PROLOG && !is_fact) text_add(out, " :- ");
}

static void print_after_body(notation n, bool is_fact, text *out) {
  if (n == NOTATION_PROLOG)
    text_add_char(out, '.');
  else if (!is_fact)
    text_add_char(out, ')');
}

static void print_between(notation n, bool is_first, text *out) {
  if (n == NOTATION_KIF)
    text_add_char(out, ' ');
  else if (!is_first)
    text_add(out, ", ");
}

static void print_rule(const program *p, const rule *r, notation n, const symbol_id *names,
                       text *out) {
  const bool is_fact = r->body == r->body_end;
  print_before_body(n, r->head, p, names, is_fact, out);
  for (uint32_t f = r->body; f < r->body_end; f = p->formulas.items[f].after) {
    print_between(n, f == r->body, out);
    print_formula(p, f, n, names, out);
  }
  print_after_body(n, is_fact, out);
}

void rule_print(const program *p, rule_id id, notation n, text *out) {
  print_rule(p, &p->rules.items[id], n, names_of(p, id), out);
}

void rule_print_numbered(const program *p, rule_id id, notation n, text *out) {
  print_rule(p, &p->rules.items[id], n, NULL, out);
}

void clause_print(const program *p, clause_id id, notation n, text *out) {
  const clause *c = &p->clauses.items[id];
  const symbol_id *names = names_of(p, c->rule);
  const bool is_fact = c->body_count == 0;
  print_before_body(n, c->head, p, names, is_fact, out);
  for (uint32_t i = 0; i < c->body_count; i++) {
    const literal *l = &p->literals.items[c->body + i];
    print_between(n, i == 0, out);
    if (l->kind == LITERAL_NEGATIVE)
      print_negated(p, l->atom, n, names, out);
    else
      print_atom(p, l->atom, n, names, out);
  }
  print_after_body(n, is_fact, out);
}

/* ---- the place of a rule ---- */

enum { SHOWN_BYTES = 60 };

/* The beginning of a long text, in whole characters. */
static void print_beginning(text *words, text *out) {
  size_t length = words->length;
  if (length > SHOWN_BYTES)
    for (length = SHOWN_BYTES; length && (words->bytes[length] & 0xc0) == 0x80;) length--;
  text_add_bytes(out, words->bytes, length);
  if (length < words->length) text_add(out, "...");
}

static void print_rule_at(const program *p, span where, text *out, arena *scratch) {
  for (rule_id r = 0; r < p->rules.count; r++) {
    if (program_span(p, p->rules.items[r].node).start != where.start) continue;
    text words = text_new(scratch);
    rule_print(p, r, p->tree->notation, &words);
    text_add(out, ": ");
    print_beginning(&words, out);
    return;
  }
}

void program_print_place(const program *p, span where, text *out) {
  if (!p->tree || where.start == SPAN_NONE.start) return;
  arena *scratch = arena_new();
  source lines = *p->tree->source;
  source_index_lines(&lines, scratch);
  const place at = source_place(&lines, where.start);
  text_add_format(out, " at line %u:%u", at.line, at.column);
  print_rule_at(p, where, out, scratch);
  arena_free(scratch);
}
