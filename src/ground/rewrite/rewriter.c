#include "ground/rewrite/rewriter.h"

#include <string.h>

void rewriting_none(rewriting *w, const flat_program *f, const bool *is_open, arena *keep) {
  *w = (rewriting){.program = *f,
                   .origin = arena_zero_array(keep, relation_origin, f->relations.count),
                   .is_open = arena_zero_array(keep, bool, f->relations.count),
                   .came_from = arena_new_array(keep, flat_clause_id, f->clauses.count),
                   .is_guarded = arena_zero_array(keep, bool, f->clauses.count)};
  for (flat_id r = 0; r < f->relations.count; r++)
    w->is_open[r] = is_open[f->relations.items[r].relation];
  for (flat_clause_id c = 0; c < f->clauses.count; c++) w->came_from[c] = c;
}

void rewriter_copy(rewriter *w, rewriting *result, const rewriting *from, arena *keep) {
  const flat_program *f = &from->program;
  *w = (rewriter){.result = result, .keep = keep};
  *result = (rewriting){.program = {.source = f->source,
                                    .terms = f->terms,
                                    .relations_from = f->relations_from,
                                    .relations_by_source = f->relations_by_source}};
  flat_program *copy = &result->program;
  vec_append(keep, &copy->relations, f->relations.items, f->relations.count);
  vec_append(keep, &copy->clauses, f->clauses.items, f->clauses.count);
  vec_append(keep, &copy->literals, f->literals.items, f->literals.count);
  vec_append(keep, &copy->args, f->args.items, f->args.count);
  vec_append(keep, &w->origin, from->origin, f->relations.count);
  vec_append(keep, &w->is_open, from->is_open, f->relations.count);
  vec_append(keep, &w->came_from, from->came_from, f->clauses.count);
  for (flat_clause_id c = 0; c < f->clauses.count; c++)
    vec_push(keep, &w->is_guarded, from->is_guarded && from->is_guarded[c]);
  result->is_open = w->is_open.items;
}

void rewriter_finish(rewriter *w) {
  w->result->origin = w->origin.items;
  w->result->is_open = w->is_open.items;
  w->result->came_from = w->came_from.items;
  w->result->is_guarded = w->is_guarded.items;
}

rewriter_mark rewriter_save(const rewriter *w) {
  const flat_program *f = &w->result->program;
  return (rewriter_mark){f->relations.count, f->clauses.count, f->literals.count, f->args.count};
}

void rewriter_restore(rewriter *w, rewriter_mark mark) {
  flat_program *f = &w->result->program;
  f->relations.count = w->origin.count = w->is_open.count = mark.relations;
  f->clauses.count = w->came_from.count = w->is_guarded.count = mark.clauses;
  f->literals.count = mark.literals;
  f->args.count = mark.args;
}

static symbol_id fresh_name(rewriter *w, relation_origin origin) {
  symbol_table *symbols = w->result->program.source->symbols;
  const char *stem = origin == ORIGIN_AUXILIARY ? "aux" : "wanted";
  for (;;) {
    char name[32];
    const int length = snprintf(name, sizeof name, "%s#%u", stem, ++w->names);
    const slice s = {name, (size_t)length};
    if (symbol_find(symbols, s) == SYM_NONE) return symbol_intern(symbols, s);
  }
}

flat_id rewriter_add_relation(rewriter *w, relation_origin origin, uint32_t arity, bool is_open) {
  flat_program *f = &w->result->program;
  term_id *holes = arena_new_array(w->keep, term_id, arity);
  for (uint32_t i = 0; i < arity; i++) holes[i] = term_variable(f->terms, i);
  const flat_relation r = {.relation = RELATION_NONE,
                           .arity = arity,
                           .is_exact = true,
                           .skeleton = term_atom(f->terms, fresh_name(w, origin), holes, arity)};
  vec_push(w->keep, &f->relations, r);
  vec_push(w->keep, &w->origin, origin);
  vec_push(w->keep, &w->is_open, is_open);
  w->result->is_open = w->is_open.items;
  return f->relations.count - 1;
}

flat_clause_id rewriter_add_clause(rewriter *w, flat_literal head, const flat_literal *body,
                                   uint32_t body_count, uint32_t variable_count,
                                   flat_clause_id came_from) {
  flat_program *f = &w->result->program;
  const flat_clause c = {.head = head.relation,
                         .head_args = head.args,
                         .body = f->literals.count,
                         .body_count = body_count,
                         .variable_count = variable_count,
                         .source = f->clauses.items[came_from].source};
  vec_append(w->keep, &f->literals, body, body_count);
  vec_push(w->keep, &f->clauses, c);
  vec_push(w->keep, &w->came_from, came_from);
  vec_push(w->keep, &w->is_guarded, false);
  return f->clauses.count - 1;
}
