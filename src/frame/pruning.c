#include "frame/pruning.h"

#include "circuit/simulate.h"
#include "induct/plain_circuit.h"

/* Two actions of two roles. */
typedef struct action_pair {
  uint32_t roles[2];
  uint32_t choices[2];
  bool is_settled; /* proved impossible, or seen in play */
} action_pair;

typedef struct prover {
  frame_proof *proof;
  const frame_translation *f;
  arena *keep;    /* of the proof */
  arena *scratch; /* of the circuit and all that is asked of it */
  budget limits;
  ground_program ground;
  circuit circuit;
  fact_set facts;
  VEC(action_pair) pairs;
} prover;

/* The rest of the caller's limits, with less time, and not spent by us. */
static budget limits_within(const budget *outer, double seconds) {
  const double deadline = clock_now() + seconds;
  budget b = outer ? *outer : budget_new(0, 0);
  if (b.deadline == 0 || b.deadline > deadline) b.deadline = deadline;
  for (uint32_t i = 0; i < b.watched_count && b.max_bytes; i++) {
    const size_t used = arena_bytes(b.watched[i]);
    b.max_bytes = used < b.max_bytes ? b.max_bytes - used : 1;
  }
  b.watched_count = 0;
  b.stage = "proving what can be pruned";
  return b;
}

/* ---- the circuit ---- */

static bool build_from(prover *p, const program *from, budget *limits) {
  diag_sink unheard;
  diag_sink_init(&unheard, p->scratch);
  const ground_options o = {.method = METHOD_NATIVE, .bases = BASES_ONESTEP, .optimise = true};
  ground_stats stats;
  return ground_rules(&p->ground, from, o, p->scratch, limits, &unheard, &stats) &&
         induct_build_circuit(&p->circuit, &p->ground, p->scratch, limits, &unheard);
}

/* The whole game, if half the time is enough to ground it.  Else the game that never ends, which
   has no ground rules for ends and goals: what is impossible there is so in the game. */
static bool build_circuit(prover *p, frame_scope scope) {
  budget half = p->limits;
  half.deadline -= (half.deadline - clock_now()) / 2;
  if (scope == SCOPE_GAMES && build_from(p, p->f->source, &half)) return true;
  program endless;
  arena_clear(p->scratch);
  program_for_bases(&endless, p->f->source, p->scratch);
  if (!build_from(p, &endless, &p->limits)) return false;
  p->circuit.terminal = WIRE_FALSE;
  return true;
}

/* ---- pairs ---- */

static bool is_instance(const term_table *t, term_id move, const frame_name *action) {
  return term_get(t, move)->name == term_get(t, action->pattern)->name &&
         term_get(t, move)->arg_count == term_get(t, action->pattern)->arg_count;
}

/* Legality of the role's moves with this name.  What the circuit lacks is never legal. */
static wire_vec legal_wires(prover *p, uint32_t role, uint32_t choice) {
  const frame_role *r = &p->f->domain.roles.items[role];
  const frame_name *action = &p->f->domain.actions.items[r->first_action + choice];
  wire_vec legal = {0};
  for (uint32_t i = 0; i < p->circuit.roles.count; i++) {
    const circuit_role *found = &p->circuit.roles.items[i];
    if (found->term != r->term) continue;
    for (uint32_t k = 0; k < found->move_count; k++) {
      const circuit_move *m = &p->circuit.moves.items[found->first_move + k];
      if (is_instance(p->circuit.terms, m->term, action)) vec_push(p->scratch, &legal, m->legal);
    }
  }
  return legal;
}

static void list_pairs_of(prover *p, uint32_t left, uint32_t right) {
  const frame_role *roles = p->f->domain.roles.items;
  for (uint32_t a = 0; a < roles[left].action_count; a++)
    for (uint32_t b = 0; b < roles[right].action_count; b++) {
      const action_pair fresh = {.roles = {left, right}, .choices = {a, b}};
      vec_push(p->scratch, &p->pairs, fresh);
    }
}

static void list_pairs(prover *p) {
  for (uint32_t right = 1; right < p->f->domain.roles.count; right++)
    for (uint32_t left = 0; left < right; left++) list_pairs_of(p, left, right);
}

/* ---- what play shows ---- */

static uint64_t any_value(const uint64_t *values, const wire_vec *wires) {
  uint64_t any = 0;
  for (uint32_t i = 0; i < wires->count; i++) any |= wire_value(values, wires->items[i]);
  return any;
}

static void settle_seen(prover *p, const uint64_t *values) {
  const uint64_t open = ~wire_value(values, p->circuit.terminal);
  for (uint32_t i = 0; i < p->pairs.count; i++) {
    action_pair *it = &p->pairs.items[i];
    if (it->is_settled) continue;
    const arena_mark mark = arena_save(p->scratch);
    const wire_vec left = legal_wires(p, it->roles[0], it->choices[0]);
    const wire_vec right = legal_wires(p, it->roles[1], it->choices[1]);
    it->is_settled = (any_value(values, &left) & any_value(values, &right) & open) != 0;
    arena_restore(p->scratch, mark);
  }
}

enum { SEEN_STEPS = 64 };

/* Pairs that are legal together in some state of random play need not be asked about. */
static void settle_by_play(prover *p) {
  const circuit *c = &p->circuit;
  sample seen;
  uint64_t *values = arena_zero_array(p->scratch, uint64_t, c->gates.count + 1);
  sample_play(&seen, c, SEEN_STEPS, 1, p->scratch, &p->limits);
  for (uint32_t step = 0; step < seen.step_count && !budget_check_now(&p->limits); step++) {
    for (uint32_t i = 0; i < c->latches.count; i++)
      values[c->latches.items[i].gate] = seen.words.items[(size_t)step * seen.latch_count + i];
    circuit_simulate(c, values);
    settle_seen(p, values);
  }
}

/* ---- what is proved ---- */

static const char *reason_text(prover *p, const fact_set *facts, const id_vec *used) {
  text out = text_new(p->keep);
  for (uint32_t i = 0; i < used->count; i++) {
    if (i) text_add_char(&out, ' ');
    fact_print(facts, &p->circuit, &facts->all.items[used->items[i]], &out);
  }
  return text_string(&out);
}

static void ask_pair(prover *p, induct_query *query, const fact_set *facts, action_pair *it) {
  induct_condition condition;
  id_vec used = {0};
  condition_begin(&condition, p->scratch);
  for (uint32_t side = 0; side < 2; side++) {
    const wire_vec legal = legal_wires(p, it->roles[side], it->choices[side]);
    condition_add(&condition, legal.items, legal.count);
  }
  p->proof->asked++;
  if (!induct_is_unreachable(query, &condition, &used)) return;
  const impossible_pair pair = {.roles = {it->roles[0], it->roles[1]},
                                .choices = {it->choices[0], it->choices[1]},
                                .reason = reason_text(p, facts, &used)};
  vec_push(p->keep, &p->proof->pairs, pair);
  it->is_settled = true;
}

/* Asks about all pairs that are open; true when none is left.  `quickly`: few conflicts, and
   without the end of the game, which few proofs need. */
static bool settle_by_proof(prover *p, const fact_set *facts, bool quickly) {
  bool all = true;
  const induct_options o = {.conflicts = quickly ? 100 : 0};
  induct_query *query = induct_query_new(&p->circuit, facts, !quickly, o, &p->limits, p->scratch);
  for (uint32_t i = 0; i < p->pairs.count && !budget_check_now(&p->limits); i++) {
    if (!p->pairs.items[i].is_settled) ask_pair(p, query, facts, &p->pairs.items[i]);
    all &= p->pairs.items[i].is_settled;
  }
  induct_query_free(query);
  return all && !budget_check_now(&p->limits);
}

static bool is_settled_with(void *context, const fact_set *facts) {
  return settle_by_proof(context, facts, true);
}

static void prove_pairs(prover *p) {
  list_pairs(p);
  settle_by_play(p);
  if (is_settled_with(p, &p->facts)) return;
  budget half = p->limits;
  half.deadline -= (half.deadline - clock_now()) / 2;
  const induct_options o = {.is_enough = is_settled_with, .context = p};
  induct_find_facts(&p->facts, &p->circuit, o, &half, &p->proof->counts);
  settle_by_proof(p, &p->facts, false);
}

void frame_prove(frame_proof *proof, const frame_translation *f, frame_scope scope, double seconds,
                 arena *keep, budget *limits) {
  const double started = clock_now();
  *proof = (frame_proof){.facts = ""};
  prover p = {.proof = proof,
              .f = f,
              .keep = keep,
              .scratch = arena_new(),
              .limits = limits_within(limits, seconds)};
  budget_watch(&p.limits, p.scratch);
  p.facts.keep = p.scratch;
  if (f->domain.roles.count > 1 && build_circuit(&p, scope)) {
    text words = text_new(keep);
    prove_pairs(&p);
    facts_print(&p.facts, &p.circuit, &words);
    proof->facts = text_string(&words);
    proof->fact_count = p.facts.all.count;
  }
  proof->is_complete = p.limits.end == BUDGET_LEFT;
  proof->seconds = clock_now() - started;
  arena_free(p.scratch);
}

/* ---- using it ---- */

static bool is_possible(void *context, uint32_t left, uint32_t left_choice, uint32_t right,
                        uint32_t right_choice) {
  const frame_proof *proof = context;
  for (uint32_t i = 0; i < proof->pairs.count; i++) {
    const impossible_pair *p = &proof->pairs.items[i];
    if (p->roles[0] == left && p->choices[0] == left_choice && p->roles[1] == right &&
        p->choices[1] == right_choice)
      return false;
  }
  return true;
}

frame_pruning frame_pruning_by(const frame_proof *proof) {
  return (frame_pruning){.possible = is_possible, .context = (void *)(uintptr_t)proof};
}

static void print_action(const frame_translation *f, uint32_t role, uint32_t choice, notation n,
                         text *out) {
  const frame_role *r = &f->domain.roles.items[role];
  const term_id args[2] = {r->term, f->domain.actions.items[r->first_action + choice].pattern};
  term_print(f->source->terms, term_atom(f->source->terms, SYM_DOES, args, 2), n, NULL, out);
}

void frame_proof_print(const frame_proof *proof, const frame_translation *f, notation n,
                       text *out) {
  const char *mark = n == NOTATION_KIF ? ";" : "%";
  text_add_format(out, "%s Proved of every reachable state: %u facts\n", mark, proof->fact_count);
  for (const char *line = proof->facts; *line;) {
    const char *end = line;
    while (*end && *end != '\n') end++;
    text_add_format(out, "%s   %.*s\n", mark, (int)(end - line), line);
    line = *end ? end + 1 : end;
  }
  text_add_format(out, "%s Never legal together: %u pairs, by %u questions%s\n", mark,
                  proof->pairs.count, proof->asked,
                  proof->is_complete ? "" : "; the time was not enough for all");
  for (uint32_t i = 0; i < proof->pairs.count; i++) {
    const impossible_pair *p = &proof->pairs.items[i];
    text_add_format(out, "%s   ", mark);
    print_action(f, p->roles[0], p->choices[0], n, out);
    text_add_char(out, ' ');
    print_action(f, p->roles[1], p->choices[1], n, out);
    text_add_format(out, "%s%s\n", *p->reason ? " by " : "", p->reason);
  }
}
