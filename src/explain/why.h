/* The answer to 'why?': a literal, asked in a state of a game to which a line of play leads.

     why *y = why_open(program, literal, budget, keep);
     why_begin(y, NULL) and why_step_on(y, joint) as often as there are moves;
     why_set_moves(y, joint);         what `does` is, for `next` and `sees`
     why_answer(y);

   A fluent is followed along the whole line: since when it holds, or which step lost it. */
#ifndef TABIA_EXPLAIN_WHY_H
#define TABIA_EXPLAIN_WHY_H

#include "explain/explanation.h"

/* What was asked, as terms of the program. */
typedef struct why_question {
  term_id atom;
  bool is_negated;
  const symbol_id *names; /* of its variables */
} why_question;

typedef struct why_state {
  term_list fluents;
  term_list does; /* that leads on from here; empty in the last one */
} why_state;

typedef struct why {
  const program *program;
  arena *keep;
  budget *budget;
  why_question question;
  world *world;
  term_list roles;
  bool is_given; /* the first state is not that of the rules */
  VEC(why_state) states;
  bool holds;     /* the literal does */
  id_vec answers; /* atoms that hold, where the question has variables */
  const char *headline;
  explanation explanation;
} why;

/* Reads a literal in KIF: an atom, (not ATOM), or a fluent alone; its names and variables are added
   to those of the program, which no other may use meanwhile.  False: `complaint` says what is
   wrong. */
bool why_read(why_question *q, program *p, const char *name, const char *words, arena *keep,
              diag_sink *d);

/* NULL: there is trouble, which `d` gets.  The program has the terms of the question. */
why *why_open(const program *p, const why_question *q, budget *b, arena *keep, diag_sink *d);
void why_close(why *y);

/* The start: that of the rules, or these fluents, in canonical KIF.  False: there is trouble. */
bool why_begin(why *y, const char *const *fluents, uint32_t count);

/* One move for each role, in canonical KIF. */
bool why_step_on(why *y, const char *const *joint);
bool why_set_moves(why *y, const char *const *joint);

/* False: there is trouble, or the budget is spent. */
bool why_answer(why *y);
bool why_report_trouble(const why *y, diag_sink *d); /* true: there is some */

/* ---- writing ---- */

/* Steps that are deeper are counted, not shown. */
void why_print(const why *y, const source *s, uint32_t depth, text *out);
void why_write_json(const why *y, const source *s, uint32_t depth, text *out);
void why_write_dot(const why *y, const source *s, uint32_t depth, text *out);

/* The literal of a step; "" where it has none. */
void why_step_print(const why *y, const why_step *s, text *out);
/* The clause of a step as far as its head, and the values of its variables. */
void why_print_head(const why *y, const why_step *s, text *out);

#endif
