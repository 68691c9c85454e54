#include "prove/state_atoms.h"

typedef enum atom_kind { ATOM_FLUENT, ATOM_TERMINAL, ATOM_LEGAL, ATOM_GOAL, ATOM_MARK } atom_kind;

role_terms roles_of_circuit(const circuit *c, arena *keep) {
  role_terms roles = {.terms = c->terms};
  for (uint32_t i = 0; i < c->roles.count; i++) vec_push(keep, &roles.all, c->roles.items[i].term);
  return roles;
}

uint32_t atoms_count(const circuit *c) {
  return c->fluents.count + 1 + c->moves.count + c->goals.count + c->marks.count;
}

/* The kind, and the number among those of the kind. */
static atom_kind kind_of(const circuit *c, uint32_t atom, uint32_t *number) {
  const uint32_t counts[] = {c->fluents.count, 1, c->moves.count, c->goals.count};
  atom_kind kind = ATOM_FLUENT;
  for (; kind < ATOM_MARK && atom >= counts[kind]; kind++) atom -= counts[kind];
  *number = atom;
  return kind;
}

wire atom_wire(const circuit *c, uint32_t atom) {
  uint32_t i;
  switch (kind_of(c, atom, &i)) {
    case ATOM_FLUENT: return c->fluents.items[i].now;
    case ATOM_TERMINAL: return c->terminal;
    case ATOM_LEGAL: return c->moves.items[i].legal;
    case ATOM_GOAL: return c->goals.items[i].holds;
    case ATOM_MARK: break;
  }
  return c->marks.items[i].holds;
}

static uint32_t role_of_move(const circuit *c, uint32_t move) {
  uint32_t role = 0;
  while (move - c->roles.items[role].first_move >= c->roles.items[role].move_count) role++;
  return role;
}

static void of_role(const circuit *c, symbol_id relation, uint32_t role, term_id value,
                    atom_parts *parts) {
  *parts = (atom_parts){.relation = relation, .count = 2};
  parts->own_args[0] = c->roles.items[role].term;
  parts->own_args[1] = value;
  parts->args = parts->own_args;
}

static void of_mark(const circuit *c, term_id atom, atom_parts *parts) {
  const term *it = term_get(c->terms, atom);
  *parts = (atom_parts){.relation = it->name, .count = it->arg_count};
  if (it->arg_count) parts->args = &c->terms->args.items[it->args];
}

void atom_take_apart(const circuit *c, uint32_t atom, atom_parts *parts) {
  uint32_t i;
  switch (kind_of(c, atom, &i)) {
    case ATOM_FLUENT:
      *parts = (atom_parts){.relation = SYM_TRUE, .count = 1};
      parts->own_args[0] = c->fluents.items[i].term;
      parts->args = parts->own_args;
      return;
    case ATOM_TERMINAL: *parts = (atom_parts){.relation = SYM_TERMINAL}; return;
    case ATOM_LEGAL:
      of_role(c, SYM_LEGAL, role_of_move(c, i), c->moves.items[i].term, parts);
      return;
    case ATOM_GOAL:
      of_role(c, SYM_GOAL, c->goals.items[i].role, c->goals.items[i].term, parts);
      return;
    case ATOM_MARK: of_mark(c, c->marks.items[i].term, parts); return;
  }
}

static void print_name(const term_table *t, symbol_id name, text *out) {
  const slice s = symbol_folded(t->symbols, name);
  text_add_bytes(out, s.start, s.length);
}

void atom_print(const circuit *c, uint32_t atom, text *out) {
  const term_table *t = c->terms;
  atom_parts parts;
  atom_take_apart(c, atom, &parts);
  if (atom_is_fluent(c, atom)) {
    term_print(t, parts.args[0], NOTATION_KIF, NULL, out);
    return;
  }
  if (parts.count) text_add_char(out, '(');
  print_name(t, parts.relation, out);
  for (uint32_t i = 0; i < parts.count; i++) {
    text_add_char(out, ' ');
    term_print(t, parts.args[i], NOTATION_KIF, NULL, out);
  }
  if (parts.count) text_add_char(out, ')');
}
