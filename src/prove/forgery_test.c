/* Forged certificates.  Of games so small that machine `reference` can look at all their states the
   truth is known: whatever the provers write must be accepted, and of what was changed in it, made
   up or taken from another game nothing may be accepted that is false.

   FORGERIES says how many are tried. */
#include "certify/certify.h"
#include "certify/forge_fixture.h"
#include "certify/tiny_game_fixture.h"
#include "certify/truth_fixture.h"
#include "prove/certificate.h"
#include "prove/prove_fixture.h"

#include <stdlib.h>

enum { FORGERIES = 600, FORGERIES_A_GAME = 60 };

enum { ROLES_MAX = 4 };

/* A game and what is needed to forge its certificates. */
typedef struct forgery {
  prove_fixture *f;
  rng r;
  const char *game;
  truth truth;
  forge_texts certificates, fluents, pool, moves[ROLES_MAX];
  uint32_t roles;
  uint32_t tried, read, accepted, true_ones;
} forgery;

static uint32_t wanted_forgeries(void) {
  const char *words = getenv("FORGERIES");
  return words ? (uint32_t)strtoul(words, NULL, 10) : FORGERIES;
}

/* ---- true certificates ---- */

static const char *const asked[] = {"all",
                                    "monotone",
                                    "unreachable p0",
                                    "unreachable (and p1 (n 2))",
                                    "unreachable (and (n 0) (n 1))",
                                    "invariant (or p2 (not p3))",
                                    "invariant (exists ?x (n ?x))",
                                    "invariant (or (not p1) (n 0) (n 1) (n 3))"};

static void ask_everything(prove_fixture *f) {
  const prove_options o = {.threads = 1, .seed = 1, .confidence = 0.99};
  property_vec properties = {0};
  const char *complaint = NULL;
  close_job(f);
  assert_true(job_open(&f->j, &f->p, o, &f->b, &f->d));
  f->has_job = true;
  const state_atoms atoms = job_atoms(&f->j);
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
    property_read(&properties, asked[i], &atoms, f->j.keep, &complaint);
  job_ask(&f->j, &properties);
}

static void add_certificate(forgery *x, uint32_t i) {
  const prove_job *j = &x->f->j;
  text words = text_new(x->f->keep);
  if (!finding_has_certificate(&j->properties.items[i], &j->findings[i])) return;
  certificate_print(&j->properties.items[i], &j->findings[i], &j->g.circuit, &words);
  vec_push(x->f->keep, &x->certificates, text_string(&words));
}

static void prove_everything(forgery *x) {
  static const char *const methods[] = {"exhaustive", "induction", "termination", "pdr", "bmc"};
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    ask_everything(x->f);
    run(x->f, methods[m], 0.3);
    for (uint32_t i = 0; i < x->f->j.properties.count; i++) add_certificate(x, i);
  }
}

/* ---- what forgers use ---- */

static void add_term(forgery *x, forge_texts *to, term_id t) {
  text words = text_new(x->f->keep);
  term_print(x->f->j.g.circuit.terms, t, NOTATION_KIF, NULL, &words);
  vec_push(x->f->keep, to, text_string(&words));
}

static void add_moves(forgery *x, uint32_t role) {
  const circuit *c = &x->f->j.g.circuit;
  const circuit_role *r = &c->roles.items[role];
  add_term(x, &x->pool, r->term);
  for (uint32_t i = r->first_move; i < r->first_move + r->move_count; i++) {
    add_term(x, &x->pool, c->moves.items[i].term);
    add_term(x, &x->moves[role], c->moves.items[i].term);
  }
}

static void fill_pool(forgery *x) {
  static const char *const words[] = {"(k 0)",
                                      "(k 1)",
                                      "(steps 3)",
                                      "(exhaustive)",
                                      "(longest 3)",
                                      "(returns-to 0)",
                                      "(line)",
                                      "(exactly-one)",
                                      "(at-least-one)",
                                      "property",
                                      "(property goals)",
                                      "(measure)",
                                      "p9",
                                      "(n 9)",
                                      "?x",
                                      "()",
                                      "(and)",
                                      "(or)",
                                      "0",
                                      "1"};
  const circuit *c = &x->f->j.g.circuit;
  for (uint32_t i = 0; i < c->fluents.count; i++) {
    add_term(x, &x->fluents, c->fluents.items[i].term);
    add_term(x, &x->pool, c->fluents.items[i].term);
  }
  for (x->roles = 0; x->roles < c->roles.count; x->roles++) add_moves(x, x->roles);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    vec_push(x->f->keep, &x->pool, words[i]);
}

/* ---- trying ---- */

/* How many sections are accepted; all of them must be true. */
static uint32_t try_certificate(forgery *x, const char *words, bool *is_read) {
  prove_fixture *f = x->f;
  const source s = source_of("certificate", words, (uint32_t)strlen(words));
  certificate c;
  certificate_report r;
  diag_sink d;
  diag_sink_init(&d, f->keep);
  *is_read = certificate_read(&c, &s, f->keep, &d);
  if (!*is_read) return 0;
  const asking how = rng_below(&x->r, 2) ? ASK_TOGETHER : ASK_ONE_BY_ONE;
  assert_true(certificate_check_asking(&r, &c, &f->p, how, f->keep, &f->b, &d));
  for (uint32_t i = 0; i < r.sections.count; i++)
    if (r.sections.items[i].result == SECTION_ACCEPTED &&
        !truth_agrees(&x->truth, &c, r.sections.items[i].section))
      fail_msg("%s\nis false:\n%s\nof the game\n%s", r.sections.items[i].words, words, x->game);
  return r.accepted;
}

static void assert_true_ones_are_accepted(forgery *x) {
  for (uint32_t i = 0; i < x->certificates.count; i++) {
    bool is_read;
    if (!try_certificate(x, x->certificates.items[i], &is_read))
      fail_msg("not accepted:\n%s\nof the game\n%s", x->certificates.items[i], x->game);
    x->true_ones++;
  }
}

static const char *forged(forgery *x) {
  static const char *const properties[] = {"playable",       "terminates",
                                           "goals",          "mutex",
                                           "monotone",       "winnable r0",
                                           "unreachable p0", "invariant (or p1 (not p2))",
                                           "terminates",     "unreachable (and (n 1) p3)"};
  forge f = {.r = &x->r,
             .keep = x->f->keep,
             .pool = x->pool,
             .fluents = x->fluents,
             .moves = x->moves,
             .roles = x->roles};
  if (!x->certificates.count || !rng_below(&x->r, 2))
    return forge_made_up(&f, properties[rng_below(&x->r, 10)]);
  return forge_some(&f, forge_pick(&f, &x->certificates));
}

static void try_forgeries(forgery *x, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    bool is_read;
    x->accepted += try_certificate(x, forged(x), &is_read);
    x->read += is_read;
    x->tried++;
  }
}

/* ---- games ---- */

/* The game with some names in it changed. */
static const char *similar_game(forgery *x) {
  static const char *const names[] = {"p0", "p1", "p2", "p3", "0", "1", "2", "3"};
  text out = text_new(x->f->keep);
  const forge_tokens tokens = forge_split(x->game, x->f->keep);
  for (uint32_t i = 0; i < tokens.count; i++) {
    slice t = tokens.items[i];
    uint32_t kind = 0;
    while (kind < 8 && !slice_equals(t, names[kind])) kind++;
    if (kind < 8 && !rng_below(&x->r, 12)) t = slice_of(names[(kind & 4) + rng_below(&x->r, 4)]);
    text_add_bytes(&out, t.start, t.length);
    text_add_char(&out, ' ');
  }
  return text_string(&out);
}

/* Every eighth game is one of the small built-in ones. */
static const char *next_game(forgery *x, uint64_t seed) {
  static const char *const names[] = {
      "monty-hall",     "kuhn-poker",           "prisoners-dilemma",  "rock-paper-scissors",
      "river-crossing", "unsound/goal-missing", "unsound/never-wins", "unsound/runs-in-circles"};
  if (seed % 8) return tiny_game_text(&x->r, x->f->keep);
  read_builtin(x->f, names[seed / 8 % (sizeof names / sizeof *names)]);
  return x->f->s.bytes;
}

/* False: it has too many states. */
static bool begin_game(forgery *x, const char *game) {
  x->game = game;
  read_game(x->f, game);
  return truth_find(&x->truth, &x->f->p, TINY_STATES_MAX);
}

/* Certificates of the game, changed and for a similar game. */
static void try_game(forgery *x, uint32_t forgeries) {
  prove_everything(x);
  fill_pool(x);
  close_job(x->f);
  assert_true_ones_are_accepted(x);
  try_forgeries(x, forgeries - forgeries / 4);
  truth_free(&x->truth);
  if (begin_game(x, similar_game(x))) {
    for (uint32_t i = 0; i < x->certificates.count; i++) {
      bool is_read;
      x->accepted += try_certificate(x, x->certificates.items[i], &is_read);
      x->tried++;
    }
    try_forgeries(x, forgeries / 4);
  }
  truth_free(&x->truth);
}

static void renew(prove_fixture *f) {
  close_job(f);
  arena_free(f->keep);
  f->keep = arena_new();
  diag_sink_init(&f->d, f->keep);
}

static void no_forgery_is_accepted(void **state) {
  prove_fixture *f = *state;
  const char *words = getenv("FORGERY_SEED");
  const uint64_t first = words ? strtoull(words, NULL, 10) : 0;
  forgery x = {.f = f};
  f->b = budget_new(0, 0);
  for (uint64_t seed = first; x.tried < wanted_forgeries(); seed++) {
    renew(f);
    x.certificates = x.fluents = x.pool = (forge_texts){0};
    for (uint32_t i = 0; i < ROLES_MAX; i++) x.moves[i] = (forge_texts){0};
    x.r = rng_new(seed, 17);
    if (begin_game(&x, next_game(&x, seed)))
      try_game(&x, FORGERIES_A_GAME);
    else
      truth_free(&x.truth);
  }
  print_message("# %u forgeries, %u well written, %u sections accepted; %u true certificates\n",
                x.tried, x.read, x.accepted, x.true_ones);
  assert_true(x.read > x.tried / 10 && x.accepted > x.tried / 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {a_test(no_forgery_is_accepted)};
  return cmocka_run_group_tests_name("prove/forgery", tests, NULL, NULL);
}
