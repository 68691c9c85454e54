#include "board/draw/svg_page.h"

#include <math.h>

static const char STYLE[] =
    "<style>\n"
    "text{font-family:system-ui,sans-serif;text-anchor:middle;fill:#222}\n"
    ".cell{fill:#f1ead9;stroke:#8a8272}\n"
    ".dark{fill:#d9c9a5;stroke:#8a8272}\n"
    ".tint{stroke:#8a8272}\n"
    ".line{stroke:#8a8272;stroke-width:1.5}\n"
    ".faint{stroke:#8a8272;stroke-opacity:.35;stroke-width:3;stroke-linecap:round}\n"
    ".drawn{stroke-width:5;stroke-linecap:round}\n"
    ".piece{stroke:#333;stroke-width:1.2}\n"
    ".chess{stroke:#333;stroke-width:.6;paint-order:stroke}\n"
    ".open{fill:none;stroke-width:4.5}\n"
    ".stroke{fill:none;stroke-width:4.5;stroke-linecap:round}\n"
    ".label,.title{fill:#666}\n"
    ".chip{fill:#e6e6ea;stroke:#b8b8c0}\n"
    ".left{text-anchor:start}\n"
    "@media (prefers-color-scheme:dark){"
    ".label,.title{fill:#b0b0b4}"
    ".cell{fill:#cfc7b4}.dark{fill:#b19f78}"
    ".chip{fill:#c4c4ca}}\n"
    "</style>\n";

void xml_add(text *out, const char *words) {
  for (; *words; words++) switch (*words) {
      case '<': text_add(out, "&lt;"); break;
      case '>': text_add(out, "&gt;"); break;
      case '&': text_add(out, "&amp;"); break;
      case '"': text_add(out, "&quot;"); break;
      case '\'': text_add(out, "&#39;"); break;
      default: text_add_char(out, *words);
    }
}

/* At most two digits after the point, without trailing zeros. */
static void add_number(text *out, double number) {
  text_add_format(out, "%g", round(number * 100) / 100);
}

static void add_attribute(svg_page *s, const char *name, double number) {
  text_add_format(s->out, " %s=\"", name);
  add_number(s->out, number);
  text_add_char(s->out, '"');
}

static void add_word(svg_page *s, const char *name, const char *word) {
  if (!word) return;
  text_add_format(s->out, " %s=\"", name);
  xml_add(s->out, word);
  text_add_char(s->out, '"');
}

void svg_begin(svg_page *s, double width, double height) {
  text_add(s->out, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
  add_attribute(s, "width", width);
  add_attribute(s, "height", height);
  text_add(s->out, " viewBox=\"0 0 ");
  add_number(s->out, width);
  text_add_char(s->out, ' ');
  add_number(s->out, height);
  text_add(s->out, "\">\n");
  text_add(s->out, STYLE);
}

void svg_end(svg_page *s) { text_add(s->out, "</svg>\n"); }

void svg_rectangle(svg_page *s, const char *class, const char *fill, double x, double y,
                   double width, double height, double radius) {
  text_add(s->out, "<rect");
  add_word(s, "class", class);
  add_attribute(s, "x", x);
  add_attribute(s, "y", y);
  add_attribute(s, "width", width);
  add_attribute(s, "height", height);
  if (radius > 0) add_attribute(s, "rx", radius);
  add_word(s, "fill", fill);
  text_add(s->out, "/>\n");
}

void svg_circle(svg_page *s, const char *class, const char *fill, double x, double y,
                double radius) {
  text_add(s->out, "<circle");
  add_word(s, "class", class);
  add_attribute(s, "cx", x);
  add_attribute(s, "cy", y);
  add_attribute(s, "r", radius);
  add_word(s, strcmp(class, "open") == 0 ? "stroke" : "fill", fill);
  text_add(s->out, "/>\n");
}

void svg_line(svg_page *s, const char *class, const char *stroke, double x, double y, double x2,
              double y2) {
  text_add(s->out, "<line");
  add_word(s, "class", class);
  add_attribute(s, "x1", x);
  add_attribute(s, "y1", y);
  add_attribute(s, "x2", x2);
  add_attribute(s, "y2", y2);
  add_word(s, "stroke", stroke);
  text_add(s->out, "/>\n");
}

void svg_hexagon(svg_page *s, const char *class, const char *fill, double x, double y,
                 double radius) {
  text_add(s->out, "<polygon");
  add_word(s, "class", class);
  text_add(s->out, " points=\"");
  for (uint32_t i = 0; i < 6; i++) {
    const double angle = 3.14159265358979 * (i / 3.0 + 1 / 6.0);
    if (i) text_add_char(s->out, ' ');
    add_number(s->out, x + radius * cos(angle));
    text_add_char(s->out, ',');
    add_number(s->out, y + radius * sin(angle));
  }
  text_add_char(s->out, '"');
  add_word(s, "fill", fill);
  text_add(s->out, "/>\n");
}

void svg_words(svg_page *s, const char *class, const char *fill, double x, double y, double size,
               const char *words) {
  text_add(s->out, "<text");
  add_word(s, "class", class);
  add_attribute(s, "x", x);
  add_attribute(s, "y", y + 0.35 * size); /* not every program knows where the middle is */
  add_attribute(s, "font-size", size);
  if (fill) text_add_format(s->out, " style=\"fill:%s\"", fill);
  text_add_char(s->out, '>');
  xml_add(s->out, words);
  text_add(s->out, "</text>\n");
}

void svg_words_from(svg_page *s, const char *class, double x, double y, double size,
                    const char *words) {
  text all = text_new(s->out->keep);
  text_add_format(&all, "%s left", class);
  svg_words(s, text_string(&all), NULL, x, y, size, words);
}

void svg_open_group(svg_page *s, const char *title) {
  text_add(s->out, "<g><title>");
  xml_add(s->out, title);
  text_add(s->out, "</title>\n");
}

void svg_close_group(svg_page *s) { text_add(s->out, "</g>\n"); }
