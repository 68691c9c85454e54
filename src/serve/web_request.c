#include "serve/web_request.h"

#include <strings.h>

bool slice_is_word(slice s, const char *word) {
  return s.length == strlen(word) && strncasecmp(s.start, word, s.length) == 0;
}

static bool take_line(slice *rest, slice *line) {
  const char *end = rest->length ? memmem(rest->start, rest->length, "\r\n", 2) : NULL;
  if (!end) return false;
  *line = (slice){rest->start, (size_t)(end - rest->start)};
  *rest = (slice){end + 2, rest->length - line->length - 2};
  return true;
}

static slice trimmed(slice s) {
  while (s.length && (*s.start == ' ' || *s.start == '\t')) s = (slice){s.start + 1, s.length - 1};
  while (s.length && (s.start[s.length - 1] == ' ' || s.start[s.length - 1] == '\t')) s.length--;
  return s;
}

/* ---- paths ---- */

static int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = (char)(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* One character of a target; below 0: it is wrong. */
static int take_character(slice *s) {
  if (*s->start != '%') {
    const int c = (unsigned char)*s->start;
    *s = (slice){s->start + 1, s->length - 1};
    return c;
  }
  const int high = s->length >= 3 ? hex_value(s->start[1]) : -1;
  const int low = s->length >= 3 ? hex_value(s->start[2]) : -1;
  if (high < 0 || low < 0) return -1;
  *s = (slice){s->start + 3, s->length - 3};
  return high * 16 + low;
}

/* Nothing that a file system or a log could take for something else. */
static bool is_harmless(const char *path) {
  for (const char *c = path; *c; c++)
    if (*c <= ' ' || *c > '~' || *c == '\\') return false;
  return *path == '/' && !strstr(path, "..");
}

static bool read_path(web_request *r) {
  slice rest = r->target;
  size_t length = 0;
  while (rest.length && *rest.start != '?') {
    const int c = take_character(&rest);
    if (c <= 0 || length + 1 >= sizeof r->path) return false;
    r->path[length++] = (char)c;
  }
  r->path[length] = '\0';
  if (rest.length) r->query = (slice){rest.start + 1, rest.length - 1};
  return is_harmless(r->path);
}

/* ---- heads ---- */

static bool read_first_line(web_request *r, slice line) {
  const char *first = memchr(line.start, ' ', line.length);
  const char *last = memrchr(line.start, ' ', line.length);
  if (!first || first == last) return false;
  r->method = (slice){line.start, (size_t)(first - line.start)};
  r->target = (slice){first + 1, (size_t)(last - first) - 1};
  const slice version = {last + 1, line.length - (size_t)(last - line.start) - 1};
  r->is_last = slice_equals(version, "HTTP/1.0");
  return (r->is_last || slice_equals(version, "HTTP/1.1")) && read_path(r);
}

/* Where a header's value goes; NULL: it is not needed. */
static slice *place_of(web_request *r, slice name) {
  const struct {
    const char *name;
    slice *place;
  } rows[] = {{"host", &r->host},
              {"origin", &r->origin},
              {"authorization", &r->authorization},
              {"cookie", &r->cookie},
              {"if-none-match", &r->etag},
              {"accept-encoding", &r->encodings},
              {"upgrade", &r->upgrade},
              {"sec-websocket-key", &r->key},
              {"sec-websocket-version", &r->version}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (slice_is_word(name, rows[i].name)) return rows[i].place;
  return NULL;
}

/* A header that comes twice is refused: two readers could take different ones. */
static bool read_header(web_request *r, slice line) {
  const char *colon = memchr(line.start, ':', line.length);
  if (!colon || colon == line.start || *line.start == ' ' || *line.start == '\t') return false;
  const slice name = {line.start, (size_t)(colon - line.start)};
  const slice value = trimmed((slice){colon + 1, line.length - name.length - 1});
  slice *place = place_of(r, name);
  if (place && place->start) return false;
  if (place) *place = value;
  if (slice_is_word(name, "transfer-encoding")) r->has_body = true;
  if (slice_is_word(name, "content-length") && !slice_equals(value, "0")) r->has_body = true;
  if (slice_is_word(name, "connection") && slice_is_word(value, "close")) r->is_last = true;
  return true;
}

web_progress web_request_read(web_request *r, slice bytes) {
  slice rest = bytes, line;
  *r = (web_request){0};
  if (bytes.length && !memmem(bytes.start, bytes.length, "\r\n\r\n", 4))
    return bytes.length > WEB_HEAD_MAX ? WEB_BROKEN : WEB_MORE;
  if (!take_line(&rest, &line)) return WEB_MORE;
  if (!read_first_line(r, line)) return WEB_BROKEN;
  while (take_line(&rest, &line) && line.length)
    if (!read_header(r, line)) return WEB_BROKEN;
  r->size = (size_t)(rest.start - bytes.start);
  return r->size > WEB_HEAD_MAX ? WEB_BROKEN : WEB_WHOLE;
}

slice web_value(slice list, const char *name) {
  const size_t length = strlen(name);
  while (list.length) {
    const char *start = list.start;
    size_t end = 0;
    while (end < list.length && start[end] != '&' && start[end] != ';') end++;
    const slice part = trimmed((slice){start, end});
    if (part.length > length && part.start[length] == '=' && !strncmp(part.start, name, length))
      return (slice){part.start + length + 1, part.length - length - 1};
    const size_t taken = end < list.length ? end + 1 : end;
    list = (slice){start + taken, list.length - taken};
  }
  return (slice){0};
}
