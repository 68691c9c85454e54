/* The loops of a network, for one kind of vectors: KERNEL(name) gives names, KERNEL_TARGET says
   what the processor has. */

typedef float KERNEL(vector) __attribute__((vector_size(32), aligned(4), may_alias));

enum { KERNEL(EACH) = sizeof(KERNEL(vector)) / sizeof(float) };

/* sums += sign * the rows of some inputs. */
KERNEL_TARGET static void KERNEL(add_rows)(const float *rows, const uint32_t *inputs,
                                           uint32_t count, float sign, float *sums) {
  KERNEL(vector) *to = (KERNEL(vector) *)sums;
  KERNEL(vector) a = to[0], b = to[1], c = to[2], d = to[3], e = to[4];
  for (uint32_t k = 0; k < count; k++) {
    const KERNEL(vector) *row = (const KERNEL(vector) *)(rows + (size_t)inputs[k] * NET_WIDTH);
    a += sign * row[0], b += sign * row[1], c += sign * row[2], d += sign * row[3];
    e += sign * row[4];
  }
  to[0] = a, to[1] = b, to[2] = c, to[3] = d, to[4] = e;
}

/* The rows of some inputs change by some part of `slopes`, each by its own. */
KERNEL_TARGET static void KERNEL(change_rows)(float *rows, const uint32_t *inputs,
                                              const float *parts, uint32_t count,
                                              const float *slopes) {
  const KERNEL(vector) *by = (const KERNEL(vector) *)slopes;
  const KERNEL(vector) a = by[0], b = by[1], c = by[2], d = by[3], e = by[4];
  for (uint32_t k = 0; k < count; k++) {
    KERNEL(vector) *row = (KERNEL(vector) *)(rows + (size_t)inputs[k] * NET_WIDTH);
    const float part = parts[k];
    row[0] -= part * a, row[1] -= part * b, row[2] -= part * c, row[3] -= part * d;
    row[4] -= part * e;
  }
}

/* to += part * from, by hidden unit. */
KERNEL_TARGET static void KERNEL(add_part)(float *to, const float *from, float part) {
  for (uint32_t i = 0; i < NET_HIDDEN; i += KERNEL(EACH))
    *(KERNEL(vector) *)(to + i) += part * *(const KERNEL(vector) *)(from + i);
}

/* What hidden units give: between -1 and 1. */
KERNEL_TARGET static void KERNEL(bend)(const float *sums, float *bent) {
  for (uint32_t i = 0; i < NET_HIDDEN; i++) {
    const float size = sums[i] < 0 ? -sums[i] : sums[i];
    bent[i] = sums[i] / (1 + size);
  }
}

/* Slopes by what units give become slopes by their sums. */
KERNEL_TARGET static void KERNEL(unbend)(const float *bent, float *slopes) {
  for (uint32_t i = 0; i < NET_HIDDEN; i++) {
    const float flat = 1 - (bent[i] < 0 ? -bent[i] : bent[i]);
    slopes[i] *= flat * flat;
  }
}

KERNEL_TARGET static float KERNEL(product)(const float *a, const float *b) {
  KERNEL(vector) sums = {0};
  for (uint32_t i = 0; i < NET_HIDDEN; i += KERNEL(EACH))
    sums += *(const KERNEL(vector) *)(a + i) * *(const KERNEL(vector) *)(b + i);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

#undef KERNEL
#undef KERNEL_TARGET
