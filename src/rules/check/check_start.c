/* The first state: boards that are given fact by fact. */
#include "rules/check/keyword_uses.h"
#include "rules/check/value_words.h"

/* A fluent whose facts in the first state have each a key, all arguments but the last, and a
   value. */
typedef struct board {
  checker *c;
  const keyword_use *fluent;
  uint32_t key_length;
  id_table index; /* of facts by key; an id is an index of fluent->starts */
  uint32_t keys;
  uint32_t second; /* a fact whose key another has: one of them; with `first` */
  uint32_t first;
  uint32_t doubles;
} board;

/* What is smaller is hardly a board. */
enum { FEWEST_FACTS = 6 };

static const term_id *key_of(const board *b, uint32_t fact) {
  return term_args(b->c->p->terms, keyword_thing(b->c, b->fluent->starts.items[fact]));
}

static uint64_t hash_of_key(const void *context, uint32_t id) {
  const board *b = context;
  return hash_ids(key_of(b, id), b->key_length);
}

static bool is_same_key(const board *b, uint32_t one, uint32_t other) {
  for (uint32_t i = 0; i < b->key_length; i++)
    if (key_of(b, one)[i] != key_of(b, other)[i]) return false;
  return true;
}

static void note_fact(board *b, uint32_t fact) {
  id_table_reserve(&b->index, b->c->scratch, hash_of_key, b);
  uint32_t at = id_table_first(&b->index, hash_of_key(b, fact));
  for (; b->index.slots[at] != ID_NONE; at = id_table_next(&b->index, at))
    if (is_same_key(b, b->index.slots[at], fact)) {
      const bool is_repeated = keyword_thing(b->c, b->fluent->starts.items[b->index.slots[at]]) ==
                               keyword_thing(b->c, b->fluent->starts.items[fact]);
      if (is_repeated) return; /* W607 tells */
      b->first = b->index.slots[at];
      b->second = fact;
      b->doubles++;
      return;
    }
  id_table_put(&b->index, at, fact);
  b->keys++;
}

/* All facts, and none of them by a rule. */
static bool is_given_by_facts(const checker *c, const keyword_use *f) {
  for (uint32_t i = 0; i < f->starts.count; i++)
    if (clause_at(c, f->starts.items[i])->body_count ||
        !term_is_ground(c->p->terms, clause_at(c, f->starts.items[i])->head))
      return false;
  return true;
}

static node_id node_of_fact(const board *b, uint32_t fact) {
  return node_of_argument(b->c, node_of_head(b->c, b->fluent->starts.items[fact]), 0);
}

static void report_double(const board *b) {
  checker *c = b->c;
  diag *g = diag_add(c->d, DIAG_W629, where(c, node_of_fact(b, b->second)),
                     "the initial state already gives this %s another value",
                     shown_thing(c, b->fluent->name));
  diag_relate(c->d, g, where(c, node_of_fact(b, b->first)), "it is given here");
  diag_hint(c->d, g, "every other cell has one value: correct or remove one of the two");
}

/* The values of argument `i` in the facts, in the order of the text. */
static id_vec values_of(const board *b, uint32_t i) {
  id_vec all = {0};
  for (uint32_t fact = 0; fact < b->fluent->starts.count; fact++) {
    uint32_t n = 0;
    while (n < all.count && all.items[n] != key_of(b, fact)[i]) n++;
    if (n == all.count) vec_push(b->c->scratch, &all, key_of(b, fact)[i]);
  }
  return all;
}

static bool has_place(const board *b, const term_id *key) {
  for (uint32_t at = id_table_first(&b->index, hash_ids(key, b->key_length));
       b->index.slots[at] != ID_NONE; at = id_table_next(&b->index, at)) {
    const term_id *other = key_of(b, b->index.slots[at]);
    if (other[0] == key[0] && other[1] == key[1]) return true;
  }
  return false;
}

static void report_hole(const board *b, term_id x, term_id y) {
  checker *c = b->c;
  const uint32_t last = b->fluent->starts.count - 1;
  diag *g = diag_add(c->d, DIAG_W629, where(c, node_of_fact(b, last)),
                     "the initial state has no %s for %s %s", shown_thing(c, b->fluent->name),
                     shown_term(c, x, 0), shown_term(c, y, 0));
  diag_hint(c->d, g, "is a fact forgotten?");
}

/* Only one cell of a board with two coordinates is missing. */
static void check_hole(const board *b) {
  const id_vec columns = values_of(b, 0), rows = values_of(b, 1);
  if ((uint64_t)columns.count * rows.count != b->keys + UINT64_C(1)) return;
  if (columns.count < 2 || rows.count < 2) return;
  for (uint32_t x = 0; x < columns.count; x++)
    for (uint32_t y = 0; y < rows.count; y++)
      if (!has_place(b, (const term_id[]){columns.items[x], rows.items[y]}))
        report_hole(b, columns.items[x], rows.items[y]);
}

/* ---- boards that are kept whole and changed ---- */

static bool is_variable_once(const term_table *t, term_id fluent, uint32_t i) {
  if (!term_is_variable(t, term_arg(t, fluent, i))) return false;
  for (uint32_t k = 0; k < i; k++)
    if (term_arg(t, fluent, k) == term_arg(t, fluent, i)) return false;
  return true;
}

/* next(f) <= true(f), whatever the arguments are. */
static bool keeps_all(const checker *c, clause_id id) {
  const term_table *t = c->p->terms;
  const clause *it = clause_at(c, id);
  if (it->body_count != 1) return false;
  const literal *l = literal_at(c, it->body);
  const term_id fluent = keyword_thing(c, id);
  if (l->kind != LITERAL_POSITIVE || atom_relation(c->p, l->atom) != SYM_TRUE) return false;
  if (term_arg(t, l->atom, 0) != fluent) return false;
  for (uint32_t i = 0; i < term_get(t, fluent)->arg_count; i++)
    if (!is_variable_once(t, fluent, i)) return false;
  return true;
}

/* Does every place that there ever is have its value from the start? */
static bool is_full(const board *b) {
  const checker *c = b->c;
  uint64_t places = 1;
  const slot_id all = slot_of_argument(c->values, SYM_TRUE, 0);
  for (uint32_t i = 0; i < b->key_length; i++) {
    const slot_id at = slot_of_part(c->values, all, b->fluent->name, i);
    if (at == SLOT_NONE || slot_is_open(c->values, at)) return false;
    places *= slots_common_values(c->values, &at, 1, c->scratch).count;
    if (places > b->keys) return false;
  }
  return true;
}

static void check_kept(const board *b) {
  checker *c = b->c;
  const id_vec *steps = &b->fluent->steps;
  if (steps->count < 2 || b->doubles || !is_full(b)) return;
  for (uint32_t i = 0; i < steps->count; i++) {
    if (!keeps_all(c, steps->items[i])) continue;
    const clause_id other = steps->items[i ? 0 : 1];
    diag *g = diag_add(c->d, DIAG_W632, where(c, node_of_head(c, steps->items[i])),
                       "this rule keeps every %s, and those that another rule changes, too",
                       shown_thing(c, b->fluent->name));
    diag_relate(c->d, g, where(c, node_of_head(c, other)), "a cell has two values after this");
    diag_hint(c->d, g, "add a condition that excludes the change");
    return;
  }
}

/* ---- each fluent ---- */

static void check_board(checker *c, const keyword_use *f) {
  board b = {.c = c, .fluent = f, .key_length = f->name.arity - 1};
  for (uint32_t i = 0; i < f->starts.count && check_may_go_on(c); i++) note_fact(&b, i);
  if (b.doubles == 1) report_double(&b);
  if (b.key_length == 2) check_hole(&b);
  check_kept(&b);
}

void check_start(checker *c) {
  const keyword_uses uses = fluent_uses(c);
  for (uint32_t i = 0; i < uses.all.count; i++) {
    const keyword_use *f = &uses.all.items[i];
    if (f->name.arity >= 2 && f->starts.count >= FEWEST_FACTS && is_given_by_facts(c, f))
      check_board(c, f);
  }
}
