#include "prove/methods.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void search_dead(prove_job *j, budget *b) {
  prove_dead(j, DEAD_BY_PLAY | DEAD_BY_FACTS | DEAD_BY_WALK, b);
}

/* What induction looks for on the circuit need not be looked for in the rules again. */
static void run_abstraction(prove_job *j, budget *b) {
  const abstract_options asked = j->options.abstract;
  j->options.abstract.mutexes = false;
  prove_by_abstraction(j, b);
  j->options.abstract = asked;
}

/* Nothing is open but groups, which have been looked for: what is left to do for them comes last.
 */
static bool has_only_groups_to_find(const prove_job *j) {
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (job_is_open(j, i) && !(j->has_facts && j->properties.items[i].kind == PROPERTY_MUTEX))
      return false;
  return true;
}

/* Kinds of properties as bits. */
#define OF(kind) (1u << PROPERTY_##kind)
enum {
  OF_STATES = OF(PLAYABLE) | OF(WINNABLE) | OF(GOALS) | OF(UNREACHABLE) | OF(INVARIANT),
  OF_PLAYS = OF_STATES | OF(TERMINATES) | OF(MONOTONE)
};

static bool has_open_of(const prove_job *j, uint32_t kinds) {
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (kinds >> j->properties.items[i].kind & 1 && job_is_open(j, i)) return true;
  return false;
}

/* A step of `auto`. */
typedef struct plan_step {
  const char *what; /* is tried */
  void (*run)(prove_job *j, budget *b);
  uint32_t kinds;    /* of the properties that it is for */
  double part, most; /* of the time that is left, and seconds */
} plan_step;

/* In order of cost.  Each gets a part of what is left, and no more seconds than it is likely to
   make good use of. */
static const plan_step auto_plan[] = {
    {"probe", prove_by_play, OF_PLAYS, 0.05, 0.25},
    {"exhaustive", prove_by_walk, OF_PLAYS | OF(STRONGLY_WINNABLE), 0.1, 60},
    {"proof numbers", prove_by_proof_numbers, OF(STRONGLY_WINNABLE), 0.5, 600},
    {"squeeze", prove_by_squeezing, OF(PLAYABLE), 0.02, 1},
    {"seek", prove_by_seeking, OF(WINNABLE), 0.02, 1},
    {"induction", prove_by_induction, OF_STATES, 0.4, 600},
    {"groups of fluents", prove_mutex, OF(MUTEX), 0.3, 600},
    {"balance", prove_by_balance, OF_STATES, 0.25, 60},
    {"abstract", run_abstraction, OF(PLAYABLE), 0.05, 5},
    {"induction on goals", prove_monotone, OF(MONOTONE), 0.3, 600},
    {"termination", prove_termination, OF(TERMINATES), 0.4, 600},
    {"exhaustive without the step counter", prove_without_clock, OF_STATES, 0.15, 60},
    {"probe", prove_by_play, OF_PLAYS, 0.1, 60},
    {"squeeze", prove_by_squeezing, OF(PLAYABLE), 0.2, 30},
    {"seek", prove_by_seeking, OF(WINNABLE), 0.25, 60},
    {"probe for wins", prove_by_chance, OF(WINNABLE), 0.15, 60},
    {"unused moves and rules", search_dead, OF(DEAD), 0.3, 60},
    {"pdr", prove_by_pdr, OF_STATES, 0.5, DBL_MAX},
    {"bmc", prove_by_bmc, OF_STATES | OF(TERMINATES), 0.5, DBL_MAX},
    {"exhaustive", prove_by_walk, OF_PLAYS | OF(STRONGLY_WINNABLE), 1, DBL_MAX}};

/* False: no time is left. */
static bool run_step(prove_job *j, const plan_step *s, budget *b) {
  const double seconds = fmin(0.02 + budget_seconds_left(b) * s->part, s->most);
  budget part = budget_part(b, seconds);
  if (budget_check_now(&part)) return false;
  if (!has_open_of(j, s->kinds)) return true;
  job_tell_method(j, s->what, &part);
  s->run(j, &part);
  return true;
}

/* What nothing else needs goes to the search for groups. */
static void run_all(prove_job *j, budget *b) {
  for (size_t i = 0; i < sizeof auto_plan / sizeof *auto_plan && !has_only_groups_to_find(j); i++)
    if (!run_step(j, &auto_plan[i], b)) break;
  job_tell_method(j, "further groups of fluents", b);
  prove_mutex_further(j, b);
}

/* Groups are what induction finds on its way. */
static void run_induction(prove_job *j, budget *b) {
  prove_by_induction(j, b);
  prove_monotone(j, b);
  prove_mutex(j, b);
  prove_dead(j, DEAD_BY_FACTS, b);
  prove_mutex_further(j, b);
}

static void run_play(prove_job *j, budget *b) {
  prove_dead(j, DEAD_BY_PLAY, b);
  budget half = budget_part(b, budget_seconds_left(b) / 2);
  prove_by_chance(j, &half);
  prove_by_play(j, b);
}

static void run_walk(prove_job *j, budget *b) {
  if (j->options.ranks) {
    prove_by_ranks(j, b);
    return;
  }
  prove_by_walk(j, b);
  prove_mutex_by_walk(j, b);
  prove_dead(j, DEAD_BY_WALK, b);
}

static void run_pdr(prove_job *j, budget *b) {
  prove_by_pdr(j, b);
  prove_mutex_by_pdr(j, b);
}

const prove_method prove_methods[] = {
    {"auto", "all of them but bdd, in order of cost", run_all, INPUT_EITHER, UINT32_MAX, false},
    {"probe", "play at random", run_play, INPUT_CIRCUIT, OF_PLAYS | OF(DEAD), false},
    {"squeeze", "play towards states with few moves", prove_by_squeezing, INPUT_CIRCUIT,
     OF(PLAYABLE), false},
    {"seek", "play towards wins", prove_by_seeking, INPUT_CIRCUIT, OF(WINNABLE), false},
    {"exhaustive", "look at every reachable state", run_walk, INPUT_CIRCUIT, UINT32_MAX, false},
    {"proof-number", "a tree of play that forces a win", prove_by_proof_numbers, INPUT_CIRCUIT,
     OF(STRONGLY_WINNABLE), false},
    {"abstract", "first-order deduction from the rules", prove_by_abstraction, INPUT_RULES,
     OF(PLAYABLE) | OF(MUTEX), false},
    {"induction", "from k steps to the next", run_induction, INPUT_CIRCUIT,
     OF_STATES | OF(MONOTONE) | OF(MUTEX) | OF(DEAD), false},
    {"balance", "sums of fluents that no step changes", prove_by_balance, INPUT_CIRCUIT, OF_STATES,
     false},
    {"termination", "a measure that every step makes smaller", prove_termination, INPUT_CIRCUIT,
     OF(TERMINATES), false},
    {"pdr", "clauses that no step breaks", run_pdr, INPUT_CIRCUIT, OF_STATES | OF(MUTEX), false},
    {"bmc", "all lines of 0, 1, 2, ... steps", prove_by_bmc, INPUT_CIRCUIT,
     OF_STATES | OF(TERMINATES), false},
    {"bdd", "every reachable state, as diagrams of levels", prove_by_diagrams, INPUT_CIRCUIT,
     OF_STATES | OF(TERMINATES), true},
    {0}};

/* ---- what is left open ---- */

static bool has_attempt(const finding *v, const char *method) {
  for (uint32_t i = 0; i < v->attempts.count; i++)
    if (v->attempts.items[i].method && strcmp(v->attempts.items[i].method, method) == 0)
      return true;
  return false;
}

/* The methods that may decide a property and have not said that they cannot; "": all have.  Those
   alone that `auto` runs, or all. */
static const char *silent_methods(const prove_job *j, uint32_t i, bool of_auto) {
  text names = text_new(j->keep);
  for (const prove_method *m = prove_methods + 1; m->name; m++)
    if (m->decides >> j->properties.items[i].kind & 1 && !(of_auto && m->is_by_name_only) &&
        !has_attempt(&j->findings[i], m->name))
      text_add_format(&names, "%s%s", names.length ? ", " : "", m->name);
  return text_string(&names);
}

void methods_explain_open(prove_job *j, const prove_method *m) {
  for (uint32_t i = 0; i < j->properties.count; i++) {
    if (!job_is_open(j, i)) continue;
    const char *silent = silent_methods(j, i, m == prove_methods);
    if (m == prove_methods && *silent)
      job_explain(j, i, NULL, "no time was left for %s", silent);
    else if (!(m->decides >> j->properties.items[i].kind & 1))
      job_explain(j, i, m->name, "does not look at this; these methods do: %s", silent);
    else if (!j->findings[i].attempts.count)
      job_explain(j, i, m->name, "no time was left");
  }
}

const prove_method *prove_method_find(const char *name) {
  for (const prove_method *m = prove_methods; m->name; m++)
    if (strcmp(m->name, name) == 0) return m;
  return NULL;
}
