#include "certify/game_names.h"

static key_index index_fluents(const ground_program *g, arena *keep) {
  term_id *terms = arena_new_array(keep, term_id, g->fluents.count + 1);
  for (uint32_t i = 0; i < g->fluents.count; i++) terms[i] = g->fluents.items[i].term;
  return key_index_new(g->terms, terms, g->fluents.count, keep);
}

static key_index index_roles(const ground_program *g, arena *keep) {
  term_id *terms = arena_new_array(keep, term_id, g->roles.count + 1);
  for (uint32_t i = 0; i < g->roles.count; i++) terms[i] = g->roles.items[i].term;
  return key_index_new(g->terms, terms, g->roles.count, keep);
}

static key_index index_moves(const ground_program *g, const ground_role *r, arena *keep) {
  term_id *terms = arena_new_array(keep, term_id, r->move_count + 1);
  for (uint32_t i = 0; i < r->move_count; i++) terms[i] = g->moves.items[r->first_move + i].term;
  return key_index_new(g->terms, terms, r->move_count, keep);
}

game_names game_names_new(const program *p, const ground_program *g, arena *keep) {
  game_names names = {.program = p,
                      .g = g,
                      .fluents = index_fluents(g, keep),
                      .roles = index_roles(g, keep),
                      .moves = arena_new_array(keep, key_index, g->roles.count + 1)};
  for (uint32_t i = 0; i < g->roles.count; i++)
    names.moves[i] = index_moves(g, &g->roles.items[i], keep);
  return names;
}

uint32_t names_fluent(const game_names *names, const tree *t, node_id n, arena *scratch) {
  return key_index_find(&names->fluents, t, n, scratch);
}

uint32_t names_role(const game_names *names, const tree *t, node_id n, arena *scratch) {
  return key_index_find(&names->roles, t, n, scratch);
}

uint32_t names_move(const game_names *names, uint32_t role, const tree *t, node_id n,
                    arena *scratch) {
  const uint32_t move = key_index_find(&names->moves[role], t, n, scratch);
  return move == ID_NONE ? ID_NONE : names->g->roles.items[role].first_move + move;
}

/* ---- what the rules write ---- */

static bool has_all_names(const game_names *names, const tree *t, node_id n) {
  for (node_id i = n; i != node_after(t, n); i++)
    if (!node_is_list(t, i) &&
        symbol_find_constant(names->program->terms->symbols,
                             symbol_folded(t->symbols, tree_node(t, i)->symbol)) == SYM_NONE)
      return false;
  return true;
}

static bool is_about_fluent(const term_table *terms, term_id id) {
  const term *t = term_get(terms, id);
  return !t->is_variable && t->arg_count == 1 &&
         (t->name == SYM_TRUE || t->name == SYM_NEXT || t->name == SYM_INIT || t->name == SYM_BASE);
}

bool names_is_written(const game_names *names, const tree *t, node_id n) {
  const term_table *terms = names->program->terms;
  const node_id first = node_is_list(t, n) ? node_first(n) : n;
  if (node_functor(t, n) == SYM_NONE || !has_all_names(names, t, n)) return false;
  const symbol_id name =
      symbol_find_constant(terms->symbols, symbol_folded(t->symbols, tree_node(t, first)->symbol));
  const uint32_t arity = node_is_list(t, n) ? node_element_count(t, n) - 1 : 0;
  for (term_id id = 0; id < terms->terms.count; id++) {
    if (!is_about_fluent(terms, id)) continue;
    const term *fluent = term_get(terms, term_arg(terms, id, 0));
    if (!fluent->is_variable && fluent->name == name && fluent->arg_count == arity) return true;
  }
  return false;
}
