/* First pass: atoms to gates.

   An atom is the disjunction of its rules, which are conjunctions; these are not made one by one,
   but with what they have in common taken out (or_maker.h).  An atom that one rule alone reads
   becomes part of that rule: until then it is held, and no gate is made. */
#include "circuit/atom_order.h"
#include "circuit/move_terms.h"
#include "circuit/or_maker.h"
#include "circuit/passes.h"

/* What an atom is at a moment: a wire; a set of moves (SET_VALUE); or this plus twice the number of
   a held conjunction, plus one when it is its negation.  The lowest bit negates all three. */
typedef uint32_t atom_value;

#define HELD_VALUE (UINT32_C(1) << 31)

/* Conjunctions of more inputs are not held: a chain of them would be copied again and again. */
enum { HELD_MAX = 4096 };

static bool value_is_wire(atom_value v) { return v < SET_VALUE; }
static bool value_is_held(atom_value v) { return v >= HELD_VALUE; }

typedef struct builder {
  const ground_program *g;
  circuit *c;
  gate_maker maker;
  or_maker ors;
  atom_order order;
  move_sets sets;
  move_terms movers; /* rules of the atom under way, if it depends on moves */
  arena *scratch;
  arena *local; /* for one strongly connected component */
  budget *limits;
  diag_sink *d;
  atom_value *values[MOMENTS]; /* by atom */
  wire_vec set_wires;          /* by set: ID_NONE as long as it has no gate */
  VEC(wire_range) held;        /* in held_wires, reduced; those that no rule has read, and more */
  wire_vec held_wires;
  uint32_t held_read, held_least; /* by the atom under way: how many, and the least of them */
  wire_vec plain;    /* of the atom under way: the negations of rules that are one wire */
  or_term_vec terms; /* the other rules */
  id_vec body_sets;  /* of the rule under way: values of sets of moves */
  id_vec body_ors;   /* held conjunctions whose negations are conditions */
  or_term_vec or_terms;
  wire_vec parts; /* scratch */
} builder;

/* ---- sets of moves as gates ---- */

static wire make_set(builder *b, const move_set *s) {
  const circuit_move *moves = b->c->moves.items + b->c->roles.items[s->role].first_move;
  const uint32_t *members = vec_from(&b->sets.members, s->first);
  b->parts.count = 0;
  for (uint32_t i = 0; i < s->count; i++) vec_push(b->scratch, &b->parts, moves[members[i]].does);
  return make_or(&b->maker, b->parts.items, b->parts.count);
}

static wire wire_of_set(builder *b, set_id set) {
  while (b->set_wires.count <= set) vec_push(b->scratch, &b->set_wires, ID_NONE);
  if (b->set_wires.items[set] == ID_NONE) {
    const wire made = make_set(b, &b->sets.sets.items[set]);
    b->set_wires.items[set] = made;
  }
  return b->set_wires.items[set];
}

/* The wire of anything but a held conjunction. */
static wire wire_of_value(builder *b, atom_value v) {
  if (value_is_wire(v)) return v;
  return wire_of_set(b, (v & ~SET_VALUE) >> 1) ^ (v & 1);
}

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

/* The value of a move; a set of one move is a gate from the beginning. */
static atom_value add_move(builder *b, uint32_t role, uint32_t number) {
  const move_choice choice = move_sets_single(&b->sets, role, number);
  if (choice.kind == MOVES_ALL) return WIRE_TRUE;
  const uint32_t member = b->sets.members.items[b->sets.sets.items[choice.set].first];
  while (b->set_wires.count <= choice.set) vec_push(b->scratch, &b->set_wires, ID_NONE);
  if (b->set_wires.items[choice.set] == ID_NONE)
    b->set_wires.items[choice.set] =
        make_input(&b->maker, GATE_MOVE, b->c->roles.items[role].first_move + member);
  return set_value_of(choice);
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
      if (move->legal == ATOM_NONE) continue; /* never done */
      const atom_value does = add_move(b, role, number++);
      if (move->does != ATOM_NONE) b->values[MOVING][move->does] = does;
      const circuit_move m = {
          .term = move->term, .legal = WIRE_FALSE, .does = wire_of_value(b, does)};
      vec_push(b->c->keep, &b->c->moves, m);
    }
    b->c->roles.items[role].move_count = number;
  }
}

/* The fluent that is the next value of another, or ID_NONE; numbers[a] is one more than the fluent
   of atom a. */
static uint32_t next_is(const ground_program *g, uint32_t fluent, const uint32_t *numbers) {
  const atom_id next = g->fluents.items[fluent].next;
  if (next == ATOM_NONE || g->rules_of[next + 1] - g->rules_of[next] != 1) return ID_NONE;
  const ground_rule *r = &g->rules.items[g->rules_of[next]];
  if (r->body_count != 1 || literal_is_negated(g->literals.items[r->body])) return ID_NONE;
  return numbers[literal_atom(g->literals.items[r->body])] - 1;
}

/* By fluent: an earlier one that takes turns with it, so that one is the negation of the other; or
   ID_NONE.  Whose turn it is in games of two is most often told so; other latches are merged when
   the gates are made. */
static uint32_t *find_turns(const ground_program *g, arena *keep) {
  uint32_t *turns = arena_new_array(keep, uint32_t, g->fluents.count);
  uint32_t *numbers = arena_zero_array(keep, uint32_t, g->atoms.count);
  for (uint32_t i = 0; i < g->fluents.count; i++)
    if (g->fluents.items[i].holds != ATOM_NONE) numbers[g->fluents.items[i].holds] = i + 1;
  for (uint32_t i = 0; i < g->fluents.count; i++) {
    const uint32_t other = next_is(g, i, numbers);
    const bool takes_turns = other < i && next_is(g, other, numbers) == i &&
                             g->fluents.items[i].initially != g->fluents.items[other].initially;
    turns[i] = takes_turns ? other : ID_NONE;
  }
  return turns;
}

static wire add_latch(builder *b, uint32_t fluent) {
  const circuit_latch latch = {
      .fluent = fluent,
      .gate = wire_gate(make_input(&b->maker, GATE_LATCH, b->c->latches.count)),
      .initially = b->g->fluents.items[fluent].initially};
  vec_push(b->c->keep, &b->c->latches, latch);
  return wire_of(latch.gate, false);
}

static void add_fluents(builder *b) {
  const ground_program *g = b->g;
  const uint32_t *turns = find_turns(g, b->scratch);
  for (uint32_t i = 0; i < g->fluents.count; i++) {
    const ground_fluent *f = &g->fluents.items[i];
    wire now = WIRE_FALSE;
    if (turns[i] != ID_NONE)
      now = wire_not(b->c->fluents.items[turns[i]].now);
    else if (f->initially || f->next != ATOM_NONE)
      now = add_latch(b, i);
    const circuit_fluent fluent = {.term = f->term, .now = now};
    vec_push(b->c->keep, &b->c->fluents, fluent);
    if (f->holds != ATOM_NONE) b->values[STILL][f->holds] = b->values[MOVING][f->holds] = now;
  }
}

/* ---- held conjunctions ---- */

/* Forgets the held conjunctions that the atom under way has read, if they are the last ones. */
static void drop_held(builder *b) {
  if (b->held_read && b->held_read == b->held.count - b->held_least) {
    b->held_wires.count = b->held.items[b->held_least].first;
    b->held.count = b->held_least;
  }
  b->held_read = 0;
  b->held_least = UINT32_MAX;
}

/* The value of a conjunction of reduced inputs that one rule reads, or several. */
static atom_value value_of_list(builder *b, const wire *inputs, uint32_t count, bool is_read_once) {
  drop_held(b);
  if (count < 2 || count > HELD_MAX || !is_read_once) return make_reduced(&b->maker, inputs, count);
  const wire_range h = {b->held_wires.count, count};
  vec_append(b->scratch, &b->held_wires, inputs, count);
  vec_push(b->scratch, &b->held, h);
  return HELD_VALUE | (b->held.count - 1) << 1;
}

static wire_range read_held(builder *b, atom_value v) {
  const uint32_t number = (v & ~HELD_VALUE) >> 1;
  b->held_read++;
  if (number < b->held_least) b->held_least = number;
  return b->held.items[number];
}

static void append_held(builder *b, wire_vec *to, atom_value v) {
  const wire_range h = read_held(b, v);
  vec_append(b->scratch, to, vec_from(&b->held_wires, h.first), h.count);
}

/* ---- rules ---- */

static atom_value value_of_literal(const builder *b, moment when, ground_literal l) {
  return b->values[when][literal_atom(l)] ^ literal_is_negated(l);
}

/* A condition that is no wire. */
static void read_special(builder *b, atom_value v) {
  if (!value_is_held(v))
    vec_push(b->scratch, &b->body_sets, v);
  else if (v & 1)
    vec_push(b->scratch, &b->body_ors, v);
  else
    append_held(b, &b->ors.wires, v);
}

/* Adds a term of the wires that a held conjunction has. */
static void add_held_term(builder *b, or_term_vec *terms, atom_value v) {
  const uint32_t first = b->ors.wires.count;
  append_held(b, &b->ors.wires, v);
  const or_term term = {.first = first, .count = b->ors.wires.count - first};
  vec_push(b->scratch, terms, term);
}

/* Adds the conditions that are disjunctions to a body, which ends the wires and is reduced. */
static bool add_ors(builder *b, wire_range *body) {
  or_maker *f = &b->ors;
  b->or_terms.count = b->parts.count = 0;
  for (uint32_t i = 0; i < b->body_ors.count; i++)
    add_held_term(b, &b->or_terms, b->body_ors.items[i]);
  if (body->count) {
    b->or_terms.count = or_reduce(f, vec_from(&f->wires, body->first), body->count,
                                  b->or_terms.items, b->or_terms.count);
    vec_push(b->scratch, &b->parts, or_make(f, b->or_terms.items, b->or_terms.count));
  } else {
    or_parts(f, b->or_terms.items, b->or_terms.count, &b->parts);
  }
  f->wires.count = body->first + body->count;
  for (uint32_t i = 0; i < b->parts.count; i++)
    vec_push(b->scratch, &f->wires, wire_not(b->parts.items[i]));
  body->count += b->parts.count;
  return reduce_inputs(vec_from(&f->wires, body->first), &body->count);
}

/* Reads the conditions of a rule, reduced, to the end of the wires; sets of moves are put aside.
   False: it never holds. */
static bool read_body(builder *b, moment when, const ground_rule *r, wire_range *body) {
  or_maker *f = &b->ors;
  const ground_literal *literals = vec_from(&b->g->literals, r->body);
  const uint32_t first = f->wires.count;
  b->body_sets.count = b->body_ors.count = 0;
  vec_reserve(b->scratch, &f->wires, r->body_count);
  for (uint32_t i = 0; i < r->body_count; i++) {
    const atom_value v = value_of_literal(b, when, literals[i]);
    if (value_is_wire(v))
      vec_push(b->scratch, &f->wires, v);
    else
      read_special(b, v);
  }
  *body = (wire_range){first, f->wires.count - first};
  const bool can_hold = reduce_inputs(vec_from(&f->wires, first), &body->count) &&
                        (!b->body_ors.count || add_ors(b, body));
  f->wires.count = can_hold ? first + body->count : first;
  return can_hold;
}

/* ---- atoms ---- */

/* Adds a rule to the disjunction under way. */
static void add_term(builder *b, wire_range body) {
  const or_term term = {.first = body.first, .count = body.count};
  if (body.count > 1)
    vec_push(b->scratch, &b->terms, term);
  else
    vec_push(b->scratch, &b->plain,
             body.count ? wire_not(b->ors.wires.items[body.first]) : WIRE_FALSE);
}

/* Adds a rule of one condition. */
static void add_value(builder *b, moment when, atom_value v) {
  if (value_is_wire(v)) {
    vec_push(b->scratch, &b->plain, wire_not(v));
  } else if (!value_is_held(v)) {
    move_terms_add(&b->movers, (wire_range){b->ors.wires.count, 0}, &v, 1);
  } else if (v & 1) {
    append_held(b, &b->plain, v);
  } else if (when == MOVING) {
    wire_range body = {b->ors.wires.count, 0};
    append_held(b, &b->ors.wires, v);
    body.count = b->ors.wires.count - body.first;
    move_terms_add(&b->movers, body, NULL, 0);
  } else {
    add_held_term(b, &b->terms, v);
  }
}

static void add_rule(builder *b, moment when, const ground_rule *r) {
  wire_range body;
  if (r->body_count == 1) {
    add_value(b, when, value_of_literal(b, when, b->g->literals.items[r->body]));
  } else if (read_body(b, when, r, &body)) {
    if (when == MOVING)
      move_terms_add(&b->movers, body, b->body_sets.items, b->body_sets.count);
    else
      add_term(b, body);
  }
}

/* The only set of moves that a term is, or WIRE_FALSE. */
static atom_value only_set(const move_terms *t, const move_term *it) {
  atom_value only = WIRE_FALSE;
  if (it->count) return WIRE_FALSE;
  for (uint32_t role = 0; role < t->role_count; role++) {
    const atom_value v = t->values.items[it->sets + role];
    if (v == WIRE_TRUE) continue;
    if (only != WIRE_FALSE) return WIRE_FALSE;
    only = v;
  }
  return only;
}

/* The wires of a term and of its sets, reduced, at the end of the wires. */
static bool read_move_term(builder *b, const move_term *it, wire_range *body) {
  or_maker *f = &b->ors;
  *body = (wire_range){f->wires.count, it->count};
  vec_reserve(b->scratch, &f->wires, it->count + b->movers.role_count);
  vec_append(b->scratch, &f->wires, vec_from(&f->wires, it->first), it->count);
  for (uint32_t role = 0; role < b->movers.role_count; role++) {
    const atom_value v = b->movers.values.items[it->sets + role];
    if (v == WIRE_TRUE) continue;
    vec_push(b->scratch, &f->wires, wire_of_value(b, v));
    body->count++;
  }
  const bool can_hold = reduce_inputs(vec_from(&f->wires, body->first), &body->count);
  f->wires.count = body->first + (can_hold ? body->count : 0);
  return can_hold;
}

static void add_move_terms(builder *b) {
  wire_range body;
  for (uint32_t i = 0; i < b->movers.all.count; i++)
    if (read_move_term(b, &b->movers.all.items[i], &body)) add_term(b, body);
}

/* The disjunction of what was added. */
static atom_value value_of_terms(builder *b, bool is_read_once) {
  or_maker *f = &b->ors;
  if (!reduce_inputs(b->plain.items, &b->plain.count)) return WIRE_TRUE;
  if (b->plain.count)
    b->terms.count = or_reduce(f, b->plain.items, b->plain.count, b->terms.items, b->terms.count);
  if (b->terms.count && (b->plain.count || !is_read_once)) {
    vec_push(b->scratch, &b->plain, wire_not(or_make(f, b->terms.items, b->terms.count)));
  } else if (b->terms.count == 1) {
    const or_term only = b->terms.items[0];
    return value_of_list(b, vec_from(&f->wires, only.first), only.count, true);
  } else if (b->terms.count) {
    or_parts(f, b->terms.items, b->terms.count, &b->plain);
    for (uint32_t i = 0; i < b->plain.count; i++) b->plain.items[i] ^= 1;
  }
  if (!reduce_inputs(b->plain.items, &b->plain.count)) return WIRE_TRUE;
  return value_of_list(b, b->plain.items, b->plain.count, is_read_once) ^ 1;
}

static atom_value value_of_rules(builder *b, moment when, atom_id a, bool is_read_once) {
  const ground_program *g = b->g;
  move_terms_clear(&b->movers);
  b->plain.count = b->terms.count = 0;
  for (uint32_t r = g->rules_of[a]; r < g->rules_of[a + 1]; r++)
    add_rule(b, when, &g->rules.items[r]);
  if (b->movers.all.count) {
    move_terms_join(&b->movers);
    if (b->movers.all.count == 1 && !b->plain.count) {
      const atom_value set = only_set(&b->movers, b->movers.all.items);
      if (set != WIRE_FALSE) return set;
    }
    add_move_terms(b);
  }
  return value_of_terms(b, is_read_once);
}

/* An atom of one rule with one condition. */
static atom_value value_of_alias(builder *b, atom_value v, bool is_read_once) {
  if (!value_is_held(v) || is_read_once) return v;
  const wire_range h = read_held(b, v);
  return make_reduced(&b->maker, vec_from(&b->held_wires, h.first), h.count) ^ (v & 1);
}

static atom_value value_of_rule(builder *b, moment when, const ground_rule *r, bool is_read_once) {
  wire_range body;
  if (r->body_count == 1)
    return value_of_alias(b, value_of_literal(b, when, b->g->literals.items[r->body]),
                          is_read_once);
  if (!read_body(b, when, r, &body)) return WIRE_FALSE;
  if (b->body_sets.count) {
    move_terms_clear(&b->movers);
    if (!move_terms_add(&b->movers, body, b->body_sets.items, b->body_sets.count))
      return WIRE_FALSE;
    const atom_value set = only_set(&b->movers, b->movers.all.items);
    if (set != WIRE_FALSE) return set;
    if (!read_move_term(b, b->movers.all.items, &body)) return WIRE_FALSE;
  }
  return value_of_list(b, vec_from(&b->ors.wires, body.first), body.count, is_read_once);
}

static atom_value value_of_atom(builder *b, moment when, atom_id a) {
  const uint32_t rules = b->g->rules_of[a + 1] - b->g->rules_of[a];
  const bool is_read_once = b->order.reads[when][a] == 1;
  b->ors.wires.count = 0;
  const atom_value v =
      rules == 1 ? value_of_rule(b, when, &b->g->rules.items[b->g->rules_of[a]], is_read_once)
                 : value_of_rules(b, when, a, is_read_once);
  drop_held(b);
  return v;
}

/* ---- strongly connected components ---- */

static bool report_unstratified(builder *b, atom_id a) {
  text words = text_new(b->scratch);
  term_print(b->g->terms, b->g->atoms.items[a], NOTATION_KIF, NULL, &words);
  diag_add(b->d, DIAG_E501, SPAN_NONE, "%s depends on its own negation", text_string(&words));
  return false;
}

/* Places for those atoms that are needed at or before their own turn. */
static void add_places(builder *b, moment when, const uint32_t *order, uint32_t count) {
  const atom_order *o = &b->order;
  for (uint32_t i = 0; i < count; i++) o->turn[order[i]] = i;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = o->needs.from[order[i]]; k < o->needs.from[order[i] + 1]; k++) {
      const atom_id a = o->needs.to[k];
      if (o->component[a] != o->component[order[i]] || o->turn[a] < i) continue;
      o->turn[a] = 0; /* it has a place: nobody needs it too early any more */
      o->reads[when][a] = READS_SEVERAL;
      const circuit_place place = {
          .gate = wire_gate(make_input(&b->maker, GATE_LOOP, b->c->places.count)),
          .definition = a}; /* the atom, until the component is done */
      b->values[when][a] = wire_of(place.gate, false);
      vec_push(b->c->keep, &b->c->places, place);
    }
}

static void build_component_at(builder *b, moment when, const uint32_t *order, uint32_t count) {
  circuit_component component = {.first_place = b->c->places.count, .first = b->c->gates.count};
  add_places(b, when, order, count);
  component.place_count = b->c->places.count - component.first_place;
  for (uint32_t i = 0; i < count; i++) b->values[when][order[i]] = value_of_atom(b, when, order[i]);
  for (uint32_t i = 0; i < component.place_count; i++) {
    circuit_place *place = &b->c->places.items[component.first_place + i];
    place->definition = wire_of_value(b, b->values[when][place->definition]);
  }
  component.end = b->c->gates.count;
  vec_push(b->c->keep, &b->c->components, component);
}

static bool build_component(builder *b, const uint32_t *atoms, uint32_t count) {
  const atom_order *o = &b->order;
  const atom_id culprit = atom_order_unstratified(o, atoms, count);
  if (culprit != ATOM_NONE) return report_unstratified(b, culprit);
  const uint32_t *order = atom_order_within(o, atoms, count, b->local);
  const bool moves = bitset_has(o->uses_moves, atoms[0]);
  if (o->reads[STILL][atoms[0]]) build_component_at(b, STILL, order, count);
  if (moves && o->reads[MOVING][atoms[0]]) build_component_at(b, MOVING, order, count);
  for (uint32_t i = 0; i < count && !moves; i++)
    b->values[MOVING][order[i]] = b->values[STILL][order[i]];
  arena_clear(b->local);
  return true;
}

static void build_atom(builder *b, atom_id a) {
  const atom_order *o = &b->order;
  if (b->g->rules_of[a] == b->g->rules_of[a + 1]) return; /* given from outside, or never */
  if (o->reads[STILL][a]) b->values[STILL][a] = value_of_atom(b, STILL, a);
  if (!bitset_has(o->uses_moves, a))
    b->values[MOVING][a] = b->values[STILL][a];
  else if (o->reads[MOVING][a])
    b->values[MOVING][a] = value_of_atom(b, MOVING, a);
}

static bool build_atoms(builder *b) {
  const atom_order *o = &b->order;
  for (uint32_t i = 0, end; i < b->g->atoms.count; i = end) {
    if (budget_is_spent(b->limits)) {
      budget_report(b->limits, b->d, "building the circuit");
      return false;
    }
    end = atom_order_component_end(o, i);
    if (!atom_order_is_recursive(o, i, end))
      build_atom(b, o->atoms[i]);
    else if (!build_component(b, o->atoms + i, end - i))
      return false;
  }
  return true;
}

/* ---- outputs ---- */

static wire output(builder *b, moment when, atom_id a) {
  return a == ATOM_NONE ? WIRE_FALSE : wire_of_value(b, b->values[when][a]);
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
  for (uint32_t i = 0; i < g->marks.count; i++) {
    const circuit_mark mark = {g->marks.items[i].term, output(b, MOVING, g->marks.items[i].atom)};
    vec_push(c->keep, &c->marks, mark);
  }
  c->terminal = output(b, STILL, g->terminal);
}

static void begin(builder *b) {
  const ground_program *g = b->g;
  gate_maker_init(&b->maker, b->c, b->c->keep, b->scratch);
  gate_maker_expect(&b->maker, g->rules.count, g->literals.count / 2);
  b->c->terms = g->terms;
  b->held_least = UINT32_MAX;
  b->ors = (or_maker){.maker = &b->maker, .scratch = b->scratch};
  move_sets_init(&b->sets, count_possible_moves(g, b->scratch), g->roles.count, b->scratch);
  b->movers = (move_terms){.scratch = b->scratch,
                           .wires = &b->ors.wires,
                           .sets = &b->sets,
                           .role_count = g->roles.count};
  for (moment when = STILL; when < MOMENTS; when++)
    b->values[when] = arena_zero_array(b->scratch, atom_value, g->atoms.count);
  add_fluents(b);
  add_roles(b);
  atom_order_find(&b->order, g, b->scratch);
}

bool circuit_from_rules(circuit *out, const ground_program *g, arena *keep, budget *limits,
                        diag_sink *d) {
  builder b = {
      .g = g, .c = out, .scratch = arena_new(), .local = arena_new(), .limits = limits, .d = d};
  out->keep = keep;
  begin(&b);
  const bool ok = build_atoms(&b);
  if (ok) connect_outputs(&b);
  arena_free(b.local);
  arena_free(b.scratch);
  return ok;
}
