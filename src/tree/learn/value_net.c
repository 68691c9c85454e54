#include "tree/learn/value_net.h"

#include "base/cpu.h"

#include <math.h>
#include <string.h>

/* ---- kernels ---- */

typedef struct net_kernel {
  void (*add_rows)(const float *rows, const uint32_t *inputs, uint32_t count, float *hidden);
  void (*change_row)(float *row, const float *slope, float rate);
  void (*bend)(const float *hidden, float *bent);
  float (*product)(const float *a, const float *b);
} net_kernel;

#define KERNEL_STEPS(kind) \
  { kind##_add_rows, kind##_change_row, kind##_bend, kind##_product }

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
  float *rows;      /* by input: to the hidden units */
  float *direct;    /* by input and role */
  float *changed;   /* by input: sum of squares of its slopes */
  float *biases;    /* of hidden units */
  float *outputs;   /* by role: from the hidden units */
  float *ends;      /* by role: what its output begins with */
  uint32_t *active; /* scratch: the inputs that are set */
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
  n->rows = arena_new_array(keep, float, (size_t)n->inputs *NET_HIDDEN);
  n->direct = arena_zero_array(keep, float, (size_t)n->inputs * n->roles);
  n->changed = arena_zero_array(keep, float, n->inputs);
  n->biases = arena_zero_array(keep, float, NET_HIDDEN);
  n->outputs = arena_new_array(keep, float, (size_t)n->roles *NET_HIDDEN);
  n->ends = arena_zero_array(keep, float, n->roles);
  n->active = arena_new_array(keep, uint32_t, n->inputs);
  n->slopes = arena_zero_array(keep, float, n->roles);
  n->judged = arena_zero_array(keep, float, n->roles);
  fill(n->rows, (size_t)n->inputs * NET_HIDDEN, .15f, &r);
  fill(n->outputs, (size_t)n->roles * NET_HIDDEN, .3f, &r);
  return n;
}

void net_copy(value_net *to, const value_net *from) {
  memcpy(to->rows, from->rows, (size_t)from->inputs * NET_HIDDEN * sizeof *to->rows);
  memcpy(to->direct, from->direct, (size_t)from->inputs * from->roles * sizeof *to->direct);
  memcpy(to->changed, from->changed, from->inputs * sizeof *to->changed);
  memcpy(to->biases, from->biases, NET_HIDDEN * sizeof *to->biases);
  memcpy(to->outputs, from->outputs, (size_t)from->roles * NET_HIDDEN * sizeof *to->outputs);
  memcpy(to->ends, from->ends, from->roles * sizeof *to->ends);
}

/* ---- judging ---- */

static uint32_t list_active(const value_net *n, const void *position, uint32_t *active) {
  uint32_t count = 0;
  for (uint32_t word = 0; word < n->words; word++) {
    uint64_t bits;
    memcpy(&bits, (const char *)position + word * sizeof bits, sizeof bits);
    for (; bits; bits &= bits - 1) active[count++] = word * 64 + (uint32_t)__builtin_ctzll(bits);
  }
  return count;
}

/* The states of hidden units, and what they give. */
typedef struct hidden_units {
  float sums[NET_HIDDEN], bent[NET_HIDDEN];
} hidden_units;

static void run_hidden(const value_net *n, uint32_t count, hidden_units *h) {
  memcpy(h->sums, n->biases, sizeof h->sums);
  n->kernel->add_rows(n->rows, n->active, count, h->sums);
  n->kernel->bend(h->sums, h->bent);
}

static void run_outputs(const value_net *n, uint32_t count, const hidden_units *h, float *values) {
  for (uint32_t r = 0; r < n->roles; r++)
    values[r] = n->ends[r] + n->kernel->product(h->bent, n->outputs + (size_t)r * NET_HIDDEN);
  for (uint32_t k = 0; k < count; k++)
    for (uint32_t r = 0; r < n->roles; r++)
      values[r] += n->direct[(size_t)n->active[k] * n->roles + r];
  for (uint32_t r = 0; r < n->roles; r++) values[r] = 1 / (1 + expf(-values[r]));
}

void net_judge(const value_net *n, const void *position, float *values) {
  hidden_units h;
  const uint32_t count = list_active(n, position, n->active);
  run_hidden(n, count, &h);
  run_outputs(n, count, &h, values);
}

/* ---- training ---- */

/* How the error changes with the sums of the hidden units. */
static void slopes_of_hidden(const value_net *n, const hidden_units *h, float *slopes) {
  memset(slopes, 0, NET_HIDDEN * sizeof *slopes);
  for (uint32_t r = 0; r < n->roles; r++)
    for (uint32_t i = 0; i < NET_HIDDEN; i++)
      slopes[i] += n->slopes[r] * n->outputs[(size_t)r * NET_HIDDEN + i];
  for (uint32_t i = 0; i < NET_HIDDEN; i++) {
    const float flatness = 1 + fabsf(h->sums[i]);
    slopes[i] /= flatness * flatness;
  }
}

static void change_input(value_net *n, uint32_t input, const float *slopes, float square,
                         float rate) {
  n->changed[input] += square;
  const float step = rate / sqrtf(n->changed[input] + 1e-3f);
  n->kernel->change_row(n->rows + (size_t)input * NET_HIDDEN, slopes, step);
  for (uint32_t r = 0; r < n->roles; r++)
    n->direct[(size_t)input * n->roles + r] -= step * n->slopes[r];
}

static void change_outputs(value_net *n, const hidden_units *h, float rate) {
  for (uint32_t r = 0; r < n->roles; r++) {
    n->kernel->change_row(n->outputs + (size_t)r * NET_HIDDEN, h->bent, rate * n->slopes[r]);
    n->ends[r] -= rate * n->slopes[r];
  }
}

float net_train(value_net *n, const void *position, const float *targets, float rate) {
  hidden_units h;
  float slopes[NET_HIDDEN], error = 0, square = 0;
  const uint32_t count = list_active(n, position, n->active);
  run_hidden(n, count, &h);
  run_outputs(n, count, &h, n->judged);
  for (uint32_t r = 0; r < n->roles; r++) {
    n->slopes[r] = n->judged[r] - targets[r];
    error += n->slopes[r] * n->slopes[r];
  }
  slopes_of_hidden(n, &h, slopes);
  square = n->kernel->product(slopes, slopes) / NET_HIDDEN + error / (float)n->roles;
  for (uint32_t k = 0; k < count; k++) change_input(n, n->active[k], slopes, square, rate);
  n->kernel->change_row(n->biases, slopes, rate * .1f);
  change_outputs(n, &h, rate * .1f);
  return error / (float)n->roles;
}
