#include "machine/fault.h"

#include "machine/state_view.h"

#include <string.h>

game_fault fault_copy(const game_fault *f, const machine *m, arena *keep) {
  game_fault copy = *f;
  if (!f->position) return copy;
  const size_t moves = (size_t)f->length * m->role_count;
  move_id *line = arena_new_array(keep, move_id, moves + 1);
  if (moves) memcpy(line, f->line, moves * sizeof *line);
  copy.line = line;
  copy.position = memcpy(arena_alloc(keep, m->position_size), f->position, m->position_size);
  return copy;
}

static void describe_joint(const machine *m, const move_id *joint, text *out, arena *scratch) {
  for (uint32_t i = 0; i < m->role_count; i++)
    text_add_format(out, " %s", move_words(m, i, joint[i], scratch));
}

static void describe_line(const game_fault *f, const machine *m, text *out, arena *scratch) {
  const uint32_t hidden = f->length > FAULT_MOVES_SHOWN ? f->length - FAULT_MOVES_SHOWN : 0;
  if (hidden)
    text_add_format(out, "  after %u moves, the last of which are\n", f->length);
  else
    text_add(out, f->length ? "  after the moves\n" : "  at the start\n");
  for (uint32_t i = hidden; i < f->length; i++) {
    text_add_format(out, "    %u.", i + 1);
    describe_joint(m, f->line + (size_t)i * m->role_count, out, scratch);
    text_add_char(out, '\n');
  }
}

static const char *words_of(fault_kind kind) {
  switch (kind) {
    case FAULT_STUCK: return "has no legal move, and the state is not terminal";
    case FAULT_NO_GOAL: return "has no goal in a terminal state";
    case FAULT_SEVERAL_GOALS: return "has several goals in a terminal state";
    case FAULT_NONE: break;
  }
  return "is fine";
}

static void describe_state(const game_fault *f, const machine *m, text *out, arena *scratch) {
  const text_list fluents = fluents_of(m, f->position, scratch);
  text_add(out, "  in the state\n");
  for (uint32_t i = 0; i < fluents.count; i++) text_add_format(out, "    %s\n", fluents.items[i]);
}

void fault_describe(const game_fault *f, const machine *m, text *out) {
  text_add_format(out, "a fault of the game: %s %s\n", m->roles[f->role], words_of(f->kind));
  if (!f->position) return;
  arena *scratch = arena_new();
  describe_line(f, m, out, scratch);
  describe_state(f, m, out, scratch);
  arena_free(scratch);
}
