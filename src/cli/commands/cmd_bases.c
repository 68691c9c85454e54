/* tabia bases: what can be true, and what can be done. */
#include "ground/bases.h"

#include "cli/command.h"
#include "cli/game_load.h"
#include "cli/limits.h"
#include "ground/bases_print.h"

static const command_help help = {
    .usage = "tabia bases [OPTION] GAME",
    .details =
        "Prints a base fact for every fluent that may ever be true and an input fact for every\n"
        "move that may ever be made.",
    .example = "tabia bases tic-tac-toe",
};

static const char *const bases_choices[] = {"onestep", "declared", "iterative", NULL};

typedef struct bases_command {
  uint32_t method;
  bool as_json;
  limit_options limits;
} bases_command;

static int run_loaded(loaded_game *g, const bases_command *c) {
  int status;
  budget limits;
  if (!limits_begin(&limits, &c->limits, &help, &status)) return status;
  progress p = progress_on_stderr(true);
  limits.progress = &p;
  limits.stage = "finding what can be true and what can be done";
  budget_watch(&limits, g->keep);
  game_forget_warnings(g);
  bases b;
  const bool done =
      bases_compute_alone(&b, &g->program, (bases_method)c->method, g->keep, &limits, &g->diags);
  progress_done(&p);
  status = game_report_late_warnings(g, &limits);
  if (done) {
    text out = text_new(g->keep);
    bases_print(&b, c->as_json ? BASES_AS_JSON : BASES_AS_KIF, g->scratch, &out);
    fwrite(out.bytes, 1, out.length, stdout);
  }
  bases_free(&b);
  return status;
}

int cmd_bases(int argc, char **argv) {
  bases_command c = {0};
  const option options[] = {CHOICE_OPTION("bases", &c.method, bases_choices, "how they are found"),
                            FLAG_OPTION("json", &c.as_json, "print a JSON object"),
                            LIMIT_OPTIONS(&c.limits),
                            {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  loaded_game g;
  if (game_load_sound(&g, given.items[0], LOAD_PROGRAM, &status)) status = run_loaded(&g, &c);
  game_free(&g);
  return status;
}
