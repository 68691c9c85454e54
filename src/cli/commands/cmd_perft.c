/* tabia perft: how many ways there are to play. */
#include "search/perft.h"

#include "base/json.h"
#include "cli/command.h"
#include "cli/machine_load.h"
#include "machine/state_view.h"

static const command_help help = {
    .usage = "tabia perft -d DEPTH [OPTION] GAME",
    .details =
        "Counts the sequences of joint moves from the start, for each length up to DEPTH.  Equal\n"
        "states of one depth are expanded once; terminal states are not expanded.",
    .example = "tabia perft -d 3 connect-four",
};

typedef struct perft_command {
  machine_options machine;
  perft_options walk;
  uint64_t depth;
  uint64_t threads;
  bool unique;
  bool as_json;
} perft_command;

/* ---- for people ---- */

static const char *joint_words(const machine *m, const move_id *joint, arena *keep) {
  text out = text_new(keep);
  for (uint32_t i = 0; i < m->role_count; i++)
    text_add_format(&out, "%s%s", i ? " " : "", move_words(m, i, joint[i], keep));
  return text_string(&out);
}

static void put_parts(const running_game *g, const perft_result *r) {
  for (uint32_t i = 0; i < r->parts.count; i++)
    printf("%s: %llu\n", joint_words(g->m, r->parts.items[i].joint, g->game.scratch),
           (unsigned long long)r->parts.items[i].nodes);
}

static void put_as_text(const running_game *g, const perft_command *c, const perft_result *r) {
  put_parts(g, r);
  puts(c->unique ? "depth           nodes          unique" : "depth           nodes");
  for (uint32_t d = 0; d <= r->depth_done; d++) {
    printf("%5u %15llu", d, (unsigned long long)r->nodes[d]);
    if (c->unique) printf(" %15llu", (unsigned long long)r->unique[d]);
    putchar('\n');
  }
  printf("total %15llu\n", (unsigned long long)r->total);
}

/* ---- for programs ---- */

static void write_counts(json_writer *w, const char *key, const uint64_t *counts, uint32_t depth) {
  json_open_array(w, key);
  for (uint32_t d = 0; d <= depth; d++) json_put_integer(w, NULL, (int64_t)counts[d]);
  json_close_array(w);
}

static void write_parts(json_writer *w, const running_game *g, const perft_result *r) {
  json_open_object(w, "divide");
  for (uint32_t i = 0; i < r->parts.count; i++)
    json_put_integer(w, joint_words(g->m, r->parts.items[i].joint, g->game.scratch),
                     (int64_t)r->parts.items[i].nodes);
  json_close_object(w);
}

static void put_as_json(const running_game *g, const perft_command *c, const perft_result *r,
                        double seconds) {
  text out = text_new(g->game.scratch);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_string(&w, "machine", g->m->ops->name);
  json_put_string(&w, "encoding", frame_encoding_name(g->encoding));
  json_put_integer(&w, "depth", r->depth_done);
  write_counts(&w, "nodes", r->nodes, r->depth_done);
  if (c->unique) write_counts(&w, "unique", r->unique, r->depth_done);
  if (c->walk.divide) write_parts(&w, g, r);
  json_put_integer(&w, "total", (int64_t)r->total);
  json_put_integer(&w, "stuck", (int64_t)r->stuck);
  json_put_number(&w, "seconds", seconds);
  json_close_object(&w);
  puts(text_string(&out));
}

/* ---- the command ---- */

static int count_ways(running_game *g, perft_command *c) {
  progress p = progress_on_stderr(true);
  const double begin = clock_now();
  perft_result r;
  c->walk.depth = (uint32_t)c->depth;
  c->walk.threads = (uint32_t)c->threads;
  c->walk.progress = &p;
  const bool done = perft(&r, g->m, g->w, &c->walk, g->game.scratch);
  progress_done(&p);
  if (c->as_json)
    put_as_json(g, c, &r, clock_now() - begin);
  else
    put_as_text(g, c, &r);
  const int fault = game_show_fault(g, &r.fault, NULL);
  return done ? fault : game_trouble(g, g->w);
}

int cmd_perft(int argc, char **argv) {
  perft_command c = {.machine = {.bulk = BULK_STEPS}, .depth = UINT64_MAX, .threads = 1};
  const option options[] = {
      NUMBER_OPTION("depth", &c.depth, "DEPTH", "how many joint moves", .letter = 'd',
                    .most = 100000),
      FLAG_OPTION("ignore-terminal", &c.walk.ignore_terminal, "play on in terminal states"),
      FLAG_OPTION("divide", &c.walk.divide, "also count behind each first joint move"),
      FLAG_OPTION("unique", &c.unique, "also count the distinct states of each depth"),
      NUMBER_OPTION("threads", &c.threads, "N", "threads to count on (1)", .least = 1,
                    .most = 1024),
      FLAG_OPTION("json", &c.as_json, "print a JSON object"),
      MACHINE_OPTIONS(&c.machine),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (c.depth == UINT64_MAX) return usage_error(&help, "perft needs a depth: -d DEPTH");
  c.machine.depth = (uint32_t)c.depth;
  running_game g;
  if (c.walk.ignore_terminal) c.machine.scope = SCOPE_PLAY_ON;
  if (game_run(&g, given.items[0], &c.machine, &help, &status)) status = count_ways(&g, &c);
  game_stop(&g);
  return status;
}
