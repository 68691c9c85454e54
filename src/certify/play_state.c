#include "certify/play_state.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static int compare_texts(const void *left, const void *right) {
  const struct numbered_text *a = left, *b = right;
  return strcmp(a->words, b->words);
}

static const char *term_text(const play *p, term_id t) {
  text out = text_new(p->keep);
  term_print(p->g->terms, t, NOTATION_KIF, NULL, &out);
  return text_string(&out);
}

/* False: two have the same text, so that it does not say which is meant. */
static bool sort_texts(text_index *index) {
  if (index->count) qsort(index->items, index->count, sizeof *index->items, compare_texts);
  for (uint32_t i = 1; i < index->count; i++)
    if (compare_texts(&index->items[i - 1], &index->items[i]) == 0) return false;
  return true;
}

static bool index_fluents(play *p) {
  p->fluents.count = p->g->fluents.count;
  p->fluents.items = arena_new_array(p->keep, struct numbered_text, p->fluents.count + 1);
  for (uint32_t i = 0; i < p->fluents.count; i++)
    p->fluents.items[i] = (struct numbered_text){term_text(p, p->g->fluents.items[i].term), i};
  return sort_texts(&p->fluents);
}

static bool index_moves(play *p, uint32_t role) {
  const ground_role *r = &p->g->roles.items[role];
  text_index *moves = &p->moves[role];
  moves->count = r->move_count;
  moves->items = arena_new_array(p->keep, struct numbered_text, moves->count + 1);
  for (uint32_t i = 0; i < moves->count; i++) {
    const uint32_t move = r->first_move + i;
    moves->items[i] = (struct numbered_text){term_text(p, p->g->moves.items[move].term), move};
  }
  return sort_texts(moves);
}

static uint32_t number_of(const text_index *index, const char *words) {
  const struct numbered_text wanted = {.words = words};
  const struct numbered_text *found =
      bsearch(&wanted, index->items, index->count, sizeof *index->items, compare_texts);
  return found ? found->number : ID_NONE;
}

/* ---- opening ---- */

/* The machine and the ground program must speak of the same things in the same words. */
static bool names_agree(play *p, checker *k) {
  bool ok = p->m->role_count == p->g->roles.count && index_fluents(p);
  p->moves = arena_zero_array(p->keep, text_index, p->g->roles.count + 1);
  for (uint32_t i = 0; ok && i < p->g->roles.count; i++)
    ok = strcmp(p->m->roles[i], term_text(p, p->g->roles.items[i].term)) == 0 && index_moves(p, i);
  return ok || checker_give_up(k, "two names of the game look the same");
}

bool play_open(play *p, checker *k, const char *first_machine, const char *second_machine) {
  const machine_source from = {.program = k->program};
  diag_sink unheard;
  *p = (play){.g = k->g, .keep = arena_new(), .scratch = arena_new()};
  diag_sink_init(&unheard, p->keep);
  p->m = machine_open(first_machine, &from, k->b, &unheard);
  if (!p->m && second_machine) p->m = machine_open(second_machine, &from, k->b, &unheard);
  if (!p->m) return checker_give_up(k, "no machine takes the game");
  p->w = machine_workspace_new(p->m, k->b);
  p->nature = machine_nature(p->m);
  return names_agree(p, k);
}

void play_close(play *p) {
  if (p->m) machine_workspace_free(p->m, p->w);
  machine_close(p->m);
  arena_free(p->scratch);
  arena_free(p->keep);
}

/* ---- reading ---- */

static uint32_t look_up_fluent(play *p, fluent_id f) {
  while (p->fluent_of.count <= f) vec_push(p->keep, &p->fluent_of, ID_NONE);
  if (p->fluent_of.items[f] == ID_NONE) {
    text words = text_new(p->scratch);
    p->m->ops->fluent_text(p->m, f, &words);
    p->fluent_of.items[f] = number_of(&p->fluents, text_string(&words));
  }
  return p->fluent_of.items[f];
}

/* NULL: something holds that is no fluent of the ground program. */
static const bool *read_fluents(play *p, const void *position) {
  const uint32_t count = machine_fluents(p->m, position, NULL, 0);
  fluent_id *all = arena_new_array(p->scratch, fluent_id, count + 1);
  bool *holds = arena_zero_array(p->scratch, bool, p->g->fluents.count + 1);
  machine_fluents(p->m, position, all, count);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t fluent = look_up_fluent(p, all[i]);
    if (fluent == ID_NONE) return NULL;
    holds[fluent] = true;
  }
  return holds;
}

static role_state read_role(play *p, const void *position, uint32_t role) {
  const uint32_t moves = machine_legal(p->m, p->w, position, role, NULL, 0);
  const uint32_t goals = machine_goals(p->m, p->w, position, role, NULL, 0);
  move_id *legal = arena_new_array(p->scratch, move_id, moves + 1);
  int32_t *values = arena_new_array(p->scratch, int32_t, goals + 1);
  const uint32_t move_count = machine_legal(p->m, p->w, position, role, legal, moves);
  const uint32_t goal_count = machine_goals(p->m, p->w, position, role, values, goals);
  return (role_state){legal, move_count, values, goal_count};
}

bool play_read(play *p, checker *k, const void *position, play_state *s) {
  role_state *roles = arena_new_array(p->scratch, role_state, p->m->role_count + 1);
  *s = (play_state){.fluents = read_fluents(p, position), .roles = roles};
  if (!s->fluents) return checker_give_up(k, "a machine and the ground rules differ");
  s->is_terminal = machine_terminal(p->m, p->w, position);
  for (uint32_t i = 0; i < p->m->role_count; i++) roles[i] = read_role(p, position, i);
  return !p->w->trouble.is_there || checker_give_up(k, "the game could not be played on");
}

move_id play_find_move(play *p, const play_state *s, uint32_t role, uint32_t move) {
  const role_state *r = &s->roles[role];
  for (uint32_t i = 0; i < r->move_count; i++) {
    text words = text_new(p->scratch);
    p->m->ops->move_text(p->m, role, r->moves[i], &words);
    if (number_of(&p->moves[role], text_string(&words)) == move) return r->moves[i];
  }
  return MOVE_NONE;
}

/* ---- what a state shows ---- */

bool state_is_stuck(const play *p, const play_state *s) {
  for (uint32_t i = 0; !s->is_terminal && i < p->m->role_count; i++)
    if (!s->roles[i].move_count) return true;
  return false;
}

static bool is_judged(const role_state *r) {
  return r->goal_count == 1 && r->goals[0] >= 0 && r->goals[0] <= 100;
}

bool state_is_unjudged(const play *p, const play_state *s) {
  for (uint32_t i = 0; i < p->m->role_count; i++)
    if (i != p->nature && !is_judged(&s->roles[i])) return true;
  return false;
}

/* Terminal, and goals are wrong. */
static bool state_is_misjudged(const play *p, const play_state *s) {
  return s->is_terminal && state_is_unjudged(p, s);
}

/* Terminal, with 100 for the role. */
static bool state_is_won(const play_state *s, uint32_t role) {
  for (uint32_t i = 0; s->is_terminal && i < s->roles[role].goal_count; i++)
    if (s->roles[role].goals[i] == 100) return true;
  return false;
}

bool state_has_less(const play *p, const play_state *before, const play_state *s) {
  for (uint32_t i = 0; i < p->m->role_count; i++) {
    const role_state *had = &before->roles[i], *has = &s->roles[i];
    if (i != p->nature && had->goal_count == 1 && has->goal_count == 1 &&
        has->goals[0] < had->goals[0])
      return true;
  }
  return false;
}

bool state_is_forbidden(const play *p, const play_state *s, const evidence *e) {
  switch (e->kind) {
    case CERTIFIED_PLAYABLE: return state_is_stuck(p, s);
    case CERTIFIED_GOALS: return state_is_misjudged(p, s);
    case CERTIFIED_WINNABLE: return state_is_won(s, e->role);
    case CERTIFIED_UNREACHABLE: return state_formula_holds(&e->formula, s->fluents, p->scratch);
    case CERTIFIED_INVARIANT: return !state_formula_holds(&e->formula, s->fluents, p->scratch);
    default: return false;
  }
}
