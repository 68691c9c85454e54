#include "board/evidence/derived.h"

#include "base/sort.h"

/* ---- making facts ---- */

static void add_value(const samples *s, text *words, value_id v) {
  text_add_format(words, " %s", names_text(&s->fluents.values, v));
}

static fact_id make(samples *s, derivation *d, text *words) {
  text_add_char(words, ')');
  const fact_id made = book_add(&s->fluents, text_string(words));
  d->made = s->fluents.facts.items[made].shape;
  return made;
}

/* Do both have the same values but for those that are joined? */
static bool agree(const samples *s, const derivation *d, fact_id a, fact_id b) {
  const fact_book *book = &s->fluents;
  for (uint32_t i = 0, k = 0; i < fact_shape(book, a)->column_count; i++) {
    if (i == d->first_column) continue;
    k += k == d->second_column;
    if (fact_value(book, a, i) != fact_value(book, b, k++)) return false;
  }
  return true;
}

static fact_id join(samples *s, derivation *d, fact_id a, fact_id b, arena *scratch) {
  const fact_book *book = &s->fluents;
  text words = text_new(scratch);
  text_add_format(&words, "(%s+%s", fact_shape(book, a)->relation, fact_shape(book, b)->relation);
  for (uint32_t i = 0; i < fact_shape(book, a)->column_count; i++)
    if (i != d->first_column) add_value(s, &words, fact_value(book, a, i));
  add_value(s, &words, fact_value(book, a, d->first_column));
  add_value(s, &words, fact_value(book, b, d->second_column));
  return make(s, d, &words);
}

/* The number of the place in a list, from 0. */
static fact_id take_apart(samples *s, derivation *d, fact_id f, uint32_t at, arena *scratch) {
  text words = text_new(scratch);
  text_add_format(&words, "(%s# %u", fact_shape(&s->fluents, f)->relation, at + 1);
  add_value(s, &words, fact_value(&s->fluents, f, at));
  return make(s, d, &words);
}

/* ---- by one derivation ---- */

static bool has_shape(const samples *s, fact_id f, shape_id shape) {
  return s->fluents.facts.items[f].shape == shape;
}

static void join_with_all(samples *s, derivation *d, fact_id a, const id_vec *facts, id_vec *made,
                          arena *keep) {
  for (uint32_t i = 0; i < facts->count; i++) {
    const fact_id b = facts->items[i];
    if (has_shape(s, b, d->second) && agree(s, d, a, b))
      vec_push(keep, made, join(s, d, a, b, keep));
  }
}

static id_vec derive(samples *s, derivation *d, const id_vec *facts, arena *keep) {
  id_vec made = {0};
  for (uint32_t i = 0; i < facts->count; i++) {
    const fact_id f = facts->items[i];
    if (!has_shape(s, f, d->first)) continue;
    if (d->second != SHAPE_NONE) {
      join_with_all(s, d, f, facts, &made, keep);
      continue;
    }
    const uint32_t places = fact_shape(&s->fluents, f)->column_count;
    for (uint32_t k = 0; k < places; k++) vec_push(keep, &made, take_apart(s, d, f, k, keep));
  }
  return made;
}

/* ---- all states ---- */

void samples_derive(samples *s, id_vec *facts, arena *keep) {
  const id_vec real = *facts;
  if (!s->derivations.count) return;
  id_vec all = {0};
  vec_append(keep, &all, real.items, real.count);
  for (uint32_t i = 0; i < s->derivations.count; i++) {
    const id_vec made = derive(s, &s->derivations.items[i], &real, keep);
    vec_append(keep, &all, made.items, made.count);
  }
  sort_ids(all.items, all.count);
  *facts = all;
}

/* The states that were met before the derivation was known. */
static void derive_in_states(samples *s, derivation *d) {
  id_vec all = {0};
  for (uint32_t i = 0; i < s->states.count; i++) {
    sample_state *x = &s->states.items[i];
    const id_vec facts = {.items = s->facts.items + x->first, .count = x->count};
    const id_vec made = derive(s, d, &facts, s->keep);
    const uint32_t first = all.count;
    vec_append(s->keep, &all, facts.items, facts.count);
    vec_append(s->keep, &all, made.items, made.count);
    sort_ids(all.items + first, all.count - first);
    *x = (sample_state){first, all.count - first};
  }
  s->facts = all;
}

static void add_derivation(samples *s, derivation d) {
  arena *scratch = arena_new();
  id_vec all = {0};
  if (s->has_bases)
    for (fact_id f = 0; f < s->fluents.facts.count; f++) vec_push(scratch, &all, f);
  derive(s, &d, &all, scratch);
  derive_in_states(s, &d);
  if (d.made != SHAPE_NONE) vec_push(s->keep, &s->derivations, d);
  arena_free(scratch);
}

void samples_add_join(samples *s, shape_id first, uint32_t first_column, shape_id second,
                      uint32_t second_column) {
  add_derivation(s, (derivation){first, second, first_column, second_column, SHAPE_NONE});
}

void samples_add_list(samples *s, shape_id of) {
  add_derivation(s, (derivation){.first = of, .second = SHAPE_NONE, .made = SHAPE_NONE});
}

/* ---- back to the facts of the rules ---- */

const derivation *samples_derivation(const samples *s, shape_id shape) {
  for (uint32_t i = 0; i < s->derivations.count; i++)
    if (s->derivations.items[i].made == shape) return &s->derivations.items[i];
  return NULL;
}

static bool follows(samples *s, derivation d, const id_vec *source, fact_id made) {
  arena *scratch = arena_new();
  const id_vec all = derive(s, &d, source, scratch);
  bool does = false;
  for (uint32_t i = 0; i < all.count; i++) does |= all.items[i] == made;
  arena_free(scratch);
  return does;
}

void samples_sources(samples *s, const id_vec *facts, fact_id made, fact_id *from,
                     fact_id *and_from) {
  const derivation *d = samples_derivation(s, s->fluents.facts.items[made].shape);
  for (uint32_t i = 0; i < facts->count; i++)
    for (uint32_t k = 0; k < facts->count; k++) {
      const fact_id pair[] = {facts->items[i], facts->items[k]};
      const bool is_list = d->second == SHAPE_NONE;
      if (!has_shape(s, pair[0], d->first) ||
          (is_list ? i != k : !has_shape(s, pair[1], d->second)))
        continue;
      const id_vec source = {.items = (fact_id[]){pair[0], pair[1]}, .count = is_list ? 1 : 2};
      if (!follows(s, *d, &source, made)) continue;
      *from = pair[0];
      *and_from = is_list ? NAME_NONE : pair[1];
      return;
    }
}
