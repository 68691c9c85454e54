/* Facts about every reachable state, in terms of fluents: at most one, exactly one, or at least one
   fluent of a group holds.  A group may have negated fluents, so every clause is a fact. */
#ifndef TABIA_INDUCT_FACTS_H
#define TABIA_INDUCT_FACTS_H

#include "circuit/circuit.h"
#include "induct/random_states.h"
#include "induct/unroll.h"

typedef enum fact_kind { FACT_AT_MOST_ONE, FACT_EXACTLY_ONE, FACT_AT_LEAST_ONE } fact_kind;

typedef struct fact {
  fact_kind kind;
  uint32_t first, count; /* in fact_set.members */
} fact;

/* A member is a fluent of the circuit, times two, plus one when negated. */
typedef struct fact_set {
  arena *keep;
  VEC(fact) all;
  id_vec members;
} fact_set;

void fact_add(fact_set *s, fact_kind kind, const uint32_t *members, uint32_t count);

/* Adds a fact of another set, or all of them. */
void fact_copy(fact_set *to, const fact_set *from, const fact *f);
void facts_add_all(fact_set *to, const fact_set *from);

/* The fact of that kind with the members of `f`, which is one of `of`; ID_NONE: there is none. */
uint32_t fact_find(const fact_set *s, const fact_set *of, const fact *f, fact_kind kind);

static inline wire fact_wire(const fact_set *s, const circuit *c, const fact *f, uint32_t i) {
  const uint32_t member = s->members.items[f->first + i];
  return c->fluents.items[member >> 1].now ^ (member & 1);
}

/* Does it hold in the initial state? */
bool fact_holds_at_start(const fact_set *s, const circuit *c, const fact *f);

/* Does it hold in all states of the sample? */
bool fact_holds_in_sample(const fact_set *s, const circuit *c, const fact *f, const sample *seen);

/* Requires it at a time, if the guard holds (0: in any case). */
void fact_require(const fact_set *s, const circuit *c, const fact *f, unrolling *u, uint32_t time,
                  sat_literal guard);

/* A literal that holds exactly when the fact does not. */
sat_literal fact_violation(const fact_set *s, const circuit *c, const fact *f, unrolling *u,
                           uint32_t time);

/* Guesses from the shape of fluents: those of one name that agree in all arguments but one, those
   of one name altogether; and, if wanted, each fluent that the sample never shows true.  Only what
   the start and the sample allow. */
void facts_guess(fact_set *guesses, const circuit *c, const sample *seen, bool with_never_true,
                 budget *limits);

/* Guesses about boards: fluents of one name that agree in some arguments and differ in one or
   several, as all pieces that may stand on a square; of groups within each other the largest alone.
   And fluents of several names: those that take turns; those that agree in one argument or two, as
   what stands on a square and what has been shot there, or all places where a piece may be.  A set
   for each choice of arguments that has any: first those of which exactly one holds in every group,
   as on boards, and the smaller groups before the larger. */
typedef VEC(fact_set) board_guesses;
void facts_guess_boards(board_guesses *guesses, const circuit *c, const sample *seen, arena *keep,
                        budget *limits);

/* Guesses that some arguments of a fluent determine another, where it holds in several ways: for
   each choice of arguments. */
typedef struct determined_guess {
  fact_set first;  /* of the first values of those that determine: if it is not so of these, */
  fact_set others; /* it will hardly be so of the others */
} determined_guess;
typedef VEC(determined_guess) determined_guesses;
void facts_guess_determined(determined_guesses *guesses, const circuit *c, const sample *seen,
                            arena *keep, budget *limits);

/* A line for each: (at-most-one (control x) (control o)) */
void facts_print(const fact_set *s, const circuit *c, text *out);
void fact_print(const fact_set *s, const circuit *c, const fact *f, text *out);

/* The words of its line: "at-most-one"; "(control x)", the member number `i`. */
const char *fact_kind_name(fact_kind kind);
void fact_print_member(const fact_set *s, const circuit *c, const fact *f, uint32_t i, text *out);

#endif
