#include "tree/joint_game.h"

#include <string.h>

typedef struct mixing {
  const joint_game *g;
  uint32_t all;     /* moves of all roles */
  uint32_t *firsts; /* by role: its first move in the arrays below */
  uint32_t *digits; /* by role: of the present joint move */
  float *regrets;   /* by move, as all that follows */
  float *now;       /* shares in the present round */
  float *worth;     /* what the move is worth against the others' shares */
  float *sums;      /* shares over all rounds */
} mixing;

static mixing mixing_new(const joint_game *g, arena *scratch) {
  mixing k = {.g = g,
              .firsts = arena_new_array(scratch, uint32_t, g->roles + 1),
              .digits = arena_zero_array(scratch, uint32_t, g->roles)};
  for (uint32_t r = 0; r < g->roles; r++) {
    k.firsts[r] = k.all;
    k.all += g->sizes[r];
  }
  k.firsts[g->roles] = k.all;
  k.regrets = arena_zero_array(scratch, float, k.all);
  k.now = arena_zero_array(scratch, float, k.all);
  k.worth = arena_zero_array(scratch, float, k.all);
  k.sums = arena_zero_array(scratch, float, k.all);
  return k;
}

static void normalise(const mixing *k, const float *weights, float *shares) {
  for (uint32_t r = 0; r < k->g->roles; r++) {
    float sum = 0;
    for (uint32_t i = k->firsts[r]; i < k->firsts[r + 1]; i++) sum += weights[i];
    for (uint32_t i = k->firsts[r]; i < k->firsts[r + 1]; i++)
      shares[i] = sum > 0 ? weights[i] / sum : 1.0f / (float)k->g->sizes[r];
  }
}

static void next_joint(mixing *k) {
  for (uint32_t r = 0; r < k->g->roles; r++) {
    if (++k->digits[r] < k->g->sizes[r]) return;
    k->digits[r] = 0;
  }
}

/* How likely it is that the others choose what the present joint move says. */
static float chance_of_others(const mixing *k, const float *shares, uint32_t role) {
  float chance = 1;
  for (uint32_t r = 0; r < k->g->roles; r++)
    if (r != role) chance *= shares[k->firsts[r] + k->digits[r]];
  return chance;
}

static void weigh_moves(mixing *k, const float *shares) {
  uint32_t joints = 1;
  for (uint32_t r = 0; r < k->g->roles; r++) joints *= k->g->sizes[r];
  memset(k->worth, 0, k->all * sizeof *k->worth);
  for (uint32_t j = 0; j < joints; j++, next_joint(k))
    for (uint32_t r = 0; r < k->g->roles; r++)
      k->worth[k->firsts[r] + k->digits[r]] +=
          chance_of_others(k, shares, r) * k->g->values[(size_t)j * k->g->roles + r];
}

static float worth_of_role(const mixing *k, const float *shares, uint32_t role) {
  float worth = 0;
  for (uint32_t i = k->firsts[role]; i < k->firsts[role + 1]; i++) worth += shares[i] * k->worth[i];
  return worth;
}

static void learn(mixing *k, uint32_t round) {
  normalise(k, k->regrets, k->now);
  weigh_moves(k, k->now);
  for (uint32_t r = 0; r < k->g->roles; r++) {
    const float had = worth_of_role(k, k->now, r);
    for (uint32_t i = k->firsts[r]; i < k->firsts[r + 1]; i++) {
      const float regret = k->regrets[i] + k->worth[i] - had;
      k->regrets[i] = regret > 0 ? regret : 0;
      k->sums[i] += (float)round * k->now[i];
    }
  }
}

void joint_game_mix(const joint_game *g, uint32_t rounds, float *shares, float *worth,
                    arena *scratch) {
  const arena_mark mark = arena_save(scratch);
  mixing k = mixing_new(g, scratch);
  for (uint32_t round = 1; round <= rounds; round++) learn(&k, round);
  normalise(&k, k.sums, shares);
  weigh_moves(&k, shares);
  for (uint32_t r = 0; r < g->roles; r++) worth[r] = worth_of_role(&k, shares, r);
  arena_restore(scratch, mark);
}
