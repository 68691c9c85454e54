#include "machine/gpu/gpu_batch_step.h"

#include "machine/gpu/gpu_order.h"
#include "machine/gpu/gpu_step_build.h"

#include <stdlib.h>

/* ---- rows ---- */

static uint32_t take_rows(batch_rows *r, uint32_t count) {
  r->count += count;
  return r->count - count;
}

/* The number behind all moves has its place, too: it is what no legal action has. */
static uint32_t bits_for_moves(const circuit *c) {
  uint32_t bits = 1;
  for (uint32_t role = 0; role < c->roles.count; role++)
    while (c->roles.items[role].move_count >= (1u << bits) - 1) bits++;
  return bits;
}

batch_rows batch_rows_of(const circuit *c) {
  const uint32_t roles = c->roles.count, state = c->latches.count + c->percepts.count;
  batch_rows r = {.action_bits = bits_for_moves(c)};
  r.states = take_rows(&r, state);
  r.next = take_rows(&r, state);
  r.over = take_rows(&r, 1);
  r.was_over = take_rows(&r, 1);
  r.terminal = take_rows(&r, 1);
  r.ended = take_rows(&r, 1);
  r.illegal = take_rows(&r, 1);
  r.nothing = take_rows(&r, 1);
  r.several = take_rows(&r, roles);
  r.any = take_rows(&r, roles);
  r.goals = take_rows(&r, c->goals.count);
  r.legal = take_rows(&r, c->moves.count);
  r.actions = take_rows(&r, roles * r.action_bits);
  return r;
}

static value_id read_row(step_maker *m, uint32_t row) {
  step_begin(m, GPU_READ, row);
  return step_give(m);
}

static void write_row(step_maker *m, uint32_t row, value_id v) {
  step_begin(m, GPU_WRITE, row);
  step_take(m, v);
}

static value_id both(step_maker *m, signed_value a, signed_value b) {
  return step_table(m, TABLE_A & TABLE_B, a, b, STEP_FALSE);
}

static value_id but_not(step_maker *m, value_id a, value_id b) {
  return both(m, step_plain(a), (signed_value){b, true});
}

static value_id either(step_maker *m, signed_value a, signed_value b) {
  return step_table(m, TABLE_A | TABLE_B, a, b, STEP_FALSE);
}

/* a in the lanes of `which`, b in others. */
static value_id blend(step_maker *m, value_id which, signed_value a, signed_value b) {
  return step_table(m, (TABLE_A & TABLE_B) | ((uint8_t)~TABLE_A & TABLE_C), step_plain(which), a,
                    b);
}

/* The value, or a constant in some lanes. */
static value_id set_lanes(step_maker *m, value_id lanes, bool constant, signed_value a) {
  return constant ? either(m, step_plain(lanes), a) : both(m, (signed_value){lanes, true}, a);
}

/* ---- actions ---- */

/* Decodes a binary number: value i of the result are the lanes in which it is i. */
static value_id *decode(step_maker *m, const value_id *bits, uint32_t count) {
  value_id *all = arena_zero_array(m->scratch, value_id, (size_t)1 << count);
  if (!count) {
    const signed_value yes = {VALUE_FALSE, true};
    all[0] = step_table(m, TABLE_A, yes, STEP_FALSE, STEP_FALSE);
    return all;
  }
  const value_id *rest = decode(m, bits + 1, count - 1);
  for (uint32_t i = 0; i < 1u << count; i++)
    all[i] = both(m, (signed_value){bits[0], !(i & 1)}, step_plain(rest[i >> 1]));
  return all;
}

static void decode_actions(step_maker *m, uint32_t role) {
  const uint32_t bits = m->rows->action_bits, low = bits / 2;
  value_id *all = arena_new_array(m->scratch, value_id, bits);
  for (uint32_t i = 0; i < bits; i++) all[i] = read_row(m, m->rows->actions + role * bits + i);
  m->low[role] = decode(m, all, low);
  m->high[role] = decode(m, all + low, bits - low);
}

static signed_value low_of(const step_maker *m, uint32_t role, uint32_t move) {
  return step_plain(m->low[role][move & ((1u << m->rows->action_bits / 2) - 1)]);
}

static signed_value high_of(const step_maker *m, uint32_t role, uint32_t move) {
  return step_plain(m->high[role][move >> m->rows->action_bits / 2]);
}

static uint32_t role_of(const circuit *c, uint32_t move) {
  uint32_t role = 0;
  while (move >= c->roles.items[role].first_move + c->roles.items[role].move_count) role++;
  return role;
}

/* The role makes the move. */
static value_id make_move(step_maker *m, uint32_t move) {
  const uint32_t role = role_of(m->net->c, move);
  const uint32_t number = move - m->net->c->roles.items[role].first_move;
  const value_id chosen = both(m, low_of(m, role, number), high_of(m, role, number));
  if (m->forced[role] == VALUE_FALSE) return chosen;
  const value_id legal = read_row(m, m->rows->legal + move);
  return blend(m, m->forced[role], step_plain(legal), step_plain(chosen));
}

/* The lanes in which the role's move is legal. */
static value_id find_legal(step_maker *m, uint32_t role) {
  const circuit_role *r = &m->net->c->roles.items[role];
  value_id legal = VALUE_FALSE;
  for (uint32_t i = 0; i < r->move_count; i++) {
    const value_id row = read_row(m, m->rows->legal + r->first_move + i);
    const value_id here = step_table(m, TABLE_A & TABLE_B & TABLE_C, low_of(m, role, i),
                                     high_of(m, role, i), step_plain(row));
    legal = either(m, step_plain(legal), step_plain(here));
  }
  if (m->forced[role] == VALUE_FALSE) return legal;
  const value_id any = read_row(m, m->rows->any + role);
  return blend(m, m->forced[role], step_plain(any), step_plain(legal));
}

/* Games of one role have no choice about whose action it is; chance never makes that of others. */
static void find_forced(step_maker *m) {
  const uint32_t roles = m->net->c->roles.count;
  step_begin(m, GPU_OPTION, 0);
  const value_id option = step_give(m);
  m->forced = arena_zero_array(m->scratch, value_id, roles);
  for (uint32_t role = 0; role < roles && roles > 1; role++)
    if (role != m->g->nature)
      m->forced[role] = but_not(m, option, read_row(m, m->rows->several + role));
}

static value_id take_actions(step_maker *m, value_id going) {
  const uint32_t roles = m->net->c->roles.count;
  value_id right = going;
  m->low = arena_new_array(m->scratch, value_id *, roles);
  m->high = arena_new_array(m->scratch, value_id *, roles);
  find_forced(m);
  for (uint32_t role = 0; role < roles; role++) {
    decode_actions(m, role);
    right = both(m, step_plain(right), step_plain(find_legal(m, role)));
  }
  return right;
}

/* ---- making steps ---- */

static void make_pending(step_maker *m, slot_id slot) {
  const uint32_t number = m->pending[slot], latches = m->net->latches.count;
  m->pending[slot] = ID_NONE;
  m->slots[slot] =
      number < latches ? read_row(m, m->states + number) : make_move(m, number - latches);
}

static step_maker begin_step(gpu_step *s, const grounded *g, const lane_net *net,
                             const batch_rows *rows, uint32_t states, arena *keep) {
  *s = (gpu_step){.keep = keep, .net = net, .value_count = 1};
  step_maker m = {.s = s, .g = g, .net = net, .scratch = arena_new(), .make = make_pending};
  m.rows = rows;
  step_begin_slots(&m);
  m.states = states;
  for (uint32_t i = 0; i < net->latches.count; i++) m.pending[i + 1] = i;
  for (uint32_t i = 0; i < net->c->moves.count; i++)
    m.pending[net->first_move + i] = net->latches.count + i;
  return m;
}

static void end_step(step_maker *m) {
  step_drop_unread(m->s, m->scratch);
  gpu_step_order(m->s);
  arena_free(m->scratch);
}

/* ---- advance ---- */

static bool first_of(const step_maker *m, uint32_t latch) {
  return m->net->c->latches.items[m->net->latches.items[latch]].initially;
}

static void write_next(step_maker *m, value_id moved, value_id over, batch_ending ending) {
  const circuit *c = m->net->c;
  for (uint32_t i = 0; i < m->net->latches.count; i++) {
    const value_id old = read_row(m, m->rows->states + i);
    value_id next = blend(m, moved, step_root(m, m->net->next + i), step_plain(old));
    if (ending == BATCH_NEXT_STEP) next = set_lanes(m, over, first_of(m, i), step_plain(next));
    write_row(m, m->rows->next + i, next);
  }
  for (uint32_t i = 0; i < c->percepts.count; i++)
    write_row(m, m->rows->next + m->net->latches.count + i,
              both(m, step_plain(moved), step_root(m, m->net->percepts + i)));
}

void batch_advance_make(gpu_step *s, const grounded *g, const lane_net *net, const batch_rows *rows,
                        batch_ending ending, arena *keep) {
  step_maker m = begin_step(s, g, net, rows, rows->states, keep);
  const value_id over = read_row(&m, rows->over);
  const value_id going = step_value_of(&m, (signed_value){over, true});
  const value_id moved = take_actions(&m, going);
  write_row(&m, rows->illegal, but_not(&m, going, moved));
  write_row(&m, rows->was_over, step_table(&m, TABLE_A, step_plain(over), STEP_FALSE, STEP_FALSE));
  step_phase(&m, PHASE_TERMINAL);
  step_skip_phase(&m, PHASE_GOALS);
  step_phase(&m, PHASE_LEGAL);
  step_phase(&m, PHASE_NEXT);
  write_next(&m, moved, over, ending);
  end_step(&m);
}

/* ---- judge ---- */

/* Lanes that begin anew: VALUE_FALSE where they do not by themselves. */
static value_id write_ends(step_maker *m, batch_ending ending) {
  const value_id terminal = step_value_of(m, step_root(m, m->net->terminal));
  const value_id ended = but_not(m, terminal, read_row(m, m->rows->was_over));
  const value_id gone = ending == BATCH_SAME_STEP ? ended : VALUE_FALSE;
  write_row(m, m->rows->terminal, terminal);
  write_row(m, m->rows->ended, ended);
  write_row(m, m->rows->over, but_not(m, terminal, gone));
  return gone;
}

static void write_states(step_maker *m, value_id gone) {
  const uint32_t latches = m->net->latches.count, percepts = m->net->c->percepts.count;
  for (uint32_t i = 0; i < latches + percepts; i++) {
    const value_id now = read_row(m, m->rows->next + i);
    const bool first = i < latches && first_of(m, i);
    write_row(m, m->rows->states + i, set_lanes(m, gone, first, step_plain(now)));
  }
}

typedef struct legal_row {
  value_id value;
  bool negated;
  uint32_t move;
} legal_row;

static int compare_legal_rows(const void *a, const void *b) {
  const legal_row *x = a, *y = b;
  if (x->value != y->value) return x->value < y->value ? -1 : 1;
  return x->move < y->move ? -1 : 1;
}

/* Moves of a role in the order in which their rows are known. */
static void write_legal(step_maker *m, uint32_t role, value_id gone, bitset first_legal) {
  const circuit_role *r = &m->net->c->roles.items[role];
  legal_row *list = arena_new_array(m->scratch, legal_row, r->move_count + 1);
  for (uint32_t i = 0; i < r->move_count; i++) {
    const signed_value v = step_root(m, m->net->legal + r->first_move + i);
    list[i] = (legal_row){v.value, v.negated, r->first_move + i};
  }
  qsort(list, r->move_count, sizeof *list, compare_legal_rows);
  value_id any = VALUE_FALSE, several = VALUE_FALSE;
  for (uint32_t i = 0; i < r->move_count; i++) {
    const signed_value here = {list[i].value, list[i].negated};
    const value_id v = set_lanes(m, gone, bitset_has(first_legal, list[i].move), here);
    write_row(m, m->rows->legal + list[i].move, v);
    several = step_table(m, TABLE_A | (TABLE_B & TABLE_C), step_plain(several), step_plain(any),
                         step_plain(v));
    any = either(m, step_plain(any), step_plain(v));
  }
  write_row(m, m->rows->any + role, any);
  write_row(m, m->rows->several + role, several);
}

void batch_judge_make(gpu_step *s, const grounded *g, const lane_net *net, const batch_rows *rows,
                      batch_ending ending, bitset first_legal, arena *keep) {
  step_maker m = begin_step(s, g, net, rows, rows->next, keep);
  step_phase(&m, PHASE_TERMINAL);
  const value_id gone = write_ends(&m, ending);
  step_phase(&m, PHASE_GOALS);
  for (uint32_t i = 0; i < net->c->goals.count; i++)
    write_row(&m, rows->goals + i, step_value_of(&m, step_root(&m, net->goals + i)));
  step_phase(&m, PHASE_LEGAL);
  for (uint32_t role = 0; role < net->c->roles.count; role++)
    write_legal(&m, role, gone, first_legal);
  write_states(&m, gone);
  end_step(&m);
}
