#include "states/value_file.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[8] = "tabiava1";

typedef struct value_head {
  char magic[8];
  uint64_t question;
  uint32_t number, rank, size, padding;
} value_head;

/* A piece in a file; count 0: the end.  Its codes and steps lie behind it. */
typedef struct piece_head {
  value_piece piece;
  uint64_t sum; /* of the piece, the codes and the steps */
} piece_head;

static value_head head_of(const checkpoint *c, uint32_t number, uint32_t rank, uint32_t size) {
  value_head h = {.question = c->head.question, .number = number, .rank = rank, .size = size};
  memcpy(h.magic, magic, sizeof magic);
  return h;
}

static uint64_t sum_of(const value_piece *p, const uint8_t *codes, const uint16_t *steps) {
  hash_stream *sum = hash_stream_new();
  hash_stream_add(sum, p, sizeof *p);
  hash_stream_add(sum, codes, p->count);
  hash_stream_add(sum, steps, p->count * sizeof *steps);
  const uint64_t value = hash_stream_value(sum);
  hash_stream_free(sum);
  return value;
}

static bool complain(const checkpoint *c, const char *path, const char *why) {
  diag_add(c->diags, DIAG_E701, SPAN_NONE, "values in %s: %s", path, why);
  return false;
}

/* ---- writing ---- */

static bool put_piece(FILE *f, const value_piece *p, const uint8_t *codes, const uint16_t *steps) {
  const piece_head h = {*p, sum_of(p, codes, steps)};
  return fwrite(&h, sizeof h, 1, f) == 1 && fwrite(codes, 1, p->count, f) == p->count &&
         fwrite(steps, sizeof *steps, p->count, f) == p->count;
}

static bool put_all(const checkpoint *c, uint32_t number, const piece_vec *pieces,
                    const value_columns *columns, FILE *f) {
  const value_head h = head_of(c, number, ranks_rank(c->r), ranks_size(c->r));
  static const value_piece end;
  static const uint8_t no_code;
  static const uint16_t no_step;
  bool ok = fwrite(&h, sizeof h, 1, f) == 1;
  for (uint32_t i = 0; i < pieces->count && ok; i++) {
    const value_piece *p = &pieces->items[i];
    if (!p->count) continue;
    const value_columns *v = &columns[p->hero];
    ok = put_piece(f, p, v->codes[p->level] + p->first, v->steps[p->level] + p->first);
  }
  return ok && put_piece(f, &end, &no_code, &no_step);
}

bool value_file_write(const checkpoint *c, uint32_t number, const piece_vec *pieces,
                      const value_columns *columns) {
  whole_file f;
  const char *path = checkpoint_path(c, CHECKPOINT_VALUES, number);
  if (!whole_file_begin(&f, path, c->keep)) return complain(c, path, strerror(errno));
  const bool is_complete = put_all(c, number, pieces, columns, f.file);
  return whole_file_end(&f, is_complete) || complain(c, path, strerror(errno));
}

/* ---- reading ---- */

/* Can so many codes and steps follow?  Asked before there is room for them. */
static bool has_room_for(FILE *f, uint32_t count) {
  struct stat s;
  const off_t at = ftello(f);
  return at >= 0 && fstat(fileno(f), &s) == 0 && s.st_size >= at &&
         (uint64_t)(s.st_size - at) / (1 + sizeof(uint16_t)) >= count;
}

/* One piece.  False: it is damaged; *is_end: there are no more. */
static bool get_piece(FILE *f, arena *room, value_taker *take, void *context, bool *is_end) {
  piece_head h;
  if (fread(&h, sizeof h, 1, f) != 1 || !has_room_for(f, h.piece.count)) return false;
  uint8_t *codes = arena_new_array(room, uint8_t, h.piece.count + (size_t)1);
  uint16_t *steps = arena_new_array(room, uint16_t, h.piece.count + (size_t)1);
  if (fread(codes, 1, h.piece.count, f) != h.piece.count ||
      fread(steps, sizeof *steps, h.piece.count, f) != h.piece.count ||
      sum_of(&h.piece, codes, steps) != h.sum)
    return false;
  *is_end = !h.piece.count;
  return *is_end || take(context, &h.piece, codes, steps);
}

static bool get_all(const value_head *expected, FILE *f, value_taker *take, void *context) {
  value_head h;
  bool is_end = false;
  if (fread(&h, sizeof h, 1, f) != 1 || memcmp(&h, expected, sizeof h) != 0) return false;
  arena *room = arena_new();
  bool ok = true;
  while (ok && !is_end) {
    ok = get_piece(f, room, take, context, &is_end);
    arena_clear(room);
  }
  arena_free(room);
  return ok;
}

static void close_stream(void *file) { fclose(file); }

bool value_file_read(const checkpoint *c, uint32_t number, uint32_t rank, uint32_t size,
                     value_taker *take, void *context) {
  const char *path = checkpoint_path_of(c, CHECKPOINT_VALUES, number, rank, size);
  const value_head expected = head_of(c, number, rank, size);
  FILE *f = fopen(path, "rb");
  if (!f) return complain(c, path, strerror(errno));
  arena *guard = arena_guarding(close_stream, f);
  const bool ok = get_all(&expected, f, take, context);
  arena_free(guard);
  return ok || complain(c, path, "the file is damaged or of another game");
}
