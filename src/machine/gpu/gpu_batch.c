#include "machine/gpu/gpu_batch.h"

#include "machine/bundle.h"
#include "machine/gpu/gpu_answers.h"
#include "machine/gpu/gpu_machine.h"

#include <string.h>

_Static_assert((int)BATCH_NEXT_STEP == (int)ENDING_NEXT_STEP &&
                   (int)BATCH_SAME_STEP == (int)ENDING_SAME_STEP,
               "endings are numbered alike");

static gpu_batch *of(device_batch *b) { return (gpu_batch *)b; }

static uint32_t player_of(const gpu_batch *x, uint32_t role) {
  return role - (role > x->g->nature);
}

/* ---- memory of the device ---- */

uint64_t batch_hold(gpu_batch *x, size_t size) {
  vec_push(x->keep, &x->held, 0);
  return vec_last(&x->held) = x->d->ops->allocate(x->d, size ? size : 1);
}

uint64_t batch_hold_copy(gpu_batch *x, const void *from, size_t size) {
  const uint64_t at = batch_hold(x, size);
  return at && (!size || x->d->ops->write(x->d, at, from, size)) ? at : 0;
}

static void give_back(void *what) {
  gpu_batch *x = what;
  for (uint32_t i = 0; i < x->held.count; i++) x->d->ops->release(x->d, x->held.items[i]);
  for (uint32_t i = 0; i < 2; i++)
    if (x->kernels[i].code) x->d->ops->unload(x->d, &x->kernels[i]);
  for (uint32_t i = 0; i < PLAIN_KERNELS; i++)
    if (x->plain[i].code) x->d->ops->unload(x->d, &x->plain[i]);
}

static size_t tile_bytes(const gpu_batch *x) {
  return (size_t)x->rows.count * BATCH_TILE_WORDS * sizeof(uint32_t);
}

/* ---- launches ---- */

/* All arguments are 64-bit numbers. */
static bool start(gpu_batch *x, const gpu_kernel *k, uint32_t blocks, void *arguments,
                  size_t size) {
  enum { ARGUMENTS_MAX = 16 };
  void *each[ARGUMENTS_MAX];
  assert(size / sizeof(uint64_t) <= ARGUMENTS_MAX);
  for (size_t i = 0; i < size / sizeof(uint64_t); i++) each[i] = (uint64_t *)arguments + i;
  return x->d->ops->start(x->d, k, blocks, each, x->base.stream);
}

static bool start_plain(gpu_batch *x, plain_kernel kind, uint64_t threads, void *arguments,
                        size_t size) {
  return start(x, &x->plain[kind], (uint32_t)((threads + BATCH_THREADS - 1) / BATCH_THREADS),
               arguments, size);
}

static bool run_step(gpu_batch *x, uint32_t i, bool is_single) {
  const gpu_kernel *k = &x->kernels[i];
  const uint32_t most = x->words / k->threads, blocks = k->blocks < most ? k->blocks : most;
  ptx_step_arguments a = {.planes = x->planes,
                          .scratch = x->scratch[i],
                          .words = x->words,
                          .threads = (uint64_t)blocks * k->threads,
                          .options = {is_single ? UINT32_MAX : 0}};
  return start(x, k, blocks, &a, sizeof a);
}

/* The numbers of that many players. */
static bool gather(gpu_batch *x, ptx_gather_arguments a, uint32_t players) {
  a.planes = x->planes;
  a.tile_bytes = tile_bytes(x);
  a.games = x->base.games;
  a.blocks = x->words / BATCH_THREADS;
  return start(x, &x->plain[GATHER], (uint32_t)(a.blocks * players), &a, sizeof a);
}

bool batch_spread(gpu_batch *x, const batch_output *o) {
  const bool is_bits = o->layout == DEVICE_BITS;
  ptx_spread_arguments a = {.planes = x->planes,
                            .tile_bytes = tile_bytes(x),
                            .rows = o->rows,
                            .count = o->count,
                            .to = o->at.address,
                            .stride = o->at.stride};
  if (!a.stride) return true;
  const uint32_t blocks =
      ptx_spread_shape(&a, is_bits ? LAYOUT_BITS : LAYOUT_BYTES, x->words / BATCH_TILE_WORDS);
  return start(x, &x->plain[is_bits ? SPREAD_TO_BITS : SPREAD_TO_BYTES], blocks, &a, sizeof a);
}

bool batch_tell(gpu_batch *x) {
  ptx_tell_arguments a = {.planes = x->planes,
                          .tile_bytes = tile_bytes(x),
                          .games = x->base.games,
                          .table = x->goal_table,
                          .players = batch_players(x),
                          .no_goal = (uint32_t)GOAL_NONE,
                          .goals = x->told[0],
                          .rewards = x->told[1],
                          .terminated = x->told[2],
                          .illegal = x->told[3],
                          .ended_row = x->rows.ended,
                          .terminal_row = x->rows.terminal,
                          .illegal_row = x->rows.illegal};
  return !x->told[0] || start_plain(x, TELL, x->base.games, &a, sizeof a);
}

/* States have changed. */
static bool judge(gpu_batch *x) {
  bool ok = run_step(x, 1, false) && batch_tell(x);
  for (uint32_t i = 0; ok && i < x->outputs.count; i++) ok = batch_spread(x, &x->outputs.items[i]);
  return ok;
}

static bool mix(gpu_batch *x, uint64_t fill, uint64_t which) {
  ptx_mix_arguments a = {.planes = x->planes,
                         .tile_bytes = tile_bytes(x),
                         .which = which,
                         .games = x->base.games,
                         .fill = fill,
                         .count = x->rows.next - x->rows.states,
                         .states = x->rows.states,
                         .next = x->rows.next,
                         .was_over = x->rows.was_over};
  return start_plain(x, MIX, x->words, &a, sizeof a);
}

/* ---- making ---- */

static void size_plain(gpu_kernel *k, plain_kernel kind) {
  const bool spreads = kind == SPREAD_TO_BITS || kind == SPREAD_TO_BYTES;
  k->threads = spreads ? SPREAD_THREADS : BATCH_THREADS;
  k->shared_bytes = spreads ? SPREAD_BYTES : kind == GATHER ? GATHER_BYTES : 0;
}

static bool load_plain(gpu_batch *x, plain_kernel kind) {
  arena *scratch = arena_new();
  text ptx = text_new(scratch);
  switch (kind) {
    case GATHER: ptx_write_gather(&ptx); break;
    case SPREAD_TO_BITS: ptx_write_spread(&ptx, LAYOUT_BITS); break;
    case SPREAD_TO_BYTES: ptx_write_spread(&ptx, LAYOUT_BYTES); break;
    case TELL: ptx_write_tell(&ptx); break;
    case DRAW: ptx_write_draw(&ptx); break;
    default: ptx_write_mix(&ptx);
  }
  size_plain(&x->plain[kind], kind);
  x->plain[kind].level = LEVEL_USUAL;
  const bool ok = x->d->ops->load(x->d, text_string(&ptx), &x->plain[kind]);
  arena_free(scratch);
  return ok;
}

static bool load_step(gpu_batch *x, uint32_t i, budget *b) {
  arena *scratch = arena_new();
  text ptx = text_new(scratch);
  gpu_shape shape = gpu_shape_for(gpu_step_live(&x->steps[i]), x->d->shared_bytes, 0);
  gpu_shape_for_words(&shape, x->words, x->d->multiprocessors);
  gpu_kernel *k = &x->kernels[i];
  bool ok =
      ptx_write_batch_step(&x->programs[i], &x->steps[i], shape, x->rows.count, &ptx, x->keep, b);
  k->threads = shape.threads;
  k->shared_bytes = x->programs[i].shared_bytes;
  k->level = LEVEL_USUAL;
  ok = ok && x->d->ops->load(x->d, text_string(&ptx), k);
  const size_t row = (size_t)k->threads * sizeof(uint32_t);
  if (ok) x->scratch[i] = batch_hold(x, k->blocks * row * x->programs[i].rows);
  arena_free(scratch);
  return ok && x->scratch[i];
}

static bitset find_first_legal(gpu_batch *x, arena *scratch, budget *b) {
  const circuit *c = &x->g->circuit;
  const bitset legal = bitset_new(scratch, c->moves.count);
  machine_workspace *w = machine_workspace_new(x->m, b);
  void *position = arena_alloc(scratch, x->m->position_size + 1);
  machine_start(x->m, position);
  for (uint32_t role = 0; role < c->roles.count; role++) {
    const circuit_role *r = &c->roles.items[role];
    move_id *moves = arena_new_array(scratch, move_id, r->move_count + 1);
    const uint32_t count = machine_legal(x->m, w, position, role, moves, r->move_count);
    for (uint32_t i = 0; i < count; i++) bitset_add(legal, r->first_move + moves[i]);
  }
  machine_workspace_free(x->m, w);
  return legal;
}

static void make_steps(gpu_batch *x, batch_ending ending, budget *b) {
  arena *scratch = arena_new();
  const bitset legal = find_first_legal(x, scratch, b);
  x->rows = batch_rows_of(&x->g->circuit);
  batch_advance_make(&x->steps[0], x->g, &x->net, &x->rows, ending, x->keep);
  batch_judge_make(&x->steps[1], x->g, &x->net, &x->rows, ending, legal, x->keep);
  arena_free(scratch);
}

static bool make_fills(gpu_batch *x) {
  const circuit *c = &x->g->circuit;
  const uint32_t count = x->rows.next - x->rows.states;
  uint32_t *fill = arena_zero_array(x->keep, uint32_t, count + 1);
  for (uint32_t i = 0; i < c->latches.count; i++)
    fill[i] = c->latches.items[i].initially ? FILL_ALL : FILL_NONE;
  x->fill_start = batch_hold_copy(x, fill, count * sizeof *fill);
  for (uint32_t i = 0; i < c->latches.count; i++) fill[i] = FILL_NEXT;
  x->fill_put = batch_hold_copy(x, fill, count * sizeof *fill);
  return x->fill_start && x->fill_put;
}

/* One that has its code and its memory. */
static bool make(gpu_batch *x, budget *b) {
  for (uint32_t i = 0; i < PLAIN_KERNELS; i++)
    if (!load_plain(x, (plain_kernel)i)) return false;
  if (!load_step(x, 0, b) || !load_step(x, 1, b)) return false;
  x->planes = batch_hold(x, x->words / BATCH_TILE_WORDS * tile_bytes(x));
  return x->planes && make_fills(x) && mix(x, x->fill_start, 0) && judge(x);
}

static device_batch *open_batch(const machine *m, uint32_t games, device_ending ending,
                                const char **trouble, arena *keep, budget *b) {
  gpu_batch *x = arena_alloc_zero(keep, sizeof *x);
  const uint32_t words = (games + 31) / 32;
  x->d = gpu_machine_device(m, 0);
  x->m = m;
  x->g = machine_grounded(m);
  x->keep = keep;
  x->base = (device_batch){
      .ops = &gpu_batches, .games = games, .card = x->d->number, .is_card = x->d->is_card};
  x->words = (words + BATCH_WORDS_LEAST - 1) / BATCH_WORDS_LEAST * BATCH_WORDS_LEAST;
  if (!lane_net_build(&x->net, &x->g->circuit, NET_STEPS, false, keep, b)) return NULL;
  make_steps(x, (batch_ending)ending, b); /* which may lock the machine for itself */
  x->guard = arena_guarding(give_back, x);
  gpu_machine_lock(m, 0);
  const bool ok = make(x, b);
  gpu_machine_unlock(m, 0);
  if (ok) return &x->base;
  *trouble = arena_copy_text(keep, x->d->message, strlen(x->d->message));
  arena_free(x->guard);
  return NULL;
}

static void close_batch(device_batch *base) {
  const gpu_batch *x = of(base);
  gpu_machine_lock(x->m, 0);
  x->d->ops->wait(x->d, base->stream); /* or it has failed, as was told */
  arena_free(x->guard);
  gpu_machine_unlock(x->m, 0);
}

/* ---- draws ---- */

static bool make_drawn(gpu_batch *x) {
  const uint32_t roles = x->g->circuit.roles.count;
  batch_output *choices = arena_new_array(x->keep, batch_output, roles);
  for (uint32_t role = 0; role < roles; role++)
    if (!batch_make_output(x, DEVICE_LEGAL, role, DEVICE_BITS, &choices[role])) return false;
  const size_t column = (size_t)x->base.games * sizeof(uint32_t);
  x->drawn = batch_hold(x, column * batch_players(x));
  if (x->drawn) x->chance = batch_hold(x, column);
  if (x->chance) x->choices = choices;
  return x->choices;
}

static bool draw_role(gpu_batch *x, uint64_t key, uint32_t role) {
  const uint32_t roles = x->g->circuit.roles.count;
  const bool is_chance = role == x->g->nature;
  const batch_output *o = &x->choices[role];
  ptx_draw_arguments a = {.masks = o->at.address,
                          .stride = o->at.stride,
                          .words = o->at.stride / 4,
                          .to = is_chance ? x->chance
                                          : x->drawn + player_of(x, role) * sizeof(uint32_t),
                          .to_stride = (is_chance ? 1 : batch_players(x)) * sizeof(uint32_t),
                          .random = key + DRAW_STEP * (role + 1),
                          .random_step = DRAW_STEP * roles,
                          .games = x->base.games};
  return batch_spread(x, o) && start_plain(x, DRAW, x->base.games, &a, sizeof a);
}

static bool draw_all(gpu_batch *x, uint64_t key, uint32_t first, uint32_t end) {
  bool ok = x->choices || make_drawn(x);
  for (uint32_t role = first; ok && role < end; role++) ok = draw_role(x, key, role);
  return ok;
}

/* ---- the calls ---- */

/* What the device has to say is kept, for others may use it. */
static bool end_call(gpu_batch *x, bool ok) {
  if (!ok) x->base.trouble = arena_copy_text(x->keep, x->d->message, strlen(x->d->message));
  gpu_machine_unlock(x->m, 0);
  return ok;
}

static bool buffer(device_batch *base, device_answer what, uint32_t role, device_layout layout,
                   device_buffer *out) {
  gpu_batch *x = of(base);
  bool ok;
  gpu_machine_lock(x->m, 0);
  if (what == DEVICE_DRAWN) {
    const uint32_t players = batch_players(x);
    ok = x->choices || make_drawn(x);
    *out = (device_buffer){x->drawn, players, 4, players * sizeof(uint32_t)};
  } else {
    ok = what >= DEVICE_GOALS ? batch_find_told(x, what, out)
                              : batch_spread_new(x, what, role, layout, out);
  }
  return end_call(x, ok);
}

static bool reset(device_batch *base, uint64_t which) {
  gpu_batch *x = of(base);
  gpu_machine_lock(x->m, 0);
  return end_call(x, mix(x, x->fill_start, which) && judge(x));
}

static bool draw(device_batch *base, uint64_t key) {
  gpu_batch *x = of(base);
  gpu_machine_lock(x->m, 0);
  return end_call(x, draw_all(x, key, 0, x->g->circuit.roles.count));
}

static ptx_gather_arguments action_of(const gpu_batch *x, const device_actions *a, uint32_t role) {
  if (role == x->g->nature)
    return (ptx_gather_arguments){
        .from = x->chance, .stride = sizeof(uint32_t), .size = sizeof(uint32_t)};
  const uint64_t stride = a->is_single ? 0 : a->player_stride;
  return (ptx_gather_arguments){.from = a->address + player_of(x, role) * stride,
                                .stride = a->game_stride,
                                .size = a->item_bytes,
                                .player_stride = stride};
}

/* Roles from the first on whose actions one launch can take. */
static uint32_t count_alike(const gpu_batch *x, uint32_t first) {
  const circuit *c = &x->g->circuit;
  uint32_t end = first + 1;
  while (first != x->g->nature && end < c->roles.count && end != x->g->nature &&
         c->roles.items[end].move_count == c->roles.items[first].move_count)
    end++;
  return end - first;
}

static bool take_actions(gpu_batch *x, const device_actions *a) {
  const circuit *c = &x->g->circuit;
  bool ok = !batch_has_chance(x) || draw_all(x, a->key, x->g->nature, x->g->nature + 1);
  for (uint32_t role = 0, alike; ok && role < c->roles.count; role += alike) {
    ptx_gather_arguments g = action_of(x, a, role);
    alike = count_alike(x, role);
    g.row = x->rows.actions + role * x->rows.action_bits;
    g.row_step = x->rows.action_bits;
    g.count = x->rows.action_bits;
    g.limit = c->roles.items[role].move_count;
    ok = gather(x, g, alike);
  }
  return ok;
}

static bool make_step(device_batch *base, const device_actions *actions) {
  gpu_batch *x = of(base);
  gpu_machine_lock(x->m, 0);
  return end_call(x, take_actions(x, actions) && run_step(x, 0, actions->is_single) && judge(x));
}

static bool wait_for(device_batch *base) {
  gpu_batch *x = of(base);
  gpu_machine_lock(x->m, 0);
  return end_call(x, x->d->ops->wait(x->d, base->stream));
}

static bool join_stream(device_batch *base, uint64_t stream) {
  gpu_batch *x = of(base);
  gpu_machine_lock(x->m, 0);
  return end_call(x, x->d->ops->join(x->d, stream, base->stream));
}

/* ---- positions ---- */

static bool put_all(gpu_batch *x, uint64_t from) {
  const uint32_t latches = x->g->circuit.latches.count;
  bool ok = true;
  for (uint32_t first = 0; ok && first < latches; first += 32)
    ok = gather(x,
                (ptx_gather_arguments){.from = from + first / 8,
                                       .stride = x->m->position_size,
                                       .size = sizeof(uint32_t),
                                       .row = x->rows.next + first,
                                       .count = latches - first < 32 ? latches - first : 32,
                                       .limit = UINT32_MAX},
                1);
  return ok;
}

static bool put(device_batch *base, const void *positions, uint64_t which) {
  gpu_batch *x = of(base);
  const size_t size = x->m->position_size * base->games;
  gpu_machine_lock(x->m, 0);
  const uint64_t from = x->d->ops->allocate(x->d, size + 1);
  const bool ok = from && x->d->ops->write(x->d, from, positions, size) && put_all(x, from) &&
                  mix(x, x->fill_put, which) && judge(x) && x->d->ops->wait(x->d, base->stream);
  x->d->ops->release(x->d, from);
  return end_call(x, ok);
}

static bool store_all(gpu_batch *x, uint64_t rows, uint64_t to, void *positions) {
  const batch_output o = {.layout = DEVICE_BITS,
                          .rows = rows,
                          .count = x->g->circuit.latches.count,
                          .at = {.address = to, .stride = x->m->position_size}};
  return batch_spread(x, &o) && x->d->ops->wait(x->d, x->base.stream) &&
         x->d->ops->read(x->d, positions, to, x->m->position_size * x->base.games);
}

static bool store(device_batch *base, void *positions) {
  gpu_batch *x = of(base);
  const uint32_t latches = x->g->circuit.latches.count;
  arena *scratch = arena_new();
  const uint32_t *list = batch_list_rows(x, x->rows.states, latches, scratch);
  const size_t size = batch_list_room(latches) * sizeof *list;
  gpu_machine_lock(x->m, 0);
  const uint64_t rows = x->d->ops->allocate(x->d, size + 1);
  const uint64_t to = rows ? x->d->ops->allocate(x->d, x->m->position_size * 32 * x->words + 1) : 0;
  const bool ok =
      to && x->d->ops->write(x->d, rows, list, size) && store_all(x, rows, to, positions);
  x->d->ops->release(x->d, to);
  x->d->ops->release(x->d, rows);
  arena_free(scratch);
  return end_call(x, ok);
}

const device_batch_ops gpu_batches = {
    .open = open_batch,
    .close = close_batch,
    .buffer = buffer,
    .reset = reset,
    .put = put,
    .store = store,
    .draw = draw,
    .step = make_step,
    .wait = wait_for,
    .join = join_stream,
};
