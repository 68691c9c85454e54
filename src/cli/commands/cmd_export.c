/* tabia export: a game in the language of another program. */
#include "base/spelling.h"
#include "cli/command.h"
#include "cli/game_load.h"
#include "cli/limits.h"
#include "cli/options.h"
#include "cli/output.h"
#include "frame/prolog_game.h"
#include "ground/others/number_names.h"
#include "prove/aiger.h"
#include "prove/prover.h"

#include <string.h>

static const char *const bases_choices[] = {"onestep", "declared", "iterative", NULL};

static const char *const encoding_choices[] = {"original", "direct", "pruned", NULL};

typedef struct export_command {
  uint32_t bases;
  uint32_t encoding;
  const char *property;
  const char *output;
  limit_options limits;
} export_command;

static const command_help help = {
    .usage = "tabia export [OPTION] KIND GAME",
    .details =
        "Writes a game in the language of another program.  KIND is one of\n"
        "  aiger            for berkeley-abc and others, which answer one question about it\n"
        "  asp              for gringo, which grounds it (what `ground --method asp` runs)\n"
        "  prolog           for swipl, which searches it (a minimax to a depth)\n"
        "  prolog-grounder  for swipl, which grounds it (what `ground --method prolog` runs)",
    .example = "tabia export asp tic-tac-toe | gringo --text",
};

/* ---- kinds ---- */

typedef struct export_kind {
  const char *name;
  /* false: the errors are in the diagnostics, a limit was reached, or the usage error was shown */
  bool (*write)(loaded_game *g, const export_command *c, budget *b, text *out);
} export_kind;

static bool write_asp(loaded_game *g, const export_command *c, budget *b, text *out) {
  (void)b; /* as long as the rules */
  if (!clauses_are_safe(&g->program, &g->diags)) return false;
  asp_write(&g->program, (bases_method)c->bases, out);
  return true;
}

static bool write_prolog_grounder(loaded_game *g, const export_command *c, budget *b, text *out) {
  (void)b; /* as long as the rules */
  if (!clauses_are_safe(&g->program, &g->diags)) return false;
  prolog_write(&g->program, (bases_method)c->bases, out);
  return true;
}

static bool write_prolog_game(loaded_game *g, const export_command *c, budget *b, text *out) {
  encoded_program e;
  /* the search that is written beside it plays on in terminal states */
  frame_encode(&e, &g->program, (frame_encoding)c->encoding, SCOPE_PLAY_ON, g->keep, b);
  const bool is_as_wanted = e.used == (frame_encoding)c->encoding;
  if (!is_as_wanted && b->end != BUDGET_LEFT) return false;
  if (!is_as_wanted)
    fprintf(stderr, "tabia: nothing to translate: the rules are written as they are\n");
  prolog_game_write(&e, out);
  return true;
}

/* The question as a circuit of its own; all its names are those of the game. */
static bool write_question(prove_job *j, const char *words, budget *b, text *out,
                           const char **complaint) {
  if (!prover_ask(j, words, b, complaint)) return false;
  const property_vec properties = j->properties;
  if (properties.count != 1 || !property_is_reach(properties.items[0].kind)) {
    *complaint = "`aiger` needs one property of: playable, goals, winnable ROLE, unreachable F, "
                 "invariant E";
    return false;
  }
  job_ask(j, &properties);
  return aiger_write(&j->full, 0, properties.items[0].name, out, complaint);
}

static bool write_aiger(loaded_game *g, const export_command *c, budget *b, text *out) {
  prove_job j;
  const char *complaint = NULL;
  const bool ok = job_open(&j, &g->program, (prove_options){.threads = 1}, b, &g->diags) &&
                  write_question(&j, c->property, b, out, &complaint);
  if (complaint) usage_error(&help, "%s", complaint);
  job_close(&j);
  return ok;
}

static const export_kind kinds[] = {
    {"aiger", write_aiger},
    {"asp", write_asp},
    {"prolog", write_prolog_game},
    {"prolog-grounder", write_prolog_grounder},
};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

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

static int export_loaded(loaded_game *g, const export_kind *kind, const export_command *c,
                         budget *b) {
  progress p = progress_on_stderr(true);
  text out = text_new(g->scratch);
  b->progress = &p;
  budget_watch(b, g->keep);
  const bool ok = kind->write(g, c, b, &out);
  progress_done(&p);
  if (ok) return output_write(c->output, &out) ? EXIT_YES : EXIT_CANNOT_READ;
  return g->diags.errors || b->end != BUDGET_LEFT ? game_report_late(g, b) : EXIT_USAGE;
}

int cmd_export(int argc, char **argv) {
  export_command c = {.property = "playable"};
  const option options[] = {
      CHOICE_OPTION("bases", &c.bases, bases_choices,
                    "how the program will find fluents and moves"),
      CHOICE_OPTION("encoding", &c.encoding, encoding_choices,
                    "of `prolog`: what becomes of frame rules"),
      STRING_OPTION("property", &c.property, "P",
                    "of `aiger`: the question, as `tabia prove` knows it (playable)"),
      OUTPUT_OPTION(&c.output),
      LIMIT_OPTIONS(&c.limits),
      {0}};
  arguments given;
  int status;
  budget b;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 2, 2, &status)) return status;
  const export_kind *kind = find_kind(given.items[0]);
  if (!kind) return complain_unknown(given.items[0]);
  if (!limits_begin(&b, &c.limits, &help, &status)) return status;
  loaded_game g;
  if (game_load_sound(&g, given.items[1], LOAD_PROGRAM, &status))
    status = export_loaded(&g, kind, &c, &b);
  game_free(&g);
  return status;
}
