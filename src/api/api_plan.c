#include "api/api_plan.h"

#include <math.h>
#include <string.h>

play_plan plan_new(void) { return (play_plan){.keep = arena_new()}; }

void plan_free(play_plan *p) { arena_free(p->keep); }

bool plan_is_for(const tabia_machine *m) {
  return m->m->role_count == 1 && machine_nature(m->m) == 1;
}

/* ---- the question ---- */

/* What is made of functions of the header, which give nothing where there is no memory. */
typedef struct question {
  tabia_rules *rules;
  tabia_limits *limits;
  tabia_proof *proof;
} question;

static void end_question(void *what) {
  question *q = what;
  tabia_proof_free(q->proof);
  tabia_limits_free(q->limits);
  tabia_rules_free(q->rules);
}

/* The rules of the machine, with the position as their start; NULL: that cannot be. */
static tabia_rules *rules_from(const tabia_machine *m, const void *position) {
  const source *s = &m->rules->source;
  const size_t length = tabia_position_text(m, position, NULL, 0);
  tabia_rules *rules, *other = NULL;
  arena *scratch = arena_new();
  char *words = arena_alloc(scratch, length + 1);
  tabia_position_text(m, position, words, length + 1);
  if (tabia_rules_read_text(&rules, s->name, s->bytes, s->length, NULL) == TABIA_OK)
    tabia_rules_with_start(&other, rules, "position", words, length, NULL);
  tabia_rules_free(rules);
  arena_free(scratch);
  return other;
}

tabia_limits *api_part_of_limits(double seconds, const tabia_limits *limits) {
  tabia_limits *own = tabia_limits_new();
  if (!own) return NULL;
  tabia_limits_set_total(own, seconds);
  if (!limits) return own;
  own->bytes = limits->bytes;
  own->interrupt = limits->interrupt;
  own->cancelled = limits->cancelled;
  return own;
}

static bool has_line(const tabia_proof *p) {
  return tabia_proof_count(p) == 1 && tabia_proof_verdict(p, 0) == TABIA_PROVED &&
         tabia_proof_has_line(p, 0) && tabia_proof_line_length(p, 0) > 0;
}

/* ---- the answer ---- */

/* The same line on the machine of the search.  False: it cannot be played there. */
static bool take_line(play_plan *p, const tabia_machine *m, const void *position,
                      const tabia_proof *proof) {
  const size_t size = m->m->position_size;
  const uint32_t length = tabia_proof_line_length(proof, 0);
  tabia_workspace *w = api_workspace_new(m, NULL);
  bool fits = true;
  arena_clear(p->keep);
  p->positions = arena_alloc(p->keep, (length + (size_t)1) * size);
  p->moves = arena_new_array(p->keep, move_id, length);
  memcpy(p->positions, position, size);
  for (uint32_t i = 0; fits && i < length; i++) {
    unsigned char *here = p->positions + i * size;
    fits = tabia_move_find(w, here, 0, tabia_proof_line_move(proof, 0, i, 0), &p->moves[i]);
    if (fits) tabia_position_step(w, here, &p->moves[i], here + size);
  }
  p->length = fits ? length : 0;
  tabia_workspace_free(w);
  return fits;
}

bool plan_find(play_plan *p, const tabia_machine *m, const void *position, double seconds,
               const tabia_limits *limits) {
  question q = {0};
  const double time = fmin(seconds, api_seconds_left(limits));
  if (time <= 0) return false;
  arena *guard = arena_guarding(end_question, &q);
  q.limits = api_part_of_limits(time, limits);
  q.rules = rules_from(m, position);
  if (q.rules) q.proof = tabia_proof_new(q.rules);
  if (q.proof) tabia_proof_ask(q.proof, "winnable");
  if (q.proof && q.limits) tabia_proof_run(q.proof, NULL, q.limits, NULL, NULL, NULL);
  const bool found = q.proof && has_line(q.proof) && take_line(p, m, position, q.proof);
  arena_free(guard);
  return found;
}

uint32_t plan_place(const play_plan *p, const tabia_machine *m, const void *position) {
  const size_t size = m->m->position_size;
  uint32_t i = 0;
  while (i < p->length && memcmp(p->positions + i * size, position, size) != 0) i++;
  return i;
}
