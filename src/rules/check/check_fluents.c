/* Fluents as a whole: what the first state has and no later one can have, and what nobody reads. */
#include "rules/check/clause_slots.h"
#include "rules/check/keyword_uses.h"
#include "rules/check/value_words.h"

#include <string.h>

/* A board has at least so many facts in the first state, and this many arguments. */
enum { BOARD_FACTS = 4, BOARD_ARITY = 2 };

typedef struct fluent_check {
  checker *c;
  keyword_uses uses;
  id_vec roles;
} fluent_check;

static bool is_read(const fluent_check *k, const keyword_use *f) {
  return f->reads || k->uses.reads_any;
}

static node_id node_of_thing(const checker *c, clause_id id) {
  return node_of_argument(c, node_of_head(c, id), 0);
}

/* ---- never read ---- */

static void check_never_read(fluent_check *k, const keyword_use *f) {
  checker *c = k->c;
  if (k->uses.reads_any || f->reads > f->own_reads || f->starts.count + f->steps.count == 0) return;
  const clause_id first = f->starts.count ? f->starts.items[0] : f->steps.items[0];
  diag *g = diag_add(c->d, DIAG_W619, where(c, node_of_thing(c, first)),
                     "%s is made true and never read%s", shown_thing(c, f->name),
                     f->own_reads ? ", except to keep itself" : "");
  diag_hint(c->d, g, "is a condition on it missing? If not, remove it");
}

/* ---- lost after the initial state ---- */

static diag *report_lost(checker *c, node_id at, const char *what, const char *why) {
  diag *g =
      diag_add(c->d, DIAG_W618, where(c, at), "%s is lost after the initial state: %s", what, why);
  diag_hint(c->d, g, "write a rule for next that says when it stays");
  return g;
}

/* A fluent without arguments may well mark the initial state. */
static bool check_never_again(fluent_check *k, const keyword_use *f) {
  if (f->name.arity == 0 || f->starts.count == 0 || f->steps.count || !is_read(k, f)) return false;
  report_lost(k->c, node_of_thing(k->c, f->starts.items[0]), shown_thing(k->c, f->name),
              "no rule for next gives it");
  return true;
}

static slot_id slot_in(const checker *c, relation_id r, slot_value fluent, uint32_t argument) {
  return slot_of_part(c->values, slot_of_argument(c->values, r, 0), fluent, argument);
}

static bool is_role(const fluent_check *k, slot_value v) {
  for (uint32_t i = 0; i < k->roles.count; i++) {
    const term *role = term_get(k->c->p->terms, k->roles.items[i]);
    if (role->name == v.name && role->arg_count == v.arity) return true;
  }
  return false;
}

/* Has the head a variable besides argument `i` that can have several values? */
static bool gives_several(const clause_slots *s, term_id fluent, uint32_t i) {
  const term_table *t = s->c->p->terms;
  for (uint32_t k = 0; k < term_get(t, fluent)->arg_count; k++) {
    const term *x = term_get(t, term_arg(t, fluent, k));
    if (k != i && x->is_variable && clause_variable_choice(s, x->name) > 1) return true;
  }
  return false;
}

/* Does the first state have several fluents with the value at argument `i`? */
static bool starts_with_several(const fluent_check *k, const keyword_use *f, uint32_t i,
                                slot_value v) {
  uint32_t count = 0;
  clause_slots s = {.c = k->c};
  for (uint32_t n = 0; n < f->starts.count && count < 2 && check_may_go_on(k->c); n++) {
    const clause_id id = f->starts.items[n];
    const term_id fluent = keyword_thing(k->c, id);
    clause_slots_read(&s, clause_at(k->c, id));
    if (!clause_term_can_be(&s, term_arg(k->c->p->terms, fluent, i), v)) continue;
    count += gives_several(&s, fluent, i) ? 2 : 1;
  }
  return count >= 2;
}

/* Is it asked for by its name? */
static bool constant_is_read(const fluent_check *k, slot_value fluent, uint32_t i, slot_value v) {
  const program *p = k->c->p;
  for (uint32_t n = 0; n < p->literals.count && check_may_go_on(k->c); n++) {
    const literal *l = &p->literals.items[n];
    if (l->kind == LITERAL_DISTINCT || atom_relation(p, l->atom) != SYM_TRUE) continue;
    const term_id t = term_arg(p->terms, l->atom, 0);
    const term *it = term_get(p->terms, t);
    if (it->is_variable || it->name != fluent.name || it->arg_count != fluent.arity) continue;
    const term *x = term_get(p->terms, term_arg(p->terms, t, i));
    if (!x->is_variable && x->name == v.name && x->arg_count == v.arity) return true;
  }
  return false;
}

/* The head of the first state that gives the value. */
static clause_id start_with(const fluent_check *k, const keyword_use *f, uint32_t i, slot_value v) {
  clause_slots s = {.c = k->c};
  for (uint32_t n = 0; n < f->starts.count; n++) {
    clause_slots_read(&s, clause_at(k->c, f->starts.items[n]));
    const term_id fluent = keyword_thing(k->c, f->starts.items[n]);
    if (clause_term_can_be(&s, term_arg(k->c->p->terms, fluent, i), v)) return f->starts.items[n];
  }
  return f->starts.items[0];
}

static void report_value(const fluent_check *k, const keyword_use *f, uint32_t i, slot_value v) {
  checker *c = k->c;
  const clause_id id = start_with(k, f, i, v);
  text what = text_new(c->scratch);
  text_add_format(&what, "%s with %s", shown_thing(c, f->name), shown_name(c, v.name));
  report_lost(c, node_of_argument(c, node_of_thing(c, id), i), text_string(&what),
              "no rule for next gives that value");
}

/* A single fact that is never true again may be a phase or the start of a count.  Several facts are
   a board; and a role has its turn more than once. */
static bool check_value_lost(fluent_check *k, const keyword_use *f, uint32_t i) {
  const slot_id first = slot_in(k->c, SYM_INIT, f->name, i);
  const slot_id later = slot_in(k->c, SYM_NEXT, f->name, i);
  if (first == SLOT_NONE || later == SLOT_NONE || slot_is_open(k->c->values, first)) return false;
  const slot_values all = slots_common_values(k->c->values, &first, 1, k->c->scratch);
  for (uint32_t n = 0; n < all.count; n++) {
    const slot_value v = all.items[n];
    if (v.arity || slot_has(k->c->values, later, v)) continue;
    if (!is_role(k, v) && !(constant_is_read(k, f->name, i, v) && starts_with_several(k, f, i, v)))
      continue;
    report_value(k, f, i, v);
    return true;
  }
  return false;
}

/* ---- a board that forgets ---- */

typedef struct reading {
  const fluent_check *k;
  slot_value fluent;
  bool *seen; /* by relation */
  id_vec open;
} reading;

/* Notes the relations that a clause reads; true: it reads the fluent. */
static bool clause_reads(reading *r, const clause *it) {
  const program *p = r->k->c->p;
  for (uint32_t i = 0; i < it->body_count; i++) {
    const literal *l = &p->literals.items[it->body + i];
    if (l->kind == LITERAL_DISTINCT) continue;
    const relation_id to = atom_relation(p, l->atom);
    if (to == SYM_TRUE) {
      const term *t = term_get(p->terms, term_arg(p->terms, l->atom, 0));
      if (t->is_variable || (t->name == r->fluent.name && t->arg_count == r->fluent.arity))
        return true;
    }
    if (r->seen[to]) continue;
    r->seen[to] = true;
    vec_push(r->k->c->scratch, &r->open, to);
  }
  return false;
}

static bool relations_read(reading *r) {
  const checker *c = r->k->c;
  while (r->open.count && check_may_go_on(r->k->c)) {
    const relation_id to = vec_pop(&r->open);
    for (uint32_t i = 0; i < c->p->relations.items[to].clause_count; i++)
      if (clause_reads(r, clause_at(c, clause_of(c, to, i)))) return true;
  }
  return false;
}

static bool next_depends_on_itself(const fluent_check *k, const keyword_use *f) {
  reading r = {.k = k,
               .fluent = f->name,
               .seen = arena_zero_array(k->c->scratch, bool, k->c->p->relations.count)};
  for (uint32_t i = 0; i < f->steps.count; i++)
    if (clause_reads(&r, clause_at(k->c, f->steps.items[i]))) return true;
  return relations_read(&r);
}

static bool is_board(const fluent_check *k, const keyword_use *f) {
  if (f->name.arity < BOARD_ARITY) return false;
  if (f->starts.count >= BOARD_FACTS) return true;
  clause_slots s = {.c = k->c};
  for (uint32_t i = 0; i < f->starts.count; i++) {
    clause_slots_read(&s, clause_at(k->c, f->starts.items[i]));
    if (gives_several(&s, keyword_thing(k->c, f->starts.items[i]), UINT32_MAX)) return true;
  }
  return false;
}

static void check_board_stays(fluent_check *k, const keyword_use *f) {
  if (!is_board(k, f) || !is_read(k, f) || f->steps.count == 0 || next_depends_on_itself(k, f))
    return;
  report_lost(k->c, node_of_thing(k->c, f->steps.items[0]), shown_thing(k->c, f->name),
              "no rule for next reads its previous value");
}

void check_fluents(checker *c) {
  fluent_check k = {.c = c, .uses = fluent_uses(c), .roles = program_roles(c->p, c->scratch)};
  for (uint32_t i = 0; i < k.uses.all.count; i++) {
    const keyword_use *f = &k.uses.all.items[i];
    check_never_read(&k, f);
    if (k.uses.gives_any || game_has_no_next(c) || check_never_again(&k, f)) continue;
    if (f->starts.count == 0) continue;
    bool is_told = false;
    for (uint32_t n = 0; n < f->name.arity && !is_told; n++) is_told = check_value_lost(&k, f, n);
    if (!is_told) check_board_stays(&k, f);
  }
}
