#include "induct/random_states.h"

#include "base/rng.h"
#include "circuit/simulate.h"

#include <string.h>

enum { LANES = 64 };

/* For playing on: words in a sample, gates evaluated for it, and steps without anything new. */
enum { WORDS_MAX = 1 << 22, GATES_MAX = 1 << 26, PATIENCE = 8 };

typedef struct player {
  const circuit *c;
  uint64_t *values; /* by gate */
  uint64_t *next;   /* by latch */
  rng r;
} player;

static void set_latches(player *p, const uint64_t *words) {
  for (uint32_t i = 0; i < p->c->latches.count; i++)
    p->values[p->c->latches.items[i].gate] = words[i];
}

static void clear_moves(player *p) {
  for (uint32_t i = 0; i < p->c->moves.count; i++) {
    const wire does = p->c->moves.items[i].does;
    if (!wire_is_constant(does)) p->values[wire_gate(does)] = 0;
  }
}

/* A random legal move of the role in every game; the games without one are given back. */
static uint64_t choose_moves(player *p, const circuit_role *r) {
  uint32_t seen[LANES] = {0};
  uint32_t chosen[LANES] = {0};
  for (uint32_t m = r->first_move; m < r->first_move + r->move_count; m++) {
    uint64_t legal = wire_value(p->values, p->c->moves.items[m].legal);
    for (; legal; legal &= legal - 1) {
      const int lane = __builtin_ctzll(legal);
      if (rng_below(&p->r, ++seen[lane]) == 0) chosen[lane] = m;
    }
  }
  uint64_t stuck = 0;
  for (uint32_t lane = 0; lane < LANES; lane++) {
    const wire does = seen[lane] ? p->c->moves.items[chosen[lane]].does : WIRE_FALSE;
    if (!seen[lane]) stuck |= UINT64_C(1) << lane;
    if (!wire_is_constant(does) && !wire_is_negated(does))
      p->values[wire_gate(does)] |= UINT64_C(1) << lane;
  }
  return stuck;
}

static void read_next(player *p, uint64_t over) {
  for (uint32_t i = 0; i < p->c->latches.count; i++) {
    const circuit_latch *l = &p->c->latches.items[i];
    const uint64_t start = l->initially ? UINT64_MAX : 0;
    p->next[i] = (wire_value(p->values, l->next) & ~over) | (start & over);
  }
}

static void make_step(player *p) {
  clear_moves(p);
  circuit_simulate(p->c, p->values);
  uint64_t over = wire_value(p->values, p->c->terminal);
  for (uint32_t r = 0; r < p->c->roles.count; r++) over |= choose_moves(p, &p->c->roles.items[r]);
  circuit_simulate(p->c, p->values);
  read_next(p, over);
}

/* ---- samples ---- */

typedef struct sampling {
  player p;
  sample *s;
  uint32_t played;   /* steps */
  bool *was_true;    /* by latch */
  uint32_t last_new; /* the last step in which a latch was true for the first time */
} sampling;

/* True: some latch is true for the first time. */
static bool note_new(sampling *x) {
  bool is_new = false;
  for (uint32_t i = 0; i < x->s->latch_count; i++) {
    if (x->was_true[i] || !x->p.next[i]) continue;
    is_new = x->was_true[i] = true;
    x->last_new = x->played;
  }
  return is_new;
}

static bool is_worth_more(const sampling *x) {
  return x->played <= x->last_new + PATIENCE &&
         (uint64_t)x->played * x->p.c->gates.count < GATES_MAX &&
         (uint64_t)x->s->step_count * x->s->latch_count < WORDS_MAX;
}

static void play(sample *s, const circuit *c, uint32_t steps, bool goes_on, uint64_t seed,
                 arena *keep, budget *limits) {
  arena *scratch = arena_new();
  sampling x = {.p = {.c = c,
                      .values = arena_zero_array(scratch, uint64_t, c->gates.count + 1),
                      .next = arena_zero_array(scratch, uint64_t, c->latches.count + 1),
                      .r = rng_new(seed, 0)},
                .s = s,
                .was_true = arena_zero_array(scratch, bool, c->latches.count + 1)};
  *s = (sample){.latch_count = c->latches.count};
  read_next(&x.p, UINT64_MAX);
  for (; x.played < steps || (goes_on && is_worth_more(&x)); x.played++) {
    if (budget_check_now(limits)) break;
    if (note_new(&x) || x.played < steps) {
      vec_append(keep, &s->words, x.p.next, c->latches.count);
      s->step_count++;
    }
    set_latches(&x.p, x.p.next);
    make_step(&x.p);
  }
  arena_free(scratch);
}

void sample_play(sample *s, const circuit *c, uint32_t steps, uint64_t seed, arena *keep,
                 budget *limits) {
  play(s, c, steps, false, seed, keep, limits);
}

void sample_play_on(sample *s, const circuit *c, uint32_t steps, uint64_t seed, arena *keep,
                    budget *limits) {
  play(s, c, steps, true, seed, keep, limits);
}
