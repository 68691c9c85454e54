#include "ground/simplify.h"

#include "base/bitset.h"
#include "base/graph.h"

#include <stdlib.h>
#include <string.h>

enum { CEASING_ROUNDS_MAX = 64 };

/* ---- closures ---- */

/* A set of atoms under construction, with the rules that wait for it. */
typedef struct closure {
  const ground_program *g;
  const graph *uses;  /* atom -> rules that hold it positively */
  const atom_id *link; /* by atom: another that holds as soon as it does; or NULL */
  bitset members;
  uint32_t *missing; /* by rule: positive literals that are not members yet */
  id_vec queue;
  arena *scratch;
} closure;

static void add_member(closure *c, atom_id a) {
  if (bitset_insert(c->members, a)) vec_push(c->scratch, &c->queue, a);
}

static bool rule_is_blocked(const ground_program *g, const ground_rule *r, bitset blockers) {
  for (uint32_t i = 0; i < r->body_count; i++) {
    const ground_literal l = g->literals.items[r->body + i];
    if (literal_is_negated(l) && bitset_has(blockers, literal_atom(l))) return true;
  }
  return false;
}

/* A rule with a negated atom among the blockers does not fire. */
static void count_missing(closure *c, bitset blockers) {
  for (uint32_t r = 0; r < c->g->rules.count; r++) {
    const ground_rule *it = &c->g->rules.items[r];
    if (rule_is_blocked(c->g, it, blockers)) {
      c->missing[r] = UINT32_MAX;
      continue;
    }
    c->missing[r] = 0;
    for (uint32_t i = 0; i < it->body_count; i++)
      c->missing[r] += !literal_is_negated(c->g->literals.items[it->body + i]);
    if (c->missing[r] == 0) add_member(c, it->head);
  }
}

static void run_closure(closure *c) {
  while (c->queue.count) {
    const atom_id a = vec_pop(&c->queue);
    if (c->link && c->link[a] != ATOM_NONE) add_member(c, c->link[a]);
    for (uint32_t i = c->uses->from[a]; i < c->uses->from[a + 1]; i++) {
      const uint32_t r = c->uses->to[i];
      if (c->missing[r] != UINT32_MAX && --c->missing[r] == 0) add_member(c, c->g->rules.items[r].head);
    }
  }
}

static graph positive_uses(const ground_program *g, arena *scratch) {
  uint32_t *from = arena_zero_array(scratch, uint32_t, g->atoms.count + 1);
  for (uint32_t r = 0; r < g->rules.count; r++)
    for (uint32_t i = 0; i < g->rules.items[r].body_count; i++) {
      const ground_literal l = g->literals.items[g->rules.items[r].body + i];
      if (!literal_is_negated(l)) from[literal_atom(l)]++;
    }
  for (atom_id a = 0; a < g->atoms.count; a++) from[a + 1] += from[a];
  uint32_t *to = arena_new_array(scratch, uint32_t, from[g->atoms.count]);
  for (uint32_t r = g->rules.count; r-- > 0;)
    for (uint32_t i = 0; i < g->rules.items[r].body_count; i++) {
      const ground_literal l = g->literals.items[g->rules.items[r].body + i];
      if (!literal_is_negated(l)) to[--from[literal_atom(l)]] = r;
    }
  return (graph){g->atoms.count, from, to};
}

/* ---- constants ---- */

typedef struct folding {
  ground_program *g;
  arena *scratch;
  graph uses;
  bool through_states;
  const atom_id *link; /* by atom; NULL without through_states */
  bitset possible;     /* from round to round it only shrinks, */
  bitset certain;      /* and this only grows: so there is an end */
  bitset proved;       /* certain in an earlier round */
  bitset kept;         /* fluents that are taken never to cease */
  uint32_t *missing;   /* room for the closures */
  id_vec queue;
} folding;

/* next(f) leads to true(f), legal(r, m) to does(r, m). */
static atom_id *links_through_states(const ground_program *g, arena *scratch) {
  atom_id *link = arena_new_array(scratch, atom_id, g->atoms.count);
  memset(link, 0xff, g->atoms.count * sizeof *link);
  for (uint32_t i = 0; i < g->fluents.count; i++)
    if (g->fluents.items[i].next != ATOM_NONE) link[g->fluents.items[i].next] = g->fluents.items[i].holds;
  for (uint32_t i = 0; i < g->moves.count; i++)
    if (g->moves.items[i].legal != ATOM_NONE) link[g->moves.items[i].legal] = g->moves.items[i].does;
  return link;
}

static void add_given_atoms(closure *c, bool all) {
  const ground_program *g = c->g;
  for (uint32_t i = 0; i < g->fluents.count; i++)
    if (g->fluents.items[i].holds != ATOM_NONE && (all || g->fluents.items[i].initially))
      add_member(c, g->fluents.items[i].holds);
  for (uint32_t i = 0; i < g->moves.count && all; i++)
    if (g->moves.items[i].does != ATOM_NONE) add_member(c, g->moves.items[i].does);
}

static closure closure_of(const folding *f, bitset members) {
  bitset_clear(members);
  return (closure){.g = f->g, .uses = &f->uses, .members = members, .missing = f->missing,
                   .queue = f->queue, .scratch = f->scratch};
}

static void find_possible(folding *f) {
  closure c = closure_of(f, f->possible);
  c.link = f->link;
  add_given_atoms(&c, !f->through_states);
  count_missing(&c, f->certain);
  run_closure(&c);
  f->queue = c.queue;
}

/* The atoms that hold whenever the fluents that are kept do. */
static void find_certain_given_kept(folding *f) {
  closure c = closure_of(f, f->certain);
  for (atom_id a = 0; a < f->g->atoms.count; a++)
    if (bitset_has(f->proved, a)) add_member(&c, a);
  for (uint32_t i = 0; i < f->g->fluents.count; i++)
    if (bitset_has(f->kept, i)) add_member(&c, f->g->fluents.items[i].holds);
  count_missing(&c, f->possible);
  run_closure(&c);
  f->queue = c.queue;
}

static void keep_initial_fluents(folding *f) {
  bitset_clear(f->kept);
  for (uint32_t i = 0; i < f->g->fluents.count && f->through_states; i++) {
    const ground_fluent *it = &f->g->fluents.items[i];
    if (it->initially && it->holds != ATOM_NONE && it->next != ATOM_NONE) bitset_add(f->kept, i);
  }
}

/* Fluents that start true are taken never to cease, until one is found whose next does not follow;
   then again without it. */
static void find_certain(folding *f) {
  memcpy(f->proved.words, f->certain.words, bitset_words(f->certain) * sizeof *f->certain.words);
  keep_initial_fluents(f);
  for (uint32_t round = 0;; round++) {
    if (round == CEASING_ROUNDS_MAX) bitset_clear(f->kept);
    find_certain_given_kept(f);
    bool changed = false;
    for (uint32_t i = 0; i < f->g->fluents.count; i++) {
      if (!bitset_has(f->kept, i) || bitset_has(f->certain, f->g->fluents.items[i].next)) continue;
      bitset_remove(f->kept, i);
      changed = true;
    }
    if (!changed) return;
  }
}

typedef enum literal_fate { FATE_STAYS, FATE_HOLDS, FATE_FAILS } literal_fate;

static literal_fate fate_of(const folding *f, ground_literal l) {
  const atom_id a = literal_atom(l);
  const bool negated = literal_is_negated(l);
  if (bitset_has(f->certain, a)) return negated ? FATE_FAILS : FATE_HOLDS;
  if (!bitset_has(f->possible, a)) return negated ? FATE_HOLDS : FATE_FAILS;
  return FATE_STAYS;
}

/* Removes literals that hold.  False: one fails, and with it the rule. */
static bool fold_body(const folding *f, ground_rule *r) {
  ground_literal *literals = f->g->literals.items;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < r->body_count; i++) {
    const ground_literal l = literals[r->body + i];
    const literal_fate fate = fate_of(f, l);
    if (fate == FATE_FAILS) return false;
    if (fate == FATE_STAYS) literals[r->body + kept++] = l;
  }
  r->body_count = kept;
  return true;
}

/* A certain atom keeps one rule without conditions. */
static void fold_rules(folding *f) {
  ground_program *g = f->g;
  const bitset settled = bitset_new(f->scratch, g->atoms.count);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < g->rules.count; i++) {
    ground_rule r = g->rules.items[i];
    if (!fold_body(f, &r)) continue;
    if (bitset_has(f->certain, r.head)) {
      if (!bitset_insert(settled, r.head)) continue;
      r.body_count = 0;
    }
    g->rules.items[kept++] = r;
  }
  g->rules.count = kept;
}

static uint32_t known_count(const folding *f) {
  return f->g->atoms.count - bitset_count(f->possible) + bitset_count(f->certain);
}

void ground_fold_constants(ground_program *g, bool through_states) {
  arena *scratch = arena_new();
  folding f = {.g = g, .scratch = scratch, .uses = positive_uses(g, scratch),
               .through_states = through_states,
               .link = through_states ? links_through_states(g, scratch) : NULL,
               .possible = bitset_new(scratch, g->atoms.count),
               .certain = bitset_new(scratch, g->atoms.count),
               .proved = bitset_new(scratch, g->atoms.count),
               .kept = bitset_new(scratch, g->fluents.count),
               .missing = arena_new_array(scratch, uint32_t, g->rules.count)};
  for (uint32_t before = UINT32_MAX;;) {
    find_possible(&f);
    find_certain(&f);
    if (known_count(&f) == before) break;
    before = known_count(&f);
  }
  fold_rules(&f);
  arena_free(scratch);
}

/* ---- repeated and subsumed rules ---- */

static int compare_rules(const void *left, const void *right, void *context) {
  const ground_program *g = context;
  const ground_rule *a = left;
  const ground_rule *b = right;
  if (a->head != b->head) return a->head < b->head ? -1 : 1;
  if (a->body_count != b->body_count) return a->body_count < b->body_count ? -1 : 1;
  for (uint32_t i = 0; i < a->body_count; i++) {
    const ground_literal x = g->literals.items[a->body + i];
    const ground_literal y = g->literals.items[b->body + i];
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

void ground_count_rules(ground_program *g) {
  g->rules_of = arena_zero_array(g->keep, uint32_t, g->atoms.count + 1);
  for (uint32_t r = 0; r < g->rules.count; r++) g->rules_of[g->rules.items[r].head + 1]++;
  for (atom_id a = 0; a < g->atoms.count; a++) g->rules_of[a + 1] += g->rules_of[a];
}

static bool is_sorted_by_head(const ground_program *g) {
  for (uint32_t r = 1; r < g->rules.count; r++)
    if (g->rules.items[r - 1].head > g->rules.items[r].head) return false;
  return true;
}

/* A counting sort: linear, however many rules there are. */
static void sort_by_head(ground_program *g) {
  if (is_sorted_by_head(g)) return;
  arena *scratch = arena_new();
  ground_rule *old = arena_new_array(scratch, ground_rule, g->rules.count);
  memcpy(old, g->rules.items, g->rules.count * sizeof *old);
  uint32_t *next = arena_new_array(scratch, uint32_t, g->atoms.count + 1);
  memcpy(next, g->rules_of, (g->atoms.count + 1) * sizeof *next);
  for (uint32_t r = 0; r < g->rules.count; r++) g->rules.items[next[old[r].head]++] = old[r];
  arena_free(scratch);
}

/* Moves the rules first .. end-1 of one head, sorted and each once, to `to`; gives back where the
   next head's go. */
static uint32_t settle_head(ground_program *g, uint32_t first, uint32_t end, uint32_t to) {
  ground_rule *rules = g->rules.items;
  if (end - first > 1) qsort_r(rules + first, end - first, sizeof *rules, compare_rules, g);
  const uint32_t start = to;
  for (uint32_t r = first; r < end; r++)
    if (to == start || compare_rules(&rules[to - 1], &rules[r], g) != 0) rules[to++] = rules[r];
  return to;
}

void ground_index_rules(ground_program *g) {
  ground_count_rules(g);
  sort_by_head(g);
  uint32_t kept = 0;
  for (atom_id a = 0; a < g->atoms.count; a++)
    kept = settle_head(g, g->rules_of[a], g->rules_of[a + 1], kept);
  g->rules.count = kept;
  ground_count_rules(g);
}

/* Both bodies are sorted. */
static bool is_part_of(const ground_program *g, const ground_rule *small, const ground_rule *large) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < small->body_count; i++) {
    const ground_literal l = g->literals.items[small->body + i];
    while (at < large->body_count && g->literals.items[large->body + at] < l) at++;
    if (at == large->body_count || g->literals.items[large->body + at] != l) return false;
  }
  return true;
}

/* Shorter bodies come first in a head's rules.  Only they can subsume; very large heads are
   compared with their shortest few alone. */
static bool is_subsumed(const ground_program *g, uint32_t first, uint32_t r) {
  enum { COMPARED_MAX = 32 };
  const ground_rule *it = &g->rules.items[r];
  for (uint32_t i = first; i < r && i < first + COMPARED_MAX; i++) {
    if (g->rules.items[i].body_count >= it->body_count) return false;
    if (is_part_of(g, &g->rules.items[i], it)) return true;
  }
  return false;
}

void ground_drop_subsumed(ground_program *g) {
  uint32_t kept = 0;
  uint32_t first = 0; /* of the head at hand, among those kept */
  for (uint32_t r = 0; r < g->rules.count; r++) {
    if (kept > 0 && g->rules.items[kept - 1].head != g->rules.items[r].head) first = kept;
    g->rules.items[kept] = g->rules.items[r];
    kept += !is_subsumed(g, first, kept);
  }
  g->rules.count = kept;
  ground_count_rules(g);
}

/* ---- what nothing needs ---- */

static void need(bitset needed, id_vec *queue, arena *scratch, atom_id a) {
  if (a != ATOM_NONE && bitset_insert(needed, a)) vec_push(scratch, queue, a);
}

static bitset needed_atoms(const ground_program *g, arena *scratch) {
  const bitset needed = bitset_new(scratch, g->atoms.count);
  id_vec queue = {0};
  need(needed, &queue, scratch, g->terminal);
  for (uint32_t i = 0; i < g->fluents.count; i++) need(needed, &queue, scratch, g->fluents.items[i].next);
  for (uint32_t i = 0; i < g->moves.count; i++) need(needed, &queue, scratch, g->moves.items[i].legal);
  for (uint32_t i = 0; i < g->goals.count; i++) need(needed, &queue, scratch, g->goals.items[i].atom);
  for (uint32_t i = 0; i < g->percepts.count; i++)
    need(needed, &queue, scratch, g->percepts.items[i].atom);
  while (queue.count) {
    const atom_id a = vec_pop(&queue);
    for (uint32_t r = g->rules_of[a]; r < g->rules_of[a + 1]; r++)
      for (uint32_t i = 0; i < g->rules.items[r].body_count; i++)
        need(needed, &queue, scratch, literal_atom(g->literals.items[g->rules.items[r].body + i]));
  }
  return needed;
}

/* Heads without a rule can never hold: whoever asks for them is told so. */
static atom_id renumbered(const ground_program *g, const atom_id *numbers, atom_id a, bool is_head) {
  if (a == ATOM_NONE || (is_head && g->rules_of[a] == g->rules_of[a + 1])) return ATOM_NONE;
  return numbers[a];
}

static uint32_t drop_impossible(const ground_program *g, const atom_id *numbers, ground_outcome *items,
                                uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    ground_outcome o = items[i];
    o.atom = renumbered(g, numbers, o.atom, true);
    if (o.atom != ATOM_NONE) items[kept++] = o;
  }
  return kept;
}

static void renumber_interface(ground_program *g, const atom_id *numbers) {
  g->terminal = renumbered(g, numbers, g->terminal, true);
  for (uint32_t i = 0; i < g->fluents.count; i++) {
    g->fluents.items[i].holds = renumbered(g, numbers, g->fluents.items[i].holds, false);
    g->fluents.items[i].next = renumbered(g, numbers, g->fluents.items[i].next, true);
  }
  for (uint32_t i = 0; i < g->moves.count; i++) {
    g->moves.items[i].does = renumbered(g, numbers, g->moves.items[i].does, false);
    g->moves.items[i].legal = renumbered(g, numbers, g->moves.items[i].legal, true);
  }
  g->goals.count = drop_impossible(g, numbers, g->goals.items, g->goals.count);
  g->percepts.count = drop_impossible(g, numbers, g->percepts.items, g->percepts.count);
}

static bool is_answer_without_rule(const ground_program *g, bitset leaves, atom_id a) {
  return g->rules_of[a] == g->rules_of[a + 1] && !bitset_has(leaves, a);
}

static bitset leaf_atoms(const ground_program *g, arena *scratch) {
  const bitset leaves = bitset_new(scratch, g->atoms.count);
  for (uint32_t i = 0; i < g->fluents.count; i++)
    if (g->fluents.items[i].holds != ATOM_NONE) bitset_add(leaves, g->fluents.items[i].holds);
  for (uint32_t i = 0; i < g->moves.count; i++)
    if (g->moves.items[i].does != ATOM_NONE) bitset_add(leaves, g->moves.items[i].does);
  return leaves;
}

static atom_id *new_numbers(ground_program *g, bitset needed, bitset leaves, arena *scratch) {
  atom_id *numbers = arena_new_array(scratch, atom_id, g->atoms.count);
  uint32_t count = 0;
  for (atom_id a = 0; a < g->atoms.count; a++) {
    const bool stays = bitset_has(needed, a) && !is_answer_without_rule(g, leaves, a);
    numbers[a] = stays ? count++ : ATOM_NONE;
  }
  return numbers;
}

/* Rules and literals move down to fill the gaps. */
static void renumber_rules(ground_program *g, const atom_id *numbers) {
  uint32_t rules = 0;
  VEC(ground_literal) packed = {0};
  vec_reserve(g->keep, &packed, g->literals.count);
  for (uint32_t i = 0; i < g->rules.count; i++) {
    ground_rule r = g->rules.items[i];
    if (numbers[r.head] == ATOM_NONE) continue;
    const uint32_t start = packed.count;
    for (uint32_t k = 0; k < r.body_count; k++) {
      const ground_literal l = g->literals.items[r.body + k];
      packed.items[packed.count++] = literal_of_atom(numbers[literal_atom(l)], literal_is_negated(l));
    }
    g->rules.items[rules++] = (ground_rule){numbers[r.head], start, r.body_count};
  }
  g->rules.count = rules;
  arena_release(g->keep, g->literals.items, g->literals.capacity * sizeof *g->literals.items);
  g->literals.items = packed.items;
  g->literals.count = packed.count;
  g->literals.capacity = packed.capacity;
}

void ground_drop_unneeded(ground_program *g) {
  arena *scratch = arena_new();
  const bitset needed = needed_atoms(g, scratch);
  const atom_id *numbers = new_numbers(g, needed, leaf_atoms(g, scratch), scratch);
  renumber_interface(g, numbers);
  renumber_rules(g, numbers);
  uint32_t atoms = 0;
  for (atom_id a = 0; a < g->atoms.count; a++)
    if (numbers[a] != ATOM_NONE) g->atoms.items[atoms++] = g->atoms.items[a];
  g->atoms.count = atoms;
  ground_count_rules(g);
  arena_free(scratch);
}
