#include "compile/rules/keyword_columns.h"

static bool map_columns(const flat_program *f, term_id from, term_id to, column_map *m) {
  const term *source = term_get(f->terms, from);
  const term *target = term_get(f->terms, to);
  if (target->is_variable) {
    m->from_column[target->name] = source->is_variable ? source->name : ID_NONE;
    m->constants[target->name] = source->is_variable ? TERM_NONE : from;
    return source->arg_count == 0;
  }
  if (source->is_variable || source->name != target->name || source->arg_count != target->arg_count)
    return false;
  for (uint32_t i = 0; i < target->arg_count; i++)
    if (!map_columns(f, term_arg(f->terms, from, i), term_arg(f->terms, to, i), m)) return false;
  return true;
}

bool columns_map(const flat_program *f, flat_id from, flat_id to, column_map *m, arena *keep) {
  const flat_relation *source = &f->relations.items[from];
  const flat_relation *target = &f->relations.items[to];
  const uint32_t arguments = term_get(f->terms, target->skeleton)->arg_count;
  if (term_get(f->terms, source->skeleton)->arg_count != arguments) return false;
  *m = (column_map){arena_new_array(keep, uint32_t, target->arity + 1),
                    arena_new_array(keep, term_id, target->arity + 1)};
  for (uint32_t i = 0; i < arguments; i++)
    if (!map_columns(f, term_arg(f->terms, source->skeleton, i),
                     term_arg(f->terms, target->skeleton, i), m))
      return false;
  return true;
}

bool clause_keeps_all(const flat_program *f, const flat_clause *c, arena *scratch) {
  const flat_literal *l = vec_from(&f->literals, c->body);
  column_map m;
  if (f->relations.items[c->head].relation != SYM_NEXT || c->body_count != 1 ||
      l->kind != LITERAL_POSITIVE || f->relations.items[l->relation].relation != SYM_TRUE ||
      !columns_map(f, c->head, l->relation, &m, scratch) || !flat_head_is_open(f, c))
    return false;
  for (uint32_t i = 0; i < f->relations.items[l->relation].arity; i++)
    if (flat_args(f, c->head_args)[i] != flat_args(f, l->args)[i]) return false;
  return true;
}
