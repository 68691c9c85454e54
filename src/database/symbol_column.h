/* Symbols by number, compressed near their entropy, each readable by itself.

   Few different symbols are coded by rANS (Duda 2013) in chunks of COLUMN_CHUNK, with the
   frequencies of this column; many are kept as they are.  To read one, those before it in its chunk
   are decoded.

   Bytes, all in 16-bit little-endian words: the number of different symbols, 0 where they are kept
   as they are; each of them, ascending, with its frequency; and unless there is only one, by chunk
   where it begins, in words behind these starts; the words of the chunks. */
#ifndef TABIA_DATABASE_SYMBOL_COLUMN_H
#define TABIA_DATABASE_SYMBOL_COLUMN_H

#include "database/minimal_hash.h"

enum { COLUMN_CHUNK = 512 };

/* Appends the bytes of up to HASH_KEYS_MAX symbols. */
void symbol_column_build(const uint16_t *symbols, uint32_t count, byte_vec *out, arena *keep);

/* One of `count` symbols.  False: there is none with this number, or the bytes are none of a
   column. */
bool symbol_column_read(const uint8_t *bytes, size_t size, uint32_t count, uint32_t number,
                        uint16_t *symbol);

#endif
