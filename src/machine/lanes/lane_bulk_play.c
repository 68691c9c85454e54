#include "machine/lanes/lane_bulk_play.h"

#include "machine/lanes/lanes_machine.h"

typedef struct lane_bulk_player {
  bulk_player base;
  lane_player *player;
} lane_bulk_player;

const bulk_goal *lane_list_goals(const grounded *g, arena *keep) {
  const uint32_t count = g->circuit.goals.count;
  bulk_goal *goals = arena_new_array(keep, bulk_goal, count + 1);
  for (uint32_t i = 0; i < count; i++)
    goals[i] = (bulk_goal){g->circuit.goals.items[i].role, GOAL_NONE};
  for (uint32_t i = 0; i < g->goals_of[g->circuit.roles.count]; i++)
    goals[g->goals[i]].value = g->goal_values[g->goals[i]];
  return goals;
}

static bulk_player *open(const machine *m, const bulk_job *job, arena *keep, budget *b) {
  (void)job;
  const grounded *g = machine_grounded(m);
  lane_player *player = lanes_player_new(m, NET_PLAYS, keep, b);
  if (!player) return NULL;
  lane_bulk_player *p = arena_alloc_zero(keep, sizeof *p);
  p->base = (bulk_player){
      .m = m, .goals = lane_list_goals(g, keep), .goal_count = g->circuit.goals.count};
  p->player = player;
  return &p->base;
}

static bool play(bulk_player *p, const bulk_part *part, bulk_tally *t, budget *b) {
  return lane_player_play(((lane_bulk_player *)p)->player, part, t, b);
}

bool lane_bulk_record(const machine *m, const bulk_part *part, uint32_t lane, uint64_t steps,
                      id_vec *line, arena *keep, budget *b) {
  lane_player *p = lanes_player_new(m, NET_RECORDS, keep, b);
  return p && lane_player_record(p, part, lane, steps, line, keep, b);
}

bool lane_bulk_record_first(const machine *m, const bulk_part *part, uint32_t lane,
                            uint64_t max_steps, id_vec *line, arena *keep, budget *b) {
  lane_player *p = lanes_player_new(m, NET_RECORDS, keep, b);
  return p && lane_player_record_first(p, part, lane, max_steps, line, keep, b);
}

const bulk_play_ops lane_bulk_play = {
    .lanes = LANES,
    .part_size = lanes_part_size,
    .open = open,
    .play = play,
    .record = lane_bulk_record,
    .record_first = lane_bulk_record_first,
};
