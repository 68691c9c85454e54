/* tabia frame: what ceases, in place of what stays. */
#include "frame/frame_write.h"

#include "cli/command.h"
#include "cli/game_load.h"
#include "cli/limits.h"
#include "cli/output.h"

static const command_help help = {
    .usage = "tabia frame [OPTION] GAME",
    .details =
        "Turns the rules that say what stays into rules that say what ceases: a fluent is true\n"
        "next if a rule other than a frame rule says so, or if it is true and `fnext` does not\n"
        "hold for it.",
    .example = "tabia frame tic-tac-toe",
};

static const char *const cover_choices[] = {"generic", "direct", "pruned", NULL};
static const char *const format_choices[] = {"kif", "prolog", NULL};

typedef struct frame_command {
  uint32_t cover;
  uint32_t format;
  bool explain;
  bool whole;
  bool as_json;
  const char *output;
  double prove_limit;
  limit_options limits;
} frame_command;

static frame_part part_of(const frame_command *c) {
  if (c->as_json) return FRAME_SIZES;
  if (c->explain) return FRAME_STEPS;
  return c->whole ? FRAME_WHOLE : FRAME_CHANGED;
}

static int translate_and_write(loaded_game *g, const frame_command *c, budget *b) {
  const frame_write_options o = {.cover = (frame_cover)c->cover,
                                 .prove_seconds = c->prove_limit,
                                 .part = part_of(c),
                                 .notation = c->format ? NOTATION_PROLOG : NOTATION_KIF};
  text out = text_new(g->scratch);
  if (!frame_write(&g->program, &o, g->keep, b, &g->diags, &out)) return game_report_late(g, b);
  return output_write(c->output, &out) ? EXIT_YES : EXIT_CANNOT_READ;
}

static int run_loaded(loaded_game *g, const frame_command *c) {
  int status;
  budget b;
  if (!limits_begin(&b, &c->limits, &help, &status)) return status;
  progress p = progress_on_stderr(true);
  b.progress = &p;
  budget_watch(&b, g->keep);
  status = translate_and_write(g, c, &b);
  progress_done(&p);
  return status;
}

int cmd_frame(int argc, char **argv) {
  frame_command c = {.cover = COVER_PRUNED, .prove_limit = FRAME_PRUNING_SECONDS};
  const option options[] = {
      CHOICE_OPTION("cover", &c.cover, cover_choices, "which general joint moves are told apart"),
      REAL_OPTION("prove-limit", &c.prove_limit, "SECONDS",
                  "for the proofs of the pruned covering; what is not proved stays in"),
      FLAG_OPTION("explain", &c.explain, "print each step"),
      FLAG_OPTION("whole", &c.whole,
                  "print all rules of the game, so that it can be played as it is then"),
      CHOICE_OPTION("format", &c.format, format_choices, "how rules are written"),
      FLAG_OPTION("json", &c.as_json, "print sizes as JSON"),
      OUTPUT_OPTION(&c.output),
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
