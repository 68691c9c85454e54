/* The inner loop of games from many positions (lane_rollouts.h); a part of lane_kernel.h, and
   included as that is. */

/* Row i of a word that is rotated to the left. */
#define KERNEL_LEFT(word, i, by) (word)[((i) + 64 - (by)) % 64]

/* A full adder. */
#define KERNEL_ADD(a, b, carry) ((a) ^ (b) ^ (carry))
#define KERNEL_CARRY(a, b, carry) (((a) & (b)) | ((carry) & ((a) | (b))))

/* The next word of every generator, xoroshiro128++; of its bits the upper `bits` are wanted. */
KERNEL_TARGET
static void KERNEL(next_words)(lane_rollouts *x, bundle_row *out, uint32_t bits) {
  const KERNEL(vector) *s0 = (const KERNEL(vector) *)x->generators[x->turn], *s1 = s0 + 64;
  KERNEL(vector) *next0 = (KERNEL(vector) *)x->generators[!x->turn], *next1 = next0 + 64;
  KERNEL(vector) *to = (KERNEL(vector) *)out;
  KERNEL(vector) sum[64], mixed[64], carry = {0};
  for (uint32_t i = 0; i < 64; i++) {
    mixed[i] = s0[i] ^ s1[i];
    sum[i] = KERNEL_ADD(s0[i], s1[i], carry);
    carry = KERNEL_CARRY(s0[i], s1[i], carry);
  }
  carry = (KERNEL(vector)){0};
  for (uint32_t i = 0; i < 64; i++) {
    const KERNEL(vector) a = KERNEL_LEFT(sum, i, 17), b = s0[i];
    if (i + bits >= 64) to[i + bits - 64] = KERNEL_ADD(a, b, carry);
    carry = KERNEL_CARRY(a, b, carry);
  }
  for (uint32_t i = 0; i < 64; i++) {
    next0[i] = KERNEL_LEFT(s0, i, 49) ^ mixed[i] ^ (i < 21 ? (KERNEL(vector)){0} : mixed[i - 21]);
    next1[i] = KERNEL_LEFT(mixed, i, 28);
  }
  x->turn = !x->turn;
}

KERNEL_TARGET
static void KERNEL(rollout_draw)(lane_rollouts *x, const lane_draw *d) {
  for (uint32_t i = 0; i < d->count_bits; i++)
    KERNEL_ROW(&x->rows[d->first_number + i]) = KERNEL_ROOT(x, d->product + d->random_bits + i);
  const KERNEL(row) doubtful = KERNEL_ROOT(x, d->doubtful) & KERNEL_ROW(&x->active);
  if (KERNEL_IS_EMPTY(doubtful)) return;
  for (uint32_t i = 0; i < ROW_WORDS; i++)
    for (uint64_t left = doubtful[i]; left; left &= left - 1)
      lane_rollouts_redraw(x, d, i * 64 + (uint32_t)__builtin_ctzll(left));
}

/* Random bits for all draws. */
KERNEL_TARGET
static void KERNEL(rollout_random)(lane_rollouts *x) {
  const lane_draw *draws = x->net->draws.items;
  const uint32_t count = x->net->draws.count;
  const bundle_row *from = x->random;
  if (x->period && x->step % x->period == 0) KERNEL(next_words)(x, x->random, RANDOM_ROWS);
  if (x->period) from += x->step % x->period * (RANDOM_ROWS / x->period);
  for (uint32_t i = 0; i < count; i++) {
    bundle_row *to = x->rows + draws[i].first_random;
    for (uint32_t k = 0; x->period && k < draws[i].random_bits; k++)
      KERNEL_ROW(&to[k]) = KERNEL_ROW(from++);
    if (!x->period) KERNEL(next_words)(x, to, draws[i].random_bits);
  }
}

/* A step in all lanes; those in which a role is stuck are not active any more. */
KERNEL_TARGET
static void KERNEL(rollout_step)(lane_rollouts *x) {
  const lane_net *n = x->net;
  KERNEL(rollout_random)(x);
  lane_code_run(x->code, PHASE_LEGAL, x->rows);
  for (uint32_t role = 0; role < n->c->roles.count; role++)
    KERNEL_ROW(&x->active) &= ~KERNEL_ROOT(x, n->stuck + role);
  for (uint32_t i = 0; i < n->draws.count; i++) KERNEL(rollout_draw)(x, &n->draws.items[i]);
  KERNEL_ROW(&x->rows[n->gone]) ^= KERNEL_ROW(&x->rows[n->gone]);
  lane_code_run(x->code, PHASE_NEXT, x->rows);
  for (uint32_t i = 0; i < x->copies.count; i++) {
    const row_copy c = x->copies.items[i];
    KERNEL_ROW(&x->rows[c.to]) = KERNEL_ROW(&x->rows[c.from.slot]) ^ -(uint64_t)c.from.negated;
  }
  x->step++;
}

/* Takes the goals of the games that have ended.  False: no game is left. */
KERNEL_TARGET
static bool KERNEL(rollout_end)(lane_rollouts *x) {
  lane_code_run(x->code, PHASE_TERMINAL, x->rows);
  const KERNEL(row) ended = KERNEL_ROOT(x, x->net->terminal) & KERNEL_ROW(&x->active);
  if (KERNEL_IS_EMPTY(ended)) return !KERNEL_IS_EMPTY(KERNEL_ROW(&x->active));
  lane_code_run(x->code, PHASE_GOALS, x->rows);
  for (uint32_t i = 0; i < x->goal_count; i++) {
    const lane_row at = x->goals[i];
    KERNEL_ROW(&x->results[i]) |= (KERNEL_ROW(&x->rows[at.slot]) ^ -(uint64_t)at.negated) & ended;
  }
  KERNEL_ROW(&x->ended) |= ended;
  KERNEL_ROW(&x->active) ^= ended;
  return !KERNEL_IS_EMPTY(KERNEL_ROW(&x->active));
}

#undef KERNEL_LEFT
#undef KERNEL_ADD
#undef KERNEL_CARRY
