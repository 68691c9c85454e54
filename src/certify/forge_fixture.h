/* Forged certificates: parts of true ones dropped, doubled, exchanged, replaced and changed; and
   certificates that are made up altogether. */
#ifndef TABIA_CERTIFY_FORGE_FIXTURE_H
#define TABIA_CERTIFY_FORGE_FIXTURE_H

#include "base/rng.h"
#include "base/text.h"
#include "base/vec.h"

/* A text as its parentheses and names. */
typedef VEC(slice) forge_tokens;

typedef VEC(const char *) forge_texts;

typedef struct forge {
  rng *r;
  arena *keep;
  forge_tokens tokens;
  forge_texts pool; /* terms of the game, numbers, words of certificates */
  forge_texts fluents;
  const forge_texts *moves; /* by role */
  uint32_t roles;
} forge;

static inline const char *forge_pick(const forge *f, const forge_texts *from) {
  return from->count ? from->items[rng_below(f->r, from->count)] : "none";
}

static inline bool forge_is(slice token, char c) {
  return token.length == 1 && token.start[0] == c;
}

static inline forge_tokens forge_split(const char *words, arena *keep) {
  forge_tokens all = {0};
  while (*words) {
    const size_t length = *words == '(' || *words == ')' ? 1 : strcspn(words, " \n()");
    const slice token = {words, length ? length : 1};
    if (length) vec_push(keep, &all, token);
    words += token.length;
  }
  return all;
}

static inline const char *forge_join(const forge *f) {
  text out = text_new(f->keep);
  for (uint32_t i = 0; i < f->tokens.count; i++) {
    const slice t = f->tokens.items[i];
    const bool follows_open = i && forge_is(f->tokens.items[i - 1], '(');
    if (i && !follows_open && !forge_is(t, ')')) text_add_char(&out, ' ');
    text_add_bytes(&out, t.start, t.length);
  }
  return text_string(&out);
}

/* ---- parts ---- */

typedef struct forge_part {
  uint32_t first, end; /* tokens: a name, or a whole list */
} forge_part;

/* The part that begins at the token, which closes nothing. */
static inline forge_part forge_part_at(const forge *f, uint32_t first) {
  uint32_t depth = 0, at = first;
  do {
    depth += forge_is(f->tokens.items[at], '(');
    depth -= forge_is(f->tokens.items[at], ')');
    at++;
  } while (depth && at < f->tokens.count);
  return (forge_part){first, at};
}

static inline forge_part forge_any_part(forge *f) {
  uint32_t first = rng_below(f->r, f->tokens.count);
  while (first && forge_is(f->tokens.items[first], ')')) first--;
  return forge_part_at(f, first);
}

static inline void forge_copy(const forge *f, forge_tokens *out, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; i++) vec_push(f->keep, out, f->tokens.items[i]);
}

/* Puts other tokens in the place of the part. */
static inline void forge_put(forge *f, forge_part part, const forge_tokens *other) {
  forge_tokens out = {0};
  forge_copy(f, &out, 0, part.first);
  for (uint32_t i = 0; i < other->count; i++) vec_push(f->keep, &out, other->items[i]);
  forge_copy(f, &out, part.end, f->tokens.count);
  f->tokens = out;
}

static inline forge_tokens forge_from_pool(forge *f) {
  return forge_split(forge_pick(f, &f->pool), f->keep);
}

/* ---- acts ---- */

static inline void forge_drop(forge *f) {
  const forge_tokens nothing = {0};
  forge_put(f, forge_any_part(f), &nothing);
}

static inline void forge_double(forge *f) {
  const forge_part part = forge_any_part(f);
  forge_tokens twice = {0};
  forge_copy(f, &twice, part.first, part.end);
  forge_copy(f, &twice, part.first, part.end);
  forge_put(f, part, &twice);
}

static inline void forge_swap(forge *f) {
  forge_part a = forge_any_part(f), b = forge_any_part(f);
  forge_tokens mixed = {0};
  if (a.first > b.first) {
    const forge_part other = a;
    a = b;
    b = other;
  }
  if (a.end > b.first) return;
  forge_copy(f, &mixed, b.first, b.end);
  forge_copy(f, &mixed, a.end, b.first);
  forge_copy(f, &mixed, a.first, a.end);
  forge_put(f, (forge_part){a.first, b.end}, &mixed);
}

static inline void forge_replace(forge *f) {
  const forge_tokens other = forge_from_pool(f);
  forge_put(f, forge_any_part(f), &other);
}

static inline void forge_insert(forge *f) {
  const forge_tokens other = forge_from_pool(f);
  const forge_part part = forge_any_part(f);
  forge_put(f, (forge_part){part.end, part.end}, &other);
}

/* `(not X)` for X and X for a list of two. */
static inline void forge_negate(forge *f) {
  const forge_part part = forge_any_part(f);
  forge_tokens out = {0};
  const bool is_not =
      part.end - part.first > 3 && slice_equals(f->tokens.items[part.first + 1], "not");
  if (!is_not) out = forge_split("( not", f->keep);
  forge_copy(f, &out, part.first + 2 * is_not, part.end - is_not);
  if (!is_not) vec_push(f->keep, &out, ((slice){")", 1}));
  forge_put(f, part, &out);
}

static inline void forge_wrap(forge *f) {
  const forge_part part = forge_any_part(f);
  const bool is_list = part.end - part.first > 1 && rng_below(f->r, 2);
  forge_tokens out = {0};
  if (!is_list) vec_push(f->keep, &out, ((slice){"(", 1}));
  forge_copy(f, &out, part.first + is_list, part.end - is_list);
  if (!is_list) vec_push(f->keep, &out, ((slice){")", 1}));
  forge_put(f, part, &out);
}

static inline bool forge_part_is(const forge *f, forge_part part, const char *words) {
  const forge_tokens tokens = forge_split(words, f->keep);
  if (tokens.count != part.end - part.first) return false;
  for (uint32_t i = 0; i < tokens.count; i++) {
    const slice a = tokens.items[i], b = f->tokens.items[part.first + i];
    if (a.length != b.length || memcmp(a.start, b.start, a.length) != 0) return false;
  }
  return true;
}

/* The first of these terms from a random place on becomes another of them. */
static inline void forge_change(forge *f, const forge_texts *terms) {
  const uint32_t start = rng_below(f->r, f->tokens.count);
  const forge_tokens other = forge_split(forge_pick(f, terms), f->keep);
  for (uint32_t i = 0; i < f->tokens.count; i++) {
    const uint32_t at = (start + i) % f->tokens.count;
    for (uint32_t k = 0; !forge_is(f->tokens.items[at], ')') && k < terms->count; k++) {
      const forge_part part = forge_part_at(f, at);
      if (!forge_part_is(f, part, terms->items[k])) continue;
      forge_put(f, part, &other);
      return;
    }
  }
}

static inline void forge_fluent(forge *f) { forge_change(f, &f->fluents); }

static inline void forge_move(forge *f) { forge_change(f, &f->moves[rng_below(f->r, f->roles)]); }

/* A fact, a measure or anything else that a section has, or its first literal. */
static inline void forge_drop_item(forge *f) {
  const forge_tokens nothing = {0};
  uint32_t items = 0, wanted = rng_below(f->r, 8);
  for (uint32_t i = 0; i < f->tokens.count; items++) {
    const forge_part part = forge_part_at(f, i);
    if (items == wanted) {
      forge_put(f, part, &nothing);
      return;
    }
    i = part.end;
  }
}

static inline bool forge_is_number(slice token) {
  return token.length && token.start[0] >= '0' && token.start[0] <= '9';
}

/* The first number from a random place on becomes another. */
static inline void forge_number(forge *f) {
  static const char *const numbers[] = {"0", "1", "2",  "3",          "4",
                                        "5", "9", "00", "4294967294", "18446744073709551617"};
  const uint32_t start = rng_below(f->r, f->tokens.count);
  for (uint32_t i = 0; i < f->tokens.count; i++) {
    slice *token = &f->tokens.items[(start + i) % f->tokens.count];
    if (!forge_is_number(*token)) continue;
    *token = slice_of(numbers[rng_below(f->r, sizeof numbers / sizeof *numbers)]);
    return;
  }
}

/* A word of certificates becomes another: what is at most one may be exactly one. */
static inline void forge_word(forge *f) {
  static const char *const words[] = {
      "exactly-one", "at-most-one", "at-least-one", "playable",    "goals",     "winnable",
      "terminates",  "mutex",       "monotone",     "unreachable", "invariant", "k",
      "steps",       "exhaustive",  "line",         "longest",     "returns-to"};
  enum { COUNT = sizeof words / sizeof *words };
  const uint32_t start = rng_below(f->r, f->tokens.count);
  for (uint32_t i = 0; i < f->tokens.count; i++) {
    slice *token = &f->tokens.items[(start + i) % f->tokens.count];
    for (uint32_t w = 0; w < COUNT; w++) {
      if (!slice_equals(*token, words[w])) continue;
      const uint32_t first = w < 3 ? 0 : w < 11 ? 3 : 11, count = w < 3 ? 3 : w < 11 ? 8 : 6;
      *token = slice_of(words[first + rng_below(f->r, count)]);
      return;
    }
  }
}

static inline const char *forge_some(forge *f, const char *words) {
  static void (*const acts[])(forge *) = {
      forge_drop,   forge_double, forge_swap,   forge_replace, forge_insert,    forge_negate,
      forge_wrap,   forge_number, forge_number, forge_word,    forge_word,      forge_fluent,
      forge_fluent, forge_fluent, forge_move,   forge_move,    forge_drop_item, forge_drop_item};
  f->tokens = forge_split(words, f->keep);
  for (uint32_t i = 1 + rng_below(f->r, 3); i > 0 && f->tokens.count; i--)
    acts[rng_below(f->r, sizeof acts / sizeof *acts)](f);
  return forge_join(f);
}

/* ---- made up ---- */

static inline void forge_add_literal(const forge *f, text *out) {
  text_add_format(out, rng_below(f->r, 3) ? " %s" : " (not %s)", forge_pick(f, &f->fluents));
}

static inline void forge_add_facts(const forge *f, text *out) {
  static const char *const kinds[] = {"exactly-one", "at-most-one", "at-least-one"};
  for (uint32_t i = rng_below(f->r, 4); i > 0; i--) {
    text_add_format(out, " (%s", kinds[rng_below(f->r, 3)]);
    for (uint32_t k = 1 + rng_below(f->r, 4); k > 0; k--) forge_add_literal(f, out);
    text_add_char(out, ')');
  }
}

static inline void forge_add_measures(const forge *f, text *out) {
  for (uint32_t i = 1 + rng_below(f->r, 2); i > 0; i--) {
    text_add(out, " (measure");
    for (uint32_t k = rng_below(f->r, 5); k > 0; k--) {
      text_add_format(out, " (%u", rng_below(f->r, 5));
      forge_add_literal(f, out);
      text_add_char(out, ')');
    }
    text_add_char(out, ')');
  }
}

static inline void forge_add_line(const forge *f, bool is_of_ends, text *out) {
  const uint32_t length = rng_below(f->r, 6);
  text_add(out, " (line");
  for (uint32_t i = 0; i < length; i++) {
    text_add(out, " (");
    for (uint32_t role = 0; role < f->roles; role++)
      text_add_format(out, role ? " %s" : "%s", forge_pick(f, &f->moves[role]));
    text_add_char(out, ')');
  }
  text_add_char(out, ')');
  if (is_of_ends) text_add_format(out, " (returns-to %u)", rng_below(f->r, length + 1));
}

/* A section that the grammar allows, for a property such as "winnable r0". */
static inline const char *forge_made_up(const forge *f, const char *property) {
  const bool is_of_ends = strcmp(property, "terminates") == 0;
  text out = text_new(f->keep);
  text_add_format(&out, "(property %s)", property);
  switch (rng_below(f->r, 5)) {
    case 0: text_add_format(&out, " (steps %u)", rng_below(f->r, 7)); break;
    case 1:
      text_add(&out, " (exhaustive)");
      forge_add_facts(f, &out);
      if (is_of_ends) text_add_format(&out, " (longest %u)", rng_below(f->r, 7));
      break;
    case 2: forge_add_line(f, is_of_ends, &out); break;
    default:
      text_add_format(&out, " (k %u)", is_of_ends + rng_below(f->r, 3));
      forge_add_facts(f, &out);
      if (is_of_ends) forge_add_measures(f, &out);
  }
  return text_string(&out);
}

#endif
