#include "prove/first_order/abstract.h"

/* ---- what the rules must be like ---- */

static const char *name_of(const program *p, relation_id r, arena *keep) {
  const slice name = symbol_canonical(p->symbols, p->relations.items[r].name);
  return arena_copy_text(keep, name.start, name.length);
}

static const char *complain(abstract_game *g, relation_id about, const char *words) {
  text out = text_new(g->keep);
  text_add_format(&out, "`%s` %s", name_of(g->p, about, g->keep), words);
  return text_string(&out);
}

static const char *find_roles(abstract_game *g) {
  const program *p = g->p;
  const relation *r = &p->relations.items[SYM_ROLE];
  for (uint32_t i = 0; i < r->clause_count; i++) {
    const clause *c = &p->clauses.items[p->clauses_of_relation.items[r->first_clause + i]];
    if (!clause_is_listed(p, c)) return complain(g, SYM_ROLE, "is given by a rule");
    vec_push(g->keep, &g->roles, term_arg(p->terms, c->head, 0));
  }
  return g->roles.count ? NULL : complain(g, SYM_ROLE, "has no facts");
}

static void bind_variable(void *context, uint32_t number) {
  bitset_add(*(const bitset *)context, number);
}

typedef struct variable_search {
  bitset bound;
  bool is_unbound_found;
} variable_search;

static void look_for_unbound(void *context, uint32_t number) {
  variable_search *s = context;
  s->is_unbound_found |= !bitset_has(s->bound, number);
}

/* Is every variable in a positive literal, so that the clause means the same in logic? */
static bool clause_is_safe(const program *p, const clause *c, arena *scratch) {
  variable_search s = {.bound = bitset_new(scratch, c->variable_count + 1)};
  for (uint32_t i = 0; i < c->body_count; i++) {
    const literal *l = &p->literals.items[c->body + i];
    if (l->kind == LITERAL_POSITIVE) term_each_variable(p->terms, l->atom, bind_variable, &s.bound);
  }
  term_each_variable(p->terms, c->head, look_for_unbound, &s);
  for (uint32_t i = 0; i < c->body_count; i++)
    term_each_variable(p->terms, p->literals.items[c->body + i].atom, look_for_unbound, &s);
  return !s.is_unbound_found;
}

/* The first needed relation with a clause that is not safe. */
static relation_id find_unsafe(const abstract_game *g) {
  const program *p = g->p;
  relation_id found = RELATION_NONE;
  arena *scratch = arena_new();
  for (clause_id c = 0; c < p->clauses.count && found == RELATION_NONE; c++) {
    const relation_id r = atom_relation(p, p->clauses.items[c].head);
    if (g->is_needed[r] && !clause_is_safe(p, &p->clauses.items[c], scratch)) found = r;
  }
  arena_free(scratch);
  return found;
}

/* A needed relation that depends on its own negation: as an axiom such a rule says that it holds.
 */
static relation_id find_unstratified(const abstract_game *g) {
  const analysis *a = &g->a;
  for (uint32_t i = 0; i < a->edges.count; i++) {
    const dependency *e = &a->edges.items[i];
    if (e->negative && g->is_needed[e->head] && a->component[e->head] == a->component[e->body])
      return e->head;
  }
  return RELATION_NONE;
}

static const char *why_not(abstract_game *g, relation_id recursive) {
  if (recursive != RELATION_NONE)
    return complain(g, recursive,
                    "is defined recursively: completion does not say that nothing else holds");
  const relation_id unstratified = find_unstratified(g);
  if (unstratified != RELATION_NONE)
    return complain(g, unstratified, "depends on its own negation");
  const relation_id unsafe = find_unsafe(g);
  if (unsafe != RELATION_NONE)
    return complain(g, unsafe, "has a rule with a variable that is in no positive literal");
  if (g->a.is_dynamic[SYM_INIT]) return complain(g, SYM_INIT, "depends on the state");
  if (g->a.depends_on_does[SYM_LEGAL]) return complain(g, SYM_LEGAL, "depends on what is done");
  if (g->a.depends_on_does[SYM_TERMINAL])
    return complain(g, SYM_TERMINAL, "depends on what is done");
  return find_roles(g);
}

/* Each role does something, which is legal; one thing; and nobody else does anything. */
static void say_moves(abstract_game *g) {
  term_table *t = g->p->terms;
  const term_id move = term_variable(t, 1), other = term_variable(t, 2);
  const term_id role = term_variable(t, 0);
  const uint32_t time = 0;
  for (uint32_t i = 0; i < g->roles.count; i++) {
    const term_id args[] = {g->roles.items[i], term_variable(t, 0)};
    axiom_begin(&g->moves, 1);
    axiom_choose(&g->moves);
    axiom_then(&g->moves, holds(term_atom(t, SYM_DOES, args, 2), time));
    axiom_then(&g->moves, holds(term_atom(t, SYM_LEGAL, args, 2), time));
  }
  const term_id does_move = term_atom(t, SYM_DOES, (const term_id[]){role, move}, 2);
  const term_id does_other = term_atom(t, SYM_DOES, (const term_id[]){role, other}, 2);
  axiom_begin(&g->moves, 3);
  axiom_if(&g->moves, holds(does_move, time));
  axiom_if(&g->moves, holds(does_other, time));
  axiom_choose(&g->moves);
  axiom_then(&g->moves, are_equal(move, other));
  axiom_begin(&g->moves, 2);
  axiom_if(&g->moves, holds(does_move, time));
  for (uint32_t i = 0; i < g->roles.count; i++) {
    axiom_choose(&g->moves);
    axiom_then(&g->moves, are_equal(role, g->roles.items[i]));
  }
}

static unfolded_vec unfold_relation(const abstract_game *g, relation_id r) {
  const relation *it = &g->p->relations.items[r];
  unfolded_vec bodies = {0};
  for (uint32_t i = 0; i < it->clause_count; i++)
    clause_unfold(&bodies, &g->a, g->p->clauses_of_relation.items[it->first_clause + i], g->keep);
  return bodies;
}

const char *abstract_open(abstract_game *g, const program *p, abstract_options o, arena *keep) {
  relation_id recursive;
  *g = (abstract_game){.keep = keep, .p = p, .options = o, .moves = {.keep = keep}};
  rules_analyse(&g->a, p, keep);
  g->is_needed = theory_needs(&g->a, keep, &recursive);
  const char *complaint = why_not(g, recursive);
  if (complaint) return complaint;
  g->facts = listed_read(p, keep);
  theory_init(&g->start, THEORY_START, &g->a, g->is_needed, g->facts, keep);
  theory_init(&g->state, THEORY_STATE, &g->a, g->is_needed, g->facts, keep);
  theory_init(&g->step, THEORY_STEP, &g->a, g->is_needed, g->facts, keep);
  g->legal = unfold_relation(g, SYM_LEGAL);
  g->terminal = unfold_relation(g, SYM_TERMINAL);
  say_moves(g);
  return NULL;
}

/* ---- what is said of a state ---- */

/* The body never holds. */
static void say_never(const theory *t, axiom_set *out, const unfolded_body *b, uint32_t time,
                      bool is_eager) {
  axiom_begin(out, b->variables)->is_eager = is_eager;
  for (uint32_t i = 0; i < b->count; i++) axiom_if(out, theory_statement(t, &b->literals[i], time));
}

void abstract_say_not_terminal(const abstract_game *g, const theory *t, axiom_set *out,
                               uint32_t time) {
  for (uint32_t i = 0; i < g->terminal.count; i++)
    say_never(t, out, &g->terminal.items[i], time, false);
}

/* Makes it the body for the role.  False: it is about others, or terms would be too deep. */
static bool give_role(unfolded_body *b, term_table *t, term_id role, arena *keep) {
  pattern_bindings of_head = pattern_begin(b->variables, keep);
  if (!pattern_fits(t, term_arg(t, b->head, 0), role, &of_head)) return false;
  literal *literals = arena_new_array(keep, literal, b->count + 1);
  for (uint32_t i = 0; i < b->count; i++) {
    literals[i] = b->literals[i];
    if (!term_substitute(t, literals[i].atom, of_head.values, &literals[i].atom)) return false;
  }
  b->literals = literals;
  return true;
}

void abstract_say_stuck(const abstract_game *g, const theory *t, axiom_set *out, uint32_t time,
                        term_id role) {
  for (uint32_t i = 0; i < g->legal.count; i++) {
    unfolded_body b = g->legal.items[i];
    if (give_role(&b, g->p->terms, role, out->keep)) say_never(t, out, &b, time, true);
  }
}

deduction_result abstract_deduce(abstract_game *g, const theory *t, const axiom_set *const *sets,
                                 deduction_limits most, budget *b) {
  const deduction_result r = deduce(t, sets, most, b, g->keep);
  g->models += r.models;
  g->instances += r.instances;
  return r;
}
