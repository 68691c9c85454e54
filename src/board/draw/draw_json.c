#include "base/json.h"
#include "board/draw/drawing.h"

static const char *value_name(const picture *p, value_id v) {
  return names_text(&p->samples->fluents.values, v);
}

static void write_values(json_writer *w, const char *key, const picture *p, const id_vec *values) {
  json_open_array(w, key);
  for (uint32_t i = 0; i < values->count; i++)
    json_put_string(w, NULL, value_name(p, values->items[i]));
  json_close_array(w);
}

static void write_glyph(json_writer *w, const glyph *g) {
  json_open_object(w, "glyph");
  json_put_string(w, "kind", glyph_kind_name(g->kind));
  json_put_string(w, "text", g->text);
  json_put_string(w, "colour", g->colour);
  json_put_string(w, "fill", colour_css(g->colour));
  json_close_object(w);
}

static void write_item(json_writer *w, const picture *p, const picture_item *i) {
  json_open_object(w, NULL);
  json_put_string(w, "fact", fact_text(&p->samples->fluents, i->fact));
  json_put_string(w, "label", i->label);
  json_put_bool(w, "blank", i->is_blank);
  if (!i->is_blank) write_glyph(w, &i->glyph);
  json_close_object(w);
}

static void write_tint(json_writer *w, const board *b, uint32_t cell) {
  const char *name = board_tint_of(b, cell);
  if (!name) return;
  json_put_string(w, "tint", tint_css(name));
  json_put_string(w, "tint_of", name);
}

static void write_walls(json_writer *w, const picture_board *b) {
  json_open_array(w, "walls");
  for (uint32_t i = 0; i < b->walls.count; i++) {
    const picture_wall *x = &b->walls.items[i];
    json_open_array(w, NULL);
    json_put_number(w, NULL, x->x);
    json_put_number(w, NULL, x->y);
    json_put_number(w, NULL, x->x2);
    json_put_number(w, NULL, x->y2);
    json_close_array(w);
  }
  json_close_array(w);
}

static void write_cell(json_writer *w, const picture *p, const picture_board *b, uint32_t i) {
  const board_cell *c = &b->cells[i];
  json_open_object(w, NULL);
  json_open_array(w, "key");
  for (uint32_t k = 0; k < KEY_MAX && c->key[k] != NAME_NONE; k++)
    json_put_string(w, NULL, value_name(p, c->key[k]));
  json_close_array(w);
  json_put_number(w, "x", c->x);
  json_put_number(w, "y", c->y);
  if (c->is_line) {
    json_put_number(w, "x2", c->x2);
    json_put_number(w, "y2", c->y2);
  }
  write_tint(w, b->board, i);
  json_open_array(w, "items");
  for (uint32_t k = b->items_from[i]; k < b->items_from[i + 1]; k++)
    write_item(w, p, &b->items.items[k]);
  json_close_array(w);
  json_close_object(w);
}

static void write_layers(json_writer *w, const picture *p, const board *b) {
  json_open_array(w, "layers");
  for (uint32_t i = 0; i < b->layers.count; i++)
    json_put_string(w, NULL, p->samples->fluents.shapes.items[b->layers.items[i].shape].pattern);
  json_close_array(w);
}

static void write_links(json_writer *w, const board *b) {
  json_open_array(w, "links");
  for (uint32_t i = 0; i < b->links.count; i++) {
    json_open_array(w, NULL);
    json_put_integer(w, NULL, b->links.items[i].from);
    json_put_integer(w, NULL, b->links.items[i].to);
    json_close_array(w);
  }
  json_close_array(w);
}

static void write_board(json_writer *w, const picture *p, const picture_board *b) {
  const board *x = b->board;
  static const char *const axes[] = {"columns", "rows", "outer_columns", "outer_rows"};
  json_open_object(w, NULL);
  json_put_string(w, "relation",
                  p->samples->fluents.shapes.items[x->layers.items[0].shape].relation);
  json_put_string(w, "kind", board_kind_name(x->kind));
  json_put_bool(w, "certain", x->is_certain);
  for (uint32_t i = 0; i < KEY_MAX; i++) {
    const bool is_there = i < x->axis_count && (x->lines == LINES_NONE || i < 2);
    write_values(w, axes[i], p, is_there ? &x->axes[i] : &(id_vec){0});
  }
  json_put_bool(w, "rows_up", x->rows_up);
  json_put_number(w, "width", b->width);
  json_put_number(w, "height", b->height);
  write_layers(w, p, x);
  json_open_array(w, "cells");
  for (uint32_t i = 0; i < x->cells.count; i++) write_cell(w, p, b, i);
  json_close_array(w);
  write_links(w, x);
  write_walls(w, b);
  json_close_object(w);
}

static void write_rest(json_writer *w, const picture *p, const picture_rest *r, arena *scratch) {
  json_open_object(w, NULL);
  json_put_string(w, "fact", fact_text(&p->samples->fluents, r->fact));
  json_put_string(w, "kind", rest_kind_name(r->kind));
  json_put_string(w, "label", rest_words(p, r, scratch));
  json_close_object(w);
}

static void write_click(json_writer *w, const picture_click *c) {
  json_open_object(w, NULL);
  json_put_integer(w, "board", c->board);
  json_open_array(w, "cells");
  for (uint32_t i = 0; i < c->cells.count; i++) json_put_integer(w, NULL, c->cells.items[i]);
  json_close_array(w);
  json_close_object(w);
}

static void write_move(json_writer *w, const picture *p, const picture_move *m) {
  json_open_object(w, NULL);
  json_put_string(w, "role", p->samples->machine->roles[m->role]);
  json_put_string(w, "move", fact_text(&p->samples->moves, m->fact));
  json_put_string(w, "by",
                  !m->clicks.count  ? "button"
                  : m->needs_menu   ? "menu"
                  : m->is_by_effect ? "effect"
                                    : "arguments");
  json_open_array(w, "clicks");
  for (uint32_t i = 0; i < m->clicks.count; i++) write_click(w, &m->clicks.items[i]);
  json_close_array(w);
  json_close_object(w);
}

void picture_write_json(const picture *p, text *out) {
  arena *scratch = arena_new();
  json_writer w = json_to(out);
  json_open_object(&w, NULL);
  json_open_array(&w, "boards");
  for (uint32_t i = 0; i < p->boards.count; i++) write_board(&w, p, &p->boards.items[i]);
  json_close_array(&w);
  json_open_array(&w, "rest");
  for (uint32_t i = 0; i < p->rest.count; i++) write_rest(&w, p, &p->rest.items[i], scratch);
  json_close_array(&w);
  json_open_array(&w, "moves");
  for (uint32_t i = 0; i < p->moves.count; i++) write_move(&w, p, &p->moves.items[i]);
  json_close_array(&w);
  json_close_object(&w);
  text_add_char(out, '\n');
  arena_free(scratch);
}
