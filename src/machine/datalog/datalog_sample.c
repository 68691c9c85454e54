#include "machine/datalog/datalog_sample.h"

#include "base/graph.h"
#include "base/rng.h"
#include "datalog/flat_roles.h"
#include "ground/rewrite/rewrite.h"

#include <string.h>

/* The sample is the beginning of a random game: so many states, or fewer when these have cost too
   much. */
enum { SAMPLE_STATES = 32, SAMPLE_EFFORT = 500 * 1000 };

enum {
  PATIENCE = 20000,              /* rows that a clause may look at before it is doubted */
  DOUBTFUL_ROWS = 500,           /* a relation with as many facts is looked at then */
  LARGE_ROWS = 50,               /* likewise when the sample is done */
  FACTS_MAX = 1000 * 1000,       /* of one state: with more, nobody would wait for it */
  GENERIC_FACTS_MAX = 50 * 1000, /* the same, where terms may be of any shape: they may never end */
  ATTEMPTS_MAX = 8,
};

typedef struct sampling {
  dl_rules *r;
  const rewriting *original; /* the rules as they were */
  const rewriting *rules;    /* what is evaluated */
  bool *demand;              /* by flat relation: restricted, or to be restricted */
  bool *is_excluded;         /* by flat relation: must not be restricted */
  arena *keep;               /* of this attempt */
  arena *scratch;            /* of the state that is being evaluated */
  uint64_t static_facts;
  engine now;       /* the state that was evaluated last */
  table *state;     /* by flat relation: the facts of true */
  table *moves;     /* by flat relation: the facts of does */
  double *expected; /* by flat relation */
  term_id *room;    /* for any row */
  budget *limits;
  diag_sink *d;
  rng random;
  uint64_t effort; /* rows looked at */
  double cost;     /* the same for one state, on average */
  bool is_patient; /* nothing more is restricted */
  bool gave_up;
} sampling;

/* ---- one state ---- */

static void report_costly(sampling *s, flat_clause_id c) {
  const program *p = &s->r->linked;
  const rule_id r = p->clauses.items[s->rules->program.clauses.items[c].source].rule;
  const span where = r == RULE_NONE ? SPAN_NONE : program_span(p, p->rules.items[r].node);
  diag *g = diag_add(s->d, DIAG_E821, where, "this rule has too many facts in one state");
  diag_hint(s->d, g, "the machine `reference` evaluates only what is asked");
}

/* Whether relations with many facts can be restricted to those asked for. */
static bool doubt(void *context, engine *e, flat_clause_id c) {
  sampling *s = context;
  const uint64_t most = s->r->has_generic ? GENERIC_FACTS_MAX : FACTS_MAX;
  bool found = s->gave_up = engine_fact_count(e) - s->static_facts > most;
  if (s->gave_up) report_costly(s, c);
  for (flat_id r = 0; r < s->r->flat.relations.count; r++) {
    if (s->is_patient || s->demand[r] || s->is_excluded[r] || s->r->layers[r] == DL_STATIC)
      continue;
    if (e->tables[r].count >= DOUBTFUL_ROWS) found |= demand_find(s->original, r, s->demand);
  }
  return found;
}

static void add_rows(engine *e, flat_id to, const table *from) {
  for (uint32_t row = 0; row < from->count; row++) engine_add(e, to, table_row(from, row));
}

static bool evaluate_sample(sampling *s, bool with_moves) {
  const dl_rules *r = s->r;
  arena_clear(s->scratch);
  engine_init(&s->now, &s->rules->program, NULL, s->scratch);
  engine_set_doubt(&s->now, doubt, s, PATIENCE);
  for (flat_id i = 0; i < r->flat.relations.count; i++) {
    if (r->layers[i] == DL_STATIC) s->now.tables[i] = r->facts[i];
    add_rows(&s->now, i, &s->state[i]);
    if (with_moves) add_rows(&s->now, i, &s->moves[i]);
  }
  if (!engine_run(&s->now, s->limits, s->d)) return false;
  for (flat_clause_id c = 0; c < s->rules->program.clauses.count; c++)
    s->effort += s->now.effort[c];
  return true;
}

/* ---- a game ---- */

/* Adds the row of a relation under another keyword.  Shapes may differ where one is generic. */
static void add_under(sampling *s, symbol_id keyword, table *to, flat_id from, const term_id *row) {
  const flat_program *f = &s->r->flat;
  flat_id mine = dl_under_keyword(s->r, from, keyword);
  if (mine == ID_NONE) {
    const term_id atom = flat_atom(f, from, row);
    const term it = *term_get(f->terms, atom);
    const term_id same =
        term_atom(f->terms, keyword, vec_from(&f->terms->args, it.args), it.arg_count);
    if (!flat_find(f, same, &mine, s->room)) return;
    row = s->room;
  }
  table_insert(&to[mine], row);
}

/* `to` gets what stands under the keyword `from`.  Where limits are reached, the next evaluation
   ends, too. */
static void take_rows(sampling *s, symbol_id keyword, table *to, symbol_id from) {
  const flat_program *f = &s->r->flat;
  for (uint32_t i = f->relations_from[keyword]; i < f->relations_from[keyword + 1]; i++) {
    const flat_id mine = f->relations_by_source.items[i];
    table_init(&to[mine], f->relations.items[mine].arity, s->keep);
  }
  for (uint32_t i = f->relations_from[from]; i < f->relations_from[from + 1]; i++) {
    const flat_id its = f->relations_by_source.items[i];
    for (uint32_t row = 0; row < s->now.tables[its].count && !budget_is_spent(s->limits); row++)
      add_under(s, keyword, to, its, table_row(&s->now.tables[its], row));
  }
}

/* Takes one legal move for each role; the first column is the role. */
static void choose_moves(sampling *s) {
  const flat_program *f = &s->r->flat;
  arena *brief = arena_new();
  table seen;
  table_init(&seen, 1, brief);
  take_rows(s, SYM_DOES, s->moves, SYM_LEGAL);
  for (uint32_t i = f->relations_from[SYM_DOES]; i < f->relations_from[SYM_DOES + 1]; i++) {
    const flat_id r = f->relations_by_source.items[i];
    table chosen;
    table_init(&chosen, f->relations.items[r].arity, s->keep);
    const uint32_t count = flat_has_role(f, r) ? s->moves[r].count : 0;
    for (uint32_t row = 0, at = count ? rng_below(&s->random, count) : 0;
         row < count && !budget_is_spent(s->limits); row++) {
      const term_id *cells = table_row(&s->moves[r], (at + row) % count);
      const uint32_t known = seen.count;
      if (table_insert(&seen, cells) == known) table_insert(&chosen, cells);
    }
    s->moves[r] = chosen;
  }
  arena_free(brief);
}

static bool state_is_terminal(const sampling *s) {
  const flat_program *f = &s->r->flat;
  for (uint32_t i = f->relations_from[SYM_TERMINAL]; i < f->relations_from[SYM_TERMINAL + 1]; i++)
    if (s->now.tables[f->relations_by_source.items[i]].count) return true;
  return false;
}

/* After so many states whose facts were counted. */
static bool end_sample(sampling *s, uint32_t states) {
  const double parts = states ? states : 1;
  for (flat_id i = 0; i < s->rules->program.relations.count; i++) s->expected[i] /= parts;
  s->cost = (double)s->effort / parts;
  return true;
}

/* A step that makes too large terms ends the sample: whoever plays may never make it. */
static bool end_sample_early(sampling *s, uint32_t states, const diag_sink *before) {
  const bool is_endless = s->d->errors > before->errors && vec_last(&s->d->all).kind == DIAG_E804;
  if (!is_endless) return false;
  diag_take_back(s->d, before);
  return end_sample(s, states);
}

/* Plays some moves and counts the facts of each state. */
static bool play_sample(sampling *s) {
  const diag_sink before = *s->d;
  s->now.tables = s->r->facts;
  take_rows(s, SYM_TRUE, s->state, SYM_INIT);
  for (uint32_t n = 1;; n++) {
    if (!evaluate_sample(s, false)) return n > 1 && end_sample_early(s, n - 1, &before);
    const bool is_last = n == SAMPLE_STATES || s->effort > SAMPLE_EFFORT || state_is_terminal(s);
    choose_moves(s);
    if (!evaluate_sample(s, true)) return end_sample_early(s, n - 1, &before);
    for (flat_id i = 0; i < s->rules->program.relations.count; i++)
      s->expected[i] += s->now.tables[i].count;
    if (is_last) return end_sample(s, n);
    take_rows(s, SYM_TRUE, s->state, SYM_NEXT);
  }
}

/* ---- demand ---- */

/* Takes back the demand on relations in a part that depends on its own negation.  True: there was
   one. */
static bool drop_denying(sampling *s, const rewriting *w) {
  arena *brief = arena_new();
  engine e; /* knows the parts */
  bool dropped = false;
  engine_init(&e, &w->program, NULL, brief);
  bool *denies = arena_zero_array(brief, bool, e.component_count);
  for (flat_clause_id c = 0; c < w->program.clauses.count; c++) {
    const flat_clause *it = &w->program.clauses.items[c];
    for (uint32_t i = 0; i < it->body_count; i++) {
      const flat_literal *l = &w->program.literals.items[it->body + i];
      denies[e.component[it->head]] |=
          l->kind == LITERAL_NEGATIVE && e.component[l->relation] == e.component[it->head];
    }
  }
  for (flat_id r = 0; r < s->r->flat.relations.count; r++) {
    if (!s->demand[r] || !denies[e.component[r]]) continue;
    s->demand[r] = false;
    dropped = s->is_excluded[r] = true;
  }
  arena_free(brief);
  return dropped;
}

/* Plays with the demand found so far. */
static bool attempt_sample(sampling *s, rewriting *w, arena *keep) {
  for (flat_id r = 0; r < s->r->flat.relations.count; r++) s->demand[r] &= !s->is_excluded[r];
  do rewriting_demand(w, s->original, s->demand, keep);
  while (drop_denying(s, w));
  const uint32_t relations = w->program.relations.count;
  s->rules = w;
  s->effort = 0;
  s->random = rng_new(1, 0);
  s->expected = arena_zero_array(keep, double, relations);
  arena_clear(s->keep);
  s->state = arena_zero_array(s->keep, table, relations);
  s->moves = arena_zero_array(s->keep, table, relations);
  s->now = (engine){0};
  return play_sample(s);
}

/* The relations that were added have no facts and depend on what their clauses read. */
static void take_rules(dl_rules *r, const sampling *s, arena *keep) {
  const uint32_t old = r->flat.relations.count;
  r->dynamic = s->rules->program;
  r->expected = s->expected;
  const uint32_t count = r->dynamic.relations.count;
  dl_layer *layers = arena_new_array(keep, dl_layer, count);
  table *facts = arena_new_array(keep, table, count);
  memcpy(layers, r->layers, old * sizeof *layers);
  memcpy(facts, r->facts, old * sizeof *facts);
  for (flat_id i = old; i < count; i++) {
    layers[i] = DL_STATE;
    table_init(&facts[i], r->dynamic.relations.items[i].arity, keep);
  }
  r->layers = layers;
  r->facts = facts;
}

/* Restricts every relation of some size, and keeps that if the states of the sample become much
   cheaper. */
static bool try_demand(sampling *s, arena *keep) {
  rewriting w;
  const double cost = s->cost;
  const double *expected = s->expected;
  bool found = false;
  for (flat_id r = 0; r < s->r->flat.relations.count; r++) {
    if (s->demand[r] || s->is_excluded[r] || s->r->layers[r] == DL_STATIC) continue;
    if (expected[r] >= LARGE_ROWS) found |= demand_find(s->original, r, s->demand);
  }
  if (!found) return true;
  s->is_patient = true;
  if (!attempt_sample(s, &w, keep)) return false;
  if (s->cost * 2 < cost) take_rules(s->r, s, keep);
  return true;
}

bool dl_sample(dl_rules *r, arena *keep, budget *limits, diag_sink *d) {
  rewriting original, w;
  bool *is_open = arena_zero_array(keep, bool, r->linked.relations.count);
  for (flat_id i = 0; i < r->flat.relations.count; i++)
    if (r->layers[i] != DL_STATIC) is_open[r->flat.relations.items[i].relation] = true;
  rewriting_none(&original, &r->dynamic, is_open, keep);
  sampling s = {.r = r,
                .original = &original,
                .keep = arena_new(),
                .scratch = arena_new(),
                .demand = arena_zero_array(keep, bool, r->flat.relations.count),
                .is_excluded = arena_zero_array(keep, bool, r->flat.relations.count),
                .limits = limits,
                .d = d};
  uint32_t longest = 0;
  for (flat_id i = 0; i < r->flat.relations.count; i++) {
    s.static_facts += r->facts[i].count;
    if (r->facts[i].arity > longest) longest = r->facts[i].arity;
  }
  s.room = arena_new_array(keep, term_id, longest);
  bool ok = false;
  for (uint32_t n = 1; !ok; n++) {
    s.is_patient = n == ATTEMPTS_MAX;
    ok = attempt_sample(&s, &w, keep);
    if (!ok && (s.gave_up || !s.now.stopped_by_doubt)) break;
  }
  if (ok) take_rules(r, &s, keep);
  if (ok) ok = try_demand(&s, keep);
  arena_free(s.scratch);
  arena_free(s.keep);
  return ok;
}
