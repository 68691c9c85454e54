/* Random games of one role in independent parts. */
#ifndef TABIA_SOLVE_RANDOM_PARTS_FIXTURE_H
#define TABIA_SOLVE_RANDOM_PARTS_FIXTURE_H

#include "base/rng.h"
#include "base/text.h"

enum { MOST_PARTS = 3, PLACES = 4 };

/* What a random game is like. */
typedef struct game_kind {
  uint32_t parts;
  bool in_all;       /* a move says what every part does */
  bool has_clock;    /* ends by the number of steps, too */
  bool is_guarded;   /* moves in the first part need an early step */
  bool may_go_wrong; /* goals are left out, and places without a way out are ends of play */
} game_kind;

static inline void add_atom(text *out, uint32_t part, uint32_t place) {
  text_add_format(out, "(true (at %u %u))", (unsigned)part, (unsigned)place);
}

/* Every part goes from place to place, by two kinds of moves. */
static inline void add_places(text *out, rng *r, const game_kind *k) {
  for (uint32_t p = 0; p < k->parts; p++) {
    text_add_format(out, "(part %u) (init (at %u 0))", (unsigned)p, (unsigned)p);
    for (uint32_t x = 0; x < PLACES; x++)
      for (uint32_t m = 0; m < 2; m++)
        if (rng_below(r, 4) || (!m && !k->may_go_wrong))
          text_add_format(out, "(way %u m%u %u %u)", (unsigned)p, (unsigned)m, (unsigned)x,
                          rng_below(r, PLACES));
  }
  text_add(out, "(<= (can ?p ?m) (true (at ?p ?x)) (way ?p ?m ?x ?y))"
                "(<= (next (at ?p ?y)) (acts ?p ?m) (true (at ?p ?x)) (way ?p ?m ?x ?y))");
}

static inline void add_moves_of_one(text *out, const game_kind *k) {
  text_add(out, "(<= (acts ?p ?m) (does r (go ?p ?m)))"
                "(<= (next (at ?p ?x)) (true (at ?p ?x)) (not (moved ?p)))"
                "(<= (moved ?p) (does r (go ?p ?m)))");
  text_add(out, k->is_guarded ? "(<= (legal r (go 0 ?m)) (can 0 ?m) (true (step 1)))"
                                "(<= (legal r (go 0 ?m)) (can 0 ?m) (true (step 2)))"
                                "(<= (legal r (go ?p ?m)) (can ?p ?m) (distinct ?p 0))"
                              : "(<= (legal r (go ?p ?m)) (can ?p ?m))");
}

static inline void add_moves_in_all(text *out, const game_kind *k) {
  static const char *const names[] = {"?a", "?b", "?c"};
  text move = text_new(out->keep), can = text_new(out->keep);
  for (uint32_t p = 0; p < k->parts; p++) {
    text_add_format(&move, " %s", names[p]);
    text_add_format(&can, " (can %u %s)", (unsigned)p, names[p]);
  }
  text_add_format(out, "(<= (legal r (go%s))%s)", text_string(&move), text_string(&can));
  for (uint32_t p = 0; p < k->parts; p++)
    text_add_format(out, "(<= (acts %u %s) (does r (go%s)))", (unsigned)p, names[p],
                    text_string(&move));
}

static inline void add_clock(text *out, const game_kind *k) {
  if (!k->has_clock && !k->is_guarded) return;
  text_add(out, "(init (step 1)) (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))"
                "(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)");
  if (k->has_clock) text_add(out, "(<= terminal (true (step 6)))");
}

/* Some place of a part, or the same of all parts. */
static inline void add_ends(text *out, rng *r, const game_kind *k) {
  if (rng_below(r, 2)) {
    for (uint32_t p = 0; p < k->parts; p++) {
      text_add(out, "(<= terminal ");
      add_atom(out, p, 1 + rng_below(r, PLACES - 1));
      text_add(out, ")");
    }
    return;
  }
  text_add(out, "(<= terminal ");
  for (uint32_t p = 0; p < k->parts; p++) add_atom(out, p, 1 + rng_below(r, PLACES - 1));
  text_add(out, ")");
}

/* A goal for each way in which the first two parts are in a place or not. */
static inline void add_goals(text *out, rng *r, const game_kind *k) {
  for (uint32_t p = 0; p < 2; p++) {
    text_add_format(out, "(<= good%u ", (unsigned)p);
    add_atom(out, p, 1 + rng_below(r, PLACES - 1));
    text_add(out, ")");
  }
  for (uint32_t way = 0; way < 4; way++) {
    if (k->may_go_wrong && !rng_below(r, 4)) continue;
    text_add_format(out, "(<= (goal r %u) %s %s)", rng_below(r, 5) * 25,
                    way & 1 ? "good0" : "(not good0)", way & 2 ? "good1" : "(not good1)");
  }
}

static inline text random_parts(arena *keep, rng *r, const game_kind *k) {
  text words = text_new(keep);
  text_add(&words, "(role r)");
  add_places(&words, r, k);
  if (k->in_all)
    add_moves_in_all(&words, k);
  else
    add_moves_of_one(&words, k);
  add_clock(&words, k);
  add_ends(&words, r, k);
  add_goals(&words, r, k);
  return words;
}

#endif
