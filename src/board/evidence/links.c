#include "board/evidence/links.h"

#include "board/evidence/candidates.h"

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

/* For the arguments at places i and k. */
static link_vec links_of(const statics *s, uint32_t from, uint32_t to, uint32_t i, uint32_t k,
                         const id_vec *domain, arena *keep) {
  link_vec found = {0};
  for (uint32_t f = from; f < to && found.count < 8 * LINKED_MOST; f++) {
    const uint32_t a = place_of(domain, static_arg(s, f, i));
    const uint32_t b = place_of(domain, static_arg(s, f, k));
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

/* No cell has more neighbours; numbers that are joined to very many are counted or added. */
enum { NEIGHBOURS_MOST = 8 };

/* Nearly all values are joined, by few links each, and not in a chain: that is an order. */
static bool is_graph(const link_vec *l, const id_vec *domain) {
  uint32_t joined = 0, branches = 0, most = 0;
  for (uint32_t i = 0; i < domain->count; i++) {
    const uint32_t links = degree(l, i);
    joined += links > 0;
    branches += links > 2;
    if (links > most) most = links;
  }
  return joined * 10 >= domain->count * 9 && l->count / 2 <= 3 * domain->count && branches &&
         most <= NEIGHBOURS_MOST;
}

/* The better of the two. */
static void consider(const statics *s, uint32_t from, uint32_t to, uint32_t i, uint32_t k,
                     const id_vec *domain, link_vec *best, arena *keep) {
  const link_vec found = links_of(s, from, to, i, k, domain, keep);
  if (found.count > best->count && is_graph(&found, domain)) *best = found;
}

/* (line a b c): all are places, so none of them is joined to but one other. */
static bool are_lines(const statics *s, uint32_t fact, const id_vec *domain) {
  uint32_t places = 0;
  for (uint32_t i = 0; i < s->facts.items[fact].arity; i++)
    places += place_of(domain, static_arg(s, fact, i)) < domain->count;
  return places > 2;
}

link_vec find_links(const statics *s, const id_vec *domain, arena *keep) {
  link_vec best = {0};
  if (domain->count < 4 || domain->count > LINKED_MOST) return best;
  for (uint32_t from = 0, to; from < s->facts.count; from = to) {
    to = from + 1;
    while (to < s->facts.count && s->facts.items[to].relation == s->facts.items[from].relation)
      to++;
    const uint32_t arity = s->facts.items[from].arity;
    if (are_lines(s, from, domain)) continue;
    for (uint32_t k = 1; k < arity && arity <= 3; k++)
      for (uint32_t i = 0; i < k; i++) consider(s, from, to, i, k, domain, &best, keep);
  }
  return best;
}

/* ---- circles ---- */

static uint32_t other_end(const link_vec *l, uint32_t place, uint32_t but) {
  for (uint32_t i = 0; i < l->count; i++)
    if (l->items[i] == place && l->items[i ^ 1] != but) return l->items[i ^ 1];
  return UINT32_MAX;
}

/* Every value has two neighbours, and the way around meets them all. */
static id_vec circle_of(const link_vec *l, const id_vec *domain, arena *keep) {
  id_vec found = {0};
  for (uint32_t i = 0; i < domain->count; i++)
    if (degree(l, i) != 2) return found;
  uint32_t before = UINT32_MAX, at = 0;
  do {
    vec_push(keep, &found, domain->items[at]);
    const uint32_t next = other_end(l, at, before);
    before = at;
    at = next;
  } while (at && found.count < domain->count);
  if (found.count < domain->count) found.count = 0;
  return found;
}

id_vec find_circle(const statics *s, const id_vec *domain, arena *keep) {
  if (domain->count < 4 || domain->count > LINKED_MOST) return (id_vec){0};
  for (uint32_t from = 0, to; from < s->facts.count; from = to) {
    to = from + 1;
    while (to < s->facts.count && s->facts.items[to].relation == s->facts.items[from].relation)
      to++;
    if (s->facts.items[from].arity != 2) continue;
    const link_vec links = links_of(s, from, to, 0, 1, domain, keep);
    const id_vec found = circle_of(&links, domain, keep);
    if (found.count) return found;
  }
  return (id_vec){0};
}

/* ---- squares ---- */

uint32_t square_width(const statics *s, const id_vec *domain) {
  uint32_t lines = 0;
  for (uint32_t f = 0; f < s->facts.count; f++) {
    const uint32_t arity = s->facts.items[f].arity;
    const id_vec args = {.items = s->args.items + s->facts.items[f].args, .count = arity};
    if (arity < 3 || arity * arity != domain->count || share_within(&args, domain) < 0.999)
      continue;
    if (++lines > 2 * arity) return arity;
  }
  return 0;
}
