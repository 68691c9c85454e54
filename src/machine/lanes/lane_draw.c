#include "machine/lanes/lane_draw.h"

#include <string.h>

enum { NUMBER_BITS_MAX = 32 };

static uint32_t bit_length(uint32_t x) { return x ? 32 - (uint32_t)__builtin_clz(x) : 0; }

/* ---- numbers ---- */

/* The sum of three bits. */
static edge add_bits(aig *g, edge x, edge y, edge z, edge *carry) {
  *carry = aig_majority(g, x, y, z);
  return aig_xor(g, aig_xor(g, x, y), z);
}

void draw_multiply(aig *g, const edge *a, uint32_t a_count, const edge *b, uint32_t b_count,
                   edge *product) {
  for (uint32_t i = 0; i < b_count; i++) product[i] = aig_and(g, a[0], b[i]);
  for (uint32_t i = b_count; i < a_count + b_count; i++) product[i] = EDGE_FALSE;
  for (uint32_t k = 1; k < a_count; k++) {
    edge carry = EDGE_FALSE;
    for (uint32_t i = 0; i < b_count; i++)
      product[k + i] = add_bits(g, product[k + i], aig_and(g, a[k], b[i]), carry, &carry);
    product[k + b_count] = carry;
  }
}

edge draw_is_less(aig *g, const edge *a, const edge *b, uint32_t count) {
  edge less = EDGE_FALSE;
  for (uint32_t i = 0; i < count; i++) less = aig_majority(g, edge_not(a[i]), b[i], less);
  return less;
}

/* ---- the tree ---- */

/* The bits of a + b, after t->bits. */
static void add_nodes(draw_tree *t, uint32_t a_id, uint32_t b_id, uint32_t bit_count) {
  const draw_node a = t->nodes.items[a_id], b = t->nodes.items[b_id];
  edge carry = EDGE_FALSE;
  for (uint32_t i = 0; i < bit_count; i++) {
    const edge x = i < a.bit_count ? t->bits.items[a.bits + i] : EDGE_FALSE;
    const edge y = i < b.bit_count ? t->bits.items[b.bits + i] : EDGE_FALSE;
    const edge sum = add_bits(t->g, x, y, carry, &carry);
    vec_push(t->scratch, &t->bits, sum);
  }
}

static uint32_t rows_in(const draw_tree *t, uint32_t first, uint32_t size) {
  return t->layout.first[first + size] - t->layout.first[first];
}

/* How many rows of a group hold, behind t->bits: three bits of a weight become one and a carry
   until one of each weight is left. */
static void count_group(draw_tree *t, uint32_t group, uint32_t bit_count) {
  uint32_t count = rows_in(t, group, 1);
  edge *now = arena_new_array(t->scratch, edge, count + 1);
  edge *carried = arena_new_array(t->scratch, edge, count + 1);
  for (uint32_t i = 0; i < count; i++) now[i] = t->rows[t->layout.rows[t->layout.first[group] + i]];
  for (uint32_t bit = 0; bit < bit_count; bit++) {
    uint32_t carries = 0;
    while (count > 1) {
      const edge z = count > 2 ? now[--count] : EDGE_FALSE;
      const edge y = now[--count], x = now[--count];
      now[count++] = add_bits(t->g, x, y, z, &carried[carries++]);
    }
    vec_push(t->scratch, &t->bits, count ? now[0] : EDGE_FALSE);
    memcpy(now, carried, carries * sizeof *now);
    count = carries;
  }
}

static uint32_t build_node(draw_tree *t, uint32_t first, uint32_t size) {
  draw_node n = {.first = first, .size = size, .left = ID_NONE, .right = ID_NONE};
  if (size > 1) {
    n.left = build_node(t, first, (size + 1) / 2);
    n.right = build_node(t, first + (size + 1) / 2, size / 2);
  }
  n.bits = t->bits.count;
  n.bit_count = bit_length(rows_in(t, first, size));
  if (size == 1)
    count_group(t, first, n.bit_count);
  else
    add_nodes(t, n.left, n.right, n.bit_count);
  vec_push(t->scratch, &t->nodes, n);
  return t->nodes.count - 1;
}

void draw_tree_build(draw_tree *t, aig *g, const edge *rows, draw_layout layout, arena *scratch) {
  *t = (draw_tree){.g = g, .scratch = scratch, .rows = rows, .layout = layout};
  build_node(t, 0, layout.group_count);
}

/* ---- going down ---- */

/* Nodes of one depth, and in which lanes each is the one that is entered. */
typedef struct draw_level {
  id_vec nodes;
  edge_vec entered;
} draw_level;

/* The count of the left child of the node that is entered; 0 where a leaf has been entered above.
   `rest_bits`: how many bits a number below the count of a child has at most. */
static uint32_t read_left_count(const draw_tree *t, const draw_level *l, edge *left,
                                uint32_t *rest_bits) {
  aig *g = t->g;
  uint32_t bit_count = 0;
  *rest_bits = 0;
  for (uint32_t i = 0; i < l->nodes.count; i++) {
    const draw_node *n = &t->nodes.items[l->nodes.items[i]];
    if (n->left == ID_NONE) continue;
    const draw_node *child = &t->nodes.items[n->left], *right = &t->nodes.items[n->right];
    if (child->bit_count > *rest_bits) *rest_bits = child->bit_count;
    if (right->bit_count > *rest_bits) *rest_bits = right->bit_count;
    for (uint32_t k = 0; k < child->bit_count; k++) {
      if (k == bit_count) left[bit_count++] = EDGE_FALSE;
      left[k] = aig_or(g, left[k], aig_and(g, l->entered.items[i], t->bits.items[child->bits + k]));
    }
  }
  return bit_count;
}

/* In place of `number`: number - left, where that is not negative; returns the lanes. */
static edge subtract_if_not_less(aig *g, edge *number, const edge *left, uint32_t left_count,
                                 uint32_t count) {
  edge difference[NUMBER_BITS_MAX], borrow = EDGE_FALSE;
  for (uint32_t i = 0; i < count; i++) {
    const edge y = i < left_count ? left[i] : EDGE_FALSE;
    difference[i] = aig_xor(g, aig_xor(g, number[i], y), borrow);
    borrow = aig_majority(g, edge_not(number[i]), y, borrow);
  }
  for (uint32_t i = 0; i < count; i++) number[i] = aig_if(g, borrow, number[i], difference[i]);
  return edge_not(borrow);
}

static void enter_children(const draw_tree *t, const draw_level *from, edge is_right,
                           draw_level *to, edge *entered_groups) {
  for (uint32_t i = 0; i < from->nodes.count; i++) {
    const draw_node *n = &t->nodes.items[from->nodes.items[i]];
    const edge entered = from->entered.items[i];
    if (n->left == ID_NONE) {
      entered_groups[n->first] = entered;
      continue;
    }
    vec_push(t->scratch, &to->nodes, n->left);
    vec_push(t->scratch, &to->entered, aig_and(t->g, entered, edge_not(is_right)));
    vec_push(t->scratch, &to->nodes, n->right);
    vec_push(t->scratch, &to->entered, aig_and(t->g, entered, is_right));
  }
}

/* Finds the group; what is left of `number` is the number of the row in it. */
static void select_group(const draw_tree *t, edge *number, edge *entered_groups) {
  edge left[NUMBER_BITS_MAX];
  draw_level level = {0};
  uint32_t count = draw_tree_root(t)->bit_count;
  vec_push(t->scratch, &level.nodes, t->nodes.count - 1);
  vec_push(t->scratch, &level.entered, EDGE_TRUE);
  while (level.nodes.count) {
    draw_level below = {0};
    uint32_t rest_bits;
    const uint32_t left_count = read_left_count(t, &level, left, &rest_bits);
    edge is_right = EDGE_FALSE;
    if (left_count) {
      is_right = subtract_if_not_less(t->g, number, left, left_count, count);
      count = rest_bits < count ? rest_bits : count;
    }
    enter_children(t, &level, is_right, &below, entered_groups);
    level = below;
  }
}

/* Column by column, the row of the group that is entered, whichever it is. */
static edge *gather(const draw_tree *t, const edge *entered) {
  const draw_layout *l = &t->layout;
  edge *any = arena_zero_array(t->scratch, edge, l->column_count);
  for (uint32_t i = 0; i < l->row_count; i++) {
    edge *column = &any[l->column[l->rows[i]]];
    const edge is_here = aig_and(t->g, entered[l->group[l->rows[i]]], t->rows[l->rows[i]]);
    *column = aig_or(t->g, *column, is_here);
  }
  return any;
}

/* For the number of a row in its group. */
static uint32_t most_bits(const draw_tree *t) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < t->layout.group_count; i++)
    if (rows_in(t, i, 1) > most) most = rows_in(t, i, 1);
  return bit_length(most);
}

draw_choice draw_select(const draw_tree *t, const edge *number) {
  const uint32_t bit_count = draw_tree_root(t)->bit_count;
  const draw_choice c = {arena_new_array(t->scratch, edge, t->layout.group_count),
                         arena_new_array(t->scratch, edge, t->layout.column_count)};
  edge rest[NUMBER_BITS_MAX] = {EDGE_FALSE};
  memcpy(rest, number, bit_count * sizeof *rest);
  select_group(t, rest, c.entered);
  for (uint32_t i = most_bits(t); i < bit_count; i++) rest[i] = EDGE_FALSE;
  c.found[0] = EDGE_TRUE;
  if (t->layout.column_count == 1) return c;
  draw_tree among;
  const draw_layout columns = draw_layout_in_groups(t->layout.column_count, 1, t->scratch);
  draw_tree_build(&among, t->g, gather(t, c.entered), columns, t->scratch);
  select_group(&among, rest, c.found);
  return c;
}
