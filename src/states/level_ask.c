#include "states/level_ask.h"

typedef struct ask_answer {
  uint32_t slot, number;
} ask_answer;

static void find_places(const level_ask *a, const uint8_t *states, uint32_t count) {
  level_walk_find_all(a->w, states, count, a->near, a->places);
}

static void answer(const level_ask *a, uint32_t from, uint32_t count) {
  find_places(a, a->states, count);
  for (uint32_t i = 0; i < count; i++) {
    const ask_answer it = {a->slots[i], a->known(a->context, a->places[i])};
    ranks_post(a->w->r, RANK_ANSWER, from, &it, sizeof it);
  }
}

static void take_questions(void *context, uint32_t from, const uint8_t *bytes, size_t size) {
  level_ask *a = context;
  const uint32_t state_bytes = a->w->s->state_bytes, each = 4 + state_bytes;
  uint32_t count = 0;
  for (size_t at = 0; at + each <= size; at += each) {
    memcpy(&a->slots[count], bytes + at, 4);
    memcpy(a->states + (size_t)count++ * state_bytes, bytes + at + 4, state_bytes);
    if (count < LANES) continue;
    answer(a, from, count);
    count = 0;
  }
  answer(a, from, count);
}

static void take_answers(void *context, uint32_t from, const uint8_t *bytes, size_t size) {
  level_ask *a = context;
  (void)from;
  for (size_t at = 0; at + sizeof(ask_answer) <= size; at += sizeof(ask_answer)) {
    ask_answer it;
    memcpy(&it, bytes + at, sizeof it);
    a->learn(a->context, it.slot, it.number);
  }
}

void level_ask_init(level_ask *a, const level_walk *w, arena *keep) {
  const uint32_t bytes = w->s->state_bytes;
  *a = (level_ask){.w = w};
  a->states = arena_new_array(keep, uint8_t, 2 * (size_t)LANES * bytes + 8);
  a->slots = arena_new_array(keep, uint32_t, 2 * LANES);
  a->places = arena_new_array(keep, state_place, LANES);
  a->record = arena_new_array(keep, uint8_t, bytes + (size_t)4);
}

void level_ask_begin(level_ask *a, uint32_t near) {
  a->near = near;
  ranks_begin(a->w->r, RANK_ANSWER, take_answers, a);
  ranks_begin(a->w->r, RANK_ASK, take_questions, a);
}

static void ask_owner(level_ask *a, uint32_t owner, uint32_t slot, const uint8_t *state) {
  const uint32_t bytes = a->w->s->state_bytes;
  memcpy(a->record, &slot, 4);
  memcpy(a->record + 4, state, bytes);
  ranks_post(a->w->r, RANK_ASK, owner, a->record, 4 + bytes);
}

/* While it posts, questions of others may come, which use the first half of the room. */
void level_ask_about(level_ask *a, const uint8_t *states, const uint32_t *slots, uint32_t count) {
  const uint32_t bytes = a->w->s->state_bytes;
  uint8_t *here = a->states + (size_t)LANES * bytes;
  uint32_t *here_slots = a->slots + LANES, found = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint8_t *state = states + (size_t)i * bytes;
    const uint32_t owner = rank_of_hash(a->w->r, hash_bytes(state, bytes));
    if (owner != ranks_rank(a->w->r)) {
      ask_owner(a, owner, slots[i], state);
      continue;
    }
    here_slots[found] = slots[i];
    memcpy(here + (size_t)found++ * bytes, state, bytes);
  }
  find_places(a, here, found);
  for (uint32_t i = 0; i < found; i++)
    a->learn(a->context, here_slots[i], a->known(a->context, a->places[i]));
}

bool level_ask_end(level_ask *a) {
  const bool was_asked = ranks_finish(a->w->r, RANK_ASK);
  return ranks_finish(a->w->r, RANK_ANSWER) && was_asked;
}
