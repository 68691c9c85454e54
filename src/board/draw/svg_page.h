/* Shapes and words of an SVG text.  All words are escaped here, and here alone. */
#ifndef TABIA_BOARD_DRAW_SVG_PAGE_H
#define TABIA_BOARD_DRAW_SVG_PAGE_H

#include "base/text.h"

typedef struct svg_page {
  text *out;
} svg_page;

void svg_begin(svg_page *s, double width, double height);
void svg_end(svg_page *s);

/* `class` is one of the style in svg_page.c; `fill` may be NULL: then that of the class. */
void svg_rectangle(svg_page *s, const char *class, const char *fill, double x, double y,
                   double width, double height, double radius);
void svg_circle(svg_page *s, const char *class, const char *fill, double x, double y,
                double radius);
void svg_line(svg_page *s, const char *class, const char *stroke, double x, double y, double x2,
              double y2);
void svg_hexagon(svg_page *s, const char *class, const char *fill, double x, double y,
                 double radius);

/* In the middle at (x, y); or from x on. */
void svg_words(svg_page *s, const char *class, const char *fill, double x, double y, double size,
               const char *words);
void svg_words_from(svg_page *s, const char *class, double x, double y, double size,
                    const char *words);

/* A group with a title, which shows as the pointer rests on it. */
void svg_open_group(svg_page *s, const char *title);
void svg_close_group(svg_page *s);

/* Text between tags or in attributes: < > & " ' are written as entities. */
void xml_add(text *out, const char *words);

#endif
