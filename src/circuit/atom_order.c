#include "circuit/atom_order.h"

/* ---- without recursion ---- */

/* An atom that others wait for, and the condition that it asks for next. */
typedef struct visit {
  atom_id atom;
  uint32_t rule, literal; /* the latter within the rule */
} visit;

enum { NEW, WAITING, DONE };

typedef struct walk {
  const ground_program *g;
  uint8_t *states; /* by atom */
  uint32_t *atoms;
  uint32_t count;
  VEC(visit) visits;
} walk;

/* The next atom that one needs and that is not done; ATOM_NONE: all are. */
static atom_id next_needed(const walk *w, visit *v) {
  const ground_program *g = w->g;
  for (; v->rule < g->rules_of[v->atom + 1]; v->rule++, v->literal = 0) {
    const ground_rule r = g->rules.items[v->rule];
    while (v->literal < r.body_count) {
      const atom_id a = literal_atom(g->literals.items[r.body + v->literal++]);
      if (w->states[a] != DONE) return a;
    }
  }
  return ATOM_NONE;
}

/* Lists an atom behind all that it needs; false: one of them needs itself. */
static bool list_needed(walk *w, atom_id first, arena *scratch) {
  const visit begin = {first, w->g->rules_of[first], 0};
  w->states[first] = WAITING;
  vec_push(scratch, &w->visits, begin);
  while (w->visits.count) {
    const atom_id a = next_needed(w, &vec_last(&w->visits));
    if (a == ATOM_NONE) {
      const atom_id done = vec_pop(&w->visits).atom;
      w->states[done] = DONE;
      w->atoms[w->count++] = done;
      continue;
    }
    if (w->states[a] == WAITING) return false;
    const visit v = {a, w->g->rules_of[a], 0};
    w->states[a] = WAITING;
    vec_push(scratch, &w->visits, v);
  }
  return true;
}

/* Lists the atoms of rules without recursion, which most are; false: there is some. */
static bool list_atoms(atom_order *o, arena *keep) {
  const uint32_t count = o->g->atoms.count;
  arena *scratch = arena_new();
  walk w = {.g = o->g, .atoms = arena_new_array(keep, uint32_t, count)};
  w.states = arena_zero_array(scratch, uint8_t, count);
  bool ok = true;
  for (atom_id a = 0; a < count && ok; a++)
    if (w.states[a] == NEW) ok = list_needed(&w, a, scratch);
  o->atoms = w.atoms;
  arena_free(scratch);
  return ok;
}

/* ---- with recursion ---- */

static void index_needs(atom_order *o, arena *keep) {
  const ground_program *g = o->g;
  uint32_t *from = arena_new_array(keep, uint32_t, g->atoms.count + 1);
  uint32_t *to = arena_new_array(keep, uint32_t, g->literals.count + 1);
  uint32_t count = 0;
  o->needs_itself = bitset_new(keep, g->atoms.count);
  for (atom_id a = 0; a < g->atoms.count; a++) {
    from[a] = count;
    for (uint32_t r = g->rules_of[a]; r < g->rules_of[a + 1]; r++) {
      const ground_rule rule = g->rules.items[r];
      for (uint32_t i = 0; i < rule.body_count; i++) {
        to[count] = literal_atom(g->literals.items[rule.body + i]);
        if (to[count++] == a) bitset_add(o->needs_itself, a);
      }
    }
  }
  from[g->atoms.count] = count;
  o->needs = (graph){.node_count = g->atoms.count, .from = from, .to = to};
}

static void find_components(atom_order *o, arena *keep) {
  const uint32_t count = o->g->atoms.count;
  index_needs(o, keep);
  o->component = arena_new_array(keep, uint32_t, count + 1);
  o->turn = arena_new_array(keep, uint32_t, count);
  const uint32_t components = graph_components(&o->needs, o->component, keep);
  o->atoms = graph_order(&o->needs, o->component, components, keep);
}

uint32_t atom_order_component_end(const atom_order *o, uint32_t first) {
  uint32_t end = first + 1;
  if (!o->component) return end;
  const uint32_t component = o->component[o->atoms[first]];
  while (end < o->g->atoms.count && o->component[o->atoms[end]] == component) end++;
  return end;
}

bool atom_order_is_recursive(const atom_order *o, uint32_t first, uint32_t end) {
  return end - first > 1 || (o->component && bitset_has(o->needs_itself, o->atoms[first]));
}

/* ---- moves ---- */

static bool needs_any_mover(const atom_order *o, atom_id a) {
  const ground_program *g = o->g;
  for (uint32_t r = g->rules_of[a]; r < g->rules_of[a + 1]; r++) {
    const ground_rule rule = g->rules.items[r];
    for (uint32_t i = 0; i < rule.body_count; i++)
      if (bitset_has(o->uses_moves, literal_atom(g->literals.items[rule.body + i]))) return true;
  }
  return false;
}

static void mark_movers(atom_order *o) {
  const ground_program *g = o->g;
  for (uint32_t i = 0; i < g->moves.count; i++)
    if (g->moves.items[i].does != ATOM_NONE) bitset_add(o->uses_moves, g->moves.items[i].does);
  for (uint32_t i = 0, end; i < g->atoms.count; i = end) {
    bool moves = false;
    end = atom_order_component_end(o, i);
    for (uint32_t k = i; k < end && !moves; k++) moves = needs_any_mover(o, o->atoms[k]);
    for (uint32_t k = i; k < end && moves; k++) bitset_add(o->uses_moves, o->atoms[k]);
  }
}

/* ---- reads ---- */

static void read_output(atom_order *o, moment when, atom_id a) {
  if (a != ATOM_NONE) o->reads[bitset_has(o->uses_moves, a) ? when : STILL][a] = READS_SEVERAL;
}

static void read_outputs(atom_order *o) {
  const ground_program *g = o->g;
  for (uint32_t i = 0; i < g->moves.count; i++) read_output(o, STILL, g->moves.items[i].legal);
  for (uint32_t i = 0; i < g->goals.count; i++) read_output(o, STILL, g->goals.items[i].atom);
  read_output(o, STILL, g->terminal);
  for (uint32_t i = 0; i < g->fluents.count; i++) read_output(o, MOVING, g->fluents.items[i].next);
  for (uint32_t i = 0; i < g->percepts.count; i++)
    read_output(o, MOVING, g->percepts.items[i].atom);
  for (uint32_t i = 0; i < g->marks.count; i++) read_output(o, MOVING, g->marks.items[i].atom);
}

/* Counts what an atom reads at a moment. */
static void read_bodies(atom_order *o, moment when, atom_id a) {
  const ground_program *g = o->g;
  for (uint32_t r = g->rules_of[a]; r < g->rules_of[a + 1]; r++) {
    const ground_rule rule = g->rules.items[r];
    for (uint32_t i = 0; i < rule.body_count; i++) {
      const atom_id read = literal_atom(g->literals.items[rule.body + i]);
      uint8_t *reads = &o->reads[when == MOVING && bitset_has(o->uses_moves, read)][read];
      *reads += *reads < READS_SEVERAL;
    }
  }
}

/* Those that are needed last come first; all of a component are needed when one is. */
static void count_reads(atom_order *o) {
  read_outputs(o);
  for (uint32_t end = o->g->atoms.count, first; end > 0; end = first) {
    first = end - 1;
    while (o->component && first &&
           o->component[o->atoms[first - 1]] == o->component[o->atoms[end - 1]])
      first--;
    for (moment when = STILL; when < MOMENTS; when++) {
      bool is_read = false;
      for (uint32_t i = first; i < end; i++) is_read |= o->reads[when][o->atoms[i]] > 0;
      for (uint32_t i = first; i < end && is_read; i++) read_bodies(o, when, o->atoms[i]);
    }
  }
}

void atom_order_find(atom_order *o, const ground_program *g, arena *keep) {
  const uint32_t count = g->atoms.count;
  *o = (atom_order){.g = g, .uses_moves = bitset_new(keep, count)};
  if (!list_atoms(o, keep)) find_components(o, keep);
  for (moment when = STILL; when < MOMENTS; when++)
    o->reads[when] = arena_zero_array(keep, uint8_t, count);
  mark_movers(o);
  count_reads(o);
}

/* ---- within a component ---- */

atom_id atom_order_unstratified(const atom_order *o, const uint32_t *atoms, uint32_t count) {
  const ground_program *g = o->g;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t r = g->rules_of[atoms[i]]; r < g->rules_of[atoms[i] + 1]; r++)
      for (uint32_t k = 0; k < g->rules.items[r].body_count; k++) {
        const ground_literal l = g->literals.items[g->rules.items[r].body + k];
        if (literal_is_negated(l) && o->component[literal_atom(l)] == o->component[atoms[i]])
          return atoms[i];
      }
  return ATOM_NONE;
}

/* The rules of a component's atoms, numbered among themselves, and which of them need an atom. */
typedef struct component_rules {
  uint32_t *head;  /* by rule: where its atom stands in the component */
  uint32_t *unmet; /* by rule: conditions of the component that are not placed yet */
  uint32_t count;
  graph used_by; /* from atoms to rules */
} component_rules;

static component_rules list_component_rules(const atom_order *o, const uint32_t *atoms,
                                            uint32_t count, arena *keep) {
  const ground_program *g = o->g;
  id_vec heads = {0}, unmet = {0}, needed = {0}, needing = {0};
  for (uint32_t i = 0; i < count; i++) o->turn[atoms[i]] = i;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t r = g->rules_of[atoms[i]]; r < g->rules_of[atoms[i] + 1]; r++) {
      const uint32_t before = needed.count;
      for (uint32_t k = 0; k < g->rules.items[r].body_count; k++) {
        const atom_id a = literal_atom(g->literals.items[g->rules.items[r].body + k]);
        if (o->component[a] != o->component[atoms[i]]) continue;
        vec_push(keep, &needed, o->turn[a]);
        vec_push(keep, &needing, heads.count);
      }
      vec_push(keep, &heads, i);
      vec_push(keep, &unmet, needed.count - before);
    }
  return (component_rules){heads.items, unmet.items, heads.count,
                           graph_new(keep, count, needed.items, needing.items, needed.count)};
}

uint32_t *atom_order_within(const atom_order *o, const uint32_t *atoms, uint32_t count,
                            arena *keep) {
  const component_rules rules = list_component_rules(o, atoms, count, keep);
  uint32_t *order = arena_new_array(keep, uint32_t, count);
  const bitset placed = bitset_new(keep, count);
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
