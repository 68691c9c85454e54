/* Measures: numbers of states that show that every play ends.

   A measure is a sum: the weights of those literals that hold.  A list of measures is a proof when
   no step raises a measure without lowering one that comes before it in the list, and when no k
   steps in a row leave all of them as they are: then the whole list, read like a word, comes
   earlier in the dictionary at least every k steps. */
#ifndef TABIA_PROVE_MEASURE_H
#define TABIA_PROVE_MEASURE_H

#include "induct/facts.h"

typedef struct measure_term {
  uint32_t member; /* as in fact_set: a fluent, times two, plus one when negated */
  uint32_t weight; /* at least 1 */
} measure_term;

typedef struct measure {
  uint32_t first, count; /* in measure_list.terms */
  uint32_t level;        /* those of one level are independent of each other */
  uint64_t range;        /* how far it can fall while those of lower levels stay as they are */
} measure;

typedef struct measure_list {
  arena *keep;
  VEC(measure) all; /* by level */
  VEC(measure_term) terms;
} measure_list;

/* A new measure, without terms yet. */
void measure_begin(measure_list *l, uint32_t level, uint64_t range);

/* Adds a term to the last measure.  A negative weight is the positive one of the negated literal;
   of weight 0 there is nothing to add. */
void measure_add(measure_list *l, uint32_t member, int64_t weight);

/* Finds the range of the last measure from the facts: of each group at most one fluent holds.  A
   measure that never grows cannot fall further than from what it is at the start. */
void measure_narrow(measure_list *l, const fact_set *facts, const circuit *c, bool never_grows);

/* How many times the list can become smaller; UINT64_MAX: that or more. */
uint64_t measures_bound(const measure_list *l);

/* A line for each: (measure (2 (cell 1 1 b)) (1 (not (cell 1 2 b)))) */
void measures_print(const measure_list *l, const circuit *c, text *out);

#endif
