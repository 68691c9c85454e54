#include "ground/ground_stats.h"

#include "base/json.h"

void ground_stats_print(const ground_stats *s, const ground_origin *from, text *out) {
  text_add_format(out, "method        %s\n", ground_method_name(from->method));
  text_add_format(out, "bases         %s\n", bases_method_name(from->bases));
  text_add_format(out, "fluents       %u\n", s->fluents);
  text_add_format(out, "moves         %u\n", s->moves);
  text_add_format(out, "facts         %llu\n", (unsigned long long)s->facts);
  text_add_format(out, "rules         %llu\n", (unsigned long long)s->rules);
  text_add_format(out, "literals      %llu\n", (unsigned long long)s->literals);
  text_add_format(out, "components    %llu\n", (unsigned long long)s->components);
  text_add_format(out, "seconds       %.4f (bases %.4f, instantiate %.4f, simplify %.4f)\n",
                  s->seconds_total, s->seconds_bases, s->seconds_instantiate, s->seconds_simplify);
  text_add_format(out, "peak memory   %.1f MB\n", (double)s->peak_bytes / 1e6);
}

static void write_seconds(json_writer *w, const ground_stats *s, const ground_origin *from) {
  json_put_number(w, "encode_seconds", from->encode_seconds);
  json_put_number(w, "bases_seconds", s->seconds_bases);
  json_put_number(w, "instantiate_seconds", s->seconds_instantiate);
  json_put_number(w, "simplify_seconds", s->seconds_simplify);
  json_put_number(w, "seconds", s->seconds_total);
}

void ground_stats_write_json(const ground_stats *s, const ground_origin *from, const char *game,
                             text *out) {
  json_writer w = json_to(out);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", game);
  json_put_string(&w, "method", ground_method_name(from->method));
  json_put_string(&w, "bases_method", bases_method_name(from->bases));
  json_put_string(&w, "encoding", from->encoding);
  json_put_integer(&w, "fluents", s->fluents);
  json_put_integer(&w, "moves", s->moves);
  json_put_integer(&w, "facts", (int64_t)s->facts);
  if (s->instances) json_put_integer(&w, "instances", (int64_t)s->instances);
  json_put_integer(&w, "rules", (int64_t)s->rules);
  json_put_integer(&w, "literals", (int64_t)s->literals);
  json_put_integer(&w, "components", (int64_t)s->components);
  write_seconds(&w, s, from);
  json_put_integer(&w, "peak_bytes", (int64_t)s->peak_bytes);
  json_close_object(&w);
  text_add_char(out, '\n');
}
