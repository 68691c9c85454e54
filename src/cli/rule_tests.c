#include "cli/rule_tests.h"

#include "ggp/wire/sexp.h"

#include <inttypes.h>
#include <stdlib.h>

/* The progress of a test. */
typedef struct test_place {
  rule_tests *t;
  const char *file;
  const char *name; /* of the test */
  const char *from; /* NULL: the start of the game */
  text after;       /* moves so far */
  const char *does; /* or NULL */
  slice whole;      /* the file */
  slice step;       /* that is being done */
  bool is_stopped;  /* its line of play cannot be followed, or a limit was reached */
  bool is_spent;    /* a limit was reached, and the log says which */
} test_place;

/* ---- texts ---- */

static uint32_t line_of(const test_place *p, const char *at) {
  uint32_t line = 1;
  for (const char *c = p->whole.start; c < at; c++) line += *c == '\n';
  return line;
}

static const char *canonical(const test_place *p, slice terms) {
  text out = text_new(p->t->s->keep);
  sexp_add_canonical(terms, &out);
  return text_string(&out);
}

static void add_piece(void *context, const char *bytes, size_t length) {
  text_add_bytes(context, bytes, length);
}

/* What the log says, in one line; the log is empty then. */
static const char *take_messages(const test_place *p, const char *otherwise) {
  tabia_messages *log = p->t->s->log;
  const char *words = tabia_messages_count(log) ? tabia_message_text(log, 0) : otherwise;
  words = arena_copy_text(p->t->s->keep, words, strlen(words));
  tabia_messages_clear(log);
  return words;
}

static void fail(test_place *p, const char *message, const char *why) {
  const test_failure f = {.file = p->file,
                          .line = line_of(p, p->step.start),
                          .test = p->name,
                          .expected = canonical(p, p->step),
                          .message = message,
                          .why = why};
  vec_push(p->t->s->keep, &p->t->failures, f);
}

/* A limit says nothing of an expectation: it ends the tests. */
static void fail_as_told(test_place *p, tabia_status told, const char *otherwise) {
  p->is_spent = told == TABIA_LIMIT;
  p->is_stopped |= p->is_spent;
  if (!p->is_spent) fail(p, take_messages(p, otherwise), NULL);
}

/* ---- questions ---- */

/* NULL: it cannot be asked, and that has failed. */
static tabia_why *ask(test_place *p, const char *literal, const char *otherwise) {
  session *s = p->t->s;
  tabia_why *why = NULL;
  tabia_options_set(s->options, "from", p->from);
  tabia_options_set(s->options, "after", p->after.length ? text_string(&p->after) : NULL);
  tabia_options_set(s->options, "does", p->does);
  const tabia_status status = tabia_why_ask(&why, s->rules, literal, s->options, s->limits, s->log);
  if (status == TABIA_OK) return why;
  fail_as_told(p, status, otherwise);
  return NULL;
}

/* An explanation without its first line, which the message has. */
static const char *explained(const test_place *p, tabia_why *why) {
  text out = text_new(p->t->s->keep);
  tabia_why_write(why, p->t->as_json ? "json" : "text", p->t->depth, add_piece, &out, NULL);
  const char *words = text_string(&out), *end = strchr(words, '\n');
  return p->t->as_json || !end ? words : end + 1;
}

static void fail_with_why(test_place *p, const char *message, tabia_why *why) {
  fail(p, arena_copy_text(p->t->s->keep, message, strlen(message)), explained(p, why));
}

/* ---- expectations ---- */

static void expect_literal(test_place *p) {
  tabia_why *why = ask(p, canonical(p, p->step), "it cannot be asked");
  if (why && !tabia_why_holds(why)) fail_with_why(p, tabia_why_headline(why), why);
  tabia_why_free(why);
}

static bool read_number(slice word, uint64_t *number) {
  char *end;
  char digits[24] = {0};
  if (!word.length || word.length >= sizeof digits) return false;
  memcpy(digits, word.start, word.length);
  *number = strtoull(digits, &end, 10);
  return !*end && *digits >= '0' && *digits <= '9';
}

/* (count N LITERAL) */
static void expect_count(test_place *p, slice rest) {
  slice number, literal;
  uint64_t expected;
  text words = text_new(p->t->s->keep);
  if (sexp_next(&rest, &number) != SEXP_NAME || !read_number(number, &expected) ||
      sexp_next(&rest, &literal) == SEXP_END) {
    fail(p, "a number and a literal are needed", NULL);
    return;
  }
  tabia_why *why = ask(p, canonical(p, literal), "it cannot be asked");
  const uint32_t found = why ? tabia_why_answer_count(why) : 0;
  text_add_format(&words, "there are %u", found);
  if (why && found != expected) fail_with_why(p, text_string(&words), why);
  tabia_why_free(why);
}

static bool is_among(slice all, const char *term, const test_place *p) {
  slice next;
  for (sexp_kind k; (k = sexp_next(&all, &next)) == SEXP_NAME || k == SEXP_LIST;)
    if (strcmp(canonical(p, next), term) == 0) return true;
  return false;
}

/* (legal ROLE MOVE) without what stands around the move. */
static const char *move_in(const test_place *p, const char *answer, size_t role_length) {
  const size_t before = strlen("(legal ") + role_length + 1;
  return arena_copy_text(p->t->s->keep, answer + before, strlen(answer) - before - 1);
}

static bool is_answer(tabia_why *why, const test_place *p, size_t role_length, const char *move) {
  for (uint32_t i = 0; i < tabia_why_answer_count(why); i++)
    if (strcmp(move_in(p, tabia_why_answer(why, i), role_length), move) == 0) return true;
  return false;
}

/* Adds moves that are legal and not expected, and the other way round. */
static void compare_moves(tabia_why *why, const test_place *p, slice moves, size_t role_length,
                          text *out) {
  slice next;
  for (uint32_t i = 0; i < tabia_why_answer_count(why); i++) {
    const char *move = move_in(p, tabia_why_answer(why, i), role_length);
    if (!is_among(moves, move, p))
      text_add_format(out, "%s%s is legal", out->length ? ", " : "", move);
  }
  for (sexp_kind k; (k = sexp_next(&moves, &next)) == SEXP_NAME || k == SEXP_LIST;) {
    const char *move = canonical(p, next);
    if (!is_answer(why, p, role_length, move))
      text_add_format(out, "%s%s is not legal", out->length ? ", " : "", move);
  }
}

/* (moves ROLE MOVE...) */
static void expect_moves(test_place *p, slice rest) {
  slice role;
  text question = text_new(p->t->s->keep), difference = text_new(p->t->s->keep);
  if (sexp_next(&rest, &role) == SEXP_END) {
    fail(p, "a role and its moves are needed", NULL);
    return;
  }
  const char *name = canonical(p, role);
  text_add_format(&question, "(legal %s ?m)", name);
  tabia_why *why = ask(p, text_string(&question), "it cannot be asked");
  if (why) compare_moves(why, p, rest, strlen(name), &difference);
  if (difference.length) fail(p, text_string(&difference), NULL);
  tabia_why_free(why);
}

/* ---- perft ---- */

/* A machine and the position of the test on it, unless the log says why not. */
static tabia_status open_here(test_place *p, const tabia_rules *rules, tabia_machine **m,
                              void **position) {
  session *s = p->t->s;
  const tabia_status opened = tabia_machine_open(m, rules, "auto", s->limits, s->log);
  if (opened != TABIA_OK) return opened;
  tabia_workspace *w = tabia_workspace_new(*m, s->limits);
  *position = arena_alloc(s->keep, tabia_position_size(*m));
  tabia_position_start(*m, *position);
  const tabia_status played = tabia_position_play(w, "the moves", text_string(&p->after),
                                                  p->after.length, *position, s->log);
  tabia_workspace_free(w);
  return played;
}

static void compare_counts(test_place *p, const tabia_perft *count, slice numbers) {
  slice word;
  uint64_t expected;
  text words = text_new(p->t->s->keep);
  for (uint32_t depth = 1; sexp_next(&numbers, &word) == SEXP_NAME; depth++) {
    const uint64_t found = tabia_perft_nodes(count, depth);
    if (read_number(word, &expected) && expected == found) continue;
    text_add_format(&words, "%s%" PRIu64 " at depth %u", words.length ? ", " : "", found, depth);
  }
  if (words.length) fail(p, text_string(&words), NULL);
}

static void count_from(test_place *p, tabia_machine *m, const void *position, slice numbers) {
  session *s = p->t->s;
  slice rest = numbers, word;
  uint32_t depth = 0;
  while (sexp_next(&rest, &word) == SEXP_NAME) depth++;
  tabia_perft *count = tabia_perft_new(m);
  tabia_perft_set_start(count, position);
  const tabia_status counted = tabia_perft_run(count, depth, s->limits, s->log);
  if (counted == TABIA_OK)
    compare_counts(p, count, numbers);
  else
    fail_as_told(p, counted, "it cannot be counted");
  tabia_perft_free(count);
}

/* (perft N...): ways to play on, by depth from 1. */
static void expect_perft(test_place *p, slice numbers) {
  session *s = p->t->s;
  tabia_rules *other = NULL;
  tabia_machine *m = NULL;
  void *position;
  tabia_status told = TABIA_OK;
  if (p->from)
    told = tabia_rules_with_start(&other, s->rules, "the state", p->from, strlen(p->from), s->log);
  if (told == TABIA_OK) told = open_here(p, other ? other : s->rules, &m, &position);
  if (told == TABIA_OK)
    count_from(p, m, position, numbers);
  else
    fail_as_told(p, told, "it cannot be counted");
  tabia_machine_close(m);
  tabia_rules_free(other);
}

/* ---- where we are ---- */

/* Can the line be followed so far?  If not the test ends. */
static void check_place(test_place *p) {
  tabia_why *why = ask(p, "terminal", "the line cannot be followed");
  p->is_stopped = !why;
  tabia_why_free(why);
}

static void begin_from(test_place *p, slice fluents) {
  text_clear(&p->after);
  p->from = canonical(p, fluents);
  p->does = NULL;
  check_place(p);
}

/* What cannot be played is taken back. */
static void play_on(test_place *p, slice moves) {
  const size_t before = p->after.length;
  text_add_format(&p->after, "%s ", canonical(p, moves));
  p->does = NULL;
  check_place(p);
  if (p->is_stopped) p->after.bytes[p->after.length = before] = '\0';
}

static void set_moves(test_place *p, slice moves) {
  p->does = canonical(p, moves);
  check_place(p);
}

/* ---- tests ---- */

typedef struct step_kind {
  const char *word;
  void (*act)(test_place *p, slice rest);
  bool is_expectation;
} step_kind;

static const step_kind step_kinds[] = {
    {"from", begin_from, false},   {"after", play_on, false},     {"does", set_moves, false},
    {"moves", expect_moves, true}, {"count", expect_count, true}, {"perft", expect_perft, true}};

/* NULL: it is a literal. */
static const step_kind *kind_of(slice step, slice *rest) {
  slice name;
  if (*step.start != '(') return NULL;
  *rest = sexp_inside(step);
  if (sexp_next(rest, &name) != SEXP_NAME) return NULL;
  for (size_t i = 0; i < sizeof step_kinds / sizeof *step_kinds; i++)
    if (sexp_is(name, step_kinds[i].word)) return &step_kinds[i];
  return NULL;
}

static void do_step(test_place *p) {
  slice rest;
  const step_kind *k = kind_of(p->step, &rest);
  if (k)
    k->act(p, rest);
  else
    expect_literal(p);
  p->t->expectations += (!k || k->is_expectation) && !p->is_spent;
}

static void run_test(test_place *p, slice steps) {
  p->t->tests++;
  p->from = p->does = NULL;
  p->is_stopped = false;
  text_clear(&p->after);
  while (!p->is_stopped && sexp_next(&steps, &p->step) != SEXP_END) do_step(p);
  if (p->t->coverage)
    tabia_coverage_follow(p->t->coverage, p->from, p->after.length ? text_string(&p->after) : NULL,
                          NULL);
}

/* True: it is a test, and its name and steps are taken off. */
static bool is_test(test_place *p, slice form, slice *steps) {
  slice word, name;
  if (*form.start != '(') return false;
  *steps = sexp_inside(form);
  if (sexp_next(steps, &word) != SEXP_NAME || !sexp_is(word, "test")) return false;
  if (sexp_next(steps, &name) != SEXP_NAME) return false;
  p->name = arena_copy_text(p->t->s->keep, name.start, name.length);
  return true;
}

static tabia_status refuse(const test_place *p, const char *at, const char *why) {
  fprintf(stderr, "%s:%u: error: %s\n", p->file, line_of(p, at), why);
  return TABIA_UNREADABLE;
}

static tabia_status run_forms(test_place *p) {
  slice rest = p->whole, form, steps;
  for (;;) {
    const char *at = rest.start;
    const sexp_kind k = sexp_next(&rest, &form);
    if (k == SEXP_END) return TABIA_OK;
    if (k == SEXP_BROKEN) return refuse(p, at, "a parenthesis is missing, or one too many");
    if (!is_test(p, form, &steps)) return refuse(p, form.start, "(test NAME ...) is expected");
    run_test(p, steps);
    if (p->is_spent) return TABIA_LIMIT;
  }
}

tabia_status rule_tests_run(rule_tests *t, const char *path) {
  text words = text_new(t->s->keep);
  const char *why;
  if (!session_read_file(path, &words, &why)) {
    fprintf(stderr, "tabia: cannot read %s: %s\n", path, why);
    return TABIA_UNREADABLE;
  }
  test_place p = {.t = t,
                  .file = path,
                  .after = text_new(t->s->keep),
                  .whole = {text_string(&words), words.length}};
  return run_forms(&p);
}
