/* Explanations as text for people. */
#include "explain/why.h"

#include <string.h>

void why_step_print(const why *y, const why_step *s, text *out) {
  text_add(out, "");
  if (s->atom == TERM_NONE) return;
  if (s->is_negated) text_add(out, "(not ");
  term_print(y->world->terms, s->atom, NOTATION_KIF, s->names, out);
  if (s->is_negated) text_add_char(out, ')');
}

static const symbol_id *names_of(const why *y, const why_step *s) {
  const rule_id r = y->program->clauses.items[s->clause].rule;
  if (r == RULE_NONE) return NULL;
  return vec_from(&y->program->variable_names, y->program->rules.items[r].variables);
}

void why_print_head(const why *y, const why_step *s, text *out) {
  const clause *c = &y->program->clauses.items[s->clause];
  if (c->body_count) text_add(out, "(<= ");
  term_print(y->world->terms, c->head, NOTATION_KIF, names_of(y, s), out);
  if (c->body_count) text_add(out, " ...)");
}

static void why_print_bindings(const why *y, const why_step *s, text *out) {
  const clause *c = &y->program->clauses.items[s->clause];
  const symbol_id *names = names_of(y, s);
  bool is_first = true;
  text_add(out, "");
  for (uint32_t i = 0; s->bindings && names && i < c->variable_count; i++) {
    if (s->bindings[i] == TERM_NONE) continue;
    const slice name = symbol_name(y->world->terms->symbols, names[i]);
    text_add_format(out, "%s%.*s = ", is_first ? "" : ", ", (int)name.length, name.start);
    term_print(y->world->terms, s->bindings[i], NOTATION_KIF, NULL, out);
    is_first = false;
  }
}

static void add_line(const source *s, span where, text *out) {
  if (where.start != UINT32_MAX) text_add_format(out, "line %u", source_place(s, where.start).line);
}

static void add_rule(const why *y, const source *from, const why_step *s, text *out) {
  text bindings = text_new(y->keep);
  add_line(from, s->where, out);
  text_add(out, ", ");
  why_print_head(y, s, out);
  why_print_bindings(y, s, &bindings);
  if (bindings.length) text_add_format(out, " with %s", text_string(&bindings));
}

static void add_words(const char *before, const why_step *s, text *out) {
  if (s->words) text_add_format(out, "%s%s", before, s->words);
}

/* Why a negated condition holds is that its atom does not. */
static bool is_below_not(const why *y, const why_step *s) {
  return s != y->explanation.steps.items && s[-1].kind == WHY_NOT && s[-1].depth < s->depth;
}

static void print_step(const why *y, const source *from, const why_step *s, text *out) {
  switch (s->kind) {
    case WHY_RULE:
      why_step_print(y, s, out);
      text_add(out, "  by ");
      add_rule(y, from, s, out);
      return;
    case WHY_FACT:
      why_step_print(y, s, out);
      text_add(out, "  is written in ");
      add_line(from, s->where, out);
      return;
    case WHY_ATTEMPT:
      add_rule(y, from, s, out);
      add_words(": ", s, out);
      return;
    case WHY_NOTE:
      if (s->clause != ID_NONE) add_rule(y, from, s, out);
      add_words(s->clause != ID_NONE ? ": " : "", s, out);
      return;
    default: break;
  }
  const bool is_true = s->holds;
  const bool is_needed = !is_true && s->depth && !is_below_not(y, s);
  text_add(out, s->kind == WHY_HOLDS ? "holds " : is_needed ? "needs " : "");
  why_step_print(y, s, out);
  if (s->kind == WHY_AGAIN) text_add(out, "  as shown above");
  if (s->kind == WHY_FLUENT && is_true && !s->words) text_add(out, "  is in the state");
  if (s->kind == WHY_MOVE && is_true) text_add(out, "  is done");
  if (s->kind == WHY_NOT) text_add(out, is_true ? "  holds:" : ", but that does not hold:");
  if (!is_needed && !is_true && s->depth) text_add(out, " does not hold");
  add_words(is_true ? "  " : is_needed ? ", but " : ": ", s, out);
}

/* How many steps follow that are too deep. */
static uint32_t count_hidden(const why *y, uint32_t at, uint32_t depth) {
  uint32_t count = 0;
  while (at + count < y->explanation.steps.count &&
         y->explanation.steps.items[at + count].depth > depth)
    count++;
  return count;
}

static void print_indent(uint32_t depth, text *out) {
  for (uint32_t i = 0; i < depth; i++) text_add(out, "  ");
}

static void print_answers(const why *y, text *out) {
  enum { SHOWN = 100 };
  if (y->answers.count < 2) return;
  for (uint32_t i = 0; i < y->answers.count && i < SHOWN; i++) {
    text_add(out, "  ");
    term_print(y->world->terms, y->answers.items[i], NOTATION_KIF, NULL, out);
    text_add_char(out, '\n');
  }
  if (y->answers.count > SHOWN) text_add_format(out, "  and %u more\n", y->answers.count - SHOWN);
  text_add(out, "the first of them:\n");
}

/* What the headline says need not be said again. */
static bool is_said(const why *y, uint32_t i) {
  const why_step *s = &y->explanation.steps.items[i];
  return i == 0 && s->kind == WHY_FAILS && !s->words && s->atom == y->question.atom;
}

void why_print(const why *y, const source *s, uint32_t depth, text *out) {
  text_add_format(out, "%s\n", y->headline);
  print_answers(y, out);
  for (uint32_t i = 0; i < y->explanation.steps.count; i++) {
    const why_step *step = &y->explanation.steps.items[i];
    if (is_said(y, i)) continue;
    print_indent(step->depth + 1 - is_said(y, 0), out);
    print_step(y, s, step, out);
    const uint32_t hidden = count_hidden(y, i + 1, depth > step->depth ? depth : step->depth);
    if (step->depth >= depth && hidden) text_add_format(out, "  [%u more below]", hidden);
    if (step->depth >= depth) i += hidden;
    text_add_char(out, '\n');
  }
}
