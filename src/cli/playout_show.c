#include "cli/playout_show.h"

const char *const playout_randoms[] = {"stream", "counter", NULL};

tabia_playouts *playouts_new(const tabia_machine *m, const playout_choice *o) {
  tabia_playouts *p = tabia_playouts_new(m);
  tabia_playouts_set_seed(p, o->seed);
  tabia_playouts_set_count(p, o->count);
  tabia_playouts_set_seconds(p, o->seconds > 0 ? o->seconds : 0);
  tabia_playouts_set_max_steps(p, o->max_steps);
  tabia_playouts_set_random(p, playout_randoms[o->random]);
  tabia_playouts_set_threads(p, (uint32_t)o->threads);
  return p;
}

double a_second(const tabia_playouts *p, uint64_t count) {
  const double seconds = tabia_playouts_time(p);
  return seconds > 0 ? (double)count / seconds : 0;
}

/* ---- for people ---- */

static void put_uncounted(const char *lead, uint64_t count, const char *why) {
  if (count) printf("%s%llu not counted: %s\n", lead, (unsigned long long)count, why);
}

void playouts_put_uncounted(const tabia_playouts *p, const char *lead) {
  put_uncounted(lead, tabia_playouts_stuck(p), "a role could not move");
  put_uncounted(lead, tabia_playouts_bad_goals(p), "a role had several goals or none");
  put_uncounted(lead, tabia_playouts_too_long(p), "longer than the most steps allowed");
}

/* ---- for programs ---- */

static void write_histogram(json_writer *w, const tabia_playouts *p, uint32_t role) {
  char value[12];
  json_open_object(w, "histogram");
  for (int32_t i = 0; i <= 100; i++) {
    if (!tabia_playouts_goal_count(p, role, i)) continue;
    snprintf(value, sizeof value, "%d", i);
    json_put_integer(w, value, (int64_t)tabia_playouts_goal_count(p, role, i));
  }
  json_close_object(w);
}

static void write_goals(json_writer *w, const tabia_machine *m, const tabia_playouts *p) {
  json_open_object(w, "outcomes");
  for (uint32_t i = 0; i < tabia_machine_role_count(m); i++) {
    if (!tabia_playouts_has_goals(p, i)) continue;
    json_open_object(w, tabia_machine_role(m, i));
    if (tabia_playouts_played(p))
      json_put_number(w, "mean", tabia_playouts_mean_goal(p, i));
    else
      json_put_null(w, "mean");
    write_histogram(w, p, i);
    json_close_object(w);
  }
  json_close_object(w);
}

static void write_no_lengths(json_writer *w) {
  json_put_null(w, "mean_length");
  json_put_null(w, "length_deviation");
  json_put_null(w, "shortest");
  json_put_null(w, "longest");
}

static void write_lengths(json_writer *w, const tabia_playouts *p) {
  json_put_number(w, "mean_length", tabia_playouts_mean_length(p));
  json_put_number(w, "length_deviation", tabia_playouts_length_deviation(p));
  json_put_integer(w, "shortest", (int64_t)tabia_playouts_shortest(p));
  json_put_integer(w, "longest", (int64_t)tabia_playouts_longest(p));
}

static void write_uncounted(json_writer *w, const tabia_playouts *p) {
  json_put_integer(w, "stuck", (int64_t)tabia_playouts_stuck(p));
  json_put_integer(w, "bad_goals", (int64_t)tabia_playouts_bad_goals(p));
  json_put_integer(w, "too_long", (int64_t)tabia_playouts_too_long(p));
}

void playouts_write(json_writer *w, const tabia_machine *m, const tabia_playouts *p) {
  json_put_string(w, "machine", tabia_machine_kind(m));
  json_put_integer(w, "playouts", (int64_t)tabia_playouts_played(p));
  json_put_integer(w, "states", (int64_t)tabia_playouts_states(p));
  json_put_number(w, "seconds", tabia_playouts_time(p));
  json_put_number(w, "playouts_per_second", a_second(p, tabia_playouts_played(p)));
  json_put_number(w, "states_per_second", a_second(p, tabia_playouts_states(p)));
  if (tabia_playouts_played(p))
    write_lengths(w, p);
  else
    write_no_lengths(w);
  write_goals(w, m, p);
  write_uncounted(w, p);
}
