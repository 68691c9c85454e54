/* Any bytes: read them; if they are without fault, lay them out in both notations, read that
   back, compare the trees; lay out again, compare the texts. */
#include "read/format.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define OPEN_MARK SYM_NONE
#define CLOSE_MARK (SYM_NONE - 1)

static bool is_single(const tree *t, node_id list) {
  return node_first(list) != node_after(t, list) &&
         node_after(t, node_first(list)) == node_after(t, list);
}

/* What a form is about when (a) is a, and (<= h) is h. */
static node_id without_wrapping(const tree *t, node_id form) {
  while (node_is_list(t, form) && node_functor(t, form) == SYM_RULE &&
         node_element_count(t, form) == 2)
    form = node_after(t, node_first(form));
  return form;
}

/* A form as symbols and parentheses. */
static void flatten_form(const tree *t, node_id form, arena *keep, id_vec *out) {
  const node_id end = node_after(t, form);
  id_vec ends = {0};
  for (node_id n = without_wrapping(t, form);; n++) {
    while (ends.count && vec_last(&ends) == n) {
      ends.count--;
      vec_push(keep, out, CLOSE_MARK);
    }
    if (n == end) return;
    if (!node_is_list(t, n)) vec_push(keep, out, tree_node(t, n)->symbol);
    if (!node_is_list(t, n) || is_single(t, n)) continue;
    vec_push(keep, out, OPEN_MARK);
    vec_push(keep, &ends, node_after(t, n));
  }
}

static id_vec flatten(const tree *t, arena *keep) {
  id_vec out = {0};
  for (node_id n = 0; n != t->nodes.count; n = node_after(t, n)) flatten_form(t, n, keep, &out);
  return out;
}

static bool is_same(const tree *a, const tree *b, arena *keep) {
  const id_vec left = flatten(a, keep);
  const id_vec right = flatten(b, keep);
  return left.count == right.count &&
         (left.count == 0 || memcmp(left.items, right.items, left.count * sizeof *left.items) == 0);
}

/* Lists without a name and rules inside of rules are no GDL, and have no infix form. */
static bool has_infix_form(const tree *t) {
  for (node_id form = 0; form != t->nodes.count; form = node_after(t, form))
    for (node_id n = form; n != node_after(t, form); n++) {
      if (node_is_list(t, n) && node_functor(t, n) == SYM_NONE) return false;
      const bool is_arrow = tree_node(t, n)->symbol == SYM_RULE;
      if (is_arrow && !(n == form + 1 && node_is_list(t, form))) return false;
    }
  return true;
}

static void require(bool holds) {
  if (!holds) abort();
}

static void check_notation(const tree *t, notation n, arena *keep) {
  text first = text_new(keep);
  tree_format(t, (format_options){n, 0}, &first);
  const source s = source_of("first", first.bytes, (uint32_t)first.length);
  diag_sink d;
  diag_sink_init(&d, keep);
  tree again;
  require(tree_read(&again, &s, t->symbols, keep, &d));
  require(again.notation == n || again.nodes.count + again.comments.count == 0);
  require(is_same(t, &again, keep));
  text second = text_new(keep);
  tree_format(&again, (format_options){n, 0}, &second);
  require(first.length == second.length && memcmp(first.bytes, second.bytes, first.length) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  arena *keep = arena_new();
  const char *bytes = arena_copy_text(keep, (const char *)data, size);
  const source s = source_of("fuzz", bytes, (uint32_t)size);
  diag_sink d;
  diag_sink_init(&d, keep);
  tree t;
  if (tree_read(&t, &s, symbols_new(keep), keep, &d)) {
    check_notation(&t, NOTATION_KIF, keep);
    if (has_infix_form(&t)) check_notation(&t, NOTATION_PROLOG, keep);
  }
  arena_free(keep);
  return 0;
}
