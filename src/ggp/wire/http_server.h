/* The player's end of HTTP: a poll loop of one thread over any number of connections.

   A request is handed over when it is whole, and answered whenever its owner likes: a second one
   may come and be answered before.  A body is one list, so it is whole when the list is closed,
   whatever the head says of its length: senders count characters for bytes, or say nothing.  A
   body that is no list ends with its length, its connection, or a pause. */
#ifndef TABIA_GGP_WIRE_HTTP_SERVER_H
#define TABIA_GGP_WIRE_HTTP_SERVER_H

#include "base/text.h"

typedef struct http_server http_server;
typedef void http_handler(void *context, uint64_t request, slice body);

/* Takes the listening socket over.  `wake` is a descriptor that ends a wait when it can be read,
   such as an eventfd, which is emptied; below 0: none. */
http_server *http_server_new(int listener, int wake, http_handler *handle, void *context);
void http_server_free(http_server *s); /* closes all connections */

/* Waits for events, for at most this time, and handles those that have come. */
void http_server_step(http_server *s, double seconds);

/* Answers a request; nothing happens when its sender has gone. */
void http_server_reply(http_server *s, uint64_t request, const char *body);

uint32_t http_server_connections(const http_server *s);

#endif
