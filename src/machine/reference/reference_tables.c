#include "machine/reference/reference_tables.h"
#include "rules/term_copy.h"

#include <string.h>

/* ---- answers ---- */

static uint64_t answer_hash(const question *q, const term_id *row) {
  return hash_mix(hash_ids(row, q->columns) ^ (uint64_t)q->atom << 32);
}

const term_id *ref_answer(const question *q, uint32_t row) {
  return vec_from(&q->answers, (size_t)row * q->columns);
}

static uint64_t hash_of_answer(const void *context, uint32_t id) {
  const layer_tables *l = context;
  const answer_ref *a = &l->answers.items[id];
  return answer_hash(a->question, ref_answer(a->question, a->row));
}

static bool is_answer(const answer_ref *a, const question *q, const term_id *row) {
  return a->question == q && memcmp(ref_answer(q, a->row), row, q->columns * sizeof *row) == 0;
}

/* False: it is known already. */
static bool insert_answer(layer_tables *l, question *q, const term_id *row) {
  id_table_reserve(&l->answer_index, l->keep, hash_of_answer, l);
  uint32_t at = id_table_first(&l->answer_index, answer_hash(q, row));
  for (; l->answer_index.slots[at] != ID_NONE; at = id_table_next(&l->answer_index, at))
    if (is_answer(&l->answers.items[l->answer_index.slots[at]], q, row)) return false;
  const answer_ref fresh = {q, q->answer_count++};
  vec_append(l->keep, &q->answers, row, q->columns);
  id_table_put(&l->answer_index, at, l->answers.count);
  vec_push(l->keep, &l->answers, fresh);
  return true;
}

static void queue(ref_tables *t, reader *r) {
  if (r->is_queued) return;
  r->is_queued = true;
  vec_push(t->agenda, &t->to_read, r);
}

/* One answer is all there can be to a question without variables. */
void ref_answer_add(ref_tables *t, question *q, const term_id *row) {
  if (q->is_complete || !insert_answer(&t->layers[q->layer], q, row)) return;
  if (q->columns == 0) q->is_complete = true;
  for (reader *r = q->readers; r; r = r->other) queue(t, r);
}

/* ---- questions ---- */

static void reserve_question_of(ref_tables *t, term_id atom) {
  if (atom < t->question_of_size) return;
  const uint32_t size = atom + 1 > 2 * t->question_of_size ? atom + 1 : 2 * t->question_of_size;
  t->question_of = arena_grow(t->keep, t->question_of, t->question_of_size * sizeof(uint32_t),
                              size * sizeof(uint32_t));
  memset(t->question_of + t->question_of_size, 0, (size - t->question_of_size) * sizeof(uint32_t));
  t->question_of_size = size;
}

static question *new_question(ref_tables *t, term_id atom, relation_id relation, uint32_t columns) {
  layer_tables *l = &t->layers[t->rules->relations[relation].layer];
  question *q = arena_alloc_zero(l->keep, sizeof *q);
  *q = (question){.atom = atom,
                  .relation = relation,
                  .columns = columns,
                  .layer = t->rules->relations[relation].layer};
  t->question_of[atom] = l->questions.count;
  vec_push(l->keep, &l->questions, q);
  vec_push(t->agenda, &t->to_expand, q);
  vec_push(t->agenda, &t->open, q);
  return q;
}

/* question_of may hold numbers of layers that are gone: the question itself tells. */
question *ref_question(ref_tables *t, term_id atom, relation_id relation, uint32_t columns) {
  const layer_tables *l = &t->layers[t->rules->relations[relation].layer];
  reserve_question_of(t, atom);
  const uint32_t place = t->question_of[atom];
  if (place < l->questions.count && l->questions.items[place]->atom == atom)
    return l->questions.items[place];
  return new_question(t, atom, relation, columns);
}

/* ---- readers ---- */

static reader *new_reader(ref_tables *t, rule_place rule, const term_id *bindings,
                          question *source) {
  const size_t bytes = rule.plan->clause->variable_count * sizeof(term_id);
  reader *r = arena_alloc(t->layers[rule.owner->layer].keep, sizeof *r + bytes);
  *r = (reader){.rule = rule, .source = source};
  if (bytes) memcpy(r->bindings, bindings, bytes);
  return r;
}

void ref_read_answers(ref_tables *t, rule_place rule, const term_id *bindings, question *source) {
  reader *r = new_reader(t, rule, bindings, source);
  r->other = source->readers;
  source->readers = r;
  if (source->answer_count) queue(t, r);
}

void ref_wait_for(ref_tables *t, rule_place rule, const term_id *bindings, question *source) {
  reader *r = new_reader(t, rule, bindings, source);
  vec_push(t->agenda, &t->waiting, r);
}

/* ---- which questions are complete ---- */

static void block(ref_tables *t, question *q) {
  if (q->is_complete || q->is_blocked) return;
  q->is_blocked = true;
  vec_push(t->agenda, &t->blocked, q);
}

static void block_all_that_wait(ref_tables *t) {
  for (uint32_t i = 0; i < t->waiting.count; i++) block(t, t->waiting.items[i]->rule.owner);
  while (t->blocked.count)
    for (const reader *r = vec_pop(&t->blocked)->readers; r; r = r->other) block(t, r->rule.owner);
}

void ref_complete_questions(ref_tables *t) {
  uint32_t kept = 0;
  block_all_that_wait(t);
  for (uint32_t i = 0; i < t->open.count; i++) {
    question *q = t->open.items[i];
    if (q->is_blocked)
      t->open.items[kept++] = q;
    else
      q->is_complete = true;
    if (q->is_complete) q->readers = NULL;
    q->is_blocked = false;
  }
  t->open.count = kept;
}

static bool has_waited_enough(const reader *r) {
  return r->rule.owner->is_complete || r->source->is_complete || r->source->answer_count;
}

void ref_wake(ref_tables *t) {
  uint32_t kept = 0;
  t->woken.count = 0;
  for (uint32_t i = 0; i < t->waiting.count; i++) {
    reader *r = t->waiting.items[i];
    if (has_waited_enough(r))
      vec_push(t->agenda, &t->woken, r);
    else
      t->waiting.items[kept++] = r;
  }
  t->waiting.count = kept;
}

/* ---- layers and their memory ---- */

static void clear_layer(ref_tables *t, ref_layer which) {
  layer_tables *l = &t->layers[which];
  arena_clear(l->keep);
  *l = (layer_tables){.keep = l->keep, .facts = l->facts};
  facts_init(&l->facts, &t->terms, l->keep);
}

void ref_tables_fill(ref_tables *t, ref_layer which, const term_id *facts, uint32_t count) {
  clear_layer(t, which);
  for (uint32_t i = 0; i < count; i++) facts_add(&t->layers[which].facts, facts[i], t->keep);
}

/* A budget has room for a few arenas only; what does not fit is not counted. */
static arena *new_watched(budget *b) {
  arena *a = arena_new();
  if (b && b->watched_count < sizeof b->watched / sizeof *b->watched) budget_watch(b, a);
  return a;
}

static void free_watched(budget *b, arena *a) {
  budget_unwatch(b, a);
  arena_free(a);
}

ref_tables *ref_tables_new(const ref_rules *r, budget *b) {
  arena *keep = new_watched(b);
  ref_tables *t = arena_alloc_zero(keep, sizeof *t);
  *t = (ref_tables){.rules = r, .budget = b, .keep = keep, .agenda = arena_new()};
  for (ref_layer i = LAYER_STATIC; i < LAYER_COUNT; i++) t->layers[i].keep = new_watched(b);
  terms_copy(&t->terms, r->terms, keep);
  ref_tables_fill(t, LAYER_STATIC, r->facts.items, r->facts.count);
  ref_tables_fill(t, LAYER_STATE, NULL, 0);
  ref_tables_fill(t, LAYER_MOVE, NULL, 0);
  return t;
}

void ref_tables_free(ref_tables *t) {
  budget *b = t->budget;
  for (ref_layer i = LAYER_STATIC; i < LAYER_COUNT; i++) free_watched(b, t->layers[i].keep);
  arena_free(t->agenda);
  free_watched(b, t->keep);
}

size_t ref_tables_bytes(const ref_tables *t) {
  size_t bytes = arena_bytes(t->keep) + arena_bytes(t->agenda);
  for (ref_layer i = LAYER_STATIC; i < LAYER_COUNT; i++) bytes += arena_bytes(t->layers[i].keep);
  return bytes;
}
