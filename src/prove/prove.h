/* Proving: a game, properties, methods, verdicts.

   A job holds the circuit of the game with the questions about it, and a verdict for each property.
   A method is run on a job within a budget and settles what it can; what is settled stays.  Every
   line of play is played on machine `reference` first (witness.h). */
#ifndef TABIA_PROVE_PROVE_H
#define TABIA_PROVE_PROVE_H

#include "prove/target_circuit.h"
#include "prove/witness.h"
#include "states/stepper.h"

/* What the method `abstract` may use. */
typedef struct abstract_options {
  bool not_terminal; /* only states that are not terminal are meant */
  bool reachable;    /* only the first state and those that legal moves lead to */
  bool mutexes;      /* facts about all reachable states, proved by induction */
} abstract_options;

typedef struct prove_options {
  uint32_t threads; /* at least 1 */
  uint64_t seed;
  double confidence;     /* of the bound that random play gives: 0.99 */
  const char *walk_file; /* to keep an exhaustive walk in; or NULL */
  abstract_options abstract;
} prove_options;

typedef struct prove_job {
  arena *keep;
  const program *program;
  prove_options options;
  grounded g;
  property_vec properties;
  uint32_t *targets; /* by property: the goal of both circuits below, or ID_NONE */
  uint32_t *extras;  /* by property: further goals of them (question_extras), or ID_NONE */
  finding *findings; /* by property */
  circuit full;      /* all latches: what is proved of fluents is true of the game */
  circuit reduced;   /* only the latches that matter */
  stepper stepper;   /* of `reduced` */
  bool has_stepper;
  uint32_t squeezes; /* how often play towards few moves has begun: each has its own chance */
  struct walk *walk; /* of all states, as far as it has come; NULL: not begun */
  bool has_bad_file; /* the walk cannot be kept in its file, which was told */
  fact_set facts;    /* that were proved so far */
  bool has_facts;
  bool has_all_facts;         /* nothing stopped the search for them */
  const char *groups_by;      /* the method that proved the last groups */
  fact_set walked_groups;     /* groups that all states were looked at for, */
  uint64_t walked_states;     /* so many states, */
  bool has_all_groups;        /* and that no other candidate is one */
  bool leaves_groups;         /* candidates that were asked one by one are open */
  bool reads_moves_at_rest;   /* legal, goal or terminal depends on does */
  bool has_rules_only;        /* nothing was grounded: `g` has the roles and no more */
  const char *why_rules_only; /* what is to blame; NULL: nobody asked for more */
  double started;
  diag_sink *d;
} prove_job;

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
} prove_method;

/* From the cheapest to the dearest; the first one, `auto`, runs the others; ended by a NULL name.
 */
extern const prove_method prove_methods[];
const prove_method *prove_method_find(const char *name); /* or NULL */

/* Grounds the game.  False: it cannot be, or it has no role; reported.  job_close is due in both
 * cases. */
bool job_open(prove_job *j, const program *p, prove_options o, budget *b, diag_sink *d);
void job_close(prove_job *j);

/* The same for what the method is run on. */
bool job_open_for(prove_job *j, const prove_method *m, const program *p, prove_options o, budget *b,
                  diag_sink *d);

/* Makes a job on the rules alone of one that could not be grounded, for the reason that is given.
   False: the game has no role; reported. */
bool job_fall_back(prove_job *j, const char *why);

/* Sets what is asked; the properties are of the circuit in `g`. */
void job_ask(prove_job *j, const property_vec *properties);

/* Runs a method, and ends the job. */
void job_run(prove_job *j, const prove_method *m, budget *b);

/* Notes the time of what is left open, and why there is no circuit if nobody gave a reason. */
void job_end(prove_job *j);

/* ---- for methods ---- */

/* Is the property still open?  Any of that kind?  Any at all? */
static inline bool job_is_open(const prove_job *j, uint32_t i) {
  return j->findings[i].kind == VERDICT_UNKNOWN;
}
bool job_has_open(const prove_job *j, property_kind kind);
bool job_has_open_reach(const prove_job *j);
bool job_is_settled(const prove_job *j);

/* The target of the property was reached by the line in `v` / can never be reached. */
void job_reached(prove_job *j, uint32_t property, finding v);
void job_never_reached(prove_job *j, uint32_t property, finding v);

/* Settles a property; a line is replayed first, and if it fails the property stays open. */
void job_settle(prove_job *j, uint32_t property, finding v);

/* Why it is still open; the last word counts. */
void job_explain(prove_job *j, uint32_t property, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What runs `reduced`, made once. */
const stepper *job_stepper(prove_job *j);

/* The facts that induction proves, found once; the search may go on when it was cut short. */
const fact_set *job_facts(prove_job *j, budget *b);
void job_more_facts(prove_job *j, budget *b);

/* Gives back what a walk holds. */
void job_forget_walk(prove_job *j);

/* The methods, each in a file of its own. */
void prove_by_walk(prove_job *j, budget *b);
void prove_by_play(prove_job *j, budget *b);
void prove_by_bmc(prove_job *j, budget *b);
void prove_by_induction(prove_job *j, budget *b);
void prove_by_pdr(prove_job *j, budget *b);
void prove_by_abstraction(prove_job *j, budget *b);
void prove_termination(prove_job *j, budget *b);
void prove_mutex(prove_job *j, budget *b);
void prove_mutex_by_walk(prove_job *j, budget *b);
void prove_mutex_by_pdr(prove_job *j, budget *b);
void prove_mutex_further(prove_job *j, budget *b); /* what is left is tried in all ways */
void prove_by_squeezing(prove_job *j, budget *b);  /* of playable alone */
void prove_by_chance(prove_job *j, budget *b);     /* of winnable alone */
void prove_monotone(prove_job *j, budget *b);

/* Of moves and rules that are never used; `ways` are those that may be tried. */
enum { DEAD_BY_PLAY = 1, DEAD_BY_FACTS = 2, DEAD_BY_WALK = 4 };
void prove_dead(prove_job *j, unsigned ways, budget *b);

/* Of a complete walk. */
void monotone_by_walk(prove_job *j, uint32_t property, struct walk *w, budget *b);

/* Looks for a step counter among facts that have just been proved, from `first` on. */
void termination_look(prove_job *j, const fact_set *facts, uint32_t first, budget *b);

#endif
