/* Evaluation of a program that may be too costly as it stands; only for the files of bases.h.

   The engine evaluates, and counts the rows that each clause looks at.  When a clause has looked at
   very many, the program is rewritten (rewrite.h), and evaluation continues with a higher
   threshold; if relations are restricted to their demand, it starts over. */
#ifndef TABIA_GROUND_EVALUATE_H
#define TABIA_GROUND_EVALUATE_H

#include "ground/bases.h"

/* Facts that are there before evaluation begins. */
typedef struct given_facts {
  arena *keep;
  uint32_t count; /* of flat relations */
  table *tables;
} given_facts;

void given_add(engine *e, const given_facts *given);

/* When evaluation is doubted. */
typedef struct doubts {
  uint64_t patience;   /* when a clause has looked at so many rows */
  uint32_t many_facts; /* relations with as many are looked at, too */
  uint32_t look_after; /* rows: how often that is asked */
} doubts;

extern const doubts usual_doubts;

/* Fills b->rules and b->facts.  Whether a relation's negation can be trusted is a property of the
   rules without those that link true and does to what can follow: keyword relations come first and
   the links mention no others, so the numbers agree. */
bool bases_evaluate(bases *b, const rewriting *original, const given_facts *given,
                    const doubts *when, arena *keep, budget *limits, diag_sink *d);

/* Plays from the start with nobody moving, by the real rules (without those links, and stratified),
   until a state is empty or comes again, and makes `all` of the fluents met: step counters are run
   through at once (grounding-tabling, 4.1). */
bool bases_play_idly(given_facts *all, const rewriting *rules, arena *keep, budget *limits,
                     diag_sink *d);

/* Reports fluents of the start (E805), later ones (W810) and moves (W811) that the game does not
   declare, where a rule gives them; once, where it declares none. */
void bases_check_declared(const bases *b, arena *keep, diag_sink *d);

/* Room for a row of any relation. */
term_id *flat_row_room(const flat_program *f, arena *keep);

/* The arguments of an atom under another keyword. */
term_id atom_under(const flat_program *f, symbol_id keyword, term_id atom);

#endif
