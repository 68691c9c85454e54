#include "symmetry/symmetries.h"

#include <stdlib.h>

/* ---- rules ---- */

/* A rule as a list of literals behind their number, to be compared. */
typedef struct rule_image {
  uint32_t count;
  const ground_literal *literals; /* sorted */
} rule_image;

static int by_number(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static int by_literals(const void *a, const void *b) {
  const rule_image *x = a, *y = b;
  if (x->count != y->count) return x->count < y->count ? -1 : 1;
  for (uint32_t i = 0; i < x->count; i++)
    if (x->literals[i] != y->literals[i]) return x->literals[i] < y->literals[i] ? -1 : 1;
  return 0;
}

/* `atoms`: images; NULL: the rule as it is. */
static rule_image image_of(const ground_program *g, uint32_t rule, const uint32_t *atoms,
                           arena *scratch) {
  const ground_rule *r = &g->rules.items[rule];
  ground_literal *literals = arena_new_array(scratch, ground_literal, r->body_count + 1);
  for (uint32_t i = 0; i < r->body_count; i++) {
    const ground_literal l = g->literals.items[r->body + i];
    const atom_id atom = atoms ? atoms[literal_atom(l)] : literal_atom(l);
    literals[i] = literal_of_atom(atom, literal_is_negated(l));
  }
  if (r->body_count) qsort(literals, r->body_count, sizeof *literals, by_number);
  return (rule_image){r->body_count, literals};
}

static rule_image *images_of(const ground_program *g, atom_id head, const uint32_t *atoms,
                             arena *scratch) {
  const uint32_t first = g->rules_of[head], count = g->rules_of[head + 1] - first;
  rule_image *images = arena_new_array(scratch, rule_image, count + 1);
  for (uint32_t i = 0; i < count; i++) images[i] = image_of(g, first + i, atoms, scratch);
  if (count) qsort(images, count, sizeof *images, by_literals);
  return images;
}

static bool maps_rules_of(const ground_program *g, const symmetry *s, atom_id head,
                          arena *scratch) {
  const atom_id to = s->atoms[head];
  const uint32_t count = g->rules_of[head + 1] - g->rules_of[head];
  if (g->rules_of[to + 1] - g->rules_of[to] != count) return false;
  const arena_mark mark = arena_save(scratch);
  const rule_image *mapped = images_of(g, head, s->atoms, scratch);
  const rule_image *there = images_of(g, to, NULL, scratch);
  bool is_same = true;
  for (uint32_t i = 0; i < count; i++) is_same &= by_literals(&mapped[i], &there[i]) == 0;
  arena_restore(scratch, mark);
  return is_same;
}

/* ---- the rest ---- */

static bool is_permutation(const uint32_t *images, uint32_t count, arena *scratch) {
  const arena_mark mark = arena_save(scratch);
  bool *is_taken = arena_zero_array(scratch, bool, count + (size_t)1);
  bool is_whole = true;
  for (uint32_t i = 0; i < count && is_whole; i++) {
    is_whole = images[i] < count && !is_taken[images[i]];
    if (is_whole) is_taken[images[i]] = true;
  }
  arena_restore(scratch, mark);
  return is_whole;
}

static bool maps_atom(const symmetry *s, atom_id from, atom_id to) {
  return from == ATOM_NONE ? to == ATOM_NONE : s->atoms[from] == to;
}

static bool maps_fluents(const ground_program *g, const symmetry *s) {
  for (uint32_t i = 0; i < g->fluents.count; i++) {
    const ground_fluent *f = &g->fluents.items[i], *to = &g->fluents.items[s->fluents[i]];
    if (f->initially != to->initially || !maps_atom(s, f->holds, to->holds) ||
        !maps_atom(s, f->next, to->next))
      return false;
  }
  return true;
}

static bool has_move(const ground_role *r, uint32_t move) {
  return move >= r->first_move && move - r->first_move < r->move_count;
}

static bool maps_moves(const ground_program *g, const symmetry *s) {
  for (uint32_t role = 0; role < g->roles.count; role++) {
    const ground_role *r = &g->roles.items[role];
    for (uint32_t i = r->first_move; i < r->first_move + r->move_count; i++) {
      const ground_move *m = &g->moves.items[i], *to = &g->moves.items[s->moves[i]];
      if (!has_move(&g->roles.items[s->roles[role]], s->moves[i]) ||
          !maps_atom(s, m->does, to->does) || !maps_atom(s, m->legal, to->legal))
        return false;
    }
  }
  return true;
}

/* `term`: of the image; TERM_NONE: any. */
static bool has_outcome(const ground_outcome *items, uint32_t count, uint32_t role, atom_id atom,
                        term_id term) {
  for (uint32_t i = 0; i < count; i++)
    if (items[i].role == role && items[i].atom == atom &&
        (term == TERM_NONE || items[i].term == term))
      return true;
  return false;
}

/* Goals keep their values; percepts must only stay distinct. */
static bool maps_outcomes(const ground_outcome *items, uint32_t count, bool keep_terms,
                          const symmetry *s) {
  for (uint32_t i = 0; i < count; i++)
    if (!has_outcome(items, count, s->roles[items[i].role], s->atoms[items[i].atom],
                     keep_terms ? items[i].term : TERM_NONE))
      return false;
  return true;
}

static bool keeps_marks(const ground_program *g, const symmetry *s) {
  for (uint32_t i = 0; i < g->marks.count; i++)
    if (s->atoms[g->marks.items[i].atom] != g->marks.items[i].atom) return false;
  return true;
}

static bool are_permutations(const ground_program *g, const symmetry *s, arena *scratch) {
  return is_permutation(s->atoms, g->atoms.count, scratch) &&
         is_permutation(s->fluents, g->fluents.count, scratch) &&
         is_permutation(s->moves, g->moves.count, scratch) &&
         is_permutation(s->roles, g->roles.count, scratch);
}

bool symmetry_is_proved(const ground_program *g, const symmetry *s, arena *scratch) {
  if (!are_permutations(g, s, scratch) || !maps_fluents(g, s) || !maps_moves(g, s) ||
      !maps_outcomes(g->goals.items, g->goals.count, true, s) ||
      !maps_outcomes(g->percepts.items, g->percepts.count, false, s) || !keeps_marks(g, s) ||
      !maps_atom(s, g->terminal, g->terminal))
    return false;
  for (atom_id head = 0; head < g->atoms.count; head++)
    if (!maps_rules_of(g, s, head, scratch)) return false;
  return true;
}
