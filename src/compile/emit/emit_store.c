/* Relations that change with the state: their fields, and how they are read and written. */
#include "compile/emit/emit_parts.h"

/* ---- layout ---- */

const char *emit_index(emitter *e, flat_id r, uint64_t columns, const c_value *args) {
  const store *it = emit_store(e, r);
  const char *sum = NULL;
  for (uint32_t i = 0; i < emit_arity(e, r); i++) {
    if (!(columns >> i & 1)) continue;
    const char *digit = it->low[i] ? emit_format(e, "(%s - %uu)", args[i].expression, it->low[i])
                                   : args[i].expression;
    sum = sum ? emit_format(e, "(%s * %uu + %s)", sum, it->size[i], digit) : digit;
  }
  return sum ? sum : "0";
}

const char *emit_guard(emitter *e, flat_id r, uint64_t columns, const c_value *args) {
  const store *it = emit_store(e, r);
  const char *guard = "";
  for (uint32_t i = 0; i < emit_arity(e, r); i++) {
    if (!(columns >> i & 1)) continue;
    const uint32_t high = it->low[i] + it->size[i]; /* first code without a place */
    if (args[i].low >= it->low[i] && args[i].high < high) continue;
    if (args[i].high < it->low[i] || args[i].low >= high) return NULL;
    guard = it->low[i] ? emit_format(e, "%s%s - %uu < %uu && ", guard, args[i].expression,
                                     it->low[i], it->size[i])
                       : emit_format(e, "%s%s < %uu && ", guard, args[i].expression, it->size[i]);
  }
  return guard;
}

static bool is_in_position(const emitter *e, flat_id r) {
  return emit_kind(e, r) == KIND_STATE && emit_store(e, r)->kind == STORE_BITS &&
         !emit_store(e, r)->is_sparse;
}

bool emit_is_separate(const emitter *e, flat_id r) {
  const store *it = emit_store(e, r);
  return it->is_large || it->kind == STORE_ROWS || emit_kind(e, r) == KIND_STATE ||
         emit_kind(e, r) == KIND_MOVE;
}

const char *emit_field(emitter *e, flat_id r) {
  if (emit_is_separate(e, r)) return emit_format(e, "k->%s", emit_name(e, r));
  return emit_format(e, "k->g%u.%s", e->v->relations[r].group, emit_name(e, r));
}

const char *emit_bits(emitter *e, flat_id r) {
  if (is_in_position(e, r)) return emit_format(e, "(k->position + %uu)", emit_store(e, r)->place);
  return emit_field(e, r);
}

static uint64_t product_of(const emitter *e, flat_id r, uint64_t columns) {
  uint64_t product = 1;
  for (uint32_t i = 0; i < emit_arity(e, r); i++)
    if (columns >> i & 1) product *= emit_store(e, r)->size[i];
  return product;
}

/* A row of more words is mostly empty: a map, one bit a word, tells which are in use. */
enum { MAPPED_WORDS = 5 };

/* Up to this, all bits of a relation are cleared sooner than those that its list tells. */
enum { SMALL_BYTES = 256 };

/* The bits of one key of a join pattern: a word, or several of 64 bits. */
typedef struct bit_row {
  uint32_t width; /* 8, 16, 32 or 64 */
  uint32_t words;
  uint32_t map_words; /* 0: no map */
} bit_row;

static bit_row bit_row_of(const emitter *e, flat_id r, uint64_t known) {
  const uint64_t free_count = product_of(e, r, emit_all_columns(e, r) & ~known);
  if (free_count <= 8) return (bit_row){8, 1, 0};
  if (free_count <= 16) return (bit_row){16, 1, 0};
  if (free_count <= 32) return (bit_row){32, 1, 0};
  const uint32_t words = (uint32_t)((free_count + 63) / 64);
  return (bit_row){64, words, words >= MAPPED_WORDS ? (words + 63) / 64 : 0};
}

static bool has_list(const emitter *e, flat_id r) {
  const store *it = emit_store(e, r);
  return it->kind == STORE_BITS && emit_arity(e, r) &&
         (it->is_scanned || it->is_large || emit_kind(e, r) == KIND_MOVE);
}

/* ---- fields ---- */

static void put_list_fields(emitter *e, flat_id r) {
  const store *it = emit_store(e, r);
  const char *name = emit_name(e, r);
  text_add_format(e->out, "  uint32_t %s_count;\n  struct {\n", name);
  for (uint32_t i = 0; i < emit_arity(e, r); i++)
    text_add_format(e->out, "    %s c%u;\n", emit_type(it->low[i] + it->size[i]), i);
  text_add_format(e->out, "  } %s_list[%llu];\n", name,
                  (unsigned long long)(it->product ? it->product : 1));
}

void emit_fields(emitter *e, flat_id r) {
  const store *it = emit_store(e, r);
  const char *name = emit_name(e, r);
  if (it->kind == STORE_NOTHING) return;
  if (it->kind == STORE_ROWS) {
    text_add_format(e->out, "  tr_%s %s;\n", e->s->kb == KB_TRIE ? "trie" : "rows", name);
    return;
  }
  if (!is_in_position(e, r))
    text_add_format(e->out, "  uint64_t %s[%llu];\n", name,
                    (unsigned long long)((it->product + 63) / 64 + !it->product));
  for (uint32_t i = 0; i < it->patterns.count; i++) {
    const uint64_t known = it->patterns.items[i];
    const bit_row row = bit_row_of(e, r, known);
    const uint64_t count = product_of(e, r, known) * row.words;
    text_add_format(e->out, "  uint%u_t %s_by%llx[%llu];\n", row.width, name,
                    (unsigned long long)known, (unsigned long long)(count ? count : 1));
    if (row.map_words)
      text_add_format(e->out, "  uint64_t %s_map%llx[%llu];\n", name, (unsigned long long)known,
                      (unsigned long long)(product_of(e, r, known) * row.map_words));
  }
  if (has_list(e, r) && emit_is_separate(e, r)) put_list_fields(e, r);
}

/* The list of a relation that is cleared with its group: only the count must be. */
static void put_count_field(emitter *e, flat_id r) {
  text_add_format(e->out, "  uint32_t %s_count;\n", emit_name(e, r));
}

void emit_group_fields(emitter *e, flat_id r) {
  emit_fields(e, r);
  if (has_list(e, r)) put_count_field(e, r);
}

/* ---- clearing ---- */

static void put_list_clear(emitter *e, flat_id r) {
  const store *it = emit_store(e, r);
  const char *field = emit_field(e, r);
  c_value *args = arena_zero_array(e->keep, c_value, emit_arity(e, r) + 1);
  for (uint32_t i = 0; i < emit_arity(e, r); i++)
    args[i].expression = emit_format(e, "%s_list[i].c%u", field, i);
  text_add_format(e->out, "  for (uint32_t i = 0; i < %s_count; i++) {\n", field);
  if (!is_in_position(e, r)) {
    text_add_format(e->out, "    const uint32_t at = %s;\n",
                    emit_index(e, r, emit_all_columns(e, r), args));
    text_add_format(e->out, "    %s[at >> 6] = 0;\n", field);
  }
  for (uint32_t i = 0; i < it->patterns.count; i++) {
    const uint64_t known = it->patterns.items[i];
    const bit_row row = bit_row_of(e, r, known);
    const char *key = emit_index(e, r, known, args);
    if (row.words == 1)
      text_add_format(e->out, "    %s_by%llx[%s] = 0;\n", field, (unsigned long long)known, key);
    else
      text_add_format(e->out, "    %s_by%llx[%s * %uu + (%s >> 6)] = 0;\n", field,
                      (unsigned long long)known, key, row.words,
                      emit_index(e, r, emit_all_columns(e, r) & ~known, args));
    if (row.map_words)
      text_add_format(e->out, "    %s_map%llx[%s * %uu + (%s >> 12)] = 0;\n", field,
                      (unsigned long long)known, key, row.map_words,
                      emit_index(e, r, emit_all_columns(e, r) & ~known, args));
  }
  text_add_format(e->out, "  }\n  %s_count = 0;\n", field);
}

/* The bytes of all its bits. */
static uint64_t bytes_of(const emitter *e, flat_id r) {
  const store *it = emit_store(e, r);
  uint64_t bytes = is_in_position(e, r) ? 0 : (it->product + 63) / 64 * 8;
  for (uint32_t i = 0; i < it->patterns.count; i++) {
    const bit_row row = bit_row_of(e, r, it->patterns.items[i]);
    bytes += product_of(e, r, it->patterns.items[i]) *
             (row.words * (row.width / 8) + row.map_words * sizeof(uint64_t));
  }
  return bytes;
}

static void put_whole_clear(emitter *e, flat_id r) {
  const store *it = emit_store(e, r);
  const char *field = emit_field(e, r);
  if (!is_in_position(e, r)) text_add_format(e->out, "  memset(%s, 0, sizeof %s);\n", field, field);
  for (uint32_t i = 0; i < it->patterns.count; i++) {
    const unsigned long long known = it->patterns.items[i];
    text_add_format(e->out, "  memset(%s_by%llx, 0, sizeof %s_by%llx);\n", field, known, field,
                    known);
    if (bit_row_of(e, r, known).map_words)
      text_add_format(e->out, "  memset(%s_map%llx, 0, sizeof %s_map%llx);\n", field, known, field,
                      known);
  }
  if (has_list(e, r)) text_add_format(e->out, "  %s_count = 0;\n", field);
}

void emit_clear(emitter *e, flat_id r) {
  const store *it = emit_store(e, r);
  if (it->kind == STORE_NOTHING) return;
  if (it->kind == STORE_ROWS) {
    text_add_format(e->out, "  tr_%s_clear(&%s);\n", e->s->kb == KB_TRIE ? "trie" : "rows",
                    emit_field(e, r));
    return;
  }
  if (has_list(e, r) && bytes_of(e, r) > SMALL_BYTES)
    put_list_clear(e, r);
  else
    put_whole_clear(e, r);
}

/* ---- adding ---- */

static void put_row(emitter *e, flat_id r, const c_value *args) {
  text_add(e->out, "(const uint32_t[]){");
  for (uint32_t i = 0; i < emit_arity(e, r); i++)
    text_add_format(e->out, "%s%s", i ? ", " : "", args[i].expression ? args[i].expression : "0");
  if (!emit_arity(e, r)) text_add_char(e->out, '0');
  text_add_char(e->out, '}');
}

static void put_bit_add(emitter *e, flat_id r, const c_value *args) {
  const store *it = emit_store(e, r);
  const uint64_t all = emit_all_columns(e, r);
  const char *field = emit_field(e, r);
  if (!is_in_position(e, r)) {
    text_add_format(e->out, "  const uint32_t at = %s;\n", emit_index(e, r, all, args));
    text_add_format(e->out, "  if (TR_HAS(%s, at)) return;\n  TR_SET(%s, at);\n", field, field);
  }
  for (uint32_t i = 0; i < it->patterns.count; i++) {
    const uint64_t known = it->patterns.items[i];
    const bit_row row = bit_row_of(e, r, known);
    const char *key = emit_index(e, r, known, args);
    const char *bit = emit_index(e, r, all & ~known, args);
    const unsigned long long by = known;
    if (row.words > 1)
      text_add_format(e->out, "  %s_by%llx[%s * %uu + (%s >> 6)] |= UINT64_C(1) << (%s & 63);\n",
                      field, by, key, row.words, bit, bit);
    else
      text_add_format(e->out, "  %s_by%llx[%s] |= (uint%u_t)(UINT64_C(1) << %s);\n", field, by, key,
                      row.width, bit);
    if (row.map_words)
      text_add_format(e->out,
                      "  %s_map%llx[%s * %uu + (%s >> 12)] |= UINT64_C(1) << (%s >> 6 & 63);\n",
                      field, by, key, row.map_words, bit, bit);
  }
  if (!has_list(e, r)) return;
  const char *list = emit_is_separate(e, r) ? field : emit_format(e, "k->%s", emit_name(e, r));
  for (uint32_t i = 0; i < emit_arity(e, r); i++)
    text_add_format(e->out, "  %s_list[%s_count].c%u = (%s)a%u;\n", list, field, i,
                    emit_type(it->low[i] + it->size[i]), i);
  text_add_format(e->out, "  %s_count++;\n", field);
}

static void put_rows_add(emitter *e, flat_id r, const c_value *args) {
  text_add_format(e->out, "  const tr_added added = tr_%s_add(&%s, ",
                  e->s->kb == KB_TRIE ? "trie" : "rows", emit_field(e, r));
  put_row(e, r, args);
  text_add(e->out, ");\n  if (added == TR_NO_MEMORY) k->trouble = \"there is no memory left\";\n");
  text_add(e->out, "  if (added != TR_NEW) return;\n");
}

void emit_add_function(emitter *e, flat_id r) {
  const store *it = emit_store(e, r);
  const bool is_legal = emit_keyword(e, r) == SYM_LEGAL;
  if (it->kind == STORE_NOTHING && !is_legal) return;
  c_value *args = arena_zero_array(e->keep, c_value, emit_arity(e, r) + 1);
  text_add_format(e->out, "\nTR_UNUSED static inline void add_%s(kb *k", emit_name(e, r));
  for (uint32_t i = 0; i < emit_arity(e, r); i++) {
    args[i].expression = emit_format(e, "a%u", i);
    text_add_format(e->out, ", uint32_t a%u", i);
  }
  text_add(e->out, ") {\n");
  if (it->kind == STORE_BITS) put_bit_add(e, r, args);
  if (it->kind == STORE_ROWS) put_rows_add(e, r, args);
  if (is_legal) emit_note_legal(e, r, "  ");
  text_add(e->out, "}\n");
}

/* ---- reading ---- */

/* The wanted values of row i of a list or table. */
static void emit_row_values(emitter *e, const c_loop *x, const char *rows) {
  const uint32_t n = x->number;
  for (uint32_t i = 0; i < emit_arity(e, x->relation); i++) {
    if (!((x->used & ~x->known) >> i & 1)) continue;
    if (emit_store(e, x->relation)->kind == STORE_ROWS)
      text_add_format(e->out, "%sconst uint32_t w%u_%u = %s(&%s, i%u)[%u];\n",
                      emit_mark(x->perhaps, i), n, i,
                      e->s->kb == KB_TRIE ? "tr_trie_row" : "tr_row", rows, n, i);
    else
      text_add_format(e->out, "%sconst uint32_t w%u_%u = %s_list[i%u].c%u;\n",
                      emit_mark(x->perhaps, i), n, i, rows, n, i);
  }
}

const char *emit_test(emitter *e, flat_id r, const c_value *args) {
  const store *it = emit_store(e, r);
  if (emit_kind(e, r) == KIND_PERMANENT) return emit_permanent_test(e, r, args);
  if (it->kind == STORE_NOTHING || it->product == 0) return "0";
  if (it->kind == STORE_BITS) {
    const char *guard = emit_guard(e, r, emit_all_columns(e, r), args);
    if (!guard) return "0";
    return emit_format(e, "(%sTR_HAS(%s, %s))", guard, emit_bits(e, r),
                       emit_index(e, r, emit_all_columns(e, r), args));
  }
  emitter aside = *e;
  text row = text_new(e->keep);
  aside.out = &row;
  put_row(&aside, r, args);
  return emit_format(e, "tr_%s_has(&%s, %s)", e->s->kb == KB_TRIE ? "trie" : "rows",
                     emit_field(e, r), text_string(&row));
}

void emit_decode(emitter *e, flat_id r, c_columns columns, const char *index, const char *prefix) {
  const store *it = emit_store(e, r);
  uint64_t stride = product_of(e, r, columns.all);
  const uint64_t whole = stride;
  for (uint32_t i = 0; i < emit_arity(e, r); i++) {
    if (!(columns.all >> i & 1)) continue;
    const bool is_first = stride == whole;
    stride /= it->size[i] ? it->size[i] : 1;
    if (!(columns.used >> i & 1)) continue;
    const char *digit =
        stride > 1 ? emit_format(e, "%s / %lluu", index, (unsigned long long)stride) : index;
    if (!is_first) digit = emit_format(e, "%s %% %uu", digit, it->size[i]);
    text_add_format(e->out, "%sconst uint32_t %s%u = (uint32_t)(%s) + %uu;\n",
                    emit_mark(columns.perhaps, i), prefix, i, digit, it->low[i]);
  }
}

/* `for` over the words of a row: j is the word's number. */
static void put_word_loop(emitter *e, c_loop *x, const bit_row *row, const char *key) {
  const uint32_t n = x->number;
  const char *field = emit_field(e, x->relation);
  if (!row->map_words) {
    text_add_format(e->out, "for (uint32_t j%u = 0; j%u < %uu; j%u++) {\n", n, n, row->words, n);
    x->braces++;
    return;
  }
  text_add_format(e->out,
                  "for (uint32_t m%u = 0; m%u < %uu; m%u++) {\n"
                  "for (uint64_t u%u = %s_map%llx[%s * %uu + m%u]; u%u; u%u &= u%u - 1) {\n"
                  "const uint32_t j%u = m%u * 64 + tr_lowest(u%u);\n",
                  n, n, row->map_words, n, n, field, (unsigned long long)x->known, key,
                  row->map_words, n, n, n, n, n, n, n);
  x->braces += 2;
}

static void put_bit_loop(emitter *e, c_loop *x, const c_value *args) {
  const flat_id r = x->relation;
  const bit_row row = bit_row_of(e, r, x->known);
  const char *words = emit_format(e, "%s_by%llx", emit_field(e, r), (unsigned long long)x->known);
  const char *key = emit_index(e, r, x->known, args);
  const uint64_t free_columns = emit_all_columns(e, r) & ~x->known;
  const uint32_t n = x->number;
  const char *first = "";
  if (row.words > 1) {
    put_word_loop(e, x, &row, key);
    key = emit_format(e, "%s * %uu + j%u", key, row.words, n);
    first = emit_format(e, "j%u * 64 + ", n);
  }
  text_add_format(e->out, "for (uint64_t b%u = %s[%s]; b%u; b%u &= b%u - 1) {\n", n, words, key, n,
                  n, n);
  x->braces++;
  if (x->used & free_columns)
    text_add_format(e->out, "const uint32_t i%u = %str_lowest(b%u);\n", n, first, n);
  const c_columns columns = {free_columns, x->used, x->perhaps};
  emit_decode(e, r, columns, emit_format(e, "i%u", n), emit_format(e, "w%u_", n));
}

const char *emit_count(emitter *e, flat_id r) {
  if (emit_kind(e, r) == KIND_PERMANENT) return emit_format(e, "%uu", e->n->facts[r].count);
  const char *field = emit_field(e, r);
  if (emit_store(e, r)->kind == STORE_ROWS) return emit_format(e, "%s.count", field);
  if (!emit_arity(e, r)) return emit_format(e, "(uint32_t)(%s[0] & 1)", emit_bits(e, r));
  return emit_format(e, "%s_count", field);
}

/* All rows, in the order in which they came; `i` begins where the caller says. */
static void put_scan_loop(emitter *e, c_loop *x) {
  const flat_id r = x->relation;
  const uint32_t n = x->number;
  const char *field = emit_field(e, r);
  const char *list = emit_is_separate(e, r) ? field : emit_format(e, "k->%s", emit_name(e, r));
  text_add_format(e->out, "for (uint32_t i%u = %s; i%u < %s; i%u++) {\n", n,
                  x->is_from ? "from" : "0", n, emit_count(e, r), n);
  x->is_counted = true;
  x->braces++;
  emit_row_values(e, x, list);
}

static uint32_t pattern_number(const store *it, uint64_t known) {
  uint32_t i = 0;
  while (it->patterns.items[i] != known) i++;
  return i;
}

static void put_lookup_loop(emitter *e, c_loop *x, const c_value *args) {
  const char *field = emit_field(e, x->relation);
  const uint32_t n = x->number;
  const uint32_t index = pattern_number(emit_store(e, x->relation), x->known);
  text_add_format(e->out, "for (uint32_t i%u = tr_rows_first(&%s, %u, ", n, field, index);
  put_row(e, x->relation, args);
  text_add_format(e->out, "); i%u != TR_NONE; i%u = tr_rows_next(&%s, %u, i%u)) {\n", n, n, field,
                  index, n);
  x->braces++;
  emit_row_values(e, x, field);
}

static void put_walk_loop(emitter *e, c_loop *x, const c_value *args) {
  const char *field = emit_field(e, x->relation);
  const uint32_t n = x->number;
  text_add_format(e->out, "for (tr_walk t%u = tr_trie_walk(&%s, 0x%llxu, ", n, field,
                  (unsigned long long)x->known);
  put_row(e, x->relation, args);
  text_add_format(e->out, "); tr_trie_next(&%s, &t%u);) {\n", field, n);
  x->braces++;
  for (uint32_t i = 0; i < emit_arity(e, x->relation); i++)
    if ((x->used & ~x->known) >> i & 1)
      text_add_format(e->out, "%sconst uint32_t w%u_%u = t%u.row[%u];\n", emit_mark(x->perhaps, i),
                      n, i, n, i);
}

/* A loop that is never entered. */
static void put_empty_loop(emitter *e, c_loop *x) {
  x->is_loop = false;
  text_add(e->out, "if (0) {\n");
  for (uint32_t i = 0; i < emit_arity(e, x->relation); i++)
    if ((x->used & ~x->known) >> i & 1)
      text_add_format(e->out, "TR_UNUSED const uint32_t w%u_%u = 0;\n", x->number, i);
  x->braces++;
}

static bool is_always_empty(const emitter *e, flat_id r) {
  const store *it = emit_store(e, r);
  if (emit_kind(e, r) == KIND_PERMANENT) return !e->n->facts[r].count;
  return it->kind == STORE_NOTHING || it->product == 0;
}

void emit_loop(emitter *e, c_loop *x, c_value *args) {
  const flat_id r = x->relation;
  const bool has_layout = emit_kind(e, r) == KIND_PERMANENT || emit_store(e, r)->kind == STORE_BITS;
  const char *guard = has_layout ? emit_guard(e, r, x->known, args) : "";
  x->is_loop = true;
  if (guard && *guard && !is_always_empty(e, r)) {
    text_add_format(e->out, "if (%s1) {\n", guard);
    x->braces++;
  }
  if (!guard || is_always_empty(e, r))
    put_empty_loop(e, x);
  else if (emit_kind(e, r) == KIND_PERMANENT)
    emit_permanent_loop(e, x, args);
  else if (!x->known)
    put_scan_loop(e, x);
  else if (has_layout)
    put_bit_loop(e, x, args);
  else if (e->s->kb == KB_TRIE)
    put_walk_loop(e, x, args);
  else
    put_lookup_loop(e, x, args);
  for (uint32_t i = 0; i < emit_arity(e, r); i++) {
    if (x->known >> i & 1) continue;
    const column_domain *c = domain_of(e->d, r, i);
    args[i] = (c_value){emit_format(e, "w%u_%u", x->number, i), c->low, c->high};
  }
}

void emit_group_list(emitter *e, flat_id r) {
  const store *it = emit_store(e, r);
  if (!has_list(e, r) || emit_is_separate(e, r)) return;
  text_add(e->out, "  struct {\n");
  for (uint32_t i = 0; i < emit_arity(e, r); i++)
    text_add_format(e->out, "    %s c%u;\n", emit_type(it->low[i] + it->size[i]), i);
  text_add_format(e->out, "  } %s_list[%llu];\n", emit_name(e, r),
                  (unsigned long long)(it->product ? it->product : 1));
}
