/* Many games whose states stay in the memory of a device: the operations of a machine that works
   there.

   A buffer is an answer about all games, in the memory of the device.  It exists once it has been
   requested, and every call that changes states updates it.  Calls return as soon as the work is
   queued on the stream: a reader of a buffer must use the same stream, or wait first.

   Players are all roles but the one that chance plays, whose moves are drawn.

   A call that fails returns false, and device_batch_trouble says why; what was begun may not be
   done. */
#ifndef TABIA_MACHINE_DEVICE_BATCH_H
#define TABIA_MACHINE_DEVICE_BATCH_H

#include "machine/machine.h"

/* What becomes of games that have ended. */
typedef enum device_ending {
  ENDING_STAYS,     /* they stay where they are */
  ENDING_SAME_STEP, /* the step that ends a game also begins it anew */
  ENDING_NEXT_STEP  /* the next step does nothing but that */
} device_ending;

typedef enum device_answer {
  DEVICE_LEGAL,      /* by move of the role */
  DEVICE_FLUENTS,    /* by fluent */
  DEVICE_PERCEPTS,   /* by percept of the role: what it saw of the last step */
  DEVICE_GOALS,      /* by player: at the end of games that the last step ended, else GOAL_NONE */
  DEVICE_REWARDS,    /* by player: likewise from -1, for 0, to 1, for 100; else 0 */
  DEVICE_TERMINATED, /* one byte: the last step, or whoever put it there, led to a terminal state */
  DEVICE_ILLEGAL,    /* one byte: the last action was not legal */
  DEVICE_DRAWN       /* by player: the move drawn last */
} device_answer;

typedef enum device_layout { DEVICE_BITS, DEVICE_BYTES } device_layout;

/* Games are stored contiguously. */
typedef struct device_buffer {
  uint64_t address;
  uint32_t columns;    /* numbers that a game has */
  uint32_t item_bytes; /* of a number; with DEVICE_BITS a column is a byte with eight */
  size_t stride;       /* bytes from one game to the next */
} device_buffer;

/* Numbers of moves, in memory of the device. */
typedef struct device_actions {
  uint64_t address;
  uint32_t item_bytes;               /* 1, 2, 4 or 8 */
  size_t game_stride, player_stride; /* bytes */
  bool is_single; /* one move a game, of the player with a choice; others make their only move */
  uint64_t key;   /* of the moves of chance */
} device_actions;

typedef struct device_batch device_batch;

typedef struct device_batch_ops {
  /* All games are at the start.  NULL: the budget is spent, or *trouble says what has failed. */
  device_batch *(*open)(const machine *m, uint32_t games, device_ending ending,
                        const char **trouble, arena *keep, budget *b);
  void (*close)(device_batch *b);
  bool (*buffer)(device_batch *b, device_answer what, uint32_t role, device_layout layout,
                 device_buffer *out);
  bool (*reset)(device_batch *b, uint64_t which); /* bytes on the device; 0: all games */
  /* Position i is that of game i; `positions` are in memory of the process. */
  bool (*put)(device_batch *b, const void *positions, uint64_t which);
  bool (*store)(device_batch *b, void *positions);
  /* Like bundle_draw. */
  bool (*draw)(device_batch *b, uint64_t key);
  bool (*step)(device_batch *b, const device_actions *actions);
  bool (*wait)(device_batch *b);
  /* What is begun on another stream from now on waits for what was begun here. */
  bool (*join)(device_batch *b, uint64_t stream);
} device_batch_ops;

/* Every kind has a struct of its own, which starts with this. */
struct device_batch {
  const device_batch_ops *ops;
  const char *trouble; /* why the last call failed */
  uint64_t stream;     /* of the device's driver; 0: its default */
  uint32_t games;
  uint32_t card; /* its number; with is_card */
  bool is_card;  /* memory is that of a card, not of the process */
};

#endif
