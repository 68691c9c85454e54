/* A match: messages to the players of all roles, their moves, and the states of the game.

   Errors never forfeit.  A player that is late, cannot be reached or makes no legal move has a move
   drawn for it from the legal ones, and the error is kept for role and step: "TO", "CE why" or
   "IL reply".  The role `random` is played here.  All players are asked at the same time, and no
   player can delay the match beyond the clock. */
#ifndef TABIA_GGP_REFEREE_REFEREE_H
#define TABIA_GGP_REFEREE_REFEREE_H

#include "base/vec.h"
#include "ggp/wire/tcp.h"
#include "tabia.h"

#include <signal.h>

typedef struct match_seat {
  const char *name;
  tcp_address address;
} match_seat;

typedef struct match_setup {
  const char *id;
  const tabia_rules *rules;
  const tabia_machine *machine;
  const match_seat *seats; /* one for each role but `random`, in the order of the roles */
  double start_clock, play_clock;
  double grace; /* seconds beyond the play clock in which a move is still taken */
  bool is_scrambled;
  uint64_t seed;
  uint64_t max_steps;                /* the match is aborted after these; 0: never */
  const volatile sig_atomic_t *stop; /* aborts it; or NULL */
  /* Called after each step with the moves of all roles and their errors ("": none); or NULL. */
  void (*tell)(void *context, uint64_t step, const char *const *moves, const char *const *errors);
  void *context;
} match_setup;

typedef struct match_turn {
  const char **moves;  /* of each role, as the rules write them */
  const char **errors; /* of each role */
} match_turn;

typedef struct match_state {
  const char *fluents;  /* as the rules write them */
  int64_t milliseconds; /* since 1970 */
} match_state;

typedef struct match_result {
  uint32_t roles;
  VEC(match_turn) turns;
  VEC(match_state) states;    /* one more than turns */
  const char **start_replies; /* of each role: "" for `ready` and `random`, else the error */
  bool is_completed, is_aborted;
  int32_t *goals;                      /* of each role where it is completed; TABIA_NO_GOAL: none */
  uint32_t late, illegal, unreachable; /* errors by kind */
  double own_seconds;                  /* that the referee itself took, over all turns */
} match_result;

/* Plays a match.  TABIA_LIMIT: it was stopped; TABIA_FAULTY: the game goes wrong; in both cases it
   is aborted, and the result has what was played.  Texts are in `keep`. */
tabia_status match_play(match_result *r, const match_setup *s, arena *keep, tabia_messages *log);

/* The number of seats of a game, and the role of each. */
uint32_t match_seat_count(const tabia_machine *m);
uint32_t match_seat_role(const tabia_machine *m, uint32_t seat);

#endif
