/* Random games on a net that draws its moves itself, a bundle at a time. */
#ifndef TABIA_MACHINE_LANES_LANE_PLAYER_H
#define TABIA_MACHINE_LANES_LANE_PLAYER_H

#include "machine/bulk_play.h"
#include "machine/circuit_game.h"
#include "machine/lanes/lane_code.h"

/* Counts the goals of g; without g it is for lane_player_seek alone. */
lane_player *lane_player_new(const grounded *g, const lane_net *net, const lane_code *code,
                             arena *keep);

/* Goals of the tally are those of the circuit. */
void lane_tally_init(bulk_tally *t, const circuit *c, arena *keep);

/* Plays a part and adds it to the tally.  False: the budget is spent, and what was played of the
   part is not counted. */
bool lane_player_play(lane_player *p, const bulk_part *part, bulk_tally *t, budget *b);

/* Where a game of a part was met: its lane, and the steps of the part until then. */
typedef struct lane_meeting {
  bool is_met;
  uint32_t lane;
  uint64_t step;
} lane_meeting;

/* Plays a part until a game ends in a state in which this target of the circuit holds.  False: the
   budget is spent. */
bool lane_player_seek(lane_player *p, const bulk_part *part, uint32_t target, lane_meeting *met,
                      budget *b);

/* Plays the part again, on a net that records, and returns the moves of one lane: those of the
   game that is under way after `steps` steps, role by role.  False: the budget is spent. */
bool lane_player_record(lane_player *p, const bulk_part *part, uint32_t lane, uint64_t steps,
                        id_vec *line, arena *keep, budget *b);

/* The same for the first game of a lane, until it is over or has that many steps.  False: the
   budget is spent. */
bool lane_player_record_first(lane_player *p, const bulk_part *part, uint32_t lane,
                              uint64_t max_steps, id_vec *line, arena *keep, budget *b);

#endif
