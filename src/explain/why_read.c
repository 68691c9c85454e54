/* The question: a literal that somebody wrote. */
#include "explain/why.h"

#include "base/spelling.h"

typedef struct term_reader {
  program *program;
  const tree *tree;
  arena *keep;
  VEC(symbol_id) names; /* of variables */
  id_vec made;          /* terms of nodes behind, the nearest last */
} term_reader;

static uint32_t variable_number(term_reader *r, symbol_id name) {
  for (uint32_t i = 0; i < r->names.count; i++)
    if (r->names.items[i] == name) return i;
  vec_push(r->keep, &r->names, name);
  return r->names.count - 1;
}

static term_id read_name(term_reader *r, symbol_id name) {
  term_table *t = r->program->terms;
  if (symbol_is_variable(t->symbols, name)) return term_variable(t, variable_number(r, name));
  return term_constant(t, name);
}

/* Variables get their numbers in the order of the text. */
static void number_variables(term_reader *r) {
  for (node_id n = 0; n < r->tree->nodes.count; n++) {
    const symbol_id name = tree_node(r->tree, n)->symbol;
    if (name != SYM_NONE && symbol_is_variable(r->tree->symbols, name)) variable_number(r, name);
  }
}

/* The elements of a list are the last terms that were made, the first of them on top. */
static bool read_list(term_reader *r, node_id n, term_id *made) {
  const uint32_t count = node_element_count(r->tree, n);
  term_table *t = r->program->terms;
  if (!count || node_is_list(r->tree, node_first(n))) return false;
  const symbol_id name = tree_node(r->tree, node_first(n))->symbol;
  if (symbol_is_variable(t->symbols, name)) return false;
  term_id *args = arena_new_array(r->keep, term_id, count);
  r->made.count--;
  for (uint32_t i = 0; i + 1 < count; i++) args[i] = vec_pop(&r->made);
  if (count == 1) *made = term_constant(t, name);
  return count == 1 || term_compound(t, name, args, count - 1, made);
}

/* From behind, so that parts are there before what they are parts of. */
static bool read_terms(term_reader *r) {
  number_variables(r);
  for (node_id n = r->tree->nodes.count; n-- > 0;) {
    term_id made;
    if (!node_is_list(r->tree, n))
      made = read_name(r, tree_node(r->tree, n)->symbol);
    else if (!read_list(r, n, &made))
      return false;
    vec_push(r->keep, &r->made, made);
  }
  return true;
}

static bool is_atom(const program *p, term_id t) {
  const term *it = term_get(p->terms, t);
  const relation_id r = program_relation(p, it->name, it->arg_count);
  if (it->is_variable || r == RELATION_NONE) return false;
  if (r < KEYWORD_RELATION_COUNT) return true;
  const relation *of = &p->relations.items[r];
  return of->clause_count || of->first_use != UINT32_MAX;
}

/* Names that begin an atom, whatever its arguments. */
static bool is_relation_name(const program *p, symbol_id name) {
  if (symbol_is_keyword_relation(name) || symbol_is_logical(name)) return true;
  for (relation_id r = 0; r < p->relations.count; r++)
    if (p->relations.items[r].name == name && p->relations.items[r].clause_count) return true;
  return false;
}

static bool complain(diag_sink *d, const char *words) {
  diag *said = diag_add(d, DIAG_E825, SPAN_NONE, "%s", words);
  diag_hint(d, said,
            "ask for one literal, as in `(legal x (mark 1 1))`, `terminal` or "
            "`(not (goal x 100))`");
  return false;
}

static bool take_question(why_question *q, program *p, term_id t, diag_sink *d) {
  const term *it = term_get(p->terms, t);
  if (!it->is_variable && it->name == SYM_NOT && it->arg_count == 1) {
    q->is_negated = true;
    t = term_arg(p->terms, t, 0);
    it = term_get(p->terms, t);
  }
  if (it->is_variable) return complain(d, "a variable alone is not a literal");
  if (symbol_is_logical(it->name)) return complain(d, "this is not a literal");
  q->atom = t;
  if (is_atom(p, t) || is_relation_name(p, it->name)) return true;
  q->atom = term_atom(p->terms, SYM_TRUE, &t, 1);
  return true;
}

bool why_read(why_question *q, program *p, const char *name, const char *words, arena *keep,
              diag_sink *d) {
  source *s = arena_alloc(keep, sizeof *s);
  tree *t = arena_alloc(keep, sizeof *t);
  *q = (why_question){.atom = TERM_NONE};
  *s = source_of(name, words, (uint32_t)strlen(words));
  if (!tree_read_as(t, s, NOTATION_KIF, p->symbols, keep, d)) return false;
  term_reader r = {.program = p, .tree = t, .keep = keep};
  if (!t->nodes.count || node_after(t, 0) != t->nodes.count)
    return complain(d, t->nodes.count ? "this is more than one literal" : "nothing is asked");
  if (!read_terms(&r)) return complain(d, "this is not a term");
  q->names = r.names.items;
  return take_question(q, p, r.made.items[0], d);
}
