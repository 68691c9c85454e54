#include "ground/normal.h"

#include "base/bitset.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- steps 1 to 3 ---- */

typedef struct valuation {
  const ground_program *g;
  arena *scratch;
  truth *truths;       /* by atom */
  bitset given;        /* atoms of fluents and moves */
  uint32_t *uses_from; /* by atom: its occurrences are */
  uint32_t *uses;      /* a rule, times two, plus one where it is negated */
  uint32_t *missing;   /* by rule: literals that are not known to hold */
  uint32_t *chances;   /* by atom: rules that may still fire */
  bitset is_dead;      /* rules that cannot fire */
  id_vec queue;        /* atoms that were settled and not yet told on */
} valuation;

static const ground_literal *body_of(const ground_program *g, uint32_t r) {
  return g->literals.items + g->rules.items[r].body;
}

static void settle(valuation *v, atom_id a, truth t) {
  if (v->truths[a] != TRUTH_OPEN) return;
  v->truths[a] = t;
  vec_push(v->scratch, &v->queue, a);
}

static void kill_rule(valuation *v, uint32_t r) {
  const atom_id head = v->g->rules.items[r].head;
  if (!bitset_insert(v->is_dead, r)) return;
  if (--v->chances[head] == 0) settle(v, head, TRUTH_FAILS);
}

static void satisfy_literal(valuation *v, uint32_t r) {
  if (--v->missing[r] == 0 && !bitset_has(v->is_dead, r))
    settle(v, v->g->rules.items[r].head, TRUTH_HOLDS);
}

static void tell_settled(valuation *v) {
  while (v->queue.count) {
    const atom_id a = vec_pop(&v->queue);
    const bool holds = v->truths[a] == TRUTH_HOLDS;
    for (uint32_t i = v->uses_from[a]; i < v->uses_from[a + 1]; i++) {
      const bool negated = v->uses[i] & 1;
      if (holds != negated)
        satisfy_literal(v, v->uses[i] >> 1);
      else
        kill_rule(v, v->uses[i] >> 1);
    }
  }
}

/* ---- atoms that only support each other ---- */

/* Counts the positive literals of living rules that are open and not given. */
static void count_unsupported(const valuation *v, uint32_t *unsupported, bitset supported,
                              id_vec *queue) {
  for (uint32_t r = 0; r < v->g->rules.count; r++) {
    if (bitset_has(v->is_dead, r)) continue;
    const ground_rule *it = &v->g->rules.items[r];
    unsupported[r] = 0;
    for (uint32_t i = 0; i < it->body_count; i++) {
      const ground_literal l = body_of(v->g, r)[i];
      const atom_id a = literal_atom(l);
      unsupported[r] +=
          !literal_is_negated(l) && v->truths[a] == TRUTH_OPEN && !bitset_has(v->given, a);
    }
    if (unsupported[r] == 0 && bitset_insert(supported, it->head))
      vec_push(v->scratch, queue, it->head);
  }
}

static void spread_support(const valuation *v, uint32_t *unsupported, bitset supported,
                           id_vec *queue) {
  while (queue->count) {
    const atom_id a = vec_pop(queue);
    if (v->truths[a] != TRUTH_OPEN) continue; /* was not counted */
    for (uint32_t i = v->uses_from[a]; i < v->uses_from[a + 1]; i++) {
      const uint32_t r = v->uses[i] >> 1;
      if (v->uses[i] & 1 || bitset_has(v->is_dead, r) || --unsupported[r]) continue;
      const atom_id head = v->g->rules.items[r].head;
      if (bitset_insert(supported, head)) vec_push(v->scratch, queue, head);
    }
  }
}

/* Settles open atoms that have no support from outside.  True: there were some. */
static bool drop_unfounded(valuation *v) {
  const arena_mark mark = arena_save(v->scratch);
  uint32_t *unsupported = arena_new_array(v->scratch, uint32_t, v->g->rules.count);
  const bitset supported = bitset_new(v->scratch, v->g->atoms.count);
  id_vec queue = {0};
  count_unsupported(v, unsupported, supported, &queue);
  spread_support(v, unsupported, supported, &queue);
  v->queue = (id_vec){0};
  id_vec unfounded = {0};
  for (atom_id a = 0; a < v->g->atoms.count; a++)
    if (v->truths[a] == TRUTH_OPEN && !bitset_has(supported, a) && !bitset_has(v->given, a))
      vec_push(v->scratch, &unfounded, a);
  for (uint32_t i = 0; i < unfounded.count; i++) settle(v, unfounded.items[i], TRUTH_FAILS);
  tell_settled(v);
  v->queue = (id_vec){0};
  arena_restore(v->scratch, mark);
  return unfounded.count > 0;
}

/* ---- setting up ---- */

static int compare_literals(const void *left, const void *right) {
  const ground_literal a = *(const ground_literal *)left;
  const ground_literal b = *(const ground_literal *)right;
  return (a > b) - (a < b);
}

static bool is_sorted(const ground_literal *body, uint32_t count) {
  for (uint32_t i = 1; i < count; i++)
    if (body[i - 1] >= body[i]) return false;
  return true;
}

/* Makes bodies sets. */
static void sort_bodies(ground_program *g) {
  for (uint32_t r = 0; r < g->rules.count; r++) {
    ground_rule *it = &g->rules.items[r];
    ground_literal *body = g->literals.items + it->body;
    if (is_sorted(body, it->body_count)) continue;
    qsort(body, it->body_count, sizeof *body, compare_literals);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < it->body_count; i++)
      if (kept == 0 || body[kept - 1] != body[i]) body[kept++] = body[i];
    it->body_count = kept;
  }
}

static void index_uses(valuation *v) {
  const ground_program *g = v->g;
  v->uses_from = arena_zero_array(v->scratch, uint32_t, g->atoms.count + 1);
  uint32_t total = 0;
  for (uint32_t r = 0; r < g->rules.count; r++) {
    const uint32_t count = g->rules.items[r].body_count;
    for (uint32_t i = 0; i < count; i++) v->uses_from[literal_atom(body_of(g, r)[i])]++;
    total += count;
  }
  for (atom_id a = 0; a < g->atoms.count; a++) v->uses_from[a + 1] += v->uses_from[a];
  v->uses = arena_new_array(v->scratch, uint32_t, total);
  for (uint32_t r = g->rules.count; r-- > 0;)
    for (uint32_t i = 0; i < g->rules.items[r].body_count; i++) {
      const ground_literal l = body_of(g, r)[i];
      v->uses[--v->uses_from[literal_atom(l)]] = r << 1 | literal_is_negated(l);
    }
}

static bitset given_atoms(const ground_program *g, arena *scratch) {
  const bitset given = bitset_new(scratch, g->atoms.count);
  for (uint32_t i = 0; i < g->fluents.count; i++)
    if (g->fluents.items[i].holds != ATOM_NONE) bitset_add(given, g->fluents.items[i].holds);
  for (uint32_t i = 0; i < g->moves.count; i++)
    if (g->moves.items[i].does != ATOM_NONE) bitset_add(given, g->moves.items[i].does);
  return given;
}

/* An atom and its negation are neighbours in a sorted body. */
static bool rule_contradicts_itself(const ground_program *g, uint32_t r) {
  const ground_literal *body = body_of(g, r);
  for (uint32_t i = 1; i < g->rules.items[r].body_count; i++)
    if (literal_atom(body[i - 1]) == literal_atom(body[i])) return true;
  return false;
}

/* Steps 1 to 3 for what the rules alone say. */
static void settle_at_first_sight(valuation *v) {
  const ground_program *g = v->g;
  for (uint32_t r = 0; r < g->rules.count; r++) {
    v->missing[r] = g->rules.items[r].body_count;
    v->chances[g->rules.items[r].head]++;
  }
  for (atom_id a = 0; a < g->atoms.count; a++)
    if (v->chances[a] == 0 && !bitset_has(v->given, a)) settle(v, a, TRUTH_FAILS);
  for (uint32_t r = 0; r < g->rules.count; r++) {
    if (v->missing[r] == 0) settle(v, g->rules.items[r].head, TRUTH_HOLDS);
    if (rule_contradicts_itself(g, r)) kill_rule(v, r);
  }
}

truth *ground_truths(ground_program *g, arena *keep) {
  arena *scratch = arena_new();
  sort_bodies(g);
  valuation v = {.g = g,
                 .scratch = scratch,
                 .truths = arena_zero_array(keep, truth, g->atoms.count),
                 .given = given_atoms(g, scratch),
                 .missing = arena_new_array(scratch, uint32_t, g->rules.count),
                 .chances = arena_zero_array(scratch, uint32_t, g->atoms.count),
                 .is_dead = bitset_new(scratch, g->rules.count)};
  index_uses(&v);
  settle_at_first_sight(&v);
  tell_settled(&v);
  while (drop_unfounded(&v)) continue;
  arena_free(scratch);
  return v.truths;
}

/* ---- steps 4 and 5 ---- */

/* The open literals of a body.  False: one fails. */
static bool reduce_body(ground_program *g, ground_rule *r, const truth *truths) {
  ground_literal *body = g->literals.items + r->body;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < r->body_count; i++) {
    const truth t = truths[literal_atom(body[i])];
    if (t != TRUTH_OPEN && (t == TRUTH_FAILS) != literal_is_negated(body[i])) return false;
    if (t == TRUTH_OPEN) body[kept++] = body[i];
  }
  r->body_count = kept;
  return true;
}

static void reduce_rules(ground_program *g, truth *truths) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < g->rules.count; i++) {
    ground_rule r = g->rules.items[i];
    if (truths[r.head] == TRUTH_FAILS || rule_contradicts_itself(g, i)) continue;
    if (!reduce_body(g, &r, truths)) continue;
    if (truths[r.head] == TRUTH_HOLDS && r.body_count > 0) continue;
    g->rules.items[kept++] = r;
  }
  g->rules.count = kept;
}

/* Calls `visit` with every place where the interface names an atom.  `is_answer`: the atom has
   rules, else it is given. */
typedef void atom_visitor(void *context, atom_id *a, bool is_answer);

static void each_interface_atom(ground_program *g, atom_visitor *visit, void *context) {
  visit(context, &g->terminal, true);
  for (uint32_t i = 0; i < g->fluents.count; i++) {
    visit(context, &g->fluents.items[i].next, true);
    visit(context, &g->fluents.items[i].holds, false);
  }
  for (uint32_t i = 0; i < g->moves.count; i++) {
    visit(context, &g->moves.items[i].legal, true);
    visit(context, &g->moves.items[i].does, false);
  }
  for (uint32_t i = 0; i < g->goals.count; i++) visit(context, &g->goals.items[i].atom, true);
  for (uint32_t i = 0; i < g->percepts.count; i++) visit(context, &g->percepts.items[i].atom, true);
}

typedef struct needs {
  const truth *truths;
  bitset needed;
  id_vec queue;
  arena *scratch;
} needs;

static void need(needs *n, atom_id a) {
  if (bitset_insert(n->needed, a)) vec_push(n->scratch, &n->queue, a);
}

static void need_answer(void *context, atom_id *a, bool is_answer) {
  needs *n = context;
  if (*a != ATOM_NONE && n->truths[*a] == TRUTH_FAILS) *a = ATOM_NONE;
  if (*a != ATOM_NONE && is_answer) need(n, *a);
}

static void need_bodies(needs *n, const ground_program *g) {
  while (n->queue.count) {
    const atom_id a = vec_pop(&n->queue);
    for (uint32_t r = g->rules_of[a]; r < g->rules_of[a + 1]; r++)
      for (uint32_t i = 0; i < g->rules.items[r].body_count; i++)
        need(n, literal_atom(body_of(g, r)[i]));
  }
}

static void renumber_place(void *context, atom_id *a, bool is_answer) {
  const atom_id *numbers = context;
  (void)is_answer;
  if (*a != ATOM_NONE) *a = numbers[*a];
}

/* Numbers keep their order, so bodies stay sorted. */
static atom_id *renumber_atoms(ground_program *g, bitset needed, arena *scratch) {
  atom_id *numbers = arena_new_array(scratch, atom_id, g->atoms.count);
  uint32_t count = 0;
  for (atom_id a = 0; a < g->atoms.count; a++) {
    numbers[a] = bitset_has(needed, a) ? count : ATOM_NONE;
    if (numbers[a] != ATOM_NONE) g->atoms.items[count++] = g->atoms.items[a];
  }
  g->atoms.count = count;
  return numbers;
}

static void renumber_rules(ground_program *g, const atom_id *numbers) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < g->rules.count; i++) {
    ground_rule r = g->rules.items[i];
    r.head = numbers[r.head];
    if (r.head == ATOM_NONE) continue;
    for (uint32_t k = 0; k < r.body_count; k++) {
      ground_literal *l = &g->literals.items[r.body + k];
      *l = literal_of_atom(numbers[literal_atom(*l)], literal_is_negated(*l));
    }
    g->rules.items[kept++] = r;
  }
  g->rules.count = kept;
}

/* Bodies one behind the other, without the room of those that went. */
static void pack_literals(ground_program *g, arena *scratch) {
  uint32_t total = 0;
  for (uint32_t r = 0; r < g->rules.count; r++) total += g->rules.items[r].body_count;
  ground_literal *packed = arena_new_array(scratch, ground_literal, total);
  uint32_t at = 0;
  for (uint32_t r = 0; r < g->rules.count; r++) {
    ground_rule *it = &g->rules.items[r];
    if (it->body_count) memcpy(packed + at, body_of(g, r), it->body_count * sizeof *packed);
    it->body = at;
    at += it->body_count;
  }
  if (total) memcpy(g->literals.items, packed, total * sizeof *packed);
  g->literals.count = total;
}

static uint32_t drop_failed(ground_outcome *items, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++)
    if (items[i].atom != ATOM_NONE) items[kept++] = items[i];
  return kept;
}

static void drop_unneeded(ground_program *g, const truth *truths, arena *scratch) {
  needs n = {.truths = truths, .needed = bitset_new(scratch, g->atoms.count), .scratch = scratch};
  each_interface_atom(g, need_answer, &n);
  need_bodies(&n, g);
  atom_id *numbers = renumber_atoms(g, n.needed, scratch);
  each_interface_atom(g, renumber_place, numbers);
  renumber_rules(g, numbers);
  pack_literals(g, scratch);
  g->goals.count = drop_failed(g->goals.items, g->goals.count);
  g->percepts.count = drop_failed(g->percepts.items, g->percepts.count);
}

void ground_normalise(ground_program *g) {
  arena *scratch = arena_new();
  truth *truths = ground_truths(g, scratch);
  reduce_rules(g, truths);
  ground_index_rules(g); /* makes rules a set */
  drop_unneeded(g, truths, scratch);
  ground_index_rules(g);
  arena_free(scratch);
}
