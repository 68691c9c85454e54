/* Steps of random play as PTX, the assembly text that NVIDIA's driver takes.

   One thread plays a word of a part (lanes/lane_counter.h): 32 games at a time, and the same games
   to the bit as `lanes` by counter.  Words wait in a queue; a thread that has finished one takes
   the next.  A launch makes a number of steps and leaves all state in memory, for the next one.

   Memory of a thread is in rows: row r of a block has a word for each of its threads.

     scratch   by block: rows of slots, latches, state (ptx_state), ages of old games by lane
     sums      64-bit numbers (ptx_sum), then games by goal counter, then games by length
     flips     by latch: all ones where games do not begin as the rules say

   With START_OF_EACH a lane has one game.  Flips are then in tiles of 32 words: by tile and latch a
   row with a word for each; and so are results, by goal, in `sums` from PTX_RESULTS on. */
#ifndef TABIA_MACHINE_GPU_PTX_WRITER_H
#define TABIA_MACHINE_GPU_PTX_WRITER_H

#include "base/philox.h"
#include "base/text.h"
#include "machine/gpu/gpu_shape.h"
#include "machine/gpu/gpu_spill.h"

/* What a thread keeps from one launch to the next.  All zero: it has no word yet. */
typedef enum ptx_state {
  STATE_MODE,     /* of ptx_mode */
  STATE_COUNTED,  /* lanes whose game is one of the part's */
  STATE_GIVEN_UP, /* lanes whose game was given up in the last step */
  STATE_LEFT,     /* games to start; with START_OF_EACH the number of the word in the queue */
  STATE_STEP,
  STATE_CHECK, /* no game is too long before this step */
  STATE_PART_LOW,
  STATE_PART_HIGH,
  STATE_WORD,
  STATE_OLD, /* lanes whose game is older than its latches can say */
  PTX_STATES
} ptx_state;

typedef enum ptx_mode { MODE_NO_WORD, MODE_PLAYS, MODE_IDLE } ptx_mode;

typedef enum ptx_sum {
  SUM_TAKEN,    /* words that have been taken, and more */
  SUM_FINISHED, /* words */
  SUM_TOO_LONG,
  SUM_STUCK,
  SUM_NO_GOAL,
  SUM_SEVERAL_GOALS,
  SUM_FAULTY, /* the lowest part with a fault; all ones: none */
  PTX_SUMS
} ptx_sum;

enum { PTX_LANES = 32, PTX_RESULTS = 128 /* bytes */ };

/* Words of shared memory for games by length, of all lengths that bits of ages can say;
   neighbouring threads count in copies. */
enum { PTX_LENGTH_WORDS = 2048 };

/* A tile has the words of 32 threads, row by row. */
enum { PTX_TILE_WORDS = 32, PTX_TILE_ROW_BYTES = 4 * PTX_TILE_WORDS };

/* The parameters of the kernel `play`, as it takes them. */
typedef struct ptx_arguments {
  uint64_t scratch, sums, flips;    /* addresses */
  uint32_t keys[2 * PHILOX_ROUNDS]; /* of the seed (philox_keys) */
  uint64_t first_part;
  uint32_t words; /* in the queue: those of the parts from the first on */
  uint32_t starts,
      last_starts;    /* games of each part, and of the last; with START_OF_EACH the lanes,
                                   counted from the first part's first on, in which there are games:
                                   the first, and the one behind the last */
  uint32_t max_steps; /* of a game; games by length have room for one more */
  uint32_t steps;     /* of this launch */
} ptx_arguments;

typedef struct ptx_program {
  const gpu_step *step;
  gpu_shape shape;
  gpu_spill spill;
  uint32_t rows;         /* of a block in scratch */
  uint32_t shared_bytes; /* of a block */
  uint32_t sum_count;    /* before games by length */
} ptx_program;

static inline uint32_t ptx_length_copies(const gpu_step *s) {
  return PTX_LENGTH_WORDS >> s->age_bits;
}

/* Words of shared memory in which the games of a block are counted. */
uint32_t ptx_counter_words(const gpu_step *s);

/* Writes the text.  False: the budget is spent. */
bool ptx_write(ptx_program *p, const gpu_step *s, gpu_shape shape, text *out, arena *keep,
               budget *limits);

#endif
