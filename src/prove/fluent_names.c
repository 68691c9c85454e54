#include "prove/fluent_names.h"

#include "base/spelling.h"
#include "read/canonical.h"

#include <string.h>

/* ---- what the rules have ---- */

/* A fluent by its name and the number of its arguments, compared with all that the rules write. */
typedef struct fluent_shape {
  slice name;
  uint32_t arity;
  bool is_known;
  uint32_t other_arity; /* with which the rules have the name; ID_NONE: they do not */
  spelling near;
} fluent_shape;

static fluent_shape shape_of(const char *fluent) {
  const char *name = fluent + (*fluent == '(');
  fluent_shape s = {.name = {name, canonical_name_length(name)}, .other_arity = ID_NONE};
  s.near = spelling_of(s.name);
  if (name == fluent) return s;
  for (const char *at = name + s.name.length; *at == ' '; at += canonical_term_length(at)) {
    at++;
    s.arity++;
  }
  return s;
}

static void compare_with(fluent_shape *s, const term_table *terms, const term *f) {
  const slice name = symbol_canonical(terms->symbols, f->name);
  const bool has_name =
      name.length == s->name.length && memcmp(name.start, s->name.start, name.length) == 0;
  if (!has_name)
    spelling_is_nearer(&s->near, name);
  else if (f->arg_count == s->arity)
    s->is_known = true;
  else
    s->other_arity = f->arg_count;
}

static bool holds_fluent(const term_table *terms, term_id id) {
  const term *t = term_get(terms, id);
  if (term_is_variable(terms, id) || t->arg_count != 1) return false;
  return t->name == SYM_TRUE || t->name == SYM_NEXT || t->name == SYM_INIT || t->name == SYM_BASE;
}

static void look_up(fluent_shape *s, const term_table *terms) {
  for (term_id id = 0; id < terms->terms.count && !s->is_known; id++) {
    if (!holds_fluent(terms, id)) continue;
    const term_id fluent = term_arg(terms, id, 0);
    if (!term_is_variable(terms, fluent)) compare_with(s, terms, term_get(terms, fluent));
  }
}

/* The first name in it that the rules do not have; empty: they have all. */
static slice unknown_name(const char *fluent, const term_table *terms, arena *keep) {
  for (const char *at = fluent; *at; at++) {
    const slice name = {at, canonical_name_length(at)};
    if (!name.length) continue;
    if (*at != '?' && canonical_find(terms->symbols, name, keep) == SYM_NONE) return name;
    at += name.length - 1;
  }
  return (slice){0};
}

/* ---- what is wrong ---- */

const char *fluent_complaint(const char *fluent, const term_table *terms, arena *keep) {
  fluent_shape s = shape_of(fluent);
  look_up(&s, terms);
  const slice unknown = unknown_name(fluent, terms, keep);
  if (s.is_known && !unknown.length) return NULL;
  text why = text_new(keep);
  text_add_format(&why, "there is no fluent `%s`", fluent);
  if (s.is_known)
    text_add_format(&why, ": `%.*s` stands nowhere in the rules", (int)unknown.length,
                    unknown.start);
  else if (s.other_arity != ID_NONE)
    text_add_format(&why, ": `%.*s` has %u argument%s", (int)s.name.length, s.name.start,
                    s.other_arity, plural(s.other_arity));
  else if (s.near.best.start)
    text_add_format(&why, "; did you mean `%.*s`?", (int)s.near.best.length, s.near.best.start);
  return text_string(&why);
}
