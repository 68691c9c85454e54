/* Wins by chance: random games by the hundred million, on the net that draws its moves itself. */
#include "machine/lanes/lane_player.h"
#include "prove/methods.h"

enum { STEPS_MAX = 4096 };

/* Games of a part: few at first, so that short searches are quick. */
enum { FIRST_STARTS = 4 * LANES, MOST_STARTS = 1024 * LANES };

/* A net and what plays on it. */
typedef struct chance_net {
  lane_net net;
  lane_code code;
  lane_player *player;
} chance_net;

static bool open_net(chance_net *n, const circuit *c, lane_net_kind kind, arena *keep, budget *b) {
  const bool native = lane_jit_is_possible() && c->inputs.count < LANE_NATIVE_MAX;
  *n = (chance_net){0};
  if (!lane_net_build(&n->net, c, kind, !native, keep, b) ||
      !lane_code_make(&n->code, &n->net.program, lane_engine_best(), native, keep, b))
    return false;
  n->player = lane_player_new(NULL, &n->net, &n->code, keep);
  return true;
}

/* Plays the part again, to the win that was met. */
static void settle_win(prove_job *j, uint32_t property, const bulk_part *part,
                       const lane_meeting *win, uint64_t games, const budget *b) {
  arena *scratch = arena_new();
  budget later = budget_to_show(b);
  chance_net n;
  finding v = {.method = "probe", .states = games};
  const uint32_t roles = j->reduced.roles.count;
  const bool is_recorded =
      open_net(&n, &j->reduced, NET_RECORDS, scratch, &later) &&
      lane_player_record(n.player, part, win->lane, win->step, &v.line, j->keep, &later);
  lane_code_free(&n.code);
  arena_free(scratch);
  if (!is_recorded) return;
  for (uint32_t i = 0; i < v.line.count; i++)
    v.line.items[i] += j->reduced.roles.items[i % roles].first_move;
  v.length = v.line.count / roles;
  v.states *= v.length;
  job_reached(j, property, v);
}

static void play_for(prove_job *j, uint32_t property, chance_net *n, budget *b) {
  uint64_t games = 0;
  lane_meeting win = {0};
  bulk_part part = {
      .seed = j->options.seed, .starts = FIRST_STARTS, .max_steps = STEPS_MAX, .number = 0};
  for (; lane_player_seek(n->player, &part, j->targets[property], &win, b); part.number++) {
    games += part.starts;
    if (win.is_met) {
      settle_win(j, property, &part, &win, games, b);
      return;
    }
    if (part.starts < MOST_STARTS) part.starts *= 2;
  }
}

static void try_property(prove_job *j, uint32_t property, budget *b) {
  arena *keep = arena_new();
  chance_net n;
  if (open_net(&n, &j->reduced, NET_PLAYS, keep, b)) play_for(j, property, &n, b);
  lane_code_free(&n.code);
  arena_free(keep);
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
