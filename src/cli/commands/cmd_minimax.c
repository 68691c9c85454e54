/* tabia minimax: what the game is worth when everybody looks some moves ahead. */
#include "search/minimax.h"

#include "base/json.h"
#include "cli/command.h"
#include "cli/machine_load.h"

static const command_help help = {
    .usage = "tabia minimax -d DEPTH [OPTION] GAME",
    .details =
        "Walks the whole tree of play to DEPTH and tells what it is worth to each role: what the\n"
        "role can make sure of, or, with more than two roles in turn, what it gets when each\n"
        "takes the best for itself.  Where roles choose at once there are bounds.  States at the\n"
        "end of the depth count 50.  Games in which roles do not know the state are declined.",
    .example = "tabia minimax -d 9 tic-tac-toe --alpha-beta",
};

typedef struct minimax_command {
  machine_options machine;
  minimax_options search;
  uint64_t depth;
  bool as_if_seen;
  bool as_json;
} minimax_command;

/* From here on a walk is worth the time that finding the fastest machine takes. */
enum { LONG_DEPTH = 4 };

/* ---- text ---- */

static void put_sense(const running_game *g, const minimax_command *c, const minimax_result *r) {
  static const char *const words[] = {
      [MINIMAX_BEST] = "the most that the role can get",
      [MINIMAX_GUARANTEE] = "what each role can make sure of, whatever the others do",
      [MINIMAX_BOUND] =
          "bounds of what each role can make sure of: roles choose at once, and mixed "
          "strategies are not computed",
      [MINIMAX_MAX_N] = "what each role gets when each takes the best for itself"};
  puts(words[r->sense]);
  if (r->has_chance) puts("these are expectations: `random` draws each of its moves alike");
  if (has_imperfect_information(g->program, g->m))
    puts("as if every role knew the state, which in this game it does not");
  if (!r->reaches_end)
    printf("some games go on beyond depth %u; a state there counts %g\n", c->search.depth,
           HORIZON_VALUE);
}

static void put_values(const running_game *g, const minimax_result *r) {
  for (uint32_t i = 0; i < g->m->role_count; i++) {
    if (i == machine_nature(g->m)) continue;
    printf("%s: %s%g", g->m->roles[i], r->sense == MINIMAX_BOUND && !r->most ? "at least " : "",
           r->values[i]);
    if (r->most && r->most[i] > r->values[i]) printf(" to %g", r->most[i]);
    putchar('\n');
  }
}

/* A search that was stopped has counted, but its values mean nothing. */
static void put_as_text(const running_game *g, const minimax_command *c, const minimax_result *r,
                        bool done) {
  puts("depth           nodes");
  for (uint32_t d = 0; d <= c->search.depth; d++)
    printf("%5u %15llu\n", d, (unsigned long long)r->nodes[d]);
  printf("total %15llu%s\n", (unsigned long long)r->total,
         c->search.alpha_beta && minimax_choosers(g->m) > 1 ? ", in a search for each role" : "");
  if (done) put_values(g, r);
  if (done) put_sense(g, c, r);
  if (!c->machine.machine) printf("on the machine %s\n", g->m->ops->name);
}

/* ---- JSON ---- */

static void write_values(json_writer *w, const char *name, const machine *m, const double *values) {
  if (!values) {
    json_put_null(w, name);
    return;
  }
  json_open_object(w, name);
  for (uint32_t i = 0; i < m->role_count; i++)
    if (i != machine_nature(m)) json_put_number(w, m->roles[i], values[i]);
  json_close_object(w);
}

static void put_as_json(const running_game *g, const minimax_command *c, const minimax_result *r,
                        bool done, double seconds, double cpu_seconds) {
  text out = text_new(g->game.scratch);
  json_writer w = json_to(&out);
  const bool is_imperfect = has_imperfect_information(g->program, g->m);
  json_open_object(&w, NULL);
  json_put_string(&w, "machine", g->m->ops->name);
  json_put_string(&w, "encoding", frame_encoding_name(g->encoding));
  json_put_integer(&w, "depth", c->search.depth);
  json_open_array(&w, "nodes");
  for (uint32_t d = 0; d <= c->search.depth; d++) json_put_integer(&w, NULL, (int64_t)r->nodes[d]);
  json_close_array(&w);
  json_put_integer(&w, "total", (int64_t)r->total);
  write_values(&w, "value", g->m, done ? r->values : NULL);
  write_values(&w, "most", g->m, done ? r->most : NULL);
  json_put_string(&w, "sense", done ? minimax_sense_name(r->sense) : NULL);
  json_put_bool(&w, "expected", done && r->has_chance);
  json_put_bool(&w, "imperfect_information", is_imperfect);
  json_put_bool(&w, "exact", done && minimax_is_exact(r) && !is_imperfect);
  json_put_integer(&w, "faults", (int64_t)r->faults);
  json_put_number(&w, "seconds", seconds);
  json_put_number(&w, "cpu_seconds", cpu_seconds);
  json_close_object(&w);
  puts(text_string(&out));
}

/* ---- the command ---- */

static const char imperfect_words[] =
    "the game has `sees` rules (GDL-II): roles know only what they see, and values of a search "
    "that knows the state mean nothing; --perfect-information computes them all the same";

static int decline(const running_game *g, const minimax_command *c) {
  text out = text_new(g->game.scratch);
  json_writer w = json_to(&out);
  if (!c->as_json) {
    fprintf(stderr, "tabia: %s\n", imperfect_words);
    return EXIT_NO;
  }
  json_open_object(&w, NULL);
  json_put_null(&w, "value");
  json_put_null(&w, "sense");
  json_put_bool(&w, "imperfect_information", true);
  json_put_bool(&w, "exact", false);
  json_put_string(&w, "reason", imperfect_words);
  json_close_object(&w);
  puts(text_string(&out));
  return EXIT_NO;
}

static int search_game(running_game *g, minimax_command *c) {
  progress p = progress_on_stderr(true);
  const double begin = clock_now(), cpu_begin = clock_process();
  minimax_result r;
  c->search.depth = (uint32_t)c->depth;
  c->search.progress = &p;
  if (has_imperfect_information(g->program, g->m) && !c->as_if_seen) return decline(g, c);
  if (c->search.alpha_beta && minimax_choosers(g->m) > 2)
    return usage_error(&help, "--alpha-beta is for one or two roles");
  const bool done = minimax(&r, g->m, g->w, &c->search, g->game.scratch);
  progress_done(&p);
  if (c->as_json)
    put_as_json(g, c, &r, done, clock_now() - begin, clock_process() - cpu_begin);
  else
    put_as_text(g, c, &r, done);
  const int fault = game_show_fault(g, &r.fault, NULL);
  return done ? fault : game_trouble(g, g->w);
}

int cmd_minimax(int argc, char **argv) {
  minimax_command c = {.depth = UINT64_MAX};
  const option options[] = {
      NUMBER_OPTION("depth", &c.depth, "DEPTH", "how many joint moves", .letter = 'd',
                    .most = MINIMAX_DEPTH_MAX),
      FLAG_OPTION("alpha-beta", &c.search.alpha_beta,
                  "leave out what cannot change a value; for one or two roles"),
      FLAG_OPTION("perfect-information", &c.as_if_seen,
                  "GDL-II: search as if every role knew the state"),
      FLAG_OPTION("ignore-terminal", &c.search.ignore_terminal, "play on in terminal states"),
      FLAG_OPTION("json", &c.as_json, "print a JSON object"),
      MACHINE_OPTIONS(&c.machine),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (c.depth == UINT64_MAX) return usage_error(&help, "minimax needs a depth: -d DEPTH");
  c.machine.for_long = c.depth >= LONG_DEPTH;
  c.machine.depth = (uint32_t)c.depth;
  running_game g;
  if (c.search.ignore_terminal) c.machine.scope = SCOPE_PLAY_ON;
  if (game_run(&g, given.items[0], &c.machine, &help, &status)) status = search_game(&g, &c);
  game_stop(&g);
  return status;
}
