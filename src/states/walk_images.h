/* Lines of play of a walk up to symmetry (lane_stepper.symmetries).

   Such a walk goes from states that stand for others to states that stand for others, so the moves
   of a line that it finds need not be legal one after another.  They are replaced by moves that
   are. */
#ifndef TABIA_STATES_WALK_IMAGES_H
#define TABIA_STATES_WALK_IMAGES_H

#include "machine/lanes/lane_expander.h"

/* The state that a line of play leads to: a joint move for each step, by number in circuit.moves.
   */
void line_follow(const lane_stepper *s, const id_vec *line, uint8_t *state);

/* Of a line of play: cuts it off where a state comes again after whole rounds of so many steps,
   from step `first` on; *returns_to: where the state was before.  False: none does. */
bool line_cut_round(const lane_stepper *s, id_vec *line, uint32_t first, uint32_t round,
                    uint32_t *returns_to);

/* Makes of a line from one kept state to the next a line of play that leads to an image of where it
   led. */
void line_straighten(const lane_stepper *s, id_vec *line);

#endif
