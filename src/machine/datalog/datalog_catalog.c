#include "machine/datalog/datalog_catalog.h"

#include "datalog/flat_roles.h"

#include <stdlib.h>
#include <string.h>

/* ---- the order of shapes ---- */

/* The text that all terms of a shape begin with.  Shapes are in order one after another when none
   of these begins another. */
typedef struct shape_text {
  flat_id relation;
  const char *prefix;
} shape_text;

/* A constant sorts behind whatever begins with a parenthesis, unless it begins with an odd sign. */
static bool constants_come_last(const dl_rules *r, const dl_layout *l, uint32_t column) {
  if (!l->size) return false;
  for (uint32_t i = 0; i < l->columns[column].value_count; i++) {
    const term *it = term_get(&r->terms, l->columns[column].values[i]);
    const slice name = symbol_canonical(r->terms.symbols, it->name);
    if (name.length == 0 || (unsigned char)name.start[0] <= '(') return false;
  }
  return true;
}

static const char *prefix_of(const dl_rules *r, const dl_layout *l, flat_id relation,
                             uint32_t argument, arena *scratch) {
  const term_id term = term_arg(&r->terms, r->flat.relations.items[relation].skeleton, argument);
  if (term_is_variable(&r->terms, term))
    return constants_come_last(r, l, term_variable_number(&r->terms, term)) ? ")" : "";
  text words = text_new(scratch);
  term_print(&r->terms, term, NOTATION_KIF, NULL, &words);
  char *prefix = arena_copy_text(scratch, text_string(&words), words.length);
  char *hole = strchr(prefix, '?');
  if (hole) *hole = '\0';
  return prefix;
}

static int compare_prefixes(const void *left, const void *right) {
  return strcmp(((const shape_text *)left)->prefix, ((const shape_text *)right)->prefix);
}

/* After sorting, a text that begins another stands right before one that it begins. */
static bool prefixes_differ(const shape_text *shapes, uint32_t count) {
  for (uint32_t i = 1; i < count; i++)
    if (strncmp(shapes[i - 1].prefix, shapes[i].prefix, strlen(shapes[i - 1].prefix)) == 0)
      return false;
  return true;
}

/* ---- the catalogue ---- */

static dl_entry entry_new(const dl_rules *r, const dl_layout *layouts, flat_id relation,
                          symbol_id from, symbol_id to) {
  return (dl_entry){.from = from == SYM_NONE ? ID_NONE : dl_under_keyword(r, relation, from),
                    .to = to == SYM_NONE ? ID_NONE : dl_under_keyword(r, relation, to),
                    .layout = &layouts[relation]};
}

dl_catalog dl_catalog_make(const dl_rules *r, const dl_layout *layouts, symbol_id keyword,
                           symbol_id from, symbol_id to, arena *keep) {
  arena *scratch = arena_new();
  const flat_program *f = &r->flat;
  if (r->has_generic) keyword = from; /* shapes differ, but then numbers do not depend on them */
  const uint32_t first = f->relations_from[keyword];
  const uint32_t end = f->relations_from[keyword + 1];
  dl_catalog c = {.argument = keyword_arity(keyword) - 1, .has_names = r->has_generic};
  shape_text *shapes = arena_new_array(scratch, shape_text, end - first + 1);
  for (uint32_t i = first; i < end; i++) {
    const flat_id relation = f->relations_by_source.items[i];
    if (c.argument > 0 && !flat_has_role(f, relation)) continue;
    shapes[c.count++] =
        (shape_text){relation, prefix_of(r, &layouts[relation], relation, c.argument, scratch)};
  }
  qsort(shapes, c.count, sizeof *shapes, compare_prefixes);
  c.entries = arena_new_array(keep, dl_entry, c.count);
  for (uint32_t i = 0; i < c.count; i++) {
    c.entries[i] = entry_new(r, layouts, shapes[i].relation, from, to);
    c.entries[i].base = c.size;
    c.size += c.entries[i].layout->size;
    c.has_names |= !c.entries[i].layout->size;
  }
  c.is_ordered = !c.has_names && prefixes_differ(shapes, c.count);
  arena_free(scratch);
  return c;
}
