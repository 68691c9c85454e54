#include "ground/others/unfold.h"

#include "base/bitset.h"

#include <string.h>

enum { NESTING_MAX = 200 }; /* made atoms do not depend on themselves: this is never reached */

typedef struct unfolding {
  const ground_program *from;
  bitset is_made;    /* atoms */
  ground_program to; /* rules and literals only */
  arena *scratch;
} unfolding;

static uint32_t find_made(const unfolding *u, const ground_literal *body, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!literal_is_negated(body[i]) && bitset_has(u->is_made, literal_atom(body[i]))) return i;
  return ID_NONE;
}

static void add_rule(unfolding *u, atom_id head, const ground_literal *body, uint32_t count) {
  const ground_rule r = {head, u->to.literals.count, count};
  vec_append(u->to.keep, &u->to.literals, body, count);
  vec_push(u->to.keep, &u->to.rules, r);
}

/* Writes the rule once for every way to replace the made atoms of its body. */
static void unfold_rule(unfolding *u, atom_id head, const ground_literal *body, uint32_t count,
                        uint32_t nesting) {
  const uint32_t at = find_made(u, body, count);
  if (at == ID_NONE || nesting == NESTING_MAX) {
    add_rule(u, head, body, count);
    return;
  }
  const atom_id made = literal_atom(body[at]);
  for (uint32_t r = u->from->rules_of[made]; r < u->from->rules_of[made + 1]; r++) {
    const ground_rule *it = &u->from->rules.items[r];
    const arena_mark mark = arena_save(u->scratch);
    const uint32_t longer = count - 1 + it->body_count;
    ground_literal *unfolded = arena_new_array(u->scratch, ground_literal, longer);
    memcpy(unfolded, body, at * sizeof *body);
    memcpy(unfolded + at, body + at + 1, (count - at - 1) * sizeof *body);
    memcpy(unfolded + count - 1, vec_from(&u->from->literals, it->body),
           it->body_count * sizeof *body);
    unfold_rule(u, head, unfolded, longer, nesting + 1);
    arena_restore(u->scratch, mark);
  }
}

static bitset made_atoms(const ground_program *g, const program *p, arena *scratch) {
  const bitset made = bitset_new(scratch, g->atoms.count);
  for (atom_id a = 0; a < g->atoms.count; a++)
    if (atom_relation(p, g->atoms.items[a]) == RELATION_NONE) bitset_add(made, a);
  return made;
}

void ground_unfold_made(ground_program *g, const program *p) {
  arena *scratch = arena_new();
  unfolding u = {
      .from = g, .is_made = made_atoms(g, p, scratch), .to = {.keep = g->keep}, .scratch = scratch};
  if (!bitset_is_empty(u.is_made)) {
    for (uint32_t r = 0; r < g->rules.count; r++) {
      const ground_rule *it = &g->rules.items[r];
      if (!bitset_has(u.is_made, it->head))
        unfold_rule(&u, it->head, vec_from(&g->literals, it->body), it->body_count, 0);
    }
    memcpy(&g->rules, &u.to.rules, sizeof g->rules);
    memcpy(&g->literals, &u.to.literals, sizeof g->literals);
    ground_index_rules(g);
  }
  arena_free(scratch);
}
