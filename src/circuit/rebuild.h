/* Builds a circuit from another, gate by gate. */
#ifndef TABIA_CIRCUIT_REBUILD_H
#define TABIA_CIRCUIT_REBUILD_H

#include "circuit/gate_maker.h"

typedef struct rebuild {
  const circuit *in;
  circuit *out;
  gate_maker maker;
  arena *scratch;
  budget *limits;   /* when they are spent the rest of the gates is left out; or NULL */
  uint32_t *fanout; /* by gate of `in`: as circuit_fanout counts it */
  wire *wires;      /* by gate of `in`: what it has become */
  wire_vec inputs;  /* scratch for whoever makes a gate */
} rebuild;

/* Begins with the inputs of `in`.  Latches that are merged are given by `latch_wires` (by latch of
   `in`: ID_NONE for one that stays, else a wire of `in`), or NULL. */
void rebuild_begin(rebuild *r, circuit *out, const circuit *in, const wire *latch_wires,
                   arena *keep);

/* Likewise, but only what these wires of `in` depend on is needed. */
void rebuild_begin_for(rebuild *r, circuit *out, const circuit *in, const wire *latch_wires,
                       const wire_vec *outputs, arena *keep);

/* What a wire of `in` has become. */
static inline wire rebuild_wire(const rebuild *r, wire w) {
  return r->wires[wire_gate(w)] ^ wire_is_negated(w);
}

/* Reads the new inputs of a gate of `in` into r->inputs. */
void rebuild_read_inputs(rebuild *r, gate_id g);

/* Makes a needed conjunction of `in` again. */
typedef wire rebuild_fn(rebuild *r, gate_id g, void *context);

/* Makes it as it was; `context` is not used. */
rebuild_fn rebuild_copy_gate;

/* Makes all needed gates, the recursive components and the outputs. */
void rebuild_gates(rebuild *r, rebuild_fn *make, void *context);
void rebuild_end(rebuild *r);

/* In place of rebuild_end, when the outputs are not asked for. */
void rebuild_free(rebuild *r);

/* By gate: how many needed gates read it, and two more for each output that does; 0: nothing needs
   it. */
uint32_t *circuit_fanout(const circuit *c, arena *keep);

/* Likewise, with these wires as the outputs. */
uint32_t *circuit_fanout_from(const circuit *c, const wire_vec *outputs, arena *keep);

#endif
