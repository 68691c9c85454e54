/* Grounding by other programs: gringo and SWI-Prolog.

   They are second opinions.  Each method writes the rules in the program's own language, runs it,
   and makes a ground program from its output.  It shares with the native method only the clauses
   and the form of the result; neither uses results of the datalog engine. */
#ifndef TABIA_GROUND_EXTERNAL_H
#define TABIA_GROUND_EXTERNAL_H

#include "ground/ground.h"

/* Grounds with gringo (grounding-asp), or with tabled Prolog (grounding-tabling).  The result is in
   normal form (ground_normal_form.h).  gringo has one way to find the fluents and moves;
   BASES_ITERATIVE gives the same ones.  False: the program is not there (E807), failed (E808), or a
   limit was reached. */
bool ground_with_gringo(ground_program *g, const program *p, bases_method m, arena *keep,
                        budget *limits, diag_sink *d);
bool ground_with_prolog(ground_program *g, const program *p, bases_method m, arena *keep,
                        budget *limits, diag_sink *d);

/* What the methods hand to the programs. */
void asp_write(const program *p, bases_method m, text *out);
void asp_write_named(const program *p, bases_method m, text *out); /* with the names of the game */
void prolog_write(const program *p, bases_method m, text *out);

#endif
