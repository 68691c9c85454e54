/* A game as the machine `datalog` opens it: what all its workspaces share. */
#ifndef TABIA_MACHINE_DATALOG_DATALOG_GAME_H
#define TABIA_MACHINE_DATALOG_DATALOG_GAME_H

#include "machine/datalog/datalog_state.h"
#include "machine/large_states.h"

typedef struct datalog {
  machine base;
  arena *keep;
  dl_rules rules;
  dl_plan plan;
  dl_catalog fluents, moves, percepts;
  dl_names *names;
  term_id *role_terms;
  uint32_t room;       /* fluents in a position */
  large_states *large; /* that have more */
  uint32_t *start;
  bool *is_number;  /* by constant */
  int32_t *numbers; /* by constant that is one */
} datalog;

/* NULL: it cannot be, and `d` says why. */
datalog *datalog_game_open(const machine_source *source, budget *b, diag_sink *d);
void datalog_game_close(datalog *m);

#endif
