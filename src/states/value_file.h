/* Values of states of a walk over several ranks, in a file of a checkpoint: a code and a number of
   steps for each, in pieces of a level. */
#ifndef TABIA_STATES_VALUE_FILE_H
#define TABIA_STATES_VALUE_FILE_H

#include "states/checkpoint.h"

/* The code of a state whose value is not known. */
enum { VALUE_CODE_OPEN = 126 };

/* States of a level, by their numbers on this rank. */
typedef struct value_piece {
  uint32_t hero, level;
  uint32_t first, count;
} value_piece;

typedef VEC(value_piece) piece_vec;

/* Where values are: by level. */
typedef struct value_columns {
  uint8_t **codes;
  uint16_t **steps;
} value_columns;

/* As the file checkpoint_path(c, CHECKPOINT_VALUES, number); columns are by hero. */
bool value_file_write(const checkpoint *c, uint32_t number, const piece_vec *pieces,
                      const value_columns *columns);

/* A piece that was read.  False: it cannot be one of this job. */
typedef bool value_taker(void *context, const value_piece *p, const uint8_t *codes,
                         const uint16_t *steps);

/* Reads a file of any rank.  False: it cannot be read. */
bool value_file_read(const checkpoint *c, uint32_t number, uint32_t rank, uint32_t size,
                     value_taker *take, void *context);

#endif
