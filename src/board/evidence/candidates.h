/* Which columns of a shape might be column and row of a board, with a score.

   Each clue that a person would use raises or lowers the score: the pair names at most one fact, it
   fills a grid, both have the same values, moves have such arguments, variables are called x and y,
   and so on.  The weights were found on some hundreds of public games. */
#ifndef TABIA_BOARD_EVIDENCE_CANDIDATES_H
#define TABIA_BOARD_EVIDENCE_CANDIDATES_H

#include "board/layout.h"

typedef struct candidate {
  shape_id shape;
  key key; /* column, row, then what boards lie side by side by; in the order of arguments */
  board_lines lines;
  value_id upper; /* as of a board */
  double score;
  uint32_t cells;
  bool has_content; /* there are columns that are no part of the key */
} candidate;

/* A board of its own from the first on; with the second it may join another. */
#define SCORE_BOARD 5.0
#define SCORE_LAYER 2.5

/* The best candidate of a shape; a score of 0: there is none. */
candidate candidate_of(const survey *v, shape_id s);

/* The share of the domain that is in the other list. */
double share_within(const id_vec *values, const id_vec *all);

/* Names that usually stand for nothing. */
bool is_blank_word(const char *text);

#endif
