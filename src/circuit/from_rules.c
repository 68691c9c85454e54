#include "base/bitset.h"
#include "base/graph.h"
#include "base/sort.h"
#include "circuit/passes.h"

#include <stdlib.h>
#include <string.h>

/* Every atom has two wires: one for when no move is done, which is what legal, goal and terminal
   read, and one for when each role does a move.  For an atom that does not depend on moves they are
   the same. */
typedef enum moment { STILL, MOVING, MOMENTS } moment;

/* A rule of an atom: the move sets of its body, role by role, and the rest. */
typedef struct term_key {
  wire rest;
  uint32_t sets; /* in builder.set_wires: one for each role, WIRE_TRUE for none */
} term_key;

typedef struct builder {
  const ground_program *g;
  circuit *c;
  move_sets *sets;
  gate_maker maker;
  arena *scratch;
  arena *local; /* for one strongly connected part */
  budget *limits;
  diag_sink *d;
  uint32_t role_count;
  wire *wires[MOMENTS];   /* by atom */
  bitset uses_moves;      /* atoms that depend on moves */
  bitset is_read_still;   /* atoms that legal, goal or terminal depend on */
  graph needs;            /* from an atom to the atoms in its bodies */
  uint32_t *component;    /* by atom */
  uint32_t *turn;         /* by atom of the part under way */
  wire_vec bodies;        /* of the rules of the atom under way */
  VEC(wire_range) ranges; /* by rule: its body in `bodies` */
  wire_vec body;          /* scratch */
  wire_vec terms;
  VEC(term_key) keys;
  VEC(term_key) unsorted; /* scratch of sort_keys_by_rest */
  VEC(uint64_t) order;    /* likewise */
  wire_vec set_wires;
} builder;

/* ---- inputs ---- */

/* How many moves of each role can be legal; moves are numbered among these. */
static uint32_t *count_possible_moves(const ground_program *g, arena *keep) {
  uint32_t *universe = arena_zero_array(keep, uint32_t, g->roles.count);
  for (uint32_t role = 0; role < g->roles.count; role++) {
    const ground_role *r = &g->roles.items[role];
    for (uint32_t i = 0; i < r->move_count; i++)
      universe[role] += g->moves.items[r->first_move + i].legal != ATOM_NONE;
  }
  return universe;
}

static void add_roles(builder *b) {
  const ground_program *g = b->g;
  for (uint32_t role = 0; role < g->roles.count; role++) {
    const ground_role *from = &g->roles.items[role];
    const circuit_role r = {.term = from->term, .first_move = b->c->moves.count};
    vec_push(b->c->keep, &b->c->roles, r);
    uint32_t number = 0;
    for (uint32_t i = 0; i < from->move_count; i++) {
      const ground_move *move = &g->moves.items[from->first_move + i];
      if (move->legal == ATOM_NONE) {
        if (move->does != ATOM_NONE) b->wires[MOVING][move->does] = WIRE_FALSE;
        continue;
      }
      const wire does = make_move_choice(&b->maker, move_sets_single(b->sets, role, number++));
      if (move->does != ATOM_NONE) b->wires[MOVING][move->does] = does;
      const circuit_move m = {.term = move->term, .legal = WIRE_FALSE, .does = does};
      vec_push(b->c->keep, &b->c->moves, m);
    }
    b->c->roles.items[role].move_count = number;
  }
}

static void add_fluents(builder *b) {
  const ground_program *g = b->g;
  for (uint32_t i = 0; i < g->fluents.count; i++) {
    const ground_fluent *f = &g->fluents.items[i];
    wire now = WIRE_FALSE;
    if (f->initially || f->next != ATOM_NONE) {
      const circuit_latch latch = {
          .fluent = i,
          .gate = wire_gate(make_input(&b->maker, GATE_LATCH, b->c->latches.count)),
          .initially = f->initially};
      vec_push(b->c->keep, &b->c->latches, latch);
      now = wire_of(latch.gate, false);
    }
    const circuit_fluent fluent = {.term = f->term, .now = now};
    vec_push(b->c->keep, &b->c->fluents, fluent);
    if (f->holds != ATOM_NONE) b->wires[STILL][f->holds] = b->wires[MOVING][f->holds] = now;
  }
}

/* ---- which atoms depend on what ---- */

static void index_needs(builder *b) {
  const ground_program *g = b->g;
  uint32_t *from = arena_new_array(b->scratch, uint32_t, g->atoms.count + 1);
  uint32_t *to = arena_new_array(b->scratch, uint32_t, g->literals.count + 1);
  uint32_t count = 0;
  for (atom_id a = 0; a < g->atoms.count; a++) {
    from[a] = count;
    for (uint32_t r = g->rules_of[a]; r < g->rules_of[a + 1]; r++)
      for (uint32_t i = 0; i < g->rules.items[r].body_count; i++)
        to[count++] = literal_atom(g->literals.items[g->rules.items[r].body + i]);
  }
  from[g->atoms.count] = count;
  b->needs = (graph){.node_count = g->atoms.count, .from = from, .to = to};
}

static void read_still(builder *b, id_vec *queue, atom_id a) {
  if (a != ATOM_NONE && bitset_insert(b->is_read_still, a)) vec_push(b->scratch, queue, a);
}

static void mark_read_still(builder *b) {
  const ground_program *g = b->g;
  id_vec queue = {0};
  for (uint32_t i = 0; i < g->moves.count; i++) read_still(b, &queue, g->moves.items[i].legal);
  for (uint32_t i = 0; i < g->goals.count; i++) read_still(b, &queue, g->goals.items[i].atom);
  read_still(b, &queue, g->terminal);
  while (queue.count) {
    const atom_id a = vec_pop(&queue);
    for (uint32_t i = b->needs.from[a]; i < b->needs.from[a + 1]; i++)
      read_still(b, &queue, b->needs.to[i]);
  }
}

static bool needs_any_mover(const builder *b, atom_id a) {
  for (uint32_t i = b->needs.from[a]; i < b->needs.from[a + 1]; i++)
    if (bitset_has(b->uses_moves, b->needs.to[i])) return true;
  return false;
}

/* ---- one atom ---- */

static wire wire_of_literal(const builder *b, moment when, ground_literal l) {
  const wire w = b->wires[when][literal_atom(l)];
  return literal_is_negated(l) ? wire_not(w) : w;
}

/* Adds a rule's conditions to the bodies. */
static void read_body(builder *b, moment when, const ground_rule *r) {
  const ground_literal *literals = vec_from(&b->g->literals, r->body);
  const wire_range range = {b->bodies.count, r->body_count};
  vec_push(b->scratch, &b->ranges, range);
  vec_reserve(b->scratch, &b->bodies, r->body_count);
  for (uint32_t i = 0; i < r->body_count; i++)
    b->bodies.items[b->bodies.count++] = wire_of_literal(b, when, literals[i]);
}

/* One conjunction for each body that was read. */
static void make_bodies(builder *b) {
  b->terms.count = 0;
  vec_reserve(b->scratch, &b->terms, b->ranges.count);
  make_ands(&b->maker, &b->bodies, b->ranges.items, b->ranges.count, b->terms.items);
  b->terms.count = b->ranges.count;
}

/* Takes the move sets out of the body that was read last; they stand at the end of set_wires, role
   by role, WIRE_TRUE for none.  False: the body never holds. */
static bool split_body(builder *b) {
  wire_range *range = &vec_last(&b->ranges);
  wire *body = vec_from(&b->bodies, range->first);
  const uint32_t sets = b->set_wires.count;
  uint32_t kept = 0;
  for (uint32_t role = 0; role < b->role_count; role++)
    vec_push(b->scratch, &b->set_wires, WIRE_TRUE);
  for (uint32_t i = 0; i < range->count; i++) {
    if (!wire_is_move_set(b->c, body[i])) {
      body[kept++] = body[i];
      continue;
    }
    const set_id set = b->c->gates.items[wire_gate(body[i])].number;
    wire *all = &b->set_wires.items[sets + b->sets->sets.items[set].role];
    *all = *all == WIRE_TRUE ? body[i] : make_and_of_two(&b->maker, *all, body[i]);
    if (*all == WIRE_FALSE) return false;
  }
  range->count = kept;
  return true;
}

/* The order of keys that brings those together which differ in the sets of one role alone. */
typedef struct key_order {
  const wire *sets;
  uint32_t role_count, without;
} key_order;

static int compare_keys(const void *left, const void *right, void *context) {
  const key_order *o = context;
  const term_key *a = left, *b = right;
  if (a->rest != b->rest) return a->rest < b->rest ? -1 : 1;
  for (uint32_t role = 0; role < o->role_count; role++) {
    const wire x = o->sets[a->sets + role], y = o->sets[b->sets + role];
    if (role != o->without && x != y) return x < y ? -1 : 1;
  }
  return 0;
}

/* By what they say besides moves; equal ones together in any order. */
static void sort_keys_by_rest(builder *b) {
  const uint32_t count = b->keys.count;
  uint32_t ascending = 1;
  while (ascending < count && b->keys.items[ascending - 1].rest <= b->keys.items[ascending].rest)
    ascending++;
  if (ascending >= count) return;
  b->order.count = b->unsorted.count = 0;
  vec_append(b->scratch, &b->unsorted, b->keys.items, count);
  for (uint32_t i = 0; i < count; i++)
    vec_push(b->scratch, &b->order, (uint64_t)b->keys.items[i].rest << 32 | i);
  sort_keys(b->order.items, count);
  for (uint32_t i = 0; i < count; i++)
    b->keys.items[i] = b->unsorted.items[(uint32_t)b->order.items[i]];
}

static bool keys_ascend(const term_key *keys, uint32_t count, key_order *order) {
  for (uint32_t i = 1; i < count; i++)
    if (compare_keys(&keys[i - 1], &keys[i], order) > 0) return false;
  return true;
}

/* Sorts keys that are in order of what they say besides moves. */
static void sort_equal_rests(builder *b, key_order *order) {
  for (uint32_t i = 0, end; i < b->keys.count; i = end) {
    for (end = i + 1; end < b->keys.count && b->keys.items[end].rest == b->keys.items[i].rest;)
      end++;
    if (!keys_ascend(vec_from(&b->keys, i), end - i, order))
      qsort_r(vec_from(&b->keys, i), end - i, sizeof *b->keys.items, compare_keys, order);
  }
}

/* Joins the terms that differ in what one role does alone. */
static void join_terms(builder *b, uint32_t role) {
  key_order order = {b->set_wires.items, b->role_count, role};
  uint32_t kept = 0;
  sort_equal_rests(b, &order);
  for (uint32_t i = 0, end; i < b->keys.count; i = end) {
    const term_key key = b->keys.items[i];
    b->body.count = 0;
    for (end = i;
         end < b->keys.count && compare_keys(&b->keys.items[i], &b->keys.items[end], &order) == 0;
         end++)
      vec_push(b->scratch, &b->body, b->set_wires.items[b->keys.items[end].sets + role]);
    if (b->body.count > 1)
      b->set_wires.items[key.sets + role] = make_or(&b->maker, b->body.items, b->body.count);
    b->keys.items[kept++] = key;
  }
  b->keys.count = kept;
}

/* One conjunction for each key. */
static void make_keys(builder *b) {
  b->bodies.count = b->ranges.count = 0;
  for (uint32_t i = 0; i < b->keys.count; i++) {
    const term_key *key = &b->keys.items[i];
    const wire_range range = {b->bodies.count, b->role_count + 1};
    vec_push(b->scratch, &b->ranges, range);
    vec_push(b->scratch, &b->bodies, key->rest);
    vec_append(b->scratch, &b->bodies, vec_from(&b->set_wires, key->sets), b->role_count);
  }
  make_bodies(b);
}

/* The keys of the rules of an atom that depends on moves. */
static void list_keys(builder *b, atom_id a) {
  const ground_program *g = b->g;
  b->keys.count = b->set_wires.count = 0;
  for (uint32_t r = g->rules_of[a]; r < g->rules_of[a + 1]; r++) {
    read_body(b, MOVING, &g->rules.items[r]);
    if (split_body(b)) continue;
    b->bodies.count = vec_pop(&b->ranges).first;
    b->set_wires.count -= b->role_count;
  }
  make_bodies(b);
  for (uint32_t i = 0; i < b->terms.count; i++) {
    const term_key key = {b->terms.items[i], i * b->role_count};
    if (key.rest != WIRE_FALSE) vec_push(b->scratch, &b->keys, key);
  }
}

/* An atom that depends on moves. */
static wire wire_of_mover(builder *b, atom_id a) {
  list_keys(b, a);
  if (b->keys.count > 1) {
    sort_keys_by_rest(b);
    for (uint32_t role = 0; role < b->role_count; role++) join_terms(b, role);
  }
  make_keys(b);
  return make_or(&b->maker, b->terms.items, b->terms.count);
}

static wire wire_of_atom(builder *b, moment when, atom_id a) {
  const ground_program *g = b->g;
  b->bodies.count = b->ranges.count = 0;
  if (when == MOVING && bitset_has(b->uses_moves, a)) return wire_of_mover(b, a);
  for (uint32_t r = g->rules_of[a]; r < g->rules_of[a + 1]; r++)
    read_body(b, when, &g->rules.items[r]);
  make_bodies(b);
  return make_or(&b->maker, b->terms.items, b->terms.count);
}

/* ---- strongly connected parts ---- */

/* The rules of the atoms of a part, numbered among themselves, and which of them need an atom. */
typedef struct part_rules {
  uint32_t *head;  /* by rule: where its atom stands in the part */
  uint32_t *unmet; /* by rule: conditions of the part that are not placed yet */
  uint32_t count;
  graph used_by; /* from atoms to rules */
} part_rules;

static part_rules list_part_rules(builder *b, const uint32_t *atoms, uint32_t count) {
  const ground_program *g = b->g;
  id_vec heads = {0}, unmet = {0}, needed = {0}, needing = {0};
  for (uint32_t i = 0; i < count; i++) b->turn[atoms[i]] = i;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t r = g->rules_of[atoms[i]]; r < g->rules_of[atoms[i] + 1]; r++) {
      const uint32_t before = needed.count;
      for (uint32_t k = 0; k < g->rules.items[r].body_count; k++) {
        const atom_id a = literal_atom(g->literals.items[g->rules.items[r].body + k]);
        if (b->component[a] != b->component[atoms[i]]) continue;
        vec_push(b->local, &needed, b->turn[a]);
        vec_push(b->local, &needing, heads.count);
      }
      vec_push(b->local, &heads, i);
      vec_push(b->local, &unmet, needed.count - before);
    }
  return (part_rules){heads.items, unmet.items, heads.count,
                      graph_new(b->local, count, needed.items, needing.items, needed.count)};
}

/* The atoms of a part, those first that can be had without the others, then what follows from
   them: so that most values are final after one pass. */
static uint32_t *order_part(builder *b, const uint32_t *atoms, uint32_t count) {
  const part_rules rules = list_part_rules(b, atoms, count);
  uint32_t *order = arena_new_array(b->local, uint32_t, count);
  const bitset placed = bitset_new(b->local, count);
  uint32_t done = 0;
  for (uint32_t r = 0; r < rules.count; r++)
    if (!rules.unmet[r] && bitset_insert(placed, rules.head[r])) order[done++] = rules.head[r];
  for (uint32_t i = 0; i < done; i++)
    for (uint32_t k = rules.used_by.from[order[i]]; k < rules.used_by.from[order[i] + 1]; k++) {
      const uint32_t r = rules.used_by.to[k];
      if (--rules.unmet[r] == 0 && bitset_insert(placed, rules.head[r]))
        order[done++] = rules.head[r];
    }
  for (uint32_t i = 0; i < count; i++) /* what can never hold */
    if (!bitset_has(placed, i)) order[done++] = i;
  for (uint32_t i = 0; i < count; i++) order[i] = atoms[order[i]];
  return order;
}

static bool report_unstratified(builder *b, atom_id a) {
  text words = text_new(b->scratch);
  term_print(b->g->terms, b->g->atoms.items[a], NOTATION_KIF, NULL, &words);
  diag_add(b->d, DIAG_E501, SPAN_NONE, "%s depends on its own negation", text_string(&words));
  return false;
}

static bool part_is_stratified(builder *b, const uint32_t *atoms, uint32_t count) {
  const ground_program *g = b->g;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t r = g->rules_of[atoms[i]]; r < g->rules_of[atoms[i] + 1]; r++)
      for (uint32_t k = 0; k < g->rules.items[r].body_count; k++) {
        const ground_literal l = g->literals.items[g->rules.items[r].body + k];
        if (literal_is_negated(l) && b->component[literal_atom(l)] == b->component[atoms[i]])
          return report_unstratified(b, atoms[i]);
      }
  return true;
}

/* Places for those atoms that are needed at or before their own turn. */
static void add_places(builder *b, moment when, const uint32_t *order, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) b->turn[order[i]] = i;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = b->needs.from[order[i]]; k < b->needs.from[order[i] + 1]; k++) {
      const atom_id a = b->needs.to[k];
      if (b->component[a] != b->component[order[i]] || b->turn[a] < i) continue;
      b->turn[a] = 0; /* it has a place: nobody needs it too early any more */
      const circuit_place place = {
          .gate = wire_gate(make_input(&b->maker, GATE_LOOP, b->c->places.count)),
          .definition = a}; /* the atom, until the part is done */
      b->wires[when][a] = wire_of(place.gate, false);
      vec_push(b->c->keep, &b->c->places, place);
    }
}

static void build_part_at(builder *b, moment when, const uint32_t *order, uint32_t count) {
  circuit_part part = {.first_place = b->c->places.count, .first = b->c->gates.count};
  add_places(b, when, order, count);
  part.place_count = b->c->places.count - part.first_place;
  for (uint32_t i = 0; i < count; i++) b->wires[when][order[i]] = wire_of_atom(b, when, order[i]);
  for (uint32_t i = 0; i < part.place_count; i++) {
    circuit_place *place = &b->c->places.items[part.first_place + i];
    place->definition = b->wires[when][place->definition];
  }
  part.end = b->c->gates.count;
  vec_push(b->c->keep, &b->c->parts, part);
}

static bool build_part(builder *b, const uint32_t *atoms, uint32_t count) {
  if (!part_is_stratified(b, atoms, count)) return false;
  bool moves = false;
  for (uint32_t i = 0; i < count && !moves; i++) moves = needs_any_mover(b, atoms[i]);
  if (moves)
    for (uint32_t i = 0; i < count; i++) bitset_add(b->uses_moves, atoms[i]);
  const uint32_t *order = order_part(b, atoms, count);
  build_part_at(b, STILL, order, count);
  for (uint32_t i = 0; i < count && !moves; i++)
    b->wires[MOVING][order[i]] = b->wires[STILL][order[i]];
  if (moves) build_part_at(b, MOVING, order, count);
  arena_clear(b->local);
  return true;
}

static bool is_recursive(const builder *b, atom_id a) {
  for (uint32_t i = b->needs.from[a]; i < b->needs.from[a + 1]; i++)
    if (b->needs.to[i] == a) return true;
  return false;
}

static void build_atom(builder *b, atom_id a) {
  if (b->g->rules_of[a] == b->g->rules_of[a + 1]) return; /* given from outside, or never */
  const bool moves = needs_any_mover(b, a);
  if (moves) bitset_add(b->uses_moves, a);
  if (!moves || bitset_has(b->is_read_still, a)) b->wires[STILL][a] = wire_of_atom(b, STILL, a);
  b->wires[MOVING][a] = moves ? wire_of_atom(b, MOVING, a) : b->wires[STILL][a];
}

static bool build_atoms(builder *b) {
  b->component = arena_new_array(b->scratch, uint32_t, b->g->atoms.count + 1);
  const uint32_t parts = graph_components(&b->needs, b->component, b->scratch);
  const uint32_t *atoms = graph_order(&b->needs, b->component, parts, b->scratch);
  const uint32_t atom_count = b->g->atoms.count;
  for (uint32_t i = 0, end; i < atom_count; i = end) {
    if (budget_is_spent(b->limits)) {
      budget_report(b->limits, b->d, "building the circuit");
      return false;
    }
    for (end = i + 1; end < atom_count && b->component[atoms[end]] == b->component[atoms[i]];)
      end++;
    if (end - i == 1 && !is_recursive(b, atoms[i]))
      build_atom(b, atoms[i]);
    else if (!build_part(b, atoms + i, end - i))
      return false;
  }
  return true;
}

/* ---- outputs ---- */

static wire output(const builder *b, moment when, atom_id a) {
  return a == ATOM_NONE ? WIRE_FALSE : b->wires[when][a];
}

static void connect_outputs(builder *b) {
  const ground_program *g = b->g;
  circuit *c = b->c;
  for (uint32_t i = 0; i < c->latches.count; i++)
    c->latches.items[i].next = output(b, MOVING, g->fluents.items[c->latches.items[i].fluent].next);
  for (uint32_t i = 0, to = 0; i < g->moves.count; i++)
    if (g->moves.items[i].legal != ATOM_NONE)
      c->moves.items[to++].legal = output(b, STILL, g->moves.items[i].legal);
  for (uint32_t i = 0; i < g->goals.count; i++) {
    const ground_outcome *o = &g->goals.items[i];
    const circuit_outcome goal = {o->role, o->term, output(b, STILL, o->atom)};
    vec_push(c->keep, &c->goals, goal);
  }
  for (uint32_t i = 0; i < g->percepts.count; i++) {
    const ground_outcome *o = &g->percepts.items[i];
    const circuit_outcome percept = {o->role, o->term, output(b, MOVING, o->atom)};
    vec_push(c->keep, &c->percepts, percept);
  }
  c->terminal = output(b, STILL, g->terminal);
}

static void mark_moves(builder *b) {
  for (uint32_t i = 0; i < b->g->moves.count; i++)
    if (b->g->moves.items[i].does != ATOM_NONE)
      bitset_add(b->uses_moves, b->g->moves.items[i].does);
}

bool circuit_from_rules(circuit *out, move_sets *sets, const ground_program *g, arena *keep,
                        budget *limits, diag_sink *d) {
  arena *scratch = arena_new();
  builder b = {.g = g,
               .c = out,
               .sets = sets,
               .scratch = scratch,
               .local = arena_new(),
               .limits = limits,
               .d = d,
               .turn = arena_new_array(scratch, uint32_t, g->atoms.count),
               .role_count = g->roles.count};
  move_sets_init(sets, count_possible_moves(g, keep), g->roles.count, keep);
  gate_maker_init(&b.maker, out, sets, keep, scratch);
  gate_maker_expect(&b.maker, g->rules.count, g->literals.count);
  out->terms = g->terms;
  for (moment when = STILL; when < MOMENTS; when++)
    b.wires[when] = arena_zero_array(scratch, wire, g->atoms.count);
  b.uses_moves = bitset_new(scratch, g->atoms.count);
  b.is_read_still = bitset_new(scratch, g->atoms.count);
  mark_moves(&b);
  add_fluents(&b);
  add_roles(&b);
  index_needs(&b);
  mark_read_still(&b);
  const bool ok = build_atoms(&b);
  if (ok) connect_outputs(&b);
  arena_free(b.local);
  arena_free(scratch);
  return ok;
}
