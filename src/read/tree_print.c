#include "read/tree_print.h"

/* Nodes come in the order of the text; `ends` holds the ends of the open lists. */
static void add_form(const tree *t, node_id form, arena *scratch, text *out) {
  const arena_mark mark = arena_save(scratch);
  id_vec ends = {0};
  for (node_id n = form; n < node_after(t, form); n++) {
    while (ends.count && vec_last(&ends) == n) {
      ends.count--;
      text_add_char(out, ')');
    }
    const bool is_first = n == form || (node_is_list(t, n - 1) && node_after(t, n - 1) > n);
    if (!is_first) text_add_char(out, ' ');
    if (!node_is_list(t, n)) {
      const slice name = symbol_canonical(t->symbols, tree_node(t, n)->symbol);
      text_add_bytes(out, name.start, name.length);
      continue;
    }
    text_add_char(out, '(');
    vec_push(scratch, &ends, node_after(t, n));
  }
  for (; ends.count; ends.count--) text_add_char(out, ')');
  text_add_char(out, '\n');
  arena_restore(scratch, mark);
}

void tree_print(const tree *t, arena *scratch, text *out) {
  for (node_id n = 0; n < t->nodes.count; n = node_after(t, n)) add_form(t, n, scratch, out);
}
