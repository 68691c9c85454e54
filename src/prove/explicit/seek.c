/* The method `seek`: play towards a win of a role, all roles together.

   A win may be too rare for random games and too deep for a walk.  So some hundred states are kept,
   of the random steps from them those from which it takes fewest changes of latches to make the win
   true, and so on; one role after the other, with more chance in every round.  The changes are
   counted as planners do (h_add): of a conjunction all inputs have to become true, to make it false
   the cheapest input has to become false.  A latch of a counter is as far as values have to follow
   on each other (seek_steps.h). */
#include "prove/explicit/beam.h"
#include "prove/explicit/seek_steps.h"

/* More is as good as never; sums of that many stay within 32 bits. */
enum { NEVER = 1 << 20, PATIENCE = 8, LEAF_COST = 1 };

/* By gate: changes of latches that make it true, and false. */
typedef struct seek_cost {
  uint32_t yes, no;
} seek_cost;

typedef struct seek {
  prove_job *j;
  budget *b;
  uint32_t property;
  wire target;
  VEC(gate_id) cone; /* the gates that the target depends on */
  seek_cost *costs;  /* by gate */
  seek_steps steps;
  gate_id leaf;    /* is not looked into; ID_NONE: there is none */
  uint32_t chance; /* how much it counts: in changes */
} seek;

/* ---- how far a state is from a win ---- */

static seek_cost cost_of(const seek *k, wire w) {
  const seek_cost c = k->costs[wire_gate(w)];
  return wire_is_negated(w) ? (seek_cost){c.no, c.yes} : c;
}

static seek_cost cost_of_conjunction(const seek *k, const circuit *c, gate_id g) {
  seek_cost all = {0, NEVER};
  const wire *inputs = gate_inputs(c, g);
  for (uint32_t i = 0; i < c->gates.items[g].input_count; i++) {
    const seek_cost input = cost_of(k, inputs[i]);
    all.yes = all.yes + input.yes < NEVER ? all.yes + input.yes : NEVER;
    if (input.no < all.no) all.no = input.no;
  }
  return all;
}

static seek_cost cost_of_gate(const seek *k, const circuit *c, gate_id g, const uint8_t *state) {
  const gate *it = &c->gates.items[g];
  if (g == k->leaf) return (seek_cost){LEAF_COST, LEAF_COST};
  if (it->kind == GATE_CONSTANT) return (seek_cost){NEVER, 0};
  if (it->kind == GATE_AND) return cost_of_conjunction(k, c, g);
  if (it->kind != GATE_LATCH) return (seek_cost){LEAF_COST, LEAF_COST};
  return (seek_cost){seek_steps_to(&k->steps, it->number, state), state_has(state, it->number)};
}

static uint32_t distance(const seek *k, const circuit *c, const uint8_t *state) {
  for (uint32_t i = 0; i < k->cone.count; i++)
    k->costs[k->cone.items[i]] = cost_of_gate(k, c, k->cone.items[i], state);
  return cost_of(k, k->target).yes;
}

static void rate(void *context, beam *b, beam_step *step, uint32_t lane, const uint8_t *state) {
  const seek *k = context;
  (void)lane;
  step->note = distance(k, b->s->c, state);
  step->score = step->note * UINT64_C(1024) + rng_below(&b->r, 1 + 1024 * k->chance);
}

/* ---- rounds ---- */

/* Its gates, but nothing behind `leaf`.  Returns how many latches there are. */
static uint32_t find_cone(seek *k, const circuit *c, gate_id leaf, arena *keep) {
  uint32_t latches = 0;
  const bitset in = gates_behind(c, k->target, leaf, keep);
  k->cone.count = 0;
  for (gate_id g = 0; g <= wire_gate(k->target); g++) {
    if (!bitset_has(in, g)) continue;
    vec_push(keep, &k->cone, g);
    latches += c->gates.items[g].kind == GATE_LATCH;
  }
  return latches;
}

/* A game ends by itself sooner or later, and to say when may take many gates: what the goal asks is
   looked at alone, unless it asks nothing. */
static void choose_cone(seek *k, const circuit *c, arena *keep) {
  k->leaf = wire_gate(c->terminal);
  if (!find_cone(k, c, k->leaf, keep)) find_cone(k, c, k->leaf = ID_NONE, keep);
}

static bool goes_on(void *context) {
  const seek *k = context;
  return job_is_open(k->j, k->property) && !budget_check_now(k->b);
}

/* False: there is no step. */
static bool run_round(seek *k, beam *b, uint32_t property, arena *keep) {
  const arena_mark mark = arena_save(keep);
  k->property = property;
  k->target = b->s->c->targets.items[k->j->targets[property]];
  k->cone.items = NULL;
  k->cone.count = k->cone.capacity = 0;
  choose_cone(k, b->s->c, keep);
  const bool has_stepped = beam_run_round(b);
  arena_restore(keep, mark);
  return has_stepped;
}

static bool run_rounds(seek *k, beam *b, arena *keep) {
  bool goes = false;
  for (uint32_t i = 0; i < k->j->properties.count && !budget_check_now(k->b); i++)
    if (k->j->properties.items[i].kind == PROPERTY_WINNABLE && job_is_open(k->j, i))
      goes |= run_round(k, b, i, keep);
  return goes;
}

void prove_by_seeking(prove_job *j, budget *b) {
  if (!job_has_open(j, PROPERTY_WINNABLE)) return;
  arena *keep = arena_new(), *cones = arena_new();
  beam *play = arena_alloc(keep, sizeof *play);
  seek k = {.j = j, .b = b};
  k.costs = arena_zero_array(keep, seek_cost, job_stepper(j)->c->gates.count + 1);
  seek_steps_init(&k.steps, job_stepper(j)->c, keep);
  const beam_owner owner = {.method = "seek", .rate = rate, .goes_on = goes_on, .context = &k};
  beam_init(play, j, owner, j->squeezes++, keep);
  while (run_rounds(&k, play, cones)) k.chance = (k.chance + 1) % PATIENCE;
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (j->properties.items[i].kind == PROPERTY_WINNABLE)
      job_explain(j, i, "seek", "%llu states on the way to wins, and no win",
                  (unsigned long long)play->state_count);
  beam_free(play);
  arena_free(cones);
  arena_free(keep);
}
