/* Games of one role, or of two in turn, without chance: the goal that a role (the hero) can
   guarantee in every state, and how soon.

   Two roles.  The value is the highest goal that the hero can guarantee, whatever the other does,
   where play without end is worth ENDLESS_VALUE to both.  So the hero has more than that only where
   it can force an end with such a goal, and less only where the other can force one.
   One role.  The value is the best goal of all ends that it can reach; 0 if it can reach none.

   The remoteness of a state is the number of steps to the end if both keep their values: a role
   that has more than ENDLESS_VALUE hurries, any other delays the end.  One role always hurries.  A
   state whose value rests on play without end has no remoteness. */
#ifndef TABIA_SOLVE_TURNS_H
#define TABIA_SOLVE_TURNS_H

#include "solve/space.h"
#include "states/value_file.h"

/* Codes of values are their places in turn_values.values. */
enum { CODE_MAX = 125, CODE_OPEN = VALUE_CODE_OPEN, CODE_BITS = 0x7f, CODE_SETTLED = 0x80 };
enum { STEPS_MAX = 65534, STEPS_NONE = 65535 };

typedef struct turn_values {
  const solve_space *s;
  uint32_t hero;
  bool is_alone;            /* there is one role */
  int32_t values[CODE_MAX]; /* from the lowest */
  uint32_t value_count;
  uint32_t endless; /* the code of ENDLESS_VALUE; of 0 where the hero is alone */
  uint8_t **codes;  /* by part of the space */
  uint16_t **steps;
  bool has_endless; /* the value of some state rests on play without end */
  bool is_too_long; /* an end was more than STEPS_MAX steps away */
} turn_values;

/* A value and how far the end is. */
typedef struct turn_worth {
  uint8_t code;   /* CODE_OPEN: not known */
  uint16_t steps; /* STEPS_NONE: play need not end */
} turn_worth;

static inline turn_worth turn_worth_at(const turn_values *v, state_place p) {
  return (turn_worth){v->codes[p.shard][p.number] & CODE_BITS, v->steps[p.shard][p.number]};
}

/* Of all states of a complete walk; all[number] of the heroes that are solved one after another.
   Those before it are read from files where there are any.  False: the budget is spent, or
   is_too_long, or a file cannot be written. */
bool turns_solve(turn_values *all, uint32_t number, solve_space *s, uint32_t hero, arena *keep,
                 budget *b);

/* Is `a` better for whoever moves? */
bool turn_is_better(const turn_values *v, bool hero_moves, turn_worth a, turn_worth b);

#endif
