/* Guesses about fluents of several names. */
#include "induct/guess.h"

#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* If there are more classes, only the first are tried. */
enum { KEY_MAX = 2, ARGS_MAX = 8, CLASSES_MAX = 64 };

/* The fluents of a name that have certain arguments in common. */
typedef struct keyed_group {
  term_id key[KEY_MAX];
  uint32_t first, count; /* in keyed_class.fluents */
  /* By step of the sample: games in which one of them holds; NULL: two of them do at once. */
  const uint64_t *covers;
} keyed_group;

/* The groups of a name by some of its arguments; by none: all its fluents are one group. */
typedef struct keyed_class {
  const term *name;
  uint32_t at[KEY_MAX]; /* which arguments */
  id_vec fluents;       /* by key */
  VEC(keyed_group) groups;
} keyed_class;

typedef VEC(keyed_class) keyed_classes;

typedef struct across {
  const circuit *c;
  const sample *seen;
  uint32_t keys; /* how many arguments are a key */
  arena *scratch;
  budget *limits;
} across;

/* ---- classes ---- */

static term_id key_of(const across *x, const keyed_class *of, uint32_t fluent, uint32_t i) {
  return term_arg(x->c->terms, x->c->fluents.items[fluent].term, of->at[i]);
}

typedef struct key_order {
  const across *x;
  const keyed_class *of;
} key_order;

static int compare_keys(const void *left, const void *right, void *context) {
  const key_order *o = context;
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  for (uint32_t i = 0; i < o->x->keys; i++) {
    const term_id p = key_of(o->x, o->of, a, i), q = key_of(o->x, o->of, b, i);
    if (p != q) return p < q ? -1 : 1;
  }
  return a < b ? -1 : a > b;
}

static const uint64_t *find_cover(const across *x, const uint32_t *fluents, uint32_t count) {
  const uint32_t steps = x->seen->step_count;
  const arena_mark mark = arena_save(x->scratch);
  uint64_t *covers = arena_zero_array(x->scratch, uint64_t, steps + 1);
  for (uint32_t step = 0; step < steps; step++)
    for (uint32_t i = 0; i < count; i++) {
      const uint64_t value = sample_value(x->seen, x->c, step, x->c->fluents.items[fluents[i]].now);
      if (covers[step] & value) {
        arena_restore(x->scratch, mark);
        return NULL;
      }
      covers[step] |= value;
    }
  return covers;
}

static bool has_same_key(const across *x, const keyed_class *of, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < x->keys; i++)
    if (key_of(x, of, a, i) != key_of(x, of, b, i)) return false;
  return true;
}

static void find_groups(const across *x, keyed_class *of) {
  key_order order = {x, of};
  qsort_r(of->fluents.items, of->fluents.count, sizeof *of->fluents.items, compare_keys, &order);
  for (uint32_t first = 0, end; first < of->fluents.count; first = end) {
    const uint32_t *fluents = vec_from(&of->fluents, first);
    for (end = first; end < of->fluents.count; end++)
      if (!has_same_key(x, of, *fluents, of->fluents.items[end])) break;
    keyed_group g = {
        .first = first, .count = end - first, .covers = find_cover(x, fluents, end - first)};
    for (uint32_t i = 0; i < x->keys; i++) g.key[i] = key_of(x, of, *fluents, i);
    vec_push(x->scratch, &of->groups, g);
  }
}

static const term *name_of(const circuit *c, uint32_t fluent) {
  return term_get(c->terms, c->fluents.items[fluent].term);
}

static void add_class(const across *x, keyed_classes *all, const id_vec *fluents, uint32_t first,
                      uint32_t second) {
  keyed_class of = {.name = name_of(x->c, fluents->items[0]), .at = {first, second}};
  if (all->count == CLASSES_MAX || budget_check_now(x->limits)) return;
  vec_append(x->scratch, &of.fluents, fluents->items, fluents->count);
  find_groups(x, &of);
  vec_push(x->scratch, all, of);
}

/* A class for each choice of arguments. */
static void add_classes(const across *x, keyed_classes *all, const id_vec *fluents) {
  const uint32_t args = name_of(x->c, fluents->items[0])->arg_count;
  if (x->keys == 0) add_class(x, all, fluents, 0, 0);
  for (uint32_t i = 0; x->keys && i < args && i < ARGS_MAX; i++) {
    if (x->keys == 1) add_class(x, all, fluents, i, 0);
    for (uint32_t k = i + 1; x->keys == 2 && k < args && k < ARGS_MAX; k++)
      add_class(x, all, fluents, i, k);
  }
}

static int compare_names(const void *left, const void *right, void *context) {
  const across *x = context;
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  const term *p = name_of(x->c, a), *q = name_of(x->c, b);
  if (p->name != q->name) return p->name < q->name ? -1 : 1;
  if (p->arg_count != q->arg_count) return p->arg_count < q->arg_count ? -1 : 1;
  return a < b ? -1 : a > b;
}

static keyed_classes find_classes(const across *x) {
  across context = *x;
  id_vec order = {0};
  keyed_classes all = {0};
  for (uint32_t i = 0; i < x->c->fluents.count; i++)
    if (!fluent_never_changes(x->c, i)) vec_push(x->scratch, &order, i);
  if (order.count) qsort_r(order.items, order.count, sizeof *order.items, compare_names, &context);
  for (uint32_t first = 0, end; first < order.count; first = end) {
    id_vec like = {0};
    for (end = first; end < order.count; end++) {
      if (!term_same_name(name_of(x->c, order.items[first]), name_of(x->c, order.items[end])))
        break;
      vec_push(x->scratch, &like, order.items[end]);
    }
    add_classes(x, &all, &like);
  }
  return all;
}

/* ---- families ---- */

/* Classes whose groups of the same key never hold together, as far as was seen. */
typedef struct family {
  const keyed_class *start;
  VEC(const keyed_class *) others;
  uint64_t **covered; /* by group of `start`: what groups of that key cover together; or NULL */
} family;

static const keyed_group *find_key(const across *x, const keyed_class *in, const term_id *key) {
  uint32_t low = 0, high = in->groups.count;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    const keyed_group *g = &in->groups.items[middle];
    uint32_t i = 0;
    while (i < x->keys && g->key[i] == key[i]) i++;
    if (i == x->keys) return g;
    if (g->key[i] < key[i])
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

static bool has_any(const uint64_t *a, uint32_t steps) {
  for (uint32_t i = 0; i < steps; i++)
    if (a[i]) return true;
  return false;
}

static bool are_apart(const uint64_t *a, const uint64_t *b, uint32_t steps) {
  for (uint32_t i = 0; i < steps; i++)
    if (a[i] & b[i]) return false;
  return true;
}

static bool is_everywhere(const uint64_t *a, uint32_t steps) {
  for (uint32_t i = 0; i < steps; i++)
    if (a[i] != UINT64_MAX) return false;
  return true;
}

/* For each key that both have, the two never hold together, and each holds sometimes. */
static bool fits(const across *x, const family *f, const keyed_class *next) {
  const uint32_t steps = x->seen->step_count;
  bool is_alive = false;
  for (uint32_t i = 0; i < f->start->groups.count; i++) {
    const keyed_group *g = find_key(x, next, f->start->groups.items[i].key);
    if (!g) continue;
    if (!f->covered[i] || !g->covers || !are_apart(f->covered[i], g->covers, steps)) return false;
    is_alive |= has_any(f->covered[i], steps) && has_any(g->covers, steps);
  }
  return is_alive;
}

static void take_in(const across *x, family *f, const keyed_class *next) {
  vec_push(x->scratch, &f->others, next);
  for (uint32_t i = 0; i < f->start->groups.count; i++) {
    const keyed_group *g = find_key(x, next, f->start->groups.items[i].key);
    for (uint32_t step = 0; g && step < x->seen->step_count; step++)
      f->covered[i][step] |= g->covers[step];
  }
}

static bool has_name(const family *f, const term *name) {
  if (term_same_name(f->start->name, name)) return true;
  for (uint32_t i = 0; i < f->others.count; i++)
    if (term_same_name(f->others.items[i]->name, name)) return true;
  return false;
}

/* Takes in what fits, class by class. */
static family family_of(const across *x, const keyed_classes *all, uint32_t start) {
  const uint32_t steps = x->seen->step_count;
  family f = {.start = &all->items[start]};
  f.covered = arena_zero_array(x->scratch, uint64_t *, f.start->groups.count + 1);
  for (uint32_t i = 0; i < f.start->groups.count; i++) {
    if (!f.start->groups.items[i].covers) continue;
    f.covered[i] = arena_new_array(x->scratch, uint64_t, steps + 1);
    memcpy(f.covered[i], f.start->groups.items[i].covers, steps * sizeof **f.covered);
  }
  for (uint32_t k = 1; k < all->count && !budget_check_now(x->limits); k++) {
    const keyed_class *next = &all->items[(start + k) % all->count];
    if (!has_name(&f, next->name) && fits(x, &f, next)) take_in(x, &f, next);
  }
  return f;
}

/* ---- guesses ---- */

static void add_members(const across *x, const keyed_class *of, const keyed_group *g, id_vec *to) {
  for (uint32_t i = 0; g && i < g->count; i++)
    vec_push(x->scratch, to, of->fluents.items[g->first + i] << 1);
}

/* The fluents of all classes with the key of a group of the first one; in order, so that the same
   guess is not made from another start. */
static id_vec members_of_key(const across *x, const family *f, uint32_t group) {
  const keyed_group *g = &f->start->groups.items[group];
  id_vec members = {0};
  add_members(x, f->start, g, &members);
  for (uint32_t i = 0; i < f->others.count; i++)
    add_members(x, f->others.items[i], find_key(x, f->others.items[i], g->key), &members);
  sort_ids(members.items, members.count);
  return members;
}

static bool is_guessed(const fact_set *in, const id_vec *members) {
  for (uint32_t i = 0; i < in->all.count; i++) {
    const fact *f = &in->all.items[i];
    if (f->count == members->count && memcmp(vec_from(&in->members, f->first), members->items,
                                             members->count * sizeof *members->items) == 0)
      return true;
  }
  return false;
}

static void guess_family(const across *x, const family *f, const board_guesses *before,
                         fact_set *found) {
  for (uint32_t i = 0; i < f->start->groups.count; i++) {
    const id_vec members = members_of_key(x, f, i);
    bool is_new = members.count > f->start->groups.items[i].count;
    for (uint32_t k = 0; k < before->count && is_new; k++)
      is_new = !is_guessed(&before->items[k], &members);
    if (is_new) guess_group(found, x->c, x->seen, members.items, members.count);
  }
}

/* That names without a key never hold together may be chance, unless one of them always does. */
static bool is_likely(const across *x, const family *f) {
  return f->others.count && (x->keys || is_everywhere(f->covered[0], x->seen->step_count));
}

void guess_across_names(board_guesses *guesses, const circuit *c, const sample *seen, arena *keep,
                        budget *limits) {
  for (uint32_t keys = 0; keys <= KEY_MAX; keys++) {
    const across x = {.c = c, .seen = seen, .keys = keys, .scratch = arena_new(), .limits = limits};
    const keyed_classes all = find_classes(&x);
    for (uint32_t i = 0; i < all.count && !budget_check_now(limits); i++) {
      const family f = family_of(&x, &all, i);
      fact_set found = {.keep = keep};
      if (is_likely(&x, &f)) guess_family(&x, &f, guesses, &found);
      if (found.all.count) vec_push(keep, guesses, found);
    }
    arena_free(x.scratch);
  }
}
