#include "cli/levels_show.h"

#include "base/json.h"

#include <stdio.h>

void levels_put_text(const tabia_levels *x) {
  printf("depth %26s\n", "states");
  for (uint32_t i = 0; i < tabia_levels_count(x); i++)
    printf("%5u %26s\n", (unsigned)i, tabia_levels_states(x, i));
  printf("total %26s%s\n", tabia_levels_total(x), tabia_levels_are_all(x) ? "" : ", and more");
}

void levels_put_json(const tabia_levels *x, const char *game, const char *method, double seconds) {
  arena *keep = arena_new();
  text out = text_new(keep);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", game);
  json_put_string(&w, "method", method);
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
