#include "induct/induct.h"

#include "circuit/circuit_sound.h"
#include "induct/core_proofs.h"
#include "induct/local_wires.h"

#include <assert.h>

enum { USUAL_STEPS = 128, USUAL_CONFLICTS = 2000 };

uint32_t induct_conflicts(induct_options o) { return o.conflicts ? o.conflicts : USUAL_CONFLICTS; }

/* ---- proving facts together ---- */

typedef struct elimination {
  const circuit *c;
  const fact_set *known;
  fact_set guesses; /* still standing */
  uint32_t conflicts;
  bool only_near; /* ask of the moves alone that a guess speaks of; what that leaves open goes */
  budget *limits;
  induct_counts *counts;
} elimination;

static void keep_those_at_start(elimination *e, const fact_set *from) {
  for (uint32_t i = 0; i < from->all.count; i++) {
    const fact *f = &from->all.items[i];
    if (fact_holds_at_start(from, e->c, f)) fact_copy(&e->guesses, from, f);
  }
}

static void require_all(const fact_set *s, const circuit *c, unrolling *u, uint32_t time) {
  for (uint32_t i = 0; i < s->all.count; i++) fact_require(s, c, &s->all.items[i], u, time, 0);
}

/* Takes out the guesses that the model breaks, and number `asked` in any case. */
static void drop_broken(const unrolling *u, const sat_literal *violations, uint32_t count,
                        sat_answer answer, uint32_t asked, bool *is_dropped) {
  is_dropped[asked] = true;
  for (uint32_t i = 0; i < count && answer == SAT_YES; i++)
    if (violations[i] && sat_value(unroll_solver(u), violations[i])) is_dropped[i] = true;
}

/* 'Exactly one' is weakened to 'at most one', to be checked in the next round. */
static bool drop_from_set(fact_set *s, const bool *is_dropped) {
  uint32_t kept = 0;
  bool changed = false;
  for (uint32_t i = 0; i < s->all.count; i++) {
    fact f = s->all.items[i];
    changed |= is_dropped[i];
    if (is_dropped[i] && f.kind != FACT_EXACTLY_ONE) continue;
    if (is_dropped[i]) f.kind = FACT_AT_MOST_ONE;
    s->all.items[kept++] = f;
  }
  s->all.count = kept;
  return changed;
}

/* A round of questions: does each guess hold after a step from a state in which all do?  The step
   is first made of those moves alone that a guess speaks of, and that the game goes on is required
   only as far as it takes few gates; what that does not decide is asked of the whole step from a
   state that is not terminal. */
typedef struct round {
  elimination *e;
  uint32_t count;
  bool *is_open;    /* by guess: not proved yet in this round */
  bool *is_dropped; /* by guess */
  sat_literal *violations;
} round;

static unrolling *hypotheses(const elimination *e, bool whole_step) {
  unrolling *u = unroll_new(e->c, false, e->limits);
  require_all(e->known, e->c, u, 0);
  require_all(&e->guesses, e->c, u, 0);
  if (whole_step)
    unroll_require_step(u, 0);
  else
    require_open_if_near(u, e->c, 0);
  return u;
}

static void ask_open_guesses(round *r, bool whole_step) {
  elimination *e = r->e;
  unrolling *u = hypotheses(e, whole_step);
  for (uint32_t i = 0; i < r->count; i++) r->violations[i] = 0;
  for (uint32_t i = 0; i < r->count && !budget_check_now(e->limits); i++) {
    if (r->is_dropped[i] || !r->is_open[i]) continue;
    r->violations[i] = fact_violation(&e->guesses, e->c, &e->guesses.all.items[i], u, 1);
    const sat_answer answer = sat_solve(unroll_solver(u), &r->violations[i], 1, e->conflicts);
    if (answer == SAT_NO)
      r->is_open[i] = false;
    else if (whole_step)
      drop_broken(u, r->violations, r->count, answer, i, r->is_dropped);
    e->counts->is_unsure |= answer == SAT_UNKNOWN && whole_step;
  }
  e->counts->questions += sat_count(unroll_solver(u)).questions;
  unroll_free(u);
}

static bool any_is_open(const round *r) {
  for (uint32_t i = 0; i < r->count; i++)
    if (r->is_open[i]) return true;
  return false;
}

/* False: time is up. */
static bool run_round(elimination *e, bool *changed) {
  arena *scratch = arena_new();
  const uint32_t count = e->guesses.all.count;
  round r = {.e = e,
             .count = count,
             .is_open = arena_new_array(scratch, bool, count + 1),
             .is_dropped = arena_zero_array(scratch, bool, count + 1),
             .violations = arena_zero_array(scratch, sat_literal, count + 1)};
  for (uint32_t i = 0; i < count; i++) r.is_open[i] = true;
  ask_open_guesses(&r, false);
  if (any_is_open(&r) && !budget_check_now(e->limits) && !e->only_near) ask_open_guesses(&r, true);
  for (uint32_t i = 0; i < count && e->only_near; i++) r.is_dropped[i] = r.is_open[i];
  *changed = drop_from_set(&e->guesses, r.is_dropped);
  e->counts->rounds++;
  arena_free(scratch);
  const bool is_timely = !budget_check_now(e->limits);
  e->counts->is_cut_short |= !is_timely;
  return is_timely;
}

static bool has_fact(const fact_set *s, const fact_set *of, const fact *f) {
  return fact_find(s, of, f, f->kind) != ID_NONE;
}

static void prove_guesses(fact_set *proved, const fact_set *guesses, const circuit *c,
                          induct_options o, bool only_near, budget *limits, induct_counts *counts) {
  arena *scratch = arena_new();
  elimination e = {.c = c,
                   .known = proved,
                   .guesses = {.keep = scratch},
                   .conflicts = induct_conflicts(o),
                   .only_near = only_near,
                   .limits = limits,
                   .counts = counts};
  keep_those_at_start(&e, guesses);
  bool changed = true;
  bool is_timely = true;
  while (changed && is_timely && e.guesses.all.count) is_timely = run_round(&e, &changed);
  for (uint32_t i = 0; i < e.guesses.all.count && is_timely; i++) {
    const fact *f = &e.guesses.all.items[i];
    if (has_fact(proved, &e.guesses, f)) continue;
    fact_copy(proved, &e.guesses, f);
    counts->proved++;
  }
  arena_free(scratch);
}

void induct_prove(fact_set *proved, const fact_set *guesses, const circuit *c, induct_options o,
                  budget *limits, induct_counts *counts) {
  prove_guesses(proved, guesses, c, o, false, limits, counts);
}

/* ---- guesses by name ---- */

static const term *name_of_fact(const fact_set *s, const circuit *c, const fact *f) {
  const uint32_t fluent = s->members.items[f->first] >> 1;
  return term_get(c->terms, c->fluents.items[fluent].term);
}

/* The guesses of one name: that of their first member. */
typedef struct name_guesses {
  uint32_t example; /* the first of them */
  uint32_t members; /* of all of them */
  bool is_done;
} name_guesses;

typedef struct names_of_guesses {
  VEC(name_guesses) all;
  uint32_t *name_of; /* by guess */
} names_of_guesses;

static names_of_guesses find_names(const fact_set *guesses, const circuit *c, arena *scratch) {
  names_of_guesses names = {.name_of = arena_new_array(scratch, uint32_t, guesses->all.count + 1)};
  for (uint32_t i = 0; i < guesses->all.count; i++) {
    const fact *f = &guesses->all.items[i];
    const term *name = name_of_fact(guesses, c, f);
    uint32_t n = 0;
    while (n < names.all.count &&
           !term_same_name(
               name, name_of_fact(guesses, c, &guesses->all.items[names.all.items[n].example])))
      n++;
    const name_guesses fresh = {.example = i};
    if (n == names.all.count) vec_push(scratch, &names.all, fresh);
    names.all.items[n].members += f->count;
    names.name_of[i] = n;
  }
  return names;
}

/* The name with the fewest members among those that are not done; ID_NONE: all are. */
static uint32_t smallest_name(const names_of_guesses *names) {
  uint32_t best = ID_NONE;
  for (uint32_t i = 0; i < names->all.count; i++)
    if (!names->all.items[i].is_done &&
        (best == ID_NONE || names->all.items[i].members < names->all.items[best].members))
      best = i;
  return best;
}

static void drop_known(fact_set *guesses, const fact_set *proved) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < guesses->all.count; i++)
    if (!has_fact(proved, guesses, &guesses->all.items[i]))
      guesses->all.items[kept++] = guesses->all.items[i];
  guesses->all.count = kept;
}

/* Dropped guesses are known by now, or will be checked again. */
static void forget_doubts(induct_counts *counts, const induct_counts *before) {
  counts->is_cut_short = before->is_cut_short;
  counts->is_unsure = before->is_unsure;
}

/* A part of the time that is left. */
static budget part_of(const budget *limits, double part) {
  budget b = limits ? *limits : budget_new(0, 0);
  if (b.deadline > 0) b.deadline -= (b.deadline - clock_now()) * (1 - part);
  return b;
}

static bool is_enough(induct_options o, const fact_set *proved) {
  return o.is_enough && o.is_enough(o.context, proved);
}

/* First, `only_near`, those that hardly depend on anything else, such as step counters.  True when
   there is no need to go on. */
static bool prove_by_name(fact_set *proved, const fact_set *guesses, const circuit *c,
                          induct_options o, bool only_near, budget *limits, induct_counts *counts,
                          arena *scratch) {
  const induct_counts doubts_before = *counts;
  names_of_guesses names = find_names(guesses, c, scratch);
  for (uint32_t next; (next = smallest_name(&names)) != ID_NONE;) {
    fact_set like = {.keep = scratch};
    budget b = part_of(limits, 0.5);
    for (uint32_t i = 0; i < guesses->all.count; i++) {
      const fact *f = &guesses->all.items[i];
      if (names.name_of[i] == next) fact_copy(&like, guesses, f);
    }
    names.all.items[next].is_done = true;
    const uint32_t before = proved->all.count;
    drop_known(&like, proved);
    if (!only_near || facts_are_near(&like, c))
      prove_guesses(proved, &like, c, o, only_near, &b, counts);
    if (proved->all.count > before && is_enough(o, proved)) return true;
  }
  forget_doubts(counts, &doubts_before);
  return false;
}

/* The guesses of the name of a fact. */
static fact_set guesses_of_name(const fact_set *guesses, const fact_set *of, const fact *f,
                                const circuit *c, arena *keep) {
  fact_set like = {.keep = keep};
  const term *name = name_of_fact(of, c, f);
  for (uint32_t i = 0; i < guesses->all.count; i++) {
    const fact *it = &guesses->all.items[i];
    if (term_same_name(name, name_of_fact(guesses, c, it))) fact_copy(&like, guesses, it);
  }
  return like;
}

/* Each question on its own.  False: they are not all proved. */
static bool prove_each(fact_set *proved, fact_set *guesses, const move_table *moves,
                       induct_options o, budget *limits, induct_counts *counts) {
  drop_known(guesses, proved);
  cores_prove_one_by_one(proved, guesses, moves, NULL, induct_conflicts(o), limits, counts);
  drop_known(guesses, proved);
  return guesses->all.count == 0;
}

/* What arguments determine, and what follows from it about the same name; other names may rest on
   that.  True when there is no need to go on. */
static bool prove_determined(fact_set *proved, const determined_guesses *sets,
                             const fact_set *guesses, const circuit *c, induct_options o,
                             budget *limits, induct_counts *counts, arena *scratch) {
  const move_table moves = move_table_new(c, scratch);
  const induct_counts doubts_before = *counts;
  for (uint32_t i = 0; i < sets->count; i++) {
    determined_guess *it = &sets->items[i];
    const fact example = it->first.all.items[0];
    fact_set like = guesses_of_name(guesses, &it->first, &example, c, scratch);
    budget b = part_of(limits, 0.1);
    if (!prove_each(proved, &it->first, &moves, o, &b, counts)) continue;
    b = part_of(limits, 0.2);
    prove_each(proved, &it->others, &moves, o, &b, counts);
    drop_known(&like, proved);
    b = part_of(limits, 0.2);
    prove_guesses(proved, &like, c, o, false, &b, counts);
    if (is_enough(o, proved)) return true;
  }
  forget_doubts(counts, &doubts_before);
  return false;
}

/* Of one shape after the other, the likely ones first: each question on its own, then what that
   leaves open together, then with lemmas.  True when there is no need to go on. */
static bool prove_boards(fact_set *proved, board_guesses *boards, const circuit *c,
                         const sample *seen, induct_options o, budget *limits,
                         induct_counts *counts, arena *scratch) {
  enum { ALONE, TOGETHER, WITH_LEMMAS, WAYS };
  const move_table moves = move_table_new(c, scratch);
  const budget all = part_of(limits, 0.75);
  const induct_counts doubts_before = *counts;
  uint32_t left = 0;
  for (uint32_t i = 0; i < WAYS * boards->count; i++) {
    const uint32_t way = i / boards->count;
    fact_set *guesses = &boards->items[i % boards->count];
    const uint32_t before = proved->all.count;
    budget b = part_of(&all, way == ALONE ? 0.7 : 0.5);
    drop_known(guesses, proved);
    if (way == ALONE) counts->guesses += guesses->all.count;
    if (!guesses->all.count) continue;
    if (way == TOGETHER)
      cores_prove_together(proved, guesses, c, induct_conflicts(o), &b, counts);
    else
      cores_prove_one_by_one(proved, guesses, &moves, way == WITH_LEMMAS ? seen : NULL,
                             induct_conflicts(o), &b, counts);
    if (proved->all.count > before && is_enough(o, proved)) return true;
  }
  for (uint32_t i = 0; i < boards->count; i++) {
    drop_known(&boards->items[i], proved);
    left += boards->items[i].all.count;
  }
  if (!left) forget_doubts(counts, &doubts_before);
  return false;
}

static void add_unless_known(fact_set *to, const fact_set *from, const fact *f,
                             const fact_set *proved) {
  if (!has_fact(proved, from, f)) fact_copy(to, from, f);
}

/* What boards leave open may take the whole step: that every role makes a legal move.  It is asked
   for where there are few such guesses, and where of 'exactly one' 'at most one' is proved.  True:
   some are not asked about. */
static bool add_left_of_board(fact_set *to, const fact_set *board, const fact_set *proved) {
  enum { FEW = 16 };
  bool leaves_some = false;
  for (uint32_t i = 0; i < board->all.count; i++) {
    const fact *f = &board->all.items[i];
    const bool is_half =
        f->kind == FACT_EXACTLY_ONE && fact_find(proved, board, f, FACT_AT_MOST_ONE) != ID_NONE;
    if (is_half || board->all.count <= FEW)
      add_unless_known(to, board, f, proved);
    else
      leaves_some |= !has_fact(proved, board, f);
  }
  return leaves_some;
}

static void prove_rest(fact_set *proved, const fact_set *guesses, const board_guesses *boards,
                       const circuit *c, induct_options o, budget *limits, induct_counts *counts,
                       arena *scratch) {
  fact_set left = {.keep = scratch};
  for (uint32_t i = 0; i < guesses->all.count; i++)
    add_unless_known(&left, guesses, &guesses->all.items[i], proved);
  for (uint32_t i = 0; i < boards->count; i++)
    counts->is_unsure |= add_left_of_board(&left, &boards->items[i], proved);
  induct_prove(proved, &left, c, o, limits, counts);
}

static void play_sample(sample *seen, const circuit *c, induct_options o, arena *scratch,
                        budget *limits) {
  if (o.sample_steps)
    sample_play(seen, c, o.sample_steps, o.seed, scratch, limits);
  else
    sample_play_on(seen, c, USUAL_STEPS, o.seed, scratch, limits);
}

void induct_find_facts(fact_set *proved, const circuit *c, induct_options o, budget *limits,
                       induct_counts *counts) {
  const double started = clock_now();
  arena *scratch = arena_new();
  sample seen;
  fact_set guesses = {.keep = scratch};
  board_guesses boards = {0};
  determined_guesses determined = {0};
  assert(circuit_is_sound(c));
  play_sample(&seen, c, o, scratch, limits);
  facts_guess(&guesses, c, &seen, o.never_true, limits);
  facts_guess_boards(&boards, c, &seen, scratch, limits);
  facts_guess_determined(&determined, c, &seen, scratch, limits);
  counts->guesses += guesses.all.count;
  if (!prove_by_name(proved, &guesses, c, o, true, limits, counts, scratch) &&
      !prove_determined(proved, &determined, &guesses, c, o, limits, counts, scratch) &&
      !prove_boards(proved, &boards, c, &seen, o, limits, counts, scratch) &&
      !prove_by_name(proved, &guesses, c, o, false, limits, counts, scratch))
    prove_rest(proved, &guesses, &boards, c, o, limits, counts, scratch);
  arena_free(scratch);
  counts->seconds += clock_now() - started;
}
