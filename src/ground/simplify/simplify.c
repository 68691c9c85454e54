#include "ground/simplify/simplify.h"

#include "base/bitset.h"
#include "ground/sort_by_key.h"

#include <stdlib.h>
#include <string.h>

typedef VEC(ground_literal) literal_vec;

/* ---- by head ---- */

/* Finds rules_of. */
static void count_rules(ground_program *g) {
  const uint32_t count = g->atoms.count + 1;
  if (g->rules_of_room < count) {
    arena_release(g->keep, g->rules_of, g->rules_of_room * sizeof *g->rules_of);
    g->rules_of = arena_new_array(g->keep, uint32_t, count);
    g->rules_of_room = count;
  }
  uint32_t *counts = g->rules_of;
  const ground_rule *rules = g->rules.items;
  memset(counts, 0, count * sizeof *counts);
  for (uint32_t r = 0, end = g->rules.count; r < end; r++) counts[rules[r].head + 1]++;
  for (uint32_t a = 1; a < count; a++) counts[a] += counts[a - 1];
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
  uint32_t *next = arena_new_array(scratch, uint32_t, g->atoms.count + 1);
  memcpy(next, g->rules_of, (g->atoms.count + 1) * sizeof *next);
  const ground_rule *rules = g->rules.items;
  ground_rule *sorted = arena_new_array(g->keep, ground_rule, g->rules.count);
  for (uint32_t r = 0, end = g->rules.count; r < end; r++) sorted[next[rules[r].head]++] = rules[r];
  arena_release(g->keep, g->rules.items, g->rules.capacity * sizeof *g->rules.items);
  g->rules.items = sorted;
  g->rules.capacity = g->rules.count;
  arena_free(scratch);
}

/* ---- by body ---- */

static int compare_bodies(const void *left, const void *right, void *context) {
  const ground_program *g = context;
  const ground_rule *a = left;
  const ground_rule *b = right;
  if (a->body_count != b->body_count) return a->body_count < b->body_count ? -1 : 1;
  for (uint32_t i = 0; i < a->body_count; i++) {
    const ground_literal x = g->literals.items[a->body + i];
    const ground_literal y = g->literals.items[b->body + i];
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

/* Rules first .. end-1 of a head that agree in the length of their bodies and all before `literal`.
 */
typedef struct tied_rules {
  uint32_t first, end;
  uint32_t literal;
} tied_rules;

/* The rules of a head are sorted by keys that hold the length of a body and as many of its literals
   as have room.  Those with the same key are sorted by the literals behind, and so on. */
typedef struct body_keys {
  const ground_literal *literals;
  uint32_t literal_bits; /* that the largest literal takes */
  uint32_t literal_max;  /* in one key; at least one */
} body_keys;

enum {
  LENGTH_BITS = 8,
  LENGTH_MAX = (1 << LENGTH_BITS) - 2, /* longer bodies share the last key */
};

typedef struct sorting {
  ground_program *g;
  body_keys form;
  arena *scratch;
  VEC(key_and_id) keys;
  VEC(key_and_id) room;
  VEC(ground_rule) rules;
  VEC(tied_rules) tied; /* that are still to be sorted */
  bool has_repeated;    /* of the head at hand: there may be rules with the same body */
} sorting;

static sorting sorting_new(ground_program *g, arena *scratch) {
  body_keys form = {.literals = g->literals.items, .literal_bits = 1};
  while ((uint64_t)g->atoms.count * 2 >> form.literal_bits) form.literal_bits++;
  form.literal_max = (64 - LENGTH_BITS) / form.literal_bits;
  return (sorting){.g = g, .form = form, .scratch = scratch};
}

static inline uint64_t key_of(body_keys form, const ground_rule *r, uint32_t literal) {
  if (r->body_count > LENGTH_MAX) return UINT64_MAX;
  const uint32_t behind = literal + form.literal_max;
  const uint32_t end = behind < r->body_count ? behind : r->body_count;
  uint64_t literals = 0;
  for (uint32_t i = literal; i < end; i++)
    literals = literals << form.literal_bits | form.literals[r->body + i];
  return (uint64_t)r->body_count << (64 - LENGTH_BITS) | literals;
}

/* True: they are in order, and differ.  (Not said of rules of which the first has no body.) */
static bool fill_keys(sorting *s, const ground_rule *rules, uint32_t count, uint32_t literal) {
  s->keys.count = 0;
  vec_reserve(s->scratch, &s->keys, count);
  key_and_id *keys = s->keys.items;
  const body_keys form = s->form;
  bool rises = true;
  uint64_t before = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t key = key_of(form, &rules[i], literal);
    keys[i] = (key_and_id){key, i};
    rises &= before < key;
    before = key;
  }
  return rises;
}

/* Rules with the same key. */
static void note_tied(sorting *s, ground_rule *rules, tied_rules it) {
  const uint32_t length = rules[it.first].body_count;
  if (length > LENGTH_MAX) {
    qsort_r(rules + it.first, it.end - it.first, sizeof *rules, compare_bodies, s->g);
    s->has_repeated = true;
    return;
  }
  it.literal += s->form.literal_max;
  if (it.literal < length)
    vec_push(s->scratch, &s->tied, it);
  else
    s->has_repeated = true;
}

static void sort_tied(sorting *s, ground_rule *rules, tied_rules it) {
  const uint32_t count = it.end - it.first;
  ground_rule *own = rules + it.first;
  if (fill_keys(s, own, count, it.literal)) return;
  s->room.count = s->rules.count = 0;
  vec_reserve(s->scratch, &s->room, count);
  vec_append(s->scratch, &s->rules, own, count);
  const key_and_id *keys = s->keys.items;
  const ground_rule *old = s->rules.items;
  sort_by_key(s->keys.items, count, s->room.items);
  for (uint32_t i = 0; i < count; i++) own[i] = old[keys[i].id];
  for (uint32_t i = 1; i < count; i++) {
    if (keys[i].key != keys[i - 1].key) continue;
    const uint32_t first = i - 1;
    while (i < count && keys[i].key == keys[first].key) i++;
    note_tied(s, rules, (tied_rules){it.first + first, it.first + i, it.literal});
  }
}

static void sort_bodies(sorting *s, ground_rule *rules, uint32_t count) {
  s->has_repeated = false;
  sort_tied(s, rules, (tied_rules){0, count, 0});
  while (s->tied.count) sort_tied(s, rules, vec_pop(&s->tied));
}

/* ---- repeated and subsumed rules ---- */

/* For sorted rules; returns how many are left. */
static uint32_t drop_repeated(ground_program *g, ground_rule *rules, uint32_t count) {
  uint32_t kept = 1;
  for (uint32_t r = 1; r < count; r++)
    if (compare_bodies(&rules[kept - 1], &rules[r], g) != 0) rules[kept++] = rules[r];
  return kept;
}

/* Both bodies are sorted. */
static bool is_part_of(const ground_program *g, const ground_rule *small,
                       const ground_rule *large) {
  if (small->body_count == 0) return true;
  const ground_literal *sought = vec_from(&g->literals, small->body);
  const ground_literal *at = vec_from(&g->literals, large->body);
  const ground_literal *const sought_last = sought + small->body_count - 1;
  const ground_literal *const last = at + large->body_count - 1;
  if (*sought < *at || *sought_last > *last) return false;
  for (; sought <= sought_last; sought++) {
    while (*at < *sought) at++; /* the last is not less than any that is sought */
    if (*at != *sought) return false;
  }
  return true;
}

enum { COMPARED_MAX = 32 };

/* The rules of a head that others are compared with.  Only shorter bodies can subsume: they come
   first, and of very many the shortest few alone are looked at. */
typedef struct compared_rules {
  const ground_rule *rules;
  uint64_t bits[COMPARED_MAX]; /* of their bodies */
  uint32_t count;              /* shorter than the rule at hand */
} compared_rules;

/* A bit for each literal, which some share: a body that lacks one of another's does not contain it.
 */
static uint64_t bits_of_body(const ground_program *g, const ground_rule *r) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < r->body_count; i++)
    bits |= UINT64_C(1) << g->literals.items[r->body + i] % 64;
  return bits;
}

static bool is_subsumed(const ground_program *g, const compared_rules *by, const ground_rule *r,
                        uint64_t bits) {
  for (uint32_t i = 0; i < by->count; i++)
    if (!(by->bits[i] & ~bits) && is_part_of(g, &by->rules[i], r)) return true;
  return false;
}

/* For sorted rules; returns how many are left. */
static uint32_t drop_subsumed(const ground_program *g, ground_rule *rules, uint32_t count) {
  if (rules[0].body_count == rules[count - 1].body_count) return count;
  compared_rules shorter = {.rules = rules};
  uint32_t kept = 0;
  for (uint32_t r = 0; r < count; r++) {
    if (kept > 0 && rules[kept - 1].body_count < rules[r].body_count)
      shorter.count = kept < COMPARED_MAX ? kept : COMPARED_MAX;
    const uint64_t bits = bits_of_body(g, &rules[r]);
    if (is_subsumed(g, &shorter, &rules[r], bits)) continue;
    if (kept < COMPARED_MAX) shorter.bits[kept] = bits;
    rules[kept++] = rules[r];
  }
  return kept;
}

/* Sorts the rules of one head and drops what is not needed; returns how many are left. */
static uint32_t settle_head(sorting *s, ground_rule *rules, uint32_t count, bool minimal) {
  if (count < 2) return count;
  sort_bodies(s, rules, count);
  if (s->has_repeated) count = drop_repeated(s->g, rules, count);
  return minimal ? drop_subsumed(s->g, rules, count) : count;
}

static void index_rules(ground_program *g, bool minimal) {
  arena *scratch = arena_new();
  sorting s = sorting_new(g, scratch);
  count_rules(g);
  sort_by_head(g);
  uint32_t first = 0;
  uint32_t kept = 0;
  for (atom_id a = 0; a < g->atoms.count; a++) {
    ground_rule *rules = vec_from(&g->rules, first);
    const uint32_t count = settle_head(&s, rules, g->rules_of[a + 1] - first, minimal);
    if (kept < first) memmove(g->rules.items + kept, rules, count * sizeof *rules);
    first = g->rules_of[a + 1];
    g->rules_of[a] = kept;
    kept += count;
  }
  g->rules_of[g->atoms.count] = g->rules.count = kept;
  arena_free(scratch);
}

void ground_index_rules(ground_program *g) { index_rules(g, false); }

void ground_index_minimal_rules(ground_program *g) { index_rules(g, true); }

/* ---- what nothing needs ---- */

/* Marks what the rules of an atom read; those that are new and not behind `until` are listed. */
static inline void mark_bodies(const ground_program *g, bitset marked, atom_id a, atom_id until,
                               id_vec *before, arena *scratch) {
  const uint32_t end = g->rules_of[a + 1];
  for (uint32_t r = g->rules_of[a]; r < end; r++) {
    const ground_rule it = g->rules.items[r];
    for (uint32_t i = 0; i < it.body_count; i++) {
      const atom_id read = literal_atom(g->literals.items[it.body + i]);
      if (bitset_has(marked, read)) continue;
      bitset_add(marked, read);
      if (read <= until) vec_push(scratch, before, read);
    }
  }
}

/* Marks all that marked atoms depend on; for `closed` ones that has been done.  Most atoms were
   numbered after those whose rules read them: one walk over all of them, in the order in which
   rules lie in memory, leaves little to look after. */
static void mark_read(const ground_program *g, bitset marked, bitset closed, arena *scratch) {
  id_vec before = {0};
  for (atom_id a = 0; a < g->atoms.count; a++)
    if (bitset_has(marked, a) && !bitset_has(closed, a))
      mark_bodies(g, marked, a, a, &before, scratch);
  while (before.count) mark_bodies(g, marked, vec_pop(&before), UINT32_MAX, &before, scratch);
}

static void mark(bitset marked, atom_id a) {
  if (a != ATOM_NONE) bitset_add(marked, a);
}

bitset ground_read_without_moves(const ground_program *g, arena *keep) {
  const bitset read = bitset_new(keep, g->atoms.count);
  mark(read, g->terminal);
  for (uint32_t i = 0; i < g->moves.count; i++) mark(read, g->moves.items[i].legal);
  for (uint32_t i = 0; i < g->goals.count; i++) mark(read, g->goals.items[i].atom);
  mark_read(g, read, bitset_new(keep, g->atoms.count), keep);
  return read;
}

static bitset widened(bitset s, uint32_t size, arena *scratch) {
  const bitset wide = bitset_new(scratch, size);
  memcpy(wide.words, s.words, bitset_words(s) * sizeof *s.words);
  return wide;
}

static bitset needed_atoms(const ground_program *g, bitset without_moves, arena *scratch) {
  const bitset closed = widened(without_moves, g->atoms.count, scratch);
  const bitset needed = widened(without_moves, g->atoms.count, scratch);
  for (uint32_t i = 0; i < g->fluents.count; i++) mark(needed, g->fluents.items[i].next);
  for (uint32_t i = 0; i < g->percepts.count; i++) mark(needed, g->percepts.items[i].atom);
  for (uint32_t i = 0; i < g->marks.count; i++) mark(needed, g->marks.items[i].atom);
  mark_read(g, needed, closed, scratch);
  return needed;
}

/* Heads without a rule can never hold, and readers of them are notified. */
static atom_id renumbered(const ground_program *g, const atom_id *numbers, atom_id a,
                          bool is_head) {
  if (a == ATOM_NONE || (is_head && g->rules_of[a] == g->rules_of[a + 1])) return ATOM_NONE;
  return numbers[a];
}

static uint32_t drop_impossible(const ground_program *g, const atom_id *numbers,
                                ground_outcome *items, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    ground_outcome o = items[i];
    o.atom = renumbered(g, numbers, o.atom, true);
    if (o.atom != ATOM_NONE) items[kept++] = o;
  }
  return kept;
}

static void renumber_marks(ground_program *g, const atom_id *numbers) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < g->marks.count; i++) {
    ground_mark m = g->marks.items[i];
    m.atom = renumbered(g, numbers, m.atom, true);
    if (m.atom != ATOM_NONE) g->marks.items[kept++] = m;
  }
  g->marks.count = kept;
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
  renumber_marks(g, numbers);
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

/* Behind those that are there already. */
static void add_renumbered(const ground_program *g, const atom_id *numbers, const ground_rule *r,
                           literal_vec *packed) {
  for (uint32_t i = 0; i < r->body_count; i++) {
    const ground_literal l = g->literals.items[r->body + i];
    packed->items[packed->count++] =
        literal_of_atom(numbers[literal_atom(l)], literal_is_negated(l));
  }
}

/* Atoms, rules and literals move down to fill the gaps. */
static void renumber_rules(ground_program *g, const atom_id *numbers) {
  literal_vec packed = {0};
  vec_reserve(g->keep, &packed, g->literals.count);
  uint32_t atoms = 0;
  uint32_t rules = 0;
  uint32_t first = 0;
  for (atom_id a = 0, end; a < g->atoms.count; a++, first = end) {
    end = g->rules_of[a + 1];
    if (numbers[a] == ATOM_NONE) continue;
    g->rules_of[atoms] = rules;
    g->atoms.items[atoms] = g->atoms.items[a];
    for (uint32_t r = first; r < end; r++) {
      const ground_rule old = g->rules.items[r];
      g->rules.items[rules++] = (ground_rule){atoms, packed.count, old.body_count};
      add_renumbered(g, numbers, &old, &packed);
    }
    atoms++;
  }
  g->rules_of[atoms] = rules;
  g->rules.count = rules;
  g->atoms.count = atoms;
  arena_release(g->keep, g->literals.items, g->literals.capacity * sizeof *g->literals.items);
  g->literals.items = packed.items;
  g->literals.count = packed.count;
  g->literals.capacity = packed.capacity;
}

void ground_drop_unneeded_but(ground_program *g, bitset without_moves) {
  arena *scratch = arena_new();
  const bitset needed = needed_atoms(g, without_moves, scratch);
  const atom_id *numbers = new_numbers(g, needed, leaf_atoms(g, scratch), scratch);
  renumber_interface(g, numbers);
  renumber_rules(g, numbers);
  arena_free(scratch);
}

void ground_drop_unneeded(ground_program *g) {
  arena *scratch = arena_new();
  ground_drop_unneeded_but(g, ground_read_without_moves(g, scratch));
  arena_free(scratch);
}
