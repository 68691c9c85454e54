/* Reading formulas.  Variables stand for whatever is found in their places in the atoms that
   exist: a formula becomes the conjunction or disjunction of its instances. */
#include "prove/claim.h"

#include "prove/fluent_names.h"
#include "read/canonical.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 100, STEPS_MAX = 4 * 1000 * 1000 };

typedef enum part_kind {
  PART_ATOM,
  PART_AND,
  PART_OR,
  PART_NOT,
  PART_DISTINCT,
  PART_FOR_ALL,
  PART_EXISTS
} part_kind;

/* A part of the formula as it is written; its operands follow it. */
typedef struct part {
  part_kind kind;
  uint32_t after;          /* the first part behind it and its operands */
  uint32_t operands;       /* of a list */
  const char *terms[2];    /* of an atom one, of `distinct` two: canonical texts */
  bool is_fluent;          /* of an atom */
  uint32_t first_variable; /* of a quantifier: those that it binds, in reader.bound ... */
  uint32_t variable_count; /* ... and how many */
} part;

typedef VEC(const char *) text_vec;

typedef struct variable {
  const char *name;  /* with its `?` */
  text_vec values;   /* sorted, each once */
  const char *value; /* that it has now; NULL: it is not bound */
} variable;

/* An atom by its text. */
typedef struct named_atom {
  const char *name;
  uint32_t atom;
} named_atom;

typedef struct reader {
  const char *at;
  const state_atoms *atoms;
  arena *keep;
  VEC(part) parts;
  id_vec open; /* parts that are not closed */
  VEC(variable) variables;
  id_vec bound;          /* variables, by quantifier */
  VEC(named_atom) names; /* those of fluents first; each kind sorted */
  uint32_t fluent_count;
  bool is_in_true; /* what follows is a fluent */
  claim *out;
  const char **complaint;
} reader;

static bool complain(reader *r, const char *why, const char *what) {
  text words = text_new(r->keep);
  text_add_format(&words, "%s%s%s%s", why, what ? " `" : "", what ? what : "", what ? "`" : "");
  *r->complaint = text_string(&words);
  return false;
}

/* ---- words ---- */

static void skip_blank(reader *r) { r->at += *r->at == ' '; }

static uint32_t variable_of(reader *r, const char *name, size_t length) {
  for (uint32_t i = 0; i < r->variables.count; i++)
    if (strlen(r->variables.items[i].name) == length &&
        memcmp(r->variables.items[i].name, name, length) == 0)
      return i;
  const variable v = {.name = arena_copy_text(r->keep, name, length)};
  vec_push(r->keep, &r->variables, v);
  return r->variables.count - 1;
}

/* The first variable in a canonical text; NULL: there is none. */
static const char *first_variable(const char *at) {
  while (*at && *at != '?') {
    const size_t name = canonical_name_length(at);
    at += name ? name : 1;
  }
  return *at ? at : NULL;
}

static void note_variables(reader *r, const char *term) {
  for (const char *at = term; (at = first_variable(at)); at += canonical_name_length(at))
    variable_of(r, at, canonical_name_length(at));
}

/* Copies a name or a whole list. */
static bool read_term(reader *r, const char **term) {
  skip_blank(r);
  if (!*r->at || *r->at == ')') return complain(r, "a formula is not complete", NULL);
  const size_t length = canonical_term_length(r->at);
  *term = arena_copy_text(r->keep, r->at, length);
  r->at += length;
  note_variables(r, *term);
  return true;
}

/* ---- parts ---- */

static bool read_atom(reader *r) {
  part p = {.kind = PART_ATOM, .after = r->parts.count + 1, .is_fluent = r->is_in_true};
  if (!read_term(r, &p.terms[0])) return false;
  vec_push(r->keep, &r->parts, p);
  return true;
}

/* The variables of a quantifier: one, or a list of them. */
static bool read_bound(reader *r, part *p) {
  skip_blank(r);
  const bool is_list = *r->at == '(';
  if (is_list) r->at++;
  p->first_variable = r->bound.count;
  for (; *r->at == '?'; skip_blank(r)) {
    const size_t length = canonical_name_length(r->at);
    vec_push(r->keep, &r->bound, variable_of(r, r->at, length));
    r->at += length;
    if (!is_list) break;
  }
  p->variable_count = r->bound.count - p->first_variable;
  if (is_list && *r->at++ != ')') return complain(r, "a quantifier takes variables", NULL);
  return p->variable_count || complain(r, "a quantifier takes variables", NULL);
}

static bool begin_list(reader *r, part_kind kind) {
  part p = {.kind = kind};
  if (kind == PART_DISTINCT && !(read_term(r, &p.terms[0]) && read_term(r, &p.terms[1])))
    return false;
  if (kind >= PART_FOR_ALL && !read_bound(r, &p)) return false;
  if (r->open.count == DEPTH_MAX) return complain(r, "the formula is too deep", NULL);
  vec_push(r->keep, &r->open, r->parts.count);
  vec_push(r->keep, &r->parts, p);
  return true;
}

/* Moves behind `(` and an operator; `true` is a conjunction of its operand. */
static bool finds_operator(reader *r, part_kind *kind) {
  static const struct {
    const char *name;
    part_kind kind;
  } operators[] = {{"and", PART_AND},           {"or", PART_OR},
                   {"not", PART_NOT},           {"true", PART_AND},
                   {"distinct", PART_DISTINCT}, {"forall", PART_FOR_ALL},
                   {"exists", PART_EXISTS}};
  if (*r->at != '(') return false;
  const char *name = r->at + 1;
  const size_t length = canonical_name_length(name);
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
    if (strlen(operators[i].name) != length || memcmp(name, operators[i].name, length) != 0)
      continue;
    r->at = name + length;
    r->is_in_true = strcmp(operators[i].name, "true") == 0;
    *kind = operators[i].kind;
    return true;
  }
  return false;
}

static bool end_list(reader *r) {
  part *p = &r->parts.items[vec_pop(&r->open)];
  r->at++;
  p->after = r->parts.count;
  if (p->kind == PART_NOT && p->operands != 1) return complain(r, "`not` takes one formula", NULL);
  if (p->kind == PART_DISTINCT && p->operands)
    return complain(r, "`distinct` takes two terms", NULL);
  if (p->kind >= PART_FOR_ALL && p->operands != 1)
    return complain(r, "a quantifier takes variables and one formula", NULL);
  return true;
}

static bool read_parts(reader *r) {
  do {
    part_kind kind;
    skip_blank(r);
    if (finds_operator(r, &kind)) {
      if (!begin_list(r, kind)) return false;
      continue;
    }
    const bool ends = *r->at == ')' && r->open.count;
    if (!(ends ? end_list(r) : read_atom(r))) return false;
    r->is_in_true = false;
    if (r->open.count) r->parts.items[vec_last(&r->open)].operands++;
  } while (r->open.count);
  return true;
}

/* ---- what variables stand for ---- */

/* Is the pattern this atom?  Then notes what its variables stand for. */
static bool match(reader *r, const char *pattern, const char *atom) {
  id_vec found = {0};
  text_vec values = {0};
  while (*pattern) {
    const size_t name = canonical_name_length(pattern);
    const size_t step = name ? name : 1;
    size_t taken = step;
    if (*pattern == '?') {
      taken = canonical_term_length(atom);
      const char *value = arena_copy_text(r->keep, atom, taken);
      vec_push(r->keep, &found, variable_of(r, pattern, step));
      vec_push(r->keep, &values, value);
    } else if (strncmp(pattern, atom, step) != 0) {
      return false;
    }
    pattern += step;
    atom += taken;
  }
  for (uint32_t i = 0; i < found.count; i++)
    vec_push(r->keep, &r->variables.items[found.items[i]].values, values.items[i]);
  return !*atom;
}

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort_once(text_vec *all) {
  uint32_t kept = 0;
  if (all->count) qsort(all->items, all->count, sizeof *all->items, compare_texts);
  for (uint32_t i = 0; i < all->count; i++)
    if (!kept || strcmp(all->items[kept - 1], all->items[i]) != 0)
      all->items[kept++] = all->items[i];
  all->count = kept;
}

/* What fits no atom never holds; that must not be for a slip of the pen. */
static bool check_absent(reader *r, part *p) {
  const program *rules = p->is_fluent ? NULL : r->atoms->rules;
  const char *why = fluent_complaint(p->terms[0], r->atoms->roles.terms, rules, r->keep);
  const bool is_derived = why && relation_is_known(p->terms[0], rules);
  if (is_derived) why = relation_complaint(p->terms[0], rules, r->keep);
  if (why) *r->complaint = why;
  if (!r->out->absent) r->out->absent = p->terms[0];
  p->is_fluent = !is_derived;
  return !why;
}

static bool stands_in_atom(const reader *r, const char *variable) {
  const size_t length = strlen(variable);
  for (uint32_t i = 0; i < r->parts.count; i++) {
    const part *p = &r->parts.items[i];
    if (p->kind != PART_ATOM) continue;
    for (const char *at = p->terms[0]; (at = first_variable(at)); at += canonical_name_length(at))
      if (canonical_name_length(at) == length && memcmp(at, variable, length) == 0) return true;
  }
  return false;
}

/* What holds for all of none says nothing, and is not what was meant. */
static bool complain_of_nothing(reader *r, uint32_t variable) {
  return complain(
      r, "there is nothing that the variable can stand for:", r->variables.items[variable].name);
}

/* Is there an atom of these that the part speaks of? */
static bool match_any(reader *r, const part *p, uint32_t first, uint32_t end) {
  bool is_there = false;
  for (uint32_t i = first; i < end; i++) is_there |= match(r, p->terms[0], r->names.items[i].name);
  return is_there;
}

static bool find_atoms(reader *r, part *p) {
  if (match_any(r, p, 0, r->fluent_count)) {
    p->is_fluent = true;
    return true;
  }
  if (!p->is_fluent && match_any(r, p, r->fluent_count, r->names.count)) return true;
  return check_absent(r, p);
}

static bool find_values(reader *r) {
  for (uint32_t i = 0; i < r->parts.count; i++)
    if (r->parts.items[i].kind == PART_ATOM && !find_atoms(r, &r->parts.items[i])) return false;
  for (uint32_t i = 0; i < r->variables.count; i++) {
    sort_once(&r->variables.items[i].values);
    if (!r->variables.items[i].values.count && !stands_in_atom(r, r->variables.items[i].name))
      return complain_of_nothing(r, i);
  }
  return true;
}

/* ---- instances ---- */

static bool emit(reader *r, claim_op op, uint32_t number) {
  const claim_step s = {op, number};
  if (r->out->steps.count == STEPS_MAX)
    return complain(r, "the formula has too many instances", NULL);
  vec_push(r->keep, &r->out->steps, s);
  return true;
}

/* The term with the values of its variables. */
static const char *instance_of(reader *r, const char *term) {
  text out = text_new(r->keep);
  const char *variable = first_variable(term);
  if (!variable) return term;
  for (; variable; variable = first_variable(term)) {
    const size_t length = canonical_name_length(variable);
    text_add_bytes(&out, term, (size_t)(variable - term));
    text_add(&out, r->variables.items[variable_of(r, variable, length)].value);
    term = variable + length;
  }
  text_add(&out, term);
  return text_string(&out);
}

static int compare_names(const void *a, const void *b) {
  return strcmp(((const named_atom *)a)->name, ((const named_atom *)b)->name);
}

/* An instance that is no atom is never true. */
static bool emit_atom(reader *r, const part *p) {
  const named_atom asked = {.name = instance_of(r, p->terms[0])};
  const uint32_t first = p->is_fluent ? 0 : r->fluent_count;
  const uint32_t count = p->is_fluent ? r->fluent_count : r->names.count - r->fluent_count;
  const named_atom *found =
      count ? bsearch(&asked, vec_from(&r->names, first), count, sizeof asked, compare_names)
            : NULL;
  r->out->has_derived |= !p->is_fluent;
  return found ? emit(r, CLAIM_ATOM, found->atom) : emit(r, CLAIM_OR, 0);
}

static bool emit_part(reader *r, uint32_t at);

/* All instances of the operand: the values of the variables run like the digits of a counter. */
static bool emit_instances(reader *r, uint32_t at, const uint32_t *bound, uint32_t count,
                           claim_op op) {
  uint32_t *digits = arena_zero_array(r->keep, uint32_t, count + 1);
  uint32_t instances = 0;
  for (uint32_t k = 0; k < count; k++)
    if (!r->variables.items[bound[k]].values.count)
      return op == CLAIM_OR ? emit(r, op, 0) : complain_of_nothing(r, bound[k]);
  for (uint32_t i = 0; i < count;) {
    for (uint32_t k = 0; k < count; k++) {
      variable *v = &r->variables.items[bound[k]];
      v->value = v->values.items[digits[k]];
    }
    if (!emit_part(r, at)) return false;
    instances++;
    for (i = 0; i < count && ++digits[i] == r->variables.items[bound[i]].values.count; i++)
      digits[i] = 0;
  }
  return emit(r, op, instances);
}

/* Parts nest at most DEPTH_MAX deep. */
static bool emit_part(reader *r, uint32_t at) {
  static const claim_op ops[] = {
      [PART_AND] = CLAIM_AND, [PART_OR] = CLAIM_OR, [PART_NOT] = CLAIM_NOT};
  const part p = r->parts.items[at];
  if (p.kind == PART_ATOM) return emit_atom(r, &p);
  if (p.kind == PART_DISTINCT) {
    const bool differ = strcmp(instance_of(r, p.terms[0]), instance_of(r, p.terms[1])) != 0;
    return emit(r, differ ? CLAIM_AND : CLAIM_OR, 0);
  }
  if (p.kind >= PART_FOR_ALL)
    return emit_instances(r, at + 1, vec_from(&r->bound, p.first_variable), p.variable_count,
                          p.kind == PART_FOR_ALL ? CLAIM_AND : CLAIM_OR);
  for (uint32_t i = at + 1; i < p.after; i = r->parts.items[i].after)
    if (!emit_part(r, i)) return false;
  return emit(r, ops[p.kind], p.operands);
}

/* Variables that no quantifier binds. */
static void find_free(const reader *r, id_vec *unbound) {
  for (uint32_t i = 0; i < r->variables.count; i++) {
    bool is_bound = false;
    for (uint32_t k = 0; k < r->bound.count; k++) is_bound |= r->bound.items[k] == i;
    if (!is_bound) vec_push(r->keep, unbound, i);
  }
}

/* Fluents are sorted already. */
static void name_atoms(reader *r) {
  const circuit *c = r->atoms->c;
  const uint32_t count = c ? atoms_count(c) : 0;
  r->fluent_count = c ? c->fluents.count : 0;
  for (uint32_t i = 0; i < count; i++) {
    text name = text_new(r->keep);
    atom_print(c, i, &name);
    vec_push(r->keep, &r->names, ((named_atom){text_string(&name), i}));
  }
  const uint32_t others = r->names.count - r->fluent_count;
  if (others)
    qsort(vec_from(&r->names, r->fluent_count), others, sizeof(named_atom), compare_names);
}

/* The one term that the words are, as canonical KIF. */
static bool read_words(reader *r, const char *words) {
  canonical_terms terms;
  const char *why;
  if (!canonical_read(&terms, slice_of(words), r->keep, &why)) return complain(r, why, NULL);
  if (!terms.items.count) return complain(r, "a formula is not complete", NULL);
  if (terms.items.count > 1)
    return complain(r, "there is more text after the formula:", terms.items.items[1]);
  r->at = r->out->words = terms.items.items[0];
  r->out->has_variables = first_variable(r->at) != NULL;
  return true;
}

bool claim_read(claim *out, const char *words, claim_free free_ones, const state_atoms *atoms,
                arena *keep, const char **complaint) {
  reader r = {.atoms = atoms, .keep = keep, .out = out, .complaint = complaint};
  id_vec unbound = {0};
  *out = (claim){0};
  name_atoms(&r);
  if (!read_words(&r, words) || !read_parts(&r) || !find_values(&r)) return false;
  if (!atoms->c) return true;
  find_free(&r, &unbound);
  if (!unbound.count) return emit_part(&r, 0);
  return emit_instances(&r, 0, unbound.items, unbound.count,
                        free_ones == FREE_ARE_ALL ? CLAIM_AND : CLAIM_OR);
}
