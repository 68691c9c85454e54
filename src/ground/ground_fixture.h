/* What the tests of this folder share: a game, grounded. */
#ifndef TABIA_GROUND_GROUND_FIXTURE_H
#define TABIA_GROUND_GROUND_FIXTURE_H

#include "datalog/datalog_fixture.h"
#include "ground/ground_model.h"
#include "ground/instantiate.h"
#include "ground/simplify/simplify.h"

static const ground_options plain = {.method = METHOD_NATIVE, .bases = BASES_ONESTEP};
static const ground_options optimised = {
    .method = METHOD_NATIVE, .bases = BASES_ONESTEP, .optimise = true};

static inline ground_program grounded(rules_fixture *f, const char *words, ground_options o) {
  build_sound(f, words);
  ground_program g;
  ground_stats stats;
  assert_true(ground_rules(&g, &f->p, o, f->keep, NULL, &f->d, &stats));
  ground_name_atoms(&g);
  return g;
}

/* Instantiated, before anything is made simpler. */
static inline ground_program instantiated(rules_fixture *f, const char *words) {
  build_sound(f, words);
  bases b;
  ground_program g;
  assert_true(bases_compute(&b, &f->p, BASES_ONESTEP, f->keep, NULL, &f->d));
  assert_true(instantiate(&g, &b, f->keep, NULL, &f->d));
  bases_free(&b);
  ground_index_rules(&g);
  ground_name_atoms(&g);
  return g;
}

static inline int compare_lines(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static inline void add_literal_text(const ground_program *g, ground_literal l, text *out) {
  if (literal_is_negated(l)) text_add(out, "(not ");
  term_print(g->terms, g->atoms.items[literal_atom(l)], NOTATION_KIF, NULL, out);
  if (literal_is_negated(l)) text_add_char(out, ')');
}

/* Literals are sorted by their text. */
static inline const char *ground_rule_text(const ground_program *g, uint32_t rule, arena *keep) {
  const ground_rule *r = &g->rules.items[rule];
  const char **body = arena_new_array(keep, const char *, r->body_count);
  for (uint32_t i = 0; i < r->body_count; i++) {
    text one = text_new(keep);
    add_literal_text(g, g->literals.items[r->body + i], &one);
    body[i] = text_string(&one);
  }
  if (r->body_count) qsort(body, r->body_count, sizeof *body, compare_lines);
  text out = text_new(keep);
  add_literal_text(g, literal_of_atom(r->head, false), &out);
  for (uint32_t i = 0; i < r->body_count; i++)
    text_add_format(&out, "%s%s", i ? " " : " <= ", body[i]);
  return text_string(&out);
}

/* All rules, a line each, sorted. */
static inline const char *ground_text(rules_fixture *f, const ground_program *g) {
  const char **lines = arena_new_array(f->keep, const char *, g->rules.count);
  for (uint32_t r = 0; r < g->rules.count; r++) lines[r] = ground_rule_text(g, r, f->keep);
  if (g->rules.count) qsort(lines, g->rules.count, sizeof *lines, compare_lines);
  text out = text_new(f->keep);
  for (uint32_t r = 0; r < g->rules.count; r++)
    text_add_format(&out, "%s%s", r ? "\n" : "", lines[r]);
  return text_string(&out);
}

static inline atom_id atom_named(const ground_program *g, const char *words, arena *keep) {
  for (atom_id a = 0; a < g->atoms.count; a++) {
    text one = text_new(keep);
    term_print(g->terms, g->atoms.items[a], NOTATION_KIF, NULL, &one);
    if (strcmp(text_string(&one), words) == 0) return a;
  }
  return ATOM_NONE;
}

static inline const ground_fluent *fluent_named(const ground_program *g, const char *words,
                                                arena *keep) {
  for (uint32_t i = 0; i < g->fluents.count; i++) {
    text one = text_new(keep);
    term_print(g->terms, g->fluents.items[i].term, NOTATION_KIF, NULL, &one);
    if (strcmp(text_string(&one), words) == 0) return &g->fluents.items[i];
  }
  fail_msg("no fluent %s", words);
  return NULL;
}

#endif
