#include "buddy/bdd_count.h"

#include "base/arena.h"

#include <stdio.h>
#include <string.h>

/* Counts of nodes that were met, by open addressing. */
typedef struct count_table {
  arena *keep;
  uint32_t mask;
  BDD *nodes; /* 0, which is `false`: free */
  bdd_number *counts;
} count_table;

bdd_number bdd_number_sum(bdd_number a, bdd_number b) {
  bdd_number sum;
  const bool carries = __builtin_add_overflow(a.low, b.low, &sum.low);
  const bool is_over = __builtin_add_overflow(a.high, b.high, &sum.high);
  sum.is_over = __builtin_add_overflow(sum.high, (uint64_t)carries, &sum.high) || is_over ||
                a.is_over || b.is_over;
  return sum;
}

/* Times 2 to the power. */
static bdd_number scaled(bdd_number n, uint32_t power) {
  while (power-- > 0) n = bdd_number_sum(n, n);
  return n;
}

static uint32_t slot_of(const count_table *t, BDD node) {
  uint32_t slot = (uint32_t)node * UINT32_C(2654435761) & t->mask;
  while (t->nodes[slot] && t->nodes[slot] != node) slot = (slot + 1) & t->mask;
  return slot;
}

/* Bits lie at every other variable. */
static uint32_t bit_of(BDD node, uint32_t bits) {
  return node == bddtrue || node == bddfalse ? bits : (uint32_t)bdd_var(node) / 2;
}

/* Of the bits from that of the node on. */
static bdd_number count_from(count_table *t, BDD node, uint32_t bits) {
  if (node == bddfalse) return (bdd_number){0};
  if (node == bddtrue) return (bdd_number){.low = 1};
  const uint32_t found = slot_of(t, node);
  if (t->nodes[found]) return t->counts[found];
  const uint32_t bit = bit_of(node, bits);
  const BDD low = bdd_low(node), high = bdd_high(node);
  const bdd_number sum =
      bdd_number_sum(scaled(count_from(t, low, bits), bit_of(low, bits) - bit - 1),
                     scaled(count_from(t, high, bits), bit_of(high, bits) - bit - 1));
  const uint32_t slot = slot_of(t, node);
  t->nodes[slot] = node;
  t->counts[slot] = sum;
  return sum;
}

bdd_number bdd_count(BDD set, uint32_t bits) {
  arena *keep = arena_new();
  uint32_t slots = 1024;
  while (slots < (uint32_t)bdd_nodecount(set) * 2) slots *= 2;
  count_table t = {.keep = keep, .mask = slots - 1};
  t.nodes = arena_zero_array(keep, BDD, slots);
  t.counts = arena_new_array(keep, bdd_number, slots);
  const bdd_number count = scaled(count_from(&t, set, bits), bit_of(set, bits));
  arena_free(keep);
  return count;
}

/* Divides by ten; the rest. */
static unsigned divide(bdd_number *n) {
  uint64_t rest = n->high % 10;
  n->high /= 10;
  const uint64_t middle = rest << 32 | n->low >> 32;
  rest = middle % 10;
  const uint64_t last = rest << 32 | (n->low & UINT32_MAX);
  n->low = middle / 10 << 32 | last / 10;
  return (unsigned)(last % 10);
}

const char *bdd_number_text(bdd_number n, char out[BDD_DIGITS]) {
  char *at = out + BDD_DIGITS - 1;
  *at = '\0';
  do *--at = (char)('0' + divide(&n));
  while (n.high || n.low);
  return at;
}
