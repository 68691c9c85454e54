/* The head of an HTTP/1.1 request, parsed strictly: browsers and libraries write it correctly, and
   anything else is refused. */
#ifndef TABIA_SERVE_WEB_REQUEST_H
#define TABIA_SERVE_WEB_REQUEST_H

#include "base/text.h"

enum { WEB_HEAD_MAX = 1 << 14, WEB_PATH_MAX = 256 };

typedef enum web_progress { WEB_MORE, WEB_WHOLE, WEB_BROKEN } web_progress;

typedef struct web_request {
  slice method, target;    /* the target as it came, with its query */
  char path[WEB_PATH_MAX]; /* decoded, without the query */
  slice query;             /* behind `?` */
  slice host, origin, authorization, cookie, etag, encodings, upgrade, key, version;
  bool has_body, is_last; /* the connection is closed behind the answer */
  size_t size;            /* of the head */
} web_request;

/* Slices point into `bytes`. */
web_progress web_request_read(web_request *r, slice bytes);

/* The value of NAME in "a=1&b=2" or, of cookies, "a=1; b=2"; empty where it is not there. */
slice web_value(slice list, const char *name);

bool slice_is_word(slice s, const char *word); /* in any case */

#endif
