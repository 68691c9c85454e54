#include "board/draw/canvas.h"
#include "board/draw/drawing.h"
#include "board/draw/svg_page.h"

#include <math.h>

enum { CELL = 44, MARGIN = 14, LABELS = 22, TITLE = 22, CHIP_HEIGHT = 22, PAGE_LEAST = 360 };

typedef struct svg_board {
  svg_page *s;
  const picture *p;
  const picture_board *b;
  double left, top; /* where the cell (0, 0) begins */
  bool is_chequered;
  arena *scratch;
} svg_board;

static double x_of(const svg_board *g, double x) { return g->left + (x + 0.5) * CELL; }
static double y_of(const svg_board *g, double y) { return g->top + (y + 0.5) * CELL; }

/* ---- pieces ---- */

static const char *text_colour(const char *colour) {
  static const char *const light[] = {"white", "yellow", "gold", "silver", "pink", "orange", NULL};
  for (uint32_t i = 0; light[i]; i++)
    if (strcmp(colour, light[i]) == 0) return "#222";
  return "#fff";
}

static double fitting_size(const char *words, double room, double most) {
  return fmin(most, room / fmax(1, 0.6 * text_width(words)));
}

static void draw_cross(svg_page *s, const char *colour, double x, double y, double r) {
  svg_line(s, "stroke", colour, x - r, y - r, x + r, y + r);
  svg_line(s, "stroke", colour, x - r, y + r, x + r, y - r);
}

static void draw_chip(svg_page *s, const glyph *g, double x, double y, double r) {
  const double size = fitting_size(g->text, 1.8 * r, r);
  svg_rectangle(s, "piece", colour_css(g->colour), x - r, y - 0.75 * r, 2 * r, 1.5 * r, 4);
  svg_words(s, "word", text_colour(g->colour), x, y, size, g->text);
}

static void draw_disc(svg_page *s, const glyph *g, double x, double y, double r) {
  svg_circle(s, "piece", colour_css(g->colour), x, y, r);
  if (*g->text)
    svg_words(s, "word", text_colour(g->colour), x, y, fitting_size(g->text, 1.5 * r, 1.2 * r),
              g->text);
}

/* `r` is half the room that there is. */
static void draw_glyph(svg_page *s, const glyph *g, double x, double y, double r) {
  const char *fill = colour_css(g->colour);
  switch (g->kind) {
    case GLYPH_TEXT:
      svg_words(s, "word", NULL, x, y, fitting_size(g->text, 2 * r, 1.3 * r), g->text);
      break;
    case GLYPH_CHIP: draw_chip(s, g, x, y, r); break;
    case GLYPH_DISC: draw_disc(s, g, x, y, 0.85 * r); break;
    case GLYPH_CHESS: svg_words(s, "chess", fill, x, y, 2 * r, g->text); break;
    case GLYPH_CROSS: draw_cross(s, fill, x, y, 0.6 * r); break;
    case GLYPH_CIRCLE: svg_circle(s, "open", fill, x, y, 0.65 * r); break;
    case GLYPH_MARK:
      svg_rectangle(s, "piece", fill, x - 0.6 * r, y - 0.6 * r, 1.2 * r, 1.2 * r, 3);
      break;
  }
}

/* ---- cells ---- */

static void draw_space(const svg_board *g, const board_cell *c, const char *tint) {
  const bool is_dark = g->is_chequered && ((int)lround(c->x) + (int)lround(c->y)) % 2;
  const double x = x_of(g, c->x), y = y_of(g, c->y);
  const char *fill = tint ? tint_css(tint) : NULL;
  const char *class = tint ? "tint" : is_dark ? "dark" : "cell";
  switch (g->b->board->kind) {
    case BOARD_HEXAGONS: svg_hexagon(g->s, class, fill, x, y, CELL * 0.577); break;
    case BOARD_RING:
    case BOARD_GRAPH: svg_circle(g->s, class, fill, x, y, CELL * 0.46); break;
    default: svg_rectangle(g->s, class, fill, x - CELL / 2.0, y - CELL / 2.0, CELL, CELL, 0);
  }
}

static uint32_t shown_items(const svg_board *g, uint32_t cell, const picture_item **shown,
                            uint32_t most) {
  uint32_t count = 0;
  for (uint32_t i = g->b->items_from[cell]; i < g->b->items_from[cell + 1]; i++)
    if (!g->b->items.items[i].is_blank && count < most) shown[count++] = &g->b->items.items[i];
  return count;
}

enum { SHOWN_MOST = 9 };

/* One thing fills the cell, several share it. */
static void draw_items(const svg_board *g, uint32_t cell) {
  const picture_item *shown[SHOWN_MOST];
  const board_cell *c = &g->b->cells[cell];
  const uint32_t count = shown_items(g, cell, shown, SHOWN_MOST);
  const uint32_t side = count <= 1 ? 1 : count <= 4 ? 2 : 3;
  const double room = CELL * 0.86 / side;
  for (uint32_t i = 0; i < count; i++) {
    const double x = x_of(g, c->x) + (i % side - (side - 1) / 2.0) * room;
    const double y = y_of(g, c->y) + ((double)(i / side) - (side - 1) / 2.0) * room;
    draw_glyph(g->s, &shown[i]->glyph, x, y, room * 0.46);
  }
}

static const char *cell_title(const svg_board *g, uint32_t cell) {
  text title = text_new(g->scratch);
  const char *tint = board_tint_of(g->b->board, cell);
  text_add(&title, cell_name(g->p, &g->b->cells[cell], g->scratch));
  if (tint) text_add_format(&title, " (%s)", tint);
  for (uint32_t i = g->b->items_from[cell]; i < g->b->items_from[cell + 1]; i++)
    text_add_format(&title, "\n%s", fact_text(&g->p->samples->fluents, g->b->items.items[i].fact));
  return text_string(&title);
}

static void draw_line(const svg_board *g, uint32_t cell) {
  const board_cell *c = &g->b->cells[cell];
  const bool is_drawn = g->b->items_from[cell + 1] > g->b->items_from[cell];
  const glyph *look = is_drawn ? &g->b->items.items[g->b->items_from[cell]].glyph : NULL;
  const char *stroke = look && look->kind != GLYPH_MARK ? colour_css(look->colour) : "#444";
  svg_line(g->s, is_drawn ? "drawn" : "faint", is_drawn ? stroke : NULL, x_of(g, c->x),
           y_of(g, c->y), x_of(g, c->x2), y_of(g, c->y2));
}

static bool has_own_label(const board *b) {
  return b->kind == BOARD_GRAPH || b->kind == BOARD_RING || b->kind == BOARD_STACKS ||
         b->kind == BOARD_PLACES || (b->axis_count == 1 && b->axes[0].count > 1);
}

static void draw_cell(const svg_board *g, uint32_t i) {
  const board_cell *c = &g->b->cells[i];
  svg_open_group(g->s, cell_title(g, i));
  if (c->is_line) {
    draw_line(g, i);
  } else if (g->b->board->lines == LINES_JOIN) {
    svg_circle(g->s, "word", "#444", x_of(g, c->x), y_of(g, c->y), 4);
  } else {
    draw_space(g, c, board_tint_of(g->b->board, i));
    if (g->b->board->kind != BOARD_STACKS) draw_items(g, i);
  }
  if (g->b->board->kind == BOARD_STACKS) {
    const char *name = cell_name(g->p, c, g->scratch);
    const glyph look = {GLYPH_CHIP, name, "teal"};
    draw_glyph(g->s, &look, x_of(g, c->x), y_of(g, c->y), CELL * 0.46);
  } else if (has_own_label(g->b->board)) {
    const char *name = cell_name(g->p, c, g->scratch);
    const double down = g->b->board->has_places ? 0.34 : 0.58;
    svg_words(g->s, "label", NULL, x_of(g, c->x), y_of(g, c->y) + CELL * down,
              fitting_size(name, CELL * 1.05, 10), name);
  }
  svg_close_group(g->s);
}

/* Lines lie above boxes. */
static void draw_cells(const svg_board *g) {
  for (uint32_t i = 0; i < g->b->board->links.count; i++) {
    const board_cell *a = &g->b->cells[g->b->board->links.items[i].from];
    const board_cell *b = &g->b->cells[g->b->board->links.items[i].to];
    svg_line(g->s, "line", NULL, x_of(g, a->x), y_of(g, a->y), x_of(g, b->x), y_of(g, b->y));
  }
  for (uint32_t i = 0; i < g->b->board->cells.count; i++)
    if (!g->b->board->cells.items[i].is_line) draw_cell(g, i);
  for (uint32_t i = 0; i < g->b->board->cells.count; i++)
    if (g->b->board->cells.items[i].is_line) draw_cell(g, i);
}

static void draw_walls(const svg_board *g) {
  for (uint32_t i = 0; i < g->b->walls.count; i++) {
    const picture_wall *w = &g->b->walls.items[i];
    svg_line(g->s, "drawn", "#444", x_of(g, w->x), y_of(g, w->y), x_of(g, w->x2), y_of(g, w->y2));
  }
}

/* ---- labels ---- */

static bool has_axis_labels(const board *b) {
  return (b->kind == BOARD_GRID || b->kind == BOARD_HEXAGONS) && b->axis_count > 1 && !b->row_width;
}

/* How far the lowest row of hexagons is moved aside. */
static double label_shift(const board *b) {
  const bool is_far = b->rows_up == (b->skew > 0);
  return b->kind == BOARD_HEXAGONS && is_far ? (b->axes[AXIS_ROW].count - 1) / 2.0 : 0;
}

static void draw_labels(const svg_board *g) {
  const board *b = g->b->board;
  const names *n = &g->p->samples->fluents.values;
  if (!has_axis_labels(b)) return;
  for (uint32_t i = 0; i < b->axes[AXIS_COLUMN].count; i++) {
    const char *name = names_text(n, b->axes[AXIS_COLUMN].items[i]);
    if (!board_has_cells_at(b, AXIS_COLUMN, b->axes[AXIS_COLUMN].items[i])) continue;
    const double skewed = label_shift(b);
    svg_words(g->s, "label", NULL, x_of(g, i + skewed), y_of(g, g->b->height - 0.5) + 10,
              fitting_size(name, CELL, 11), name);
  }
  for (uint32_t i = 0; i < b->axes[AXIS_ROW].count; i++) {
    const char *name = names_text(n, b->axes[AXIS_ROW].items[i]);
    if (!board_has_cells_at(b, AXIS_ROW, b->axes[AXIS_ROW].items[i])) continue;
    const double y = b->rows_up ? b->axes[AXIS_ROW].count - 1 - i : i;
    svg_words(g->s, "label", NULL, g->left - 11, y_of(g, b->kind == BOARD_HEXAGONS ? y * 0.866 : y),
              fitting_size(name, 22, 11), name);
  }
}

/* ---- the page ---- */

/* Is a piece of chess on it?  Then squares are light and dark. */
static bool has_chess(const picture_board *b) {
  for (uint32_t i = 0; i < b->items.count; i++)
    if (b->items.items[i].glyph.kind == GLYPH_CHESS) return true;
  return false;
}

static double board_height(const picture *p, const picture_board *b) {
  const double title = p->boards.count > 1 ? TITLE : 0;
  return title + b->height * CELL + LABELS;
}

static double draw_board(svg_page *s, const picture *p, const picture_board *b, double y,
                         arena *scratch) {
  const char *name = p->samples->fluents.shapes.items[b->board->layers.items[0].shape].relation;
  const bool has_title = p->boards.count > 1;
  const svg_board g = {s,      p, b, MARGIN + LABELS, y + (has_title ? TITLE : 0), has_chess(b),
                       scratch};
  if (has_title) svg_words_from(s, "title", MARGIN, y + TITLE / 2.0, 13, name);
  draw_cells(&g);
  draw_walls(&g);
  draw_labels(&g);
  return y + board_height(p, b);
}

static double page_width(const picture *p) {
  double width = PAGE_LEAST;
  for (uint32_t i = 0; i < p->boards.count; i++)
    width = fmax(width, p->boards.items[i].width * CELL + LABELS + 2 * MARGIN);
  return width;
}

static double chip_width(const char *words) { return 12 + 7.0 * text_width(words); }

/* Chips in lines, as words in a paragraph; draws them if there is a page, and returns where they
   end. */
static double place_chips(svg_page *s, const picture *p, double y, double width, arena *scratch) {
  double x = MARGIN;
  for (uint32_t i = 0; i < p->rest.count; i++) {
    const char *words = rest_words(p, &p->rest.items[i], scratch);
    const double wide = chip_width(words);
    if (x > MARGIN && x + wide > width - MARGIN) {
      x = MARGIN;
      y += CHIP_HEIGHT + 4;
    }
    if (s) {
      svg_rectangle(s, "chip", NULL, x, y, wide, CHIP_HEIGHT, 6);
      svg_words(s, "word", NULL, x + wide / 2, y + CHIP_HEIGHT / 2.0, 12, words);
    }
    x += wide + 6;
  }
  return p->rest.count ? y + CHIP_HEIGHT + 6 : y;
}

void picture_write_svg(const picture *p, text *out) {
  arena *scratch = arena_new();
  svg_page s = {out};
  const double width = page_width(p);
  double height = MARGIN;
  for (uint32_t i = 0; i < p->boards.count; i++) height += board_height(p, &p->boards.items[i]);
  svg_begin(&s, width, place_chips(NULL, p, height, width, scratch) + MARGIN);
  double y = MARGIN;
  for (uint32_t i = 0; i < p->boards.count; i++)
    y = draw_board(&s, p, &p->boards.items[i], y, scratch);
  place_chips(&s, p, y, width, scratch);
  svg_end(&s);
  arena_free(scratch);
}
