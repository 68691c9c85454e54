/* tabia frame: what ceases, in place of what stays. */
#include "frame/pruning.h"

#include "base/json.h"
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

typedef struct frame_result {
  frame_translation f;
  frame_proof proof; /* of the pruned covering */
} frame_result;

static void write_json(const frame_result *r, text *out) {
  const frame_translation *f = &r->f;
  uint32_t translated = 0;
  for (uint32_t n = 0; n < f->domain.fluents.count; n++) translated += f->is_translated[n];
  json_writer w = json_to(out);
  json_open_object(&w, NULL);
  json_put_string(&w, "cover", frame_cover_name(f->covering.kind));
  json_put_integer(&w, "roles", f->domain.roles.count);
  json_put_integer(&w, "frame_rules", f->rules.count);
  json_put_integer(&w, "fluent_names", f->domain.fluents.count);
  json_put_integer(&w, "translated", translated);
  json_put_integer(&w, "general_joint_moves", f->covering.count);
  json_put_integer(&w, "pruned", f->covering.pruned);
  json_put_integer(&w, "proved_facts", r->proof.fact_count);
  json_put_integer(&w, "fnext_rules", f->ceasing.count);
  json_put_integer(&w, "auxiliary_rules", f->helpers.all.count);
  json_close_object(&w);
  text_add_char(out, '\n');
}

static void write_result(const frame_result *r, const frame_command *c, arena *scratch, text *out) {
  const notation n = c->format ? NOTATION_PROLOG : NOTATION_KIF;
  if (c->as_json) {
    write_json(r, out);
  } else if (c->explain) {
    frame_explain(&r->f, n, out);
    if (c->cover != COVER_PRUNED) return;
    text_add_char(out, '\n');
    frame_proof_print(&r->proof, &r->f, n, out);
  } else if (c->whole) {
    frame_program whole;
    frame_write_program(&r->f, &whole, scratch);
    frame_print_clauses(&whole.program, 0, n, out);
  } else {
    program rules;
    frame_write_rules(&r->f, &rules, scratch);
    frame_print_clauses(&rules, 0, n, out);
  }
}

static bool translate(frame_result *r, loaded_game *g, const frame_command *c, budget *b) {
  frame_pruning pruning = {0};
  r->proof = (frame_proof){0};
  if (!frame_open(&r->f, &g->program, g->keep, b, &g->diags)) return false;
  if (c->cover == COVER_PRUNED) {
    frame_prove(&r->proof, &r->f, SCOPE_GAMES, c->prove_limit, g->keep, b);
    pruning = frame_pruning_by(&r->proof);
  }
  return frame_translate(&r->f, (frame_cover)c->cover, pruning, b, &g->diags);
}

static int translate_and_write(loaded_game *g, const frame_command *c, budget *b) {
  frame_result r;
  int status = EXIT_YES;
  if (translate(&r, g, c, b)) {
    text out = text_new(g->scratch);
    write_result(&r, c, g->scratch, &out);
    if (!output_write(c->output, &out)) status = EXIT_CANNOT_READ;
  } else {
    status = game_report_late(g, b);
  }
  frame_close(&r.f);
  return status;
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
