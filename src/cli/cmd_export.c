/* tabia export: a game in the language of another program. */
#include "base/spelling.h"
#include "cli/command.h"
#include "cli/game_load.h"
#include "cli/options.h"
#include "cli/output.h"
#include "ground/external.h"

#include <string.h>

static const char *const bases_choices[] = {"onestep", "declared", "iterative", NULL};

typedef struct export_command {
  uint32_t bases;
  const char *output;
} export_command;

/* ---- kinds ---- */

typedef struct export_kind {
  const char *name;
  bool (*write)(loaded_game *g, const export_command *c, text *out); /* false: reported */
} export_kind;

static bool write_asp(loaded_game *g, const export_command *c, text *out) {
  asp_write(&g->program, (bases_method)c->bases, out);
  return true;
}

static bool write_prolog_grounder(loaded_game *g, const export_command *c, text *out) {
  prolog_write(&g->program, (bases_method)c->bases, out);
  return true;
}

static const export_kind kinds[] = {
    {"asp", write_asp},
    {"prolog-grounder", write_prolog_grounder},
};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

static const command_help help = {
    .usage = "tabia export [OPTION] KIND GAME",
    .details = "Writes a game in the language of another program.  KIND is one of\n"
               "  asp              for gringo, which grounds it (what `ground --method asp` runs)\n"
               "  prolog-grounder  for swipl, which grounds it (what `ground --method prolog` runs)",
    .example = "tabia export asp tic-tac-toe | gringo --text",
};

static const export_kind *find_kind(const char *name) {
  for (size_t i = 0; i < KIND_COUNT; i++)
    if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
  return NULL;
}

static int complain_unknown(const char *name) {
  spelling s = spelling_of(slice_of(name));
  for (size_t i = 0; i < KIND_COUNT; i++) spelling_is_nearer(&s, slice_of(kinds[i].name));
  if (s.best.start)
    return usage_error(&help, "there is no kind `%s`; did you mean `%s`?", name, s.best.start);
  return usage_error(&help, "there is no kind `%s`", name);
}

/* ---- the command ---- */

static int export_loaded(loaded_game *g, const export_kind *kind, const export_command *c) {
  text out = text_new(g->scratch);
  if (!kind->write(g, c, &out)) return game_report(g, false);
  return output_write(c->output, &out) ? EXIT_YES : EXIT_CANNOT_READ;
}

int cmd_export(int argc, char **argv) {
  export_command c = {0};
  const option options[] = {
      {.name = "bases", .kind = OPTION_CHOICE, .target = &c.bases, .choices = bases_choices,
       .help = "how the program will find fluents and moves"},
      {.name = "output", .letter = 'o', .kind = OPTION_STRING, .target = &c.output,
       .argument = "FILE", .help = "write there, whole or not at all"},
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 2, 2, &status)) return status;
  const export_kind *kind = find_kind(given.items[0]);
  if (!kind) return complain_unknown(given.items[0]);
  loaded_game g;
  if (game_load_sound(&g, given.items[1], LOAD_PROGRAM, &status)) status = export_loaded(&g, kind, &c);
  game_free(&g);
  return status;
}
