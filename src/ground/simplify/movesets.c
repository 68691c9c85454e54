/* 'Any move but these.'

   A frame rule says that a cell stays as it is whatever is moved elsewhere.  Ground, it is one rule
   for each of those moves.  Since a role does exactly one move, the rules

     next(f) <= true(f), does(r, m)     for all m but m1 .. mk

   say the same as

     next(f) <= true(f), not others     others <= does(r, m1)   ...   others <= does(r, mk) */
#include "ground/simplify/simplify.h"

#include "base/bitset.h"
#include "ground/sort_by_key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A rule seen as: some move of a role, and the rest of its body. */
typedef struct choice {
  uint32_t rule;
  uint32_t at; /* where the move stands in the body */
  uint32_t role;
} choice;

/* An auxiliary atom and the moves it stands for, so that equal sets share one. */
typedef struct move_set {
  atom_id atom;
  uint32_t moves; /* in complementer.set_moves, ascending */
  uint32_t move_count;
} move_set;

typedef struct complementer {
  ground_program *g;
  arena *scratch;
  uint32_t *role_of_atom; /* of a does atom; ID_NONE for others */
  uint32_t *move_of_atom;
  uint32_t old_atoms;        /* atoms numbered below this are in the arrays above */
  bitset without_moves;      /* atoms that are read while no move is done */
  uint32_t fewest_moves;     /* that a role with a choice has */
  uint32_t *choices_of_role; /* of the head at hand */
  VEC(choice) choices;
  VEC(key_and_id) keys; /* to sort them */
  VEC(key_and_id) room;
  VEC(choice) sorted;
  VEC(move_set) sets;
  id_vec set_moves;
  id_table set_index;
  VEC(ground_rule) added;
  bool *dropped; /* by rule */
} complementer;

/* ---- choices ---- */

/* So many of these moves that listing the others is shorter. */
static bool are_most(uint32_t count, uint32_t moves) {
  return count >= 2 && (uint64_t)count * 2 > moves;
}

static bool are_most_moves(const complementer *c, uint32_t role, uint32_t count) {
  return are_most(count, c->g->roles.items[role].move_count);
}

static ground_literal literal_at(const complementer *c, const choice *h, uint32_t i) {
  return c->g->literals.items[c->g->rules.items[h->rule].body + i];
}

/* Whether two choices are of one role and differ in the move alone. */
static bool same_rest(const complementer *c, const choice *a, const choice *b) {
  const uint32_t count = c->g->rules.items[a->rule].body_count;
  if (a->role != b->role || count != c->g->rules.items[b->rule].body_count) return false;
  for (uint32_t i = 0, ia = 0, ib = 0; i + 1 < count; i++, ia++, ib++) {
    ia += ia == a->at;
    ib += ib == b->at;
    if (literal_at(c, a, ia) != literal_at(c, b, ib)) return false;
  }
  return true;
}

static uint64_t hash_of_rest(const complementer *c, const choice *h) {
  const ground_rule r = c->g->rules.items[h->rule];
  uint64_t hash = h->role;
  for (uint32_t i = 0; i < r.body_count; i++)
    if (i != h->at) hash = hash_add(hash, c->g->literals.items[r.body + i]);
  return hash_mix(hash);
}

static uint32_t role_of_literal(const complementer *c, ground_literal l) {
  return literal_is_negated(l) ? ID_NONE : c->role_of_atom[literal_atom(l)];
}

/* Counts the head's choices by role; true: some role has enough of them to be worth a look. */
static bool count_choices(complementer *c, atom_id head) {
  const ground_program *g = c->g;
  if (!are_most(g->rules_of[head + 1] - g->rules_of[head], c->fewest_moves)) return false;
  memset(c->choices_of_role, 0, g->roles.count * sizeof *c->choices_of_role);
  for (uint32_t r = g->rules_of[head]; r < g->rules_of[head + 1]; r++) {
    const ground_rule it = g->rules.items[r];
    for (uint32_t i = 0; i < it.body_count; i++) {
      const uint32_t role = role_of_literal(c, g->literals.items[it.body + i]);
      if (role != ID_NONE) c->choices_of_role[role]++;
    }
  }
  for (uint32_t role = 0; role < g->roles.count; role++)
    if (are_most_moves(c, role, c->choices_of_role[role])) return true;
  return false;
}

/* The choices; those that differ only in the move are adjacent. */
static void collect_choices(complementer *c, atom_id head) {
  const ground_program *g = c->g;
  c->choices.count = c->keys.count = 0;
  for (uint32_t r = g->rules_of[head]; r < g->rules_of[head + 1]; r++) {
    const ground_rule it = g->rules.items[r];
    for (uint32_t i = 0; i < it.body_count; i++) {
      const uint32_t role = role_of_literal(c, g->literals.items[it.body + i]);
      if (role == ID_NONE || !are_most_moves(c, role, c->choices_of_role[role])) continue;
      const choice h = {r, i, role};
      const key_and_id k = {hash_of_rest(c, &h), c->choices.count};
      vec_push(c->scratch, &c->choices, h);
      vec_push(c->scratch, &c->keys, k);
    }
  }
  c->room.count = c->sorted.count = 0;
  vec_reserve(c->scratch, &c->room, c->keys.count);
  vec_reserve(c->scratch, &c->sorted, c->keys.count);
  sort_by_key(c->keys.items, c->keys.count, c->room.items);
  for (uint32_t i = 0; i < c->keys.count; i++)
    c->sorted.items[i] = c->choices.items[c->keys.items[i].id];
  c->sorted.count = c->keys.count;
}

/* ---- sets ---- */

static uint64_t hash_of_set(const void *context, uint32_t id) {
  const complementer *c = context;
  const move_set *s = &c->sets.items[id];
  return hash_ids(vec_from(&c->set_moves, s->moves), s->move_count);
}

static atom_id new_atom(complementer *c, term_id name) {
  vec_push(c->g->keep, &c->g->atoms, name);
  return c->g->atoms.count - 1;
}

static term_id fresh_name(complementer *c) {
  symbol_table *symbols = c->g->terms->symbols;
  for (uint32_t number = c->sets.count + 1;; number++) {
    char name[32];
    const int length = snprintf(name, sizeof name, "others#%u", number);
    const slice s = {name, (size_t)length};
    if (symbol_find(symbols, s) == SYM_NONE)
      return term_constant(c->g->terms, symbol_intern(symbols, s));
  }
}

static atom_id does_atom(complementer *c, uint32_t move) {
  ground_move *m = &c->g->moves.items[move];
  if (m->does == ATOM_NONE) m->does = new_atom(c, TERM_NONE); /* its name follows from the move */
  return m->does;
}

static void add_rule(complementer *c, atom_id head, ground_literal l) {
  const ground_rule r = {head, c->g->literals.count, 1};
  vec_push(c->g->keep, &c->g->literals, l);
  vec_push(c->scratch, &c->added, r);
}

/* The atom that holds when one of the moves at the end of set_moves is done. */
static atom_id atom_of_set(complementer *c, uint32_t start) {
  const uint32_t count = c->set_moves.count - start;
  const uint32_t *moves = vec_from(&c->set_moves, start);
  if (count == 1) return does_atom(c, moves[0]);
  id_table_reserve(&c->set_index, c->scratch, hash_of_set, c);
  uint32_t at = id_table_first(&c->set_index, hash_ids(moves, count));
  for (; c->set_index.slots[at] != ID_NONE; at = id_table_next(&c->set_index, at)) {
    const move_set *s = &c->sets.items[c->set_index.slots[at]];
    if (s->move_count != count) continue;
    if (memcmp(vec_from(&c->set_moves, s->moves), moves, count * sizeof *moves) != 0) continue;
    c->set_moves.count = start;
    return s->atom;
  }
  const move_set fresh = {new_atom(c, fresh_name(c)), start, count};
  id_table_put(&c->set_index, at, c->sets.count);
  vec_push(c->scratch, &c->sets, fresh);
  for (uint32_t i = 0; i < count; i++)
    add_rule(c, fresh.atom, literal_of_atom(does_atom(c, c->set_moves.items[start + i]), false));
  return fresh.atom;
}

/* ---- replacing ---- */

/* Puts the moves of the role that the choices leave out at the end of set_moves. */
static void collect_complement(complementer *c, const choice *choices, uint32_t count) {
  const ground_role *role = &c->g->roles.items[choices->role];
  const bitset chosen = bitset_new(c->scratch, role->move_count);
  for (uint32_t i = 0; i < count; i++) {
    const atom_id a = literal_atom(literal_at(c, &choices[i], choices[i].at));
    bitset_add(chosen, c->move_of_atom[a] - role->first_move);
  }
  for (uint32_t i = 0; i < role->move_count; i++)
    if (!bitset_has(chosen, i)) vec_push(c->scratch, &c->set_moves, role->first_move + i);
}

/* The first rule's body without its move, with a negated atom in its place if there is one. */
static void add_complement_rule(complementer *c, const choice *h, atom_id others) {
  ground_program *g = c->g;
  const ground_rule old = g->rules.items[h->rule];
  const ground_rule r = {old.head, g->literals.count, old.body_count - (others == ATOM_NONE)};
  const ground_literal last = literal_of_atom(others, true);
  bool placed = others == ATOM_NONE;
  for (uint32_t i = 0; i < old.body_count; i++) {
    const ground_literal l = g->literals.items[old.body + i];
    if (i == h->at) continue;
    if (!placed && last < l) {
      vec_push(g->keep, &g->literals, last);
      placed = true;
    }
    vec_push(g->keep, &g->literals, l);
  }
  if (!placed) vec_push(g->keep, &g->literals, last);
  vec_push(c->scratch, &c->added, r);
}

static void complement(complementer *c, const choice *choices, uint32_t count) {
  if (!are_most_moves(c, choices->role, count)) return;
  for (uint32_t i = 0; i < count; i++)
    if (c->dropped[choices[i].rule]) return;
  const uint32_t start = c->set_moves.count;
  collect_complement(c, choices, count);
  const atom_id others = c->set_moves.count == start ? ATOM_NONE : atom_of_set(c, start);
  add_complement_rule(c, &choices[0], others);
  for (uint32_t i = 0; i < count; i++) c->dropped[choices[i].rule] = true;
}

static void complement_head(complementer *c, atom_id head) {
  if (bitset_has(c->without_moves, head) || !count_choices(c, head)) return;
  collect_choices(c, head);
  for (uint32_t i = 0, end; i < c->sorted.count; i = end) {
    for (end = i + 1; end < c->sorted.count; end++)
      if (!same_rest(c, &c->sorted.items[i], &c->sorted.items[end])) break;
    complement(c, vec_from(&c->sorted, i), end - i);
  }
}

static void finish(complementer *c) {
  ground_program *g = c->g;
  if (c->added.count == 0) return;
  uint32_t kept = 0;
  for (uint32_t r = 0; r < g->rules.count; r++)
    if (!c->dropped[r]) g->rules.items[kept++] = g->rules.items[r];
  g->rules.count = kept;
  vec_append(g->keep, &g->rules, c->added.items, c->added.count);
  ground_index_rules(g);
}

static void index_moves(complementer *c) {
  const ground_program *g = c->g;
  c->role_of_atom = arena_new_array(c->scratch, uint32_t, g->atoms.count);
  c->move_of_atom = arena_new_array(c->scratch, uint32_t, g->atoms.count);
  memset(c->role_of_atom, 0xff, g->atoms.count * sizeof *c->role_of_atom);
  for (uint32_t role = 0; role < g->roles.count; role++)
    for (uint32_t i = 0; i < g->roles.items[role].move_count; i++) {
      const uint32_t move = g->roles.items[role].first_move + i;
      const atom_id a = g->moves.items[move].does;
      if (a == ATOM_NONE) continue;
      c->role_of_atom[a] = role;
      c->move_of_atom[a] = move;
    }
}

/* The fewest moves of a role that has a choice.  Rules that differ in the move alone are of
   different moves, so a head with fewer rules than are most of these has none to replace. */
static uint32_t fewest_moves(const ground_program *g) {
  uint32_t fewest = UINT32_MAX;
  for (uint32_t role = 0; role < g->roles.count; role++) {
    const uint32_t moves = g->roles.items[role].move_count;
    if (moves >= 2 && moves < fewest) fewest = moves;
  }
  return fewest;
}

void ground_complement_moves(ground_program *g, bitset without_moves) {
  arena *scratch = arena_new();
  complementer c = {.g = g,
                    .scratch = scratch,
                    .old_atoms = g->atoms.count,
                    .without_moves = without_moves,
                    .fewest_moves = fewest_moves(g),
                    .choices_of_role = arena_new_array(scratch, uint32_t, g->roles.count),
                    .dropped = arena_zero_array(scratch, bool, g->rules.count)};
  index_moves(&c);
  for (atom_id a = 0; a < c.old_atoms; a++) complement_head(&c, a);
  finish(&c);
  arena_free(scratch);
}
