/* A picture as text for terminals, as JSON for pages (docs/boards.md), and as SVG. */
#ifndef TABIA_BOARD_DRAW_DRAWING_H
#define TABIA_BOARD_DRAW_DRAWING_H

#include "board/draw/picture.h"

void picture_write_text(const picture *p, text *out);
void picture_write_json(const picture *p, text *out);
void picture_write_svg(const picture *p, text *out);

/* "control: red" of (control red): how a fact of the rest is shown to people. */
const char *rest_words(const picture *p, const picture_rest *r, arena *keep);

#endif
