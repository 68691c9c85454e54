#include "ground/evaluate.h"

enum { PLAYED_STATES_MAX = 1000 };

static void forget_given(given_facts *given) {
  for (flat_id r = 0; r < given->count; r++) table_init(&given->tables[r], given->tables[r].arity, given->keep);
}

static given_facts given_new(const flat_program *f, arena *keep) {
  given_facts g = {.count = f->relations.count, .keep = keep,
                   .tables = arena_new_array(keep, table, f->relations.count)};
  for (flat_id r = 0; r < g.count; r++) table_init(&g.tables[r], f->relations.items[r].arity, keep);
  return g;
}

term_id atom_under(const flat_program *f, symbol_id keyword, term_id atom) {
  return term_compound(f->terms, keyword, term_args(f->terms, atom), term_get(f->terms, atom)->arg_count);
}

term_id *flat_row_room(const flat_program *f, arena *keep) {
  uint32_t most = 1;
  for (flat_id r = 0; r < f->relations.count; r++)
    if (f->relations.items[r].arity > most) most = f->relations.items[r].arity;
  return arena_new_array(keep, term_id, most);
}

bool is_role(const engine *e, term_id role, term_id *cells) {
  const term_id atom = term_compound(e->f->terms, SYM_ROLE, &role, 1);
  flat_id r;
  return flat_find(e->f, atom, &r, cells) && table_find(&e->tables[r], cells) != ID_NONE;
}

/* Gives every fact of `from` under the keyword `to`.  True: there was a new one. */
static bool give_all(given_facts *given, const engine *e, symbol_id from, symbol_id to) {
  const flat_program *f = e->f;
  term_id *cells = flat_row_room(f, given->keep);
  bool changed = false;
  for (uint32_t i = f->relations_from[from]; i < f->relations_from[from + 1]; i++) {
    const flat_id source = f->relations_by_source.items[i];
    for (uint32_t row = 0; row < e->tables[source].count; row++) {
      const term_id atom = flat_atom(f, source, table_row(&e->tables[source], row));
      flat_id r;
      if (to == SYM_DOES && !is_role(e, term_arg(f->terms, atom, 0), cells)) continue;
      if (!flat_find(f, atom_under(f, to, atom), &r, cells)) continue;
      const uint32_t before = given->tables[r].count;
      table_insert(&given->tables[r], cells);
      changed |= given->tables[r].count != before;
    }
  }
  return changed;
}

static uint64_t hash_of_given(const given_facts *given) {
  uint64_t hash = 0;
  for (flat_id r = 0; r < given->count; r++)
    for (uint32_t row = 0; row < given->tables[r].count; row++)
      hash += hash_mix(hash_ids(table_row(&given->tables[r], row), given->tables[r].arity) + r);
  return hash;
}

/* Plays from the start with nobody moving, by the real rules, until a state is empty or comes again,
   and gives every fluent met: step counters are run through at once. */
static bool play_without_moves(given_facts *all, const rewriting *rules, arena *keep, budget *limits,
                               diag_sink *d) {
  given_facts state = given_new(&rules->program, keep);
  VEC(uint64_t) seen = {0};
  symbol_id from = SYM_INIT;
  for (uint32_t n = 0; n < PLAYED_STATES_MAX; n++, from = SYM_NEXT) {
    arena *scratch = arena_new();
    engine e;
    engine_init(&e, &rules->program, NULL, scratch);
    if (n) given_add(&e, &state);
    const bool ok = engine_run(&e, limits, d);
    forget_given(&state);
    const bool is_empty = ok && !give_all(&state, &e, from, SYM_TRUE);
    if (ok) give_all(all, &e, from, SYM_TRUE);
    arena_free(scratch);
    if (!ok) return false;
    const uint64_t hash = hash_of_given(&state);
    bool is_old = is_empty;
    for (uint32_t i = 0; i < seen.count; i++) is_old |= seen.items[i] == hash;
    if (is_old) return true;
    vec_push(keep, &seen, hash);
  }
  return true;
}

bool bases_evaluate_generations(bases *b, const rewriting *rules, bool is_stratified, arena *keep,
                                budget *limits, diag_sink *d) {
  given_facts given = given_new(&rules->program, keep);
  if (is_stratified && !play_without_moves(&given, rules, keep, limits, d)) return false;
  for (b->rounds = 1;; b->rounds++) {
    if (!bases_evaluate(b, rules, &given, keep, limits, d)) return false;
    bool changed = give_all(&given, &b->facts, SYM_INIT, SYM_TRUE);
    changed |= give_all(&given, &b->facts, SYM_NEXT, SYM_TRUE);
    changed |= give_all(&given, &b->facts, SYM_LEGAL, SYM_DOES);
    if (!changed) return true;
    budget_unwatch(limits, b->tables_keep);
    arena_free(b->tables_keep);
    b->tables_keep = NULL;
  }
}
