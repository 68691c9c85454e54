/* tabia circuit: the ground rules as gates. */
#include "circuit/circuit_sizes.h"

#include "cli/command.h"
#include "cli/game_load.h"
#include "cli/limits.h"
#include "cli/output.h"

static const command_help help = {
    .usage = "tabia circuit [OPTION] GAME",
    .details =
        "Makes gates of the ground rules, and tells how many there are after each pass or writes\n"
        "them.",
    .example = "tabia circuit tic-tac-toe",
};

static const char *const format_choices[] = {"counts", "text", "dot", "json", NULL};

enum { FORMAT_COUNTS, FORMAT_TEXT, FORMAT_DOT, FORMAT_JSON };

typedef struct circuit_command {
  uint32_t format;
  const char *output;
  bool as_json;
  limit_options limits;
} circuit_command;

static int write_circuit(const circuit_command *c, const circuit *built, const ground_stats *s,
                         arena *scratch) {
  text out = text_new(scratch);
  if (c->as_json)
    circuit_sizes_write_json(built, s, &out);
  else if (c->format == FORMAT_COUNTS)
    circuit_sizes_print(built, s, &out);
  else if (c->format == FORMAT_JSON)
    circuit_write_json(built, &out);
  else
    circuit_print(built, c->format == FORMAT_DOT ? CIRCUIT_DOT : CIRCUIT_TEXT, &out);
  return output_write(c->output, &out) ? EXIT_YES : EXIT_CANNOT_READ;
}

static int build(loaded_game *g, const circuit_command *c, budget *b) {
  progress p = progress_on_stderr(true);
  ground_program ground;
  ground_stats stats;
  circuit built;
  b->progress = &p;
  budget_watch(b, g->keep);
  const ground_options how = {.optimise = true};
  const bool ok = ground_rules(&ground, &g->program, how, g->keep, b, &g->diags, &stats) &&
                  circuit_build(&built, &ground, g->keep, b, &g->diags);
  progress_done(&p);
  return ok ? write_circuit(c, &built, &stats, g->scratch) : game_report_late(g, b);
}

int cmd_circuit(int argc, char **argv) {
  circuit_command c = {0};
  const option options[] = {
      CHOICE_OPTION("format", &c.format, format_choices, "sizes after each pass, or the gates"),
      OUTPUT_OPTION(&c.output),
      FLAG_OPTION("json", &c.as_json, "the sizes after each pass as one JSON object"),
      LIMIT_OPTIONS(&c.limits),
      {0}};
  arguments given;
  int status;
  budget b;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (c.as_json && c.format != FORMAT_COUNTS)
    return usage_error(&help, "--json tells the sizes; --format json alone writes the gates");
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (!limits_begin(&b, &c.limits, &help, &status)) return status;
  loaded_game g;
  if (game_load_sound(&g, given.items[0], LOAD_PROGRAM, &status)) status = build(&g, &c, &b);
  game_free(&g);
  return status;
}
