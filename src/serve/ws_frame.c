#include "serve/ws_frame.h"

#include "base/sha1.h"

/* A head is 2 bytes (last, code; masked, length), 2 or 8 more of a longer length, and 4 of the mask. */
enum { LENGTH_IN_TWO = 126, LENGTH_IN_EIGHT = 127, MASK_SIZE = 4 };

static uint64_t big_endian(const unsigned char *at, size_t size) {
  uint64_t number = 0;
  for (size_t i = 0; i < size; i++) number = number << 8 | at[i];
  return number;
}

static size_t extra_size(uint8_t length) {
  return length == LENGTH_IN_TWO ? 2 : length == LENGTH_IN_EIGHT ? 8 : 0;
}

static bool is_code(uint8_t code) {
  return code <= WS_BINARY || (code >= WS_CLOSE && code <= WS_PONG);
}

/* Reserved bits are those of extensions, which nobody has agreed on; control frames are short and
   whole. */
static bool is_allowed(const unsigned char *at) {
  const uint8_t code = at[0] & 0x0f, length = at[1] & 0x7f;
  const bool is_control = code >= WS_CLOSE;
  return !(at[0] & 0x70) && (at[1] & 0x80) && is_code(code) &&
         (!is_control || (length < LENGTH_IN_TWO && at[0] & 0x80));
}

static void unmask(char *bytes, size_t length, const unsigned char *mask) {
  for (size_t i = 0; i < length; i++) bytes[i] = (char)(bytes[i] ^ mask[i % MASK_SIZE]);
}

ws_progress ws_frame_read(ws_frame *f, char *bytes, size_t length, size_t most) {
  const unsigned char *at = (const unsigned char *)bytes;
  if (length < 2) return WS_MORE;
  if (!is_allowed(at)) return WS_BROKEN;
  const size_t extra = extra_size(at[1] & 0x7f);
  const size_t head = 2 + extra + MASK_SIZE;
  if (length < head) return WS_MORE;
  const uint64_t payload = extra ? big_endian(at + 2, extra) : at[1] & 0x7f;
  if (payload > most) return WS_TOO_LONG;
  if (length - head < payload) return WS_MORE;
  *f = (ws_frame){.code = at[0] & 0x0f,
                  .is_last = at[0] & 0x80,
                  .bytes = bytes + head,
                  .length = payload,
                  .size = head + payload};
  unmask(f->bytes, f->length, at + head - MASK_SIZE);
  return WS_WHOLE;
}

void ws_frame_add(text *out, uint8_t code, slice payload) {
  const size_t size = payload.length < LENGTH_IN_TWO ? 0 : payload.length <= 0xffff ? 2 : 8;
  text_add_char(out, (char)(0x80 | code));
  text_add_char(out, (char)(size == 0   ? payload.length
                            : size == 2 ? LENGTH_IN_TWO
                                        : LENGTH_IN_EIGHT));
  for (size_t i = size; i-- > 0;) text_add_char(out, (char)(payload.length >> (8 * i) & 0xff));
  text_add_bytes(out, payload.start, payload.length);
}

/* ---- the handshake ---- */

static unsigned hex_digit(char c) { return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10); }

static void add_base64(const unsigned char *bytes, size_t count, char *out) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < count; i += 3, out += 4) {
    const size_t left = count - i;
    const uint32_t group = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                           (left > 2 ? bytes[i + 2] : 0);
    out[0] = letters[group >> 18];
    out[1] = letters[group >> 12 & 63];
    out[2] = left > 1 ? letters[group >> 6 & 63] : '=';
    out[3] = left > 2 ? letters[group & 63] : '=';
  }
  *out = '\0';
}

void ws_accept_key(slice key, char accept[WS_ACCEPT_SIZE]) {
  static const char salt[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  unsigned char digest[20];
  char hex[SHA1_HEX_SIZE];
  sha1 s;
  sha1_init(&s);
  sha1_add(&s, key.start, key.length);
  sha1_add(&s, salt, sizeof salt - 1);
  sha1_hex(&s, hex);
  for (size_t i = 0; i < sizeof digest; i++)
    digest[i] = (unsigned char)(hex_digit(hex[2 * i]) << 4 | hex_digit(hex[2 * i + 1]));
  add_base64(digest, sizeof digest, accept);
}
