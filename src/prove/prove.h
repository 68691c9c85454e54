/* Jobs: a game, properties, verdicts.

   A job holds the circuit of the game with the questions about it, and a finding for each property.
   A method (methods.h) is run on a job within a budget and settles what it can; what is settled
   stays, and is reported to a listener at once.  Every line of play is played on machine
   `reference` first (witness.h).  This is what methods work with; front ends have prover.h. */
#ifndef TABIA_PROVE_PROVE_H
#define TABIA_PROVE_PROVE_H

#include "machine/lanes/lane_expander.h"
#include "prove/step_clock.h"
#include "prove/target_circuit.h"
#include "prove/witness.h"
#include "states/checkpoint.h"

/* What the method `abstract` may use. */
typedef struct abstract_options {
  bool not_terminal; /* only states that are not terminal are meant */
  bool reachable;    /* only the first state and those that legal moves lead to */
  bool mutexes;      /* facts about all reachable states, proved by induction */
} abstract_options;

typedef struct prove_job prove_job;
typedef struct clockless clockless; /* a walk without the step counter */

/* Receives the progress of a job.  Each function may be NULL. */
typedef struct prove_listener {
  /* The finding of a property is final: called once for each, when it is proved or refuted, or at
     the end if it stays unknown. */
  void (*found)(void *context, const prove_job *j, uint32_t property);
  /* A method begins, and may take this time. */
  void (*trying)(void *context, const prove_job *j, const char *method, double seconds);
  void *context;
} prove_listener;

typedef struct prove_options {
  const struct prove_method *method; /* that prover_run runs; NULL: `auto` */
  uint32_t threads;                  /* at least 1 */
  uint64_t seed;
  double confidence;          /* of the bound that random play gives: 0.99 */
  const char *walk_file;      /* to keep an exhaustive walk in; or NULL */
  uint64_t plain_states;      /* a walk of more states uses symmetries; 0: the default */
  ranks *ranks;               /* that walk together, by the method `exhaustive`; or NULL */
  checkpoint_wish checkpoint; /* of ranks */
  abstract_options abstract;
  prove_listener listener;
} prove_options;

struct prove_job {
  arena *keep;
  const program *program;
  prove_options options;
  grounded g;
  program marked_program; /* that was grounded, if formulas name relations; else `program` was */
  bitset marked;          /* by relation: it has marks (relation_marks.h) */
  role_terms roles;
  property_vec properties;
  VEC(const char *) asked; /* the words of prover_ask */
  uint32_t *targets;       /* by property: the target in both circuits below, or ID_NONE */
  uint32_t *extras;        /* by property: further targets of them (question_extras), or ID_NONE */
  finding *findings;       /* by property */
  bool *is_told;           /* by property: it was reported to the listener */
  witness_judge judge;
  budget replay_limits; /* of the judge, for one line */
  bool has_judge;
  circuit full;         /* all latches: what is proved of fluents is true of the game */
  circuit reduced;      /* only the latches that matter */
  step_clock clock;     /* of `reduced`, if it has one */
  uint32_t *last_steps; /* by target of `reduced` (step_clock_last) */
  lane_stepper stepper; /* of `reduced` */
  bool has_stepper;
  state_group symmetries;     /* of `reduced`, once a walk is too long without */
  lane_stepper walks_by_them; /* the stepper with these */
  bool has_symmetries;        /* they have been looked for */
  uint32_t longest_seen; /* steps of the longest play that was made, if ends are asked for ... */
  id_vec longest_line;   /* ... and its moves */
  uint64_t enough_steps; /* as many as any play can have; 0: it is not known */
  uint32_t squeezes;     /* how often play towards few moves has begun, each with its own stream */
  struct walk *walk;     /* of all states, as far as it has come; NULL: not begun */
  clockless *clockless;  /* a walk without the step counter; NULL: not begun */
  uint64_t walk_kept, walk_all; /* where states stand for others: states kept, and all of them */
  bool has_bad_file;            /* the walk cannot be kept in its file, which was reported */
  fact_set facts;               /* that were proved so far */
  bool has_facts;
  bool has_all_facts;         /* nothing stopped the search for them */
  const char *groups_by;      /* the method that proved the last groups */
  fact_set walked_groups;     /* groups found by a walk of all states, */
  uint64_t walked_states;     /* the number of these, */
  bool has_all_groups;        /* and whether no other candidate is a group */
  bool leaves_groups;         /* candidates that were asked one by one are open */
  bool reads_moves_at_rest;   /* legal, goal or terminal depends on does */
  bool has_rules_only;        /* nothing was grounded: there is no `g` */
  const char *why_rules_only; /* the reason; NULL: grounding was not asked for */
  double started;
  budget showing; /* for replaying lines that were found */
  diag_sink *d;
};

/* Grounds the game.  False: it cannot be grounded, or it has no role; reported.  Call job_close in
   any case. */
bool job_open(prove_job *j, const program *p, prove_options o, budget *b, diag_sink *d);
void job_close(prove_job *j);

/* Opens a job on the rules alone (rules_job.c).  False: the game has no role; reported. */
bool job_open_rules(prove_job *j, const program *p, prove_options o, budget *b, diag_sink *d);

/* Makes a job on the rules alone of one that could not be grounded, for the reason that is given.
   False: the game has no role; reported. */
bool job_fall_back(prove_job *j, const char *why, budget *b);

/* Sets what is asked; the properties are of the circuit in `g`. */
void job_ask(prove_job *j, const property_vec *properties);

/* Settles what follows from the ground rules alone. */
void job_settle_absent(prove_job *j);

/* Reports a method to the listener, and in the progress of the budget. */
void job_tell_method(prove_job *j, const char *method, budget *b);

/* Ends the open properties: notes their time and, if they have no reason, why there is no circuit;
   reports them to the listener. */
void job_end(prove_job *j);

/* What formulas may speak of. */
state_atoms job_atoms(const prove_job *j);

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

/* Why a method has left it open, and what it would need; a later call replaces the reason of the
   same method.  `method` NULL: a reason that is not that of a method. */
void job_explain(prove_job *j, uint32_t property, const char *method, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Machine `reference`, opened once, to replay a line within this time.  NULL: it cannot be opened.
   After a failure, dismiss it; the next call opens it again. */
witness_judge *job_judge(prove_job *j, double seconds);
void job_dismiss_judge(prove_job *j);

/* Looks for a play of the longest possible length, or a proof that there is none, for a short time
   (long_play.c). */
void job_seek_longest(prove_job *j, play_length *l, budget *b);

/* What runs `reduced`, made once. */
const lane_stepper *job_stepper(prove_job *j);

/* The facts that induction proves, found once; job_more_facts continues a search that was cut
   short. */
const fact_set *job_facts(prove_job *j, budget *b);
void job_more_facts(prove_job *j, budget *b);

/* Frees what a walk holds. */
void job_forget_walk(prove_job *j);

#endif
