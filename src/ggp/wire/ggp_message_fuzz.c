/* Any bytes, as they could come from a socket: a request to a player, a reply to a referee, and a
   message.  What is read must lie within the bytes, and what was read can be written. */
#include "ggp/wire/ggp_message.h"
#include "ggp/wire/http_head.h"
#include "ggp/wire/name_map.h"
#include "ggp/wire/sexp.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds) {
  if (!holds) abort();
}

static void must_lie_in(slice part, slice whole) {
  must(part.length == 0 ||
       (part.start >= whole.start && part.start + part.length <= whole.start + whole.length));
}

static void read_message(slice bytes, arena *keep) {
  ggp_message m;
  if (!ggp_message_read(&m, bytes)) return;
  must_lie_in(m.id, bytes);
  must_lie_in(m.role, bytes);
  must_lie_in(m.rules, bytes);
  must_lie_in(m.last_move, bytes);
  must_lie_in(m.terms, bytes);
  name_map names = name_map_new(keep);
  text out = text_new(keep);
  name_map_learn_case(&names, m.rules);
  name_map_add_terms(&names, m.rules, &out);
}

static void read_http(slice bytes, arena *keep) {
  http_head head;
  text body = text_new(keep), path = text_new(keep);
  if (http_head_read(&head, bytes) != HTTP_WHOLE) return;
  must(head.size <= bytes.length);
  const slice rest = {bytes.start + head.size, bytes.length - head.size};
  http_add_decoded(head.target, &path);
  read_message((slice){text_string(&path), path.length}, keep);
  read_message(rest, keep);
  if (http_body_read(&head, rest, true, &body) == HTTP_WHOLE)
    read_message((slice){text_string(&body), body.length}, keep);
}

/* A canonical text is its own canonical text. */
static void write_terms(slice bytes, arena *keep) {
  text once = text_new(keep), twice = text_new(keep);
  sexp_add_spaced(bytes, &once);
  sexp_add_spaced((slice){text_string(&once), once.length}, &twice);
  must(once.length == twice.length && memcmp(once.bytes, text_string(&twice), once.length) == 0);
  sexp_add_canonical(bytes, &twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  arena *keep = arena_new();
  const slice bytes = {arena_copy_text(keep, (const char *)data, size), size};
  sexp_scan scan = {0};
  sexp_scan_add(&scan, bytes.start, size);
  read_message(bytes, keep);
  read_http(bytes, keep);
  write_terms(bytes, keep);
  arena_free(keep);
  return 0;
}
