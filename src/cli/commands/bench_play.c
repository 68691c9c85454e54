/* tabia bench play: every machine on the same games, one after another. */
#include "cli/bench.h"
#include "cli/command.h"
#include "cli/machine_speeds.h"

static void put_game(const char *name, const machine_speed_vec *speeds, bool is_first) {
  printf("%s%s\n", is_first ? "" : "\n", name);
  machine_speeds_put(speeds);
}

static void write_game(json_writer *w, const char *name, const machine_speed_vec *speeds) {
  json_open_object(w, NULL);
  json_put_string(w, "game", name);
  machine_speeds_write(w, "machines", speeds);
  json_close_object(w);
}

int bench_play(const bench_options *o, const command_help *help, char *const *games, int count) {
  budget b;
  int status;
  progress shown = progress_on_stderr(true);
  if (!limits_begin(&b, &o->limits, help, &status)) return status;
  b.progress = &shown;
  arena *keep = arena_new();
  text out = text_new(keep);
  json_writer w = json_to(&out);
  b.deadline = 0; /* the time is for each machine to be ready */
  const speed_options how = {.only = o->machine,
                             .open_seconds = o->limits.time_limit,
                             .open_bytes = b.max_bytes,
                             .play_seconds = o->seconds,
                             .seed = o->seed,
                             .limits = &b};
  status = EXIT_YES;
  if (o->as_json) json_open_array(&w, NULL);
  for (int i = 0; i < count && !*b.interrupted; i++) {
    loaded_game g;
    int own = EXIT_YES;
    if (game_load_sound(&g, games[i], LOAD_PROGRAM, &own)) {
      const machine_speed_vec speeds = machine_speeds(&g.program, &how, keep);
      progress_done(&shown);
      if (o->as_json)
        write_game(&w, games[i], &speeds);
      else
        put_game(games[i], &speeds, i == 0);
      fflush(stdout);
    }
    if (own != EXIT_YES) status = own;
    game_free(&g);
  }
  if (o->as_json) {
    json_close_array(&w);
    puts(text_string(&out));
  }
  if (budget_check_now(&b)) {
    fprintf(stderr, "tabia: stopped: the machines were not all tried to their end\n");
    status = EXIT_LIMIT;
  }
  arena_free(keep);
  return status;
}
