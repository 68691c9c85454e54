/* Random small board games whose rules about what stays take every shape: `or`, negation, several
   does, conditions on the state, static relations, a head that is a bare variable. */
#ifndef TABIA_FRAME_RANDOM_BOARD_FIXTURE_H
#define TABIA_FRAME_RANDOM_BOARD_FIXTURE_H

#include "base/rng.h"
#include "base/text.h"

typedef struct random_board {
  rng *r;
  text *out;
  uint32_t roles;
  bool takes_turns;
} random_board;

static inline bool board_chance(random_board *x, uint32_t percent) {
  return rng_below(x->r, 100) < percent;
}

#define BOARD_PICK(x, choices) \
  ((choices)[rng_below((x)->r, (uint32_t)(sizeof(choices) / sizeof *(choices)))])

static inline void add_board_roles(random_board *x) {
  for (uint32_t i = 0; i < x->roles; i++) text_add_format(x->out, "(role r%u)\n", i);
  for (uint32_t i = 0; i < x->roles; i++)
    text_add_format(x->out, "(after r%u r%u)\n", i, (i + 1) % x->roles);
}

static inline void add_board_facts(random_board *x) {
  static const char *const values[] = {"a", "b", "c"};
  text_add(x->out, "(index 1) (index 2) (index 3) (near 1 2) (near 2 1) (near 2 3)\n"
                   "(<= (differ ?x ?y ?a ?b) (index ?x) (index ?y) (index ?a) (index ?b)"
                   " (distinct ?x ?a))\n"
                   "(<= (differ ?x ?y ?a ?b) (index ?x) (index ?y) (index ?a) (index ?b)"
                   " (distinct ?y ?b))\n"
                   "(<= (touched ?x ?y) (does ?r (put ?x ?y)))\n"
                   "(<= (touched ?x ?y) (does ?r (shift ?x)) (index ?y) (true (flag ?y)))\n"
                   "(<= busy (does r0 (put ?x ?y)) (near ?x ?y))\n");
  for (uint32_t i = 1; i <= 3; i++)
    for (uint32_t k = 1; k <= 2; k++)
      text_add_format(x->out, "(init (cell %u %u %s))\n", i, k, BOARD_PICK(x, values));
  text_add(x->out, "(init (flag 1)) (init (at (pos 1 2))) (init (turn r0)) (init odd)\n");
}

static inline void add_board_moves(random_board *x) {
  const char *when = x->takes_turns ? " (true (turn ?r))" : " (role ?r)";
  text_add_format(x->out, "(<= (legal ?r (put ?x ?y))%s (true (cell ?x ?y ?v)) (distinct ?v c))\n",
                  when);
  text_add_format(x->out, "(<= (legal ?r (shift ?x))%s (index ?x))\n", when);
  text_add(x->out, x->takes_turns ? "(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))\n"
                                  : "(<= (legal ?r noop) (role ?r))\n");
}

static inline void add_board_effects(random_board *x) {
  static const char *const effects[] = {
      "(<= (next (cell ?x ?y a)) (does r0 (put ?x ?y)))\n",
      "(<= (next (cell ?x ?y c)) (does ?r (put ?x ?y)) (distinct ?r r0))\n",
      "(<= (next (flag ?x)) (does ?r (shift ?x)))\n",
      "(<= (next (cell ?x ?y b)) (does ?r (shift ?x)) (true (cell ?x ?y c)))\n",
      "(<= (next (at (pos ?x ?y))) (does r0 (put ?x ?y)))\n",
      "(<= (next odd) (not (true odd)))\n",
  };
  text_add(x->out, "(<= (next (turn ?s)) (true (turn ?r)) (after ?r ?s))\n");
  for (size_t i = 0; i < sizeof effects / sizeof *effects; i++)
    if (board_chance(x, 75)) text_add(x->out, effects[i]);
}

/* ---- what stays ---- */

/* Conditions over ?x ?y ?v of the fluent; then with ?a ?b of a put, too; then for any fluent. */
static const char *const conditions_of_cell[] = {
    " (distinct ?v b)",
    " (not (touched ?x ?y))",
    " (not busy)",
    " (not (true (flag ?x)))",
    " (true (flag ?z))",
    " (near ?x ?y)",
    " (not (does r0 (put ?x ?y)))",
    " (not (does r0 noop))",
    " (or (true odd) (distinct ?x ?y))",
    " (or (not (near ?x ?y)) (true (flag ?y)))",
    " (true (cell ?x ?z ?w)) (distinct ?w ?v)",
    " (role ?q) (not (does ?q (shift ?x)))",
};
static const char *const conditions_of_put[] = {
    " (or (distinct ?x ?a) (distinct ?y ?b))",
    " (distinct ?x ?a)",
    " (differ ?x ?y ?a ?b)",
    " (not (near ?x ?a))",
    " (or (distinct ?x ?a) (true (flag ?b)))",
    " (near ?a ?z) (distinct ?z ?x)",
    " (or (not (true (cell ?a ?b ?v))) (distinct ?y ?b))",
    " (not (true (flag ?b))) (distinct ?y ?a)",
};
static const char *const does_put[] = {
    " (does ?r (put ?a ?b))",
    " (does r0 (put ?a ?b))",
    " (does r0 (put ?a ?b)) (does ?s noop)",
    " (does ?r (put ?a ?b)) (role ?r)",
    " (does ?r (put ?a ?b)) (does ?s (put ?b ?a))",
};
static const char *const does_other[] = {
    "",
    "",
    " (does ?r ?m)",
    " (does r0 (shift ?m))",
    " (does ?r noop)",
    " (does ?r (shift ?x))",
    " (does ?r ?m) (distinct ?m noop)",
};

static inline void add_cell_rule(random_board *x) {
  static const char *const heads[] = {"(cell ?x ?y ?v)", "(cell ?x ?y ?v)", "(cell ?x ?y b)",
                                      "(cell ?x 1 ?v)", "(cell ?x ?x ?v)"};
  const uint32_t head = rng_below(x->r, 5);
  const bool is_put = board_chance(x, 60);
  text_add_format(x->out, "(<= (next %s) (true %s)%s", heads[head], heads[head],
                  is_put ? BOARD_PICK(x, does_put) : BOARD_PICK(x, does_other));
  for (uint32_t i = rng_below(x->r, 3); i > 0 && head < 2; i--)
    text_add(x->out, BOARD_PICK(x, conditions_of_cell));
  for (uint32_t i = 1 + rng_below(x->r, 2); i > 0 && is_put && head < 2; i--)
    text_add(x->out, BOARD_PICK(x, conditions_of_put));
  text_add(x->out, ")\n");
}

static inline void add_other_rule(random_board *x) {
  static const char *const rules[] = {
      "(<= (next ?f) (true ?f) (not busy))\n",
      "(<= (next ?f) (true ?f) (does r0 ?m) (distinct ?f odd) (distinct ?m noop))\n",
      "(<= (next (flag ?x)) (true (flag ?x)) (does ?r (shift ?y)) (distinct ?x ?y))\n",
      "(<= (next (flag ?x)) (true (flag ?x)) (or (does r0 noop) (does r0 (put ?x ?y))))\n",
      "(<= (next (at (pos ?x ?y))) (true (at (pos ?x ?y))) (does r0 (shift ?x)))\n",
      "(<= (next (at ?p)) (true (at ?p)) (does r0 noop))\n",
      "(<= (next (at ?p)) (true (at ?p)) (not (does r0 (put 1 2))) (distinct ?p (pos 1 1)))\n",
      "(<= (next odd) (true odd) (does ?r (put ?x ?y)) (true (flag ?x)))\n",
  };
  text_add(x->out, BOARD_PICK(x, rules));
}

static inline const char *random_board_text(rng *r, arena *keep) {
  static const uint32_t role_counts[] = {1, 1, 2, 2, 2, 2, 3, 6};
  text out = text_new(keep);
  random_board x = {.r = r, .out = &out};
  x.roles = BOARD_PICK(&x, role_counts);
  x.takes_turns = board_chance(&x, 60);
  add_board_roles(&x);
  add_board_facts(&x);
  add_board_moves(&x);
  add_board_effects(&x);
  for (uint32_t i = 1 + rng_below(r, 4); i > 0; i--) add_cell_rule(&x);
  for (uint32_t i = rng_below(r, 4); i > 0; i--) add_other_rule(&x);
  text_add(&out,
           "(<= terminal (not (true (flag 1))) (true (flag 2)))\n(<= (goal ?r 50) (role ?r))\n");
  return text_string(&out);
}

#endif
