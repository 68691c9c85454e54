#include "frame/frame.h"

#include <string.h>

bool frame_open(frame_translation *f, const program *p, arena *keep, budget *limits, diag_sink *d) {
  *f = (frame_translation){.source = p, .keep = keep};
  rules_analyse(&f->analysis, p, keep);
  if (!frame_domain_read(&f->domain, p, keep, limits, d)) return false;
  if (f->domain.roles.count > FRAME_ROLES_MAX) {
    diag_add(d, DIAG_E830, SPAN_NONE,
             "this game has %u roles; joint moves of more than %d are not "
             "looked at",
             f->domain.roles.count, FRAME_ROLES_MAX);
    return false;
  }
  frame_rules_find(&f->rules, p, &f->analysis, &f->domain, keep);
  return true;
}

void frame_close(frame_translation *f) { frame_domain_free(&f->domain); }

/* ---- steps 3 to 5 ---- */

static bool name_is_framed(const frame_translation *f, uint32_t name) {
  for (uint32_t i = 0; i < f->rules.all.count; i++)
    if (f->rules.all.items[i].name == name) return true;
  return false;
}

static uint32_t most_fluent_variables(const frame_domain *m) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < m->fluents.count; i++)
    if (m->fluents.items[i].variable_count > most) most = m->fluents.items[i].variable_count;
  return most;
}

/* False: the name is not translated. */
static bool translate_name(frame_translation *f, uint32_t name, budget *limits) {
  const uint32_t first = f->ceasing.count;
  const uint32_t helpers = f->helpers.all.count;
  for (uint32_t j = 0; j < f->covering.count; j++) {
    if (budget_is_spent(limits)) return false;
    const frame_case x = {.p = f->source,
                          .m = &f->domain,
                          .rules = &f->rules,
                          .c = &f->covering,
                          .name = name,
                          .joint = j};
    if (ceasing_rules_of(&f->ceasing, &f->helpers, &x, &f->analysis, f->keep)) continue;
    f->ceasing.count = first;
    f->helpers.all.count = helpers;
    return false;
  }
  ceasing_rules_merge(&f->ceasing, first, &f->covering, &f->domain);
  return true;
}

/* A frame rule goes when all fluent names that it speaks of are translated. */
static void find_replaced(frame_translation *f) {
  const uint32_t count = f->source->clauses.count;
  f->is_replaced = arena_new_array(f->keep, bool, count + 1);
  memcpy(f->is_replaced, f->rules.is_frame_rule, count * sizeof(bool));
  for (uint32_t i = 0; i < f->rules.all.count; i++)
    if (!f->is_translated[f->rules.all.items[i].name])
      f->is_replaced[f->rules.all.items[i].source] = false;
}

bool frame_translate(frame_translation *f, frame_cover cover, frame_pruning pruning, budget *limits,
                     diag_sink *d) {
  uint32_t number = 0;
  if (limits) limits->stage = "translating frame rules";
  f->fnext = frame_fresh_name(f->source, "fnext", &number);
  f->ceasing = (ceasing_vec){0};
  f->helpers = (auxiliaries){.keep = f->keep};
  covering_make(&f->covering, cover, &f->domain, most_fluent_variables(&f->domain),
                cover == COVER_PRUNED ? pruning.possible : NULL, pruning.context, f->keep);
  f->is_translated = arena_zero_array(f->keep, bool, f->domain.fluents.count + 1);
  for (uint32_t n = 0; n < f->domain.fluents.count; n++)
    f->is_translated[n] = translate_name(f, n, limits);
  find_replaced(f);
  if (limits && limits->end != BUDGET_LEFT) {
    budget_report(limits, d, "frame rules were being translated");
    return false;
  }
  return true;
}

/* ---- clauses ---- */

static const literal_kind kind_of_condition[] = {
    [CONDITION_HOLDS] = LITERAL_POSITIVE,
    [CONDITION_FAILS] = LITERAL_NEGATIVE,
    [CONDITION_DIFFER] = LITERAL_DISTINCT,
};

typedef VEC(literal) literal_vec;

static void add_literal(literal_vec *body, literal_kind kind, term_id atom, arena *keep) {
  const literal l = {.kind = kind, .atom = atom, .node = UINT32_MAX};
  vec_push(keep, body, l);
}

static void add_condition(term_table *t, literal_vec *body, const condition *c, arena *keep) {
  term_id atom = c->atom;
  if (c->kind == CONDITION_DIFFER && term_is_ground(t, term_arg(t, atom, 0))) {
    const term_id variable_first[2] = {term_arg(t, atom, 1), term_arg(t, atom, 0)};
    atom = term_atom(t, SYM_DISTINCT, variable_first, 2);
  }
  add_literal(body, kind_of_condition[c->kind], atom, keep);
}

/* `without`: roles, a bit each. */
static void add_moves(const frame_translation *f, const ceasing_rule *r, uint32_t without,
                      bool ground, literal_vec *body, arena *keep) {
  for (uint32_t i = 0; i < f->covering.role_count; i++)
    if (r->moves[i] != TERM_NONE && !(without >> i & 1) &&
        term_is_ground(f->source->terms, r->moves[i]) == ground)
      add_literal(body, LITERAL_POSITIVE, r->moves[i], keep);
}

/* Roles that the generic covering names by variables must be different ones. */
static void add_different_roles(const frame_translation *f, const ceasing_rule *r,
                                literal_vec *body, arena *keep) {
  term_table *t = f->source->terms;
  for (uint32_t i = 0; i < f->covering.role_count; i++)
    for (uint32_t k = i + 1; k < f->covering.role_count; k++) {
      if (r->moves[i] == TERM_NONE || r->moves[k] == TERM_NONE) continue;
      const term_id left = term_arg(t, r->moves[i], 0);
      const term_id right = term_arg(t, r->moves[k], 0);
      if (!term_is_ground(t, left) || !term_is_ground(t, right))
        add_literal(body, LITERAL_DISTINCT, frame_pair(t, left, right), keep);
    }
}

/* What a condition is written after: what the moves decide comes first, then the state, then what
   only tests. */
enum { RANK_MOVES, RANK_STATE, RANK_DISTINCT, RANK_NEGATIVE, RANK_COUNT };

static uint32_t rank_of(const frame_translation *f, const condition *c) {
  if (c->kind == CONDITION_FAILS) return RANK_NEGATIVE;
  if (c->kind == CONDITION_DIFFER) return RANK_DISTINCT;
  const relation_id r = atom_relation(f->source, c->atom);
  return r != RELATION_NONE && f->analysis.depends_on_does[r] ? RANK_MOVES : RANK_STATE;
}

static void add_conditions(const frame_translation *f, const ceasing_rule *r, uint32_t rank,
                           literal_vec *body, arena *keep) {
  for (uint32_t i = 0; i < r->conditions.count; i++) {
    const condition *c = &r->conditions.items[i];
    if (rank_of(f, c) == rank) add_condition(f->source->terms, body, c, keep);
  }
}

static term_id wrapped(const frame_translation *f, symbol_id name, term_id fluent) {
  return term_atom(f->source->terms, name, &fluent, 1);
}

static void write_ceasing_rule(const frame_translation *f, const ceasing_rule *r, uint32_t without,
                               program *out, arena *scratch) {
  literal_vec body = {0};
  add_moves(f, r, without, false, &body, scratch);
  add_moves(f, r, without, true, &body, scratch);
  add_conditions(f, r, RANK_MOVES, &body, scratch);
  add_literal(&body, LITERAL_POSITIVE, wrapped(f, SYM_TRUE, r->fluent), scratch);
  add_different_roles(f, r, &body, scratch);
  for (uint32_t rank = RANK_STATE; rank < RANK_COUNT; rank++)
    add_conditions(f, r, rank, &body, scratch);
  program_add_clause(out, wrapped(f, f->fnext, r->fluent), RULE_NONE, body.items, body.count,
                     r->variable_count);
}

static void write_helper(const auxiliary *x, program *out, arena *scratch) {
  literal_vec body = {0};
  for (uint32_t pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < x->body.count; i++) {
      const condition *c = &x->body.items[i];
      if ((c->kind == CONDITION_HOLDS) == (pass == 0)) add_condition(out->terms, &body, c, scratch);
    }
  program_add_clause(out, x->head, RULE_NONE, body.items, body.count, x->variable_count);
}

static void write_helpers(const frame_translation *f, program *out, arena *scratch) {
  for (uint32_t i = 0; i < f->helpers.all.count; i++)
    write_helper(&f->helpers.all.items[i], out, scratch);
}

void frame_write_rules(const frame_translation *f, program *out, arena *keep) {
  arena *scratch = arena_new();
  program_derive(out, f->source, keep);
  for (uint32_t i = 0; i < f->ceasing.count; i++)
    write_ceasing_rule(f, &f->ceasing.items[i], 0, out, scratch);
  write_helpers(f, out, scratch);
  program_index_relations(out);
  arena_free(scratch);
}

/* ---- step 6 ---- */

static void copy_other_rules(const frame_translation *f, program *out) {
  for (clause_id c = 0; c < f->source->clauses.count; c++) {
    const clause *it = &f->source->clauses.items[c];
    const literal *body = it->body_count ? &f->source->literals.items[it->body] : NULL;
    if (!f->is_replaced[c])
      program_add_clause(out, it->head, it->rule, body, it->body_count, it->variable_count);
  }
}

/* Moves that follow from other moves are left out. */
static void write_lean_rules(const frame_translation *f, bool only_framed, program *out) {
  arena *scratch = arena_new();
  for (uint32_t i = 0; i < f->ceasing.count; i++) {
    const ceasing_rule *r = &f->ceasing.items[i];
    if (!only_framed || name_is_framed(f, r->name))
      write_ceasing_rule(f, r, ceasing_rule_implied(r, &f->covering), out, scratch);
  }
  write_helpers(f, out, scratch);
  arena_free(scratch);
}

static bool name_can_cease(const frame_translation *f, uint32_t name) {
  for (uint32_t i = 0; i < f->ceasing.count; i++)
    if (f->ceasing.items[i].name == name) return true;
  return false;
}

/* keyword(pattern) <= true(pattern), and, if wanted, not fnext(pattern) */
static void write_for_name(const frame_translation *f, symbol_id keyword, uint32_t name,
                           bool unless_ceasing, program *out) {
  const frame_name *n = &f->domain.fluents.items[name];
  const literal body[2] = {
      {.kind = LITERAL_POSITIVE, .atom = wrapped(f, SYM_TRUE, n->pattern), .node = UINT32_MAX},
      {.kind = LITERAL_NEGATIVE, .atom = wrapped(f, f->fnext, n->pattern), .node = UINT32_MAX}};
  program_add_clause(out, wrapped(f, keyword, n->pattern), RULE_NONE, body, unless_ceasing ? 2 : 1,
                     n->variable_count);
}

void frame_write_program(const frame_translation *f, frame_program *out, arena *keep) {
  program *p = &out->program;
  program_derive(p, f->source, keep);
  copy_other_rules(f, p);
  write_lean_rules(f, true, p);
  out->fnext = f->fnext;
  out->first_inertia = p->clauses.count;
  for (uint32_t n = 0; n < f->domain.fluents.count; n++)
    if (f->is_translated[n] && name_is_framed(f, n))
      write_for_name(f, SYM_NEXT, n, name_can_cease(f, n), p);
  out->inertia_count = p->clauses.count - out->first_inertia;
  program_index_relations(p);
}

void frame_write_changes(const frame_translation *f, program *out, arena *keep) {
  program_derive(out, f->source, keep);
  copy_other_rules(f, out);
  write_lean_rules(f, false, out);
  for (uint32_t n = 0; n < f->domain.fluents.count; n++)
    if (!f->is_translated[n]) write_for_name(f, f->fnext, n, false, out);
  program_index_relations(out);
}
