#include "rules/dependencies.h"

#include "base/json.h"

bool relation_is_mentioned(const program *p, relation_id r) {
  const relation *it = &p->relations.items[r];
  return it->clause_count || it->first_use != UINT32_MAX;
}

/* ---- for people ---- */

static void add_relation(const analysis *a, relation_id r, text *out) {
  const relation *it = &a->program->relations.items[r];
  const slice name = symbol_canonical(a->program->symbols, it->name);
  text_add_bytes(out, name.start, name.length);
  text_add_char(out, '/');
  text_add_number(out, it->arity);
}

static bool is_mentioned(const analysis *a, relation_id r) {
  return relation_is_mentioned(a->program, r);
}

static void add_dependencies(const analysis *a, relation_id r, text *out) {
  for (uint32_t i = a->edges_of[r]; i < a->edges_of[r + 1]; i++) {
    text_add(out, i == a->edges_of[r] ? " <- " : ", ");
    if (a->edges.items[i].negative) text_add(out, "not ");
    add_relation(a, a->edges.items[i].body, out);
  }
}

static void print_as_text(const analysis *a, text *out) {
  for (uint32_t stratum = 0; stratum < a->stratum_count; stratum++) {
    bool is_first = true;
    for (relation_id r = 0; r < a->program->relations.count; r++) {
      if (a->stratum[r] != stratum || !is_mentioned(a, r)) continue;
      if (is_first) text_add_format(out, "stratum %u\n", stratum);
      is_first = false;
      text_add(out, "  ");
      add_relation(a, r, out);
      add_dependencies(a, r, out);
      text_add_char(out, '\n');
    }
  }
}

static void add_node(const analysis *a, relation_id r, arena *scratch, text *out) {
  text name = text_new(scratch);
  add_relation(a, r, &name);
  text_add_quoted(out, text_string(&name));
}

/* Static relations are boxes; a dashed arrow is a negation. */
static void print_as_dot(const analysis *a, arena *scratch, text *out) {
  text_add(out, "digraph dependencies {\n  rankdir=LR;\n  node [shape=ellipse];\n");
  for (relation_id r = 0; r < a->program->relations.count; r++) {
    if (!is_mentioned(a, r)) continue;
    text_add(out, "  ");
    add_node(a, r, scratch, out);
    text_add(out, a->is_dynamic[r] ? ";\n" : " [shape=box];\n");
  }
  for (uint32_t i = 0; i < a->edges.count; i++) {
    text_add(out, "  ");
    add_node(a, a->edges.items[i].head, scratch, out);
    text_add(out, " -> ");
    add_node(a, a->edges.items[i].body, scratch, out);
    text_add(out, a->edges.items[i].negative ? " [style=dashed, label=\"not\"];\n" : ";\n");
  }
  text_add(out, "}\n");
}

/* ---- for programs ---- */

static void write_relation(const analysis *a, relation_id r, json_writer *w) {
  const relation *it = &a->program->relations.items[r];
  json_open_object(w, NULL);
  json_put_slice(w, "relation", symbol_canonical(a->program->symbols, it->name));
  json_put_integer(w, "arity", it->arity);
  json_put_integer(w, "stratum", a->stratum[r]);
  json_put_string(w, "kind", a->is_dynamic[r] ? "dynamic" : "static");
  json_close_object(w);
}

static void write_edge(const dependency *e, const uint32_t *number_of, json_writer *w) {
  json_open_object(w, NULL);
  json_put_integer(w, "from", number_of[e->head]);
  json_put_integer(w, "to", number_of[e->body]);
  json_put_bool(w, "negated", e->negative);
  json_close_object(w);
}

static void write_json(const analysis *a, const char *game, arena *scratch, text *out) {
  uint32_t *number_of = arena_zero_array(scratch, uint32_t, a->program->relations.count + 1);
  uint32_t count = 0;
  json_writer w = json_to(out);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", game);
  json_open_array(&w, "relations");
  for (relation_id r = 0; r < a->program->relations.count; r++) {
    if (!is_mentioned(a, r)) continue;
    number_of[r] = count++;
    write_relation(a, r, &w);
  }
  json_close_array(&w);
  json_open_array(&w, "edges");
  for (uint32_t i = 0; i < a->edges.count; i++) write_edge(&a->edges.items[i], number_of, &w);
  json_close_array(&w);
  json_close_object(&w);
  text_add_char(out, '\n');
}

void dependencies_print(const analysis *a, dependencies_format format, const char *game,
                        arena *scratch, text *out) {
  const arena_mark mark = arena_save(scratch);
  if (format == DEPENDENCIES_TEXT) print_as_text(a, out);
  if (format == DEPENDENCIES_DOT) print_as_dot(a, scratch, out);
  if (format == DEPENDENCIES_JSON) write_json(a, game, scratch, out);
  arena_restore(scratch, mark);
}
