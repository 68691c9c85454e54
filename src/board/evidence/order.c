#include "board/evidence/order.h"

#include "base/sort.h"

#include <stdlib.h>

uint32_t ordering_find(const ordering *o, value_id v) {
  uint32_t i = 0;
  while (i < o->items.count && o->items.items[i] != v) i++;
  return i;
}

/* ---- keys: a number for each value ---- */

typedef bool read_key(const char *text, int64_t *key);

static bool read_integer(const char *text, int64_t *key) {
  char *end;
  *key = strtoll(text, &end, 10);
  return end != text && !*end && *key > -100000 && *key < 100000;
}

static bool read_letter(const char *text, int64_t *key) {
  *key = *text;
  return *text >= 'a' && *text <= 'z' && !text[1];
}

static bool read_word(const char *text, int64_t *key) {
  static const char *const words[] = {
      "zero",     "one",     "two",     "three",     "four",     "five",     "six",
      "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",   "thirteen",
      "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"};
  for (*key = 0; *key < (int64_t)(sizeof words / sizeof *words); ++*key)
    if (strcmp(text, words[*key]) == 0) return true;
  return false;
}

static bool read_side(const char *text, int64_t *key) {
  static const char *const words[] = {"left", "top",   "upper", "middle", "center",
                                      "mid",  "right", "lower", "bottom"};
  static const int64_t keys[] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
  for (uint32_t i = 0; i < sizeof words / sizeof *words; i++) {
    *key = keys[i];
    if (strcmp(text, words[i]) == 0) return true;
  }
  return false;
}

/* ---- sorting by keys ---- */

static int compare_keys(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

typedef struct key_and_value {
  int64_t key;
  value_id value;
} key_and_value;

static bool read_keys(const names *n, const id_vec *values, size_t prefix, read_key *read,
                      key_and_value *out) {
  for (uint32_t i = 0; i < values->count; i++) {
    out[i].value = values->items[i];
    if (!read(names_text(n, values->items[i]) + prefix, &out[i].key)) return false;
  }
  return true;
}

static id_vec values_of(const key_and_value *k, uint32_t count, arena *keep) {
  id_vec found = {0};
  for (uint32_t i = 0; i < count; i++) vec_push(keep, &found, k[i].value);
  return found;
}

static bool have_equal_keys(const key_and_value *k, uint32_t count) {
  for (uint32_t i = 1; i < count; i++)
    if (k[i].key == k[i - 1].key) return true;
  return false;
}

/* ---- numbers ---- */

enum { FILLED_SPAN_MAX = 41 };

static id_vec fill_gaps(names *n, const key_and_value *k, uint32_t count, const char *prefix,
                        size_t prefix_length, arena *keep) {
  id_vec filled = {0};
  uint32_t at = 0;
  for (int64_t key = k[0].key; key <= k[count - 1].key; key++) {
    text words = text_new(keep);
    text_add_bytes(&words, prefix, prefix_length);
    text_add_format(&words, "%lld", (long long)key);
    const bool is_there = k[at].key == key;
    vec_push(keep, &filled, is_there ? k[at].value : names_add(n, words.bytes, words.length));
    at += is_there;
  }
  return filled;
}

static bool order_numbers(ordering *o, names *n, const id_vec *values, size_t prefix, arena *keep) {
  key_and_value *k = arena_new_array(keep, key_and_value, values->count);
  if (!read_keys(n, values, prefix, read_integer, k)) return false;
  qsort(k, values->count, sizeof *k, compare_keys);
  const int64_t span = k[values->count - 1].key - k[0].key + 1;
  if (have_equal_keys(k, values->count)) return false;
  const bool is_dense = span <= 2 * (int64_t)values->count;
  o->items = is_dense && span < FILLED_SPAN_MAX
                 ? fill_gaps(n, k, values->count, names_text(n, values->items[0]), prefix, keep)
                 : values_of(k, values->count, keep);
  o->quality = is_dense ? 3 : 1;
  o->is_numeric = !prefix;
  return true;
}

static size_t common_prefix(const names *n, const id_vec *values) {
  const char *first = names_text(n, values->items[0]);
  size_t length = strcspn(first, "0123456789");
  for (uint32_t i = 1; i < values->count; i++)
    while (strncmp(first, names_text(n, values->items[i]), length) != 0) length--;
  return length;
}

/* ---- letters and words ---- */

static bool order_words(ordering *o, const names *n, const id_vec *values, read_key *read,
                        double quality, arena *keep) {
  key_and_value *k = arena_new_array(keep, key_and_value, values->count);
  if (!read_keys(n, values, 0, read, k)) return false;
  qsort(k, values->count, sizeof *k, compare_keys);
  if (have_equal_keys(k, values->count)) return false;
  if (k[values->count - 1].key - k[0].key + 1 > 2 * (int64_t)values->count) return false;
  o->items = values_of(k, values->count, keep);
  o->quality = quality;
  return true;
}

/* Two letters, such as x and o, are rather two sides than two columns. */
static bool order_letters(ordering *o, const names *n, const id_vec *values, arena *keep) {
  o->has_letters = values->count >= 3 && order_words(o, n, values, read_letter, 3, keep);
  return o->has_letters;
}

/* ---- chains of facts ---- */

typedef struct chain {
  const id_vec *values;
  uint32_t *next, *before; /* by place in values; UINT32_MAX: none */
  uint32_t links;
  bool is_function;
} chain;

static uint32_t place_of(const id_vec *values, value_id v) {
  for (uint32_t i = 0; i < values->count; i++)
    if (values->items[i] == v) return i;
  return UINT32_MAX;
}

static void add_link(chain *c, uint32_t a, uint32_t b) {
  if (a == UINT32_MAX || b == UINT32_MAX) return;
  if (c->next[a] != UINT32_MAX || c->before[b] != UINT32_MAX || a == b) c->is_function = false;
  c->next[a] = b;
  c->before[b] = a;
  c->links++;
}

static chain chain_new(const id_vec *values, arena *keep) {
  const size_t bytes = values->count * sizeof(uint32_t);
  chain c = {.values = values, .is_function = true};
  c.next = arena_alloc(keep, bytes);
  c.before = arena_alloc(keep, bytes);
  memset(c.next, 0xff, bytes);
  memset(c.before, 0xff, bytes);
  return c;
}

/* As far as the chain goes, or once around. */
static id_vec follow(const chain *c, uint32_t from, arena *keep) {
  id_vec found = {0};
  uint32_t at = from;
  do {
    vec_push(keep, &found, c->values->items[at]);
    at = c->next[at];
  } while (at != UINT32_MAX && at != from && found.count < c->values->count);
  return found;
}

/* The longest chain from a value that nothing leads to; else the circle from the first value. */
static id_vec longest_chain(const chain *c, bool *is_cycle, arena *keep) {
  id_vec best = {0};
  for (uint32_t i = 0; i < c->values->count; i++) {
    if (c->before[i] != UINT32_MAX) continue;
    const id_vec found = follow(c, i, keep);
    if (found.count > best.count) best = found;
  }
  *is_cycle = !best.count;
  return best.count ? best : follow(c, 0, keep);
}

static chain read_chain(const statics *s, uint32_t from, uint32_t to, const id_vec *values,
                        arena *keep) {
  chain c = chain_new(values, keep);
  for (uint32_t i = from; i < to && c.is_function; i++)
    add_link(&c, place_of(values, static_arg(s, i, 0)), place_of(values, static_arg(s, i, 1)));
  return c;
}

static void take_chain(ordering *o, const chain *c, arena *keep) {
  bool is_cycle;
  if (!c->is_function || c->links + 1 < c->values->count - c->values->count / 5) return;
  const id_vec found = longest_chain(c, &is_cycle, keep);
  if (is_cycle && found.count == c->values->count && found.count >= 4) o->is_cycle = true;
  const double quality = found.count * 10 >= 9 * c->values->count ? 3 : 2;
  if (found.count < 3 || quality <= o->quality || found.count * 5 < 4 * c->values->count) return;
  o->items = found;
  o->quality = quality;
}

/* Chains in facts of every binary relation. */
static void order_by_facts(ordering *o, const statics *s, const id_vec *values, arena *keep) {
  for (uint32_t from = 0, to; from < s->facts.count; from = to) {
    to = from + 1;
    while (to < s->facts.count && s->facts.items[to].relation == s->facts.items[from].relation)
      to++;
    if (s->facts.items[from].arity != 2) continue;
    const chain c = read_chain(s, from, to, values, keep);
    take_chain(o, &c, keep);
  }
}

/* ---- all of them ---- */

static void order_by_text(ordering *o, const names *n, const id_vec *values, arena *keep) {
  for (uint32_t i = 0; i < values->count; i++) {
    uint32_t at = o->items.count;
    vec_push(keep, &o->items, values->items[i]);
    for (; at && strcmp(names_text(n, values->items[i]), names_text(n, o->items.items[at - 1])) < 0;
         at--)
      o->items.items[at] = o->items.items[at - 1];
    o->items.items[at] = values->items[i];
  }
}

/* Numbers, followed by a few words: a row of pits and a store. */
static bool order_mixed(ordering *o, names *n, const id_vec *values, arena *keep) {
  id_vec numbers = {0}, words = {0};
  int64_t key;
  for (uint32_t i = 0; i < values->count; i++) {
    id_vec *to = read_integer(names_text(n, values->items[i]), &key) ? &numbers : &words;
    vec_push(keep, to, values->items[i]);
  }
  if (numbers.count < 3 || words.count * 3 > numbers.count || !words.count) return false;
  if (!order_numbers(o, n, &numbers, 0, keep)) return false;
  vec_append(keep, &o->items, words.items, words.count);
  o->quality = 2;
  return true;
}

static bool order_by_names(ordering *o, names *n, const id_vec *values, arena *keep) {
  return order_numbers(o, n, values, 0, keep) ||
         (common_prefix(n, values) &&
          order_numbers(o, n, values, common_prefix(n, values), keep)) ||
         order_letters(o, n, values, keep) || order_words(o, n, values, read_word, 3, keep) ||
         order_words(o, n, values, read_side, 1.5, keep) || order_mixed(o, n, values, keep);
}

enum { ORDERED_MOST = 1000 };

ordering order_values(names *n, const statics *s, const id_vec *values, arena *keep) {
  ordering o = {0};
  if (!values->count || values->count > ORDERED_MOST) return o;
  order_by_names(&o, n, values, keep);
  if (values->count >= 2) order_by_facts(&o, s, values, keep);
  if (!o.items.count) order_by_text(&o, n, values, keep);
  return o;
}
