#include "machine/gpu/gpu_step.h"

#include <string.h>

typedef struct maker {
  gpu_step *s;
  const grounded *g;
  const lane_net *net;
  arena *scratch;
  value_id *slots;     /* by slot: the value that it holds now */
  uint32_t *random_of; /* by slot: the random row that it is given; ID_NONE: none */
  bitset is_drawn;     /* blocks of random rows that have been made */
  uint32_t loop;       /* the next one */
  value_id gone;       /* lanes that begin anew */
} maker;

/* A value, or its negation. */
typedef struct signed_value {
  value_id value;
  bool negated;
} signed_value;

static const signed_value FALSE_SIGNED = {VALUE_FALSE, false};

/* ---- instructions ---- */

static value_id new_value(maker *m) { return m->s->value_count++; }

static gpu_instruction *begin(maker *m, gpu_kind kind, uint32_t number) {
  const gpu_instruction i = {.kind = kind, .number = number, .first_in = m->s->operands.count};
  vec_push(m->s->keep, &m->s->all, i);
  return &vec_last(&m->s->all);
}

static void take(maker *m, value_id v) {
  vec_push(m->s->keep, &m->s->operands, v);
  vec_last(&m->s->all).in_count++;
}

/* Outputs come behind all inputs. */
static void give_value(maker *m, value_id v) {
  gpu_instruction *i = &vec_last(&m->s->all);
  if (!i->out_count++) i->first_out = m->s->operands.count;
  vec_push(m->s->keep, &m->s->operands, v);
}

static value_id give(maker *m) {
  const value_id v = new_value(m);
  give_value(m, v);
  return v;
}

/* The same table with one input negated. */
static uint8_t negate_input(uint8_t table, uint32_t input) {
  uint8_t out = 0;
  for (uint32_t row = 0; row < 8; row++)
    out |= (uint8_t)((table >> (row ^ 4u >> input) & 1) << row);
  return out;
}

static value_id put_table(maker *m, uint8_t table, signed_value a, signed_value b, signed_value c) {
  const signed_value in[TABLE_INPUTS] = {a, b, c};
  gpu_instruction *i = begin(m, GPU_TABLE, 0);
  for (uint32_t k = 0; k < TABLE_INPUTS; k++)
    if (in[k].negated) table = negate_input(table, k);
  i->table = table;
  for (uint32_t k = 0; k < TABLE_INPUTS; k++) take(m, in[k].value);
  return give(m);
}

enum { TABLE_A = 0xf0, TABLE_B = 0xcc, TABLE_C = 0xaa };

static signed_value of_value(value_id v) { return (signed_value){v, false}; }
static signed_value of_row(const maker *m, lane_row r) {
  return (signed_value){m->slots[r.slot], r.negated};
}
static signed_value of_root(const maker *m, uint32_t root) { return of_row(m, m->net->rows[root]); }

/* A signed_value as a value. */
static value_id plain(maker *m, signed_value a) {
  if (!a.negated) return a.value;
  return put_table(m, TABLE_A, a, FALSE_SIGNED, FALSE_SIGNED);
}

/* ---- operations of the program ---- */

/* Makes the block of random rows that a slot is one of. */
static void draw_row(maker *m, slot_id slot) {
  const uint32_t block = m->random_of[slot] / 4;
  if (!bitset_insert(m->is_drawn, block)) return;
  begin(m, GPU_RANDOM, block);
  for (slot_id other = 0; other < m->net->program.slot_count; other++)
    if (m->random_of[other] != ID_NONE && m->random_of[other] / 4 == block)
      m->slots[other] = give(m);
}

static value_id read_slot(maker *m, slot_id slot) {
  return slot == SLOT_FALSE ? VALUE_FALSE : m->slots[slot];
}

static void put_op(maker *m, const lane_op *op) {
  for (uint32_t k = 0; k < TABLE_INPUTS; k++)
    if (m->random_of[op->in[k]] != ID_NONE) draw_row(m, op->in[k]);
  gpu_instruction *i = begin(m, GPU_TABLE, 0);
  i->table = op->table;
  for (uint32_t k = 0; k < TABLE_INPUTS; k++) take(m, read_slot(m, op->in[k]));
  m->slots[op->out] = give(m);
  m->random_of[op->out] = ID_NONE; /* its random row is needed no more */
}

static void put_ops(maker *m, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; i++) put_op(m, &m->net->program.ops.items[i]);
}

static void put_places(maker *m, const lane_loop *l) {
  for (uint32_t i = 0; i < l->place_count; i++) {
    begin(m, GPU_PLACE, 0);
    m->slots[m->net->program.places.items[l->first_place + i].place] = give(m);
  }
}

static void put_settling(maker *m, const lane_loop *l) {
  for (uint32_t i = 0; i < l->place_count; i++) {
    const lane_place *p = &m->net->program.places.items[l->first_place + i];
    const value_id place = m->slots[p->place];
    begin(m, GPU_SETTLE, 0)->table = p->negated;
    take(m, place);
    take(m, read_slot(m, p->definition));
    give_value(m, place);
  }
}

static void put_loop(maker *m, const lane_loop *l) {
  put_places(m, l);
  begin(m, GPU_LOOP, m->loop);
  put_ops(m, l->first, l->end);
  put_settling(m, l);
  begin(m, GPU_REPEAT, m->loop);
}

static void put_phase(maker *m, lane_phase phase) {
  const lane_program *p = &m->net->program;
  uint32_t at = phase ? p->phase_end[phase - 1] : 0;
  for (; m->loop < p->loops.count && p->loops.items[m->loop].phase == phase; m->loop++) {
    const lane_loop *l = &p->loops.items[m->loop];
    put_ops(m, at, l->first);
    put_loop(m, l);
    at = l->end;
  }
  put_ops(m, at, p->phase_end[phase]);
}

/* ---- games that end ---- */

/* What the goals of a role say of the lanes that have ended. */
typedef struct goal_sums {
  value_id one, several;
} goal_sums;

static goal_sums add_up_goals(maker *m, uint32_t role) {
  const grounded *g = m->g;
  goal_sums sum = {VALUE_FALSE, VALUE_FALSE};
  for (uint32_t i = g->goals_of[role]; i < g->goals_of[role + 1]; i++) {
    const signed_value holds = of_root(m, m->net->goals + g->goals[i]), one = of_value(sum.one);
    sum.several = put_table(m, TABLE_A | (TABLE_B & TABLE_C), of_value(sum.several), one, holds);
    sum.one = put_table(m, TABLE_A | TABLE_B, one, holds, FALSE_SIGNED);
  }
  return sum;
}

/* Lanes in which something went wrong, of all roles. */
typedef struct goal_faults {
  value_id none, several;
} goal_faults;

/* Leaves the lanes in which the role has one goal; those of several roles are disjoint. */
static value_id check_role(maker *m, uint32_t role, value_id sound, goal_faults *f) {
  const goal_sums sum = add_up_goals(m, role);
  const signed_value before = of_value(sound);
  f->none = put_table(m, TABLE_A | (TABLE_B & (uint8_t)~TABLE_C), of_value(f->none), before,
                      of_value(sum.one));
  f->several = put_table(m, TABLE_A | (TABLE_B & TABLE_C), of_value(f->several), before,
                         of_value(sum.several));
  return put_table(m, TABLE_A & TABLE_B & (uint8_t)~TABLE_C, before, of_value(sum.one),
                   of_value(sum.several));
}

static uint32_t *find_counter(const maker *m, uint32_t goal, uint32_t first_goal) {
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
static void count_goals_of(maker *m, uint32_t role, value_id lanes, bool is_shared) {
  const grounded *g = m->g;
  for (uint32_t i = g->goals_of[role]; i < g->goals_of[role + 1]; i++) {
    const uint32_t goal = g->goals[i];
    const uint32_t *same = is_shared ? find_counter(m, goal, 0) : NULL;
    if (same && *same != ID_NONE) {
      m->s->counters[goal] = *same;
      continue;
    }
    const value_id holds = put_table(m, TABLE_A & TABLE_B, of_value(lanes),
                                     of_root(m, m->net->goals + goal), FALSE_SIGNED);
    m->s->counters[goal] = m->s->counter_count++;
    begin(m, GPU_GOAL, m->s->counters[goal]);
    take(m, holds);
  }
}

/* The role that chance plays needs no goal; its goals count where it has one. */
static value_id put_goals(maker *m, value_id ended) {
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
  begin(m, GPU_FAULTS, 0);
  take(m, f.none);
  take(m, f.several);
  return sound;
}

static void put_ends(maker *m) {
  put_phase(m, PHASE_TERMINAL);
  const value_id terminal = plain(m, of_root(m, m->net->terminal));
  begin(m, GPU_ENDED, 0);
  take(m, terminal);
  const value_id ended = give(m);
  put_phase(m, PHASE_GOALS);
  const value_id sound = put_goals(m, ended);
  begin(m, GPU_CLOSE, 0);
  take(m, terminal);
  take(m, sound);
  m->gone = m->slots[m->net->gone] = give(m);
}

/* ---- moves ---- */

static void put_stuck(maker *m) {
  value_id any = VALUE_FALSE;
  for (uint32_t role = 0; role < m->net->c->roles.count; role++) {
    const signed_value stuck = of_root(m, m->net->stuck + role);
    if (stuck.value == VALUE_FALSE && !stuck.negated) continue;
    any = put_table(m, TABLE_A | TABLE_B, of_value(any), stuck, FALSE_SIGNED);
  }
  begin(m, GPU_STUCK, 0);
  take(m, any);
  take(m, m->gone);
}

static void put_redraw(maker *m, uint32_t draw) {
  const lane_draw *d = &m->net->draws.items[draw];
  const uint32_t roots[] = {d->doubtful, d->count, d->product};
  const uint32_t counts[] = {1, d->count_bits, d->random_bits + d->count_bits};
  id_vec in = {0};
  for (uint32_t k = 0; k < 3; k++) {
    for (uint32_t i = 0; i < counts[k]; i++) {
      const value_id v = plain(m, of_root(m, roots[k] + i));
      vec_push(m->scratch, &in, v);
    }
    if (k == 0) vec_push(m->scratch, &in, m->gone);
  }
  begin(m, GPU_REDRAW, draw);
  for (uint32_t i = 0; i < in.count; i++) take(m, in.items[i]);
  for (uint32_t i = 0; i < d->count_bits; i++) m->slots[d->first_number + i] = give(m);
}

static void number_random_rows(maker *m) {
  const lane_net *n = m->net;
  m->random_of = arena_new_array(m->scratch, uint32_t, n->program.slot_count);
  memset(m->random_of, 0xff, n->program.slot_count * sizeof *m->random_of);
  for (uint32_t i = 0; i < n->draws.count; i++)
    for (uint32_t k = 0; k < n->draws.items[i].random_bits; k++)
      m->random_of[n->draws.items[i].first_random + k] = m->s->random_count++;
  m->is_drawn = bitset_new(m->scratch, m->s->random_count / 4 + 1);
}

/* Rows that no operation has read, but a product may be. */
static void draw_the_rest(maker *m) {
  for (slot_id slot = 0; slot < m->net->program.slot_count; slot++)
    if (m->random_of[slot] != ID_NONE) draw_row(m, slot);
}

static void put_moves(maker *m) {
  put_phase(m, PHASE_LEGAL);
  draw_the_rest(m);
  put_stuck(m);
  for (uint32_t i = 0; i < m->net->draws.count; i++) put_redraw(m, i);
  put_phase(m, PHASE_NEXT);
}

/* ---- latches ---- */

static void begin_latches(maker *m) {
  const uint32_t count = m->net->latches.count;
  m->s->latch_of = arena_new_array(m->s->keep, value_id, count + 1);
  m->s->next_of = arena_new_array(m->s->keep, value_id, count + 1);
  for (uint32_t i = 0; i < count; i++) m->s->latch_of[i] = m->slots[i + 1] = new_value(m);
}

/* The next value of each latch is one that no other latch has at the beginning of the step. */
static void end_latches(maker *m) {
  const lane_net *n = m->net;
  for (uint32_t i = 0; i < n->latches.count; i++) {
    const signed_value next = of_root(m, n->next + i);
    const bool is_copied = next.negated || next.value <= n->latches.count;
    m->s->next_of[i] =
        is_copied ? put_table(m, TABLE_A, next, FALSE_SIGNED, FALSE_SIGNED) : next.value;
  }
  for (uint32_t i = 0; m->s->has_start && i < n->latches.count; i++) {
    begin(m, GPU_FLIP, i);
    take(m, m->s->next_of[i]);
    take(m, m->gone);
    m->s->next_of[i] = give(m);
  }
}

/* ---- all of it ---- */

static bool is_wanted(const gpu_step *s, const gpu_instruction *i, bitset needed) {
  return i->kind != GPU_TABLE || bitset_has(needed, gpu_outs(s, i)[0]);
}

/* Leaves out operations whose value nobody reads. */
static void drop_unread(gpu_step *s, arena *scratch) {
  bitset needed = bitset_new(scratch, s->value_count);
  for (uint32_t i = 0; i < s->net->latches.count; i++) bitset_add(needed, s->next_of[i]);
  for (uint32_t i = s->all.count; i-- > 0;) {
    const gpu_instruction *it = &s->all.items[i];
    if (it->kind == GPU_REPEAT) /* places are defined behind their readers */
      for (uint32_t k = i; s->all.items[k].kind != GPU_LOOP; k--)
        for (uint32_t j = 0; j < s->all.items[k].in_count; j++)
          bitset_add(needed, gpu_ins(s, &s->all.items[k])[j]);
    if (!is_wanted(s, it, needed)) continue;
    for (uint32_t k = 0; k < it->in_count; k++) bitset_add(needed, gpu_ins(s, it)[k]);
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->all.count; i++)
    if (is_wanted(s, &s->all.items[i], needed)) s->all.items[kept++] = s->all.items[i];
  s->all.count = kept;
}

void gpu_step_make(gpu_step *s, const grounded *g, const lane_net *net, bool has_start,
                   arena *keep) {
  arena *scratch = arena_new();
  *s = (gpu_step){.keep = keep, .net = net, .value_count = 1, .has_start = has_start};
  maker m = {.s = s, .g = g, .net = net, .scratch = scratch};
  s->counters = arena_new_array(keep, uint32_t, g->circuit.goals.count + 1);
  memset(s->counters, 0xff, (g->circuit.goals.count + (size_t)1) * sizeof *s->counters);
  m.slots = arena_zero_array(scratch, value_id, net->program.slot_count);
  number_random_rows(&m);
  begin_latches(&m);
  put_ends(&m);
  put_moves(&m);
  end_latches(&m);
  drop_unread(s, scratch);
  arena_free(scratch);
}

/* ---- how large it is ---- */

uint32_t gpu_step_live(const gpu_step *s) {
  arena *scratch = arena_new();
  bitset live = bitset_new(scratch, s->value_count);
  uint32_t count = 0, most = 0;
  for (uint32_t i = 0; i < s->net->latches.count; i++) count += bitset_insert(live, s->next_of[i]);
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
