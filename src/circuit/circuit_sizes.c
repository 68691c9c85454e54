#include "circuit/circuit_sizes.h"

#include "base/json.h"

void circuit_sizes_print(const circuit *c, const ground_stats *s, text *out) {
  text_add_format(out, "ground rules     %llu, literals %llu, in %.4f s\n",
                  (unsigned long long)s->rules, (unsigned long long)s->literals, s->seconds_total);
  text_add_format(out, "%-16s %9s %10s %9s %8s %9s\n", "pass", "gates", "inputs", "move sets",
                  "latches", "seconds");
  for (uint32_t i = 0; i < c->pass_count; i++) {
    const circuit_count *n = &c->counts[i];
    text_add_format(out, "%-16s %9u %10llu %9u %8u %9.4f\n", n->pass, n->gates,
                    (unsigned long long)n->inputs, n->sets, n->latches, n->seconds);
  }
  if (c->components.count)
    text_add_format(out, "recursive parts  %u, with %u places\n", c->components.count,
                    c->places.count);
}

void circuit_sizes_write_json(const circuit *c, const ground_stats *s, const char *game,
                              text *out) {
  json_writer w = json_to(out);
  double seconds = 0;
  for (uint32_t i = 0; i < c->pass_count; i++) seconds += c->counts[i].seconds;
  json_open_object(&w, NULL);
  json_put_string(&w, "game", game);
  json_open_object(&w, "ground");
  json_put_integer(&w, "rules", (int64_t)s->rules);
  json_put_integer(&w, "literals", (int64_t)s->literals);
  json_put_number(&w, "seconds", s->seconds_total);
  json_close_object(&w);
  circuit_put_passes(c, &w);
  json_put_number(&w, "seconds", seconds);
  json_put_integer(&w, "recursive_parts", c->components.count);
  json_put_integer(&w, "places", c->places.count);
  json_close_object(&w);
  text_add_char(out, '\n');
}
