#include "diff/diff.h"

#include "diff/equal_fluents.h"
#include "diff/product.h"
#include "diff/same_rules.h"
#include "prove/prover.h"

#include <math.h>

/* The share of the remaining time, and the most seconds, for the first comparison of pairs. */
static const double first_part = 0.1, first_seconds = 0.5;
/* For grounding the product; for proving, when a line may have to be made shorter afterwards. */
static const double grounding_part = 0.6, proving_part = 0.7;
/* For a proof by pairs of fluents. */
static const double pairing_part = 0.4;
/* Random games of a pair that cannot be grounded. */
static const double playing_part = 0.4;

typedef struct diff_job {
  diff_result *r;
  const diff_question *q;
  side_by_side *judge; /* on machine `reference` */
  budget *b;
  arena *keep;
  diag_sink unseen; /* what products and further machines have to say */
} diff_job;

static budget part_of(budget *b, double part, double most) {
  return budget_part(b, fmin(0.02 + budget_seconds_left(b) * part, most));
}

static void settle_same(diff_result *r, const char *method) {
  r->verdict = VERDICT_PROVED;
  r->method = method;
}

/* ---- lines ---- */

static void take_differences(diff_job *j) {
  const difference_vec *seen = &j->judge->differences;
  j->r->differences.count = 0;
  for (uint32_t i = 0; i < seen->count; i++) {
    difference d = seen->items[i];
    d.literal = arena_copy_text(j->keep, d.literal, strlen(d.literal));
    vec_push(j->keep, &j->r->differences, d);
  }
}

/* False: it shows no difference to machine `reference`. */
static bool take_line(diff_job *j, const char *const *line, uint32_t length, const char *method,
                      bool is_shortest) {
  diff_result *r = j->r;
  if (!pair_replay(j->judge, line, length)) return false;
  take_differences(j);
  r->verdict = VERDICT_REFUTED;
  r->method = method;
  r->length = length;
  r->is_shortest = is_shortest || length <= r->depth;
  r->line = arena_new_array(j->keep, const char *, (size_t)length * r->role_count + 1);
  for (uint32_t i = 0; i < length * r->role_count; i++)
    r->line[i] = arena_copy_text(j->keep, line[i], strlen(line[i]));
  return true;
}

/* ---- pairs of states ---- */

static void take_found(diff_job *j, const pair_found *f, const char *method, bool is_walk) {
  diff_result *r = j->r;
  if (is_walk && f->depth > r->depth) r->depth = f->depth;
  r->games += f->games;
  if (f->is_different) take_line(j, f->line, f->length, method, is_walk);
  if (!is_walk || !f->is_complete) return;
  settle_same(r, method);
  r->states = f->states;
}

static void look_at_pairs(diff_job *j, side_by_side *s, budget *b) {
  j->b->stage = "looking at pairs of states";
  const pair_found f = pair_walk(s, b, j->keep);
  take_found(j, &f, "pairs", true);
}

static void play_both(diff_job *j, side_by_side *s, budget *b) {
  j->b->stage = "playing both at random";
  const pair_found f = pair_play(s, UINT64_MAX, b, j->keep);
  take_found(j, &f, "random games", false);
}

/* What cannot be grounded is played by its rules; a line that was found may become shorter. */
static void search_without_grounding(diff_job *j) {
  side_by_side s;
  if (side_by_side_open(&s, j->q, "datalog", j->b, &j->unseen)) {
    budget part = part_of(j->b, playing_part, 1e9);
    play_both(j, &s, &part);
    if (!j->r->is_shortest) look_at_pairs(j, &s, j->b);
  }
  side_by_side_close(&s);
}

/* ---- the product ---- */

typedef struct product_game {
  source source;
  tree tree;
  program program;
} product_game;

static bool make_product(diff_job *j, product_game *g) {
  text words = text_new(j->keep);
  product_write(j->q, j->r->roles, j->r->role_count, &words);
  g->source = source_of("both games", text_string(&words), (uint32_t)words.length);
  return tree_read(&g->tree, &g->source, symbols_new(j->keep), j->keep, &j->unseen) &&
         rules_build(&g->program, &g->tree, j->keep, &j->unseen);
}

/* Looks for a line that is shorter than the one that was found. */
static void shorten(diff_job *j, prove_job *p) {
  const property_vec asked = p->properties;
  p->showing = budget_to_show(j->b);
  job_ask(p, &asked);
  j->b->stage = "looking for a shorter line";
  prove_by_bmc(p, j->b);
  const finding *v = &p->findings[0];
  if (v->has_line)
    take_line(j, line_texts(&p->g.circuit, &v->line, j->keep), v->length, j->r->method, true);
  j->r->is_shortest |= v->clear_steps >= j->r->length;
}

static bool finds_shortest(const char *method) {
  return strcmp(method, "exhaustive") == 0 || strcmp(method, "bmc") == 0;
}

static void take_finding(diff_job *j, prove_job *p) {
  const finding *v = &p->findings[0];
  diff_result *r = j->r;
  if (v->clear_steps > r->depth) r->depth = v->clear_steps;
  r->games += v->games;
  r->reason = v->reason ? arena_copy_text(j->keep, v->reason, strlen(v->reason)) : NULL;
  if (v->kind == VERDICT_REFUTED) { /* nobody can win: they never differ */
    settle_same(r, v->method);
    r->states = v->states;
  }
  if (!v->has_line) return;
  const bool is_shortest = finds_shortest(v->method);
  if (!take_line(j, line_texts(&p->g.circuit, &v->line, j->keep), v->length, v->method,
                 is_shortest)) {
    r->reason = "the provers found a line that machine `reference` does not confirm";
    return;
  }
  if (!r->is_shortest) shorten(j, p);
}

/* True: they are the same game, since pairs of fluents are. */
static bool pair_fluents(diff_job *j, prove_job *p) {
  budget part = part_of(j->b, pairing_part, 1e9);
  j->b->stage = "pairing fluents";
  if (!equal_fluents_prove(&p->g.ground, &part).is_proved) return false;
  settle_same(j->r, "pairs of fluents");
  return true;
}

static void ask_provers(diff_job *j, prove_job *p) {
  const char *complaint;
  text question = text_new(j->keep);
  text_add_format(&question, "winnable %s", j->r->roles[0]);
  if (!prover_ask(p, text_string(&question), j->b, &complaint)) return;
  if (pair_fluents(j, p)) return;
  budget part = part_of(j->b, proving_part, 1e9);
  prover_run(p, &part);
  take_finding(j, p);
}

/* False: the product cannot be grounded within its part of the time. */
static bool prove_product(diff_job *j) {
  product_game g;
  prove_job p;
  if (!make_product(j, &g)) return false;
  const prove_options o = {.threads = j->q->threads, .seed = j->q->seed, .confidence = 0.99};
  budget part = part_of(j->b, grounding_part, 1e9);
  j->b->stage = "grounding both games";
  const bool is_ready =
      prover_open(&p, &g.program, o, &part, &j->unseen) == PROVER_READY && !p.has_rules_only;
  if (is_ready) ask_provers(j, &p);
  job_close(&p);
  return is_ready;
}

/* ---- in order of cost ---- */

static void decide_by_all(diff_job *j) {
  if (rules_are_the_same(j->q)) {
    settle_same(j->r, "the same rules");
    return;
  }
  budget first = part_of(j->b, first_part, first_seconds);
  look_at_pairs(j, j->judge, &first);
  if (j->r->verdict == VERDICT_UNKNOWN && !prove_product(j)) search_without_grounding(j);
}

static void decide(diff_job *j) {
  switch (j->q->method) {
    case DIFF_AUTO: decide_by_all(j); break;
    case DIFF_PAIRS: look_at_pairs(j, j->judge, j->b); break;
    case DIFF_PRODUCT: prove_product(j); break;
    case DIFF_PLAY: play_both(j, j->judge, j->b); break;
  }
}

static void take_roles(diff_result *r, const side_by_side *s, arena *keep) {
  r->role_count = s->roles;
  r->roles = arena_new_array(keep, const char *, s->roles + (size_t)1);
  r->order_in_new = arena_new_array(keep, uint32_t, s->roles + (size_t)1);
  for (uint32_t i = 0; i < s->roles; i++) {
    r->roles[i] = arena_copy_text(keep, s->old.m->roles[i], strlen(s->old.m->roles[i]));
    if (!s->has_other_roles) r->order_in_new[s->new_role[i]] = i;
  }
}

bool diff_run(diff_result *r, const diff_question *q, budget *b, diag_sink *d, arena *keep) {
  side_by_side judge;
  const double started = clock_now();
  budget showing = budget_to_show(b);
  diff_job j = {.r = r, .q = q, .judge = &judge, .b = b, .keep = keep};
  *r = (diff_result){0};
  diag_sink_init(&j.unseen, keep);
  const bool is_open = side_by_side_open(&judge, q, "reference", &showing, d);
  if (is_open) {
    take_roles(r, &judge, keep);
    take_differences(&j);
    if (judge.has_other_roles || !r->role_count) {
      r->verdict = r->differences.count ? VERDICT_REFUTED : VERDICT_PROVED;
      r->method = "roles";
      r->is_shortest = true;
    } else {
      decide(&j);
    }
  } else {
    b->end = showing.end;
  }
  r->is_new_faulty = judge.is_new_faulty;
  side_by_side_close(&judge);
  r->seconds = clock_now() - started;
  return is_open;
}
