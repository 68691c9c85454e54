/* CaDiCaL as C may call it.

   CaDiCaL throws when memory is exhausted, and an exception must not pass through C.  Here it is
   caught, and the solver has failed for good.  Its state is unknown, so it accepts no more clauses,
   answers 'unknown' to every query, and its memory is never released: freeing it could crash. */
#ifndef TABIA_SAT_SAT_CORE_H
#define TABIA_SAT_SAT_CORE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sat_core {
  struct CCaDiCaL *solver;
  bool has_failed;
} sat_core;

void sat_core_init(sat_core *c);
void sat_core_free(sat_core *c);
void sat_core_set_option(sat_core *c, const char *name, int value);
/* `must_stop` is asked now and then while a question is being answered. */
void sat_core_set_stop(sat_core *c, int (*must_stop)(void *context), void *context);

void sat_core_put(sat_core *c, int32_t literal); /* the next of a clause; 0 ends it */

/* 10: there is a model, 20: there is none, 0: unknown.  `conflicts` 0: no limit. */
int sat_core_solve(sat_core *c, const int32_t *assumptions, uint32_t count, uint32_t conflicts);
int sat_core_value(const sat_core *c, int32_t variable);     /* after 10: above 0 if it holds */
bool sat_core_failed(const sat_core *c, int32_t assumption); /* after 20: the proof needs it */

#ifdef __cplusplus
}
#endif

#endif
