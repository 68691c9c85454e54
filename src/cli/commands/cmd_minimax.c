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
        "takes the best for itself.  States at the end of the depth count 50.",
    .example = "tabia minimax -d 9 tic-tac-toe --alpha-beta",
};

typedef struct minimax_command {
  machine_options machine;
  minimax_options search;
  uint64_t depth;
  bool as_json;
} minimax_command;

/* From here on a walk is worth the time that finding the fastest machine takes. */
enum { LONG_DEPTH = 4 };

/* A search that was stopped has counted, but its values mean nothing. */
static void put_as_text(const running_game *g, const minimax_command *c, const minimax_result *r,
                        bool done) {
  puts("depth           nodes");
  for (uint32_t d = 0; d <= c->search.depth; d++)
    printf("%5u %15llu\n", d, (unsigned long long)r->nodes[d]);
  printf("total %15llu\n", (unsigned long long)r->total);
  for (uint32_t i = 0; i < g->m->role_count && done; i++)
    printf("%s: %g\n", g->m->roles[i], r->values[i]);
  if (done && !r->is_exact) puts("some games go on behind the depth");
  if (!c->machine.machine) printf("on the machine %s\n", g->m->ops->name);
}

static void write_values(json_writer *w, const machine *m, const minimax_result *r) {
  json_open_object(w, "value");
  for (uint32_t i = 0; i < m->role_count; i++) json_put_number(w, m->roles[i], r->values[i]);
  json_close_object(w);
}

static void put_as_json(const running_game *g, const minimax_command *c, const minimax_result *r,
                        bool done, double seconds, double cpu_seconds) {
  text out = text_new(g->game.scratch);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_string(&w, "machine", g->m->ops->name);
  json_put_string(&w, "encoding", frame_encoding_name(g->encoding));
  json_put_integer(&w, "depth", c->search.depth);
  json_open_array(&w, "nodes");
  for (uint32_t d = 0; d <= c->search.depth; d++) json_put_integer(&w, NULL, (int64_t)r->nodes[d]);
  json_close_array(&w);
  json_put_integer(&w, "total", (int64_t)r->total);
  if (done)
    write_values(&w, g->m, r);
  else
    json_put_null(&w, "value");
  json_put_bool(&w, "exact", done && r->is_exact);
  json_put_integer(&w, "faults", (int64_t)r->faults);
  json_put_number(&w, "seconds", seconds);
  json_put_number(&w, "cpu_seconds", cpu_seconds);
  json_close_object(&w);
  puts(text_string(&out));
}

static int search_game(running_game *g, minimax_command *c) {
  progress p = progress_on_stderr(true);
  const double begin = clock_now(), cpu_begin = clock_process();
  minimax_result r;
  c->search.depth = (uint32_t)c->depth;
  c->search.progress = &p;
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
