#include "machine/datalog/datalog_inertia.h"

#include "base/bitset.h"

#include <string.h>

/* Every argument is a variable of its own. */
static bool has_plain_arguments(const dl_rules *r, const term_id *args, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (!term_is_variable(&r->terms, args[i])) return false;
    for (uint32_t k = 0; k < i; k++)
      if (args[k] == args[i]) return false;
  }
  return true;
}

static bool has_arguments(const dl_rules *r, const flat_literal *l, const term_id *args,
                          uint32_t count) {
  return r->flat.relations.items[l->relation].arity == count &&
         memcmp(flat_args(&r->dynamic, l->args), args, count * sizeof *args) == 0;
}

/* What the clause keeps; DL_RENEWED when it is not of the shape above. */
static flat_id kept_by(const dl_rules *r, const flat_clause *c) {
  const uint32_t count = r->flat.relations.items[c->head].arity;
  const term_id *args = flat_args(&r->dynamic, c->head_args);
  const flat_literal *body = vec_from(&r->dynamic.literals, c->body);
  if (c->body_count == 0 || c->body_count > 2 || !has_plain_arguments(r, args, count))
    return DL_RENEWED;
  flat_id found = DL_ALWAYS_KEPT;
  for (uint32_t i = 0; i < c->body_count; i++) {
    if (body[i].kind == LITERAL_DISTINCT || !has_arguments(r, &body[i], args, count))
      return DL_RENEWED;
    if (body[i].kind == LITERAL_NEGATIVE)
      found = body[i].relation;
    else if (body[i].relation != dl_under_keyword(r, c->head, SYM_TRUE))
      return DL_RENEWED;
  }
  return found;
}

static bool is_inertia(const dl_rules *r, const flat_clause *c) {
  return c->source - r->first_inertia < r->inertia_count &&
         r->flat.relations.items[c->head].relation == SYM_NEXT;
}

/* Relations that bodies read: whoever reads what is next must find all of it. */
static bitset relations_read(const flat_program *f, arena *keep) {
  const bitset read = bitset_new(keep, f->relations.count + 1);
  for (flat_clause_id c = 0; c < f->clauses.count; c++) {
    const flat_literal *body = vec_from(&f->literals, f->clauses.items[c].body);
    for (uint32_t i = 0; i < f->clauses.items[c].body_count; i++)
      if (body[i].kind != LITERAL_DISTINCT) bitset_add(read, body[i].relation);
  }
  return read;
}

void dl_inertia_find(dl_inertia *n, const dl_rules *r, arena *keep) {
  const flat_program *f = &r->dynamic;
  const bitset read = relations_read(f, keep);
  n->keeps = arena_new_array(keep, flat_id, f->relations.count + 1);
  n->is_skipped = arena_zero_array(keep, bool, f->clauses.count + 1);
  for (flat_id i = 0; i < f->relations.count; i++) n->keeps[i] = DL_RENEWED;
  for (flat_clause_id c = 0; c < f->clauses.count && !r->has_generic; c++) {
    const flat_clause *it = &f->clauses.items[c];
    if (!is_inertia(r, it) || n->keeps[it->head] != DL_RENEWED || bitset_has(read, it->head))
      continue;
    n->keeps[it->head] = kept_by(r, it);
    n->is_skipped[c] = n->keeps[it->head] != DL_RENEWED;
  }
}

/* All facts of the relation cease, by some clause. */
static bool all_cease(const dl_rules *r, flat_id next, flat_id ceases) {
  for (flat_clause_id c = 0; c < r->dynamic.clauses.count; c++) {
    const flat_clause *it = &r->dynamic.clauses.items[c];
    const uint32_t count = r->flat.relations.items[ceases].arity;
    const term_id *args = flat_args(&r->dynamic, it->head_args);
    if (it->head != ceases || it->body_count != 1 || !has_plain_arguments(r, args, count)) continue;
    const flat_literal *l = &r->dynamic.literals.items[it->body];
    if (l->kind == LITERAL_POSITIVE && l->relation == dl_under_keyword(r, next, SYM_TRUE) &&
        has_arguments(r, l, args, count))
      return true;
  }
  return false;
}

void dl_inertia_drop_ceasing(dl_inertia *n, const dl_rules *r) {
  for (flat_id i = 0; i < r->dynamic.relations.count; i++) {
    const flat_id ceases = n->keeps[i];
    if (ceases >= DL_ALWAYS_KEPT || !all_cease(r, i, ceases)) continue;
    n->keeps[i] = DL_RENEWED;
    for (flat_clause_id c = 0; c < r->dynamic.clauses.count; c++)
      n->is_skipped[c] |= r->dynamic.clauses.items[c].head == ceases;
  }
}
