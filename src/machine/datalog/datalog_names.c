#include "machine/datalog/datalog_names.h"

#include "base/recovery.h"
#include "rules/term_copy.h"
#include "rules/term_read.h"

struct dl_names {
  pthread_mutex_t lock;
  arena *keep;
  term_table terms;
};

dl_names *dl_names_new(const term_table *terms) {
  arena *keep = arena_new();
  dl_names *n = arena_alloc_zero(keep, sizeof *n);
  n->keep = keep;
  pthread_mutex_init(&n->lock, NULL);
  dl_terms_copy(&n->terms, terms, keep);
  return n;
}

void dl_names_free(dl_names *n) {
  if (!n) return;
  pthread_mutex_destroy(&n->lock);
  arena_free(n->keep);
}

void dl_terms_copy(term_table *to, const term_table *from, arena *keep) {
  terms_copy(to, from, keep);
}

static term_id copy_locked(dl_names *n, term_table *to, const term_table *from, term_id t) {
  arena *scratch = arena_new();
  recovery_lock(&n->lock);
  const term_id result = term_copy(to, from, t, scratch);
  recovery_unlock(&n->lock);
  arena_free(scratch);
  return result;
}

uint32_t dl_name(dl_names *n, const term_table *from, term_id t) {
  return copy_locked(n, &n->terms, from, t);
}

term_id dl_named(dl_names *n, uint32_t name, term_table *to) {
  return copy_locked(n, to, &n->terms, name);
}

bool dl_name_read(dl_names *n, const char *canonical, uint32_t *name) {
  arena *scratch = arena_new();
  recovery_lock(&n->lock);
  const bool is_term = term_read_canonical(&n->terms, canonical, scratch, name);
  recovery_unlock(&n->lock);
  arena_free(scratch);
  return is_term;
}

bool dl_name_match(dl_names *n, const flat_program *f, flat_id relation, uint32_t name,
                   term_id *row) {
  flat_program own = *f;
  own.terms = &n->terms; /* the skeletons have the same numbers there */
  recovery_lock(&n->lock);
  const symbol_id keyword = term_get(&n->terms, f->relations.items[relation].skeleton)->name;
  const bool fits = flat_match(&own, relation, term_atom(&n->terms, keyword, &name, 1), row);
  recovery_unlock(&n->lock);
  return fits;
}

void dl_print_name(dl_names *n, uint32_t name, text *out) {
  recovery_lock(&n->lock);
  term_print(&n->terms, name, NOTATION_KIF, NULL, out);
  recovery_unlock(&n->lock);
}

void dl_print_argument(dl_names *n, term_id skeleton, const term_id *row, uint32_t argument,
                       text *out) {
  recovery_lock(&n->lock);
  term_print(&n->terms, skeleton_argument(&n->terms, skeleton, row, argument), NOTATION_KIF, NULL,
             out);
  recovery_unlock(&n->lock);
}
