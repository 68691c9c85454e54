/* tabia fmt: lays a rulesheet out, in either notation, without changing what it says. */
#include "api/builtin.h"
#include "cli/command.h"
#include "cli/game_load.h"
#include "cli/options.h"
#include "cli/output.h"
#include "rules/relayout.h"

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
} fmt_options;

/* ---- the command ---- */

static bool is_changed(const loaded_game *g, const text *result) {
  return result->length != g->source.length ||
         memcmp(result->bytes, g->source.bytes, result->length) != 0;
}

static int deliver(loaded_game *g, const fmt_options *o, const text *result) {
  if (o->check) {
    if (!is_changed(g, result)) return EXIT_YES;
    printf("%s is not in the usual layout\n", g->source.name);
    return EXIT_NO;
  }
  if (!o->in_place) {
    fwrite(result->bytes, 1, result->length, stdout);
    return EXIT_YES;
  }
  if (!is_changed(g, result) || output_write(g->source.name, result)) return EXIT_YES;
  return EXIT_CANNOT_READ;
}

static int format_loaded(loaded_game *g, const fmt_options *o) {
  const notation n = o->notation == NOTATION_SAME ? g->tree.notation : (notation)o->notation;
  if (!rules_can_be_laid_out(&g->program, n, &g->diags)) {
    game_report(g, false);
    return EXIT_NO;
  }
  text result = text_new(g->scratch);
  if (rules_lay_out(&g->program, n, &result)) return deliver(g, o, &result);
  fprintf(stderr,
          "tabia: %s is left alone: the result would not say the same, which is a fault of "
          "tabia; please report it\n",
          g->source.name);
  return EXIT_NO;
}

static int format_game(const char *name, const fmt_options *o) {
  loaded_game g;
  const bool is_readable = game_load(&g, name, LOAD_PROGRAM, DIAG_SHOWN_OF_A_KIND);
  const int status = is_readable ? format_loaded(&g, o) : game_report(&g, false);
  game_free(&g);
  return status;
}

static bool is_writable_kind(const char *name) {
  return strcmp(name, "-") != 0 && (!builtin_game_find(name) || access(name, F_OK) == 0);
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
