#include "read/source.h"

#include "base/recovery.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_READ = 64 * 1024 };

static bool report_unreadable(diag_sink *d, const char *path, const char *why) {
  diag_add(d, DIAG_E701, SPAN_NONE, "cannot read %s: %s",
           strcmp(path, "-") == 0 ? "standard input" : path, why);
  return false;
}

static bool report_too_large(diag_sink *d, const char *path) {
  diag *g = diag_add(d, DIAG_E112, SPAN_NONE, "%s is too large to be read", path);
  diag_hint(d, g, "a rulesheet may have up to 4 GiB");
  return false;
}

/* Reads to the end of the file or one byte beyond the limit; ends the text with NUL.  False: errno
   tells why not. */
static bool read_all(int file, size_t capacity, arena *keep, char **bytes, size_t *length) {
  char *buffer = arena_alloc(keep, capacity);
  *length = 0;
  while (*length <= SOURCE_MAX_BYTES) {
    const ssize_t got = read(file, buffer + *length, capacity - 1 - *length);
    if (got < 0) return false;
    if (got == 0) break;
    *length += (size_t)got;
    if (*length + 1 < capacity) continue;
    buffer = arena_grow(keep, buffer, capacity, capacity * 2);
    capacity *= 2;
  }
  buffer[*length] = '\0';
  *bytes = buffer;
  return true;
}

/* There is room for what the file is known to hold and one byte, so that its end is met at once. */
static bool load_open_file(source *s, const char *path, int file, arena *keep, diag_sink *d) {
  struct stat about;
  if (fstat(file, &about) != 0) return report_unreadable(d, path, strerror(errno));
  if (S_ISDIR(about.st_mode)) return report_unreadable(d, path, "it is a directory");
  const bool has_size = S_ISREG(about.st_mode);
  if (has_size && (uint64_t)about.st_size > SOURCE_MAX_BYTES) return report_too_large(d, path);
  const size_t capacity = has_size ? (size_t)about.st_size + 2 : FIRST_READ;
  char *bytes;
  size_t length;
  if (!read_all(file, capacity, keep, &bytes, &length))
    return report_unreadable(d, path, strerror(errno));
  if (length > SOURCE_MAX_BYTES) return report_too_large(d, path);
  *s = source_of(path, bytes, (uint32_t)length);
  return true;
}

bool source_load(source *s, const char *path, arena *keep, diag_sink *d) {
  *s = source_of(path, "", 0);
  if (strcmp(path, "-") == 0) return load_open_file(s, path, STDIN_FILENO, keep, d);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return report_unreadable(d, path, strerror(errno));
  arena *guard = arena_guarding(close_guarded, &file);
  const bool loaded = load_open_file(s, path, file, keep, d);
  arena_free(guard);
  return loaded;
}

source source_of(const char *name, const char *bytes, uint32_t length) {
  assert(bytes[length] == '\0' && length <= SOURCE_MAX_BYTES);
  return (source){.name = name, .bytes = bytes, .length = length};
}

/* The offset behind a line end at `offset`, or `offset` when none is there. */
static uint32_t skip_line_end(const source *s, uint32_t offset) {
  if (offset >= s->length) return offset;
  if (s->bytes[offset] == '\n') return offset + 1;
  if (s->bytes[offset] != '\r') return offset;
  return offset + 1 + (s->bytes[offset + 1] == '\n' && offset + 1 < s->length);
}

/* A byte order mark belongs to no line. */
static void index_lines(source *s, arena *keep) {
  id_vec starts = {0};
  vec_push(keep, &starts, s->length >= 3 && memcmp(s->bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
  for (uint32_t at = 0; at < s->length;) {
    const uint32_t next = skip_line_end(s, at);
    if (next == at) {
      at++;
      continue;
    }
    vec_push(keep, &starts, next);
    at = next;
  }
  s->line_starts = starts.items;
  s->line_count = starts.count;
}

/* The number of the line that holds `offset`, from 0. */
static uint32_t line_of(const source *s, uint32_t offset) {
  uint32_t low = 0;
  uint32_t high = s->line_count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (s->line_starts[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* ---- characters ---- */

/* How many are before a character, at or just before each multiple of MARK_STEP bytes. */
typedef struct source_mark {
  uint32_t offset;
  uint32_t characters;
  uint32_t units; /* of UTF-16 */
} source_mark;

enum { MARK_STEP = 256 };

/* Moves behind one character; the text is not at its end. */
static void skip_character(const source *s, source_mark *m) {
  const uint32_t length = utf8_length(s->bytes + m->offset, s->bytes + s->length);
  m->offset += length ? length : 1;
  m->characters++;
  m->units += length == 4 ? 2 : 1;
}

/* To the character that holds `offset`. */
static void move_to(const source *s, source_mark *m, uint32_t offset) {
  for (source_mark next = *m; next.offset < s->length; *m = next) {
    skip_character(s, &next);
    if (next.offset > offset) return;
  }
}

static bool is_ascii(const source *s) {
  uint8_t all = 0;
  for (uint32_t i = 0; i < s->length; i++) all |= (uint8_t)s->bytes[i];
  return all < 0x80;
}

static void index_characters(source *s, arena *keep) {
  if (is_ascii(s)) return;
  s->marks = arena_new_array(keep, source_mark, s->length / MARK_STEP + 1);
  source_mark at = {0};
  for (uint32_t i = 0; i <= s->length / MARK_STEP; i++) {
    move_to(s, &at, i * MARK_STEP);
    s->marks[i] = at;
  }
}

static source_mark count_to(const source *s, uint32_t offset) {
  if (!s->marks) return (source_mark){offset, offset, offset};
  source_mark m = s->marks[offset / MARK_STEP];
  move_to(s, &m, offset);
  return m;
}

/* ---- places ---- */

void source_index_lines(source *s, arena *keep) {
  if (s->line_starts) return;
  index_lines(s, keep);
  index_characters(s, keep);
}

place source_place(const source *s, uint32_t offset) {
  assert(s->line_starts);
  if (offset > s->length) offset = s->length;
  const uint32_t line = line_of(s, offset);
  if (offset < s->line_starts[line]) offset = s->line_starts[line];
  const source_mark start = count_to(s, s->line_starts[line]);
  const source_mark end = count_to(s, offset);
  return (place){.line = line + 1,
                 .column = end.characters - start.characters + 1,
                 .bytes = offset - start.offset + 1,
                 .utf16 = end.units - start.units + 1};
}

slice source_line(const source *s, uint32_t line) {
  assert(s->line_starts);
  if (line == 0 || line > s->line_count) return (slice){s->bytes, 0};
  const uint32_t start = s->line_starts[line - 1];
  uint32_t end = line < s->line_count ? s->line_starts[line] : s->length;
  while (end > start && (s->bytes[end - 1] == '\n' || s->bytes[end - 1] == '\r')) end--;
  return (slice){s->bytes + start, end - start};
}

slice source_slice(const source *s, span where) {
  assert(where.start <= where.end && where.end <= s->length);
  return (slice){s->bytes + where.start, where.end - where.start};
}

static bool is_continuation(const char *at) { return ((uint8_t)*at & 0xc0) == 0x80; }

/* The character that a well-formed sequence of `length` bytes stands for. */
static uint32_t decode(const char *at, uint32_t length) {
  uint32_t character = (uint8_t)at[0] & (0xffu >> (length + 1));
  for (uint32_t i = 1; i < length; i++) character = character << 6 | ((uint8_t)at[i] & 0x3fu);
  return character;
}

/* How many bytes the first byte of a character announces; 0: it cannot be a first byte. */
static uint32_t promised_length(uint8_t lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

uint32_t utf8_length(const char *at, const char *end) {
  if (at >= end) return 0;
  const uint32_t length = promised_length((uint8_t)*at);
  if (length == 0 || (size_t)(end - at) < length) return 0;
  for (uint32_t i = 1; i < length; i++)
    if (!is_continuation(at + i)) return 0;
  if (length == 1) return 1;
  static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const uint32_t character = decode(at, length);
  const bool is_surrogate = character >= 0xd800 && character < 0xe000;
  return character < smallest[length] || character > 0x10ffff || is_surrogate ? 0 : length;
}
