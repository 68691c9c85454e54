#include "ggp/wire/tcp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <unistd.h>

/* ---- addresses ---- */

static bool split_address(const char *words, arena *keep, const char **host, const char **port) {
  const char *colon = strrchr(words, ':');
  if (!colon || colon == words || !colon[1]) return false;
  const bool is_bracketed = *words == '[' && colon[-1] == ']';
  const char *start = words + is_bracketed, *end = colon - is_bracketed;
  *host = arena_copy_text(keep, start, (size_t)(end - start));
  *port = colon + 1;
  return end > start;
}

static bool look_up(const char *host, const char *port, int flags, struct addrinfo **found,
                    const char **why) {
  const struct addrinfo wish = {.ai_socktype = SOCK_STREAM, .ai_flags = flags | AI_NUMERICSERV};
  const int fault = getaddrinfo(host, port, &wish, found);
  if (fault) *why = gai_strerror(fault);
  return !fault;
}

bool tcp_resolve(tcp_address *a, const char *host_and_port, arena *keep, const char **why) {
  const char *port;
  struct addrinfo *found;
  *why = "an address is HOST:PORT";
  if (!split_address(host_and_port, keep, &a->host, &port)) return false;
  if (!look_up(a->host, port, 0, &found, why)) return false;
  memcpy(&a->place, found->ai_addr, found->ai_addrlen);
  a->size = found->ai_addrlen;
  freeaddrinfo(found);
  return true;
}

/* ---- sockets ---- */

/* A message is one small piece: it must not wait for others. */
static void send_at_once(int socket) {
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
}

static uint16_t port_of(int socket) {
  struct sockaddr_storage place;
  socklen_t size = sizeof place;
  if (getsockname(socket, (struct sockaddr *)&place, &size) != 0) return 0;
  if (place.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&place)->sin6_port);
  return ntohs(((struct sockaddr_in *)&place)->sin_port);
}

static int listen_at(const struct addrinfo *where) {
  const int made = socket(where->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (made < 0) return made;
  setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
  if (bind(made, where->ai_addr, where->ai_addrlen) == 0 && listen(made, 64) == 0) return made;
  const int fault = errno;
  close(made);
  errno = fault;
  return -1;
}

int tcp_listen(const char *address, uint16_t port, uint16_t *actual_port) {
  char digits[8];
  struct addrinfo *found;
  const char *why;
  snprintf(digits, sizeof digits, "%u", port);
  if (!look_up(address, digits, AI_PASSIVE, &found, &why)) {
    errno = EADDRNOTAVAIL;
    return -1;
  }
  const int made = listen_at(found);
  freeaddrinfo(found);
  if (made >= 0) *actual_port = port_of(made);
  return made;
}

int tcp_accept(int listener) {
  const int made = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (made >= 0) send_at_once(made);
  return made;
}

int tcp_connect(const tcp_address *a) {
  const int made = socket(a->place.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (made < 0) return made;
  send_at_once(made);
  if (connect(made, (const struct sockaddr *)&a->place, a->size) == 0 || errno == EINPROGRESS)
    return made;
  const int fault = errno;
  close(made);
  errno = fault;
  return -1;
}

/* ---- bytes ---- */

static tcp_result failure(void) {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? TCP_WAIT : TCP_ERROR;
}

tcp_result tcp_receive(int socket, text *in, size_t most) {
  char bytes[1 << 14];
  const size_t room = most > in->length ? most - in->length : 0;
  const ssize_t got = recv(socket, bytes, room < sizeof bytes ? room : sizeof bytes, 0);
  if (got < 0) return failure();
  if (got == 0) return TCP_END;
  text_add_bytes(in, bytes, (size_t)got);
  return TCP_DONE;
}

tcp_result tcp_send(int socket, slice bytes, size_t *sent) {
  while (*sent < bytes.length) {
    const ssize_t went = send(socket, bytes.start + *sent, bytes.length - *sent, MSG_NOSIGNAL);
    if (went < 0) return failure();
    *sent += (size_t)went;
  }
  return TCP_DONE;
}
