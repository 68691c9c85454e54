/* Updates a model when its state changes a little: what is maintained, and what is forgotten.

   A component that was queried in two successive states, the second near the first, gets a tally
   (datalog_counting.h) and is maintained until there is a state in which nobody queries it. Others
   are forgotten when a relation that they read has changed.

   Relations change one after another, each after all that it reads; facts are removed before others
   are added. So a clause sees one of its relations change at a time.

   Counting all derivations may cost more than computing facts again, for which one derivation is
   enough. Work is measured in rows looked at, and reviewed now and then: a component whose
   maintenance does not pay is not maintained. */
#ifndef TABIA_MACHINE_DATALOG_DATALOG_INCREMENTAL_H
#define TABIA_MACHINE_DATALOG_DATALOG_INCREMENTAL_H

#include "machine/datalog/datalog_model.h"

enum {
  DL_FIRST_REVIEW = 32, /* states until then */
  DL_ROW_WORK = 3,      /* of adding a fact, indexing it and taking it out again */
};

/* The facts of a relation that go and come, by their places. */
typedef struct dl_changes {
  const uint32_t *gone, *come;
  uint32_t gone_count, come_count;
} dl_changes;

/* The next state is given by changes of `true`, between these two. */
void dl_change_begin(dl_model *m);
void dl_change_end(dl_model *m);

/* Changes a relation of `true` whose facts have places. */
void dl_change(dl_model *m, flat_id relation, const dl_changes *changes);

/* Whether a component that is to be evaluated, and is not too costly, can be kept from here on. */
bool dl_can_keep(const dl_model *m, uint32_t component);

/* Evaluates it with a tally. */
void dl_keep(dl_model *m, uint32_t component);

#endif
