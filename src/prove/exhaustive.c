/* The method `exhaustive`: every reachable state, once. */
#include "prove/prove.h"
#include "prove/walk.h"

static const char method[] = "exhaustive";

static finding walked(const walk *w) {
  return (finding){.method = method, .states = walk_states(w), .depth = walk_depth(w)};
}

static void settle_targets(prove_job *j, walk *w) {
  for (uint32_t i = 0; i < j->properties.count; i++) {
    if (!job_is_open(j, i) || j->targets[i] == ID_NONE) continue;
    const walk_found *found = &w->targets[j->targets[i]];
    finding v = walked(w);
    if (found->is_found) {
      v.length = found->depth;
      walk_line(w, found->where, &v.line, j->keep);
      job_reached(j, i, v);
    } else if (w->is_complete) {
      job_never_reached(j, i, v);
    }
  }
}

/* ---- ends ---- */

static const char *length_words(prove_job *j, uint32_t longest) {
  text words = text_new(j->keep);
  text_add_format(&words, "the longest play has %u steps", longest);
  return text_string(&words);
}

static void settle_end(prove_job *j, uint32_t i, walk *w, budget *b) {
  uint32_t longest;
  state_place cycle;
  id_vec round = {0};
  finding v = walked(w);
  const walk_end end = walk_find_end(w, b, &longest, &cycle, &round, j->keep);
  if (end == WALK_ENDS) {
    v.kind = VERDICT_PROVED;
    v.depth = longest;
    v.reason = length_words(j, longest);
  }
  if (end == WALK_CYCLES) {
    v.kind = VERDICT_REFUTED;
    v.has_line = true;
    walk_line(w, cycle, &v.line, j->keep);
    v.returns_to = v.line.count / j->reduced.roles.count;
    vec_append(j->keep, &v.line, round.items, round.count);
    v.length = v.depth = v.line.count / j->reduced.roles.count;
  }
  if (end != WALK_UNDECIDED) job_settle(j, i, v);
}

/* ---- dead moves ---- */

static uint32_t role_of(const circuit *c, uint32_t move) {
  uint32_t role = 0;
  while (move - c->roles.items[role].first_move >= c->roles.items[role].move_count) role++;
  return role;
}

static void settle_dead(prove_job *j, uint32_t i, const walk *w) {
  enum { NAMED_MAX = 5 };
  const circuit *c = &j->reduced;
  text words = text_new(j->keep);
  uint32_t dead = 0;
  for (uint32_t move = 0; move < c->moves.count; move++) {
    if (bitset_has(w->legal, move)) continue;
    if (++dead > NAMED_MAX) continue;
    text_add(&words, dead == 1 ? "never legal: " : ", ");
    text_add_format(&words, "%s ", j->g.roles[role_of(c, move)]);
    term_print(c->terms, c->moves.items[move].term, NOTATION_KIF, NULL, &words);
  }
  if (dead > NAMED_MAX) text_add_format(&words, " and %u more", dead - NAMED_MAX);
  if (dead && !w->is_complete) return;
  finding v = walked(w);
  v.kind = dead ? VERDICT_REFUTED : VERDICT_PROVED;
  v.reason = dead ? text_string(&words) : NULL;
  job_settle(j, i, v);
}

/* ---- all ---- */

static void settle_all(prove_job *j, walk *w, budget *b) {
  settle_targets(j, w);
  for (uint32_t i = 0; i < j->properties.count; i++) {
    if (!job_is_open(j, i)) continue;
    const property_kind kind = j->properties.items[i].kind;
    if (kind == PROPERTY_TERMINATES && w->is_complete) settle_end(j, i, w, b);
    if (kind == PROPERTY_DEAD) settle_dead(j, i, w);
    if (kind == PROPERTY_MUTEX) continue;
    job_explain(j, i, "%llu states were looked at, to depth %u, and there are more",
                (unsigned long long)walk_states(w), walk_depth(w));
  }
}

static bitset open_targets(const prove_job *j, arena *keep) {
  const bitset wanted = bitset_new(keep, j->reduced.goals.count + 1);
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (job_is_open(j, i) && j->targets[i] != ID_NONE) bitset_add(wanted, j->targets[i]);
  return wanted;
}

void prove_by_walk(prove_job *j, budget *b) {
  arena *keep = arena_new();
  const walk_options o = {.threads = j->options.threads,
                          .file = j->options.walk_file,
                          .wanted = open_targets(j, keep),
                          .only_targets = !job_has_open(j, PROPERTY_TERMINATES) &&
                                          !job_has_open(j, PROPERTY_DEAD)};
  walk w;
  walk_init(&w, job_stepper(j), keep);
  if (walk_run(&w, o, b, j->d)) settle_all(j, &w, b);
  walk_free(&w);
  arena_free(keep);
}
