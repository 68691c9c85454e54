/* Stratification: does anything depend on its own negation?

   First relations are asked (Definition 1.1 of grounding-asp).  Where one depends on its own
   negation the question is put again, ever nearer to ground atoms: for clauses, by unifying
   body literals with heads; then for clauses whose variables take their values from listed
   facts.  What still has a cycle is an error when the cycle surely closes: all its atoms are
   ground, or it comes back to the atom it started from whatever its variables stand for. */
#include "rules/check/check_parts.h"
#include "rules/labelled.h"
#include "rules/term_copy.h"

#include <string.h>

/* A clause, or an instance of one, reduced to the literals inside its part. */
typedef struct pattern {
  term_id head;
  uint32_t first; /* in `literals` */
  uint32_t count;
  clause_id clause;
} pattern;

typedef struct pattern_literal {
  term_id atom;
  uint32_t literal; /* in program.literals */
  uint32_t pattern;
  bool negative;
} pattern_literal;

enum { STEPS_MAX = 4 * 1000 * 1000, PATTERNS_MAX = 50 * 1000, LISTED_MAX = 16 };

/* One strongly connected component of the relations. */
typedef struct strata_check {
  checker *c;
  uint32_t part;
  arena *scratch;
  term_table terms; /* of its own: the program is not changed */
  term_id *copies;  /* by term of the program, if ground */
  unifier *unifier; /* over `terms` */
  VEC(pattern) patterns;
  VEC(pattern_literal) literals;
  id_vec heads;      /* the different heads: nodes of the graph */
  uint32_t *node_of; /* by term */
  uint32_t steps_left;
  bool gave_up;
} strata_check;

/* A cycle as literals of the program, the negative one first. */
typedef struct cycle {
  id_vec literals; /* indexes of strata_check.literals */
  bool found;
} cycle;

static bool is_spent(strata_check *k) {
  if (k->steps_left == 0) return k->gave_up = true;
  k->steps_left--;
  return false;
}

static bool is_inside(const strata_check *k, const literal *l) {
  return l->kind != LITERAL_DISTINCT &&
         k->c->a->component[atom_relation(k->c->p, l->atom)] == k->part;
}

/* ---- copying terms; `values` are terms of the program, by variable ---- */

static term_id copy_ground(strata_check *k, term_id t) {
  if (k->copies[t] == TERM_NONE) k->copies[t] = term_copy(&k->terms, k->c->p->terms, t, k->scratch);
  return k->copies[t];
}

static bool copy_compound(strata_check *k, const term it, const term_id *values, term_id *copy);

/* False: with these values it would be too deep. */
static bool copy_term(strata_check *k, term_id t, const term_id *values, term_id *copy) {
  const term it = *term_get(k->c->p->terms, t);
  if (!it.is_ground && !it.is_variable) return copy_compound(k, it, values, copy);
  if (it.is_ground)
    *copy = copy_ground(k, t);
  else if (values && values[it.name] != TERM_NONE)
    *copy = copy_ground(k, values[it.name]);
  else
    *copy = term_variable(&k->terms, it.name);
  return true;
}

static bool copy_compound(strata_check *k, const term it, const term_id *values, term_id *copy) {
  const term_id *from = vec_from(&k->c->p->terms->args, it.args);
  term_id *args = arena_new_array(k->scratch, term_id, it.arg_count);
  for (uint32_t i = 0; i < it.arg_count; i++)
    if (!copy_term(k, from[i], values, &args[i])) return false;
  return term_compound(&k->terms, it.name, args, it.arg_count, copy);
}

/* Adds the literals inside the part.  False: one is too deep. */
static bool add_literals(strata_check *k, const clause *it, const term_id *values) {
  for (uint32_t i = it->body; i < it->body + it->body_count; i++) {
    const literal *l = literal_at(k->c, i);
    if (!is_inside(k, l)) continue;
    pattern_literal copy = {
        .literal = i, .pattern = k->patterns.count, .negative = l->kind == LITERAL_NEGATIVE};
    if (!copy_term(k, l->atom, values, &copy.atom)) return false;
    vec_push(k->scratch, &k->literals, copy);
  }
  return true;
}

static void add_pattern(strata_check *k, clause_id id, const term_id *values) {
  const clause *it = clause_at(k->c, id);
  pattern p = {.first = k->literals.count, .clause = id};
  if (k->patterns.count == PATTERNS_MAX) k->gave_up = true;
  if (k->gave_up) return;
  k->gave_up = !copy_term(k, it->head, values, &p.head) || !add_literals(k, it, values);
  p.count = k->literals.count - p.first;
  if (!k->gave_up) vec_push(k->scratch, &k->patterns, p);
}

/* ---- the graph of patterns ---- */

static void collect_heads(strata_check *k) {
  k->heads.count = 0;
  k->node_of = arena_new_array(k->scratch, uint32_t, k->terms.terms.count);
  memset(k->node_of, 0xff, k->terms.terms.count * sizeof *k->node_of);
  for (uint32_t i = 0; i < k->patterns.count; i++) {
    const term_id head = k->patterns.items[i].head;
    if (k->node_of[head] != ID_NONE) continue;
    k->node_of[head] = k->heads.count;
    vec_push(k->scratch, &k->heads, head);
  }
}

static void add_edges(strata_check *k, labelled_graph *g, uint32_t literal_number,
                      const id_vec *open) {
  const pattern_literal *l = &k->literals.items[literal_number];
  const uint32_t from = k->node_of[k->patterns.items[l->pattern].head];
  const bool is_ground = term_is_ground(&k->terms, l->atom);
  if (is_ground && k->node_of[l->atom] != ID_NONE)
    labelled_add(g, from, k->node_of[l->atom], literal_number);
  const id_vec *others = is_ground ? open : &k->heads;
  for (uint32_t i = 0; i < others->count && !is_spent(k); i++) {
    const term_id head = others->items[i];
    if (terms_meet(k->unifier, l->atom, head))
      labelled_add(g, from, k->node_of[head], literal_number);
  }
}

static labelled_graph pattern_graph(strata_check *k) {
  collect_heads(k);
  id_vec open = {0};
  for (uint32_t i = 0; i < k->heads.count; i++)
    if (!term_is_ground(&k->terms, k->heads.items[i]))
      vec_push(k->scratch, &open, k->heads.items[i]);
  labelled_graph g = labelled_new(k->heads.count, k->scratch);
  for (uint32_t i = 0; i < k->literals.count; i++) add_edges(k, &g, i, &open);
  labelled_finish(&g);
  return g;
}

/* A cycle through a negative edge of the graph. */
static cycle negative_cycle(strata_check *k, const labelled_graph *g) {
  const uint32_t *component = labelled_components(g, k->scratch);
  cycle result = {0};
  for (uint32_t i = 0; i < g->edges.count && !result.found; i++) {
    const labelled_edge *e = &g->edges.items[i];
    if (!k->literals.items[e->label].negative || component[e->from] != component[e->to]) continue;
    const id_vec way = labelled_way(g, component, e->to, e->from, k->scratch);
    vec_push(k->scratch, &result.literals, e->label);
    for (uint32_t j = 0; j < way.count; j++)
      vec_push(k->scratch, &result.literals, g->edges.items[way.items[j]].label);
    result.found = true;
  }
  return result;
}

static labelled_graph ground_part(strata_check *k, const labelled_graph *g) {
  labelled_graph part = labelled_new(g->node_count, k->scratch);
  for (uint32_t i = 0; i < g->edges.count; i++) {
    const labelled_edge *e = &g->edges.items[i];
    if (term_is_ground(&k->terms, k->heads.items[e->from]) &&
        term_is_ground(&k->terms, k->heads.items[e->to]))
      labelled_add(&part, e->from, e->to, e->label);
  }
  labelled_finish(&part);
  return part;
}

/* ---- cycles that close whatever their variables stand for ---- */

typedef struct reached {
  term_id atom;
  uint32_t by;   /* the literal that asks for it */
  uint32_t from; /* an index of the queue; ID_NONE at the start */
} reached;

typedef struct closing {
  strata_check *k;
  VEC(reached) queue;
  term_id *values; /* by variable of the pattern at hand */
  uint32_t variables;
  id_table seen;
} closing;

static bool match(strata_check *k, term_id open, term_id ground, term_id *values) {
  if (open == ground) return true;
  const term *it = term_get(&k->terms, open);
  if (it->is_variable) {
    if (values[it->name] == TERM_NONE) values[it->name] = ground;
    return values[it->name] == ground;
  }
  const term *other = term_get(&k->terms, ground);
  if (it->name != other->name || it->arg_count != other->arg_count || it->is_ground) return false;
  for (uint32_t i = 0; i < it->arg_count; i++)
    if (!match(k, term_arg(&k->terms, open, i), term_arg(&k->terms, ground, i), values))
      return false;
  return true;
}

static uint64_t hash_of_reached(const void *context, uint32_t id) {
  return hash_mix(((const closing *)context)->queue.items[id].atom);
}

/* Adds an atom to the queue unless it is there. */
static void reach(closing *s, term_id atom, uint32_t by, uint32_t from) {
  id_table_reserve(&s->seen, s->k->scratch, hash_of_reached, s);
  uint32_t at = id_table_first(&s->seen, hash_mix(atom));
  for (; s->seen.slots[at] != ID_NONE; at = id_table_next(&s->seen, at))
    if (s->queue.items[s->seen.slots[at]].atom == atom) return;
  const reached r = {atom, by, from};
  vec_push(s->k->scratch, &s->queue, r);
  id_table_put(&s->seen, at, s->queue.count - 1);
}

static void reach_literal(closing *s, uint32_t number, uint32_t from) {
  strata_check *k = s->k;
  term_id atom;
  if (term_substitute(&k->terms, k->literals.items[number].atom, s->values, &atom) &&
      term_is_ground(&k->terms, atom))
    reach(s, atom, number, from);
}

static void forget_values(closing *s) { memset(s->values, 0xff, s->variables * sizeof *s->values); }

static void expand(closing *s, uint32_t at) {
  strata_check *k = s->k;
  for (uint32_t i = 0; i < k->patterns.count && !is_spent(k); i++) {
    const pattern *p = &k->patterns.items[i];
    forget_values(s);
    if (!match(k, p->head, s->queue.items[at].atom, s->values)) continue;
    for (uint32_t l = p->first; l < p->first + p->count; l++) reach_literal(s, l, at);
  }
}

static cycle way_to(closing *s, uint32_t at) {
  cycle result = {.found = true};
  for (; at != ID_NONE; at = s->queue.items[at].from)
    vec_push(s->k->scratch, &result.literals, s->queue.items[at].by);
  for (uint32_t low = 0, high = result.literals.count; low + 1 < high; low++) {
    const uint32_t swap = result.literals.items[low];
    result.literals.items[low] = result.literals.items[--high];
    result.literals.items[high] = swap;
  }
  return result;
}

/* Constants that no rulesheet has, one for each variable. */
static void bind_to_unknowns(closing *s) {
  const symbol_id first = symbol_count(s->k->c->p->symbols);
  for (uint32_t i = 0; i < s->variables; i++) s->values[i] = term_constant(&s->k->terms, first + i);
}

/* Starts at the negative literal and asks whether its own head is reached. */
static cycle closing_cycle_from(closing *s, uint32_t literal_number) {
  strata_check *k = s->k;
  const pattern *p = &k->patterns.items[k->literals.items[literal_number].pattern];
  s->queue.count = 0;
  if (s->seen.slots) id_table_clear(&s->seen);
  bind_to_unknowns(s);
  const term_id start = term_relabel(&k->terms, p->head, s->values);
  reach_literal(s, literal_number, ID_NONE);
  for (uint32_t i = 0; i < s->queue.count; i++) {
    if (s->queue.items[i].atom == start) return way_to(s, i);
    expand(s, i);
  }
  return (cycle){0};
}

static cycle closing_cycle(strata_check *k) {
  closing s = {.k = k, .variables = k->c->most_variables};
  s.values = arena_new_array(k->scratch, term_id, s.variables);
  for (uint32_t i = 0; i < k->literals.count && !is_spent(k); i++) {
    if (!k->literals.items[i].negative) continue;
    const cycle found = closing_cycle_from(&s, i);
    if (found.found) return found;
  }
  return (cycle){0};
}

/* ---- instances by listed facts ---- */

typedef struct instantiation {
  strata_check *k;
  clause_id clause;
  bool *wanted;    /* by variable: in the head or in a literal inside */
  term_id *values; /* by variable; terms of the program */
  uint32_t listed[LISTED_MAX];
  uint32_t listed_count;
} instantiation;

static void mark_wanted(void *context, uint32_t number) { ((bool *)context)[number] = true; }

typedef struct question {
  const bool *wanted;
  bool answer;
} question;

static void ask_wanted(void *context, uint32_t number) {
  question *q = context;
  q->answer |= q->wanted[number];
}

static bool has_wanted(const instantiation *n, term_id atom) {
  question q = {n->wanted, false};
  term_each_variable(n->k->c->p->terms, atom, ask_wanted, &q);
  return q.answer;
}

static void find_listed(instantiation *n, const clause *it) {
  checker *c = n->k->c;
  term_each_variable(c->p->terms, it->head, mark_wanted, n->wanted);
  for (uint32_t i = it->body; i < it->body + it->body_count; i++)
    if (is_inside(n->k, literal_at(c, i)))
      term_each_variable(c->p->terms, literal_at(c, i)->atom, mark_wanted, n->wanted);
  for (uint32_t i = it->body; i < it->body + it->body_count && n->listed_count < LISTED_MAX; i++) {
    const literal *l = literal_at(c, i);
    if (l->kind == LITERAL_POSITIVE && has_wanted(n, l->atom) &&
        relation_is_listed(c, atom_relation(c->p, l->atom)))
      n->listed[n->listed_count++] = i;
  }
}

/* Binds the variables of `open` so that it becomes the fact.  What it bound is on the trail. */
static bool match_fact(instantiation *n, term_id open, term_id fact, id_vec *trail) {
  if (open == fact) return true;
  const term_table *t = n->k->c->p->terms;
  const term *it = term_get(t, open);
  if (it->is_variable) {
    if (n->values[it->name] != TERM_NONE) return n->values[it->name] == fact;
    n->values[it->name] = fact;
    vec_push(n->k->scratch, trail, it->name);
    return true;
  }
  const term *other = term_get(t, fact);
  if (it->name != other->name || it->arg_count != other->arg_count || it->is_ground) return false;
  for (uint32_t i = 0; i < it->arg_count; i++)
    if (!match_fact(n, term_arg(t, open, i), term_arg(t, fact, i), trail)) return false;
  return true;
}

/* At most LISTED_MAX levels deep. */
static void join_listed(instantiation *n, uint32_t level) {
  strata_check *k = n->k;
  if (level == n->listed_count) {
    add_pattern(k, n->clause, n->values);
    return;
  }
  const term_id atom = literal_at(k->c, n->listed[level])->atom;
  const relation_id r = atom_relation(k->c->p, atom);
  id_vec trail = {0};
  for (uint32_t i = 0; i < k->c->p->relations.items[r].clause_count && !k->gave_up; i++) {
    if (is_spent(k)) return;
    const term_id fact = clause_at(k->c, clause_of(k->c, r, i))->head;
    if (match_fact(n, atom, fact, &trail)) join_listed(n, level + 1);
    while (trail.count) n->values[vec_pop(&trail)] = TERM_NONE;
  }
}

static void instantiate(strata_check *k, clause_id id) {
  const clause *it = clause_at(k->c, id);
  instantiation n = {.k = k,
                     .clause = id,
                     .wanted = arena_zero_array(k->scratch, bool, it->variable_count + 1),
                     .values = arena_new_array(k->scratch, term_id, it->variable_count + 1)};
  memset(n.values, 0xff, it->variable_count * sizeof *n.values);
  find_listed(&n, it);
  join_listed(&n, 0);
}

/* ---- one part, nearer and nearer ---- */

typedef void add_patterns(strata_check *k, clause_id id);

static void add_clause(strata_check *k, clause_id id) { add_pattern(k, id, NULL); }

static void fill_patterns(strata_check *k, add_patterns *add) {
  k->patterns.count = k->literals.count = 0;
  k->gave_up = false;
  k->steps_left = STEPS_MAX;
  for (relation_id r = 0; r < k->c->p->relations.count; r++) {
    if (k->c->a->component[r] != k->part) continue;
    for (uint32_t i = 0; i < k->c->p->relations.items[r].clause_count; i++)
      add(k, clause_of(k->c, r, i));
  }
}

typedef enum verdict { VERDICT_STRATIFIED, VERDICT_CYCLE, VERDICT_UNKNOWN } verdict;

/* Looks for cycles among the patterns at hand. */
static verdict judge(strata_check *k, cycle *shown) {
  if (k->gave_up) return VERDICT_UNKNOWN;
  const labelled_graph g = pattern_graph(k);
  if (k->gave_up) return VERDICT_UNKNOWN;
  if (!negative_cycle(k, &g).found) return VERDICT_STRATIFIED;
  const labelled_graph ground = ground_part(k, &g);
  *shown = negative_cycle(k, &ground);
  if (!shown->found) *shown = closing_cycle(k);
  return shown->found ? VERDICT_CYCLE : VERDICT_UNKNOWN;
}

/* Instances say more than clauses, unless there are too many of them. */
static verdict judge_part(strata_check *k, cycle *shown) {
  fill_patterns(k, add_clause);
  verdict v = judge(k, shown);
  if (v == VERDICT_STRATIFIED) return v;
  fill_patterns(k, instantiate);
  return k->gave_up ? v : judge(k, shown);
}

/* ---- reports ---- */

static const char *head_text(const strata_check *k, const pattern_literal *l) {
  const clause *it = clause_at(k->c, k->patterns.items[l->pattern].clause);
  return shown_term(k->c, it->head, it->rule);
}

/* Of a long cycle the first steps are shown, and the one that closes it. */
enum { STEPS_SHOWN = 12 };

static bool step_is_shown(uint32_t i, uint32_t count) { return i < STEPS_SHOWN || i + 1 == count; }

static const char *steps_left_out(const checker *c, uint32_t i, uint32_t count) {
  text words = text_new(c->scratch);
  if (i + 1 == count && i > STEPS_SHOWN)
    text_add_format(&words, "%u steps further, ", i - STEPS_SHOWN + 1);
  return text_string(&words);
}

static void report_cycle(strata_check *k, const cycle *found) {
  checker *c = k->c;
  const pattern_literal *first = &k->literals.items[found->literals.items[0]];
  diag *g = diag_add(c->d, DIAG_E501, where(c, literal_at(c, first->literal)->node),
                     "%s depends on its own negation", head_text(k, first));
  const uint32_t count = found->literals.count;
  for (uint32_t i = 1; i < count; i++) {
    if (!step_is_shown(i, count)) continue;
    const pattern_literal *l = &k->literals.items[found->literals.items[i]];
    const rule_id r = clause_at(c, k->patterns.items[l->pattern].clause)->rule;
    diag_relate(c->d, g, where(c, literal_at(c, l->literal)->node), "%s%s depends on %s%s here",
                steps_left_out(c, i, count), head_text(k, l), l->negative ? "not " : "",
                shown_term(c, literal_at(c, l->literal)->atom, r));
  }
  diag_hint(c->d, g, "such rules have no meaning; let one of them read the state, with true");
}

static void relate_dependency(checker *c, diag *g, const dependency *e, const char *before) {
  diag_relate(c->d, g, where(c, literal_at(c, e->literal)->node), "%s%s depends on %s%s here",
              before, shown_relation(c, e->head), e->negative ? "not " : "",
              shown_relation(c, e->body));
}

static void report_relations(checker *c, const labelled_graph *g, uint32_t edge, verdict v) {
  const dependency *e = &c->a->edges.items[edge];
  diag *d =
      diag_add(c->d, DIAG_W502, where(c, literal_at(c, e->literal)->node),
               v == VERDICT_STRATIFIED
                   ? "the relation %s depends on its own negation, though no atom of it does"
                   : "the relation %s depends on its own negation, and perhaps an atom of it does",
               shown_relation(c, e->head));
  const id_vec way = labelled_way(g, c->a->component, e->body, e->head, c->scratch);
  for (uint32_t i = 0; i < way.count; i++)
    if (step_is_shown(i, way.count))
      relate_dependency(c, d, &c->a->edges.items[g->edges.items[way.items[i]].label],
                        steps_left_out(c, i, way.count));
  diag_hint(c->d, d, "some programs reject it; give the negated condition a relation of its own");
}

static labelled_graph relation_graph(const checker *c) {
  labelled_graph g = labelled_new(c->p->relations.count, c->scratch);
  for (uint32_t i = 0; i < c->a->edges.count; i++)
    labelled_add(&g, c->a->edges.items[i].head, c->a->edges.items[i].body, i);
  labelled_finish(&g);
  return g;
}

static void check_part(checker *c, const labelled_graph *relations, uint32_t edge,
                       check_result *r) {
  const uint32_t part = c->a->component[c->a->edges.items[edge].head];
  strata_check k = {.c = c, .part = part, .scratch = arena_new()};
  terms_init(&k.terms, c->p->symbols, k.scratch);
  k.copies = arena_new_array(k.scratch, term_id, c->p->terms->terms.count);
  memset(k.copies, 0xff, c->p->terms->terms.count * sizeof *k.copies);
  k.unifier = unifier_new(&k.terms, c->most_variables, k.scratch);
  cycle shown = {0};
  const verdict v = judge_part(&k, &shown);
  if (v == VERDICT_CYCLE)
    report_cycle(&k, &shown);
  else
    report_relations(c, relations, edge, v);
  r->unstratified_undecided |= v == VERDICT_UNKNOWN;
  arena_free(k.scratch);
}

void check_strata(checker *c, check_result *r) {
  r->stratified = c->a->stratified;
  if (r->stratified) return;
  const labelled_graph relations = relation_graph(c);
  bool *is_done = arena_zero_array(c->scratch, bool, c->a->component_count);
  for (uint32_t i = 0; i < c->a->edges.count; i++) {
    const dependency *e = &c->a->edges.items[i];
    const uint32_t part = c->a->component[e->head];
    if (!e->negative || part != c->a->component[e->body] || is_done[part]) continue;
    is_done[part] = true;
    check_part(c, &relations, i, r);
  }
}
