#include "ground/simplify.h"

#include "base/bitset.h"
#include "ground/keyed.h"

#include <stdlib.h>
#include <string.h>

/* ---- repeated and subsumed rules ---- */

static inline int order_of_rules(const ground_program *g, const ground_rule *a,
                                 const ground_rule *b) {
  if (a->head != b->head) return a->head < b->head ? -1 : 1;
  if (a->body_count != b->body_count) return a->body_count < b->body_count ? -1 : 1;
  for (uint32_t i = 0; i < a->body_count; i++) {
    const ground_literal x = g->literals.items[a->body + i];
    const ground_literal y = g->literals.items[b->body + i];
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

static int compare_rules(const void *left, const void *right, void *context) {
  return order_of_rules(context, left, right);
}

void ground_count_rules(ground_program *g) {
  const uint32_t count = g->atoms.count + 1;
  if (g->rules_of_room < count) {
    arena_release(g->keep, g->rules_of, g->rules_of_room * sizeof *g->rules_of);
    g->rules_of = arena_new_array(g->keep, uint32_t, count);
    g->rules_of_room = count;
  }
  memset(g->rules_of, 0, count * sizeof *g->rules_of);
  for (uint32_t r = 0; r < g->rules.count; r++) g->rules_of[g->rules.items[r].head + 1]++;
  for (atom_id a = 0; a < g->atoms.count; a++) g->rules_of[a + 1] += g->rules_of[a];
}

/* After others were dropped, if any were. */
static void keep_first_rules(ground_program *g, uint32_t count) {
  if (count == g->rules.count) return;
  g->rules.count = count;
  ground_count_rules(g);
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

/* Rules first .. end-1 of a head that agree in the length of their bodies and all before `literal`.
 */
typedef struct tied_rules {
  uint32_t first, end;
  uint32_t literal;
} tied_rules;

/* The rules of a head are sorted by keys that hold the beginning of a body: its length and the
   first two literals, cut off at the low end where atoms are very many.  Those with the same key
   are sorted by the next two literals, and so on. */
typedef struct sorting {
  ground_program *g;
  uint32_t shift;
  arena *scratch;
  VEC(keyed) keys;
  VEC(keyed) room;
  VEC(ground_rule) rules;
  VEC(tied_rules) tied; /* that are still to be sorted */
} sorting;

enum {
  KEY_BITS = 28,    /* of a literal */
  LENGTH_MAX = 255, /* longer bodies have keys as if they were so long */
};

#define NOTHING_YET UINT32_MAX /* in place of a literal */

static sorting sorting_new(ground_program *g, arena *scratch) {
  sorting s = {.g = g, .scratch = scratch};
  while ((uint64_t)g->atoms.count * 2 >> s.shift >> KEY_BITS) s.shift++;
  return s;
}

static uint64_t key_of(const sorting *s, const ground_rule *r) {
  const ground_literal *body = vec_from(&s->g->literals, r->body);
  const uint64_t first = r->body_count > 0 ? body[0] >> s->shift : 0;
  const uint64_t second = r->body_count > 1 ? body[1] >> s->shift : 0;
  const uint64_t length = r->body_count < LENGTH_MAX ? r->body_count : LENGTH_MAX;
  return length << 2 * KEY_BITS | first << KEY_BITS | second;
}

static uint64_t key_from(const sorting *s, const ground_rule *r, uint32_t literal) {
  const ground_literal *body = vec_from(&s->g->literals, r->body + literal);
  return (uint64_t)body[0] << 32 | (literal + 1 < r->body_count ? body[1] : 0);
}

/* Where rules with the same key differ, if they do. */
static void note_tied(sorting *s, ground_rule *rules, tied_rules it, uint32_t literal) {
  const uint32_t length = rules[it.first].body_count;
  if (literal == NOTHING_YET && length >= LENGTH_MAX) {
    qsort_r(rules + it.first, it.end - it.first, sizeof *rules, compare_rules, s->g);
    return;
  }
  it.literal = literal != NOTHING_YET ? literal + 2 : s->shift ? 0 : 2;
  if (it.literal < length) vec_push(s->scratch, &s->tied, it);
}

static void sort_tied(sorting *s, ground_rule *rules, tied_rules it) {
  const uint32_t count = it.end - it.first;
  ground_rule *own = rules + it.first;
  s->keys.count = s->room.count = s->rules.count = 0;
  vec_reserve(s->scratch, &s->keys, count);
  vec_reserve(s->scratch, &s->room, count);
  vec_append(s->scratch, &s->rules, own, count);
  keyed *keys = s->keys.items;
  for (uint32_t i = 0; i < count; i++)
    keys[i] = (keyed){
        it.literal == NOTHING_YET ? key_of(s, &own[i]) : key_from(s, &own[i], it.literal), i};
  keyed_sort(keys, count, s->room.items);
  for (uint32_t i = 0; i < count; i++) own[i] = s->rules.items[keys[i].id];
  for (uint32_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && keys[end].key == keys[i].key;) end++;
    if (end - i > 1) note_tied(s, rules, (tied_rules){it.first + i, it.first + end, 0}, it.literal);
  }
}

static void sort_rules_of_head(sorting *s, ground_rule *rules, uint32_t count) {
  sort_tied(s, rules, (tied_rules){0, count, NOTHING_YET});
  while (s->tied.count) sort_tied(s, rules, vec_pop(&s->tied));
}

/* Moves the rules first .. end-1 to `to`, as long as they are sorted, each once; gives back where
   the next one goes, and in `first` the first that is not in order. */
static uint32_t keep_sorted(const ground_program *g, uint32_t *first, uint32_t end, uint32_t to) {
  ground_rule *rules = g->rules.items;
  const uint32_t start = to;
  for (; *first < end; ++*first) {
    const int order = to == start ? -1 : order_of_rules(g, &rules[to - 1], &rules[*first]);
    if (order > 0) break;
    if (order < 0) rules[to++] = rules[*first];
  }
  return to;
}

/* Moves the rules first .. end-1 of one head, sorted and each once, to `to`; gives back where the
   next head's go. */
static uint32_t settle_head(sorting *s, uint32_t first, uint32_t end, uint32_t to) {
  const uint32_t start = to;
  to = keep_sorted(s->g, &first, end, to);
  if (first == end) return to;
  const uint32_t kept = to - start;
  ground_rule *rules = s->g->rules.items;
  first -= kept;
  memmove(rules + first, rules + start, kept * sizeof *rules);
  sort_rules_of_head(s, rules + first, end - first);
  return keep_sorted(s->g, &first, end, start);
}

void ground_index_rules(ground_program *g) {
  arena *scratch = arena_new();
  sorting s = sorting_new(g, scratch);
  ground_count_rules(g);
  sort_by_head(g);
  uint32_t kept = 0;
  for (atom_id a = 0; a < g->atoms.count; a++)
    kept = settle_head(&s, g->rules_of[a], g->rules_of[a + 1], kept);
  keep_first_rules(g, kept);
  arena_free(scratch);
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
  keep_first_rules(g, kept);
}

/* ---- what nothing needs ---- */

/* Marks what the rules of an atom read; those that are new and not behind `until` are listed. */
static void mark_bodies(const ground_program *g, bitset marked, atom_id a, atom_id until,
                        id_vec *before, arena *scratch) {
  for (uint32_t r = g->rules_of[a]; r < g->rules_of[a + 1]; r++) {
    const ground_literal *body = vec_from(&g->literals, g->rules.items[r].body);
    for (uint32_t i = 0; i < g->rules.items[r].body_count; i++) {
      const atom_id read = literal_atom(body[i]);
      if (bitset_insert(marked, read) && read <= until) vec_push(scratch, before, read);
    }
  }
}

/* Most atoms were numbered after those whose rules read them: one walk over all of them, in the
   order in which rules lie in memory, leaves little to look after. */
void ground_mark_read(const ground_program *g, bitset marked, arena *scratch) {
  id_vec before = {0};
  for (atom_id a = 0; a < g->atoms.count; a++)
    if (bitset_has(marked, a)) mark_bodies(g, marked, a, a, &before, scratch);
  while (before.count) mark_bodies(g, marked, vec_pop(&before), UINT32_MAX, &before, scratch);
}

static void need(bitset needed, atom_id a) {
  if (a != ATOM_NONE) bitset_add(needed, a);
}

static bitset needed_atoms(const ground_program *g, arena *scratch) {
  const bitset needed = bitset_new(scratch, g->atoms.count);
  need(needed, g->terminal);
  for (uint32_t i = 0; i < g->fluents.count; i++) need(needed, g->fluents.items[i].next);
  for (uint32_t i = 0; i < g->moves.count; i++) need(needed, g->moves.items[i].legal);
  for (uint32_t i = 0; i < g->goals.count; i++) need(needed, g->goals.items[i].atom);
  for (uint32_t i = 0; i < g->percepts.count; i++) need(needed, g->percepts.items[i].atom);
  ground_mark_read(g, needed, scratch);
  return needed;
}

/* Heads without a rule can never hold: whoever asks for them is told so. */
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
      packed.items[packed.count++] =
          literal_of_atom(numbers[literal_atom(l)], literal_is_negated(l));
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
