/* The method `squeeze`: play that leaves a role fewer and fewer moves, until it has none.

   A fault of `playable` may be too rare for random games and too deep for a walk.  So some hundred
   states are kept, of the random steps from them those that leave the role fewest moves, and so on;
   one role after the other, again and again.  It proves nothing. */
#include "prove/explicit/beam.h"

typedef struct squeeze {
  prove_job *j;
  budget *b;
  uint32_t role; /* that is to be left without a move */
} squeeze;

/* A state in which the role has one move, as when it is not its turn, is as good as the one before:
   the note is its moves when it last had a choice.  Chance keeps the states from becoming all
   alike. */
static void rate(void *context, beam *b, beam_step *step, uint32_t lane, const uint8_t *state) {
  const squeeze *q = context;
  (void)state;
  const uint32_t at = q->role * LANES + lane, choices = b->next.ends[at] - b->next.starts[at];
  step->note = choices > 1 ? choices : b->notes[lane];
  step->score = step->note * UINT64_C(1024) + rng_below(&b->r, 1024 + 256 * step->note);
}

static bool goes_on(void *context) {
  const squeeze *q = context;
  return job_has_open(q->j, PROPERTY_PLAYABLE) && !budget_check_now(q->b);
}

/* False: there is no step. */
static bool run_round(squeeze *q, beam *b, uint64_t round) {
  const circuit *c = b->s->c;
  q->role = (uint32_t)(round % c->roles.count);
  b->owner.first_note = c->roles.items[q->role].move_count;
  return beam_run_round(b);
}

void prove_by_squeezing(prove_job *j, budget *b) {
  if (!job_has_open(j, PROPERTY_PLAYABLE)) return;
  arena *keep = arena_new();
  beam *play = arena_alloc(keep, sizeof *play);
  squeeze q = {.j = j, .b = b};
  const beam_owner owner = {.method = "squeeze", .rate = rate, .goes_on = goes_on, .context = &q};
  beam_init(play, j, owner, j->squeezes++, keep);
  for (uint64_t round = 0; goes_on(&q) && run_round(&q, play, round);) round++;
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (j->properties.items[i].kind == PROPERTY_PLAYABLE)
      job_explain(j, i, "squeeze", "%llu states on the way to few moves, and none without",
                  (unsigned long long)play->state_count);
  beam_free(play);
  arena_free(keep);
}
