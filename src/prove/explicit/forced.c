/* The method `proof-number`: can a role force 100?  By a tree of play (solve/pn_search.h) in place of all
   states, where roles take turns; all others play against it, chance too. */
#include "prove/methods.h"
#include "solve/pn_search.h"

static const char method[] = "proof-number";

/* Of the memory, and where there is no limit. */
static const double table_part = 0.25;
static const size_t usual_table = (size_t)256 << 20;

static bool is_wanted(const prove_job *j, uint32_t i) {
  const property *p = &j->properties.items[i];
  return p->kind == PROPERTY_STRONGLY_WINNABLE && p->role != j->g.nature && job_is_open(j, i);
}

/* The value of the start; PN_OPEN: it is no end. */
static pn_answer judge_start(pn_search *x, const pn_question *q) {
  lane_expander_look(&x->look, x->s->start, 1);
  if (lane_expander_is_open(&x->look, 0)) return PN_OPEN;
  const bool is_end = is_end_lane(&x->look, 0);
  return is_end && goal_in_lane(x->s, &x->look, q->role, 0, NULL) >= q->least ? PN_YES : PN_NO;
}

static const char *words_of(const prove_job *j, uint32_t role, bool can) {
  text words = text_new(j->keep);
  const bool is_hidden = program_has_sees(j->program);
  const bool is_determined = !is_hidden && j->g.nature == j->g.circuit.roles.count;
  text_add_format(&words,
                  can ? "%s can force it"
                  : is_determined
                      ? "the others can keep %s from it"
                      : "%s has no strategy that is sure to win, whatever the others do",
                  j->g.roles[role]);
  if (!can && is_hidden) text_add(&words, ", not even if it knew the state");
  return text_string(&words);
}

/* Whoever cannot force a win when it knows the state cannot do so when it does not. */
static void settle(prove_job *j, uint32_t i, uint64_t states, pn_answer answer) {
  const uint32_t role = j->properties.items[i].role;
  if (answer == PN_YES && program_has_sees(j->program)) {
    job_explain(j, i, method,
                "%s could force it if it knew the state; but the game has `sees` rules: roles know "
                "only what they see, and that is not looked at",
                j->g.roles[role]);
    return;
  }
  const finding v = {.kind = answer == PN_YES ? VERDICT_PROVED : VERDICT_REFUTED,
                     .method = method,
                     .states = states,
                     .reason = words_of(j, role, answer == PN_YES)};
  job_settle(j, i, v);
}

static void ask(prove_job *j, uint32_t i, pn_search *x) {
  const pn_question q = {.role = j->properties.items[i].role, .least = 100};
  const uint32_t number = pn_search_add(x, q);
  const uint64_t before = x->nodes;
  pn_answer answer = judge_start(x, &q);
  if (answer == PN_OPEN) answer = pn_search_ask(x, number, x->s->start);
  if (x->questions.items[number].met_faults)
    job_explain(j, i, method, "the game goes wrong: a role has no move, or not one goal");
  else if (answer != PN_OPEN)
    settle(j, i, x->nodes - before, answer);
  else
    job_explain(j, i, method, "looked at %llu state%s; %s", (unsigned long long)(x->nodes - before),
                plural(x->nodes - before),
                x->reason ? "roles choose at once" : "it needs more time");
}

static void ask_all(prove_job *j, const solve_space *s, budget *b) {
  pn_search x;
  const size_t most = (size_t)(table_part * (double)b->max_bytes);
  pn_search_init(&x, s, most ? most : usual_table, b);
  x.is_against_chance = true;
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (is_wanted(j, i)) ask(j, i, &x);
  pn_search_free(&x);
}

/* A space needs no more of a machine than that it has this circuit. */
static const machine *machine_of(const prove_job *j, arena *keep) {
  grounded_machine *m = arena_alloc_zero(keep, sizeof *m);
  m->g = j->g;
  m->base.role_count = j->g.circuit.roles.count;
  m->base.roles = j->g.roles;
  m->base.grounded = &m->g;
  return &m->base;
}

void prove_by_proof_numbers(prove_job *j, budget *b) {
  const checkpoint_wish none = {0};
  solve_space s;
  if (!job_has_open(j, PROPERTY_STRONGLY_WINNABLE)) return;
  arena *keep = arena_new();
  budget_watch(b, keep);
  if (space_init(&s, machine_of(j, keep), 1, true, NULL, none, keep, b, j->d)) ask_all(j, &s, b);
  space_free(&s);
  budget_unwatch(b, keep);
  arena_free(keep);
}
