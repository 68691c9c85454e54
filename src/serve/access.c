#include "serve/access.h"

#include <stdio.h>
#include <sys/random.h>

bool access_is_loopback(const char *address) {
  return !strncmp(address, "127.", 4) || !strcmp(address, "::1") || !strcmp(address, "localhost");
}

bool access_make_token(char token[TOKEN_SIZE]) {
  unsigned char bytes[(TOKEN_SIZE - 1) / 2];
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) return false;
  for (size_t i = 0; i < sizeof bytes; i++) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
  return true;
}

bool access_is_token(const access_rules *a, slice words) {
  unsigned difference = 0;
  if (words.length != strlen(a->token)) return false;
  for (size_t i = 0; i < words.length; i++)
    difference |= (unsigned char)(words.start[i] ^ a->token[i]);
  return !difference;
}

/* "NAME:PORT", the port being left out where it is that of the scheme. */
static bool is_own_host(const access_rules *a, slice host) {
  char expected[300];
  for (uint32_t i = 0; i < a->name_count; i++) {
    const bool is_six = strchr(a->names[i], ':');
    snprintf(expected, sizeof expected, "%s%s%s:%u", is_six ? "[" : "", a->names[i],
             is_six ? "]" : "", a->port);
    if (slice_is_word(host, expected)) return true;
    if (a->port == 80 && slice_is_word(host, a->names[i])) return true;
  }
  return false;
}

/* Programs send no Origin; browsers send it whenever it matters. */
static bool is_own_origin(const access_rules *a, slice origin) {
  static const char scheme[] = "http://";
  const size_t length = sizeof scheme - 1;
  if (!origin.start) return true;
  return origin.length > length && !strncmp(origin.start, scheme, length) &&
         is_own_host(a, (slice){origin.start + length, origin.length - length});
}

static bool has_token(const access_rules *a, const web_request *r) {
  static const char bearer[] = "Bearer ";
  const size_t length = sizeof bearer - 1;
  const slice given = r->authorization;
  if (given.length > length && !strncmp(given.start, bearer, length) &&
      access_is_token(a, (slice){given.start + length, given.length - length}))
    return true;
  return access_is_token(a, web_value(r->cookie, "tabia_token")) ||
         access_is_token(a, web_value(r->query, "token"));
}

access_answer access_of(const access_rules *a, const web_request *r) {
  if (!is_own_host(a, r->host)) return ACCESS_HOST;
  if (!is_own_origin(a, r->origin)) return ACCESS_ORIGIN;
  return a->token && !has_token(a, r) ? ACCESS_TOKEN : ACCESS_OK;
}
