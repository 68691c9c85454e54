#include "compile/plan/storage.h"

#include "compile/decline.h"
#include "compile/plan/fluent_counts.h"
#include "compile/rules/keyword_columns.h"
#include "datalog/flat_roles.h"

#include <stdlib.h>
#include <string.h>

const char *const knowledge_base_names[] = {"dense", "hash", "trie", NULL};

enum {
  LARGE_BITS = 1 << 14, /* cleared row by row from here on */
  POSITION_BITS_MAX = 1 << 16,
  SPARSE_BITS_MIN = 1 << 13, /* fewer are never listed */
  SPARSE_SHARE = 128,        /* with fewer rows than this part of all, rows are listed */
  ROOM_TIMES = 4,            /* rows in a position, if nobody knows how many there can be: some */
  ROOM_LEAST = 1024,         /* times those of the start; and enough for one that is nearly empty */
  PERMANENT_CELLS_MAX = 2000000,
};

#define BITS_MAX ((uint64_t)1 << 20)
#define MIXED_MAX ((uint64_t)1 << 16) /* texts that are sorted one by one */
#define NUMBERS_MAX ((uint64_t)1 << 31)

typedef struct planner {
  storage *s;
  const inverted *v;
  const domains *d;
  arena *keep;
  budget *limits;
  diag_sink *diags;
} planner;

static relation_id keyword_of(const planner *x, flat_id r) {
  return x->d->n->flat.relations.items[r].relation;
}

/* ---- sizes ---- */

static void set_sizes(planner *x, flat_id r) {
  store *it = &x->s->stores[r];
  const uint32_t arity = x->d->n->flat.relations.items[r].arity;
  it->low = arena_new_array(x->keep, uint32_t, arity + 1);
  it->size = arena_new_array(x->keep, uint32_t, arity + 1);
  for (uint32_t i = 0; i < arity; i++) {
    it->size[i] = domain_size(domain_of(x->d, r, i));
    it->low[i] = it->size[i] ? domain_of(x->d, r, i)->low : 0;
  }
  it->product = domain_product(x->d, r);
}

/* Bits that are nearly all 0 are dear to copy.  What is kept is compared bit by bit. */
static void choose_sparse(planner *x, flat_id r) {
  store *it = &x->s->stores[r];
  const double rows = x->d->n->sizes->rows[r];
  const bool is_thin = it->product >= SPARSE_BITS_MIN && rows * SPARSE_SHARE < (double)it->product;
  it->is_sparse = it->product > POSITION_BITS_MAX || (is_thin && !x->v->relations[r].is_kept);
}

/* next(...) has the layout of the true(...) that it becomes. */
static void share_layout(planner *x, flat_id next) {
  const flat_program *f = &x->d->n->flat;
  for (flat_id r = 0; r < f->relations.count; r++) {
    column_map m;
    if (keyword_of(x, r) != SYM_TRUE || !columns_map(f, next, r, &m, x->keep)) continue;
    x->s->stores[next].low = x->s->stores[r].low;
    x->s->stores[next].size = x->s->stores[r].size;
    x->s->stores[next].product = x->s->stores[r].product;
    x->s->stores[next].is_sparse = x->s->stores[r].is_sparse;
  }
}

/* ---- how it is read ---- */

static void note_pattern(planner *x, flat_id r, uint64_t known) {
  store *it = &x->s->stores[r];
  const uint32_t arity = x->d->n->flat.relations.items[r].arity;
  const uint64_t all = arity == 64 ? UINT64_MAX : (UINT64_C(1) << arity) - 1;
  if (known == all) {
    it->is_tested = true;
    return;
  }
  if (known == 0) {
    it->is_scanned = true;
    return;
  }
  for (uint32_t i = 0; i < it->patterns.count; i++)
    if (it->patterns.items[i] == known) return;
  vec_push(x->keep, &it->patterns, known);
}

bool storage_takes_bits(const storage *s, const trigger *t) {
  if (!t->is_whole) return false;
  const flat_literal *l = &storage_program(s)->literals.items[t->by];
  return !s->stores[l->relation].is_sparse;
}

/* Some rule needs the rows of the firing's relation one by one. */
static bool reads_rows(const planner *x, const firing *f) {
  for (uint32_t i = 0; i < f->trigger_count; i++)
    if (!storage_takes_bits(x->s, &x->v->triggers.items[f->first_trigger + i])) return true;
  return false;
}

static void note_reads(planner *x) {
  const flat_program *f = &x->d->n->flat;
  for (uint32_t i = 0; i < x->v->firings.count; i++) {
    const firing *it = &x->v->firings.items[i];
    if (it->relation != ID_NONE && reads_rows(x, it)) x->s->stores[it->relation].is_scanned = true;
  }
  for (uint32_t i = 0; i < x->v->remaining.count; i++) {
    const remaining *rest = &x->v->remaining.items[i];
    note_pattern(x, f->literals.items[rest->literal].relation, rest->known);
  }
  for (flat_id r = 0; r < f->relations.count; r++) {
    const relation_id k = keyword_of(x, r);
    if (k == SYM_GOAL || k == SYM_SEES || k == SYM_TERMINAL) x->s->stores[r].is_scanned = true;
  }
}

static bool is_read(const store *it) {
  return it->is_scanned || it->is_tested || it->patterns.count;
}

static void choose_kind(planner *x, flat_id r) {
  store *it = &x->s->stores[r];
  const relation_kind kind = x->v->relations[r].kind;
  const relation_id keyword = keyword_of(x, r);
  if (kind == KIND_UNUSED || kind == KIND_PERMANENT || kind == KIND_PASSED) return;
  const uint32_t arity = x->d->n->flat.relations.items[r].arity;
  if (keyword == SYM_LEGAL && !is_read(it)) return;
  if (kind == KIND_MOVE && !is_read(it)) return;
  const bool wants_bits = x->s->kb == KB_DENSE || arity == 0 || keyword == SYM_NEXT;
  it->kind = wants_bits && it->product <= BITS_MAX ? STORE_BITS : STORE_ROWS;
  it->is_large = it->kind == STORE_BITS && it->product > LARGE_BITS;
  if (keyword == SYM_NEXT && it->is_sparse) it->is_scanned = true;
}

/* ---- positions ---- */

static uint32_t initial_count(const planner *x) {
  uint32_t count = 0;
  for (flat_id r = 0; r < x->d->n->flat.relations.count; r++)
    if (keyword_of(x, r) == SYM_INIT) count += x->d->n->facts[r].count;
  return count;
}

static uint32_t usual_room(const planner *x) {
  const uint32_t usual = initial_count(x) * ROOM_TIMES;
  return usual > ROOM_LEAST ? usual : ROOM_LEAST;
}

/* A list may have more rows than usual. */
static bool is_to_be_counted(const planner *x, flat_id r) {
  const store *it = &x->s->stores[r];
  return x->v->relations[r].kind == KIND_STATE && it->is_sparse && it->product > usual_room(x);
}

/* By flat relation; NULL: nobody needs to know, or they are too many. */
static const uint32_t *count_fluents(const planner *x) {
  const normal_program *n = x->d->n;
  for (flat_id r = 0; r < n->flat.relations.count; r++)
    if (is_to_be_counted(x, r))
      return fluent_counts(n->strata->program, &n->flat, x->keep, x->limits);
  return NULL;
}

static uint32_t room_for(const planner *x, flat_id r, const uint32_t *counts) {
  const uint32_t most = counts ? counts[r] : usual_room(x);
  const uint64_t product = x->s->stores[r].product;
  const uint32_t room = product < most ? (uint32_t)product : most;
  return (room | 1) + 1; /* an even number: each list begins at a whole word */
}

static bool too_many(planner *x, const char *what) {
  compile_decline(x->diags, SPAN_NONE, "there can be too many %s to be numbered", what);
  return false;
}

static bool lay_out_position(planner *x) {
  storage *s = x->s;
  uint32_t words = 0;
  for (flat_id r = 0; r < x->d->n->flat.relations.count; r++) {
    store *it = &s->stores[r];
    if (x->v->relations[r].kind != KIND_STATE) continue;
    if (it->is_sparse) continue;
    it->place = words;
    words += (uint32_t)((it->product + 63) / 64);
  }
  s->dense_words = words;
  const uint32_t *counts = count_fluents(x);
  uint64_t ids = (uint64_t)words * 64;
  for (flat_id r = 0; r < x->d->n->flat.relations.count; r++) {
    store *it = &s->stores[r];
    if (x->v->relations[r].kind != KIND_STATE || !it->is_sparse) continue;
    if (it->product > NUMBERS_MAX || ids + it->product > NUMBERS_MAX) return too_many(x, "fluents");
    it->room = room_for(x, r, counts);
    it->word = words;
    it->place = (uint32_t)ids;
    ids += it->product;
    words += (it->room + 2) / 2;
  }
  s->position_words = words ? words : 1;
  return true;
}

/* ---- moves and percepts ---- */

/* Texts of two shapes keep the order of the shapes when they differ before the first hole of
   either. */
static bool shapes_are_apart(const flat_program *f, flat_id a, flat_id b, arena *keep) {
  const term_id left = term_arg(f->terms, f->relations.items[a].skeleton, 1);
  const term_id right = term_arg(f->terms, f->relations.items[b].skeleton, 1);
  const bool left_is_hole = term_is_variable(f->terms, left);
  const bool right_is_hole = term_is_variable(f->terms, right);
  text one = text_new(keep);
  text two = text_new(keep);
  term_print(f->terms, left, NOTATION_KIF, NULL, &one);
  term_print(f->terms, right, NOTATION_KIF, NULL, &two);
  if (left_is_hole || right_is_hole) /* names, and lists: the first byte may tell */
    return false;
  const char *x = text_string(&one);
  const char *y = text_string(&two);
  while (*x == *y && *x != '?') x++, y++;
  return *x != '?' && *y != '?';
}

typedef struct shape_order {
  const flat_program *f;
} shape_order;

static int compare_shapes(const void *left, const void *right, void *context) {
  const flat_program *f = ((const shape_order *)context)->f;
  const term_id a = f->relations.items[*(const flat_id *)left].skeleton;
  const term_id b = f->relations.items[*(const flat_id *)right].skeleton;
  return term_compare(f->terms, term_arg(f->terms, a, 1), term_arg(f->terms, b, 1));
}

static bool shape_is_plain(const flat_program *f, flat_id r) {
  return term_is_variable(f->terms, term_arg(f->terms, f->relations.items[r].skeleton, 1));
}

/* Moves that are plain names and moves that are lists: a name that begins before `(` would come
   first, all others come behind. */
static bool plain_shape_fits(const planner *x, flat_id r) {
  const value_class *c = &x->d->classes[domain_of(x->d, r, 1)->class_id];
  const term_table *t = x->d->n->flat.terms;
  for (uint32_t i = 0; i < c->count; i++) {
    const slice name = symbol_canonical(t->symbols, term_get(t, c->values[i])->name);
    if (name.length == 0 || (unsigned char)name.start[0] <= '(') return false;
  }
  return true;
}

/* Shapes under the keyword in which the role is a compound are of no role. */
static bool is_in_space(const planner *x, flat_id r, relation_id keyword) {
  return keyword_of(x, r) == keyword && flat_has_role(&x->d->n->flat, r);
}

/* True: the order of shapes, and of columns within a shape, is that of the texts. */
static bool order_shapes(planner *x, relation_id keyword, term_space *space) {
  const flat_program *f = &x->d->n->flat;
  space->shapes = arena_new_array(x->keep, flat_id, f->relations.count + 1);
  space->first = arena_new_array(x->keep, uint32_t, f->relations.count + 1);
  for (flat_id r = 0; r < f->relations.count; r++)
    if (is_in_space(x, r, keyword) && !shape_is_plain(f, r))
      space->shapes[space->shape_count++] = r;
  shape_order context = {f};
  qsort_r(space->shapes, space->shape_count, sizeof *space->shapes, compare_shapes, &context);
  bool are_apart = true;
  for (uint32_t i = 0; i < space->shape_count; i++)
    for (uint32_t k = 0; k < i; k++)
      are_apart &= shapes_are_apart(f, space->shapes[k], space->shapes[i], x->keep);
  for (flat_id r = 0; r < f->relations.count; r++) { /* names follow lists */
    if (!is_in_space(x, r, keyword) || !shape_is_plain(f, r)) continue;
    space->shapes[space->shape_count++] = r;
    are_apart &= plain_shape_fits(x, r);
  }
  return are_apart;
}

/* ---- ranks ---- */

typedef struct ranked {
  const char *text; /* of the value, with what follows it in the text of the move */
  uint32_t code;
} ranked;

static int compare_ranked(const void *left, const void *right) {
  return strcmp(((const ranked *)left)->text, ((const ranked *)right)->text);
}

/* What follows hole `column` in the text of the term, which `after` follows; NUL: it is not there.
 */
static char byte_behind(const term_table *t, term_id id, uint32_t column, char after) {
  const term *it = term_get(t, id);
  if (it->is_variable) return it->name == column ? after : '\0';
  for (uint32_t i = 0; i < it->arg_count; i++) {
    const char last = i + 1u < it->arg_count ? ' ' : ')';
    const char found = byte_behind(t, term_arg(t, id, i), column, last);
    if (found) return found;
  }
  return '\0';
}

uint32_t *storage_ranks(const storage *s, flat_id r, uint32_t column, arena *keep) {
  const domains *d = s->inverted->domains;
  const flat_program *f = &d->n->flat;
  const store *it = &s->stores[r];
  const uint32_t size = it->size[column];
  const value_class *c = &d->classes[domain_of(d, r, column)->class_id];
  const char behind[2] = {byte_behind(f->terms, f->relations.items[r].skeleton, column, ')'), '\0'};
  ranked *all = arena_new_array(keep, ranked, size + 1);
  for (uint32_t i = 0; i < size; i++) {
    text out = text_new(keep);
    term_print(f->terms, c->values[it->low[column] + i], NOTATION_KIF, NULL, &out);
    if (!shape_is_plain(f, r)) text_add(&out, behind);
    all[i] = (ranked){text_string(&out), i};
  }
  qsort(all, size, sizeof *all, compare_ranked);
  uint32_t *ranks = arena_new_array(keep, uint32_t, size + 1);
  for (uint32_t i = 0; i < size; i++) ranks[all[i].code] = i;
  return ranks;
}

/* ---- texts of several shapes ---- */

/* The term with a number in a space, by its columns' ranks. */
static term_id term_of_number(planner *x, flat_id r, uint32_t number, uint32_t *const *codes) {
  const flat_program *f = &x->d->n->flat;
  const store *it = &x->s->stores[r];
  const uint32_t arity = f->relations.items[r].arity;
  term_id *holes = arena_new_array(x->keep, term_id, arity + 1);
  holes[0] = term_variable(f->terms, 0);
  for (uint32_t c = arity; c-- > 1;) {
    const uint32_t code = it->low[c] + codes[c][number % it->size[c]];
    holes[c] = x->d->classes[domain_of(x->d, r, c)->class_id].values[code];
    number /= it->size[c];
  }
  return skeleton_argument(f->terms, f->relations.items[r].skeleton, holes, 1);
}

/* By rank, for each column: the code, less the lowest. */
static uint32_t **codes_by_rank(planner *x, flat_id r) {
  const uint32_t arity = x->d->n->flat.relations.items[r].arity;
  uint32_t **codes = arena_new_array(x->keep, uint32_t *, arity + 1);
  for (uint32_t c = 1; c < arity; c++) {
    const uint32_t size = x->s->stores[r].size[c];
    const uint32_t *ranks = storage_ranks(x->s, r, c, x->keep);
    codes[c] = arena_new_array(x->keep, uint32_t, size + 1);
    for (uint32_t i = 0; i < size; i++) codes[c][ranks[i]] = i;
  }
  return codes;
}

static void rank_texts(planner *x, term_space *space) {
  const flat_program *f = &x->d->n->flat;
  ranked *all = arena_new_array(x->keep, ranked, space->count + 1);
  for (uint32_t i = 0; i < space->shape_count; i++) {
    const uint64_t end = i + 1 < space->shape_count ? space->first[i + 1] : space->count;
    uint32_t **codes = codes_by_rank(x, space->shapes[i]);
    for (uint32_t n = space->first[i]; n < end; n++) {
      text out = text_new(x->keep);
      term_print(f->terms, term_of_number(x, space->shapes[i], n - space->first[i], codes),
                 NOTATION_KIF, NULL, &out);
      all[n] = (ranked){text_string(&out), n};
    }
  }
  qsort(all, space->count, sizeof *all, compare_ranked);
  space->ranks = arena_new_array(x->keep, uint32_t, space->count + 1);
  for (uint32_t i = 0; i < space->count; i++) space->ranks[all[i].code] = i;
}

static bool number_space(planner *x, relation_id keyword, const char *what, term_space *space) {
  const bool is_in_order = order_shapes(x, keyword, space);
  for (uint32_t i = 0; i < space->shape_count; i++) {
    const store *it = &x->s->stores[space->shapes[i]];
    uint64_t count = 1; /* of all columns but the role */
    for (uint32_t c = 1; c < x->d->n->flat.relations.items[space->shapes[i]].arity; c++)
      if (__builtin_mul_overflow(count, (uint64_t)it->size[c], &count)) return too_many(x, what);
    space->first[i] = (uint32_t)space->count;
    space->count += count;
    if (count > NUMBERS_MAX || space->count > NUMBERS_MAX) return too_many(x, what);
  }
  if (is_in_order) return true;
  if (space->count > MIXED_MAX) return too_many(x, what);
  rank_texts(x, space);
  return true;
}

/* ---- the whole ---- */

/* Facts that never change are part of the C text. */
static bool permanent_facts_fit(planner *x) {
  const flat_program *f = &x->d->n->flat;
  uint64_t cells = 0;
  for (flat_id r = 0; r < f->relations.count; r++) {
    const store *it = &x->s->stores[r];
    if (x->v->relations[r].kind != KIND_PERMANENT) continue;
    const uint64_t tables = it->patterns.count + it->is_scanned + it->is_tested;
    cells += tables * x->d->n->facts[r].count * f->relations.items[r].arity;
  }
  if (cells <= PERMANENT_CELLS_MAX) return true;
  compile_decline(x->diags, SPAN_NONE, "there are too many facts that never change");
  return false;
}

static bool arities_fit(planner *x) {
  const flat_program *f = &x->d->n->flat;
  for (flat_id r = 0; r < f->relations.count; r++) {
    if (x->v->relations[r].kind == KIND_UNUSED || f->relations.items[r].arity < COLUMNS_MAX)
      continue;
    compile_decline(x->diags, flat_relation_span(f, r),
                    "a relation here has more than %d columns, its terms taken apart",
                    COLUMNS_MAX - 1);
    return false;
  }
  return true;
}

/* A role is one column: not so when its terms have arguments. */
static bool roles_are_constants(const planner *x) {
  const flat_program *f = &x->d->n->flat;
  for (flat_id r = 0; r < f->relations.count; r++) {
    if (keyword_of(x, r) != SYM_ROLE || x->d->n->facts[r].count == 0) continue;
    if (flat_has_role(f, r)) continue;
    flat_report_compound_role(f, x->diags);
    return false;
  }
  return true;
}

static bool find_roles(const planner *x) {
  const flat_program *f = &x->d->n->flat;
  id_vec *roles = &x->s->roles;
  if (!roles_are_constants(x)) return false;
  for (uint32_t i = 0; x->s->role != ID_NONE && i < x->d->n->facts[x->s->role].count; i++)
    vec_push(x->keep, roles, table_row(&x->d->n->facts[x->s->role], i)[0]);
  if (!roles->count) {
    diag_add(x->diags, DIAG_E601, SPAN_NONE, "the game has no role");
    return false;
  }
  program_order_roles(f->source, f->terms, roles->items, roles->count);
  return true;
}

bool storage_plan(storage *s, const inverted *v, knowledge_base kb, arena *keep, budget *limits,
                  diag_sink *d) {
  const flat_program *f = &v->domains->n->flat;
  *s = (storage){.inverted = v, .kb = kb, .role = ID_NONE};
  planner x = {.s = s, .v = v, .d = v->domains, .keep = keep, .limits = limits, .diags = d};
  s->stores = arena_zero_array(keep, store, f->relations.count + 1);
  if (!arities_fit(&x)) return false;
  for (flat_id r = 0; r < f->relations.count; r++) {
    set_sizes(&x, r);
    if (keyword_of(&x, r) == SYM_TRUE) choose_sparse(&x, r);
  }
  for (flat_id r = 0; r < f->relations.count; r++) {
    if (keyword_of(&x, r) == SYM_NEXT) share_layout(&x, r);
    if (keyword_of(&x, r) == SYM_ROLE && flat_has_role(f, r)) s->role = r;
  }
  if (!find_roles(&x)) return false;
  note_reads(&x);
  for (flat_id r = 0; r < f->relations.count; r++) choose_kind(&x, r);
  return permanent_facts_fit(&x) && lay_out_position(&x) &&
         number_space(&x, SYM_DOES, "moves", &s->moves) &&
         number_space(&x, SYM_SEES, "percepts", &s->percepts);
}
