#include "machine/circuit_positions.h"

grounded_machine *grounded_machine_open(const machine_ops *ops, size_t size,
                                        const machine_source *source, budget *b, diag_sink *d) {
  grounded g;
  if (!grounded_open(&g, source, b, d)) {
    grounded_close(&g);
    return NULL;
  }
  grounded_machine *m = arena_alloc_zero(g.keep, size);
  m->g = g;
  m->base = (machine){.ops = ops,
                      .position_size = grounded_words(&g) * sizeof(uint64_t),
                      .role_count = g.circuit.roles.count,
                      .roles = g.roles,
                      .numbers = &m->g.numbers,
                      .grounded = &m->g};
  return m;
}

void grounded_machine_start(const machine *m, void *position) {
  grounded_start(machine_grounded(m), position);
}

uint32_t grounded_machine_fluents(const machine *m, const void *position, fluent_id *fluents,
                                  uint32_t capacity) {
  return grounded_fluents(machine_grounded(m), position, fluents, capacity);
}

fluent_id grounded_machine_find_fluent(const machine *m, const char *canonical) {
  return grounded_find_fluent(machine_grounded(m), canonical);
}

bool grounded_machine_place(const machine *m, const fluent_id *fluents, uint32_t count,
                            void *position) {
  grounded_place(machine_grounded(m), fluents, count, position);
  return true;
}

void grounded_machine_fluent_text(const machine *m, fluent_id f, text *out) {
  grounded_fluent_text(machine_grounded(m), f, out);
}

void grounded_machine_move_text(const machine *m, uint32_t role, move_id move, text *out) {
  grounded_move_text(machine_grounded(m), role, move, out);
}

void grounded_machine_percept_text(const machine *m, uint32_t role, percept_id percept, text *out) {
  grounded_percept_text(machine_grounded(m), role, percept, out);
}
