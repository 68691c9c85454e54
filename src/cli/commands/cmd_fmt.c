/* tabia fmt: lays a rulesheet out, in either notation, without changing what it says. */
#include "cli/output.h"
#include "cli/session.h"

#include <string.h>
#include <unistd.h>

static const command_help help = {
    .usage = "tabia fmt [OPTION] GAME...",
    .details = "Prints the rules of GAME in the usual layout; comments stay where they are.\n"
               "A game with faults of syntax is left alone.",
    .example = "tabia fmt --notation prolog tic-tac-toe",
};

static const char *const notations[] = {"kif", "prolog", "same", NULL};

enum { NOTATION_SAME = 2 };

typedef struct fmt_options {
  uint32_t notation;
  bool check;
  bool in_place;
  limit_choice limits;
} fmt_options;

static bool is_changed(const session *s, const text *result) {
  size_t length;
  const char *before = tabia_rules_text(s->rules, &length);
  return result->length != length || memcmp(result->bytes, before, length) != 0;
}

static int deliver(const session *s, const fmt_options *o, const text *result) {
  const char *name = tabia_rules_name(s->rules);
  if (o->check) {
    if (!is_changed(s, result)) return EXIT_YES;
    printf("%s is not in the usual layout\n", name);
    return EXIT_NO;
  }
  if (!o->in_place) {
    fwrite(result->bytes, 1, result->length, stdout);
    return EXIT_YES;
  }
  return !is_changed(s, result) || output_write(name, result) ? EXIT_YES : EXIT_CANNOT_READ;
}

static void add_piece(void *context, const char *bytes, size_t length) {
  text_add_bytes(context, bytes, length);
}

static int format_read(session *s, const fmt_options *o) {
  text result = text_new(s->keep);
  text_add(&result, "");
  const tabia_status status =
      tabia_rules_format(s->rules, notations[o->notation], add_piece, &result, s->log);
  return status == TABIA_OK ? deliver(s, o, &result) : session_show(s, status);
}

static int format_game(const char *game, const fmt_options *o) {
  session s;
  int status;
  if (session_begin(&s, &o->limits, &help, &status) && session_read_any(&s, game, &status))
    status = format_read(&s, o);
  return session_end(&s, status);
}

static bool is_writable_kind(const char *name) {
  const bool is_builtin = tabia_game_find(name) < tabia_game_count();
  return strcmp(name, "-") != 0 && (!is_builtin || access(name, F_OK) == 0);
}

static int check_usage(const fmt_options *o, const arguments *given) {
  if (given->count > 1 && !o->check && !o->in_place)
    return usage_error(&help, "several games need --check or --in-place");
  for (int i = 0; o->in_place && i < given->count; i++)
    if (!is_writable_kind(given->items[i]))
      return usage_error(&help, "%s is not a file, so it cannot be changed in place",
                         given->items[i]);
  return EXIT_YES;
}

int cmd_fmt(int argc, char **argv) {
  fmt_options o = {.notation = NOTATION_SAME};
  const option options[] = {
      CHOICE_OPTION("notation", &o.notation, notations,
                    "the notation to write; the same by default", .letter = 'n'),
      FLAG_OPTION("check", &o.check, "write nothing; status 1 when the layout differs",
                  .letter = 'c'),
      FLAG_OPTION("in-place", &o.in_place, "change the file itself", .letter = 'i'),
      SESSION_LIMITS(&o.limits),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, -1, &status)) return status;
  int worst = check_usage(&o, &given);
  if (worst != EXIT_YES) return worst;
  for (int i = 0; i < given.count; i++) {
    status = format_game(given.items[i], &o);
    if (status > worst) worst = status;
  }
  return worst;
}
