/* Random games so small that all their states can be looked at, in which anything may be wrong:
   roles get stuck, plays go round, goals are missing, several or no numbers.

   Fluents: p0 .. p3, (n 0) .. (n 3), of which the rules may take one after another.  Moves: a, (b
   1), (b 2), noop.  Helpers: d0, d1 read the state, (reach ?) is recursive. */
#ifndef TABIA_CERTIFY_TINY_GAME_FIXTURE_H
#define TABIA_CERTIFY_TINY_GAME_FIXTURE_H

#include "base/rng.h"
#include "base/text.h"

enum { TINY_FLUENTS = 4, TINY_NUMBERS = 4, TINY_STATES_MAX = 300 };

typedef struct tiny_game {
  rng *r;
  text *out;
  uint32_t roles; /* r0, r1, random */
} tiny_game;

static inline bool tiny_chance(tiny_game *x, uint32_t percent) {
  return rng_below(x->r, 100) < percent;
}

static inline void tiny_fluent(tiny_game *x) {
  if (tiny_chance(x, 60))
    text_add_format(x->out, "p%u", rng_below(x->r, TINY_FLUENTS));
  else
    text_add_format(x->out, "(n %u)", rng_below(x->r, TINY_NUMBERS));
}

static inline const char *tiny_role(tiny_game *x) {
  static const char *const names[] = {"r0", "r1", "random"};
  return names[rng_below(x->r, x->roles)];
}

static inline const char *tiny_move(tiny_game *x) {
  static const char *const names[] = {"a", "(b 1)", "(b 2)", "noop"};
  return names[rng_below(x->r, 4)];
}

static inline void tiny_atom(tiny_game *x, uint32_t helpers, bool reads_moves) {
  const uint32_t kind = rng_below(x->r, 100);
  if (reads_moves && kind < 30) {
    text_add_format(x->out, "(does %s %s)", tiny_role(x), tiny_move(x));
  } else if (reads_moves && kind < 40) {
    text_add_format(x->out, "m%u", rng_below(x->r, 2));
  } else if (helpers && kind < 55) {
    text_add_format(x->out, "d%u", rng_below(x->r, helpers));
  } else if (helpers && kind < 60) {
    text_add_format(x->out, "(reach %u)", rng_below(x->r, 3));
  } else {
    text_add(x->out, "(true ");
    tiny_fluent(x);
    text_add_char(x->out, ')');
  }
}

static inline void tiny_body(tiny_game *x, uint32_t most, uint32_t helpers, bool reads_moves) {
  for (uint32_t i = 0, count = 1 + rng_below(x->r, most); i < count; i++) {
    const bool is_negated = tiny_chance(x, 40);
    text_add(x->out, is_negated ? " (not " : " ");
    tiny_atom(x, helpers, reads_moves);
    if (is_negated) text_add_char(x->out, ')');
  }
  text_add(x->out, ")\n");
}

static inline void tiny_helpers(tiny_game *x) {
  for (uint32_t i = 0; i < 2; i++)
    for (uint32_t k = 0; k < 2; k++) {
      text_add_format(x->out, "(<= d%u", i);
      tiny_body(x, 2, i, false);
    }
  text_add(x->out, "(<= (reach 0) (true p0))\n(<= (reach ?y) (reach ?x) (edge ?x ?y))\n"
                   "(edge 0 1) (edge 1 2) (edge 2 1)\n");
  text_add_format(x->out, "(<= m0 (does %s (b ?x)))\n(<= m1 (does %s ?m) (distinct ?m %s))\n",
                  tiny_role(x), tiny_role(x), tiny_move(x));
}

/* A counter: it goes up, stays at its end, goes round, or does as the moves say. */
static inline void tiny_counter(tiny_game *x) {
  const uint32_t kind = rng_below(x->r, 4);
  for (uint32_t i = 0; i < TINY_NUMBERS; i++) {
    const uint32_t next = i + 1 < TINY_NUMBERS ? i + 1 : kind == 1 ? 0 : i;
    if (kind == 0 && next == i) continue;
    text_add_format(x->out, "(<= (next (n %u)) (true (n %u))", next, i);
    if (kind == 2) text_add_format(x->out, " (does %s %s)", tiny_role(x), tiny_move(x));
    text_add(x->out, ")\n");
  }
  if (kind == 3) text_add_format(x->out, "(<= (next (n ?x)) (does %s (b ?x)))\n", tiny_role(x));
  if (kind == 2)
    text_add_format(x->out, "(<= (next (n ?x)) (true (n ?x)) (not (does %s %s)))\n", tiny_role(x),
                    tiny_move(x));
}

static inline void tiny_next(tiny_game *x) {
  tiny_counter(x);
  for (uint32_t i = 0; i < TINY_FLUENTS; i++) {
    if (tiny_chance(x, 40))
      text_add_format(x->out, "(<= (next p%u) (true p%u) (not (does %s %s)))\n", i, i, tiny_role(x),
                      tiny_move(x));
    for (uint32_t k = rng_below(x->r, 3); k > 0; k--) {
      text_add_format(x->out, "(<= (next p%u)", i);
      tiny_body(x, 3, 2, true);
    }
  }
}

static inline void tiny_legal(tiny_game *x) {
  static const char *const roles[] = {"r0", "r1", "random"};
  for (uint32_t i = 0; i < x->roles; i++) {
    if (tiny_chance(x, 50)) text_add_format(x->out, "(legal %s noop)\n", roles[i]);
    for (uint32_t k = 1 + rng_below(x->r, 3); k > 0; k--) {
      text_add_format(x->out, "(<= (legal %s %s)", roles[i], tiny_move(x));
      tiny_body(x, 2, 2, false);
    }
  }
}

static inline void tiny_goals(tiny_game *x) {
  static const char *const roles[] = {"r0", "r1", "random"};
  static const char *const values[] = {"0",   "100", "50", "100", "0100", "00000000000000100",
                                       "101", "-1",  "25", "0",   "win",  "+100"};
  for (uint32_t i = 0; i < x->roles; i++) {
    const uint32_t p = rng_below(x->r, TINY_FLUENTS);
    if (tiny_chance(x, 70)) {
      text_add_format(x->out, "(<= (goal %s 100) (true p%u))\n", roles[i], p);
      text_add_format(x->out, "(<= (goal %s %u) (not (true p%u)))\n", roles[i],
                      rng_below(x->r, 2) ? 0 : 100, p);
      continue;
    }
    for (uint32_t k = 1 + rng_below(x->r, 3); k > 0; k--) {
      text_add_format(x->out, "(<= (goal %s %s)", roles[i], values[rng_below(x->r, 12)]);
      tiny_body(x, 2, 2, false);
    }
  }
}

static inline void tiny_start(tiny_game *x) {
  text_add(x->out, "(role r0)\n");
  if (x->roles > 1) text_add(x->out, "(role r1)\n");
  if (x->roles > 2) text_add(x->out, "(role random)\n");
  text_add(x->out, "(init (n 0))\n");
  for (uint32_t i = 0; i < TINY_FLUENTS; i++)
    if (tiny_chance(x, 40)) text_add_format(x->out, "(init p%u)\n", i);
}

static inline const char *tiny_game_text(rng *r, arena *keep) {
  text out = text_new(keep);
  tiny_game x = {r, &out, 1 + rng_below(r, 3)};
  tiny_start(&x);
  tiny_helpers(&x);
  tiny_next(&x);
  tiny_legal(&x);
  text_add_format(&out, "(<= terminal (true (n %u))", 1 + rng_below(r, TINY_NUMBERS - 1));
  tiny_body(&x, 2, 2, false);
  if (tiny_chance(&x, 40))
    text_add_format(&out, "(<= terminal (true (n %u)))\n", 1 + rng_below(r, TINY_NUMBERS - 1));
  tiny_goals(&x);
  return text_string(&out);
}

#endif
