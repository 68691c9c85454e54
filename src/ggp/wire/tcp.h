/* TCP sockets that never wait: listening, connecting, sending, receiving. */
#ifndef TABIA_GGP_WIRE_TCP_H
#define TABIA_GGP_WIRE_TCP_H

#include "base/text.h"

#include <sys/socket.h>

typedef struct tcp_address {
  struct sockaddr_storage place;
  socklen_t size;
  const char *host; /* as it was written, without the port */
} tcp_address;

/* Looks HOST:PORT up.  False: *why says what is wrong with it. */
bool tcp_resolve(tcp_address *a, const char *host_and_port, arena *keep, const char **why);

/* A socket that listens at an address of this machine; port 0: the system chooses one.
   *actual_port is the one that it has.  Below 0: errno says why not. */
int tcp_listen(const char *address, uint16_t port, uint16_t *actual_port);
int tcp_accept(int listener); /* below 0: no connection waits */

/* A socket that is being connected; it can be written to once it is.  Below 0: errno. */
int tcp_connect(const tcp_address *a);

typedef enum tcp_result { TCP_DONE, TCP_WAIT, TCP_END, TCP_ERROR } tcp_result;

/* Adds what has come to `in`, at most `most` bytes in all. */
tcp_result tcp_receive(int socket, text *in, size_t most);
/* Sends what is left behind the first *sent bytes. */
tcp_result tcp_send(int socket, slice bytes, size_t *sent);

#endif
