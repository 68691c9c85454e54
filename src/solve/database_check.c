#include "solve/database_check.h"

#include "base/rng.h"
#include "machine/fluent_set.h"
#include "search/joint_moves.h"
#include "solve/matrix_game.h"
#include "solve/turns.h"

#include <math.h>

/* Values that are rounded may differ by so much. */
static const double least_difference = 1e-6;

enum { LONGEST_PLAY = 10000 };

typedef struct checker {
  const solved_game *g;
  const machine *judge;
  machine_workspace *asks, *plays; /* of the game's machine, of the judge */
  database_check_result *r;
  arena *keep;    /* of the result */
  arena *scratch; /* of a position */
  void *position; /* of the judge */
  rng random;
  budget *b;
} checker;

/* A machine in trouble answers anything. */
static bool is_troubled(const checker *k) {
  return k->plays->trouble.is_there || k->asks->trouble.is_there;
}

static void note_wrong(checker *k, const void *position, const char *what, double kept,
                       double expected) {
  if (is_troubled(k) || k->r->wrong++) return;
  text words = text_new(k->keep);
  text_add_format(&words, "%s: %.9g in the database, %.9g by what follows, in ", what, kept,
                  expected);
  position_print(k->judge, position, &words);
  k->r->first_wrong = text_string(&words);
}

static void note_missing(checker *k, const void *position, database_answer answer) {
  if (is_troubled(k) || k->r->wrong++) return;
  text words = text_new(k->keep);
  text_add(&words, answer == DATABASE_DAMAGED ? "the database is damaged at "
                                              : "the database does not have ");
  position_print(k->judge, position, &words);
  k->r->first_wrong = text_string(&words);
}

/* ---- asking ---- */

/* The same state on the machine of the game.  False: it has none. */
static bool translate(checker *k, const void *position, void *to) {
  const machine *m = k->g->m;
  fluent_conflict conflict;
  const text_list fluents = fluents_of(k->judge, position, k->scratch);
  fluent_id *ids = arena_new_array(k->scratch, fluent_id, fluents.count + 1);
  for (uint32_t i = 0; i < fluents.count; i++) {
    ids[i] = m->ops->find_fluent(m, fluents.items[i]);
    if (ids[i] == FLUENT_NONE) return false;
  }
  return position_of_fluents(m, ids, fluents.count, to, &conflict, k->scratch);
}

/* Ends are worth what the judge says. */
static bool ask(checker *k, const void *position, solved_worth *out) {
  void *same = arena_alloc_zero(k->scratch, k->g->m->position_size + 8);
  *out = (solved_worth){.values = arena_zero_array(k->scratch, double, k->g->m->role_count)};
  if (machine_terminal(k->judge, k->plays, position)) {
    solved_read_end(k->g, k->judge, k->plays, position, out);
    return true;
  }
  const database_answer answer =
      translate(k, position, same) ? solved_game_ask(k->g, k->asks, same, out) : DATABASE_NOT_THERE;
  if (answer != DATABASE_FOUND) note_missing(k, position, answer);
  return answer == DATABASE_FOUND;
}

/* ---- what follows ---- */

/* Outcomes are joint moves of all roles but `random`, the last role's changing fastest, with the
   mean over chance. */
typedef struct outcomes {
  joint_moves j;
  uint32_t count;
  solved_worth *items;
} outcomes;

static uint32_t place_of_outcome(const checker *k, const joint_moves *j) {
  uint32_t place = 0;
  for (uint32_t role = 0; role < j->role_count; role++)
    if (role != k->g->nature) place = place * j->moves[role].count + j->at[role];
  return place;
}

static void open_outcomes(checker *k, outcomes *o) {
  o->count = 1;
  for (uint32_t role = 0; role < o->j.role_count; role++)
    if (role != k->g->nature) o->count *= o->j.moves[role].count;
  o->items = arena_zero_array(k->scratch, solved_worth, o->count);
  for (uint32_t i = 0; i < o->count; i++)
    o->items[i].values = arena_zero_array(k->scratch, double, o->j.role_count);
}

static bool read_outcomes(checker *k, outcomes *o) {
  const uint32_t chances = k->g->nature < o->j.role_count ? o->j.moves[k->g->nature].count : 1;
  void *next = arena_alloc_zero(k->scratch, k->judge->position_size + 8);
  solved_worth after;
  open_outcomes(k, o);
  do {
    solved_worth *to = &o->items[place_of_outcome(k, &o->j)];
    machine_step(k->judge, k->plays, k->position, o->j.joint, next);
    k->r->followers++;
    if (!ask(k, next, &after)) return false;
    for (uint32_t role = 0; role < o->j.role_count; role++)
      to->values[role] += after.values[role] / chances;
    to->steps = after.steps;
  } while (joint_moves_next(&o->j));
  return true;
}

/* ---- comparing ---- */

static double guarantee(checker *k, const outcomes *o, uint32_t role) {
  const uint32_t rows = o->j.moves[role].count, columns = o->count / rows;
  uint32_t weight = 1;
  double *items = arena_new_array(k->scratch, double, o->count);
  double *shares = arena_new_array(k->scratch, double, rows);
  for (uint32_t other = role + 1; other < o->j.role_count; other++)
    if (other != k->g->nature) weight *= o->j.moves[other].count;
  for (uint32_t i = 0; i < o->count; i++) {
    const uint32_t row = i / weight % rows, column = i / weight / rows * weight + i % weight;
    items[(size_t)row * columns + column] = o->items[i].values[role];
  }
  const matrix_game m = {.rows = rows, .columns = columns, .items = items};
  return matrix_game_solve(&m, shares, k->scratch, k->b);
}

/* The role that chooses; the first where none does. */
static uint32_t mover_of(const checker *k, const joint_moves *j) {
  for (uint32_t role = 0; role < j->role_count; role++)
    if (role != k->g->nature && j->moves[role].count > 1) return role;
  return k->g->choosers[0];
}

/* The first of the best for who moves. */
static const solved_worth *best_of(const checker *k, const outcomes *o) {
  const uint32_t mover = mover_of(k, &o->j);
  uint32_t best = 0;
  for (uint32_t i = 1; i < o->count; i++)
    if (solved_is_better(k->g, mover, &o->items[i], &o->items[best])) best = i;
  return &o->items[best];
}

/* Only where the value does not rest on play without end: see turns.h. */
static bool has_sure_steps(const checker *k, const solved_worth *kept) {
  return k->g->files.head.has_steps && kept->steps != SOLVED_NO_STEPS &&
         (k->g->chooser_count == 1 || kept->values[k->g->choosers[0]] != ENDLESS_VALUE);
}

static void compare(checker *k, const outcomes *o, const solved_worth *kept) {
  const solved_worth *best = best_of(k, o);
  const bool is_max_n = k->g->chooser_count > 2;
  for (uint32_t role = 0; role < o->j.role_count; role++) {
    if (role == k->g->nature) continue;
    const double expected = is_max_n ? best->values[role] : guarantee(k, o, role);
    if (fabs(kept->values[role] - expected) <= least_difference) continue;
    if (budget_check_now(k->b)) return; /* then it is not what is expected */
    note_wrong(k, k->position, k->judge->roles[role], kept->values[role], expected);
    return;
  }
  if (has_sure_steps(k, kept) && kept->steps != best->steps + 1)
    note_wrong(k, k->position, "steps", kept->steps, best->steps + 1.0);
}

/* ---- playing ---- */

static void draw(checker *k, joint_moves *j) {
  for (uint32_t role = 0; role < j->role_count; role++)
    joint_moves_set(j, role, rng_below(&k->random, j->moves[role].count));
}

/* Checks the position and makes a step.  False: the play is over. */
static bool check_position(checker *k) {
  outcomes o;
  solved_worth kept;
  if (machine_terminal(k->judge, k->plays, k->position)) return false;
  o.j = joint_moves_new(k->judge->role_count, k->scratch);
  if (joint_moves_first(&o.j, k->judge, k->plays, k->position) < o.j.role_count) return false;
  k->r->positions++;
  if (ask(k, k->position, &kept) && read_outcomes(k, &o)) compare(k, &o, &kept);
  draw(k, &o.j);
  machine_step(k->judge, k->plays, k->position, o.j.joint, k->position);
  return true;
}

static bool check_plays(checker *k, database_check_options o, budget *b) {
  for (uint64_t play = 0; k->r->positions < o.positions; play++) {
    const uint64_t before = k->r->positions;
    k->random = rng_new(o.seed, play);
    machine_start(k->judge, k->position);
    for (uint32_t step = 0; step < LONGEST_PLAY && k->r->positions < o.positions; step++) {
      const arena_mark mark = arena_save(k->scratch);
      const bool goes_on = check_position(k);
      arena_restore(k->scratch, mark);
      if (budget_check_now(b)) return false;
      if (b)
        progress_tell(b->progress, (double)k->r->positions, (double)o.positions,
                      "positions checked");
      if (!goes_on || is_troubled(k)) break;
    }
    if (is_troubled(k) || k->r->positions == before) break; /* the start is an end */
  }
  return true;
}

bool database_check(const solved_game *g, const machine *judge, database_check_options o,
                    database_check_result *r, arena *keep, budget *b, diag_sink *d) {
  arena *scratch = arena_new();
  *r = (database_check_result){0};
  checker k = {.g = g, .judge = judge, .r = r, .keep = keep, .scratch = scratch, .b = b};
  k.asks = machine_workspace_new(g->m, b);
  k.plays = machine_workspace_new(judge, b);
  k.position = arena_alloc_zero(keep, judge->position_size + 8);
  const bool is_timely = check_plays(&k, o, b);
  const bool has_trouble = is_troubled(&k);
  if (has_trouble) machine_report_trouble(k.plays->trouble.is_there ? k.plays : k.asks, d);
  machine_workspace_free(judge, k.plays);
  machine_workspace_free(g->m, k.asks);
  arena_free(scratch);
  return is_timely && !has_trouble;
}
