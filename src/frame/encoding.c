#include "frame/encoding.h"

#include "frame/pruning.h"

static const char *const names[] = {"original", "direct", "pruned"};

const char *frame_encoding_name(frame_encoding e) { return names[e]; }

static bool has_frame_rules(const frame_translation *f) { return f->rules.count > 0; }

static bool translate(frame_translation *f, frame_encoding wanted, frame_scope scope, arena *keep,
                      budget *limits, diag_sink *unheard) {
  if (wanted == ENCODING_DIRECT)
    return frame_translate(f, COVER_DIRECT, (frame_pruning){0}, limits, unheard);
  frame_proof proof;
  frame_prove(&proof, f, scope, FRAME_PRUNING_SECONDS, keep, limits);
  return frame_translate(f, COVER_PRUNED, frame_pruning_by(&proof), limits, unheard);
}

void frame_encode(encoded_program *e, const program *p, frame_encoding wanted, frame_scope scope,
                  arena *keep, budget *limits) {
  *e = (encoded_program){.used = ENCODING_ORIGINAL, .program = p};
  if (wanted == ENCODING_ORIGINAL) return;
  const double started = clock_now();
  diag_sink unheard;
  frame_translation f;
  diag_sink_init(&unheard, keep);
  if (frame_open(&f, p, keep, limits, &unheard) && has_frame_rules(&f) &&
      translate(&f, wanted, scope, keep, limits, &unheard)) {
    frame_write_program(&f, &e->frame, keep);
    frame_write_changes(&f, &e->changes, keep);
    e->program = &e->frame.program;
    e->used = wanted;
  }
  frame_close(&f);
  e->seconds = clock_now() - started;
}
