/* Random small games: sound, with a noop that is always legal, and otherwise any rules.

   Constants c0 .. c2.  Static: s/1, e/2.  Fluents: h, (f ?), (g ? ?), (k (w ?)).  Moves: noop,
   (m ?), (n ? ?).  Helpers a0 .. a5 read the state, b0 .. b3 the moves too; each uses itself, and
   those with smaller numbers, these also negated.  In half of the games some rules are about
   (t ROLE), which is no role. */
#ifndef TABIA_GROUND_RANDOM_GAME_FIXTURE_H
#define TABIA_GROUND_RANDOM_GAME_FIXTURE_H

#include "base/rng.h"
#include "base/text.h"

enum { GAME_CONSTANTS = 3, GAME_VARIABLES = 4, GAME_STATE_HELPERS = 6, GAME_MOVE_HELPERS = 4 };

typedef struct random_game {
  rng *r;
  text *out;
  uint32_t bound;   /* variables that hold constants, one bit each */
  uint32_t helpers; /* how many state helpers may be used */
  uint32_t movers;  /* how many move helpers, and `does`; 0: none */
  bool reads_moves;
  bool reads_state;
} random_game;

static inline bool chance(random_game *x, uint32_t percent) {
  return rng_below(x->r, 100) < percent;
}

static inline void binding_cell(random_game *x) {
  if (chance(x, 20)) {
    text_add_format(x->out, " c%u", rng_below(x->r, GAME_CONSTANTS));
    return;
  }
  const uint32_t v = rng_below(x->r, GAME_VARIABLES);
  x->bound |= 1u << v;
  text_add_format(x->out, " ?v%u", v);
}

static inline void bound_cell(random_game *x) {
  if (!x->bound || chance(x, 20)) {
    text_add_format(x->out, " c%u", rng_below(x->r, GAME_CONSTANTS));
    return;
  }
  uint32_t v = rng_below(x->r, GAME_VARIABLES);
  while (!(x->bound >> v & 1)) v = (v + 1) % GAME_VARIABLES;
  text_add_format(x->out, " ?v%u", v);
}

typedef void add_cell(random_game *);

static inline void add_cells(random_game *x, const char *open, uint32_t count, const char *close,
                             add_cell *cell) {
  text_add(x->out, open);
  for (uint32_t i = 0; i < count; i++) cell(x);
  text_add(x->out, close);
}

static inline void add_fluent(random_game *x, add_cell *cell) {
  switch (rng_below(x->r, 5)) {
    case 0: text_add(x->out, "h"); return;
    case 1: add_cells(x, "(k (w", 1, "))", cell); return;
    case 2: add_cells(x, "(f", 1, ")", cell); return;
    default: add_cells(x, "(g", 2, ")", cell); return;
  }
}

static inline void add_move(random_game *x, add_cell *cell) {
  switch (rng_below(x->r, 4)) {
    case 0: text_add(x->out, "noop"); return;
    case 1: add_cells(x, "(n", 2, ")", cell); return;
    default: add_cells(x, "(m", 1, ")", cell); return;
  }
}

static inline uint32_t helper_arity(uint32_t number) { return number % 3; }

static inline void add_helper(random_game *x, const char *letter, uint32_t number, add_cell *cell) {
  const uint32_t arity = helper_arity(number);
  if (arity) text_add_char(x->out, '(');
  text_add_format(x->out, "%s%u", letter, number);
  add_cells(x, "", arity, arity ? ")" : "", cell);
}

static inline void add_does(random_game *x, add_cell *cell) {
  text_add_format(x->out, "(does %s ", chance(x, 50) ? "?r" : chance(x, 50) ? "r0" : "r1");
  add_move(x, cell);
  text_add_char(x->out, ')');
}

static inline void add_any_atom(random_game *x, add_cell *cell) {
  const uint32_t kind = rng_below(x->r, 100);
  if (x->reads_moves && kind < 25) {
    add_does(x, cell);
  } else if (x->movers && kind < 40) {
    add_helper(x, "b", rng_below(x->r, x->movers), cell);
  } else if (x->helpers && kind < 60) {
    add_helper(x, "a", rng_below(x->r, x->helpers), cell);
  } else if (x->reads_state && kind < 90) {
    text_add(x->out, "(true ");
    add_fluent(x, cell);
    text_add_char(x->out, ')');
  } else {
    if (kind % 3)
      add_cells(x, "(e", 2, ")", cell);
    else
      add_cells(x, "(s", 1, ")", cell);
  }
}

static inline void add_condition(random_game *x) {
  const uint32_t kind = rng_below(x->r, 10);
  text_add_char(x->out, ' ');
  if (kind == 0) {
    text_add(x->out, "(distinct ");
    add_fluent(x, bound_cell);
    text_add_char(x->out, ' ');
    add_fluent(x, bound_cell);
    text_add_char(x->out, ')');
    return;
  }
  if (kind < 3) {
    add_cells(x, "(distinct", 2, ")", bound_cell);
    return;
  }
  const bool is_or = kind < 5;
  if (is_or) {
    text_add(x->out, "(or ");
    add_any_atom(x, bound_cell);
    text_add_char(x->out, ' ');
  }
  text_add(x->out, "(not ");
  add_any_atom(x, bound_cell);
  text_add(x->out, is_or ? "))" : ")");
}

/* `own` is the helper that the rule defines; recursion through it is positive. */
static inline const char *random_body(random_game *x, uint32_t positives, const char *own,
                                      uint32_t number, arena *keep) {
  text *whole = x->out;
  text body = text_new(keep);
  x->out = &body;
  x->bound = 0;
  text_add(&body, " (role ?r)");
  for (uint32_t i = 0, count = rng_below(x->r, positives + 1); i < count; i++) {
    text_add_char(&body, ' ');
    if (own && chance(x, 15))
      add_helper(x, own, number, binding_cell);
    else
      add_any_atom(x, binding_cell);
  }
  for (uint32_t i = 0, count = rng_below(x->r, 3); i < count; i++) add_condition(x);
  x->out = whole;
  return text_string(&body);
}

static inline void add_helpers(random_game *x, arena *keep) {
  for (x->helpers = 0; x->helpers < GAME_STATE_HELPERS; x->helpers++)
    for (uint32_t i = 0, count = 1 + rng_below(x->r, 2); i < count; i++) {
      x->reads_state = x->helpers > 0;
      const char *body = random_body(x, 3, "a", x->helpers, keep);
      text_add(x->out, "(<= ");
      add_helper(x, "a", x->helpers, bound_cell);
      text_add_format(x->out, "%s)\n", body);
    }
  x->reads_moves = true;
  for (x->movers = 0; x->movers < GAME_MOVE_HELPERS; x->movers++)
    for (uint32_t i = 0, count = 1 + rng_below(x->r, 2); i < count; i++) {
      const char *body = random_body(x, 3, "b", x->movers, keep);
      text_add(x->out, "(<= ");
      add_helper(x, "b", x->movers, bound_cell);
      text_add_format(x->out, "%s)\n", body);
    }
}

static inline void add_legal_rules(random_game *x, arena *keep) {
  text_add(x->out, "(<= (legal ?r noop) (role ?r))\n");
  if (chance(x, 60))
    text_add(x->out, "(<= (legal ?r (m ?x)) (role ?r) (s ?x) (not (true (f ?x))))\n");
  if (chance(x, 40)) text_add(x->out, "(<= (legal r0 (n ?x ?y)) (e ?x ?y))\n");
  for (uint32_t i = 0, count = 1 + rng_below(x->r, 3); i < count; i++) {
    const char *body = random_body(x, 2, NULL, 0, keep);
    text_add_format(x->out, "(<= (legal %s ", chance(x, 70) ? "?r" : "r1");
    add_move(x, bound_cell);
    text_add_format(x->out, ")%s)\n", body);
  }
}

static inline void add_result_rules(random_game *x, arena *keep) {
  for (uint32_t i = 0, count = rng_below(x->r, 4); i < count; i++) {
    const char *body = random_body(x, 3, NULL, 0, keep);
    text_add_format(x->out, "(<= (goal ?r %u)%s)\n", i * 25, body);
  }
  for (uint32_t i = 0, count = rng_below(x->r, 3); i < count; i++)
    text_add_format(x->out, "(<= terminal%s)\n", random_body(x, 3, NULL, 0, keep));
}

static inline void add_next_rules(random_game *x, arena *keep) {
  for (uint32_t i = 0, count = 3 + rng_below(x->r, 5); i < count; i++) {
    const char *body = random_body(x, 1 + rng_below(x->r, 4), NULL, 0, keep);
    text_add(x->out, "(<= (next ");
    add_fluent(x, bound_cell);
    text_add_format(x->out, ")%s)\n", body);
  }
}

/* Rules that keep what is not changed, in the ways that games do it. */
static inline void add_frame_rules(random_game *x) {
  static const char *const frames[] = {
      "(<= (next ?f) (true ?f) (not b0))\n",
      "(<= (next (g ?x ?y)) (true (g ?x ?y)) (does ?r (n ?m ?n)) (or (distinct ?x ?m) (s ?y)))\n",
      "(<= (next (f ?x)) (true (f ?x)) (does r0 ?m) (distinct ?m (m ?x)))\n",
      "(<= (next (f ?x)) (true (f ?x)) (does r0 (m ?y)) (distinct ?x ?y))\n",
      "(<= (next (k (w ?x))) (true (k (w ?x))) (not (does r0 (m ?x))))\n",
      "(<= (next ?f) (true ?f) (does r1 ?m) (distinct ?f h) (distinct ?m noop))\n",
      "(<= (next h) (true h))\n",
  };
  for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
    if (chance(x, 40)) text_add(x->out, frames[i]);
}

/* Rules about a compound with a role in it, which is no role. */
static inline void add_rules_of_no_role(random_game *x, arena *keep) {
  static const char *const compounds[] = {"(t ?r)", "(t r0)", "(t ?r c1)"};
  const char *compound = compounds[rng_below(x->r, 3)];
  if (chance(x, 50)) return;
  for (uint32_t i = 0, count = 1 + rng_below(x->r, 2); i < count; i++) {
    const char *body = random_body(x, 2, NULL, 0, keep);
    text_add_format(x->out, "(<= (legal %s ", compound);
    add_move(x, bound_cell);
    text_add_format(x->out, ")%s)\n", body);
  }
  text_add_format(x->out, "(<= (goal %s 30)%s)\n", compound, random_body(x, 2, NULL, 0, keep));
  text_add_format(x->out, "(<= (sees %s (m ?v)) (does ?r (m ?v)))\n", compound);
  text_add_format(x->out, "(<= (next h) (role ?r) (does %s ?m))\n", compound);
}

static inline const char *random_game_text(rng *r, arena *keep) {
  text out = text_new(keep);
  random_game x = {.r = r, .out = &out};
  text_add(&out, "(role r0)\n(role r1)\n(s c0)\n(e c0 c1)\n(init (f c0))\n");
  for (uint32_t i = 0, count = rng_below(r, 9); i < count; i++) {
    add_cells(&x, "(e", 2, ")\n", bound_cell);
    add_cells(&x, "(s", 1, ")\n", bound_cell);
    text_add(&out, "(init ");
    add_fluent(&x, bound_cell);
    text_add(&out, ")\n");
  }
  add_helpers(&x, keep);
  add_next_rules(&x, keep);
  add_frame_rules(&x);
  x.reads_moves = false;
  x.movers = 0;
  add_legal_rules(&x, keep);
  add_result_rules(&x, keep);
  add_rules_of_no_role(&x, keep);
  return text_string(&out);
}

#endif
