/* SHA-1 (FIPS 180-4), for the fingerprints in traces; not for secrets. */
#ifndef TABIA_BASE_SHA1_H
#define TABIA_BASE_SHA1_H

#include <stddef.h>
#include <stdint.h>

enum { SHA1_BLOCK = 64, SHA1_HEX_SIZE = 41 };

typedef struct sha1 {
  uint32_t state[5];
  uint64_t length; /* bytes so far */
  unsigned char block[SHA1_BLOCK];
} sha1;

void sha1_init(sha1 *s);
void sha1_add(sha1 *s, const void *bytes, size_t length);
void sha1_hex(sha1 *s, char hex[SHA1_HEX_SIZE]); /* ends it; 40 lower-case digits and a NUL */

#endif
