#include "rules/term.h"

#include <assert.h>
#include <string.h>

static inline uint64_t key_hash(symbol_id name, bool is_variable, const term_id *args,
                                uint32_t count) {
  return hash_ids(args, count) ^ (name | (uint64_t)is_variable << 32) * 0x9e3779b97f4a7c15u;
}

static uint64_t hash_of_term(const void *context, uint32_t id) {
  const term_table *t = context;
  const term *it = term_get(t, id);
  const term_id *args = vec_from(&t->args, it->args);
  return key_hash(it->name, it->is_variable, args, it->arg_count);
}

void terms_init(term_table *t, symbol_table *symbols, arena *keep) {
  *t = (term_table){.keep = keep, .symbols = symbols};
}

static inline bool same_ids(const term_id *a, const term_id *b, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (a[i] != b[i]) return false;
  return true;
}

static inline bool has_key(const term *it, const term_table *t, const term *key,
                           const term_id *args) {
  return it->name == key->name && it->is_variable == key->is_variable &&
         it->arg_count == key->arg_count &&
         same_ids(vec_from(&t->args, it->args), args, key->arg_count);
}

static term_id add_term(term_table *t, uint32_t at, term fresh, const term_id *args) {
  /* `args` may lie in the array that is about to move */
  const bool is_inside =
      t->args.count && args >= t->args.items && args < vec_from(&t->args, t->args.count);
  const size_t offset = is_inside ? (size_t)(args - t->args.items) : 0;
  fresh.args = t->args.count;
  vec_reserve(t->keep, &t->args, fresh.arg_count);
  if (is_inside) args = vec_from(&t->args, offset);
  if (fresh.arg_count)
    memcpy(vec_from(&t->args, t->args.count), args, fresh.arg_count * sizeof *args);
  t->args.count += fresh.arg_count;
  vec_push(t->keep, &t->terms, fresh);
  id_table_put(&t->index, at, t->terms.count - 1);
  return t->terms.count - 1;
}

static term_id intern(term_table *t, term key, const term_id *args) {
  id_table_reserve(&t->index, t->keep, hash_of_term, t);
  const uint64_t hash = key_hash(key.name, key.is_variable, args, key.arg_count);
  uint32_t at = id_table_first(&t->index, hash);
  for (;; at = id_table_next(&t->index, at)) {
    const term_id id = t->index.slots[at];
    if (id == ID_NONE) return add_term(t, at, key, args);
    if (has_key(term_get(t, id), t, &key, args)) return id;
  }
}

/* Constants and variables: the same few are asked for again and again. */

static term_id known_leaf(const id_vec *leaves, uint32_t name) {
  return name < leaves->count ? leaves->items[name] : TERM_NONE;
}

static term_id add_leaf(term_table *t, id_vec *leaves, term key) {
  while (leaves->count <= key.name) vec_push(t->keep, leaves, TERM_NONE);
  return leaves->items[key.name] = intern(t, key, NULL);
}

term_id term_constant(term_table *t, symbol_id name) {
  const term_id known = known_leaf(&t->constants, name);
  if (known != TERM_NONE) return known;
  return add_leaf(t, &t->constants, (term){.name = name, .size = 1, .is_ground = 1});
}

term_id term_variable(term_table *t, uint32_t number) {
  const term_id known = known_leaf(&t->variables, number);
  if (known != TERM_NONE) return known;
  return add_leaf(t, &t->variables, (term){.name = number, .size = 1, .is_variable = 1});
}

typedef struct term_limits {
  uint32_t depth;
  uint64_t size;
} term_limits;

static const term_limits limits_of_terms = {TERM_DEPTH_MAX, TERM_SIZE_MAX};
static const term_limits limits_of_atoms = {TERM_DEPTH_MAX + 1, UINT64_MAX};

/* TERM_NONE, for this file alone: it would be larger than that. */
static inline term_id compound(term_table *t, symbol_id name, const term_id *args,
                               uint32_t arg_count, term_limits most) {
  uint32_t depth = 0;
  uint64_t size = 1;
  bool is_ground = true;
  for (uint32_t i = 0; i < arg_count; i++) {
    const term *arg = term_get(t, args[i]);
    if (arg->depth + 1u > depth) depth = arg->depth + 1u;
    size += arg->size;
    is_ground &= arg->is_ground;
  }
  if (depth > most.depth || size > most.size) return TERM_NONE;
  return intern(t,
                (term){.name = name,
                       .size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX,
                       .arg_count = (uint16_t)arg_count,
                       .depth = (uint16_t)(depth & 0x3fff),
                       .is_ground = is_ground},
                args);
}

static inline bool is_made(term_id id, term_id *made) {
  if (id == TERM_NONE) return false;
  *made = id;
  return true;
}

bool term_compound(term_table *t, symbol_id name, const term_id *args, uint32_t arg_count,
                   term_id *made) {
  return arg_count <= TERM_ARGS_MAX &&
         is_made(compound(t, name, args, arg_count, limits_of_terms), made);
}

term_id term_atom(term_table *t, symbol_id name, const term_id *args, uint32_t arg_count) {
  assert(arg_count <= TERM_ARGS_MAX);
  const term_id made = compound(t, name, args, arg_count, limits_of_atoms);
  assert(made != TERM_NONE);
  return made;
}

/* A term with its variables replaced: their values as they are, or with the values of the
   variables in those, too. */
typedef struct rewriting {
  term_table *t;
  const term_id *bindings;
  bool follows;
  term_limits most;
  uint32_t steps_left; /* a small chain of bindings can stand for a huge term */
} rewriting;

static term_id rewrite_compound(rewriting *w, term_id id, uint32_t depth);

static term_id rewrite_end(rewriting *w, term_id variable, uint32_t depth) {
  const term_id end = term_representative(w->t, variable, w->bindings);
  const term *it = term_get(w->t, end);
  return it->is_ground || it->is_variable ? end : rewrite_compound(w, end, depth);
}

/* Most terms are variables or ground. */
static inline term_id rewrite(rewriting *w, term_id id, uint32_t depth) {
  const term *it = term_get(w->t, id);
  if (it->is_ground) return id;
  if (!it->is_variable) return rewrite_compound(w, id, depth);
  if (w->follows) return rewrite_end(w, id, depth);
  const term_id value = w->bindings[it->name];
  return value == TERM_NONE ? id : value;
}

/* Children first. */
static term_id rewrite_compound(rewriting *w, term_id id, uint32_t depth) {
  term_table *t = w->t;
  const term it = *term_get(t, id);
  if (depth > TERM_DEPTH_MAX || w->steps_left == 0) return TERM_NONE;
  w->steps_left--;
  term_id few[8];
  term_id *args = it.arg_count <= 8 ? few : arena_new_array(t->keep, term_id, it.arg_count);
  for (uint32_t i = 0; i < it.arg_count; i++) {
    args[i] = rewrite(w, t->args.items[it.args + i], depth + 1);
    if (args[i] == TERM_NONE) return TERM_NONE;
  }
  return compound(t, it.name, args, it.arg_count, w->most);
}

bool term_substitute(term_table *t, term_id id, const term_id *bindings, term_id *made) {
  rewriting w = {
      .t = t, .bindings = bindings, .most = limits_of_terms, .steps_left = TERM_STEPS_MAX};
  return is_made(rewrite(&w, id, 0), made);
}

bool term_resolve(term_table *t, term_id id, const term_id *bindings, term_id *made) {
  rewriting w = {.t = t,
                 .bindings = bindings,
                 .follows = true,
                 .most = limits_of_terms,
                 .steps_left = TERM_STEPS_MAX};
  return is_made(rewrite(&w, id, 0), made);
}

term_id term_relabel(term_table *t, term_id id, const term_id *leaves) {
  rewriting w = {.t = t, .bindings = leaves, .most = limits_of_atoms, .steps_left = UINT32_MAX};
  const term_id made = rewrite(&w, id, 0);
  assert(made != TERM_NONE && term_get(t, made)->depth == term_get(t, id)->depth);
  return made;
}

bool term_equal_under(const term_table *t, term_id a, term_id b, const term_id *bindings) {
  const term *left = term_get(t, a);
  const term *right = term_get(t, b);
  if (left->is_variable) left = term_get(t, a = bindings[left->name]);
  if (right->is_variable) right = term_get(t, b = bindings[right->name]);
  if (a == b) return true;
  if ((left->is_ground && right->is_ground) || !term_same_name(left, right)) return false;
  for (uint32_t i = 0; i < left->arg_count; i++)
    if (!term_equal_under(t, term_arg(t, a, i), term_arg(t, b, i), bindings)) return false;
  return true;
}

typedef struct unification {
  const term_table *t;
  term_id *bindings;
  uint32_t steps_left;
} unification;

/* Bounds the work and the recursion. */
static bool is_spent(unification *u, uint32_t depth) {
  if (depth > 2 * TERM_DEPTH_MAX) u->steps_left = 0;
  if (u->steps_left == 0) return true;
  u->steps_left--;
  return false;
}

static bool occurs_in(unification *u, term_id variable, term_id id, uint32_t depth) {
  id = term_representative(u->t, id, u->bindings);
  if (id == variable) return true;
  const term *it = term_get(u->t, id);
  if (it->is_ground || it->is_variable) return false;
  if (is_spent(u, depth)) return true;
  for (uint32_t i = 0; i < it->arg_count; i++)
    if (occurs_in(u, variable, term_arg(u->t, id, i), depth + 1)) return true;
  return false;
}

static bool bind(unification *u, term_id variable, term_id value) {
  if (occurs_in(u, variable, value, 0)) return false;
  u->bindings[term_variable_number(u->t, variable)] = value;
  return true;
}

static bool unify(unification *u, term_id a, term_id b, uint32_t depth) {
  a = term_representative(u->t, a, u->bindings);
  b = term_representative(u->t, b, u->bindings);
  if (a == b) return true;
  if (term_is_variable(u->t, a)) return bind(u, a, b);
  if (term_is_variable(u->t, b)) return bind(u, b, a);
  const term *left = term_get(u->t, a);
  const term *right = term_get(u->t, b);
  if (left->name != right->name || left->arg_count != right->arg_count) return false;
  if ((left->is_ground && right->is_ground) || is_spent(u, depth)) return false;
  for (uint32_t i = 0; i < left->arg_count; i++)
    if (!unify(u, term_arg(u->t, a, i), term_arg(u->t, b, i), depth + 1)) return false;
  return true;
}

bool term_unify(term_table *t, term_id a, term_id b, term_id *bindings) {
  uint32_t steps = TERM_STEPS_MAX;
  return term_unify_within(t, a, b, bindings, &steps);
}

bool term_unify_within(term_table *t, term_id a, term_id b, term_id *bindings, uint32_t *steps) {
  unification u = {.t = t, .bindings = bindings, .steps_left = *steps};
  const bool are_unified = unify(&u, a, b, 0);
  *steps = u.steps_left;
  return are_unified;
}

void term_each_variable(const term_table *t, term_id id, void (*visit)(void *, uint32_t),
                        void *context) {
  const term *it = term_get(t, id);
  if (it->is_ground) return;
  if (it->is_variable) {
    visit(context, it->name);
    return;
  }
  for (uint32_t i = 0; i < it->arg_count; i++)
    term_each_variable(t, term_arg(t, id, i), visit, context);
}

static void print_variable(const term_table *t, uint32_t number, notation n,
                           const symbol_id *variables, text *out) {
  if (variables) {
    name_print(t->symbols, variables[number], n, out);
    return;
  }
  text_add_char(out, n == NOTATION_KIF ? '?' : 'V');
  text_add_number(out, number);
}

static void print_name(const term_table *t, symbol_id name, notation n, text *out) {
  if (n == NOTATION_KIF) {
    const slice canonical = symbol_canonical(t->symbols, name);
    text_add_bytes(out, canonical.start, canonical.length);
  } else {
    name_print(t->symbols, name, n, out);
  }
}

static void print_kif(const term_table *t, term_id id, const symbol_id *variables, text *out) {
  text_add_char(out, '(');
  print_name(t, term_get(t, id)->name, NOTATION_KIF, out);
  for (uint32_t i = 0; i < term_get(t, id)->arg_count; i++) {
    text_add_char(out, ' ');
    term_print(t, term_arg(t, id, i), NOTATION_KIF, variables, out);
  }
  text_add_char(out, ')');
}

static void print_prolog(const term_table *t, term_id id, const symbol_id *variables, text *out) {
  print_name(t, term_get(t, id)->name, NOTATION_PROLOG, out);
  for (uint32_t i = 0; i < term_get(t, id)->arg_count; i++) {
    text_add(out, i ? ", " : "(");
    term_print(t, term_arg(t, id, i), NOTATION_PROLOG, variables, out);
  }
  text_add_char(out, ')');
}

void term_print(const term_table *t, term_id id, notation n, const symbol_id *variables,
                text *out) {
  const term *it = term_get(t, id);
  if (it->is_variable)
    print_variable(t, it->name, n, variables, out);
  else if (it->arg_count == 0)
    print_name(t, it->name, n, out);
  else if (n == NOTATION_KIF)
    print_kif(t, id, variables, out);
  else
    print_prolog(t, id, variables, out);
}

static int byte_after(slice name, size_t at, char after) {
  return (unsigned char)(at < name.length ? name.start[at] : after);
}

/* Names are compared as texts that go on with `after_a` and `after_b`. */
static int compare_names(slice a, slice b, char after_a, char after_b) {
  const size_t common = a.length < b.length ? a.length : b.length;
  const int order = common ? memcmp(a.start, b.start, common) : 0;
  return order ? order : byte_after(a, common, after_a) - byte_after(b, common, after_b);
}

static slice printed_name(const term_table *t, const term *it) {
  return it->is_variable ? (slice){"?", 1} : symbol_canonical(t->symbols, it->name);
}

static int compare_texts(const term_table *t, term_id a, term_id b, char after_a, char after_b);

static int compare_arguments(const term_table *t, term_id a, term_id b) {
  const uint32_t count_a = term_get(t, a)->arg_count;
  const uint32_t count_b = term_get(t, b)->arg_count;
  for (uint32_t i = 0; i < count_a && i < count_b; i++) {
    const int order = compare_texts(t, term_arg(t, a, i), term_arg(t, b, i),
                                    i + 1 < count_a ? ' ' : ')', i + 1 < count_b ? ' ' : ')');
    if (order) return order;
  }
  return 0;
}

/* The canonical texts of two terms, each followed by one more byte. */
static int compare_texts(const term_table *t, term_id a, term_id b, char after_a, char after_b) {
  if (a == b) return (unsigned char)after_a - (unsigned char)after_b;
  const term *left = term_get(t, a);
  const term *right = term_get(t, b);
  const slice left_name = printed_name(t, left);
  const slice right_name = printed_name(t, right);
  if (left->arg_count == 0 && right->arg_count == 0)
    return compare_names(left_name, right_name, after_a, after_b);
  if (left->arg_count == 0) return byte_after(left_name, 0, after_a) - '(';
  if (right->arg_count == 0) return '(' - byte_after(right_name, 0, after_b);
  const int by_name = compare_names(left_name, right_name, ' ', ' ');
  return by_name ? by_name : compare_arguments(t, a, b);
}

int term_compare(const term_table *t, term_id a, term_id b) {
  return a == b ? 0 : compare_texts(t, a, b, '\0', '\0');
}
