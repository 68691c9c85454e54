#include "ggp/player/tracker.h"

#include "base/hash.h"
#include "base/vec.h"
#include "ggp/wire/sexp.h"

#include <math.h>
#include <stdlib.h>

enum {
  JOINT_MAX = 3000,      /* joint moves that are tried in one position; more are drawn */
  POSITION_MAX = 100000, /* successors that are kept before a sample is taken */
  SEARCH_MAX = 200000    /* joint moves that a search through the history tries */
};

/* Positions side by side, with their weights; equal ones are one. */
typedef struct position_set {
  arena *keep;
  size_t size;
  VEC(uint64_t) words; /* size / 8 for each, rounded up */
  VEC(double) weights;
  id_table index;
} position_set;

struct tracker {
  arena *keep;
  const tabia_machine *m;
  tabia_workspace *w;
  uint32_t role;
  bool is_hidden; /* GDL-II */
  rng random;
  position_set *now;
  VEC(match_step) history; /* GDL-II: copied */
  /* GDL-II: the last step, as numbers. */
  bool wants_news, has_news;
  tabia_move own;
  VEC(tabia_percept) percepts;
};

/* ---- sets of positions ---- */

static position_set *set_new(size_t position_size) {
  arena *keep = arena_new();
  position_set *s = arena_alloc_zero(keep, sizeof *s);
  s->keep = keep;
  s->size = (position_size + 7) / 8;
  return s;
}

static void set_free(position_set *s) {
  if (s) arena_free(s->keep);
}

static const void *set_at(const position_set *s, uint32_t i) {
  return s->words.items + (size_t)i * s->size;
}

static uint64_t hash_position(const position_set *s, const void *position) {
  return hash_mix(hash_bytes(position, s->size * 8));
}

static uint64_t hash_of_id(const void *context, uint32_t id) {
  return hash_position(context, set_at(context, id));
}

/* `position` has size * 8 bytes, with zeros behind its end. */
static void set_add(position_set *s, const void *position, double weight) {
  id_table_reserve(&s->index, s->keep, hash_of_id, s);
  uint32_t at = id_table_first(&s->index, hash_position(s, position));
  for (; s->index.slots[at] != ID_NONE; at = id_table_next(&s->index, at))
    if (memcmp(set_at(s, s->index.slots[at]), position, s->size * 8) == 0) {
      s->weights.items[s->index.slots[at]] += weight;
      return;
    }
  id_table_put(&s->index, at, s->weights.count);
  vec_append(s->keep, &s->words, (const uint64_t *)position, s->size);
  vec_push(s->keep, &s->weights, weight);
}

static double set_total(const position_set *s) {
  double total = 0;
  for (uint32_t i = 0; i < s->weights.count; i++) total += s->weights.items[i];
  return total;
}

static void set_normalise(position_set *s) {
  const double total = set_total(s);
  for (uint32_t i = 0; i < s->weights.count; i++) s->weights.items[i] /= total;
}

/* Systematic resampling: `count` draws at equal distances along the weights. */
static position_set *set_sample(const position_set *s, uint32_t count, rng *random) {
  position_set *chosen = set_new(s->size * 8);
  const double distance = set_total(s) / count;
  double next = distance * (double)rng_below(random, 1 << 30) / (1 << 30), sum = 0;
  for (uint32_t i = 0; i < s->weights.count; i++) {
    sum += s->weights.items[i];
    for (; next < sum; next += distance) set_add(chosen, set_at(s, i), 1);
  }
  return chosen;
}

/* ---- making ---- */

tracker *tracker_new(const tabia_machine *m, tabia_workspace *w, uint32_t role, uint64_t seed) {
  arena *keep = arena_new();
  tracker *t = arena_alloc_zero(keep, sizeof *t);
  *t = (tracker){.keep = keep,
                 .m = m,
                 .w = w,
                 .role = role,
                 .is_hidden = tabia_machine_has_hidden_state(m),
                 .random = rng_new(seed, role),
                 .now = set_new(tabia_position_size(m))};
  uint64_t *start = arena_zero_array(keep, uint64_t, t->now->size);
  tabia_position_start(m, start);
  set_add(t->now, start, 1);
  return t;
}

void tracker_free(tracker *t) {
  if (!t) return;
  set_free(t->now);
  arena_free(t->keep);
}

uint32_t tracker_count(const tracker *t) { return t->now->weights.count; }
const void *tracker_position(const tracker *t, uint32_t i) { return set_at(t->now, i); }
double tracker_weight(const tracker *t, uint32_t i) { return t->now->weights.items[i]; }

const void *tracker_draw(tracker *t) {
  double left = (double)rng_below(&t->random, 1 << 30) / (1 << 30);
  uint32_t i = 0;
  while (i + 1 < tracker_count(t) && (left -= tracker_weight(t, i)) > 0) i++;
  return tracker_position(t, i);
}

bool tracker_news(const tracker *t, tabia_move *own, const tabia_percept **percepts,
                  uint32_t *count) {
  *own = t->own;
  *percepts = t->percepts.items;
  *count = t->percepts.count;
  return t->has_news;
}

/* ---- GDL-I ---- */

static bool read_joint(tracker *t, const void *position, const char *moves, tabia_move *joint,
                       arena *scratch) {
  slice rest = slice_of(moves), term;
  for (uint32_t role = 0; role < tabia_machine_role_count(t->m); role++) {
    const sexp_kind kind = sexp_next(&rest, &term);
    if (kind != SEXP_NAME && kind != SEXP_LIST) return false;
    const char *words = arena_copy_text(scratch, term.start, term.length);
    if (!tabia_move_find(t->w, position, role, words, &joint[role])) return false;
  }
  return true;
}

static bool step_seen(tracker *t, const match_step *step) {
  arena *scratch = arena_new();
  position_set *next = set_new(tabia_position_size(t->m));
  tabia_move *joint = arena_new_array(scratch, tabia_move, tabia_machine_role_count(t->m));
  uint64_t *after = arena_zero_array(scratch, uint64_t, next->size);
  if (tracker_count(t) && read_joint(t, set_at(t->now, 0), step->moves, joint, scratch)) {
    tabia_position_step(t->w, set_at(t->now, 0), joint, after);
    set_add(next, after, 1);
  }
  set_free(t->now);
  t->now = next;
  arena_free(scratch);
  return tracker_count(t) > 0;
}

/* ---- GDL-II: one position, one step ---- */

/* The joint moves of a position in which the role does what it did. */
typedef struct joint_choice {
  uint32_t roles;
  tabia_move **moves; /* of each role */
  uint32_t *counts;
  double count; /* of joint moves */
} joint_choice;

static uint32_t own_move(tracker *t, const void *position, const char *own, tabia_move *only) {
  return tabia_move_find(t->w, position, t->role, own, only) ? 1 : 0;
}

static void list_joints(tracker *t, const void *position, const char *own, joint_choice *c,
                        arena *scratch) {
  *c = (joint_choice){.roles = tabia_machine_role_count(t->m), .count = 1};
  c->moves = arena_new_array(scratch, tabia_move *, c->roles);
  c->counts = arena_new_array(scratch, uint32_t, c->roles);
  for (uint32_t i = 0; i < c->roles; i++) {
    const uint32_t room = tabia_position_legal(t->w, position, i, NULL, 0) + 1;
    c->moves[i] = arena_new_array(scratch, tabia_move, room);
    c->counts[i] = i == t->role && own ? own_move(t, position, own, c->moves[i])
                                       : tabia_position_legal(t->w, position, i, c->moves[i], room);
    c->count *= c->counts[i];
  }
}

static void take_joint(const joint_choice *c, uint64_t number, tabia_move *joint) {
  for (uint32_t i = 0; i < c->roles; i++) {
    joint[i] = c->moves[i][number % c->counts[i]];
    number /= c->counts[i];
  }
}

static void draw_joint(const joint_choice *c, rng *random, tabia_move *joint) {
  for (uint32_t i = 0; i < c->roles; i++) joint[i] = c->moves[i][rng_below(random, c->counts[i])];
}

static int compare_words(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *sorted_words(const char **words, uint32_t count, arena *keep) {
  text out = text_new(keep);
  if (count) qsort(words, count, sizeof *words, compare_words);
  for (uint32_t i = 0; i < count; i++)
    if (i == 0 || strcmp(words[i - 1], words[i]) != 0) text_add_format(&out, "%s ", words[i]);
  return text_string(&out);
}

/* Percepts as one text: sorted, each once. */
static const char *sorted_terms(const char *terms, arena *keep) {
  VEC(const char *) words = {0};
  slice rest = slice_of(terms), term;
  sexp_kind kind;
  while ((kind = sexp_next(&rest, &term)) == SEXP_NAME || kind == SEXP_LIST)
    vec_push(keep, &words, arena_copy_text(keep, term.start, term.length));
  return sorted_words(words.items, words.count, keep);
}

static const char *percept_words(const tracker *t, tabia_percept s, arena *keep) {
  const size_t length = tabia_percept_text(t->m, t->role, s, NULL, 0);
  char *words = arena_alloc(keep, length + 1);
  tabia_percept_text(t->m, t->role, s, words, length + 1);
  return words;
}

/* In all joint moves that agree with what was told the role does and sees the same. */
static void note_news(tracker *t, const tabia_move *joint, const tabia_percept *percepts,
                      uint32_t count) {
  t->has_news = true;
  t->own = joint[t->role];
  t->percepts.count = 0;
  vec_append(t->keep, &t->percepts, percepts, count);
}

static const char *seen_words(tracker *t, const void *position, const tabia_move *joint,
                              arena *keep) {
  const uint32_t count = tabia_position_sees(t->w, position, joint, t->role, NULL, 0);
  tabia_percept *percepts = arena_new_array(keep, tabia_percept, count + 1);
  const char **words = arena_new_array(keep, const char *, count + 1);
  tabia_position_sees(t->w, position, joint, t->role, percepts, count);
  for (uint32_t i = 0; i < count; i++) words[i] = percept_words(t, percepts[i], keep);
  return sorted_words(words, count, keep);
}

static void look_again(tracker *t, const void *position, const tabia_move *joint, arena *scratch) {
  const uint32_t count = tabia_position_sees(t->w, position, joint, t->role, NULL, 0);
  tabia_percept *percepts = arena_new_array(scratch, tabia_percept, count + 1);
  tabia_position_sees(t->w, position, joint, t->role, percepts, count);
  note_news(t, joint, percepts, count);
}

/* One position and one step that was told, worked on in `scratch`. */
typedef struct step_trial {
  const void *position;
  const char *percepts; /* sorted */
  joint_choice joints;
  tabia_move *joint;
  uint64_t *after;
  arena *scratch;
} step_trial;

static void begin_trial(step_trial *x, tracker *t, const void *position, const match_step *step,
                        arena *scratch) {
  *x = (step_trial){.position = position, .scratch = scratch};
  x->percepts = sorted_terms(step->percepts, scratch);
  list_joints(t, position, step->own, &x->joints, scratch);
  x->joint = arena_new_array(scratch, tabia_move, x->joints.roles);
  x->after = arena_zero_array(scratch, uint64_t, t->now->size);
}

/* Makes the joint move of the trial; false: the role would have seen something else. */
static bool try_joint(step_trial *x, tracker *t) {
  const arena_mark mark = arena_save(x->scratch);
  const bool agrees = strcmp(seen_words(t, x->position, x->joint, x->scratch), x->percepts) == 0;
  if (agrees && t->wants_news && !t->has_news) look_again(t, x->position, x->joint, x->scratch);
  arena_restore(x->scratch, mark);
  if (agrees) tabia_position_step(t->w, x->position, x->joint, x->after);
  return agrees;
}

/* ---- GDL-II: all positions ---- */

static void add_successors(tracker *t, uint32_t i, const match_step *step, position_set *next,
                           arena *scratch) {
  step_trial x;
  begin_trial(&x, t, set_at(t->now, i), step, scratch);
  const bool takes_all = x.joints.count <= JOINT_MAX;
  const uint64_t count = takes_all ? (uint64_t)x.joints.count : JOINT_MAX;
  for (uint64_t k = 0; k < count; k++) {
    if (takes_all)
      take_joint(&x.joints, k, x.joint);
    else
      draw_joint(&x.joints, &t->random, x.joint);
    if (try_joint(&x, t)) set_add(next, x.after, t->now->weights.items[i] / (double)count);
  }
}

static position_set *successors(tracker *t, const match_step *step) {
  arena *scratch = arena_new();
  position_set *next = set_new(tabia_position_size(t->m));
  for (uint32_t i = 0; i < tracker_count(t) && next->weights.count < POSITION_MAX; i++) {
    const arena_mark mark = arena_save(scratch);
    add_successors(t, i, step, next, scratch);
    arena_restore(scratch, mark);
  }
  arena_free(scratch);
  return next;
}

/* ---- GDL-II: through the history ---- */

/* A random line of play that agrees with what was told so far: true if `x->after` is at its end.
   It is begun anew wherever it gets stuck, as long as tries are left. */
static bool follow_history(tracker *t, uint64_t *position, uint64_t *tries, arena *scratch) {
  tabia_position_start(t->m, position);
  for (uint32_t i = 0; i < t->history.count; i++) {
    const arena_mark mark = arena_save(scratch);
    step_trial x;
    bool agrees = false;
    begin_trial(&x, t, position, &t->history.items[i], scratch);
    for (uint32_t k = 0; x.joints.count > 0 && k < 32 && !agrees && *tries; k++, (*tries)--) {
      draw_joint(&x.joints, &t->random, x.joint);
      agrees = try_joint(&x, t);
    }
    if (agrees) memcpy(position, x.after, t->now->size * 8);
    arena_restore(scratch, mark);
    if (!agrees) return false;
  }
  return true;
}

static void search_history(tracker *t, position_set *found) {
  arena *scratch = arena_new();
  uint64_t *position = arena_zero_array(scratch, uint64_t, t->now->size);
  uint64_t tries = SEARCH_MAX;
  while (tries && found->weights.count < TRACKER_CAPACITY / 10) {
    if (follow_history(t, position, &tries, scratch)) set_add(found, position, 1);
    tries -= tries > 0;
  }
  arena_free(scratch);
}

/* ---- GDL-II: a step ---- */

static const char *copied(const char *words, arena *keep) {
  return words ? arena_copy_text(keep, words, strlen(words)) : NULL;
}

static void replace(tracker *t, position_set *next) {
  set_free(t->now);
  t->now = next;
}

static bool step_hidden(tracker *t, const match_step *step) {
  const match_step kept = {.own = copied(step->own, t->keep),
                           .percepts = copied(step->percepts ? step->percepts : "", t->keep)};
  vec_push(t->keep, &t->history, kept);
  t->has_news = false;
  t->wants_news = kept.own;
  replace(t, successors(t, &kept));
  t->wants_news = false;
  if (!tracker_count(t)) search_history(t, t->now);
  if (!tracker_count(t)) return false;
  if (tracker_count(t) > TRACKER_CAPACITY)
    replace(t, set_sample(t->now, TRACKER_CAPACITY, &t->random));
  set_normalise(t->now);
  return true;
}

bool tracker_step(tracker *t, const match_step *step) {
  return t->is_hidden && !step->moves ? step_hidden(t, step) : step->moves && step_seen(t, step);
}
