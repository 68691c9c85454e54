#include "cli/machine_speeds.h"

#include "machine/lanes/lanes_machine.h"

#include <float.h>
#include <string.h>

/* A stage of its own has a time of its own. */
static void show_stage(budget *b, const char *doing, const char *machine, arena *keep) {
  text words = text_new(keep);
  text_add_format(&words, "%s %s", doing, machine);
  b->stage = text_string(&words);
  b->started = clock_now();
}

static void measure(machine_speed *s, const machine_ops *kind, const program *p,
                    const speed_options *o, arena *keep) {
  const machine_source source = {.program = p, .bulk = BULK_PLAYOUTS};
  diag_sink d;
  diag_sink_init(&d, keep);
  budget b = budget_part(o->limits, o->open_seconds > 0 ? o->open_seconds : DBL_MAX);
  if (o->open_bytes) b.max_bytes = o->open_bytes;
  const double begin = clock_now();
  show_stage(&b, "opening", kind->name, keep);
  machine *m = kind->open(&source, &b, &d);
  if (m && machine_is_lanes(m) && !lanes_part_size(m, &b)) { /* it makes its net when first asked */
    budget_report(&b, &d, "the circuit was not made ready to run");
    machine_close(m);
    m = NULL;
  }
  *s = (machine_speed){.machine = kind->name, .is_open = m, .open_seconds = clock_now() - begin};
  if (!m) {
    s->why_not = d.all.count ? d.all.items[0].message : "it cannot play this game";
    return;
  }
  budget playing = budget_part(o->limits, DBL_MAX);
  show_stage(&playing, "playing on", kind->name, keep);
  const playout_options play = {
      .seed = o->seed, .seconds = o->play_seconds, .max_steps = 100000, .threads = 1};
  playouts_run(&s->play, m, &play, &playing, keep, &d);
  s->play.fault = (game_fault){0}; /* it points into the machine */
  machine_close(m);
}

machine_speed_vec machine_speeds(const program *p, const speed_options *o, arena *keep) {
  machine_speed_vec all = {0};
  budget limits = *o->limits;
  for (const machine_ops *const *kind = machine_kinds; *kind; kind++) {
    if (o->only && strcmp(o->only, (*kind)->name) != 0) continue;
    if (budget_check_now(&limits)) break;
    machine_speed s;
    measure(&s, *kind, p, o, keep);
    vec_push(keep, &all, s);
  }
  return all;
}

static double playouts_a_second(const playout_summary *s) {
  return s->time > 0 ? (double)s->playouts / s->time : 0;
}

void machine_speeds_put(const machine_speed_vec *all) {
  printf("%-10s %12s %14s %14s\n", "machine", "ready in s", "playouts/s", "states/s");
  for (uint32_t i = 0; i < all->count; i++) {
    const machine_speed *s = &all->items[i];
    if (s->is_open)
      printf("%-10s %12.4f %14.0f %14.0f\n", s->machine, s->open_seconds,
             playouts_a_second(&s->play), playouts_states_a_second(&s->play));
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
      json_put_number(w, "playouts_per_second", playouts_a_second(&s->play));
      json_put_number(w, "states_per_second", playouts_states_a_second(&s->play));
      json_put_number(w, "mean_length", playouts_mean_length(&s->play));
    } else {
      json_put_string(w, "why_not", s->why_not);
    }
    json_close_object(w);
  }
  json_close_array(w);
}
