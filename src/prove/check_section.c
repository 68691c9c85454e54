#include "prove/check_section.h"

#include <stdlib.h>
#include <string.h>

bool checker_complain(checker *k, const char *why, const char *what) {
  if (k->complaint) return false;
  text words = text_new(k->keep);
  text_add_format(&words, "%s%s%s", why, what ? ": " : "", what ? what : "");
  k->complaint = text_string(&words);
  return false;
}

const char *checker_term_text(checker *k, term_id t) {
  text out = text_new(k->keep);
  term_print(k->g->terms, t, NOTATION_KIF, NULL, &out);
  return text_string(&out);
}

/* ---- reading ---- */

const char *checker_node_text(checker *k, node_id n) {
  const tree *t = k->t;
  text out = text_new(k->keep);
  id_vec ends = {0};
  bool needs_blank = false;
  for (node_id at = n; at != node_after(t, n); at++) {
    for (; ends.count && vec_last(&ends) == at; ends.count--) text_add_char(&out, ')');
    if (needs_blank) text_add_char(&out, ' ');
    needs_blank = !node_is_list(t, at);
    if (node_is_list(t, at)) {
      text_add_char(&out, '(');
      vec_push(k->keep, &ends, node_after(t, at));
    } else {
      const slice name = symbol_folded(t->symbols, tree_node(t, at)->symbol);
      text_add_bytes(&out, name.start, name.length);
    }
    needs_blank = true;
    if (node_is_list(t, at)) needs_blank = false;
  }
  while (ends.count--) text_add_char(&out, ')');
  return text_string(&out);
}

bool checker_is_named(const checker *k, node_id n, const char *name) {
  const symbol_id functor = node_functor(k->t, n);
  return functor != SYM_NONE && slice_equals(symbol_folded(k->t->symbols, functor), name);
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool checker_find_fluent(checker *k, node_id n, uint32_t *fluent) {
  const char *name = checker_node_text(k, n);
  const char **found =
      bsearch(&name, k->fluent_names, k->g->fluents.count, sizeof *k->fluent_names, compare_names);
  if (!found) return checker_complain(k, "there is no such fluent", name);
  *fluent = (uint32_t)(found - k->fluent_names);
  return true;
}

static bool read_member(checker *k, node_id n, member *m) {
  m->negated =
      node_is_list(k->t, n) && checker_is_named(k, n, "not") && node_element_count(k->t, n) == 2;
  return checker_find_fluent(k, m->negated ? node_after(k->t, node_first(n)) : n, &m->fluent);
}

static bool read_fact(checker *k, node_id n, section *s) {
  claim_fact f = {0};
  f.at_least = checker_is_named(k, n, "exactly-one") || checker_is_named(k, n, "at-least-one");
  f.at_most = checker_is_named(k, n, "exactly-one") || checker_is_named(k, n, "at-most-one");
  if (!f.at_least && !f.at_most)
    return checker_complain(k, "this is no fact", checker_node_text(k, n));
  for (node_id i = node_after(k->t, node_first(n)); i != node_after(k->t, n);
       i = node_after(k->t, i)) {
    member m;
    if (!read_member(k, i, &m)) return false;
    vec_push(k->keep, &f.members, m);
  }
  vec_push(k->keep, &s->facts, f);
  return true;
}

static bool read_number(checker *k, node_id n, uint32_t *number) {
  const char *words = checker_node_text(k, n);
  char *end;
  const unsigned long long value = strtoull(words, &end, 10);
  if (*end || *words < '0' || *words > '9' || value >= UINT32_MAX)
    return checker_complain(k, "this is no number", words);
  *number = (uint32_t)value;
  return true;
}

/* (measure (WEIGHT LITERAL) ...) */
static bool read_measure(checker *k, node_id n, section *s) {
  checked_measure m = {0};
  for (node_id i = node_after(k->t, node_first(n)); i != node_after(k->t, n);
       i = node_after(k->t, i)) {
    member of;
    uint32_t weight;
    if (!node_is_list(k->t, i) || node_element_count(k->t, i) != 2)
      return checker_complain(k, "this is no weight of a fluent", checker_node_text(k, i));
    const node_id first = node_first(i);
    if (!read_number(k, first, &weight) || !read_member(k, node_after(k->t, first), &of))
      return false;
    const checked_term t = {of.fluent, of.negated, weight};
    vec_push(k->keep, &m, t);
  }
  vec_push(k->keep, &s->measures, m);
  return true;
}

/* Anything of a section but its property. */
static bool read_item(checker *k, node_id n, section *s) {
  const struct {
    const char *name;
    uint32_t *number;
  } numbers[] = {
      {"k", &s->k}, {"returns-to", &s->returns_to}, {"steps", &s->steps}, {"longest", &s->longest}};
  if (!node_is_list(k->t, n))
    return checker_complain(k, "this is no list", checker_node_text(k, n));
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (checker_is_named(k, n, numbers[i].name) && node_element_count(k->t, n) == 2)
      return read_number(k, node_after(k->t, node_first(n)), numbers[i].number);
  if (checker_is_named(k, n, "measure")) return read_measure(k, n, s);
  if (checker_is_named(k, n, "line")) s->line = n;
  if (checker_is_named(k, n, "exhaustive")) s->is_exhaustive = true;
  return s->line == n || checker_is_named(k, n, "exhaustive") || read_fact(k, n, s);
}

node_id section_read(checker *k, node_id n, section *s) {
  *s = (section){.property = n, .line = ID_NONE, .steps = ID_NONE, .longest = ID_NONE};
  for (n = node_after(k->t, n); n != k->t->nodes.count && !checker_is_named(k, n, "property");
       n = node_after(k->t, n))
    if (!k->complaint) read_item(k, n, s);
  return n;
}

bool section_asks_for(const checker *k, const section *s, const char *property) {
  const node_id name = node_after(k->t, node_first(s->property));
  return node_element_count(k->t, s->property) == 2 && !node_is_list(k->t, name) &&
         checker_is_named(k, name, property);
}
