#include "api/api_terms.h"

#include "prove/fluent_names.h"
#include "read/canonical.h"
#include "rules/argument_values.h"

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

/* What stands in the text of a term: a constant or a function. */
static slot_value value_at(const char *at, const program *rules, arena *scratch) {
  const char *name = at + (*at == '(');
  const slice words = {name, canonical_name_length(name)};
  slot_value v = {.name = words.length ? canonical_find(rules->symbols, words, scratch) : SYM_NONE};
  if (name == at) return v;
  for (at = name + words.length; *at == ' '; at += canonical_term_length(at)) {
    at++;
    v.arity++;
  }
  return v;
}

/* Can this term stand in the slot, as far as its arguments are looked at one by one? */
static bool can_stand(const argument_values *v, slot_id slot, const char *at, const program *rules,
                      arena *scratch) {
  const slot_value it = value_at(at, rules, scratch);
  if (it.name == SYM_NONE) return false;
  if (slot_is_open(v, slot)) return true;
  if (!slot_has(v, slot, it)) return false;
  const char *arg = at + (*at == '(');
  arg += canonical_name_length(arg);
  for (uint32_t i = 0; i < it.arity; i++) {
    const slot_id part = slot_of_part(v, slot, it, i);
    arg++;
    if (part != SLOT_NONE && !can_stand(v, part, arg, rules, scratch)) return false;
    arg += canonical_term_length(arg);
  }
  return true;
}

/* Rules may have fluents that are written nowhere: (<= (next ?f) (given ?f)). */
static bool is_made_by_rules(const char *fluent, const program *rules) {
  arena *scratch = arena_new();
  const argument_values *v = argument_values_find(rules, NULL, scratch);
  const slot_id slot = slot_of_argument(v, SYM_TRUE, 0);
  const bool is_made = can_stand(v, slot, fluent, rules, scratch);
  arena_free(scratch);
  return is_made;
}

static const char *complaint(const given_term *it, const program *rules, arena *keep) {
  if (it->has_variable) return "a position has no variables";
  const char *why = fluent_complaint(it->canonical, rules->terms, NULL, keep);
  return why && is_made_by_rules(it->canonical, rules) ? NULL : why;
}

static bool check_fluent(given_terms *g, const given_term *it, const program *rules) {
  const char *why = complaint(it, rules, g->keep);
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
