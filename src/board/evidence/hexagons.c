#include "board/evidence/hexagons.h"

#include <stdlib.h>

enum { UNRELATED = 9 };

typedef struct offsets {
  bool straight_across, straight_up, falling, rising, others;
  symbol_id steps[2]; /* the relations that lead on, across and up; SYM_NONE: not met yet */
} offsets;

/* Is the relation given by facts alone?  What rules make of it may lead both ways. */
static bool is_of_facts(const program *p, term_id atom) {
  const relation_id id = atom_relation(p, atom);
  if (id == RELATION_NONE) return false;
  const relation *r = &p->relations.items[id];
  for (uint32_t i = 0; i < r->clause_count; i++)
    if (p->clauses.items[p->clauses_of_relation.items[r->first_clause + i]].body_count)
      return false;
  return r->clause_count > 0;
}

/* What a clause says of the difference of two variables: 0, they are one; 1 or -1, a binary
   relation leads from the first to the second, or back.  Nothing is known of other relations. */
static int difference(const program *p, const clause *c, term_id a, term_id b, symbol_id *step) {
  if (a == b) return 0;
  for (uint32_t i = 0; i < c->body_count; i++) {
    const literal *l = &p->literals.items[c->body + i];
    const term *t = term_get(p->terms, l->atom);
    if (l->kind != LITERAL_POSITIVE || t->is_variable || t->arg_count != 2) continue;
    const term_id x = term_arg(p->terms, l->atom, 0), y = term_arg(p->terms, l->atom, 1);
    if ((!(x == a && y == b) && !(x == b && y == a)) || !is_of_facts(p, l->atom)) continue;
    if (*step == SYM_NONE) *step = t->name;
    if (*step == t->name) return x == a ? 1 : -1;
  }
  return UNRELATED;
}

static void add_offset(offsets *o, int across, int up) {
  if (across == UNRELATED || up == UNRELATED)
    o->others = true;
  else if (across && up)
    *(across == up ? &o->rising : &o->falling) = true;
  else if (across || up)
    *(across ? &o->straight_across : &o->straight_up) = true;
}

static bool has_four_variables(const term_table *t, term_id head) {
  if (term_get(t, head)->arg_count != 4) return false;
  for (uint32_t i = 0; i < 4; i++)
    if (!term_is_variable(t, term_arg(t, head, i))) return false;
  return true;
}

static offsets offsets_of(const program *p, const relation *r) {
  offsets o = {.steps = {SYM_NONE, SYM_NONE}};
  for (uint32_t i = 0; i < r->clause_count; i++) {
    const clause *c = &p->clauses.items[p->clauses_of_relation.items[r->first_clause + i]];
    if (!has_four_variables(p->terms, c->head)) continue;
    const term_id *at = term_args(p->terms, c->head);
    add_offset(&o, difference(p, c, at[0], at[2], &o.steps[0]),
               difference(p, c, at[1], at[3], &o.steps[1]));
  }
  return o;
}

/* If rules mention both diagonals, by any relations, the cells are squares. */
int rules_hexagon_skew(const program *p) {
  bool falling = false, rising = false, has_hexagons = false;
  for (relation_id r = KEYWORD_RELATION_COUNT; r < p->relations.count; r++) {
    const offsets o = offsets_of(p, &p->relations.items[r]);
    falling |= o.falling;
    rising |= o.rising;
    has_hexagons |= o.straight_across && o.straight_up && !o.others && o.falling != o.rising;
  }
  if (!has_hexagons || falling == rising) return 0;
  return falling ? -1 : 1;
}

/* ---- by facts ---- */

static bool read_cell(const names *values, value_id v, int at[2]) {
  slice parts[2];
  if (!split_text(names_text(values, v), SPLIT_LETTER_NUMBER, parts) &&
      !split_text(names_text(values, v), SPLIT_TWO_NUMBERS, parts))
    return false;
  for (uint32_t i = 0; i < 2; i++) at[i] = (int)split_number(parts[i]);
  return true;
}

/* (adj a1 b2): between neighbours alone? */
static bool add_fact_offset(const statics *s, const names *values, uint32_t fact, offsets *o) {
  int from[2], to[2];
  if (s->facts.items[fact].arity != 2 || !read_cell(values, static_arg(s, fact, 0), from) ||
      !read_cell(values, static_arg(s, fact, 1), to))
    return false;
  const int across = to[0] - from[0], up = to[1] - from[1];
  if (abs(across) > 1 || abs(up) > 1 || !(across || up)) return false;
  add_offset(o, across, up);
  return true;
}

enum { NEIGHBOURS_LEAST = 8 };

static int skew_of_facts(const statics *s, const names *values, uint32_t from, uint32_t to) {
  offsets o = {0};
  if (to - from < NEIGHBOURS_LEAST) return 0;
  for (uint32_t f = from; f < to; f++)
    if (!add_fact_offset(s, values, f, &o)) return 0;
  if (!o.straight_across || !o.straight_up) return 0;
  return (int)o.rising - (int)o.falling;
}

int facts_hexagon_skew(const statics *s, const names *values) {
  for (uint32_t from = 0, to; from < s->facts.count; from = to) {
    to = from + 1;
    while (to < s->facts.count && s->facts.items[to].relation == s->facts.items[from].relation)
      to++;
    const int skew = skew_of_facts(s, values, from, to);
    if (skew) return skew;
  }
  return 0;
}
