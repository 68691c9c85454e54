/* tabia bases: what can be true, and what can be done. */
#include "ground/bases.h"

#include "base/json.h"
#include "cli/command.h"
#include "cli/game_load.h"
#include "cli/limits.h"

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

static const char *term_words(const term_table *t, term_id id, arena *scratch) {
  text out = text_new(scratch);
  term_print(t, id, NOTATION_KIF, NULL, &out);
  return text_string(&out);
}

static void put_as_text(const bases *b, const term_table *t, arena *scratch) {
  uint32_t count;
  const term_id *fluents = bases_atoms(b, SYM_TRUE, scratch, &count);
  for (uint32_t i = 0; i < count; i++)
    printf("(base %s)\n", term_words(t, term_arg(t, fluents[i], 0), scratch));
  const term_id *moves = bases_atoms(b, SYM_DOES, scratch, &count);
  for (uint32_t i = 0; i < count; i++)
    printf("(input %s %s)\n", term_words(t, term_arg(t, moves[i], 0), scratch),
           term_words(t, term_arg(t, moves[i], 1), scratch));
}

static void put_as_json(const bases *b, const term_table *t, arena *scratch) {
  uint32_t count;
  text out = text_new(scratch);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_open_array(&w, "base");
  const term_id *fluents = bases_atoms(b, SYM_TRUE, scratch, &count);
  for (uint32_t i = 0; i < count; i++)
    json_put_string(&w, NULL, term_words(t, term_arg(t, fluents[i], 0), scratch));
  json_close_array(&w);
  json_open_array(&w, "input");
  const term_id *moves = bases_atoms(b, SYM_DOES, scratch, &count);
  for (uint32_t i = 0; i < count; i++) {
    json_open_array(&w, NULL);
    json_put_string(&w, NULL, term_words(t, term_arg(t, moves[i], 0), scratch));
    json_put_string(&w, NULL, term_words(t, term_arg(t, moves[i], 1), scratch));
    json_close_array(&w);
  }
  json_close_array(&w);
  json_close_object(&w);
  puts(text_string(&out));
}

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
  if (done && c->as_json)
    put_as_json(&b, g->program.terms, g->scratch);
  else if (done)
    put_as_text(&b, g->program.terms, g->scratch);
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
