#include "board/evidence/fact_book.h"

#include "base/bitset.h"
#include "read/canonical.h"

void book_init(fact_book *b, names *shared, arena *keep) {
  *b = (fact_book){.keep = keep,
                   .values = names_new(keep),
                   .patterns = names_new(keep),
                   .texts = names_new(keep)};
  b->shared = shared ? shared : &b->values;
}

/* ---- reading a term ---- */

/* A canonical text on its way to pattern and constants. */
typedef struct taking_apart {
  text pattern;
  id_vec leaves;
  const char *relation;
  size_t relation_length;
} taking_apart;

static void take_name(fact_book *b, taking_apart *t, const char *at, size_t length,
                      bool is_functor) {
  if (!t->relation) {
    t->relation = at;
    t->relation_length = length;
  }
  if (is_functor) {
    text_add_bytes(&t->pattern, at, length);
    return;
  }
  text_add_char(&t->pattern, '?');
  vec_push(t->pattern.keep, &t->leaves, names_add(b->shared, at, length));
}

/* A name after an opening parenthesis is a function; so is a name that is the whole term. */
static void take_apart(fact_book *b, taking_apart *t, const char *canonical) {
  bool is_functor = true;
  for (const char *at = canonical; *at;) {
    const size_t length = canonical_name_length(at);
    if (length) {
      take_name(b, t, at, length, is_functor);
    } else {
      text_add_char(&t->pattern, *at);
    }
    is_functor = !length && *at == '(';
    at += length ? length : 1;
  }
}

static void look_at_it_as_a_whole(taking_apart *t) {
  text_clear(&t->pattern);
  text_add_bytes(&t->pattern, t->relation, t->relation_length);
  text_add(&t->pattern, " ...");
  t->leaves.count = 0;
}

static shape_id shape_of(fact_book *b, const taking_apart *t) {
  const shape_id s = names_add(&b->patterns, t->pattern.bytes, t->pattern.length);
  if (s < b->shapes.count) return s;
  shape made = {.pattern = names_text(&b->patterns, s),
                .relation = arena_copy_text(b->keep, t->relation, t->relation_length),
                .leaf_count = t->leaves.count,
                .column_count = t->leaves.count};
  for (uint32_t i = 0; i < t->leaves.count; i++) made.columns[i] = (column){.leaf = i};
  vec_push(b->keep, &b->shapes, made);
  return s;
}

static void add_new(fact_book *b, const char *canonical) {
  arena *scratch = arena_new();
  taking_apart t = {.pattern = text_new(scratch)};
  take_apart(b, &t, canonical);
  const bool is_known =
      t.pattern.length && names_find(&b->patterns, t.pattern.bytes, t.pattern.length) != NAME_NONE;
  if (!t.relation) t.relation = canonical;
  if (t.leaves.count > COLUMN_MAX || (b->shapes.count >= SHAPE_MAX && !is_known))
    look_at_it_as_a_whole(&t);
  const book_fact made = {.shape = shape_of(b, &t), .leaves = b->leaves.count};
  vec_append(b->keep, &b->leaves, t.leaves.items, t.leaves.count);
  vec_push(b->keep, &b->facts, made);
  arena_free(scratch);
}

fact_id book_add(fact_book *b, const char *canonical) {
  const fact_id f = names_add(&b->texts, canonical, strlen(canonical));
  if (f == b->facts.count) add_new(b, canonical);
  return f;
}

/* ---- columns ---- */

value_id fact_value(const fact_book *b, fact_id f, uint32_t column) {
  const struct column *c = &fact_shape(b, f)->columns[column];
  const value_id whole = fact_leaf(b, f, c->leaf);
  return c->form == SPLIT_NONE ? whole : split_find(b->shared, whole, c->form, c->part);
}

static void insert_column(shape *s, uint32_t leaf, split_form form) {
  uint32_t at = 0;
  while (s->columns[at].leaf != leaf) at++;
  memmove(&s->columns[at + 1], &s->columns[at], (s->column_count - at) * sizeof *s->columns);
  s->columns[at] = (column){leaf, form, SPLIT_FIRST};
  s->columns[at + 1] = (column){leaf, form, SPLIT_SECOND};
  s->column_count++;
}

void book_split(fact_book *b, shape_id s, uint32_t leaf, split_form form) {
  insert_column(&b->shapes.items[s], leaf, form);
  for (fact_id f = 0; f < b->facts.count; f++)
    if (b->facts.items[f].shape == s) split_add(b->shared, fact_leaf(b, f, leaf), form);
}

id_vec book_of_shape(const fact_book *b, shape_id s, arena *keep) {
  id_vec found = {0};
  for (fact_id f = 0; f < b->facts.count; f++)
    if (b->facts.items[f].shape == s) vec_push(keep, &found, f);
  return found;
}

id_vec book_domain(const fact_book *b, const id_vec *facts, uint32_t column, arena *keep) {
  id_vec found = {0};
  const bitset seen = bitset_new(keep, b->shared->items.count);
  for (uint32_t i = 0; i < facts->count; i++) {
    const value_id v = fact_value(b, facts->items[i], column);
    if (v == NAME_NONE || bitset_has(seen, v)) continue;
    bitset_add(seen, v);
    vec_push(keep, &found, v);
  }
  return found;
}
