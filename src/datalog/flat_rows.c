/* Rows and atoms of flat relations; the text of flat clauses. */
#include "datalog/flat.h"

#include <string.h>

static bool match_skeleton(const flat_program *f, term_id skeleton, term_id atom, bool is_exact,
                           term_id *row);

/* Most parts of a skeleton are holes. */
static inline bool match_part(const flat_program *f, term_id part, term_id it, bool is_exact,
                              term_id *row) {
  if (!term_is_variable(f->terms, part)) return match_skeleton(f, part, it, is_exact, row);
  row[term_variable_number(f->terms, part)] = it;
  return !is_exact || term_get(f->terms, it)->arg_count == 0;
}

static bool match_skeleton(const flat_program *f, term_id skeleton, term_id atom, bool is_exact,
                           term_id *row) {
  const term *shape = term_get(f->terms, skeleton);
  const term *it = term_get(f->terms, atom);
  if (shape->name != it->name || shape->arg_count != it->arg_count) return false;
  for (uint32_t i = 0; i < it->arg_count; i++)
    if (!match_part(f, f->terms->args.items[shape->args + i], f->terms->args.items[it->args + i],
                    is_exact, row))
      return false;
  return true;
}

bool flat_match(const flat_program *f, flat_id id, term_id atom, term_id *row) {
  const flat_relation *it = &f->relations.items[id];
  return match_skeleton(f, it->skeleton, atom, it->is_exact, row);
}

bool flat_find(const flat_program *f, term_id atom, flat_id *id, term_id *row) {
  const relation_id r = atom_relation(f->source, atom);
  if (r == RELATION_NONE) return false;
  for (uint32_t i = f->relations_from[r]; i < f->relations_from[r + 1]; i++) {
    *id = f->relations_by_source.items[i];
    if (flat_match(f, *id, atom, row)) return true;
  }
  return false;
}

/* Holes within an argument stand for constants. */
term_id skeleton_argument(term_table *t, term_id skeleton, const term_id *row, uint32_t i) {
  const term_id part = term_arg(t, skeleton, i);
  return term_is_variable(t, part) ? row[term_variable_number(t, part)]
                                   : term_relabel(t, part, row);
}

term_id skeleton_atom(term_table *t, term_id skeleton, const term_id *row) {
  const term it = *term_get(t, skeleton);
  term_id few[8];
  term_id *args = it.arg_count <= 8 ? few : arena_new_array(t->keep, term_id, it.arg_count);
  for (uint32_t i = 0; i < it.arg_count; i++) args[i] = skeleton_argument(t, skeleton, row, i);
  return term_atom(t, it.name, args, it.arg_count);
}

term_id flat_atom(const flat_program *f, flat_id id, const term_id *row) {
  return skeleton_atom(f->terms, f->relations.items[id].skeleton, row);
}

/* ---- text ---- */

static void print_flat_atom(const flat_program *f, flat_id id, uint32_t args, text *out) {
  const term_id atom = flat_atom(f, id, flat_args(f, args));
  term_print(f->terms, atom, NOTATION_KIF, NULL, out);
}

flat_clause_id *flat_only_clauses(const flat_program *f, arena *keep) {
  flat_clause_id *only = arena_new_array(keep, flat_clause_id, f->relations.count + 1);
  bool *has_any = arena_zero_array(keep, bool, f->relations.count + 1);
  memset(only, 0xff, (f->relations.count + 1) * sizeof *only);
  for (flat_clause_id c = 0; c < f->clauses.count; c++) {
    const flat_id head = f->clauses.items[c].head;
    only[head] = has_any[head] ? ID_NONE : c;
    has_any[head] = true;
  }
  return only;
}

bool flat_head_is_open(const flat_program *f, const flat_clause *c) {
  const uint32_t arity = f->relations.items[c->head].arity;
  const term_id *args = flat_args(f, c->head_args);
  for (uint32_t i = 0; i < arity; i++) {
    if (!term_is_variable(f->terms, args[i])) return false;
    for (uint32_t k = 0; k < i; k++)
      if (args[k] == args[i]) return false;
  }
  return c->variable_count == arity;
}

void flat_literal_print(const flat_program *f, const flat_literal *l, text *out) {
  if (l->kind == LITERAL_DISTINCT) {
    text_add(out, "(distinct ");
    term_print(f->terms, flat_args(f, l->args)[0], NOTATION_KIF, NULL, out);
    text_add_char(out, ' ');
    term_print(f->terms, flat_args(f, l->args)[1], NOTATION_KIF, NULL, out);
    text_add_char(out, ')');
    return;
  }
  if (l->kind == LITERAL_NEGATIVE) text_add(out, "(not ");
  print_flat_atom(f, l->relation, l->args, out);
  if (l->kind == LITERAL_NEGATIVE) text_add_char(out, ')');
}

void flat_clause_print(const flat_program *f, flat_clause_id id, text *out) {
  const flat_clause *c = &f->clauses.items[id];
  if (c->body_count) text_add(out, "(<= ");
  print_flat_atom(f, c->head, c->head_args, out);
  for (uint32_t i = 0; i < c->body_count; i++) {
    text_add_char(out, ' ');
    flat_literal_print(f, &f->literals.items[c->body + i], out);
  }
  if (c->body_count) text_add_char(out, ')');
}
