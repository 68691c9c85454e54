#include "compile/rules/evaluation_order.h"

#include "base/graph.h"

static bool is_atom(const flat_literal *l) { return l->kind != LITERAL_DISTINCT; }

static void find_parts(order *o, const flat_program *f, arena *keep, arena *scratch) {
  id_vec tails = {0};
  id_vec heads = {0};
  for (flat_clause_id c = 0; c < f->clauses.count; c++) {
    const flat_clause *it = &f->clauses.items[c];
    for (uint32_t i = 0; i < it->body_count; i++) {
      const flat_literal *l = &f->literals.items[it->body + i];
      if (!is_atom(l)) continue;
      vec_push(scratch, &tails, it->head);
      vec_push(scratch, &heads, l->relation);
    }
  }
  const graph g = graph_new(scratch, f->relations.count, tails.items, heads.items, tails.count);
  o->component = arena_new_array(keep, uint32_t, f->relations.count + 1);
  o->component_count = graph_components(&g, o->component, scratch);
  o->relations = graph_order(&g, o->component, o->component_count, keep);
}

static void find_recursion(order *o, const flat_program *f, arena *keep) {
  bool *part_is_recursive = arena_zero_array(keep, bool, o->component_count + 1);
  o->is_recursive = arena_zero_array(keep, bool, f->relations.count + 1);
  o->offending_literal = UINT32_MAX;
  for (flat_clause_id c = 0; c < f->clauses.count; c++) {
    const flat_clause *it = &f->clauses.items[c];
    for (uint32_t i = it->body; i < it->body + it->body_count; i++) {
      const flat_literal *l = &f->literals.items[i];
      if (!is_atom(l) || o->component[l->relation] != o->component[it->head]) continue;
      part_is_recursive[o->component[it->head]] = true;
      if (l->kind == LITERAL_NEGATIVE && o->offending_literal == UINT32_MAX)
        o->offending_literal = i;
    }
  }
  for (flat_id r = 0; r < f->relations.count; r++)
    o->is_recursive[r] = part_is_recursive[o->component[r]];
}

/* The clauses sorted by the part of their heads. */
static flat_clause_id *sorted_clauses(const order *o, const flat_program *f, arena *keep) {
  uint32_t *from = arena_zero_array(keep, uint32_t, o->component_count + 1);
  flat_clause_id *sorted = arena_new_array(keep, flat_clause_id, f->clauses.count + 1);
  for (flat_clause_id c = 0; c < f->clauses.count; c++)
    from[o->component[f->clauses.items[c].head] + 1]++;
  for (uint32_t i = 0; i < o->component_count; i++) from[i + 1] += from[i];
  for (flat_clause_id c = 0; c < f->clauses.count; c++)
    sorted[from[o->component[f->clauses.items[c].head]]++] = c;
  return sorted;
}

static void find_strata(order *o, const flat_program *f, arena *keep, arena *scratch) {
  uint32_t *of_part = arena_zero_array(scratch, uint32_t, o->component_count + 1);
  const flat_clause_id *sorted = sorted_clauses(o, f, scratch);
  for (uint32_t k = 0; k < f->clauses.count; k++) {
    const flat_clause *it = &f->clauses.items[sorted[k]];
    uint32_t *stratum = &of_part[o->component[it->head]];
    for (uint32_t i = it->body; i < it->body + it->body_count; i++) {
      const flat_literal *l = &f->literals.items[i];
      if (!is_atom(l) || o->component[l->relation] == o->component[it->head]) continue;
      const uint32_t least = of_part[o->component[l->relation]] + (l->kind == LITERAL_NEGATIVE);
      if (*stratum < least) *stratum = least;
    }
  }
  o->stratum = arena_new_array(keep, uint32_t, f->relations.count + 1);
  o->stratum_count = 1;
  for (flat_id r = 0; r < f->relations.count; r++) {
    o->stratum[r] = of_part[o->component[r]];
    if (o->stratum[r] >= o->stratum_count) o->stratum_count = o->stratum[r] + 1;
  }
}

void order_find(order *o, const flat_program *f, arena *keep) {
  arena *scratch = arena_new();
  find_parts(o, f, keep, scratch);
  find_recursion(o, f, keep);
  find_strata(o, f, keep, scratch);
  arena_free(scratch);
}

void order_spread_up(const order *o, const flat_program *f, bool *marked, arena *scratch) {
  const flat_clause_id *sorted = sorted_clauses(o, f, scratch);
  bool *parts = arena_zero_array(scratch, bool, o->component_count + 1);
  for (flat_id r = 0; r < f->relations.count; r++) parts[o->component[r]] |= marked[r];
  for (uint32_t k = 0; k < f->clauses.count; k++) {
    const flat_clause *it = &f->clauses.items[sorted[k]];
    for (uint32_t i = it->body; i < it->body + it->body_count; i++)
      if (is_atom(&f->literals.items[i]))
        parts[o->component[it->head]] |= parts[o->component[f->literals.items[i].relation]];
  }
  for (flat_id r = 0; r < f->relations.count; r++) marked[r] = parts[o->component[r]];
}

void order_spread_down(const order *o, const flat_program *f, uint32_t *bits, arena *scratch) {
  const flat_clause_id *sorted = sorted_clauses(o, f, scratch);
  uint32_t *parts = arena_zero_array(scratch, uint32_t, o->component_count + 1);
  for (flat_id r = 0; r < f->relations.count; r++) parts[o->component[r]] |= bits[r];
  for (uint32_t k = f->clauses.count; k-- > 0;) {
    const flat_clause *it = &f->clauses.items[sorted[k]];
    for (uint32_t i = it->body; i < it->body + it->body_count; i++)
      if (is_atom(&f->literals.items[i]))
        parts[o->component[f->literals.items[i].relation]] |= parts[o->component[it->head]];
  }
  for (flat_id r = 0; r < f->relations.count; r++) bits[r] = parts[o->component[r]];
}
