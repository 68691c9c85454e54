#include "machine/lane_net.h"

#include "base/bitset.h"
#include "circuit/guard_moves.h"
#include "machine/lane_draw.h"

#include <string.h>

/* More random bits than a count has: how seldom a draw is doubtful. */
enum { SPARE_RANDOM_BITS = 11 };

/* How a role comes to its move. */
typedef struct role_plan {
  edge selector; /* the draw is this role's */
  uint32_t idle; /* the move that it makes when it is not, or ID_NONE: it always draws */
} role_plan;

/* Of a gate that says 'none of these moves of a role is done'. */
typedef struct move_union {
  uint32_t role; /* ID_NONE: it is no such gate */
  edge drawn;    /* one of them is drawn */
  bool has_idle;
} move_union;

typedef struct net_builder {
  lane_net *n;
  const circuit *c;
  lane_net_kind kind;
  arena *scratch;
  aig g;
  lane_plan plan;
  edge *edges;        /* by gate; ID_NONE: not made yet */
  move_union *unions; /* by gate */
  bitset still;       /* gates that terminal, goals and legal need */
  bitset kept;        /* gates that anything needs */
  role_plan *roles;
  edge *drawn;       /* by move: it is drawn */
  edge_vec inputs;   /* scratch */
  edge gone;         /* a game begins with the next state; of a playing net */
  edge *stuck;       /* by role: it has no move */
  uint32_t *role_of; /* by move */
} net_builder;

static edge edge_of(const edge *edges, wire w) { return edges[wire_gate(w)] ^ wire_is_negated(w); }

/* ---- inputs and roots ---- */

static edge add_input(net_builder *b) {
  const edge e = aig_input(&b->g);
  vec_push(b->scratch, &b->plan.inputs, edge_node(e));
  return e;
}

static slot_id next_slot(const net_builder *b) { return b->plan.inputs.count + 1; }

static uint32_t next_root(const net_builder *b) { return b->plan.roots.count; }

static void add_root(net_builder *b, edge e, lane_phase phase, lane_phase until) {
  const lane_root root = {e, phase, until, SLOT_FALSE};
  vec_push(b->scratch, &b->plan.roots, root);
}

/* ---- what is needed ---- */

static void need(bitset set, id_vec *queue, arena *scratch, wire w) {
  if (bitset_insert(set, wire_gate(w))) vec_push(scratch, queue, wire_gate(w));
}

/* Carries needs on; through latches to their next values if `with_next`. */
static void need_inputs(net_builder *b, bitset set, id_vec *queue, bool with_next) {
  const circuit *c = b->c;
  while (queue->count) {
    const gate_id g = vec_pop(queue);
    const gate it = c->gates.items[g];
    if (it.kind == GATE_LOOP) need(set, queue, b->scratch, c->places.items[it.number].definition);
    if (it.kind == GATE_LATCH && with_next)
      need(set, queue, b->scratch, c->latches.items[it.number].next);
    for (uint32_t i = 0; it.kind == GATE_AND && i < it.input_count; i++)
      need(set, queue, b->scratch, gate_inputs(c, g)[i]);
  }
}

static void need_answers(net_builder *b, bitset set, id_vec *queue) {
  const circuit *c = b->c;
  need(set, queue, b->scratch, c->terminal);
  for (uint32_t i = 0; i < c->moves.count; i++)
    need(set, queue, b->scratch, c->moves.items[i].legal);
  for (uint32_t i = 0; i < c->goals.count; i++)
    need(set, queue, b->scratch, c->goals.items[i].holds);
}

static void find_needs(net_builder *b) {
  const circuit *c = b->c;
  id_vec queue = {0};
  b->still = bitset_new(b->scratch, c->gates.count);
  b->kept = bitset_new(b->scratch, c->gates.count);
  need_answers(b, b->still, &queue);
  need_inputs(b, b->still, &queue, false);
  need_answers(b, b->kept, &queue);
  if (b->kind == NET_STEPS) {
    for (uint32_t i = 0; i < c->latches.count; i++)
      need(b->kept, &queue, b->scratch, wire_of(c->latches.items[i].gate, false));
    for (uint32_t i = 0; i < c->percepts.count; i++)
      need(b->kept, &queue, b->scratch, c->percepts.items[i].holds);
  }
  need_inputs(b, b->kept, &queue, true);
}

static void add_latches(net_builder *b) {
  for (uint32_t i = 0; i < b->c->latches.count; i++) {
    const gate_id g = b->c->latches.items[i].gate;
    if (!bitset_has(b->kept, g)) continue;
    b->edges[g] = add_input(b);
    vec_push(b->n->keep, &b->n->latches, i);
  }
}

static void add_places(net_builder *b) {
  for (uint32_t i = 0; i < b->c->places.count; i++) {
    const gate_id g = b->c->places.items[i].gate;
    if (bitset_has(b->kept, g)) b->edges[g] = add_input(b);
  }
}

/* ---- gates ---- */

/* The disjunction of what stands in b->inputs, negated. */
static edge none_of_inputs(net_builder *b) {
  return aig_all(&b->g, b->inputs.items, b->inputs.count);
}

/* 'None of some moves' of the parts; false: it is something else. */
static bool join_unions(net_builder *b, gate_id g, move_union *out) {
  const circuit *c = b->c;
  *out = (move_union){.role = ID_NONE, .drawn = EDGE_FALSE};
  b->inputs.count = 0;
  for (uint32_t i = 0; i < c->gates.items[g].input_count; i++) {
    const wire w = gate_inputs(c, g)[i];
    const gate it = c->gates.items[wire_gate(w)];
    move_union part = b->unions[wire_gate(w)];
    if (it.kind == GATE_MOVE && wire_is_negated(w)) {
      part = (move_union){b->role_of[it.number], b->drawn[it.number], false};
      part.has_idle = b->roles[part.role].idle == it.number;
    } else if (part.role == ID_NONE || wire_is_negated(w)) {
      return false;
    }
    if (out->role != ID_NONE && out->role != part.role) return false;
    out->role = part.role;
    out->has_idle |= part.has_idle;
    vec_push(b->scratch, &b->inputs, edge_not(part.drawn));
  }
  out->drawn = edge_not(none_of_inputs(b));
  return true;
}

static edge edge_of_union(net_builder *b, const move_union *u) {
  const edge selector = b->roles[u->role].selector;
  return u->has_idle ? aig_or(&b->g, edge_not(selector), u->drawn)
                     : aig_and(&b->g, selector, u->drawn);
}

static void make_gate(net_builder *b, edge *edges, gate_id g) {
  b->inputs.count = 0;
  for (uint32_t i = 0; i < b->c->gates.items[g].input_count; i++)
    vec_push(b->scratch, &b->inputs, edge_of(edges, gate_inputs(b->c, g)[i]));
  edges[g] = aig_all(&b->g, b->inputs.items, b->inputs.count);
}

static void make_gates(net_builder *b, edge *edges, bitset which, bool with_unions) {
  for (gate_id g = 1; g < b->c->gates.count; g++) {
    if (b->c->gates.items[g].kind != GATE_AND || edges[g] != ID_NONE || !bitset_has(which, g))
      continue;
    move_union u;
    if (with_unions && join_unions(b, g, &u)) {
      b->unions[g] = u;
      edges[g] = edge_not(edge_of_union(b, &u));
    } else {
      make_gate(b, edges, g);
    }
  }
}

/* ---- drawing ---- */

/* Adds the number of a draw, its product with random bits, and what is read of them. */
static void add_draw(net_builder *b, const draw_tree *tree) {
  const draw_node *root = draw_tree_root(tree);
  const edge *count = tree->bits.items + root->bits;
  lane_draw d = {.count_bits = root->bit_count, .random_bits = root->bit_count + SPARE_RANDOM_BITS};
  edge random[64], product[96];
  d.first_random = next_slot(b);
  for (uint32_t i = 0; i < d.random_bits; i++) random[i] = add_input(b);
  draw_multiply(&b->g, count, d.count_bits, random, d.random_bits, product);
  d.count = next_root(b);
  for (uint32_t i = 0; i < d.count_bits; i++) add_root(b, count[i], PHASE_LEGAL, PHASE_LEGAL);
  d.product = next_root(b);
  for (uint32_t i = 0; i < d.random_bits + d.count_bits; i++)
    add_root(b, product[i], PHASE_LEGAL, PHASE_LEGAL);
  edge bound[64];
  for (uint32_t i = 0; i < d.random_bits; i++) bound[i] = i < d.count_bits ? count[i] : EDGE_FALSE;
  d.doubtful = next_root(b);
  add_root(b, draw_is_less(&b->g, product, bound, d.random_bits), PHASE_LEGAL, PHASE_LEGAL);
  vec_push(b->n->keep, &b->n->draws, d);
}

/* The rows of a draw and the moves that they stand for. */
typedef struct draw_rows {
  edge_vec rows;
  id_vec moves;  /* of the first role; ID_NONE: of the second alone */
  id_vec others; /* of the second role; ID_NONE: none */
} draw_rows;

static void add_row(net_builder *b, draw_rows *r, edge row, uint32_t move, uint32_t other) {
  vec_push(b->scratch, &r->rows, row);
  vec_push(b->scratch, &r->moves, move);
  vec_push(b->scratch, &r->others, other);
}

/* Draws, and gives back 'there is something to draw from'. */
static edge draw_from(net_builder *b, const draw_rows *r) {
  draw_tree tree;
  draw_tree_build(&tree, &b->g, r->rows.items, r->rows.count, b->scratch);
  add_draw(b, &tree);
  lane_draw *d = &vec_last(&b->n->draws);
  edge number[32];
  d->first_number = next_slot(b);
  for (uint32_t i = 0; i < d->count_bits; i++) number[i] = add_input(b);
  edge *chosen = arena_new_array(b->scratch, edge, r->rows.count);
  draw_select(&tree, number, chosen);
  for (uint32_t i = 0; i < r->rows.count; i++) {
    if (r->moves.items[i] != ID_NONE) b->drawn[r->moves.items[i]] = chosen[i];
    if (r->others.items[i] != ID_NONE) b->drawn[r->others.items[i]] = chosen[i];
  }
  const draw_node *root = draw_tree_root(&tree);
  b->inputs.count = 0;
  for (uint32_t i = 0; i < root->bit_count; i++)
    vec_push(b->scratch, &b->inputs, edge_not(tree.bits.items[root->bits + i]));
  return edge_not(none_of_inputs(b));
}

static void draw_alone(net_builder *b, uint32_t role) {
  const circuit_role *r = &b->c->roles.items[role];
  draw_rows rows = {0};
  b->roles[role] = (role_plan){.selector = EDGE_TRUE, .idle = ID_NONE};
  for (uint32_t i = r->first_move; i < r->first_move + r->move_count; i++)
    add_row(b, &rows, edge_of(b->edges, b->c->moves.items[i].legal), i, ID_NONE);
  b->stuck[role] = EDGE_TRUE;
  if (rows.rows.count == 1) {
    b->drawn[r->first_move] = EDGE_TRUE;
    b->stuck[role] = edge_not(rows.rows.items[0]);
  } else if (rows.rows.count > 1) {
    b->stuck[role] = edge_not(draw_from(b, &rows));
  }
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
      vec_push(b->scratch, &b->inputs, edge_of(b->edges, rest.items[k]));
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
static void add_shared_row(net_builder *b, const turns *t, draw_rows *rows, uint32_t move,
                           uint32_t other) {
  const edge waits = edge_of(b->edges, t->first_waits);
  const edge mine = move == ID_NONE ? EDGE_FALSE : t->rows[move];
  const edge yours = other == ID_NONE ? EDGE_FALSE : t->rows[other];
  add_row(b, rows, aig_if(&b->g, waits, yours, mine), move, other);
}

/* Moves of the same name share a row, so that what is legal for both in the same way is one row;
   the others share rows as it comes. */
static void pair_moves(net_builder *b, const turns *t, draw_rows *rows) {
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
      add_shared_row(b, t, rows, i, other);
    }
  }
  for (uint32_t i = second->first_move; i < second->first_move + second->move_count; i++)
    if (i != t->idle[1] && !is_paired[i])
      add_shared_row(b, t, rows, alone.count ? vec_pop(&alone) : ID_NONE, i);
  while (alone.count) add_shared_row(b, t, rows, vec_pop(&alone), ID_NONE);
}

static void draw_in_turns(net_builder *b, const turns *t) {
  const edge waits = edge_of(b->edges, t->first_waits);
  draw_rows rows = {0};
  b->roles[0] = (role_plan){.selector = edge_not(waits), .idle = t->idle[0]};
  b->roles[1] = (role_plan){.selector = waits, .idle = t->idle[1]};
  pair_moves(b, t, &rows);
  const edge can_move = rows.rows.count ? draw_from(b, &rows) : EDGE_FALSE;
  b->stuck[0] = aig_and(&b->g, edge_not(waits), edge_not(can_move));
  b->stuck[1] = aig_and(&b->g, waits, edge_not(can_move));
}

/* ---- moves ---- */

static edge edge_of_move(net_builder *b, uint32_t move) {
  const role_plan *r = &b->roles[b->role_of[move]];
  if (move == r->idle) return edge_not(r->selector);
  return aig_and(&b->g, r->selector, b->drawn[move]);
}

static void draw_moves(net_builder *b) {
  turns t;
  const bool takes_turns = find_turns(b, &t);
  if (takes_turns) draw_in_turns(b, &t);
  for (uint32_t role = 0; !takes_turns && role < b->c->roles.count; role++) draw_alone(b, role);
  for (gate_id g = 0; g < b->c->gates.count; g++)
    if (b->c->gates.items[g].kind == GATE_MOVE)
      b->edges[g] = edge_of_move(b, b->c->gates.items[g].number);
  b->n->stuck = next_root(b);
  for (uint32_t role = 0; role < b->c->roles.count; role++)
    add_root(b, b->stuck[role], PHASE_LEGAL, PHASE_LEGAL);
}

static void take_moves(net_builder *b) {
  b->n->first_move = next_slot(b);
  for (uint32_t i = 0; i < b->c->moves.count; i++) {
    const edge e = add_input(b);
    const wire does = b->c->moves.items[i].does;
    const gate it = b->c->gates.items[wire_gate(does)];
    if (it.kind == GATE_MOVE && !wire_is_negated(does)) b->edges[wire_gate(does)] = e;
  }
}

/* ---- all of it ---- */

static void add_early_roots(net_builder *b) {
  const circuit *c = b->c;
  b->n->terminal = next_root(b);
  add_root(b, edge_of(b->edges, c->terminal), PHASE_TERMINAL, PHASE_TERMINAL);
  b->n->goals = next_root(b);
  for (uint32_t i = 0; i < c->goals.count; i++)
    add_root(b, edge_of(b->edges, c->goals.items[i].holds), PHASE_GOALS, PHASE_GOALS);
  if (b->kind == NET_PLAYS) return;
  b->n->legal = next_root(b);
  for (uint32_t i = 0; i < c->moves.count; i++)
    add_root(b, edge_of(b->edges, c->moves.items[i].legal), PHASE_LEGAL, PHASE_LEGAL);
}

/* The next value of a latch, or its first where a game begins. */
static void add_latched_root(net_builder *b, edge next, bool initially, slot_id latch) {
  const edge e = initially ? aig_or(&b->g, next, b->gone) : aig_and(&b->g, next, edge_not(b->gone));
  const lane_root root = {e, PHASE_NEXT, PHASE_NEXT, latch};
  vec_push(b->scratch, &b->plan.roots, root);
}

static void add_late_roots(net_builder *b) {
  const circuit *c = b->c;
  b->n->next = next_root(b);
  for (uint32_t i = 0; i < b->n->latches.count; i++) {
    const circuit_latch *l = &c->latches.items[b->n->latches.items[i]];
    const edge next = edge_of(b->edges, l->next);
    if (b->kind == NET_STEPS)
      add_root(b, next, PHASE_NEXT, PHASE_NEXT);
    else
      add_latched_root(b, next, l->initially, i + 1);
  }
  if (b->kind == NET_STEPS) {
    b->n->percepts = next_root(b);
    for (uint32_t i = 0; i < c->percepts.count; i++)
      add_root(b, edge_of(b->edges, c->percepts.items[i].holds), PHASE_NEXT, PHASE_NEXT);
  }
  if (b->kind == NET_RECORDS) {
    b->n->does = next_root(b);
    for (uint32_t i = 0; i < c->moves.count; i++)
      add_root(b, edge_of_move(b, i), PHASE_NEXT, PHASE_NEXT);
  }
}

static void list_parts(net_builder *b) {
  const circuit *c = b->c;
  b->plan.part_count = c->parts.count;
  for (uint32_t part = 0; part < c->parts.count; part++)
    for (uint32_t i = 0; i < c->parts.items[part].place_count; i++) {
      const circuit_place *place = &c->places.items[c->parts.items[part].first_place + i];
      if (!bitset_has(b->kept, place->gate)) continue;
      const lane_plan_place p = {edge_node(b->edges[place->gate]),
                                 edge_of(b->edges, place->definition), part};
      vec_push(b->scratch, &b->plan.places, p);
    }
}

static void builder_init(net_builder *b) {
  const circuit *c = b->c;
  aig_init(&b->g, b->scratch);
  b->plan = (lane_plan){.g = &b->g};
  b->edges = arena_new_array(b->scratch, edge, c->gates.count);
  memset(b->edges, 0xff, c->gates.count * sizeof *b->edges);
  b->edges[0] = EDGE_FALSE;
  b->unions = arena_new_array(b->scratch, move_union, c->gates.count);
  for (gate_id g = 0; g < c->gates.count; g++) b->unions[g] = (move_union){.role = ID_NONE};
  b->roles = arena_zero_array(b->scratch, role_plan, c->roles.count + 1);
  b->drawn = arena_zero_array(b->scratch, edge, c->moves.count + 1);
  b->stuck = arena_zero_array(b->scratch, edge, c->roles.count + 1);
  b->role_of = arena_new_array(b->scratch, uint32_t, c->moves.count + 1);
  for (uint32_t role = 0; role < c->roles.count; role++)
    for (uint32_t i = 0; i < c->roles.items[role].move_count; i++)
      b->role_of[c->roles.items[role].first_move + i] = role;
}

void lane_net_build(lane_net *n, const circuit *c, lane_net_kind kind, bool in_runs, arena *keep) {
  arena *scratch = arena_new();
  *n = (lane_net){.keep = keep, .c = c};
  net_builder b = {.n = n, .c = c, .kind = kind, .scratch = scratch};
  builder_init(&b);
  find_needs(&b);
  add_latches(&b);
  add_places(&b);
  make_gates(&b, b.edges, b.still, false);
  add_early_roots(&b);
  if (kind == NET_STEPS)
    take_moves(&b);
  else
    draw_moves(&b);
  make_gates(&b, b.edges, b.kept, kind != NET_STEPS);
  n->gone = next_slot(&b);
  b.gone = add_input(&b);
  add_late_roots(&b);
  list_parts(&b);
  n->rows = arena_new_array(keep, lane_row, b.plan.roots.count + 1);
  lane_program_build(&n->program, &b.plan, in_runs, n->rows, keep);
  arena_free(scratch);
}
