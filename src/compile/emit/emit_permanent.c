/* Permanent relations: facts that are known when the C text is written become constant tables.

   A lookup by known columns goes through a table of keys: for each combination of the key's
   columns, the rows that have it lie together.  Where there is at most one such row, the table
   holds its other columns themselves.  A key has as many of the known columns as keep the table
   small; the others are compared row by row. */
#include "compile/emit/emit_parts.h"

#include <stdlib.h>
#include <string.h>

enum { KEYS_LEAST = 4096, KEYS_PER_ROW = 16 };

#define BITS_LEAST ((uint64_t)1 << 15)
#define BITS_PER_ROW 256
#define BITS_MOST ((uint64_t)1 << 22)

static const table *facts_of(const emitter *e, flat_id r) { return &e->n->facts[r]; }

static uint32_t code_at(const emitter *e, flat_id r, uint32_t row, uint32_t column) {
  const uint32_t class_id = domain_of(e->d, r, column)->class_id;
  return domain_code(e->d, class_id, table_row(facts_of(e, r), row)[column]);
}

static bool has_bits(const emitter *e, flat_id r) {
  const uint64_t rows = facts_of(e, r)->count;
  const uint64_t product = emit_store(e, r)->product;
  return product <= BITS_MOST && (product <= BITS_LEAST || product <= rows * BITS_PER_ROW);
}

/* The columns among the known ones that the table of keys uses. */
static uint64_t key_columns(const emitter *e, flat_id r, uint64_t known, uint64_t *key_count) {
  const store *it = emit_store(e, r);
  const uint64_t rows = facts_of(e, r)->count;
  const uint64_t most = rows * KEYS_PER_ROW > KEYS_LEAST ? rows * KEYS_PER_ROW : KEYS_LEAST;
  uint64_t key = 0;
  *key_count = 1;
  for (uint32_t i = 0; i < emit_arity(e, r); i++) {
    if (!(known >> i & 1) || *key_count * it->size[i] > most) continue;
    key |= UINT64_C(1) << i;
    *key_count *= it->size[i];
  }
  return key;
}

static uint64_t index_of_row(const emitter *e, flat_id r, uint32_t row, uint64_t columns) {
  const store *it = emit_store(e, r);
  uint64_t index = 0;
  for (uint32_t i = 0; i < emit_arity(e, r); i++)
    if (columns >> i & 1) index = index * it->size[i] + (code_at(e, r, row, i) - it->low[i]);
  return index;
}

/* ---- tables ---- */

typedef struct keyed_row {
  uint64_t key;
  uint32_t row;
} keyed_row;

static int compare_keyed(const void *left, const void *right) {
  const keyed_row *a = left;
  const keyed_row *b = right;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return a->row < b->row ? -1 : a->row > b->row;
}

static keyed_row *rows_by_key(emitter *e, flat_id r, uint64_t key, bool *is_function) {
  const uint32_t count = facts_of(e, r)->count;
  keyed_row *rows = arena_new_array(e->keep, keyed_row, count + 1);
  for (uint32_t i = 0; i < count; i++) rows[i] = (keyed_row){index_of_row(e, r, i, key), i};
  qsort(rows, count, sizeof *rows, compare_keyed);
  *is_function = true;
  for (uint32_t i = 1; i < count; i++) *is_function &= rows[i].key != rows[i - 1].key;
  return rows;
}

static const char *table_name(emitter *e, flat_id r, uint64_t key) {
  return emit_format(e, "%s_by%llx", emit_name(e, r), (unsigned long long)key);
}

/* One table a column: the value for each key; NONE is one more than the highest code. */
static void put_function(emitter *e, flat_id r, uint64_t known, uint64_t key, uint64_t key_count,
                         const keyed_row *rows) {
  const store *it = emit_store(e, r);
  uint32_t *values = arena_new_array(e->keep, uint32_t, key_count + 1);
  for (uint32_t c = 0; c < emit_arity(e, r); c++) {
    if (known >> c & 1) continue;
    for (uint64_t i = 0; i < key_count; i++) values[i] = it->low[c] + it->size[c];
    for (uint32_t i = 0; i < facts_of(e, r)->count; i++)
      values[rows[i].key] = code_at(e, r, rows[i].row, c);
    emit_numbers(e, emit_format(e, "%s_c%u", table_name(e, r, key), c), values,
                 (uint32_t)key_count);
  }
}

static void put_rows(emitter *e, flat_id r, const char *name, const keyed_row *rows) {
  const uint32_t arity = emit_arity(e, r);
  const uint32_t count = facts_of(e, r)->count;
  uint32_t *cells = arena_new_array(e->keep, uint32_t, (size_t)count * arity + 1);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t c = 0; c < arity; c++)
      cells[(size_t)i * arity + c] = code_at(e, r, rows ? rows[i].row : i, c);
  emit_numbers(e, name, cells, count * arity);
}

static void put_keys(emitter *e, flat_id r, uint64_t key, uint64_t key_count,
                     const keyed_row *rows) {
  uint32_t *from = arena_zero_array(e->keep, uint32_t, key_count + 2);
  for (uint32_t i = 0; i < facts_of(e, r)->count; i++) from[rows[i].key + 1]++;
  for (uint64_t i = 0; i < key_count; i++) from[i + 1] += from[i];
  emit_numbers(e, emit_format(e, "%s_from", table_name(e, r, key)), from, (uint32_t)key_count + 1);
  put_rows(e, r, emit_format(e, "%s_rows", table_name(e, r, key)), rows);
}

/* Whether a lookup finds one row at most, through a table of its free columns. */
static bool is_function(emitter *e, flat_id r, uint64_t known, uint64_t key) {
  if (key != known) return false;
  bool result;
  rows_by_key(e, r, key, &result);
  return result;
}

static void put_lookup(emitter *e, flat_id r, uint64_t known) {
  uint64_t key_count;
  const uint64_t key = key_columns(e, r, known, &key_count);
  bool unused;
  const keyed_row *rows = rows_by_key(e, r, key, &unused);
  if (is_function(e, r, known, key))
    put_function(e, r, known, key, key_count, rows);
  else
    put_keys(e, r, key, key_count, rows);
}

/* Two lookups may choose the same key; their tables are then the same. */
static bool is_first_with_key(emitter *e, flat_id r, uint32_t pattern) {
  const store *it = emit_store(e, r);
  uint64_t count;
  const uint64_t known = it->patterns.items[pattern];
  const uint64_t key = key_columns(e, r, known, &count);
  for (uint32_t i = 0; i < pattern; i++) {
    const uint64_t other = it->patterns.items[i];
    if (key_columns(e, r, other, &count) == key &&
        is_function(e, r, other, key) == is_function(e, r, known, key))
      return false;
  }
  return true;
}

static void put_bits(emitter *e, flat_id r) {
  const uint32_t words = (uint32_t)((emit_store(e, r)->product + 63) / 64);
  uint64_t *bits = arena_zero_array(e->keep, uint64_t, words + 1);
  for (uint32_t i = 0; i < facts_of(e, r)->count; i++) {
    const uint64_t index = index_of_row(e, r, i, emit_all_columns(e, r));
    bits[index / 64] |= UINT64_C(1) << (index % 64);
  }
  emit_words(e, emit_format(e, "%s_bits", emit_name(e, r)), bits, words);
}

static bool is_listed(const emitter *e, flat_id r) {
  switch (emit_keyword(e, r)) {
    case SYM_GOAL:
    case SYM_NEXT:
    case SYM_SEES: return true;
    case SYM_LEGAL:
      if (!emit_marks_legal(e)) return true; /* else see emit_always_legal */
      return emit_store(e, r)->is_scanned;
    default: return emit_store(e, r)->is_scanned;
  }
}

void emit_permanent_tables(emitter *e) {
  for (flat_id r = 0; r < e->f->relations.count && !budget_is_spent(e->limits); r++) {
    const store *it = emit_store(e, r);
    if (emit_kind(e, r) != KIND_PERMANENT || !facts_of(e, r)->count || !emit_arity(e, r)) continue;
    const bool is_listed_here = is_listed(e, r);
    if (!is_listed_here && !it->is_tested && !it->patterns.count) continue;
    text words = text_new(e->keep);
    term_print(e->f->terms, e->f->relations.items[r].skeleton, NOTATION_KIF, NULL, &words);
    text_add_format(&words, ": %u facts", facts_of(e, r)->count);
    emit_comment(e, "\n", text_string(&words));
    if (is_listed_here) put_rows(e, r, emit_format(e, "%s_rows", emit_name(e, r)), NULL);
    if (it->is_tested && has_bits(e, r)) put_bits(e, r);
    if (it->is_tested && !has_bits(e, r)) put_lookup(e, r, emit_all_columns(e, r));
    for (uint32_t i = 0; i < it->patterns.count; i++)
      if (is_first_with_key(e, r, i)) put_lookup(e, r, it->patterns.items[i]);
  }
}

/* ---- reading ---- */

/* More combinations of values than this are not looked through. */
enum { COMBINATIONS_MAX = 4096 };

/* Whether every row that the values allow is a fact: then the rule need not ask. */
static bool always_holds(emitter *e, flat_id r, const c_value *args) {
  const uint32_t arity = emit_arity(e, r);
  uint64_t combinations = 1;
  for (uint32_t i = 0; i < arity; i++) {
    combinations *= (uint64_t)args[i].high - args[i].low + 1;
    if (combinations > COMBINATIONS_MAX || combinations > facts_of(e, r)->count) return false;
  }
  uint64_t found = 0; /* facts within the ranges of all values */
  for (uint32_t row = 0; row < facts_of(e, r)->count; row++) {
    bool is_within = true;
    for (uint32_t i = 0; i < arity && is_within; i++) {
      const uint32_t code = code_at(e, r, row, i);
      is_within = code >= args[i].low && code <= args[i].high;
    }
    found += is_within;
  }
  return found == combinations;
}

const char *emit_permanent_test(emitter *e, flat_id r, const c_value *args) {
  if (!facts_of(e, r)->count) return "0";
  if (!emit_arity(e, r)) return "1";
  const uint64_t all = emit_all_columns(e, r);
  const char *guard = emit_guard(e, r, all, args);
  if (!guard) return "0";
  if (always_holds(e, r, args)) return "1";
  const char *index = emit_index(e, r, all, args);
  if (has_bits(e, r))
    return emit_format(e, "(%sTR_HAS(%s_bits, %s))", guard, emit_name(e, r), index);
  return NULL; /* through a loop */
}

static void put_function_read(emitter *e, c_loop *x, uint64_t key, c_value *args) {
  const flat_id r = x->relation;
  const store *it = emit_store(e, r);
  const uint32_t n = x->number;
  const uint32_t first = (uint32_t)__builtin_ctzll(~x->known);
  text_add_format(e->out, "{ const uint32_t i%u = %s;\n", n, emit_index(e, r, key, args));
  for (uint32_t c = 0; c < emit_arity(e, r); c++) {
    if ((x->known >> c & 1) || (c != first && !(x->used >> c & 1))) continue;
    text_add_format(e->out, "%sconst uint32_t w%u_%u = %s_c%u[i%u];\n", emit_mark(x->perhaps, c), n,
                    c, table_name(e, r, key), c, n);
  }
  text_add_format(e->out, "if (w%u_%u != %uu) {\n", n, first, it->low[first] + it->size[first]);
  x->braces += 2;
}

static void put_loop_head(emitter *e, const c_loop *x, uint64_t key, const c_value *args) {
  const uint32_t n = x->number;
  if (!x->known) {
    text_add_format(e->out, "for (uint32_t i%u = 0; i%u < %uu; i%u++) {\n", n, n,
                    facts_of(e, x->relation)->count, n);
    return;
  }
  const char *index = emit_index(e, x->relation, key, args);
  const char *table = table_name(e, x->relation, key);
  text_add_format(e->out,
                  "for (uint32_t i%u = %s_from[%s], e%u = %s_from[%s + 1]; i%u < e%u; i%u++) {\n",
                  n, table, index, n, table, index, n, n, n);
}

void emit_permanent_loop(emitter *e, c_loop *x, c_value *args) {
  const flat_id r = x->relation;
  const uint32_t arity = emit_arity(e, r);
  uint64_t key_count;
  const uint64_t key = key_columns(e, r, x->known, &key_count);
  x->is_loop = !x->known || !is_function(e, r, x->known, key);
  if (!x->is_loop) {
    put_function_read(e, x, key, args);
    return;
  }
  put_loop_head(e, x, key, args);
  x->is_counted = true;
  x->braces++;
  const char *rows = emit_format(e, "%s_rows", x->known ? table_name(e, r, key) : emit_name(e, r));
  for (uint32_t c = 0; c < arity; c++) {
    const char *cell = emit_format(e, "%s[i%u * %uu + %uu]", rows, x->number, arity, c);
    if ((x->known & ~key) >> c & 1)
      text_add_format(e->out, "if (%s != %s) continue;\n", cell, args[c].expression);
    if ((x->used & ~x->known) >> c & 1)
      text_add_format(e->out, "%sconst uint32_t w%u_%u = %s;\n", emit_mark(x->perhaps, c),
                      x->number, c, cell);
  }
}
