#include "prove/first_order/deduction_parts.h"

relation_id deduction_relation(const deduction *d, term_id atom) {
  const program *p = d->t->p;
  return term_get(d->terms, atom)->name == CASE_NAME ? p->relations.count : atom_relation(p, atom);
}

term_id deduction_unknown(deduction *d) {
  if (d->unknowns >= UNKNOWNS_MAX) d->is_over = true;
  return term_variable(d->terms, d->unknowns++);
}

/* ---- atoms ---- */

settled deduction_settled(const deduction *d, relation_id r, term_id atom, uint32_t time) {
  if (r == RELATION_NONE) return SETTLED_FALSE;
  if (r == d->t->p->relations.count) return SETTLED_NOT;
  const atom_source from = theory_source(d->t, r, time);
  if (from.is_free) return SETTLED_NOT;
  const bool is_ground = term_is_ground(d->terms, atom);
  if (is_ground && listed_have(d->t->facts, from.relation, atom)) return SETTLED_TRUE;
  if (d->t->rule_counts[from.relation]) return SETTLED_NOT;
  const bool has_none = !listed_like(d->t->facts, from.relation, atom, NULL)->count;
  return is_ground || has_none ? SETTLED_FALSE : SETTLED_NOT;
}

static uint64_t hash_of_pair(uint32_t a, uint32_t b) {
  return hash_ids((const uint32_t[]){a, b}, 2);
}

static uint64_t hash_of_atom(const void *context, uint32_t id) {
  const ground_atom *a = &((const deduction *)context)->atoms.items[id];
  return hash_of_pair(a->term, a->time);
}

static uint64_t hash_of_normal(const void *context, uint32_t id) {
  const ground_atom *a = &((const deduction *)context)->atoms.items[id];
  return hash_of_pair(a->normal, a->time);
}

static sat_literal deduction_atom(deduction *d, term_id atom, uint32_t time) {
  const relation_id r = deduction_relation(d, atom);
  const settled known = deduction_settled(d, r, atom, time);
  if (known != SETTLED_NOT) return known == SETTLED_TRUE ? d->truth : -d->truth;
  id_table_reserve(&d->atom_index, d->scratch, hash_of_atom, d);
  uint32_t at = id_table_first(&d->atom_index, hash_of_pair(atom, time));
  for (; d->atom_index.slots[at] != ID_NONE; at = id_table_next(&d->atom_index, at)) {
    const ground_atom *a = &d->atoms.items[d->atom_index.slots[at]];
    if (a->term == atom && a->time == time) return a->is_true;
  }
  const ground_atom fresh = {
      .term = atom, .time = time, .relation = r, .is_true = sat_variable(d->sat), .normal = atom};
  vec_push(d->scratch, &d->atoms, fresh);
  id_table_put(&d->atom_index, at, d->atoms.count - 1);
  vec_push(d->scratch, deduction_list(d, r, time), d->atoms.count - 1);
  return fresh.is_true;
}

uint32_t deduction_find_normal(const deduction *d, term_id normal, uint32_t time) {
  if (!d->normal_index.mask) return ID_NONE;
  uint32_t at = id_table_first(&d->normal_index, hash_of_pair(normal, time));
  for (; d->normal_index.slots[at] != ID_NONE; at = id_table_next(&d->normal_index, at)) {
    const ground_atom *a = &d->atoms.items[d->normal_index.slots[at]];
    if (a->normal == normal && a->time == time) break;
  }
  return d->normal_index.slots[at];
}

/* Of atoms with one normal form the one that has it is taken, else the first. */
void deduction_index_normals(deduction *d) {
  id_table_clear(&d->normal_index);
  for (uint32_t i = 0; i < d->atoms.count; i++) {
    const ground_atom *a = &d->atoms.items[i];
    id_table_reserve(&d->normal_index, d->scratch, hash_of_normal, d);
    uint32_t at = id_table_first(&d->normal_index, hash_of_pair(a->normal, a->time));
    for (; d->normal_index.slots[at] != ID_NONE; at = id_table_next(&d->normal_index, at)) {
      const ground_atom *other = &d->atoms.items[d->normal_index.slots[at]];
      if (other->normal == a->normal && other->time == a->time) break;
    }
    if (d->normal_index.slots[at] == ID_NONE)
      id_table_put(&d->normal_index, at, i);
    else if (a->term == a->normal)
      d->normal_index.slots[at] = i;
  }
}

/* ---- equations ---- */

static uint64_t hash_of_equation(const void *context, uint32_t id) {
  const equation *e = &((const deduction *)context)->equations.items[id];
  return hash_of_pair(e->unknown, e->other);
}

static sat_literal equation_of_unknown(deduction *d, term_id unknown, term_id other) {
  id_table_reserve(&d->equation_index, d->scratch, hash_of_equation, d);
  uint32_t at = id_table_first(&d->equation_index, hash_of_pair(unknown, other));
  for (; d->equation_index.slots[at] != ID_NONE; at = id_table_next(&d->equation_index, at)) {
    const equation *e = &d->equations.items[d->equation_index.slots[at]];
    if (e->unknown == unknown && e->other == other) return e->is_true;
  }
  const equation fresh = {.unknown = unknown, .other = other, .is_true = sat_variable(d->sat)};
  vec_push(d->scratch, &d->equations, fresh);
  id_table_put(&d->equation_index, at, d->equations.count - 1);
  return fresh.is_true;
}

static bool mentions(const term_table *t, term_id whole, term_id unknown) {
  if (whole == unknown) return true;
  const term *it = term_get(t, whole);
  if (it->is_ground || it->is_variable) return false;
  for (uint32_t i = 0; i < it->arg_count; i++)
    if (mentions(t, term_arg(t, whole, i), unknown)) return true;
  return false;
}

sat_literal deduction_all(deduction *d, const sat_literal *literals, uint32_t count) {
  uint32_t open = 0;
  sat_literal last = d->truth;
  for (uint32_t i = 0; i < count; i++) {
    if (literals[i] == -d->truth) return -d->truth;
    if (literals[i] == d->truth) continue;
    last = literals[i];
    open++;
  }
  return open <= 1 ? last : sat_conjunction(d->sat, literals, count);
}

sat_literal deduction_equation(deduction *d, term_id a, term_id b) {
  const term_table *t = d->terms;
  if (a == b) return d->truth;
  const term *left = term_get(t, a);
  const term *right = term_get(t, b);
  if (left->is_ground && right->is_ground) return -d->truth;
  if (left->is_variable && right->is_variable)
    return a < b ? equation_of_unknown(d, a, b) : equation_of_unknown(d, b, a);
  if (left->is_variable) return mentions(t, b, a) ? -d->truth : equation_of_unknown(d, a, b);
  if (right->is_variable) return mentions(t, a, b) ? -d->truth : equation_of_unknown(d, b, a);
  if (left->name != right->name || left->arg_count != right->arg_count) return -d->truth;
  const uint32_t count = left->arg_count;
  sat_literal *parts = arena_new_array(d->round, sat_literal, count);
  for (uint32_t i = 0; i < count; i++)
    parts[i] = deduction_equation(d, term_arg(t, a, i), term_arg(t, b, i));
  return deduction_all(d, parts, count);
}

sat_literal deduction_literal(deduction *d, const statement *s, const term_id *bindings) {
  term_id a, b = TERM_NONE;
  if (!term_substitute(d->terms, s->a, bindings, &a) ||
      (statement_is_equation(s) && !term_substitute(d->terms, s->b, bindings, &b))) {
    d->is_over = true;
    return d->truth;
  }
  const sat_literal l =
      statement_is_equation(s) ? deduction_equation(d, a, b) : deduction_atom(d, a, s->time);
  return s->is_negated ? -l : l;
}
