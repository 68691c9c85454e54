#include "cli/machine_speeds.h"

#include "base/budget.h"

#include <math.h>
#include <string.h>

static void play(machine_speed *speed, tabia_machine *m, const session *s, const speed_options *o) {
  const playout_choice how = {
      .seed = o->seed, .seconds = o->play_seconds, .max_steps = 100000, .threads = 1};
  tabia_playouts *p = playouts_new(m, &how);
  tabia_limits_set_seconds(s->limits, 2 * o->play_seconds + 1); /* one game may go on and on */
  tabia_limits_set_total_bytes(s->limits, s->bytes);
  tabia_playouts_run(p, s->limits, NULL);
  speed->playouts_a_second = a_second(p, tabia_playouts_played(p));
  speed->states_a_second = a_second(p, tabia_playouts_states(p));
  speed->mean_length = tabia_playouts_mean_length(p);
  tabia_playouts_free(p);
}

static const char *first_message(session *s) {
  const char *words = "it cannot play this game";
  if (tabia_messages_count(s->log)) words = tabia_message_text(s->log, 0);
  return arena_copy_text(s->keep, words, strlen(words));
}

static machine_speed measure(session *s, const char *kind, double seconds, const speed_options *o) {
  machine_speed speed = {.machine = kind};
  tabia_machine *m;
  tabia_options_set(s->options, "purpose", "playouts");
  tabia_limits_set_seconds(s->limits, seconds);
  tabia_limits_set_bytes(s->limits, o->open_bytes ? o->open_bytes : s->bytes);
  const double begin = clock_now();
  speed.is_open =
      tabia_machine_open_with(&m, s->rules, kind, s->options, s->limits, s->log) == TABIA_OK;
  speed.open_seconds = clock_now() - begin;
  if (speed.is_open)
    play(&speed, m, s, o);
  else
    speed.why_not = first_message(s);
  tabia_messages_clear(s->log);
  tabia_machine_close(m);
  return speed;
}

/* The time for a machine to be ready: what it may take, and what is left of all. */
static double seconds_for(const speed_options *o, double begin) {
  const double left = o->seconds > 0 ? o->seconds - (clock_now() - begin) : (double)INFINITY;
  const double least = o->open_seconds > 0 ? fmin(o->open_seconds, left) : left;
  return isinf(least) ? 0 : least > 0 ? least : 1e-9;
}

machine_speed_vec machine_speeds(session *s, const speed_options *o) {
  machine_speed_vec all = {0};
  const double begin = clock_now();
  for (uint32_t i = 0; i < tabia_kind_count(); i++) {
    const bool is_over = o->seconds > 0 && clock_now() - begin > o->seconds;
    if (o->only ? strcmp(o->only, tabia_kind_name(i)) != 0 : tabia_kind_needs_device(i)) continue;
    if (is_over) break;
    const machine_speed found = measure(s, tabia_kind_name(i), seconds_for(o, begin), o);
    if (session_is_interrupted()) break; /* perhaps in the middle: no speed */
    vec_push(s->keep, &all, found);
  }
  return all;
}

/* ---- showing ---- */

void machine_speeds_put(const machine_speed_vec *all) {
  printf("%-10s %12s %14s %14s\n", "machine", "ready in s", "playouts/s", "states/s");
  for (uint32_t i = 0; i < all->count; i++) {
    const machine_speed *s = &all->items[i];
    if (s->is_open)
      printf("%-10s %12.4f %14.0f %14.0f\n", s->machine, s->open_seconds, s->playouts_a_second,
             s->states_a_second);
    else
      printf("%-10s not here: %s\n", s->machine, s->why_not);
  }
}

void machine_speeds_write(json_writer *w, const char *key, const machine_speed_vec *all) {
  json_open_array(w, key);
  for (uint32_t i = 0; i < all->count; i++) {
    const machine_speed *s = &all->items[i];
    json_open_object(w, NULL);
    json_put_string(w, "machine", s->machine);
    json_put_number(w, "ready_seconds", s->open_seconds);
    if (s->is_open) {
      json_put_number(w, "playouts_per_second", s->playouts_a_second);
      json_put_number(w, "states_per_second", s->states_a_second);
      json_put_number(w, "mean_length", s->mean_length);
    } else {
      json_put_string(w, "why_not", s->why_not);
    }
    json_close_object(w);
  }
  json_close_array(w);
}
