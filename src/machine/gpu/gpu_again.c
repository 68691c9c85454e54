#include "machine/gpu/gpu_again.h"

#include "machine/gpu/gpu_step_build.h"
#include "machine/gpu/gpu_step_sound.h"

#include <assert.h>
#include <string.h>

/* How a path goes on from a value: to none, to one that it is made of, or to its end there. */
#define NOWHERE UINT32_MAX
#define PATH_END (UINT32_MAX - 1)

/* A value in the search for paths: its side towards readers, and that towards what it is made of. */
enum { SIDES = 2, READERS_SIDE = 0, SOURCE_SIDE = 1 };

typedef struct repeater {
  const gpu_step *s;
  gpu_step *out;
  arena *scratch;
  gpu_window window;
  uint32_t *operation; /* by value: what computes it again; ID_NONE */
  bitset is_in_loop;   /* instructions, which are left as they are */
  /* of the window under way */
  uint32_t first;  /* instruction */
  id_vec wanted;   /* values that are loaded, and were made before it ... */
  uint32_t *from;  /* by value: ... from this instruction on; ID_NONE */
  uint32_t *depth; /* by value: operations between it and what is wanted; ID_NONE: out of reach */
  id_vec reached;  /* values with a depth */
  uint32_t *onward, *back; /* by value: along the path that it is on, which comes from a reader */
  uint32_t *parent;        /* by state of the search */
  id_vec queue, seen;
  uint32_t dead;    /* of the first of `seen`: no path goes on from there any more */
  bitset is_cut;    /* values */
  value_id *copies; /* by value: computed again; VALUE_FALSE: not yet */
  id_vec copied;
} repeater;

/* ---- what can be repeated ---- */

static void find_loops(repeater *x) {
  bool is_in_loop = false;
  x->is_in_loop = bitset_new(x->scratch, x->s->all.count + 1);
  for (uint32_t i = 0; i < x->s->all.count; i++) {
    is_in_loop |= x->s->all.items[i].kind == GPU_LOOP;
    if (is_in_loop) bitset_add(x->is_in_loop, i);
    is_in_loop &= x->s->all.items[i].kind != GPU_REPEAT;
  }
}

static const gpu_instruction *maker_of(const repeater *x, value_id v) {
  return &x->s->all.items[x->operation[v]];
}

/* Nothing behind it is looked at. */
static bool is_source(const repeater *x, value_id v) {
  return x->operation[v] == ID_NONE || x->depth[v] >= x->window.depth;
}

static void reach(repeater *x, value_id v, uint32_t depth) {
  if (v == VALUE_FALSE || x->depth[v] != ID_NONE) return;
  x->depth[v] = depth;
  vec_push(x->scratch, &x->reached, v);
}

static void reach_sources(repeater *x) {
  for (uint32_t i = 0; i < x->wanted.count; i++) reach(x, x->wanted.items[i], 0);
  for (uint32_t i = 0; i < x->reached.count; i++) {
    const value_id v = x->reached.items[i];
    for (uint32_t k = 0; !is_source(x, v) && k < TABLE_INPUTS; k++)
      reach(x, gpu_ins(x->s, maker_of(x, v))[k], x->depth[v] + 1);
  }
}

/* ---- paths that share no value ---- */

static void visit(repeater *x, uint32_t state, uint32_t parent) {
  if (x->parent[state] != NOWHERE) return;
  x->parent[state] = parent;
  vec_push(x->scratch, &x->queue, state);
  vec_push(x->scratch, &x->seen, state);
}

/* A path that comes upon another goes back along it; or through the value, if that is free. */
static void visit_from_readers(repeater *x, value_id v, uint32_t state) {
  if (x->onward[v] == NOWHERE)
    visit(x, v * SIDES + SOURCE_SIDE, state);
  else if (x->back[v] != PATH_END)
    visit(x, x->back[v] * SIDES + SOURCE_SIDE, state);
}

static void visit_sources(repeater *x, value_id v, uint32_t state) {
  for (uint32_t k = 0; k < TABLE_INPUTS; k++) {
    const value_id in = gpu_ins(x->s, maker_of(x, v))[k];
    if (in != VALUE_FALSE && x->onward[v] != in) visit(x, in * SIDES + READERS_SIDE, state);
  }
  if (x->onward[v] != NOWHERE) visit(x, v * SIDES + READERS_SIDE, state);
}

/* The state in which a new path ends; NOWHERE: there is none. */
static uint32_t search(repeater *x) {
  for (uint32_t i = 0; i < x->queue.count; i++) {
    const uint32_t state = x->queue.items[i];
    const value_id v = state / SIDES;
    if (state % SIDES == READERS_SIDE)
      visit_from_readers(x, v, state);
    else if (is_source(x, v))
      return state;
    else
      visit_sources(x, v, state);
  }
  return NOWHERE;
}

static void begin_search(repeater *x) {
  for (uint32_t i = x->dead; i < x->seen.count; i++) x->parent[x->seen.items[i]] = NOWHERE;
  x->seen.count = x->dead;
  x->queue.count = 0;
}

/* Along the new path: steps onward are taken, steps back undo those of others. */
static void take_path(repeater *x, uint32_t end) {
  id_vec path = {0};
  for (uint32_t state = end; state != PATH_END; state = x->parent[state])
    vec_push(x->scratch, &path, state);
  for (uint32_t i = path.count - 1; i > 0; i--) {
    const uint32_t a = path.items[i], b = path.items[i - 1];
    if (a / SIDES == b / SIDES || a % SIDES == SOURCE_SIDE) continue;
    x->onward[b / SIDES] = NOWHERE; /* b came to a */
    x->back[a / SIDES] = NOWHERE;
  }
  for (uint32_t i = path.count - 1; i > 0; i--) {
    const uint32_t a = path.items[i], b = path.items[i - 1];
    if (a / SIDES == b / SIDES || a % SIDES == READERS_SIDE) continue;
    x->onward[a / SIDES] = b / SIDES;
    x->back[b / SIDES] = a / SIDES;
  }
  x->onward[end / SIDES] = PATH_END;
  x->back[path.items[path.count - 1] / SIDES] = PATH_END;
}

static void find_paths(repeater *x) {
  for (uint32_t i = 0; i < x->reached.count; i++)
    x->onward[x->reached.items[i]] = x->back[x->reached.items[i]] = NOWHERE;
  for (uint32_t i = 0; i < x->wanted.count; i++) {
    begin_search(x);
    visit(x, x->wanted.items[i] * SIDES + READERS_SIDE, PATH_END);
    const uint32_t end = search(x);
    if (end != NOWHERE)
      take_path(x, end);
    else
      x->dead = x->seen.count;
  }
}

/* Where the search from all that is wanted comes to a value, but not through it: what it goes through
   is computed again.  False: that is too much for the loads that it spares. */
static bool find_cut(repeater *x) {
  uint32_t loads = 0, repeated = 0;
  x->dead = 0;
  begin_search(x);
  for (uint32_t i = 0; i < x->wanted.count; i++)
    visit(x, x->wanted.items[i] * SIDES + READERS_SIDE, PATH_END);
  search(x);
  for (uint32_t i = 0; i < x->reached.count; i++) {
    const value_id v = x->reached.items[i];
    if (x->parent[v * SIDES + READERS_SIDE] == NOWHERE) continue;
    if (x->parent[v * SIDES + SOURCE_SIDE] != NOWHERE)
      repeated++;
    else
      loads += bitset_insert(x->is_cut, v);
  }
  return repeated <= x->window.price * (x->wanted.count - loads);
}

/* ---- the new step ---- */

static void put_copy(repeater *x, const gpu_instruction *it, const value_id *in, uint32_t in_count,
                     const value_id *outs, uint32_t out_count) {
  gpu_step *s = x->out;
  gpu_instruction copy = *it;
  copy.first_in = s->operands.count;
  for (uint32_t k = 0; k < in_count; k++) vec_push(s->keep, &s->operands, in[k]);
  copy.first_out = s->operands.count;
  for (uint32_t k = 0; k < out_count; k++) vec_push(s->keep, &s->operands, outs[k]);
  vec_push(s->keep, &s->all, copy);
}

/* The value, or its copy, which is computed where it is first asked for. */
static value_id repeated(repeater *x, value_id v) {
  if (v == VALUE_FALSE || x->depth[v] == ID_NONE || is_source(x, v) || bitset_has(x->is_cut, v))
    return v;
  if (x->copies[v] != VALUE_FALSE) return x->copies[v];
  value_id in[TABLE_INPUTS];
  for (uint32_t k = 0; k < TABLE_INPUTS; k++) in[k] = repeated(x, gpu_ins(x->s, maker_of(x, v))[k]);
  x->copies[v] = x->out->value_count++;
  vec_push(x->scratch, &x->copied, v);
  put_copy(x, maker_of(x, v), in, TABLE_INPUTS, &x->copies[v], 1);
  return x->copies[v];
}

static void put_instruction(repeater *x, uint32_t i) {
  const gpu_instruction *it = &x->s->all.items[i];
  value_id *in = arena_new_array(x->scratch, value_id, it->in_count + (size_t)1);
  for (uint32_t k = 0; k < it->in_count; k++) {
    const value_id v = gpu_ins(x->s, it)[k];
    const bool is_wanted =
        x->from[v] != ID_NONE && x->from[v] <= i && !bitset_has(x->is_in_loop, i);
    in[k] = is_wanted ? repeated(x, v) : v;
  }
  put_copy(x, it, in, it->in_count, gpu_outs(x->s, it), it->out_count);
}

static void forget_window(repeater *x) {
  for (uint32_t i = 0; i < x->wanted.count; i++) x->from[x->wanted.items[i]] = ID_NONE;
  for (uint32_t i = 0; i < x->reached.count; i++) {
    x->depth[x->reached.items[i]] = ID_NONE;
    bitset_remove(x->is_cut, x->reached.items[i]);
  }
  for (uint32_t i = 0; i < x->copied.count; i++) x->copies[x->copied.items[i]] = VALUE_FALSE;
  x->wanted.count = x->reached.count = x->copied.count = 0;
}

static void end_window(repeater *x, uint32_t end) {
  reach_sources(x);
  find_paths(x);
  const bool is_worth_it = find_cut(x);
  for (uint32_t i = 0; !is_worth_it && i < x->wanted.count; i++)
    x->from[x->wanted.items[i]] = ID_NONE;
  for (uint32_t i = x->first; i < end; i++) put_instruction(x, i);
  forget_window(x);
  x->first = end;
}

/* Loads come before the instruction for which they are; those in loops are left as they are. */
static void want(repeater *x, value_id v, uint32_t at) {
  if (x->operation[v] == ID_NONE || x->operation[v] >= x->first || x->from[v] != ID_NONE) return;
  x->from[v] = at;
  vec_push(x->scratch, &x->wanted, v);
}

static void put_windows(repeater *x, const gpu_spill *plan) {
  uint32_t next = 0; /* the instruction that comes next */
  bool is_in_loop = false;
  for (uint32_t i = 0; i < plan->actions.count; i++) {
    const spill_action a = plan->actions.items[i];
    if (a.kind == SPILL_LOAD && !is_in_loop) want(x, a.what, next);
    if (a.kind != SPILL_RUN || a.what != next) continue;
    const gpu_kind kind = x->s->all.items[next++].kind;
    is_in_loop = kind == GPU_LOOP || (is_in_loop && kind != GPU_REPEAT);
    if (!is_in_loop && next - x->first >= x->window.length) end_window(x, next);
  }
  end_window(x, next);
}

static uint32_t *new_numbers(const repeater *x, uint32_t count) {
  uint32_t *all = arena_new_array(x->scratch, uint32_t, count);
  memset(all, 0xff, count * sizeof *all);
  return all;
}

void gpu_step_again(gpu_step *out, const gpu_step *s, const gpu_spill *plan, gpu_window window,
                    arena *keep) {
  arena *scratch = arena_new();
  const uint32_t values = s->value_count;
  repeater x = {.s = s, .out = out, .scratch = scratch, .window = window};
  *out = *s;
  out->keep = keep;
  out->all.items = NULL;
  out->all.count = out->all.capacity = 0;
  out->operands = (id_vec){0};
  x.operation = gpu_step_operations(s, scratch);
  find_loops(&x);
  x.from = new_numbers(&x, values);
  x.depth = new_numbers(&x, values);
  x.onward = new_numbers(&x, values);
  x.back = new_numbers(&x, values);
  x.parent = new_numbers(&x, values * SIDES);
  x.copies = arena_zero_array(scratch, value_id, values);
  x.is_cut = bitset_new(scratch, values);
  put_windows(&x, plan);
  step_drop_unread(out, scratch);
  arena_free(scratch);
  assert(gpu_step_is_sound(out));
}
