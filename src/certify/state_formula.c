#include "certify/state_formula.h"

#include "certify/grammar.h"

/* ---- reading ---- */

typedef struct formula_reader {
  state_formula *out;
  const game_names *names;
  const tree *t;
  arena *keep;
  node_id unknown;
} formula_reader;

static bool add_step(formula_reader *r, state_op op, uint32_t number) {
  const struct state_step s = {op, number};
  vec_push(r->keep, &r->out->steps, s);
  return true;
}

static bool read_formula(formula_reader *r, node_id n);

static bool read_operands(formula_reader *r, node_id list, state_op op) {
  uint32_t count = 0;
  node_id n = node_after(r->t, node_first(list));
  for (; n != node_after(r->t, list); n = node_after(r->t, n), count++)
    if (!read_formula(r, n)) return false;
  return add_step(r, op, count);
}

/* What is no fluent of the ground game, but written in its rules, never holds. */
static bool read_fluent(formula_reader *r, node_id n) {
  const uint32_t fluent = names_fluent(r->names, r->t, n, r->keep);
  if (fluent != ID_NONE) return add_step(r, STATE_FLUENT, fluent);
  if (names_is_written(r->names, r->t, n)) return add_step(r, STATE_OR, 0);
  r->unknown = n;
  return false;
}

static bool read_distinct(formula_reader *r, node_id list) {
  const node_id first = node_after(r->t, node_first(list));
  text a = text_new(r->keep), b = text_new(r->keep);
  node_key(r->t, first, &a);
  node_key(r->t, node_after(r->t, first), &b);
  const bool differ = a.length != b.length || memcmp(a.bytes, b.bytes, a.length) != 0;
  return add_step(r, differ ? STATE_AND : STATE_OR, 0);
}

/* The grammar bounds how deep it is. */
static bool read_formula(formula_reader *r, node_id n) {
  if (node_is_list_of(r->t, n, "and") || node_is_list_of(r->t, n, "true"))
    return read_operands(r, n, STATE_AND);
  if (node_is_list_of(r->t, n, "or")) return read_operands(r, n, STATE_OR);
  if (node_is_list_of(r->t, n, "not")) return read_operands(r, n, STATE_NOT);
  return node_is_list_of(r->t, n, "distinct") ? read_distinct(r, n) : read_fluent(r, n);
}

bool state_formula_read(state_formula *f, const game_names *names, const tree *t, node_id n,
                        arena *keep, node_id *unknown) {
  formula_reader r = {f, names, t, keep, ID_NONE};
  *f = (state_formula){0};
  const bool ok = read_formula(&r, n);
  *unknown = r.unknown;
  return ok;
}

/* ---- values ---- */

static bool joined(state_op op, const bool *operands, uint32_t count) {
  bool all = true, any = false;
  for (uint32_t i = 0; i < count; i++) {
    all &= operands[i];
    any |= operands[i];
  }
  return op == STATE_AND ? all : op == STATE_OR ? any : !any;
}

bool state_formula_holds(const state_formula *f, const bool *fluents, arena *scratch) {
  const arena_mark mark = arena_save(scratch);
  bool *stack = arena_new_array(scratch, bool, f->steps.count + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->steps.count; i++) {
    const struct state_step s = f->steps.items[i];
    if (s.op != STATE_FLUENT) count -= s.number;
    stack[count] = s.op == STATE_FLUENT ? fluents[s.number] : joined(s.op, stack + count, s.number);
    count++;
  }
  const bool holds = stack[0];
  arena_restore(scratch, mark);
  return holds;
}

static clause_literal joined_literal(ground_clauses *c, state_op op, const clause_literal *operands,
                                     uint32_t count) {
  if (op == STATE_AND) return clauses_all(c, operands, count);
  return op == STATE_OR ? clauses_any(c, operands, count) : -operands[0];
}

clause_literal state_formula_literal(const state_formula *f, ground_clauses *c,
                                     const clause_literal *fluents, arena *scratch) {
  clause_literal *stack = arena_new_array(scratch, clause_literal, f->steps.count + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->steps.count; i++) {
    const struct state_step s = f->steps.items[i];
    if (s.op != STATE_FLUENT) count -= s.number;
    stack[count] =
        s.op == STATE_FLUENT ? fluents[s.number] : joined_literal(c, s.op, stack + count, s.number);
    count++;
  }
  return stack[0];
}
