/* The inner loop of random play; a part of lane_kernel.h, and included as that is. */

KERNEL_TARGET
static void KERNEL(note)(lane_player *p, const KERNEL(row) * lanes, int kind, uint32_t role) {
  if (!KERNEL_IS_EMPTY(*lanes)) lane_player_note_fault(p, (const bundle_row *)lanes, kind, role);
}

/* ---- games that end ---- */

/* Adds the goals of the lanes in *ended, and leaves those in it in which every role has one.  The
   role that chance plays needs none; its goals count in the lanes in which it has one. */
KERNEL_TARGET
static void KERNEL(count_goals)(lane_player *p, KERNEL(row) * ended) {
  const grounded *g = p->g;
  KERNEL(row) sound = *ended, natural = sound;
  lane_code_run(p->code, PHASE_GOALS, p->rows);
  for (uint32_t role = 0; role < g->circuit.roles.count; role++) {
    KERNEL(row) one = sound ^ sound, several = one;
    for (uint32_t i = g->goals_of[role]; i < g->goals_of[role + 1]; i++) {
      const KERNEL(row) holds = KERNEL_ROOT(p, p->net->goals + g->goals[i]);
      several |= one & holds;
      one |= holds;
    }
    if (role == g->nature) {
      natural = one & ~several;
      continue;
    }
    const KERNEL(row) none = sound & ~one, many = sound & several;
    KERNEL(note)(p, &none, FAULT_NO_GOAL, role);
    KERNEL(note)(p, &many, FAULT_SEVERAL_GOALS, role);
    sound &= one & ~several;
  }
  for (uint32_t role = 0; role < g->circuit.roles.count; role++) {
    const KERNEL(row) lanes = role == g->nature ? sound & natural : sound;
    for (uint32_t i = g->goals_of[role]; i < g->goals_of[role + 1]; i++) {
      const KERNEL(row) holds = KERNEL_ROOT(p, p->net->goals + g->goals[i]) & lanes;
      KERNEL_ROW(&p->goal_sums[g->goals[i]]) += KERNEL_COUNTS(holds);
    }
  }
  *ended = sound;
}

/* Notes a lane among those in *ended in which the target holds. */
KERNEL_TARGET
static void KERNEL(seek_target)(lane_player *p, const KERNEL(row) * ended) {
  lane_code_run(p->code, PHASE_GOALS, p->rows);
  const KERNEL(row) met = *ended & KERNEL_ROOT(p, p->net->targets + p->target);
  if (!KERNEL_IS_EMPTY(met)) lane_player_note_target(p, (const bundle_row *)&met);
}

/* Looks at the lanes in *ended; leaves those whose games count. */
KERNEL_TARGET
static void KERNEL(judge_games)(lane_player *p, KERNEL(row) * ended) {
  if (KERNEL_IS_EMPTY(*ended)) return;
  if (p->g)
    KERNEL(count_goals)(p, ended);
  else
    KERNEL(seek_target)(p, ended);
}

/* Counts the lengths of sound games; lanes that are gone leave their cohorts. */
KERNEL_TARGET
static void KERNEL(close_games)(lane_player *p, const KERNEL(row) * sound,
                                const KERNEL(row) * gone) {
  uint32_t kept = 0;
  if (p->cohort_count && p->step - p->begun[0] >= p->length_count)
    lane_player_add_lengths(p, p->step - p->begun[0]);
  for (uint32_t i = 0; i < p->cohort_count; i++) {
    const KERNEL(row) lanes = KERNEL_ROW(&p->cohorts[i]);
    const KERNEL(row) done = lanes & *sound, left = lanes & ~*gone;
    KERNEL_ROW(&p->length_sums[p->step - p->begun[i]]) += KERNEL_COUNTS(done);
    KERNEL_ROW(&p->cohorts[kept]) = left;
    p->begun[kept] = p->begun[i];
    kept += !KERNEL_IS_EMPTY(left);
  }
  p->cohort_count = kept;
}

/* Leaves the first lanes of a set, at most `count`. */
KERNEL_TARGET
static void KERNEL(keep_first)(KERNEL(row) * lanes, uint64_t count) {
  for (uint32_t i = 0; i < ROW_WORDS; i++) {
    uint64_t kept = 0;
    for (uint64_t left = (*lanes)[i]; left && count; left &= left - 1, count--)
      kept |= left & -left;
    (*lanes)[i] = kept;
  }
}

/* Leaves of some lanes those in which a game begins, while the part has some to start. */
KERNEL_TARGET
static void KERNEL(choose_fresh)(lane_player *p, KERNEL(row) * vacant) {
  if (p->part->counter) {
    lane_counter_open(p, (bundle_row *)vacant);
    return;
  }
  const uint64_t left = p->part->starts - p->started;
  const KERNEL(row) counts = KERNEL_COUNTS(*vacant);
  const uint64_t wanted = KERNEL_SUM(counts);
  if (wanted > left) KERNEL(keep_first)(vacant, left);
  p->started += wanted > left ? left : wanted;
}

/* Begins new games in the lanes that are gone. */
KERNEL_TARGET
static void KERNEL(open_games)(lane_player *p, uint64_t step) {
  const KERNEL(row) vacant = KERNEL_ROW(&p->gone) & KERNEL_ROW(&p->counted);
  KERNEL(row) fresh = vacant;
  KERNEL(choose_fresh)(p, &fresh);
  KERNEL_ROW(&p->counted) &= ~(vacant & ~fresh);
  KERNEL_ROW(&p->cohorts[p->cohort_count]) = fresh;
  p->begun[p->cohort_count] = step;
  p->cohort_count += !KERNEL_IS_EMPTY(fresh);
}

/* Finds the lanes whose game is over, counts their games, and begins others, with the next step. */
KERNEL_TARGET
static void KERNEL(end_games)(lane_player *p) {
  lane_code_run(p->code, PHASE_TERMINAL, p->rows);
  const KERNEL(row) terminal = KERNEL_ROOT(p, p->net->terminal);
  const KERNEL(row) gone = terminal | KERNEL_ROW(&p->given_up);
  KERNEL_ROW(&p->gone) = gone;
  if (KERNEL_IS_EMPTY(gone)) return;
  KERNEL(row) ended = terminal & ~KERNEL_ROW(&p->given_up) & KERNEL_ROW(&p->counted);
  KERNEL(judge_games)(p, &ended);
  KERNEL(close_games)(p, &ended, &gone);
  KERNEL(open_games)(p, p->step + 1);
  KERNEL_ROW(&p->given_up) ^= KERNEL_ROW(&p->given_up);
}

/* ---- moves ---- */

/* The upper half of the product is the number that is drawn. */
KERNEL_TARGET
static void KERNEL(draw_numbers)(lane_player *p, const lane_draw *d) {
  for (uint32_t i = 0; i < d->count_bits; i++)
    KERNEL_ROW(&p->rows[d->first_number + i]) = KERNEL_ROOT(p, d->product + d->random_bits + i);
  const KERNEL(row) doubtful = KERNEL_ROOT(p, d->doubtful);
  if (KERNEL_IS_EMPTY(doubtful)) return;
  for (uint32_t i = 0; i < ROW_WORDS; i++)
    for (uint64_t left = doubtful[i]; left; left &= left - 1)
      lane_player_redraw(p, d, i * 64 + (uint32_t)__builtin_ctzll(left));
}

KERNEL_TARGET
static void KERNEL(find_stuck)(lane_player *p) {
  for (uint32_t role = 0; role < p->net->c->roles.count; role++) {
    const KERNEL(row) over = KERNEL_ROW(&p->given_up) | KERNEL_ROW(&p->gone);
    const KERNEL(row) stuck =
        KERNEL_ROOT(p, p->net->stuck + role) & KERNEL_ROW(&p->counted) & ~over;
    if (KERNEL_IS_EMPTY(stuck)) continue;
    KERNEL(note)(p, &stuck, FAULT_STUCK, role);
    KERNEL_ROW(&p->given_up) |= stuck;
  }
}

KERNEL_TARGET
static void KERNEL(find_too_long)(lane_player *p) {
  if (!p->part->max_steps || !p->cohort_count) return;
  if (p->step < p->begun[0] || p->step - p->begun[0] < p->part->max_steps) return;
  const KERNEL(row) lanes = KERNEL_ROW(&p->cohorts[0]), counts = KERNEL_COUNTS(lanes);
  p->tally->too_long += KERNEL_SUM(counts);
  KERNEL_ROW(&p->given_up) |= lanes;
}

KERNEL_TARGET
static void KERNEL(make_moves)(lane_player *p) {
  const lane_draw *draws = p->net->draws.items;
  const uint32_t count = p->net->draws.count;
  if (p->part->counter) lane_counter_fill(p);
  for (uint32_t i = 0; i < count && !p->part->counter; i++)
    KERNEL(fill_random)(&p->random, p->rows + draws[i].first_random, draws[i].random_bits);
  lane_code_run(p->code, PHASE_LEGAL, p->rows);
  KERNEL(find_too_long)(p);
  KERNEL(find_stuck)(p);
  for (uint32_t i = 0; i < count; i++) KERNEL(draw_numbers)(p, &draws[i]);
  KERNEL_ROW(&p->rows[p->net->gone]) = KERNEL_ROW(&p->gone);
  lane_code_run(p->code, PHASE_NEXT, p->rows);
}

KERNEL_TARGET
static void KERNEL(latch_next)(lane_player *p) {
  for (uint32_t i = 0; i < p->copies.count; i++) {
    const row_copy c = p->copies.items[i];
    KERNEL_ROW(&p->rows[c.to]) = KERNEL_ROW(&p->rows[c.from.slot]) ^ -(uint64_t)c.from.negated;
  }
  for (uint32_t i = 0; i < p->flips.count; i++)
    KERNEL_ROW(&p->rows[p->flips.items[i]]) ^= KERNEL_ROW(&p->gone);
  p->step++;
}
