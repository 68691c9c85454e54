#include "search/joint_moves.h"

joint_moves joint_moves_new(uint32_t role_count, arena *keep) {
  return (joint_moves){.role_count = role_count,
                       .moves = arena_zero_array(keep, id_vec, role_count),
                       .at = arena_zero_array(keep, uint32_t, role_count),
                       .joint = arena_zero_array(keep, move_id, role_count),
                       .keep = keep};
}

static void list_moves(joint_moves *j, const machine *m, machine_workspace *w, const void *position,
                       uint32_t role) {
  id_vec *v = &j->moves[role];
  uint32_t count = machine_legal(m, w, position, role, v->items, v->capacity);
  if (count > v->capacity) {
    v->count = 0;
    vec_reserve(j->keep, v, count);
    count = machine_legal(m, w, position, role, v->items, v->capacity);
  }
  v->count = count;
}

uint32_t joint_moves_first(joint_moves *j, const machine *m, machine_workspace *w,
                           const void *position) {
  for (uint32_t role = 0; role < j->role_count; role++) {
    list_moves(j, m, w, position, role);
    if (j->moves[role].count == 0) return role;
    j->at[role] = 0;
    j->joint[role] = j->moves[role].items[0];
  }
  return j->role_count;
}

bool joint_moves_next(joint_moves *j) {
  for (uint32_t role = j->role_count; role-- > 0;) {
    const id_vec *v = &j->moves[role];
    const bool is_over = ++j->at[role] == v->count;
    if (is_over) j->at[role] = 0;
    j->joint[role] = v->items[j->at[role]];
    if (!is_over) return true;
  }
  return false;
}
