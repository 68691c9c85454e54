#include "prove/fluent_names.h"

#include "base/spelling.h"
#include "read/canonical.h"
#include "rules/analysis.h"

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

/* Names of relations may have been meant. */
static void look_up_relations(fluent_shape *s, const program *rules) {
  for (relation_id r = KEYWORD_RELATION_COUNT; r < rules->relations.count; r++) {
    const slice name = symbol_canonical(rules->symbols, rules->relations.items[r].name);
    if (rules->relations.items[r].clause_count) spelling_is_nearer(&s->near, name);
  }
}

const char *fluent_complaint(const char *fluent, const term_table *terms, const program *rules,
                             arena *keep) {
  fluent_shape s = shape_of(fluent);
  look_up(&s, terms);
  if (rules && !s.is_known) look_up_relations(&s, rules);
  const slice unknown = unknown_name(fluent, terms, keep);
  if (s.is_known && !unknown.length) return NULL;
  const bool is_named = s.is_known || s.other_arity != ID_NONE;
  text why = text_new(keep);
  text_add_format(&why, "there is no fluent %s`%s`", rules && !is_named ? "or relation " : "",
                  fluent);
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

/* ---- relations ---- */

static relation_id relation_of(const char *atom, const program *rules, arena *scratch) {
  const fluent_shape s = shape_of(atom);
  const symbol_id name = rules ? canonical_find(rules->symbols, s.name, scratch) : SYM_NONE;
  return name == SYM_NONE ? RELATION_NONE : program_relation(rules, name, s.arity);
}

bool relation_is_known(const char *atom, const program *rules) {
  arena *scratch = arena_new();
  const bool is_known = relation_of(atom, rules, scratch) != RELATION_NONE;
  arena_free(scratch);
  return is_known;
}

/* What is wrong with a relation in a formula about a state; or NULL. */
static const char *fault_of(const program *rules, relation_id r, arena *keep) {
  analysis a;
  if (r == SYM_LEGAL || r == SYM_GOAL || r == SYM_TERMINAL || r == SYM_ROLE) return NULL;
  if (r < KEYWORD_RELATION_COUNT) return "says nothing of a state alone";
  rules_analyse(&a, rules, keep);
  return a.depends_on_does[r] ? "depends on moves, and a formula is about a state" : NULL;
}

const char *relation_complaint(const char *atom, const program *rules, arena *keep) {
  const relation_id r = relation_of(atom, rules, keep);
  const char *fault = fault_of(rules, r, keep);
  const slice unknown = unknown_name(atom, rules->terms, keep);
  text why = text_new(keep);
  if (!fault && !unknown.length) return NULL;
  text_add_format(&why, "`%s`", atom);
  if (fault)
    text_add_format(&why, " %s", fault);
  else
    text_add_format(&why, " never holds: `%.*s` stands nowhere in the rules", (int)unknown.length,
                    unknown.start);
  return text_string(&why);
}
