#include "induct/cores.h"

#include "induct/near.h"

#include <string.h>

/* Each with four times the conflicts of the one before. */
enum { TRIES_MAX = 4 };

/* A guess, or one of the two halves of 'exactly one'. */
typedef struct claim {
  sat_literal guard;     /* it is assumed before the step */
  sat_literal violation; /* it does not hold after the step; 0: not made yet */
  bool stands;           /* nothing speaks against it yet */
  bool is_open;          /* it stands and is to be asked */
  uint32_t tries;        /* that have led to no answer */
  id_vec rests_on;       /* claims that its proof uses */
} claim;

typedef struct elimination {
  const circuit *c;
  fact_set facts; /* of the claims */
  VEC(claim) claims;
  unrolling *u;
  uint32_t conflicts;
  budget *limits;
  arena *scratch;
} elimination;

/* ---- claims ---- */

static void add_claim(elimination *e, const fact_set *from, const fact *f, fact_kind kind) {
  const claim fresh = {.guard = sat_variable(unroll_solver(e->u)), .stands = true, .is_open = true};
  vec_push(e->scratch, &e->claims, fresh);
  fact_add(&e->facts, kind, vec_from(&from->members, f->first), f->count);
  fact_require(&e->facts, e->c, &vec_last(&e->facts.all), e->u, 0, fresh.guard);
}

static void add_claims(elimination *e, const fact_set *guesses) {
  for (uint32_t i = 0; i < guesses->all.count; i++) {
    const fact *f = &guesses->all.items[i];
    if (!fact_holds_at_start(guesses, e->c, f)) continue;
    if (f->kind != FACT_AT_LEAST_ONE) add_claim(e, guesses, f, FACT_AT_MOST_ONE);
    if (f->kind != FACT_AT_MOST_ONE) add_claim(e, guesses, f, FACT_AT_LEAST_ONE);
  }
}

static bool rests_on(const claim *it, uint32_t other) {
  for (uint32_t i = 0; i < it->rests_on.count; i++)
    if (it->rests_on.items[i] == other) return true;
  return false;
}

static void let_fall(elimination *e, uint32_t number) {
  claim *it = &e->claims.items[number];
  it->stands = it->is_open = false;
  for (uint32_t i = 0; i < e->claims.count; i++) {
    claim *other = &e->claims.items[i];
    if (other->stands && rests_on(other, number)) other->is_open = true;
  }
}

/* ---- questions ---- */

static sat_literal violation_of(elimination *e, uint32_t number) {
  claim *it = &e->claims.items[number];
  if (!it->violation)
    it->violation = fact_violation(&e->facts, e->c, &e->facts.all.items[number], e->u, 1);
  return it->violation;
}

static sat_answer ask(elimination *e, uint32_t number) {
  const arena_mark mark = arena_save(e->scratch);
  const uint32_t conflicts = e->conflicts << (2 * e->claims.items[number].tries);
  sat_literal *assumed = arena_new_array(e->scratch, sat_literal, e->claims.count + 1);
  uint32_t count = 0;
  assumed[count++] = violation_of(e, number);
  for (uint32_t i = 0; i < e->claims.count; i++)
    if (e->claims.items[i].stands) assumed[count++] = e->claims.items[i].guard;
  const sat_answer answer = sat_solve(unroll_solver(e->u), assumed, count, conflicts);
  arena_restore(e->scratch, mark);
  return answer;
}

static void note_proof(elimination *e, uint32_t number) {
  claim *it = &e->claims.items[number];
  it->is_open = false;
  it->rests_on.count = 0;
  for (uint32_t i = 0; i < e->claims.count; i++)
    if (e->claims.items[i].stands && sat_was_used(unroll_solver(e->u), e->claims.items[i].guard))
      vec_push(e->scratch, &it->rests_on, i);
}

/* Those that the model breaks. */
static id_vec broken_claims(const elimination *e) {
  id_vec broken = {0};
  for (uint32_t i = 0; i < e->claims.count; i++) {
    const claim *it = &e->claims.items[i];
    if (it->stands && it->violation && sat_value(unroll_solver(e->u), it->violation))
      vec_push(e->scratch, &broken, i);
  }
  return broken;
}

static void ask_open_claim(elimination *e, uint32_t number) {
  const sat_answer answer = ask(e, number);
  if (answer == SAT_NO) {
    note_proof(e, number);
    return;
  }
  if (answer == SAT_UNKNOWN && ++e->claims.items[number].tries < TRIES_MAX) return;
  const id_vec broken = answer == SAT_YES ? broken_claims(e) : (id_vec){0};
  for (uint32_t i = 0; i < broken.count; i++) let_fall(e, broken.items[i]);
  if (e->claims.items[number].stands) let_fall(e, number);
}

static bool has_time(const elimination *e) { return !(e->limits && budget_check_now(e->limits)); }

/* That was tried least; ID_NONE: none is open. */
static uint32_t next_open(const elimination *e) {
  uint32_t best = ID_NONE;
  for (uint32_t i = 0; i < e->claims.count; i++) {
    const claim *it = &e->claims.items[i];
    if (it->is_open && (best == ID_NONE || it->tries < e->claims.items[best].tries)) best = i;
  }
  return best;
}

/* What is still open when time is up falls, and all that rests on it. */
static void settle(elimination *e) {
  for (uint32_t i; (i = next_open(e)) != ID_NONE;) {
    if (has_time(e))
      ask_open_claim(e, i);
    else
      let_fall(e, i);
  }
}

/* Claim `i` and the next one are the halves of 'exactly one', and both stand. */
static bool is_exactly_one(const elimination *e, uint32_t i) {
  if (i + 1 >= e->claims.count || !e->claims.items[i + 1].stands) return false;
  const fact *most = &e->facts.all.items[i], *least = most + 1;
  return most->kind == FACT_AT_MOST_ONE && least->kind == FACT_AT_LEAST_ONE &&
         most->count == least->count &&
         memcmp(vec_from(&e->facts.members, most->first), vec_from(&e->facts.members, least->first),
                most->count * sizeof(uint32_t)) == 0;
}

static void keep_proved(const elimination *e, fact_set *proved, induct_counts *counts) {
  for (uint32_t i = 0; i < e->claims.count; i++) {
    if (!e->claims.items[i].stands) continue;
    const fact *f = &e->facts.all.items[i];
    const bool is_whole = is_exactly_one(e, i);
    fact_add(proved, is_whole ? FACT_EXACTLY_ONE : f->kind, vec_from(&e->facts.members, f->first),
             f->count);
    counts->proved++;
    if (is_whole) i++;
  }
}

void prove_with_cores(fact_set *proved, const fact_set *guesses, const circuit *c,
                      uint32_t conflicts, budget *limits, induct_counts *counts) {
  arena *scratch = arena_new();
  elimination e = {.c = c,
                   .facts = {.keep = scratch},
                   .u = unroll_new(c, false, limits),
                   .conflicts = conflicts,
                   .limits = limits,
                   .scratch = scratch};
  for (uint32_t i = 0; i < proved->all.count; i++)
    fact_require(proved, c, &proved->all.items[i], e.u, 0, 0);
  require_open_if_near(e.u, c, 0);
  add_claims(&e, guesses);
  settle(&e);
  keep_proved(&e, proved, counts);
  counts->rounds++;
  counts->questions += sat_count(unroll_solver(e.u)).questions;
  unroll_free(e.u);
  arena_free(scratch);
}
