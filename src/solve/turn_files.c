#include "solve/turn_files.h"

/* ---- reading ---- */

static bool are_codes(const turn_values *v, const uint8_t *codes, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (codes[i] != CODE_OPEN && (codes[i] & CODE_BITS) >= v->value_count) return false;
  return true;
}

/* Those of other heroes are read when it is their turn. */
static bool take_piece(void *context, const value_piece *p, const uint8_t *codes,
                       const uint16_t *steps) {
  const turn_files *f = context;
  const solve_space *s = f->v->s;
  if (p->hero != f->number) return true;
  if (p->level >= space_part_count(s)) return false;
  const uint32_t size = space_part_size(s, p->level);
  if (p->first > size || p->count > size - p->first || !are_codes(f->v, codes, p->count))
    return false;
  memcpy(f->v->codes[p->level] + p->first, codes, p->count);
  memcpy(f->v->steps[p->level] + p->first, steps, p->count * sizeof *steps);
  return true;
}

static bool read_files(turn_files *f) {
  const checkpoint *c = f->c;
  for (uint32_t i = c->head.first_values; i < c->head.end_values; i++)
    if (!value_file_read(c, i, ranks_rank(c->r), ranks_size(c->r), take_piece, f)) return false;
  return true;
}

bool turn_files_begin(turn_files *f, turn_values *all, uint32_t number, arena *keep) {
  checkpoint *c = all[number].s->files;
  *f = (turn_files){.keep = keep, .c = c, .v = &all[number], .number = number};
  for (uint32_t i = 0; i <= number; i++)
    f->columns[i] = (value_columns){all[i].codes, all[i].steps};
  if (c->head.hero == number) f->task = c->head.task;
  f->is_done = c->head.hero > number;
  const bool is_read = read_files(f);
  const checkpoint_head same = c->head;
  return checkpoint_commit(c, &same, is_read);
}

/* ---- writing ---- */

bool turn_files_is_done(const turn_files *f) { return f && f->is_done; }

uint32_t turn_files_task(const turn_files *f) { return f ? f->task : 0; }

void turn_files_note(turn_files *f, uint32_t level, uint32_t first, uint32_t count) {
  if (!f || !count || !space_is_layered(f->v->s)) return;
  const value_piece it = {f->number, level, first, count};
  vec_push(f->keep, &f->unsaved, it);
}

/* Every state of this hero and of those before it. */
static void note_all(turn_files *f) {
  f->unsaved.count = 0;
  for (uint32_t hero = 0; hero <= f->number; hero++)
    for (uint32_t level = 0; level < space_part_count(f->v->s); level++) {
      const value_piece it = {hero, level, 0, space_part_size(f->v->s, level)};
      vec_push(f->keep, &f->unsaved, it);
    }
}

static bool save(turn_files *f, uint32_t hero, uint32_t task) {
  checkpoint_head next = f->c->head;
  if (!space_is_layered(f->v->s)) {
    note_all(f);
    next.first_values = next.end_values;
  }
  const bool is_written = value_file_write(f->c, next.end_values++, &f->unsaved, f->columns);
  next.hero = hero;
  next.task = task;
  f->unsaved.count = 0;
  return checkpoint_commit(f->c, &next, is_written);
}

bool turn_files_save(turn_files *f, uint32_t task) { return save(f, f->number, task); }

bool turn_files_end(turn_files *f) { return !f || save(f, f->number + 1, 0); }
