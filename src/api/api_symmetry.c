#include "api/api.h"

#include "machine/circuit_positions.h"
#include "symmetry/automorphism.h"
#include "symmetry/state_group.h"

struct tabia_symmetries {
  arena *keep;
  const grounded *g;
  symmetries found;
  uint32_t order;
  bool is_whole;
  uint32_t *moves;      /* of the ground rules: by move of the circuit */
  uint32_t *first_move; /* of the circuit: by role, and one more */
  uint32_t *move_of;    /* of the circuit: by move of the ground rules; ID_NONE: never legal */
};

/* The circuit has no moves that are never legal. */
static void number_moves(tabia_symmetries *x) {
  const ground_program *g = &x->g->ground;
  uint32_t count = 0;
  x->moves = arena_new_array(x->keep, uint32_t, g->moves.count + (size_t)1);
  x->move_of = arena_new_array(x->keep, uint32_t, g->moves.count + (size_t)1);
  x->first_move = arena_new_array(x->keep, uint32_t, g->roles.count + (size_t)1);
  for (uint32_t role = 0; role < g->roles.count; role++) {
    const ground_role *r = &g->roles.items[role];
    x->first_move[role] = count;
    for (uint32_t i = r->first_move; i < r->first_move + r->move_count; i++) {
      x->move_of[i] = g->moves.items[i].legal == ATOM_NONE ? ID_NONE : count;
      if (x->move_of[i] != ID_NONE) x->moves[count++] = i;
    }
  }
  x->first_move[g->roles.count] = count;
}

static void find_order(tabia_symmetries *x, budget *b) {
  state_group group;
  arena *scratch = arena_new();
  const circuit *c = &x->g->circuit;
  state_group_find(&group, &x->g->ground, c, (c->latches.count + 7) / 8, scratch, b);
  x->order = group.order;
  x->is_whole = x->found.is_whole && group.is_whole;
  arena_free(scratch);
}

static tabia_status find(tabia_symmetries **out, const tabia_machine *m, const tabia_limits *limits,
                         tabia_messages *log) {
  if (!m->m->grounded) {
    api_tell_error(log, "finding symmetries needs a machine with a circuit: `lanes` or `circuit`");
    return TABIA_FAULTY;
  }
  arena *keep = arena_new();
  budget b = api_budget(limits);
  b.stage = "looking for symmetries";
  tabia_symmetries *x = arena_alloc_zero(keep, sizeof *x);
  *x = (tabia_symmetries){.keep = keep, .g = machine_grounded(m->m)};
  number_moves(x);
  symmetries_find(&x->found, &x->g->ground, true, keep, &b);
  find_order(x, &b);
  *out = x;
  return TABIA_OK;
}

tabia_status tabia_symmetries_find(tabia_symmetries **out, const tabia_machine *m,
                                   const tabia_limits *limits, tabia_messages *log) {
  *out = NULL;
  API_GUARDED(tabia_status, find(out, m, limits, log), api_no_memory(log));
}

void tabia_symmetries_free(tabia_symmetries *x) {
  if (x) arena_free(x->keep);
}

bool tabia_symmetries_possible(void) { return automorphisms_are_possible(); }

uint32_t tabia_symmetries_count(const tabia_symmetries *x) { return x->found.items.count; }

bool tabia_symmetries_are_all(const tabia_symmetries *x) { return x->is_whole; }

uint32_t tabia_symmetries_order(const tabia_symmetries *x) { return x->order; }

uint32_t tabia_symmetries_role(const tabia_symmetries *x, uint32_t i, uint32_t role) {
  return x->found.items.items[i].roles[role];
}

tabia_move tabia_symmetries_move(const tabia_symmetries *x, uint32_t i, uint32_t role,
                                 tabia_move move) {
  const uint32_t from = x->moves[x->first_move[role] + move];
  const uint32_t to = x->move_of[x->found.items.items[i].moves[from]];
  return to - x->first_move[tabia_symmetries_role(x, i, role)];
}

uint32_t tabia_symmetries_move_count(const tabia_symmetries *x, uint32_t role) {
  return x->first_move[role + 1] - x->first_move[role];
}

uint32_t tabia_symmetries_percept_count(const tabia_symmetries *x, uint32_t role) {
  return x->g->percepts_of[role + 1] - x->g->percepts_of[role];
}

static const ground_outcome *percept_at(const tabia_symmetries *x, uint32_t role,
                                        tabia_percept percept) {
  return &x->g->ground.percepts.items[x->g->percepts[x->g->percepts_of[role] + percept]];
}

/* Percepts of a role that have one atom are seen together: they keep their order. */
static uint32_t count_before(const tabia_symmetries *x, uint32_t role, tabia_percept percept) {
  uint32_t count = 0;
  const atom_id atom = percept_at(x, role, percept)->atom;
  for (tabia_percept p = 0; p < percept; p++) count += percept_at(x, role, p)->atom == atom;
  return count;
}

tabia_percept tabia_symmetries_percept(const tabia_symmetries *x, uint32_t i, uint32_t role,
                                       tabia_percept percept) {
  const uint32_t image = tabia_symmetries_role(x, i, role);
  const atom_id atom = x->found.items.items[i].atoms[percept_at(x, role, percept)->atom];
  uint32_t left = count_before(x, role, percept);
  for (tabia_percept p = 0; p < tabia_symmetries_percept_count(x, image); p++)
    if (percept_at(x, image, p)->atom == atom && left-- == 0) return p;
  return percept; /* not reached: the proof has found it */
}

uint32_t tabia_symmetries_fluent_count(const tabia_symmetries *x) {
  return x->g->ground.fluents.count;
}

tabia_fluent tabia_symmetries_fluent(const tabia_symmetries *x, uint32_t i, tabia_fluent f) {
  return x->found.items.items[i].fluents[f];
}
