/* Latches begin as parts of their own, and parts are united where they depend on each other.

   1. What a latch becomes, and each condition of a move, reads latches of one part.
   2. Moves: for each role, parts are united until it chooses one part, or until it chooses in all
      parts, whichever leaves more of them.
   3. Ends and goals: parts are united that one operand of an end or a goal reads together; where that
      leaves one part alone, those parts are united of which nearly all is read.

   Signatures tell which moves have the same effect: of each move and part the hash of the sets of
   moves, below the part, that it is in, and of its conditions.  That two of them are equal by
   chance is caught by factors_are_sound, as is any other mistake here. */
#include "factors/factors.h"

#include "base/hash.h"
#include "factors/factor_reads.h"
#include "factors/factor_summary.h"
#include "factors/factors_sound.h"

/* Larger games are not looked at: numbers of parts times moves, and of pairs that are compared. */
enum { SIGNATURES_MAX = 1 << 23, PAIRS_MAX = 1 << 27 };

/* What ends and goals read of a part through fewer features than this part of its latches is a
   summary of it. */
enum { LATCHES_A_FEATURE = 2 };

typedef struct finder {
  factors *f;
  const circuit *c;
  factor_reads reads;
  uint32_t *above;       /* by gate: union-find */
  bitset is_part;        /* gates that are of a part */
  uint32_t atoms;        /* the parts that dependencies make, which are united */
  uint32_t *atom_of;     /* by gate that is the root of one */
  uint32_t *role_of;     /* by move */
  uint64_t *signatures;  /* by atom, by move */
  bool *has_conditions;  /* by atom, by move */
  uint64_t *guards;      /* by move: conditions on common latches */
  uint32_t *group_above; /* by atom: union-find */
  arena *keep, *scratch;
  budget *b;
} finder;

/* ---- sets of things ---- */

static uint32_t root_of(uint32_t *above, uint32_t x) {
  while (above[x] != x) x = above[x] = above[above[x]];
  return x;
}

static bool unite(uint32_t *above, uint32_t a, uint32_t b) {
  a = root_of(above, a);
  b = root_of(above, b);
  if (a == b) return false;
  above[a < b ? b : a] = a < b ? a : b;
  return true;
}

static uint32_t *all_alone(uint32_t count, arena *keep) {
  uint32_t *above = arena_new_array(keep, uint32_t, count + (size_t)1);
  for (uint32_t i = 0; i < count; i++) above[i] = i;
  return above;
}

static uint32_t count_roots(const uint32_t *above, uint32_t count) {
  uint32_t roots = 0;
  for (uint32_t i = 0; i < count; i++) roots += above[i] == i;
  return roots;
}

/* ---- 1: dependencies ---- */

static bool is_own_latch(const finder *x, uint32_t latch) {
  return !bitset_has(x->reads.is_common, latch) && !bitset_has(x->reads.is_unread, latch);
}

static bool reads_own(const finder *x, wire w) { return bitset_has(x->reads.own, wire_gate(w)); }

/* All that is below a gate of a part is of that part. */
static void unite_below(finder *x) {
  for (gate_id g = x->c->gates.count; g-- > 0;) {
    const gate it = x->c->gates.items[g];
    if (it.kind != GATE_AND || !bitset_has(x->is_part, g)) continue;
    const wire *inputs = gate_inputs(x->c, g);
    for (uint32_t i = 0; i < it.input_count; i++) {
      if (!reads_own(x, inputs[i])) continue;
      bitset_add(x->is_part, wire_gate(inputs[i]));
      unite(x->above, g, wire_gate(inputs[i]));
    }
  }
}

static void begin_conditions(finder *x) {
  wire_vec all = {0};
  for (uint32_t m = 0; m < x->c->moves.count; m++)
    factor_list_conjuncts(x->c, x->c->moves.items[m].legal, &all, x->scratch);
  for (uint32_t i = 0; i < all.count; i++)
    if (reads_own(x, all.items[i])) bitset_add(x->is_part, wire_gate(all.items[i]));
}

static void find_atoms(finder *x) {
  const circuit *c = x->c;
  x->above = all_alone(c->gates.count, x->scratch);
  x->is_part = bitset_new(x->scratch, c->gates.count);
  begin_conditions(x);
  for (uint32_t i = 0; i < c->latches.count; i++) {
    const circuit_latch *l = &c->latches.items[i];
    if (!is_own_latch(x, i)) continue;
    bitset_add(x->is_part, l->gate);
    if (!reads_own(x, l->next)) continue;
    bitset_add(x->is_part, wire_gate(l->next));
    unite(x->above, l->gate, wire_gate(l->next));
  }
  unite_below(x);
  x->atom_of = arena_new_array(x->scratch, uint32_t, c->gates.count);
  for (gate_id g = 0; g < c->gates.count; g++) x->atom_of[g] = ID_NONE;
  for (uint32_t i = 0; i < c->latches.count; i++) {
    const gate_id root = root_of(x->above, c->latches.items[i].gate);
    if (is_own_latch(x, i) && x->atom_of[root] == ID_NONE) x->atom_of[root] = x->atoms++;
  }
}

static uint32_t atom_of_gate(finder *x, gate_id g) { return x->atom_of[root_of(x->above, g)]; }

/* ---- 2: moves ---- */

typedef struct set_use {
  uint32_t atom;
  gate_id set;
} set_use;

typedef VEC(set_use) set_uses;

/* The sets of moves below a wire that is read in an atom. */
static void list_sets(finder *x, uint32_t atom, wire w, uint32_t *seen, set_uses *uses) {
  id_vec open = {0};
  vec_push(x->scratch, &open, wire_gate(w));
  while (open.count) {
    const gate_id g = vec_pop(&open);
    const gate it = x->c->gates.items[g];
    if (x->reads.roles[g] == ROLE_OF_NONE || bitset_has(x->reads.own, g) || seen[g] == atom + 1)
      continue;
    seen[g] = atom + 1;
    if (reads_one_role(&x->reads, g)) {
      const set_use use = {atom, g};
      vec_push(x->scratch, uses, use);
    } else if (it.kind == GATE_AND)
      for (uint32_t i = 0; i < it.input_count; i++)
        vec_push(x->scratch, &open, wire_gate(gate_inputs(x->c, g)[i]));
  }
}

static void list_all_sets(finder *x, set_uses *uses) {
  const circuit *c = x->c;
  uint32_t *seen = arena_zero_array(x->scratch, uint32_t, c->gates.count);
  for (uint32_t i = 0; i < c->latches.count; i++)
    if (is_own_latch(x, i))
      list_sets(x, atom_of_gate(x, c->latches.items[i].gate), c->latches.items[i].next, seen, uses);
  for (gate_id g = 0; g < c->gates.count; g++) {
    const gate it = c->gates.items[g];
    if (it.kind != GATE_AND || !bitset_has(x->is_part, g) || budget_is_spent(x->b)) continue;
    for (uint32_t i = 0; i < it.input_count; i++)
      list_sets(x, atom_of_gate(x, g), gate_inputs(c, g)[i], seen, uses);
  }
}

static uint64_t *signature_at(const finder *x, uint32_t atom, uint32_t move) {
  return &x->signatures[(size_t)atom * x->c->moves.count + move];
}

static void sign_sets(finder *x, const set_uses *uses) {
  uint64_t *values = arena_new_array(x->scratch, uint64_t, x->c->gates.count);
  for (uint32_t role = 0; role < x->c->roles.count; role++) {
    const circuit_role *r = &x->c->roles.items[role];
    for (uint32_t i = 0; i < r->move_count && !budget_is_spent(x->b); i += 64) {
      const uint32_t first = r->first_move + i;
      const uint32_t count = r->move_count - i < 64 ? r->move_count - i : 64;
      factor_try_moves(x->c, role, first, values);
      for (uint32_t n = 0; n < uses->count; n++) {
        const set_use use = uses->items[n];
        if (x->reads.roles[use.set] != role) continue;
        for (uint32_t k = 0; k < count; k++)
          if (values[use.set] >> k & 1)
            *signature_at(x, use.atom, first + k) += hash_mix(use.set + 1);
      }
    }
  }
}

static void sign_conditions(finder *x) {
  wire_vec wires = {0};
  for (uint32_t m = 0; m < x->c->moves.count; m++) {
    wires.count = 0;
    factor_list_conjuncts(x->c, x->c->moves.items[m].legal, &wires, x->scratch);
    for (uint32_t i = 0; i < wires.count; i++) {
      const uint64_t hash = hash_mix(UINT64_C(0x10000000000) + wires.items[i]);
      if (!reads_own(x, wires.items[i])) {
        x->guards[m] += hash;
        continue;
      }
      const uint32_t atom = atom_of_gate(x, wire_gate(wires.items[i]));
      *signature_at(x, atom, m) += hash;
      x->has_conditions[(size_t)atom * x->c->moves.count + m] = true;
    }
  }
}

static bool find_signatures(finder *x) {
  set_uses uses = {0};
  const uint32_t moves = x->c->moves.count;
  if ((uint64_t)x->atoms * moves > SIGNATURES_MAX) return false;
  x->signatures = arena_zero_array(x->scratch, uint64_t, (size_t)x->atoms * moves + 1);
  x->has_conditions = arena_zero_array(x->scratch, bool, (size_t)x->atoms *moves + 1);
  x->guards = arena_zero_array(x->scratch, uint64_t, moves + (size_t)1);
  x->role_of = factor_move_roles(x->c, x->scratch);
  list_all_sets(x, &uses);
  sign_sets(x, &uses);
  sign_conditions(x);
  return !budget_is_spent(x->b);
}

/* The classes of a role's moves by numbers. */
typedef struct move_classes {
  uint32_t count;
  uint32_t *of;     /* by move of the role */
  uint32_t *sizes;  /* by class */
  uint32_t *firsts; /* by class: its first move, of the role */
} move_classes;

static uint64_t number_hash(const void *context, uint32_t id) {
  const uint64_t *hashes = context;
  return hash_mix(hashes[id]);
}

/* Equal hashes, equal classes; classes are numbered by their first move. */
static move_classes classify(const uint64_t *hashes, uint32_t count, arena *keep) {
  move_classes k = {.of = arena_new_array(keep, uint32_t, count + (size_t)1),
                    .sizes = arena_zero_array(keep, uint32_t, count + (size_t)1),
                    .firsts = arena_new_array(keep, uint32_t, count + (size_t)1)};
  id_table table = {0};
  id_table_expect(&table, keep, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = id_table_first(&table, hash_mix(hashes[i]));
    while (table.slots[at] != ID_NONE && hashes[table.slots[at]] != hashes[i])
      at = id_table_next(&table, at);
    if (table.slots[at] == ID_NONE) {
      id_table_reserve(&table, keep, number_hash, hashes);
      id_table_put(&table, at, i);
      k.firsts[k.count] = i;
      k.of[i] = k.count++;
    } else
      k.of[i] = k.of[table.slots[at]];
    k.sizes[k.of[i]]++;
  }
  return k;
}

static move_classes classes_of_atom(const finder *x, uint32_t atom, uint32_t role, arena *keep) {
  const circuit_role *r = &x->c->roles.items[role];
  return classify(signature_at(x, atom, r->first_move), r->move_count, keep);
}

/* The class that most moves without a condition are of; CLASS_NONE: all have one. */
static uint32_t idle_class(const move_classes *k, const bool *has_conditions) {
  uint32_t best = CLASS_NONE;
  for (uint32_t i = 0; i < k->count; i++)
    if (!has_conditions[k->firsts[i]] && (best == CLASS_NONE || k->sizes[i] > k->sizes[best]))
      best = i;
  return best;
}

/* Unites atoms in which one move of the role is not idle. */
static void unite_for_one(finder *x, uint32_t role, uint32_t *above) {
  const circuit_role *r = &x->c->roles.items[role];
  uint32_t *active = arena_new_array(x->scratch, uint32_t, r->move_count + (size_t)1);
  for (uint32_t i = 0; i < r->move_count; i++) active[i] = ID_NONE;
  for (uint32_t atom = 0; atom < x->atoms && !budget_is_spent(x->b); atom++) {
    const arena_mark mark = arena_save(x->scratch);
    const move_classes k = classes_of_atom(x, atom, role, x->scratch);
    const uint32_t idle =
        idle_class(&k, x->has_conditions + (size_t)atom * x->c->moves.count + r->first_move);
    for (uint32_t i = 0; i < r->move_count; i++) {
      if (k.of[i] == idle) continue;
      if (active[i] == ID_NONE)
        active[i] = atom;
      else
        unite(above, active[i], atom);
    }
    arena_restore(x->scratch, mark);
  }
}

/* Parts in which a role chooses, and the classes there of its moves. */
typedef struct choice_group {
  uint32_t atom;    /* one of them */
  uint64_t *hashes; /* by move */
  move_classes classes;
} choice_group;

static uint32_t count_pairs(const move_classes *a, const move_classes *b, uint32_t moves,
                            arena *scratch) {
  uint64_t *pairs = arena_new_array(scratch, uint64_t, moves + (size_t)1);
  for (uint32_t i = 0; i < moves; i++) pairs[i] = (uint64_t)a->of[i] << 32 | b->of[i];
  return classify(pairs, moves, scratch).count;
}

/* Every pair of classes is that of a move. */
static bool are_independent(const move_classes *a, const move_classes *b, uint32_t moves,
                            arena *scratch) {
  if (a->count == 1 || b->count == 1) return true;
  if ((uint64_t)a->count * b->count > moves) return false;
  const arena_mark mark = arena_save(scratch);
  const bool all = count_pairs(a, b, moves, scratch) == a->count * b->count;
  arena_restore(scratch, mark);
  return all;
}

typedef VEC(choice_group) choice_groups;

static void join_groups(choice_group *into, const choice_group *other, uint32_t moves,
                        arena *scratch) {
  for (uint32_t i = 0; i < moves; i++) into->hashes[i] += hash_mix(other->hashes[i]);
  into->classes = classify(into->hashes, moves, scratch);
}

static bool is_uniform(const uint64_t *hashes, uint32_t count) {
  for (uint32_t i = 1; i < count; i++)
    if (hashes[i] != hashes[0]) return false;
  return true;
}

/* Unites atoms until every combination of classes is a move, if that can be.  False: it is not
   known. */
static bool unite_for_all(finder *x, uint32_t role, uint32_t *above) {
  const circuit_role *r = &x->c->roles.items[role];
  const uint32_t moves = r->move_count;
  choice_groups groups = {0};
  uint64_t work = 0;
  for (uint32_t i = 1; i < moves; i++)
    if (x->guards[r->first_move + i] != x->guards[r->first_move]) return false;
  for (uint32_t atom = 0; atom < x->atoms; atom++) {
    if (is_uniform(signature_at(x, atom, r->first_move), moves)) continue;
    choice_group made = {.atom = atom, .hashes = arena_new_array(x->scratch, uint64_t, moves + 1)};
    memcpy(made.hashes, signature_at(x, atom, r->first_move), moves * sizeof *made.hashes);
    made.classes = classify(made.hashes, moves, x->scratch);
    for (uint32_t i = 0; i < groups.count;) {
      work += moves;
      if (work > PAIRS_MAX || budget_is_spent(x->b)) return false;
      if (are_independent(&groups.items[i].classes, &made.classes, moves, x->scratch)) {
        i++;
        continue;
      }
      unite(above, groups.items[i].atom, atom);
      join_groups(&made, &groups.items[i], moves, x->scratch);
      groups.items[i] = groups.items[--groups.count];
      i = 0;
    }
    vec_push(x->scratch, &groups, made);
  }
  uint64_t product = 1;
  for (uint32_t i = 0; i < groups.count && product <= moves; i++)
    product *= groups.items[i].classes.count;
  return product <= moves;
}

static void take_all(finder *x, const uint32_t *above) {
  for (uint32_t i = 0; i < x->atoms; i++) unite(x->group_above, i, above[i]);
}

/* The way of choosing that leaves more parts. */
static void unite_for_role(finder *x, uint32_t role) {
  uint32_t *one = all_alone(x->atoms, x->scratch), *all = all_alone(x->atoms, x->scratch);
  unite_for_one(x, role, one);
  const bool can_be_all = unite_for_all(x, role, all);
  const bool in_all = can_be_all && count_roots(all, x->atoms) > count_roots(one, x->atoms);
  x->f->choices[role] = in_all ? CHOOSES_IN_ALL_PARTS : CHOOSES_ONE_PART;
  take_all(x, in_all ? all : one);
}

/* ---- 3: ends and goals ---- */

static wire_vec list_outputs(const finder *x) {
  wire_vec outputs = {0};
  vec_push(x->scratch, &outputs, x->c->terminal);
  for (uint32_t i = 0; i < x->c->goals.count; i++)
    vec_push(x->scratch, &outputs, x->c->goals.items[i].holds);
  vec_append(x->scratch, &outputs, x->c->targets.items, x->c->targets.count);
  return outputs;
}

static uint32_t group_of_latch(finder *x, uint32_t latch, uint32_t *above) {
  if (!is_own_latch(x, latch)) return PART_COMMON;
  return root_of(above, atom_of_gate(x, x->c->latches.items[latch].gate));
}

/* Unites the groups of all latches below a wire. */
static void unite_readers(finder *x, wire w, uint32_t *seen, uint32_t stamp, uint32_t *above) {
  id_vec open = {0};
  uint32_t first = ID_NONE;
  vec_push(x->scratch, &open, wire_gate(w));
  while (open.count) {
    const gate_id g = vec_pop(&open);
    const gate it = x->c->gates.items[g];
    if (seen[g] == stamp || !bitset_has(x->reads.own, g)) continue;
    seen[g] = stamp;
    if (it.kind == GATE_LATCH && is_own_latch(x, it.number)) {
      const uint32_t atom = atom_of_gate(x, g);
      if (first == ID_NONE) first = atom;
      unite(above, first, atom);
    }
    for (uint32_t i = 0; it.kind == GATE_AND && i < it.input_count; i++)
      vec_push(x->scratch, &open, wire_gate(gate_inputs(x->c, g)[i]));
  }
}

/* A wire as a conjunction, or a disjunction, of operands. */
static void unite_operands(finder *x, uint32_t *above) {
  const wire_vec outputs = list_outputs(x);
  uint32_t *seen = arena_zero_array(x->scratch, uint32_t, x->c->gates.count);
  uint32_t stamp = 0;
  wire_vec operands = {0};
  for (uint32_t i = 0; i < outputs.count; i++) {
    operands.count = 0;
    factor_list_conjuncts(x->c, outputs.items[i] & ~UINT32_C(1), &operands, x->scratch);
    for (uint32_t n = 0; n < operands.count && !budget_is_spent(x->b); n++)
      unite_readers(x, operands.items[n], seen, ++stamp, above);
  }
}

/* Unites the groups that are read latch by latch. */
static void unite_plain(finder *x, uint32_t *above) {
  const wire_vec outputs = list_outputs(x);
  const circuit *c = x->c;
  factor_summary s;
  uint32_t *part_of = arena_new_array(x->scratch, uint32_t, c->latches.count + (size_t)1);
  uint32_t *latches = arena_zero_array(x->scratch, uint32_t, x->atoms + (size_t)1);
  uint32_t *features = arena_zero_array(x->scratch, uint32_t, x->atoms + (size_t)1);
  uint32_t plain = ID_NONE;
  for (uint32_t i = 0; i < c->latches.count; i++) {
    part_of[i] = group_of_latch(x, i, above);
    if (part_of[i] != PART_COMMON) latches[part_of[i]]++;
  }
  factor_summarise(&s, c, part_of, &outputs, x->scratch);
  for (uint32_t i = 0; i < s.features.count; i++)
    if (s.features.items[i].part != PART_COMMON) features[s.features.items[i].part]++;
  for (uint32_t i = 0; i < x->atoms; i++) {
    if (features[i] * LATCHES_A_FEATURE <= latches[i]) continue;
    if (plain == ID_NONE) plain = i;
    unite(above, plain, i);
  }
}

/* Roots of groups that matter for ends or goals, besides others. */
static void unite_for_outputs(finder *x) {
  uint32_t *above = all_alone(x->atoms, x->scratch);
  memcpy(above, x->group_above, x->atoms * sizeof *above);
  unite_operands(x, above);
  if (count_roots(above, x->atoms) < 2) {
    memcpy(above, x->group_above, x->atoms * sizeof *above);
    unite_plain(x, above);
  }
  take_all(x, above);
}

/* ---- the result ---- */

static uint32_t *number_groups(finder *x) {
  uint32_t *numbers = arena_new_array(x->scratch, uint32_t, x->atoms + (size_t)1);
  for (uint32_t i = 0; i < x->atoms; i++) /* a root is the least of its group */
    numbers[i] = x->group_above[i] == i ? x->f->count++ : numbers[root_of(x->group_above, i)];
  return numbers;
}

static void note_latches(finder *x, const uint32_t *numbers) {
  factors *f = x->f;
  f->part_of = arena_new_array(x->keep, uint32_t, x->c->latches.count + (size_t)1);
  for (uint32_t i = 0; i < x->c->latches.count; i++) {
    f->part_of[i] = bitset_has(x->reads.is_unread, i) ? PART_UNREAD : PART_COMMON;
    if (is_own_latch(x, i)) f->part_of[i] = numbers[atom_of_gate(x, x->c->latches.items[i].gate)];
  }
}

/* What is made in a part is made where conditions on common latches allow it. */
static void add_guards(finder *x, uint32_t role, uint64_t *hashes, bool *conditions) {
  const circuit_role *r = &x->c->roles.items[role];
  const move_classes k = classify(hashes, r->move_count, x->scratch);
  const uint32_t idle = idle_class(&k, conditions);
  for (uint32_t i = 0; i < r->move_count; i++) {
    if (k.of[i] == idle) continue;
    hashes[i] += hash_mix(x->guards[r->first_move + i] ^ 1);
    conditions[i] = true; /* so that none of these is taken for the idle class */
  }
}

static void note_classes(finder *x, const uint32_t *numbers) {
  factors *f = x->f;
  const uint32_t moves = x->c->moves.count, roles = x->c->roles.count;
  uint64_t *hashes = arena_zero_array(x->scratch, uint64_t, (size_t)f->count * moves + 1);
  bool *conditions = arena_zero_array(x->scratch, bool, (size_t)f->count *moves + 1);
  f->classes = arena_new_array(x->keep, uint32_t, (size_t)f->count * moves + 1);
  f->class_counts = arena_new_array(x->keep, uint32_t, (size_t)f->count * roles + 1);
  f->idle = arena_new_array(x->keep, uint32_t, (size_t)f->count * roles + 1);
  for (uint32_t atom = 0; atom < x->atoms; atom++)
    for (uint32_t m = 0; m < moves; m++) {
      const size_t at = (size_t)numbers[atom] * moves + m;
      hashes[at] += hash_mix(*signature_at(x, atom, m) ^ hash_mix(atom + 1));
      conditions[at] |= x->has_conditions[(size_t)atom * moves + m];
    }
  for (uint32_t part = 0; part < f->count; part++)
    for (uint32_t role = 0; role < roles; role++) {
      const circuit_role *r = &x->c->roles.items[role];
      const size_t at = (size_t)part * moves + r->first_move;
      if (f->choices[role] == CHOOSES_ONE_PART) add_guards(x, role, hashes + at, conditions + at);
      const move_classes k = classify(hashes + at, r->move_count, x->scratch);
      memcpy(f->classes + at, k.of, r->move_count * sizeof *k.of);
      f->class_counts[(size_t)part * roles + role] = k.count;
      f->idle[(size_t)part * roles + role] = idle_class(&k, conditions + at);
    }
}

static void note_outputs(finder *x) {
  factors *f = x->f;
  const wire_vec outputs = list_outputs(x);
  f->ends = arena_zero_array(x->keep, bool, f->count);
  f->scores = arena_zero_array(x->keep, bool, f->count);
  for (uint32_t i = 0; i < outputs.count; i++) {
    factor_summary s;
    wire_vec one = {0};
    vec_push(x->scratch, &one, outputs.items[i]);
    factor_summarise(&s, x->c, f->part_of, &one, x->scratch);
    for (uint32_t n = 0; n < s.features.count; n++)
      if (s.features.items[n].part < f->count)
        (i ? f->scores : f->ends)[s.features.items[n].part] = true;
  }
}

/* Latches on which nothing depends may depend on everything, as a record of moves does: they are
   parts only where there are none without them. */
static const char *find(finder *x, bool with_unread) {
  factors *f = x->f;
  factor_reads_find(&x->reads, x->c, x->scratch);
  if (with_unread) bitset_clear(x->reads.is_unread);
  find_atoms(x);
  if (x->atoms < 2) return NULL;
  x->group_above = all_alone(x->atoms, x->scratch);
  f->choices = arena_zero_array(x->keep, factor_choice, x->c->roles.count + (size_t)1);
  if (!find_signatures(x)) return "the game is too large";
  for (uint32_t role = 0; role < x->c->roles.count; role++) unite_for_role(x, role);
  if (count_roots(x->group_above, x->atoms) < 2) return NULL;
  unite_for_outputs(x);
  if (budget_is_spent(x->b)) return "time or memory was up";
  const uint32_t *numbers = number_groups(x);
  if (f->count < 2) return NULL;
  note_latches(x, numbers);
  note_classes(x, numbers);
  note_outputs(x);
  return factors_are_sound(f) ? NULL : "what was found could not be proved";
}

void factors_find(factors *f, const circuit *c, arena *keep, budget *b) {
  *f = (factors){.c = c};
  if (c->components.count) {
    f->reason = "its rules are recursive";
    return;
  }
  for (int with_unread = 0; with_unread < 2 && !f->reason && !f->count; with_unread++) {
    finder x = {.f = f, .c = c, .keep = keep, .scratch = arena_new(), .b = b};
    budget_watch(b, x.scratch);
    f->reason = find(&x, with_unread);
    if (f->reason || f->count < 2) f->count = 0;
    budget_unwatch(b, x.scratch);
    arena_free(x.scratch);
  }
}
