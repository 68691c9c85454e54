/* tabia check: every fault of a rulesheet, in one run. */
#include "base/json.h"
#include "cli/command.h"
#include "cli/diag_show.h"
#include "cli/game_load.h"
#include "cli/options.h"
#include "rules/diag_explain.h"

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
  option_list words; /* of -W */
  diag_choice choice;
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

/* ---- one game ---- */

static int status_of(const loaded_game *g, bool strict) {
  if (!g->is_readable) return EXIT_CANNOT_READ;
  return g->diags.errors || (strict && g->diags.warnings) ? EXIT_NO : EXIT_YES;
}

static int check_game(const char *name, const check_options *o) {
  loaded_game g;
  game_load_chosen(&g, name, LOAD_CHECK, o->all ? 0 : DIAG_SHOWN_OF_A_KIND, &o->choice);
  diag_choice_promote(&o->choice, &g.diags);
  const int status = status_of(&g, o->strict);
  if (o->as_json)
    report_as_json(&g, status == EXIT_YES);
  else
    report_as_text(&g);
  game_free(&g);
  return status;
}

/* ---- the choice of codes ---- */

/* The words of -W in their order, behind what --strict says. */
static bool choose(check_options *o) {
  arena *keep = arena_new();
  const char *why = NULL;
  bool is_known = true;
  diag_choice_default(&o->choice);
  if (o->strict) diag_choice_take(&o->choice, "all", &why, keep);
  for (uint32_t i = 0; i < o->words.count && is_known; i++)
    is_known = diag_choice_take(&o->choice, o->words.items[i], &why, keep);
  if (!is_known) usage_error(&help, "%s", why);
  arena_free(keep);
  return is_known;
}

/* ---- what the codes are ---- */

static const char default_words[] =
    "# Diagnostics\n\n"
    "Made by `tabia check --codes`. Codes never change their meaning. `tabia check --explain CODE`\n"
    "tells why a code matters, with an example of the fault and its mend.\n\n"
    "Errors reject a game and are always told. A warning is on by default where it tells of something\n"
    "that is likely to make a game play otherwise than its author means. `-W CODE` turns a warning on,\n"
    "`-W no-CODE` off; `-W all` turns all on; `-W error=CODE` turns it on and lets it reject, `-W error`\n"
    "does so for all that are on; `--strict` turns all on and lets them reject. CODE is a code or its\n"
    "name.\n\n"
    "Off by default are\n"
    "- W406, single-variable: in most games of others a variable that is used once means 'any value'. Where\n"
    "  it looks like a misspelled one W407 tells of it.\n"
    "- W305, unused: a table that nobody reads does no harm. Where the relation depends on the state W308\n"
    "  tells of it, where its name is near to a keyword W309 does.\n"
    "- W602, no-init: many sound games start in the empty state. Where a rule waits for what never comes\n"
    "  W616 tells of it.\n"
    "- W113, rule-without-body, and W303, relation-and-function: matters of style.\n";

/* docs/diagnostics.md. */
static int show_codes(void) {
  puts(default_words);
  puts("| code | severity | by default | name | what it is |\n| --- | --- | --- | --- | --- |");
  for (int i = 0; i < DIAG_KIND_COUNT; i++) {
    const diag_info *info = &diag_infos[i];
    printf("| %s | %s | %s | %s | %s |\n", info->code, severity_name(info->severity),
           diag_is_on_by_default((diag_kind)i) ? "on" : "off", info->name, info->summary);
  }
  return EXIT_YES;
}

static int refuse_code(const char *word) {
  const char *nearest = diag_name_nearest(word);
  if (nearest)
    return usage_error(&help, "there is no diagnostic `%s`; did you mean `%s`?", word, nearest);
  return usage_error(&help, "there is no diagnostic `%s`; `tabia check --codes` lists them", word);
}

static int explain(const char *word) {
  const diag_kind kind = diag_kind_named(word);
  if (kind == DIAG_KIND_COUNT) return refuse_code(word);
  arena *keep = arena_new();
  text out = text_new(keep);
  diag_explain(kind, &out);
  fwrite(out.bytes, 1, out.length, stdout);
  arena_free(keep);
  return EXIT_YES;
}

/* ---- the command ---- */

static bool is_alone(const check_options *o, const arguments *given) {
  return !o->as_json && !o->all && !o->strict && !o->words.count && !given->count;
}

static int refuse_company(const char *name) {
  return usage_error(&help, "%s goes with no other option and no game", name);
}

static int check_games(const arguments *given, const check_options *o) {
  int worst = EXIT_YES;
  for (int i = 0; i < given->count; i++) {
    const int status = check_game(given->items[i], o);
    if (status > worst) worst = status;
  }
  return worst;
}

int cmd_check(int argc, char **argv) {
  check_options o = {0};
  bool codes = false;
  const char *code = NULL;
  const option options[] = {
      FLAG_OPTION("json", &o.as_json, "print one JSON object a line for each GAME"),
      FLAG_OPTION("all", &o.all, "show all; usually 20 of a kind are"),
      LIST_OPTION("warn", &o.words, "CODE", "tell CODE, no-CODE, all; reject: error, error=CODE",
                  .letter = 'W'),
      FLAG_OPTION("strict", &o.strict, "tell all codes, and let warnings reject"),
      STRING_OPTION("explain", &code, "CODE", "tell what a code means, with an example"),
      FLAG_OPTION("codes", &codes, "print the table of all codes"),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (codes) return is_alone(&o, &given) && !code ? show_codes() : refuse_company("--codes");
  if (code) return is_alone(&o, &given) ? explain(code) : refuse_company("--explain");
  if (!arguments_expect(&help, &given, 1, -1, &status)) return status;
  return choose(&o) ? check_games(&given, &o) : EXIT_USAGE;
}
