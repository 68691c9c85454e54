/* Files of one number of ranks become files of another: each rank takes its hashes out of the files
   of those that had them. */
#include "states/value_file.h"

enum { HEROES = 2 };

/* What this rank has of a level of an old rank. */
typedef struct old_slice {
  uint32_t first, end; /* there */
  uint32_t at;         /* the first of them here */
} old_slice;

typedef struct adoption {
  checkpoint *c;
  arena *keep;
  hash_span part;
  uint32_t first_rank, rank_count; /* the old ones that had our hashes */
  old_slice *slices;               /* by level and then by old rank */
  uint32_t *sizes;                 /* by level: what is ours */
  value_columns columns[HEROES];
  uint32_t rank; /* whose values are read */
} adoption;

static run_label old_label(const checkpoint *c, uint32_t level, uint32_t run, uint32_t rank) {
  run_label l = checkpoint_label(c, level, run);
  l.rank = rank;
  l.size = c->head.size;
  return l;
}

static level_run *open_old(const adoption *a, checkpoint_kind kind, uint32_t number,
                           const run_label *label) {
  const checkpoint *c = a->c;
  level_run *r = level_run_open(checkpoint_path_of(c, kind, number, label->rank, label->size),
                                label, c->diags);
  if (r) level_run_index(r);
  return r;
}

/* ---- levels ---- */

static bool adopt_level(adoption *a, uint32_t level) {
  checkpoint *c = a->c;
  run_writer w;
  bool ok = true;
  const run_label own = checkpoint_label(c, level, 0);
  run_writer_begin(&w, checkpoint_path(c, CHECKPOINT_LEVEL, level), &own, NULL, c->diags);
  for (uint32_t i = 0; i < a->rank_count && ok; i++) {
    const run_label label = old_label(c, level, 0, a->first_rank + i);
    level_run *r = open_old(a, CHECKPOINT_LEVEL, level, &label);
    ok = r != NULL;
    if (!r) break;
    old_slice *s = &a->slices[(size_t)level * a->rank_count + i];
    level_run_slice(r, a->part, &s->first, &s->end);
    s->at = a->sizes[level];
    a->sizes[level] += s->end - s->first;
    run_writer_add(&w, level_run_state(r, s->first), s->end - s->first);
    level_run_free(r);
  }
  w.has_failed |= !ok;
  level_run *made = run_writer_end(&w);
  level_run_free(made);
  return made != NULL;
}

/* ---- runs ---- */

static void clip_spans(const adoption *a, const level_run *r, span_vec *spans) {
  for (uint32_t i = 0; i < r->spans.count; i++) {
    hash_span both;
    if (hash_span_meet(a->part, r->spans.items[i], &both)) vec_push(a->keep, spans, both);
  }
}

static bool adopt_run(adoption *a, uint32_t run) {
  checkpoint *c = a->c;
  const uint32_t level = c->head.level_count;
  const run_label own = checkpoint_label(c, level, run);
  level_run **old = arena_zero_array(a->keep, level_run *, a->rank_count);
  span_vec spans = {0};
  bool ok = true;
  for (uint32_t i = 0; i < a->rank_count && ok; i++) {
    const run_label label = old_label(c, level, run, a->first_rank + i);
    ok = (old[i] = open_old(a, CHECKPOINT_RUN, run, &label)) != NULL;
    if (ok) clip_spans(a, old[i], &spans);
  }
  run_writer w;
  run_writer_begin(&w, checkpoint_path(c, CHECKPOINT_RUN, run), &own, &spans, c->diags);
  for (uint32_t i = 0; i < a->rank_count && ok; i++) {
    uint32_t first, end;
    level_run_slice(old[i], a->part, &first, &end);
    run_writer_add(&w, level_run_state(old[i], first), end - first);
  }
  for (uint32_t i = 0; i < a->rank_count; i++) level_run_free(old[i]);
  w.has_failed |= !ok;
  level_run *made = run_writer_end(&w);
  level_run_free(made);
  return made != NULL;
}

/* ---- values ---- */

static void open_columns(adoption *a) {
  const uint32_t levels = a->c->head.level_count;
  for (uint32_t hero = 0; hero < HEROES; hero++) {
    value_columns *v = &a->columns[hero];
    v->codes = arena_zero_array(a->keep, uint8_t *, levels + (size_t)1);
    v->steps = arena_zero_array(a->keep, uint16_t *, levels + (size_t)1);
  }
}

/* A level that has a piece gets room for all of it, open at first. */
static void open_level(const adoption *a, const value_columns *v, uint32_t level) {
  if (v->codes[level]) return;
  const size_t count = a->sizes[level] + (size_t)1;
  v->codes[level] = arena_new_array(a->keep, uint8_t, count);
  v->steps[level] = arena_new_array(a->keep, uint16_t, count);
  memset(v->codes[level], VALUE_CODE_OPEN, count);
  memset(v->steps[level], 0xff, count * sizeof *v->steps[level]);
}

static bool take_piece(void *context, const value_piece *p, const uint8_t *codes,
                       const uint16_t *steps) {
  adoption *a = context;
  if (p->hero >= HEROES || p->level >= a->c->head.level_count) return false;
  const value_columns *v = &a->columns[p->hero];
  const old_slice *s = &a->slices[(size_t)p->level * a->rank_count + (a->rank - a->first_rank)];
  const uint32_t first = p->first > s->first ? p->first : s->first;
  const uint32_t behind = p->first + p->count, end = behind < s->end ? behind : s->end;
  if (first >= end) return true;
  open_level(a, v, p->level);
  const uint32_t at = s->at + (first - s->first);
  memcpy(v->codes[p->level] + at, codes + (first - p->first), end - first);
  memcpy(v->steps[p->level] + at, steps + (first - p->first), (end - first) * sizeof *steps);
  return true;
}

static void list_pieces(const adoption *a, piece_vec *pieces) {
  for (uint32_t hero = 0; hero < HEROES; hero++)
    for (uint32_t level = 0; level < a->c->head.level_count; level++) {
      const value_piece it = {hero, level, 0, a->sizes[level]};
      if (a->columns[hero].codes[level]) vec_push(a->keep, pieces, it);
    }
}

static bool adopt_values(adoption *a, checkpoint_head *next) {
  const checkpoint *c = a->c;
  piece_vec pieces = {0};
  bool ok = true;
  open_columns(a);
  for (uint32_t n = next->first_values; n < next->end_values; n++)
    for (uint32_t i = 0; i < a->rank_count && ok; i++) {
      a->rank = a->first_rank + i;
      ok = value_file_read(c, n, a->rank, c->head.size, take_piece, a);
    }
  list_pieces(a, &pieces);
  next->first_values = next->end_values++;
  return ok && value_file_write(c, next->first_values, &pieces, a->columns);
}

/* ---- all of it ---- */

bool checkpoint_adopt(checkpoint *c, checkpoint_head *next) {
  adoption a = {.c = c, .keep = arena_new()};
  a.part = hash_part_of(ranks_rank(c->r), ranks_size(c->r));
  a.first_rank = (uint32_t)hash_scale(a.part.first, c->head.size);
  a.rank_count = (uint32_t)hash_scale(a.part.last, c->head.size) - a.first_rank + 1;
  a.slices = arena_zero_array(a.keep, old_slice, (size_t)c->head.level_count * a.rank_count + 1);
  a.sizes = arena_zero_array(a.keep, uint32_t, c->head.level_count + (size_t)1);
  bool ok = true;
  for (uint32_t level = 0; level < c->head.level_count && ok; level++) ok = adopt_level(&a, level);
  for (uint32_t run = next->first_run; run < next->end_run && ok; run++) ok = adopt_run(&a, run);
  ok = ok && (next->first_values == next->end_values || adopt_values(&a, next));
  arena_free(a.keep);
  return ok;
}
