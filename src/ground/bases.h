/* All fluents and all moves: base and input.

   All fluents and moves that may ever occur are found by evaluating relaxed rules: `true` holds for
   every term that `init` or `next` derives, `does` for every `legal` move, and a negation that
   depends on the state always holds (the static relaxation, Definition 6 of grounding-asp).  The
   result is all possible facts of every relation, which instantiation then joins. */
#ifndef TABIA_GROUND_BASES_H
#define TABIA_GROUND_BASES_H

#include "ground/rewrite/rewrite.h"

typedef enum bases_method {
  BASES_ONESTEP,  /* one fixpoint over all rules */
  BASES_DECLARED, /* the game's own base and input */
  BASES_ITERATIVE /* the same, begun with the fluents of a match without moves, as in the tabling
                     paper; each generation looks at what the one before has brought */
} bases_method;

const char *bases_method_name(bases_method m);

/* Adds the rules that tie `true` and `does` to what can follow; indexes the relations. */
void bases_link(program *linked, bases_method m);

typedef struct bases {
  program linked;     /* the rules, and rules that link true and does to what can follow */
  bool is_stratified; /* no relation depends on its own negation */
  rewriting rules;    /* what was evaluated */
  engine facts;       /* all possible facts, in an arena of their own: */
  arena *tables_keep;
  budget *limits;    /* watches tables_keep; or NULL */
  uint32_t attempts; /* evaluations begun until one ended */
} bases;

/* A copy of the rules with these added. */
void bases_link_copy(program *linked, const program *p, bases_method m, arena *keep);

/* False: a limit was reached, or the rules cannot be evaluated (reported).  bases_free must follow
   either way. */
bool bases_compute(bases *b, const program *p, bases_method m, arena *keep, budget *limits,
                   diag_sink *d);

/* The same without the rules that base and input do not depend on, whose facts may be too many to
   find: there are no facts of those. */
bool bases_compute_alone(bases *b, const program *p, bases_method m, arena *keep, budget *limits,
                         diag_sink *d);

void bases_free(bases *b);

/* Decomposes the rules once more, now that all tables are known, so that they have as few ground
   instances as can be; the auxiliary relations get their facts too. */
bool bases_decompose(bases *b, arena *keep, budget *limits, diag_sink *d);

/* All possible arguments of `true` (the fluents), or of `does` (role, move), as atoms sorted in the
   order of their canonical text.  Where the limits of the bases are reached meanwhile, the list
   ends early and is not sorted. */
term_id *bases_atoms(const bases *b, symbol_id keyword, arena *keep, uint32_t *count);

#endif
