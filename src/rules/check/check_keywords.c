/* What the keywords may stand for: who may depend on the state, who on the moves, what may be
   read in a body.  Faults in single forms (true as a head) are reported by build.c. */
#include "rules/check/check_parts.h"

/* ---- forbidden dependence ---- */

typedef struct ban {
  symbol_id keyword;
  symbol_id on;
  diag_kind kind;
  const char *why;
} ban;

static const ban bans[] = {
    {SYM_ROLE, SYM_TRUE, DIAG_E205, "the roles are the same in every state"},
    {SYM_INIT, SYM_TRUE, DIAG_E205,
     "init describes the initial state, before there is a state to read"},
    {SYM_BASE, SYM_TRUE, DIAG_E205, "base lists what can ever be true, whatever the state"},
    {SYM_INPUT, SYM_TRUE, DIAG_E205, "input lists what can ever be done, whatever the state"},
    {SYM_ROLE, SYM_DOES, DIAG_E205, "the roles are the same in every state"},
    {SYM_INIT, SYM_DOES, DIAG_E205, "init describes the initial state, before any move"},
    {SYM_BASE, SYM_DOES, DIAG_E205, "base lists what can ever be true, whatever is done"},
    {SYM_INPUT, SYM_DOES, DIAG_E205, "input lists what can ever be done, whatever is done"},
    {SYM_LEGAL, SYM_DOES, DIAG_E206, "legal moves are computed before any move is made"},
    {SYM_GOAL, SYM_DOES, DIAG_E206,
     "goals are read from the state alone; remember the move in a fluent"},
    {SYM_TERMINAL, SYM_DOES, DIAG_E206,
     "the end is read from the state alone; remember the move in a fluent"},
};

/* By relation: the edge of the analysis that leads one step nearer to `target`; ID_NONE where
   none does. */
static uint32_t *steps_towards(const checker *c, relation_id target) {
  const analysis *a = c->a;
  const uint32_t count = c->p->relations.count;
  uint32_t *step = arena_new_array(c->scratch, uint32_t, count);
  for (relation_id r = 0; r < count; r++) step[r] = ID_NONE;
  /* distances grow by one a round, so each step is the first of a shortest way */
  bool *reached = arena_zero_array(c->scratch, bool, count);
  reached[target] = true;
  for (bool changed = true; changed;) {
    changed = false;
    id_vec fresh = {0};
    for (uint32_t i = 0; i < a->edges.count; i++) {
      const dependency *e = &a->edges.items[i];
      if (reached[e->head] || !reached[e->body] || step[e->head] != ID_NONE) continue;
      step[e->head] = i;
      vec_push(c->scratch, &fresh, e->head);
    }
    for (uint32_t i = 0; i < fresh.count; i++) reached[fresh.items[i]] = changed = true;
  }
  return step;
}

static void relate_way(checker *c, diag *g, relation_id from, relation_id target,
                       const uint32_t *step) {
  for (relation_id r = from; r != target;) {
    const dependency *e = &c->a->edges.items[step[r]];
    diag_relate(c->d, g, where(c, literal_at(c, e->literal)->node), "%s depends on %s here",
                shown_relation(c, r), shown_relation(c, e->body));
    r = e->body;
  }
}

static void report_ban(checker *c, const ban *b, const literal *l, const uint32_t *step) {
  const relation_id r = atom_relation(c->p, l->atom);
  const char *keyword = shown_name(c, b->keyword);
  diag *g = r == b->on ? diag_add(c->d, b->kind, where(c, l->node), "%s depends on %s", keyword,
                                  shown_name(c, b->on))
                       : diag_add(c->d, b->kind, where(c, l->node), "%s depends on %s through %s",
                                  keyword, shown_name(c, b->on), shown_relation(c, r));
  relate_way(c, g, r, b->on, step);
  diag_hint(c->d, g, "%s", b->why);
}

static bool leads_to(relation_id r, relation_id target, const uint32_t *step) {
  return r == target || step[r] != ID_NONE;
}

/* A literal that reads the state and the move is reported once, for the state. */
static bool is_reported(const ban *b, relation_id r, const uint32_t *to_true) {
  return b->kind == DIAG_E205 && b->on == SYM_DOES && leads_to(r, SYM_TRUE, to_true);
}

/* A rule with `or` has a literal in several clauses: one report is enough. */
static bool was_seen(checker *c, id_vec *seen, node_id n) {
  for (uint32_t i = 0; i < seen->count; i++)
    if (seen->items[i] == n) return true;
  vec_push(c->scratch, seen, n);
  return false;
}

static void check_ban(checker *c, const ban *b, const uint32_t *step, const uint32_t *to_true) {
  id_vec seen = {0};
  for (uint32_t i = 0; i < c->p->relations.items[b->keyword].clause_count; i++) {
    const clause *it = clause_at(c, clause_of(c, b->keyword, i));
    for (uint32_t k = 0; k < it->body_count; k++) {
      const literal *l = literal_at(c, it->body + k);
      if (l->kind == LITERAL_DISTINCT) continue;
      const relation_id r = atom_relation(c->p, l->atom);
      if (!leads_to(r, b->on, step) || is_reported(b, r, to_true)) continue;
      if (!was_seen(c, &seen, l->node)) report_ban(c, b, l, step);
    }
  }
}

static bool is_broken(const checker *c, const ban *b) {
  return b->on == SYM_TRUE ? c->a->is_dynamic[b->keyword] : c->a->depends_on_does[b->keyword];
}

static void check_dependence(checker *c) {
  const uint32_t *to_true = NULL;
  const uint32_t *to_does = NULL;
  for (size_t i = 0; i < sizeof bans / sizeof *bans; i++) {
    if (!is_broken(c, &bans[i])) continue;
    if (!to_true) {
      to_true = steps_towards(c, SYM_TRUE);
      to_does = steps_towards(c, SYM_DOES);
    }
    check_ban(c, &bans[i], bans[i].on == SYM_TRUE ? to_true : to_does, to_true);
  }
}

/* ---- keywords in bodies ---- */

static void check_body_atom(checker *c, const formula *f) {
  const relation_id r = atom_relation(c->p, f->atom);
  if (r == SYM_SEES) {
    diag *g = diag_add(c->d, DIAG_E202, where(c, f->node), "sees cannot be a condition");
    diag_hint(c->d, g, "percepts are for the player; rules read the state with true");
  }
  if (r != SYM_INIT && r != SYM_NEXT) return;
  diag *g =
      diag_add(c->d, DIAG_W208, where(c, f->node), "%s is read in a body", shown_relation(c, r));
  diag_hint(c->d, g, "the language allows it only in heads: define a relation for both rules");
}

static void check_bodies(checker *c) {
  for (uint32_t i = 0; i < c->p->formulas.count; i++)
    if (c->p->formulas.items[i].kind == FORMULA_ATOM) check_body_atom(c, &c->p->formulas.items[i]);
}

/* ---- roles and empty bodies ---- */

static void check_role(checker *c, const rule *r) {
  if (r->body != r->body_end) {
    diag *g = diag_add(c->d, DIAG_W207, where(c, r->node), "a role is defined by a rule");
    diag_hint(c->d, g, "write a fact for each role");
    return;
  }
  const term_id name = term_arg(c->p->terms, r->head, 0);
  if (term_get(c->p->terms, name)->arg_count == 0) return;
  diag *g = diag_add(c->d, DIAG_W209, where(c, node_of_argument(c, r->head_node, 0)),
                     "a role should be a plain name");
  diag_hint(c->d, g, "other programs may reject it");
}

/* The head alone; the infix notation has other ways to write it. */
static void mend_to_fact(checker *c, diag *g, const rule *r) {
  if (shown_notation(c) != NOTATION_KIF || !c->p->tree) return;
  const span head = where(c, r->head_node), all = where(c, r->node);
  diag_mend(c->d, g, (span){all.start, head.start}, "%s", "");
  diag_mend(c->d, g, (span){head.end, all.end}, "%s", "");
}

static void check_rules(checker *c) {
  for (rule_id i = 0; i < c->p->rules.count; i++) {
    const rule *r = &c->p->rules.items[i];
    if (atom_relation(c->p, r->head) == SYM_ROLE) check_role(c, r);
    if (r->body != r->body_end || r->node == r->head_node) continue;
    diag *g = diag_add(c->d, DIAG_W113, where(c, r->node), "this rule has no conditions");
    diag_hint(c->d, g, "write it as a fact");
    mend_to_fact(c, g, r);
  }
}

void check_keywords(checker *c) {
  check_dependence(c);
  check_bodies(c);
  check_rules(c);
}
