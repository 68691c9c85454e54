#include "prove/symbolic/pdr.h"

#include "prove/symbolic/pdr_lift.h"

#include <string.h>

/* How often in a row literals are tried in vain before a cube is taken as it is. */
enum { DROP_FAILURES_MAX = 12 };

/* A literal of a cube: a latch, times two, plus one when it is false.  Ascending. */
typedef id_vec cube;

typedef VEC(cube) cube_vec;

typedef struct frame {
  cube_vec cubes;              /* excluded here and in all frames before, but not in the next */
  sat_literal in_step, in_bad; /* hold when the clauses of this frame do */
} frame;

/* A cube that must be excluded, for the target can be reached from it. */
typedef struct obligation {
  cube cube;
  uint32_t level;
  uint32_t next;   /* the obligation that a step leads to; ID_NONE: it meets the target */
  uint32_t *joint; /* the step */
} obligation;

typedef struct pdr {
  const circuit *c;
  wire target;
  arena *keep;
  budget *b;
  unrolling *step; /* a state, a step, and the next state */
  unrolling *bad;  /* a state alone */
  sat_literal bad_target;
  VEC(frame) frames; /* frame 0 is the initial state */
  VEC(obligation) obligations;
  lifter lift;
  bool *state;              /* by latch; scratch */
  uint32_t *joint;          /* by role; scratch */
  VEC(sat_literal) assumed; /* scratch */
  uint32_t reached;         /* the obligation that the initial state is in; ID_NONE: none */
  const char *trouble;
} pdr;

static uint32_t top(const pdr *p) { return p->frames.count - 1; }
static bool is_over(pdr *p) { return p->trouble || budget_check_now(p->b); }

/* ---- literals ---- */

static sat_literal latch_literal(unrolling *u, const pdr *p, uint32_t literal, uint32_t time) {
  const wire w = wire_of(p->c->latches.items[literal >> 1].gate, literal & 1);
  return unroll_wire(u, w, time);
}

static bool is_initial(const pdr *p, uint32_t literal) {
  return p->c->latches.items[literal >> 1].initially == !(literal & 1);
}

static bool meets_start(const pdr *p, const cube *q) {
  for (uint32_t i = 0; i < q->count; i++)
    if (!is_initial(p, q->items[i])) return false;
  return true;
}

/* ---- frames ---- */

static void add_clause(unrolling *u, pdr *p, const cube *q, sat_literal guard) {
  p->assumed.count = 0;
  vec_push(p->keep, &p->assumed, -guard);
  for (uint32_t i = 0; i < q->count; i++)
    vec_push(p->keep, &p->assumed, -latch_literal(u, p, q->items[i], 0));
  sat_add(unroll_solver(u), p->assumed.items, p->assumed.count);
}

static void open_frame(pdr *p) {
  const frame f = {.in_step = sat_variable(unroll_solver(p->step)),
                   .in_bad = sat_variable(unroll_solver(p->bad))};
  vec_push(p->keep, &p->frames, f);
}

/* Frame 0: each latch as it is at the start. */
static void open_start(pdr *p) {
  open_frame(p);
  for (uint32_t i = 0; i < p->c->latches.count; i++) {
    const uint32_t wrong = i << 1 | p->c->latches.items[i].initially;
    const cube q = {.items = (uint32_t[]){wrong}, .count = 1};
    add_clause(p->step, p, &q, p->frames.items[0].in_step);
    add_clause(p->bad, p, &q, p->frames.items[0].in_bad);
  }
}

static bool subsumes(const cube *small, const cube *large) {
  uint32_t k = 0;
  for (uint32_t i = 0; i < small->count; i++) {
    while (k < large->count && large->items[k] < small->items[i]) k++;
    if (k == large->count || large->items[k] != small->items[i]) return false;
  }
  return true;
}

static void drop_subsumed(pdr *p, const cube *q, uint32_t level) {
  for (uint32_t i = 1; i <= level; i++) {
    cube_vec *cubes = &p->frames.items[i].cubes;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < cubes->count; k++)
      if (!subsumes(q, &cubes->items[k])) cubes->items[kept++] = cubes->items[k];
    cubes->count = kept;
  }
}

static void exclude(pdr *p, const cube *q, uint32_t level) {
  cube copy = {0};
  vec_append(p->keep, &copy, q->items, q->count);
  drop_subsumed(p, q, level);
  vec_push(p->keep, &p->frames.items[level].cubes, copy);
  add_clause(p->step, p, q, p->frames.items[level].in_step);
  add_clause(p->bad, p, q, p->frames.items[level].in_bad);
}

/* Assumes all clauses that hold in a frame. */
static void assume_frame(pdr *p, uint32_t level, bool in_step) {
  p->assumed.count = 0;
  for (uint32_t i = level; i <= top(p); i++)
    vec_push(p->keep, &p->assumed,
             in_step ? p->frames.items[i].in_step : p->frames.items[i].in_bad);
}

/* ---- questions ---- */

/* Does a step lead from frame `level`, outside of the cube, into it?  If not, `core` is a part of
   the cube for which that is true, too (but which may meet the start). */
static sat_answer leads_into(pdr *p, const cube *q, uint32_t level, cube *core) {
  sat_solver *s = unroll_solver(p->step);
  const sat_literal outside = sat_variable(s);
  add_clause(p->step, p, q, outside);
  assume_frame(p, level, true);
  vec_push(p->keep, &p->assumed, outside);
  const uint32_t first = p->assumed.count;
  for (uint32_t i = 0; i < q->count; i++)
    vec_push(p->keep, &p->assumed, latch_literal(p->step, p, q->items[i], 1));
  const sat_answer answer = sat_solve(s, p->assumed.items, p->assumed.count, 0);
  core->count = 0;
  for (uint32_t i = 0; answer == SAT_NO && i < q->count; i++)
    if (sat_was_used(s, p->assumed.items[first + i])) vec_push(p->keep, core, q->items[i]);
  if (answer != SAT_YES) sat_add_1(s, -outside);
  return answer;
}

/* Adds a literal of the whole cube that the start does not have, if none is there. */
static void keep_off_start(pdr *p, const cube *whole, cube *part) {
  if (!meets_start(p, part)) return;
  for (uint32_t i = 0; i < whole->count; i++) {
    if (is_initial(p, whole->items[i])) continue;
    uint32_t at = part->count;
    vec_push(p->keep, part, whole->items[i]);
    for (; at > 0 && part->items[at - 1] > whole->items[i]; at--)
      part->items[at] = part->items[at - 1];
    part->items[at] = whole->items[i];
    return;
  }
}

static void cube_copy(pdr *p, cube *to, const cube *from) {
  to->count = 0;
  vec_append(p->keep, to, from->items, from->count);
}

/* Drops literals one by one as long as the rest stays excluded. */
static void generalise(pdr *p, cube *q, uint32_t level) {
  cube smaller = {0}, core = {0};
  uint32_t failures = 0;
  for (uint32_t i = 0; i < q->count && q->count > 1 && failures < DROP_FAILURES_MAX;) {
    if (is_over(p)) return;
    smaller.count = 0;
    for (uint32_t k = 0; k < q->count; k++)
      if (k != i) vec_push(p->keep, &smaller, q->items[k]);
    if (!meets_start(p, &smaller) && leads_into(p, &smaller, level, &core) == SAT_NO) {
      keep_off_start(p, &smaller, &core);
      cube_copy(p, q, &core);
      failures = 0;
      i = 0;
    } else {
      failures++;
      i++;
    }
  }
}

/* ---- states from models ---- */

static void read_state(pdr *p, unrolling *u) {
  for (uint32_t i = 0; i < p->c->latches.count; i++)
    p->state[i] = sat_value(unroll_solver(u), latch_literal(u, p, i << 1, 0));
}

static void read_joint(pdr *p) {
  for (uint32_t role = 0; role < p->c->roles.count; role++) {
    const circuit_role *r = &p->c->roles.items[role];
    p->joint[role] = r->first_move;
    for (uint32_t i = r->first_move; i < r->first_move + r->move_count; i++)
      if (sat_value(unroll_solver(p->step), unroll_wire(p->step, p->c->moves.items[i].does, 0)))
        p->joint[role] = i;
  }
}

static void read_cube(pdr *p, cube *q) {
  q->count = 0;
  for (uint32_t i = 0; i < p->c->latches.count; i++)
    if (lifter_needs(&p->lift, i)) vec_push(p->keep, q, i << 1 | !p->state[i]);
}

/* A part of the model's state from which the step leads into the cube.  False: it does not, for
   recursive rules have more models than the one that counts. */
static bool lift_predecessor(pdr *p, const cube *into, cube *q) {
  const circuit *c = p->c;
  read_state(p, p->step);
  read_joint(p);
  lifter_evaluate(&p->lift, p->state, p->joint);
  bool agrees = !lifter_value(&p->lift, c->terminal);
  for (uint32_t role = 0; role < c->roles.count; role++)
    agrees &= lifter_value(&p->lift, c->moves.items[p->joint[role]].legal);
  for (uint32_t i = 0; i < into->count; i++)
    agrees &=
        lifter_value(&p->lift, c->latches.items[into->items[i] >> 1].next) == !(into->items[i] & 1);
  if (!agrees) return false;
  lifter_justify(&p->lift, c->terminal);
  for (uint32_t role = 0; role < c->roles.count; role++)
    lifter_justify(&p->lift, c->moves.items[p->joint[role]].legal);
  for (uint32_t i = 0; i < into->count; i++)
    lifter_justify(&p->lift, c->latches.items[into->items[i] >> 1].next);
  read_cube(p, q);
  return true;
}

static bool lift_target(pdr *p, cube *q) {
  read_state(p, p->bad);
  lifter_evaluate(&p->lift, p->state, NULL);
  if (!lifter_value(&p->lift, p->target)) return false;
  lifter_justify(&p->lift, p->target);
  read_cube(p, q);
  return true;
}

/* ---- obligations ---- */

static uint32_t add_obligation(pdr *p, const cube *q, uint32_t level, uint32_t next) {
  obligation o = {.level = level,
                  .next = next,
                  .joint = arena_new_array(p->keep, uint32_t, p->c->roles.count + 1)};
  cube_copy(p, &o.cube, q);
  if (next != ID_NONE) memcpy(o.joint, p->joint, p->c->roles.count * sizeof *o.joint);
  vec_push(p->keep, &p->obligations, o);
  if (meets_start(p, q)) p->reached = p->obligations.count - 1;
  return p->obligations.count - 1;
}

/* Excludes the cube from its level on, as far as it goes. */
static void exclude_obligation(pdr *p, obligation *o, const cube *core) {
  cube q = {0};
  cube_copy(p, &q, core);
  keep_off_start(p, &o->cube, &q);
  generalise(p, &q, o->level - 1);
  uint32_t level = o->level;
  cube unused = {0};
  while (level < top(p) && !is_over(p) && leads_into(p, &q, level, &unused) == SAT_NO) level++;
  exclude(p, &q, level);
  o->level = level + 1;
}

/* The open obligation with the lowest level; ID_NONE: all are beyond the last frame. */
static uint32_t lowest(const pdr *p) {
  uint32_t best = ID_NONE;
  for (uint32_t i = p->obligations.count; i-- > 0;)
    if (p->obligations.items[i].level <= top(p) &&
        (best == ID_NONE || p->obligations.items[i].level < p->obligations.items[best].level))
      best = i;
  return best;
}

/* Works on obligations until all are met.  False: the start is among them, or it is over. */
static bool meet_obligations(pdr *p) {
  cube core = {0}, before = {0};
  for (uint32_t at; p->reached == ID_NONE && (at = lowest(p)) != ID_NONE;) {
    if (is_over(p)) return false;
    obligation *o = &p->obligations.items[at];
    const sat_answer answer = leads_into(p, &o->cube, o->level - 1, &core);
    if (answer == SAT_UNKNOWN) return false;
    if (answer == SAT_NO) {
      exclude_obligation(p, o, &core);
      continue;
    }
    if (!lift_predecessor(p, &o->cube, &before)) {
      p->trouble = "recursive rules stand in its way";
      return false;
    }
    if (o->level == 1 && !meets_start(p, &before)) p->trouble = "a state was misread";
    add_obligation(p, &before, o->level - 1, at);
  }
  return p->reached == ID_NONE;
}

/* Excludes the target from the last frame.  False: it is reached, or it is over. */
static bool clear_target(pdr *p) {
  cube q = {0};
  for (;;) {
    if (is_over(p)) return false;
    assume_frame(p, top(p), false);
    vec_push(p->keep, &p->assumed, p->bad_target);
    const sat_answer answer =
        sat_solve(unroll_solver(p->bad), p->assumed.items, p->assumed.count, 0);
    if (answer != SAT_YES) return answer == SAT_NO;
    if (!lift_target(p, &q)) {
      p->trouble = "recursive rules stand in its way";
      return false;
    }
    p->obligations.count = 0;
    add_obligation(p, &q, top(p), ID_NONE);
    if (!meet_obligations(p)) return false;
  }
}

/* Moves clauses on to the next frame where they hold as well.  True: a frame has become equal to
   the next. */
static bool carry_forward(pdr *p, uint32_t *fixed) {
  cube unused = {0};
  for (uint32_t level = 1; level < top(p); level++) {
    cube_vec old = p->frames.items[level].cubes;
    p->frames.items[level].cubes = (cube_vec){0};
    cube_vec stay = {0};
    for (uint32_t i = 0; i < old.count; i++) {
      if (!is_over(p) && leads_into(p, &old.items[i], level, &unused) == SAT_NO)
        exclude(p, &old.items[i], level + 1);
      else
        vec_push(p->keep, &stay, old.items[i]);
    }
    p->frames.items[level].cubes = stay;
    *fixed = level;
    if (!stay.count && !is_over(p)) return true;
  }
  return false;
}

/* ---- results ---- */

static uint32_t member_of(const pdr *p, uint32_t literal) {
  const circuit_latch *latch = &p->c->latches.items[literal >> 1];
  const wire now = p->c->fluents.items[latch->fluent].now;
  return latch->fluent << 1 | (wire_is_negated(now) ^ (literal & 1));
}

/* The clauses of all frames behind `level`. */
static void take_clauses(pdr *p, uint32_t level, fact_set *out) {
  id_vec members = {0};
  for (uint32_t i = level + 1; i <= top(p); i++)
    for (uint32_t k = 0; k < p->frames.items[i].cubes.count; k++) {
      const cube *q = &p->frames.items[i].cubes.items[k];
      members.count = 0;
      for (uint32_t n = 0; n < q->count; n++)
        vec_push(p->keep, &members, member_of(p, q->items[n] ^ 1));
      fact_add(out, FACT_AT_LEAST_ONE, members.items, members.count);
    }
}

static void take_line(pdr *p, id_vec *line, arena *keep) {
  for (uint32_t at = p->reached; p->obligations.items[at].next != ID_NONE;) {
    const obligation *o = &p->obligations.items[at];
    vec_append(keep, line, o->joint, p->c->roles.count);
    at = o->next;
  }
}

static void pdr_init(pdr *p, const circuit *c, wire target, const fact_set *facts, budget *b) {
  *p = (pdr){.c = c,
             .target = target,
             .keep = arena_new(),
             .b = b,
             .reached = ID_NONE,
             .step = unroll_new(c, false, b),
             .bad = unroll_new(c, false, b)};
  budget_watch(b, p->keep);
  lifter_init(&p->lift, c, p->keep);
  p->state = arena_zero_array(p->keep, bool, c->latches.count + 1);
  p->joint = arena_zero_array(p->keep, uint32_t, c->roles.count + 1);
  unroll_require_step(p->step, 0);
  p->bad_target = unroll_wire(p->bad, target, 0);
  for (uint32_t i = 0; facts && i < facts->all.count; i++) {
    fact_require(facts, c, &facts->all.items[i], p->step, 0, 0);
    fact_require(facts, c, &facts->all.items[i], p->bad, 0, 0);
  }
  open_start(p);
}

static void search(pdr *p, pdr_result *r) {
  for (;;) {
    uint32_t fixed;
    if (!clear_target(p)) break;
    open_frame(p);
    if (!carry_forward(p, &fixed)) continue;
    r->answer = PDR_NEVER;
    take_clauses(p, fixed, &r->clauses);
    return;
  }
  if (p->reached != ID_NONE && !p->trouble) r->answer = PDR_REACHED;
}

void pdr_run(pdr_result *r, const circuit *c, wire target, const fact_set *facts, arena *keep,
             budget *b) {
  pdr p;
  *r = (pdr_result){.clauses = {.keep = keep}};
  pdr_init(&p, c, target, facts, b);
  search(&p, r);
  r->frames = top(&p);
  r->reason = p.trouble;
  if (r->answer == PDR_REACHED) take_line(&p, &r->line, keep);
  budget_unwatch(b, p.keep);
  unroll_free(p.step);
  unroll_free(p.bad);
  arena_free(p.keep);
}
