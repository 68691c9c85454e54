/* What every game needs: roles, moves, goals, an end; and what it says about its own state. */
#include "base/spelling.h"
#include "rules/check/value_words.h"
#include "rules/goal_value.h"

/* ---- parts that must be there ---- */

typedef struct needed {
  symbol_id keyword;
  diag_kind kind;
  const char *words;
  const char *hint;
  const char *examples[2]; /* by notation */
} needed;

static const needed needs[] = {
    {SYM_ROLE,
     DIAG_E601,
     "the game has no role",
     "name the players",
     {"(role white)", "role(white)."}},
    {SYM_INIT,
     DIAG_W602,
     "no rule defines init: the game starts in the empty state",
     "say what is true at the start",
     {"(init (control white))", "init(control(white))."}},
    {SYM_LEGAL,
     DIAG_E603,
     "no rule defines legal: no role can ever move",
     "say what each role may do",
     {"(<= (legal white noop) (true (control black)))",
      "legal(white, noop) :- true(control(black))."}},
    {SYM_NEXT,
     DIAG_W612,
     "no rule defines next: every state after the initial one is empty",
     "say what becomes true",
     {"(<= (next (step 2)) (true (step 1)))", "next(step(2)) :- true(step(1))."}},
    {SYM_GOAL,
     DIAG_E604,
     "no rule defines goal: no state has a value for any role",
     "say what the end is worth",
     {"(<= (goal white 100) (true (won white)))", "goal(white, 100) :- true(won(white))."}},
    {SYM_TERMINAL,
     DIAG_E605,
     "no rule defines terminal: the game never ends",
     "say when the game ends",
     {"(<= terminal (true (step 50)))", "terminal :- true(step(50))."}},
};

/* Is the keyword the head of a form, be it sound or not? */
static bool is_written(const checker *c, symbol_id keyword) {
  const tree *t = c->p->tree;
  for (node_id n = 0; t && n < t->nodes.count; n = node_after(t, n)) {
    const node_id head = node_of_form_head(c, n);
    if (head == UINT32_MAX || node_functor(t, head) != keyword) continue;
    const uint32_t count = node_is_list(t, head) ? node_element_count(t, head) - 1 : 0;
    if (count == keyword_arity(keyword)) return true;
  }
  return false;
}

/* What follows an unclosed parenthesis may be lost with it. */
static void check_needs(checker *c) {
  if (c->d->kept_of_kind[DIAG_E101]) return;
  for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
    const needed *need = &needs[i];
    if (c->p->relations.items[need->keyword].clause_count || is_written(c, need->keyword)) continue;
    diag *g = diag_add(c->d, need->kind, (span){0, 0}, "%s", need->words);
    diag_hint(c->d, g, "%s: %s", need->hint, need->examples[shown_notation(c)]);
  }
}

/* ---- goal values ---- */

/* As machines read it: 050 is 50. */
static bool is_goal_value(const checker *c, term_id t) {
  int32_t value;
  return goal_value(c->p->terms, t, &value) && value >= 0 && value <= 100;
}

static diag *report_goal_value(checker *c, clause_id id, term_id value) {
  diag *g = diag_add(c->d, DIAG_W606, where(c, node_of_argument(c, node_of_head(c, id), 1)),
                     "the goal value %s is not a whole number from 0 to 100",
                     shown_term(c, value, clause_at(c, id)->rule));
  diag_hint(c->d, g, "0 is a loss, 100 a win");
  return g;
}

/* The values that a listed relation has for the variable: reports the first bad one. */
static bool check_listed_values(checker *c, clause_id id, const literal *l, uint32_t position) {
  const relation_id r = atom_relation(c->p, l->atom);
  for (uint32_t i = 0; i < c->p->relations.items[r].clause_count; i++) {
    const clause_id fact = clause_of(c, r, i);
    const term_id value = term_arg(c->p->terms, clause_at(c, fact)->head, position);
    if (is_goal_value(c, value) || !terms_meet(c->unifier, l->atom, clause_at(c, fact)->head))
      continue;
    diag *g = report_goal_value(c, id, value);
    diag_relate(c->d, g, where(c, node_of_argument(c, node_of_head(c, fact), position)),
                "it comes from here");
    return true;
  }
  return false;
}

/* A variable goal value is known when one condition lists it: (payoff ?move ?value).  When
   several do, their common part is left to the grounder. */
static void check_variable_goal(checker *c, clause_id id, term_id variable) {
  const clause *it = clause_at(c, id);
  const literal *lister = NULL;
  uint32_t position = 0;
  for (uint32_t i = 0; i < it->body_count; i++) {
    const literal *l = literal_at(c, it->body + i);
    for (uint32_t k = 0; k < term_get(c->p->terms, l->atom)->arg_count; k++) {
      if (l->kind != LITERAL_POSITIVE || term_arg(c->p->terms, l->atom, k) != variable) continue;
      if (lister) return;
      lister = l;
      position = k;
    }
  }
  if (lister && relation_is_listed(c, atom_relation(c->p, lister->atom)))
    check_listed_values(c, id, lister, position);
}

static void check_goal_values(checker *c) {
  for (uint32_t i = 0; i < c->p->relations.items[SYM_GOAL].clause_count; i++) {
    const clause_id id = clause_of(c, SYM_GOAL, i);
    const term_id value = term_arg(c->p->terms, clause_at(c, id)->head, 1);
    if (term_is_variable(c->p->terms, value))
      check_variable_goal(c, id, value);
    else if (!is_goal_value(c, value))
      report_goal_value(c, id, value);
  }
}

/* ---- every role can move and has a goal ---- */

first_arguments first_arguments_of(const checker *c, symbol_id keyword) {
  first_arguments f = {.ground = bitset_new(c->scratch, c->p->terms->terms.count)};
  for (uint32_t i = 0; i < c->p->relations.items[keyword].clause_count; i++) {
    const term_id first = term_arg(c->p->terms, clause_at(c, clause_of(c, keyword, i))->head, 0);
    if (term_is_ground(c->p->terms, first))
      bitset_add(f.ground, first);
    else
      vec_push(c->scratch, &f.open, first);
  }
  return f;
}

/* Can this be the first argument of such a head? */
static bool serves_role(const checker *c, const first_arguments *of, term_id role) {
  if (role < of->ground.size && bitset_has(of->ground, role)) return true;
  for (uint32_t i = 0; i < of->open.count; i++)
    if (terms_meet(c->unifier, of->open.items[i], role)) return true;
  if (term_is_ground(c->p->terms, role)) return false;
  for (term_id t = 0; t < of->ground.size; t++)
    if (bitset_has(of->ground, t) && terms_meet(c->unifier, t, role)) return true;
  return false;
}

static void check_role(checker *c, clause_id id, const first_arguments *of, diag_kind kind,
                       const char *words) {
  const clause *it = clause_at(c, id);
  const term_id role = term_arg(c->p->terms, it->head, 0);
  if (!term_is_ground(c->p->terms, role) || serves_role(c, of, role)) return;
  if (kind == DIAG_W614 && role_is_nature(c->p->terms, role)) return;
  diag *g = diag_add(c->d, kind, where(c, node_of_argument(c, node_of_head(c, id), 0)),
                     "the role %s %s", shown_term(c, role, it->rule), words);
  diag_hint(c->d, g, "is its name spelled in the same way everywhere?");
}

static void check_roles(checker *c) {
  const relation *roles = &c->p->relations.items[SYM_ROLE];
  for (uint32_t i = 0; c->is_whole && i < roles->clause_count; i++) {
    const clause_id id = clause_of(c, SYM_ROLE, i);
    if (c->p->relations.items[SYM_LEGAL].clause_count)
      check_role(c, id, &c->of_legal, DIAG_W613, "never has a legal move");
    if (c->p->relations.items[SYM_GOAL].clause_count)
      check_role(c, id, &c->of_goal, DIAG_W614, "has no goal");
  }
}

/* ---- only roles move and have goals ---- */

static bool has_role_first(relation_id r) {
  return r == SYM_LEGAL || r == SYM_GOAL || r == SYM_DOES || r == SYM_INPUT || r == SYM_SEES;
}

/* The role whose name is nearest to that of the term; TERM_NONE: none is near. */
static term_id nearest_role(const checker *c, term_id t) {
  const program *p = c->p;
  const id_vec roles = program_roles(p, c->scratch);
  term_id best = TERM_NONE;
  spelling s = spelling_of(symbol_folded(p->symbols, term_get(p->terms, t)->name));
  for (uint32_t i = 0; i < roles.count; i++) {
    const symbol_id name = term_get(p->terms, roles.items[i])->name;
    if (spelling_is_nearer(&s, symbol_folded(p->symbols, name))) best = roles.items[i];
  }
  return best;
}

bool atom_is_of_nobody(const checker *c, term_id atom) {
  return has_role_first(atom_relation(c->p, atom)) &&
         !serves_role(c, &c->of_role, term_arg(c->p->terms, atom, 0));
}

static void check_speaks_of_role(checker *c, term_id atom, node_id at, rule_id r) {
  if (!atom_is_of_nobody(c, atom)) return;
  const term_id who = term_arg(c->p->terms, atom, 0);
  diag *g = diag_add(c->d, DIAG_W615, where(c, node_of_argument(c, at, 0)),
                     "the first argument of %s is %s, which is not a role",
                     shown_relation(c, atom_relation(c->p, atom)), shown_term(c, who, r));
  const term_id meant = nearest_role(c, who);
  if (meant == TERM_NONE)
    diag_hint(c->d, g, "only roles move and have goals: this is never used");
  else {
    diag_hint(c->d, g, "did you mean %s?", shown_term(c, meant, r));
    if (!term_get(c->p->terms, meant)->arg_count)
      mend_name(c, g, node_of_argument(c, at, 0), term_get(c->p->terms, meant)->name);
  }
}

static void check_who_is_spoken_of(checker *c) {
  if (!c->is_whole || !c->p->relations.items[SYM_ROLE].clause_count) return;
  for (rule_id r = 0; r < c->p->rules.count; r++) {
    const rule *it = &c->p->rules.items[r];
    check_speaks_of_role(c, it->head, it->head_node, r);
    for (uint32_t i = it->body; i < it->body_end; i++)
      if (c->p->formulas.items[i].kind == FORMULA_ATOM)
        check_speaks_of_role(c, c->p->formulas.items[i].atom, c->p->formulas.items[i].node, r);
  }
}

/* ---- what base and input declare ---- */

/* The head of a `declaring` clause that the term would have: base has the fluent where init has
   it, input has role and move where legal has them. */
static bool is_declared(const checker *c, symbol_id declaring, term_id atom) {
  const term_table *t = c->p->terms;
  for (uint32_t i = 0; i < c->p->relations.items[declaring].clause_count; i++) {
    const term_id head = clause_at(c, clause_of(c, declaring, i))->head;
    bool meets = true;
    for (uint32_t k = 0; meets && k < term_get(t, atom)->arg_count; k++)
      meets = terms_meet(c->unifier, term_arg(t, atom, k), term_arg(t, head, k));
    if (meets) return true;
  }
  return false;
}

/* The first of each name is reported. */
static void check_declared(checker *c, symbol_id keyword, symbol_id declaring, diag_kind kind) {
  if (!c->is_whole || !c->p->relations.items[declaring].clause_count) return;
  bool *reported = arena_zero_array(c->scratch, bool, symbol_count(c->p->symbols) + 1);
  for (uint32_t i = 0; i < c->p->relations.items[keyword].clause_count; i++) {
    const clause_id id = clause_of(c, keyword, i);
    const clause *it = clause_at(c, id);
    const uint32_t last = keyword_arity(keyword) - 1;
    const term_id thing = term_arg(c->p->terms, it->head, last);
    if (term_is_variable(c->p->terms, thing) || reported[term_get(c->p->terms, thing)->name] ||
        is_declared(c, declaring, it->head) || atom_is_of_nobody(c, it->head))
      continue;
    reported[term_get(c->p->terms, thing)->name] = true;
    diag *g = diag_add(c->d, kind, where(c, node_of_argument(c, node_of_head(c, id), last)),
                       "%s is not declared by %s", shown_term(c, thing, it->rule),
                       shown_name(c, declaring));
    diag_hint(c->d, g, "declare it, or let %s be computed by removing all its rules",
              shown_name(c, declaring));
  }
}

/* ---- the values that base and input declare ---- */

/* Has the declaration this constant, or this function with these arguments, at the slot? */
static bool value_is_declared(const checker *c, slot_id at, term_id t, misfit *m) {
  const term *it = term_get(c->p->terms, t);
  if (it->is_variable || slot_is_open(c->values, at)) return true;
  const slot_value value = {it->name, it->arg_count};
  m->term = t;
  m->slot = at;
  if (!slot_has(c->values, at, value)) return false;
  const uint32_t depth = m->depth++;
  for (uint32_t i = 0; i < it->arg_count; i++) {
    m->path[depth] = i;
    const slot_id part = slot_of_part(c->values, at, value, i);
    if (part != SLOT_NONE && !value_is_declared(c, part, term_arg(c->p->terms, t, i), m))
      return false;
  }
  m->depth = depth;
  return true;
}

static void check_value_declared(checker *c, clause_id id, symbol_id declaring, diag_kind kind) {
  const uint32_t last = keyword_arity(declaring) - 1;
  misfit m = {.depth = 1, .path = {last}};
  const clause *it = clause_at(c, id);
  const term_id thing = term_arg(c->p->terms, it->head, last);
  if (term_is_variable(c->p->terms, thing) || !clause_can_fire(c->values, id)) return;
  if (!is_declared(c, declaring, it->head)) return; /* told already */
  if (value_is_declared(c, slot_of_argument(c->values, declaring, last), thing, &m)) return;
  if (m.depth == 1) return; /* its name is declared by no rule that fires */
  diag *g = diag_add(c->d, kind, where(c, node_of_misfit(c, node_of_head(c, id), &m)),
                     "%s declares no %s as %s", shown_name(c, declaring),
                     shown_term(c, m.term, it->rule), shown_slot(c, m.slot));
  diag_hint(c->d, g, "it declares %s", shown_values_at(c, m.slot));
}

static void check_values_declared(checker *c, symbol_id keyword, symbol_id declaring,
                                  diag_kind kind) {
  if (!relation_can_hold(c->values, declaring)) return;
  for (uint32_t i = 0; i < c->p->relations.items[keyword].clause_count; i++)
    check_value_declared(c, clause_of(c, keyword, i), declaring, kind);
}

void check_declarations(checker *c) {
  check_values_declared(c, SYM_INIT, SYM_BASE, DIAG_W610);
  check_values_declared(c, SYM_NEXT, SYM_BASE, DIAG_W610);
  check_values_declared(c, SYM_LEGAL, SYM_INPUT, DIAG_W611);
}

void check_game(checker *c) {
  if (c->p->rules.count == 0 && c->is_whole) {
    diag *g = diag_add(c->d, DIAG_E609, (span){0, 0}, "the text holds no rules");
    diag_hint(c->d, g, "`tabia games tic-tac-toe` prints a game to start from");
    return;
  }
  check_needs(c);
  check_goal_values(c);
  check_roles(c);
  check_who_is_spoken_of(c);
  check_declared(c, SYM_INIT, SYM_BASE, DIAG_W610);
  check_declared(c, SYM_NEXT, SYM_BASE, DIAG_W610);
  check_declared(c, SYM_LEGAL, SYM_INPUT, DIAG_W611);
}
