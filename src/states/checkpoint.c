#include "states/checkpoint.h"

#include "base/budget.h"
#include "base/text.h"
#include "base/whole_file.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[8] = "tabiack1";
static const char *const kind_names[CHECKPOINT_KINDS] = {
    [CHECKPOINT_LEVEL] = "level", [CHECKPOINT_RUN] = "run", [CHECKPOINT_VALUES] = "values"};

static bool complain(const checkpoint *c, const char *why) {
  diag_add(c->diags, DIAG_E701, SPAN_NONE, "the checkpoint in %s: %s", c->folder, why);
  return false;
}

/* ---- names ---- */

const char *checkpoint_path_of(const checkpoint *c, checkpoint_kind kind, uint32_t number,
                               uint32_t rank, uint32_t size) {
  text path = text_new(c->keep);
  text_add_format(&path, "%s/%s-%u.%u-of-%u", c->folder, kind_names[kind], number, rank, size);
  return text_string(&path);
}

const char *checkpoint_path(const checkpoint *c, checkpoint_kind kind, uint32_t number) {
  return checkpoint_path_of(c, kind, number, ranks_rank(c->r), ranks_size(c->r));
}

run_label checkpoint_label(const checkpoint *c, uint32_t level, uint32_t run) {
  return (run_label){.question = c->head.question,
                     .level = level,
                     .number = run,
                     .rank = ranks_rank(c->r),
                     .size = ranks_size(c->r),
                     .state_bytes = c->state_bytes};
}

static const char *path_in(const checkpoint *c, const char *name) {
  text path = text_new(c->keep);
  text_add_format(&path, "%s/%s", c->folder, name);
  return text_string(&path);
}

/* ---- files that the head does not name ---- */

static bool is_named(const checkpoint_head *h, checkpoint_kind kind, uint32_t number,
                     uint32_t size) {
  if (size != h->size) return false;
  if (kind == CHECKPOINT_LEVEL) return number < h->level_count;
  if (kind == CHECKPOINT_RUN) return number >= h->first_run && number < h->end_run;
  return number >= h->first_values && number < h->end_values;
}

/* Is a file one of ours that counts no more, or was not finished?  Others are left alone. */
static bool is_stale(const checkpoint_head *h, const char *name) {
  if (strncmp(name, "head", strlen("head")) == 0) return whole_file_is_part(name + strlen("head"));
  for (uint32_t kind = 0; kind < CHECKPOINT_KINDS; kind++) {
    unsigned number, rank, size;
    int end = 0;
    const size_t length = strlen(kind_names[kind]);
    if (strncmp(name, kind_names[kind], length) != 0) continue;
    if (sscanf(name + length, "-%u.%u-of-%u%n", &number, &rank, &size, &end) != 3) continue;
    const char *behind = name + length + (size_t)end;
    return *behind ? whole_file_is_part(behind) : !is_named(h, kind, number, size);
  }
  return false;
}

static void close_folder(void *folder) { closedir(folder); }

static void remove_stale(const checkpoint *c, const checkpoint_head *h) {
  DIR *folder = opendir(c->folder);
  if (!folder) return;
  arena *guard = arena_guarding(close_folder, folder);
  for (const struct dirent *it; (it = readdir(folder));)
    if (is_stale(h, it->d_name)) unlink(path_in(c, it->d_name));
  arena_free(guard);
}

/* ---- the head ---- */

static uint64_t sum_of(const checkpoint_head *h) {
  checkpoint_head plain = *h;
  plain.sum = 0;
  return hash_bytes(&plain, sizeof plain);
}

static bool write_head(const checkpoint *c, const checkpoint_head *h) {
  whole_file f;
  if (!whole_file_begin(&f, path_in(c, "head"), c->keep)) return complain(c, strerror(errno));
  const bool is_complete = fwrite(h, sizeof *h, 1, f.file) == 1;
  return whole_file_end(&f, is_complete) || complain(c, strerror(errno));
}

static void close_stream(void *file) { fclose(file); }

static bool read_head(checkpoint *c, uint64_t question) {
  checkpoint_head h = {.question = question};
  FILE *f = fopen(path_in(c, "head"), "rb");
  c->head = h;
  if (!f) return errno == ENOENT || complain(c, strerror(errno));
  arena *guard = arena_guarding(close_stream, f);
  const bool is_read = fread(&h, sizeof h, 1, f) == 1;
  arena_free(guard);
  if (!is_read || memcmp(h.magic, magic, sizeof magic) != 0 || h.sum != sum_of(&h) || !h.size)
    return complain(c, "its head is damaged, or of another version");
  if (h.question != question) return complain(c, "it is of another game, or of another job");
  c->head = h;
  return true;
}

/* Has every rank done its part? */
static bool all_have(const checkpoint *c, bool is_done) {
  uint64_t failures = !is_done;
  if (ranks_sum(c->r, &failures, 1) && failures == 0) return true;
  if (is_done) ranks_stop(c->r); /* it was another */
  return false;
}

bool checkpoint_commit(checkpoint *c, const checkpoint_head *next, bool is_done) {
  checkpoint_head h = *next;
  const bool is_first = ranks_rank(c->r) == 0;
  memcpy(h.magic, magic, sizeof magic);
  h.size = ranks_size(c->r);
  h.sum = sum_of(&h);
  if (!all_have(c, is_done) || !all_have(c, !is_first || write_head(c, &h))) return false;
  const bool is_same = c->head.size == h.size && c->head.first_run == h.first_run &&
                       c->head.first_values == h.first_values;
  c->head = h;
  c->last = clock_now();
  if (is_first && !is_same) remove_stale(c, &h);
  return true;
}

bool checkpoint_is_due(const checkpoint *c) { return c && clock_now() > c->last + c->every; }

/* ---- opening and closing ---- */

static bool make_folder(const checkpoint *c) {
  if (mkdir(c->folder, 0777) == 0 || errno == EEXIST) return true;
  return complain(c, strerror(errno));
}

bool checkpoint_open(checkpoint *c, checkpoint_wish wish, uint64_t question, uint32_t state_bytes,
                     ranks *r, arena *keep, diag_sink *d) {
  *c = (checkpoint){.keep = keep,
                    .folder = wish.folder,
                    .r = r,
                    .state_bytes = state_bytes,
                    .every = wish.every > 0 ? wish.every : CHECKPOINT_USUAL,
                    .last = clock_now(),
                    .diags = d};
  if (!all_have(c, make_folder(c) && read_head(c, question))) return false;
  if (ranks_rank(r) == 0) remove_stale(c, &c->head);
  if (!all_have(c, true)) return false;
  if (!c->head.size || c->head.size == ranks_size(r)) return true;
  checkpoint_head next = c->head;
  const bool is_done = checkpoint_adopt(c, &next);
  return checkpoint_commit(c, &next, is_done);
}

void checkpoint_remove(checkpoint *c) {
  static const checkpoint_head nothing;
  if (ranks_rank(c->r) != 0) return;
  unlink(path_in(c, "head"));
  remove_stale(c, &nothing);
  rmdir(c->folder);
}
