#include "certify/needed_fluents.h"

static const need_list nothing = {NULL, 0}, everything = {NULL, ID_NONE};

/* ---- sets ---- */

static void copy(need_set *s, need_list from) {
  s->count = from.count;
  if (from.count && from.count != ID_NONE) memcpy(s->items, from.items, from.count * sizeof(need));
}

void needs_meet(need_set *s, need_list other) {
  uint32_t kept = 0;
  if (other.count == ID_NONE) return;
  if (s->count == ID_NONE) {
    copy(s, other);
    return;
  }
  for (uint32_t i = 0, k = 0; i < s->count && k < other.count;) {
    const need a = s->items[i], b = other.items[k];
    if (a == b) s->items[kept++] = a;
    i += a <= b;
    k += b <= a;
  }
  s->count = kept;
}

/* What the list has comes into the set. */
static void needs_join(need_set *s, need_list other) {
  need_set had;
  if (s->count == ID_NONE || !other.count) return;
  if (!s->count || other.count == ID_NONE) {
    copy(s, other);
    return;
  }
  copy(&had, need_set_list(s));
  s->count = 0;
  for (uint32_t i = 0, k = 0; s->count < NEEDS_MAX && (i < had.count || k < other.count);) {
    const need a = i < had.count ? had.items[i] : UINT32_MAX;
    const need b = k < other.count ? other.items[k] : UINT32_MAX;
    s->items[s->count++] = a < b ? a : b;
    i += a <= b;
    k += b <= a;
  }
}

/* Atoms that stand beside each other often need the same: `last` is kept for the next, too. */
static need_list keep_set(const need_set *s, need_list last, arena *keep) {
  if (!s->count || s->count == ID_NONE) return s->count ? everything : nothing;
  if (s->count == last.count && memcmp(s->items, last.items, s->count * sizeof(need)) == 0)
    return last;
  need *items = arena_new_array(keep, need, s->count);
  memcpy(items, s->items, s->count * sizeof *items);
  return (need_list){items, s->count};
}

/* ---- what follows ---- */

/* From the head follows what follows from each of its bodies. */
static void needs_of_head(const need_table *t, atom_id a, need_set *found) {
  const ground_program *g = t->c->g;
  found->count = ID_NONE;
  for (uint32_t i = g->rules_of[a]; i < g->rules_of[a + 1] && found->count; i++) {
    const ground_rule *r = &g->rules.items[i];
    need_set body;
    body.count = 0;
    for (uint32_t k = 0; k < r->body_count; k++) {
      const ground_literal l = g->literals.items[r->body + k];
      needs_join(&body, t->by_atom[literal_atom(l)].of[literal_is_negated(l)]);
    }
    needs_meet(found, need_set_list(&body));
  }
}

/* From its negation follows what follows from the negation of any of them; which is what follows
   from the negation of each literal of that body. */
static void needs_of_negation(const need_table *t, atom_id a, need_set *found) {
  const ground_program *g = t->c->g;
  found->count = 0;
  for (uint32_t i = g->rules_of[a]; i < g->rules_of[a + 1]; i++) {
    const ground_rule *r = &g->rules.items[i];
    need_set body;
    body.count = ID_NONE;
    for (uint32_t k = 0; k < r->body_count && body.count; k++) {
      const ground_literal l = g->literals.items[r->body + k];
      needs_meet(&body, t->by_atom[literal_atom(l)].of[!literal_is_negated(l)]);
    }
    needs_join(found, need_set_list(&body));
  }
}

/* `last` has what was found for the atom before, by sign. */
static void find_needs(need_table *t, atom_id a, need_list last[2], arena *keep) {
  const ground_clauses *c = t->c;
  need_set found;
  for (uint32_t sign = 0; sign < 2; sign++) {
    found.count = 0; /* of moves nothing is known */
    if (c->fluent_of[a] != ID_NONE) {
      found.count = 1;
      found.items[0] = c->fluent_of[a] | (sign ? NEED_NEGATED : 0);
    } else if (c->move_of[a] == ID_NONE) {
      (sign ? needs_of_negation : needs_of_head)(t, a, &found);
    }
    t->by_atom[a].of[sign] = keep_set(&found, last[sign], keep);
    if (t->by_atom[a].of[sign].items) last[sign] = t->by_atom[a].of[sign];
  }
}

/* An atom that depends on itself meets some that have no list yet: nothing is known of them. */
need_table need_table_new(ground_clauses *c, arena *keep) {
  const uint32_t atoms = c->g->atoms.count;
  need_table t = {.c = c, .by_atom = arena_zero_array(keep, atom_needs, atoms + 1)};
  need_list last[2] = {nothing, nothing};
  ground_clauses_find_parts(c);
  for (uint32_t i = 0; i < atoms && !budget_is_spent(c->b); i++)
    find_needs(&t, c->order[i], last, keep);
  return t;
}

need_list needs_of_move(const need_table *t, uint32_t move) {
  const atom_id legal = t->c->g->moves.items[move].legal;
  return legal == ATOM_NONE ? everything : t->by_atom[legal].of[false];
}

need_list needs_of_going_on(const need_table *t) {
  const atom_id terminal = t->c->g->terminal;
  return terminal == ATOM_NONE ? nothing : t->by_atom[terminal].of[true];
}
