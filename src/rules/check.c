#include "rules/check/check_parts.h"

#include "read/escape.h"
#include "read/format.h"

#include <string.h>

/* ---- words ---- */

enum { SHOWN_BYTES = 72 };

/* Cuts a text that has grown too long, between two characters. */
static const char *clipped(text *words) {
  if (words->length <= SHOWN_BYTES) return text_string(words);
  size_t length = SHOWN_BYTES - 3;
  while (length && ((uint8_t)words->bytes[length] & 0xc0) == 0x80) length--;
  words->length = length;
  text_add(words, "...");
  return text_string(words);
}

notation shown_notation(const checker *c) {
  return c->p->tree ? c->p->tree->notation : NOTATION_KIF;
}

/* A name as the text's notation writes it, as far as it will be shown. */
static void add_name(const checker *c, symbol_id name, text *words) {
  const slice all = symbol_name(c->p->symbols, name);
  if (all.length < SHOWN_BYTES * 2)
    name_print(c->p->symbols, name, shown_notation(c), words);
  else
    escape_add_kif((slice){all.start, SHOWN_BYTES * 2}, false, words);
}

const char *shown_name(const checker *c, symbol_id name) {
  text words = text_new(c->scratch);
  add_name(c, name, &words);
  return clipped(&words);
}

const char *shown_relation(const checker *c, relation_id r) {
  return shown_name(c, c->p->relations.items[r].name);
}

/* A term, as far as it will be shown. */
static void add_term(const checker *c, term_id id, rule_id r, text *words) {
  if (words->length > SHOWN_BYTES) return;
  const term_table *t = c->p->terms;
  const term *it = term_get(t, id);
  const bool is_kif = shown_notation(c) == NOTATION_KIF;
  if (it->arg_count && is_kif) text_add_char(words, '(');
  add_name(c, it->is_variable ? variable_name(c, r, it->name) : it->name, words);
  for (uint32_t i = 0; i < it->arg_count && words->length <= SHOWN_BYTES; i++) {
    text_add(words, is_kif ? " " : i ? ", " : "(");
    add_term(c, term_arg(t, id, i), r, words);
  }
  if (it->arg_count) text_add_char(words, ')');
}

const char *shown_term(const checker *c, term_id t, rule_id r) {
  text words = text_new(c->scratch);
  add_term(c, t, r, &words);
  return clipped(&words);
}

/* ---- places ---- */

node_id node_of_symbol(const checker *c, node_id top, symbol_id s) {
  const tree *t = c->p->tree;
  if (!t) return top;
  for (node_id n = top; n < node_after(t, top); n++)
    if (tree_node(t, n)->symbol == s) return n;
  return top;
}

void mend_name(const checker *c, diag *g, node_id n, symbol_id name) {
  const tree *t = c->p->tree;
  if (!t) return;
  if (node_is_list(t, n) && node_first(n) != node_after(t, n)) n = node_first(n);
  if (node_is_list(t, n)) return;
  text words = text_new(c->scratch);
  name_print(c->p->symbols, name, t->notation, &words);
  diag_mend(c->d, g, tree_node(t, n)->where, "%s", text_string(&words));
}

node_id node_of_argument(const checker *c, node_id n, uint32_t i) {
  const tree *t = c->p->tree;
  if (!t || !node_is_list(t, n)) return n;
  node_id at = node_after(t, node_first(n));
  for (; i && at < node_after(t, n); i--) at = node_after(t, at);
  return at < node_after(t, n) ? at : n;
}

node_id node_of_head(const checker *c, clause_id id) {
  return c->p->rules.items[clause_at(c, id)->rule].head_node;
}

node_id node_of_form_head(const checker *c, node_id form) {
  const tree *t = c->p->tree;
  if (node_functor(t, form) != SYM_RULE) return form;
  if (!node_is_list(t, form)) return UINT32_MAX;
  const node_id head = node_after(t, node_first(form));
  return head < node_after(t, form) ? head : UINT32_MAX;
}

/* ---- questions ---- */

bool some_head_meets(const checker *c, relation_id r, term_id atom) {
  for (uint32_t i = 0; i < c->p->relations.items[r].clause_count; i++)
    if (terms_meet(c->unifier, atom, clause_at(c, clause_of(c, r, i))->head)) return true;
  return false;
}

bool relation_is_listed(const checker *c, relation_id r) {
  const relation *it = &c->p->relations.items[r];
  for (uint32_t i = 0; i < it->clause_count; i++) {
    const clause *fact = clause_at(c, clause_of(c, r, i));
    if (fact->body_count || !term_is_ground(c->p->terms, fact->head)) return false;
  }
  return it->clause_count > 0;
}

typedef void check_group(checker *c);

static void run_groups(checker *c, check_group *const *groups, size_t count) {
  for (size_t i = 0; i < count && !budget_check_now(c->limits); i++) groups[i](c);
}

/* What is asked of the values of arguments. */
static void check_with_values(checker *c) {
  static check_group *const groups[] = {check_values, check_fluents, check_declarations,
                                        check_unread, check_state,   check_moves,
                                        check_goals,  check_start};
  if (budget_check_now(c->limits)) return;
  c->values = argument_values_find(c->p, c->limits, c->scratch);
  run_groups(c, groups, sizeof groups / sizeof *groups);
}

/* A game that is being written may lack goals or an end: what it has can be checked all the same.
 */
static bool is_whole_but_for_parts(const diag_sink *d) {
  return d->errors == diag_count(d, DIAG_E601) + diag_count(d, DIAG_E603) +
                          diag_count(d, DIAG_E604) + diag_count(d, DIAG_E605);
}

check_result rules_check(const program *p, const analysis *a, arena *scratch, budget *limits,
                         diag_sink *d) {
  assert(scratch != d->keep && scratch != p->keep);
  const arena_mark mark = arena_save(scratch);
  checker c = {.p = p,
               .a = a,
               .scratch = scratch,
               .d = d,
               .limits = limits,
               .is_whole = d->errors == 0,
               .steps_left = 20u * 1000 * 1000};
  c.most_variables = program_most_variables(p);
  c.is_idle = arena_zero_array(scratch, bool, p->rules.count);
  c.unifier = unifier_new(p->terms, c.most_variables, scratch);
  c.of_role = first_arguments_of(&c, SYM_ROLE);
  c.of_legal = first_arguments_of(&c, SYM_LEGAL);
  c.of_goal = first_arguments_of(&c, SYM_GOAL);
  check_result r = {0};
  static check_group *const first[] = {check_keywords, check_names};
  static check_group *const last[] = {check_game, check_firing, check_tables};
  run_groups(&c, first, sizeof first / sizeof *first);
  r.allowed = check_variables(&c);
  check_strata(&c, &r);
  check_recursion(&c, &r);
  run_groups(&c, last, sizeof last / sizeof *last);
  if (is_whole_but_for_parts(d)) check_with_values(&c);
  arena_restore(scratch, mark);
  return r;
}
