#include "board/draw/letters.h"

#include "board/evidence/candidates.h"
#include "board/evidence/owners.h"

#include <ctype.h>
#include <stdlib.h>

enum { SHORT_LABEL = 2, PIECES_MOST = 52 };

/* ---- kinds and owners ---- */

static const char *role_text(const samples *s, uint32_t role) {
  return names_text(&s->fluents.values, s->role_names.items[role]);
}

static bool joins_words(char c) { return c == '_' || c == '-'; }

/* "pawn" of "white_pawn", "p" of "wp", "" of "white". */
static const char *without_owner(const char *word, const char *role, arena *keep) {
  const char *at = strstr(word, role);
  text rest = text_new(keep);
  if (!at) return word + 1;
  const char *after = at + strlen(role);
  while (joins_words(*after)) after++;
  while (at > word && joins_words(at[-1])) at--;
  text_add_bytes(&rest, word, (size_t)(at - word));
  if (at > word && *after) text_add_char(&rest, ' ');
  text_add(&rest, after);
  return text_string(&rest);
}

static piece_letter piece_of(const samples *s, const value_id *values, uint32_t count,
                             arena *keep) {
  piece_letter made = {.owner = OWNER_NONE};
  text label = text_new(keep), kind = text_new(keep);
  for (uint32_t i = 0; i < count; i++) {
    const char *word = names_text(&s->fluents.values, values[i]);
    const uint32_t owner = made.owner == OWNER_NONE ? owner_of(s, values[i]) : OWNER_NONE;
    text_add_format(&label, "%s%s", i ? " " : "", word);
    if (owner != OWNER_NONE) word = without_owner(word, role_text(s, owner), keep);
    if (owner != OWNER_NONE) made.owner = owner;
    if (*word) text_add_format(&kind, "%s%s", kind.length ? " " : "", word);
  }
  made.label = text_string(&label);
  made.kind = kind.length ? text_string(&kind) : made.label;
  if (!kind.length) made.owner = OWNER_NONE;
  return made;
}

/* ---- all pieces that there can be ---- */

static bool has_label(const piece_letters *l, const char *label) {
  for (uint32_t i = 0; i < l->pieces.count; i++)
    if (strcmp(l->pieces.items[i].label, label) == 0) return true;
  return false;
}

static bool all_blank(const board *b, const value_id *values, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!board_is_blank(b, values[i])) return false;
  return true;
}

static void add_piece(piece_letters *l, piece_letter made, arena *keep) {
  if (!has_label(l, made.label)) vec_push(keep, &l->pieces, made);
}

/* Facts that say no more than that they hold there are shown by their relation. */
static void add_mark(piece_letters *l, const char *relation, arena *keep) {
  if (!is_blank_word(relation))
    add_piece(l, (piece_letter){.label = relation, .kind = relation, .owner = OWNER_NONE}, keep);
}

static void add_layer(piece_letters *l, const samples *s, const board *b, const board_layer *from,
                      arena *keep) {
  const id_vec facts = book_of_shape(&s->fluents, from->shape, keep);
  value_id values[2 * COLUMN_MAX];
  for (uint32_t i = 0; i < facts.count && l->pieces.count <= PIECES_MOST; i++) {
    const uint32_t count = layer_values(from, &s->fluents, facts.items[i], values);
    if (all_blank(b, values, count)) continue;
    if (key_cell(b, from->key, &s->fluents, facts.items[i]) == ID_NONE) continue;
    add_piece(l, piece_of(s, values, count, keep), keep);
  }
}

static bool has_long_label(const piece_letters *l) {
  for (uint32_t i = 0; i < l->pieces.count; i++)
    if (strlen(l->pieces.items[i].label) > SHORT_LABEL) return true;
  return false;
}

/* ---- letters ---- */

static bool is_owned(const piece_letter *p) { return p->owner != OWNER_NONE; }

/* Short labels first, which keep their letters. */
static int compare_pieces(const void *a, const void *b) {
  const piece_letter *x = a, *y = b;
  const bool x_long = x->label[1], y_long = y->label[1];
  if (x_long != y_long) return x_long - y_long;
  const int by_kind = strcmp(x->kind, y->kind);
  if (by_kind) return by_kind;
  return is_owned(x) != is_owned(y) ? is_owned(x) - is_owned(y) : (x->owner > y->owner);
}

/* The two roles that own pieces share letters; false: there are more. */
static bool find_capitals(piece_letters *l) {
  uint32_t owners[2], count = 0;
  for (uint32_t i = 0; i < l->pieces.count; i++) {
    const uint32_t owner = l->pieces.items[i].owner;
    const bool is_known = (count && owner == owners[0]) || (count > 1 && owner == owners[1]);
    if (owner == OWNER_NONE || is_known) continue;
    if (count == 2) return false;
    owners[count++] = owner;
    if (count == 1 || owner < l->capitals) l->capitals = owner;
  }
  return true;
}

static char choose_letter(const char *kind, bool *is_taken) {
  for (; *kind; kind++) {
    const unsigned char c = (unsigned char)tolower((unsigned char)*kind);
    if (!isalpha(c) || is_taken[c]) continue;
    is_taken[c] = true;
    return (char)c;
  }
  return 0;
}

static bool is_same_kind(const piece_letter *a, const piece_letter *b) {
  return is_owned(a) && is_owned(b) && strcmp(a->kind, b->kind) == 0;
}

static bool choose_letters(piece_letters *l) {
  bool is_taken[256] = {false};
  char small = 0;
  for (uint32_t i = 0; i < l->pieces.count; i++) {
    piece_letter *p = &l->pieces.items[i];
    const bool is_letter = !p->label[1];
    if (is_letter) is_taken[tolower((unsigned char)*p->label)] = true;
    if (is_letter) *p->letter = *p->label;
    if (is_letter) continue;
    if (!i || !is_same_kind(p, p - 1)) small = choose_letter(p->kind, is_taken);
    if (!small) return false;
    *p->letter = p->owner == l->capitals && is_owned(p) ? (char)toupper(small) : small;
  }
  return true;
}

piece_letters letters_find(const picture *p, const picture_board *b, bool are_named, arena *keep) {
  const piece_letters none = {.capitals = OWNER_NONE};
  piece_letters l = none;
  for (uint32_t i = 0; i < b->board->layers.count; i++) {
    const board_layer *layer = &b->board->layers.items[i];
    const shape *of = &p->samples->fluents.shapes.items[layer->shape];
    if (layer->wall != SIDE_NONE) continue;
    if (layer_content(layer, of, (uint32_t[2 * COLUMN_MAX]){0}))
      add_layer(&l, p->samples, b->board, layer, keep);
    else if (are_named)
      add_mark(&l, of->relation, keep);
  }
  if (!has_long_label(&l) || l.pieces.count > PIECES_MOST || !find_capitals(&l)) return none;
  qsort(l.pieces.items, l.pieces.count, sizeof *l.pieces.items, compare_pieces);
  return choose_letters(&l) ? l : none;
}

const char *letters_take(piece_letters *l, const char *label) {
  for (uint32_t i = 0; i < l->pieces.count; i++) {
    piece_letter *p = &l->pieces.items[i];
    if (strcmp(p->label, label) != 0) continue;
    p->is_drawn = true;
    return p->letter;
  }
  return label;
}

/* ---- what they mean ---- */

/* Both owners' pieces of a kind are one entry. */
static bool is_entry(const piece_letters *l, uint32_t i) {
  const piece_letter *p = &l->pieces.items[i];
  const bool was_listed = i && is_same_kind(p, p - 1) && p[-1].is_drawn;
  return p->label[1] && p->is_drawn && !was_listed;
}

void letters_write_key(const piece_letters *l, const picture *p, text *out) {
  const size_t start = out->length;
  bool has_capitals = false;
  for (uint32_t i = 0; i < l->pieces.count; i++) {
    const piece_letter *piece = &l->pieces.items[i];
    has_capitals |= piece->is_drawn && is_owned(piece);
    if (!is_entry(l, i)) continue;
    text_add_format(out, "%s%c %s", out->length > start ? ", " : "",
                    tolower((unsigned char)*piece->letter), piece->kind);
  }
  if (out->length == start) return;
  if (has_capitals) text_add_format(out, "; %s in capitals", role_text(p->samples, l->capitals));
  text_add_char(out, '\n');
}
