/* Places: the line that was last asked about, and how it goes on. */
#include "serve/play_parts.h"

static void *new_position(play_session *s) {
  return arena_alloc(s->game, tabia_position_size(s->machine));
}

static bool fail(play_session *s, tabia_status status, const char *code) {
  s->code = play_code_of(s, status, code);
  return false;
}

bool play_begin_line(play_session *s, const char *state) {
  arena_clear(s->game);
  memset(&s->line, 0, sizeof s->line);
  s->state = NULL;
  void *start = new_position(s);
  tabia_position_start(s->machine, start);
  if (state) {
    const tabia_status status =
        tabia_position_read(s->machine, "state", state, strlen(state), start, s->log);
    if (status != TABIA_OK) return fail(s, status, "state");
    s->state = arena_copy_text(s->game, state, strlen(state));
  }
  vec_push(s->game, &s->line, ((line_step){.position = start}));
  return true;
}

/* A joint move as one text: it may come as a list. */
static const char *joint_words(play_session *s, const json_t *move) {
  if (json_is_string(move)) return json_string_value(move);
  text t = text_new(s->scratch);
  for (size_t i = 0; i < json_array_size(move); i++) {
    const char *one = json_string_value(json_array_get(move, i));
    text_add_format(&t, "%s%s", i ? " " : "", one ? one : "");
  }
  return text_string(&t);
}

bool play_add_step(play_session *s, const char *words, const tabia_move *joint) {
  const line_step last = vec_last(&s->line);
  const uint32_t roles = tabia_machine_role_count(s->machine);
  line_step next = {.words = arena_copy_text(s->game, words, strlen(words)),
                    .joint = arena_new_array(s->game, tabia_move, roles + 1),
                    .position = new_position(s)};
  if (tabia_position_terminal(s->workspace, last.position)) return fail(s, TABIA_OK, "over");
  if (joint) {
    memcpy(next.joint, joint, roles * sizeof *joint);
  } else {
    const tabia_status status = tabia_joint_read(s->workspace, last.position, "move", words,
                                                 strlen(words), next.joint, s->log);
    if (status != TABIA_OK) return fail(s, status, "move");
  }
  tabia_position_step(s->workspace, last.position, next.joint, next.position);
  vec_push(s->game, &s->line, next);
  return true;
}

static bool same_state(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

/* Goes on from what the line has in common with the last one. */
bool play_go_to(play_session *s, const json_t *params) {
  const char *state = play_string(params, "state");
  const json_t *after = json_object_get(params, "after");
  size_t known = 0;
  if (!s->machine) return fail(s, TABIA_OK, "closed");
  if (after && !json_is_array(after)) return fail(s, TABIA_OK, "message");
  const bool goes_on = s->line.count && same_state(state, s->state);
  if (!goes_on && !play_begin_line(s, state)) return false;
  while (known + 1 < s->line.count && known < json_array_size(after) &&
         !strcmp(s->line.items[known + 1].words, joint_words(s, json_array_get(after, known))))
    known++;
  s->line.count = (uint32_t)known + 1;
  for (; known < json_array_size(after); known++)
    if (!play_add_step(s, joint_words(s, json_array_get(after, known)), NULL)) return false;
  return true;
}

const char *play_state_words(play_session *s) {
  const void *position = vec_last(&s->line).position;
  const size_t length = tabia_position_text(s->machine, position, NULL, 0);
  char *words = arena_alloc(s->scratch, length + 1);
  tabia_position_text(s->machine, position, words, length + 1);
  return words;
}
