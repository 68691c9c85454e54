#include "diff/product.h"

#include "read/canonical.h"

/* ---- atoms ---- */

/* The atom's relation behind the prefix, or its fluent in it. */
static void add_atom(const product_side *s, term_id atom, text *out) {
  text words = text_new(out->keep);
  term_print(s->p->terms, atom, NOTATION_KIF, NULL, &words);
  const char *at = text_string(&words);
  if (s->names) at = names_to_old(s->names, at, out->keep);
  const relation_id r = atom_relation(s->p, atom);
  const size_t name = canonical_name_length(at + (*at == '('));
  if (r == SYM_DOES)
    text_add(out, at);
  else if (r == SYM_TRUE || r == SYM_INIT || r == SYM_NEXT)
    text_add_format(out, "%.*s (%s%s)", (int)name + 1, at, s->prefix, at + 1 + name);
  else
    text_add_format(out, "%s%s-%s", *at == '(' ? "(" : "", s->prefix, at + (*at == '('));
}

static void add_distinct(const product_side *s, term_id atom, text *out) {
  text words = text_new(out->keep);
  term_print(s->p->terms, atom, NOTATION_KIF, NULL, &words);
  text_add(out,
           s->names ? names_to_old(s->names, text_string(&words), out->keep) : text_string(&words));
}

static void add_literal(const product_side *s, const literal *l, text *out) {
  text_add_char(out, ' ');
  if (l->kind == LITERAL_NEGATIVE) text_add(out, "(not ");
  if (l->kind == LITERAL_DISTINCT)
    add_distinct(s, l->atom, out);
  else
    add_atom(s, l->atom, out);
  if (l->kind == LITERAL_NEGATIVE) text_add_char(out, ')');
}

/* ---- rules ---- */

void product_add_clause(const product_side *s, const clause *c, text *out) {
  if (c->body_count) text_add(out, "(<= ");
  add_atom(s, c->head, out);
  for (uint32_t i = 0; i < c->body_count; i++)
    add_literal(s, &s->p->literals.items[c->body + i], out);
  text_add(out, c->body_count ? ")\n" : "\n");
}

static void add_rules(const product_side *s, text *out) {
  const bool *needed = program_needed(s->p, out->keep);
  for (uint32_t i = 0; i < s->p->clauses.count; i++)
    if (needed[atom_relation(s->p, s->p->clauses.items[i].head)])
      product_add_clause(s, &s->p->clauses.items[i], out);
}

/* ---- where they differ ---- */

/* An atom that holds on one side alone, each way; `when` is a further condition. */
static void add_difference(const char *head, const char *atom, const char *end, const char *when,
                           text *out) {
  static const char *const sides[] = {"old", "new"};
  const char *open = *end ? "(" : "", *role = *end ? "(role ?r) " : "";
  for (uint32_t i = 0; i < 2; i++)
    text_add_format(out, "(<= %s %s%s%s-%s%s (not %s%s-%s%s)%s)\n", head, role, open, sides[i],
                    atom, end, open, sides[1 - i], atom, end, when);
}

static void add_differences(const diff_question *q, text *out) {
  add_difference("differs", "terminal", "", "", out);
  add_difference("differs", "legal", " ?r ?x)", " (not old-terminal)", out);
  add_difference("differs", "goal", " ?r ?x)", q->goals_at_end ? " old-terminal" : "", out);
  if (!program_has_sees(q->old_rules) && !program_has_sees(q->new_rules)) return;
  add_difference("(next seen-otherwise)", "sees", " ?r ?x)", "", out);
  text_add(out, "(<= differs (true seen-otherwise))\n");
}

void product_write(const diff_question *q, const char *const *roles, uint32_t count, text *out) {
  const product_side old = {q->old_rules, NULL, "old"}, new = {q->new_rules, q->names, "new"};
  for (uint32_t i = 0; i < count; i++) text_add_format(out, "(role %s)\n", roles[i]);
  text_add(out, "(<= (legal ?r ?m) (role ?r) (old-legal ?r ?m))\n"
                "(<= terminal old-terminal)\n(<= terminal differs)\n");
  text_add_format(out, "(<= (goal %s 100) differs)\n", roles[0]);
  add_differences(q, out);
  add_rules(&old, out);
  add_rules(&new, out);
}
