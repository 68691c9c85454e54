#include "prove/claim.h"

/* ---- groups ---- */

static void add_step(claim *out, claim_op op, uint32_t number, arena *keep) {
  const claim_step s = {op, number};
  vec_push(keep, &out->steps, s);
}

static void add_any(claim *out, const uint32_t *members, uint32_t count, arena *keep) {
  for (uint32_t i = 0; i < count; i++) {
    add_step(out, CLAIM_ATOM, members[i] >> 1, keep);
    if (members[i] & 1) add_step(out, CLAIM_NOT, 1, keep);
  }
  add_step(out, CLAIM_OR, count, keep);
}

/* At most one of each half, and not some of both: so the formula is not as long as there are pairs.
 */
static void add_at_most_one(claim *out, const uint32_t *members, uint32_t count, arena *keep) {
  const uint32_t half = count / 2;
  if (count < 2) {
    add_step(out, CLAIM_AND, 0, keep);
    return;
  }
  add_at_most_one(out, members, half, keep);
  add_at_most_one(out, members + half, count - half, keep);
  add_any(out, members, half, keep);
  add_any(out, members + half, count - half, keep);
  add_step(out, CLAIM_AND, 2, keep);
  add_step(out, CLAIM_NOT, 1, keep);
  add_step(out, CLAIM_AND, 3, keep);
}

void claim_of_group(claim *out, const uint32_t *members, uint32_t count, bool exactly,
                    arena *keep) {
  *out = (claim){0};
  add_at_most_one(out, members, count, keep);
  if (!exactly) return;
  add_any(out, members, count, keep);
  add_step(out, CLAIM_AND, 2, keep);
}

/* ---- values ---- */

wire claim_make(const claim *f, gate_maker *m, const wire *atoms, arena *scratch) {
  wire_vec stack = {0};
  for (uint32_t i = 0; i < f->steps.count; i++) {
    const claim_step s = f->steps.items[i];
    if (s.op == CLAIM_ATOM) {
      vec_push(scratch, &stack, atoms[s.number]);
      continue;
    }
    stack.count -= s.number;
    const wire *operands = vec_from(&stack, stack.count);
    wire made = WIRE_FALSE;
    if (s.op == CLAIM_NOT) made = wire_not(operands[0]);
    if (s.op == CLAIM_AND) made = make_and(m, operands, s.number);
    if (s.op == CLAIM_OR) made = make_or(m, operands, s.number);
    vec_push(scratch, &stack, made);
  }
  return stack.items[0];
}

bool claim_holds(const claim *f, const bool *atoms, arena *scratch) {
  VEC(bool) stack = {0};
  for (uint32_t i = 0; i < f->steps.count; i++) {
    const claim_step s = f->steps.items[i];
    bool value = s.op != CLAIM_OR;
    if (s.op == CLAIM_ATOM)
      value = atoms[s.number];
    else
      stack.count -= s.number;
    for (uint32_t k = 0; s.op != CLAIM_ATOM && k < s.number; k++) {
      const bool operand = stack.items[stack.count + k];
      if (s.op == CLAIM_NOT) value = !operand;
      if (s.op == CLAIM_AND) value &= operand;
      if (s.op == CLAIM_OR) value |= operand;
    }
    vec_push(scratch, &stack, value);
  }
  return stack.items[0];
}

/* ---- words ---- */

/* Backwards, the formula comes before its parts; their order does not matter. */
void claim_print(const claim *f, const circuit *c, text *out, arena *scratch) {
  static const char *const names[] = {
      [CLAIM_AND] = "(and", [CLAIM_OR] = "(or", [CLAIM_NOT] = "(not"};
  id_vec open = {0}; /* lists: how many operands are still to come */
  for (uint32_t i = f->steps.count; i-- > 0;) {
    const claim_step s = f->steps.items[i];
    if (i + 1 < f->steps.count) text_add_char(out, ' ');
    if (open.count) vec_last(&open)--;
    if (s.op == CLAIM_ATOM) {
      assert(atom_is_fluent(c, s.number));
      term_print(c->terms, c->fluents.items[s.number].term, NOTATION_KIF, NULL, out);
    } else {
      text_add(out, names[s.op]);
      vec_push(scratch, &open, s.number);
    }
    for (; open.count && !vec_last(&open); open.count--) text_add_char(out, ')');
  }
}
