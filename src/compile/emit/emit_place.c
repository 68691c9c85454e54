/* Positions from fluents: which number a fluent has by its text, and the position of a set of them.
 */
#include "compile/emit/emit_parts.h"

/* ---- the number of a fluent ---- */

static void put_piece(emitter *e, text *piece) {
  if (!piece->length) return;
  text_add(e->out, "    tr_take(&r, ");
  emit_string(e, text_string(piece));
  text_add(e->out, ");\n");
  text_clear(piece);
}

static void put_hole(emitter *e, flat_id r, uint32_t column) {
  const store *it = emit_store(e, r);
  const uint32_t class_id = domain_of(e->d, r, column)->class_id;
  text_add_format(e->out, "    const uint32_t a%u = tr_take_name(&r, c%u_text + %uu, %uu);\n",
                  column, class_id, it->low[column], it->size[column]);
}

/* The text of a term with holes is taken piece by piece; between them, names of columns. */
static void put_term(emitter *e, flat_id r, term_id id, text *piece) {
  const term it = *term_get(e->f->terms, id);
  if (it.is_variable) {
    put_piece(e, piece);
    put_hole(e, r, it.name);
    return;
  }
  if (it.arg_count) text_add_char(piece, '(');
  term_print(e->f->terms, term_constant(e->f->terms, it.name), NOTATION_KIF, NULL, piece);
  for (uint32_t i = 0; i < it.arg_count; i++) {
    text_add_char(piece, ' ');
    put_term(e, r, term_arg(e->f->terms, id, i), piece);
  }
  if (it.arg_count) text_add_char(piece, ')');
}

static const char *index_of_columns(emitter *e, flat_id r) {
  const char *sum = "0u";
  for (uint32_t c = 0; c < emit_arity(e, r); c++)
    sum = c ? emit_format(e, "(%s * %uu + a%u)", sum, emit_store(e, r)->size[c], c) : "a0";
  return sum;
}

static void put_find_in(emitter *e, flat_id r) {
  const store *it = emit_store(e, r);
  text piece = text_new(e->keep);
  text_add(e->out, "  {\n    tr_reader r = {text};\n");
  put_term(e, r, term_arg(e->f->terms, e->f->relations.items[r].skeleton, 0), &piece);
  put_piece(e, &piece);
  text_add_format(e->out, "    if (tr_is_taken(&r)) return %uu + %s;\n  }\n",
                  it->is_sparse ? it->place : it->place * 64, index_of_columns(e, r));
}

static bool has_fluents(const emitter *e, flat_id r) {
  return emit_kind(e, r) == KIND_STATE && emit_store(e, r)->product;
}

void emit_find_fluent(emitter *e) {
  text_add(e->out, "\nstatic uint32_t find_fluent(const char *text) {\n  (void)text;\n");
  for (flat_id r = 0; r < e->f->relations.count; r++)
    if (has_fluents(e, r)) put_find_in(e, r);
  text_add(e->out, "  return TR_NONE;\n}\n");
}

/* ---- the position of a set of fluents ---- */

/* What no play changes is taken from the start: rules read it from tables. */
static void put_frozen(emitter *e, flat_id r) {
  const store *it = emit_store(e, r);
  const uint32_t at = it->is_sparse ? it->word : it->place;
  const uint64_t words = it->is_sparse ? (it->room + UINT64_C(2)) / 2 : (it->product + 63) / 64;
  text_add_format(e->out, "  memcpy(words + %uu, start_words + %uu, %lluu);\n", at, at,
                  (unsigned long long)words * 8);
}

static void put_list(emitter *e, flat_id r) {
  const store *it = emit_store(e, r);
  text_add_format(e->out,
                  "  if (!tr_pack_range(fluents, count, %uu, %lluu, words + %uu, %uu)) "
                  "return false;\n",
                  it->place, (unsigned long long)it->product, it->word, it->room);
}

void emit_place(emitter *e) {
  text_add_format(e->out,
                  "\nstatic bool place(const uint32_t *fluents, uint32_t count, void *position) {\n"
                  "  uint64_t words[%u] = {0};\n  (void)fluents;\n  (void)count;\n",
                  e->s->position_words);
  if (e->s->dense_words)
    text_add_format(e->out,
                    "  for (uint32_t i = 0; i < count; i++)\n"
                    "    if (fluents[i] < %uu) TR_SET(words, fluents[i]);\n",
                    e->s->dense_words * 64);
  for (flat_id r = 0; r < e->f->relations.count; r++) {
    if (!has_fluents(e, r)) continue;
    if (e->f->relations.items[r].is_frozen)
      put_frozen(e, r);
    else if (emit_store(e, r)->is_sparse)
      put_list(e, r);
  }
  text_add(e->out, "  memcpy(position, words, sizeof words);\n  return true;\n}\n");
}
