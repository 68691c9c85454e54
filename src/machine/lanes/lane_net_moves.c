/* How moves are drawn in a playing net, and what gates say of them. */
#include "machine/lanes/lane_net_build.h"

#include "circuit/guard_moves.h"

#include <string.h>

/* More random bits than a count has: how seldom a draw is doubtful. */
enum { SPARE_RANDOM_BITS = 11 };

/* ---- rows ---- */

static void add_row(net_builder *b, net_draw *d, edge row, uint32_t move, uint32_t other) {
  if (move != ID_NONE) b->row_of[move] = d->rows.count;
  if (other != ID_NONE) b->row_of[other] = d->rows.count;
  vec_push(b->scratch, &d->rows, row);
  vec_push(b->scratch, &d->moves[0], move);
  vec_push(b->scratch, &d->moves[1], other);
}

static void plan_alone(net_builder *b, uint32_t role) {
  const circuit_role *r = &b->c->roles.items[role];
  net_draw d = {.selectors = {EDGE_TRUE}};
  b->roles[role] = (role_plan){.selector = EDGE_TRUE, .idle = ID_NONE, .draw = b->draws.count};
  for (uint32_t i = r->first_move; i < r->first_move + r->move_count; i++)
    add_row(b, &d, net_edge(b, b->c->moves.items[i].legal), i, ID_NONE);
  vec_push(b->scratch, &b->draws, d);
}

/* ---- two roles that take turns ---- */

/* The first role waits where a condition holds, the second where it does not: each has one move
   there, and not elsewhere. */
typedef struct turns {
  wire first_waits;
  uint32_t idle[2];
  edge *rows; /* by move: legal, when it is the role's turn */
} turns;

static uint32_t move_with_legal(const net_builder *b, uint32_t role, wire legal) {
  const circuit_role *r = &b->c->roles.items[role];
  for (uint32_t i = r->first_move; i < r->first_move + r->move_count; i++)
    if (b->c->moves.items[i].legal == legal) return i;
  return ID_NONE;
}

/* Fills in the rows of a role that waits where `waits` holds; false: it does not wait there. */
static bool find_rows(net_builder *b, turns *t, uint32_t role, wire waits) {
  const circuit_role *r = &b->c->roles.items[role];
  wire_vec rest = {0};
  for (uint32_t i = r->first_move; i < r->first_move + r->move_count; i++) {
    const wire legal = b->c->moves.items[i].legal;
    if (i == t->idle[role]) continue;
    if (!circuit_list_without(b->c, legal, wire_not(waits), &rest, b->scratch)) return false;
    b->inputs.count = 0;
    for (uint32_t k = 0; k < rest.count; k++)
      vec_push(b->scratch, &b->inputs, net_edge(b, rest.items[k]));
    t->rows[i] = aig_all(&b->g, b->inputs.items, b->inputs.count);
  }
  return true;
}

static bool find_turns(net_builder *b, turns *t) {
  const circuit *c = b->c;
  if (c->roles.count != 2) return false;
  const wire waits = wire_not(circuit_find_guard(c, 0, b->scratch));
  *t = (turns){.first_waits = waits,
               .idle = {move_with_legal(b, 0, waits), move_with_legal(b, 1, wire_not(waits))}};
  if (t->idle[0] == ID_NONE || t->idle[1] == ID_NONE) return false;
  t->rows = arena_new_array(b->scratch, edge, c->moves.count);
  return find_rows(b, t, 0, waits) && find_rows(b, t, 1, wire_not(waits));
}

/* One row for a move of each role, or of one (ID_NONE for the other). */
static void add_shared_row(net_builder *b, const turns *t, net_draw *d, uint32_t move,
                           uint32_t other) {
  const edge waits = net_edge(b, t->first_waits);
  const edge mine = move == ID_NONE ? EDGE_FALSE : t->rows[move];
  const edge yours = other == ID_NONE ? EDGE_FALSE : t->rows[other];
  add_row(b, d, aig_if(&b->g, waits, yours, mine), move, other);
}

/* Moves of the same name share a row, so that what is legal for both in the same way is one row;
   the others share rows as it comes. */
static void pair_moves(net_builder *b, const turns *t, net_draw *d) {
  const circuit *c = b->c;
  const circuit_role *first = &c->roles.items[0], *second = &c->roles.items[1];
  uint32_t *by_name = arena_new_array(b->scratch, uint32_t, c->terms->terms.count);
  bool *is_paired = arena_zero_array(b->scratch, bool, c->moves.count);
  id_vec alone = {0};
  memset(by_name, 0xff, c->terms->terms.count * sizeof *by_name);
  for (uint32_t i = second->first_move; i < second->first_move + second->move_count; i++)
    if (i != t->idle[1]) by_name[c->moves.items[i].term] = i;
  for (uint32_t i = first->first_move; i < first->first_move + first->move_count; i++) {
    const uint32_t other = by_name[c->moves.items[i].term];
    if (i == t->idle[0]) continue;
    if (other == ID_NONE) {
      vec_push(b->scratch, &alone, i);
    } else {
      is_paired[other] = true;
      add_shared_row(b, t, d, i, other);
    }
  }
  for (uint32_t i = second->first_move; i < second->first_move + second->move_count; i++)
    if (i != t->idle[1] && !is_paired[i])
      add_shared_row(b, t, d, alone.count ? vec_pop(&alone) : ID_NONE, i);
  while (alone.count) add_shared_row(b, t, d, vec_pop(&alone), ID_NONE);
}

static void plan_in_turns(net_builder *b, const turns *t) {
  const edge waits = net_edge(b, t->first_waits);
  net_draw d = {.selectors = {edge_not(waits), waits}};
  b->roles[0] = (role_plan){.selector = edge_not(waits), .idle = t->idle[0]};
  b->roles[1] = (role_plan){.selector = waits, .idle = t->idle[1], .side = 1};
  pair_moves(b, t, &d);
  vec_push(b->scratch, &b->draws, d);
}

/* ---- sets of moves ---- */

/* The moves that a gate excludes, as rows: those of each draw in d->sets, by the sides for which
   they are excluded.  is_idle[r]: the move that role r makes when it does not draw is among them.
 */
static void sort_moves(net_builder *b, gate_id g, bool *is_idle) {
  const gate_moves *m = &b->asked;
  for (uint32_t i = 0; i < b->draws.count; i++)
    for (uint32_t sides = 0; sides < 4; sides++) b->draws.items[i].sets[sides].count = 0;
  memset(is_idle, 0, b->c->roles.count * sizeof *is_idle);
  for (uint32_t i = m->first[g]; i < m->first[g + 1]; i++) {
    const uint32_t move = m->moves.items[i], role = b->role_of[move], row = b->row_of[move];
    net_draw *d = &b->draws.items[b->roles[role].draw];
    if (row == ID_NONE) {
      is_idle[role] = true;
      continue;
    }
    if (!d->marks[row]) vec_push(b->scratch, &d->sets[0], row);
    d->marks[row] |= (uint8_t)(1u << b->roles[role].side);
  }
  for (uint32_t i = 0; i < b->draws.count; i++) {
    net_draw *d = &b->draws.items[i];
    for (uint32_t k = 0; k < d->sets[0].count; k++) {
      const uint32_t row = d->sets[0].items[k];
      vec_push(b->scratch, &d->sets[d->marks[row]], row);
      d->marks[row] = 0;
    }
  }
}

/* The sets of rows that gates ask for. */
static void list_sets(net_builder *b, draw_sets *sets) {
  for (gate_id g = 0; g < b->c->gates.count; g++) {
    if (gate_moves_count(&b->asked, g) < 2 || !bitset_has(b->asked.is_asked, g)) continue;
    sort_moves(b, g, b->is_idle);
    for (uint32_t i = 0; i < b->draws.count; i++)
      for (uint32_t sides = 1; sides < 4; sides++) {
        const id_vec *rows = &b->draws.items[i].sets[sides];
        if (!rows->count) continue;
        vec_append(b->scratch, &sets[i].rows, rows->items, rows->count);
        vec_push(b->scratch, &sets[i].ends, sets[i].rows.count);
      }
  }
}

static draw_name name_of_row(const net_builder *b, const net_draw *d, uint32_t row) {
  const uint32_t move =
      d->moves[0].items[row] != ID_NONE ? d->moves[0].items[row] : d->moves[1].items[row];
  const term_id t = b->c->moves.items[move].term;
  const term *it = term_get(b->c->terms, t);
  draw_name name = {.words = {it->name + 1}};
  for (uint32_t i = 0; i < it->arg_count && i + 1 < DRAW_WORDS; i++)
    name.words[i + 1] = term_arg(b->c->terms, t, i) + 1;
  return name;
}

static void lay_out(net_builder *b, net_draw *d, const draw_sets *sets) {
  const uint32_t count = d->rows.count;
  draw_name *names = arena_new_array(b->scratch, draw_name, count + 1);
  for (uint32_t i = 0; i < count; i++) names[i] = name_of_row(b, d, i);
  d->layout = draw_layout_find(count, names, sets, b->scratch);
  draw_splitter_init(&d->splitter, &d->layout, b->scratch);
  d->choice =
      (draw_choice){arena_new_array(b->scratch, edge, 1), arena_new_array(b->scratch, edge, 1)};
  d->choice.entered[0] = d->choice.found[0] = EDGE_TRUE; /* for a draw of one row */
  if (count > 1) draw_tree_build(&d->tree, &b->g, d->rows.items, d->layout, b->scratch);
}

void net_plan_draws(net_builder *b) {
  const circuit *c = b->c;
  turns t;
  b->roles = arena_zero_array(b->scratch, role_plan, c->roles.count + 1);
  b->is_idle = arena_zero_array(b->scratch, bool, c->roles.count + 1);
  b->role_of = arena_new_array(b->scratch, uint32_t, c->moves.count + 1);
  b->row_of = arena_new_array(b->scratch, uint32_t, c->moves.count + 1);
  memset(b->row_of, 0xff, (c->moves.count + 1) * sizeof *b->row_of);
  for (uint32_t role = 0; role < c->roles.count; role++)
    for (uint32_t i = 0; i < c->roles.items[role].move_count; i++)
      b->role_of[c->roles.items[role].first_move + i] = role;
  b->unions = arena_new_array(b->scratch, move_union, c->gates.count);
  for (gate_id g = 0; g < c->gates.count; g++) b->unions[g] = (move_union){.draw = ID_NONE};
  const bool takes_turns = find_turns(b, &t);
  if (takes_turns) plan_in_turns(b, &t);
  for (uint32_t role = 0; !takes_turns && role < c->roles.count; role++) plan_alone(b, role);
  draw_sets *sets = arena_zero_array(b->scratch, draw_sets, b->draws.count + 1);
  for (uint32_t i = 0; i < b->draws.count; i++) {
    net_draw *d = &b->draws.items[i];
    d->marks = arena_zero_array(b->scratch, uint8_t, d->rows.count + 1);
  }
  list_sets(b, sets);
  for (uint32_t i = 0; i < b->draws.count; i++)
    if (b->draws.items[i].rows.count) lay_out(b, &b->draws.items[i], &sets[i]);
}

/* ---- drawing ---- */

/* Adds the number of a draw, its product with random bits, and what is read of them. */
static void add_product(net_builder *b, const draw_tree *tree, lane_draw *d) {
  const draw_node *root = draw_tree_root(tree);
  const edge *count = vec_from(&tree->bits, root->bits);
  edge random[64], product[96], bound[64];
  *d = (lane_draw){.count_bits = root->bit_count,
                   .random_bits = root->bit_count + SPARE_RANDOM_BITS,
                   .first_random = next_slot(b)};
  for (uint32_t i = 0; i < d->random_bits; i++) random[i] = add_input(b);
  draw_multiply(&b->g, count, d->count_bits, random, d->random_bits, product);
  d->count = next_root(b);
  for (uint32_t i = 0; i < d->count_bits; i++) add_root(b, count[i], PHASE_LEGAL, PHASE_LEGAL);
  d->product = next_root(b);
  for (uint32_t i = 0; i < d->random_bits + d->count_bits; i++)
    add_root(b, product[i], PHASE_LEGAL, PHASE_LEGAL);
  for (uint32_t i = 0; i < d->random_bits; i++)
    bound[i] = i < d->count_bits ? count[i] : EDGE_FALSE;
  d->doubtful = next_root(b);
  add_root(b, draw_is_less(&b->g, product, bound, d->random_bits), PHASE_LEGAL, PHASE_LEGAL);
}

static void add_draw(net_builder *b, net_draw *d) {
  lane_draw added;
  edge number[32];
  add_product(b, &d->tree, &added);
  added.first_number = next_slot(b);
  for (uint32_t i = 0; i < added.count_bits; i++) number[i] = add_input(b);
  d->choice = draw_select(&d->tree, number);
  vec_push(b->n->keep, &b->n->draws, added);
}

/* No row holds. */
static edge has_none(net_builder *b, const net_draw *d) {
  if (d->rows.count == 0) return EDGE_TRUE;
  if (d->rows.count == 1) return edge_not(d->rows.items[0]);
  const draw_node *root = draw_tree_root(&d->tree);
  b->inputs.count = 0;
  for (uint32_t i = 0; i < root->bit_count; i++)
    vec_push(b->scratch, &b->inputs, edge_not(d->tree.bits.items[root->bits + i]));
  return aig_all(&b->g, b->inputs.items, b->inputs.count);
}

void net_add_draws(net_builder *b) {
  for (uint32_t i = 0; i < b->draws.count; i++)
    if (b->draws.items[i].rows.count > 1) add_draw(b, &b->draws.items[i]);
  b->n->stuck = next_root(b);
  for (uint32_t role = 0; role < b->c->roles.count; role++) {
    const edge none = has_none(b, &b->draws.items[b->roles[role].draw]);
    add_root(b, aig_and(&b->g, b->roles[role].selector, none), PHASE_LEGAL, PHASE_LEGAL);
  }
}

/* ---- what is drawn ---- */

static edge chosen(net_builder *b, const net_draw *d, uint32_t row) {
  return aig_and(&b->g, d->choice.entered[d->layout.group[row]],
                 d->choice.found[d->layout.column[row]]);
}

edge net_move(net_builder *b, uint32_t move) {
  const role_plan *r = &b->roles[b->role_of[move]];
  if (move == r->idle) return edge_not(r->selector);
  return aig_and(&b->g, r->selector, chosen(b, &b->draws.items[r->draw], b->row_of[move]));
}

/* The pieces of the last set that was split, joined. */
static edge join_pieces(net_builder *b, const net_draw *d) {
  const draw_splitter *s = &d->splitter;
  b->inputs.count = 0;
  for (uint32_t i = 0; i < s->groups.count; i++)
    vec_push(b->scratch, &b->inputs, edge_not(d->choice.entered[s->groups.items[i]]));
  for (uint32_t i = 0; i < s->columns.count; i++)
    vec_push(b->scratch, &b->inputs, edge_not(d->choice.found[s->columns.items[i]]));
  for (uint32_t i = 0; i < s->rows.count; i++)
    vec_push(b->scratch, &b->inputs, edge_not(chosen(b, d, s->rows.items[i])));
  return edge_not(aig_all(&b->g, b->inputs.items, b->inputs.count));
}

/* Splits the rows, or the others if those are fewer pieces: one row is drawn in any case.
   *is_rest: it was the others.  Returns how many pieces there are. */
static uint32_t split_rows(net_builder *b, net_draw *d, const id_vec *rows, bool *is_rest) {
  const uint32_t pieces = draw_split(&d->splitter, rows->items, rows->count);
  *is_rest = false;
  if (rows->count * 2 <= d->rows.count) return pieces;
  id_vec others = {0};
  for (uint32_t i = 0; i < rows->count; i++) d->marks[rows->items[i]] = 1;
  for (uint32_t i = 0; i < d->rows.count; i++)
    if (!d->marks[i]) vec_push(b->scratch, &others, i);
  memset(d->marks, 0, d->rows.count);
  const uint32_t fewer = draw_split(&d->splitter, others.items, others.count);
  *is_rest = fewer < pieces;
  return *is_rest ? fewer : draw_split(&d->splitter, rows->items, rows->count);
}

/* The same from what the inputs of a gate are made of, if all of them are of one draw and the same
   sides, and fewer than `most`. */
static bool join_inputs(net_builder *b, gate_id g, uint32_t most, move_union *u) {
  const circuit *c = b->c;
  b->inputs.count = 0;
  for (uint32_t i = 0; i < c->gates.items[g].input_count; i++) {
    const wire w = gate_inputs(c, g)[i];
    if (!gate_moves_is_part(&b->asked, c, w)) continue;
    const gate it = c->gates.items[wire_gate(w)];
    move_union part = b->unions[wire_gate(w)];
    if (it.kind == GATE_MOVE) {
      const role_plan *r = &b->roles[b->role_of[it.number]];
      part = (move_union){r->draw, 1u << r->side, EDGE_FALSE};
      part.drawn = chosen(b, &b->draws.items[r->draw], b->row_of[it.number]);
    }
    if (part.draw != u->draw || part.sides != u->sides || b->inputs.count == most) return false;
    vec_push(b->scratch, &b->inputs, edge_not(part.drawn));
  }
  u->drawn = edge_not(aig_all(&b->g, b->inputs.items, b->inputs.count));
  return true;
}

/* One of these rows is drawn. */
static edge drawn_of(net_builder *b, net_draw *d, const id_vec *rows) {
  bool is_rest;
  split_rows(b, d, rows, &is_rest);
  return join_pieces(b, d) ^ is_rest;
}

/* The only draw and sides that the moves of a gate are of, after sort_moves; false: there are more.
 */
static bool find_only_set(const net_builder *b, move_union *u) {
  u->draw = ID_NONE;
  for (uint32_t role = 0; role < b->c->roles.count; role++)
    if (b->is_idle[role]) return false;
  for (uint32_t i = 0; i < b->draws.count; i++)
    for (uint32_t sides = 1; sides < 4; sides++) {
      if (!b->draws.items[i].sets[sides].count) continue;
      if (u->draw != ID_NONE) return false;
      *u = (move_union){.draw = i, .sides = sides};
    }
  return u->draw != ID_NONE;
}

static edge selector_of(const net_draw *d, uint32_t sides) {
  return sides == 3 ? EDGE_TRUE : d->selectors[sides - 1];
}

/* For one draw and the same sides: from pieces of the layout, or from the inputs of the gate. */
static edge none_of_union(net_builder *b, gate_id g, move_union *u) {
  net_draw *d = &b->draws.items[u->draw];
  bool is_rest;
  const uint32_t pieces = split_rows(b, d, &d->sets[u->sides], &is_rest);
  if (pieces < 2 || !join_inputs(b, g, pieces - 1, u)) u->drawn = join_pieces(b, d) ^ is_rest;
  if (bitset_has(b->asked.is_pure, g)) b->unions[g] = *u;
  return edge_not(aig_and(&b->g, selector_of(d, u->sides), u->drawn));
}

edge net_none_of_moves(net_builder *b, gate_id g) {
  edge none = EDGE_TRUE;
  move_union u;
  sort_moves(b, g, b->is_idle);
  if (find_only_set(b, &u)) return none_of_union(b, g, &u);
  for (uint32_t role = 0; role < b->c->roles.count; role++)
    if (b->is_idle[role]) none = aig_and(&b->g, none, b->roles[role].selector);
  for (uint32_t i = 0; i < b->draws.count; i++) {
    net_draw *d = &b->draws.items[i];
    for (uint32_t sides = 1; sides < 4; sides++) {
      if (!d->sets[sides].count) continue;
      const edge one = aig_and(&b->g, selector_of(d, sides), drawn_of(b, d, &d->sets[sides]));
      none = aig_and(&b->g, none, edge_not(one));
    }
  }
  return none;
}

/* ---- counts ---- */

/* A gate with fewer conditions than this, or than this part of a draw's rows, is not looked at. */
enum { CONDITIONS_LEAST = 32, ROWS_PART = 16 };

/* By node of the tree: are all its rows excluded by the conditions that are marked? */
static bool *find_excluded(const net_builder *b, const net_draw *d, bitset conditions) {
  bool *is_excluded = arena_zero_array(b->scratch, bool, d->tree.nodes.count);
  for (uint32_t i = 0; i < d->tree.nodes.count; i++) {
    const draw_node *n = &d->tree.nodes.items[i];
    if (n->left != ID_NONE) {
      is_excluded[i] = is_excluded[n->left] && is_excluded[n->right];
      continue;
    }
    uint32_t at = d->layout.first[n->first];
    const uint32_t end = d->layout.first[n->first + 1];
    while (at < end && bitset_has(conditions, edge_not(d->rows.items[d->layout.rows[at]]))) at++;
    is_excluded[i] = at == end;
  }
  return is_excluded;
}

/* The bits of a count take the place of the rows of a node, from the root down. */
static void use_count(net_builder *b, const net_draw *d, uint32_t node, const bool *is_excluded,
                      edge_vec *out) {
  const draw_node *n = &d->tree.nodes.items[node];
  if (!is_excluded[node]) {
    if (n->left == ID_NONE) return;
    use_count(b, d, n->left, is_excluded, out);
    use_count(b, d, n->right, is_excluded, out);
    return;
  }
  for (uint32_t i = d->layout.first[n->first]; i < d->layout.first[n->first + n->size]; i++)
    bitset_remove(b->conditions, edge_not(d->rows.items[d->layout.rows[i]]));
  for (uint32_t i = 0; i < n->bit_count; i++)
    vec_push(b->scratch, out, edge_not(d->tree.bits.items[n->bits + i]));
}

static void use_counts_of(net_builder *b, const net_draw *d, edge_vec *list) {
  edge_vec out = {0};
  if (b->conditions.size < b->g.nodes.count * 2)
    b->conditions = bitset_new(b->scratch, b->g.nodes.count * 4);
  for (uint32_t i = 0; i < list->count; i++) bitset_add(b->conditions, list->items[i]);
  use_count(b, d, d->tree.nodes.count - 1, find_excluded(b, d, b->conditions), &out);
  for (uint32_t i = 0; i < list->count; i++) {
    if (!bitset_has(b->conditions, list->items[i])) continue;
    bitset_remove(b->conditions, list->items[i]);
    vec_push(b->scratch, &out, list->items[i]);
  }
  *list = out;
}

void net_use_counts(net_builder *b, edge_vec *conditions) {
  for (uint32_t i = 0; i < b->draws.count; i++) {
    const net_draw *d = &b->draws.items[i];
    if (d->rows.count > 1 && conditions->count >= CONDITIONS_LEAST &&
        conditions->count >= d->rows.count / ROWS_PART)
      use_counts_of(b, d, conditions);
  }
}
