#include "certify/alike_moves.h"

#include "base/hash.h"

static const ground_literal *body_of(const alike_moves *m, const ground_rule *r) {
  return vec_from(&m->c->g->literals, r->body);
}

/* ---- parts ---- */

static uint32_t new_part(partition *p, uint32_t size, arena *keep) {
  const struct part fresh = {.size = size, .made_by = ID_NONE, .split_by = ID_NONE};
  vec_push(keep, &p->parts, fresh);
  return p->parts.count - 1;
}

static void change_part(partition *p, uint32_t thing, uint32_t to) {
  p->parts.items[p->part_of[thing]].size--;
  p->parts.items[to].size++;
  p->part_of[thing] = to;
}

/* The thing is in the subset.  All of a subset come one after the other. */
static void put_apart(partition *p, uint32_t thing, uint32_t subset, arena *keep) {
  const uint32_t old = p->part_of[thing];
  if (p->parts.items[old].made_by == subset) return;
  if (p->parts.items[old].split_by != subset) {
    const uint32_t other = new_part(p, 0, keep);
    p->parts.items[other].made_by = subset;
    p->parts.items[old].split_by = subset;
    p->parts.items[old].other = other;
  }
  change_part(p, thing, p->parts.items[old].other);
}

/* ---- unions of moves ---- */

static bool is_open_literal(const alike_moves *m, ground_literal l) {
  const atom_id a = literal_atom(l);
  return !literal_is_negated(l) && (m->c->move_of[a] != ID_NONE || bitset_has(m->unions, a));
}

static bool is_union(const alike_moves *m, atom_id a) {
  const ground_program *g = m->c->g;
  if (m->c->fluent_of[a] != ID_NONE || m->c->move_of[a] != ID_NONE || m->c->part_size[a])
    return false;
  for (uint32_t i = g->rules_of[a]; i < g->rules_of[a + 1]; i++) {
    const ground_rule *r = &g->rules.items[i];
    if (r->body_count != 1 || !is_open_literal(m, *body_of(m, r))) return false;
  }
  return g->rules_of[a] < g->rules_of[a + 1];
}

alike_moves *alike_moves_new(ground_clauses *c, arena *keep) {
  const ground_program *g = c->g;
  alike_moves *m = arena_alloc_zero(keep, sizeof *m);
  *m = (alike_moves){.c = c,
                     .keep = keep,
                     .inner = arena_new(),
                     .role_of = arena_new_array(keep, uint32_t, g->moves.count + 1),
                     .unions = bitset_new(keep, g->atoms.count + 1),
                     .seen_by = arena_new_array(keep, uint32_t, g->atoms.count + 1),
                     .has_atom = bitset_new(keep, g->atoms.count + 1),
                     .sets.part_of = arena_new_array(keep, uint32_t, g->atoms.count + 1),
                     .groups.part_of = arena_new_array(keep, uint32_t, g->moves.count + 1)};
  ground_clauses_find_parts(c);
  for (uint32_t r = 0; r < g->roles.count; r++)
    for (uint32_t i = 0; i < g->roles.items[r].move_count; i++)
      m->role_of[g->roles.items[r].first_move + i] = r;
  for (uint32_t i = 0; i < g->atoms.count; i++)
    if (is_union(m, c->order[i])) bitset_add(m->unions, c->order[i]);
  return m;
}

void alike_moves_free(alike_moves *m) { arena_free(m->inner); }

/* ---- bodies ---- */

static void put_alone(alike_moves *m, uint32_t move) {
  const uint32_t old = m->groups.part_of[move];
  if (m->groups.parts.items[old].size == 1 && alike_moves_reads(m, old)) return;
  change_part(&m->groups, move, new_part(&m->groups, 0, m->keep));
}

/* Something that a body reads; a move stands there on its own. */
static void reach(alike_moves *m, atom_id a) {
  const uint32_t move = m->c->move_of[a];
  if (move != ID_NONE)
    put_alone(m, move);
  else if (m->c->fluent_of[a] == ID_NONE && bitset_insert(m->has_atom, a))
    vec_push(m->keep, &m->atoms, a);
}

/* The place of the one literal that is a move or a union; ID_NONE: there is none, or there is more
   that has to do with moves. */
static uint32_t open_place(const alike_moves *m, const ground_rule *r) {
  const ground_literal *body = body_of(m, r);
  uint32_t open = ID_NONE;
  for (uint32_t i = 0; i < r->body_count; i++) {
    const bool is_open = is_open_literal(m, body[i]);
    if (is_open ? open != ID_NONE : m->c->move_of[literal_atom(body[i])] != ID_NONE) return ID_NONE;
    if (is_open) open = i;
  }
  return open;
}

static uint64_t hash_of_rest(const alike_moves *m, const ground_rule *r, uint32_t open) {
  const ground_literal *body = body_of(m, r);
  uint64_t hash = r->body_count;
  for (uint32_t i = 0; i < r->body_count; i++)
    if (i != open) hash = hash_add(hash, body[i]);
  return hash_mix(hash);
}

static uint64_t hash_of_body(const void *context, uint32_t body) {
  const alike_moves *m = context;
  const asked_body *b = &m->bodies.items[body];
  return hash_of_rest(m, &m->c->g->rules.items[b->rule], b->open);
}

static bool is_same_rest(const alike_moves *m, const asked_body *b, const ground_rule *r,
                         uint32_t open) {
  const ground_rule *other = &m->c->g->rules.items[b->rule];
  const ground_literal *x = body_of(m, other), *y = body_of(m, r);
  if (other->body_count != r->body_count) return false;
  for (uint32_t i = 0; i + 1 < r->body_count; i++)
    if (x[i + (i >= b->open)] != y[i + (i >= open)]) return false;
  return true;
}

static uint32_t add_body(alike_moves *m, uint32_t rule, uint32_t open) {
  const asked_body fresh = {.rule = rule, .open = open, .last_atom = ID_NONE};
  const ground_rule *r = &m->c->g->rules.items[rule];
  vec_push(m->keep, &m->bodies, fresh);
  for (uint32_t i = 0; i < r->body_count; i++)
    if (i != open) reach(m, literal_atom(body_of(m, r)[i]));
  return m->bodies.count - 1;
}

/* The body with the same rest, of those of the atom at hand. */
static uint32_t open_body(alike_moves *m, id_table *known, uint32_t rule, uint32_t open) {
  const ground_rule *r = &m->c->g->rules.items[rule];
  id_table_reserve(known, m->inner, hash_of_body, m);
  uint32_t at = id_table_first(known, hash_of_rest(m, r, open));
  for (; known->slots[at] != ID_NONE; at = id_table_next(known, at))
    if (is_same_rest(m, &m->bodies.items[known->slots[at]], r, open)) return known->slots[at];
  const uint32_t body = add_body(m, rule, open);
  id_table_put(known, at, body);
  return body;
}

static void read_rules(alike_moves *m, atom_id a) {
  const ground_program *g = m->c->g;
  const uint32_t first = m->bodies.count;
  const arena_mark mark = arena_save(m->inner);
  id_table known = {0};
  for (uint32_t i = g->rules_of[a]; i < g->rules_of[a + 1]; i++) {
    const ground_rule *r = &g->rules.items[i];
    const uint32_t open = open_place(m, r);
    const uint32_t body = open == ID_NONE ? add_body(m, i, ID_NONE) : open_body(m, &known, i, open);
    if (open == ID_NONE) continue;
    const open_atom it = {literal_atom(body_of(m, r)[open]), m->bodies.items[body].last_atom};
    m->bodies.items[body].last_atom = m->open_atoms.count;
    vec_push(m->keep, &m->open_atoms, it);
  }
  for (uint32_t b = first; b < m->bodies.count; b++)
    for (uint32_t i = m->bodies.items[b].last_atom; i != ID_NONE; i = m->open_atoms.items[i].before)
      put_apart(&m->sets, m->open_atoms.items[i].atom, b, m->keep);
  arena_restore(m->inner, mark);
}

/* ---- sets ---- */

/* All moves that the atom is a union of, but for those that are in the set already. */
static void add_moves(alike_moves *m, id_vec *moves, uint32_t set, atom_id of) {
  const ground_program *g = m->c->g;
  id_vec queue = {0};
  vec_push(m->inner, &queue, of);
  while (queue.count) {
    const atom_id a = vec_pop(&queue);
    if (m->seen_by[a] == set) continue; /* unions may have unions in common */
    m->seen_by[a] = set;
    if (m->c->move_of[a] != ID_NONE) {
      vec_push(m->inner, moves, m->c->move_of[a]);
      continue;
    }
    for (uint32_t i = g->rules_of[a]; i < g->rules_of[a + 1]; i++)
      vec_push(m->inner, &queue, literal_atom(*body_of(m, &g->rules.items[i])));
  }
}

/* The atoms that stand in some body, those of a set one after the other: `first` is by set. */
static atom_id *atoms_by_set(const alike_moves *m, uint32_t *first) {
  const uint32_t sets = m->sets.parts.count;
  const bitset seen = bitset_new(m->inner, m->c->g->atoms.count + 1);
  atom_id *sorted = arena_new_array(m->inner, atom_id, m->open_atoms.count + 1);
  for (uint32_t i = 1; i < sets; i++) first[i + 1] = first[i] + m->sets.parts.items[i].size;
  uint32_t *next = arena_new_array(m->inner, uint32_t, sets + 1);
  memcpy(next, first, sets * sizeof *next);
  for (uint32_t i = 0; i < m->open_atoms.count; i++) {
    const atom_id a = m->open_atoms.items[i].atom;
    if (bitset_insert(seen, a)) sorted[next[m->sets.part_of[a]]++] = a;
  }
  return sorted;
}

/* Splits groups by sets of moves; then each set has some groups. */
static void find_groups(alike_moves *m) {
  const uint32_t sets = m->sets.parts.count;
  uint32_t *first_atom = arena_zero_array(m->inner, uint32_t, sets + 2);
  uint32_t *first_move = arena_zero_array(m->inner, uint32_t, sets + 2);
  const atom_id *atoms = atoms_by_set(m, first_atom);
  id_vec moves = {0};
  for (uint32_t s = 1; s < sets && !budget_is_spent(m->c->b); s++) {
    for (uint32_t i = first_atom[s]; i < first_atom[s + 1]; i++) add_moves(m, &moves, s, atoms[i]);
    first_move[s + 1] = moves.count;
    for (uint32_t i = first_move[s]; i < moves.count; i++)
      put_apart(&m->groups, moves.items[i], s, m->keep);
  }
  uint32_t *added_to = arena_zero_array(m->inner, uint32_t, m->groups.parts.count + 1);
  vec_push(m->keep, &m->first_in_set, 0);
  for (uint32_t s = 0; s < sets; s++) {
    for (uint32_t i = first_move[s]; i < first_move[s + 1]; i++) {
      const uint32_t group = m->groups.part_of[moves.items[i]];
      if (added_to[group] != s) vec_push(m->keep, &m->groups_in_sets, group);
      added_to[group] = s;
    }
    vec_push(m->keep, &m->first_in_set, m->groups_in_sets.count);
  }
}

/* ---- questions ---- */

static void forget(alike_moves *m) {
  const ground_program *g = m->c->g;
  for (uint32_t i = 0; i < m->atoms.count; i++) bitset_remove(m->has_atom, m->atoms.items[i]);
  m->atoms.count = m->first_body.count = m->bodies.count = m->open_atoms.count = 0;
  m->first_in_set.count = m->groups_in_sets.count = 0;
  m->sets.parts.count = m->groups.parts.count = 0;
  arena_clear(m->inner);
  memset(m->seen_by, 0, g->atoms.count * sizeof *m->seen_by);
  memset(m->sets.part_of, 0, g->atoms.count * sizeof *m->sets.part_of);
  new_part(&m->sets, g->atoms.count, m->keep);
  memcpy(m->groups.part_of, m->role_of, g->moves.count * sizeof *m->groups.part_of);
  for (uint32_t r = 0; r < g->roles.count; r++)
    new_part(&m->groups, g->roles.items[r].move_count, m->keep);
}

void alike_moves_find(alike_moves *m, const atom_id *atoms, uint32_t count) {
  forget(m);
  for (uint32_t i = 0; i < count; i++)
    if (atoms[i] != ATOM_NONE) reach(m, atoms[i]);
  for (uint32_t i = 0; i < m->atoms.count; i++) {
    vec_push(m->keep, &m->first_body, m->bodies.count);
    if (!budget_is_spent(m->c->b)) read_rules(m, m->atoms.items[i]);
  }
  vec_push(m->keep, &m->first_body, m->bodies.count);
  find_groups(m);
}
