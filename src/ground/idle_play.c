#include "ground/evaluate.h"

enum { PLAYED_STATES_MAX = 1000 };

typedef VEC(uint64_t) hash_vec;

static void forget_given(given_facts *given) {
  for (flat_id r = 0; r < given->count; r++)
    table_init(&given->tables[r], given->tables[r].arity, given->keep);
}

static given_facts given_new(const flat_program *f, arena *keep) {
  given_facts g = {.count = f->relations.count,
                   .keep = keep,
                   .tables = arena_new_array(keep, table, f->relations.count)};
  for (flat_id r = 0; r < g.count; r++) table_init(&g.tables[r], f->relations.items[r].arity, keep);
  return g;
}

term_id atom_under(const flat_program *f, symbol_id keyword, term_id atom) {
  return term_atom(f->terms, keyword, term_args(f->terms, atom),
                   term_get(f->terms, atom)->arg_count);
}

term_id *flat_row_room(const flat_program *f, arena *keep) {
  uint32_t most = 1;
  for (flat_id r = 0; r < f->relations.count; r++)
    if (f->relations.items[r].arity > most) most = f->relations.items[r].arity;
  return arena_new_array(keep, term_id, most);
}

/* Gives every fact of `from` as a fluent. */
static void give_all(given_facts *given, const engine *e, symbol_id from) {
  const flat_program *f = e->f;
  term_id *cells = flat_row_room(f, given->keep);
  for (uint32_t i = f->relations_from[from]; i < f->relations_from[from + 1]; i++) {
    const flat_id source = f->relations_by_source.items[i];
    for (uint32_t row = 0; row < e->tables[source].count; row++) {
      const term_id atom = flat_atom(f, source, table_row(&e->tables[source], row));
      flat_id r;
      if (flat_find(f, atom_under(f, SYM_TRUE, atom), &r, cells))
        table_insert(&given->tables[r], cells);
    }
  }
}

static uint64_t hash_of_given(const given_facts *given) {
  uint64_t hash = 0;
  for (flat_id r = 0; r < given->count; r++)
    for (uint32_t row = 0; row < given->tables[r].count; row++)
      hash += hash_mix(hash_ids(table_row(&given->tables[r], row), given->tables[r].arity) + r);
  return hash;
}

/* ---- playing ---- */

/* A match in which nobody moves. */
typedef struct idle_match {
  const rewriting *rules; /* without those that link true and does to what can follow */
  given_facts state;
  table *lasting; /* by flat relation: the facts that no state changes, once they are known */
  arena *keep;    /* of these */
  bool has_lasting;
} idle_match;

/* Takes over what an earlier state has found out, with the indexes made so far; it stays in the
   arena of the match, which outlives every engine. */
static void take_lasting(const idle_match *m, engine *e) {
  for (flat_id r = 0; m->has_lasting && r < m->state.count; r++)
    if (!m->rules->is_open[r]) engine_set_complete(e, r, &m->lasting[r]);
}

static void keep_lasting(idle_match *m, const engine *e) {
  for (flat_id r = 0; r < m->state.count; r++)
    if (!m->rules->is_open[r]) m->lasting[r] = e->tables[r];
  m->has_lasting = true;
}

/* Makes the facts of `from` the state, and adds them to `all`.  False: reported. */
static bool play_on(idle_match *m, given_facts *all, symbol_id from, budget *limits, diag_sink *d) {
  arena *scratch = arena_new();
  engine e;
  engine_init(&e, &m->rules->program, NULL, m->has_lasting ? scratch : m->keep);
  take_lasting(m, &e);
  given_add(&e, &m->state);
  budget_watch(limits, scratch);
  const bool ok = engine_run(&e, limits, d);
  budget_unwatch(limits, scratch);
  if (ok) {
    keep_lasting(m, &e);
    forget_given(&m->state);
    give_all(&m->state, &e, from);
    give_all(all, &e, from);
  }
  arena_free(scratch);
  return ok;
}

/* True: the state was met before, or is empty. */
static bool is_over(const given_facts *state, hash_vec *seen, arena *keep) {
  const uint64_t hash = hash_of_given(state);
  for (uint32_t i = 0; i < seen->count; i++)
    if (seen->items[i] == hash) return true;
  vec_push(keep, seen, hash);
  return hash == 0;
}

bool bases_play_idly(given_facts *all, const rewriting *rules, arena *keep, budget *limits,
                     diag_sink *d) {
  arena *lasting = arena_new();
  idle_match m = {.rules = rules,
                  .state = given_new(&rules->program, keep),
                  .lasting = arena_new_array(keep, table, rules->program.relations.count),
                  .keep = lasting};
  *all = given_new(&rules->program, keep);
  hash_vec seen = {0};
  bool ok = true;
  budget_watch(limits, lasting);
  for (uint32_t n = 0; n < PLAYED_STATES_MAX && ok; n++) {
    ok = play_on(&m, all, n ? SYM_NEXT : SYM_INIT, limits, d);
    if (ok && is_over(&m.state, &seen, keep)) break;
  }
  budget_unwatch(limits, lasting);
  arena_free(lasting);
  return ok;
}
