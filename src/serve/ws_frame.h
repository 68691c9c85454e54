/* WebSocket framing (RFC 6455), the server's side: frames of clients are masked, ours are not. */
#ifndef TABIA_SERVE_WS_FRAME_H
#define TABIA_SERVE_WS_FRAME_H

#include "base/text.h"

enum { WS_CONTINUE = 0, WS_TEXT = 1, WS_BINARY = 2, WS_CLOSE = 8, WS_PING = 9, WS_PONG = 10 };
enum { WS_ACCEPT_SIZE = 29 };

typedef enum ws_progress { WS_MORE, WS_WHOLE, WS_BROKEN, WS_TOO_LONG } ws_progress;

typedef struct ws_frame {
  uint8_t code; /* one of the above */
  bool is_last; /* of its message */
  char *bytes;  /* in the buffer that was read, unmasked */
  size_t length;
  size_t size; /* of the frame with its head */
} ws_frame;

/* Reads the frame at the beginning of `length` bytes and unmasks it where it lies, so that a whole
   frame is read once.  A payload over `most` bytes is too long, whether it has come or not. */
ws_progress ws_frame_read(ws_frame *f, char *bytes, size_t length, size_t most);

void ws_frame_add(text *out, uint8_t code, slice payload);

/* What answers the client's key. */
void ws_accept_key(slice key, char accept[WS_ACCEPT_SIZE]);

#endif
