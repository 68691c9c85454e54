/* tabia check: every fault of a rulesheet, in one run. */
#include "base/json.h"
#include "cli/command.h"
#include "cli/diag_show.h"
#include "cli/game_load.h"
#include "cli/options.h"

static const command_help help = {
    .usage = "tabia check [OPTION] GAME...",
    .details =
        "Finds every fault in the rules of each GAME: syntax, use of keywords, relations and\n"
        "functions, variables, the conditions on the whole (stratified, allowed, recursion\n"
        "restriction, bounded), and what a game needs.  Errors reject a game, warnings do not.",
    .example = "tabia check tic-tac-toe",
};

typedef struct check_options {
  bool as_json;
  bool all;
  bool strict;
} check_options;

/* ---- for people ---- */

static void put_properties(const check_result *r) {
  printf("; %sstratified, %sallowed, %srecursion restricted, %sbounded",
         r->stratified ? "" : "not ", r->allowed ? "" : "not ", r->recursion_ok ? "" : "not ",
         r->bounded ? "" : "not ");
}

static void put_summary(const loaded_game *g) {
  const diag_sink *d = &g->diags;
  const uint32_t more = diag_unkept(d, SEVERITY_NOTE);
  if (more)
    printf("%s: %u more of the same kinds are not shown; --all shows them\n", g->source.name, more);
  printf("%s: %u error%s, %u warning%s", g->source.name, d->errors, plural(d->errors), d->warnings,
         plural(d->warnings));
  if (g->is_readable) put_properties(&g->check);
  putchar('\n');
}

static void report_as_text(const loaded_game *g) {
  const diag_view view = {.source = &g->source,
                          .out = stdout,
                          .colour = stream_has_colour(stdout),
                          .least = SEVERITY_NOTE};
  diag_show_all(&view, &g->diags);
  put_summary(g);
}

/* ---- for programs ---- */

static void write_property(json_writer *w, const loaded_game *g, const char *key, bool value) {
  if (g->is_readable)
    json_put_bool(w, key, value);
  else
    json_put_null(w, key);
}

static void report_as_json(const loaded_game *g, bool ok) {
  text out = text_new(g->scratch);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_string(&w, "file", g->source.name);
  json_put_bool(&w, "ok", ok);
  json_put_string(&w, "notation", g->is_readable ? notation_name(g->tree.notation) : NULL);
  write_property(&w, g, "stratified", g->check.stratified);
  write_property(&w, g, "allowed", g->check.allowed);
  write_property(&w, g, "recursion_ok", g->check.recursion_ok);
  write_property(&w, g, "bounded", g->check.bounded);
  diag_write_json(&w, "diagnostics", &g->source, &g->diags);
  diag_write_unkept(&w, "not_shown", &g->diags);
  json_close_object(&w);
  fwrite(out.bytes, 1, out.length, stdout);
  putchar('\n');
}

/* ---- the command ---- */

static int status_of(const loaded_game *g, bool strict) {
  if (!g->is_readable) return EXIT_CANNOT_READ;
  return g->diags.errors || (strict && g->diags.warnings) ? EXIT_NO : EXIT_YES;
}

static int check_game(const char *name, const check_options *o) {
  loaded_game g;
  game_load(&g, name, LOAD_CHECK, o->all ? 0 : DIAG_SHOWN_OF_A_KIND);
  const int status = status_of(&g, o->strict);
  if (o->as_json)
    report_as_json(&g, status == EXIT_YES);
  else
    report_as_text(&g);
  game_free(&g);
  return status;
}

/* The table that docs/diagnostics.md is. */
static int show_codes(void) {
  puts("# Diagnostics\n\nMade by `tabia check --codes`.  Codes never change their meaning.\n\n"
       "| code | severity | name | what it is |\n| --- | --- | --- | --- |");
  for (int i = 0; i < DIAG_KIND_COUNT; i++) {
    const diag_info *info = &diag_infos[i];
    printf("| %s | %s | %s | %s |\n", info->code, severity_name(info->severity), info->name,
           info->summary);
  }
  return EXIT_YES;
}

int cmd_check(int argc, char **argv) {
  check_options o = {0};
  bool codes = false;
  const option options[] = {
      FLAG_OPTION("json", &o.as_json, "print one JSON object a line for each GAME"),
      FLAG_OPTION("all", &o.all, "show all; usually 20 of a kind are"),
      FLAG_OPTION("strict", &o.strict, "let warnings reject, too"),
      FLAG_OPTION("codes", &codes, "print the table of all diagnostics"),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (codes) return show_codes();
  if (!arguments_expect(&help, &given, 1, -1, &status)) return status;
  int worst = EXIT_YES;
  for (int i = 0; i < given.count; i++) {
    status = check_game(given.items[i], &o);
    if (status > worst) worst = status;
  }
  return worst;
}
