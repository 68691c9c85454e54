/* tabia diff: are two rulesheets the same game? */
#include "base/json.h"
#include "cli/session.h"

#include <string.h>

static const command_help help = {
    .usage = "tabia diff [OPTION] OLD NEW",
    .details =
        "Proves that two rulesheets are the same game, or shows a line of moves after which they\n"
        "differ (a shortest one where it can), what differs there, and why in both.  The games are\n"
        "the same if they have the same roles, legal moves, ends, goals and percepts after every\n"
        "line.  The status is 0 if they are the same, 1 if they differ, and 4 if that is not\n"
        "known.",
    .example = "tabia diff game.kif new-game.kif --map names",
};

typedef struct diff_command {
  const char *map;
  uint32_t goals, method;
  uint64_t seed, threads, depth, most;
  limit_choice limits;
  bool as_json;
} diff_command;

static const char *const methods[] = {"auto", "pairs", "product", "play", NULL};
static const char *const goal_words[] = {"always", "end", NULL};

/* What is compared, and what came out. */
typedef struct comparison {
  session *s;
  const diff_command *c;
  tabia_rules *new_rules;
  tabia_diff *d;
} comparison;

/* ---- for people ---- */

static void add_piece(void *context, const char *bytes, size_t length) {
  text_add_bytes(context, bytes, length);
}

/* An explanation as text or JSON; NULL: there is none. */
static const char *explained(const comparison *x, uint32_t i, bool in_new, const char *format) {
  tabia_why *why;
  text out = text_new(x->s->keep);
  const uint32_t depth = x->c->depth < UINT32_MAX ? (uint32_t)x->c->depth : UINT32_MAX;
  if (tabia_diff_why(x->d, i, in_new, x->s->limits, &why, NULL) != TABIA_OK) return NULL;
  tabia_why_write(why, format, depth, add_piece, &out, NULL);
  tabia_why_free(why);
  if (out.length && out.bytes[out.length - 1] == '\n') out.bytes[--out.length] = '\0';
  return text_string(&out);
}

static void put_why(const comparison *x, uint32_t i, bool in_new) {
  const char *words = explained(x, i, in_new, "text");
  const tabia_rules *rules = in_new ? x->new_rules : x->s->rules;
  if (!words) return;
  printf("  %s: ", tabia_rules_name(rules));
  for (const char *at = words; *at;) {
    const size_t length = strcspn(at, "\n");
    printf("%s%.*s\n", at == words ? "" : "    ", (int)length, at);
    at += length + (at[length] == '\n');
  }
}

static void put_line(const tabia_diff *d) {
  for (uint32_t step = 0; step < tabia_diff_line_length(d); step++) {
    printf("  %u.", step + 1);
    for (uint32_t i = 0; i < tabia_diff_role_count(d); i++)
      printf("%s %s %s", i ? "," : "", tabia_diff_role(d, i), tabia_diff_line_move(d, step, i));
    putchar('\n');
  }
}

static void put_difference(const comparison *x, uint32_t i) {
  const bool is_in_new = tabia_diff_is_in_new(x->d, i);
  printf("%s holds in %s alone\n", tabia_diff_literal(x->d, i),
         tabia_rules_name(is_in_new ? x->new_rules : x->s->rules));
  put_why(x, i, false);
  put_why(x, i, true);
}

static void put_differences(const comparison *x) {
  const uint32_t length = tabia_diff_line_length(x->d), count = tabia_diff_count(x->d);
  if (!length)
    printf("different at the start (%s)\n", tabia_diff_method(x->d));
  else
    printf("different after %u step%s, %s (%s)\n", length, plural(length),
           tabia_diff_line_is_shortest(x->d) ? "the shortest line"
                                             : "perhaps not the shortest line",
           tabia_diff_method(x->d));
  put_line(x->d);
  for (uint32_t i = 0; i < count && i < x->c->most; i++) put_difference(x, i);
  if (count > x->c->most)
    printf("and %llu more: see --most\n", (unsigned long long)(count - x->c->most));
}

static void put_unknown(const tabia_diff *d) {
  const unsigned long long games = tabia_diff_games(d);
  const uint32_t depth = tabia_diff_depth(d);
  printf("not known: no difference in lines of fewer than %u step%s, nor in %llu random game%s\n",
         depth, plural(depth), games, plural(games));
  if (tabia_diff_reason(d)) printf("  %s\n", tabia_diff_reason(d));
}

static void put_same(const tabia_diff *d) {
  printf("the same game: proved by %s", tabia_diff_method(d));
  if (tabia_diff_states(d))
    printf(", %llu state%s", (unsigned long long)tabia_diff_states(d),
           plural(tabia_diff_states(d)));
  putchar('\n');
}

static void put_text(const comparison *x) {
  switch (tabia_diff_verdict(x->d)) {
    case TABIA_PROVED: put_same(x->d); break;
    case TABIA_REFUTED: put_differences(x); break;
    case TABIA_UNKNOWN: put_unknown(x->d); break;
  }
}

/* ---- for programs ---- */

static void write_line(json_writer *w, const tabia_diff *d) {
  json_open_array(w, "witness");
  for (uint32_t step = 0; step < tabia_diff_line_length(d); step++) {
    json_open_object(w, NULL);
    for (uint32_t i = 0; i < tabia_diff_role_count(d); i++)
      json_put_string(w, tabia_diff_role(d, i), tabia_diff_line_move(d, step, i));
    json_close_object(w);
  }
  json_close_array(w);
}

static void write_why(json_writer *w, const comparison *x, uint32_t i, bool in_new) {
  const char *words = explained(x, i, in_new, "json"), *key = in_new ? "why_new" : "why_old";
  if (words)
    json_put_json(w, key, words);
  else
    json_put_null(w, key);
}

static void write_differences(json_writer *w, const comparison *x) {
  json_open_array(w, "differences");
  for (uint32_t i = 0; i < tabia_diff_count(x->d); i++) {
    json_open_object(w, NULL);
    json_put_string(w, "kind", tabia_diff_kind(x->d, i));
    json_put_string(w, "literal", tabia_diff_literal(x->d, i));
    json_put_string(w, "holds_in", tabia_diff_is_in_new(x->d, i) ? "new" : "old");
    if (i < x->c->most) {
      write_why(w, x, i, false);
      write_why(w, x, i, true);
    }
    json_close_object(w);
  }
  json_close_array(w);
}

static const char *verdict_word(tabia_verdict v) {
  return v == TABIA_PROVED ? "same" : v == TABIA_REFUTED ? "different" : "unknown";
}

static void put_json(const comparison *x) {
  const tabia_diff *d = x->d;
  text out = text_new(x->s->keep);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_string(&w, "old", tabia_rules_name(x->s->rules));
  json_put_string(&w, "new", tabia_rules_name(x->new_rules));
  json_put_string(&w, "verdict", verdict_word(tabia_diff_verdict(d)));
  json_put_string(&w, "method", tabia_diff_method(d));
  json_put_number(&w, "seconds", tabia_diff_seconds(d));
  json_put_integer(&w, "states", (int64_t)tabia_diff_states(d));
  json_put_integer(&w, "random_games", (int64_t)tabia_diff_games(d));
  json_put_integer(&w, "clear_steps", tabia_diff_depth(d));
  json_put_bool(&w, "is_shortest", tabia_diff_line_is_shortest(d));
  write_line(&w, d);
  write_differences(&w, x);
  json_put_string(&w, "reason", tabia_diff_reason(d));
  json_close_object(&w);
  puts(text_string(&out));
}

/* ---- the command ---- */

static void set_number(tabia_options *o, const char *name, uint64_t number) {
  char words[24];
  snprintf(words, sizeof words, "%llu", (unsigned long long)number);
  tabia_options_set(o, name, words);
}

static bool set_map(session *s, const char *path, int *status) {
  text words = text_new(s->keep);
  const char *why;
  if (!path) return true;
  if (!session_read_file(path, &words, &why)) {
    fprintf(stderr, "tabia: cannot read %s: %s\n", path, why);
    *status = EXIT_CANNOT_READ;
    return false;
  }
  tabia_options_set(s->options, "map", text_string(&words));
  return true;
}

static int compare(session *s, const diff_command *c, const char *new_game) {
  comparison x = {.s = s, .c = c};
  tabia_options_set(s->options, "goals", goal_words[c->goals]);
  tabia_options_set(s->options, "method", methods[c->method]);
  set_number(s->options, "seed", c->seed);
  set_number(s->options, "threads", c->threads);
  tabia_status result = tabia_rules_read(&x.new_rules, new_game, s->log);
  if (result == TABIA_OK)
    result = tabia_diff_run(&x.d, s->rules, x.new_rules, s->options, s->limits, s->log);
  terminal_line_wipe(s->line);
  if (x.d && c->as_json) put_json(&x);
  if (x.d && !c->as_json) put_text(&x);
  tabia_diff_free(x.d);
  tabia_rules_free(x.new_rules);
  return session_show(s, result);
}

int cmd_diff(int argc, char **argv) {
  diff_command c = {.seed = 1, .threads = 1, .depth = 3, .most = 3, .limits = {.time_limit = 60}};
  const option options[] = {
      STRING_OPTION("map", &c.map, "FILE",
                    "names that differ, in pairs: the old one, then the new one"),
      CHOICE_OPTION("goals", &c.goals, goal_words, "compare goals in every state, or at the end"),
      CHOICE_OPTION("method", &c.method, methods,
                    "all; pairs of states; provers on both as one; random games"),
      NUMBER_OPTION("depth", &c.depth, "N", "fold explanations deeper than N (3)"),
      NUMBER_OPTION("most", &c.most, "N", "explain at most N differences (3)"),
      NUMBER_OPTION("seed", &c.seed, "N", "seed of the random games (1)"),
      NUMBER_OPTION("threads", &c.threads, "N", "threads of an exhaustive walk (1)", .least = 1,
                    .most = 1024),
      FLAG_OPTION("json", &c.as_json, "print a JSON object"),
      SESSION_LIMITS_SAYING(&c.limits, "stop after this time (60); 0: go on until it is known"),
      {0}};
  arguments given;
  int status;
  session s;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 2, 2, &status)) return status;
  if (session_begin(&s, &c.limits, &help, &status) && session_read(&s, given.items[0], &status) &&
      set_map(&s, c.map, &status))
    status = compare(&s, &c, given.items[1]);
  return session_end(&s, status);
}
