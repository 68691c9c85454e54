/* Requests of a session: read by a separate thread, so that `stop` takes effect while another is in
   progress. */
#ifndef TABIA_SERVE_REQUEST_LINE_H
#define TABIA_SERVE_REQUEST_LINE_H

#include "tabia.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct request_line request_line;

/* `limits` are cancelled as soon as a `stop` is read. */
request_line *request_line_new(FILE *in, tabia_limits *limits);
void request_line_free(request_line *l); /* at the end of its input */

/* The next request, to be given back by json_decref; NULL: the input has ended.  What cannot be
   read is a JSON null.  The limits are good again, unless a stop was meant for this request. */
json_t *request_line_next(request_line *l);

/* Is a stop meant for the request that was taken last, or has the input ended? */
bool request_line_is_stopped(request_line *l);

#endif
