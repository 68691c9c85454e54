#include "ggp/wire/http_head.h"

#include "ggp/wire/sexp.h"

/* ---- lines ---- */

/* Takes a line off the front; false: its end has not come yet. */
static bool take_line(slice *rest, slice *line) {
  const char *end = memchr(rest->start, '\n', rest->length);
  if (!end) return false;
  *line = (slice){rest->start, (size_t)(end - rest->start)};
  rest->length -= line->length + 1;
  rest->start = end + 1;
  if (line->length && line->start[line->length - 1] == '\r') line->length--;
  return true;
}

static slice trimmed(slice s) {
  while (s.length && (*s.start == ' ' || *s.start == '\t')) s = (slice){s.start + 1, s.length - 1};
  while (s.length && (s.start[s.length - 1] == ' ' || s.start[s.length - 1] == '\t')) s.length--;
  return s;
}

static bool begins_with(slice s, const char *word) {
  const size_t length = strlen(word);
  return s.length >= length && sexp_is((slice){s.start, length}, word);
}

static bool read_number(slice digits, uint32_t base, uint64_t *number) {
  size_t i = 0;
  *number = 0;
  for (; i < digits.length; i++) {
    const char c = (char)(digits.start[i] | 0x20);
    const bool is_digit = digits.start[i] >= '0' && digits.start[i] <= '9';
    if (!is_digit && !(base == 16 && c >= 'a' && c <= 'f')) break;
    if (*number > UINT64_MAX / 32) return false;
    *number = *number * base + (uint64_t)(is_digit ? c - '0' : c - 'a' + 10);
  }
  return i > 0;
}

/* ---- heads ---- */

static bool is_word(slice s) {
  size_t i = 0;
  while (i < s.length && (s.start[i] | 0x20) >= 'a' && (s.start[i] | 0x20) <= 'z') i++;
  return i == s.length && i > 0;
}

/* "GET /( INFO ) HTTP/1.1": the path may hold blanks. */
static bool read_request_line(http_head *h, slice line) {
  const char *blank = memchr(line.start, ' ', line.length);
  if (!blank) return false;
  h->method = (slice){line.start, (size_t)(blank - line.start)};
  h->target = trimmed((slice){blank, line.length - h->method.length});
  for (size_t i = h->target.length; i-- > 0;)
    if (begins_with((slice){h->target.start + i, h->target.length - i}, " HTTP/")) {
      h->target = trimmed((slice){h->target.start, i});
      break;
    }
  return is_word(h->method) && h->target.length > 0;
}

static bool read_first_line(http_head *h, slice line) {
  if (!begins_with(line, "HTTP/")) return read_request_line(h, line);
  const char *blank = memchr(line.start, ' ', line.length);
  uint64_t status;
  if (!blank) return false;
  const slice rest = trimmed((slice){blank, line.length - (size_t)(blank - line.start)});
  if (!read_number(rest, 10, &status) || status < 100 || status > 999) return false;
  h->status = (uint32_t)status;
  return true;
}

/* A line that is no header is passed over; of two lengths the first counts. */
static void read_header(http_head *h, slice line) {
  const char *colon = memchr(line.start, ':', line.length);
  if (!colon) return;
  const slice name = trimmed((slice){line.start, (size_t)(colon - line.start)});
  const slice value = trimmed((slice){colon + 1, line.length - (size_t)(colon - line.start) - 1});
  if (sexp_is(name, "content-length") && !h->has_length)
    h->has_length = read_number(value, 10, &h->length);
  if (sexp_is(name, "transfer-encoding")) h->is_chunked = begins_with(value, "chunked");
}

http_progress http_head_read(http_head *h, slice bytes) {
  slice rest = bytes, line;
  *h = (http_head){0};
  if (!take_line(&rest, &line)) return bytes.length > HTTP_HEAD_MAX ? HTTP_BROKEN : HTTP_MORE;
  if (!read_first_line(h, line)) return HTTP_BROKEN;
  while (take_line(&rest, &line)) {
    h->size = (size_t)(rest.start - bytes.start);
    if (h->size > HTTP_HEAD_MAX) return HTTP_BROKEN;
    if (!line.length) return HTTP_WHOLE;
    read_header(h, line);
  }
  return bytes.length > HTTP_HEAD_MAX ? HTTP_BROKEN : HTTP_MORE;
}

/* ---- bodies ---- */

/* One chunk: its size in hexadecimal, a line end, the bytes, a line end. */
static http_progress take_chunk(slice *rest, text *body, bool *is_last) {
  slice line;
  uint64_t size;
  if (!take_line(rest, &line)) return HTTP_MORE;
  if (!read_number(trimmed(line), 16, &size)) return HTTP_BROKEN;
  *is_last = size == 0;
  if (*is_last) return HTTP_WHOLE;
  if (rest->length < size) return HTTP_MORE;
  text_add_bytes(body, rest->start, size);
  *rest = (slice){rest->start + size, rest->length - size};
  return take_line(rest, &line) ? HTTP_WHOLE : HTTP_MORE;
}

static http_progress read_chunks(slice bytes, text *body) {
  const size_t before = body->length;
  bool is_last = false;
  http_progress result = HTTP_WHOLE;
  while (result == HTTP_WHOLE && !is_last) result = take_chunk(&bytes, body, &is_last);
  if (result != HTTP_WHOLE) body->length = before;
  return result;
}

static http_progress read_plain(const http_head *h, slice bytes, bool at_end, text *body) {
  if (h->has_length && bytes.length < h->length) return HTTP_MORE;
  if (!h->has_length && !at_end) return HTTP_MORE;
  text_add_bytes(body, bytes.start, h->has_length ? h->length : bytes.length);
  return HTTP_WHOLE;
}

http_progress http_body_read(const http_head *h, slice bytes, bool at_end, text *body) {
  const http_progress result =
      h->is_chunked ? read_chunks(bytes, body) : read_plain(h, bytes, at_end, body);
  return result == HTTP_MORE && at_end ? HTTP_BROKEN : result;
}

/* ---- paths ---- */

static bool is_encoded_byte(slice s, uint64_t *byte) {
  return s.length >= 3 && *s.start == '%' && read_number((slice){s.start + 1, 1}, 16, byte) &&
         read_number((slice){s.start + 1, 2}, 16, byte) &&
         read_number((slice){s.start + 2, 1}, 16, &(uint64_t){0});
}

void http_add_decoded(slice target, text *out) {
  uint64_t byte;
  if (target.length && *target.start == '/') target = (slice){target.start + 1, target.length - 1};
  while (target.length) {
    const bool is_encoded = is_encoded_byte(target, &byte);
    const char c = is_encoded ? (char)byte : *target.start == '+' ? ' ' : *target.start;
    const size_t taken = is_encoded ? 3 : 1;
    text_add_char(out, c);
    target = (slice){target.start + taken, target.length - taken};
  }
}

/* ---- writing ---- */

void http_add_reply(text *out, const char *body) {
  text_add_format(out,
                  "HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: %zu\r\n"
                  "Access-Control-Allow-Origin: *\r\n"
                  "Access-Control-Allow-Methods: POST, GET, OPTIONS\r\n"
                  "Access-Control-Allow-Headers: Content-Type\r\n"
                  "Access-Control-Allow-Age: 86400\r\n\r\n%s",
                  strlen(body), body);
}

void http_add_request(text *out, const char *host, const char *receiver, slice body) {
  text_add_format(out,
                  "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: %s\r\nSender: GAMESERVER\r\n"
                  "Receiver: %s\r\nContent-Type: text/acl\r\nContent-Length: %zu\r\n\r\n",
                  host, receiver, body.length);
  text_add_bytes(out, body.start, body.length);
}
