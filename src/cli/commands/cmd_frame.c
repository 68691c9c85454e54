/* tabia frame: what ceases, in place of what stays. */
#include "cli/stage.h"

static const command_help help = {
    .usage = "tabia frame [OPTION] GAME",
    .details =
        "Turns the rules for what stays true into rules for what ceases to be true: a fluent is\n"
        "true next if a rule other than a frame rule says so, or if it is true and `fnext` does\n"
        "not hold for it.",
    .example = "tabia frame tic-tac-toe",
};

static const char *const cover_choices[] = {"generic", "direct", "pruned", NULL};
static const char *const format_choices[] = {"kif", "prolog", NULL};

enum { COVER_PRUNED = 2 };

typedef struct frame_command {
  uint32_t cover;
  uint32_t format;
  bool explain;
  bool whole;
  bool as_json;
  const char *output;
  const char *prove_limit;
  limit_choice limits;
} frame_command;

static const char *part_of(const frame_command *c) {
  if (c->as_json) return "sizes";
  if (c->explain) return "steps";
  return c->whole ? "whole" : "changed";
}

static int write_frame(session *s, const frame_command *c) {
  tabia_options_set(s->options, "cover", cover_choices[c->cover]);
  tabia_options_set(s->options, "part", part_of(c));
  tabia_options_set(s->options, "notation", format_choices[c->format]);
  tabia_options_set(s->options, "prove-limit", c->prove_limit);
  return stage_write(s, "frame", c->output);
}

int cmd_frame(int argc, char **argv) {
  frame_command c = {.cover = COVER_PRUNED};
  const option options[] = {
      CHOICE_OPTION("cover", &c.cover, cover_choices,
                    "which general joint moves are distinguished"),
      STRING_OPTION("prove-limit", &c.prove_limit, "SECONDS",
                    "limit for proofs of the pruned covering; unproved moves stay (10)"),
      FLAG_OPTION("explain", &c.explain, "print each step"),
      FLAG_OPTION("whole", &c.whole,
                  "print all rules of the translated game, a rulesheet like any other"),
      CHOICE_OPTION("format", &c.format, format_choices, "how rules are written"),
      FLAG_OPTION("json", &c.as_json, "print sizes as JSON"),
      OUTPUT_OPTION(&c.output),
      SESSION_LIMITS(&c.limits),
      {0}};
  arguments given;
  int status;
  session s;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (session_begin(&s, &c.limits, &help, &status) && session_read(&s, given.items[0], &status))
    status = write_frame(&s, &c);
  return session_end(&s, status);
}
