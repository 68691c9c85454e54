/* Batches of games on a device, as PTX.

   A batch is divided into tiles of 1024 games: row r of a tile has 32 words, one for each of 32
   threads, and bit l of word w is game 32 w + l of the tile.  Every kernel is called `play`, and
   all of its parameters are 64-bit numbers.

     step     advance and judge (gpu_batch_step.h): a thread has a word; only as many blocks are
              started as run at one time, since spilled values are in memory of the block
     gather   turns numbers, one for each game, into rows, one for each bit
     spread   writes rows as bits or bytes, game by game
     tell     writes goals, rewards and flags, game by game
     draw     draws a legal move for each game
     mix      replaces states in some games */
#ifndef TABIA_MACHINE_GPU_PTX_BATCH_H
#define TABIA_MACHINE_GPU_PTX_BATCH_H

#include "machine/gpu/gpu_batch_step.h"
#include "machine/gpu/ptx_writer.h"

enum {
  BATCH_TILE_WORDS = 32,
  BATCH_WORDS_LEAST = 256, /* words are a multiple of this, which all threads of a block divide */
  BATCH_THREADS = 128,     /* of a block, in all kernels but step and spread */
  SPREAD_CHUNKS = 8,       /* warps of a block of spread */
  SPREAD_THREADS = 32 * SPREAD_CHUNKS,
  /* shared memory of a block */
  GATHER_BYTES = BATCH_THREADS * 33 * 4,
  SPREAD_BYTES = SPREAD_CHUNKS * (1024 + 32) * 4
};

/* The step's own shape decides about threads and shared memory.  False: the budget is spent. */
bool ptx_write_batch_step(ptx_program *p, const gpu_step *s, gpu_shape shape, uint32_t rows,
                          text *out, arena *keep, budget *limits);
typedef struct ptx_step_arguments {
  uint64_t planes, scratch, words, threads; /* threads: of all blocks */
  uint64_t options[BATCH_OPTIONS];          /* all ones, or 0 */
} ptx_step_arguments;

/* A thread has a word; a block reads its numbers in their order, and exchanges them. */
void ptx_write_gather(text *out);
typedef struct ptx_gather_arguments {
  uint64_t planes, tile_bytes;
  uint64_t from, stride, size;      /* of a number: 1, 2, 4 or 8 bytes */
  uint64_t games;                   /* of words beyond them something is read that is there */
  uint64_t row, count;              /* rows that the numbers become */
  uint64_t limit;                   /* numbers from here on become all ones */
  uint64_t player_stride, row_step; /* from one player to the next */
  uint64_t blocks;                  /* of each player */
} ptx_gather_arguments;

/* A chunk is 32 numbers of an answer.  A warp turns a chunk of a tile into words, game by game, in
   shared memory; then the block writes pieces of 8 bytes in their order. */
typedef enum ptx_layout { LAYOUT_BITS, LAYOUT_BYTES } ptx_layout;
void ptx_write_spread(text *out, ptx_layout layout);
typedef struct ptx_spread_arguments {
  uint64_t planes, tile_bytes;
  uint64_t rows;  /* 32-bit numbers: the row, with the highest bit set where it is negated; they go
                     on to the end of the last chunk that has one of them */
  uint64_t count; /* of them without what is behind the last: in later chunks there is nothing */
  uint64_t to, stride; /* bytes of a game: a multiple of 8 */
  uint64_t chunks;     /* of a game in a block */
  uint64_t tiles;      /* of a block */
  uint64_t groups;     /* blocks among which the chunks of a game are divided */
  uint64_t pieces;     /* of a game in a block */
  uint64_t inverse;    /* 2^31 / pieces, rounded up */
} ptx_spread_arguments;

/* Fills in what a block does, by the stride, which is not 0; gives the number of blocks.  `tiles`,
   all of them, is a multiple of SPREAD_CHUNKS. */
uint32_t ptx_spread_shape(ptx_spread_arguments *a, ptx_layout layout, uint32_t tiles);

/* A thread has a game.  The table has, for each player, the number of its goals; then for each goal
   its row, its value, and its reward as a float. */
void ptx_write_tell(text *out);
typedef struct ptx_tell_arguments {
  uint64_t planes, tile_bytes, games;
  uint64_t table, players, no_goal;
  uint64_t goals, rewards, terminated, illegal; /* where they go */
  uint64_t ended_row, terminal_row, illegal_row;
} ptx_tell_arguments;

/* A thread has a game. */
void ptx_write_draw(text *out);
typedef struct ptx_draw_arguments {
  uint64_t masks, stride, words; /* bits: 32-bit words of a game */
  uint64_t to, to_stride;
  uint64_t random, random_step; /* game i: mix(random + i * random_step) */
  uint64_t games;
} ptx_draw_arguments;

/* A thread has a word. */
void ptx_write_mix(text *out);
typedef struct ptx_mix_arguments {
  uint64_t planes, tile_bytes;
  uint64_t which, games; /* bytes; 0: all games */
  uint64_t fill, count;  /* by row of a state: FILL_NONE, FILL_ALL, or what is in `next` */
  uint64_t states, next, was_over; /* rows */
} ptx_mix_arguments;

enum { FILL_NONE, FILL_ALL, FILL_NEXT };

#endif
