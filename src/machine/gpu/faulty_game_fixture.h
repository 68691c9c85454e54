/* A game in which much goes wrong, for tests of who finds it. */
#ifndef TABIA_MACHINE_GPU_FAULTY_GAME_FIXTURE_H
#define TABIA_MACHINE_GPU_FAULTY_GAME_FIXTURE_H

/* A walk of chance that ends without a goal, with several, or with no move. */
static const char faulty_game[] =
    "(role r) (init (at 0)) (up 0 1) (up 1 2) (up 2 3) (up 3 4)\n"
    "(<= (legal r go) (true (at ?x)) (distinct ?x 3)) (<= (legal r stay) (legal r go))\n"
    "(<= (legal r jump) (true (at 1)))\n"
    "(<= (next (at ?y)) (true (at ?x)) (does r go) (up ?x ?y))\n"
    "(<= (next (at ?x)) (true (at ?x)) (does r stay)) (<= (next (at 4)) (does r jump))\n"
    "(<= (next odd) (not (true odd))) (<= terminal (true (at 2)) (true odd))\n"
    "(<= terminal (true (at 4))) (<= (goal r 1) (true (at 2))) (<= (goal r 5) (true (at 4)) (true "
    "odd)) (<= (goal r 7) (true (at 4)))";

#endif
