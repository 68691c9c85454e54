/* Any bytes: read them as a certificate, and check it against a few games that are so small that
   the truth is known by looking at all their states.  Nothing that is accepted may be false. */
#include "certify/certify.h"
#include "certify/truth_fixture.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const games[] = {
    /* three steps */
    "(role r) (init (n 0)) (legal r go) (<= terminal (true (n 3)))\n"
    "(<= (next (n 1)) (true (n 0))) (<= (next (n 2)) (true (n 1))) (<= (next (n 3)) (true (n 2)))\n"
    "(<= (goal r 100) (true (n 3))) (<= (goal r 0) (not (true (n 3))))",
    /* a play may go round for ever, get stuck, or be won */
    "(role r) (init (at 0)) (<= (legal r (go 1)) (not (true (at 3))))\n"
    "(<= (legal r (go 2)) (true (at 0))) (<= (legal r (go 3)) (true (at 1)))\n"
    "(<= (next (at ?x)) (does r (go ?x))) (<= terminal (true (at 2))) (goal r 0050)\n"
    "(<= (goal r 100) (true (at 2)))",
    /* moves at the same time, a recursive rule, and a role that chance plays */
    "(role x) (role random) (init a) (legal x a) (legal x b) (legal random a)\n"
    "(<= (legal random b) (true a)) (<= (next a) (does x a)) (<= (next b) (does random b))\n"
    "(<= (next c) (true a) (true b)) (edge 1 2) (edge 2 1) (<= (on 1) (true c))\n"
    "(<= (on ?y) (on ?x) (edge ?x ?y)) (<= terminal (on 2)) (<= (goal x 100) (on 2))\n"
    "(<= (goal x 50) (not (on 2)))"};

enum { STATES_MAX = 100 };

static void check_against(const certificate *c, const char *game, arena *keep) {
  const source s = source_of("game", game, (uint32_t)strlen(game));
  budget limits = budget_new(2, (size_t)256 << 20);
  certificate_report r;
  diag_sink d;
  tree t;
  program p;
  truth known;
  diag_sink_init(&d, keep);
  if (!tree_read(&t, &s, symbols_new(keep), keep, &d) || !rules_build(&p, &t, keep, &d)) abort();
  if (!certificate_check(&r, c, &p, keep, &limits, &d)) abort();
  if (!truth_find(&known, &p, STATES_MAX)) abort();
  for (uint32_t i = 0; i < r.sections.count; i++)
    if (r.sections.items[i].result == SECTION_ACCEPTED &&
        !truth_agrees(&known, c, r.sections.items[i].section))
      abort();
  truth_free(&known);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  arena *keep = arena_new();
  const char *bytes = arena_copy_text(keep, (const char *)data, size);
  const source s = source_of("fuzz", bytes, (uint32_t)size);
  certificate c;
  diag_sink d;
  diag_sink_init(&d, keep);
  const bool is_read = certificate_read(&c, &s, keep, &d);
  if (is_read == (d.errors > 0)) abort();
  for (size_t i = 0; is_read && i < sizeof games / sizeof *games; i++)
    check_against(&c, games[i], keep);
  arena_free(keep);
  return 0;
}
