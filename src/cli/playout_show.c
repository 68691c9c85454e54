#include "cli/playout_show.h"

#include "machine/lanes/lanes_machine.h"

#include <math.h>

/* ---- figures ---- */

static double per(double sum, uint64_t count) { return count ? sum / (double)count : 0; }

double playouts_mean_length(const playout_summary *s) {
  return per((double)s->states, s->playouts);
}

double playouts_length_deviation(const playout_summary *s) {
  const double mean = playouts_mean_length(s);
  const double variance = per((double)s->length_squares, s->playouts) - mean * mean;
  return variance > 0 ? sqrt(variance) : 0;
}

double playouts_joint_moves(const playout_summary *s) {
  return per(s->choices.joint_moves, s->states);
}

static uint64_t bad_goals(const playout_summary *s) {
  return s->faults[FAULT_NO_GOAL] + s->faults[FAULT_SEVERAL_GOALS];
}

static double a_second(uint64_t count, double seconds) {
  return seconds > 0 ? (double)count / seconds : 0;
}

double playouts_states_a_second(const playout_summary *s) { return a_second(s->states, s->time); }

/* ---- for people ---- */

static void put_uncounted(const char *lead, uint64_t count, const char *why) {
  if (count) printf("%s%llu not counted: %s\n", lead, (unsigned long long)count, why);
}

void playouts_put_uncounted(const playout_summary *s, const char *lead) {
  put_uncounted(lead, s->faults[FAULT_STUCK], "a role could not move");
  put_uncounted(lead, bad_goals(s), "a role had several goals or none");
  put_uncounted(lead, s->too_long, "longer than --max-steps");
}

/* ---- for programs ---- */

static void write_histogram(json_writer *w, const role_score *r) {
  char value[12];
  json_open_object(w, "histogram");
  for (int i = 0; i < GOAL_VALUES; i++) {
    if (!r->histogram[i]) continue;
    snprintf(value, sizeof value, "%d", i);
    json_put_integer(w, value, (int64_t)r->histogram[i]);
  }
  json_close_object(w);
}

static void write_goals(json_writer *w, const machine *m, const playout_summary *s) {
  json_open_object(w, "goals");
  for (uint32_t i = 0; i < m->role_count; i++) {
    if (!playouts_has_goals(s, m, i)) continue;
    json_open_object(w, m->roles[i]);
    json_put_number(w, "mean", playouts_mean_goal(s, i));
    write_histogram(w, &s->roles[i]);
    json_close_object(w);
  }
  json_close_object(w);
}

static void write_lengths(json_writer *w, const playout_summary *s) {
  json_put_number(w, "mean_length", playouts_mean_length(s));
  json_put_number(w, "length_deviation", playouts_length_deviation(s));
  json_put_integer(w, "shortest", (int64_t)s->shortest);
  json_put_integer(w, "longest", (int64_t)s->longest);
}

static void write_uncounted(json_writer *w, const playout_summary *s) {
  json_put_integer(w, "stuck", (int64_t)s->faults[FAULT_STUCK]);
  json_put_integer(w, "bad_goals", (int64_t)bad_goals(s));
  json_put_integer(w, "too_long", (int64_t)s->too_long);
}

void playouts_write(json_writer *w, const machine *m, const playout_summary *s) {
  json_put_string(w, "machine", m->ops->name);
  json_put_integer(w, "playouts", (int64_t)s->playouts);
  json_put_integer(w, "states", (int64_t)s->states);
  json_put_number(w, "seconds", s->time);
  json_put_number(w, "playouts_per_second", a_second(s->playouts, s->time));
  json_put_number(w, "states_per_second", playouts_states_a_second(s));
  write_lengths(w, s);
  write_goals(w, m, s);
  write_uncounted(w, s);
}

/* ---- faults ---- */

int playouts_show_fault(const running_game *g, const playout_summary *s, uint64_t seed) {
  text where = text_new(g->game.scratch);
  text_add_format(&where, "%s %llu of seed %llu", machine_is_lanes(g->m) ? "part" : "playout",
                  (unsigned long long)s->first_fault, (unsigned long long)seed);
  return game_show_fault(g, &s->fault, text_string(&where));
}
