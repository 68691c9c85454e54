/* tabia fmt: lays a rulesheet out, in either notation, without changing what it says. */
#include "cli/builtin.h"
#include "cli/command.h"
#include "cli/game_load.h"
#include "cli/options.h"
#include "cli/output.h"
#include "read/format.h"

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

/* ---- the rules stay as they are ---- */

static const char *rules_text(const program *p, arena *keep) {
  text out = text_new(keep);
  for (rule_id r = 0; r < p->rules.count; r++) {
    rule_print_numbered(p, r, NOTATION_KIF, &out);
    text_add_char(&out, '\n');
  }
  return text_string(&out);
}

/* Reads the result again and compares. */
static bool says_the_same(loaded_game *g, const text *result) {
  arena *keep = arena_new();
  diag_sink d;
  diag_sink_init(&d, keep);
  const source s = source_of("", result->bytes, (uint32_t)result->length);
  tree t;
  program p;
  tree_read(&t, &s, symbols_new(keep), keep, &d);
  rules_build(&p, &t, keep, &d);
  const bool same = strcmp(rules_text(&p, keep), rules_text(&g->program, keep)) == 0;
  arena_free(keep);
  return same;
}

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

static bool has_syntax_errors(const loaded_game *g) {
  for (uint32_t i = 0; i < g->diags.all.count; i++)
    if (strncmp(diag_infos[g->diags.all.items[i].kind].code, "E1", 2) == 0) return true;
  return false;
}

/* In its own notation anything that reads can be laid out; the other one needs real rules. */
static bool can_be_laid_out(const loaded_game *g, notation n) {
  return !has_syntax_errors(g) && (n == g->tree.notation || g->diags.errors == 0);
}

static int format_loaded(loaded_game *g, const fmt_options *o) {
  const notation n = o->notation == NOTATION_SAME ? g->tree.notation : (notation)o->notation;
  if (!can_be_laid_out(g, n)) {
    game_report(g, false);
    return EXIT_NO;
  }
  text result = text_new(g->scratch);
  tree_format(&g->tree, (format_options){.notation = n}, &result);
  if (says_the_same(g, &result)) return deliver(g, o, &result);
  fprintf(stderr,
          "tabia: %s is left alone: the result would not say the same, which is a fault of "
          "tabia; please report it\n",
          g->source.name);
  return EXIT_NO;
}

static int format_game(const char *name, const fmt_options *o) {
  loaded_game g;
  const bool is_readable = game_load(&g, name, LOAD_PROGRAM, 20);
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
