#include "frame/frame_write.h"

#include "base/json.h"

typedef struct frame_result {
  frame_translation f;
  frame_proof proof; /* of the pruned covering */
} frame_result;

static void write_json(const frame_result *r, const char *game, text *out) {
  const frame_translation *f = &r->f;
  uint32_t translated = 0;
  for (uint32_t n = 0; n < f->domain.fluents.count; n++) translated += f->is_translated[n];
  json_writer w = json_to(out);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", game);
  json_put_string(&w, "cover", frame_cover_name(f->covering.kind));
  json_put_integer(&w, "frame_rules", f->rules.count);
  json_put_integer(&w, "fluent_names", f->domain.fluents.count);
  json_put_integer(&w, "translated", translated);
  json_put_integer(&w, "general_joint_moves", f->covering.count);
  json_put_integer(&w, "pruned", f->covering.pruned);
  json_put_integer(&w, "proved_facts", r->proof.fact_count);
  json_put_integer(&w, "fnext_rules", f->ceasing.count);
  json_put_integer(&w, "auxiliary_rules", f->helpers.all.count);
  json_close_object(&w);
  text_add_char(out, '\n');
}

static void write_steps(const frame_result *r, const frame_write_options *o, text *out) {
  frame_explain(&r->f, o->notation, out);
  if (o->cover != COVER_PRUNED) return;
  text_add_char(out, '\n');
  frame_proof_print(&r->proof, &r->f, o->notation, out);
}

static void write_whole(const frame_result *r, notation n, arena *keep, text *out) {
  frame_program whole;
  frame_write_program(&r->f, &whole, keep);
  frame_print_clauses(&whole.program, 0, n, out);
}

static void write_changed(const frame_result *r, notation n, arena *keep, text *out) {
  program rules;
  frame_write_rules(&r->f, &rules, keep);
  frame_print_clauses(&rules, 0, n, out);
}

static void write_part(const frame_result *r, const frame_write_options *o, arena *keep,
                       text *out) {
  switch (o->part) {
    case FRAME_CHANGED: write_changed(r, o->notation, keep, out); break;
    case FRAME_WHOLE: write_whole(r, o->notation, keep, out); break;
    case FRAME_STEPS: write_steps(r, o, out); break;
    case FRAME_SIZES: write_json(r, o->game, out); break;
  }
}

static bool translate(frame_result *r, const program *p, const frame_write_options *o, arena *keep,
                      budget *b, diag_sink *d) {
  frame_pruning pruning = {0};
  r->proof = (frame_proof){0};
  if (!frame_open(&r->f, p, keep, b, d)) return false;
  if (o->cover == COVER_PRUNED) {
    frame_prove(&r->proof, &r->f, SCOPE_GAMES, o->prove_seconds, keep, b);
    pruning = frame_pruning_by(&r->proof);
  }
  return frame_translate(&r->f, o->cover, pruning, b, d);
}

bool frame_write(const program *p, const frame_write_options *o, arena *keep, budget *limits,
                 diag_sink *d, text *out) {
  frame_result r;
  const bool ok = translate(&r, p, o, keep, limits, d);
  if (ok) write_part(&r, o, keep, out);
  frame_close(&r.f);
  return ok;
}
