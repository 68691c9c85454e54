#include "ground/bases_print.h"

#include "base/json.h"

static const char *term_words(const term_table *t, term_id id, arena *scratch) {
  text out = text_new(scratch);
  term_print(t, id, NOTATION_KIF, NULL, &out);
  return text_string(&out);
}

static void print_as_kif(const bases *b, const term_table *t, arena *scratch, text *out) {
  uint32_t count;
  const term_id *fluents = bases_atoms(b, SYM_TRUE, scratch, &count);
  for (uint32_t i = 0; i < count; i++)
    text_add_format(out, "(base %s)\n", term_words(t, term_arg(t, fluents[i], 0), scratch));
  const term_id *moves = bases_atoms(b, SYM_DOES, scratch, &count);
  for (uint32_t i = 0; i < count; i++)
    text_add_format(out, "(input %s %s)\n", term_words(t, term_arg(t, moves[i], 0), scratch),
                    term_words(t, term_arg(t, moves[i], 1), scratch));
}

/* The moves come role by role. */
static void write_moves(const bases *b, const term_table *t, json_writer *w, arena *scratch) {
  uint32_t count;
  const term_id *moves = bases_atoms(b, SYM_DOES, scratch, &count);
  term_id role = TERM_NONE;
  json_open_object(w, "input");
  for (uint32_t i = 0; i < count; i++) {
    const term_id own = term_arg(t, moves[i], 0);
    if (own != role && role != TERM_NONE) json_close_array(w);
    if (own != role) json_open_array(w, term_words(t, own, scratch));
    role = own;
    json_put_string(w, NULL, term_words(t, term_arg(t, moves[i], 1), scratch));
  }
  if (role != TERM_NONE) json_close_array(w);
  json_close_object(w);
}

static void write_json(const bases *b, const term_table *t, const char *game, arena *scratch,
                       text *out) {
  uint32_t count;
  json_writer w = json_to(out);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", game);
  json_open_array(&w, "base");
  const term_id *fluents = bases_atoms(b, SYM_TRUE, scratch, &count);
  for (uint32_t i = 0; i < count; i++)
    json_put_string(&w, NULL, term_words(t, term_arg(t, fluents[i], 0), scratch));
  json_close_array(&w);
  write_moves(b, t, &w, scratch);
  json_close_object(&w);
  text_add_char(out, '\n');
}

void bases_print(const bases *b, bases_format format, const char *game, arena *scratch, text *out) {
  const arena_mark mark = arena_save(scratch);
  const term_table *t = b->linked.terms;
  if (format == BASES_AS_JSON)
    write_json(b, t, game, scratch, out);
  else
    print_as_kif(b, t, scratch, out);
  arena_restore(scratch, mark);
}
