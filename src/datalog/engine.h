/* Bottom-up evaluation to a fixpoint, semi-naive.

   Flat relations are taken in the order of their dependence, those of a strongly connected
   component together.  Within a component every new fact is joined once with all facts that came
   before it. */
#ifndef TABIA_DATALOG_ENGINE_H
#define TABIA_DATALOG_ENGINE_H

#include "datalog/join.h"

typedef struct engine engine;

/* Asked when a clause has looked at very many rows, or a relation has got very many: true ends the
   run (the caller means to rewrite the program), false lets it go on for twice as long. */
typedef bool engine_doubt(void *context, engine *e, flat_clause_id c);

struct engine {
  const flat_program *f;
  arena *keep;
  table *tables;    /* by flat relation */
  bool *is_open;    /* by flat relation: its negation is taken to hold */
  uint32_t *done;   /* by flat relation: rows that have been joined */
  bool *is_settled; /* by flat clause: what follows from rows that are done has been derived */
  flat_clause_id first_new; /* from here on clauses came when evaluation was under way */
  bool *is_complete;        /* by flat relation: its clauses need not be run */
  uint32_t *component;      /* by flat relation */
  uint32_t component_count;
  flat_id *order;          /* all flat relations, by component */
  uint32_t *triggers_from; /* by flat relation: its positive occurrences are */
  uint32_t *triggers;      /* literals, as indexes of flat_program.literals */
  flat_clause_id *clause_of_literal;
  struct trigger_plan **plans; /* during a run, by literal: what begins with it; or NULL */
  arena *plans_keep;           /* of these */
  uint32_t deepest_given;      /* the depth of the deepest term in the rules */
  uint32_t facts_max;          /* of a recursion that makes ever deeper terms */
  uint64_t *made_by;           /* by flat clause: facts that it was the first to derive */
  uint64_t *effort;            /* by flat clause: rows looked at */
  uint64_t *patience;          /* by flat clause: effort at which `doubt` is asked */
  uint32_t look_after;         /* so many rows a clause looks at limits and patience */
  engine_doubt *doubt;         /* or NULL; set with engine_set_doubt */
  void *doubt_context;
  bool stopped_by_doubt;
};

/* `is_open` is by flat relation; NULL: none is. */
void engine_init(engine *e, const flat_program *f, const bool *is_open, arena *keep);

/* Adds a fact before the run. */
void engine_add(engine *e, flat_id relation, const term_id *row);

/* Gives a relation all its facts before the run: its clauses are not run.  The table is taken over;
   its arena must outlive the engine. */
void engine_set_complete(engine *e, flat_id relation, const table *facts);

/* Goes on where an engine was stopped by doubt, by rules that were rewritten since and mean the
   same: relations and clauses keep their numbers; new ones follow, each defined by those before it.
   `rules_before` are those that the other engine ran (its own pointer may lead to the new ones by
   now); its tables, in the same arena, are taken over. */
void engine_take_over(engine *e, const engine *stopped, const flat_program *rules_before);

/* Evaluates everything.  False: a limit was reached or terms grow without end (reported), or
   `doubt` stopped it. */
bool engine_run(engine *e, budget *limits, diag_sink *d);

/* Lets `doubt` be asked about every clause that has looked at `patience` rows. */
void engine_set_doubt(engine *e, engine_doubt *doubt, void *context, uint64_t patience);

/* Evaluates one clause on the tables as they are. */
bool engine_run_clause(engine *e, flat_clause_id c, budget *limits, diag_sink *d);

uint64_t engine_fact_count(const engine *e);

#endif
