/* tabia step: reads moves, writes states, for scripts. */
#include "base/json.h"
#include "cli/command.h"
#include "cli/session.h"
#include "cli/state_text.h"

#include <stdlib.h>
#include <string.h>

static const command_help help = {
    .usage = "tabia step [OPTION] GAME",
    .details =
        "Writes the initial state, then reads joint moves from standard input, one a line, and\n"
        "writes the state after each.  A line has a move for each role in their order, or only\n"
        "those of roles that have a choice; `undo`, or `undo N`, takes moves back.  A state is\n"
        "lines `true F`, `legal R M`, `goal R N`, `terminal`, `sees R P`, then an empty line.  A\n"
        "line that cannot be played is reported and skipped.",
    .example = "echo '(take a 1) noop' | tabia step nim",
};

typedef struct step_command {
  machine_choice machine;
  limit_choice limits;
  start_choice start;
  bool is_strict;
  bool as_json;
  bool with_board;
} step_command;

/* A state of the game that is being played, and the joint move that led there. */
typedef struct played {
  void *position;
  tabia_move *joint; /* NULL: none did */
} played;

typedef struct stepper {
  session *s;
  const step_command *c;
  tabia_workspace *w;
  tabia_board *board; /* NULL: states are not drawn */
  arena *scratch;
  VEC(played) line; /* the start, and what was played */
} stepper;

static uint64_t steps(const stepper *x) { return x->line.count - 1; }

static const played *now(const stepper *x) { return &vec_last(&x->line); }

/* ---- writing ---- */

static state_text read_state(const stepper *x) {
  state_text t = state_text_read(x->w, x->s->machine, now(x)->position, x->scratch);
  if (now(x)->joint)
    state_text_add_percepts(&t, x->w, x->s->machine, (now(x) - 1)->position, now(x)->joint,
                            x->scratch);
  return t;
}

/* False: trouble. */
static void put_piece(void *stream, const char *bytes, size_t length) {
  fwrite(bytes, 1, length, stream);
}

/* The state as a board, and an empty line. */
static void put_board(const stepper *x) {
  if (!x->board) return;
  tabia_board_draw(x->board, vec_last(&x->line).position, "text", put_piece, stdout, NULL);
  putchar('\n');
}

static bool put_state(stepper *x, int *status) {
  const state_text t = read_state(x);
  const tabia_status result = tabia_workspace_status(x->w, x->s->log);
  if (result != TABIA_OK) {
    *status = session_show(x->s, result);
    return false;
  }
  put_board(x);
  if (x->c->as_json)
    state_text_put_json(&t, steps(x), x->scratch);
  else
    state_text_put(&t);
  fflush(stdout);
  arena_clear(x->scratch);
  return true;
}

/* ---- what cannot be played ---- */

/* What a message repeats of a line: a script may have sent anything. */
enum { SHOWN_BYTES = 120 };

static void put_shortened(const char *words) {
  const bool is_long = strlen(words) > SHOWN_BYTES;
  fprintf(stderr, "%.*s%s", SHOWN_BYTES, words, is_long ? "..." : "");
}

/* Does play go on? */
static bool reject(const stepper *x, const char *why, const char *hint, int *status) {
  fprintf(stderr, "tabia: step %llu: ", (unsigned long long)steps(x) + 1);
  put_shortened(why);
  fputc('\n', stderr);
  if (hint) fprintf(stderr, "  %s\n", hint);
  if (x->c->is_strict) *status = EXIT_NO;
  return !x->c->is_strict;
}

static bool reject_as_told(stepper *x, int *status) {
  const tabia_messages *log = x->s->log;
  const bool goes_on = reject(x, tabia_message_text(log, 0), tabia_message_hint(log, 0), status);
  tabia_messages_clear(x->s->log);
  return goes_on;
}

/* ---- reading ---- */

static void make_moves(stepper *x, const tabia_move *joint) {
  const tabia_machine *m = x->s->machine;
  const size_t size = tabia_machine_role_count(m) * sizeof *joint;
  played next = {arena_alloc(x->s->keep, tabia_position_size(m)), arena_alloc(x->s->keep, size)};
  memcpy(next.joint, joint, size);
  tabia_position_step(x->w, now(x)->position, joint, next.position);
  vec_push(x->s->keep, &x->line, next);
}

static bool take_moves(stepper *x, const char *words, int *status) {
  tabia_move *joint =
      arena_new_array(x->scratch, tabia_move, tabia_machine_role_count(x->s->machine) + 1);
  const tabia_status result = tabia_joint_read(x->w, now(x)->position, "standard input", words,
                                               strlen(words), joint, x->s->log);
  if (result == TABIA_LIMIT || tabia_workspace_status(x->w, NULL) != TABIA_OK) {
    *status = session_show(x->s, result);
    return false;
  }
  if (result != TABIA_OK) return reject_as_told(x, status);
  make_moves(x, joint);
  return put_state(x, status);
}

/* Is it `undo`, or `undo N`?  Then how many moves are to be taken back. */
static bool is_undo(const char *words, uint64_t *count) {
  char *end;
  if (strncmp(words, "undo", 4) != 0) return false;
  const char *number = words + 4;
  *count = 1;
  if (!number[strspn(number, " \t\r\n")]) return true;
  if (*number != ' ' && *number != '\t') return false;
  *count = strtoull(number, &end, 10);
  return *count > 0 && end[strspn(end, " \t\r\n")] == '\0';
}

static bool take_back(stepper *x, uint64_t count, int *status) {
  if (count > steps(x)) return reject(x, "there are not enough moves to take back", NULL, status);
  x->line.count -= (uint32_t)count;
  return put_state(x, status);
}

/* Does play go on? */
static bool take_line(stepper *x, const char *line, size_t length, int *status) {
  const char *words = line + strspn(line, " \t\r\n");
  uint64_t count;
  if (words == line + length) return true;
  if (strlen(line) < length) return reject(x, "there is a NUL byte in the line", NULL, status);
  return is_undo(words, &count) ? take_back(x, count, status) : take_moves(x, words, status);
}

/* ---- the command ---- */

/* A signal of the user ends the wait for a line. */
static int end_of_lines(int status) {
  if (status != EXIT_YES || !session_is_interrupted()) return status;
  fputs("tabia: stopped\n", stderr);
  return EXIT_LIMIT;
}

static int step_through(stepper *x) {
  FILE *input = session_input();
  char *line = NULL;
  size_t size = 0;
  ssize_t length;
  int status = EXIT_YES;
  bool goes_on = put_state(x, &status);
  while (goes_on && (length = getline(&line, &size, input)) >= 0)
    goes_on = take_line(x, line, (size_t)length, &status);
  free(line);
  fclose(input);
  return end_of_lines(status);
}

static int run_stepper(session *s, const step_command *c) {
  stepper x = {.s = s, .c = c, .scratch = arena_new()};
  const played start = {.position = arena_alloc(s->keep, tabia_position_size(s->machine))};
  x.w = tabia_workspace_new(s->machine, s->limits);
  tabia_position_start(s->machine, start.position);
  vec_push(s->keep, &x.line, start);
  if (c->with_board) tabia_board_new(&x.board, s->machine, s->limits, NULL);
  const int status = step_through(&x);
  tabia_board_free(x.board);
  tabia_workspace_free(x.w);
  arena_free(x.scratch);
  return status;
}

int cmd_step(int argc, char **argv) {
  step_command c = {0};
  const option options[] = {
      FLAG_OPTION("json", &c.as_json, "write each state as a JSON object on a line"),
      FLAG_OPTION("board", &c.with_board, "draw each state above its lines, as `tabia board` does"),
      FLAG_OPTION("strict", &c.is_strict, "stop at a line that cannot be played, with status 1"),
      SESSION_START(&c.start),
      SESSION_MACHINE(&c.machine),
      SESSION_LIMITS(&c.limits),
      {0}};
  arguments given;
  int status;
  session s;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (c.as_json && c.with_board)
    return usage_error(&help, "--board is for people: not with --json");
  if (session_begin(&s, &c.limits, &help, &status) &&
      session_read_from(&s, given.items[0], &c.start, &status) &&
      session_open(&s, &c.machine, &status))
    status = run_stepper(&s, &c);
  return session_end(&s, status);
}
