/* tabia why: why a literal holds in a state, or why it does not. */
#include "cli/output.h"
#include "cli/session.h"

#include <string.h>

static const command_help help = {
    .usage = "tabia why [OPTION] GAME LITERAL",
    .details =
        "Explains why LITERAL holds: the shortest derivation, each step with its rule; or why it\n"
        "does not hold: how far each rule gets that could derive it.  LITERAL is an atom, (not\n"
        "ATOM), or a fluent, and may have variables: (legal x ?m).  For a fluent that is gone,\n"
        "says which step lost it.  The status is 0 for yes and 1 for no.",
    .example = "tabia why tic-tac-toe '(legal o (place 1 1))' --after '(place 1 1)'",
};

typedef struct why_command {
  limit_choice limits;
  start_choice start;
  const char *does;
  uint64_t depth;
  uint32_t format;
  bool as_json;
} why_command;

static const char *const formats[] = {"text", "json", "dot", NULL};

static void put_out(void *context, const char *bytes, size_t length) {
  fwrite(bytes, 1, length, context);
}

/* Sets an option to a text, or to what is in @FILE.  False: it cannot be read, which was shown. */
static bool set_text(session *s, const char *name, const char *value, int *status) {
  text words = text_new(s->keep);
  const char *why;
  if (value && *value == '@' && !session_read_file(value + 1, &words, &why)) {
    fprintf(stderr, "tabia: cannot read %s: %s\n", value + 1, why);
    *status = EXIT_CANNOT_READ;
    return false;
  }
  if (value) tabia_options_set(s->options, name, *value == '@' ? text_string(&words) : value);
  return true;
}

static int ask(session *s, const why_command *c, const char *literal) {
  tabia_why *why;
  const uint32_t depth = c->depth < UINT32_MAX ? (uint32_t)c->depth : UINT32_MAX;
  tabia_status result = tabia_why_ask(&why, s->rules, literal, s->options, s->limits, s->log);
  if (result != TABIA_OK) return session_show(s, result);
  result = tabia_why_write(why, c->as_json ? "json" : formats[c->format], depth, put_out, stdout,
                           s->log);
  const bool holds = tabia_why_holds(why);
  tabia_why_free(why);
  const int status = session_show(s, result);
  return status || holds ? status : EXIT_NO;
}

int cmd_why(int argc, char **argv) {
  why_command c = {.depth = UINT32_MAX};
  const option options[] = {
      SESSION_START(&c.start),
      STRING_OPTION("does", &c.does, "MOVES", "moves made in that state, for `next` and `sees`"),
      NUMBER_OPTION("depth", &c.depth, "N", "fold steps deeper than N (none)"),
      CHOICE_OPTION("format", &c.format, formats, "for people, programs or Graphviz"),
      FLAG_OPTION("json", &c.as_json, "the same as --format json"),
      SESSION_LIMITS(&c.limits),
      {0}};
  arguments given;
  int status;
  session s;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 2, 2, &status)) return status;
  if (session_begin(&s, &c.limits, &help, &status) && session_read(&s, given.items[0], &status) &&
      set_text(&s, "from", c.start.from, &status) &&
      set_text(&s, "after", c.start.after, &status) && set_text(&s, "does", c.does, &status))
    status = ask(&s, &c, given.items[1]);
  return session_end(&s, status);
}
