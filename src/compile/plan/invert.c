#include "compile/plan/invert.h"

#include "compile/rules/keyword_columns.h"

#include <stdlib.h>
#include <string.h>

enum {
  PASS_DEPTH_MAX = 40, /* calls within calls that one fact may cause */
};

/* More rows than this are not worth a set of their own only to meet each once. */
#define REPEATS_MAX 2.5 /* a fact that is derived about as often is passed on each time */
#define STORED_PRODUCT_MAX ((uint64_t)1 << 22)

/* What is kept must be small, so that it costs little to start over. */
#define KEPT_PRODUCT_MAX ((uint64_t)1 << 14)

/* A trigger with the moment of its firing; for sorting. */
typedef struct timed_trigger {
  trigger trigger;
  flat_id relation;
  uint32_t group, level;
  bool is_recursive;
} timed_trigger;

typedef struct inverter {
  inverted *v;
  const domains *d;
  const normal_program *n;
  arena *keep;
  arena *scratch;
  uint32_t *use_count;        /* by flat relation: clauses that read it */
  flat_clause_id *last_use;   /* by flat relation: the last of them */
  flat_clause_id *definition; /* by flat relation: its last clause */
  uint32_t *pass_depth;       /* by flat relation */
  uint32_t *clauses_from;     /* by flat relation: its clauses */
  flat_clause_id *clauses_of;
  VEC(timed_trigger) timed;
  VEC(timed_trigger) passed;
  bool *is_known; /* by variable of one clause */
  bool *is_kept;  /* by flat relation */
} inverter;

static const flat_program *program_of(const inverter *x) { return &x->n->flat; }

static const flat_clause *clause_at(const inverter *x, flat_clause_id c) {
  return &program_of(x)->clauses.items[c];
}

static const flat_literal *literal_at(const inverter *x, uint32_t l) {
  return &program_of(x)->literals.items[l];
}

static bool same_part(const inverter *x, flat_id a, flat_id b) {
  return x->n->order.component[a] == x->n->order.component[b];
}

/* New facts of `r` may come while rules for `head` are being fired. */
static bool is_fed_by(const inverter *x, flat_id head, flat_id r) {
  return x->is_kept[head] ? x->is_kept[r] : same_part(x, head, r);
}

/* ---- what is kept ---- */

/* All that the rule reads is permanent or kept, and something of it is kept. */
static bool rule_can_be_kept(const inverter *x, const flat_clause *c) {
  bool reads_kept = false;
  for (uint32_t i = c->body; i < c->body + c->body_count; i++) {
    const flat_literal *l = literal_at(x, i);
    if (l->kind == LITERAL_DISTINCT || x->n->is_permanent[l->relation]) continue;
    if (l->kind == LITERAL_NEGATIVE || !x->is_kept[l->relation]) return false;
    reads_kept = true;
  }
  return reads_kept;
}

/* What persists is taken to be kept until a rule speaks against it.  Legal moves are marked anew
   in every state. */
static void find_kept(inverter *x, const labels *l, budget *limits) {
  const flat_program *f = program_of(x);
  x->is_kept = arena_zero_array(x->scratch, bool, f->relations.count + 1);
  for (flat_id r = 0; r < f->relations.count; r++)
    x->is_kept[r] = l->of[r] == LIFETIME_PERSISTENT &&
                    f->relations.items[r].relation != SYM_LEGAL &&
                    domain_product(x->d, r) <= KEPT_PRODUCT_MAX;
  for (bool changed = true; changed;) {
    changed = false;
    for (flat_clause_id c = 0; c < f->clauses.count && !budget_is_spent(limits); c++) {
      const flat_clause *it = clause_at(x, c);
      if (!x->is_kept[it->head] || rule_can_be_kept(x, it)) continue;
      x->is_kept[it->head] = false;
      changed = true;
    }
  }
}

/* ---- who is passed on ---- */

static void count_uses(inverter *x) {
  const flat_program *f = program_of(x);
  const uint32_t relations = f->relations.count + 1;
  x->use_count = arena_zero_array(x->scratch, uint32_t, relations);
  x->last_use = arena_zero_array(x->scratch, flat_clause_id, relations);
  x->definition = arena_zero_array(x->scratch, flat_clause_id, relations);
  x->pass_depth = arena_zero_array(x->scratch, uint32_t, relations);
  x->clauses_from = arena_zero_array(x->scratch, uint32_t, relations + 1);
  x->clauses_of = arena_new_array(x->scratch, flat_clause_id, f->clauses.count + 1);
  for (flat_clause_id c = 0; c < f->clauses.count; c++) {
    const flat_clause *it = clause_at(x, c);
    x->definition[it->head] = c;
    x->clauses_from[it->head + 1]++;
    for (uint32_t i = it->body; i < it->body + it->body_count; i++) {
      if (literal_at(x, i)->kind == LITERAL_DISTINCT) continue;
      x->use_count[literal_at(x, i)->relation]++;
      x->last_use[literal_at(x, i)->relation] = c;
    }
  }
  for (uint32_t r = 0; r < relations; r++) x->clauses_from[r + 1] += x->clauses_from[r];
  uint32_t *next = arena_new_array(x->scratch, uint32_t, relations);
  memcpy(next, x->clauses_from, relations * sizeof *next);
  for (flat_clause_id c = 0; c < f->clauses.count; c++)
    x->clauses_of[next[clause_at(x, c)->head]++] = c;
}

static void mark_variables(const inverter *x, flat_id r, uint32_t args, bool *marks) {
  const flat_program *f = program_of(x);
  for (uint32_t i = 0; i < f->relations.items[r].arity; i++) {
    const term_id arg = flat_args(f, args)[i];
    if (term_is_variable(f->terms, arg)) marks[term_variable_number(f->terms, arg)] = true;
  }
}

/* Its facts would have to be looked up when the other condition brings one. */
static bool is_met_from_the_other_side(const inverter *x, flat_id r, const flat_clause *user) {
  for (uint32_t i = user->body; i < user->body + user->body_count; i++) {
    const flat_literal *l = literal_at(x, i);
    if (l->kind != LITERAL_POSITIVE || l->relation == r) continue;
    if (is_fed_by(x, user->head, l->relation)) return true;
  }
  return x->is_kept[r] && !x->is_kept[user->head];
}

static bool can_be_passed(inverter *x, flat_id r) {
  if (r < x->n->first_made || x->use_count[r] != 1) return false;
  const flat_clause *user = clause_at(x, x->last_use[r]);
  if (is_met_from_the_other_side(x, r, user)) return false;
  const flat_clause *c = clause_at(x, x->definition[r]);
  const flat_literal *first = literal_at(x, c->body);
  const uint32_t depth = first->kind == LITERAL_POSITIVE ? x->pass_depth[first->relation] + 1 : 1;
  if (depth > PASS_DEPTH_MAX) return false;
  if (x->n->repeats[r] > REPEATS_MAX && domain_product(x->d, r) <= STORED_PRODUCT_MAX) return false;
  x->pass_depth[r] = depth;
  return true;
}

static relation_kind kind_of(inverter *x, flat_id r) {
  const relation_id keyword = program_of(x)->relations.items[r].relation;
  if (keyword == SYM_TRUE) return KIND_STATE;
  if (keyword == SYM_DOES) return KIND_MOVE;
  if (x->n->is_permanent[r])
    return x->n->asked_by[r] || x->use_count[r] ? KIND_PERMANENT : KIND_UNUSED;
  if (x->clauses_from[r] == x->clauses_from[r + 1]) return KIND_UNUSED;
  return can_be_passed(x, r) ? KIND_PASSED : KIND_STORED;
}

/* ---- groups ---- */

static int compare_groups(const void *left, const void *right) {
  const group *a = left;
  const group *b = right;
  if (a->depends_on_does != b->depends_on_does) return a->depends_on_does ? 1 : -1;
  if (a->is_kept != b->is_kept) return a->is_kept ? -1 : 1;
  const int more = __builtin_popcount(b->questions) - __builtin_popcount(a->questions);
  return more ? more : a->questions < b->questions ? -1 : a->questions > b->questions;
}

static group group_for(const inverter *x, flat_id r) {
  return (group){x->n->asked_by[r], x->n->depends_on_does[r], x->is_kept[r], 1};
}

static uint32_t find_group(const inverted *v, const group *wanted) {
  for (uint32_t g = 0; g < v->group_count; g++)
    if (compare_groups(&v->groups[g], wanted) == 0) return g;
  return ID_NONE;
}

/* What a relation needs is needed by all that needs the relation, so a group with more questions
   never reads one with fewer; and what is kept reads nothing that is not. */
static void make_groups(inverter *x) {
  inverted *v = x->v;
  for (flat_id r = 0; r < program_of(x)->relations.count; r++) {
    const group wanted = group_for(x, r);
    if (v->relations[r].kind != KIND_STORED || find_group(v, &wanted) != ID_NONE) continue;
    assert(v->group_count < GROUPS_MAX);
    v->groups[v->group_count++] = wanted;
  }
  qsort(v->groups, v->group_count, sizeof *v->groups, compare_groups);
  for (flat_id r = 0; r < program_of(x)->relations.count; r++) {
    const group wanted = group_for(x, r);
    if (v->relations[r].kind == KIND_STORED) v->relations[r].group = find_group(v, &wanted);
  }
}

/* ---- levels ---- */

/* The level from which on all that the rule reads is complete, its own part left aside.  A passed
   relation is ready when what its rule reads is. */
static uint32_t ready_level(const inverter *x, flat_clause_id c, flat_id head) {
  const inverted *v = x->v;
  uint32_t level = 0;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    const flat_clause *it = clause_at(x, c);
    for (uint32_t i = it->body; i < it->body + it->body_count; i++) {
      const flat_literal *l = literal_at(x, i);
      if (l->kind == LITERAL_DISTINCT) continue;
      const placed_relation *p = &v->relations[l->relation];
      if (p->kind == KIND_PASSED) {
        c = p->definition;
        goes_on = true;
      } else if (p->kind == KIND_STORED && p->group == v->relations[head].group &&
                 !is_fed_by(x, head, l->relation) && p->level > level) {
        level = p->level;
      }
    }
  }
  return level;
}

static void set_level_of_part(inverter *x, uint32_t from, uint32_t to) {
  inverted *v = x->v;
  const flat_id *sorted = x->n->order.relations;
  uint32_t level = 0;
  for (uint32_t i = from; i < to; i++) {
    if (v->relations[sorted[i]].kind != KIND_STORED) continue;
    for (uint32_t k = x->clauses_from[sorted[i]]; k < x->clauses_from[sorted[i] + 1]; k++) {
      const uint32_t ready = ready_level(x, x->clauses_of[k], sorted[i]) + 1;
      if (ready > level) level = ready;
    }
  }
  for (uint32_t i = from; i < to; i++) {
    placed_relation *p = &v->relations[sorted[i]];
    p->level = p->is_kept ? 0 : level;
    if (p->kind == KIND_STORED && v->groups[p->group].level_count <= p->level)
      v->groups[p->group].level_count = p->level + 1;
  }
}

static void set_levels(inverter *x) {
  const uint32_t relations = program_of(x)->relations.count;
  const order *o = &x->n->order;
  for (uint32_t from = 0, to; from < relations; from = to) {
    to = from + 1;
    while (to < relations && same_part(x, o->relations[from], o->relations[to])) to++;
    set_level_of_part(x, from, to);
  }
}

/* ---- triggers ---- */

/* What remains of a rule when `by` has triggered it, and which columns will be known. */
static void add_remaining(inverter *x, trigger *t) {
  const flat_program *f = program_of(x);
  const flat_clause *c = clause_at(x, t->clause);
  memset(x->is_known, 0, c->variable_count * sizeof *x->is_known);
  if (t->by != ID_NONE)
    mark_variables(x, literal_at(x, t->by)->relation, literal_at(x, t->by)->args, x->is_known);
  t->first_remaining = x->v->remaining.count;
  for (uint32_t i = c->body; i < c->body + c->body_count; i++) {
    const flat_literal *l = literal_at(x, i);
    if (i == t->by || l->kind == LITERAL_DISTINCT) continue;
    remaining rest = {i, 0};
    for (uint32_t k = 0; k < f->relations.items[l->relation].arity; k++) {
      const term_id arg = flat_args(f, l->args)[k];
      if (!term_is_variable(f->terms, arg) || x->is_known[term_variable_number(f->terms, arg)])
        rest.known |= UINT64_C(1) << k;
    }
    if (l->kind == LITERAL_POSITIVE) mark_variables(x, l->relation, l->args, x->is_known);
    vec_push(x->keep, &x->v->remaining, rest);
  }
  t->remaining_count = x->v->remaining.count - t->first_remaining;
}

static timed_trigger new_trigger(inverter *x, flat_clause_id c, uint32_t by, flat_id stored_head,
                                 uint32_t level) {
  timed_trigger t = {.trigger = {.clause = c, .by = by},
                     .relation = by == ID_NONE ? ID_NONE : literal_at(x, by)->relation,
                     .group = x->v->relations[stored_head].group,
                     .level = level};
  add_remaining(x, &t.trigger);
  t.trigger.is_whole = !x->use_count[clause_at(x, c)->head] &&
                       clause_keeps_all(program_of(x), clause_at(x, c), x->scratch);
  return t;
}

static bool has_variables(const inverter *x, const flat_literal *l) {
  const flat_program *f = program_of(x);
  for (uint32_t i = 0; i < f->relations.items[l->relation].arity; i++)
    if (term_is_variable(f->terms, flat_args(f, l->args)[i])) return true;
  return false;
}

/* A condition without variables is tested, not waited for. */
static uint32_t first_trigger(const inverter *x, const flat_clause *c) {
  if (c->body_count == 0) return ID_NONE;
  const flat_literal *l = literal_at(x, c->body);
  return l->kind == LITERAL_POSITIVE && has_variables(x, l) ? c->body : ID_NONE;
}

/* The recursive conditions of a rule, or those of a kept one, trigger it, each for itself; false:
 * there are none. */
static bool trigger_by_recursion(inverter *x, flat_clause_id c, flat_id head, uint32_t level) {
  const flat_clause *it = clause_at(x, c);
  bool found = false;
  for (uint32_t i = it->body; i < it->body + it->body_count; i++) {
    const flat_literal *l = literal_at(x, i);
    if (l->kind != LITERAL_POSITIVE || !is_fed_by(x, head, l->relation)) continue;
    const relation_kind kind = x->v->relations[l->relation].kind;
    if (kind != KIND_STORED && kind != KIND_STATE) continue;
    timed_trigger t = new_trigger(x, c, i, head, level);
    t.is_recursive = true;
    vec_push(x->scratch, &x->timed, t);
    found = true;
  }
  return found;
}

/* Goes down the chain of passed relations from a rule whose head is stored, and fires its lowest
   rule when all that any rule of the chain reads is complete.  Where one can never fire, none
   does. */
static void trigger_chain(inverter *x, flat_clause_id c, flat_id head) {
  const uint32_t ready = ready_level(x, c, head);
  const uint32_t passed = x->passed.count;
  for (;;) {
    const flat_clause *it = clause_at(x, c);
    if (!x->d->can_fire[c]) {
      x->passed.count = passed;
      return;
    }
    const flat_literal *l = it->body_count ? literal_at(x, it->body) : NULL;
    if (l && l->kind == LITERAL_POSITIVE && x->v->relations[l->relation].kind == KIND_PASSED) {
      const timed_trigger t = new_trigger(x, c, it->body, head, 0);
      vec_push(x->scratch, &x->passed, t);
      c = x->v->relations[l->relation].definition;
      continue;
    }
    if (trigger_by_recursion(x, c, head, x->v->relations[head].level)) return;
    const timed_trigger t = new_trigger(x, c, first_trigger(x, it), head, ready);
    vec_push(x->scratch, &x->timed, t);
    return;
  }
}

static int compare_timed(const void *left, const void *right) {
  const timed_trigger *a = left;
  const timed_trigger *b = right;
  if (a->group != b->group) return a->group < b->group ? -1 : 1;
  if (a->level != b->level) return a->level < b->level ? -1 : 1;
  if (a->is_recursive != b->is_recursive) return a->is_recursive ? -1 : 1;
  if (a->relation != b->relation) return a->relation < b->relation ? -1 : 1;
  return a->trigger.clause < b->trigger.clause ? -1 : a->trigger.clause > b->trigger.clause;
}

static bool same_firing(const firing *f, const timed_trigger *t) {
  return f->relation == t->relation && f->group == t->group && f->level == t->level &&
         f->is_recursive == t->is_recursive;
}

static void make_firings(inverter *x) {
  inverted *v = x->v;
  if (x->timed.count) qsort(x->timed.items, x->timed.count, sizeof *x->timed.items, compare_timed);
  for (uint32_t i = 0; i < x->timed.count; i++) {
    const timed_trigger *t = &x->timed.items[i];
    if (!v->firings.count || !same_firing(&vec_last(&v->firings), t)) {
      const firing fresh = {t->relation, t->group, t->level, t->is_recursive, v->triggers.count, 0};
      vec_push(x->keep, &v->firings, fresh);
    }
    vec_push(x->keep, &v->triggers, t->trigger);
    vec_last(&v->firings).trigger_count++;
  }
  for (uint32_t i = 0; i < x->passed.count; i++) {
    const firing fresh = {
        x->passed.items[i].relation, x->passed.items[i].group, 0, false, v->triggers.count, 1};
    vec_push(x->keep, &v->passed, fresh);
    vec_push(x->keep, &v->triggers, x->passed.items[i].trigger);
  }
}

void invert(inverted *v, const domains *d, const labels *l, arena *keep, budget *limits) {
  const flat_program *f = &d->n->flat;
  *v = (inverted){.domains = d};
  inverter x = {.v = v, .d = d, .n = d->n, .keep = keep, .scratch = arena_new()};
  count_uses(&x);
  find_kept(&x, l, limits);
  v->relations = arena_zero_array(keep, placed_relation, f->relations.count + 1);
  for (uint32_t i = 0; i < f->relations.count; i++) {
    const flat_id r = d->n->order.relations[i];
    v->relations[r] = (placed_relation){
        .kind = kind_of(&x, r), .definition = x.definition[r], .is_kept = x.is_kept[r]};
  }
  make_groups(&x);
  set_levels(&x);
  uint32_t most = 0;
  for (flat_clause_id c = 0; c < f->clauses.count; c++)
    if (f->clauses.items[c].variable_count > most) most = f->clauses.items[c].variable_count;
  x.is_known = arena_new_array(x.scratch, bool, most + 1);
  for (flat_clause_id c = 0; c < f->clauses.count && !budget_is_spent(limits); c++)
    if (v->relations[f->clauses.items[c].head].kind == KIND_STORED)
      trigger_chain(&x, c, f->clauses.items[c].head);
  make_firings(&x);
  arena_free(x.scratch);
}

/* ---- text ---- */

static void print_firing(const inverted *v, const firing *f, text *out) {
  const flat_program *p = &v->domains->n->flat;
  text_add(out, "  ");
  if (f->relation == ID_NONE) {
    text_add(out, "once");
  } else {
    text_add(out, f->is_recursive ? "again and again on " : "on ");
    term_print(p->terms, p->relations.items[f->relation].skeleton, NOTATION_KIF, NULL, out);
  }
  text_add(out, "\n");
  for (uint32_t i = 0; i < f->trigger_count; i++) {
    const trigger *t = &v->triggers.items[f->first_trigger + i];
    const flat_clause *c = &p->clauses.items[t->clause];
    const flat_literal head = {LITERAL_POSITIVE, c->head, c->head_args};
    text_add(out, "    ");
    if (t->by != ID_NONE) {
      flat_literal_print(p, &p->literals.items[t->by], out);
      text_add(out, " -> ");
    }
    flat_literal_print(p, &head, out);
    for (uint32_t k = c->body; k < c->body + c->body_count; k++) {
      if (k == t->by) continue;
      text_add(out, " if ");
      flat_literal_print(p, &p->literals.items[k], out);
    }
    text_add_char(out, '\n');
  }
}

static void print_questions(const group *g, text *out) {
  static const char *const names[] = {"terminal", "legal", "goal", "next", "sees"};
  const char *between = " ";
  for (uint32_t q = 0; q < QUESTION_COUNT; q++) {
    if (!(g->questions >> q & 1)) continue;
    text_add_format(out, "%s%s", between, names[q]);
    between = ", ";
  }
  if (g->depends_on_does) text_add(out, " with moves");
  if (g->is_kept) text_add(out, ", kept from state to state");
}

void inverted_print(const inverted *v, text *out) {
  uint32_t group_shown = ID_NONE;
  uint32_t level_shown = ID_NONE;
  for (uint32_t i = 0; i < v->firings.count; i++) {
    const firing *f = &v->firings.items[i];
    if (f->group != group_shown) {
      text_add(out, "for");
      print_questions(&v->groups[f->group], out);
      text_add_char(out, '\n');
      level_shown = ID_NONE;
    }
    if (f->level != level_shown) text_add_format(out, " level %u\n", f->level);
    group_shown = f->group;
    level_shown = f->level;
    print_firing(v, f, out);
  }
  if (v->passed.count) text_add(out, "passed on\n");
  for (uint32_t i = 0; i < v->passed.count; i++) print_firing(v, &v->passed.items[i], out);
}
