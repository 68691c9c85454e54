/* Rules by what triggers them (INVERTED-GDL).

   For each relation: the rules that one of its facts can trigger, and their remaining conditions.
   A rule waits until the relations in these are complete, so each rule is triggered by one
   condition, the first of its chain; only recursive rules are triggered by each recursive
   condition.

   Relations are computed in groups, by the queries that need them (strata.h): a group is evaluated
   when one of its queries is first made in a state.  Within a group, relations become complete at
   levels 0, 1, 2, ...  A firing is everything that the facts of one relation trigger at one level:
   it becomes one C function.

   Persistent relations are kept from state to state as long as the fluents from which they derive
   are only added to: a group of kept relations continues with the new facts, and each of its rules
   is triggered by each of its conditions, like recursive rules.  When a fluent is gone (another
   game begins), kept relations are computed from the beginning.

   An auxiliary relation that serves one rule and derives few facts twice is not stored but passed
   on: its facts are arguments of a call. */
#ifndef TABIA_COMPILE_PLAN_INVERT_H
#define TABIA_COMPILE_PLAN_INVERT_H

#include "compile/plan/domains.h"
#include "compile/plan/labels.h"

typedef enum relation_kind {
  KIND_UNUSED,
  KIND_PERMANENT, /* facts known now */
  KIND_STATE,     /* true(...): given with a position */
  KIND_MOVE,      /* does(...): given with a joint move */
  KIND_STORED,    /* derived and kept */
  KIND_PASSED     /* derived and handed on at once */
} relation_kind;

typedef struct placed_relation {
  relation_kind kind;
  uint32_t group;            /* KIND_STORED */
  uint32_t level;            /* KIND_STORED: complete when the firings of this level begin */
  flat_clause_id definition; /* KIND_PASSED: the one rule that gives it */
  bool is_kept;              /* from state to state: KIND_STATE, KIND_STORED or KIND_PASSED */
} placed_relation;

/* A condition that remains, with the columns that are known when its turn comes. */
typedef struct remaining {
  uint32_t literal; /* in flat_program.literals */
  uint64_t known;   /* bit i: column i */
} remaining;

typedef struct trigger {
  flat_clause_id clause;
  uint32_t by; /* the body literal that triggers it, an index of flat_program.literals;
                  ID_NONE: nothing does, it is tried once */
  uint32_t first_remaining, remaining_count; /* in inverted.remaining */
  bool is_whole; /* all facts of the state stay, and nothing reads the next state's: the bits
                    can be taken over as they are */
} trigger;

typedef struct firing {
  flat_id relation; /* ID_NONE: of rules that nothing triggers */
  uint32_t group, level;
  bool is_recursive; /* its rules feed the relations of this level: run until nothing is new */
  uint32_t first_trigger, trigger_count;
} firing;

typedef struct group {
  uint32_t questions; /* a bit for each question_kind */
  bool depends_on_does;
  bool is_kept; /* all its relations are; it has one level */
  uint32_t level_count;
} group;

enum { GROUPS_MAX = 64, COLUMNS_MAX = 64 };

typedef struct inverted {
  const domains *domains;
  placed_relation *relations; /* by flat relation */
  group groups[GROUPS_MAX];   /* in the order in which they can be run */
  uint32_t group_count;
  VEC(firing) firings; /* by group, level, recursive ones first */
  VEC(firing) passed;  /* what facts of passed relations trigger */
  VEC(trigger) triggers;
  VEC(remaining) remaining;
} inverted;

void invert(inverted *v, const domains *d, const labels *l, arena *keep, budget *limits);

void inverted_print(const inverted *v, text *out);

#endif
