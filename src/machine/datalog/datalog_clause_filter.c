#include "machine/datalog/datalog_clause_filter.h"

enum { BITS = 64, MOVES_MAX = 16, FLUENTS_MAX = 8 }; /* places that get bits of their own */

/* So many adjacent bits, if they are free. */
static uint8_t take_bits(uint32_t *used, uint32_t count) {
  if (count == 0 || count > BITS - *used) return DL_NO_BIT;
  const uint32_t first = *used;
  *used += count;
  return (uint8_t)first;
}

static uint64_t bits_below(uint32_t count) {
  return count < BITS ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

void dl_guards_make(dl_guards *g, const dl_rules *r, const dl_layout *layouts, arena *keep) {
  const flat_program *f = &r->flat;
  uint32_t used = 0;
  g->of = arena_new_array(keep, dl_guard, r->dynamic.relations.count);
  for (flat_id i = 0; i < r->dynamic.relations.count; i++)
    g->of[i] = (dl_guard){DL_NO_BIT, DL_NO_BIT, DL_NO_BIT};
  for (uint32_t i = f->relations_from[SYM_DOES]; i < f->relations_from[SYM_DOES + 1]; i++) {
    const flat_id id = f->relations_by_source.items[i];
    const dl_layout *l = &layouts[id];
    g->of[id].any = take_bits(&used, 1);
    if (!l->size) continue;
    g->of[id].first_value = take_bits(&used, l->columns[0].value_count);
    if (l->size <= MOVES_MAX) g->of[id].first_place = take_bits(&used, l->size);
  }
  g->moves = bits_below(used);
  for (uint32_t i = f->relations_from[SYM_TRUE]; i < f->relations_from[SYM_TRUE + 1]; i++) {
    const flat_id id = f->relations_by_source.items[i];
    if (layouts[id].size <= FLUENTS_MAX) g->of[id].first_place = take_bits(&used, layouts[id].size);
  }
}

/* The place of a literal without variables; DL_ABSENT: it has variables, or can never hold. */
static uint32_t place_of(const dl_rules *r, const dl_layout *l, const term_id *args) {
  uint32_t place = 0;
  for (uint32_t c = 0; c < l->arity; c++) {
    if (args[c] >= r->constant_count || place >= DL_ABSENT) return DL_ABSENT;
    place += l->columns[c].parts[args[c]];
  }
  return place;
}

static void guard_literal(dl_code *code, const dl_guards *g, const dl_rules *r, const dl_layout *l,
                          const flat_literal *it) {
  const dl_guard *bits = &g->of[it->relation];
  const term_id *args = flat_args(&r->dynamic, it->args);
  if (bits->first_place != DL_NO_BIT && place_of(r, l, args) < l->size) {
    const uint64_t bit = UINT64_C(1) << (bits->first_place + place_of(r, l, args));
    *(it->kind == LITERAL_POSITIVE ? &code->needs : &code->denies) |= bit;
    return;
  }
  if (it->kind == LITERAL_NEGATIVE) return;
  code->needs |= dl_guard_bit(bits->any);
  if (bits->first_value == DL_NO_BIT || args[0] >= r->constant_count) return;
  const uint32_t value = l->columns[0].codes[args[0]];
  if (value != DL_ABSENT) code->needs |= UINT64_C(1) << (bits->first_value + value);
}

void dl_guard_code(dl_code *code, const dl_guards *g, const dl_rules *r, const dl_layout *layouts) {
  const flat_clause *c = &r->dynamic.clauses.items[code->clause];
  for (uint32_t i = 0; i < c->body_count; i++) {
    const flat_literal *l = &r->dynamic.literals.items[c->body + i];
    if (l->kind != LITERAL_DISTINCT) guard_literal(code, g, r, &layouts[l->relation], l);
  }
}
