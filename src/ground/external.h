/* Grounding by programs that others wrote: gringo and SWI-Prolog.

   They are second opinions.  Each method writes the rules in the program's own language, runs it,
   and makes a ground program from what it prints.  Nothing is shared with the native method but
   the clauses and the form of the result; neither reads what the datalog engine finds.

   A program is run beside us, with its text as standard input.  Nothing is written to disk.  Its
   output is read as it comes; when the time or memory of the budget is used up, or the user
   interrupts, it is killed.  It does not outlive us. */
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
void prolog_write(const program *p, bases_method m, text *out);

/* ---- running a program ---- */

typedef struct external external;

typedef struct external_command {
  const char *package;          /* the Debian package that has it */
  const char *const *arguments; /* ended by NULL; the first one names the program */
} external_command;

/* NULL: it cannot be run (reported).  external_end must follow otherwise. */
external *external_start(const external_command *c, const text *input, arena *keep, budget *limits,
                         diag_sink *d);

/* The next byte of its standard output; EOF at its end, or when it was stopped. */
int external_fill(external *e); /* for the two below */

typedef struct external_buffer {
  const unsigned char *at, *end;
} external_buffer;

static inline int external_peek(external *e) {
  const external_buffer *b = (const external_buffer *)e;
  return b->at < b->end ? *b->at : external_fill(e);
}

static inline int external_next(external *e) {
  const int byte = external_peek(e);
  if (byte != EOF) ((external_buffer *)e)->at++;
  return byte;
}

/* Waits until it has ended.  `is_understood`: its output was complete and could be read.  False: it
   failed, was stopped, or was not understood (reported once). */
bool external_end(external *e, bool is_understood);

/* The bytes of all physical memory: a limit for a program that asks for one. */
uint64_t memory_of_machine(void);

#endif
