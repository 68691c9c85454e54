/* tabia perft: how many ways there are to play. */
#include "base/budget.h"
#include "base/json.h"
#include "cli/session.h"

static const command_help help = {
    .usage = "tabia perft -d DEPTH [OPTION] GAME",
    .details =
        "Counts the sequences of joint moves from the start, for each length up to DEPTH.  Equal\n"
        "states of one depth are expanded once; terminal states are not expanded.",
    .example = "tabia perft -d 3 connect-four",
};

typedef struct perft_command {
  machine_choice machine;
  limit_choice limits;
  start_choice start;
  uint64_t threads;
  bool divide;
  bool unique;
  bool as_json;
} perft_command;

/* ---- for people ---- */

static void put_parts(const session *s, const tabia_perft *p) {
  for (uint32_t i = 0; i < tabia_perft_part_count(p); i++)
    printf("%s: %llu\n", joint_text(s->machine, tabia_perft_part_joint(p, i), s->keep),
           (unsigned long long)tabia_perft_part_nodes(p, i));
}

static void put_as_text(const session *s, const perft_command *c, const tabia_perft *p) {
  put_parts(s, p);
  puts(c->unique ? "depth           nodes          unique" : "depth           nodes");
  for (uint32_t d = 0; d <= tabia_perft_depth(p); d++) {
    printf("%5u %15llu", d, (unsigned long long)tabia_perft_nodes(p, d));
    if (c->unique) printf(" %15llu", (unsigned long long)tabia_perft_unique(p, d));
    putchar('\n');
  }
  printf("total %15llu\n", (unsigned long long)tabia_perft_total(p));
}

/* ---- for programs ---- */

static void write_counts(json_writer *w, const char *key, const tabia_perft *p,
                         uint64_t (*count)(const tabia_perft *p, uint32_t depth)) {
  json_open_array(w, key);
  for (uint32_t d = 0; d <= tabia_perft_depth(p); d++)
    json_put_integer(w, NULL, (int64_t)count(p, d));
  json_close_array(w);
}

static void write_parts(json_writer *w, const session *s, const tabia_perft *p) {
  json_open_array(w, "divide");
  for (uint32_t i = 0; i < tabia_perft_part_count(p); i++) {
    json_open_object(w, NULL);
    session_write_joint(w, "joint_move", s, tabia_perft_part_joint(p, i));
    json_put_integer(w, "leaves", (int64_t)tabia_perft_part_nodes(p, i));
    json_close_object(w);
  }
  json_close_array(w);
}

static void put_as_json(const session *s, const perft_command *c, const tabia_perft *p,
                        double seconds) {
  text out = text_new(s->keep);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", tabia_rules_name(s->rules));
  json_put_string(&w, "machine", tabia_machine_kind(s->machine));
  json_put_string(&w, "encoding", tabia_machine_encoding(s->machine));
  json_put_integer(&w, "depth", tabia_perft_depth(p));
  write_counts(&w, "nodes", p, tabia_perft_nodes);
  if (c->unique) write_counts(&w, "unique", p, tabia_perft_unique);
  if (c->divide) write_parts(&w, s, p);
  json_put_integer(&w, "total", (int64_t)tabia_perft_total(p));
  json_put_integer(&w, "stuck", (int64_t)tabia_perft_stuck(p));
  json_put_number(&w, "seconds", seconds);
  json_close_object(&w);
  puts(text_string(&out));
}

/* ---- the command ---- */

static int count_ways(session *s, const perft_command *c) {
  const double begin = clock_now();
  tabia_perft *p = tabia_perft_new(s->machine);
  tabia_perft_set_threads(p, (uint32_t)c->threads);
  tabia_perft_set_divide(p, c->divide);
  tabia_perft_set_ignore_terminal(p, c->machine.ignore_terminal);
  const tabia_status result = tabia_perft_run(p, (uint32_t)c->machine.depth, s->limits, s->log);
  if (c->as_json)
    put_as_json(s, c, p, clock_now() - begin);
  else
    put_as_text(s, c, p);
  tabia_perft_free(p);
  return session_show(s, result);
}

int cmd_perft(int argc, char **argv) {
  perft_command c = {.machine = {.purpose = "steps", .depth = UINT64_MAX}, .threads = 1};
  const option options[] = {
      NUMBER_OPTION("depth", &c.machine.depth, "DEPTH", "number of joint moves", .letter = 'd',
                    .most = 100000),
      FLAG_OPTION("ignore-terminal", &c.machine.ignore_terminal, "play on in terminal states"),
      FLAG_OPTION("divide", &c.divide, "also count below each first joint move"),
      FLAG_OPTION("unique", &c.unique, "also count the distinct states of each depth"),
      NUMBER_OPTION("threads", &c.threads, "N", "threads to count on (1)", .least = 1,
                    .most = 1024),
      FLAG_OPTION("json", &c.as_json, "print a JSON object"),
      SESSION_START(&c.start),
      SESSION_MACHINE(&c.machine),
      SESSION_LIMITS(&c.limits),
      {0}};
  arguments given;
  int status;
  session s;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (c.machine.depth == UINT64_MAX) return usage_error(&help, "perft needs a depth: -d DEPTH");
  if (session_begin(&s, &c.limits, &help, &status) &&
      session_read_from(&s, given.items[0], &c.start, &status) &&
      session_open(&s, &c.machine, &status))
    status = count_ways(&s, &c);
  return session_end(&s, status);
}
