#include "board/links.h"

static uint32_t place_of(const id_vec *values, value_id v) {
  uint32_t i = 0;
  while (i < values->count && values->items[i] != v) i++;
  return i;
}

static bool has_link(const link_vec *l, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < l->count; i += 2)
    if ((l->items[i] == a && l->items[i + 1] == b) || (l->items[i] == b && l->items[i + 1] == a))
      return true;
  return false;
}

enum { LINKED_MOST = 120 };

static link_vec links_of(const statics *s, uint32_t from, uint32_t to, const id_vec *domain,
                         arena *keep) {
  link_vec found = {0};
  for (uint32_t i = from; i < to && found.count < 8 * LINKED_MOST; i++) {
    const uint32_t a = place_of(domain, static_arg(s, i, 0));
    const uint32_t b = place_of(domain, static_arg(s, i, 1));
    if (a == domain->count || b == domain->count || a == b || has_link(&found, a, b)) continue;
    vec_push(keep, &found, a);
    vec_push(keep, &found, b);
  }
  return found;
}

static uint32_t degree(const link_vec *l, uint32_t place) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < l->count; i++) count += l->items[i] == place;
  return count;
}

/* Nearly all values are joined, by few links each, and not one behind another: that is an order. */
static bool is_graph(const link_vec *l, const id_vec *domain) {
  uint32_t joined = 0, branches = 0;
  for (uint32_t i = 0; i < domain->count; i++) {
    const uint32_t links = degree(l, i);
    joined += links > 0;
    branches += links > 2;
  }
  return joined * 10 >= domain->count * 9 && l->count / 2 <= 3 * domain->count && branches;
}

link_vec find_links(const statics *s, const id_vec *domain, arena *keep) {
  link_vec best = {0};
  if (domain->count < 4 || domain->count > LINKED_MOST) return best;
  for (uint32_t from = 0, to; from < s->facts.count; from = to) {
    to = from + 1;
    while (to < s->facts.count && s->facts.items[to].relation == s->facts.items[from].relation)
      to++;
    if (s->facts.items[from].arity > 3) continue;
    const link_vec found = links_of(s, from, to, domain, keep);
    if (found.count > best.count && is_graph(&found, domain)) best = found;
  }
  return best;
}
