/* tabia bench play: every machine on the same games, one after another. */
#include "cli/bench.h"
#include "cli/machine_speeds.h"

static void put_game(const char *name, const machine_speed_vec *speeds, bool is_first) {
  printf("%s%s\n", is_first ? "" : "\n", name);
  machine_speeds_put(speeds);
}

/* A line for each game. */
static void put_game_as_json(const session *s, const char *name, const machine_speed_vec *speeds) {
  text out = text_new(s->keep);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", name);
  machine_speeds_write(&w, "machines", speeds);
  json_close_object(&w);
  puts(text_string(&out));
}

static int measure(session *s, const char *game, const speed_options *how, bool is_first,
                   const bench_options *o) {
  int status;
  tabia_rules_free(s->rules);
  if (!session_read(s, game, &status)) return status;
  const machine_speed_vec speeds = machine_speeds(s, how);
  terminal_line_wipe(s->line);
  if (o->as_json)
    put_game_as_json(s, game, &speeds);
  else
    put_game(game, &speeds, is_first);
  fflush(stdout);
  return EXIT_YES;
}

static int measure_all(session *s, const bench_options *o, char *const *games, int count) {
  int status = EXIT_YES;
  const speed_options how = {.only = o->machine,
                             .open_seconds = o->limits.time_limit,
                             .open_bytes = s->bytes,
                             .play_seconds = o->seconds,
                             .seed = o->seed};
  for (int i = 0; i < count && !session_is_interrupted(); i++) {
    const int own = measure(s, games[i], &how, i == 0, o);
    if (own != EXIT_YES) status = own;
  }
  if (!session_is_interrupted()) return status;
  fprintf(stderr, "tabia: stopped: the machines were not all tried to their end\n");
  return EXIT_LIMIT;
}

int bench_play(const bench_options *o, const command_help *help, char *const *games, int count) {
  session s;
  int status;
  if (session_begin(&s, &o->limits, help, &status)) status = measure_all(&s, o, games, count);
  return session_end(&s, status);
}
