#include "induct/core_proofs.h"

#include "base/bitset.h"
#include "induct/lemmas.h"
#include "induct/local_wires.h"

/* Each with four times the conflicts of the one before. */
enum { TRIES_MAX = 4, TRIES_ALONE_MAX = 2 };

/* Searches for lemmas, of one claim; claims, the lemmas among them. */
enum { SEARCHES_MAX = 12, LEMMAS_MAX = 1000 };

/* A guess, or one of the two halves of 'exactly one'. */
typedef struct claim {
  bool stands;           /* nothing speaks against it yet */
  bool is_open;          /* it stands and is to be asked */
  bool is_hard;          /* it needs all that makes moves legal */
  bool is_lemma;         /* it was guessed for another */
  uint32_t searches;     /* for lemmas that it may need */
  uint32_t tries;        /* that have led to no answer */
  id_vec rests_on;       /* claims that its proof uses */
  sat_literal guard;     /* it is assumed before the step */
  sat_literal violation; /* it does not hold after the step; 0: not made yet */
} claim;

typedef struct trial {
  const circuit *c;
  const fact_set *known;
  fact_set facts; /* of the claims */
  VEC(claim) claims;
  unrolling *u;            /* of all claims; NULL: each question has its own */
  const move_table *moves; /* for questions of their own */
  const sample *seen;      /* lemmas are tried against it; NULL: none are wanted */
  uint32_t conflicts;
  budget *limits;
  arena *scratch;
  induct_counts *counts;
} trial;

/* ---- claims ---- */

static void add_claim(trial *e, const fact_set *from, const fact *f, fact_kind kind) {
  claim fresh = {.stands = true, .is_open = true};
  fact_add(&e->facts, kind, vec_from(&from->members, f->first), f->count);
  if (e->u) {
    fresh.guard = sat_variable(unroll_solver(e->u));
    fact_require(&e->facts, e->c, &vec_last(&e->facts.all), e->u, 0, fresh.guard);
  }
  vec_push(e->scratch, &e->claims, fresh);
}

static bool is_known(const trial *e, const fact_set *of, const fact *f, fact_kind kind) {
  return fact_find(e->known, of, f, kind) != ID_NONE;
}

/* The halves of the guesses that are not known yet. */
static void add_claims(trial *e, const fact_set *guesses) {
  static const fact_kind halves[] = {FACT_AT_MOST_ONE, FACT_AT_LEAST_ONE};
  for (uint32_t i = 0; i < guesses->all.count; i++) {
    const fact *f = &guesses->all.items[i];
    if (!fact_holds_at_start(guesses, e->c, f) || is_known(e, guesses, f, FACT_EXACTLY_ONE))
      continue;
    for (uint32_t k = 0; k < sizeof halves / sizeof *halves; k++)
      if ((f->kind == halves[k] || f->kind == FACT_EXACTLY_ONE) &&
          !is_known(e, guesses, f, halves[k]))
        add_claim(e, guesses, f, halves[k]);
  }
}

static bool rests_on(const claim *it, uint32_t other) {
  for (uint32_t i = 0; i < it->rests_on.count; i++)
    if (it->rests_on.items[i] == other) return true;
  return false;
}

static void let_fall(trial *e, uint32_t number) {
  claim *it = &e->claims.items[number];
  it->stands = it->is_open = false;
  for (uint32_t i = 0; i < e->claims.count; i++) {
    claim *other = &e->claims.items[i];
    if (other->stands && rests_on(other, number)) other->is_open = true;
  }
}

/* ---- questions ---- */

static sat_literal violation_of(trial *e, uint32_t number) {
  claim *it = &e->claims.items[number];
  if (!it->violation)
    it->violation = fact_violation(&e->facts, e->c, &e->facts.all.items[number], e->u, 1);
  return it->violation;
}

/* Whether the claim falls after a step before which those that are assumed hold. */
static sat_answer ask_solver(trial *e, const unrolling *u, uint32_t number) {
  const arena_mark mark = arena_save(e->scratch);
  const claim *asked = &e->claims.items[number];
  sat_literal *assumed = arena_new_array(e->scratch, sat_literal, e->claims.count + 1);
  uint32_t count = 0;
  assumed[count++] = asked->violation;
  for (uint32_t i = 0; i < e->claims.count; i++)
    if (e->claims.items[i].stands && e->claims.items[i].guard)
      assumed[count++] = e->claims.items[i].guard;
  const sat_answer answer =
      sat_solve(unroll_solver(u), assumed, count, e->conflicts << (2 * asked->tries));
  arena_restore(e->scratch, mark);
  return answer;
}

static void note_proof(trial *e, const unrolling *u, uint32_t number) {
  claim *it = &e->claims.items[number];
  it->is_open = false;
  it->rests_on.count = 0;
  for (uint32_t i = 0; i < e->claims.count; i++) {
    const claim *other = &e->claims.items[i];
    if (other->stands && other->guard && sat_was_used(unroll_solver(u), other->guard))
      vec_push(e->scratch, &it->rests_on, i);
  }
}

/* Those that the model breaks. */
static id_vec broken_claims(const trial *e) {
  id_vec broken = {0};
  for (uint32_t i = 0; i < e->claims.count; i++) {
    const claim *it = &e->claims.items[i];
    if (it->stands && it->violation && sat_value(unroll_solver(e->u), it->violation))
      vec_push(e->scratch, &broken, i);
  }
  return broken;
}

static void ask_together(trial *e, uint32_t number) {
  violation_of(e, number);
  const sat_answer answer = ask_solver(e, e->u, number);
  if (answer == SAT_NO) {
    note_proof(e, e->u, number);
    return;
  }
  if (answer == SAT_UNKNOWN && ++e->claims.items[number].tries < TRIES_MAX) return;
  e->counts->is_unsure |= answer == SAT_UNKNOWN;
  const id_vec broken = answer == SAT_YES ? broken_claims(e) : (id_vec){0};
  for (uint32_t i = 0; i < broken.count; i++) let_fall(e, broken.items[i]);
  if (e->claims.items[number].stands) let_fall(e, number);
}

/* ---- questions on their own ---- */

/* Does the question speak of several members? */
static bool is_about(const unrolling *u, const fact_set *s, const circuit *c, const fact *f) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->count && count < 2; i++)
    count += unroll_has(u, fact_wire(s, c, f, i), 0);
  return count >= 2 || count == f->count;
}

static void require_what_matters(trial *e, unrolling *u) {
  for (uint32_t i = 0; i < e->known->all.count; i++) {
    const fact *f = &e->known->all.items[i];
    if (is_about(u, e->known, e->c, f)) fact_require(e->known, e->c, f, u, 0, 0);
  }
  for (uint32_t i = 0; i < e->claims.count; i++) {
    claim *it = &e->claims.items[i];
    const fact *f = &e->facts.all.items[i];
    it->guard = 0;
    if (!it->stands || !is_about(u, &e->facts, e->c, f)) continue;
    it->guard = sat_variable(unroll_solver(u));
    fact_require(&e->facts, e->c, f, u, 0, it->guard);
  }
}

static move_groups groups_of_fact(const trial *e, const fact *f, arena *scratch) {
  const circuit *c = e->c;
  VEC(wire) wires = {0};
  for (uint32_t i = 0; i < f->count; i++) {
    const wire now = fact_wire(&e->facts, c, f, i);
    if (wire_is_constant(now)) continue;
    const circuit_latch *latch = &c->latches.items[c->gates.items[wire_gate(now)].number];
    vec_push(scratch, &wires, latch->next);
  }
  return move_groups_find(e->moves, wires.items, wires.count, scratch);
}

/* Guesses what may keep the state away that the solver has come up with.  False: nothing. */
static bool add_lemmas(trial *e, uint32_t number, unrolling *u) {
  const uint32_t before = e->facts.all.count;
  if (!e->seen || before > LEMMAS_MAX || e->claims.items[number].searches++ >= SEARCHES_MAX)
    return false;
  lemmas_guess(&e->facts, e->known, e->c, e->seen, u);
  for (uint32_t i = before; i < e->facts.all.count; i++) {
    const claim fresh = {.stands = true, .is_open = true, .is_lemma = true};
    vec_push(e->scratch, &e->claims, fresh);
  }
  return e->facts.all.count > before;
}

/* In a solver that knows of no more than the question needs, and of groups of moves. */
static void ask_alone(trial *e, uint32_t number) {
  arena *scratch = arena_new();
  claim *it = &e->claims.items[number];
  const fact *f = &e->facts.all.items[number];
  const move_groups groups = groups_of_fact(e, f, scratch);
  unrolling *u = unroll_new(e->c, false, e->limits);
  unroll_by_groups(u, &groups, it->is_hard);
  it->violation = fact_violation(&e->facts, e->c, f, u, 1);
  require_what_matters(e, u);
  const sat_answer answer = ask_solver(e, u, number);
  if (answer == SAT_NO)
    note_proof(e, u, number);
  else if (answer == SAT_YES && !it->is_hard)
    it->is_hard = true;
  else if (answer == SAT_YES ? !add_lemmas(e, number, u) : ++it->tries >= TRIES_ALONE_MAX)
    let_fall(e, number);
  e->counts->is_unsure |= answer == SAT_UNKNOWN;
  e->counts->questions++;
  unroll_free(u);
  arena_free(scratch);
}

/* ---- all ---- */

/* That was tried least; ID_NONE: none is open. */
static uint32_t next_open(const trial *e) {
  uint32_t best = ID_NONE;
  for (uint32_t i = 0; i < e->claims.count; i++) {
    const claim *it = &e->claims.items[i];
    if (it->is_open && (best == ID_NONE || it->tries < e->claims.items[best].tries)) best = i;
  }
  return best;
}

/* Guesses still open when time is up are dropped, with all that depend on them. */
static void settle(trial *e) {
  for (uint32_t i; (i = next_open(e)) != ID_NONE;) {
    const bool is_timely = !budget_check_now(e->limits);
    if (is_timely)
      (e->u ? ask_together : ask_alone)(e, i);
    else
      let_fall(e, i);
    e->counts->is_cut_short |= !is_timely;
  }
}

/* The claims that stand, and of the lemmas those that others rest on. */
static bitset claims_to_keep(const trial *e) {
  const bitset keep = bitset_new(e->scratch, e->claims.count + 1);
  id_vec queue = {0};
  for (uint32_t i = 0; i < e->claims.count; i++)
    if (e->claims.items[i].stands && !e->claims.items[i].is_lemma && bitset_insert(keep, i))
      vec_push(e->scratch, &queue, i);
  while (queue.count) {
    const claim *it = &e->claims.items[vec_pop(&queue)];
    for (uint32_t i = 0; i < it->rests_on.count; i++)
      if (bitset_insert(keep, it->rests_on.items[i]))
        vec_push(e->scratch, &queue, it->rests_on.items[i]);
  }
  return keep;
}

/* Two halves make a whole. */
static void keep_proved(const trial *e, fact_set *proved) {
  const bitset keep = claims_to_keep(e);
  for (uint32_t i = 0; i < e->claims.count; i++) {
    const fact *f = &e->facts.all.items[i];
    if (!bitset_has(keep, i)) continue;
    const uint32_t half = fact_find(
        proved, &e->facts, f, f->kind == FACT_AT_MOST_ONE ? FACT_AT_LEAST_ONE : FACT_AT_MOST_ONE);
    if (half != ID_NONE)
      proved->all.items[half].kind = FACT_EXACTLY_ONE;
    else
      fact_copy(proved, &e->facts, f);
    e->counts->proved += half == ID_NONE;
  }
}

/* ---- the two ways ---- */

static void prove_claims(trial *e, fact_set *proved, const fact_set *guesses) {
  add_claims(e, guesses);
  settle(e);
  keep_proved(e, proved);
  e->counts->rounds++;
}

void cores_prove_one_by_one(fact_set *proved, const fact_set *guesses, const move_table *moves,
                            const sample *seen, uint32_t conflicts, budget *limits,
                            induct_counts *counts) {
  arena *scratch = arena_new();
  trial e = {.c = moves->c,
             .known = proved,
             .facts = {.keep = scratch},
             .moves = moves,
             .seen = seen,
             .conflicts = conflicts,
             .limits = limits,
             .scratch = scratch,
             .counts = counts};
  prove_claims(&e, proved, guesses);
  arena_free(scratch);
}

void cores_prove_together(fact_set *proved, const fact_set *guesses, const circuit *c,
                          uint32_t conflicts, budget *limits, induct_counts *counts) {
  arena *scratch = arena_new();
  trial e = {.c = c,
             .known = proved,
             .facts = {.keep = scratch},
             .u = unroll_new(c, false, limits),
             .conflicts = conflicts,
             .limits = limits,
             .scratch = scratch,
             .counts = counts};
  for (uint32_t i = 0; i < proved->all.count; i++)
    fact_require(proved, c, &proved->all.items[i], e.u, 0, 0);
  require_open_if_near(e.u, c, 0);
  prove_claims(&e, proved, guesses);
  counts->questions += sat_count(unroll_solver(e.u)).questions;
  unroll_free(e.u);
  arena_free(scratch);
}
