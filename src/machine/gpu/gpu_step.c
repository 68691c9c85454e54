#include "machine/gpu/gpu_order.h"
#include "machine/gpu/gpu_step_build.h"

#include <string.h>

/* ---- games that end ---- */

/* What the goals of a role say of the lanes that have ended. */
typedef struct goal_sums {
  value_id one, several;
} goal_sums;

static goal_sums add_up_goals(step_maker *m, uint32_t role) {
  const grounded *g = m->g;
  goal_sums sum = {VALUE_FALSE, VALUE_FALSE};
  for (uint32_t i = g->goals_of[role]; i < g->goals_of[role + 1]; i++) {
    const signed_value holds = step_root(m, m->net->goals + g->goals[i]), one = step_plain(sum.one);
    sum.several = step_table(m, TABLE_A | (TABLE_B & TABLE_C), step_plain(sum.several), one, holds);
    sum.one = step_table(m, TABLE_A | TABLE_B, one, holds, STEP_FALSE);
  }
  return sum;
}

/* Lanes in which something went wrong, of all roles. */
typedef struct goal_faults {
  value_id none, several;
} goal_faults;

/* Leaves the lanes in which the role has one goal; those of several roles are disjoint. */
static value_id check_role(step_maker *m, uint32_t role, value_id sound, goal_faults *f) {
  const goal_sums sum = add_up_goals(m, role);
  const signed_value before = step_plain(sound);
  f->none = step_table(m, TABLE_A | (TABLE_B & (uint8_t)~TABLE_C), step_plain(f->none), before,
                       step_plain(sum.one));
  f->several = step_table(m, TABLE_A | (TABLE_B & TABLE_C), step_plain(f->several), before,
                          step_plain(sum.several));
  return step_table(m, TABLE_A & TABLE_B & (uint8_t)~TABLE_C, before, step_plain(sum.one),
                    step_plain(sum.several));
}

static uint32_t *find_counter(const step_maker *m, uint32_t goal, uint32_t first_goal) {
  const grounded *g = m->g;
  for (uint32_t i = first_goal; g->goals[i] != goal; i++) {
    const lane_row a = m->net->rows[m->net->goals + g->goals[i]];
    const lane_row b = m->net->rows[m->net->goals + goal];
    if (a.slot == b.slot && a.negated == b.negated) return &m->s->counters[g->goals[i]];
  }
  return NULL;
}

/* Goals that hold in the same lanes have one counter, as in games of two in which one wins what the
   other loses. */
static void count_goals_of(step_maker *m, uint32_t role, value_id lanes, bool is_shared) {
  const grounded *g = m->g;
  for (uint32_t i = g->goals_of[role]; i < g->goals_of[role + 1]; i++) {
    const uint32_t goal = g->goals[i];
    const uint32_t *same = is_shared ? find_counter(m, goal, 0) : NULL;
    if (same && *same != ID_NONE) {
      m->s->counters[goal] = *same;
      continue;
    }
    const value_id holds = step_table(m, TABLE_A & TABLE_B, step_plain(lanes),
                                      step_root(m, m->net->goals + goal), STEP_FALSE);
    m->s->counters[goal] = m->s->counter_count++;
    step_begin(m, GPU_GOAL, m->s->counters[goal]);
    step_take(m, holds);
  }
}

/* The role that chance plays needs no goal; its goals count where it has one. */
static value_id put_goals(step_maker *m, value_id ended) {
  const uint32_t roles = m->g->circuit.roles.count, nature = m->g->nature;
  goal_faults f = {VALUE_FALSE, VALUE_FALSE};
  value_id sound = ended;
  for (uint32_t role = 0; role < roles; role++)
    if (role != nature) sound = check_role(m, role, sound, &f);
  for (uint32_t role = 0; role < roles; role++)
    if (role != nature) count_goals_of(m, role, sound, true);
  if (nature < roles) {
    goal_faults unused = {VALUE_FALSE, VALUE_FALSE};
    count_goals_of(m, nature, check_role(m, nature, sound, &unused), false);
  }
  step_begin(m, GPU_FAULTS, 0);
  step_take(m, f.none);
  step_take(m, f.several);
  return sound;
}

/* Each goal by itself: whoever reads them finds out what is wrong with a game. */
static value_id put_results(step_maker *m, value_id ended) {
  const grounded *g = m->g;
  m->s->result_count = g->goals_of[g->circuit.roles.count];
  for (uint32_t i = 0; i < m->s->result_count; i++) {
    const value_id holds = step_table(m, TABLE_A & TABLE_B, step_plain(ended),
                                      step_root(m, m->net->goals + g->goals[i]), STEP_FALSE);
    step_begin(m, GPU_RESULT, i);
    step_take(m, holds);
  }
  return ended;
}

/* ---- lengths of games ---- */

/* Ages have as many bits as games of the size seldom need more of; games are counted in as many steps as
   hardly one of them takes. */
static void choose_ages(gpu_step *s) {
  enum { SMALL = 1000, SMALL_BITS = 6, SMALL_EVERY = 4, LARGE_BITS = 8, LARGE_EVERY = 32 };
  const bool is_small = s->net->program.ops.count <= SMALL;
  if (s->start == START_OF_EACH) return;
  s->age_bits = is_small ? SMALL_BITS : LARGE_BITS;
  s->count_every = is_small ? SMALL_EVERY : LARGE_EVERY;
}

static value_id age_bit(const step_maker *m, uint32_t i) { return m->s->latch_of[m->s->ages + i]; }

static value_id last_bit(const step_maker *m, uint32_t i) { return age_bit(m, m->s->age_bits + i); }

/* Sound ends wait with their ages. */
static void put_ends_by_age(step_maker *m, value_id sound) {
  gpu_step *s = m->s;
  const uint32_t bits = s->age_bits;
  step_begin(m, GPU_LENGTHS, 0);
  step_take(m, m->gone);
  step_take(m, sound);
  step_take(m, last_bit(m, bits));
  for (uint32_t i = 0; i < bits; i++) step_take(m, last_bit(m, i));
  for (uint32_t i = 0; i < bits; i++) step_take(m, age_bit(m, i));
  const signed_value waiting = step_plain(step_give(m)), new = step_plain(step_give(m));
  for (uint32_t i = 0; i < bits; i++)
    s->next_of[s->ages + bits + i] =
        step_table(m, (TABLE_A & TABLE_B) | ((uint8_t)~TABLE_A & TABLE_C), new,
                   step_plain(age_bit(m, i)), step_plain(last_bit(m, i)));
  s->next_of[s->ages + 2 * bits] = step_table(m, TABLE_A | TABLE_B, waiting, new, STEP_FALSE);
}

/* Ages are one more with the next step, or 0. */
static void put_growth(step_maker *m) {
  gpu_step *s = m->s;
  const signed_value gone = step_plain(m->gone);
  signed_value carry = {m->gone, true};
  for (uint32_t i = 0; i < s->age_bits; i++) {
    const signed_value age = step_plain(age_bit(m, i));
    s->next_of[s->ages + i] =
        step_table(m, (TABLE_A ^ TABLE_B) & (uint8_t)~TABLE_C, age, carry, gone);
    carry = step_plain(step_table(m, TABLE_A & TABLE_B, age, carry, STEP_FALSE));
  }
  step_begin(m, GPU_OLDER, 0);
  step_take(m, carry.value);
  step_take(m, m->gone);
}

/* ---- the end of a step's games ---- */

static void put_ends(step_maker *m) {
  step_phase(m, PHASE_TERMINAL);
  const value_id terminal = step_value_of(m, step_root(m, m->net->terminal));
  step_begin(m, GPU_ENDED, 0);
  step_take(m, terminal);
  const value_id ended = step_give(m);
  step_phase(m, PHASE_GOALS);
  const value_id sound = m->s->start == START_OF_EACH ? put_results(m, ended) : put_goals(m, ended);
  step_begin(m, GPU_CLOSE, 0);
  step_take(m, terminal);
  m->gone = m->slots[m->net->gone] = step_give(m);
  if (!m->s->age_bits) return;
  put_ends_by_age(m, sound);
  put_growth(m);
}

/* ---- moves ---- */

static void put_stuck(step_maker *m) {
  value_id any = VALUE_FALSE;
  for (uint32_t role = 0; role < m->net->c->roles.count; role++) {
    const signed_value stuck = step_root(m, m->net->stuck + role);
    if (stuck.value == VALUE_FALSE && !stuck.negated) continue;
    any = step_table(m, TABLE_A | TABLE_B, step_plain(any), stuck, STEP_FALSE);
  }
  step_begin(m, GPU_STUCK, 0);
  step_take(m, any);
  step_take(m, m->gone);
}

static void put_redraw(step_maker *m, uint32_t draw) {
  const lane_draw *d = &m->net->draws.items[draw];
  const uint32_t roots[] = {d->doubtful, d->count, d->product};
  const uint32_t counts[] = {1, d->count_bits, d->random_bits + d->count_bits};
  id_vec in = {0};
  for (uint32_t k = 0; k < 3; k++) {
    for (uint32_t i = 0; i < counts[k]; i++) {
      const value_id v = step_value_of(m, step_root(m, roots[k] + i));
      vec_push(m->scratch, &in, v);
    }
    if (k == 0) vec_push(m->scratch, &in, m->gone);
  }
  step_begin(m, GPU_REDRAW, draw);
  for (uint32_t i = 0; i < in.count; i++) step_take(m, in.items[i]);
  for (uint32_t i = 0; i < d->count_bits; i++) m->slots[d->first_number + i] = step_give(m);
}

/* Makes the block of random rows that a slot is one of. */
static void draw_row(step_maker *m, slot_id slot) {
  const uint32_t block = m->pending[slot] / 4;
  if (!bitset_insert(m->is_drawn, block)) return;
  step_begin(m, GPU_RANDOM, block);
  for (slot_id other = 0; other < m->net->program.slot_count; other++)
    if (m->pending[other] != ID_NONE && m->pending[other] / 4 == block)
      m->slots[other] = step_give(m);
}

static void number_random_rows(step_maker *m) {
  const lane_net *n = m->net;
  for (uint32_t i = 0; i < n->draws.count; i++)
    for (uint32_t k = 0; k < n->draws.items[i].random_bits; k++)
      m->pending[n->draws.items[i].first_random + k] = m->s->random_count++;
  m->is_drawn = bitset_new(m->scratch, m->s->random_count / 4 + 1);
}

/* Rows that no operation has read, but a product may be. */
static void draw_the_rest(step_maker *m) {
  for (slot_id slot = 0; slot < m->net->program.slot_count; slot++)
    if (m->pending[slot] != ID_NONE) draw_row(m, slot);
}

static void put_moves(step_maker *m) {
  step_phase(m, PHASE_LEGAL);
  draw_the_rest(m);
  put_stuck(m);
  for (uint32_t i = 0; i < m->net->draws.count; i++) put_redraw(m, i);
  step_phase(m, PHASE_NEXT);
}

/* ---- latches ---- */

static void begin_latches(step_maker *m) {
  const uint32_t bits = m->s->age_bits, ages = m->s->ages = m->net->latches.count;
  const uint32_t count = m->s->latch_count = ages + (bits ? 2 * bits + 1 : 0);
  m->s->latch_of = arena_new_array(m->s->keep, value_id, count + 1);
  m->s->next_of = arena_new_array(m->s->keep, value_id, count + 1);
  for (uint32_t i = 0; i < count; i++) m->s->latch_of[i] = m->s->value_count++;
  for (uint32_t i = 0; i < ages; i++) m->slots[i + 1] = m->s->latch_of[i];
}

/* The next value of each latch is one that no other latch has at the beginning of the step. */
static void end_latches(step_maker *m) {
  const lane_net *n = m->net;
  for (uint32_t i = 0; i < n->latches.count; i++) {
    const signed_value next = step_root(m, n->next + i);
    const bool is_copied = next.negated || next.value <= n->latches.count;
    m->s->next_of[i] =
        is_copied ? step_table(m, TABLE_A, next, STEP_FALSE, STEP_FALSE) : next.value;
  }
  for (uint32_t i = 0; m->s->start != START_OF_RULES && i < n->latches.count; i++) {
    step_begin(m, GPU_FLIP, i);
    step_take(m, m->s->next_of[i]);
    step_take(m, m->gone);
    m->s->next_of[i] = step_give(m);
  }
}

/* ---- all of it ---- */

void gpu_step_make(gpu_step *s, const grounded *g, const lane_net *net, gpu_start start,
                   arena *keep) {
  arena *scratch = arena_new();
  *s = (gpu_step){.keep = keep, .net = net, .value_count = 1, .start = start};
  choose_ages(s);
  step_maker m = {.s = s, .g = g, .net = net, .scratch = scratch, .make = draw_row};
  s->counters = arena_new_array(keep, uint32_t, g->circuit.goals.count + 1);
  memset(s->counters, 0xff, (g->circuit.goals.count + (size_t)1) * sizeof *s->counters);
  step_begin_slots(&m);
  number_random_rows(&m);
  begin_latches(&m);
  put_ends(&m);
  put_moves(&m);
  end_latches(&m);
  step_drop_unread(s, scratch);
  gpu_step_order(s);
  arena_free(scratch);
}

/* ---- what is known about it ---- */

uint32_t *gpu_step_operations(const gpu_step *s, arena *keep) {
  uint32_t *all = arena_new_array(keep, uint32_t, s->value_count);
  bool is_in_loop = false;
  memset(all, 0xff, s->value_count * sizeof *all);
  for (uint32_t i = 0; i < s->all.count; i++) {
    const gpu_instruction *it = &s->all.items[i];
    is_in_loop |= it->kind == GPU_LOOP;
    if (it->kind == GPU_TABLE && !is_in_loop) all[gpu_outs(s, it)[0]] = i;
    is_in_loop &= it->kind != GPU_REPEAT;
  }
  return all;
}

uint32_t gpu_step_live(const gpu_step *s) {
  arena *scratch = arena_new();
  bitset live = bitset_new(scratch, s->value_count);
  uint32_t count = 0, most = 0;
  for (uint32_t i = 0; i < s->latch_count; i++) count += bitset_insert(live, s->next_of[i]);
  for (uint32_t i = s->all.count; i-- > 0;) {
    const gpu_instruction *it = &s->all.items[i];
    for (uint32_t k = 0; k < it->out_count && it->kind != GPU_SETTLE; k++)
      if (bitset_has(live, gpu_outs(s, it)[k])) {
        bitset_remove(live, gpu_outs(s, it)[k]);
        count--;
      }
    for (uint32_t k = 0; k < it->in_count; k++)
      if (gpu_ins(s, it)[k] != VALUE_FALSE) count += bitset_insert(live, gpu_ins(s, it)[k]);
    if (count > most) most = count;
  }
  arena_free(scratch);
  return most;
}
