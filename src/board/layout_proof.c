#include "board/layout_proof.h"

#include "board/changes.h"
#include "induct/induct.h"

/* Adds a group for each cell that several fluents can stand on; a member is a fluent, times two. */
static void propose_groups(fact_set *guesses, const board *b, const samples *s, arena *scratch) {
  id_vec *members = arena_zero_array(scratch, id_vec, b->cells.count + 1);
  const board_layer *first = &b->layers.items[0];
  for (fluent_id f = 0; f < s->by_fluent.count; f++) {
    const fact_id of = s->by_fluent.items[f];
    if (of == NAME_NONE || s->fluents.facts.items[of].shape != first->shape) continue;
    const uint32_t cell = key_cell(b, first->key, &s->fluents, of);
    if (cell != ID_NONE) vec_push(scratch, &members[cell], 2 * f);
  }
  for (uint32_t i = 0; i < b->cells.count; i++)
    if (members[i].count > 1)
      fact_add(guesses, FACT_AT_MOST_ONE, members[i].items, members[i].count);
}

static bool are_all_proved(const fact_set *guesses, const fact_set *proved) {
  for (uint32_t i = 0; i < guesses->all.count; i++) {
    const fact *f = &guesses->all.items[i];
    if (fact_find(proved, guesses, f, FACT_AT_MOST_ONE) == ID_NONE &&
        fact_find(proved, guesses, f, FACT_EXACTLY_ONE) == ID_NONE)
      return false;
  }
  return true;
}

/* `proved` holds what was found of the game; it may get more. */
static bool is_certain(const board *b, const samples *s, const circuit *c, fact_set *proved,
                       budget *limits) {
  arena *scratch = arena_new();
  fact_set guesses = {.keep = scratch};
  induct_counts counts = {0};
  propose_groups(&guesses, b, s, scratch);
  if (!are_all_proved(&guesses, proved))
    induct_prove(proved, &guesses, c, (induct_options){0}, limits, &counts);
  const bool is_so = are_all_proved(&guesses, proved);
  arena_free(scratch);
  return is_so;
}

static bool has_all_fluents(const samples *s, const circuit *c) {
  return s->has_bases && s->by_fluent.count == c->fluents.count;
}

void layout_prove(layout *l, const samples *s, const circuit *c, budget *limits) {
  arena *keep = arena_new();
  fact_set proved = {.keep = keep};
  induct_counts counts = {0};
  if (has_all_fluents(s, c)) {
    induct_find_facts(&proved, c, (induct_options){0}, limits, &counts);
    for (uint32_t i = 0; i < l->boards.count; i++)
      l->boards.items[i].is_certain = is_certain(&l->boards.items[i], s, c, &proved, limits);
  }
  arena_free(keep);
}
