#include "prove/witness.h"

#include "machine/reference/reference.h"

#include <string.h>

enum { MORE_ROUNDS = 256 };

bool witness_judge_open(witness_judge *j, const circuit *c, const program *p, budget *b,
                        diag_sink *d) {
  const machine_source from = {.program = p};
  *j = (witness_judge){.c = c, .scratch = arena_new()};
  j->m = machine_open("reference", &from, b, d);
  if (j->m) j->w = machine_workspace_new(j->m, b);
  return j->m;
}

void witness_judge_close(witness_judge *j) {
  if (j->m) machine_workspace_free(j->m, j->w);
  machine_close(j->m);
  arena_free(j->scratch);
}

/* ---- playing ---- */

typedef struct replay {
  witness_judge *j;
  const char **texts; /* of the moves, role by role */
  uint8_t *position;
  state_view view;
} replay;

/* False: one of the moves is not legal here. */
static bool play_joint(replay *r, uint32_t step) {
  const machine *m = r->j->m;
  move_id *joint = arena_new_array(r->j->scratch, move_id, m->role_count + 1);
  if (r->view.terminal) return false;
  for (uint32_t role = 0; role < m->role_count; role++) {
    joint[role] =
        view_find_move(&r->view.roles[role], r->texts[(size_t)step * m->role_count + role]);
    if (joint[role] == MOVE_NONE) return false;
  }
  machine_step(m, r->j->w, r->position, joint, r->position);
  return state_view_read(&r->view, m, r->j->w, r->position, r->j->scratch);
}

static bool begin_replay(replay *r, witness_judge *j, const id_vec *line) {
  *r = (replay){.j = j,
                .texts = line_texts(j->c, line, j->scratch),
                .position = arena_alloc(j->scratch, j->m->position_size)};
  machine_start(j->m, r->position);
  return state_view_read(&r->view, j->m, j->w, r->position, j->scratch);
}

/* ---- what a line must show ---- */

static const char *say(arena *keep, const char *who, const char *what) {
  text out = text_new(keep);
  text_add_format(&out, "%s %s", who, what);
  return text_string(&out);
}

static bool shows_stuck(const state_view *v, const char **reason, arena *keep) {
  const uint32_t role = view_stuck_role(v);
  if (v->terminal || role == v->role_count) return false;
  *reason = say(keep, v->roles[role].name, "has no legal move, and the state is not terminal");
  return true;
}

static bool shows_misjudged(const state_view *v, const char **reason, arena *keep) {
  for (uint32_t role = 0; v->terminal && role < v->role_count; role++) {
    const role_view *r = &v->roles[role];
    const char *what = NULL;
    if (role == v->nature) continue;
    if (r->goal_count == 0)
      what = "has no goal in a terminal state";
    else if (r->goal_count > 1)
      what = "has several goals in a terminal state";
    else if (r->goals[0] < 0 || r->goals[0] > 100)
      what = "has a goal that is not in 0 .. 100";
    if (!what) continue;
    *reason = say(keep, r->name, what);
    return true;
  }
  return false;
}

/* A role has no goal or several, or a smaller one than before. */
static bool shows_fall(const state_view *before, const state_view *v, const char **reason,
                       arena *keep) {
  for (uint32_t role = 0; role < v->role_count; role++) {
    const role_view *had = &before->roles[role], *has = &v->roles[role];
    const char *what = NULL;
    if (role == v->nature) continue;
    if (has->goal_count != 1)
      what = has->goal_count ? "has several goals" : "has no goal";
    else if (has->goals[0] < 0 || has->goals[0] > 100)
      what = "has a goal that is not in 0 .. 100";
    else if (had->goal_count == 1 && has->goals[0] < had->goals[0])
      what = "has a smaller goal than before";
    if (!what) continue;
    *reason = say(keep, has->name, what);
    return true;
  }
  return false;
}

static bool shows_won(const state_view *v, uint32_t role) {
  const role_view *r = &v->roles[role];
  for (uint32_t i = 0; v->terminal && i < r->goal_count; i++)
    if (r->goals[i] == 100) return true;
  return false;
}

/* Each atom is a question to the machine. */
static bool shows_claim(witness_judge *j, const claim *f) {
  bool *holds = arena_zero_array(j->scratch, bool, atoms_count(j->c));
  for (uint32_t i = 0; i < f->steps.count; i++) {
    const claim_step *s = &f->steps.items[i];
    atom_parts parts;
    if (s->op != CLAIM_ATOM) continue;
    atom_take_apart(j->c, s->number, &parts);
    holds[s->number] = reference_holds(j->m, j->w, j->position, parts.relation, parts.args,
                                       parts.count, j->c->terms);
  }
  return claim_holds(f, holds, j->scratch);
}

bool witness_judge_sees(witness_judge *j, const state_view *v, const property *p,
                        const char **reason, arena *keep) {
  switch (p->kind) {
    case PROPERTY_PLAYABLE: return shows_stuck(v, reason, keep);
    case PROPERTY_GOALS: return shows_misjudged(v, reason, keep);
    case PROPERTY_WINNABLE: return shows_won(v, p->role);
    case PROPERTY_UNREACHABLE: return shows_claim(j, &p->claim);
    case PROPERTY_INVARIANT: return !shows_claim(j, &p->claim);
    default: return false;
  }
}

/* ---- rounds ---- */

static bool is_at(const replay *r, const uint8_t *position) {
  return memcmp(r->position, position, r->j->m->position_size) == 0;
}

/* Plays the round again and again until the state at its begin comes again. */
static bool closes_round(replay *r, finding *v, arena *keep) {
  const uint32_t roles = r->j->m->role_count, round = v->length - v->returns_to;
  const size_t size = r->j->m->position_size;
  uint8_t *begins = arena_alloc(r->j->scratch, (MORE_ROUNDS + 1) * size + 1);
  for (uint32_t n = 0; n <= MORE_ROUNDS; n++) {
    memcpy(begins + n * size, r->position, size);
    for (uint32_t i = 0; i < round; i++)
      if (!play_joint(r, v->returns_to + i)) return false;
    for (uint32_t k = 0; k <= n; k++) {
      if (!is_at(r, begins + k * size)) continue;
      const uint32_t *again = vec_from(&v->line, (size_t)v->returns_to * roles);
      const uint32_t returns_to = v->returns_to + k * round;
      for (uint32_t more = 0; more < n; more++)
        for (uint32_t i = 0; i < round * roles; i++) {
          vec_push(keep, &v->line, again[i]);
          again = vec_from(&v->line, (size_t)v->returns_to * roles);
        }
      v->length += n * round;
      v->returns_to = returns_to;
      return true;
    }
  }
  return false;
}

bool witness_judge_agrees(witness_judge *j, const property *p, finding *v, arena *keep) {
  const arena_mark mark = arena_save(j->scratch);
  const uint32_t before = p->kind == PROPERTY_TERMINATES ? v->returns_to : v->length;
  replay r;
  bool ok = begin_replay(&r, j, &v->line);
  state_view last = r.view;
  for (uint32_t step = 0; ok && step < before; step++) {
    last = r.view;
    ok = play_joint(&r, step);
  }
  j->position = r.position;
  if (ok && p->kind == PROPERTY_TERMINATES)
    ok = closes_round(&r, v, keep);
  else if (ok && p->kind == PROPERTY_MONOTONE)
    ok = shows_fall(&last, &r.view, &v->reason, keep);
  else if (ok)
    ok = witness_judge_sees(j, &r.view, p, &v->reason, keep) && !j->w->trouble.is_there;
  arena_restore(j->scratch, mark);
  return ok;
}

bool witness_judge_plays(witness_judge *j, const id_vec *line) {
  const arena_mark mark = arena_save(j->scratch);
  replay r;
  bool ok = begin_replay(&r, j, line);
  for (uint32_t step = 0; ok && step < line->count / j->m->role_count; step++)
    ok = play_joint(&r, step);
  arena_restore(j->scratch, mark);
  return ok;
}
