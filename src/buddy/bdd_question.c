#include "buddy/bdd_question.h"

#include <inttypes.h>

/* Numbers are bounded by what was announced before, so that a wrong text is refused. */
enum { MOST = 1 << 28 };

typedef struct question_reader {
  FILE *from;
  arena *keep;
  bool is_wrong;
} question_reader;

static void expect(question_reader *r, const char *word) {
  char found[16];
  if (fscanf(r->from, "%15s", found) != 1 || strcmp(found, word) != 0) r->is_wrong = true;
}

/* A number below the bound; 0 when it is wrong. */
static uint32_t number_below(question_reader *r, uint64_t bound) {
  uint64_t number = 0;
  if (r->is_wrong) return 0;
  if (fscanf(r->from, "%" SCNu64, &number) != 1 || number >= bound) {
    r->is_wrong = true;
    return 0;
  }
  return (uint32_t)number;
}

static uint32_t *numbers_below(question_reader *r, uint32_t count, uint64_t bound) {
  uint32_t *all = arena_new_array(r->keep, uint32_t, (size_t)count + 1);
  for (uint32_t i = 0; i < count; i++) all[i] = number_below(r, bound);
  return all;
}

static bdd_list read_list(question_reader *r, uint64_t bound) {
  const uint32_t count = number_below(r, MOST);
  return (bdd_list){count, numbers_below(r, count, bound)};
}

static uint64_t wires(const bdd_question *q) { return (uint64_t)q->gate_count * 2; }

/* ---- its parts ---- */

static void read_limits(question_reader *r, bdd_question *q) {
  expect(r, "tabia-bdd");
  if (number_below(r, 2) != 1) r->is_wrong = true;
  expect(r, "memory");
  if (fscanf(r->from, "%" SCNu64, &q->memory) != 1) r->is_wrong = true;
  expect(r, "depth");
  q->depth = number_below(r, UINT64_C(1) << 32);
  expect(r, "ends");
  q->asks_ends = number_below(r, 2);
}

static bdd_cube read_cube(question_reader *r, const bdd_question *q) {
  const uint32_t count = number_below(r, (uint64_t)q->bit_count + 1);
  uint32_t *bits = arena_new_array(r->keep, uint32_t, (size_t)count + 1);
  uint32_t *values = arena_new_array(r->keep, uint32_t, (size_t)count + 1);
  for (uint32_t i = 0; i < count; i++) {
    bits[i] = number_below(r, q->bit_count);
    values[i] = number_below(r, 2);
  }
  return (bdd_cube){count, bits, values};
}

static void read_latches(question_reader *r, bdd_question *q) {
  expect(r, "bits");
  q->bit_count = number_below(r, 1 << 20);
  q->start = numbers_below(r, q->bit_count, 2);
  expect(r, "latches");
  q->latch_count = number_below(r, MOST);
  bdd_cube *latches = arena_new_array(r->keep, bdd_cube, (size_t)q->latch_count + 1);
  for (uint32_t i = 0; i < q->latch_count; i++) latches[i] = read_cube(r, q);
  q->latches = latches;
  expect(r, "codes");
  bdd_list *codes = arena_new_array(r->keep, bdd_list, (size_t)q->bit_count + 1);
  for (uint32_t i = 0; i < q->bit_count; i++) codes[i] = read_list(r, q->latch_count);
  q->codes = codes;
}

/* The inputs of a gate have smaller numbers. */
static bdd_gate read_gate(question_reader *r, uint32_t number) {
  char kind = 0;
  if (fscanf(r->from, " %c", &kind) != 1 || !strchr("clmpa", kind)) r->is_wrong = true;
  bdd_gate g = {.kind = kind};
  if (kind == 'a')
    g.inputs = read_list(r, (uint64_t)number * 2);
  else if (kind != 'c')
    g.number = number_below(r, MOST);
  return g;
}

static void read_gates(question_reader *r, bdd_question *q) {
  expect(r, "gates");
  q->gate_count = number_below(r, MOST);
  bdd_gate *gates = arena_new_array(r->keep, bdd_gate, (size_t)q->gate_count + 1);
  for (uint32_t i = 0; i < q->gate_count && !r->is_wrong; i++) {
    gates[i] = read_gate(r, i);
    if (gates[i].kind == 'l' && gates[i].number >= q->latch_count) r->is_wrong = true;
  }
  q->gates = gates;
}

static bdd_component read_component(question_reader *r, const bdd_question *q) {
  bdd_component c = {.first = number_below(r, q->gate_count)};
  c.end = number_below(r, (uint64_t)q->gate_count + 1);
  c.place_count = number_below(r, q->gate_count);
  uint32_t *places = arena_new_array(r->keep, uint32_t, (size_t)c.place_count + 1);
  uint32_t *definitions = arena_new_array(r->keep, uint32_t, (size_t)c.place_count + 1);
  for (uint32_t i = 0; i < c.place_count; i++) {
    places[i] = number_below(r, q->gate_count);
    definitions[i] = number_below(r, wires(q));
  }
  c.places = places;
  c.definitions = definitions;
  return c;
}

static void read_components(question_reader *r, bdd_question *q) {
  expect(r, "components");
  q->component_count = number_below(r, MOST);
  bdd_component *all = arena_new_array(r->keep, bdd_component, (size_t)q->component_count + 1);
  for (uint32_t i = 0; i < q->component_count && !r->is_wrong; i++) all[i] = read_component(r, q);
  q->components = all;
}

static void read_roles(question_reader *r, bdd_question *q) {
  VEC(bdd_move) moves = {0};
  expect(r, "roles");
  q->role_count = number_below(r, MOST);
  bdd_role *roles = arena_new_array(r->keep, bdd_role, (size_t)q->role_count + 1);
  for (uint32_t i = 0; i < q->role_count && !r->is_wrong; i++) {
    roles[i] = (bdd_role){moves.count, number_below(r, MOST)};
    for (uint32_t m = 0; m < roles[i].count && !r->is_wrong; m++) {
      const uint32_t legal = number_below(r, wires(q));
      const bdd_move move = {legal, number_below(r, wires(q))};
      vec_push(r->keep, &moves, move);
    }
  }
  q->roles = roles;
  q->moves = moves.items;
  q->move_count = moves.count;
}

bool bdd_question_read(bdd_question *q, FILE *from, arena *keep) {
  question_reader r = {from, keep, false};
  *q = (bdd_question){0};
  read_limits(&r, q);
  if (!r.is_wrong) read_latches(&r, q);
  if (!r.is_wrong) read_gates(&r, q);
  if (!r.is_wrong) read_components(&r, q);
  expect(&r, "next");
  q->next = numbers_below(&r, q->latch_count, wires(q));
  if (!r.is_wrong) read_roles(&r, q);
  expect(&r, "terminal");
  q->terminal = number_below(&r, wires(q));
  expect(&r, "targets");
  q->targets = read_list(&r, wires(q));
  expect(&r, "end");
  for (uint32_t i = 0; !r.is_wrong && i < q->gate_count; i++)
    r.is_wrong = q->gates[i].kind == 'm' && q->gates[i].number >= q->move_count;
  return !r.is_wrong;
}
