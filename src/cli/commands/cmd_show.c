/* tabia show: the text of each stage. */
#include "cli/command.h"
#include "cli/game_load.h"
#include "cli/options.h"
#include "compile/compile.h"
#include "read/tree_print.h"
#include "rules/dependencies.h"

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

static const char *const formats[] = {"text", "dot", "json", NULL}; /* as dependencies_format */
static const char *const notations[] = {"kif", "prolog", NULL};

typedef struct show_options {
  uint32_t format;
  uint32_t notation;
} show_options;

/* ---- terms ---- */

static void show_terms(loaded_game *g, const show_options *o, text *out) {
  (void)o;
  tree_print(&g->tree, g->scratch, out);
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

static void show_deps(loaded_game *g, const show_options *o, text *out) {
  dependencies_print(&g->analysis, (dependencies_format)o->format, g->scratch, out);
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
  bool has_formats;
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
  if (game_load(&g, name, s->needs, DIAG_SHOWN_OF_A_KIND)) {
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
  const option options[] = {CHOICE_OPTION("format", &o.format, formats,
                                          "of deps: text, for Graphviz, or JSON", .letter = 'f'),
                            CHOICE_OPTION("notation", &o.notation, notations,
                                          "of rules and clauses; kif by default", .letter = 'n'),
                            {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 2, 2, &status)) return status;
  const show_stage *s = find_stage(given.items[0]);
  if (!s) return usage_error(&help, "there is no stage `%s`", given.items[0]);
  if (o.format != DEPENDENCIES_TEXT && !s->has_formats)
    return usage_error(&help, "%s has one format only", s->name);
  return show_game(s, given.items[1], &o);
}
