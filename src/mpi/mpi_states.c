/* States by level, as `tabia states` prints them. */
#include "base/budget.h"
#include "base/json.h"
#include "mpi/mpi_job.h"

#include <stdio.h>

static void put_as_text(const tabia_levels *x) {
  printf("depth %26s\n", "states");
  for (uint32_t i = 0; i < tabia_levels_count(x); i++)
    printf("%5u %26s\n", (unsigned)i, tabia_levels_states(x, i));
  printf("total %26s%s\n", tabia_levels_total(x), tabia_levels_are_all(x) ? "" : ", and more");
}

static void put_as_json(const mpi_job *j, const tabia_levels *x, double seconds) {
  arena *keep = arena_new();
  text out = text_new(keep);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", tabia_rules_name(j->rules));
  json_put_string(&w, "method", "walk");
  json_open_array(&w, "levels");
  for (uint32_t i = 0; i < tabia_levels_count(x); i++)
    json_put_string(&w, NULL, tabia_levels_states(x, i));
  json_close_array(&w);
  json_put_string(&w, "total", tabia_levels_total(x));
  json_put_bool(&w, "complete", tabia_levels_are_all(x));
  json_put_number(&w, "seconds", seconds);
  json_close_object(&w);
  puts(text_string(&out));
  arena_free(keep);
}

tabia_status mpi_states(const mpi_job *j, const mpi_command *c, const tabia_exchange *e) {
  const double begin = clock_now();
  const uint32_t depth = c->depth < UINT32_MAX ? (uint32_t)c->depth : UINT32_MAX;
  tabia_levels *x = tabia_levels_new(j->machine);
  if (!x) return TABIA_LIMIT;
  tabia_levels_set_exchange(x, e);
  tabia_levels_set_checkpoint(x, c->checkpoint, c->save_every);
  const tabia_status status = tabia_levels_run(x, depth, j->limits, j->log);
  const bool has_counts = status == TABIA_OK || status == TABIA_LIMIT;
  if (has_counts && e->rank == 0 && c->as_json) put_as_json(j, x, clock_now() - begin);
  if (has_counts && e->rank == 0 && !c->as_json) put_as_text(x);
  tabia_levels_free(x);
  return status;
}
