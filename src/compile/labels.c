#include "compile/labels.h"

static relation_id keyword_of(const normal_program *n, flat_id r) {
  return n->flat.relations.items[r].relation;
}

/* All arguments are different variables, and the same in both. */
static bool args_agree(const flat_program *f, uint32_t a, uint32_t b, uint32_t arity) {
  for (uint32_t i = 0; i < arity; i++) {
    const term_id arg = flat_args(f, a)[i];
    if (arg != flat_args(f, b)[i] || !term_is_variable(f->terms, arg)) return false;
    for (uint32_t k = 0; k < i; k++)
      if (flat_args(f, a)[k] == arg) return false;
  }
  return true;
}

bool labels_keeps_every_fact(const normal_program *n, const flat_clause *c, arena *scratch) {
  const flat_program *f = &n->flat;
  if (keyword_of(n, c->head) != SYM_NEXT || c->body_count != 1) return false;
  const flat_literal *l = &f->literals.items[c->body];
  column_map m;
  return l->kind == LITERAL_POSITIVE && keyword_of(n, l->relation) == SYM_TRUE &&
         strata_map_columns(f, c->head, l->relation, &m, scratch) &&
         args_agree(f, c->head_args, l->args, f->relations.items[l->relation].arity);
}

static bool literal_lasts(const labels *l, const flat_literal *it) {
  if (it->kind == LITERAL_DISTINCT) return true;
  const lifetime life = l->of[it->relation];
  return life == LIFETIME_PERMANENT ||
         (life == LIFETIME_PERSISTENT && it->kind == LITERAL_POSITIVE);
}

static bool clause_lasts(const labels *l, const flat_clause *c) {
  for (uint32_t i = 0; i < c->body_count; i++)
    if (!literal_lasts(l, &l->n->flat.literals.items[c->body + i])) return false;
  return true;
}

static void set_first_labels(labels *l, arena *scratch) {
  const normal_program *n = l->n;
  for (flat_id r = 0; r < n->flat.relations.count; r++) {
    const relation_id k = keyword_of(n, r);
    const bool is_given = k == SYM_TRUE || k == SYM_DOES || k == SYM_NEXT;
    l->of[r] = n->is_permanent[r] ? LIFETIME_PERMANENT
               : is_given         ? LIFETIME_EPHEMERAL
                                  : LIFETIME_PERSISTENT;
  }
  for (flat_clause_id c = 0; c < n->flat.clauses.count; c++)
    if (labels_keeps_every_fact(n, &n->flat.clauses.items[c], scratch))
      l->of[n->flat.literals.items[n->flat.clauses.items[c].body].relation] = LIFETIME_PERSISTENT;
}

/* Everything is taken to persist until a rule speaks against it. */
void labels_find(labels *l, const normal_program *n, arena *keep) {
  *l = (labels){n, arena_new_array(keep, lifetime, n->flat.relations.count + 1)};
  set_first_labels(l, keep);
  for (bool changed = true; changed;) {
    changed = false;
    for (flat_clause_id c = 0; c < n->flat.clauses.count; c++) {
      const flat_clause *it = &n->flat.clauses.items[c];
      if (l->of[it->head] == LIFETIME_EPHEMERAL || clause_lasts(l, it)) continue;
      l->of[it->head] = LIFETIME_EPHEMERAL;
      changed = true;
    }
  }
}

void labels_print(const labels *l, text *out) {
  static const char *const names[] = {"permanent ", "persistent", "ephemeral "};
  const flat_program *f = &l->n->flat;
  for (lifetime life = LIFETIME_PERMANENT; life <= LIFETIME_EPHEMERAL; life++)
    for (flat_id r = 0; r < f->relations.count; r++) {
      const relation_id k = keyword_of(l->n, r);
      const bool is_given = k == SYM_TRUE || k == SYM_DOES;
      if (l->of[r] != life || (!l->n->asked_by[r] && !is_given)) continue;
      text_add_format(out, "%s ", names[life]);
      term_print(f->terms, f->relations.items[r].skeleton, NOTATION_KIF, NULL, out);
      text_add_char(out, '\n');
    }
}
