#include "database/symbol_column.h"

/* The state is at least 2^16 between symbols; frequencies add up to 2^14. */
enum { SCALE_BITS = 14, SCALE = 1 << SCALE_BITS, STATE_LEAST = 1 << 16, SYMBOLS_MAX = 1024 };

typedef VEC(uint16_t) word_vec;

typedef struct symbol_table {
  uint32_t count;
  uint16_t symbols[SYMBOLS_MAX];
  uint16_t shares[SYMBOLS_MAX]; /* of SCALE */
  uint16_t before[SYMBOLS_MAX]; /* shares of those before */
} symbol_table;

/* ---- frequencies ---- */

static uint32_t largest_share(const symbol_table *t) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < t->count; i++)
    if (t->shares[i] > t->shares[best]) best = i;
  return best;
}

/* Each gets at least 1, and all together SCALE: the largest take what is left, or give it. */
static void share_out(symbol_table *t, const uint32_t *counts, uint32_t all) {
  uint32_t given = 0;
  for (uint32_t i = 0; i < t->count; i++) {
    const uint64_t share = (uint64_t)counts[t->symbols[i]] * SCALE / all;
    t->shares[i] = share ? (uint16_t)share : 1;
    given += t->shares[i];
  }
  if (given < SCALE) t->shares[largest_share(t)] += (uint16_t)(SCALE - given);
  for (; given > SCALE; given--) t->shares[largest_share(t)]--;
}

static void sum_up(symbol_table *t) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < t->count; i++) {
    t->before[i] = (uint16_t)sum;
    sum += t->shares[i];
  }
}

/* `places` gets, by symbol, its place in the table.  The count is 0 where there are too many. */
static void table_of(symbol_table *t, const uint16_t *symbols, uint32_t count, uint16_t *places,
                     arena *scratch) {
  uint32_t *counts = arena_zero_array(scratch, uint32_t, UINT16_MAX + 1);
  t->count = 0;
  for (uint32_t i = 0; i < count; i++) counts[symbols[i]]++;
  for (uint32_t i = 0; i <= UINT16_MAX; i++) {
    if (!counts[i]) continue;
    if (t->count == SYMBOLS_MAX) {
      t->count = 0;
      return;
    }
    places[i] = (uint16_t)t->count;
    t->symbols[t->count++] = (uint16_t)i;
  }
  if (!count) return;
  share_out(t, counts, count);
  sum_up(t);
}

/* ---- writing ---- */

static void put_word(byte_vec *out, uint32_t word, arena *keep) {
  vec_push(keep, out, (uint8_t)word);
  vec_push(keep, out, (uint8_t)(word >> 8));
}

/* The words of a chunk, the last first: coding goes backwards, reading forwards. */
static void code_chunk(const symbol_table *t, const uint16_t *places, const uint16_t *symbols,
                       uint32_t count, word_vec *words, arena *scratch) {
  uint64_t state = STATE_LEAST;
  words->count = 0;
  for (uint32_t i = count; i-- > 0;) {
    const uint32_t place = places[symbols[i]], share = t->shares[place];
    if (state >= (uint64_t)share << (32 - SCALE_BITS)) {
      vec_push(scratch, words, (uint16_t)state);
      state >>= 16;
    }
    state = (state / share << SCALE_BITS) + state % share + t->before[place];
  }
  vec_push(scratch, words, (uint16_t)state);
  vec_push(scratch, words, (uint16_t)(state >> 16));
}

static void put_chunks(const symbol_table *t, const uint16_t *places, const uint16_t *symbols,
                       uint32_t count, byte_vec *out, arena *keep, arena *scratch) {
  word_vec words = {0};
  byte_vec coded = {0};
  for (uint32_t first = 0; first < count; first += COLUMN_CHUNK) {
    const uint32_t here = count - first < COLUMN_CHUNK ? count - first : COLUMN_CHUNK;
    put_word(out, coded.count / 2, keep);
    code_chunk(t, places, symbols + first, here, &words, scratch);
    while (words.count) put_word(&coded, vec_pop(&words), scratch);
  }
  vec_append(keep, out, coded.items, coded.count);
}

void symbol_column_build(const uint16_t *symbols, uint32_t count, byte_vec *out, arena *keep) {
  arena *scratch = arena_new();
  symbol_table *t = arena_alloc(scratch, sizeof *t);
  uint16_t *places = arena_new_array(scratch, uint16_t, UINT16_MAX + 1);
  table_of(t, symbols, count, places, scratch);
  put_word(out, t->count, keep);
  for (uint32_t i = 0; i < t->count; i++) {
    put_word(out, t->symbols[i], keep);
    put_word(out, t->shares[i], keep);
  }
  if (t->count > 1) put_chunks(t, places, symbols, count, out, keep, scratch);
  for (uint32_t i = 0; !t->count && i < count; i++) put_word(out, symbols[i], keep);
  arena_free(scratch);
}

/* ---- reading ---- */

typedef struct word_reader {
  const uint8_t *bytes;
  size_t at, end; /* in words */
} word_reader;

static uint32_t word_at(const word_reader *r, size_t at) {
  return at < r->end ? r->bytes[2 * at] | (uint32_t)r->bytes[2 * at + 1] << 8 : 0;
}

/* The last place whose symbols come at or before the slot. */
static uint32_t place_of_slot(const symbol_table *t, uint32_t slot) {
  uint32_t low = 0, high = t->count;
  while (high - low > 1) {
    const uint32_t middle = (low + high) / 2;
    if (t->before[middle] <= slot)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Whatever the words are, it ends after so many symbols. */
static uint16_t decode(const symbol_table *t, word_reader *r, uint32_t count) {
  uint32_t place = 0, state = word_at(r, r->at) << 16 | word_at(r, r->at + 1);
  r->at += 2;
  for (uint32_t i = 0; i <= count; i++) {
    const uint32_t slot = state & (SCALE - 1);
    place = place_of_slot(t, slot);
    state = t->shares[place] * (state >> SCALE_BITS) + slot - t->before[place];
    if (state < STATE_LEAST) state = state << 16 | word_at(r, r->at++);
  }
  return t->symbols[place];
}

static bool read_table(symbol_table *t, word_reader *r) {
  if (t->count > SYMBOLS_MAX || r->end < 1 + 2 * (size_t)t->count) return false;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < t->count; i++) {
    t->symbols[i] = (uint16_t)word_at(r, r->at++);
    t->shares[i] = (uint16_t)word_at(r, r->at++);
    sum += t->shares[i];
  }
  sum_up(t);
  return sum == SCALE;
}

bool symbol_column_read(const uint8_t *bytes, size_t size, uint32_t count, uint32_t number,
                        uint16_t *symbol) {
  word_reader r = {.bytes = bytes, .at = 1, .end = size / 2};
  symbol_table t;
  t.count = word_at(&r, 0);
  if (!r.end || number >= count) return false;
  if (!t.count) {
    *symbol = (uint16_t)word_at(&r, 1 + (size_t)number);
    return 1 + (size_t)number < r.end;
  }
  if (!read_table(&t, &r)) return false;
  *symbol = t.symbols[0];
  if (t.count == 1) return true;
  const size_t chunks = (count + COLUMN_CHUNK - 1) / COLUMN_CHUNK;
  r.at += chunks + word_at(&r, r.at + number / COLUMN_CHUNK);
  *symbol = decode(&t, &r, number % COLUMN_CHUNK);
  return true;
}
