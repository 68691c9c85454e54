/* What can be asked about a game.

     playable          in every reachable state that is not terminal every role has a legal move
     terminates        every play comes to an end
     winnable          for a role: some play ends with 100 for it (all roles play for that)
     goals             in every reachable terminal state each role but `random` (which chance
                       plays) has exactly one goal, in 0 .. 100
     dead              every move is legal in some reachable state that is not terminal
     mutex             groups of fluents of which at most one, or exactly one, holds
     monotone          goals, in every reachable state, and no step makes one smaller
     strongly-winnable for a role: it can play so that it gets 100 whatever the others do; where
                       roles do not see all (GDL-II) it may be refuted, but is never proved
     unreachable F     the formula F (claim.h) holds in no reachable state
     invariant E       the formula E holds in every reachable state

   A property that is about states is a question whether some state can be reached
   (target_circuit.h). */
#ifndef TABIA_PROVE_PROPERTY_H
#define TABIA_PROVE_PROPERTY_H

#include "prove/claim.h"

typedef enum property_kind {
  PROPERTY_PLAYABLE,
  PROPERTY_TERMINATES,
  PROPERTY_WINNABLE,
  PROPERTY_GOALS,
  PROPERTY_DEAD,
  PROPERTY_MUTEX,
  PROPERTY_MONOTONE,
  PROPERTY_STRONGLY_WINNABLE,
  PROPERTY_UNREACHABLE,
  PROPERTY_INVARIANT,
  PROPERTY_KINDS
} property_kind;

typedef struct property {
  property_kind kind;
  uint32_t role;    /* of PROPERTY_WINNABLE and PROPERTY_STRONGLY_WINNABLE */
  claim claim;      /* of PROPERTY_UNREACHABLE and PROPERTY_INVARIANT */
  const char *name; /* as it is printed: "winnable white" */
  /* In which sense a role is to win among several: "co-operative" (all play for it) or "strong"
     (whatever the others do); NULL: there is only one sense. */
  const char *sense;
} property;

typedef VEC(property) property_vec;

/* Adds what the words stand for: a property by its name, "winnable" for every role but `random`
   ("winnable ROLE" for one), "all" for playable, terminates, winnable, goals, dead and mutex.
   "strongly-winnable" as "winnable".  False: `complaint` says why. */
bool property_read(property_vec *out, const char *words, const state_atoms *atoms, arena *keep,
                   const char **complaint);

/* Do they ask for the same, in whatever words? */
bool property_is_same(const property *a, const property *b);

const char *property_kind_name(property_kind kind);    /* "winnable" */
const char *property_kind_summary(property_kind kind); /* one line */

/* Is it a question whether a state can be reached? */
bool property_is_reach(property_kind kind);

#endif
