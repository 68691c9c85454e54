/* The frame translation: rules for what ceases to be true in place of rules for what stays true
   (Romero, Saffidine, Thielscher: Solving the Inferential Frame Problem in GDL).

     1 frame_rules   rules for what stays true
     2 domain        roles, fluent names, action names
     3 covering      general joint moves
     4 ways          unifiers: how a fluent can stay while a general joint move is made
     5 ceasing       fnext rules, simplified
     6 here          the state transition, and programs that use it

   A fluent name whose rules would grow too large keeps its frame rules; the others are
   translated. */
#ifndef TABIA_FRAME_FRAME_H
#define TABIA_FRAME_FRAME_H

#include "frame/ceasing.h"
#include "frame/frame_program.h"

typedef struct frame_translation {
  const program *source;
  arena *keep;
  analysis analysis;
  frame_domain domain;
  frame_rules rules;
  covering covering;
  ceasing_vec ceasing; /* by fluent name */
  auxiliaries helpers;
  bool *is_translated; /* by fluent name */
  bool *is_replaced;   /* by clause of the source: its frame rules went into `ceasing` */
  symbol_id fnext;     /* the relation's name: `fnext`, unless the rulesheet has that */
} frame_translation;

/* More roles are declined: their joint moves are too many. */
enum { FRAME_ROLES_MAX = 16 };

/* Which general joint moves are possible, for COVER_PRUNED; called once the domain is known.  NULL:
   all are. */
typedef struct frame_pruning {
  covering_possible *possible;
  void *context;
} frame_pruning;

/* Steps 1 and 2.  False: a limit was reached, or the rules cannot be evaluated (reported).  Filled
   in place; frame_close must follow either way. */
bool frame_open(frame_translation *f, const program *p, arena *keep, budget *limits, diag_sink *d);

/* Steps 3 to 5; may be done again with another covering. */
bool frame_translate(frame_translation *f, frame_cover cover, frame_pruning pruning, budget *limits,
                     diag_sink *d);
void frame_close(frame_translation *f);

/* ---- step 6 ---- */

/* The translation as a program of its own: fnext and the relations that it needs. */
void frame_write_rules(const frame_translation *f, program *out, arena *keep);

void frame_write_program(const frame_translation *f, frame_program *out, arena *keep);

/* The same for a machine that updates its state: `next` says what is gained, `fnext` what is lost,
   for every fluent name, and the state after a step is

     (state without { f : fnext(f) }) united with { f : next(f) }

   What is lost may also be gained: then it is there.  fnext(f) holds of true fluents only. */
void frame_write_changes(const frame_translation *f, program *out, arena *keep);

/* ---- text ---- */

/* Clauses first .. count-1, a line each, with letters for variables. */
void frame_print_clauses(const program *p, clause_id first, notation n, text *out);

/* Every step in words and rules; after frame_translate. */
void frame_explain(const frame_translation *f, notation n, text *out);

#endif
