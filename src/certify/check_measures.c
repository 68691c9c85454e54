#include "certify/check_measures.h"

enum { SUM_BITS = 64 };

/* A number, the lowest bit first. */
typedef struct sum {
  clause_literal bits[SUM_BITS];
} sum;

static clause_literal both(ground_clauses *c, clause_literal a, clause_literal b) {
  if (a == -c->truth || b == -c->truth) return -c->truth;
  if (a == c->truth) return b;
  if (b == c->truth) return a;
  return clauses_all(c, (const clause_literal[]){a, b}, 2);
}

static clause_literal either(ground_clauses *c, clause_literal a, clause_literal b) {
  return -both(c, -a, -b);
}

static clause_literal differ(ground_clauses *c, clause_literal a, clause_literal b) {
  return either(c, both(c, a, -b), both(c, -a, b));
}

static sum nothing(const ground_clauses *c) {
  sum s;
  for (uint32_t i = 0; i < SUM_BITS; i++) s.bits[i] = -c->truth;
  return s;
}

/* Adds the weight if the literal holds, as one adds on paper. */
static void add_weight(ground_clauses *c, sum *s, clause_literal l, uint32_t weight) {
  clause_literal carry = -c->truth;
  for (uint32_t i = 0; i < SUM_BITS; i++) {
    const clause_literal more = i < 32 && weight >> i & 1 ? l : -c->truth;
    const clause_literal half = differ(c, s->bits[i], more);
    const clause_literal next = either(c, both(c, s->bits[i], more), both(c, half, carry));
    s->bits[i] = differ(c, half, carry);
    carry = next;
  }
}

/* What a step from `time` adds to the measure and what it takes away. */
static void sum_up(ground_clauses *c, const checked_measure *m, uint32_t time, sum *gain,
                   sum *loss) {
  *gain = *loss = nothing(c);
  for (uint32_t i = 0; i < m->count; i++) {
    const checked_term t = m->items[i];
    const clause_literal now = c->moments.items[time].fluents[t.fluent];
    const clause_literal then = c->moments.items[time + 1].fluents[t.fluent];
    const clause_literal begins = both(c, -now, then), ceases = both(c, now, -then);
    add_weight(c, gain, t.negated ? ceases : begins, t.weight);
    add_weight(c, loss, t.negated ? begins : ceases, t.weight);
  }
}

clause_literal measure_grows(ground_clauses *c, const checked_measure *m, uint32_t time) {
  sum gain, loss;
  clause_literal grows = -c->truth;
  sum_up(c, m, time, &gain, &loss);
  for (uint32_t i = 0; i < SUM_BITS; i++) {
    const clause_literal more = both(c, gain.bits[i], -loss.bits[i]);
    const clause_literal same = -differ(c, gain.bits[i], loss.bits[i]);
    grows = either(c, more, both(c, same, grows));
  }
  return grows;
}

clause_literal measure_changes(ground_clauses *c, const checked_measure *m, uint32_t time) {
  sum gain, loss;
  clause_literal changes = -c->truth;
  sum_up(c, m, time, &gain, &loss);
  for (uint32_t i = 0; i < SUM_BITS; i++)
    changes = either(c, changes, differ(c, gain.bits[i], loss.bits[i]));
  return changes;
}
