#include "induct/facts.h"

#include <stdlib.h>
#include <string.h>

void fact_add(fact_set *s, fact_kind kind, const uint32_t *members, uint32_t count) {
  const fact f = {.kind = kind, .first = s->members.count, .count = count};
  vec_append(s->keep, &s->members, members, count);
  vec_push(s->keep, &s->all, f);
}

void fact_copy(fact_set *to, const fact_set *from, const fact *f) {
  fact_add(to, f->kind, vec_from(&from->members, f->first), f->count);
}

void facts_add_all(fact_set *to, const fact_set *from) {
  for (uint32_t i = 0; i < from->all.count; i++) fact_copy(to, from, &from->all.items[i]);
}

uint32_t fact_find(const fact_set *s, const fact_set *of, const fact *f, fact_kind kind) {
  const uint32_t *members = vec_from(&of->members, f->first);
  for (uint32_t i = 0; i < s->all.count; i++) {
    const fact *known = &s->all.items[i];
    if (known->kind == kind && known->count == f->count &&
        memcmp(vec_from(&s->members, known->first), members, f->count * sizeof *members) == 0)
      return i;
  }
  return ID_NONE;
}

/* ---- trying ---- */

static bool is_wrong(fact_kind kind, bool none, bool several) {
  if (none && kind != FACT_AT_MOST_ONE) return true;
  return several && kind != FACT_AT_LEAST_ONE;
}

bool fact_holds_at_start(const fact_set *s, const circuit *c, const fact *f) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->count; i++) count += wire_starts_true(c, fact_wire(s, c, f, i));
  return !is_wrong(f->kind, count == 0, count > 1);
}

bool fact_holds_in_sample(const fact_set *s, const circuit *c, const fact *f, const sample *seen) {
  for (uint32_t step = 0; step < seen->step_count; step++) {
    uint64_t one = 0;
    uint64_t two = 0;
    for (uint32_t i = 0; i < f->count; i++) {
      const uint64_t value = sample_value(seen, c, step, fact_wire(s, c, f, i));
      two |= one & value;
      one |= value;
    }
    if (is_wrong(f->kind, one != UINT64_MAX, two != 0)) return false;
  }
  return true;
}

/* ---- clauses ---- */

static void add_guarded(sat_solver *s, sat_literal guard, sat_literal a, sat_literal b) {
  if (guard)
    sat_add_3(s, -guard, a, b);
  else
    sat_add_2(s, a, b);
}

static void require_one(unrolling *u, const sat_literal *all, uint32_t count, sat_literal guard,
                        arena *scratch) {
  VEC(sat_literal) clause = {0};
  vec_append(scratch, &clause, all, count);
  if (guard) vec_push(scratch, &clause, -guard);
  sat_add(unroll_solver(u), clause.items, clause.count);
}

/* A chain: `before` holds when one of those so far does. */
static void require_not_two(unrolling *u, const sat_literal *all, uint32_t count,
                            sat_literal guard) {
  sat_solver *s = unroll_solver(u);
  sat_literal before = all[0];
  for (uint32_t i = 1; i < count; i++) {
    add_guarded(s, guard, -before, -all[i]);
    if (i + 1 == count) break;
    const sat_literal now = sat_variable(s);
    sat_add_2(s, -before, now);
    sat_add_2(s, -all[i], now);
    before = now;
  }
}

static sat_literal *literals_of(const fact_set *s, const circuit *c, const fact *f, unrolling *u,
                                uint32_t time, arena *keep) {
  sat_literal *all = arena_new_array(keep, sat_literal, f->count + 1);
  for (uint32_t i = 0; i < f->count; i++) all[i] = unroll_wire(u, fact_wire(s, c, f, i), time);
  return all;
}

void fact_require(const fact_set *s, const circuit *c, const fact *f, unrolling *u, uint32_t time,
                  sat_literal guard) {
  arena *scratch = arena_new();
  const sat_literal *all = literals_of(s, c, f, u, time, scratch);
  if (f->kind != FACT_AT_MOST_ONE) require_one(u, all, f->count, guard, scratch);
  if (f->kind != FACT_AT_LEAST_ONE) require_not_two(u, all, f->count, guard);
  arena_free(scratch);
}

static sat_literal both(unrolling *u, sat_literal a, sat_literal b) {
  return -unroll_any(u, (const sat_literal[]){-a, -b}, 2);
}

sat_literal fact_violation(const fact_set *s, const circuit *c, const fact *f, unrolling *u,
                           uint32_t time) {
  arena *scratch = arena_new();
  const sat_literal *all = literals_of(s, c, f, u, time, scratch);
  VEC(sat_literal) wrongs = {0};
  sat_literal some = all[0];
  for (uint32_t i = 1; i < f->count; i++) {
    if (f->kind != FACT_AT_LEAST_ONE) vec_push(scratch, &wrongs, both(u, some, all[i]));
    some = unroll_any(u, (const sat_literal[]){some, all[i]}, 2);
  }
  if (f->kind != FACT_AT_MOST_ONE) vec_push(scratch, &wrongs, -some);
  const sat_literal wrong = unroll_any(u, wrongs.items, wrongs.count);
  arena_free(scratch);
  return wrong;
}

/* ---- text ---- */

const char *fact_kind_name(fact_kind kind) {
  static const char *const names[] = {"at-most-one", "exactly-one", "at-least-one"};
  return names[kind];
}

void fact_print_member(const fact_set *s, const circuit *c, const fact *f, uint32_t i, text *out) {
  const uint32_t member = s->members.items[f->first + i];
  if (member & 1) text_add(out, "(not ");
  term_print(c->terms, c->fluents.items[member >> 1].term, NOTATION_KIF, NULL, out);
  if (member & 1) text_add_char(out, ')');
}

void fact_print(const fact_set *s, const circuit *c, const fact *f, text *out) {
  text_add_format(out, "(%s", fact_kind_name(f->kind));
  for (uint32_t i = 0; i < f->count; i++) {
    text_add_char(out, ' ');
    fact_print_member(s, c, f, i, out);
  }
  text_add_char(out, ')');
}

void facts_print(const fact_set *s, const circuit *c, text *out) {
  for (uint32_t i = 0; i < s->all.count; i++) {
    fact_print(s, c, &s->all.items[i], out);
    text_add_char(out, '\n');
  }
}
