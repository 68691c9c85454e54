#include "compile/plan/normalise.h"

#include "compile/plan/literal_order.h"
#include "datalog/engine.h"

#include <string.h>

/* A made relation over permanent ones with more facts than this is not kept as facts. */
#define PERMANENT_ROWS_MAX 20000.0

typedef struct normaliser {
  normal_program *n;
  const strata *s;
  const sizes *sizes;
  arena *keep;
  arena *scratch;      /* marked and rewound for each clause */
  id_table made_index; /* the bodies of made relations; ids are made relations */
  VEC(const char *) made_keys;
  VEC(bool) is_permanent;
  VEC(double) repeats;
  VEC(flat_clause) permanent_clauses;
  uint32_t name_count;
} normaliser;

/* A clause while it is being cut. */
typedef struct cutting {
  normaliser *x;
  const flat_clause *c;
  uint32_t *atoms; /* in the order of joining */
  uint32_t atom_count;
  bool *is_bound;
  bool *is_needed;
  bool *is_done;        /* by body literal: a `distinct` that has been placed */
  uint32_t *brought_by; /* by variable: the atom that bound it */
} cutting;

/* ---- building ---- */

static flat_program *program_of(normaliser *x) { return &x->n->flat; }

static uint32_t arity_of(normaliser *x, flat_id r) {
  return program_of(x)->relations.items[r].arity;
}

static symbol_id fresh_name(normaliser *x) {
  symbol_table *symbols = x->s->flat.source->symbols;
  for (;;) {
    char name[32];
    const int length = snprintf(name, sizeof name, "part#%u", ++x->name_count);
    const slice s = {name, (size_t)length};
    if (symbol_find(symbols, s) == SYM_NONE) return symbol_intern(symbols, s);
  }
}

static flat_id make_relation(normaliser *x, uint32_t arity) {
  flat_program *f = program_of(x);
  term_id *holes = arena_new_array(x->keep, term_id, arity + 1);
  for (uint32_t i = 0; i < arity; i++) holes[i] = term_variable(f->terms, i);
  const flat_relation r = {.relation = RELATION_NONE,
                           .arity = arity,
                           .is_exact = true,
                           .skeleton = term_atom(f->terms, fresh_name(x), holes, arity)};
  vec_push(x->keep, &f->relations, r);
  return f->relations.count - 1;
}

static void add_clause(normaliser *x, const flat_clause *from, flat_literal head,
                       const flat_literal *body, uint32_t body_count, bool is_permanent) {
  flat_program *f = program_of(x);
  flat_clause c = *from;
  c.head = head.relation;
  c.head_args = head.args;
  c.body = f->literals.count;
  c.body_count = body_count;
  vec_append(x->keep, &f->literals, body, body_count);
  if (is_permanent)
    vec_push(x->keep, &x->permanent_clauses, c);
  else
    vec_push(x->keep, &f->clauses, c);
}

/* ---- made relations that are equal ---- */

static uint64_t hash_of_made(const void *context, uint32_t id) {
  const normaliser *x = context;
  const char *key = x->made_keys.items[id - x->n->first_made];
  return hash_bytes(key, strlen(key));
}

/* Variables are renamed in the order in which they come. */
static void add_key_args(cutting *k, const flat_literal *l, uint32_t *names, uint32_t *count,
                         text *key) {
  const term_table *t = k->x->n->flat.terms;
  text_add_format(key, "%d:%u(", l->kind, l->relation);
  for (uint32_t i = 0; i < flat_arg_count(program_of(k->x), l); i++) {
    const term_id arg = flat_args(&k->x->n->flat, l->args)[i];
    if (!term_is_variable(t, arg)) {
      text_add_format(key, "%u,", arg);
      continue;
    }
    uint32_t *name = &names[term_variable_number(t, arg)];
    if (*name == ID_NONE) *name = (*count)++;
    text_add_format(key, "?%u,", *name);
  }
  text_add_char(key, ')');
}

/* The variables that must be carried on, in the order of their new names. */
static uint32_t carried_variables(cutting *k, const uint32_t *names, uint32_t count,
                                  uint32_t *carried, text *key) {
  uint32_t carried_count = 0;
  for (uint32_t name = 0; name < count; name++)
    for (uint32_t v = 0; v < k->c->variable_count; v++)
      if (names[v] == name && k->is_needed[v]) {
        carried[carried_count++] = v;
        text_add_format(key, ">%u", name);
      }
  return carried_count;
}

static flat_literal literal_over(cutting *k, flat_id r, const uint32_t *variables, uint32_t count) {
  flat_program *f = program_of(k->x);
  const flat_literal l = {LITERAL_POSITIVE, r, f->args.count};
  for (uint32_t i = 0; i < count; i++)
    vec_push(k->x->keep, &f->args, term_variable(f->terms, variables[i]));
  return l;
}

static bool body_is_permanent(normaliser *x, const flat_literal *body, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (body[i].kind != LITERAL_DISTINCT && !x->is_permanent.items[body[i].relation]) return false;
  return true;
}

/* A first guess of how many facts a permanent body gives; the second literal is an old one. */
static double body_rows(normaliser *x, const flat_literal *body) {
  double rows = 1;
  for (uint32_t i = 0; i < 2; i++)
    if (body[i].kind == LITERAL_POSITIVE)
      rows *= body[i].relation < x->n->first_made
                  ? sizes_matches(x->sizes, body[i].relation, NULL, 0)
                  : PERMANENT_ROWS_MAX;
  return rows;
}

/* Whether the argument is a variable that this atom binds and nothing later needs. */
static bool drops_column(const cutting *k, uint32_t atom, term_id arg) {
  const term_table *t = k->x->n->flat.terms;
  if (!term_is_variable(t, arg)) return false;
  const uint32_t v = term_variable_number(t, arg);
  return k->brought_by[v] == atom && !k->is_needed[v];
}

/* Rows of an atom that differ in a variable which is not carried on give the same fact. */
static double expected_repeats(cutting *k, uint32_t joined) {
  normaliser *x = k->x;
  double repeats = 1;
  for (uint32_t i = 0; i < joined; i++) {
    const flat_literal *l = &program_of(x)->literals.items[k->atoms[i]];
    const uint32_t arity = arity_of(x, l->relation);
    uint32_t *columns = arena_new_array(x->scratch, uint32_t, arity + 1);
    uint32_t kept = 0;
    for (uint32_t c = 0; c < arity; c++)
      if (!drops_column(k, i, flat_args(&x->n->flat, l->args)[c])) columns[kept++] = c;
    if (kept == arity) continue;
    const double alike = sizes_matches(x->sizes, l->relation, columns, kept);
    if (alike > 1) repeats *= alike;
  }
  return repeats;
}

/* The made relation for a body of two conditions, with which so many atoms are joined: an old one
   with the same body, or a new one. */
static flat_literal made_literal(cutting *k, uint32_t joined, const flat_literal *body,
                                 uint32_t body_count) {
  normaliser *x = k->x;
  const uint32_t variables = k->c->variable_count;
  uint32_t *names = arena_new_array(x->scratch, uint32_t, variables + 1);
  uint32_t *carried = arena_new_array(x->scratch, uint32_t, variables + 1);
  memset(names, 0xff, (variables + 1) * sizeof *names);
  text key = text_new(x->keep);
  uint32_t count = 0;
  for (uint32_t i = 0; i < body_count; i++) add_key_args(k, &body[i], names, &count, &key);
  const uint32_t arity = carried_variables(k, names, count, carried, &key);
  id_table_reserve(&x->made_index, x->keep, hash_of_made, x);
  uint32_t at = id_table_first(&x->made_index, hash_bytes(key.bytes, key.length));
  for (;; at = id_table_next(&x->made_index, at)) {
    const uint32_t id = x->made_index.slots[at];
    if (id == ID_NONE) break;
    if (strcmp(x->made_keys.items[id - x->n->first_made], text_string(&key)) == 0)
      return literal_over(k, id, carried, arity);
  }
  const flat_id fresh = make_relation(x, arity);
  const bool is_permanent =
      body_is_permanent(x, body, body_count) && body_rows(x, body) <= PERMANENT_ROWS_MAX;
  vec_push(x->keep, &x->made_keys, text_string(&key));
  vec_push(x->keep, &x->is_permanent, is_permanent);
  vec_push(x->keep, &x->repeats, expected_repeats(k, joined));
  id_table_put(&x->made_index, at, fresh);
  const flat_literal head = literal_over(k, fresh, carried, arity);
  add_clause(x, k->c, head, body, body_count, is_permanent);
  return head;
}

/* ---- cutting ---- */

static void mark_args(cutting *k, uint32_t args, uint32_t count, bool *marks) {
  const term_table *t = k->x->n->flat.terms;
  for (uint32_t i = 0; i < count; i++) {
    const term_id arg = flat_args(&k->x->n->flat, args)[i];
    if (term_is_variable(t, arg)) marks[term_variable_number(t, arg)] = true;
  }
}

static bool all_bound(cutting *k, const flat_literal *l) {
  const term_table *t = k->x->n->flat.terms;
  for (uint32_t i = 0; i < flat_arg_count(program_of(k->x), l); i++) {
    const term_id arg = flat_args(&k->x->n->flat, l->args)[i];
    if (term_is_variable(t, arg) && !k->is_bound[term_variable_number(t, arg)]) return false;
  }
  return true;
}

/* Adds the `distinct` conditions whose sides are bound now. */
static uint32_t place_distincts(cutting *k, flat_literal *body, uint32_t count) {
  for (uint32_t i = 0; i < k->c->body_count; i++) {
    const flat_literal *l = &program_of(k->x)->literals.items[k->c->body + i];
    if (l->kind != LITERAL_DISTINCT || k->is_done[i] || !all_bound(k, l)) continue;
    k->is_done[i] = true;
    body[count++] = *l;
  }
  return count;
}

static void note_who_binds(cutting *k, uint32_t i, const flat_literal *l) {
  const term_table *t = k->x->n->flat.terms;
  for (uint32_t c = 0; c < arity_of(k->x, l->relation); c++) {
    const term_id arg = flat_args(&k->x->n->flat, l->args)[c];
    if (!term_is_variable(t, arg)) continue;
    const uint32_t v = term_variable_number(t, arg);
    if (!k->is_bound[v]) k->brought_by[v] = i;
    k->is_bound[v] = true;
  }
}

/* What is still needed when the atoms before `next` are joined. */
static void find_needed(cutting *k, uint32_t next) {
  const flat_program *f = program_of(k->x);
  memset(k->is_needed, 0, k->c->variable_count * sizeof *k->is_needed);
  mark_args(k, k->c->head_args, arity_of(k->x, k->c->head), k->is_needed);
  for (uint32_t i = next; i < k->atom_count; i++) {
    const flat_literal *l = &f->literals.items[k->atoms[i]];
    mark_args(k, l->args, flat_arg_count(program_of(k->x), l), k->is_needed);
  }
  for (uint32_t i = 0; i < k->c->body_count; i++) {
    const flat_literal *l = &f->literals.items[k->c->body + i];
    if (l->kind == LITERAL_DISTINCT && !k->is_done[i]) mark_args(k, l->args, 2, k->is_needed);
  }
}

static void cut(cutting *k) {
  normaliser *x = k->x;
  flat_literal *body = arena_new_array(x->scratch, flat_literal, k->c->body_count + 2);
  uint32_t count = 0;
  for (uint32_t i = 0; i < k->atom_count; i++) {
    const flat_literal l = program_of(x)->literals.items[k->atoms[i]];
    body[count++] = l;
    if (l.kind == LITERAL_POSITIVE) note_who_binds(k, i, &l);
    if (i == 0 && k->atom_count > 1) continue;
    count = place_distincts(k, body, count);
    if (i + 1 == k->atom_count) break;
    find_needed(k, i + 1);
    body[0] = made_literal(k, i + 1, body, count);
    count = 1;
  }
  if (k->atom_count == 0) count = place_distincts(k, body, count);
  add_clause(x, k->c, (flat_literal){LITERAL_POSITIVE, k->c->head, k->c->head_args}, body, count,
             false);
}

/* A condition without variables on a permanent relation; is its answer known to be no? */
static bool is_known(const normaliser *x, const flat_literal *l, bool *holds) {
  const flat_program *f = &x->s->flat;
  if (l->kind == LITERAL_DISTINCT || !x->s->is_permanent[l->relation]) return false;
  for (uint32_t i = 0; i < f->relations.items[l->relation].arity; i++)
    if (!term_is_ground(f->terms, flat_args(f, l->args)[i])) return false;
  const bool is_fact = table_find(&x->s->facts[l->relation], flat_args(f, l->args)) != ID_NONE;
  *holds = is_fact == (l->kind == LITERAL_POSITIVE);
  return true;
}

static uint32_t drop_known(const normaliser *x, uint32_t *atoms, uint32_t count, bool *can_fire) {
  uint32_t kept = 0;
  *can_fire = true;
  for (uint32_t i = 0; i < count; i++) {
    bool holds;
    if (!is_known(x, &x->s->flat.literals.items[atoms[i]], &holds))
      atoms[kept++] = atoms[i];
    else
      *can_fire &= holds;
  }
  return kept;
}

static void normalise_clause(normaliser *x, const flat_clause *c) {
  const arena_mark mark = arena_save(x->scratch);
  cutting k = {.x = x,
               .c = c,
               .atoms = arena_new_array(x->scratch, uint32_t, c->body_count + 1),
               .is_bound = arena_zero_array(x->scratch, bool, c->variable_count + 1),
               .is_needed = arena_zero_array(x->scratch, bool, c->variable_count + 1),
               .is_done = arena_zero_array(x->scratch, bool, c->body_count + 1),
               .brought_by = arena_new_array(x->scratch, uint32_t, c->variable_count + 1)};
  memset(k.brought_by, 0xff, (c->variable_count + 1) * sizeof *k.brought_by);
  k.atom_count = literal_order_find(x->s, x->sizes, c, k.atoms, x->scratch);
  bool can_fire;
  k.atom_count = drop_known(x, k.atoms, k.atom_count, &can_fire);
  if (can_fire) cut(&k);
  arena_restore(x->scratch, mark);
}

/* ---- the whole ---- */

static void copy_program(normaliser *x) {
  const flat_program *f = &x->s->flat;
  flat_program *copy = program_of(x);
  *copy = (flat_program){.source = f->source, .terms = f->terms};
  vec_append(x->keep, &copy->relations, f->relations.items, f->relations.count);
  vec_append(x->keep, &copy->literals, f->literals.items, f->literals.count);
  vec_append(x->keep, &copy->args, f->args.items, f->args.count);
  vec_append(x->keep, &x->is_permanent, x->s->is_permanent, f->relations.count);
  for (flat_id r = 0; r < f->relations.count; r++) vec_push(x->keep, &x->repeats, 1.0);
}

/* The facts of made relations that are permanent: over finitely many constants, so that nothing but
   the limits ends it early. */
static void find_made_facts(normaliser *x, budget *limits) {
  normal_program *n = x->n;
  flat_program permanent = n->flat;
  permanent.clauses.items = x->permanent_clauses.items;
  permanent.clauses.count = x->permanent_clauses.count;
  engine e;
  engine_init(&e, &permanent, NULL, x->keep);
  for (flat_id r = 0; r < n->first_made; r++) e.tables[r] = x->s->facts[r];
  diag_sink unheard;
  diag_sink_init(&unheard, x->keep);
  const bool ok = engine_run(&e, limits, &unheard);
  assert(ok || budget_check_now(limits));
  (void)ok;
  n->facts = e.tables;
}

static void spread_properties(normaliser *x) {
  normal_program *n = x->n;
  const uint32_t relations = n->flat.relations.count + 1;
  n->is_permanent = x->is_permanent.items;
  n->repeats = x->repeats.items;
  n->depends_on_does = arena_zero_array(x->keep, bool, relations);
  n->asked_by = arena_zero_array(x->keep, uint32_t, relations);
  memcpy(n->depends_on_does, x->s->depends_on_does, n->first_made * sizeof(bool));
  memcpy(n->asked_by, x->s->asked_by, n->first_made * sizeof(uint32_t));
  order_find(&n->order, &n->flat, x->keep);
  order_spread_up(&n->order, &n->flat, n->depends_on_does, x->keep);
  order_spread_down(&n->order, &n->flat, n->asked_by, x->keep);
}

void normalise(normal_program *n, const strata *s, const sizes *sizes, arena *keep,
               budget *limits) {
  *n = (normal_program){.strata = s, .sizes = sizes, .first_made = s->flat.relations.count};
  normaliser x = {.n = n, .s = s, .sizes = sizes, .keep = keep, .scratch = arena_new()};
  copy_program(&x);
  for (flat_clause_id c = 0; c < s->flat.clauses.count && !budget_is_spent(limits); c++)
    if (!s->is_permanent[s->flat.clauses.items[c].head])
      normalise_clause(&x, &s->flat.clauses.items[c]);
  find_made_facts(&x, limits);
  spread_properties(&x);
  arena_free(x.scratch);
}

/* ---- text ---- */

static void print_permanent(const normal_program *n, text *out) {
  for (flat_id r = 0; r < n->flat.relations.count; r++) {
    if (!n->is_permanent[r] || !n->facts[r].count || !n->asked_by[r]) continue;
    text_add(out, "permanent ");
    term_print(n->flat.terms, n->flat.relations.items[r].skeleton, NOTATION_KIF, NULL, out);
    text_add_format(out, " %u facts\n", n->facts[r].count);
  }
}

void normal_print(const normal_program *n, text *out) {
  print_permanent(n, out);
  for (flat_clause_id c = 0; c < n->flat.clauses.count; c++) {
    flat_clause_print(&n->flat, c, out);
    text_add_char(out, '\n');
  }
}
