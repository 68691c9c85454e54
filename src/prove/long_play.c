/* How long plays really are, where a bound is known: a play that is as long shows that the bound is
   exact.  Random games are tried first, then bounded model checking, which may also say that there
   is none. */
#include "prove/methods.h"

#include <math.h>

/* How long random play and model checking may look, and how long it may take to play a line again.
 */
static const double play_seconds = 0.5, check_seconds = 2, replay_seconds = 2;

/* Steps times gates: beyond that the clauses are too many for a short look. */
enum { UNROLLED_GATES_MAX = 4 * 1000 * 1000 };

static bool is_long_enough(const prove_job *j, const play_length *l) {
  return j->longest_seen >= l->at_most;
}

static budget short_time(const budget *b, double seconds) {
  return budget_part(b, fmin(seconds, budget_seconds_left(b) / 4));
}

/* Lines from recursive rules, and those that take too long to play again, do not count. */
static bool is_confirmed(prove_job *j, const id_vec *line) {
  witness_judge *judge = job_judge(j, replay_seconds);
  const bool ok = judge && witness_judge_plays(judge, line);
  if (!ok) job_dismiss_judge(j);
  return ok;
}

/* One step less as long as there is no play of that many. */
static void ask_for_play(prove_job *j, play_length *l, budget *b) {
  while (!is_long_enough(j, l) && l->at_most * j->full.gates.count < UNROLLED_GATES_MAX) {
    id_vec line = {0};
    const sat_answer answer = bmc_find_play(j, (uint32_t)l->at_most, &line, b);
    if (answer == SAT_UNKNOWN || (answer == SAT_YES && !is_confirmed(j, &line))) return;
    if (answer == SAT_NO) {
      l->at_most--;
      continue;
    }
    j->longest_seen = (uint32_t)l->at_most;
    j->longest_line = line;
  }
}

void job_seek_longest(prove_job *j, play_length *l, budget *b) {
  budget for_play = short_time(b, play_seconds), for_check = short_time(b, check_seconds);
  j->enough_steps = l->at_most;
  if (!is_long_enough(j, l)) prove_by_play(j, &for_play);
  if (!is_confirmed(j, &j->longest_line)) j->longest_seen = 0;
  ask_for_play(j, l, &for_check);
  l->seen = j->longest_seen;
}
