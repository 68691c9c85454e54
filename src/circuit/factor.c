/* Fewer inputs for the same function.

   A gate is a conjunction of plain inputs and of negated conjunctions, the terms of a disjunction.
   A conjunction that this gate alone reads is made part of it.  What the plain inputs decide is
   taken out of the terms; what several terms have in common is asked once. */
#include "base/sort.h"
#include "circuit/passes.h"
#include "circuit/rebuild.h"

enum { DEPTH_MAX = 32 };

typedef struct or_term {
  uint32_t first, count; /* in factorer.wires */
  wire key;              /* the input by which it is grouped */
} or_term;

typedef VEC(or_term) term_vec;

typedef struct factorer {
  rebuild *r;
  arena *scratch;
  wire_vec plain; /* inputs of the gate under way, sorted */
  wire_vec wires; /* of its terms, each sorted */
  term_vec terms;
  uint32_t *times; /* by wire of `out`: in how many terms of a group; zero between calls */
  uint32_t times_count;
  VEC(uint64_t) order; /* scratch of sort_terms */
  term_vec unsorted;   /* likewise */
} factorer;

/* ---- reading a gate ---- */

static bool is_read_once(const factorer *f, wire old) {
  return f->r->fanout[wire_gate(old)] == 1 &&
         f->r->in->gates.items[wire_gate(old)].kind == GATE_AND;
}

static bool is_conjunction(const circuit *c, wire w) {
  return c->gates.items[wire_gate(w)].kind == GATE_AND;
}

static void add_inputs_of(factorer *f, wire_vec *to, gate_id g) {
  const circuit *out = f->r->out;
  for (uint32_t i = 0; i < out->gates.items[g].input_count; i++)
    vec_push(f->scratch, to, gate_inputs(out, g)[i]);
}

static void read_gate(factorer *f, gate_id g) {
  const circuit *in = f->r->in, *out = f->r->out;
  f->plain.count = f->wires.count = f->terms.count = 0;
  for (uint32_t i = 0; i < in->gates.items[g].input_count; i++) {
    const wire old = gate_inputs(in, g)[i], w = rebuild_wire(f->r, old);
    const bool is_ours = is_read_once(f, old) && is_conjunction(out, w);
    if (is_ours && !wire_is_negated(w)) {
      add_inputs_of(f, &f->plain, wire_gate(w));
    } else if (is_ours) {
      const or_term t = {.first = f->wires.count,
                         .count = out->gates.items[wire_gate(w)].input_count};
      add_inputs_of(f, &f->wires, wire_gate(w));
      vec_push(f->scratch, &f->terms, t);
    } else {
      vec_push(f->scratch, &f->plain, w);
    }
  }
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

/* By key, otherwise in the order in which they stand. */
static void sort_terms(factorer *f, or_term *terms, uint32_t count) {
  f->order.count = f->unsorted.count = 0;
  vec_append(f->scratch, &f->unsorted, terms, count);
  for (uint32_t i = 0; i < count; i++)
    vec_push(f->scratch, &f->order, (uint64_t)terms[i].key << 32 | i);
  sort_keys(f->order.items, count);
  for (uint32_t i = 0; i < count; i++) terms[i] = f->unsorted.items[(uint32_t)f->order.items[i]];
}

/* Brings the terms together that have an input in common; false: none do. */
static bool group_terms(factorer *f, or_term *terms, uint32_t count) {
  count_times(f, terms, count, 1);
  const bool has_keys = choose_keys(f, terms, count);
  count_times(f, terms, count, -1);
  if (has_keys) sort_terms(f, terms, count);
  return has_keys;
}

static void drop_key(factorer *f, or_term *t) {
  wire *wires = vec_from(&f->wires, t->first);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < t->count; i++)
    if (wires[i] != t->key) wires[kept++] = wires[i];
  t->count = kept;
}

static wire make_term(factorer *f, const or_term *t) {
  return make_and(&f->r->maker, vec_from(&f->wires, t->first), t->count);
}

/* The disjunction of the terms.  Recursion goes as deep as inputs are taken out of terms, and no
   deeper than DEPTH_MAX. */
static wire make_factored(factorer *f, or_term *terms, uint32_t count, uint32_t depth) {
  wire_vec parts = {0};
  if (count == 1) return make_term(f, terms);
  const bool has_keys = depth < DEPTH_MAX && group_terms(f, terms, count);
  for (uint32_t i = 0, end; i < count; i = end) {
    const wire key = has_keys ? terms[i].key : ID_NONE;
    for (end = i + 1; key != ID_NONE && end < count && terms[end].key == key;) end++;
    if (end - i == 1) {
      vec_push(f->scratch, &parts, make_term(f, &terms[i]));
      continue;
    }
    for (uint32_t k = i; k < end; k++) drop_key(f, &terms[k]);
    const wire rest = make_factored(f, terms + i, end - i, depth + 1);
    vec_push(f->scratch, &parts, make_and_of_two(&f->r->maker, key, rest));
  }
  return make_or(&f->r->maker, parts.items, parts.count);
}

static void make_room_for_times(factorer *f) {
  const uint32_t wires = f->r->out->gates.count * 2;
  if (wires <= f->times_count) return;
  uint32_t *grown = arena_zero_array(f->scratch, uint32_t, wires * 2);
  f->times = grown;
  f->times_count = wires * 2;
}

static wire make_gate(rebuild *r, gate_id g, void *context) {
  factorer *f = context;
  read_gate(f, g);
  if (f->plain.count && f->terms.count) reduce_terms(f);
  make_room_for_times(f);
  if (f->terms.count)
    vec_push(f->scratch, &f->plain, wire_not(make_factored(f, f->terms.items, f->terms.count, 0)));
  return make_and(&r->maker, f->plain.items, f->plain.count);
}

void circuit_factor(circuit *out, const circuit *in, arena *keep, budget *limits) {
  rebuild r;
  rebuild_begin(&r, out, in, NULL, NULL, keep);
  r.limits = limits;
  factorer f = {.r = &r, .scratch = r.scratch};
  rebuild_gates(&r, make_gate, &f);
  rebuild_end(&r);
}
