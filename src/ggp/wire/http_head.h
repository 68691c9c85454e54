/* HTTP as match programs speak it: heads with LF or CRLF, names in any case, odd lines among them,
   bodies by Content-Length, in chunks or up to the end.  README.md says why no library does. */
#ifndef TABIA_GGP_WIRE_HTTP_HEAD_H
#define TABIA_GGP_WIRE_HTTP_HEAD_H

#include "base/text.h"

typedef enum http_progress { HTTP_MORE, HTTP_WHOLE, HTTP_BROKEN } http_progress;

enum { HTTP_HEAD_MAX = 1 << 16 };

typedef struct http_head {
  slice method, target; /* of a request */
  uint32_t status;      /* of a reply; 0 in a request */
  bool has_length;
  bool is_chunked;
  uint64_t length; /* of the body, where the head has it */
  size_t size;     /* of the head itself, with the empty line */
} http_head;

/* Reads the head at the beginning of what has come so far. */
http_progress http_head_read(http_head *h, slice bytes);

/* The body of a reply, from what has come behind its head; `at_end`: no more will come.  Adds it to
   `body` once it is whole.  A body that is shorter than its head says is broken. */
http_progress http_body_read(const http_head *h, slice bytes, bool at_end, text *body);

/* A path with %28 for `(` and so on, without its first `/`. */
void http_add_decoded(slice target, text *out);

/* The reply of a player: one piece, with the headers that browsers ask for. */
void http_add_reply(text *out, const char *body);
/* The request of a referee. */
void http_add_request(text *out, const char *host, const char *receiver, slice body);

#endif
