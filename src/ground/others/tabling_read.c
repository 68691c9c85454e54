/* Runs the tabled program and puts ground rules together from what it prints.

   Lines: c17(3,4), an instance of clause 17 by the values of its printed variables; r0(3) and
   r1(3), a role and an initial fluent; t(3), a fluent that can be; m(3,4), a move that a role can
   do; and at last `end`. */
#include "ground/others/readback.h"
#include "ground/others/tabling.h"

#include <inttypes.h>

typedef struct instance_reader {
  code_reader r;
  readback *b;
  coded_relations relations;
  bitset *printed;   /* by clause; words NULL before the first instance */
  term_id *bindings; /* by variable of the clause at hand */
  bool is_complete;  /* the last line has been read */
} instance_reader;

/* Values go to the printed variables in their order. */
static bool bind_variables(instance_reader *x, clause_id id, uint32_t count) {
  const clause *c = &x->b->p->clauses.items[id];
  if (!x->printed[id].words) x->printed[id] = printed_variables(&x->relations, c, x->r.scratch);
  const term_id *values = vec_from(&x->r.stack, x->r.stack.count);
  uint32_t used = 0;
  for (uint32_t i = 0; i < c->variable_count; i++) {
    const bool is_printed = bitset_has(x->printed[id], i);
    if (is_printed && used == count) return false;
    x->bindings[i] = is_printed ? values[used++] : TERM_NONE;
  }
  return used == count;
}

/* Adds a literal of the body.  A negated atom that is too deep for any fact holds. */
static bool add_literal(instance_reader *x, const literal *l) {
  readback *b = x->b;
  const bool is_negated = l->kind == LITERAL_NEGATIVE;
  term_id atom;
  if (!term_substitute(x->r.terms, l->atom, x->bindings, &atom)) return is_negated;
  if (!term_is_ground(x->r.terms, atom)) return false;
  vec_push(b->g->keep, &b->g->literals, literal_of_atom(readback_atom(b, atom), is_negated));
  return true;
}

static bool add_instance(instance_reader *x, const clause *c) {
  readback *b = x->b;
  const uint32_t first = b->g->literals.count;
  term_id head;
  for (uint32_t i = c->body; i < c->body + c->body_count; i++) {
    const literal *l = &b->p->literals.items[i];
    if (literal_is_printed(&x->relations, l) && !add_literal(x, l)) return false;
  }
  if (!term_substitute(x->r.terms, c->head, x->bindings, &head) ||
      !term_is_ground(x->r.terms, head))
    return false;
  readback_rule(b, readback_atom(b, head), b->g->literals.count - first);
  if (atom_relation(b->p, c->head) == SYM_ROLE) vec_push(b->scratch, &b->roles, head);
  return true;
}

static bool read_instance(instance_reader *x) {
  clause_id id;
  uint32_t count;
  if (!code_read_number(&x->r, &id) || id >= x->b->p->clauses.count) return false;
  if (!code_read_arguments(&x->r, &count)) return false;
  x->r.stack.count -= count;
  return bind_variables(x, id, count) && add_instance(x, &x->b->p->clauses.items[id]);
}

/* The arguments of a line as an atom of that keyword. */
static bool read_keyword_atom(instance_reader *x, symbol_id keyword, term_id *atom) {
  uint32_t count;
  if (!code_read_arguments(&x->r, &count) || count != keyword_arity(keyword)) return false;
  x->r.stack.count -= count;
  return term_compound(x->r.terms, keyword, vec_from(&x->r.stack, x->r.stack.count), count, atom);
}

static bool read_fact(instance_reader *x) {
  symbol_id keyword;
  term_id atom;
  if (!code_read_number(&x->r, &keyword) || keyword > SYM_INIT) return false;
  if (!read_keyword_atom(x, keyword, &atom)) return false;
  readback_rule(x->b, readback_atom(x->b, atom), 0);
  if (keyword == SYM_ROLE) vec_push(x->b->scratch, &x->b->roles, atom);
  return true;
}

static bool read_fluent(instance_reader *x) {
  term_id atom;
  if (!read_keyword_atom(x, SYM_TRUE, &atom)) return false;
  vec_push(x->b->scratch, &x->b->fluents, atom);
  return true;
}

static bool read_move(instance_reader *x) {
  term_id atom;
  if (!read_keyword_atom(x, SYM_DOES, &atom)) return false;
  vec_push(x->b->scratch, &x->b->moves, atom);
  return true;
}

static bool read_end(instance_reader *x) {
  return x->is_complete = code_read_byte(&x->r, 'n') && code_read_byte(&x->r, 'd');
}

static bool read_line(instance_reader *x) {
  switch (process_next(x->r.from)) {
    case 'c': return read_instance(x);
    case 'r': return read_fact(x);
    case 't': return read_fluent(x);
    case 'm': return read_move(x);
    case 'e': return read_end(x);
    default: return false;
  }
}

static bool read_lines(instance_reader *x) {
  while (!x->is_complete)
    if (!read_line(x) || !code_read_byte(&x->r, '\n')) return false;
  return true;
}

static uint32_t most_variables(const program *p) {
  uint32_t most = 0;
  for (clause_id c = 0; c < p->clauses.count; c++)
    if (p->clauses.items[c].variable_count > most) most = p->clauses.items[c].variable_count;
  return most;
}

/* Prolog's own limits are set so high that ours are met first. */
static bool run_prolog(readback *b, const text *words, budget *limits, diag_sink *d) {
  char stacks[64];
  char tables[64];
  snprintf(stacks, sizeof stacks, "--stack-limit=%" PRIu64 "b", memory_of_machine());
  snprintf(tables, sizeof tables, "--table-space=%" PRIu64 "b", memory_of_machine());
  const char *const arguments[] = {
      "swipl", "-q", "-f",   "none", "--no-packs", "--on-error=halt", stacks,
      tables,  "-g", "main", "-t",   "halt",       "/dev/stdin",      NULL};
  const process_command command = {.package = "swi-prolog-nox", .arguments = arguments};
  process *run = process_start(&command, words, b->scratch, limits, d);
  if (!run) return false;
  instance_reader x = {.r = {.from = run, .terms = b->p->terms, .scratch = b->scratch},
                       .b = b,
                       .printed = arena_zero_array(b->scratch, bitset, b->p->clauses.count),
                       .bindings = arena_new_array(b->scratch, term_id, most_variables(b->p))};
  coded_relations_init(&x.relations, b->p, b->scratch);
  const bool is_understood = read_lines(&x);
  return process_end(run, is_understood);
}

bool ground_with_prolog(ground_program *g, const program *p, bases_method m, arena *keep,
                        budget *limits, diag_sink *d) {
  if (!clauses_are_safe(p, d)) return false;
  arena *scratch = arena_new();
  budget_watch(limits, scratch);
  text words = text_new(scratch);
  prolog_write(p, m, &words);
  readback b;
  readback_start(&b, g, p, keep, scratch);
  const bool is_done = run_prolog(&b, &words, limits, d) && readback_finish(&b);
  budget_unwatch(limits, scratch);
  arena_free(scratch);
  return is_done;
}
