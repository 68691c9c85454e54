#include "prove/first_order/abstract.h"

static const char method[] = "abstract";

/* Proofs that are found take a small part of that. */
static const deduction_limits limits = {.models = 1000, .instances = 10000};

typedef struct abstract_job {
  prove_job *j;
  abstract_game g;
  abstract_facts facts;
  bool has_facts;
  bool has_all_facts; /* nothing stopped the search for them */
} abstract_job;

/* Found once. */
static const abstract_facts *proved_facts(abstract_job *x, budget *b) {
  if (x->has_facts) return &x->facts;
  budget half = budget_part(b, budget_seconds_left(b) / 2);
  abstract_guess(&x->facts, &x->g);
  abstract_prove_facts(&x->facts, &x->g, &half);
  x->has_facts = true;
  x->has_all_facts = !budget_check_now(&half);
  return &x->facts;
}

/* ---- no role is stuck ---- */

/* A proof that every role has a move in a state of the theory, at its end. */
typedef struct stuck_search {
  abstract_game *g;
  const theory *t;
  const axiom_set *known; /* of the states */
  term_id role;           /* the one for which it failed */
  bool begins;            /* in the first state nobody is */
  deduction_result last;
} stuck_search;

static bool nobody_is_stuck(stuck_search *s, budget *b) {
  bool is_proved = true;
  for (uint32_t i = 0; i < s->g->roles.count && is_proved; i++) {
    arena *scratch = arena_new();
    axiom_set stuck = {.keep = scratch};
    const axiom_set *sets[] = {s->known, &stuck, NULL, NULL};
    if (s->t->kind == THEORY_STEP) sets[2] = &s->g->moves;
    s->role = s->g->roles.items[i];
    abstract_say_stuck(s->g, s->t, &stuck, theory_end(s->t), s->role);
    s->last = abstract_deduce(s->g, s->t, sets, limits, b);
    is_proved = s->last.is_contradiction;
    arena_free(scratch);
  }
  return is_proved;
}

/* In any state with these facts; in the first one; in one after it. */
static bool theory_is_playable(stuck_search *s, const theory *t, const abstract_facts *facts,
                               budget *b) {
  arena *scratch = arena_new();
  axiom_set known = {.keep = scratch};
  for (uint32_t time = 0; time <= theory_end(t); time++) {
    if (s->g->options.not_terminal) abstract_say_not_terminal(s->g, t, &known, time);
    abstract_say_facts(facts, s->g, &known, time);
  }
  s->t = t;
  s->known = &known;
  const bool is_proved = nobody_is_stuck(s, b);
  arena_free(scratch);
  return is_proved;
}

/* The first state, looked at with machine `reference`. */
static bool start_is_playable(const program *p, budget *b, diag_sink *d) {
  const machine_source from = {.program = p};
  machine *m = machine_open("reference", &from, b, d);
  if (!m) return false;
  machine_workspace *w = machine_workspace_new(m, b);
  arena *scratch = arena_new();
  void *position = arena_alloc(scratch, m->position_size);
  machine_start(m, position);
  bool is_playable = true;
  if (!machine_terminal(m, w, position))
    for (uint32_t role = 0; role < m->role_count; role++)
      is_playable &= machine_legal(m, w, position, role, NULL, 0) > 0;
  is_playable &= !w->trouble.is_there;
  arena_free(scratch);
  machine_workspace_free(m, w);
  machine_close(m);
  return is_playable;
}

/* ---- words ---- */

static const char *words_of_proof(const abstract_game *g, const abstract_facts *facts,
                                  const char *how) {
  text words = text_new(g->keep);
  text_add(&words, how);
  if (facts->all.count)
    text_add_format(&words, " with %u fact%s proved before", facts->all.count,
                    plural(facts->all.count));
  text_add_format(&words, "; %u abstract state%s, %u instance%s", g->models, plural(g->models),
                  g->instances, plural(g->instances));
  return text_string(&words);
}

static void explain_failure(prove_job *j, uint32_t property, const stuck_search *s) {
  text role = text_new(j->keep);
  term_print(s->g->p->terms, s->role, NOTATION_KIF, NULL, &role);
  if (s->last.situation)
    job_explain(j, property, method,
                "no move for %s was found in the abstract state %s; it needs a fact that excludes "
                "this state",
                text_string(&role), s->last.situation);
  else
    job_explain(j, property, method, "no proof that %s has a move within the limits",
                text_string(&role));
}

/* How it was proved, or NULL. */
static const char *try_playable(prove_job *j, stuck_search *s, const abstract_facts *facts,
                                budget *b) {
  abstract_game *g = s->g;
  if (theory_is_playable(s, &g->state, facts, b)) return "in any state";
  if (!g->options.reachable) return NULL;
  s->begins = s->begins || theory_is_playable(s, &g->start, facts, b) ||
              start_is_playable(j->program, b, j->d);
  if (!s->begins || !theory_is_playable(s, &g->step, facts, b)) return NULL;
  return "by induction over the states";
}

/* Facts about all states are looked for when it does not work without. */
static void prove_playable(abstract_job *x, uint32_t property, budget *b) {
  static const abstract_facts none;
  stuck_search s = {.g = &x->g};
  const char *how = try_playable(x->j, &s, &none, b);
  const abstract_facts *facts = &none;
  if (!how && x->g.options.mutexes) {
    facts = proved_facts(x, b);
    if (facts->all.count) how = try_playable(x->j, &s, facts, b);
  }
  if (!how)
    explain_failure(x->j, property, &s);
  else
    job_settle(x->j, property,
               (finding){.kind = VERDICT_PROVED,
                         .method = method,
                         .reason = words_of_proof(&x->g, facts, how)});
}

static void prove_groups(abstract_job *x, uint32_t property, budget *b) {
  const abstract_facts *facts = proved_facts(x, b);
  text words = text_new(x->j->keep);
  for (uint32_t i = 0; i < facts->all.count; i++) {
    if (!facts->all.items[i].group) continue;
    text_add(&words, words.length ? "; " : "at most one holds: ");
    text_add(&words, facts->all.items[i].group);
  }
  if (words.length)
    job_settle(x->j, property,
               (finding){.kind = VERDICT_PROVED, .method = method, .reason = text_string(&words)});
  else
    job_explain(x->j, property, method,
                x->has_all_facts ? "no group was proved"
                                 : "the search for groups did not come to its end");
}

static void prove_property(abstract_job *x, uint32_t property, const char *complaint, budget *b) {
  const property_kind kind = x->j->properties.items[property].kind;
  const bool is_playable = kind == PROPERTY_PLAYABLE;
  const bool is_mutex = kind == PROPERTY_MUTEX && x->j->options.abstract.mutexes;
  if (complaint && (is_playable || is_mutex))
    job_explain(x->j, property, method, "%s", complaint);
  else if (is_playable)
    prove_playable(x, property, b);
  else if (is_mutex)
    prove_groups(x, property, b);
}

void prove_by_abstraction(prove_job *j, budget *b) {
  if (!j->has_rules_only && !job_has_open(j, PROPERTY_PLAYABLE)) return;
  abstract_job x = {.j = j, .facts = {.forms = {.keep = j->keep}}};
  const char *complaint = abstract_open(&x.g, j->program, j->options.abstract, j->keep);
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (job_is_open(j, i)) prove_property(&x, i, complaint, b);
}
