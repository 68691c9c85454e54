/* What the Python package does in C beside calling tabia.h: one call for each step of a batch, so
   that Python itself costs little, texts without callbacks into Python, and Ctrl-C. */
#ifndef TABIA_ENV_H
#define TABIA_ENV_H

#include "tabia.h"

/* ---- texts ---- */

typedef struct tabia_sink {
  char *bytes;
  size_t length, capacity;
} tabia_sink;

void tabia_sink_put(void *context, const char *bytes, size_t length);
void tabia_sink_clear(tabia_sink *sink);

/* ---- Ctrl-C ---- */

/* Until the end, SIGINT also sets the flag, which is given back; the handler that was there before
   is called as well.  NULL: nothing handles SIGINT.  For the main thread alone. */
const volatile sig_atomic_t *tabia_interrupt_begin(void);
bool tabia_interrupt_end(void); /* was the flag set? */

/* ---- batches ---- */

typedef enum tabia_ending {
  TABIA_ENDING_STAYS,     /* a game that is over waits for a reset */
  TABIA_ENDING_SAME_STEP, /* begins anew in the step that ends it */
  TABIA_ENDING_NEXT_STEP  /* begins anew in the step behind, which does nothing else */
} tabia_ending;

/* An answer that is got ready for all lanes. */
typedef struct tabia_look {
  tabia_answer what;
  uint32_t role;
  tabia_layout layout;
  size_t stride; /* bytes of a lane */
  char *out;
} tabia_look;

/* What is to be got ready, as a sum. */
enum {
  TABIA_LOOK_MASKS = 1,    /* legal moves of all players */
  TABIA_LOOK_FLUENTS = 2,  /* the state */
  TABIA_LOOK_PERCEPTS = 4, /* what all players saw */
  TABIA_LOOK_SAMPLE = 8,   /* random actions */
  TABIA_LOOK_CURRENT = 16  /* who chooses */
};

/* Of one block of lanes, by one thread at a time. */
typedef struct tabia_env_part {
  uint32_t waiting;    /* lanes that are over */
  uint32_t lost_count; /* of them in a state that is not terminal */
  bool has_reward;     /* is a reward other than 0? */
  bool has_illegal;    /* in the last step, where that is an error */
  bool is_simultaneous;
  char own_line[48]; /* of the cache */
} tabia_env_part;

/* All memory belongs to the caller.  Players are roles other than `random`. */
typedef struct tabia_env {
  tabia_batch *batch;
  uint32_t lanes, roles, players, nature; /* the role `random`; roles: there is none */
  uint32_t *player_roles;                 /* by player */
  uint32_t *move_counts;                  /* of each player: how many moves it can ever have */
  tabia_ending ending;
  bool illegal_loses;
  uint32_t max_steps; /* of a game, which is cut there; 0: any number */
  uint64_t seed, steps, samples;
  tabia_look *masks;     /* by player */
  tabia_look *percepts;  /* by player */
  tabia_look *fluents;   /* one */
  tabia_move *sample[2]; /* [lanes][players] of even and of odd draws: the last one stays */
  int32_t *current;      /* [lanes] who chooses */
  tabia_env_part *parts; /* by block; in a view of one it is that one's */
  tabia_move *joints;    /* [lanes][roles] */
  tabia_move *drawn;     /* [lanes][roles] */
  bool *terminated;      /* [lanes] by the last step */
  bool *truncated;       /* [lanes] cut by the last step */
  uint32_t *age;         /* [lanes] steps of the game, where they are limited */
  bool *over;            /* [lanes] waits for a reset */
  bool *illegal;         /* [lanes] in the last step */
  bool *now;             /* [lanes] scratch */
  bool *lost;            /* [lanes] over, or cut, in a state that is not terminal */
  uint32_t *ended;       /* [lanes] scratch */
  int32_t *column;       /* [lanes] scratch */
  uint32_t *counts;      /* by block [players + 1][lanes], scratch */
  uint64_t *mask;        /* [lanes][mask_words] scratch for the largest mask of a role, as bits */
  size_t mask_words;
  float *reward;  /* [lanes][players] */
  int32_t *goals; /* [lanes][players] of the last game that ended */
} tabia_env;

typedef enum tabia_env_result {
  TABIA_ENV_OK,
  TABIA_ENV_ILLEGAL,      /* `illegal` tells where; these lanes stay as they are */
  TABIA_ENV_SIMULTANEOUS, /* one action for a lane in which several choose; nothing was done */
  TABIA_ENV_TROUBLE       /* tabia_batch_status tells */
} tabia_env_result;

/* `width` actions for each lane: one for each player, or, where width is 1 and there are several
   players, that of the one player who has a choice.  Looks are of the states behind the step. */
tabia_env_result tabia_env_step(tabia_env *e, const tabia_move *actions, uint32_t width,
                                uint32_t looks);
void tabia_env_look(tabia_env *e, uint32_t looks);
/* Begins anew where `which` holds (NULL: everywhere). */
void tabia_env_reset(tabia_env *e, const bool *which);
/* Other states, of so many bytes each, where `which` holds. */
void tabia_env_put(tabia_env *e, const void *positions, size_t size, const bool *which);
/* Who chooses: a player, or one of these. */
#define TABIA_ENV_CHANCE -1
#define TABIA_ENV_SEVERAL -2
#define TABIA_ENV_OVER -4

#endif
