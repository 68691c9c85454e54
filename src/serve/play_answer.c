/* Answers of a session, and what is common to them. */
#include "serve/play_parts.h"

#include <stdlib.h>

void play_put(void *context, const char *bytes, size_t length) {
  text_add_bytes(context, bytes, length);
}

void play_begin_answer(play_session *s, json_writer *w, text *out) {
  char *id = json_dumps(s->id, JSON_ENCODE_ANY | JSON_COMPACT);
  *out = text_new(s->scratch);
  *w = json_to(out);
  json_open_object(w, NULL);
  json_put_json(w, "id", id ? id : "null");
  free(id);
}

void play_end_answer(play_session *s, json_writer *w, text *out) {
  json_close_object(w);
  fprintf(s->out, "%s\n", text_string(out));
  fflush(s->out);
}

/* JSON that was written with line ends around it: texts in it have none of their own. */
void play_put_one_line(json_writer *w, const char *key, text *json) {
  for (size_t i = 0; i < json->length; i++)
    if (json->bytes[i] == '\n') json->bytes[i] = ' ';
  json_put_json(w, key, text_string(json));
}

void play_write_diagnostics(play_session *s, json_writer *w) {
  text t = text_new(s->scratch);
  tabia_messages_write(s->log, "json", TABIA_NOTE, play_put, &t);
  if (!t.length) text_add(&t, "[]");
  play_put_one_line(w, "diagnostics", &t);
}

void play_answer_error(play_session *s, const char *code, const char *message) {
  text out;
  json_writer w;
  const bool has_messages = tabia_messages_count(s->log);
  play_begin_answer(s, &w, &out);
  json_open_object(&w, "error");
  json_put_string(&w, "code", code);
  json_put_string(&w, "message", has_messages ? tabia_message_text(s->log, 0) : message);
  play_write_diagnostics(s, &w);
  json_close_object(&w);
  play_end_answer(s, &w, &out);
}

const char *play_code_of(const play_session *s, tabia_status status, const char *usual) {
  if (status != TABIA_LIMIT) return usual;
  return request_line_is_stopped(s->requests) ? "stopped" : "limit";
}

const char *play_string(const json_t *params, const char *name) {
  return json_string_value(json_object_get(params, name));
}
