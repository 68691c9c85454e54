#include "machine/circuit/circuit_machine.h"

#include "circuit/guard_moves.h"
#include "machine/circuit/circuit_network.h"

#include <string.h>

typedef struct network_machine {
  grounded_machine common;
  circuit guarded; /* of g, with moves guarded */
  move_guards guards;
  uint64_t **guarded_moves; /* by role: a bit for each of its moves */
  network n;
} network_machine;

typedef struct workspace {
  machine_workspace base;
  arena *keep;
  network_state s;
  uint64_t *position; /* that the latches of `s` have */
  move_id *joint;     /* that its moves are */
} workspace;

static const network_machine *of(const machine *m) { return (const network_machine *)m; }

/* ---- opening ---- */

static void list_guarded_moves(network_machine *m) {
  const circuit *c = &m->guarded;
  m->guarded_moves = arena_new_array(m->common.g.keep, uint64_t *, c->roles.count + 1);
  for (uint32_t role = 0; role < c->roles.count; role++) {
    const circuit_role *r = &c->roles.items[role];
    uint64_t *bits = arena_zero_array(m->common.g.keep, uint64_t, r->move_count / 64 + 1);
    for (uint32_t i = 0; i < r->move_count; i++)
      if (m->guards.is_guarded[r->first_move + i]) bits[i / 64] |= UINT64_C(1) << i % 64;
    m->guarded_moves[role] = bits;
  }
}

static machine *open_circuit(const machine_source *source, budget *b, diag_sink *d) {
  network_machine *m =
      (network_machine *)grounded_machine_open(&circuit_machine, sizeof *m, source, b, d);
  if (!m) return NULL;
  circuit_guard_moves(&m->guarded, &m->guards, &m->common.g.circuit, m->common.g.keep);
  list_guarded_moves(m);
  network_build(&m->n, &m->guarded, m->guards.guards, m->common.g.keep);
  return &m->common.base;
}

static void close_circuit(machine *base) {
  network_machine *m = (network_machine *)base;
  grounded_close(&m->common.g);
}

static machine_workspace *workspace_new(const machine *base, budget *b) {
  const network_machine *m = of(base);
  arena *keep = arena_new();
  workspace *w = arena_alloc_zero(keep, sizeof *w);
  *w = (workspace){.base.budget = b, .keep = keep};
  w->position = arena_new_array(keep, uint64_t, grounded_words(&m->common.g) + 1);
  w->joint = arena_zero_array(keep, move_id, base->role_count + 1);
  grounded_start(&m->common.g, w->position);
  network_state_init(&w->s, &m->n, w->position, w->joint, keep);
  return &w->base;
}

static void workspace_free(machine_workspace *base) { arena_free(((workspace *)base)->keep); }

/* ---- where the workspace is ---- */

static void seek(const network_machine *m, workspace *w, const uint64_t *position) {
  for (uint32_t word = 0; word < grounded_words(&m->common.g); word++) {
    for (uint64_t changed = w->position[word] ^ position[word]; changed; changed &= changed - 1) {
      const uint32_t latch = word * 64 + (uint32_t)__builtin_ctzll(changed);
      network_flip(&m->n, &w->s, m->n.node_of[m->guarded.latches.items[latch].gate]);
    }
    w->position[word] = position[word];
  }
}

/* Only the input that stands for the move itself is flipped: of a role's two moves, one has none.
 */
static void flip_move(const network_machine *m, workspace *w, uint32_t role, move_id move) {
  const circuit *c = &m->guarded;
  const wire does = c->moves.items[c->roles.items[role].first_move + move].does;
  if (wire_is_constant(does) || wire_is_negated(does)) return;
  network_flip(&m->n, &w->s, m->n.node_of[wire_gate(does)]);
}

static void set_joint(const network_machine *m, workspace *w, const move_id *joint) {
  for (uint32_t role = 0; role < m->common.base.role_count; role++) {
    if (w->joint[role] == joint[role]) continue;
    flip_move(m, w, role, w->joint[role]);
    flip_move(m, w, role, joint[role]);
    w->joint[role] = joint[role];
  }
}

/* ---- answers ---- */

static bool terminal(const machine *base, machine_workspace *w, const void *position) {
  const network_machine *m = of(base);
  workspace *own = (workspace *)w;
  if (w->trouble.is_there) return true;
  seek(m, own, position);
  network_update(&m->n, &own->s, LAYER_LEGAL);
  return network_wire(&m->n, &own->s, m->guarded.terminal);
}

static uint32_t legal(const machine *base, machine_workspace *w, const void *position,
                      uint32_t role, move_id *moves, uint32_t capacity) {
  const network_machine *m = of(base);
  workspace *own = (workspace *)w;
  const uint64_t *bits = own->s.outputs + m->n.legal_word[role];
  const uint32_t words = (m->guarded.roles.items[role].move_count + 63) / 64;
  uint32_t count = 0;
  seek(m, own, position);
  network_update(&m->n, &own->s, LAYER_LEGAL);
  const uint64_t barred = network_wire(&m->n, &own->s, m->guards.guards[role]) ? 0 : UINT64_MAX;
  for (uint32_t word = 0; word < words; word++)
    for (uint64_t left = bits[word] & ~(m->guarded_moves[role][word] & barred); left;
         left &= left - 1) {
      if (count < capacity) moves[count] = word * 64 + (uint32_t)__builtin_ctzll(left);
      count++;
    }
  return count;
}

static uint32_t goals(const machine *base, machine_workspace *w, const void *position,
                      uint32_t role, int32_t *values, uint32_t capacity) {
  const network_machine *m = of(base);
  workspace *own = (workspace *)w;
  uint32_t count = 0;
  seek(m, own, position);
  network_update(&m->n, &own->s, LAYER_GOALS);
  for (uint32_t i = m->common.g.goals_of[role]; i < m->common.g.goals_of[role + 1]; i++) {
    const uint32_t goal = m->common.g.goals[i];
    if (!network_wire(&m->n, &own->s, m->guarded.goals.items[goal].holds)) continue;
    if (count < capacity) values[count] = m->common.g.goal_values[goal];
    count++;
  }
  return count;
}

static void make_step(const machine *base, machine_workspace *w, const void *position,
                      const move_id *joint, void *next) {
  const network_machine *m = of(base);
  workspace *own = (workspace *)w;
  seek(m, own, position);
  set_joint(m, own, joint);
  network_update(&m->n, &own->s, LAYER_NEXT);
  memcpy(next, own->s.outputs + m->n.next_word, base->position_size);
}

static uint32_t sees(const machine *base, machine_workspace *w, const void *position,
                     const move_id *joint, uint32_t role, percept_id *percepts, uint32_t capacity) {
  const network_machine *m = of(base);
  const grounded *g = machine_grounded(base);
  workspace *own = (workspace *)w;
  uint32_t count = 0;
  seek(m, own, position);
  set_joint(m, own, joint);
  network_update(&m->n, &own->s, LAYER_PERCEPTS);
  for (uint32_t i = g->percepts_of[role]; i < g->percepts_of[role + 1]; i++) {
    const wire holds = m->guarded.percepts.items[g->percepts[i]].holds;
    if (!network_wire(&m->n, &own->s, holds)) continue;
    if (count < capacity) percepts[count] = i - g->percepts_of[role];
    count++;
  }
  return count;
}

const machine_ops circuit_machine = {
    .name = "circuit",
    .summary = "one state at a time on the circuit; only what changed is computed; for tree search",
    .needs_grounding = true,
    .open = open_circuit,
    .close = close_circuit,
    .workspace_new = workspace_new,
    .workspace_free = workspace_free,
    .start = grounded_machine_start,
    .terminal = terminal,
    .legal = legal,
    .goals = goals,
    .step = make_step,
    .sees = sees,
    .fluents = grounded_machine_fluents,
    .find_fluent = grounded_machine_find_fluent,
    .place = grounded_machine_place,
    .fluent_text = grounded_machine_fluent_text,
    .move_text = grounded_machine_move_text,
    .percept_text = grounded_machine_percept_text,
};
