#include "prove/play_length.h"

void play_length_print(const play_length *l, text *out) {
  if (play_length_is_exact(l)) {
    text_add_format(out, "the longest play has %llu step%s", (unsigned long long)l->seen,
                    plural(l->seen));
    return;
  }
  text_add_format(out, "no play has more than %llu step%s", (unsigned long long)l->at_most,
                  plural(l->at_most));
  if (l->seen)
    text_add_format(out, "; the longest that was met has %llu", (unsigned long long)l->seen);
}

void play_length_write(const play_length *l, json_writer *w) {
  json_open_object(w, "longest_play");
  json_put_integer(w, "at_most", (int64_t)l->at_most);
  json_put_integer(w, "seen", (int64_t)l->seen);
  json_put_bool(w, "exact", play_length_is_exact(l));
  json_close_object(w);
}
