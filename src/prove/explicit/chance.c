/* Wins by chance: random games by the hundred million, on the net that draws its moves itself.

   Such a net tells sums, and where the first fault of a part was met.  So an end that the role has
   won is made a fault: every role has a goal that always holds, and the role in question one more
   that holds where it has won. */
#include "machine/lanes/lane_player.h"
#include "prove/methods.h"

enum { STEPS_MAX = 4096 };

/* Games of a part: few at first, so that short searches are quick. */
enum { FIRST_STARTS = 4 * LANES, MOST_STARTS = 1024 * LANES };

typedef struct chance {
  arena *keep;
  grounded g; /* of the goals described above; nothing else of it is there */
} chance;

/* A net and what plays on it. */
typedef struct chance_net {
  lane_net net;
  lane_code code;
  lane_player *player;
} chance_net;

static void make_goals(chance *x, const prove_job *j, uint32_t property) {
  const uint32_t roles = j->reduced.roles.count;
  const uint32_t always = j->reduced.goals.count;
  x->g.circuit = j->reduced;
  x->g.circuit.goals = (__typeof__(x->g.circuit.goals)){0};
  vec_append(x->keep, &x->g.circuit.goals, j->reduced.goals.items, always);
  const circuit_outcome holds = {.term = TERM_NONE, .holds = WIRE_TRUE};
  vec_push(x->keep, &x->g.circuit.goals, holds);
  x->g.goals = arena_new_array(x->keep, uint32_t, roles + 1);
  x->g.goals_of = arena_new_array(x->keep, uint32_t, roles + 1);
  uint32_t count = 0;
  for (uint32_t role = 0; role < roles; role++) {
    x->g.goals_of[role] = count;
    x->g.goals[count++] = always;
    if (role == j->properties.items[property].role) x->g.goals[count++] = j->targets[property];
  }
  x->g.goals_of[roles] = count;
  x->g.nature = roles; /* a win of chance is as good as any */
}

static bool open_net(chance_net *n, const chance *x, lane_net_kind kind, budget *b) {
  const circuit *c = &x->g.circuit;
  const bool native = lane_jit_is_possible() && c->inputs.count < LANE_NATIVE_MAX;
  *n = (chance_net){0};
  if (!lane_net_build(&n->net, c, kind, !native, x->keep, b) ||
      !lane_code_make(&n->code, &n->net.program, lane_engine_best(), native, x->keep, b))
    return false;
  n->player = lane_player_new(&x->g, &n->net, &n->code, x->keep);
  return true;
}

/* Plays the part again, to the win that was met. */
static void settle_win(prove_job *j, uint32_t property, const chance *x, const bulk_part *part,
                       const bulk_fault *win, uint64_t games, const budget *b) {
  budget later = budget_to_show(b);
  chance_net n;
  finding v = {.method = "probe", .states = games};
  const uint32_t roles = j->reduced.roles.count;
  const bool is_recorded =
      open_net(&n, x, NET_RECORDS, &later) &&
      lane_player_record(n.player, part, win->lane, win->step, &v.line, j->keep, &later);
  lane_code_free(&n.code);
  if (!is_recorded) return;
  for (uint32_t i = 0; i < v.line.count; i++)
    v.line.items[i] += j->reduced.roles.items[i % roles].first_move;
  v.length = v.line.count / roles;
  v.states *= v.length;
  job_reached(j, property, v);
}

static void play_for(prove_job *j, uint32_t property, const chance *x, chance_net *n, budget *b) {
  uint64_t games = 0;
  bulk_part part = {
      .seed = j->options.seed, .starts = FIRST_STARTS, .max_steps = STEPS_MAX, .number = 0};
  for (bool goes_on = true; goes_on; part.number++) {
    arena *scratch = arena_new();
    bulk_tally t;
    lane_tally_init(&t, &x->g, scratch);
    goes_on = lane_player_play(n->player, &part, &t, b) && t.first.kind != FAULT_SEVERAL_GOALS;
    games += part.starts;
    if (t.first.kind == FAULT_SEVERAL_GOALS) settle_win(j, property, x, &part, &t.first, games, b);
    arena_free(scratch);
    if (part.starts < MOST_STARTS) part.starts *= 2;
  }
}

static void try_property(prove_job *j, uint32_t property, budget *b) {
  chance x = {.keep = arena_new()};
  chance_net n;
  make_goals(&x, j, property);
  const bool is_open = open_net(&n, &x, NET_PLAYS, b);
  if (is_open) play_for(j, property, &x, &n, b);
  lane_code_free(&n.code);
  arena_free(x.keep);
}

static bool is_wanted(const prove_job *j, uint32_t i) {
  return j->properties.items[i].kind == PROPERTY_WINNABLE && job_is_open(j, i);
}

void prove_by_chance(prove_job *j, budget *b) {
  uint32_t left = 0;
  for (uint32_t role = 0; role < j->reduced.roles.count; role++)
    if (!j->reduced.roles.items[role].move_count) return;
  for (uint32_t i = 0; i < j->properties.count; i++) left += is_wanted(j, i);
  for (uint32_t i = 0; i < j->properties.count && !budget_check_now(b); i++) {
    if (!is_wanted(j, i)) continue;
    budget part = budget_part(b, budget_seconds_left(b) / left--);
    try_property(j, i, &part);
  }
}
