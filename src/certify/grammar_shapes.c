#include "certify/grammar_shapes.h"

#include "certify/grammar.h"

bool shape_fault(const shape_reader *r, node_id n, const char *why) {
  diag_add(r->d, DIAG_E702, tree_node(r->t, n)->where, "%s", why);
  return false;
}

bool node_is_list_of(const tree *t, node_id n, const char *name) {
  return node_is_list(t, n) && node_functor(t, n) != SYM_NONE &&
         slice_equals(node_name(t, node_first(n)), name);
}

/* ---- terms ---- */

static bool is_no_variable(const shape_reader *r, node_id n) {
  static const char why[] = "a certificate has no variables: a formula is written as its instances";
  return !symbol_is_variable(r->t->symbols, tree_node(r->t, n)->symbol) || shape_fault(r, n, why);
}

/* Every list in it begins with a name; (a) is a. */
bool shape_is_term(const shape_reader *r, node_id term) {
  for (node_id n = term; n != node_after(r->t, term); n++) {
    if (!node_is_list(r->t, n)) {
      if (!is_no_variable(r, n)) return false;
      continue;
    }
    if (node_functor(r->t, n) == SYM_NONE)
      return shape_fault(r, n, "a term is a name, or a list of a name and arguments");
  }
  return true;
}

/* ---- formulas ---- */

enum { FORMULA_DEPTH = 100 };

static bool is_formula(const shape_reader *r, node_id n, uint32_t depth);

static bool are_formulas(const shape_reader *r, node_id list, uint32_t depth) {
  for (node_id n = node_second(r->t, list); n != node_after(r->t, list); n = node_after(r->t, n))
    if (!is_formula(r, n, depth)) return false;
  return true;
}

static bool are_two_terms(const shape_reader *r, node_id list) {
  const node_id first = node_second(r->t, list);
  if (node_element_count(r->t, list) != 3)
    return shape_fault(r, list, "`distinct` takes two terms");
  return shape_is_term(r, first) && shape_is_term(r, node_after(r->t, first));
}

static bool is_formula(const shape_reader *r, node_id n, uint32_t depth) {
  const tree *t = r->t;
  const bool is_not = node_is_list_of(t, n, "not");
  if (depth > FORMULA_DEPTH) return shape_fault(r, n, "the formula is too deep");
  if (node_is_list_of(t, n, "forall") || node_is_list_of(t, n, "exists"))
    return shape_fault(r, n,
                       "a certificate has no quantifiers: a formula is written as its instances");
  if (node_is_list_of(t, n, "distinct")) return are_two_terms(r, n);
  if (is_not && node_element_count(t, n) != 2) return shape_fault(r, n, "`not` takes one formula");
  const bool is_logical = is_not || node_is_list_of(t, n, "and") || node_is_list_of(t, n, "or") ||
                          node_is_list_of(t, n, "true");
  return is_logical ? are_formulas(r, n, depth + 1) : shape_is_term(r, n);
}

bool shape_is_formula(const shape_reader *r, node_id n) { return is_formula(r, n, 0); }

/* ---- numbers ---- */

enum { MOST_DIGITS = 10 };

static bool is_digits(slice name) {
  for (size_t i = 0; i < name.length; i++)
    if (name.start[i] < '0' || name.start[i] > '9') return false;
  return name.length == 1 || (name.length && name.start[0] != '0');
}

static uint64_t value_of(slice digits) {
  uint64_t value = 0;
  for (size_t i = 0; i < digits.length; i++) value = value * 10 + (uint64_t)(digits.start[i] - '0');
  return value;
}

static bool is_number(const shape_reader *r, node_id n) {
  if (node_is_list(r->t, n) || !is_digits(node_name(r->t, n)))
    return shape_fault(r, n, "a number is 0, or digits of which the first is not 0");
  const slice digits = node_name(r->t, n);
  return (digits.length <= MOST_DIGITS && value_of(digits) < UINT32_MAX) ||
         shape_fault(r, n, "the number is too large");
}

uint32_t shape_number(const tree *t, node_id n) { return (uint32_t)value_of(node_name(t, n)); }

/* ---- what follows on a name ---- */

bool shape_is_alone(const shape_reader *r, node_id list) {
  return node_element_count(r->t, list) == 1 || shape_fault(r, list, "this takes nothing more");
}

bool shape_has_name(const shape_reader *r, node_id list) {
  return (node_element_count(r->t, list) == 2 && !node_is_list(r->t, node_second(r->t, list))) ||
         shape_fault(r, list, "this takes one name");
}

bool shape_has_number(const shape_reader *r, node_id list, uint32_t *number) {
  const node_id n = node_second(r->t, list);
  if (node_element_count(r->t, list) != 2) return shape_fault(r, list, "this takes one number");
  if (!is_number(r, n)) return false;
  *number = shape_number(r->t, n);
  return true;
}

typedef bool element_check(const shape_reader *r, node_id n);

static bool has_all(const shape_reader *r, node_id list, element_check *is_sound) {
  for (node_id n = node_second(r->t, list); n != node_after(r->t, list); n = node_after(r->t, n))
    if (!is_sound(r, n)) return false;
  return true;
}

static bool is_literal(const shape_reader *r, node_id n) {
  const bool is_not = node_is_list_of(r->t, n, "not") && node_element_count(r->t, n) == 2;
  return shape_is_term(r, is_not ? node_second(r->t, n) : n);
}

bool shape_has_literals(const shape_reader *r, node_id list) {
  return has_all(r, list, is_literal);
}

/* (WEIGHT LITERAL) */
static bool is_weight(const shape_reader *r, node_id n) {
  if (!node_is_list(r->t, n) || node_element_count(r->t, n) != 2)
    return shape_fault(r, n, "a measure is made of lists of a weight and a fluent");
  return is_number(r, node_first(n)) && is_literal(r, node_second(r->t, n));
}

bool shape_has_weights(const shape_reader *r, node_id list) { return has_all(r, list, is_weight); }

static bool is_joint_move(const shape_reader *r, node_id n) {
  if (!node_is_list(r->t, n) || node_first(n) == node_after(r->t, n))
    return shape_fault(r, n, "a line is made of joint moves: lists of a move for each role");
  for (node_id i = node_first(n); i != node_after(r->t, n); i = node_after(r->t, i))
    if (!shape_is_term(r, i)) return false;
  return true;
}

bool shape_has_joint_moves(const shape_reader *r, node_id list) {
  return has_all(r, list, is_joint_move);
}
