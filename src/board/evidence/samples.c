#include "board/evidence/samples.h"

#include "base/rng.h"
#include "base/sort.h"
#include "board/evidence/derived.h"

/* ---- facts of positions ---- */

static fact_id fact_of(samples *s, fluent_id f, arena *scratch) {
  while (s->by_fluent.count <= f) vec_push(s->keep, &s->by_fluent, NAME_NONE);
  if (s->by_fluent.items[f] == NAME_NONE) {
    text words = text_new(scratch);
    s->machine->ops->fluent_text(s->machine, f, &words);
    s->by_fluent.items[f] = book_add(&s->fluents, text_string(&words));
  }
  return s->by_fluent.items[f];
}

id_vec samples_read(samples *s, const void *position, arena *keep) {
  id_vec found = {0};
  const uint32_t count = machine_fluents(s->machine, position, NULL, 0);
  if (!count) return found;
  vec_reserve(keep, &found, count);
  machine_fluents(s->machine, position, found.items, count);
  for (found.count = 0; found.count < count; found.count++)
    found.items[found.count] = fact_of(s, found.items[found.count], keep);
  sort_ids(found.items, found.count);
  samples_derive(s, &found, keep);
  return found;
}

fact_id samples_move(samples *s, uint32_t role, move_id move, arena *scratch) {
  text words = text_new(scratch);
  s->machine->ops->move_text(s->machine, role, move, &words);
  return book_add(&s->moves, text_string(&words));
}

bool state_has(const samples *s, uint32_t state, fact_id f) {
  const fact_id *facts = state_facts(s, state);
  uint32_t low = 0, high = s->states.items[state].count;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (facts[middle] < f)
      low = middle + 1;
    else
      high = middle;
  }
  return low < s->states.items[state].count && facts[low] == f;
}

bool samples_is_role(const samples *s, value_id v) {
  for (uint32_t i = 0; i < s->role_names.count; i++)
    if (s->role_names.items[i] == v) return true;
  return false;
}

/* ---- bases ---- */

static void take_moves(samples *s, const machine_numbers *n, arena *scratch) {
  for (uint32_t role = 0; role < s->machine->role_count; role++)
    for (move_id m = 0; m < n->moves[role]; m++) {
      const arena_mark mark = arena_save(scratch);
      samples_move(s, role, m, scratch);
      arena_restore(scratch, mark);
    }
}

static void take_bases(samples *s, arena *scratch) {
  const machine_numbers *n = s->machine->numbers;
  uint64_t moves = 0;
  for (uint32_t role = 0; n && role < s->machine->role_count; role++) moves += n->moves[role];
  if (!n || n->fluents > BASE_MOST || moves > BASE_MOST) return;
  s->has_bases = true;
  for (fluent_id f = 0; f < n->fluents; f++) {
    const arena_mark mark = arena_save(scratch);
    fact_of(s, f, scratch);
    arena_restore(scratch, mark);
  }
  take_moves(s, n, scratch);
}

/* ---- random games ---- */

typedef struct sampling {
  samples *s;
  machine_workspace *w;
  void *position;
  move_id *joint;
  uint32_t work;
  double deadline; /* of clock_thread */
  arena *scratch;
} sampling;

static void add_state(sampling *g) {
  samples *s = g->s;
  const arena_mark mark = arena_save(g->scratch);
  const id_vec facts = samples_read(s, g->position, g->scratch);
  const sample_state made = {s->facts.count, facts.count};
  vec_append(s->keep, &s->facts, facts.items, facts.count);
  vec_push(s->keep, &s->states, made);
  g->work += facts.count;
  arena_restore(g->scratch, mark);
}

static bool is_enough(const sampling *g) {
  return g->s->states.count >= SAMPLE_STATES || g->s->facts.count >= SAMPLE_FACTS ||
         (!g->s->machine->numbers && g->work >= SAMPLE_WORK) || clock_thread() > g->deadline;
}

static move_id draw_move(sampling *g, uint32_t role, rng *r) {
  const machine *m = g->s->machine;
  const uint32_t count = machine_legal(m, g->w, g->position, role, NULL, 0);
  g->work += count;
  if (!count) return MOVE_NONE;
  move_id *moves = arena_new_array(g->scratch, move_id, count);
  if (machine_legal(m, g->w, g->position, role, moves, count) != count) return MOVE_NONE;
  return moves[rng_below(r, count)];
}

/* False: somebody cannot move. */
static bool draw_joint(sampling *g, rng *r) {
  samples *s = g->s;
  bool can = true;
  for (uint32_t role = 0; can && role < s->machine->role_count; role++) {
    g->joint[role] = draw_move(g, role, r);
    can = g->joint[role] != MOVE_NONE;
  }
  for (uint32_t role = 0; can && role < s->machine->role_count; role++)
    vec_push(s->keep, &s->joints, samples_move(s, role, g->joint[role], g->scratch));
  return can;
}

static bool make_step(sampling *g, rng *r) {
  samples *s = g->s;
  const arena_mark mark = arena_save(g->scratch);
  const sample_step step = {s->states.count - 1, s->states.count, s->joints.count};
  const bool can = draw_joint(g, r);
  if (can) {
    machine_step(s->machine, g->w, g->position, g->joint, g->position);
    vec_push(s->keep, &s->steps, step);
    add_state(g);
  }
  arena_restore(g->scratch, mark);
  return can;
}

static void play_one(sampling *g, uint32_t number) {
  rng r = rng_new(1, number);
  machine_start(g->s->machine, g->position);
  add_state(g);
  for (uint32_t i = 1; i < SAMPLE_STATES / SAMPLE_GAMES && !is_enough(g); i++)
    if (machine_terminal(g->s->machine, g->w, g->position) || !make_step(g, &r)) return;
}

/* Others may use the processor, too. */
enum { WALL_FACTOR = 10 };

static void play(samples *s, double seconds, budget *b, arena *scratch) {
  budget part = budget_part(b, WALL_FACTOR * seconds);
  sampling g = {.s = s,
                .w = machine_workspace_new(s->machine, &part),
                .position = arena_alloc(scratch, s->machine->position_size),
                .joint = arena_new_array(scratch, move_id, s->machine->role_count),
                .deadline = clock_thread() + seconds,
                .scratch = arena_new()};
  play_one(&g, 0);
  for (uint32_t i = 1; i < SAMPLE_GAMES && !is_enough(&g); i++) play_one(&g, i);
  arena_free(g.scratch);
  machine_workspace_free(s->machine, g.w);
}

void samples_take(samples *s, const machine *m, double seconds, budget *b, arena *keep) {
  arena *scratch = arena_new();
  *s = (samples){.keep = keep, .machine = m};
  book_init(&s->fluents, NULL, keep);
  book_init(&s->moves, &s->fluents.values, keep);
  for (uint32_t i = 0; i < m->role_count; i++)
    vec_push(keep, &s->role_names, names_add(&s->fluents.values, m->roles[i], strlen(m->roles[i])));
  take_bases(s, scratch);
  play(s, seconds, b, scratch);
  arena_free(scratch);
}
