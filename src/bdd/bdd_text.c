#include "bdd/bdd_text.h"

static void put(text *out, uint64_t number) {
  text_add_number(out, number);
  text_add_char(out, ' ');
}

static void put_word(text *out, const char *word) {
  text_add(out, word);
  text_add_char(out, ' ');
}

/* ---- bits ---- */

static uint32_t bit_of_code(uint32_t code, const bdd_group *g, uint32_t bit) {
  return code >> (g->bit_count - 1 - bit) & 1;
}

static void put_bits(const circuit *c, const bdd_encoding *e, arena *scratch, text *out) {
  uint32_t *start = arena_zero_array(scratch, uint32_t, (size_t)e->bit_count + 1);
  for (uint32_t l = 0; l < c->latches.count; l++) {
    const bdd_group *g = &e->groups.items[e->group_of[l]];
    for (uint32_t b = 0; b < g->bit_count && c->latches.items[l].initially; b++)
      start[g->first_bit + b] = bit_of_code(e->code_of[l], g, b);
  }
  put_word(out, "\nbits");
  put(out, e->bit_count);
  for (uint32_t b = 0; b < e->bit_count; b++) put(out, start[b]);
}

static void put_latches(const circuit *c, const bdd_encoding *e, text *out) {
  put_word(out, "\nlatches");
  put(out, c->latches.count);
  for (uint32_t l = 0; l < c->latches.count; l++) {
    const bdd_group *g = &e->groups.items[e->group_of[l]];
    put(out, g->bit_count);
    for (uint32_t b = 0; b < g->bit_count; b++) {
      put(out, g->first_bit + b);
      put(out, bit_of_code(e->code_of[l], g, b));
    }
  }
}

static void put_codes_of(const bdd_encoding *e, const bdd_group *g, uint32_t bit, text *out) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < g->latches.count; i++)
    count += bit_of_code(e->code_of[g->latches.items[i]], g, bit);
  put(out, count);
  for (uint32_t i = 0; i < g->latches.count; i++)
    if (bit_of_code(e->code_of[g->latches.items[i]], g, bit)) put(out, g->latches.items[i]);
}

/* By bit: groups are not in the order of their bits. */
static void put_codes(const bdd_encoding *e, arena *scratch, text *out) {
  uint32_t *group_at = arena_new_array(scratch, uint32_t, (size_t)e->bit_count + 1);
  for (uint32_t g = 0; g < e->groups.count; g++)
    for (uint32_t b = 0; b < e->groups.items[g].bit_count; b++)
      group_at[e->groups.items[g].first_bit + b] = g;
  put_word(out, "\ncodes");
  for (uint32_t b = 0; b < e->bit_count; b++) {
    const bdd_group *g = &e->groups.items[group_at[b]];
    put_codes_of(e, g, b - g->first_bit, out);
  }
}

/* ---- the circuit ---- */

static void put_gate(const circuit *c, gate_id g, text *out) {
  static const char *const kinds[] = {[GATE_CONSTANT] = "c",
                                      [GATE_LATCH] = "l",
                                      [GATE_MOVE] = "m",
                                      [GATE_LOOP] = "p",
                                      [GATE_AND] = "a"};
  const gate *it = &c->gates.items[g];
  put_word(out, kinds[it->kind]);
  if (it->kind == GATE_CONSTANT) return;
  put(out, it->kind == GATE_AND ? it->input_count : it->number);
  for (uint32_t i = 0; it->kind == GATE_AND && i < it->input_count; i++)
    put(out, gate_inputs(c, g)[i]);
}

static void put_components(const circuit *c, text *out) {
  put_word(out, "\ncomponents");
  put(out, c->components.count);
  for (uint32_t i = 0; i < c->components.count; i++) {
    const circuit_component *it = &c->components.items[i];
    put(out, it->first);
    put(out, it->end);
    put(out, it->place_count);
    for (uint32_t p = it->first_place; p < it->first_place + it->place_count; p++) {
      put(out, c->places.items[p].gate);
      put(out, c->places.items[p].definition);
    }
  }
}

static void put_roles(const circuit *c, text *out) {
  put_word(out, "\nroles");
  put(out, c->roles.count);
  for (uint32_t r = 0; r < c->roles.count; r++) {
    const circuit_role *role = &c->roles.items[r];
    put(out, role->move_count);
    for (uint32_t m = role->first_move; m < role->first_move + role->move_count; m++) {
      put(out, c->moves.items[m].legal);
      put(out, c->moves.items[m].does);
    }
  }
}

static void put_circuit(const circuit *c, text *out) {
  put_word(out, "\ngates");
  put(out, c->gates.count);
  for (gate_id g = 0; g < c->gates.count; g++) put_gate(c, g, out);
  put_components(c, out);
  put_word(out, "\nnext");
  for (uint32_t l = 0; l < c->latches.count; l++) put(out, c->latches.items[l].next);
  put_roles(c, out);
  put_word(out, "\nterminal");
  put(out, c->terminal);
  put_word(out, "\ntargets");
  put(out, c->targets.count);
  for (uint32_t t = 0; t < c->targets.count; t++) put(out, c->targets.items[t]);
}

void bdd_write_question(const circuit *c, const bdd_encoding *e, bdd_wish wish, text *out) {
  arena *scratch = arena_new();
  text_add_format(out, "tabia-bdd 1\nmemory %llu depth %u ends %d", (unsigned long long)wish.bytes,
                  wish.depth, wish.asks_ends);
  put_bits(c, e, scratch, out);
  put_latches(c, e, out);
  put_codes(e, scratch, out);
  put_circuit(c, out);
  text_add(out, "\nend\n");
  arena_free(scratch);
}
