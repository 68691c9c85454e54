#include "rules/argument_slots.h"

#include <string.h>

/* To look whether a clause waits is less work than anything else. */
enum { READERS_OF_A_STEP = 8 };

/* The work under way: clauses wait in a queue while what they read has grown. */
typedef struct search {
  argument_values *v;
  const program *p;
  budget *limits;
  arena *scratch;
  uint32_t *readers_of; /* readers[readers_of[r]] .. are the clauses with r in a positive literal */
  clause_id *readers;
  bool *is_queued; /* by clause */
  bool is_running; /* all rules have been queued once */
  id_vec queue;
  /* of the clause at hand: */
  variable_slots standing;
  id_vec slots; /* one variable after the other */
  domain *of_variable;
  uint64_t **mask_of_variable; /* where of_variable has something in `without`: that */
  VEC(uint64_t *) masks;       /* what `distinct` takes away */
  uint32_t masks_used;
} search;

/* ---- matching ---- */

typedef struct matching {
  const argument_values *v;
  uint32_t literal;
  variable_slots *out;
  misfit *m;
  arena *scratch;
} matching;

static bool term_can_stand(matching *k, slot_id at, term_id t);

static bool parts_can_stand(matching *k, slot_id at, term_id t) {
  const argument_values *v = k->v;
  const slot_id first = slots_of_function(v, at, v->item_of[t]);
  const uint32_t depth = k->m->depth++;
  for (uint32_t i = 0; i < term_get(v->p->terms, t)->arg_count; i++) {
    k->m->path[depth] = i;
    if (!term_can_stand(k, first + i, term_arg(v->p->terms, t, i))) return false;
  }
  k->m->depth = depth;
  return true;
}

static bool term_can_stand(matching *k, slot_id at, term_id t) {
  const argument_values *v = k->v;
  if (slot_is_open(v, at)) return true;
  if (term_is_variable(v->p->terms, t)) {
    const variable_slot x = {term_variable_number(v->p->terms, t), k->literal, at};
    vec_push(k->scratch, k->out, x);
    return true;
  }
  if (!slot_has_item(v, at, v->item_of[t])) {
    k->m->term = t;
    k->m->slot = at;
    return false;
  }
  return term_get(v->p->terms, t)->arg_count == 0 || parts_can_stand(k, at, t);
}

bool atom_can_match(const argument_values *v, term_id atom, uint32_t literal, variable_slots *out,
                    misfit *m, arena *scratch) {
  const relation_id r = atom_relation(v->p, atom);
  matching k = {v, literal, out, m, scratch};
  *m = (misfit){.depth = 1};
  for (uint32_t i = 0; i < v->p->relations.items[r].arity; i++) {
    m->path[0] = i;
    if (!term_can_stand(&k, v->first_slot[r] + i, term_arg(v->p->terms, atom, i))) return false;
  }
  return true;
}

static bool body_can_match(search *s, const clause *c) {
  misfit m;
  s->standing.count = 0;
  for (uint32_t i = 0; i < c->body_count; i++) {
    const literal *l = &s->p->literals.items[c->body + i];
    if (l->kind != LITERAL_POSITIVE) continue;
    slots_spend(s->v, term_get(s->p->terms, l->atom)->arg_count + 1u);
    if (!s->v->can_hold[atom_relation(s->p, l->atom)]) return false;
    if (!atom_can_match(s->v, l->atom, i, &s->standing, &m, s->scratch)) return false;
  }
  return true;
}

/* ---- what the variables of a clause can be ---- */

/* The slots of each variable, one after the other: a counting sort. */
static void sort_by_variable(search *s, const clause *c) {
  memset(s->of_variable, 0, c->variable_count * sizeof *s->of_variable);
  s->slots.count = 0;
  vec_reserve(s->scratch, &s->slots, s->standing.count);
  for (uint32_t i = 0; i < s->standing.count; i++)
    s->of_variable[s->standing.items[i].variable].count++;
  uint32_t first = 0;
  for (uint32_t x = 0; x < c->variable_count; x++) {
    s->of_variable[x].slots = vec_from(&s->slots, first);
    first += s->of_variable[x].count;
    s->of_variable[x].count = 0;
  }
  for (uint32_t i = 0; i < s->standing.count; i++) {
    domain *d = &s->of_variable[s->standing.items[i].variable];
    s->slots.items[d->slots - s->slots.items + d->count++] = s->standing.items[i].slot;
  }
}

static uint64_t *empty_mask(search *s) {
  const uint32_t words = s->v->word_count;
  if (s->masks_used == s->masks.count) {
    uint64_t *mask = arena_new_array(s->scratch, uint64_t, words);
    vec_push(s->scratch, &s->masks, mask);
  }
  slots_spend(s->v, words);
  return memset(s->masks.items[s->masks_used++], 0, words * sizeof(uint64_t));
}

/* One for each variable of the clause that needs it. */
static uint64_t *mask_of(search *s, uint32_t variable) {
  if (!s->of_variable[variable].without) {
    s->mask_of_variable[variable] = empty_mask(s);
    s->of_variable[variable].without = s->mask_of_variable[variable];
  }
  return s->mask_of_variable[variable];
}

/* (distinct ?x constant) */
static void take_away(search *s, term_id variable, term_id constant) {
  const term *x = term_get(s->p->terms, variable), *k = term_get(s->p->terms, constant);
  if (!x->is_variable || k->is_variable || k->arg_count) return;
  const uint32_t item = s->v->item_of[constant];
  mask_of(s, x->name)[item / 64] |= UINT64_C(1) << (item % 64);
}

static void apply_distincts(search *s, const clause *c) {
  s->masks_used = 0;
  for (uint32_t i = 0; i < c->body_count; i++) {
    const literal *l = &s->p->literals.items[c->body + i];
    if (l->kind != LITERAL_DISTINCT) continue;
    const term_id a = term_arg(s->p->terms, l->atom, 0), b = term_arg(s->p->terms, l->atom, 1);
    take_away(s, a, b);
    take_away(s, b, a);
  }
}

static bool every_variable_has_a_value(search *s, const clause *c) {
  for (uint32_t x = 0; x < c->variable_count; x++)
    if (domain_is_empty(s->v, s->of_variable[x], s->scratch)) return false;
  return true;
}

/* ---- adding a head ---- */

static void add_term(search *s, slot_id at, term_id t) {
  argument_values *v = s->v;
  const term *it = term_get(s->p->terms, t);
  if (it->is_variable) {
    slot_add_domain(v, at, s->of_variable[it->name], s->scratch);
    return;
  }
  slots_spend(v, 1);
  slot_add_item(v, at, v->item_of[t]);
  if (it->arg_count == 0) return;
  const slot_id first = slots_to_fill(v, at, v->item_of[t]);
  for (uint32_t i = 0; first != SLOT_NONE && i < it->arg_count; i++)
    add_term(s, first + i, term_arg(s->p->terms, t, i));
}

static void queue_clause(search *s, clause_id c) {
  if (s->is_queued[c]) return;
  s->is_queued[c] = true;
  vec_push(s->scratch, &s->queue, c);
}

static void add_head(search *s, relation_id r, term_id head) {
  argument_values *v = s->v;
  v->changed = !v->can_hold[r];
  v->can_hold[r] = true;
  for (uint32_t i = 0; i < s->p->relations.items[r].arity; i++)
    add_term(s, v->first_slot[r] + i, term_arg(s->p->terms, head, i));
  if (!v->changed || !s->is_running) return;
  slots_spend(v, (s->readers_of[r + 1] - s->readers_of[r]) / READERS_OF_A_STEP);
  for (uint32_t i = s->readers_of[r]; i < s->readers_of[r + 1]; i++) queue_clause(s, s->readers[i]);
}

/* Where the facts of a relation go: into the next state, or among the moves. */
static relation_id relation_that_takes(relation_id r) {
  return r == SYM_INIT || r == SYM_NEXT ? SYM_TRUE : r == SYM_LEGAL ? SYM_DOES : RELATION_NONE;
}

static void run_clause(search *s, clause_id id) {
  const clause *c = &s->p->clauses.items[id];
  if (!body_can_match(s, c)) return;
  sort_by_variable(s, c);
  apply_distincts(s, c);
  if (!every_variable_has_a_value(s, c)) return;
  const relation_id r = atom_relation(s->p, c->head);
  s->v->fires[id] = true;
  add_head(s, r, c->head);
  if (relation_that_takes(r) != RELATION_NONE) add_head(s, relation_that_takes(r), c->head);
}

/* ---- all clauses ---- */

static relation_id relation_read(const program *p, uint32_t l) {
  const literal *it = &p->literals.items[l];
  return it->kind == LITERAL_POSITIVE ? atom_relation(p, it->atom) : RELATION_NONE;
}

static void index_readers(search *s) {
  const program *p = s->p;
  uint32_t *of = arena_zero_array(s->scratch, uint32_t, p->relations.count + 2);
  s->readers = arena_new_array(s->scratch, clause_id, p->literals.count);
  for (uint32_t l = 0; l < p->literals.count; l++)
    if (relation_read(p, l) != RELATION_NONE) of[relation_read(p, l) + 2]++;
  for (relation_id r = 0; r < p->relations.count; r++) of[r + 2] += of[r + 1];
  for (clause_id c = 0; c < p->clauses.count; c++) {
    const clause *it = &p->clauses.items[c];
    for (uint32_t l = it->body; l < it->body + it->body_count; l++)
      if (relation_read(p, l) != RELATION_NONE) s->readers[of[relation_read(p, l) + 1]++] = c;
  }
  s->readers_of = of;
}

/* Facts once, for nothing changes them; the others as long as what they read grows. */
static void run_all(search *s) {
  const program *p = s->p;
  for (clause_id c = 0; c < p->clauses.count; c++)
    if (p->clauses.items[c].body_count == 0) run_clause(s, c);
  for (clause_id c = 0; c < p->clauses.count; c++)
    if (p->clauses.items[c].body_count) queue_clause(s, c);
  s->is_running = true;
  for (uint32_t i = 0; i < s->queue.count && !slots_are_spent(s->v); i++) {
    const clause_id c = s->queue.items[i];
    if (budget_is_spent(s->limits)) *s->v->steps_left = 0; /* then everything is open */
    s->is_queued[c] = false;
    run_clause(s, c);
  }
}

argument_values *argument_values_find(const program *p, budget *limits, arena *keep) {
  argument_values *v = arena_alloc_zero(keep, sizeof *v);
  *v = (argument_values){.p = p,
                         .keep = keep,
                         .can_hold = arena_zero_array(keep, bool, p->relations.count),
                         .fires = arena_zero_array(keep, bool, p->clauses.count)};
  search s = {.v = v, .p = p, .limits = limits, .scratch = arena_new()};
  s.is_queued = arena_zero_array(s.scratch, bool, p->clauses.count);
  s.of_variable = arena_zero_array(s.scratch, domain, program_most_variables(p));
  s.mask_of_variable = arena_zero_array(s.scratch, uint64_t *, program_most_variables(p));
  slots_init(v, s.scratch);
  index_readers(&s);
  run_all(&s);
  arena_free(s.scratch);
  return v;
}

bool relation_can_hold(const argument_values *v, relation_id r) {
  return slots_are_spent(v) || v->can_hold[r];
}

bool clause_can_fire(const argument_values *v, clause_id c) {
  return slots_are_spent(v) || v->fires[c];
}
