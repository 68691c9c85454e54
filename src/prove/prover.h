/* Proving, for front ends: open, ask, run, and read what was found.

     prove_job j;
     const prover_opening opening = prover_open(&j, program, options, &limits, &diags);
     if (opening != PROVER_FAULTY && prover_ask(&j, "playable, winnable x", &limits, &complaint))
       prover_run(&j, &limits);
     ... j.properties and j.findings, by number (property.h, finding.h) ...
     job_close(&j);

   Findings are reported to options.listener as they come. */
#ifndef TABIA_PROVE_PROVER_H
#define TABIA_PROVE_PROVER_H

#include "prove/methods.h"

typedef enum prover_opening {
  PROVER_READY,
  PROVER_UNGROUND, /* not to be grounded within its limits, or at all: what is asked stays unknown
                    */
  PROVER_FAULTY    /* nothing can be asked */
} prover_opening;

/* Grounds the game, as far as the method needs it.  Where a method can do without, it does when
   grounding reaches its limits.  Unless it is ready, `d` says why.  Call job_close in any case.
 */
prover_opening prover_open(prove_job *j, const program *p, prove_options o, budget *b,
                           diag_sink *d);

/* Adds properties to what is asked: a list with commas between them (property.h).  Where a formula
   names relations, the game is grounded once more with these.  False: none of the list was added,
   and `complaint` says why. */
bool prover_ask(prove_job *j, const char *list, budget *b, const char **complaint);

/* Runs the method on all that was asked; on everything, if nothing was. */
void prover_run(prove_job *j, budget *b);

/* The certificates of all that has one, as a text.  False: nothing has. */
bool prover_certify(const prove_job *j, text *out);

/* A line of play as a trace (trace.h), for a game of this name.  False: machine `reference` cannot
   be opened, and `d` of the job says why. */
bool prover_trace(const prove_job *j, const finding *v, const char *game, budget *b, text *out);

#endif
