#include "prove/aiger.h"

/* Recursive components are written out once for each place in them. */
enum { REPEATED_GATES_MAX = 2 * 1000 * 1000 };

typedef uint32_t aiger_literal; /* a variable, times two, plus one when negated; 0 is false */

typedef struct and_gate {
  aiger_literal a, b; /* a >= b */
} and_gate;

typedef struct aiger {
  const circuit *c;
  arena *keep;
  uint32_t input_count;
  uint32_t latch_count; /* with `valid` */
  VEC(and_gate) ands;
  aiger_literal *of_gate; /* by gate of the circuit */
  aiger_literal *does;    /* by move */
} aiger;

static aiger_literal negate(aiger_literal l) { return l ^ 1; }

static aiger_literal make_and(aiger *g, aiger_literal a, aiger_literal b) {
  if (a < b) return make_and(g, b, a);
  if (b == 0 || a == negate(b)) return 0;
  if (b == 1 || a == b) return a;
  const and_gate gate = {a, b};
  vec_push(g->keep, &g->ands, gate);
  return 2 * (g->input_count + g->latch_count + g->ands.count);
}

static aiger_literal make_or(aiger *g, aiger_literal a, aiger_literal b) {
  return negate(make_and(g, negate(a), negate(b)));
}

static aiger_literal literal_of(const aiger *g, wire w) {
  return g->of_gate[wire_gate(w)] ^ wire_is_negated(w);
}

/* ---- inputs ---- */

static void make_moves(aiger *g) {
  aiger_literal input = 2;
  for (uint32_t role = 0; role < g->c->roles.count; role++) {
    const circuit_role *r = &g->c->roles.items[role];
    aiger_literal none_before = 1;
    for (uint32_t i = 0; i < r->move_count; i++) {
      const bool is_last = i + 1 == r->move_count;
      const aiger_literal chosen = is_last ? 1 : input;
      g->does[r->first_move + i] = make_and(g, none_before, chosen);
      none_before = make_and(g, none_before, negate(chosen));
      if (!is_last) input += 2;
    }
  }
  for (gate_id i = 0; i < g->c->gates.count; i++)
    if (g->c->gates.items[i].kind == GATE_MOVE)
      g->of_gate[i] = g->does[g->c->gates.items[i].number];
}

static aiger_literal latch_literal(const aiger *g, uint32_t latch) {
  return 2 * (g->input_count + 1 + latch);
}

static void make_latches(aiger *g) {
  for (uint32_t i = 0; i < g->c->latches.count; i++)
    g->of_gate[g->c->latches.items[i].gate] =
        latch_literal(g, i) ^ g->c->latches.items[i].initially;
}

/* ---- gates ---- */

static void make_gates(aiger *g, gate_id first, gate_id end) {
  for (gate_id i = first; i < end; i++) {
    if (g->c->gates.items[i].kind != GATE_AND) continue;
    aiger_literal all = 1;
    for (uint32_t k = 0; k < g->c->gates.items[i].input_count; k++)
      all = make_and(g, all, literal_of(g, gate_inputs(g->c, i)[k]));
    g->of_gate[i] = all;
  }
}

/* From false places on, as many rounds as there are places: then nothing changes any more. */
static void make_component(aiger *g, const circuit_component *component) {
  const circuit_place *places = vec_from(&g->c->places, component->first_place);
  for (uint32_t i = 0; i < component->place_count; i++) g->of_gate[places[i].gate] = 0;
  for (uint32_t round = 0; round < component->place_count; round++) {
    make_gates(g, component->first, component->end);
    for (uint32_t i = 0; i < component->place_count; i++)
      g->of_gate[places[i].gate] = literal_of(g, places[i].definition);
  }
  make_gates(g, component->first, component->end);
}

static void make_circuit(aiger *g) {
  gate_id done = 0;
  for (uint32_t i = 0; i < g->c->components.count; i++) {
    make_gates(g, done, g->c->components.items[i].first);
    make_component(g, &g->c->components.items[i]);
    done = g->c->components.items[i].end;
  }
  make_gates(g, done, g->c->gates.count);
}

static aiger_literal make_legal_step(aiger *g) {
  aiger_literal ok = negate(literal_of(g, g->c->terminal));
  for (uint32_t role = 0; role < g->c->roles.count; role++) {
    const circuit_role *r = &g->c->roles.items[role];
    aiger_literal any = 0;
    for (uint32_t i = r->first_move; i < r->first_move + r->move_count; i++)
      any = make_or(g, any, make_and(g, g->does[i], literal_of(g, g->c->moves.items[i].legal)));
    ok = make_and(g, ok, any);
  }
  return ok;
}

/* ---- writing ---- */

static void write_delta(uint32_t delta, text *out) {
  for (; delta >= 0x80; delta >>= 7) text_add_char(out, (char)(delta | 0x80));
  text_add_char(out, (char)delta);
}

static void write_ands(const aiger *g, text *out) {
  aiger_literal left = 2 * (g->input_count + g->latch_count);
  for (uint32_t i = 0; i < g->ands.count; i++) {
    left += 2;
    write_delta(left - g->ands.items[i].a, out);
    write_delta(g->ands.items[i].a - g->ands.items[i].b, out);
  }
}

static void write_names(const aiger *g, const char *name, text *out) {
  const circuit *c = g->c;
  uint32_t input = 0;
  for (uint32_t role = 0; role < c->roles.count; role++)
    for (uint32_t i = 0; i + 1 < c->roles.items[role].move_count; i++) {
      text_add_format(out, "i%u (does ", input++);
      term_print(c->terms, c->roles.items[role].term, NOTATION_KIF, NULL, out);
      text_add_char(out, ' ');
      term_print(c->terms, c->moves.items[c->roles.items[role].first_move + i].term, NOTATION_KIF,
                 NULL, out);
      text_add(out, ")\n");
    }
  for (uint32_t i = 0; i < c->latches.count; i++) {
    const uint32_t fluent = c->latches.items[i].fluent;
    const bool is_negated =
        wire_is_negated(c->fluents.items[fluent].now) != c->latches.items[i].initially;
    text_add_format(out, "l%u %s", i, is_negated ? "(not " : "");
    term_print(c->terms, c->fluents.items[fluent].term, NOTATION_KIF, NULL, out);
    text_add(out, is_negated ? ")\n" : "\n");
  }
  text_add_format(out, "l%u not valid\no0 %s\n", c->latches.count, name);
}

static uint32_t count_inputs(const circuit *c) {
  uint32_t count = 0;
  for (uint32_t role = 0; role < c->roles.count; role++)
    if (c->roles.items[role].move_count) count += c->roles.items[role].move_count - 1;
  return count;
}

static bool is_too_large(const circuit *c) {
  uint64_t repeated = 0;
  for (uint32_t i = 0; i < c->components.count; i++)
    repeated += (uint64_t)(c->components.items[i].end - c->components.items[i].first) *
                c->components.items[i].place_count;
  return repeated > REPEATED_GATES_MAX;
}

bool aiger_write(const circuit *c, uint32_t target, const char *name, text *out,
                 const char **complaint) {
  if (is_too_large(c)) {
    *complaint = "recursive rules are too large to be written out";
    return false;
  }
  arena *keep = arena_new();
  aiger g = {.c = c,
             .keep = keep,
             .input_count = count_inputs(c),
             .latch_count = c->latches.count + 1,
             .of_gate = arena_zero_array(keep, aiger_literal, c->gates.count + 1),
             .does = arena_zero_array(keep, aiger_literal, c->moves.count + 1)};
  make_moves(&g);
  make_latches(&g);
  make_circuit(&g);
  const aiger_literal invalid = latch_literal(&g, c->latches.count);
  const aiger_literal now_invalid = make_or(&g, invalid, negate(make_legal_step(&g)));
  const aiger_literal bad = make_and(&g, negate(invalid), literal_of(&g, c->targets.items[target]));
  text_add_format(out, "aig %u %u %u 1 %u\n", g.input_count + g.latch_count + g.ands.count,
                  g.input_count, g.latch_count, g.ands.count);
  for (uint32_t i = 0; i < c->latches.count; i++)
    text_add_format(out, "%u\n",
                    literal_of(&g, c->latches.items[i].next) ^ c->latches.items[i].initially);
  text_add_format(out, "%u\n%u\n", now_invalid, bad);
  write_ands(&g, out);
  write_names(&g, name, out);
  arena_free(keep);
  return true;
}
