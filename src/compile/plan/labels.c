#include "compile/plan/labels.h"

#include "compile/rules/keyword_columns.h"

static relation_id keyword_of(const normal_program *n, flat_id r) {
  return n->flat.relations.items[r].relation;
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
    if (clause_keeps_all(&n->flat, &n->flat.clauses.items[c], scratch))
      l->of[n->flat.literals.items[n->flat.clauses.items[c].body].relation] = LIFETIME_PERSISTENT;
}

/* Everything is taken to persist until a rule speaks against it. */
void labels_find(labels *l, const normal_program *n, arena *keep, budget *limits) {
  *l = (labels){n, arena_new_array(keep, lifetime, n->flat.relations.count + 1)};
  set_first_labels(l, keep);
  for (bool changed = true; changed;) {
    changed = false;
    for (flat_clause_id c = 0; c < n->flat.clauses.count && !budget_is_spent(limits); c++) {
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
