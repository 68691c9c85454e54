/* tabia ground: the rules without variables. */
#include "ground/ground.h"

#include "cli/command.h"
#include "cli/game_load.h"
#include "cli/limits.h"
#include "cli/output.h"
#include "frame/encoding.h"
#include "ground/ground_stats.h"
#include "ground/others/ground_compare.h"

static const command_help help = {
    .usage = "tabia ground [OPTION] GAME",
    .details = "Writes every instance of every rule that the game can need: static conditions are\n"
               "evaluated, variables are gone.  The result is again a rulesheet.",
    .example = "tabia ground --stats tic-tac-toe",
};

static const char *const method_choices[] = {"native", "asp", "prolog", NULL};
static const char *const bases_choices[] = {"onestep", "declared", "iterative", NULL};
static const char *const format_choices[] = {"kif", "prolog", "asp", "json", NULL};

enum { FORMAT_JSON = 3 };

typedef struct ground_command {
  uint32_t method;
  uint32_t bases;
  const char *encoding_name; /* NULL: original */
  frame_encoding encoding;
  uint32_t format;
  bool no_optimise;
  bool only_stats;
  bool as_json;
  bool compare;
  const char *output;
  limit_options limits;
} ground_command;

/* ---- the command ---- */

static ground_options options_of(const ground_command *c, ground_method method) {
  return (ground_options){
      .method = method, .bases = (bases_method)c->bases, .optimise = !c->no_optimise};
}

static void put_sizes(const ground_command *c, const ground_stats *s, const encoded_program *e,
                      arena *keep) {
  const ground_origin from = {.method = (ground_method)c->method,
                              .bases = (bases_method)c->bases,
                              .encoding = frame_encoding_name(e->used),
                              .encode_seconds = e->seconds};
  text out = text_new(keep);
  if (c->as_json)
    ground_stats_write_json(s, &from, &out);
  else
    ground_stats_print(s, &from, &out);
  fwrite(out.bytes, 1, out.length, stdout);
}

static int write_rules(const ground_command *c, const ground_program *ground) {
  output o;
  output_begin(&o, c->output);
  if (c->format == FORMAT_JSON)
    ground_write_json(ground, output_sink(&o));
  else
    ground_print(ground, (ground_format)c->format, output_sink(&o));
  return output_end(&o) ? EXIT_YES : EXIT_CANNOT_READ;
}

static int ground_once(loaded_game *g, const ground_command *c, budget *b) {
  ground_program ground;
  ground_stats stats;
  encoded_program e;
  const ground_options o = options_of(c, (ground_method)c->method);
  game_forget_warnings(g);
  frame_encode(&e, &g->program, c->encoding, SCOPE_GAMES, g->keep, b);
  const bool done = ground_rules(&ground, e.program, o, g->keep, b, &g->diags, &stats);
  progress_done(b->progress);
  if (!done || g->diags.warnings) {
    const int status = game_report_late_warnings(g, b);
    if (!done) return status;
  }
  if (c->as_json || c->only_stats) put_sizes(c, &stats, &e, g->keep);
  if ((c->as_json || c->only_stats) && !c->output) return EXIT_YES;
  return write_rules(c, &ground);
}

static bool is_compared(const ground_command *c, uint32_t method) {
  return c->method == METHOD_NATIVE || method == METHOD_NATIVE || method == c->method;
}

/* Grounds natively and with the method that was asked for, or with every method, without
   optimisation, and compares. */
static int compare_methods(loaded_game *g, const ground_command *c, budget *b) {
  ground_program results[3];
  for (uint32_t m = METHOD_NATIVE; m <= METHOD_PROLOG; m++) {
    if (!is_compared(c, m)) continue;
    ground_options o = options_of(c, (ground_method)m);
    o.optimise = false;
    ground_stats stats;
    if (!ground_rules(&results[m], &g->program, o, g->keep, b, &g->diags, &stats)) break;
    progress_done(b->progress);
    fprintf(stderr, "%-7s %llu rules, %.3f s\n", method_choices[m], (unsigned long long)stats.rules,
            stats.seconds_total);
    const ground_side native = {"native", &results[METHOD_NATIVE]};
    const ground_side other = {method_choices[m], &results[m]};
    if (m != METHOD_NATIVE && !ground_compare(&g->program, native, other, &g->diags)) break;
  }
  progress_done(b->progress);
  if (g->diags.errors || b->end != BUDGET_LEFT) return game_report_late(g, b);
  if (c->method == METHOD_NATIVE)
    puts("native, asp and prolog agree");
  else
    printf("native and %s agree\n", method_choices[c->method]);
  return EXIT_YES;
}

static int run_loaded(loaded_game *g, const ground_command *c) {
  int status;
  budget b;
  if (!limits_begin(&b, &c->limits, &help, &status)) return status;
  progress p = progress_on_stderr(true);
  b.progress = &p;
  budget_watch(&b, g->keep);
  return c->compare ? compare_methods(g, c, &b) : ground_once(g, c, &b);
}

int cmd_ground(int argc, char **argv) {
  ground_command c = {0};
  const option options[] = {
      CHOICE_OPTION("method", &c.method, method_choices, "who grounds"),
      CHOICE_OPTION("bases", &c.bases, bases_choices, "how fluents and moves are found"),
      STRING_OPTION("encoding", &c.encoding_name, "NAME",
                    "of frame rules: original, direct or pruned"),
      CHOICE_OPTION("format", &c.format, format_choices, "how rules are written"),
      FLAG_OPTION("no-optimise", &c.no_optimise,
                  "plain instances: no auxiliary relations, no constants through states"),
      FLAG_OPTION("compare", &c.compare,
                  "ground with all methods, or with --method; tell the first difference"),
      FLAG_OPTION("stats", &c.only_stats, "print sizes and times instead of rules"),
      FLAG_OPTION("json", &c.as_json, "print sizes and times as JSON"),
      OUTPUT_OPTION(&c.output),
      LIMIT_OPTIONS(&c.limits),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (c.encoding_name && !frame_encoding_find(c.encoding_name, &c.encoding))
    return usage_error(&help, "--encoding cannot be `%s`", c.encoding_name);
  loaded_game g;
  if (game_load_sound(&g, given.items[0], LOAD_PROGRAM, &status)) status = run_loaded(&g, &c);
  game_free(&g);
  return status;
}
