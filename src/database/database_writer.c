#include "database/database_writer.h"

#include "base/hash.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const database_file_names[DATABASE_COLUMNS] = {
    [DATABASE_INDEX] = "index", [DATABASE_VALUES] = "values", [DATABASE_STEPS] = "steps"};

const char *database_path(const char *folder, const char *name, arena *keep) {
  text path = text_new(keep);
  text_add_format(&path, "%s/%s", folder, name);
  return text_string(&path);
}

/* Only the first trouble is told. */
static bool fail(database_writer *w, const char *name) {
  if (!w->has_failed)
    diag_add(w->diags, DIAG_E701, SPAN_NONE, "the database in %s: %s: %s", w->folder, name,
             strerror(errno));
  w->has_failed = true;
  return false;
}

static bool has_column(const database_writer *w, uint32_t column) {
  return column != DATABASE_STEPS || w->head.has_steps;
}

static void close_folder(void *folder) { closedir(folder); }

static bool is_part_of(const char *name, const char *whole) {
  const size_t length = strlen(whole);
  return strncmp(name, whole, length) == 0 && whole_file_is_part(name + length);
}

/* Is it a file that was being written when its process was killed? */
static bool is_left_over(const char *name) {
  bool is_one = is_part_of(name, DATABASE_HEAD_NAME);
  for (uint32_t i = 0; i < DATABASE_COLUMNS; i++)
    is_one |= is_part_of(name, database_file_names[i]);
  return is_one;
}

static void remove_left_overs(const database_writer *w) {
  DIR *folder = opendir(w->folder);
  if (!folder) return;
  arena *guard = arena_guarding(close_folder, folder);
  for (const struct dirent *it; (it = readdir(folder));)
    if (is_left_over(it->d_name)) unlink(database_path(w->folder, it->d_name, w->keep));
  arena_free(guard);
}

static void close_stream(void *file) { fclose(file); }

/* Is there a head, but not of a database of any version?  Then the folder is for something else. */
static bool has_foreign_head(const char *path) {
  char magic[sizeof DATABASE_MAGIC] = "";
  const size_t length = strlen(DATABASE_MAGIC) - 1; /* the version is behind */
  FILE *f = fopen(path, "rb");
  if (!f) return false;
  arena *guard = arena_guarding(close_stream, f);
  const bool is_ours =
      fread(magic, length, 1, f) == 1 && memcmp(magic, DATABASE_MAGIC, length) == 0;
  arena_free(guard);
  return !is_ours;
}

static bool complain(diag_sink *d, const char *folder, const char *why) {
  diag_add(d, DIAG_E701, SPAN_NONE, "the database in %s: %s", folder, why);
  return false;
}

bool database_can_be_written(const char *folder, diag_sink *d) {
  if (mkdir(folder, 0777) == 0) return rmdir(folder) == 0 || complain(d, folder, strerror(errno));
  if (errno != EEXIST || access(folder, W_OK | X_OK) != 0)
    return complain(d, folder, strerror(errno));
  arena *scratch = arena_new();
  const bool is_foreign = has_foreign_head(database_path(folder, DATABASE_HEAD_NAME, scratch));
  arena_free(scratch);
  return !is_foreign || complain(d, folder, "the file head there is of something else");
}

bool database_writer_begin(database_writer *w, const char *folder, const database_head *head,
                           arena *keep, diag_sink *d) {
  *w = (database_writer){.keep = keep, .folder = folder, .head = *head, .diags = d};
  memcpy(w->head.magic, DATABASE_MAGIC, sizeof w->head.magic);
  w->has_failed = !database_can_be_written(folder, d);
  if (w->has_failed) return false;
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) return fail(w, "cannot be made");
  remove_left_overs(w);
  const char *old = database_path(folder, DATABASE_HEAD_NAME, keep);
  if (unlink(old) != 0 && errno != ENOENT) return fail(w, DATABASE_HEAD_NAME);
  for (uint32_t i = 0; i < DATABASE_COLUMNS; i++) {
    if (!has_column(w, i)) continue;
    const char *path = database_path(folder, database_file_names[i], keep);
    w->is_open[i] = whole_file_begin(&w->files[i], path, keep);
    if (!w->is_open[i]) return fail(w, database_file_names[i]);
  }
  return true;
}

static bool put(database_writer *w, uint32_t column, const void *bytes, size_t size) {
  w->at[column] += size;
  if (!size || fwrite(bytes, 1, size, w->files[column].file) == size) return true;
  return fail(w, database_file_names[column]);
}

bool database_writer_add(database_writer *w, const uint8_t *const *bytes, const size_t *sizes) {
  for (uint32_t i = 0; i < DATABASE_COLUMNS && !w->has_failed; i++) {
    if (!has_column(w, i)) continue;
    const database_entry it = {w->at[i], hash_bytes(bytes[i], sizes[i])};
    vec_push(w->keep, &w->tables[i], it);
    put(w, i, bytes[i], sizes[i]);
  }
  return !w->has_failed;
}

static bool put_table(database_writer *w, uint32_t column) {
  const size_t size = w->tables[column].count * sizeof *w->tables[column].items;
  w->head.tables[column] = hash_bytes(w->tables[column].items, size);
  if (!put(w, column, w->tables[column].items, size)) return false;
  w->head.bytes[column] = w->at[column];
  return true;
}

static bool write_head(const database_writer *w, const double *values, FILE *out) {
  const size_t size = (size_t)w->head.roles * w->head.value_count * sizeof *values;
  hash_stream *sum = hash_stream_new();
  hash_stream_add(sum, &w->head, sizeof w->head);
  hash_stream_add(sum, values, size);
  const uint64_t checksum = hash_stream_value(sum);
  hash_stream_free(sum);
  return fwrite(&w->head, sizeof w->head, 1, out) == 1 &&
         (!size || fwrite(values, size, 1, out) == 1) &&
         fwrite(&checksum, sizeof checksum, 1, out) == 1;
}

static bool put_head(database_writer *w, const double *values) {
  whole_file f;
  if (!whole_file_begin(&f, database_path(w->folder, DATABASE_HEAD_NAME, w->keep), w->keep))
    return fail(w, DATABASE_HEAD_NAME);
  const bool is_complete = write_head(w, values, f.file);
  return whole_file_end(&f, is_complete) || fail(w, DATABASE_HEAD_NAME);
}

bool database_writer_end(database_writer *w, const double *values, bool is_complete) {
  bool ok = is_complete && !w->has_failed;
  for (uint32_t i = 0; i < DATABASE_COLUMNS; i++) {
    if (!w->is_open[i]) continue;
    if (ok) ok = put_table(w, i);
    if (!whole_file_end(&w->files[i], ok) && ok) ok = fail(w, database_file_names[i]);
  }
  if (ok && !w->head.has_steps) unlink(database_path(w->folder, "steps", w->keep));
  return ok && put_head(w, values);
}
