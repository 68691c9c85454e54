/* Decides which requests are allowed. Refused are requests from pages of other sites, either across
   sites or by a name that was made to resolve to this host (DNS rebinding), and requests without
   the token if one is demanded. */
#ifndef TABIA_SERVE_ACCESS_H
#define TABIA_SERVE_ACCESS_H

#include "serve/web_request.h"

enum { TOKEN_SIZE = 33, ACCESS_NAMES_MAX = 16 };

typedef struct access_rules {
  uint16_t port;
  const char *names[ACCESS_NAMES_MAX]; /* hosts by which the server is called, without port */
  uint32_t name_count;
  const char *token; /* NULL: none is demanded */
} access_rules;

typedef enum access_answer { ACCESS_OK, ACCESS_HOST, ACCESS_ORIGIN, ACCESS_TOKEN } access_answer;

access_answer access_of(const access_rules *a, const web_request *r);

/* Is it the token?  Takes as long whatever differs. */
bool access_is_token(const access_rules *a, slice words);

bool access_is_loopback(const char *address);

/* False: the system gives no random bytes. */
bool access_make_token(char token[TOKEN_SIZE]);

#endif
