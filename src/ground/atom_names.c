/* The names of atoms as terms.

   Terms cost more to make than all else that is known of an atom, so they are made when somebody
   asks.  Until then an atom of a fluent or move has no name (it follows from the fluent or move),
   and for any other there is a place in `name_parts`: the skeleton of its relation, then its row.
 */
#include "ground/atom_names.h"

#define NAME_LATER (UINT32_C(1) << 31) /* plus a place in name_parts */

term_id atom_name_later(ground_program *g, term_id skeleton, const term_id *row, uint32_t arity) {
  const uint32_t place = g->name_parts.count;
  vec_push(g->keep, &g->name_parts, skeleton);
  vec_append(g->keep, &g->name_parts, row, arity);
  return NAME_LATER | place;
}

static void name_atom(const ground_program *g, atom_id a, symbol_id keyword, const term_id *args,
                      uint32_t arg_count) {
  if (a == ATOM_NONE || g->atoms.items[a] != TERM_NONE) return;
  g->atoms.items[a] = term_atom(g->terms, keyword, args, arg_count);
}

static void name_moves(const ground_program *g, const ground_role *role) {
  for (uint32_t i = 0; i < role->move_count; i++) {
    const ground_move *m = &g->moves.items[role->first_move + i];
    const term_id args[2] = {role->term, m->term};
    name_atom(g, m->does, SYM_DOES, args, 2);
    name_atom(g, m->legal, SYM_LEGAL, args, 2);
  }
}

void ground_name_atoms(const ground_program *g) {
  for (uint32_t i = 0; i < g->fluents.count; i++) {
    const ground_fluent *it = &g->fluents.items[i];
    name_atom(g, it->holds, SYM_TRUE, &it->term, 1);
    name_atom(g, it->next, SYM_NEXT, &it->term, 1);
  }
  for (uint32_t r = 0; r < g->roles.count; r++) name_moves(g, &g->roles.items[r]);
  for (atom_id a = 0; a < g->atoms.count; a++) {
    const term_id name = g->atoms.items[a];
    if (name == TERM_NONE || !(name & NAME_LATER)) continue;
    const uint32_t *parts = vec_from(&g->name_parts, name & ~NAME_LATER);
    g->atoms.items[a] = skeleton_atom(g->terms, parts[0], parts + 1);
  }
}
