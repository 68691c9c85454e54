#include "read/canonical.h"

#include <assert.h>

#include "read/escape.h"

/* (a) and ((a)) are a; but (or) is what holds if one of nothing does.  Lists up to `kept` are known
   to be no such name, so that none of many around each other is looked into twice. */
static node_id unwrapped(const tree *t, node_id n, node_id *kept) {
  if (n < *kept) return n;
  node_id inside = n;
  while (node_is_list(t, inside) && node_first(inside) != node_after(t, inside) &&
         node_after(t, node_first(inside)) == node_after(t, inside))
    inside++;
  const symbol_id name = tree_node(t, inside)->symbol;
  if (name != SYM_NONE && !symbol_is_logical(name)) return inside;
  *kept = inside;
  return n;
}

static void add_name(const tree *t, node_id n, text *out) {
  const slice name = symbol_canonical(t->symbols, tree_node(t, n)->symbol);
  text_add_bytes(out, name.start, name.length);
}

void canonical_print(const tree *t, node_id n, arena *scratch, text *out) {
  assert(scratch != out->keep); /* it is given back at the end */
  const arena_mark mark = arena_save(scratch);
  const node_id end = node_after(t, n);
  id_vec ends = {0};
  node_id kept = 0;
  bool is_apart = false; /* from what was printed last */
  for (node_id at = n; at != end;) {
    for (; ends.count && vec_last(&ends) == at; ends.count--) text_add_char(out, ')');
    if (is_apart) text_add_char(out, ' ');
    at = unwrapped(t, at, &kept);
    is_apart = !node_is_list(t, at) || node_first(at) == node_after(t, at);
    if (!node_is_list(t, at)) {
      add_name(t, at, out);
    } else {
      text_add(out, is_apart ? "()" : "(");
      if (!is_apart) vec_push(scratch, &ends, node_after(t, at));
    }
    at++;
  }
  for (; ends.count; ends.count--) text_add_char(out, ')');
  arena_restore(scratch, mark);
}

/* ---- texts ---- */

size_t canonical_name_length(const char *at) {
  const char *from = at;
  while (*at && *at != ' ' && *at != '(' && *at != ')')
    at += *at == '\\' ? escape_length(at, at + strnlen(at, HEX_ESCAPE_LENGTH)) : 1;
  return (size_t)(at - from);
}

size_t canonical_term_length(const char *at) {
  size_t length = 0;
  uint32_t depth = 0;
  do {
    const size_t name = canonical_name_length(at + length);
    if (name) {
      length += name;
      continue;
    }
    depth += at[length] == '(';
    depth -= at[length] == ')';
    length++;
  } while (depth);
  return length;
}

symbol_id canonical_find(const symbol_table *symbols, slice name, arena *scratch) {
  const char *end = name.start + name.length;
  text bytes = text_new(scratch);
  text_add(&bytes, "");
  for (const char *at = name.start; at < end;) {
    const bool is_escape = *at == '\\' && at + 1 < end;
    text_add_char(&bytes, !is_escape ? *at : escape_is_hex(at, end) ? escape_hex_byte(at) : at[1]);
    at += is_escape ? escape_length(at, end) : 1;
  }
  return symbol_find_constant(symbols, (slice){bytes.bytes, bytes.length});
}

/* ---- reading ---- */

bool canonical_read(canonical_terms *terms, slice words, arena *keep, const char **why) {
  const char *bytes = arena_copy_text(keep, words.start, words.length);
  source *s = arena_alloc(keep, sizeof *s);
  *s = source_of("", bytes, (uint32_t)words.length);
  diag_sink d;
  tree t;
  diag_sink_init(&d, keep);
  *terms = (canonical_terms){0};
  if (!tree_read_as(&t, s, NOTATION_KIF, symbols_new(keep), keep, &d)) {
    diag_sort(&d);
    for (uint32_t i = d.all.count; i--;)
      if (diag_severity(&d.all.items[i]) == SEVERITY_ERROR) *why = d.all.items[i].message;
    return false;
  }
  arena *scratch = arena_new();
  for (node_id n = 0; n != t.nodes.count; n = node_after(&t, n)) {
    text out = text_new(keep);
    canonical_print(&t, n, scratch, &out);
    const char *term = text_string(&out);
    vec_push(keep, &terms->items, term);
  }
  arena_free(scratch);
  return true;
}
