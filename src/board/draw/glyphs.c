#include "board/draw/glyphs.h"

#include "board/evidence/candidates.h"
#include "board/evidence/owners.h"

#include <assert.h>
#include <ctype.h>

const char *glyph_kind_name(glyph_kind k) {
  static const char *const words[] = {"chip", "text", "disc", "chess", "cross", "circle", "mark"};
  return words[k];
}

/* ---- colours ---- */

const colour glyph_colours[] = {{"white", "#f8f8f4"},  {"black", "#26262a"},  {"red", "#d03434"},
                                {"blue", "#3a68d0"},   {"green", "#2f9a48"},  {"yellow", "#e8c020"},
                                {"orange", "#e88a24"}, {"purple", "#8e48b8"}, {"brown", "#8a5a34"},
                                {"pink", "#e884b4"},   {"grey", "#8c8c94"},   {"gray", "#8c8c94"},
                                {"cyan", "#38b0c0"},   {"teal", "#2c9088"},   {"gold", "#d4a828"},
                                {"silver", "#b8bcc4"}, {"violet", "#8e48b8"}, {NULL, NULL}};

const char *colour_css(const char *name) {
  for (const colour *c = glyph_colours; c->name; c++)
    if (strcmp(c->name, name) == 0) return c->css;
  return "#8c8c94";
}

/* A word within the text: nothing but other letters beside it would make it a part of one. */
static const char *colour_in(const char *text) {
  for (const colour *c = glyph_colours; c->name; c++)
    if (strstr(text, c->name)) return c->name;
  return NULL;
}

static const char *colour_of_role(const samples *s, uint32_t role) {
  static const char *const sides[] = {"red", "blue", "green", "yellow", "purple", "orange"};
  const char *name = names_text(&s->fluents.values, s->role_names.items[role]);
  const char *said = colour_in(name);
  return said ? said : sides[role % (sizeof sides / sizeof *sides)];
}

/* Any value has always the same colour. */
static const char *colour_of_text(const char *text) {
  static const char *const some[] = {"teal", "purple", "orange", "green", "cyan", "pink", "brown"};
  return some[hash_bytes(text, strlen(text)) % (sizeof some / sizeof *some)];
}

const char *tint_css(const char *relation) {
  static const char *const some[] = {"#d8e8c8", "#f4d8c4", "#cfe0ee", "#e6d4ea", "#f2e2a0"};
  return some[hash_bytes(relation, strlen(relation)) % (sizeof some / sizeof *some)];
}

static const char *colour_of(const samples *s, const value_id *values, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const char *said = colour_in(names_text(&s->fluents.values, values[i]));
    if (said) return said;
  }
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t owner = owner_of(s, values[i]);
    if (owner != OWNER_NONE) return colour_of_role(s, owner);
  }
  for (uint32_t i = 0; i < count; i++) {
    const char *text = names_text(&s->fluents.values, values[i]);
    if ((*text == 'w' || *text == 'b') && (text[1] == 'p' || text[1] == 'k') && !text[2])
      return *text == 'w' ? "white" : "black";
  }
  return NULL;
}

/* ---- chess ---- */

typedef struct chess_word {
  const char *word;
  char letter;
  const char *piece;
} chess_word;

static const chess_word chess_words[] = {{"king", 'k', "♚"},   {"queen", 'q', "♛"},
                                         {"rook", 'r', "♜"},   {"bishop", 'b', "♝"},
                                         {"knight", 'n', "♞"}, {"pawn", 'p', "♟"}};

enum { CHESS_PIECES = sizeof chess_words / sizeof *chess_words };

static const char *chess_by_word(const char *text) {
  for (uint32_t i = 0; i < CHESS_PIECES; i++)
    if (strstr(text, chess_words[i].word)) return chess_words[i].piece;
  return NULL;
}

static uint32_t chess_letter(const char *text) {
  const size_t length = strlen(text);
  for (uint32_t i = 0; (length == 2 || length == 3) && i < CHESS_PIECES; i++)
    if ((*text == 'w' || *text == 'b') && text[1] == chess_words[i].letter) return i;
  return CHESS_PIECES;
}

bool names_are_chess_letters(const samples *s, const id_vec *domain) {
  bool is_there[CHESS_PIECES + 1] = {0};
  uint32_t kinds = 0; /* but for pawns: draughts have kings, too */
  for (uint32_t i = 0; i < domain->count; i++)
    is_there[chess_letter(names_text(&s->fluents.values, domain->items[i]))] = true;
  for (uint32_t i = 0; chess_words[i].letter != 'p'; i++) kinds += is_there[i];
  return kinds >= 2 && is_there[0];
}

static const char *chess_of(const samples *s, bool has_letters, const value_id *values,
                            uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const char *text = names_text(&s->fluents.values, values[i]);
    const char *piece = chess_by_word(text);
    if (piece) return piece;
    if (has_letters && chess_letter(text) < CHESS_PIECES)
      return chess_words[chess_letter(text)].piece;
  }
  return NULL;
}

/* Names such as wk say by their first letter whose it is. */
static const char *colour_of_letter(const char *text) {
  if (*text == 'w') return "white";
  return *text == 'b' ? "black" : NULL;
}

/* ---- others ---- */

/* Words that say no more than that there is a piece. */
static bool is_plain_piece(const char *text) {
  static const char *const words[] = {"man",   "men",  "checker", "piece", "stone",
                                      "token", "disc", "marker",  "peg",   NULL};
  for (uint32_t i = 0; words[i]; i++)
    if (strstr(text, words[i])) return true;
  return text[0] && text[1] == 'p' && !text[2];
}

/* Draughts: a disc, with a letter on kings. */
static glyph draughts_glyph(const char *text, const char *colour) {
  const bool is_king = strstr(text, "king") || (text[0] && text[1] == 'k' && !text[2]);
  return (glyph){GLYPH_DISC, is_king ? "♛" : "", colour};
}

static bool is_number(const char *text) {
  if (*text == '-') text++;
  if (!*text) return false;
  while (isdigit((unsigned char)*text)) text++;
  return !*text;
}

/* Says nothing but whose it is. */
static bool is_bare_colour(const samples *s, value_id v) {
  const char *text = names_text(&s->fluents.values, v);
  const char *said = colour_in(text);
  if (said && strlen(said) == strlen(text)) return true;
  if (samples_is_role(s, v)) return true;
  return !text[1] && owner_of(s, v) != OWNER_NONE;
}

static const char *label_of(const samples *s, const value_id *values, uint32_t count, arena *keep) {
  text label = text_new(keep);
  for (uint32_t i = 0; i < count; i++) {
    if (is_bare_colour(s, values[i]) && count > 1) continue;
    if (label.length) text_add_char(&label, ' ');
    text_add(&label, names_text(&s->fluents.values, values[i]));
  }
  return text_string(&label);
}

static glyph simple_glyph(const char *text, const char *colour) {
  if (strcmp(text, "x") == 0) return (glyph){GLYPH_CROSS, "", colour ? colour : "blue"};
  if (strcmp(text, "o") == 0) return (glyph){GLYPH_CIRCLE, "", colour ? colour : "red"};
  if (is_number(text)) return (glyph){GLYPH_TEXT, text, colour ? colour : "black"};
  return (glyph){GLYPH_CHIP, text, colour ? colour : colour_of_text(text)};
}

glyph glyph_of_mark(const char *relation, bool is_plain) {
  if (is_plain) return (glyph){GLYPH_MARK, "", "grey"};
  return (glyph){GLYPH_CHIP, relation, colour_of_text(relation)};
}

glyph glyph_of(const samples *s, bool has_chess_letters, const value_id *values, uint32_t count,
               arena *keep) {
  assert(count > 0);
  const char *colour = colour_of(s, values, count);
  const char *chess = chess_of(s, has_chess_letters, values, count);
  const char *first = names_text(&s->fluents.values, values[0]);
  if (chess) {
    const char *by_letter = has_chess_letters ? colour_of_letter(first) : NULL;
    return (glyph){GLYPH_CHESS, chess, by_letter ? by_letter : colour ? colour : "black"};
  }
  if (count == 1 && (strcmp(first, "x") == 0 || strcmp(first, "o") == 0))
    return simple_glyph(first, NULL);
  bool is_bare = true;
  for (uint32_t i = 0; i < count; i++) is_bare &= is_bare_colour(s, values[i]);
  if (is_bare) return (glyph){GLYPH_DISC, "", colour ? colour : "grey"};
  const char *label = label_of(s, values, count, keep);
  if (is_plain_piece(label)) return draughts_glyph(label, colour ? colour : "brown");
  return simple_glyph(label, colour);
}
