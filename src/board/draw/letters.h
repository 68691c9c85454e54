/* A letter for each kind of piece, so that a board of text is as narrow as one on paper: the first
   letter of its name that no other kind has.  Where two roles own pieces, the first has capitals. */
#ifndef TABIA_BOARD_DRAW_LETTERS_H
#define TABIA_BOARD_DRAW_LETTERS_H

#include "board/draw/picture.h"

typedef struct piece_letter {
  const char *label; /* of the items that it stands for (picture.h) */
  const char *kind;  /* the label without its owner */
  uint32_t owner;    /* a role; OWNER_NONE: nobody's, or a kind of its own */
  char letter[2];
  bool is_drawn;
} piece_letter;

typedef struct piece_letters {
  VEC(piece_letter) pieces; /* by kind */
  uint32_t capitals;        /* the role that has them; OWNER_NONE: none */
} piece_letters;

/* None: labels are short, or letters do not suffice.  `are_named`: facts without content are shown
   by their relation. */
piece_letters letters_find(const picture *p, const picture_board *b, bool are_named, arena *keep);

/* The label itself, if it has no letter.  The letter counts as drawn. */
const char *letters_take(piece_letters *l, const char *label);

/* "k king, p pawn; white in capitals", of the letters that were drawn. */
void letters_write_key(const piece_letters *l, const picture *p, text *out);

#endif
