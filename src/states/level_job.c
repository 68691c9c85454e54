#include "states/level_job.h"

#include "states/walk.h"

ranks *ranks_join(const exchange *others, arena *keep) {
  const exchange alone = exchange_alone();
  return ranks_new(others ? others : &alone, keep);
}

static bool open_files(level_job *x, const lane_stepper *s, checkpoint_wish wish,
                       level_job_kind kind, arena *keep, diag_sink *d) {
  if (!wish.folder) return true;
  x->has_files = checkpoint_open(&x->files, wish, hash_mix(walk_question(s->c) + kind),
                                 s->state_bytes, x->r, keep, d);
  x->resumed = x->files.head.sum;
  return x->has_files;
}

bool level_job_begin(level_job *x, const lane_stepper *s, ranks *r, checkpoint_wish wish,
                     level_job_kind kind, arena *keep, diag_sink *d) {
  *x = (level_job){.r = r};
  if (!open_files(x, s, wish, kind, keep, d)) return false;
  x->is_begun = true;
  return level_walk_init(&x->w, s, r, x->has_files ? &x->files : NULL, keep, d);
}

bool level_job_end(level_job *x, bool ok) {
  if (!ok) ranks_stop(x->r);
  ok = ok && ranks_meet(x->r);
  if (ok && x->has_files) checkpoint_remove(&x->files);
  if (x->is_begun) level_walk_free(&x->w);
  x->has_failed = !ok;
  return ok;
}
