#include "prove/symbolic/weights.h"

#include "base/hash.h"
#include "prove/symbolic/weighted_sums.h"

#include <math.h>
#include <stdlib.h>

enum {
  ROUNDS_MAX = 200,
  STEPS_A_ROUND = 48,
  POSITIONS_MAX = 6,
  SMALL_WEIGHT_MAX = 100,
  MOVES_MAX = 3000,
  WEIGHT_MAX = 1 << 20,
  CONFLICTS_MAX = 100 * 1000
};

static const double NEARLY_NOTHING = 1e-3;

/* What fluents have in common and so share of their weight. */
typedef enum share_kind {
  SHARE_NAME,
  SHARE_ARGUMENT,      /* also what those have that agree in an argument, */
  SHARE_SOME,          /* what those have that agree in certain arguments, and nothing else */
  SHARE_TWO_ARGUMENTS, /* also what those have that agree in two, */
  SHARE_NOTHING        /* and a part of the weight is its own */
} share_kind;

typedef struct share_detail {
  share_kind kind;
  uint32_t positions; /* of SHARE_SOME: of arguments, as bits */
  uint32_t shares;    /* of SHARE_SOME: how many they make */
} share_detail;

/* How often weights are mended before more detail is tried. */
static const uint32_t mends_max[] = {1000, 20 * 1000, 0, 50 * 1000, 200 * 1000};

/* A latch that a step changes, times two, plus one when it ceases to hold. */
typedef uint32_t change;

/* Changes that were seen, up to `end` in weigher.changes. */
typedef struct lesson {
  uint32_t end;
  bool must_lower; /* the sum, which they may not raise in any case */
} lesson;

typedef struct weigher {
  const weights_question *q;
  const circuit *c;
  arena *keep;
  budget *b;
  id_table share_index;
  VEC(uint64_t) share_keys;  /* by share: its hash; two with the same hash are one share */
  VEC(int32_t) shares;       /* by share: its value now */
  VEC(double) exact;         /* of SHARE_SOME in place of it */
  id_vec parts;              /* shares of latches ... */
  id_vec parts_of;           /* ... by latch: where they begin */
  VEC(change) changes;       /* of what was seen, one or k steps ... */
  VEC(lesson) lessons;       /* ... and what they ought to do */
  VEC(share_detail) details; /* in the order in which they are tried */
  uint32_t detail;           /* that is tried */
  uint32_t mends;
  const int64_t *plain; /* by latch: weights to be used in place of the shares; or NULL */
  int64_t *rounded;     /* room for these */
} weigher;

/* ---- shares ---- */

static uint64_t hash_of_share(const void *context, uint32_t id) {
  const weigher *w = context;
  return w->share_keys.items[id];
}

static uint32_t share_of(weigher *w, uint64_t key) {
  id_table_reserve(&w->share_index, w->keep, hash_of_share, w);
  for (uint32_t at = id_table_first(&w->share_index, key);;
       at = id_table_next(&w->share_index, at)) {
    const uint32_t id = w->share_index.slots[at];
    if (id != ID_NONE && w->share_keys.items[id] == key) return id;
    if (id != ID_NONE) continue;
    id_table_put(&w->share_index, at, w->share_keys.count);
    vec_push(w->keep, &w->share_keys, key);
    vec_push(w->keep, &w->shares, 0);
    vec_push(w->keep, &w->exact, 0);
    return w->share_keys.count - 1;
  }
}

static void add_part(weigher *w, uint64_t key) {
  vec_push(w->keep, &w->parts, share_of(w, hash_mix(key)));
}

/* The arguments at the positions. */
static uint64_t key_of_some(const weigher *w, term_id fluent, uint32_t positions) {
  const term *t = term_get(w->c->terms, fluent);
  uint64_t key = hash_add(hash_add(3, t->name), t->arg_count);
  for (uint32_t i = 0; i < t->arg_count && i < POSITIONS_MAX; i++)
    if (positions >> i & 1) key = hash_add(hash_add(key, i), term_arg(w->c->terms, fluent, i));
  return key;
}

static void add_parts(weigher *w, term_id fluent, const share_detail *d) {
  const term_table *terms = w->c->terms;
  const term *t = term_get(terms, fluent);
  const uint64_t name = hash_add(hash_add(1, t->name), t->arg_count);
  const bool has_pairs = d->kind >= SHARE_TWO_ARGUMENTS && t->arg_count <= POSITIONS_MAX;
  add_part(w, d->kind == SHARE_SOME ? key_of_some(w, fluent, d->positions) : name);
  if (d->kind == SHARE_SOME) return;
  if (d->kind == SHARE_NOTHING) add_part(w, hash_add(2, fluent));
  for (uint32_t i = 0; i < t->arg_count && d->kind >= SHARE_ARGUMENT; i++) {
    const uint64_t one = hash_add(hash_add(name, i), term_arg(terms, fluent, i));
    add_part(w, one);
    for (uint32_t k = 0; k < i && has_pairs; k++)
      add_part(w, hash_add(hash_add(one, k), term_arg(terms, fluent, k)));
  }
}

/* Begins anew with all weights 0. */
static void share_weights(weigher *w, uint32_t detail) {
  id_table_clear(&w->share_index);
  w->share_keys.count = w->shares.count = w->exact.count = 0;
  w->parts.count = w->parts_of.count = w->mends = 0;
  w->detail = detail;
  for (uint32_t i = 0; i < w->c->latches.count; i++) {
    const term_id fluent = w->c->fluents.items[w->c->latches.items[i].fluent].term;
    vec_push(w->keep, &w->parts_of, w->parts.count);
    add_parts(w, fluent, &w->details.items[detail]);
  }
  vec_push(w->keep, &w->parts_of, w->parts.count);
}

static int compare_details(const void *left, const void *right) {
  const share_detail *a = left, *b = right;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  if (a->shares != b->shares) return a->shares < b->shares ? -1 : 1;
  return (a->positions > b->positions) - (a->positions < b->positions);
}

static uint32_t most_arguments(const weigher *w) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < w->c->latches.count; i++) {
    const term_id fluent = w->c->fluents.items[w->c->latches.items[i].fluent].term;
    const uint32_t count = term_get(w->c->terms, fluent)->arg_count;
    if (count > most) most = count;
  }
  return most < POSITIONS_MAX ? most : POSITIONS_MAX;
}

/* Fewer shares before more: they are learnt sooner, and are likelier to be so of what was not seen.
 */
static void list_details(weigher *w) {
  static const share_kind others[] = {SHARE_NAME, SHARE_ARGUMENT, SHARE_TWO_ARGUMENTS,
                                      SHARE_NOTHING};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    const share_detail d = {.kind = others[i]};
    vec_push(w->keep, &w->details, d);
  }
  const uint32_t end = 1u << most_arguments(w);
  for (uint32_t positions = 1; positions < end; positions++) {
    share_detail d = {.kind = SHARE_SOME, .positions = positions};
    vec_push(w->keep, &w->details, d);
    share_weights(w, w->details.count - 1);
    vec_last(&w->details).shares = w->shares.count;
  }
  qsort(w->details.items, w->details.count, sizeof *w->details.items, compare_details);
}

static int64_t weight_of(const weigher *w, uint32_t latch) {
  int64_t sum = 0;
  if (w->plain) return w->plain[latch];
  for (uint32_t i = w->parts_of.items[latch]; i < w->parts_of.items[latch + 1]; i++)
    sum += w->shares.items[w->parts.items[i]];
  return sum;
}

/* ---- learning ---- */

/* By how much a step that was seen raises the sum. */
static int64_t rise_of(const weigher *w, uint32_t first, uint32_t end) {
  int64_t rise = 0;
  for (uint32_t i = first; i < end; i++) {
    const change c = w->changes.items[i];
    rise += c & 1 ? -weight_of(w, c >> 1) : weight_of(w, c >> 1);
  }
  return rise;
}

static void mend(weigher *w, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; i++) {
    const change c = w->changes.items[i];
    for (uint32_t k = w->parts_of.items[c >> 1]; k < w->parts_of.items[(c >> 1) + 1]; k++)
      w->shares.items[w->parts.items[k]] += c & 1 ? 1 : -1;
  }
  w->mends++;
}

/* Mends the weights until all that was seen does what it ought to (the perceptron's rule).  False:
   they do not come to rest. */
static bool learn_mixed(weigher *w) {
  for (bool is_calm = false; !is_calm;) {
    is_calm = true;
    for (uint32_t i = 0, first = 0; i < w->lessons.count; first = w->lessons.items[i++].end) {
      const lesson l = w->lessons.items[i];
      if (rise_of(w, first, l.end) <= (l.must_lower ? -1 : 0)) continue;
      if (w->mends == mends_max[w->details.items[w->detail].kind] || budget_is_spent(w->b))
        return false;
      mend(w, first, l.end);
      is_calm = false;
    }
  }
  return true;
}

/* ---- weights that need not be whole ---- */

/* The share of a latch that has no other. */
static double *only_share(weigher *w, change c) {
  return &w->exact.items[w->parts.items[w->parts_of.items[c >> 1]]];
}

/* Puts the weights where what was seen does what it ought to, by the shortest way.  By how much it
   did not. */
static double move_to(weigher *w, uint32_t first, uint32_t end, bool must_lower) {
  double rise = must_lower ? 1 : 0;
  for (uint32_t i = first; i < end; i++) {
    const change c = w->changes.items[i];
    rise += c & 1 ? -*only_share(w, c) : *only_share(w, c);
  }
  if (rise <= 0) return 0;
  for (uint32_t i = first; i < end; i++) {
    const change c = w->changes.items[i];
    *only_share(w, c) += (c & 1 ? rise : -rise) / (end - first);
  }
  return rise;
}

/* Two steps that undo each other may both leave the sum as it is, and nothing else: so weights are
   no whole numbers here until they have come to rest. */
static bool learn_some(weigher *w) {
  for (uint32_t round = 0; round < MOVES_MAX && !budget_is_spent(w->b); round++) {
    double worst = 0;
    for (uint32_t i = 0, first = 0; i < w->lessons.count; first = w->lessons.items[i++].end)
      worst =
          fmax(worst, move_to(w, first, w->lessons.items[i].end, w->lessons.items[i].must_lower));
    if (worst < NEARLY_NOTHING) return true;
  }
  return false;
}

/* ---- simpler weights ---- */

static double exact_weight(const weigher *w, uint32_t latch) {
  const bool has_some = w->details.items[w->detail].kind == SHARE_SOME;
  if (has_some) return w->exact.items[w->parts.items[w->parts_of.items[latch]]];
  return (double)weight_of(w, latch);
}

static double largest_weight(const weigher *w) {
  double largest = 0;
  for (uint32_t i = 0; i < w->c->latches.count; i++)
    largest = fmax(largest, fabs(exact_weight(w, i)));
  return largest;
}

static bool fits_lessons(const weigher *w) {
  for (uint32_t i = 0, first = 0; i < w->lessons.count; first = w->lessons.items[i++].end) {
    const lesson l = w->lessons.items[i];
    if (rise_of(w, first, l.end) > (l.must_lower ? -1 : 0)) return false;
  }
  return true;
}

/* The smallest whole numbers in about the same proportion that do what was learnt: they are likelier
   to do so of what was not seen, and easier to add up.  False: weights are needed, and there are
   none so small. */
static bool make_small(weigher *w) {
  const bool has_some = w->details.items[w->detail].kind == SHARE_SOME;
  const double largest = largest_weight(w);
  for (uint32_t size = 0; size <= SMALL_WEIGHT_MAX; size++) {
    w->plain = NULL;
    for (uint32_t i = 0; i < w->c->latches.count; i++)
      w->rounded[i] = largest > 0 ? llround(exact_weight(w, i) * size / largest) : 0;
    w->plain = w->rounded;
    if (fits_lessons(w)) return true;
  }
  w->plain = NULL;
  return !has_some;
}

static bool learn(weigher *w) {
  const bool has_some = w->details.items[w->detail].kind == SHARE_SOME;
  return (has_some ? learn_some : learn_mixed)(w) && make_small(w);
}

/* ---- asking ---- */

typedef struct inquiry {
  unrolling *u;
  uint32_t steps;
  sat_literal *begins, *ceases; /* by latch: it does in this step */
  weighted_vec gains, losses;
} inquiry;

static sat_literal both(unrolling *u, sat_literal a, sat_literal b) {
  return -unroll_any(u, (const sat_literal[]){-a, -b}, 2);
}

static bool ask_latch(weigher *w, inquiry *q, uint32_t latch, arena *scratch) {
  const wire now = wire_of(w->c->latches.items[latch].gate, false);
  const sat_literal before = unroll_wire(q->u, now, 0), after = unroll_wire(q->u, now, q->steps);
  const int64_t weight = weight_of(w, latch);
  if (weight > WEIGHT_MAX || weight < -WEIGHT_MAX) return false;
  const weighted_literal begins = {both(q->u, -before, after), (uint32_t)llabs(weight)};
  const weighted_literal ceases = {both(q->u, before, -after), (uint32_t)llabs(weight)};
  q->begins[latch] = begins.literal;
  q->ceases[latch] = ceases.literal;
  if (weight) vec_push(scratch, weight > 0 ? &q->gains : &q->losses, begins);
  if (weight) vec_push(scratch, weight > 0 ? &q->losses : &q->gains, ceases);
  return true;
}

/* So many steps that do not lower the sum; or, if they need not, that raise it. */
static bool begin_inquiry(weigher *w, inquiry *q, uint32_t steps, bool must_lower, arena *scratch) {
  *q = (inquiry){.u = unroll_new(w->c, false, w->b),
                 .steps = steps,
                 .begins = arena_new_array(scratch, sat_literal, w->c->latches.count + 1),
                 .ceases = arena_new_array(scratch, sat_literal, w->c->latches.count + 1)};
  for (uint32_t time = 0; time < steps; time++) w->q->require(w->q->context, q->u, time);
  bool ok = true;
  for (uint32_t i = 0; i < w->c->latches.count && ok; i++) ok = ask_latch(w, q, i, scratch);
  sat_solver *s = unroll_solver(q->u);
  if (ok && must_lower && w->q->may_rest) sat_add_1(s, -w->q->may_rest(w->q->context, q->u));
  if (ok && must_lower) sat_add_1(s, sum_is_at_least(s, &q->gains, &q->losses, scratch));
  if (ok && !must_lower) sat_add_1(s, -sum_is_at_least(s, &q->losses, &q->gains, scratch));
  return ok && !budget_check_now(w->b);
}

/* Takes the changes that the solver found, and asks for others.  False: there are none, so that no
   weights can help. */
static bool take_changes(weigher *w, const inquiry *q, bool must_lower, arena *scratch) {
  sat_solver *s = unroll_solver(q->u);
  VEC(sat_literal) clause = {0};
  for (uint32_t i = 0; i < w->c->latches.count; i++) {
    const bool begins = sat_value(s, q->begins[i]), ceases = sat_value(s, q->ceases[i]);
    if (!begins && !ceases) continue;
    vec_push(w->keep, &w->changes, i << 1 | ceases);
    vec_push(scratch, &clause, begins ? -q->begins[i] : -q->ceases[i]);
  }
  const lesson l = {w->changes.count, must_lower};
  vec_push(w->keep, &w->lessons, l);
  sat_add(s, clause.items, clause.count);
  return clause.count;
}

typedef enum round_end { ALL_LOWER_IT, SOME_DO_NOT, NO_USE } round_end;

static round_end ask_about(weigher *w, uint32_t steps, bool must_lower) {
  arena *scratch = arena_new();
  inquiry q;
  round_end end = begin_inquiry(w, &q, steps, must_lower, scratch) ? SOME_DO_NOT : NO_USE;
  for (uint32_t i = 0; i < STEPS_A_ROUND && end == SOME_DO_NOT; i++) {
    const sat_answer answer = sat_solve(unroll_solver(q.u), NULL, 0, CONFLICTS_MAX);
    if (answer == SAT_YES && take_changes(w, &q, must_lower, scratch)) continue;
    if (answer == SAT_NO && i) break;
    end = answer == SAT_NO && !budget_check_now(w->b) ? ALL_LOWER_IT : NO_USE;
  }
  unroll_free(q.u);
  arena_free(scratch);
  return end;
}

static round_end ask_round(weigher *w) {
  const bool is_each_lowered = w->q->steps == 1 && !w->q->may_rest;
  const round_end one = is_each_lowered ? ALL_LOWER_IT : ask_about(w, 1, false);
  return one == ALL_LOWER_IT ? ask_about(w, w->q->steps, true) : one;
}

/* Weights are learnt in steps of any size.  If the same, in larger units and rounded, will do, then
   the sum can fall less often.  The largest unit is tried first. */
static void simplify(weigher *w) {
  int64_t *rounded = w->rounded;
  for (int64_t unit = (int64_t)largest_weight(w); unit > 1 && !w->plain && !budget_check_now(w->b);
       unit--) {
    for (uint32_t i = 0; i < w->c->latches.count; i++)
      rounded[i] = llround((double)weight_of(w, i) / (double)unit);
    w->plain = rounded;
    w->lessons.count = w->changes.count = 0;
    if (ask_round(w) != ALL_LOWER_IT) w->plain = NULL;
  }
}

/* ---- the measure ---- */

static void write_measure(const weigher *w, measure_list *out) {
  uint64_t range = 0;
  for (uint32_t i = 0; i < w->c->latches.count; i++) range += (uint64_t)llabs(weight_of(w, i));
  measure_begin(out, w->q->level, range);
  for (uint32_t i = 0; i < w->c->latches.count; i++) {
    const uint32_t fluent = w->c->latches.items[i].fluent;
    const bool negated = wire_is_negated(w->c->fluents.items[fluent].now);
    measure_add(out, fluent << 1 | negated, weight_of(w, i));
  }
}

bool weights_find(measure_list *out, const weights_question *q, budget *b) {
  weigher w = {.q = q, .c = q->c, .keep = arena_new(), .b = b};
  round_end end = SOME_DO_NOT;
  w.rounded = arena_new_array(w.keep, int64_t, w.c->latches.count + 1);
  list_details(&w);
  share_weights(&w, 0);
  for (uint32_t i = 0; i < ROUNDS_MAX && end == SOME_DO_NOT && !budget_check_now(b); i++) {
    w.plain = NULL;
    if (learn(&w))
      end = ask_round(&w);
    else if (w.detail + 1 < w.details.count)
      share_weights(&w, w.detail + 1);
    else
      end = NO_USE;
  }
  if (end == ALL_LOWER_IT) {
    simplify(&w);
    write_measure(&w, out);
  }
  arena_free(w.keep);
  return end == ALL_LOWER_IT;
}
