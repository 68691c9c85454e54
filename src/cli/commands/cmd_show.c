/* tabia show: the text of each stage. */
#include "cli/stage.h"

#include <string.h>

static const command_help help = {
    .usage = "tabia show [OPTION] STAGE GAME",
    .details = "Prints GAME after a stage:\n"
               "  terms     names and lists as they were read\n"
               "  rules     rules with numbered variables, to compare rulesheets by\n"
               "  clauses   rules without `or`, `and` and equality\n"
               "  deps      which relation depends on which, and the order of evaluation\n"
               "  mini, strata, normal, labels, inverted, c\n"
               "            the stages of `tabia compile`\n"
               "  ptx       random games as assembly text for NVIDIA cards (--machine gpu)",
    .example = "tabia show deps --format dot tic-tac-toe | dot -Tsvg > deps.svg",
};

static const char *const formats[] = {"text", "dot", "json", NULL};
static const char *const notations[] = {"kif", "prolog", NULL};

typedef struct show_options {
  uint32_t format;
  uint32_t notation;
  limit_choice limits;
} show_options;

/* Stages by the name that the command has for them, and what can be chosen there. */
static const struct show_stage {
  const char *name, *stage;
  bool has_formats, has_notations;
} stages[] = {
    {"terms", "terms", false, false},       {"rules", "rules", false, true},
    {"clauses", "clauses", false, true},    {"deps", "deps", true, false},
    {"mini", "clauses", false, true},       {"strata", "strata", false, false},
    {"normal", "normal", false, false},     {"labels", "labels", false, false},
    {"inverted", "inverted", false, false}, {"c", "c", false, false},
    {"ptx", "ptx", false, false},
};

void show_stages_list(void) {
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) puts(stages[i].name);
}

static const struct show_stage *find_stage(const char *name) {
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
    if (strcmp(stages[i].name, name) == 0) return &stages[i];
  return NULL;
}

/* What was read is shown even when it has faults; the status tells. */
static int show_game(const struct show_stage *stage, const char *game, const show_options *o) {
  session s;
  int status;
  if (session_begin(&s, &o->limits, &help, &status) && session_read_any(&s, game, &status)) {
    if (stage->has_formats) tabia_options_set(s.options, "format", formats[o->format]);
    if (stage->has_notations) tabia_options_set(s.options, "notation", notations[o->notation]);
    status = stage_write(&s, stage->stage, NULL);
  }
  return session_end(&s, status);
}

static const char *const of_rules[] = {"notation", NULL};

int cmd_show(int argc, char **argv) {
  show_options o = {0};
  const option options[] = {CHOICE_OPTION("format", &o.format, formats,
                                          "of deps: text, for Graphviz, or JSON", .letter = 'f'),
                            CHOICE_OPTION("notation", &o.notation, notations,
                                          "of rules and clauses; kif by default", .letter = 'n'),
                            SESSION_LIMITS(&o.limits),
                            {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 2, 2, &status)) return status;
  const struct show_stage *s = find_stage(given.items[0]);
  if (!s) return usage_error(&help, "there is no stage `%s`", given.items[0]);
  if (o.format && !s->has_formats) return usage_error(&help, "%s has one format only", s->name);
  if (!s->has_notations &&
      !options_have_effect(&help, options, &given, of_rules, "on this stage", &status))
    return status;
  return show_game(s, given.items[1], &o);
}
