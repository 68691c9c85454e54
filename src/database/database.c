#include "database/database.h"

#include "base/hash.h"
#include "database/symbol_column.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool complain(diag_sink *d, const char *folder, const char *why) {
  diag_add(d, DIAG_E701, SPAN_NONE, "the database in %s: %s", folder, why);
  return false;
}

/* ---- the head ---- */

/* Room for the values is asked for only when the file is long enough for them. */
static bool read_head(database *b, FILE *f, arena *keep) {
  struct stat s;
  uint64_t checksum;
  if (fstat(fileno(f), &s) != 0 || fread(&b->head, sizeof b->head, 1, f) != 1) return false;
  const uint64_t count = (uint64_t)b->head.roles * b->head.value_count;
  const uint64_t size = sizeof b->head + count * sizeof(double) + sizeof checksum;
  if (b->head.value_count > DATABASE_VALUES_MAX || (uint64_t)s.st_size != size) return false;
  double *values = arena_new_array(keep, double, count + 1);
  if (count && fread(values, sizeof *values, count, f) != count) return false;
  if (fread(&checksum, sizeof checksum, 1, f) != 1) return false;
  hash_stream *sum = hash_stream_new();
  hash_stream_add(sum, &b->head, sizeof b->head);
  hash_stream_add(sum, values, count * sizeof *values);
  const bool is_right = checksum == hash_stream_value(sum);
  hash_stream_free(sum);
  b->values = values;
  return is_right;
}

static void close_stream(void *file) { fclose(file); }

static bool open_head(database *b, const char *folder, arena *keep, diag_sink *d) {
  FILE *f = fopen(database_path(folder, DATABASE_HEAD_NAME, keep), "rb");
  if (!f) return complain(d, folder, errno == ENOENT ? "it has no head" : strerror(errno));
  arena *guard = arena_guarding(close_stream, f);
  const bool ok = read_head(b, f, keep);
  arena_free(guard);
  if (ok && memcmp(b->head.magic, DATABASE_MAGIC, sizeof b->head.magic) == 0) return true;
  return complain(d, folder, "its head is damaged, or of another version");
}

/* ---- the files ---- */

static void unmap_files(void *what) {
  const database *b = what;
  for (uint32_t i = 0; i < DATABASE_COLUMNS; i++)
    if (b->files[i].bytes) munmap(b->files[i].bytes, b->files[i].size);
}

static bool map_file(mapped_file *m, const char *path, uint64_t expected) {
  struct stat s;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool has_size = fstat(file, &s) == 0 && (uint64_t)s.st_size == expected && expected > 0;
  void *bytes = has_size ? mmap(NULL, expected, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
  close(file);
  if (bytes == MAP_FAILED) return false;
  *m = (mapped_file){bytes, expected};
  return true;
}

/* Groups follow one another and end before the table. */
static bool table_is_sound(const database *b, uint32_t column, uint64_t end) {
  const database_entry *table = b->tables[column];
  uint64_t before = 0;
  for (uint64_t i = 0; i < b->head.groups; i++) {
    if (table[i].start < before || table[i].start > end) return false;
    before = table[i].start;
  }
  return true;
}

static bool open_column(database *b, uint32_t column, const char *path) {
  const uint64_t size = b->head.bytes[column], entry = sizeof(database_entry);
  if (!map_file(&b->files[column], path, size)) return false;
  if (size % 8 || !b->head.groups || size / entry < b->head.groups) return false;
  const uint64_t end = size - b->head.groups * entry;
  b->tables[column] = (const database_entry *)(const void *)(b->files[column].bytes + end);
  return hash_bytes(b->tables[column], b->head.groups * entry) == b->head.tables[column] &&
         table_is_sound(b, column, end);
}

bool database_open(database *b, const char *folder, uint64_t fingerprint, arena *keep,
                   diag_sink *d) {
  *b = (database){0};
  if (!open_head(b, folder, keep, d)) return false;
  if (b->head.fingerprint != fingerprint) return complain(d, folder, "it is of another game");
  b->guard = arena_guarding(unmap_files, b);
  for (uint32_t i = 0; i < DATABASE_COLUMNS; i++) {
    if (i == DATABASE_STEPS && !b->head.has_steps) continue;
    if (open_column(b, i, database_path(folder, database_file_names[i], keep))) continue;
    return complain(d, folder, "a file is missing or damaged");
  }
  return true;
}

void database_close(database *b) {
  arena_free(b->guard);
  b->guard = NULL;
}

/* ---- looking up ---- */

typedef struct byte_span {
  const uint8_t *bytes;
  size_t size;
} byte_span;

/* The bytes of a group.  False: they are damaged. */
static bool open_group(const database *b, uint32_t column, uint64_t group, byte_span *out) {
  const database_entry *it = &b->tables[column][group];
  const uint64_t end = group + 1 < b->head.groups
                           ? it[1].start
                           : b->files[column].size - b->head.groups * sizeof *it;
  *out = (byte_span){b->files[column].bytes + it->start, end - it->start};
  return hash_bytes(out->bytes, out->size) == it->checksum;
}

static bool read_symbol(const database *b, uint32_t column, uint64_t group, uint32_t count,
                        uint32_t number, uint16_t *symbol) {
  byte_span bytes;
  return open_group(b, column, group, &bytes) &&
         symbol_column_read(bytes.bytes, bytes.size, count, number, symbol);
}

database_answer database_find(const database *b, hash_key key, uint16_t *value, uint16_t *steps) {
  const uint64_t groups = b->head.groups, group = group_of_key(key, groups);
  uint32_t count, number;
  byte_span index;
  if (!open_group(b, DATABASE_INDEX, group, &index)) return DATABASE_DAMAGED;
  if (!minimal_hash_find(index.bytes, index.size, key, groups, &count, &number))
    return DATABASE_NOT_THERE;
  if (!read_symbol(b, DATABASE_VALUES, group, count, number, value)) return DATABASE_DAMAGED;
  if (steps && b->head.has_steps && !read_symbol(b, DATABASE_STEPS, group, count, number, steps))
    return DATABASE_DAMAGED;
  return *value < b->head.value_count ? DATABASE_FOUND : DATABASE_DAMAGED;
}
