#include "tree/learn/value_net.h"

#include "base/cpu.h"

#include <math.h>
#include <string.h>

/* ---- kernels ---- */

/* The slots of a row: hidden units, and the outputs of the first roles. */
enum { NET_DIRECT = NET_WIDTH - NET_HIDDEN };

typedef struct net_kernel {
  void (*add_rows)(const float *rows, const uint32_t *inputs, uint32_t count, float sign,
                   float *sums);
  void (*change_rows)(float *rows, const uint32_t *inputs, const float *parts, uint32_t count,
                      const float *slopes);
  void (*add_part)(float *to, const float *from, float part);
  void (*bend)(const float *sums, float *bent);
  void (*unbend)(const float *bent, float *slopes);
  float (*product)(const float *a, const float *b);
} net_kernel;

#define KERNEL_STEPS(kind) \
  { \
    kind##_add_rows, kind##_change_rows, kind##_add_part, kind##_bend, kind##_unbend, \
        kind##_product \
  }

#define KERNEL(name) plain_##name
#define KERNEL_TARGET
#include "tree/learn/net_kernel.h"

static const net_kernel plain_kernel = KERNEL_STEPS(plain);

#ifdef __x86_64__
#define KERNEL(name) avx2_##name
#define KERNEL_TARGET __attribute__((target("avx2")))
#include "tree/learn/net_kernel.h"

static const net_kernel avx2_kernel = KERNEL_STEPS(avx2);

static const net_kernel *best_kernel(void) { return cpu_has_avx2() ? &avx2_kernel : &plain_kernel; }
#else
static const net_kernel *best_kernel(void) { return &plain_kernel; }
#endif

/* ---- the network ---- */

struct value_net {
  const net_kernel *kernel;
  uint32_t words, inputs, roles;
  float *rows;      /* by input: to the hidden units, and directly to the outputs */
  float *changed;   /* by input: sum of squares of its slopes */
  float *paces;     /* by input: one divided by the root of that sum, or of nearly that */
  float *due;       /* by input: the sum at which its pace is found again */
  float *biases;    /* of hidden units */
  float *outputs;   /* by role: from the hidden units */
  float *ends;      /* by role: what its output begins with */
  uint32_t *active; /* scratch: the inputs that are set */
  uint32_t *gone;   /* scratch: inputs that are not set any more */
  float *parts;     /* scratch, by active input */
  float *slopes;    /* scratch, by role */
  float *judged;    /* scratch, by role */
};

bool net_fits(const machine *m) {
  return m->numbers && m->position_size % sizeof(uint64_t) == 0 && m->position_size;
}

static float small_number(rng *r, float size) {
  return ((float)(rng_next(r) >> 40) * 0x1p-23f - 1) * size;
}

static void fill(float *weights, size_t count, float size, rng *r) {
  for (size_t i = 0; i < count; i++) weights[i] = small_number(r, size);
}

value_net *net_new(const machine *m, uint64_t seed, arena *keep) {
  rng r = rng_new(seed, 7);
  if (!net_fits(m)) return NULL;
  value_net *n = arena_alloc_zero(keep, sizeof *n);
  n->kernel = best_kernel();
  n->words = (uint32_t)(m->position_size / sizeof(uint64_t));
  n->inputs = n->words * 64;
  n->roles = m->role_count;
  n->rows = arena_zero_array(keep, float, (size_t)n->inputs *NET_WIDTH);
  n->changed = arena_zero_array(keep, float, n->inputs);
  n->paces = arena_zero_array(keep, float, n->inputs);
  n->due = arena_zero_array(keep, float, n->inputs);
  n->biases = arena_zero_array(keep, float, NET_WIDTH);
  n->outputs = arena_new_array(keep, float, (size_t)n->roles *NET_HIDDEN);
  n->ends = arena_zero_array(keep, float, n->roles);
  n->active = arena_new_array(keep, uint32_t, n->inputs);
  n->gone = arena_new_array(keep, uint32_t, n->inputs);
  n->parts = arena_new_array(keep, float, n->inputs);
  n->slopes = arena_zero_array(keep, float, n->roles);
  n->judged = arena_zero_array(keep, float, n->roles);
  for (uint32_t i = 0; i < n->inputs; i++)
    fill(n->rows + (size_t)i * NET_WIDTH, NET_HIDDEN, .15f, &r);
  fill(n->outputs, (size_t)n->roles * NET_HIDDEN, .3f, &r);
  return n;
}

void net_copy(value_net *to, const value_net *from) {
  memcpy(to->rows, from->rows, (size_t)from->inputs * NET_WIDTH * sizeof *to->rows);
  memcpy(to->changed, from->changed, from->inputs * sizeof *to->changed);
  memcpy(to->paces, from->paces, from->inputs * sizeof *to->paces);
  memcpy(to->due, from->due, from->inputs * sizeof *to->due);
  memcpy(to->biases, from->biases, NET_WIDTH * sizeof *to->biases);
  memcpy(to->outputs, from->outputs, (size_t)from->roles * NET_HIDDEN * sizeof *to->outputs);
  memcpy(to->ends, from->ends, from->roles * sizeof *to->ends);
}

/* ---- judging ---- */

static uint32_t add_bits(uint64_t bits, uint32_t word, uint32_t *list, uint32_t count) {
  for (; bits; bits &= bits - 1) list[count++] = word * 64 + (uint32_t)__builtin_ctzll(bits);
  return count;
}

static uint64_t word_of(const void *position, uint32_t word) {
  uint64_t bits;
  memcpy(&bits, (const char *)position + word * sizeof bits, sizeof bits);
  return bits;
}

static uint32_t list_active(const value_net *n, const void *position, uint32_t *active) {
  uint32_t count = 0;
  for (uint32_t word = 0; word < n->words; word++)
    count = add_bits(word_of(position, word), word, active, count);
  return count;
}

static void run_outputs(const value_net *n, const float *sums, const float *bent, float *values) {
  for (uint32_t r = 0; r < n->roles; r++) {
    const float direct = r < NET_DIRECT ? sums[NET_HIDDEN + r] : 0;
    const float sum =
        n->ends[r] + n->kernel->product(bent, n->outputs + (size_t)r * NET_HIDDEN) + direct;
    values[r] = 1 / (1 + expf(-sum));
  }
}

static void judge_sums(const value_net *n, const float *sums, float *values) {
  float bent[NET_HIDDEN];
  n->kernel->bend(sums, bent);
  run_outputs(n, sums, bent, values);
}

void net_sum(const value_net *n, const void *position, float *sums) {
  const uint32_t count = list_active(n, position, n->active);
  memcpy(sums, n->biases, NET_WIDTH * sizeof *sums);
  n->kernel->add_rows(n->rows, n->active, count, 1, sums);
}

void net_judge(const value_net *n, const void *position, float *values) {
  float sums[NET_WIDTH];
  net_sum(n, position, sums);
  judge_sums(n, sums, values);
}

void net_judge_near(const value_net *n, const void *known, const float *known_sums,
                    const void *position, float *values) {
  float sums[NET_WIDTH];
  uint32_t come = 0, gone = 0;
  for (uint32_t word = 0; word < n->words; word++) {
    const uint64_t before = word_of(known, word), now = word_of(position, word);
    come = add_bits(now & ~before, word, n->active, come);
    gone = add_bits(before & ~now, word, n->gone, gone);
  }
  memcpy(sums, known_sums, sizeof sums);
  n->kernel->add_rows(n->rows, n->active, come, 1, sums);
  n->kernel->add_rows(n->rows, n->gone, gone, -1, sums);
  judge_sums(n, sums, values);
}

/* ---- training ---- */

/* How the error changes with the sums: of hidden units, and of direct outputs. */
static void find_slopes(const value_net *n, const float *bent, float *slopes) {
  memset(slopes, 0, NET_WIDTH * sizeof *slopes);
  for (uint32_t r = 0; r < n->roles; r++) {
    n->kernel->add_part(slopes, n->outputs + (size_t)r * NET_HIDDEN, n->slopes[r]);
    if (r < NET_DIRECT) slopes[NET_HIDDEN + r] = n->slopes[r];
  }
  n->kernel->unbend(bent, slopes);
}

/* How far each active input goes.  Its pace is found again when it has changed by a fiftieth. */
static void find_parts(value_net *n, uint32_t count, float square, float rate) {
  for (uint32_t k = 0; k < count; k++) {
    const uint32_t i = n->active[k];
    n->changed[i] += square;
    if (n->changed[i] > n->due[i]) {
      n->paces[i] = 1 / sqrtf(n->changed[i] + 1e-3f);
      n->due[i] = n->changed[i] * 1.04f;
    }
    n->parts[k] = rate * n->paces[i];
  }
}

static void change_outputs(value_net *n, const float *bent, float rate) {
  for (uint32_t r = 0; r < n->roles; r++) {
    n->kernel->add_part(n->outputs + (size_t)r * NET_HIDDEN, bent, -rate * n->slopes[r]);
    n->ends[r] -= rate * n->slopes[r];
  }
}

float net_train(value_net *n, const void *position, const float *targets, float rate) {
  float sums[NET_WIDTH], bent[NET_HIDDEN], slopes[NET_WIDTH], error = 0;
  const uint32_t count = list_active(n, position, n->active);
  memcpy(sums, n->biases, sizeof sums);
  n->kernel->add_rows(n->rows, n->active, count, 1, sums);
  n->kernel->bend(sums, bent);
  run_outputs(n, sums, bent, n->judged);
  for (uint32_t r = 0; r < n->roles; r++) {
    n->slopes[r] = n->judged[r] - targets[r];
    error += n->slopes[r] * n->slopes[r];
  }
  find_slopes(n, bent, slopes);
  find_parts(n, count, n->kernel->product(slopes, slopes) / NET_HIDDEN + error / (float)n->roles,
             rate);
  n->kernel->change_rows(n->rows, n->active, n->parts, count, slopes);
  n->kernel->add_part(n->biases, slopes, -rate * .1f);
  change_outputs(n, bent, rate * .1f);
  return error / (float)n->roles;
}
