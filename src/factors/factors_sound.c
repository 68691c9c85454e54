#include "factors/factors_sound.h"

#include "base/bitset.h"
#include "base/hash.h"
#include "factors/factor_reads.h"

#include <stdlib.h>

/* What the latches below a gate are of; common ones do not count. */
#define BELOW_NOTHING (UINT32_MAX - 2)
#define BELOW_SEVERAL (UINT32_MAX - 3)

typedef struct checker {
  const factors *f;
  const circuit *c;
  uint32_t *below;    /* by gate: a part, PART_UNREAD, BELOW_NOTHING or BELOW_SEVERAL */
  bitset reads_state; /* gates with a latch below them */
  bitset reads_lost;  /* gates with an unread latch below them */
  uint32_t *roles;    /* by gate: whose moves are below it */
  uint32_t *role_of;  /* by move */
  arena *scratch;
} checker;

static bool is_part(const factors *f, uint32_t part) { return part < f->count; }

/* ---- what gates read ---- */

static uint32_t both_of(uint32_t a, uint32_t b, uint32_t nothing, uint32_t several) {
  if (a == nothing || a == b) return b;
  return b == nothing ? a : several;
}

static void read_gate(checker *x, gate_id g) {
  const gate it = x->c->gates.items[g];
  x->below[g] = BELOW_NOTHING;
  x->roles[g] = ROLE_OF_NONE;
  if (it.kind == GATE_MOVE) x->roles[g] = x->role_of[it.number];
  if (it.kind == GATE_LATCH) {
    bitset_add(x->reads_state, g);
    if (x->f->part_of[it.number] != PART_COMMON) x->below[g] = x->f->part_of[it.number];
    if (x->f->part_of[it.number] == PART_UNREAD) bitset_add(x->reads_lost, g);
  }
  for (uint32_t i = 0; it.kind == GATE_AND && i < it.input_count; i++) {
    const gate_id input = wire_gate(gate_inputs(x->c, g)[i]);
    x->below[g] = both_of(x->below[g], x->below[input], BELOW_NOTHING, BELOW_SEVERAL);
    x->roles[g] = both_of(x->roles[g], x->roles[input], ROLE_OF_NONE, ROLE_OF_MANY);
    if (bitset_has(x->reads_state, input)) bitset_add(x->reads_state, g);
    if (bitset_has(x->reads_lost, input)) bitset_add(x->reads_lost, g);
  }
}

static uint32_t below(const checker *x, wire w) { return x->below[wire_gate(w)]; }

/* ---- states ---- */

static bool latch_is_sound(const checker *x, uint32_t i) {
  const uint32_t part = x->f->part_of[i];
  const wire next = x->c->latches.items[i].next;
  if (part == PART_UNREAD) return true;
  if (part == PART_COMMON)
    return below(x, next) == BELOW_NOTHING && x->roles[wire_gate(next)] == ROLE_OF_NONE;
  return is_part(x->f, part) && (below(x, next) == part || below(x, next) == BELOW_NOTHING);
}

static bool latches_are_sound(const checker *x) {
  for (uint32_t i = 0; i < x->c->latches.count; i++)
    if (!latch_is_sound(x, i)) return false;
  return true;
}

/* No output reads an unread latch; ends and goals read the parts that are said to matter. */
static bool output_is_sound(const checker *x, wire w, const bool *matters) {
  id_vec open = {0};
  const bitset seen = bitset_new(x->scratch, x->c->gates.count);
  if (bitset_has(x->reads_lost, wire_gate(w))) return false;
  vec_push(x->scratch, &open, wire_gate(w));
  while (open.count && matters) {
    const gate_id g = vec_pop(&open);
    const gate it = x->c->gates.items[g];
    if (!bitset_insert(seen, g)) continue;
    if (it.kind == GATE_LATCH && is_part(x->f, x->f->part_of[it.number]) &&
        !matters[x->f->part_of[it.number]])
      return false;
    for (uint32_t i = 0; it.kind == GATE_AND && i < it.input_count; i++)
      vec_push(x->scratch, &open, wire_gate(gate_inputs(x->c, g)[i]));
  }
  return true;
}

static bool outputs_are_sound(const checker *x) {
  const circuit *c = x->c;
  bool ok = output_is_sound(x, c->terminal, x->f->ends);
  for (uint32_t i = 0; i < c->goals.count && ok; i++)
    ok = output_is_sound(x, c->goals.items[i].holds, x->f->scores);
  for (uint32_t i = 0; i < c->moves.count && ok; i++)
    ok = output_is_sound(x, c->moves.items[i].legal, NULL);
  for (uint32_t i = 0; i < c->percepts.count && ok; i++)
    ok = output_is_sound(x, c->percepts.items[i].holds, NULL);
  for (uint32_t i = 0; i < c->marks.count && ok; i++)
    ok = output_is_sound(x, c->marks.items[i].holds, NULL);
  for (uint32_t i = 0; i < c->targets.count && ok; i++)
    ok = output_is_sound(x, c->targets.items[i], x->f->scores);
  return ok;
}

/* ---- classes ---- */

static bool class_numbers_are_sound(const checker *x) {
  for (uint32_t part = 0; part < x->f->count; part++)
    for (uint32_t m = 0; m < x->c->moves.count; m++)
      if (factor_class(x->f, part, m) >= factor_class_count(x->f, part, x->role_of[m]))
        return false;
  return true;
}

/* Sets of moves that a part reads, with a stamp for each part by gate. */
static void list_sets(const checker *x, wire w, uint32_t stamp, uint32_t *seen, id_vec *sets) {
  id_vec open = {0};
  vec_push(x->scratch, &open, wire_gate(w));
  while (open.count) {
    const gate_id g = vec_pop(&open);
    const gate it = x->c->gates.items[g];
    if (seen[g] == stamp || x->roles[g] == ROLE_OF_NONE) continue;
    seen[g] = stamp;
    if (x->roles[g] != ROLE_OF_MANY && !bitset_has(x->reads_state, g))
      vec_push(x->scratch, sets, g);
    else
      for (uint32_t i = 0; it.kind == GATE_AND && i < it.input_count; i++)
        vec_push(x->scratch, &open, wire_gate(gate_inputs(x->c, g)[i]));
  }
}

/* Rows of bits, one for each move, of the sets of one role that some part reads. */
typedef struct set_rows {
  uint32_t *row_of; /* by gate; ID_NONE: none */
  uint64_t *bits;
  uint32_t words, count;
} set_rows;

static bool row_has(const set_rows *r, gate_id set, uint32_t move) {
  return r->bits[(size_t)r->row_of[set] * r->words + move / 64] >> move % 64 & 1;
}

static void fill_rows(const checker *x, set_rows *r) {
  uint64_t *values = arena_new_array(x->scratch, uint64_t, x->c->gates.count);
  for (uint32_t role = 0; role < x->c->roles.count; role++) {
    const circuit_role *it = &x->c->roles.items[role];
    const uint32_t end = it->first_move + it->move_count;
    for (uint32_t first = it->first_move; first < end; first += 64) {
      factor_try_moves(x->c, role, first, values);
      for (gate_id g = 0; g < x->c->gates.count; g++) {
        if (r->row_of[g] == ID_NONE || x->roles[g] != role) continue;
        for (uint32_t m = first; m < end && m - first < 64; m++)
          if (values[g] >> (m - first) & 1)
            r->bits[(size_t)r->row_of[g] * r->words + m / 64] |= UINT64_C(1) << m % 64;
      }
    }
  }
}

static set_rows rows_of(const checker *x, const id_vec *sets) {
  set_rows r = {.row_of = arena_new_array(x->scratch, uint32_t, x->c->gates.count),
                .words = x->c->moves.count / 64 + 1};
  for (gate_id g = 0; g < x->c->gates.count; g++) r.row_of[g] = ID_NONE;
  for (uint32_t i = 0; i < sets->count; i++)
    if (r.row_of[sets->items[i]] == ID_NONE) r.row_of[sets->items[i]] = r.count++;
  r.bits = arena_zero_array(x->scratch, uint64_t, (size_t)r.count * r.words + 1);
  fill_rows(x, &r);
  return r;
}

/* Moves of a class are in the same sets. */
static bool effects_are_sound(const checker *x, uint32_t part, const set_rows *rows,
                              const gate_id *sets, uint32_t count) {
  for (uint32_t role = 0; role < x->c->roles.count; role++) {
    const circuit_role *r = &x->c->roles.items[role];
    const uint32_t classes = factor_class_count(x->f, part, role);
    uint32_t *firsts = arena_new_array(x->scratch, uint32_t, classes + (size_t)1);
    for (uint32_t i = 0; i < classes; i++) firsts[i] = CLASS_NONE;
    for (uint32_t m = r->first_move; m < r->first_move + r->move_count; m++) {
      uint32_t *first = &firsts[factor_class(x->f, part, m)];
      if (*first == CLASS_NONE) *first = m;
      for (uint32_t i = 0; i < count && *first != m; i++)
        if (x->roles[sets[i]] == role &&
            row_has(rows, sets[i], m) != row_has(rows, sets[i], *first))
          return false;
    }
    for (uint32_t i = 0; i < classes; i++)
      if (firsts[i] == CLASS_NONE) return false;
  }
  return true;
}

static bool all_effects_are_sound(const checker *x) {
  id_vec sets = {0}, starts = {0};
  uint32_t *seen = arena_zero_array(x->scratch, uint32_t, x->c->gates.count);
  for (uint32_t part = 0; part < x->f->count; part++) {
    vec_push(x->scratch, &starts, sets.count);
    for (uint32_t i = 0; i < x->c->latches.count; i++)
      if (x->f->part_of[i] == part)
        list_sets(x, x->c->latches.items[i].next, part + 1, seen, &sets);
  }
  vec_push(x->scratch, &starts, sets.count);
  const set_rows rows = rows_of(x, &sets);
  for (uint32_t part = 0; part < x->f->count; part++)
    if (!effects_are_sound(x, part, &rows, vec_from(&sets, starts.items[part]),
                           starts.items[part + 1] - starts.items[part]))
      return false;
  return true;
}

/* ---- conditions ---- */

static int by_wire(const void *a, const void *b) {
  const wire x = *(const wire *)a, y = *(const wire *)b;
  return (x > y) - (x < y);
}

/* The conditions of a move in a part, sorted; part BELOW_NOTHING: on common latches.  False: one is
   on several parts. */
static bool list_conditions(const checker *x, uint32_t move, uint32_t part, wire_vec *out) {
  wire_vec all = {0};
  out->count = 0;
  factor_list_conjuncts(x->c, x->c->moves.items[move].legal, &all, x->scratch);
  for (uint32_t i = 0; i < all.count; i++) {
    if (below(x, all.items[i]) == BELOW_SEVERAL) return false;
    if (below(x, all.items[i]) == part) vec_push(x->scratch, out, all.items[i]);
  }
  if (out->count) qsort(out->items, out->count, sizeof *out->items, by_wire);
  return true;
}

static bool are_same(const wire_vec *a, const wire_vec *b) {
  return a->count == b->count &&
         (!a->count || !memcmp(a->items, b->items, a->count * sizeof *a->items));
}

/* Moves of a class have the same conditions in `where`, a part or what is common. */
static bool conditions_are_same(const checker *x, uint32_t part, uint32_t role, uint32_t where,
                                uint32_t but_class) {
  const circuit_role *r = &x->c->roles.items[role];
  const uint32_t classes = factor_class_count(x->f, part, role);
  wire_vec *first = arena_zero_array(x->scratch, wire_vec, classes + (size_t)1), next = {0};
  bool *is_known = arena_zero_array(x->scratch, bool, classes + (size_t)1);
  for (uint32_t m = r->first_move; m < r->first_move + r->move_count; m++) {
    const uint32_t class = factor_class(x->f, part, m);
    if (class == but_class) continue;
    if (!list_conditions(x, m, where, is_known[class] ? &next : &first[class])) return false;
    if (is_known[class] && !are_same(&first[class], &next)) return false;
    is_known[class] = true;
  }
  return true;
}

/* Moves of the idle class have none. */
static bool idle_is_sound(const checker *x, uint32_t part, uint32_t role) {
  const circuit_role *r = &x->c->roles.items[role];
  const uint32_t idle = factor_idle_class(x->f, part, role);
  wire_vec found = {0};
  if (idle != CLASS_NONE && idle >= factor_class_count(x->f, part, role)) return false;
  for (uint32_t m = r->first_move; m < r->first_move + r->move_count; m++)
    if (factor_class(x->f, part, m) == idle &&
        (!list_conditions(x, m, part, &found) || found.count))
      return false;
  return true;
}

static bool conditions_are_sound(const checker *x, uint32_t part, uint32_t role) {
  const uint32_t idle = factor_idle_class(x->f, part, role);
  if (!conditions_are_same(x, part, role, part, CLASS_NONE)) return false;
  if (!idle_is_sound(x, part, role)) return false;
  return x->f->choices[role] == CHOOSES_IN_ALL_PARTS ||
         conditions_are_same(x, part, role, BELOW_NOTHING, idle);
}

static bool all_conditions_are_sound(const checker *x) {
  for (uint32_t part = 0; part < x->f->count; part++)
    for (uint32_t role = 0; role < x->c->roles.count; role++) {
      const arena_mark mark = arena_save(x->scratch);
      const bool ok = conditions_are_sound(x, part, role);
      arena_restore(x->scratch, mark);
      if (!ok) return false;
    }
  return true;
}

/* ---- choices ---- */

static bool chooses_one(const checker *x, uint32_t role) {
  const circuit_role *r = &x->c->roles.items[role];
  for (uint32_t m = r->first_move; m < r->first_move + r->move_count; m++) {
    uint32_t active = 0;
    for (uint32_t part = 0; part < x->f->count; part++)
      active += !factor_move_is_idle(x->f, part, role, m);
    if (active > 1) return false;
  }
  return true;
}

/* A combination of classes as a number below their product. */
static uint64_t combination_of(const checker *x, uint32_t role, uint32_t move) {
  uint64_t number = 0;
  for (uint32_t part = 0; part < x->f->count; part++)
    number = number * factor_class_count(x->f, part, role) + factor_class(x->f, part, move);
  return number;
}

static bool has_all_combinations(const checker *x, uint32_t role) {
  const circuit_role *r = &x->c->roles.items[role];
  uint64_t product = 1;
  for (uint32_t part = 0; part < x->f->count && product <= r->move_count; part++)
    product *= factor_class_count(x->f, part, role);
  if (product > r->move_count) return r->move_count == 0;
  const bitset seen = bitset_new(x->scratch, (uint32_t)product);
  for (uint32_t m = r->first_move; m < r->first_move + r->move_count; m++)
    bitset_add(seen, (uint32_t)combination_of(x, role, m));
  return bitset_count(seen) == product;
}

static bool has_one_guard(const checker *x, uint32_t role) {
  const circuit_role *r = &x->c->roles.items[role];
  wire_vec first = {0}, next = {0};
  for (uint32_t m = r->first_move; m < r->first_move + r->move_count; m++) {
    if (!list_conditions(x, m, BELOW_NOTHING, m == r->first_move ? &first : &next)) return false;
    if (m > r->first_move && !are_same(&first, &next)) return false;
  }
  return true;
}

static bool choices_are_sound(const checker *x) {
  for (uint32_t role = 0; role < x->c->roles.count; role++) {
    const bool ok = x->f->choices[role] == CHOOSES_ONE_PART
                        ? chooses_one(x, role)
                        : has_all_combinations(x, role) && has_one_guard(x, role);
    if (!ok) return false;
  }
  return true;
}

bool factors_are_sound(const factors *f) {
  const circuit *c = f->c;
  if (c->places.count || f->count < 2) return false;
  checker x = {.f = f, .c = c, .scratch = arena_new()};
  x.below = arena_new_array(x.scratch, uint32_t, c->gates.count);
  x.roles = arena_new_array(x.scratch, uint32_t, c->gates.count);
  x.reads_state = bitset_new(x.scratch, c->gates.count);
  x.reads_lost = bitset_new(x.scratch, c->gates.count);
  x.role_of = factor_move_roles(c, x.scratch);
  for (gate_id g = 0; g < c->gates.count; g++) read_gate(&x, g);
  const bool ok = latches_are_sound(&x) && outputs_are_sound(&x) && class_numbers_are_sound(&x) &&
                  all_effects_are_sound(&x) && all_conditions_are_sound(&x) &&
                  choices_are_sound(&x);
  arena_free(x.scratch);
  return ok;
}
