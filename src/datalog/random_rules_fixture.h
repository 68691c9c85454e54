/* Random rulesheets without game words: small, safe, stratified, with finitely many facts.

   e0 .. e2 are facts.  p0 .. p7 are defined by rules in four layers of two: a relation may use its
   own layer and those below, negated only those below.  Terms grow only from layer to layer. */
#ifndef TABIA_DATALOG_RANDOM_RULES_FIXTURE_H
#define TABIA_DATALOG_RANDOM_RULES_FIXTURE_H

#include "base/rng.h"
#include "base/text.h"

enum {
  RANDOM_FACT_RELATIONS = 3,
  RANDOM_RELATIONS = 8,
  RANDOM_VARIABLES = 5,
  RANDOM_CONSTANTS = 4
};

typedef struct random_rules {
  rng *r;
  text *out;
  uint32_t used; /* variables in the positive literals of the rule at hand, one bit each */
  bool may_grow; /* its head may have larger terms than its body */
} random_rules;

static inline bool happens(random_rules *x, uint32_t percent) {
  return rng_below(x->r, 100) < percent;
}

static inline void add_constant(random_rules *x) {
  text_add_format(x->out, "c%u", rng_below(x->r, RANDOM_CONSTANTS));
}

/* A variable that binds: any of the few. */
static inline void add_new_variable(random_rules *x) {
  const uint32_t v = rng_below(x->r, RANDOM_VARIABLES);
  x->used |= 1u << v;
  text_add_format(x->out, "?x%u", v);
}

static inline void add_used_variable(random_rules *x) {
  uint32_t v = rng_below(x->r, RANDOM_VARIABLES);
  while (!(x->used >> v & 1)) v = (v + 1) % RANDOM_VARIABLES;
  text_add_format(x->out, "?x%u", v);
}

static inline void add_binding_argument(random_rules *x) {
  const bool nests = happens(x, 8);
  if (nests) text_add(x->out, "(f ");
  if (happens(x, 15))
    add_constant(x);
  else
    add_new_variable(x);
  if (nests) text_add_char(x->out, ')');
}

static inline void add_bound_argument(random_rules *x) {
  const bool nests = x->may_grow && happens(x, 10);
  if (nests) text_add(x->out, "(f ");
  if (!x->used || happens(x, 15))
    add_constant(x);
  else
    add_used_variable(x);
  if (nests) text_add_char(x->out, ')');
}

static inline void add_atom(random_rules *x, const char *letter, uint32_t number, uint32_t arity,
                            void (*add_argument)(random_rules *)) {
  text_add_format(x->out, arity ? "(%s%u" : "%s%u", letter, number);
  for (uint32_t i = 0; i < arity; i++) {
    text_add_char(x->out, ' ');
    add_argument(x);
  }
  if (arity) text_add_char(x->out, ')');
}

static inline uint32_t fact_arity(uint32_t number) { return number == 0 ? 1 : number == 1 ? 2 : 3; }
static inline uint32_t rule_arity(uint32_t number) { return number % 8 == 7 ? 0 : 1 + number % 3; }

static inline void add_positive(random_rules *x, uint32_t relations_below) {
  const uint32_t any = rng_below(x->r, RANDOM_FACT_RELATIONS + relations_below);
  if (any < RANDOM_FACT_RELATIONS)
    add_atom(x, "e", any, fact_arity(any), add_binding_argument);
  else
    add_atom(x, "p", any - RANDOM_FACT_RELATIONS, rule_arity(any - RANDOM_FACT_RELATIONS),
             add_binding_argument);
}

static inline void add_negative(random_rules *x, uint32_t relations_below) {
  text_add(x->out, "(not ");
  if (!relations_below || happens(x, 30)) {
    add_atom(x, "e", 1, fact_arity(1), add_bound_argument);
  } else {
    const uint32_t number = rng_below(x->r, relations_below);
    add_atom(x, "p", number, rule_arity(number), add_bound_argument);
  }
  text_add_char(x->out, ')');
}

static inline void add_distinct(random_rules *x) {
  text_add(x->out, "(distinct ");
  add_bound_argument(x);
  text_add_char(x->out, ' ');
  add_bound_argument(x);
  text_add_char(x->out, ')');
}

/* The body comes first in time, so that the head's variables are known. */
static inline void add_random_rule(random_rules *x, uint32_t number, arena *keep) {
  const uint32_t below = number / 2 * 2;
  text *whole = x->out;
  text body = text_new(keep);
  x->out = &body;
  x->used = 0;
  x->may_grow = false;
  const bool is_flat = happens(x, 50);
  for (uint32_t i = 0, count = 1 + rng_below(x->r, 4); i < count; i++) {
    text_add_char(x->out, ' ');
    add_positive(x, is_flat ? below : below + 2);
  }
  for (uint32_t i = 0, count = rng_below(x->r, 4); i < count; i++) {
    text_add_char(x->out, ' ');
    if (happens(x, 60))
      add_negative(x, below);
    else
      add_distinct(x);
  }
  x->out = whole;
  text_add(x->out, "(<= ");
  x->may_grow = is_flat;
  add_atom(x, "p", number, rule_arity(number), add_bound_argument);
  text_add_format(x->out, "%s)\n", text_string(&body));
}

static inline const char *random_rules_text(rng *r, arena *keep) {
  text out = text_new(keep);
  random_rules x = {.r = r, .out = &out, .may_grow = true};
  for (uint32_t i = 0; i < RANDOM_FACT_RELATIONS; i++)
    for (uint32_t k = 0, count = 2 + rng_below(r, 5); k < count; k++) {
      add_atom(&x, "e", i, fact_arity(i), add_bound_argument);
      text_add_char(&out, '\n');
    }
  for (uint32_t i = 0, count = 4 + rng_below(r, 10); i < count; i++)
    add_random_rule(&x, rng_below(r, RANDOM_RELATIONS), keep);
  return text_string(&out);
}

/* What the results read: keyword relations ask for random facts in random ways. */
static inline void add_questions(rng *r, text *words) {
  for (uint32_t i = 0, count = 1 + rng_below(r, 3); i < count; i++) {
    random_rules x = {.r = r, .out = words};
    const uint32_t number = rng_below(r, RANDOM_RELATIONS);
    text body = text_new(words->keep);
    x.out = &body;
    add_atom(&x, "e", i % 3, fact_arity(i % 3), add_binding_argument);
    text_add_char(&body, ' ');
    add_atom(&x, "p", number, rule_arity(number), add_binding_argument);
    text_add_char(&body, ' ');
    add_negative(&x, RANDOM_RELATIONS);
    x.out = words;
    text_add(words, "(<= (next ");
    add_atom(&x, "g", i, 2, add_bound_argument);
    text_add_format(words, ") %s)\n", text_string(&body));
  }
}

/* Random rules, and what asks for their facts. */
static inline const char *random_questions(rng *r, arena *keep) {
  text words = text_new(keep);
  text_add(&words, random_rules_text(r, keep));
  add_questions(r, &words);
  return text_string(&words);
}

#endif
