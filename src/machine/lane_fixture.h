/* What the tests of lanes share: a game as a net, run by an engine of one's choice. */
#ifndef TABIA_MACHINE_LANE_FIXTURE_H
#define TABIA_MACHINE_LANE_FIXTURE_H

#include "machine/lanes/lane_player.h"
#include "machine/machine_fixture.h"

typedef struct lane_game {
  grounded g;
  lane_net net;
  lane_code code;
} lane_game;

static inline lane_game *lane_game_ground(machine_fixture *f) {
  const machine_source from = {.program = &f->p};
  lane_game *l = arena_alloc_zero(f->keep, sizeof *l);
  assert_true(grounded_open(&l->g, &from, &f->b, &f->d));
  return l;
}

static inline void lane_game_build(lane_game *l, lane_net_kind kind, const lane_engine *engine,
                                   bool native) {
  assert_true(lane_net_build(&l->net, &l->g.circuit, kind, !native, l->g.keep, NULL));
  assert_true(lane_code_make(&l->code, &l->net.program, engine, native, l->g.keep, NULL));
}

/* The game of open_game as a net. */
static inline lane_game *lane_game_new(machine_fixture *f, lane_net_kind kind,
                                       const lane_engine *engine, bool native) {
  lane_game *l = lane_game_ground(f);
  lane_game_build(l, kind, engine, native);
  return l;
}

static inline void lane_game_free(lane_game *l) {
  lane_code_free(&l->code);
  grounded_close(&l->g);
}

static inline bulk_tally tally_of(machine_fixture *f, const lane_game *l, bulk_part part) {
  bulk_tally t;
  lane_player *p = lane_player_new(&l->g, &l->net, &l->code, f->keep);
  lane_tally_init(&t, &l->g.circuit, f->keep);
  assert_true(lane_player_play(p, &part, &t, NULL));
  return t;
}

/* Plays a part on a game, with the best that this processor has. */
static inline bulk_tally play_part(machine_fixture *f, const char *words, bulk_part part) {
  open_game(f, words);
  lane_game *l = lane_game_new(f, NET_PLAYS, lane_engine_best(), lane_jit_is_possible());
  const bulk_tally t = tally_of(f, l, part);
  lane_game_free(l);
  return t;
}

static inline uint64_t sound_games(const bulk_tally *t) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < t->lengths.count; i++) sum += t->lengths.items[i];
  return sum;
}

#endif
