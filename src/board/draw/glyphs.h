/* What pieces look like, guessed from their names: chess words, x and o, numbers, colours, roles;
   else letters on a coloured chip.  A wrong guess only affects the looks. */
#ifndef TABIA_BOARD_DRAW_GLYPHS_H
#define TABIA_BOARD_DRAW_GLYPHS_H

#include "board/layout.h"

typedef enum glyph_kind {
  GLYPH_CHIP,   /* a text on a coloured chip */
  GLYPH_TEXT,   /* a number */
  GLYPH_DISC,   /* a piece without name; or with a letter, such as a king of draughts */
  GLYPH_CHESS,  /* a chess piece */
  GLYPH_CROSS,  /* x */
  GLYPH_CIRCLE, /* o */
  GLYPH_MARK    /* there is something, and no more is known */
} glyph_kind;

const char *glyph_kind_name(glyph_kind k);

typedef struct glyph {
  glyph_kind kind;
  const char *text;   /* "♞", "12", "king", or "" */
  const char *colour; /* one of the names below */
} glyph;

/* The glyph of what stands on a cell: values of one fact. */
glyph glyph_of(const samples *s, bool has_chess_letters, const value_id *values, uint32_t count,
               arena *keep);

/* Of a fact that says no more than that it holds there: one relation has plain marks, others their
   names. */
glyph glyph_of_mark(const char *relation, bool is_plain);

/* Do pieces with such names come from chess: wk, wq, br, ...? */
bool names_are_chess_letters(const samples *s, const id_vec *domain);

/* Colours by name, as CSS writes them: what a piece is filled with. */
typedef struct colour {
  const char *name, *css;
} colour;

extern const colour glyph_colours[]; /* ended by a name that is NULL */
const char *colour_css(const char *name);

/* The colour of cells of which the relation is said. */
const char *tint_css(const char *relation);

#endif
