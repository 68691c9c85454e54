#include "certify/term_key.h"

#include <stdlib.h>
#include <string.h>

/* A name is its length, a colon and its bytes in lower case; a compound stands in parentheses. */
static void add_name(slice name, text *out) {
  text_add_number(out, name.length);
  text_add_char(out, ':');
  text_add_bytes(out, name.start, name.length);
}

static void add_term(const term_table *terms, term_id id, text *out) {
  const term *t = term_get(terms, id);
  if (t->arg_count) text_add_char(out, '(');
  add_name(symbol_folded(terms->symbols, t->name), out);
  for (uint32_t i = 0; i < t->arg_count; i++) add_term(terms, term_arg(terms, id, i), out);
  if (t->arg_count) text_add_char(out, ')');
}

void node_key(const tree *t, node_id n, text *out) {
  id_vec ends = {0};
  for (node_id at = n; at != node_after(t, n); at++) {
    for (; ends.count && vec_last(&ends) == at; ends.count--) text_add_char(out, ')');
    if (node_is_list(t, at) && node_element_count(t, at) == 1) continue; /* (a) is a */
    if (node_is_list(t, at)) {
      text_add_char(out, '(');
      vec_push(out->keep, &ends, node_after(t, at));
    } else {
      add_name(symbol_folded(t->symbols, tree_node(t, at)->symbol), out);
    }
  }
  while (ends.count--) text_add_char(out, ')');
}

/* ---- finding ---- */

static int compare_keys(const void *left, const void *right) {
  const slice a = ((const struct keyed_term *)left)->key;
  const slice b = ((const struct keyed_term *)right)->key;
  const int order = memcmp(a.start, b.start, a.length < b.length ? a.length : b.length);
  return order ? order : (a.length > b.length) - (a.length < b.length);
}

key_index key_index_new(const term_table *table, const term_id *terms, uint32_t count,
                        arena *keep) {
  key_index index = {arena_new_array(keep, struct keyed_term, count + 1), count};
  for (uint32_t i = 0; i < count; i++) {
    text key = text_new(keep);
    add_term(table, terms[i], &key);
    index.items[i] = (struct keyed_term){{text_string(&key), key.length}, i};
  }
  if (count) qsort(index.items, count, sizeof *index.items, compare_keys);
  return index;
}

uint32_t key_index_find(const key_index *index, const tree *t, node_id n, arena *scratch) {
  const arena_mark mark = arena_save(scratch);
  text key = text_new(scratch);
  node_key(t, n, &key);
  const struct keyed_term wanted = {.key = {text_string(&key), key.length}};
  const struct keyed_term *found =
      bsearch(&wanted, index->items, index->count, sizeof *index->items, compare_keys);
  arena_restore(scratch, mark);
  return found ? found->number : ID_NONE;
}
