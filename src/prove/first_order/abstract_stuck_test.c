/* Small games in which a role is left without a move, each by something that a proof from the rules
   could get wrong: none of them may be proved playable. */
#include "prove/prove_fixture.h"

typedef struct stuck_game {
  const char *by;
  const char *rules;
} stuck_game;

static const stuck_game games[] = {
    {"terms that differ in their names",
     "(role w) (init (s (f a))) (<= (legal w go) (true (s ?x)) (distinct ?x (f a))) "
     "(<= (next (s (g a))) (true (s (f a))))"},
    {"distinct terms of one name",
     "(role w) (init (p a a)) (<= (legal w go) (true (p ?x ?y)) (distinct (f ?x b) (f ?y b))) "
     "(<= (next (p a b)) (does w go))"},
    {"negation of a recursive relation",
     "(role w) (e a b) (<= (r ?x ?y) (e ?x ?y)) (<= (r ?x ?z) (r ?x ?y) (e ?y ?z)) "
     "(init (s a)) (<= (legal w go) (true (s ?x)) (not (r ?x b))) "
     "(<= (next (s a)) (true (s a)))"},
    {"a recursive relation that ends",
     "(role w) (n 0) (up 0 1) (<= (n ?y) (n ?x) (up ?x ?y)) (init (s 2)) "
     "(<= (legal w go) (true (s ?x)) (n ?x)) (<= (next (s ?x)) (true (s ?x)))"},
    {"a choice with no open way",
     "(role w) (init a) (<= (legal w go) (or (true b) (and (true c) (not (true a))))) "
     "(<= (next b) (does w go))"},
    {"a choice that is gone after a step",
     "(role w) (init a) (<= (legal w go) (or (true a) (true c))) (<= (next b) (true a))"},
    {"a role that distinct leaves out",
     "(role w) (role b) (init a) (<= (legal ?r go) (role ?r) (distinct ?r b)) "
     "(<= (legal b go) (true a)) (<= (next c) (true a))"},
    {"moves for somebody who is no role",
     "(role w) (role b) (init a) (who x) (who w) (<= (legal ?r go) (who ?r) (true a)) "
     "(<= (next a) (true a))"},
    {"somebody who is no role does nothing",
     "(role w) (init a) (who x) (who w) (<= (legal ?r go) (who ?r) (true a)) "
     "(<= (next a) (does x go))"},
    {"a term is no part of itself",
     "(role w) (init (p a (f a))) (<= (legal w go) (true (p ?x ?x))) "
     "(<= (legal w go) (true (p ?x (f ?x))) (true q)) "
     "(<= (next (p ?x (f ?x))) (true (p ?x (f ?x))))"},
    {"one name with two numbers of arguments",
     "(role w) (init (f a)) (<= (legal w go) (true (f a b))) (<= (next (f a)) (true (f a)))"},
    {"two relations of one name",
     "(role w) (init (s 1)) (p a) (<= (legal w go) (p a b)) (<= (p ?x ?y) (true (t ?x ?y))) "
     "(<= (next (s 1)) (true (s 1)))"},
    {"random has no move", "(role w) (role random) (init (d 1)) (<= (legal w noop) (role w)) "
                           "(<= (legal random (roll ?x)) (true (d ?x))) "
                           "(<= (next (d ?x)) (does random (roll ?x)) (true e))"},
    {"facts that do not hold at the start",
     "(role w) (init (ctl b)) (<= (next (ctl w)) (true (ctl w))) "
     "(<= (next (ctl w)) (true (ctl c))) (<= (legal w go) (true (ctl w)))"},
    {"the last of a succession",
     "(role w) (init (c 1)) (s 1 2) (s 2 3) (<= (next (c ?y)) (true (c ?x)) (s ?x ?y)) "
     "(<= (legal w go) (true (c ?x)) (s ?x ?y)) (<= terminal (true (c 4)))"},
    {"an end that comes too late",
     "(role w) (init (c 1)) (s 1 2) (s 2 3) (s 3 4) (<= (next (c ?y)) (true (c ?x)) (s ?x ?y)) "
     "(<= (legal w go) (true (c ?x)) (s ?x ?y) (s ?y ?z)) (<= terminal (true (c 4)))"},
    {"nothing holds after a step", "(role w) (init a) (<= (legal w go) (true a))"},
    {"nothing at all holds after a step",
     "(role w) (init a) (<= some (true ?x)) (<= (legal w go) some)"},
    {"all is taken at once",
     "(role a) (role b) (sq 1) (sq 2) (<= (init (f ?s)) (sq ?s)) "
     "(<= (legal ?r (t ?s)) (role ?r) (true (f ?s))) "
     "(<= (next (f ?s)) (true (f ?s)) (not (does a (t ?s))) (not (does b (t ?s))))"},
    {"a constant and a function of one name",
     "(role w) (init (s f)) (<= (legal w go) (true (s (f ?x)))) (<= (next (s f)) (true (s f)))"},
    {"listed facts and a rule that adds none",
     "(role w) (p a) (<= (p ?x) (q ?x) (not (k ?x))) (q b) (k b) (init (s b)) "
     "(<= (legal w go) (true (s ?x)) (p ?x)) (<= (next (s b)) (true (s b)))"},
    {"none of many listed facts",
     "(role w) (p 1) (p 2) (p 3) (p 4) (p 5) (p 6) (p 7) (p 8) (p 9) (p 10) (init (s 11)) "
     "(<= (legal w go) (true (s ?x)) (p ?x)) (<= (next (s ?x)) (true (s ?x)))"},
    {"one of many listed facts",
     "(role w) (p 1) (p 2) (p 3) (p 4) (p 5) (p 6) (p 7) (p 8) (p 9) (p 10) (init (s 3)) "
     "(<= (legal w go) (true (s ?x)) (not (p ?x))) (<= (next (s ?x)) (true (s ?x)))"},
    {"a listed start that is known in part",
     "(role w) (init (at w 1)) (init (at b 2)) (<= here (true (at w ?x))) "
     "(<= (legal w go) (not here)) (<= (next (at w ?x)) (true (at w ?x)))"},
    {"a value of another kind",
     "(role w) (k 1) (k 2) (init (s 1)) (<= (legal w (m ?y)) (true (s ?x)) (k ?x) (n ?x ?y)) "
     "(n 1 2) (n 2 3) (<= (next (s ?y)) (does w (m ?y)))"},
    {"something does not stay",
     "(role w) (i 1) (i 2) (<= (init (c ?x e)) (i ?x)) (<= (legal w (m ?x)) (true (c ?x e))) "
     "(<= (legal w (u ?x)) (true (c ?x f))) (<= (next (c ?x f)) (does w (m ?x))) "
     "(<= (next (c ?x ?v)) (true (c ?x ?v)) (does w (m ?y)) (distinct ?x ?y))"},
    {"what is there vanishes later",
     "(role w) (init (t 1)) (init g) (<= (legal w a) (true (t ?x))) "
     "(<= (next (t ?x)) (true (t ?x)) (true g))"},
    {"two that follow on one another, both there",
     "(role w) (init a) (init b) (<= (next a) (true b)) (<= (next b) (true a)) "
     "(<= (legal w x) (true a) (not (true b))) (<= (legal w y) (true b) (not (true a)))"},
    {"a value after some steps",
     "(role w) (init (l n)) (<= (legal w (say ?x)) (true (l ?x)) (distinct ?x q)) (v n p) "
     "(v p q) (<= (next (l ?y)) (does w (say ?x)) (v ?x ?y))"},
    {"two values by two moves", "(role w) (role b) (init (at 1)) (<= (legal w (go ?x)) (opt ?x)) "
                                "(<= (legal b (go ?x)) (opt ?x) (not two)) (opt 1) (opt 2) "
                                "(<= two (true (at ?x)) (true (at ?y)) (distinct ?x ?y)) "
                                "(<= (next (at ?x)) (does ?r (go ?x)))"},
    {"a goal that is lost",
     "(role w) (init a) (<= (goal w 100) (true a)) (<= (goal w 0) (not (true a))) "
     "(<= (legal w go) (goal w 100)) (<= (next b) (true a))"},
    {"a move like that of another role",
     "(role w) (role b) (init a) (<= (legal w go) (true a)) "
     "(<= (legal b ?m) (legal w ?m) (distinct ?m go)) (<= (next a) (true a))"},
    {"a next state that asks what is legal",
     "(role w) (init a) (<= (legal w go) (true a)) (<= (legal w hop) (true b)) "
     "(<= (next a) (not (legal w hop)) (not (legal w go))) (<= (next b) (legal w hop))"},
    {"rules that ask for the end",
     "(role w) (init a) (<= terminal (true a) (true b)) "
     "(<= (legal w go) (not terminal) (true a)) (<= (next a) (not terminal) (true b)) "
     "(<= (next b) terminal)"},
    {"a term that runs out",
     "(role w) (init (s (f (f (f z))))) (<= (legal w go) (true (s (f ?x)))) "
     "(<= (next (s ?x)) (true (s (f ?x)))) (<= terminal (true (s (f z))) (true q))"},
    {"fluents that are variables", "(role w) (init a) (m a b) (<= (next ?y) (true ?x) (m ?x ?y)) "
                                   "(<= (legal w ?x) (true ?x) (m ?x ?y))"},
    {"roles with arguments",
     "(role (p 1)) (role (p 2)) (init (c 1)) (<= (legal (p ?n) go) (true (c ?n))) "
     "(<= (legal (p 1) no) (true (c 2))) (<= (next (c 2)) (true (c 1))) "
     "(<= (next (c 1)) (true (c 2)))"},
    {"a start that its rule leaves empty",
     "(role w) (k 1) (k 2) (<= (init (s ?x)) (k ?x) (not (bad ?x))) (bad 1) (bad 2) "
     "(<= (legal w go) (true (s ?x))) (<= (next (s ?x)) (true (s ?x)))"},
    {"a fact about the next state", "(role w) (init a) (next b) (<= (legal w go) (true a)) "
                                    "(<= (legal w go) (true b) (not (true b)))"},
    {"a relation without rules",
     "(role w) (init a) (<= (legal w go) (nowhere ?x) (true a)) "
     "(<= (legal w go) (true a) (not (nowhere a)) (true b)) (<= (next a) (true a)) "
     "(<= terminal (nope))"},
    {"a rule that asks for the start",
     "(role w) (init a) (<= (legal w go) (init ?x) (true ?x)) (<= (next b) (true a))"},
    {"a rule that asks for the next state",
     "(role w) (init a) (<= (next b) (true a)) (<= (next c) (true b)) "
     "(<= (legal w go) (next ?x))"},
};

/* With rules for what every game has to have. */
static void read_stuck_game(prove_fixture *f, const stuck_game *game) {
  text words = text_new(f->keep);
  text_add_format(&words, "%s (<= terminal (true z)) (<= (goal ?r 0) (role ?r))", game->rules);
  read_game(f, text_string(&words));
}

static verdict_kind abstract_verdict(prove_fixture *f) {
  ask(f, "playable");
  f->j.options.abstract = (abstract_options){true, true, true};
  run(f, "abstract", AMPLE_SECONDS);
  return f->j.findings[0].kind;
}

static void no_game_with_a_stuck_role_is_proved(void **state) {
  prove_fixture *f = *state;
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    read_stuck_game(f, &games[i]);
    if (found(f, "playable", "exhaustive")->kind != VERDICT_REFUTED)
      fail_msg("nobody is stuck: %s", games[i].by);
    if (abstract_verdict(f) != VERDICT_UNKNOWN) fail_msg("proved: %s", games[i].by);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(no_game_with_a_stuck_role_is_proved),
  };
  return cmocka_run_group_tests_name("prove/abstract_stuck", tests, NULL, NULL);
}
