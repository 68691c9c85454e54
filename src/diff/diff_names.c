#include "diff/diff_names.h"

#include "read/canonical.h"

#include <stdlib.h>

static int compare_pairs(const void *a, const void *b) {
  return strcmp(((const diff_pair_of_names *)a)->from, ((const diff_pair_of_names *)b)->from);
}

static void sort_pairs(diff_pair_of_names *pairs, uint32_t count) {
  if (count) qsort(pairs, count, sizeof *pairs, compare_pairs);
}

static const char *find(const diff_pair_of_names *pairs, uint32_t count, const char *name) {
  const diff_pair_of_names key = {name, NULL};
  const diff_pair_of_names *found =
      count ? bsearch(&key, pairs, count, sizeof *pairs, compare_pairs) : NULL;
  return found ? found->to : NULL;
}

/* ---- reading ---- */

/* Always false. */
static bool complain(const char **complaint, arena *keep, const char *before, const char *name,
                     const char *after) {
  text words = text_new(keep);
  text_add_format(&words, "%s `%s` %s", before, name, after);
  *complaint = text_string(&words);
  return false;
}

static bool is_name(const char *canonical) {
  const size_t length = canonical_name_length(canonical);
  return length && !canonical[length] && *canonical != '?';
}

static bool belongs_to_the_language(const program *p, const char *name, arena *keep) {
  const symbol_id s = canonical_find(p->symbols, slice_of(name), keep);
  return s < SYM_FIXED_COUNT;
}

static bool is_given_twice(const diff_pair_of_names *pairs, uint32_t count, const char **name) {
  for (uint32_t i = 1; i < count; i++) {
    *name = pairs[i].from;
    if (strcmp(pairs[i - 1].from, pairs[i].from) == 0) return true;
  }
  return false;
}

/* An old name that stands for something of its own in the new rules. */
static bool captures(const diff_names *n, const program *p, const char *old_name, arena *keep) {
  const bool is_used = canonical_find(p->symbols, slice_of(old_name), keep) != SYM_NONE;
  return is_used && !find(n->to_old, n->count, old_name);
}

static bool pairs_fit(const diff_names *n, const program *p, arena *keep, const char **complaint) {
  const char *twice;
  if (is_given_twice(n->to_new, n->count, &twice) || is_given_twice(n->to_old, n->count, &twice))
    return complain(complaint, keep, "the map has", twice, "twice");
  for (uint32_t i = 0; i < n->count; i++)
    if (captures(n, p, n->to_new[i].from, keep))
      return complain(complaint, keep, "the new rules have a name", n->to_new[i].from,
                      "of their own: the map must give its old name");
  return true;
}

static bool take_pair(diff_names *n, const char *old_name, const char *new_name, const program *p,
                      arena *keep, const char **complaint) {
  const char *both[] = {old_name, new_name};
  for (uint32_t k = 0; k < 2; k++) {
    if (!is_name(both[k])) return complain(complaint, keep, "in the map", both[k], "is no name");
    if (belongs_to_the_language(p, both[k], keep))
      return complain(complaint, keep, "in the map", both[k], "is a word of the language");
  }
  n->to_new[n->count] = (diff_pair_of_names){old_name, new_name};
  n->to_old[n->count++] = (diff_pair_of_names){new_name, old_name};
  return true;
}

bool diff_names_read(diff_names *n, const char *words, const program *new_rules, arena *keep,
                     const char **complaint) {
  canonical_terms terms = {0};
  if (!canonical_read(&terms, slice_of(words), keep, complaint)) return false;
  const uint32_t pairs = terms.items.count / 2;
  *n = (diff_names){.to_new = arena_new_array(keep, diff_pair_of_names, pairs + (size_t)1),
                    .to_old = arena_new_array(keep, diff_pair_of_names, pairs + (size_t)1)};
  if (terms.items.count % 2)
    return complain(complaint, keep, "the map ends with", vec_last(&terms.items),
                    "and gives no new name for it");
  for (uint32_t i = 0; i < pairs; i++)
    if (!take_pair(n, terms.items.items[2 * i], terms.items.items[2 * i + 1], new_rules, keep,
                   complaint))
      return false;
  sort_pairs(n->to_new, n->count);
  sort_pairs(n->to_old, n->count);
  return pairs_fit(n, new_rules, keep, complaint);
}

/* ---- exchanging ---- */

static const char *exchanged(const diff_pair_of_names *pairs, uint32_t count, const char *at,
                             arena *keep) {
  if (!count) return at;
  text out = text_new(keep);
  while (*at) {
    const size_t length = canonical_name_length(at);
    const char *to = length ? find(pairs, count, arena_copy_text(keep, at, length)) : NULL;
    if (to)
      text_add(&out, to);
    else
      text_add_bytes(&out, at, length ? length : 1);
    at += length ? length : 1;
  }
  return text_string(&out);
}

const char *names_to_new(const diff_names *n, const char *canonical, arena *keep) {
  return exchanged(n->to_new, n->count, canonical, keep);
}

const char *names_to_old(const diff_names *n, const char *canonical, arena *keep) {
  return exchanged(n->to_old, n->count, canonical, keep);
}
