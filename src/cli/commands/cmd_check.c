/* tabia check: every fault of a rulesheet, in one run. */
#include "base/json.h"
#include "cli/session.h"

static const command_help help = {
    .usage = "tabia check [OPTION] GAME...",
    .details =
        "Finds every fault in the rules of each GAME: in syntax, keywords, relations and\n"
        "functions, variables, the conditions on whole programs (stratified, allowed, recursion\n"
        "restriction, bounded), and what every game needs.  Errors reject a game, warnings do not.",
    .example = "tabia check tic-tac-toe",
};

typedef struct check_options {
  bool as_json;
  bool all;
  bool strict;
  option_list words; /* of -W */
  limit_choice limits;
} check_options;

/* ---- for people ---- */

static const char *unless(const tabia_info *info, tabia_class what) {
  return tabia_info_is(info, what) ? "" : "not ";
}

static void put_classes(const tabia_info *info) {
  printf("; %sstratified, %sallowed, %srecursion restricted, %sbounded",
         unless(info, TABIA_IS_STRATIFIED), unless(info, TABIA_IS_ALLOWED),
         unless(info, TABIA_IS_RECURSION_RESTRICTED), unless(info, TABIA_IS_BOUNDED));
}

static void report_as_text(session *s, const char *game, const tabia_info *info) {
  const uint32_t errors = tabia_messages_count_of(s->log, TABIA_ERROR);
  const uint32_t warnings = tabia_messages_count_of(s->log, TABIA_WARNING);
  session_put_messages(s, stdout);
  printf("%s: %u error%s, %u warning%s", game, errors, plural(errors), warnings, plural(warnings));
  if (info) put_classes(info);
  puts(tabia_messages_dropped(s->log) ? "; --all shows all" : "");
}

/* ---- for programs ---- */

static void write_class(json_writer *w, const tabia_info *info, const char *key, tabia_class what) {
  if (info)
    json_put_bool(w, key, tabia_info_is(info, what));
  else
    json_put_null(w, key);
}

static void add_piece(void *context, const char *bytes, size_t length) {
  text_add_bytes(context, bytes, length);
}

static void write_messages(json_writer *w, const session *s) {
  text all = text_new(s->keep);
  tabia_messages_write(s->log, "json", TABIA_NOTE, add_piece, &all);
  json_put_json(w, "diagnostics", text_string(&all));
  json_open_object(w, "not_shown");
  for (uint32_t i = 0; i < tabia_code_count(); i++)
    if (tabia_code_dropped(i, s->log))
      json_put_integer(w, tabia_code(i), tabia_code_dropped(i, s->log));
  json_close_object(w);
}

static void report_as_json(const session *s, const char *game, const tabia_info *info, bool ok) {
  text out = text_new(s->keep);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", game);
  json_put_bool(&w, "ok", ok);
  json_put_string(&w, "notation", info ? tabia_rules_notation(s->rules) : NULL);
  write_class(&w, info, "stratified", TABIA_IS_STRATIFIED);
  write_class(&w, info, "allowed", TABIA_IS_ALLOWED);
  write_class(&w, info, "recursion_ok", TABIA_IS_RECURSION_RESTRICTED);
  write_class(&w, info, "bounded", TABIA_IS_BOUNDED);
  write_messages(&w, s);
  json_close_object(&w);
  puts(text_string(&out));
}

/* ---- one game ---- */

/* The words of -W in their order, behind what --strict says. */
static tabia_status choose(session *s, const check_options *o) {
  tabia_status result = TABIA_OK;
  if (o->all) tabia_messages_set_limit(s->log, 0);
  if (o->strict) tabia_messages_choose(s->log, "all");
  if (o->strict) tabia_messages_choose(s->log, "error");
  for (uint32_t i = 0; i < o->words.count && result == TABIA_OK; i++)
    result = tabia_messages_choose(s->log, o->words.items[i]);
  return result;
}

static int status_of(const session *s, const tabia_info *info) {
  if (info) return (int)tabia_info_status(info);
  return s->rules ? EXIT_LIMIT : EXIT_CANNOT_READ;
}

static int report(session *s, const char *game, const check_options *o) {
  session_read_rules(s, game);
  if (s->rules) tabia_messages_clear(s->log); /* the checks tell it again */
  tabia_info *info = s->rules ? tabia_info_new(s->rules, s->log) : NULL;
  const int status = status_of(s, info);
  if (o->as_json)
    report_as_json(s, game, info, status == EXIT_YES);
  else
    report_as_text(s, game, info);
  tabia_info_free(info);
  return status;
}

static int check_game(const char *game, const check_options *o) {
  session s;
  int status;
  if (session_begin(&s, &o->limits, &help, &status)) {
    const tabia_status chosen = choose(&s, o);
    status = chosen == TABIA_OK ? report(&s, game, o) : session_show(&s, chosen);
  }
  return session_end(&s, status);
}

/* ---- what the codes are ---- */

static const char default_words[] =
    "# Diagnostics\n\n"
    "Made by `tabia check --codes`. Codes never change their meaning. `tabia check --explain CODE`\n"
    "explains why a code matters, with an example of the fault and its repair.\n\n"
    "Errors reject a game and are always reported. A warning is on by default if its fault is\n"
    "likely to make a game play differently from what its author intends. `-W CODE` turns a warning on,\n"
    "`-W no-CODE` off; `-W all` turns all on; `-W error=CODE` turns it on and lets it reject, `-W error`\n"
    "does so for all that are on; `--strict` turns all on and lets them reject. CODE is a code or its\n"
    "name.\n\n"
    "Off by default are\n"
    "- W406, single-variable: in most games of others a variable that is used once means 'any value'. If\n"
    "  it looks misspelled, W407 reports it.\n"
    "- W305, unused: a table that no rule reads is harmless. If the relation depends on the state, W308\n"
    "  reports it; if its name resembles a keyword, W309 does.\n"
    "- W602, no-init: many sound games start in the empty state. If a rule waits in vain for a fluent,\n"
    "  W616 reports it.\n"
    "- W113, rule-without-body, and W303, relation-and-function: matters of style.\n";

/* docs/diagnostics.md. */
static int show_codes(void) {
  puts(default_words);
  puts("| code | severity | by default | name | what it is |\n| --- | --- | --- | --- | --- |");
  for (uint32_t i = 0; i < tabia_code_count(); i++)
    printf("| %s | %s | %s | %s | %s |\n", tabia_code(i),
           tabia_code_severity(i) == TABIA_ERROR ? "error" : "warning",
           tabia_code_is_default(i) ? "on" : "off", tabia_code_name(i), tabia_code_summary(i));
  return EXIT_YES;
}

static int refuse_code(const char *word, const char *nearest) {
  if (nearest)
    return usage_error(&help, "there is no diagnostic `%s`; did you mean `%s`?", word, nearest);
  return usage_error(&help, "there is no diagnostic `%s`; `tabia check --codes` lists them", word);
}

static void put_piece(void *stream, const char *bytes, size_t length) {
  fwrite(bytes, 1, length, stream);
}

static int explain(const char *word) {
  const char *nearest;
  const uint32_t code = tabia_code_find(word, &nearest);
  if (code == tabia_code_count()) return refuse_code(word, nearest);
  return (int)tabia_code_explain(code, put_piece, stdout);
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
    if (status == EXIT_USAGE) return status;
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
      LIST_OPTION("warn", &o.words, "CODE", "report CODE, no-CODE, all; reject: error, error=CODE",
                  .letter = 'W'),
      FLAG_OPTION("strict", &o.strict, "report all codes, and let warnings reject"),
      STRING_OPTION("explain", &code, "CODE", "explain what a code means, with an example"),
      FLAG_OPTION("codes", &codes, "print the table of all codes"),
      SESSION_LIMITS(&o.limits),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (codes) return is_alone(&o, &given) && !code ? show_codes() : refuse_company("--codes");
  if (code) return is_alone(&o, &given) ? explain(code) : refuse_company("--explain");
  if (!arguments_expect(&help, &given, 1, -1, &status)) return status;
  return check_games(&given, &o);
}
