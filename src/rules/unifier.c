#include "rules/unifier.h"

/* A question that takes more steps is answered with `yes`; it bounds the recursion, too. */
enum { STEPS_MAX = 20000 };

/* A term as it is written on one side. */
typedef struct sided {
  term_id term;
  uint32_t side; /* 0 or 1 */
} sided;

struct unifier {
  const term_table *t;
  uint32_t variables;
  sided *bound; /* by side * variables + number; term TERM_NONE where free */
  id_vec trail; /* what has been bound in this question; has room for all */
  uint32_t steps;
};

unifier *unifier_new(const term_table *t, uint32_t variables, arena *keep) {
  unifier *u = arena_alloc_zero(keep, sizeof *u);
  *u = (unifier){.t = t, .variables = variables};
  u->bound = arena_new_array(keep, sided, 2 * (size_t)variables + 1);
  for (size_t i = 0; i < 2 * (size_t)variables; i++) u->bound[i].term = TERM_NONE;
  vec_reserve(keep, &u->trail, 2 * variables + 1);
  return u;
}

static uint32_t slot_of(const unifier *u, sided x) {
  return x.side * u->variables + term_variable_number(u->t, x.term);
}

static sided followed(const unifier *u, sided x) {
  while (term_is_variable(u->t, x.term) && u->bound[slot_of(u, x)].term != TERM_NONE)
    x = u->bound[slot_of(u, x)];
  return x;
}

static bool is_same(sided a, sided b) { return a.term == b.term && a.side == b.side; }

static bool is_tired(unifier *u) { return ++u->steps > STEPS_MAX; }

static sided argument(const unifier *u, sided x, uint32_t i) {
  return (sided){term_arg(u->t, x.term, i), x.side};
}

static bool occurs(unifier *u, sided variable, sided x) {
  x = followed(u, x);
  if (is_same(variable, x)) return true;
  const term *it = term_get(u->t, x.term);
  if (it->is_ground) return false;
  for (uint32_t i = 0; i < it->arg_count; i++)
    if (!is_tired(u) && occurs(u, variable, argument(u, x, i))) return true;
  return false;
}

static bool bind(unifier *u, sided variable, sided value) {
  if (occurs(u, variable, value)) return false;
  u->trail.items[u->trail.count++] = slot_of(u, variable);
  u->bound[slot_of(u, variable)] = value;
  return true;
}

static bool unify(unifier *u, sided a, sided b) {
  a = followed(u, a);
  b = followed(u, b);
  const term *left = term_get(u->t, a.term);
  const term *right = term_get(u->t, b.term);
  if (a.term == b.term && (a.side == b.side || left->is_ground)) return true;
  if (left->is_variable) return bind(u, a, b);
  if (right->is_variable) return bind(u, b, a);
  if (left->name != right->name || left->arg_count != right->arg_count) return false;
  if (left->is_ground && right->is_ground) return false;
  for (uint32_t i = 0; i < left->arg_count; i++) {
    if (is_tired(u)) return true;
    if (!unify(u, argument(u, a, i), argument(u, b, i))) return false;
  }
  return true;
}

bool terms_meet(unifier *u, term_id a, term_id b) {
  u->steps = 0;
  const bool meet = unify(u, (sided){a, 0}, (sided){b, 1});
  while (u->trail.count) u->bound[vec_pop(&u->trail)].term = TERM_NONE;
  return meet;
}
