#include "rules/argument_slots.h"

#include <assert.h>
#include <string.h>

/* Deeper slots are open, and so are those for which there is no room. */
enum { SLOT_DEPTH_MAX = 6, SLOTS_MAX = 1 << 20, WORDS_MAX = 1 << 21, WORK_MAX = 20 * 1000 * 1000 };

_Static_assert(sizeof((misfit){0}.path) / sizeof(uint32_t) > SLOT_DEPTH_MAX,
               "a path leads to every slot");

/* ---- items ---- */

typedef struct item_index {
  argument_values *v;
  arena *scratch;
  slot_values functions;
  id_table of_function;
} item_index;

static uint64_t hash_of_value(slot_value x) {
  return hash_ids((const uint32_t[]){x.name, x.arity}, 2);
}

static uint64_t hash_of_function(const void *context, uint32_t id) {
  return hash_of_value(((const item_index *)context)->functions.items[id]);
}

static bool is_same_value(slot_value a, slot_value b) {
  return a.name == b.name && a.arity == b.arity;
}

static uint32_t function_number(item_index *x, slot_value f) {
  id_table_reserve(&x->of_function, x->scratch, hash_of_function, x);
  uint32_t at = id_table_first(&x->of_function, hash_of_value(f));
  for (; x->of_function.slots[at] != ID_NONE; at = id_table_next(&x->of_function, at))
    if (is_same_value(x->functions.items[x->of_function.slots[at]], f))
      return x->of_function.slots[at];
  vec_push(x->scratch, &x->functions, f);
  id_table_put(&x->of_function, at, x->functions.count - 1);
  return x->functions.count - 1;
}

/* Functions are numbered from 0 until all constants are known. */
static void number_term(item_index *x, term_id t) {
  argument_values *v = x->v;
  const term *it = term_get(v->p->terms, t);
  if (v->item_of[t] != ITEM_NONE || it->is_variable) return;
  const slot_value value = {it->name, it->arg_count};
  if (value.arity == 0) {
    v->item_of[t] = v->items.count;
    vec_push(v->keep, &v->items, value);
    return;
  }
  v->item_of[t] = function_number(x, value);
  for (uint32_t i = 0; i < value.arity; i++) number_term(x, term_arg(v->p->terms, t, i));
}

static void number_arguments(item_index *x, term_id atom) {
  const term_table *t = x->v->p->terms;
  for (uint32_t i = 0; i < term_get(t, atom)->arg_count; i++) number_term(x, term_arg(t, atom, i));
}

static uint64_t hash_of_item(const void *context, uint32_t id) {
  return hash_of_value(((const argument_values *)context)->items.items[id]);
}

/* The slot of the value in the index, or the one where it would go. */
static uint32_t spot_of_value(const argument_values *v, slot_value x) {
  uint32_t at = id_table_first(&v->item_index, hash_of_value(x));
  while (v->item_index.slots[at] != ID_NONE &&
         !is_same_value(v->items.items[v->item_index.slots[at]], x))
    at = id_table_next(&v->item_index, at);
  return at;
}

static void index_items(argument_values *v) {
  for (uint32_t i = 0; i < v->items.count; i++) {
    id_table_reserve(&v->item_index, v->keep, hash_of_item, v);
    id_table_put(&v->item_index, spot_of_value(v, v->items.items[i]), i);
  }
}

static void number_items(argument_values *v, arena *scratch) {
  const program *p = v->p;
  const uint32_t terms = p->terms->terms.count;
  item_index x = {.v = v, .scratch = scratch};
  v->item_of = arena_new_array(v->keep, uint32_t, terms);
  memset(v->item_of, 0xff, terms * sizeof *v->item_of);
  for (clause_id c = 0; c < p->clauses.count; c++) number_arguments(&x, p->clauses.items[c].head);
  for (uint32_t l = 0; l < p->literals.count; l++) number_arguments(&x, p->literals.items[l].atom);
  v->constant_count = v->items.count;
  vec_append(v->keep, &v->items, x.functions.items, x.functions.count);
  v->word_count = (v->items.count + 63) / 64;
  index_items(v);
  for (term_id t = 0; t < terms; t++)
    if (v->item_of[t] != ITEM_NONE && term_get(p->terms, t)->arg_count)
      v->item_of[t] += v->constant_count;
}

/* ---- slots ---- */

static slot *slot_at(const argument_values *v, slot_id at) {
  assert(at < v->slots.count);
  return &v->slots.items[at];
}

static void add_slots(argument_values *v, uint32_t count, slot like) {
  for (uint32_t i = 0; i < count; i++) {
    like.argument = (uint16_t)i;
    vec_push(v->keep, &v->slots, like);
  }
}

static void make_root_slots(argument_values *v) {
  const uint32_t relations = v->p->relations.count;
  v->first_slot = arena_new_array(v->keep, slot_id, relations);
  for (relation_id r = 0; r < relations; r++) {
    v->first_slot[r] = v->slots.count;
    add_slots(v, v->p->relations.items[r].arity, (slot){.above = SLOT_NONE, .owner = r});
  }
}

void slots_init(argument_values *v, arena *scratch) {
  v->words_left = WORDS_MAX;
  v->steps_left = arena_alloc(v->keep, sizeof *v->steps_left);
  *v->steps_left = WORK_MAX;
  number_items(v, scratch);
  make_root_slots(v);
}

static uint64_t part_hash(slot_id at, uint32_t item) {
  return hash_ids((const uint32_t[]){at, item}, 2);
}

static uint64_t hash_of_part(const void *context, uint32_t id) {
  const part *x = &((const argument_values *)context)->parts.items[id];
  return part_hash(x->at, x->item);
}

/* Where in the index the part is, or would be. */
static uint32_t part_spot(const argument_values *v, slot_id at, uint32_t item) {
  uint32_t spot = id_table_first(&v->part_index, part_hash(at, item));
  for (; v->part_index.slots[spot] != ID_NONE; spot = id_table_next(&v->part_index, spot)) {
    const part *x = &v->parts.items[v->part_index.slots[spot]];
    if (x->at == at && x->item == item) break;
  }
  return spot;
}

slot_id slots_of_function(const argument_values *v, slot_id at, uint32_t item) {
  if (!v->part_index.slots) return SLOT_NONE;
  const uint32_t id = v->part_index.slots[part_spot(v, at, item)];
  return id == ID_NONE ? SLOT_NONE : v->parts.items[id].first;
}

/* SLOT_NONE: there is no room. */
static slot_id make_parts(argument_values *v, slot_id at, uint32_t item) {
  const uint32_t arity = v->items.items[item].arity;
  const uint32_t depth = slot_at(v, at)->depth + 1u;
  if (depth > SLOT_DEPTH_MAX || v->slots.count + arity > SLOTS_MAX) return SLOT_NONE;
  id_table_reserve(&v->part_index, v->keep, hash_of_part, v);
  const part x = {at, item, v->slots.count};
  const uint32_t spot = part_spot(v, at, item);
  vec_push(v->keep, &v->parts, x);
  id_table_put(&v->part_index, spot, v->parts.count - 1);
  add_slots(v, arity, (slot){.above = at, .owner = item, .depth = (uint8_t)depth});
  return x.first;
}

static void open_slot(argument_values *v, slot_id at) {
  if (!slot_at(v, at)->is_open) v->changed = true;
  slot_at(v, at)->is_open = true;
}

slot_id slots_to_fill(argument_values *v, slot_id at, uint32_t item) {
  if (slot_at(v, at)->is_open) return SLOT_NONE;
  slot_id first = slots_of_function(v, at, item);
  if (first == SLOT_NONE) first = make_parts(v, at, item);
  if (first == SLOT_NONE) open_slot(v, at);
  return first;
}

/* ---- values ---- */

bool slot_has_item(const argument_values *v, slot_id at, uint32_t item) {
  const slot *p = slot_at(v, at);
  return p->words && p->words[item / 64] >> (item % 64) & 1;
}

/* The bits of a slot, made with its first value; NULL: it is open. */
static uint64_t *bits_to_fill(argument_values *v, slot_id at) {
  slot *p = slot_at(v, at);
  if (!p->is_open && !p->words && v->words_left < v->word_count) open_slot(v, at);
  if (p->is_open) return NULL;
  if (p->words) return p->words;
  v->words_left -= v->word_count;
  return p->words = arena_zero_array(v->keep, uint64_t, v->word_count);
}

void slot_add_item(argument_values *v, slot_id at, uint32_t item) {
  uint64_t *words = bits_to_fill(v, at);
  const uint64_t bit = UINT64_C(1) << (item % 64);
  if (!words || words[item / 64] & bit) return;
  words[item / 64] |= bit;
  v->changed = true;
}

/* ---- what several slots have in common ---- */

static uint64_t domain_word(const argument_values *v, domain d, uint32_t w) {
  uint64_t word = d.without ? ~d.without[w] : UINT64_MAX;
  for (uint32_t i = 0; i < d.count && word; i++) {
    const slot *p = slot_at(v, d.slots[i]);
    word = p->words ? word & p->words[w] : 0;
  }
  return word;
}

/* For argument `i` of a function that stands at all slots of `d`. */
static domain domain_of_part(const argument_values *v, domain d, uint32_t item, uint32_t i,
                             arena *scratch) {
  slot_id *slots = arena_new_array(scratch, slot_id, d.count);
  domain of_part = {.slots = slots};
  for (uint32_t k = 0; k < d.count; k++) {
    const slot_id first = slots_of_function(v, d.slots[k], item);
    if (first == SLOT_NONE) continue; /* it has become open meanwhile */
    if (!slot_at(v, first + i)->is_open) slots[of_part.count++] = first + i;
  }
  return of_part;
}

/* Has the function, as it stands at all slots, an argument that can have no value? */
static bool lacks_a_part(const argument_values *v, domain d, uint32_t item, arena *scratch) {
  bool lacks = false;
  for (uint32_t i = 0; i < v->items.items[item].arity && !lacks; i++) {
    const arena_mark mark = arena_save(scratch);
    lacks = domain_is_empty(v, domain_of_part(v, d, item, i, scratch), scratch);
    arena_restore(scratch, mark);
  }
  return lacks;
}

bool domain_is_empty(const argument_values *v, domain d, arena *scratch) {
  if (d.count == 0) return false;
  for (uint32_t w = 0; w < v->word_count; w++) {
    slots_spend(v, d.count);
    for (uint64_t word = domain_word(v, d, w); word; word &= word - 1) {
      const uint32_t item = w * 64 + (uint32_t)__builtin_ctzll(word);
      if (item < v->constant_count || !lacks_a_part(v, d, item, scratch)) return false;
    }
  }
  return !slots_are_spent(v);
}

static void add_function(argument_values *v, slot_id at, domain d, uint32_t item, arena *scratch) {
  const slot_id first = slots_to_fill(v, at, item);
  for (uint32_t i = 0; first != SLOT_NONE && i < v->items.items[item].arity; i++) {
    const arena_mark mark = arena_save(scratch);
    slot_add_domain(v, first + i, domain_of_part(v, d, item, i, scratch), scratch);
    arena_restore(scratch, mark);
  }
}

static void add_functions(argument_values *v, slot_id at, domain d, arena *scratch) {
  for (uint32_t w = v->constant_count / 64; w < v->word_count; w++)
    for (uint64_t word = domain_word(v, d, w); word; word &= word - 1) {
      const uint32_t item = w * 64 + (uint32_t)__builtin_ctzll(word);
      if (item >= v->constant_count) add_function(v, at, d, item, scratch);
    }
}

void slot_add_domain(argument_values *v, slot_id at, domain d, arena *scratch) {
  if (d.count == 0) open_slot(v, at);
  uint64_t *words = bits_to_fill(v, at);
  if (!words) return;
  slots_spend(v, (uint64_t)v->word_count * d.count);
  for (uint32_t w = 0; w < v->word_count; w++) {
    const uint64_t fresh = domain_word(v, d, w) & ~words[w];
    words[w] |= fresh;
    if (fresh) v->changed = true;
  }
  add_functions(v, at, d, scratch);
}

/* ---- questions ---- */

slot_id slot_of_argument(const argument_values *v, relation_id r, uint32_t argument) {
  assert(argument < v->p->relations.items[r].arity);
  return v->first_slot[r] + argument;
}

/* The item of a value; ITEM_NONE: no term of the program is such. */
static uint32_t item_of_value(const argument_values *v, slot_value x) {
  if (!v->items.count) return ITEM_NONE;
  return v->item_index.slots[spot_of_value(v, x)];
}

slot_id slot_of_part(const argument_values *v, slot_id at, slot_value function, uint32_t argument) {
  assert(argument < function.arity);
  const uint32_t item = item_of_value(v, function);
  if (item == ITEM_NONE || slot_is_open(v, at)) return SLOT_NONE;
  const slot_id first = slots_of_function(v, at, item);
  return first == SLOT_NONE ? SLOT_NONE : first + argument;
}

slot_origin slot_comes_from(const argument_values *v, slot_id at) {
  const slot *p = slot_at(v, at);
  const relation *r = p->above == SLOT_NONE ? &v->p->relations.items[p->owner] : NULL;
  return (slot_origin){p->above, r ? (slot_value){r->name, r->arity} : v->items.items[p->owner],
                       p->argument};
}

bool slot_is_open(const argument_values *v, slot_id at) {
  return slots_are_spent(v) || slot_at(v, at)->is_open;
}

bool slot_has(const argument_values *v, slot_id at, slot_value value) {
  if (slot_is_open(v, at)) return true;
  const uint32_t item = item_of_value(v, value);
  return item != ITEM_NONE && slot_has_item(v, at, item);
}

/* The slots that are not open. */
static domain closed_domain(const argument_values *v, const slot_id *slots, uint32_t count,
                            arena *scratch) {
  slot_id *closed = arena_new_array(scratch, slot_id, count);
  domain d = {.slots = closed};
  for (uint32_t i = 0; i < count; i++)
    if (!slot_is_open(v, slots[i])) closed[d.count++] = slots[i];
  return d;
}

slot_values slots_common_values(const argument_values *v, const slot_id *slots, uint32_t count,
                                arena *keep) {
  slot_values all = {0};
  const domain d = closed_domain(v, slots, count, keep);
  for (uint32_t w = 0; d.count && w < v->word_count; w++)
    for (uint64_t word = domain_word(v, d, w); word; word &= word - 1)
      vec_push(keep, &all, v->items.items[w * 64 + (uint32_t)__builtin_ctzll(word)]);
  return all;
}

bool slots_have_common_value(const argument_values *v, const slot_id *slots, uint32_t count,
                             arena *scratch) {
  const arena_mark mark = arena_save(scratch);
  const bool is_empty = domain_is_empty(v, closed_domain(v, slots, count, scratch), scratch);
  arena_restore(scratch, mark);
  return !is_empty;
}
