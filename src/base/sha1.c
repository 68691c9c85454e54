#include "base/sha1.h"

#include <stdio.h>
#include <string.h>

void sha1_init(sha1 *s) {
  *s = (sha1){.state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}};
}

static uint32_t rotate(uint32_t x, int bits) { return x << bits | x >> (32 - bits); }

static uint32_t big_endian(const unsigned char *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void expand_block(uint32_t w[80], const unsigned char *block) {
  for (int i = 0; i < 16; i++) w[i] = big_endian(block + 4 * i);
  for (int i = 16; i < 80; i++) w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
}

/* The function and the constant of round i. */
static uint32_t round_term(int i, uint32_t b, uint32_t c, uint32_t d) {
  if (i < 20) return ((b & c) | (~b & d)) + 0x5a827999;
  if (i < 40) return (b ^ c ^ d) + 0x6ed9eba1;
  if (i < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  return (b ^ c ^ d) + 0xca62c1d6;
}

static void add_block(sha1 *s) {
  uint32_t w[80], h[5];
  expand_block(w, s->block);
  memcpy(h, s->state, sizeof h);
  for (int i = 0; i < 80; i++) {
    const uint32_t next = rotate(h[0], 5) + round_term(i, h[1], h[2], h[3]) + h[4] + w[i];
    h[4] = h[3];
    h[3] = h[2];
    h[2] = rotate(h[1], 30);
    h[1] = h[0];
    h[0] = next;
  }
  for (int i = 0; i < 5; i++) s->state[i] += h[i];
}

void sha1_add(sha1 *s, const void *bytes, size_t length) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < length; i++) {
    s->block[s->length++ % SHA1_BLOCK] = at[i];
    if (s->length % SHA1_BLOCK == 0) add_block(s);
  }
}

/* A one bit, zeros, and the length in bits fill the last block. */
static void pad(sha1 *s) {
  const uint64_t bits = s->length * 8;
  unsigned char length[8];
  for (int i = 0; i < 8; i++) length[i] = (unsigned char)(bits >> (56 - 8 * i));
  sha1_add(s, "\x80", 1);
  while (s->length % SHA1_BLOCK != SHA1_BLOCK - 8) sha1_add(s, "", 1);
  sha1_add(s, length, 8);
}

void sha1_hex(sha1 *s, char hex[SHA1_HEX_SIZE]) {
  pad(s);
  for (int i = 0; i < 5; i++) snprintf(hex + 8 * i, 9, "%08x", (unsigned)s->state[i]);
}
