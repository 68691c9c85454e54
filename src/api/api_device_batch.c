#include "api/api.h"

#include "machine/bundle.h"
#include "machine/device_batch.h"

_Static_assert((int)TABIA_DEVICE_NEXT_STEP == (int)ENDING_NEXT_STEP &&
                   (int)TABIA_DEVICE_SAME_STEP == (int)ENDING_SAME_STEP,
               "endings are numbered alike");
_Static_assert((int)TABIA_DEVICE_LEGAL == (int)DEVICE_LEGAL &&
                   (int)TABIA_DEVICE_FLUENTS == (int)DEVICE_FLUENTS &&
                   (int)TABIA_DEVICE_PERCEPTS == (int)DEVICE_PERCEPTS &&
                   (int)TABIA_DEVICE_GOALS == (int)DEVICE_GOALS &&
                   (int)TABIA_DEVICE_REWARDS == (int)DEVICE_REWARDS &&
                   (int)TABIA_DEVICE_TERMINATED == (int)DEVICE_TERMINATED &&
                   (int)TABIA_DEVICE_ILLEGAL == (int)DEVICE_ILLEGAL &&
                   (int)TABIA_DEVICE_DRAWN == (int)DEVICE_DRAWN,
               "answers are numbered alike");
_Static_assert((int)TABIA_BITS == (int)DEVICE_BITS && (int)TABIA_BYTES == (int)DEVICE_BYTES,
               "layouts are numbered alike");

struct tabia_device_batch {
  arena *keep;
  arena *guard; /* gives the group back */
  const tabia_machine *of;
  uint32_t games;
  device_ending ending;
  budget budget;
  const char *trouble; /* why it was not made */
  arena_group group;   /* of what `b` is made of: where memory ends, all of it goes */
  device_batch *b;     /* NULL: it is gone */
};

/* ---- what went wrong ---- */

static tabia_status tell(const tabia_machine *m, const char *what, const char *trouble,
                         tabia_messages *log) {
  arena *scratch = arena_new();
  diag_sink d;
  diag_sink_init(&d, scratch);
  diag_add(&d, DIAG_E826, SPAN_NONE, "%s: %s", what, trouble);
  api_tell(log, &d, &m->rules->source);
  arena_free(scratch);
  return TABIA_LIMIT;
}

static tabia_status tell_budget(const tabia_machine *m, const budget *b, tabia_messages *log) {
  arena *scratch = arena_new();
  diag_sink d;
  diag_sink_init(&d, scratch);
  budget_report(b, &d, "the batch was not made ready");
  api_tell(log, &d, &m->rules->source);
  arena_free(scratch);
  return TABIA_LIMIT;
}

static tabia_status misuse(tabia_messages *log, const char *words) {
  api_tell_error(log, "%s", words);
  return TABIA_MISUSE;
}

/* ---- making one ---- */

static void give_back_group(void *what) {
  tabia_device_batch *b = what;
  if (b->b) b->b->ops->close(b->b);
  arena_group_free(&b->group);
}

static void make_inner(void *context) {
  tabia_device_batch *b = context;
  b->b = b->of->m->ops->device_batch->open(b->of->m, b->games, b->ending, &b->trouble, arena_new(),
                                           &b->budget);
}

static tabia_status make_batch(tabia_device_batch **out, const tabia_machine *m, uint32_t games,
                               tabia_device_ending ending, const tabia_limits *limits,
                               tabia_messages *log) {
  arena *keep = arena_new();
  tabia_device_batch *b = arena_alloc_zero(keep, sizeof *b);
  *b = (tabia_device_batch){.keep = keep,
                            .of = m,
                            .games = games,
                            .ending = (device_ending)ending,
                            .budget = api_budget(limits)};
  b->guard = arena_guarding(give_back_group, b);
  if (!recovery_try(&b->group, make_inner, b)) recovery_fail();
  if (b->b) {
    *out = b;
    return TABIA_OK;
  }
  const tabia_status status = b->trouble ? tell(m, "the batch was not made", b->trouble, log)
                                         : tell_budget(m, &b->budget, log);
  tabia_device_batch_free(b);
  return status;
}

static tabia_status new_batch(tabia_device_batch **out, const tabia_machine *m, uint32_t games,
                              tabia_device_ending ending, const tabia_limits *limits,
                              tabia_messages *log) {
  enum { GAMES_MAX = 1 << 28 };
  if (!games || games > GAMES_MAX) return misuse(log, "a batch has from one game to 2^28");
  if ((unsigned)ending > TABIA_DEVICE_NEXT_STEP) return misuse(log, "there is no such ending");
  if (!m->m->ops->device_batch) return misuse(log, "this machine keeps no games on a device");
  return make_batch(out, m, games, ending, limits, log);
}

tabia_status tabia_device_batch_new(tabia_device_batch **out, const tabia_machine *m,
                                    uint32_t games, tabia_device_ending ending,
                                    const tabia_limits *limits, tabia_messages *log) {
  *out = NULL;
  API_GUARDED(tabia_status, new_batch(out, m, games, ending, limits, log), api_no_memory(log));
}

void tabia_device_batch_free(tabia_device_batch *b) {
  if (!b) return;
  arena_free(b->guard);
  arena_free(b->keep);
}

void tabia_device_batch_place(const tabia_device_batch *b, int32_t *type, int32_t *number) {
  enum { DLPACK_CPU = 1, DLPACK_CUDA = 2 };
  *type = b->b && b->b->is_card ? DLPACK_CUDA : DLPACK_CPU;
  *number = b->b ? (int32_t)b->b->card : 0;
}

/* ---- the calls ---- */

/* After a failed allocation the memory of the batch is gone. */
#define TRY(batch, call, log) \
  do { \
    volatile bool is_done = false; /* kept by setjmp */ \
    if (!(batch)->b) return api_no_memory(log); \
    API_TRY_IN(&(batch)->group, is_done = (call), (batch)->b = NULL); \
    if (!(batch)->b) return api_no_memory(log); \
    if (is_done) return TABIA_OK; \
    API_GUARDED(tabia_status, \
                tell((batch)->of, "the device has failed", (batch)->b->trouble, log), \
                api_no_memory(log)); \
  } while (0)

static bool change_stream(device_batch *b, uint64_t stream) {
  const bool ok = b->ops->join(b, stream);
  if (ok) b->stream = stream;
  return ok;
}

tabia_status tabia_device_batch_set_stream(tabia_device_batch *b, uint64_t stream,
                                           tabia_messages *log) {
  TRY(b, change_stream(b->b, stream), log);
}

tabia_status tabia_device_batch_join(tabia_device_batch *b, uint64_t stream, tabia_messages *log) {
  TRY(b, b->b->ops->join(b->b, stream), log);
}

tabia_status tabia_device_batch_wait(tabia_device_batch *b, tabia_messages *log) {
  TRY(b, b->b->ops->wait(b->b), log);
}

static bool find_buffer(tabia_device_batch *b, tabia_device_answer what, uint32_t role,
                        tabia_layout layout, tabia_device_buffer *out) {
  device_buffer at;
  const uint32_t whose = what == TABIA_DEVICE_LEGAL || what == TABIA_DEVICE_PERCEPTS ? role : 0;
  if (!b->b->ops->buffer(b->b, (device_answer)what, whose, (device_layout)layout, &at))
    return false;
  *out = (tabia_device_buffer){at.address, at.columns, at.item_bytes, at.stride};
  return true;
}

static bool is_yes_or_no(tabia_device_answer what) { return what <= TABIA_DEVICE_PERCEPTS; }

tabia_status tabia_device_batch_buffer(tabia_device_batch *b, tabia_device_answer what,
                                       uint32_t role, tabia_layout layout, tabia_device_buffer *out,
                                       tabia_messages *log) {
  if ((unsigned)what > TABIA_DEVICE_DRAWN) return misuse(log, "there is no such answer");
  if (role >= b->of->m->role_count) return misuse(log, "there is no such role");
  if (is_yes_or_no(what) && layout != TABIA_BITS && layout != TABIA_BYTES)
    return misuse(log, "a device has answers in the layouts of bits and of bytes");
  TRY(b, find_buffer(b, what, role, layout, out), log);
}

tabia_status tabia_device_batch_reset(tabia_device_batch *b, uint64_t which, tabia_messages *log) {
  TRY(b, b->b->ops->reset(b->b, which), log);
}

tabia_status tabia_device_batch_put(tabia_device_batch *b, const void *positions, uint64_t which,
                                    tabia_messages *log) {
  TRY(b, b->b->ops->put(b->b, positions, which), log);
}

tabia_status tabia_device_batch_store(tabia_device_batch *b, void *positions, tabia_messages *log) {
  TRY(b, b->b->ops->store(b->b, positions), log);
}

tabia_status tabia_device_batch_draw(tabia_device_batch *b, uint64_t seed, uint64_t stream,
                                     tabia_messages *log) {
  TRY(b, b->b->ops->draw(b->b, bundle_draw_key(seed, stream)), log);
}

static bool is_size(uint32_t bytes) { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8; }

tabia_status tabia_device_batch_step(tabia_device_batch *b, const tabia_device_actions *a,
                                     tabia_messages *log) {
  if (!a->address || !is_size(a->item_bytes) || a->address % a->item_bytes)
    return misuse(log, "actions are aligned numbers of 1, 2, 4 or 8 bytes");
  const device_actions actions = {.address = a->address,
                                  .item_bytes = a->item_bytes,
                                  .game_stride = a->game_stride,
                                  .player_stride = a->player_stride,
                                  .is_single = a->is_single,
                                  .key = bundle_draw_key(a->seed, a->stream)};
  TRY(b, b->b->ops->step(b->b, &actions), log);
}
