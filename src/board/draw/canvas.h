/* A page of characters, on which words are written anywhere. */
#ifndef TABIA_BOARD_DRAW_CANVAS_H
#define TABIA_BOARD_DRAW_CANVAS_H

#include "base/text.h"

typedef struct canvas canvas;

canvas *canvas_new(uint32_t width, uint32_t height, arena *keep);

/* From column x on; what does not fit on the page is cut. */
void canvas_write(canvas *c, uint32_t x, uint32_t y, const char *words);

/* All lines, without blanks at their ends. */
void canvas_print(const canvas *c, text *out);

/* How many characters a UTF-8 text has. */
uint32_t text_width(const char *words);

#endif
