/* Any bytes, as they could come from a browser's socket: the head of a request, frames behind it, and
   the message of a job.  What is read must lie within the bytes. */
#include "serve/access.h"
#include "serve/job_request.h"
#include "serve/ws_frame.h"

#include <stdlib.h>

enum { MESSAGE_MOST = 5000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds) {
  if (!holds) abort();
}

static void must_lie_in(slice part, slice whole) {
  must(part.length == 0 ||
       (part.start >= whole.start && part.start + part.length <= whole.start + whole.length));
}

/* Returns the size of the head, 0 where there is none. */
static size_t read_head(slice bytes) {
  static const access_rules rules = {
      .port = 8800, .names = {"localhost"}, .name_count = 1, .token = "0123456789abcdef"};
  web_request r;
  if (web_request_read(&r, bytes) != WEB_WHOLE) return 0;
  must(r.size <= bytes.length && r.size <= WEB_HEAD_MAX);
  must(*r.path == '/' && strlen(r.path) < WEB_PATH_MAX && !strstr(r.path, ".."));
  const slice parts[] = {r.method, r.target, r.query,     r.host,    r.origin, r.authorization,
                         r.cookie, r.etag,   r.encodings, r.upgrade, r.key,    r.version};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) must_lie_in(parts[i], bytes);
  must_lie_in(web_value(r.query, "token"), r.query);
  access_of(&rules, &r);
  return r.size;
}

static void read_job(slice message, arena *keep) {
  job_request r;
  job_fault fault;
  if (!job_request_read(&r, message, NULL, false, keep, &fault)) {
    must(fault.code && fault.message);
    return;
  }
  must(r.word_count && r.word_count <= JOB_WORDS_MAX + 1 && !r.words[r.word_count]);
  must(r.file_count <= JOB_FILES_MAX + 1);
  for (uint32_t i = 0; i < r.file_count; i++) must(job_is_file_name(r.files[i].name));
}

static void read_frames(char *bytes, size_t length, arena *keep) {
  ws_frame f;
  while (ws_frame_read(&f, bytes, length, MESSAGE_MOST) == WS_WHOLE) {
    must(f.size <= length && f.length <= MESSAGE_MOST && f.bytes + f.length == bytes + f.size);
    if (f.code == WS_TEXT) read_job((slice){f.bytes, f.length}, keep);
    bytes += f.size;
    length -= f.size;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  arena *keep = arena_new();
  char *bytes = arena_copy_text(keep, (const char *)data, size);
  read_job((slice){bytes, size}, keep);
  const size_t head = read_head((slice){bytes, size});
  read_frames(bytes + head, size - head, keep);
  arena_free(keep);
  return 0;
}
