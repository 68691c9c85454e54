/* Play with hidden information (GDL-II): regret minimisation over information sets (Lanctot, Waugh,
   Zinkevich and Bowling 2009, outcome sampling), many games at once.

   A batch plays up to 512 games of self-play from the start.  In each, one role is the learner,
   which explores, and whose regrets are updated afterwards; all others draw their moves by regret
   matching, `random` uniformly.  Moves depend on information sets, not on the state.  A game that
   reaches an unknown set adds it, and continues at random to its end, so that the tree of sets
   grows as in tree search.

   During a match, games that are consistent with what a role has perceived are needed (focus).  All
   lanes begin at the start, the role makes its own moves, the others draw; lanes in which the role
   would have perceived something else are filled with copies of consistent ones (a particle
   filter).  These games reach the present set with the probabilities that the strategies of the
   others give, and are learned from in the same way.  They do not change what games from the start
   have established about other roles, which do not know what this role knows.

   In a share of the games all but the learner are strangers, who draw their moves uniformly (a
   restricted Nash response: Johanson, Zinkevich and Bowling 2007).  So a role learns to exploit
   mistakes that learned strategies do not make, and to play after them.  With a small share the
   result is still hard to exploit: between moves of equal value against good play, the one that is
   better against strangers is preferred.  Consistent games keep their strangers, so that their
   share becomes the probability, given what was perceived, that the others are strangers.

   With iterations in place of time the result is a function of machine, seed and percepts. */
#ifndef TABIA_TREE_HIDDEN_INFOSET_SEARCH_H
#define TABIA_TREE_HIDDEN_INFOSET_SEARCH_H

#include "base/rng.h"
#include "machine/bundle.h"
#include "tree/hidden/infoset_store.h"

/* What a role has done and perceived in a step. */
typedef struct infoset_news {
  move_id own;
  uint64_t percepts; /* infoset_percept of each, exclusive or */
} infoset_news;

/* A choice of a game under way. */
typedef struct infoset_step {
  infoset_id set;
  uint32_t choice; /* that was made there */
  float drawn;     /* with this probability */
} infoset_step;

typedef struct infoset_game {
  uint32_t learner; /* role; role_count: none, and all follow their strategies */
  bool is_over;
  bool is_lost;       /* nothing can be learned from it */
  bool has_strangers; /* all but the learner draw their moves uniformly */
  VEC(infoset_step) path;
} infoset_game;

typedef struct infoset_figures {
  uint64_t games; /* that came to an end */
} infoset_figures;

typedef struct infoset_search {
  const machine *m;
  arena *keep;
  budget limits; /* of the present call */
  uint64_t seed;
  rng random;
  uint64_t next_stream; /* of random games */
  double strangers;     /* the share of games with them */
  uint32_t nature;
  infoset_store *store;
  bundle *bundle;
  infoset_figures figures;
  VEC(infoset_news) * told; /* by role */
  /* of a batch */
  infoset_game *games;      /* by lane */
  uint64_t *keys;           /* by role and lane */
  uint64_t *percepts;       /* by lane */
  move_id *joints;          /* by lane and role */
  move_id *moves;           /* of a role, by lane */
  uint32_t room;            /* for each lane */
  uint32_t counts[LANES];   /* of a role */
  unsigned char *positions; /* by lane */
  unsigned char *ends;      /* states from which random games continue */
  uint32_t *end_lanes;
  uint32_t end_count;
  int32_t *goals;
  float *outcomes; /* by lane and role */
  float *shares;
  uint32_t share_room;
  uint32_t focus; /* the role whose present set is the target; role_count: none */
} infoset_search;

/* True if the machine numbers its moves and percepts in advance. */
bool infoset_search_fits(const machine *m);
/* `strangers`: the share of games with them. */
infoset_search *infoset_search_new(const machine *m, uint64_t seed, double strangers, size_t bytes);
void infoset_search_free(infoset_search *s); /* NULL is allowed */

/* Call before each call that thinks.  False: the limits are spent before the machine is ready. */
bool infoset_begin(infoset_search *s, const budget *limits);
bool infoset_is_over(const infoset_search *s);

/* Another match: no role has seen anything yet. */
void infoset_restart(infoset_search *s);
/* Records what a role has done and perceived in a step. */
void infoset_tell(infoset_search *s, uint32_t role, infoset_news news);
/* A number for a percept; numbers are combined by exclusive or. */
uint64_t infoset_percept(percept_id percept);

/* The set in which the role is; INFOSET_NONE: nothing is known of it. */
infoset_id infoset_now(const infoset_search *s, uint32_t role);

/* A batch of at most `most` games from the start; returns how many ended. */
uint32_t infoset_batch(infoset_search *s, uint32_t most);
/* The same for consistent games; 0: none was found, or trouble. */
uint32_t infoset_focus(infoset_search *s, uint32_t role, uint32_t most);

/* ---- steps of a batch ---- */

uint64_t infoset_key_start(uint32_t role);
uint64_t infoset_key_after(uint64_t key, infoset_news news);

/* Lists the legal moves of a role into `moves` and `counts`. */
void infoset_list(infoset_search *s, uint32_t role);
/* Makes the joint moves in all lanes, and adds to the keys what each role has done and seen. */
void infoset_step_lanes(infoset_search *s);
/* Games in all lanes, from the states and keys that are there, to their ends. */
void infoset_play_on(infoset_search *s, uint32_t count);
/* Learns from the games of the lanes. */
void infoset_learn(infoset_search *s, uint32_t count);

static inline float infoset_unit(infoset_search *s) {
  return (float)(rng_next(&s->random) >> 40) * 0x1p-24f;
}

#endif
