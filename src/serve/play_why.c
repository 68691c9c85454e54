/* Why something holds where the line ends, or why not. */
#include "serve/play_parts.h"

static const double WHY_SECONDS = 20;
enum { WHY_DEPTH = 12 };

/* The line as `after` takes it. */
static const char *line_words(play_session *s) {
  text t = text_new(s->scratch);
  for (uint32_t i = 1; i < s->line.count; i++)
    for (uint32_t r = 0; r < tabia_machine_role_count(s->machine); r++)
      text_add_format(&t, "%s ", play_move_words(s, s->machine, r, s->line.items[i].joint[r]));
  return text_string(&t);
}

static tabia_status ask(play_session *s, const char *question, tabia_why **why) {
  tabia_options *options = tabia_options_new();
  if (s->state) tabia_options_set(options, "from", s->state);
  if (s->line.count > 1) tabia_options_set(options, "after", line_words(s));
  tabia_limits_set_seconds(s->limits, WHY_SECONDS);
  const tabia_status status = tabia_why_ask(why, s->rules, question, options, s->limits, s->log);
  tabia_limits_set_seconds(s->limits, 0);
  tabia_options_free(options);
  return status;
}

static void answer(play_session *s, tabia_why *why) {
  text out, words = text_new(s->scratch), json = text_new(s->scratch);
  json_writer w;
  tabia_why_write(why, "text", WHY_DEPTH, play_put, &words, s->log);
  tabia_why_write(why, "json", WHY_DEPTH, play_put, &json, s->log);
  play_begin_answer(s, &w, &out);
  json_open_object(&w, "result");
  json_put_bool(&w, "holds", tabia_why_holds(why));
  json_put_string(&w, "text", text_string(&words));
  play_put_one_line(&w, "why", &json);
  json_close_object(&w);
  play_end_answer(s, &w, &out);
}

void play_why(play_session *s, const json_t *params) {
  const char *question = play_string(params, "question");
  tabia_why *why = NULL;
  if (!question) {
    play_answer_error(s, "message", "`question` is missing");
    return;
  }
  const tabia_status status = ask(s, question, &why);
  if (status != TABIA_OK) {
    const char *usual = status == TABIA_MISUSE ? "message" : "rules";
    play_answer_error(s, play_code_of(s, status, usual), "this cannot be explained");
    return;
  }
  answer(s, why);
  tabia_why_free(why);
}
