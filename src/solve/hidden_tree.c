#include "solve/hidden_tree.h"

/* What the making of a level works with: positions of its nodes and of the next one's. */
typedef struct maker {
  hidden_tree *t;
  budget *b;
  uint64_t max_nodes;
  VEC(uint8_t) here, next;
  id_vec legal[HIDDEN_ROLES + 1]; /* of each chooser, then of chance */
  id_vec seen;
  move_id *joint;
  uint8_t *position;
} maker;

static const char *const too_large = "the tree of all plays has more nodes than are allowed";

/* ---- information sets ---- */

static uint64_t hash_of_set(const void *context, uint32_t id) {
  const hidden_tree *t = context;
  const hidden_set *s = &t->sets.items[id];
  uint64_t hash = hash_ids(t->percepts.items + s->first_percept, s->percepts);
  hash = hash_add(hash_add(hash_add(hash, s->role), s->before), s->move);
  return hash_mix(hash);
}

static bool is_same_set(const hidden_tree *t, const hidden_set *a, const hidden_set *b) {
  return a->role == b->role && a->before == b->before && a->move == b->move &&
         a->percepts == b->percepts &&
         memcmp(t->percepts.items + a->first_percept, t->percepts.items + b->first_percept,
                a->percepts * sizeof *t->percepts.items) == 0;
}

/* The set with this key, whose percepts are the last ones noted: they are dropped if it is there. */
static uint32_t find_set(hidden_tree *t, hidden_set key) {
  id_table_reserve(&t->index, t->keep, hash_of_set, t);
  vec_push(t->keep, &t->sets, key);
  const uint32_t new_id = t->sets.count - 1;
  uint32_t at = id_table_first(&t->index, hash_of_set(t, new_id));
  for (; t->index.slots[at] != ID_NONE; at = id_table_next(&t->index, at)) {
    if (!is_same_set(t, &t->sets.items[t->index.slots[at]], &key)) continue;
    t->sets.count--;
    t->percepts.count = key.first_percept;
    return t->index.slots[at];
  }
  id_table_put(&t->index, at, new_id);
  return new_id;
}

static uint32_t set_after(maker *k, const void *position, uint32_t chooser, uint32_t before) {
  hidden_tree *t = k->t;
  const uint32_t role = t->choosers[chooser];
  hidden_set key = {.role = chooser,
                    .before = before,
                    .move = k->joint[role],
                    .first_percept = t->percepts.count};
  key.percepts = machine_sees(t->m, t->w, position, k->joint, role, NULL, 0);
  vec_reserve(t->keep, &t->percepts, key.percepts);
  key.percepts = machine_sees(t->m, t->w, position, k->joint, role,
                              t->percepts.items + t->percepts.count, key.percepts);
  t->percepts.count += key.percepts;
  return find_set(t, key);
}

/* ---- a node ---- */

static void list_moves(maker *k, const void *position, uint32_t role, id_vec *moves) {
  const hidden_tree *t = k->t;
  const uint32_t count = machine_legal(t->m, t->w, position, role, NULL, 0);
  vec_reserve(t->keep, moves, count + 1);
  moves->count = machine_legal(t->m, t->w, position, role, moves->items, count);
}

/* A role must have the same moves wherever it knows the same. */
static void note_choices(maker *k, uint32_t set, const id_vec *moves) {
  hidden_tree *t = k->t;
  hidden_set *s = &t->sets.items[set];
  if (!s->moves) {
    s->first = t->choice_moves.count;
    s->moves = moves->count;
    for (uint32_t i = 0; i < moves->count; i++)
      vec_push(t->keep, &t->choice_moves, moves->items[i]);
  } else if (s->moves != moves->count || memcmp(t->choice_moves.items + s->first, moves->items,
                                                s->moves * sizeof *moves->items) != 0) {
    t->reason = "a role does not know which moves it has";
  }
}

static void note_end(maker *k, hidden_node *n, const void *position) {
  hidden_tree *t = k->t;
  int32_t goals[HIDDEN_ROLES] = {0};
  for (uint32_t i = 0; i < t->chooser_count; i++)
    if (machine_goals(t->m, t->w, position, t->choosers[i], &goals[i], 1) != 1)
      t->reason = "in some end a role has no goal, or several";
  if (t->chooser_count == 2 && goals[0] + goals[1] != 100)
    t->reason = "roles know only what they see (GDL-II), and their goals do not add up to 100";
  n->goal = goals[0];
  n->first = UINT32_MAX;
  t->ends++;
}

static void look_at(maker *k, hidden_node *n, const void *position) {
  hidden_tree *t = k->t;
  n->moves[0] = n->moves[1] = n->chances = 1;
  k->legal[HIDDEN_ROLES].count = 0;
  for (uint32_t i = 0; i < t->chooser_count; i++) {
    list_moves(k, position, t->choosers[i], &k->legal[i]);
    n->moves[i] = k->legal[i].count;
    if (!n->moves[i]) t->reason = "in some state a role has no move";
    if (n->moves[i]) note_choices(k, n->sets[i], &k->legal[i]);
  }
  if (t->nature == t->m->role_count) return;
  list_moves(k, position, t->nature, &k->legal[HIDDEN_ROLES]);
  n->chances = k->legal[HIDDEN_ROLES].count;
  if (!n->chances) t->reason = "in some state a role has no move";
  t->has_chance |= n->chances > 1;
}

static void make_child(maker *k, const hidden_node *n, const void *position, uint32_t number) {
  hidden_tree *t = k->t;
  hidden_node child = {.sets = {0}};
  const uint32_t numbers[] = {number / n->chances / n->moves[1], number / n->chances % n->moves[1],
                              number % n->chances};
  for (uint32_t i = 0; i < t->chooser_count; i++)
    k->joint[t->choosers[i]] = k->legal[i].items[numbers[i]];
  if (t->nature < t->m->role_count)
    k->joint[t->nature] = k->legal[HIDDEN_ROLES].items[numbers[HIDDEN_ROLES]];
  for (uint32_t i = 0; i < t->chooser_count; i++)
    child.sets[i] = set_after(k, position, i, n->sets[i]);
  vec_reserve(t->keep, &k->next, (uint32_t)t->m->position_size);
  machine_step(t->m, t->w, position, k->joint, k->next.items + k->next.count);
  k->next.count += (uint32_t)t->m->position_size;
  vec_push(t->keep, &t->nodes, child);
}

static void expand(maker *k, uint32_t number, const uint8_t *position) {
  hidden_tree *t = k->t;
  hidden_node n = t->nodes.items[number];
  if (machine_terminal(t->m, t->w, position)) {
    note_end(k, &n, position);
    t->nodes.items[number] = n;
    return;
  }
  look_at(k, &n, position);
  n.first = t->nodes.count;
  t->nodes.items[number] = n;
  const uint64_t all = (uint64_t)n.moves[0] * n.moves[1] * n.chances;
  if (t->nodes.count + all > k->max_nodes ||
      k->next.count + all * t->m->position_size > UINT32_MAX / 2)
    t->reason = too_large;
  for (uint32_t i = 0; i < all && !t->reason; i++) make_child(k, &n, position, i);
}

/* ---- all of it ---- */

/* False: stop. */
static bool make_level(maker *k) {
  hidden_tree *t = k->t;
  const uint32_t first = t->levels.items[t->levels.count - 1], end = t->nodes.count;
  vec_push(t->keep, &t->levels, end);
  k->next.count = 0;
  for (uint32_t i = first; i < end && !t->reason; i++) {
    memcpy(k->position, k->here.items + (i - first) * t->m->position_size, t->m->position_size);
    expand(k, i, k->position);
    if (budget_is_spent(k->b)) return false;
  }
  vec_reserve(t->keep, &k->here, k->next.count);
  memcpy(k->here.items, k->next.items, k->next.count);
  return !t->reason && t->nodes.count > end;
}

static void make_root(maker *k) {
  hidden_tree *t = k->t;
  const hidden_node root = {.sets = {0, 1}};
  vec_reserve(t->keep, &t->percepts, 1); /* so that there is an array */
  for (uint32_t i = 0; i < HIDDEN_ROLES; i++)
    find_set(t, (hidden_set){.role = i, .before = ID_NONE, .move = MOVE_NONE});
  vec_push(t->keep, &t->levels, 0);
  vec_push(t->keep, &t->nodes, root);
  /* A state may have no bytes, and no successor: there are arrays all the same. */
  vec_reserve(t->keep, &k->here, (uint32_t)t->m->position_size + 1);
  vec_reserve(t->keep, &k->next, 1);
  machine_start(t->m, k->here.items);
}

bool hidden_tree_make(hidden_tree *t, const machine *m, uint64_t max_nodes, arena *keep,
                      budget *b) {
  *t = (hidden_tree){.keep = keep, .m = m, .nature = machine_nature(m)};
  maker k = {.t = t, .b = b, .max_nodes = max_nodes ? max_nodes : HIDDEN_NODES_MAX};
  for (uint32_t r = 0; r < m->role_count; r++) {
    if (r == t->nature) continue;
    if (t->chooser_count < HIDDEN_ROLES) t->choosers[t->chooser_count] = r;
    t->chooser_count++;
  }
  if (t->chooser_count > HIDDEN_ROLES)
    t->reason = "more than two roles know only what they see (GDL-II)";
  if (t->reason) return false;
  t->w = machine_workspace_new(m, b);
  k.joint = arena_new_array(keep, move_id, m->role_count);
  k.position = arena_alloc_zero(keep, m->position_size + 8);
  make_root(&k);
  while (make_level(&k)) continue;
  machine_workspace_free(m, t->w);
  return !t->reason && !budget_check_now(b);
}
