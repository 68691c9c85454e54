#include "machine/portfolio.h"

#include "machine/step_speed.h"

static double try_encoding(const char *kind, machine_source source, const encoded_program *e,
                           double seconds, budget *limits) {
  arena *scratch = arena_new();
  diag_sink unheard;
  budget b = limits ? *limits : budget_new(0, 0);
  b.watched_count = 0;
  diag_sink_init(&unheard, scratch);
  source.program = e->program;
  source.inertia_count = e->frame.inertia_count;
  const bool is_search = source.for_long || source.bulk == BULK_STEPS;
  source.for_long = false; /* encodings are compared on one machine */
  machine *m = machine_open(kind, &source, &b, &unheard);
  const uint32_t successors = is_search ? TRY_AS_IN_SEARCH : TRY_AS_IN_PLAY;
  const double speed = m ? machine_step_speed(m, successors, seconds, &b) : 0;
  machine_close(m);
  arena_free(scratch);
  return speed;
}

void portfolio_choose(portfolio *c, const char *kind, const machine_source *source,
                      frame_scope scope, double seconds, arena *keep, budget *limits) {
  *c = (portfolio){.best = ENCODING_ORIGINAL};
  for (uint32_t e = 0; e < ENCODING_COUNT; e++) {
    encoded_program *encoded = &c->encodings[e];
    frame_encode(encoded, source->program, (frame_encoding)e, scope, keep, limits);
    if (encoded->used != (frame_encoding)e) continue;
    c->steps_per_second[e] = try_encoding(kind, *source, encoded, seconds, limits);
    if (c->steps_per_second[e] > c->steps_per_second[c->best]) c->best = (frame_encoding)e;
  }
}
