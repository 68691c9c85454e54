/* tabia show: the text of each stage. */
#include "cli/command.h"
#include "cli/game_load.h"
#include "cli/options.h"
#include "compile/compile.h"

#include <string.h>

static const command_help help = {
    .usage = "tabia show [OPTION] STAGE GAME",
    .details =
        "Prints what GAME has become after a stage:\n"
        "  terms     names and lists as they were read\n"
        "  rules     rules, their variables numbered: what two rulesheets can be compared by\n"
        "  clauses   rules without `or`, `and` and equality\n"
        "  deps      which relation depends on which, and the order of evaluation\n"
        "  mini, strata, normal, labels, inverted, c\n"
        "            the stages of `tabia compile`",
    .example = "tabia show deps --format dot tic-tac-toe | dot -Tsvg > deps.svg",
};

typedef enum show_format { SHOW_TEXT, SHOW_DOT } show_format;

static const char *const formats[] = {"text", "dot", NULL};
static const char *const notations[] = {"kif", "prolog", NULL};

typedef struct show_options {
  uint32_t format;
  uint32_t notation;
} show_options;

/* ---- terms ---- */

/* Nodes come in the order of the text; `ends` holds the ends of the open lists. */
static void add_form(const tree *t, node_id form, arena *scratch, text *out) {
  const arena_mark mark = arena_save(scratch);
  id_vec ends = {0};
  for (node_id n = form; n < node_after(t, form); n++) {
    while (ends.count && vec_last(&ends) == n) {
      ends.count--;
      text_add_char(out, ')');
    }
    const bool is_first = n == form || (node_is_list(t, n - 1) && node_after(t, n - 1) > n);
    if (!is_first) text_add_char(out, ' ');
    if (!node_is_list(t, n)) {
      const slice name = symbol_folded(t->symbols, tree_node(t, n)->symbol);
      text_add_bytes(out, name.start, name.length);
      continue;
    }
    text_add_char(out, '(');
    vec_push(scratch, &ends, node_after(t, n));
  }
  for (; ends.count; ends.count--) text_add_char(out, ')');
  text_add_char(out, '\n');
  arena_restore(scratch, mark);
}

static void show_terms(loaded_game *g, const show_options *o, text *out) {
  (void)o;
  for (node_id n = 0; n < g->tree.nodes.count; n = node_after(&g->tree, n))
    add_form(&g->tree, n, g->scratch, out);
}

/* ---- rules and clauses ---- */

static void show_rules(loaded_game *g, const show_options *o, text *out) {
  for (rule_id r = 0; r < g->program.rules.count; r++) {
    rule_print_numbered(&g->program, r, (notation)o->notation, out);
    text_add_char(out, '\n');
  }
}

static void show_clauses(loaded_game *g, const show_options *o, text *out) {
  for (clause_id c = 0; c < g->program.clauses.count; c++) {
    clause_print(&g->program, c, (notation)o->notation, out);
    text_add_char(out, '\n');
  }
}

/* ---- dependencies ---- */

static void add_relation(const loaded_game *g, relation_id r, text *out) {
  const relation *it = &g->program.relations.items[r];
  const slice name = symbol_folded(g->symbols, it->name);
  text_add_bytes(out, name.start, name.length);
  text_add_char(out, '/');
  text_add_number(out, it->arity);
}

static bool is_mentioned(const loaded_game *g, relation_id r) {
  const relation *it = &g->program.relations.items[r];
  return it->clause_count || it->first_use != UINT32_MAX;
}

static void add_dependencies(const loaded_game *g, relation_id r, text *out) {
  const analysis *a = &g->analysis;
  for (uint32_t i = a->edges_of[r]; i < a->edges_of[r + 1]; i++) {
    text_add(out, i == a->edges_of[r] ? " <- " : ", ");
    if (a->edges.items[i].negative) text_add(out, "not ");
    add_relation(g, a->edges.items[i].body, out);
  }
}

static void show_deps_as_text(const loaded_game *g, text *out) {
  for (uint32_t stratum = 0; stratum < g->analysis.stratum_count; stratum++) {
    bool is_first = true;
    for (relation_id r = 0; r < g->program.relations.count; r++) {
      if (g->analysis.stratum[r] != stratum || !is_mentioned(g, r)) continue;
      if (is_first) text_add_format(out, "stratum %u\n", stratum);
      is_first = false;
      text_add(out, "  ");
      add_relation(g, r, out);
      add_dependencies(g, r, out);
      text_add_char(out, '\n');
    }
  }
}

static void add_quoted(text *out, const char *words) {
  text_add_char(out, '"');
  for (; *words; words++) {
    if (*words == '"' || *words == '\\') text_add_char(out, '\\');
    text_add_char(out, *words);
  }
  text_add_char(out, '"');
}

static void add_node(const loaded_game *g, relation_id r, text *out) {
  text name = text_new(g->scratch);
  add_relation(g, r, &name);
  add_quoted(out, text_string(&name));
}

/* Static relations are boxes; a dashed arrow is a negation. */
static void show_deps_as_dot(const loaded_game *g, text *out) {
  const analysis *a = &g->analysis;
  text_add(out, "digraph dependencies {\n  rankdir=LR;\n  node [shape=ellipse];\n");
  for (relation_id r = 0; r < g->program.relations.count; r++) {
    if (!is_mentioned(g, r)) continue;
    text_add(out, "  ");
    add_node(g, r, out);
    text_add(out, a->is_dynamic[r] ? ";\n" : " [shape=box];\n");
  }
  for (uint32_t i = 0; i < a->edges.count; i++) {
    text_add(out, "  ");
    add_node(g, a->edges.items[i].head, out);
    text_add(out, " -> ");
    add_node(g, a->edges.items[i].body, out);
    text_add(out, a->edges.items[i].negative ? " [style=dashed, label=\"not\"];\n" : ";\n");
  }
  text_add(out, "}\n");
}

static void show_deps(loaded_game *g, const show_options *o, text *out) {
  if (o->format == SHOW_DOT)
    show_deps_as_dot(g, out);
  else
    show_deps_as_text(g, out);
}

/* ---- the stages of the compiler ---- */

static void show_compiled(loaded_game *g, compile_stage stage, text *out) {
  compilation c;
  const compile_options o = {.name = g->source.name};
  compile_game(&c, &g->program, &o, stage, g->keep, NULL, &g->diags, out);
}

static void show_strata(loaded_game *g, const show_options *o, text *out) {
  (void)o;
  show_compiled(g, COMPILE_STRATA, out);
}

static void show_normal(loaded_game *g, const show_options *o, text *out) {
  (void)o;
  show_compiled(g, COMPILE_NORMAL, out);
}

static void show_labels(loaded_game *g, const show_options *o, text *out) {
  (void)o;
  show_compiled(g, COMPILE_LABELS, out);
}

static void show_inverted(loaded_game *g, const show_options *o, text *out) {
  (void)o;
  show_compiled(g, COMPILE_INVERTED, out);
}

static void show_c(loaded_game *g, const show_options *o, text *out) {
  (void)o;
  show_compiled(g, COMPILE_C, out);
}

/* ---- the command ---- */

typedef struct show_stage {
  const char *name;
  load_depth needs;
  bool has_dot;
  void (*show)(loaded_game *g, const show_options *o, text *out);
} show_stage;

static const show_stage stages[] = {
    {"terms", LOAD_TREE, false, show_terms},          {"rules", LOAD_PROGRAM, false, show_rules},
    {"clauses", LOAD_PROGRAM, false, show_clauses},   {"deps", LOAD_ANALYSIS, true, show_deps},
    {"mini", LOAD_PROGRAM, false, show_clauses},      {"strata", LOAD_PROGRAM, false, show_strata},
    {"normal", LOAD_PROGRAM, false, show_normal},     {"labels", LOAD_PROGRAM, false, show_labels},
    {"inverted", LOAD_PROGRAM, false, show_inverted}, {"c", LOAD_PROGRAM, false, show_c},
};

static const show_stage *find_stage(const char *name) {
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
    if (strcmp(stages[i].name, name) == 0) return &stages[i];
  return NULL;
}

/* What was read is shown even when it has faults; the status tells. */
static int show_game(const show_stage *s, const char *name, const show_options *o) {
  loaded_game g;
  if (game_load(&g, name, s->needs, 20)) {
    text out = text_new(g.keep);
    s->show(&g, o, &out);
    fwrite(out.bytes, 1, out.length, stdout);
  }
  const int status = game_report(&g, false);
  game_free(&g);
  return status;
}

int cmd_show(int argc, char **argv) {
  show_options o = {0};
  const option options[] = {
      CHOICE_OPTION("format", &o.format, formats, "deps as text or for Graphviz", .letter = 'f'),
      CHOICE_OPTION("notation", &o.notation, notations, "of rules and clauses; kif by default",
                    .letter = 'n'),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 2, 2, &status)) return status;
  const show_stage *s = find_stage(given.items[0]);
  if (!s) return usage_error(&help, "there is no stage `%s`", given.items[0]);
  if (o.format == SHOW_DOT && !s->has_dot) return usage_error(&help, "%s cannot be drawn", s->name);
  return show_game(s, given.items[1], &o);
}
