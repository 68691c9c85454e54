#include "buddy/bdd_steps.h"

/* Relations of more nodes are not made one with others. */
enum { JOINED_NODES = 4000 };

static const bdd_question *question_of(const bdd_steps *s) { return s->values->q; }

/* Where all moves of a joint move are legal. */
static BDD where_legal(const bdd_steps *s, BDD set, const uint32_t *joint, uint32_t roles) {
  BDD rest = bdd_held(set);
  for (uint32_t r = 0; r < roles && rest != bddfalse; r++) {
    const BDD next = bdd_where(s->values, rest, question_of(s)->moves[joint[r]].legal);
    bdd_delref(rest);
    rest = next;
  }
  return rest;
}

static BDD bit_now(uint32_t bit) { return bdd_ithvar((int)bit * 2); }
static BDD bit_after(uint32_t bit, bool value) {
  return value ? bdd_ithvar((int)bit * 2 + 1) : bdd_nithvar((int)bit * 2 + 1);
}

/* ---- one step ---- */

/* The states of `set` with the bit as it is after the step. */
static BDD with_bit_after(BDD set, BDD where, uint32_t bit) {
  const BDD is_set = bdd_held(bdd_apply(where, bit_after(bit, true), bddop_and));
  BDD rest = bdd_held(bdd_apply(set, where, bddop_diff));
  rest = bdd_then(rest, bit_after(bit, false), bddop_and);
  rest = bdd_then(rest, is_set, bddop_or);
  bdd_delref(is_set);
  return rest;
}

/* Does the bit stay as it is in all states of the set? */
static bool bit_stays(BDD set, BDD where, uint32_t bit) {
  const BDD now = bdd_held(bdd_apply(set, bit_now(bit), bddop_and));
  const bool stays = now == where;
  bdd_delref(now);
  return stays;
}

/* The relation of a joint move from the states of a set in which it is legal, whose values have
   been worked out; both are held. */
static BDD relate(const bdd_steps *s, BDD legal, BDD *written) {
  BDD relation = bdd_held(legal);
  *written = bdd_held(bddtrue);
  for (uint32_t bit = question_of(s)->bit_count; bit-- > 0;) {
    const BDD where = bdd_where_set(s->values, legal, bit);
    if (!bit_stays(legal, where, bit)) {
      const BDD next = bdd_where_set(s->values, relation, bit);
      const BDD with = with_bit_after(relation, next, bit);
      bdd_delref(relation);
      bdd_delref(next);
      relation = with;
      *written = bdd_then(*written, bit_now(bit), bddop_and);
    }
    bdd_delref(where);
  }
  return relation;
}

/* ---- all ---- */

/* Joins it with a step that writes the same bits. */
static bool join(bdd_steps *s, BDD relation, BDD written) {
  for (uint32_t i = s->all.count; i-- > 0;) {
    bdd_step *other = &s->all.items[i];
    if (other->written != written ||
        bdd_nodecount(other->relation) + bdd_nodecount(relation) > JOINED_NODES)
      continue;
    other->relation = bdd_then(other->relation, relation, bddop_or);
    bdd_delref(relation);
    bdd_delref(written);
    return true;
  }
  return false;
}

static void add_step(bdd_steps *s, BDD legal, const uint32_t *joint) {
  const uint32_t roles = question_of(s)->role_count;
  uint32_t *copy = arena_new_array(s->keep, uint32_t, roles);
  memcpy(copy, joint, roles * sizeof *joint);
  vec_push(s->keep, &s->joints, copy);
  bdd_values_do(s->values, joint);
  BDD written;
  const BDD relation = relate(s, legal, &written);
  if (join(s, relation, written)) return;
  const bdd_step step = {relation, written};
  vec_push(s->keep, &s->all, step);
}

/* Goes through all joint moves whose moves can be legal together. */
static void add_steps(bdd_steps *s, BDD legal, uint32_t *joint, uint32_t role) {
  if (legal == bddfalse) return;
  if (role == question_of(s)->role_count) {
    add_step(s, legal, joint);
    return;
  }
  const bdd_role *r = &question_of(s)->roles[role];
  for (uint32_t m = r->first; m < r->first + r->count; m++) {
    const BDD rest = bdd_where(s->values, legal, question_of(s)->moves[m].legal);
    joint[role] = m;
    add_steps(s, rest, joint, role + 1);
    bdd_delref(rest);
  }
}

void bdd_steps_init(bdd_steps *s, bdd_values *v, arena *keep) {
  *s = (bdd_steps){.values = v, .keep = keep, .now = bdd_newpair()};
  for (uint32_t b = 0; b < v->q->bit_count; b++) bdd_setpair(s->now, (int)b * 2 + 1, (int)b * 2);
  add_steps(s, bddtrue, arena_new_array(keep, uint32_t, v->q->role_count + 1), 0);
}

BDD bdd_steps_make(bdd_steps *s, BDD set) {
  BDD all = bdd_held(bddfalse);
  for (uint32_t i = 0; i < s->all.count; i++) {
    const bdd_step *step = &s->all.items[i];
    const BDD after = bdd_held(bdd_appex(set, step->relation, bddop_and, step->written));
    const BDD named = bdd_held(bdd_replace(after, s->now));
    bdd_delref(after);
    all = bdd_then(all, named, bddop_or);
    bdd_delref(named);
  }
  return all;
}

BDD bdd_steps_back(bdd_steps *s, BDD set, const uint32_t *joint, const uint32_t *state) {
  BDD rest = where_legal(s, set, joint, question_of(s)->role_count);
  if (rest != bddfalse) bdd_values_do(s->values, joint);
  for (uint32_t bit = 0; bit < question_of(s)->bit_count && rest != bddfalse; bit++) {
    const BDD where = bdd_where_set(s->values, rest, bit);
    const BDD next = state[bit] ? bdd_held(where) : bdd_held(bdd_apply(rest, where, bddop_diff));
    bdd_delref(where);
    bdd_delref(rest);
    rest = next;
  }
  return rest;
}
