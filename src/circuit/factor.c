/* Fewer inputs for the same function.

   A gate is a conjunction of plain inputs and of negated conjunctions, the terms of a disjunction.
   A conjunction that this gate alone reads is made part of it: until then its inputs are held, and
   no gate is made.  What the plain inputs decide is taken out of the terms; what several terms have
   in common is asked once. */
#include "base/sort.h"
#include "circuit/passes.h"
#include "circuit/rebuild.h"

enum { DEPTH_MAX = 32 };

/* Marks where the next term of a key is to stand, while terms are gathered. */
#define IS_PLACE (UINT32_C(1) << 31)

typedef struct or_term {
  uint32_t first, count; /* in factorer.wires */
  wire key;              /* the input by which it is grouped */
} or_term;

typedef VEC(or_term) term_vec;

/* The fanout of a gate that is held; what stands in place of its wire is its number in `held`. */
#define FANOUT_HELD UINT32_MAX

/* A conjunction that is not made, as the gate that alone reads it takes its inputs. */
typedef struct held_gate {
  uint32_t first, count; /* in factorer.held_wires, sorted */
  bool is_negated;       /* it is the negation of their conjunction */
} held_gate;

typedef struct factorer {
  rebuild *r;
  arena *scratch;
  wire_vec plain; /* inputs of the gate under way, sorted */
  wire_vec wires; /* of its terms, each sorted */
  term_vec terms;
  wire_vec parts;        /* of the disjunctions under way, the innermost last */
  VEC(wire_range) alone; /* terms of them that have nothing in common with others */
  VEC(held_gate) held;   /* those that no gate has read yet, and some more */
  wire_vec held_wires;
  uint32_t *times; /* by wire of `out`: in how many terms of a group; zero between calls */
  uint32_t times_count;
  term_vec unsorted; /* scratch of gather_terms */
} factorer;

/* ---- reading a gate ---- */

/* The inputs that the gate under way has, or one of its terms. */
static void add_inputs(factorer *f, const wire *inputs, uint32_t count, bool is_term) {
  if (is_term) {
    const or_term t = {.first = f->wires.count, .count = count};
    vec_push(f->scratch, &f->terms, t);
    vec_append(f->scratch, &f->wires, inputs, count);
  } else {
    vec_append(f->scratch, &f->plain, inputs, count);
  }
}

static void read_held(factorer *f, wire old) {
  const held_gate h = f->held.items[f->r->wires[wire_gate(old)]];
  add_inputs(f, vec_from(&f->held_wires, h.first), h.count, wire_is_negated(old) != h.is_negated);
}

/* An input that no other gate reads. */
static void read_own(factorer *f, wire old) {
  const circuit *out = f->r->out;
  const wire w = rebuild_wire(f->r, old);
  const gate_kind kind = f->r->in->gates.items[wire_gate(old)].kind;
  const gate it = out->gates.items[wire_gate(w)];
  if (it.kind == GATE_AND && (kind == GATE_AND || kind == GATE_MOVE_SET))
    add_inputs(f, gate_inputs(out, wire_gate(w)), it.input_count, wire_is_negated(w));
  else
    vec_push(f->scratch, &f->plain, w);
}

/* Forgets the held gates among the inputs that were read, as far as they are the last ones. */
static void drop_held(factorer *f, const wire *inputs, uint32_t count) {
  for (uint32_t i = count; i-- > 0 && f->held.count;) {
    const gate_id g = wire_gate(inputs[i]);
    if (f->r->fanout[g] != FANOUT_HELD || f->r->wires[g] != f->held.count - 1) continue;
    f->held_wires.count = vec_pop(&f->held).first;
  }
}

static void read_gate(factorer *f, gate_id g) {
  const uint32_t count = f->r->in->gates.items[g].input_count;
  const wire *inputs = gate_inputs(f->r->in, g);
  f->plain.count = f->wires.count = f->terms.count = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t fanout = f->r->fanout[wire_gate(inputs[i])];
    if (fanout == FANOUT_HELD)
      read_held(f, inputs[i]);
    else if (fanout == 1)
      read_own(f, inputs[i]);
    else
      vec_push(f->scratch, &f->plain, rebuild_wire(f->r, inputs[i]));
  }
  drop_held(f, inputs, count);
}

/* ---- what the plain inputs decide ---- */

static bool is_plain(const factorer *f, wire w) {
  uint32_t low = 0, high = f->plain.count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (f->plain.items[middle] < w)
      low = middle + 1;
    else
      high = middle;
  }
  return low < f->plain.count && f->plain.items[low] == w;
}

/* Drops what holds anyway from a term.  False: the term cannot hold. */
static bool reduce_term(factorer *f, or_term *t) {
  wire *wires = vec_from(&f->wires, t->first);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < t->count; i++) {
    if (is_plain(f, wire_not(wires[i]))) return false;
    if (!is_plain(f, wires[i])) wires[kept++] = wires[i];
  }
  t->count = kept;
  return true;
}

static void reduce_terms(factorer *f) {
  uint32_t kept = 0;
  sort_ids(f->plain.items, f->plain.count);
  for (uint32_t i = 0; i < f->terms.count; i++)
    if (reduce_term(f, &f->terms.items[i])) f->terms.items[kept++] = f->terms.items[i];
  f->terms.count = kept;
}

/* ---- what terms have in common ---- */

static void count_times(factorer *f, const or_term *terms, uint32_t count, int by) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < terms[i].count; k++)
      f->times[f->wires.items[terms[i].first + k]] += (uint32_t)by;
}

/* The input of each term that most terms have; ID_NONE when it has none in common.  Tells whether
   any has one. */
static bool choose_keys(factorer *f, or_term *terms, uint32_t count) {
  bool any = false;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t most = 1;
    terms[i].key = ID_NONE;
    for (uint32_t k = 0; k < terms[i].count; k++) {
      const wire w = f->wires.items[terms[i].first + k];
      if (f->times[w] < most || (f->times[w] == most && (most == 1 || w > terms[i].key))) continue;
      most = f->times[w];
      terms[i].key = w;
      any = true;
    }
  }
  return any;
}

/* Brings the terms of a key together, in the order in which the keys are first seen, and those that
   have a key of their own or none behind them, without key.  Gives back how many are together. */
static uint32_t gather_terms(factorer *f, or_term *terms, uint32_t count) {
  uint32_t together = 0;
  f->unsorted.count = 0;
  vec_append(f->scratch, &f->unsorted, terms, count);
  const or_term *from = f->unsorted.items;
  for (uint32_t i = 0; i < count; i++)
    if (from[i].key != ID_NONE) f->times[from[i].key]++;
  for (uint32_t i = 0; i < count; i++)
    together += from[i].key != ID_NONE && f->times[from[i].key] > 1;
  uint32_t next = 0, alone = together;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t *place = from[i].key == ID_NONE ? NULL : &f->times[from[i].key];
    if (!place || *place == 1) {
      terms[alone] = from[i];
      terms[alone++].key = ID_NONE;
      if (place) *place = 0;
      continue;
    }
    if (!(*place & IS_PLACE)) {
      const uint32_t first = next;
      next += *place;
      *place = first | IS_PLACE;
    }
    terms[(*place)++ & ~IS_PLACE] = from[i];
  }
  for (uint32_t i = 0; i < together; i++) f->times[terms[i].key] = 0;
  return together;
}

/* Brings the terms together that have an input in common; gives back how many do. */
static uint32_t group_terms(factorer *f, or_term *terms, uint32_t count) {
  count_times(f, terms, count, 1);
  const bool has_keys = choose_keys(f, terms, count);
  count_times(f, terms, count, -1);
  return has_keys ? gather_terms(f, terms, count) : 0;
}

static void drop_key(factorer *f, or_term *t) {
  wire *wires = vec_from(&f->wires, t->first);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < t->count; i++)
    if (wires[i] != t->key) wires[kept++] = wires[i];
  t->count = kept;
}

static wire make_factored(factorer *f, or_term *terms, uint32_t count, uint32_t depth);

/* Adds the terms that stand alone, from number `first` on, to the parts. */
static void make_alone(factorer *f, uint32_t first) {
  const uint32_t count = f->alone.count - first;
  vec_reserve(f->scratch, &f->parts, count);
  make_ands(&f->r->maker, &f->wires, vec_from(&f->alone, first), count,
            vec_from(&f->parts, f->parts.count));
  f->parts.count += count;
  f->alone.count = first;
}

/* Adds what the disjunction of the terms is made of to the parts.  Recursion goes as deep as inputs
   are taken out of terms, and no deeper than DEPTH_MAX. */
static void make_parts(factorer *f, or_term *terms, uint32_t count, uint32_t depth) {
  const uint32_t alone = f->alone.count;
  const uint32_t together = count > 1 && depth < DEPTH_MAX ? group_terms(f, terms, count) : 0;
  for (uint32_t i = 0, end; i < together; i = end) {
    const wire key = terms[i].key;
    for (end = i; end < together && terms[end].key == key; end++) drop_key(f, &terms[end]);
    const wire rest = make_factored(f, terms + i, end - i, depth + 1);
    vec_push(f->scratch, &f->parts, make_and_of_two(&f->r->maker, key, rest));
  }
  for (uint32_t i = together; i < count; i++) {
    const wire_range range = {terms[i].first, terms[i].count};
    vec_push(f->scratch, &f->alone, range);
  }
  make_alone(f, alone);
}

/* The disjunction of the terms. */
static wire make_factored(factorer *f, or_term *terms, uint32_t count, uint32_t depth) {
  const uint32_t first = f->parts.count;
  make_parts(f, terms, count, depth);
  const wire made = make_or(&f->r->maker, vec_from(&f->parts, first), f->parts.count - first);
  f->parts.count = first;
  return made;
}

static void make_room_for_times(factorer *f) {
  const uint32_t wires = f->r->out->gates.count * 2;
  if (wires <= f->times_count) return;
  uint32_t *grown = arena_zero_array(f->scratch, uint32_t, wires * 2);
  f->times = grown;
  f->times_count = wires * 2;
}

/* ---- gates that one other reads ---- */

/* Gives back what stands in place of its wire. */
static uint32_t hold(factorer *f, gate_id g, const wire *inputs, uint32_t count, bool is_negated) {
  const held_gate h = {f->held_wires.count, count, is_negated};
  vec_append(f->scratch, &f->held_wires, inputs, count);
  vec_push(f->scratch, &f->held, h);
  f->r->fanout[g] = FANOUT_HELD;
  return f->held.count - 1;
}

/* The conjunction of the plain inputs. */
static wire hold_plain(factorer *f, gate_id g) {
  if (!reduce_inputs(f->plain.items, &f->plain.count)) return WIRE_FALSE;
  if (f->plain.count == 0) return WIRE_TRUE;
  if (f->plain.count == 1) return f->plain.items[0];
  return hold(f, g, f->plain.items, f->plain.count, false);
}

/* A gate without plain inputs. */
static wire hold_terms(factorer *f, gate_id g) {
  const or_term *only = f->terms.items;
  if (f->terms.count == 1 && only->count > 1)
    return hold(f, g, vec_from(&f->wires, only->first), only->count, true);
  make_parts(f, f->terms.items, f->terms.count, 0);
  for (uint32_t i = 0; i < f->parts.count; i++)
    vec_push(f->scratch, &f->plain, wire_not(f->parts.items[i]));
  f->parts.count = 0;
  return hold_plain(f, g);
}

static wire make_gate(rebuild *r, gate_id g, void *context) {
  factorer *f = context;
  const bool is_read_once = r->fanout[g] == 1;
  read_gate(f, g);
  if (f->plain.count && f->terms.count) reduce_terms(f);
  make_room_for_times(f);
  if (is_read_once && !f->plain.count) return hold_terms(f, g);
  if (f->terms.count)
    vec_push(f->scratch, &f->plain, wire_not(make_factored(f, f->terms.items, f->terms.count, 0)));
  return is_read_once ? hold_plain(f, g) : make_and(&r->maker, f->plain.items, f->plain.count);
}

void circuit_factor(circuit *out, const circuit *in, const wire *latch_wires, const move_sets *sets,
                    arena *keep, budget *limits) {
  rebuild r;
  rebuild_begin(&r, out, in, latch_wires, sets, keep);
  r.limits = limits;
  factorer f = {.r = &r, .scratch = r.scratch};
  rebuild_gates(&r, make_gate, &f);
  rebuild_end(&r);
}
