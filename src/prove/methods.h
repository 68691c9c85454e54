/* The methods that jobs are settled by. */
#ifndef TABIA_PROVE_METHODS_H
#define TABIA_PROVE_METHODS_H

#include "prove/prove.h"

/* What a method is run on. */
typedef enum method_input {
  INPUT_CIRCUIT, /* the game has to be grounded */
  INPUT_RULES,   /* it need not be */
  INPUT_EITHER   /* it should be, but if that takes too long the rules will do */
} method_input;

typedef struct prove_method {
  const char *name;
  const char *summary;
  void (*run)(prove_job *j, budget *b);
  method_input input;
  uint32_t decides;     /* kinds of properties, as bits: those that it may prove or refute */
  bool is_by_name_only; /* `auto` does not run it */
} prove_method;

/* In order of cost; the first one, `auto`, runs the others but those of the last flag; ended by a
   NULL name. */
extern const prove_method prove_methods[];
const prove_method *prove_method_find(const char *name); /* or NULL */

/* Says of what is open and was not looked at which methods may decide it. */
void methods_explain_open(prove_job *j, const prove_method *m);

/* ---- the methods, each in a file of its own ---- */

void prove_by_walk(prove_job *j, budget *b);
void prove_by_ranks(prove_job *j, budget *b);         /* the same over several processes */
void prove_by_proof_numbers(prove_job *j, budget *b); /* of strongly-winnable alone */
void prove_by_parts(prove_job *j, budget *b); /* of one role; before a walk of many states */
/* Before a walk of many states, too; whether it has anything to look for. */
void prove_without_clock(prove_job *j, budget *b);
bool has_clock_to_leave_out(const prove_job *j);
void clockless_free(clockless *k); /* NULL is allowed */
void prove_by_play(prove_job *j, budget *b);
void prove_by_diagrams(prove_job *j, budget *b);
void prove_by_bmc(prove_job *j, budget *b);
void prove_by_induction(prove_job *j, budget *b);
void prove_by_balance(prove_job *j, budget *b);
void prove_by_pdr(prove_job *j, budget *b);
void prove_by_abstraction(prove_job *j, budget *b);
void prove_termination(prove_job *j, budget *b);
void prove_mutex(prove_job *j, budget *b);
void prove_mutex_by_walk(prove_job *j, budget *b);
void prove_mutex_by_pdr(prove_job *j, budget *b);
void prove_mutex_further(prove_job *j, budget *b); /* what is left is tried in all ways */
void prove_by_squeezing(prove_job *j, budget *b);  /* of playable alone */
void prove_by_seeking(prove_job *j, budget *b);    /* of winnable alone */
void prove_by_chance(prove_job *j, budget *b);     /* of winnable alone */
void prove_monotone(prove_job *j, budget *b);

/* Of moves and rules that are never used; `ways` are those that may be tried. */
enum { DEAD_BY_PLAY = 1, DEAD_BY_FACTS = 2, DEAD_BY_WALK = 4 };
void prove_dead(prove_job *j, unsigned ways, budget *b);

/* A play of this number of steps, by bounded model checking. */
sat_answer bmc_find_play(prove_job *j, uint32_t steps, id_vec *line, budget *b);

/* Of a complete walk. */
void monotone_by_walk(prove_job *j, uint32_t property, struct walk *w, budget *b);

/* Looks for a step counter among facts that have just been proved, from `first` on. */
void termination_look(prove_job *j, const fact_set *facts, uint32_t first, budget *b);

#endif
