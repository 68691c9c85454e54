/* tabia ground: the rules without variables. */
#include "cli/stage.h"

static const command_help help = {
    .usage = "tabia ground [OPTION] GAME",
    .details =
        "Writes every instance of every rule that the game can need: conditions that do not\n"
        "depend on the state are evaluated, and there are no variables.  The result is again a\n"
        "rulesheet.",
    .example = "tabia ground --stats tic-tac-toe",
};

static const char *const method_choices[] = {"native", "asp", "prolog", NULL};
static const char *const format_choices[] = {"kif", "prolog", "asp", "json", NULL};

enum { METHOD_NATIVE };

typedef struct ground_command {
  uint32_t method;
  uint32_t bases;
  uint32_t encoding;
  uint32_t format;
  bool no_optimise;
  bool only_stats;
  bool as_json;
  bool compare;
  const char *output;
  limit_choice limits;
} ground_command;

static void choose(session *s, const ground_command *c) {
  tabia_options_set(s->options, "method", method_choices[c->method]);
  tabia_options_set(s->options, "bases", bases_words[c->bases]);
  tabia_options_set(s->options, "encoding", translation_words[c->encoding]);
  tabia_options_set(s->options, "optimise", c->no_optimise ? "no" : "yes");
}

/* Sizes go to standard output; with -o the rules are written as well. */
static int ground_once(session *s, const ground_command *c) {
  int status = EXIT_YES;
  choose(s, c);
  if (c->as_json || c->only_stats) {
    tabia_options_set(s->options, "format", c->as_json ? "sizes-json" : "sizes");
    status = stage_write(s, "ground", NULL);
    if (status != EXIT_YES || !c->output) return status;
  }
  tabia_options_set(s->options, "format", format_choices[c->format]);
  return stage_write(s, "ground", c->output);
}

/* Compares the native method with the one that was asked for, or with every other. */
static int compare_methods(session *s, const ground_command *c) {
  for (uint32_t m = METHOD_NATIVE + 1; method_choices[m]; m++) {
    if (c->method != METHOD_NATIVE && c->method != m) continue;
    const tabia_status result =
        tabia_rules_compare_methods(s->rules, method_choices[m], s->limits, s->log);
    if (result != TABIA_OK) return session_show(s, result);
  }
  if (c->method == METHOD_NATIVE)
    puts("native, asp and prolog agree");
  else
    printf("native and %s agree\n", method_choices[c->method]);
  return EXIT_YES;
}

static const char *const of_texts[] = {"format", NULL};

int cmd_ground(int argc, char **argv) {
  ground_command c = {0};
  const option options[] = {
      CHOICE_OPTION("method", &c.method, method_choices, "which grounder"),
      CHOICE_OPTION("bases", &c.bases, bases_words, "how fluents and moves are found"),
      CHOICE_OPTION("encoding", &c.encoding, translation_words, "how frame rules are translated"),
      CHOICE_OPTION("format", &c.format, format_choices, "how rules are written"),
      FLAG_OPTION("no-optimise", &c.no_optimise,
                  "plain instances: no auxiliary relations, no constants through states"),
      FLAG_OPTION("compare", &c.compare,
                  "ground with all methods, or with --method; print the first difference"),
      FLAG_OPTION("stats", &c.only_stats, "print sizes and times instead of rules"),
      FLAG_OPTION("json", &c.as_json, "print sizes and times as JSON"),
      OUTPUT_OPTION(&c.output),
      SESSION_LIMITS(&c.limits),
      {0}};
  arguments given;
  int status;
  session s;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (c.as_json && !options_have_effect(&help, options, &given, of_texts, "with --json", &status))
    return status;
  if (session_begin(&s, &c.limits, &help, &status) && session_read(&s, given.items[0], &status))
    status = c.compare ? compare_methods(&s, &c) : ground_once(&s, &c);
  return session_end(&s, status);
}
