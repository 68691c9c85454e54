/* A circuit beside the ground rules that it was made from: for tests and the fuzz target.

   Some games are played at once, with any moves that can be legal; in every state the circuit must
   say what the rules say.  The arena holds everything. */
#ifndef TABIA_CIRCUIT_CIRCUIT_MODEL_FIXTURE_H
#define TABIA_CIRCUIT_CIRCUIT_MODEL_FIXTURE_H

#include "base/rng.h"
#include "circuit/simulate.h"
#include "ground/ground_model.h"

enum { MODEL_GAMES = 16 }; /* at most the 64 of circuit_simulate */

typedef struct circuit_trial {
  const ground_program *g;
  const circuit *c;
  ground_model model;
  uint64_t *values; /* by gate */
  bool *now;        /* by game and fluent */
  uint32_t *moves;  /* by game and role: the move of `g` that is done */
  id_vec possible;  /* moves of `g` that can be legal: those of `c`, in order */
} circuit_trial;

static inline bool game_bit(const uint64_t *values, wire w, uint32_t game) {
  return wire_value(values, w) >> game & 1;
}

static inline void set_input_wire(uint64_t *values, wire w, uint64_t games, bool yes) {
  if (wire_is_constant(w)) return;
  uint64_t *word = &values[wire_gate(w)];
  *word = yes != wire_is_negated(w) ? *word | games : *word & ~games;
}

static inline circuit_trial trial_new(const ground_program *g, const circuit *c, arena *keep) {
  circuit_trial t = {.g = g,
                     .c = c,
                     .model = model_new(g, keep),
                     .values = arena_zero_array(keep, uint64_t, c->gates.count),
                     .now = arena_zero_array(keep, bool, MODEL_GAMES * g->fluents.count + 1),
                     .moves = arena_zero_array(keep, uint32_t, MODEL_GAMES * g->roles.count + 1)};
  for (uint32_t i = 0; i < g->moves.count; i++)
    if (g->moves.items[i].legal != ATOM_NONE) vec_push(keep, &t.possible, i);
  for (uint32_t i = 0; i < MODEL_GAMES * g->fluents.count; i++)
    t.now[i] = g->fluents.items[i % g->fluents.count].initially;
  for (uint32_t i = 0; i < c->latches.count; i++)
    t.values[c->latches.items[i].gate] = c->latches.items[i].initially ? UINT64_MAX : 0;
  return t;
}

/* False: a role has no move that can be legal. */
static inline bool trial_draw_moves(circuit_trial *t, rng *r) {
  const circuit *c = t->c;
  for (uint32_t i = 0; i < c->moves.count; i++)
    set_input_wire(t->values, c->moves.items[i].does, UINT64_MAX, false);
  for (uint32_t role = 0; role < c->roles.count; role++) {
    const circuit_role *it = &c->roles.items[role];
    if (!it->move_count) return false;
    for (uint32_t game = 0; game < MODEL_GAMES; game++) {
      const uint32_t move = it->first_move + rng_below(r, it->move_count);
      set_input_wire(t->values, c->moves.items[move].does, UINT64_C(1) << game, true);
      t->moves[game * c->roles.count + role] = t->possible.items[move];
    }
  }
  return true;
}

/* What is read while no move is done; NULL: the same. */
static inline const char *trial_differs_still(circuit_trial *t, uint32_t game) {
  const circuit *c = t->c;
  const bool *now = t->now + (size_t)game * t->g->fluents.count;
  model_set_state(&t->model, now);
  model_evaluate(&t->model);
  for (uint32_t i = 0; i < c->fluents.count; i++)
    if (game_bit(t->values, c->fluents.items[i].now, game) != now[i]) return "fluents";
  for (uint32_t i = 0; i < c->moves.count; i++)
    if (game_bit(t->values, c->moves.items[i].legal, game) !=
        model_has(&t->model, t->g->moves.items[t->possible.items[i]].legal))
      return "legal moves";
  for (uint32_t i = 0; i < c->goals.count; i++)
    if (game_bit(t->values, c->goals.items[i].holds, game) !=
        model_has(&t->model, t->g->goals.items[i].atom))
      return "goals";
  if (game_bit(t->values, c->terminal, game) != model_has(&t->model, t->g->terminal))
    return "terminal";
  return NULL;
}

/* What is read while the moves are done; the game goes on to its next state. */
static inline const char *trial_differs_moving(circuit_trial *t, uint32_t game) {
  const circuit *c = t->c;
  bool *now = t->now + (size_t)game * t->g->fluents.count;
  for (uint32_t role = 0; role < c->roles.count; role++)
    model_do(&t->model, t->moves[game * c->roles.count + role]);
  model_evaluate(&t->model);
  for (uint32_t i = 0; i < c->percepts.count; i++)
    if (game_bit(t->values, c->percepts.items[i].holds, game) !=
        model_has(&t->model, t->g->percepts.items[i].atom))
      return "percepts";
  for (uint32_t i = 0; i < t->g->fluents.count; i++)
    now[i] = model_has(&t->model, t->g->fluents.items[i].next);
  return NULL;
}

static inline void trial_latch(circuit_trial *t, arena *scratch) {
  const circuit *c = t->c;
  uint64_t *next = arena_new_array(scratch, uint64_t, c->latches.count + 1);
  for (uint32_t i = 0; i < c->latches.count; i++)
    next[i] = wire_value(t->values, c->latches.items[i].next);
  for (uint32_t i = 0; i < c->latches.count; i++) t->values[c->latches.items[i].gate] = next[i];
}

/* NULL, or what differs.  Rules that are not stratified are not compared. */
static inline const char *circuit_differs(const ground_program *g, const circuit *c, uint32_t steps,
                                          rng r, arena *keep) {
  circuit_trial t = trial_new(g, c, keep);
  if (!t.model.stratified) return NULL;
  if (c->moves.count != t.possible.count || c->fluents.count != g->fluents.count)
    return "what there is";
  for (uint32_t step = 0; step < steps; step++) {
    if (!trial_draw_moves(&t, &r)) return NULL;
    circuit_simulate(c, t.values);
    for (uint32_t game = 0; game < MODEL_GAMES; game++) {
      const char *what = trial_differs_still(&t, game);
      if (!what) what = trial_differs_moving(&t, game);
      if (what) return what;
    }
    trial_latch(&t, keep);
  }
  return NULL;
}

#endif
