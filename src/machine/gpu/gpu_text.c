#include "machine/gpu/gpu_text.h"

#include "machine/gpu/ptx_writer.h"

enum { SHARED_BYTES = 227 * 1024 };

static bool write_code(const grounded *g, text *out, arena *keep, budget *b) {
  lane_net net;
  gpu_step step;
  ptx_program program;
  if (!lane_net_build(&net, &g->circuit, NET_PLAYS, false, keep, b)) return false;
  gpu_step_make(&step, g, &net, START_OF_RULES, keep);
  const gpu_shape shape =
      gpu_shape_for(gpu_step_live(&step), SHARED_BYTES, ptx_counter_words(&step));
  return ptx_write(&program, &step, shape, out, keep, b);
}

bool gpu_text_write(const machine_source *source, text *out, budget *b, diag_sink *d) {
  grounded g;
  bool ok = grounded_open(&g, source, b, d);
  if (ok) {
    ok = write_code(&g, out, g.keep, b);
    if (!ok && b) budget_report(b, d, "the code was not written");
  }
  grounded_close(&g);
  return ok;
}
