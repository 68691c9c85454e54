#include "solve/pn_search.h"

#include "base/hash.h"

#include <string.h>

enum { PATIENCE = 16 };

static const pn_numbers shown = {0, PN_INFINITE, false}, refuted = {PN_INFINITE, 0, false};

void pn_search_init(pn_search *x, const solve_space *s, size_t table_bytes, budget *b) {
  *x = (pn_search){.s = s, .b = b};
  x->paths = arena_new();
  x->steps = arena_new();
  x->looks = arena_new();
  lane_expander_init(&x->e, &s->stepper, x->steps);
  lane_expander_init(&x->look, &s->stepper, x->looks);
  x->e.needs_no_goals = true;
  vec_reserve(x->paths, &x->path_states,
              1); /* there is an address where states have no bytes, too */
  vec_reserve(x->paths, &x->child_states, 1);
  x->marks = arena_zero_array(x->paths, uint32_t, PN_MARKS);
  pn_table_init(&x->table, s->stepper.state_bytes, table_bytes, x->paths);
  budget_watch(b, x->paths);
}

void pn_search_free(pn_search *x) {
  budget_unwatch(x->b, x->paths);
  arena_free(x->looks);
  arena_free(x->steps);
  arena_free(x->paths);
}

uint32_t pn_search_add(pn_search *x, pn_question q) {
  vec_push(x->paths, &x->questions, q);
  return x->questions.count - 1;
}

static pn_question *question_of(pn_search *x) { return &x->questions.items[x->question]; }

static uint32_t state_bytes(const pn_search *x) { return x->s->stepper.state_bytes; }

static uint8_t *path_state(const pn_search *x, uint32_t i) {
  return x->path_states.items + (size_t)i * state_bytes(x);
}

static uint8_t *child_state(const pn_search *x, uint32_t i) {
  return x->child_states.items + (size_t)i * state_bytes(x);
}

static uint64_t least_of(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* ---- one state ---- */

static pn_numbers decided(bool seeker_gets_there) { return seeker_gets_there ? shown : refuted; }

/* Ends are met in the expander `look`. */
static void note_sum(pn_search *x, uint32_t lane) {
  int32_t sum = 0;
  for (uint32_t role = 0; role < x->s->m->role_count; role++)
    if (role != x->s->g->nature) sum += goal_in_lane(x->s, &x->look, role, lane, NULL);
  x->met_uneven_ends |= sum != WHOLE_SUM;
}

static pn_numbers judge_leaf(pn_search *x, uint32_t lane) {
  pn_question *q = question_of(x);
  fault_kind fault = FAULT_NONE;
  int32_t goal = ENDLESS_VALUE;
  if (is_end_lane(&x->look, lane)) {
    goal = goal_in_lane(x->s, &x->look, q->role, lane, &fault);
    note_sum(x, lane);
  } else {
    fault = FAULT_STUCK;
  }
  q->met_faults |= fault != FAULT_NONE;
  return decided((goal >= q->least) != q->cycles_suffice);
}

/* Does the seeker choose in an open lane?  False in *is_sound: several choose at once, or chance
   does. */
static bool seeker_chooses(const pn_search *x, const lane_expander *e, uint32_t lane,
                           bool *is_sound) {
  const pn_question *q = &x->questions.items[x->question];
  uint32_t last;
  const uint32_t nature = x->s->g->nature, count = choosers_in_lane(x->s, e, lane, &last);
  const bool has_chance = nature < x->s->m->role_count && moves_in_lane(e, nature, lane) > 1;
  *is_sound = count + has_chance <= 1 && (x->is_against_chance || !has_chance);
  const bool role_chooses = !has_chance && (!count || last == q->role);
  return role_chooses != q->cycles_suffice;
}

/* Whoever is not at turn must answer all moves: so many leaves at least. */
static pn_numbers guess(pn_search *x, uint32_t lane) {
  bool is_sound;
  uint64_t moves = 1;
  const bool seeks = seeker_chooses(x, &x->look, lane, &is_sound);
  for (uint32_t role = 0; role < x->s->m->role_count; role++)
    moves = least_of(moves * moves_in_lane(&x->look, role, lane), PN_INFINITE - 1);
  return seeks ? (pn_numbers){1, (uint32_t)moves, false} : (pn_numbers){(uint32_t)moves, 1, false};
}

/* ---- the path ---- */

static uint32_t *mark_of(const pn_search *x, uint64_t hash) { return &x->marks[hash % PN_MARKS]; }

static bool is_on_path(const pn_search *x, const uint8_t *state, uint64_t hash) {
  for (uint32_t i = *mark_of(x, hash); i > 0; i = x->path.items[i - 1].before)
    if (x->path.items[i - 1].hash == hash &&
        memcmp(path_state(x, i - 1), state, state_bytes(x)) == 0)
      return true;
  return false;
}

/* ---- successors ---- */

static bool is_repeated(const pn_search *x, uint32_t first, const uint8_t *state, uint64_t hash) {
  for (uint32_t i = first; i < x->children.count; i++)
    if (x->children.items[i].hash == hash && memcmp(child_state(x, i), state, state_bytes(x)) == 0)
      return true;
  return false;
}

/* What is known of a successor that is no leaf. */
static pn_numbers number_child(pn_search *x, uint32_t lane, const uint8_t *state, uint64_t hash) {
  pn_numbers n;
  const bool is_known = pn_table_find(&x->table, x->question, state, hash, &n);
  if (is_known && pn_is_decided(n)) return n;
  if (is_on_path(x, state, hash)) {
    question_of(x)->met_cycles = true;
    return (pn_numbers){PN_INFINITE, 0, true};
  }
  return is_known ? n : guess(x, lane);
}

static void add_child(pn_search *x, uint32_t first, uint32_t lane, const uint8_t *state,
                      uint64_t hash) {
  /* Images of one state are one successor. */
  if (x->s->stepper.symmetries && is_repeated(x, first, state, hash)) return;
  const bool is_leaf = !lane_expander_is_open(&x->look, lane);
  const pn_numbers n = is_leaf ? judge_leaf(x, lane) : number_child(x, lane, state, hash);
  const pn_child c = {.n = n, .is_leaf = is_leaf, .hash = hash};
  vec_push(x->paths, &x->children, c);
  vec_append(x->paths, &x->child_states, state, state_bytes(x));
}

static bool take_successors(void *context, const lane_successors *batch) {
  pn_search *x = context;
  uint64_t hashes[LANES];
  const uint32_t first = vec_last(&x->path).first;
  for (uint32_t i = 0; i < batch->count; i++) {
    hashes[i] = hash_bytes(batch->states + (size_t)i * state_bytes(x), state_bytes(x));
    pn_table_prefetch(&x->table, x->question, hashes[i]);
  }
  lane_expander_look(&x->look, batch->states, batch->count);
  for (uint32_t i = 0; i < batch->count; i++)
    add_child(x, first, i, batch->states + (size_t)i * state_bytes(x), hashes[i]);
  return true;
}

/* The successors of the last state of the path. */
static void expand(pn_search *x) {
  pn_frame *f = &vec_last(&x->path);
  bool is_sound;
  x->nodes++;
  if (x->b) progress_tell(x->b->progress, (double)x->nodes, 0, "states expanded");
  lane_expander_look(&x->e, path_state(x, x->path.count - 1), 1);
  assert(lane_expander_is_open(&x->e, 0));
  f->seeker_moves = seeker_chooses(x, &x->e, 0, &is_sound);
  if (!is_sound) x->reason = "there is chance, or roles choose at once";
  if (budget_is_spent(x->b) || x->reason) x->is_over = true;
  if (!x->is_over) lane_expander_make_steps(&x->e, take_successors, x);
  f->count = x->children.count - f->first;
}

static void push(pn_search *x, const uint8_t *state, uint64_t hash, uint32_t most_yes,
                 uint32_t most_no) {
  const pn_frame f = {.hash = hash,
                      .before = *mark_of(x, hash),
                      .first = x->children.count,
                      .most_yes = most_yes,
                      .most_no = most_no,
                      .work = 1};
  vec_reserve(x->paths, &x->path_states, state_bytes(x));
  memcpy(x->path_states.items + x->path_states.count, state, state_bytes(x));
  x->path_states.count += state_bytes(x);
  vec_push(x->paths, &x->path, f);
  *mark_of(x, hash) = x->path.count;
  expand(x);
}

/* Gives the last state of the path back. */
static void pop(pn_search *x) {
  const pn_frame f = vec_pop(&x->path);
  x->path_states.count -= state_bytes(x);
  x->children.count = f.first;
  x->child_states.count = f.first * state_bytes(x);
  *mark_of(x, f.hash) = f.before;
}

/* ---- numbers ---- */

/* As the side at turn sees them: `own` is 0 where it reaches what it wants. */
typedef struct side_numbers {
  uint32_t own, others;
} side_numbers;

static side_numbers seen_by(bool seeker, pn_numbers n) {
  return seeker ? (side_numbers){n.yes, n.no} : (side_numbers){n.no, n.yes};
}

/* What comes of the successors of a state: the least of `own`; the largest of `others` and one for
   each further successor that is open. */
typedef struct gathered {
  uint32_t best, open;             /* the successor to look at; how many are not decided */
  uint32_t least, second;          /* of own */
  uint32_t most;                   /* of others */
  bool is_by_cycle, has_other_way; /* of refuted successors */
} gathered;

static gathered gather(const pn_search *x, const pn_frame *f) {
  gathered g = {.least = PN_INFINITE, .second = PN_INFINITE};
  for (uint32_t i = 0; i < f->count; i++) {
    const pn_child *c = &x->children.items[f->first + i];
    const side_numbers n = seen_by(f->seeker_moves, c->n);
    g.open += n.others != 0;
    g.is_by_cycle |= c->n.is_by_cycle;
    g.has_other_way |= c->n.no == 0 && !c->n.is_by_cycle;
    if (n.others > g.most) g.most = n.others;
    if (n.own < g.least) {
      g.second = g.least;
      g.least = n.own;
      g.best = i;
    } else if (n.own < g.second) {
      g.second = n.own;
    }
  }
  return g;
}

static pn_numbers numbers_of(const pn_frame *f, const gathered *g) {
  uint32_t others = g->most;
  if (g->least == 0)
    others = PN_INFINITE;
  else if (others)
    others = g->most >= PN_INFINITE - g->open ? PN_INFINITE - 1 : g->most + g->open - 1;
  pn_numbers n = f->seeker_moves ? (pn_numbers){g->least, others, false}
                                 : (pn_numbers){others, g->least, false};
  if (n.no == 0) n.is_by_cycle = g->is_by_cycle && (f->seeker_moves || !g->has_other_way);
  return n;
}

/* ---- the search ---- */

/* How much worse than the second the best successor may become before it is left: twice as much
   after every PATIENCE visits.  Where cycles raise and lower numbers, two successors could take
   turns for ever. */
static uint32_t slack_of(const pn_frame *f) {
  const uint32_t doublings = f->visits / PATIENCE;
  return 1u << (doublings < 30 ? doublings : 30);
}

/* Looks at the best successor until it is worse than the second. */
static void descend(pn_search *x, const gathered *g) {
  pn_frame *f = &vec_last(&x->path);
  const uint32_t number = f->first + g->best;
  pn_child *c = &x->children.items[number];
  pn_numbers n;
  if (pn_table_find(&x->table, x->question, child_state(x, number), c->hash, &n) &&
      (n.yes != c->n.yes || n.no != c->n.no)) {
    c->n = n; /* it was met elsewhere since */
    return;
  }
  const uint32_t most_own = f->seeker_moves ? f->most_yes : f->most_no;
  const uint32_t most_others = f->seeker_moves ? f->most_no : f->most_yes;
  const uint32_t slack = slack_of(f);
  f->visits++;
  const uint32_t own =
      g->second >= PN_INFINITE - slack ? most_own : (uint32_t)least_of(most_own, g->second + slack);
  const uint32_t others = most_others == PN_INFINITE ? PN_INFINITE : most_others - (g->open - 1);
  f->at = g->best;
  push(x, child_state(x, number), c->hash, f->seeker_moves ? own : others,
       f->seeker_moves ? others : own);
}

static bool is_enough(const pn_frame *f, pn_numbers n) {
  return pn_is_decided(n) || n.yes >= f->most_yes || n.no >= f->most_no;
}

/* Until the path is as short as it was before. */
static pn_numbers search(pn_search *x, uint32_t below) {
  for (;;) {
    if (x->is_over) {
      while (x->path.count > below) pop(x);
      return (pn_numbers){1, 1, false};
    }
    const pn_frame f = vec_last(&x->path);
    const gathered g = gather(x, &f);
    const pn_numbers n = numbers_of(&f, &g);
    if (!is_enough(&f, n)) {
      descend(x, &g);
      continue;
    }
    pn_table_put(&x->table, x->question, path_state(x, x->path.count - 1), f.hash, n, f.work);
    pop(x);
    if (x->path.count == below) return n;
    pn_frame *parent = &vec_last(&x->path);
    parent->work += f.work;
    x->children.items[parent->first + parent->at].n = n;
  }
}

/* The state is copied before anything moves. */
static pn_numbers decide(pn_search *x, const uint8_t *state, uint64_t hash) {
  pn_numbers n;
  if (pn_table_find(&x->table, x->question, state, hash, &n) && pn_is_decided(n)) return n;
  push(x, state, hash, PN_INFINITE, PN_INFINITE);
  return search(x, x->path.count - 1);
}

/* ---- refutations that rest on cycles ---- */

/* States that the seeker is to be kept in. */
typedef struct cage {
  pn_search *x;
  arena *keep;
  VEC(uint8_t) states;
  VEC(uint64_t) hashes;
  id_table table;
} cage;

static uint64_t hash_in_cage(const void *context, uint32_t id) {
  return ((const cage *)context)->hashes.items[id];
}

static const uint8_t *state_in_cage(const cage *c, uint32_t id) {
  return c->states.items + (size_t)id * state_bytes(c->x);
}

/* Its place in the table of the cage. */
static uint32_t slot_in_cage(const cage *c, const uint8_t *state, uint64_t hash) {
  uint32_t at = id_table_first(&c->table, hash);
  for (; c->table.slots[at] != ID_NONE; at = id_table_next(&c->table, at))
    if (memcmp(state_in_cage(c, c->table.slots[at]), state, state_bytes(c->x)) == 0) break;
  return at;
}

static bool is_in_cage(const cage *c, const uint8_t *state, uint64_t hash) {
  return c->table.slots[slot_in_cage(c, state, hash)] != ID_NONE;
}

static void add_to_cage(cage *c, const uint8_t *state, uint64_t hash) {
  id_table_reserve(&c->table, c->keep, hash_in_cage, c);
  const uint32_t at = slot_in_cage(c, state, hash);
  if (c->table.slots[at] != ID_NONE) return;
  id_table_put(&c->table, at, c->hashes.count);
  vec_push(c->keep, &c->hashes, hash);
  vec_append(c->keep, &c->states, state, state_bytes(c->x));
}

/* Is a successor refuted, by what is known or by a search?  The children may move. */
static bool is_refuted(pn_search *x, uint32_t number) {
  const pn_child *c = &x->children.items[number];
  if (c->is_leaf) return c->n.no == 0;
  const pn_numbers n = decide(x, child_state(x, number), c->hash);
  return !x->is_over && n.no == 0;
}

static bool cage_all(cage *c, const pn_frame *f) {
  for (uint32_t i = f->first; i < f->first + f->count; i++) {
    if (!is_refuted(c->x, i)) return false;
    const pn_child *child = &c->x->children.items[i];
    if (!child->is_leaf) add_to_cage(c, child_state(c->x, i), child->hash);
  }
  return true;
}

static bool cage_one(cage *c, const pn_frame *f) {
  for (uint32_t i = f->first; i < f->first + f->count; i++) {
    const pn_child *child = &c->x->children.items[i];
    if (child->is_leaf ? child->n.no == 0 : is_in_cage(c, child_state(c->x, i), child->hash))
      return true;
  }
  for (uint32_t i = f->first; i < f->first + f->count; i++) {
    if (!is_refuted(c->x, i)) continue;
    add_to_cage(c, child_state(c->x, i), c->x->children.items[i].hash);
    return true;
  }
  return false;
}

/* A state of the cage: the seeker cannot leave it there. */
static bool closes(cage *c, uint32_t id) {
  pn_search *x = c->x;
  pn_numbers n;
  const uint64_t hash = c->hashes.items[id];
  const uint8_t *state = state_in_cage(c, id);
  if (pn_table_find(&x->table, x->question, state, hash, &n) && n.no == 0 && !n.is_by_cycle)
    return true;
  push(x, state, hash, PN_INFINITE, PN_INFINITE);
  const pn_frame f = vec_last(&x->path);
  *mark_of(x, hash) = f.before; /* the path begins behind it */
  const bool holds = !x->is_over && (f.seeker_moves ? cage_all(c, &f) : cage_one(c, &f));
  pop(x);
  return holds;
}

static bool is_caged(pn_search *x, const uint8_t *state, uint64_t hash) {
  cage c = {.x = x, .keep = arena_new()};
  vec_reserve(c.keep, &c.states, 1);
  add_to_cage(&c, state, hash);
  bool holds = true;
  for (uint32_t i = 0; i < c.hashes.count && holds; i++) holds = closes(&c, i);
  arena_free(c.keep);
  return holds;
}

/* ---- asking ---- */

pn_answer pn_search_known(const pn_search *x, uint32_t question, const uint8_t *state) {
  pn_numbers n;
  const uint64_t hash = hash_bytes(state, state_bytes(x));
  if (!pn_table_find(&x->table, question, state, hash, &n)) return PN_OPEN;
  if (!pn_is_decided(n) || n.is_by_cycle) return PN_OPEN;
  return (n.yes == 0) != x->questions.items[question].cycles_suffice ? PN_YES : PN_NO;
}

/* What rested on cycles and was wrong is forgotten; what was shown meanwhile stays, so that the
   next search finds something else. */
pn_answer pn_search_ask(pn_search *x, uint32_t question, const uint8_t *state) {
  const uint64_t hash = hash_bytes(state, state_bytes(x));
  x->question = question;
  for (;;) {
    const pn_numbers n = decide(x, state, hash);
    if (x->is_over) return PN_OPEN;
    const bool seeker_is_role = !question_of(x)->cycles_suffice;
    if (n.yes == 0) return seeker_is_role ? PN_YES : PN_NO;
    if (!n.is_by_cycle || is_caged(x, state, hash)) return seeker_is_role ? PN_NO : PN_YES;
    if (x->is_over) return PN_OPEN;
    pn_table_forget_cycles(&x->table);
  }
}
