#include "machine/lanes/lane_code.h"

#include <string.h>

static void add_stretch(lane_code *c, uint32_t first, uint32_t end, uint32_t loop, arena *keep) {
  const lane_stretch s = {first, end, loop};
  if (first < end || loop != ID_NONE) vec_push(keep, &c->stretches, s);
}

static bool make_native(lane_code *c, arena *keep, budget *limits) {
  const uint32_t count = c->stretches.count;
  uint32_t *firsts = arena_new_array(keep, uint32_t, count + 1);
  uint32_t *ends = arena_new_array(keep, uint32_t, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    firsts[i] = c->stretches.items[i].first;
    ends[i] = c->stretches.items[i].end;
  }
  c->jit = lane_jit_make(c->program, firsts, ends, count, keep, limits);
  return c->jit || !limits || limits->end == BUDGET_LEFT;
}

bool lane_code_make(lane_code *c, const lane_program *p, const lane_engine *engine, bool native,
                    arena *keep, budget *limits) {
  *c = (lane_code){.program = p, .engine = engine};
  uint32_t at = 0, loop = 0;
  for (lane_phase phase = PHASE_TERMINAL; phase < LANE_PHASES; phase++) {
    for (; loop < p->loops.count && p->loops.items[loop].phase == phase; loop++) {
      add_stretch(c, at, p->loops.items[loop].first, ID_NONE, keep);
      add_stretch(c, p->loops.items[loop].first, p->loops.items[loop].end, loop, keep);
      at = p->loops.items[loop].end;
    }
    add_stretch(c, at, p->phase_end[phase], ID_NONE, keep);
    at = p->phase_end[phase];
    c->phase_end[phase] = c->stretches.count;
  }
  return !native || make_native(c, keep, limits);
}

void lane_code_free(lane_code *c) { lane_jit_free(c->jit); }

static void run_ops(const lane_code *c, const lane_stretch *s, bundle_row *rows) {
  if (c->jit) {
    lane_jit_function(c->jit, (uint32_t)(s - c->stretches.items))(rows);
    return;
  }
  const lane_op *ops = c->program->ops.items;
  c->engine->run(ops + s->first, ops + s->end, rows);
}

/* Copies the definitions to the places; returns whether one changed. */
static bool settle(const lane_code *c, const lane_loop *loop, bundle_row *rows) {
  uint64_t changed = 0;
  for (uint32_t i = 0; i < loop->place_count; i++) {
    const lane_place *p = &c->program->places.items[loop->first_place + i];
    for (uint32_t k = 0; k < ROW_WORDS; k++) {
      const uint64_t value = rows[p->definition].words[k] ^ -(uint64_t)p->negated;
      changed |= value ^ rows[p->place].words[k];
      rows[p->place].words[k] = value;
    }
  }
  return changed;
}

static void run_loop(const lane_code *c, const lane_stretch *s, bundle_row *rows) {
  const lane_loop *loop = &c->program->loops.items[s->loop];
  for (uint32_t i = 0; i < loop->place_count; i++)
    memset(&rows[c->program->places.items[loop->first_place + i].place], 0, sizeof *rows);
  do run_ops(c, s, rows);
  while (settle(c, loop, rows));
}

void lane_code_run(const lane_code *c, lane_phase phase, bundle_row *rows) {
  for (uint32_t i = phase ? c->phase_end[phase - 1] : 0; i < c->phase_end[phase]; i++) {
    const lane_stretch *s = &c->stretches.items[i];
    if (s->loop == ID_NONE)
      run_ops(c, s, rows);
    else
      run_loop(c, s, rows);
  }
}

bundle_row *lane_rows_new(const lane_program *p, uint32_t extra, arena *keep) {
  return lane_alloc(keep, ((size_t)p->slot_count + extra) * sizeof(bundle_row));
}
