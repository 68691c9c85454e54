/* From a tree to rules: the grammar of GDL.  Whatever the grammar forbids is reported here; the
   rule that holds it is left out and reading goes on. */
#include "rules/program.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NO_VARIABLE (ID_NONE - 1)

typedef struct builder {
  program *p;
  const tree *t;
  arena *scratch;
  diag_sink *d;
  uint32_t *number_of_variable; /* by symbol; ID_NONE outside the rule at hand, NO_VARIABLE for
                                   the symbol of anything else */
  id_vec stack;                 /* terms of a list under way */
  id_vec atom_args;             /* arguments of an atom under way */
  bool warned_of_name[SYM_RANDOM];
  id_vec faults;       /* where the reader found faults, in order */
  uint32_t next_fault; /* the first behind the forms read so far */
} builder;

/* In the notation of the text. */
static const char *name_text(const builder *b, symbol_id s) {
  text out = text_new(b->scratch);
  name_print(b->p->symbols, s, b->t->notation, &out);
  return text_string(&out);
}

static bool is_infix(const builder *b) { return b->t->notation == NOTATION_PROLOG; }

static span where(const builder *b, node_id n) { return tree_node(b->t, n)->where; }

static bool is_variable(const builder *b, symbol_id s) {
  return s != SYM_NONE && b->number_of_variable[s] != NO_VARIABLE;
}

/* ---- terms ---- */

static term_id variable_term(builder *b, symbol_id name, rule *r) {
  if (b->number_of_variable[name] == ID_NONE) {
    b->number_of_variable[name] = r->variable_count++;
    vec_push(b->p->keep, &b->p->variable_names, name);
  }
  return term_variable(b->p->terms, b->number_of_variable[name]);
}

static term_id too_large(builder *b, node_id n, const char *what, uint32_t most) {
  diag_add(b->d, DIAG_E112, where(b, n), "a term may have at most %u %s", most, what);
  return TERM_NONE;
}

static term_id too_deep_or_long(builder *b, node_id n, const term_id *args, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (term_get(b->p->terms, args[i])->depth == TERM_DEPTH_MAX)
      return too_large(b, n, "levels", TERM_DEPTH_MAX);
  return too_large(b, n, "names", TERM_SIZE_MAX);
}

/* The name of a term must be a plain name.  Reports it and returns false when it is not. */
static bool has_plain_name(builder *b, node_id list) {
  const node_id first = node_first(list);
  if (first == node_after(b->t, list)) {
    diag *g = diag_add(b->d, DIAG_E103, where(b, list), "an empty list means nothing");
    diag_hint(b->d, g, "remove it, or write what belongs between the parentheses");
    return false;
  }
  if (node_is_list(b->t, first)) {
    diag *g = diag_add(b->d, DIAG_E108, where(b, first),
                       "a list must begin with a name, not with another list");
    diag_hint(b->d, g, "is there one parenthesis too many?");
    return false;
  }
  const symbol_id name = tree_node(b->t, first)->symbol;
  if (!is_variable(b, name)) return true;
  diag *g = diag_add(b->d, DIAG_E405, where(b, first),
                     "the variable %s stands where a name must be", name_text(b, name));
  diag_hint(b->d, g, "GDL is first order: write one rule for each relation or function");
  return false;
}

static void warn_of_keyword_name(builder *b, node_id n, symbol_id name) {
  if (name >= SYM_RANDOM || b->warned_of_name[name]) return;
  b->warned_of_name[name] = true;
  diag *g = diag_add(b->d, DIAG_W204, where(b, n), "the keyword %s is used as a name",
                     name_text(b, name));
  diag_hint(b->d, g, "other programs may reject it; another name is safer");
}

/* The term of a list whose elements are on top of the stack, the first one topmost. */
static term_id list_term(builder *b, node_id list) {
  if (!has_plain_name(b, list)) return TERM_NONE;
  const uint32_t count = node_element_count(b->t, list);
  const symbol_id name = tree_node(b->t, node_first(list))->symbol;
  warn_of_keyword_name(b, node_first(list), name);
  if (count - 1 > TERM_ARGS_MAX) return too_large(b, list, "arguments", TERM_ARGS_MAX);
  const arena_mark mark = arena_save(b->scratch);
  term_id *args = arena_new_array(b->scratch, term_id, count);
  bool ok = true;
  for (uint32_t i = 0; i + 1 < count; i++) {
    args[i] = b->stack.items[b->stack.count - 2 - i];
    ok &= args[i] != TERM_NONE;
  }
  term_id result = TERM_NONE;
  if (ok && !term_compound(b->p->terms, name, args, count - 1, &result))
    too_deep_or_long(b, list, args, count - 1);
  arena_restore(b->scratch, mark);
  return result;
}

static term_id leaf_term(builder *b, node_id n, bool is_list_name, rule *r) {
  const symbol_id name = tree_node(b->t, n)->symbol;
  if (is_list_name) return TERM_NONE; /* list_term reads the name from the tree */
  if (is_variable(b, name)) return variable_term(b, name, r);
  warn_of_keyword_name(b, n, name);
  return term_constant(b->p->terms, name);
}

static bool is_first_in_list(const builder *b, node_id n, node_id top) {
  return n > top && node_is_list(b->t, n - 1) && node_after(b->t, n - 1) > n;
}

/* Variables are numbered in the order of the text. */
static void number_variables(builder *b, node_id top, rule *r) {
  for (node_id n = top; n < node_after(b->t, top); n++) {
    const symbol_id s = tree_node(b->t, n)->symbol;
    if (is_variable(b, s) && !is_first_in_list(b, n, top)) variable_term(b, s, r);
  }
}

/* The term that a node stands for; TERM_NONE after a fault.  Nodes are taken from the last to
   the first, so that a list finds its elements on the stack: no recursion, whatever the depth. */
static term_id read_term(builder *b, node_id top, rule *r) {
  if (!node_is_list(b->t, top)) return leaf_term(b, top, false, r);
  number_variables(b, top, r);
  b->stack.count = 0;
  for (node_id n = node_after(b->t, top); n-- > top;) {
    if (!node_is_list(b->t, n)) {
      vec_push(b->scratch, &b->stack, leaf_term(b, n, is_first_in_list(b, n, top), r));
      continue;
    }
    const term_id it = list_term(b, n);
    b->stack.count -= node_element_count(b->t, n);
    vec_push(b->scratch, &b->stack, it);
  }
  return b->stack.items[0];
}

/* ---- atoms ---- */

typedef struct foreign_operator {
  const char *text;
  const char *hint;
} foreign_operator;

static const foreign_operator foreign_operators[] = {
    {"=>", "a rule is written (<= head body...), the conclusion first"},
    {"==>", "a rule is written (<= head body...), the conclusion first"},
    {"->", "a rule is written (<= head body...), the conclusion first"},
    {"<=>", "write one rule for each direction"},
    {"<->", "write one rule for each direction"},
    {"<-", "a rule is written (<= head body...)"},
    {":-", "a rule is written (<= head body...)"},
    {"&", "conditions are joined by standing side by side; inside `or` write (and a b)"},
    {"&&", "conditions are joined by standing side by side; inside `or` write (and a b)"},
    {"|", "write (or a b)"},
    {"||", "write (or a b)"},
    {"~", "write (not a)"},
    {"!", "write (not a)"},
};

static bool begins_with_letter(slice name) {
  return name.length && *name.start >= 'a' && *name.start <= 'z';
}

/* Asked of every atom, and nearly every name begins with a letter, which no operator does. */
static bool report_foreign_operator(builder *b, node_id n, symbol_id name) {
  const slice written = symbol_folded(b->p->symbols, name);
  if (begins_with_letter(written)) return false;
  for (size_t i = 0; i < sizeof foreign_operators / sizeof *foreign_operators; i++) {
    const foreign_operator *o = &foreign_operators[i];
    if (!slice_equals(written, o->text)) continue;
    diag *g = diag_add(b->d, DIAG_E105, where(b, n), "GDL has no operator %s", o->text);
    diag_hint(b->d, g, "%s", o->hint);
    return true;
  }
  return false;
}

static bool names_a_literal(symbol_id name) {
  return name != SYM_NONE && (symbol_is_logical(name) || name == SYM_TRUE || name == SYM_DOES ||
                              name == SYM_NEXT || name == SYM_INIT);
}

static bool stands_in_heads_only(symbol_id keyword) {
  return keyword == SYM_INIT || keyword == SYM_NEXT || keyword == SYM_BASE || keyword == SYM_INPUT;
}

/* A literal directly under a keyword, as in (true (not f)): the author means a formula. */
static bool report_literal_arguments(builder *b, node_id atom, symbol_id keyword) {
  if (!symbol_is_keyword_relation(keyword) || !node_is_list(b->t, atom)) return false;
  bool found = false;
  for (node_id n = node_after(b->t, node_first(atom)); n < node_after(b->t, atom);
       n = node_after(b->t, n)) {
    const symbol_id inner = node_functor(b->t, n);
    if (!node_is_list(b->t, n) || !names_a_literal(inner)) continue;
    found = true;
    diag *g = diag_add(b->d, DIAG_E107, where(b, n),
                       "a term must stand here, not the literal (%s ...)", name_text(b, inner));
    if (inner == SYM_NOT && stands_in_heads_only(keyword))
      diag_hint(b->d, g, "say what is, not what is not; or give it another name");
    else if (inner == SYM_NOT)
      diag_hint(b->d, g, is_infix(b) ? "write not %s(...) instead" : "write (not (%s ...)) instead",
                name_text(b, keyword));
    else
      diag_hint(b->d, g, "%s takes terms; combine literals outside of it", name_text(b, keyword));
  }
  return found;
}

/* The name that an atom is about, or SYM_NONE after a fault. */
static symbol_id atom_name(builder *b, node_id n) {
  if (node_is_list(b->t, n))
    return has_plain_name(b, n) ? tree_node(b->t, node_first(n))->symbol : SYM_NONE;
  const symbol_id name = tree_node(b->t, n)->symbol;
  if (!is_variable(b, name)) return name;
  diag *g = diag_add(b->d, DIAG_E405, where(b, n), "the variable %s stands where an atom must be",
                     name_text(b, name));
  diag_hint(b->d, g,
            is_infix(b) ? "name the relation, for example true(%s)"
                        : "name the relation, for example (true %s)",
            name_text(b, name));
  return SYM_NONE;
}

static uint32_t argument_count(const builder *b, node_id atom) {
  return node_is_list(b->t, atom) ? node_element_count(b->t, atom) - 1 : 0;
}

static void warn_of_keyword_arity(builder *b, node_id n, symbol_id name) {
  if (!symbol_is_keyword_relation(name)) return;
  const uint32_t count = argument_count(b, n);
  const uint32_t usual = keyword_arity(name);
  if (count == usual) return;
  diag *g = diag_add(b->d, DIAG_W203, where(b, n),
                     "%s has its meaning with %u argument%s; with %u it is an ordinary relation",
                     name_text(b, name), usual, plural(usual), count);
  diag_hint(b->d, g, "give the relation another name if that is what you mean");
}

static term_id read_arguments(builder *b, node_id n, symbol_id name, rule *r) {
  bool ok = true;
  b->atom_args.count = 0;
  for (node_id arg = node_after(b->t, node_first(n)); arg < node_after(b->t, n);
       arg = node_after(b->t, arg)) {
    const term_id it = read_term(b, arg, r);
    ok &= it != TERM_NONE;
    vec_push(b->scratch, &b->atom_args, it);
  }
  if (!ok) return TERM_NONE;
  term_id atom;
  if (!term_compound(b->p->terms, name, b->atom_args.items, b->atom_args.count, &atom))
    return too_deep_or_long(b, n, b->atom_args.items, b->atom_args.count);
  return atom;
}

/* Like read_term, but the name of the atom is a relation: keywords are at home there. */
static term_id read_atom(builder *b, node_id n, symbol_id name, rule *r) {
  if (report_foreign_operator(b, n, name)) return TERM_NONE;
  if (report_literal_arguments(b, n, name)) return TERM_NONE;
  warn_of_keyword_arity(b, n, name);
  if (!node_is_list(b->t, n)) return term_constant(b->p->terms, name);
  if (argument_count(b, n) > TERM_ARGS_MAX) return too_large(b, n, "arguments", TERM_ARGS_MAX);
  return read_arguments(b, n, name, r);
}

/* ---- bodies ---- */

typedef struct open_connective {
  uint32_t formula;
  node_id end; /* the node behind its last operand */
} open_connective;

typedef VEC(open_connective) open_stack;

static void add_formula(builder *b, formula_kind kind, term_id atom, node_id n) {
  const formula f = {.kind = kind, .atom = atom, .node = n, .after = b->p->formulas.count + 1};
  vec_push(b->p->keep, &b->p->formulas, f);
}

static formula_kind connective_of(symbol_id name) {
  return name == SYM_NOT ? FORMULA_NOT : name == SYM_AND ? FORMULA_AND : FORMULA_OR;
}

static bool is_connective(symbol_id name) {
  return name == SYM_NOT || name == SYM_AND || name == SYM_OR;
}

static bool has_operands(builder *b, node_id n, symbol_id name) {
  const uint32_t count = argument_count(b, n);
  if (name == SYM_NOT ? count == 1 : count >= 1) return true;
  diag *g = diag_add(b->d, DIAG_E111, where(b, n), "%s takes %s, not %u", name_text(b, name),
                     name == SYM_NOT ? "one literal" : "at least one literal", count);
  if (name == SYM_NOT && count > 1) diag_hint(b->d, g, "write one (not ...) for each literal");
  return false;
}

static void read_distinct(builder *b, node_id n, rule *r) {
  if (argument_count(b, n) != 2) {
    diag_add(b->d, DIAG_E111, where(b, n), "distinct takes two terms, not %u",
             argument_count(b, n));
    return;
  }
  const term_id atom = read_arguments(b, n, SYM_DISTINCT, r);
  if (atom != TERM_NONE) add_formula(b, FORMULA_DISTINCT, atom, n);
}

static void read_literal(builder *b, node_id n, symbol_id name, rule *r) {
  if (name == SYM_RULE) {
    diag *g = diag_add(b->d, DIAG_E104, where(b, n), "a rule cannot stand inside a rule");
    diag_hint(b->d, g, "is the parenthesis that closes the outer rule missing?");
    return;
  }
  if (name == SYM_DISTINCT) {
    read_distinct(b, n, r);
    return;
  }
  const term_id atom = read_atom(b, n, name, r);
  if (atom != TERM_NONE) add_formula(b, FORMULA_ATOM, atom, n);
}

static void close_finished(builder *b, open_stack *open, node_id at) {
  while (open->count && vec_last(open).end == at)
    b->p->formulas.items[vec_pop(open).formula].after = b->p->formulas.count;
}

static bool open_formula(builder *b, open_stack *open, node_id n, symbol_id name) {
  if (!has_operands(b, n, name)) return false;
  if (open->count == FORMULA_DEPTH_MAX) {
    diag_add(b->d, DIAG_E112, where(b, n), "formulas may be nested %u deep at the most",
             FORMULA_DEPTH_MAX);
    return false;
  }
  const open_connective o = {b->p->formulas.count, node_after(b->t, n)};
  vec_push(b->scratch, open, o);
  add_formula(b, connective_of(name), TERM_NONE, n);
  return true;
}

/* The conditions from `first` to `end`, in preorder, with a stack for open connectives. */
static void read_body(builder *b, node_id first, node_id end, rule *r) {
  open_stack open = {0};
  node_id n = first;
  while (n < end) {
    const symbol_id name = atom_name(b, n);
    if (name != SYM_NONE && is_connective(name) && open_formula(b, &open, n, name)) {
      n = node_after(b->t, node_first(n));
      continue;
    }
    if (name != SYM_NONE && !is_connective(name)) read_literal(b, n, name, r);
    n = node_after(b->t, n);
    close_finished(b, &open, n);
  }
}

/* ---- rules ---- */

static bool reads_the_state(const builder *b, node_id n, symbol_id name) {
  return (name == SYM_TRUE || name == SYM_DOES) && argument_count(b, n) == keyword_arity(name);
}

/* The names in a head that is refused for another reason. */
static void check_names_within(builder *b, node_id top) {
  for (node_id n = top + 1; n < node_after(b->t, top); n++)
    if (node_is_list(b->t, n)) has_plain_name(b, n);
}

static bool head_is_allowed(builder *b, node_id n, symbol_id name) {
  if (name == SYM_RULE) {
    diag_add(b->d, DIAG_E104, where(b, n), "a rule cannot be the head of a rule");
    return false;
  }
  if (!symbol_is_logical(name) && !reads_the_state(b, n, name)) return true;
  diag *g =
      diag_add(b->d, DIAG_E201, where(b, n), "%s cannot be the head of a rule", name_text(b, name));
  diag_hint(b->d, g, "%s",
            name == SYM_TRUE   ? "what holds at the start is written with init, what holds after "
                                 "a move with next"
            : name == SYM_DOES ? "what a role may do is written with legal"
                               : "a head is one atom; write one rule for each conclusion");
  check_names_within(b, n);
  return false;
}

static void forget_variables(builder *b, const rule *r) {
  for (uint32_t i = 0; i < r->variable_count; i++)
    b->number_of_variable[b->p->variable_names.items[r->variables + i]] = ID_NONE;
}

/* Reads one rule: a head, and conditions up to `end`. */
static void read_rule(builder *b, node_id whole, node_id head, node_id end) {
  program *p = b->p;
  rule r = {.node = whole,
            .head_node = head,
            .head = TERM_NONE,
            .body = p->formulas.count,
            .variables = p->variable_names.count};
  const uint32_t errors = b->d->errors;
  const symbol_id name = atom_name(b, head);
  if (name != SYM_NONE && head_is_allowed(b, head, name)) r.head = read_atom(b, head, name, &r);
  read_body(b, node_after(b->t, head), end, &r);
  r.body_end = p->formulas.count;
  forget_variables(b, &r);
  if (b->d->errors == errors && r.head != TERM_NONE) {
    vec_push(p->keep, &p->rules, r);
    return;
  }
  p->formulas.count = r.body;
  p->variable_names.count = r.variables;
}

static void read_form(builder *b, node_id n) {
  const node_id end = node_after(b->t, n);
  if (node_functor(b->t, n) != SYM_RULE) {
    read_rule(b, n, n, end);
    return;
  }
  if (!node_is_list(b->t, n) || node_after(b->t, node_first(n)) == end) {
    diag *g = diag_add(b->d, DIAG_E106, where(b, n), "this rule has no head");
    diag_hint(b->d, g, "write (<= head body...)");
    return;
  }
  read_rule(b, n, node_after(b->t, node_first(n)), end);
}

static int compare_offsets(const void *left, const void *right) {
  const uint32_t a = *(const uint32_t *)left;
  const uint32_t b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static void note_faults(builder *b) {
  for (uint32_t i = 0; i < b->d->all.count; i++)
    vec_push(b->scratch, &b->faults, b->d->all.items[i].where.start);
  if (b->faults.count)
    qsort(b->faults.items, b->faults.count, sizeof *b->faults.items, compare_offsets);
}

/* Has the reader found a fault in the form?  What it says is then not known, and faults that
   would be found in it are of no use. */
static bool is_damaged(builder *b, node_id form) {
  const span it = where(b, form);
  while (b->next_fault < b->faults.count && b->faults.items[b->next_fault] < it.start)
    b->next_fault++;
  return b->next_fault < b->faults.count && b->faults.items[b->next_fault] < it.end;
}

static uint32_t *no_variables(const program *p, arena *scratch) {
  const uint32_t count = symbol_count(p->symbols);
  uint32_t *numbers = arena_new_array(scratch, uint32_t, count);
  for (symbol_id s = 0; s < count; s++)
    numbers[s] = symbol_is_variable(p->symbols, s) ? ID_NONE : NO_VARIABLE;
  return numbers;
}

bool rules_build(program *p, const tree *t, arena *keep, diag_sink *d) {
  program_init(p, t->symbols, keep);
  p->tree = t;
  arena *scratch = arena_new();
  const uint32_t errors = d->errors;
  builder b = {
      .p = p, .t = t, .scratch = scratch, .d = d, .number_of_variable = no_variables(p, scratch)};
  note_faults(&b);
  for (node_id n = 0; n < t->nodes.count; n = node_after(t, n))
    if (!is_damaged(&b, n)) read_form(&b, n);
  uint32_t literals_left = EXPANDED_LITERALS_MAX;
  for (rule_id r = 0; r < p->rules.count; r++) rule_to_clauses(p, r, &literals_left, scratch, d);
  program_index_relations(p);
  arena_free(scratch);
  return d->errors == errors;
}
