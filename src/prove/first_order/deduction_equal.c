/* Equality in a model: things that are equal have equal arguments, and what holds of one holds of
   the other.  That is not said beforehand but where a model needs it. */
#include "prove/first_order/deduction_parts.h"

#include <string.h>

enum { CLASHES_AT_ONCE = 32 };

/* Equations that hold in the model. */
typedef struct equality {
  deduction *d;
  id_vec used;     /* numbers of equations */
  term_id *values; /* by unknown */
  uint32_t clash;  /* the one of `used` that cannot hold with those before it */
  bool gave_up;    /* the terms are too large to tell */
} equality;

static void forget_values(equality *e) {
  memset(e->values, 0xff, sizeof *e->values * (e->d->unknowns + 1));
}

/* Can the equations of `used`, without the one at `omitted`, hold together?  Fills `values`. */
static bool can_hold(equality *e, uint32_t omitted) {
  forget_values(e);
  for (uint32_t i = 0; i < e->used.count; i++) {
    if (i == omitted) continue;
    const equation *it = &e->d->equations.items[e->used.items[i]];
    uint32_t steps = TERM_STEPS_MAX;
    if (term_unify_within(e->d->terms, it->unknown, it->other, e->values, &steps)) continue;
    if (!steps) e->gave_up = true;
    e->clash = i;
    return false;
  }
  return true;
}

/* False: it is too large to tell. */
TERM_MUST_ASK static bool normal_form(equality *e, term_id id, term_id *normal) {
  if (term_resolve(e->d->terms, id, e->values, normal)) return true;
  e->gave_up = true;
  return false;
}

static bool are_same(equality *e, term_id a, term_id b) {
  term_id left, right;
  return normal_form(e, a, &left) && normal_form(e, b, &right) && left == right;
}

/* Do the equations clash, or make the two terms one? */
static bool still_follows(equality *e, uint32_t omitted, term_id a, term_id b) {
  if (!can_hold(e, omitted)) return true;
  return a != TERM_NONE && are_same(e, a, b);
}

/* ---- reasons ---- */

typedef struct marking {
  bitset marked; /* unknowns */
  bool is_met;   /* one of them was marked */
} marking;

static void mark_unknown(void *context, uint32_t number) {
  bitset_add(((marking *)context)->marked, number);
}

static void meet_unknown(void *context, uint32_t number) {
  marking *m = context;
  m->is_met |= bitset_has(m->marked, number);
}

/* Keeps the equations that have to do with the unknowns in the two terms, over any number of
   others. */
static void keep_connected(equality *e, term_id a, term_id b) {
  const term_table *t = e->d->terms;
  marking m = {.marked = bitset_new(e->d->round, e->d->unknowns + 1)};
  term_each_variable(t, a, mark_unknown, &m);
  term_each_variable(t, b, mark_unknown, &m);
  uint32_t kept = 0;
  for (uint32_t before = UINT32_MAX; before != kept;) {
    before = kept;
    for (uint32_t i = kept; i < e->used.count; i++) {
      const uint32_t number = e->used.items[i];
      const equation *it = &e->d->equations.items[number];
      m.is_met = false;
      term_each_variable(t, it->unknown, meet_unknown, &m);
      term_each_variable(t, it->other, meet_unknown, &m);
      if (!m.is_met) continue;
      term_each_variable(t, it->unknown, mark_unknown, &m);
      term_each_variable(t, it->other, mark_unknown, &m);
      e->used.items[i] = e->used.items[kept];
      e->used.items[kept++] = number;
    }
  }
  e->used.count = kept;
}

/* Drops equations that are not needed for it; `used` is small afterwards. */
static void find_reasons(equality *e, term_id a, term_id b) {
  for (uint32_t i = e->used.count; i-- > 0;)
    if (still_follows(e, i, a, b)) {
      memmove(vec_from(&e->used, i), vec_from(&e->used, i + 1),
              sizeof *e->used.items * (e->used.count - i - 1));
      e->used.count--;
    }
}

/* The reasons speak against each other, or for one of the literals. */
static void add_clash(equality *e, const sat_literal *instead, uint32_t count) {
  deduction *d = e->d;
  sat_literal *clause = arena_new_array(d->round, sat_literal, e->used.count + count + 1);
  uint32_t length = 0;
  for (uint32_t i = 0; i < e->used.count; i++)
    clause[length++] = -d->equations.items[e->used.items[i]].is_true;
  for (uint32_t i = 0; i < count; i++) clause[length++] = instead[i];
  sat_add(d->sat, clause, length);
}

static equality true_equations(deduction *d) {
  equality e = {.d = d, .values = arena_new_array(d->round, term_id, d->unknowns + 1)};
  for (uint32_t i = 0; i < d->equations.count; i++)
    if (d->equations.items[i].value) vec_push(d->round, &e.used, i);
  return e;
}

/* The two terms are equal: one of the literals follows. */
static void explain(deduction *d, term_id a, term_id b, const sat_literal *instead,
                    uint32_t count) {
  equality e = true_equations(d);
  keep_connected(&e, a, b);
  find_reasons(&e, a, b);
  if (e.gave_up)
    d->is_over = true;
  else
    add_clash(&e, instead, count);
}

/* ---- the three ways in which a model can be wrong ---- */

static bool equations_clash(deduction *d) {
  equality e = true_equations(d);
  if (can_hold(&e, UINT32_MAX)) {
    d->values = e.values;
    return false;
  }
  const equation it = d->equations.items[e.used.items[e.clash]];
  keep_connected(&e, it.unknown, it.other);
  find_reasons(&e, TERM_NONE, TERM_NONE);
  if (e.gave_up)
    d->is_over = true;
  else
    add_clash(&e, NULL, 0);
  return true;
}

static uint32_t find_denied_equations(deduction *d) {
  equality e = {.d = d, .values = d->values};
  uint32_t clashes = 0;
  const uint32_t count = d->equations.count;
  for (uint32_t i = 0; i < count && clashes < CLASHES_AT_ONCE && !d->is_over; i++) {
    const equation it = d->equations.items[i];
    if (it.value || !are_same(&e, it.unknown, it.other)) continue;
    explain(d, it.unknown, it.other, &it.is_true, 1);
    clashes++;
  }
  d->is_over |= e.gave_up;
  return clashes;
}

static void find_normals(deduction *d) {
  equality e = {.d = d, .values = d->values};
  for (uint32_t i = 0; i < d->atoms.count; i++)
    d->is_over |= !normal_form(&e, d->atoms.items[i].term, &d->atoms.items[i].normal);
}

/* What holds of a thing must hold of its equal. */
static bool find_difference(deduction *d, const ground_atom *a) {
  const uint32_t other = deduction_find_normal(d, a->normal, a->time);
  const ground_atom b = d->atoms.items[other];
  if (b.value == a->value) return false;
  const sat_literal instead[] = {a->value ? -a->is_true : a->is_true,
                                 b.value ? -b.is_true : b.is_true};
  explain(d, a->term, b.term, instead, 2);
  return true;
}

/* What the listed facts say must hold, too. */
static bool find_wrong_fact(deduction *d, const ground_atom *a) {
  if (a->normal == a->term) return false;
  const settled known = deduction_settled(d, a->relation, a->normal, a->time);
  if (known == SETTLED_NOT || (known == SETTLED_TRUE) == a->value) return false;
  const sat_literal instead = a->value ? -a->is_true : a->is_true;
  explain(d, a->term, a->normal, &instead, 1);
  return true;
}

bool deduction_respects_equality(deduction *d) {
  if (equations_clash(d)) return false;
  if (find_denied_equations(d) || d->is_over) return false;
  find_normals(d);
  if (d->is_over) return false;
  deduction_index_normals(d);
  uint32_t clashes = 0;
  const uint32_t count = d->atoms.count;
  for (uint32_t i = 0; i < count && clashes < CLASHES_AT_ONCE; i++) {
    const ground_atom a = d->atoms.items[i];
    clashes += find_wrong_fact(d, &a) || find_difference(d, &a);
  }
  return !clashes && !d->is_over;
}
