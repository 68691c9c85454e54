/* The loops of a network, for one kind of vectors: KERNEL(name) gives names, KERNEL_TARGET says
   what the processor has. */

/* hidden += the rows of some inputs. */
KERNEL_TARGET static void KERNEL(add_rows)(const float *rows, const uint32_t *inputs,
                                           uint32_t count, float *hidden) {
  float sums[NET_HIDDEN];
  memcpy(sums, hidden, sizeof sums);
  for (uint32_t k = 0; k < count; k++) {
    const float *row = rows + (size_t)inputs[k] * NET_HIDDEN;
    for (uint32_t i = 0; i < NET_HIDDEN; i++) sums[i] += row[i];
  }
  memcpy(hidden, sums, sizeof sums);
}

/* A row changes by some part of `slope`. */
KERNEL_TARGET static void KERNEL(change_row)(float *row, const float *slope, float rate) {
  for (uint32_t i = 0; i < NET_HIDDEN; i++) row[i] -= rate * slope[i];
}

/* What hidden units give: between -1 and 1. */
KERNEL_TARGET static void KERNEL(bend)(const float *hidden, float *bent) {
  for (uint32_t i = 0; i < NET_HIDDEN; i++) {
    const float size = hidden[i] < 0 ? -hidden[i] : hidden[i];
    bent[i] = hidden[i] / (1 + size);
  }
}

KERNEL_TARGET static float KERNEL(product)(const float *a, const float *b) {
  float sums[8] = {0};
  for (uint32_t i = 0; i < NET_HIDDEN; i += 8)
    for (uint32_t k = 0; k < 8; k++) sums[k] += a[i + k] * b[i + k];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

#undef KERNEL
#undef KERNEL_TARGET
