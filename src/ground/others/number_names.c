#include "ground/others/number_names.h"

#include "base/bitset.h"

#include <ctype.h>

/* ---- relations ---- */

/* Marks what the relation depends on through positive literals, if it is open. */
static void mark_relaxed(coded_relations *r, relation_id from, arena *scratch) {
  id_vec queue = {0};
  vec_push(scratch, &queue, from);
  while (queue.count) {
    const relation_id at = vec_pop(&queue);
    if (r->is_relaxed[at] || !relation_is_open(r, at)) continue;
    r->is_relaxed[at] = true;
    for (uint32_t i = r->analysis.edges_of[at]; i < r->analysis.edges_of[at + 1]; i++)
      if (!r->analysis.edges.items[i].negative)
        vec_push(scratch, &queue, r->analysis.edges.items[i].body);
  }
}

void coded_relations_init(coded_relations *r, const program *p, arena *keep) {
  static const symbol_id answers[] = {SYM_NEXT, SYM_LEGAL, SYM_GOAL, SYM_TERMINAL, SYM_SEES};
  static const symbol_id sources[] = {SYM_ROLE, SYM_INIT, SYM_NEXT, SYM_LEGAL, SYM_BASE, SYM_INPUT};
  *r = (coded_relations){.program = p,
                         .is_kept = arena_zero_array(keep, bool, p->relations.count),
                         .is_relaxed = arena_zero_array(keep, bool, p->relations.count)};
  rules_analyse(&r->analysis, p, keep);
  for (relation_id i = 0; i < p->relations.count; i++) r->is_kept[i] = relation_is_open(r, i);
  for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) r->is_kept[answers[i]] = true;
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) mark_relaxed(r, sources[i], keep);
}

/* ---- variables ---- */

typedef struct bound_variables {
  bitset bound;
  bool all; /* of the atom at hand */
} bound_variables;

static void bind_variable(void *context, uint32_t number) {
  bitset_add(((bound_variables *)context)->bound, number);
}

static void ask_variable(void *context, uint32_t number) {
  bound_variables *b = context;
  b->all &= bitset_has(b->bound, number);
}

static bool atom_is_bound(bound_variables *b, const program *p, term_id atom) {
  b->all = true;
  term_each_variable(p->terms, atom, ask_variable, b);
  return b->all;
}

static bool report_unsafe(const program *p, diag_sink *d, diag_kind kind, node_id n) {
  diag_add(
      d, kind, program_span(p, n),
      "a variable of this atom is in no positive body literal, so the rule cannot be evaluated");
  return false;
}

static bool clause_is_safe(const program *p, const clause *c, arena *scratch, diag_sink *d) {
  bound_variables b = {.bound = bitset_new(scratch, c->variable_count)};
  const literal *body = vec_from(&p->literals, c->body);
  for (uint32_t i = 0; i < c->body_count; i++)
    if (body[i].kind == LITERAL_POSITIVE)
      term_each_variable(p->terms, body[i].atom, bind_variable, &b);
  for (uint32_t i = 0; i < c->body_count; i++)
    if (!atom_is_bound(&b, p, body[i].atom))
      return report_unsafe(p, d, body[i].kind == LITERAL_DISTINCT ? DIAG_E403 : DIAG_E402,
                           body[i].node);
  if (atom_is_bound(&b, p, c->head)) return true;
  return report_unsafe(p, d, DIAG_E401,
                       c->rule == RULE_NONE ? UINT32_MAX : p->rules.items[c->rule].head_node);
}

bool clauses_are_safe(const program *p, diag_sink *d) {
  arena *scratch = arena_new();
  bool are_safe = true;
  for (clause_id c = 0; c < p->clauses.count; c++) {
    const arena_mark mark = arena_save(scratch);
    are_safe &= clause_is_safe(p, &p->clauses.items[c], scratch, d);
    arena_restore(scratch, mark);
  }
  arena_free(scratch);
  return are_safe;
}

/* ---- writing ---- */

void code_variable(uint32_t number, text *out) {
  text_add_char(out, 'V');
  text_add_number(out, number);
}

void code_term(const term_table *t, term_id id, text *out) {
  const term *it = term_get(t, id);
  if (it->is_variable) {
    code_variable(it->name, out);
    return;
  }
  if (it->arg_count) text_add_char(out, 'f');
  text_add_number(out, it->name);
  code_arguments(t, term_args(t, id), it->arg_count, out);
}

void code_arguments(const term_table *t, const term_id *args, uint32_t count, text *out) {
  for (uint32_t i = 0; i < count; i++) {
    text_add_char(out, i ? ',' : '(');
    code_term(t, args[i], out);
  }
  if (count) text_add_char(out, ')');
}

void code_relation(char letter, relation_id r, text *out) {
  text_add_char(out, letter);
  text_add_number(out, r);
}

void code_atom(const program *p, char letter, term_id atom, text *out) {
  code_relation(letter, atom_relation(p, atom), out);
  code_arguments(p->terms, term_args(p->terms, atom), term_get(p->terms, atom)->arg_count, out);
}

/* ---- reading ---- */

bool code_read_byte(code_reader *r, char byte) {
  if (process_peek(r->from) != byte) return false;
  process_next(r->from);
  return true;
}

bool code_read_number(code_reader *r, uint32_t *number) {
  uint64_t value = 0;
  if (!isdigit(process_peek(r->from))) return false;
  while (isdigit(process_peek(r->from)) && value <= UINT32_MAX)
    value = value * 10 + (uint64_t)(process_next(r->from) - '0');
  *number = (uint32_t)value;
  return value < UINT32_MAX;
}

static bool read_term(code_reader *r, term_id *id, uint32_t depth);

static bool read_arguments(code_reader *r, uint32_t *count, uint32_t depth) {
  *count = 0;
  if (!code_read_byte(r, '(')) return true;
  do {
    term_id arg;
    if (*count == TERM_ARGS_MAX || !read_term(r, &arg, depth + 1)) return false;
    vec_push(r->scratch, &r->stack, arg);
    ++*count;
  } while (code_read_byte(r, ','));
  return code_read_byte(r, ')');
}

static bool read_term(code_reader *r, term_id *id, uint32_t depth) {
  const bool is_compound = code_read_byte(r, 'f');
  symbol_id name;
  if (depth > TERM_DEPTH_MAX || !code_read_number(r, &name)) return false;
  if (name >= symbol_count(r->terms->symbols)) return false;
  if (!is_compound) {
    *id = term_constant(r->terms, name);
    return true;
  }
  uint32_t count;
  if (!read_arguments(r, &count, depth)) return false;
  r->stack.count -= count;
  return term_compound(r->terms, name, vec_from(&r->stack, r->stack.count), count, id);
}

bool code_read_arguments(code_reader *r, uint32_t *count) { return read_arguments(r, count, 0); }
