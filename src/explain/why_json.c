/* Explanations for programs: JSON, and graphs for Graphviz. */
#include "explain/why.h"

#include "base/json.h"

#include <string.h>

static const char *text_of(const why *y, const why_step *s,
                           void (*print)(const why *, const why_step *, text *)) {
  text out = text_new(y->keep);
  print(y, s, &out);
  return text_string(&out);
}

/* ---- JSON ---- */

static void put_place(json_writer *w, const source *from, span where) {
  if (where.start == UINT32_MAX) {
    json_put_null(w, "line");
    json_put_null(w, "column");
    return;
  }
  const place p = source_place(from, where.start);
  json_put_integer(w, "line", p.line);
  json_put_integer(w, "column", p.column);
}

static void put_bindings(json_writer *w, const why *y, const why_step *s) {
  const clause *c = &y->program->clauses.items[s->clause];
  const rule_id r = c->rule;
  json_open_array(w, "bindings");
  for (uint32_t i = 0; s->bindings && r != RULE_NONE && i < c->variable_count; i++) {
    if (s->bindings[i] == TERM_NONE) continue;
    const symbol_id name =
        y->program->variable_names.items[y->program->rules.items[r].variables + i];
    text value = text_new(y->keep);
    term_print(y->world->terms, s->bindings[i], NOTATION_KIF, NULL, &value);
    json_open_object(w, NULL);
    json_put_slice(w, "variable", symbol_name(y->world->terms->symbols, name));
    json_put_string(w, "term", text_string(&value));
    json_close_object(w);
  }
  json_close_array(w);
}

static void put_step(json_writer *w, const why *y, const source *from, const why_step *s) {
  json_open_object(w, NULL);
  json_put_string(w, "kind", why_kind_name(s->kind));
  json_put_bool(w, "holds", s->holds);
  json_put_string(w, "literal", s->atom == TERM_NONE ? NULL : text_of(y, s, why_step_print));
  put_place(w, from, s->where);
  if (s->clause != ID_NONE) {
    json_put_string(w, "rule", text_of(y, s, why_print_head));
    put_bindings(w, y, s);
  }
  json_put_string(w, "reason", s->words);
  json_open_array(w, "because");
}

static void close_steps(json_writer *w, uint32_t from, uint32_t to) {
  for (uint32_t i = to; i < from; i++) {
    json_close_array(w);
    json_close_object(w);
  }
}

static void put_steps(json_writer *w, const why *y, const source *from, uint32_t depth) {
  uint32_t open = 0; /* steps that are not closed */
  json_open_array(w, "because");
  for (uint32_t i = 0; i < y->explanation.steps.count; i++) {
    const why_step *s = &y->explanation.steps.items[i];
    if (s->depth > depth) continue;
    close_steps(w, open, s->depth);
    put_step(w, y, from, s);
    open = s->depth + 1;
  }
  close_steps(w, open, 0);
  json_close_array(w);
}

static void put_answers(json_writer *w, const why *y) {
  json_open_array(w, "answers");
  for (uint32_t i = 0; i < y->answers.count; i++) {
    text out = text_new(y->keep);
    term_print(y->world->terms, y->answers.items[i], NOTATION_KIF, NULL, &out);
    json_put_string(w, NULL, text_string(&out));
  }
  json_close_array(w);
}

void why_write_json(const why *y, const source *s, uint32_t depth, text *out) {
  json_writer w = json_to(out);
  text literal = text_new(y->keep);
  const why_step asked = {
      .atom = y->question.atom, .names = y->question.names, .is_negated = y->question.is_negated};
  why_step_print(y, &asked, &literal);
  json_open_object(&w, NULL);
  json_put_string(&w, "literal", text_string(&literal));
  json_put_bool(&w, "holds", y->holds);
  json_put_string(&w, "message", y->headline);
  put_answers(&w, y);
  put_steps(&w, y, s, depth);
  json_close_object(&w);
  text_add_char(out, '\n');
}

/* ---- Graphviz ---- */

static void add_node(const why *y, const source *from, uint32_t i, text *out) {
  const why_step *s = &y->explanation.steps.items[i];
  text_add_format(out, "  s%u [label=\"", i);
  text_add_escaped(out, text_of(y, s, why_step_print));
  if (s->where.start != UINT32_MAX)
    text_add_format(out, "%sline %u", s->atom == TERM_NONE ? "" : "\\n",
                    source_place(from, s->where.start).line);
  if (s->words) text_add(out, "\\n");
  if (s->words) text_add_escaped(out, s->words);
  text_add_format(out, "\", color=%s];\n", s->holds ? "darkgreen" : "red");
}

/* The step that a step is a part of: the last one before it that is less deep. */
static uint32_t parent_of(const why *y, uint32_t i) {
  const uint32_t depth = y->explanation.steps.items[i].depth;
  while (i-- > 0)
    if (y->explanation.steps.items[i].depth < depth) return i;
  return UINT32_MAX;
}

void why_write_dot(const why *y, const source *s, uint32_t depth, text *out) {
  text_add(out, "digraph why {\n  node [shape=box];\n  label=\"");
  text_add_escaped(out, y->headline);
  text_add(out, "\";\n");
  for (uint32_t i = 0; i < y->explanation.steps.count; i++) {
    if (y->explanation.steps.items[i].depth > depth) continue;
    add_node(y, s, i, out);
    const uint32_t parent = parent_of(y, i);
    if (parent != UINT32_MAX) text_add_format(out, "  s%u -> s%u;\n", parent, i);
  }
  text_add(out, "}\n");
}
