#include "compile/rules/distincts.h"

enum {
  SOLVED_CLAUSES_MAX = 20000, /* more than there were */
};

typedef struct term_pair {
  term_id left, right;
} term_pair;

typedef struct solver {
  flat_program *f;
  arena *keep;
  VEC(flat_clause) waiting; /* the next one last */
  VEC(flat_clause) done;
  VEC(term_pair) open; /* parts of two terms that are still to be looked at */
  VEC(term_pair) ways; /* in which the terms can differ */
} solver;

static bool pair_is_solved(const flat_program *f, term_pair p) {
  const term *left = term_get(f->terms, p.left);
  const term *right = term_get(f->terms, p.right);
  return p.left != p.right && (left->is_variable || right->is_variable) && !left->arg_count &&
         !right->arg_count;
}

static term_pair pair_of(const flat_program *f, const flat_literal *l) {
  const term_id *sides = flat_args(f, l->args);
  return (term_pair){sides[0], sides[1]};
}

bool distinct_is_solved(const flat_program *f, const flat_literal *l) {
  return pair_is_solved(f, pair_of(f, l));
}

/* Finds the ways in which the terms can differ.  True: they do, whatever the variables are. */
static bool find_ways(solver *s, term_pair whole) {
  const flat_program *f = s->f;
  s->ways.count = s->open.count = 0;
  vec_push(s->keep, &s->open, whole);
  while (s->open.count) {
    const term_pair p = vec_pop(&s->open);
    if (p.left == p.right) continue;
    if (pair_is_solved(f, p)) {
      vec_push(s->keep, &s->ways, p);
      continue;
    }
    const term left = *term_get(f->terms, p.left);
    const term right = *term_get(f->terms, p.right);
    if (left.is_variable || right.is_variable) return true; /* a constant, and a compound term */
    if (left.name != right.name || left.arg_count != right.arg_count) return true;
    for (uint32_t i = left.arg_count; i-- > 0;) {
      const term_pair part = {term_arg(f->terms, p.left, i), term_arg(f->terms, p.right, i)};
      vec_push(s->keep, &s->open, part);
    }
  }
  return false;
}

/* The first literal that is to be solved; ID_NONE: there is none. */
static uint32_t unsolved_literal(const flat_program *f, const flat_clause *c) {
  for (uint32_t i = c->body; i < c->body + c->body_count; i++) {
    const flat_literal *l = &f->literals.items[i];
    if (l->kind == LITERAL_DISTINCT && !distinct_is_solved(f, l)) return i;
  }
  return ID_NONE;
}

/* The clause with a body of its own, where one way stands for the literal, or nothing (NULL). */
static flat_clause clause_with(solver *s, const flat_clause *c, uint32_t literal,
                               const term_pair *way) {
  flat_program *f = s->f;
  flat_clause copy = *c;
  copy.body = f->literals.count;
  for (uint32_t i = c->body; i < c->body + c->body_count; i++) {
    flat_literal l = f->literals.items[i];
    if (i == literal && !way) continue;
    if (i == literal) {
      l.args = f->args.count;
      vec_push(s->keep, &f->args, way->left);
      vec_push(s->keep, &f->args, way->right);
    }
    vec_push(s->keep, &f->literals, l);
  }
  copy.body_count = f->literals.count - copy.body;
  return copy;
}

/* No way to differ: the clause can never fire, and is gone. */
static void solve_literal(solver *s, const flat_clause *c, uint32_t literal) {
  if (find_ways(s, pair_of(s->f, &s->f->literals.items[literal]))) {
    vec_push(s->keep, &s->waiting, clause_with(s, c, literal, NULL));
    return;
  }
  for (uint32_t i = s->ways.count; i-- > 0;)
    vec_push(s->keep, &s->waiting, clause_with(s, c, literal, &s->ways.items[i]));
}

bool distincts_solve(flat_program *f, arena *keep) {
  solver s = {.f = f, .keep = keep};
  const uint32_t most = f->clauses.count + SOLVED_CLAUSES_MAX;
  for (flat_clause_id c = f->clauses.count; c-- > 0;)
    vec_push(keep, &s.waiting, f->clauses.items[c]);
  while (s.waiting.count) {
    const flat_clause c = vec_pop(&s.waiting);
    const uint32_t literal = unsolved_literal(f, &c);
    if (literal == ID_NONE)
      vec_push(keep, &s.done, c);
    else
      solve_literal(&s, &c, literal);
    if (s.waiting.count + s.done.count > most) return false;
  }
  f->clauses.count = 0;
  vec_append(keep, &f->clauses, s.done.items, s.done.count);
  return true;
}
