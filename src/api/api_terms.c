#include "api/api_terms.h"

#include "prove/fluent_names.h"
#include "read/canonical.h"

static bool has_variable(const tree *t, node_id n) {
  for (node_id at = n; at != node_after(t, n); at++)
    if (!node_is_list(t, at) && symbol_is_variable(t->symbols, tree_node(t, at)->symbol))
      return true;
  return false;
}

static void take_terms(given_terms *g, const tree *t) {
  arena *scratch = arena_new();
  for (node_id n = 0; n != t->nodes.count; n = node_after(t, n)) {
    text words = text_new(g->keep);
    canonical_print(t, n, scratch, &words);
    const given_term it = {text_string(&words), tree_node(t, n)->where, has_variable(t, n)};
    vec_push(g->keep, &g->items, it);
  }
  arena_free(scratch);
}

bool given_terms_read(given_terms *g, const char *name, const char *words, size_t length) {
  arena *keep = arena_new();
  tree t;
  *g = (given_terms){.keep = keep};
  diag_sink_init(&g->diags, keep);
  g->source = source_of(arena_copy_text(keep, name, strlen(name)), "", 0);
  if (length > SOURCE_MAX_BYTES) {
    diag_add(&g->diags, DIAG_E701, SPAN_NONE, "the text is longer than 4 GiB");
    return false;
  }
  g->source = source_of(g->source.name, arena_copy_text(keep, words, length), (uint32_t)length);
  if (!tree_read_as(&t, &g->source, NOTATION_KIF, symbols_new(keep), keep, &g->diags)) return false;
  take_terms(g, &t);
  return true;
}

void given_terms_free(given_terms *g) { arena_free(g->keep); }

/* ---- fluents ---- */

static bool begins_with(const char *words, const char *start) {
  return strncmp(words, start, strlen(start)) == 0;
}

static bool check_fluent(given_terms *g, const given_term *it, const program *rules) {
  const char *why = it->has_variable ? "a position has no variables"
                                     : fluent_complaint(it->canonical, rules->terms, NULL, g->keep);
  if (!why) return true;
  diag *said = diag_add(&g->diags, DIAG_E823, it->where, "%s", why);
  if (begins_with(it->canonical, "(true ") || begins_with(it->canonical, "(init "))
    diag_hint(&g->diags, said, "write the fluent alone");
  return false;
}

bool given_fluents_check(given_terms *g, const program *rules) {
  bool ok = true;
  for (uint32_t i = 0; i < g->items.count; i++) ok &= check_fluent(g, &g->items.items[i], rules);
  return ok;
}
