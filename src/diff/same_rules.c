#include "diff/same_rules.h"

#include "diff/product.h"

/* Every clause as a text, sorted, each once. */
static text_list clauses_of(const program *p, const diff_names *n, arena *keep) {
  const product_side side = {p, n, "either"};
  text_list l = {.items = arena_new_array(keep, const char *, p->clauses.count + (size_t)1)};
  for (uint32_t i = 0; i < p->clauses.count; i++) {
    text words = text_new(keep);
    product_add_clause(&side, &p->clauses.items[i], &words);
    l.items[l.count++] = text_string(&words);
  }
  list_sort(&l);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < l.count; i++)
    if (!kept || strcmp(l.items[kept - 1], l.items[i]) != 0) l.items[kept++] = l.items[i];
  l.count = kept;
  return l;
}

bool rules_are_the_same(const diff_question *q) {
  arena *keep = arena_new();
  const text_list old = clauses_of(q->old_rules, NULL, keep);
  const text_list new = clauses_of(q->new_rules, q->names, keep);
  bool same = old.count == new.count;
  for (uint32_t i = 0; same && i < old.count; i++) same = !strcmp(old.items[i], new.items[i]);
  arena_free(keep);
  return same;
}
