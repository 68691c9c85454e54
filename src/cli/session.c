#include "cli/session.h"

#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const encoding_words[] = {"original", "direct", "pruned", "auto", NULL};

/* ---- limits ---- */

/* A signal handler can reach nothing else. */
static volatile sig_atomic_t interrupted;

static void note_interrupt(int signal_number) {
  (void)signal_number;
  interrupted = 1;
}

bool session_is_interrupted(void) { return interrupted; }

/* The first one lets the command end in order, so that it leaves nothing behind; a second ends the
   process as usual.  A signal that is ignored, as nohup does, stays ignored. */
static void catch_signal(int number) {
  struct sigaction action = {.sa_handler = note_interrupt, .sa_flags = (int)SA_RESETHAND}, before;
  sigemptyset(&action.sa_mask);
  if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
    sigaction(number, &action, NULL);
}

static size_t unit_of(const char *letter) {
  switch (*letter) {
    case '\0': return 1;
    case 'k':
    case 'K': return (size_t)1 << 10;
    case 'm':
    case 'M': return (size_t)1 << 20;
    case 'g':
    case 'G': return (size_t)1 << 30;
    default: return 0;
  }
}

static bool read_bytes(const char *words, size_t *bytes) {
  char *end;
  *bytes = 0;
  if (!words) return true;
  const unsigned long long number = strtoull(words, &end, 10);
  const size_t unit = unit_of(end);
  *bytes = (size_t)number * unit;
  const bool is_whole = *words >= '0' && *words <= '9' && unit && (!*end || !end[1]);
  return is_whole && *bytes / unit == number;
}

bool limit_choice_read(const limit_choice *o, const command_help *help, size_t *bytes,
                       int *status) {
  if (read_bytes(o->memory_limit, bytes)) return true;
  *status = usage_error(help, "--memory-limit needs a number of bytes, not `%s`", o->memory_limit);
  return false;
}

const volatile sig_atomic_t *session_catch_signals(void) {
  catch_signal(SIGINT);
  catch_signal(SIGTERM);
  catch_signal(SIGHUP);
  return &interrupted;
}

/* ---- input ---- */

/* Signals are held back but in the wait itself: one that came just before it would be missed. */
static bool wait_for_input(int file) {
  struct pollfd input = {.fd = file, .events = POLLIN};
  sigset_t held, before;
  sigemptyset(&held);
  sigaddset(&held, SIGINT);
  sigaddset(&held, SIGTERM);
  sigaddset(&held, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &held, &before);
  while (!interrupted && ppoll(&input, 1, NULL, &before) < 0 && errno == EINTR) continue;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return !interrupted;
}

static ssize_t read_input(void *cookie, char *bytes, size_t size) {
  (void)cookie;
  return wait_for_input(STDIN_FILENO) ? read(STDIN_FILENO, bytes, size) : -1;
}

FILE *session_input(void) {
  FILE *input = fopencookie(NULL, "r", (cookie_io_functions_t){.read = read_input});
  return input ? input : stdin;
}

/* ---- beginning and end ---- */

enum { SHOWN_OF_A_KIND = 20 };

bool session_begin(session *s, const limit_choice *o, const command_help *help, int *status) {
  *s = (session){.help = help,
                 .log = tabia_messages_new(),
                 .limits = tabia_limits_new(),
                 .options = tabia_options_new(),
                 .keep = arena_new()};
  tabia_messages_set_limit(s->log, SHOWN_OF_A_KIND);
  if (!limit_choice_read(o, help, &s->bytes, status)) return false;
  tabia_limits_set_total(s->limits, o->time_limit);
  tabia_limits_set_total_bytes(s->limits, s->bytes);
  tabia_limits_set_interrupt(s->limits, session_catch_signals());
  s->line = arena_alloc(s->keep, sizeof *s->line);
  *s->line = terminal_line_new();
  tabia_limits_set_progress(s->limits, terminal_line_tell, s->line);
  return true;
}

int session_end(session *s, int status) {
  tabia_machine_close(s->machine);
  tabia_rules_free(s->rules);
  tabia_options_free(s->options);
  tabia_limits_free(s->limits);
  tabia_messages_free(s->log);
  arena_free(s->keep);
  return status;
}

/* ---- messages ---- */

/* A terminal that can show colours, and the user has not said NO_COLOR. */
static bool has_colour(FILE *stream) {
  const char *no_colour = getenv("NO_COLOR");
  const char *terminal = getenv("TERM");
  return isatty(fileno(stream)) && !(no_colour && *no_colour) &&
         !(terminal && strcmp(terminal, "dumb") == 0);
}

static void put_to_stream(void *stream, const char *bytes, size_t length) {
  fwrite(bytes, 1, length, stream);
}

static void put_messages(const tabia_messages *log, tabia_severity least, FILE *stream) {
  tabia_messages_write(log, has_colour(stream) ? "colour" : "text", least, put_to_stream, stream);
}

void session_put_messages(const session *s, FILE *stream) {
  put_messages(s->log, TABIA_NOTE, stream);
}

static bool is_about_no_text(const tabia_messages *log) {
  for (uint32_t i = 0; i < tabia_messages_count(log); i++)
    if (tabia_message_file(log, i)) return false;
  return true;
}

/* What is about no text is said by the program. */
static void show_plainly(const tabia_messages *log) {
  for (uint32_t i = 0; i < tabia_messages_count(log); i++)
    fprintf(stderr, "tabia: %s\n", tabia_message_text(log, i));
}

/* A hint about a place says nothing without it. */
static void show_misuse(const session *s, const tabia_messages *log) {
  const char *hint = tabia_message_line(log, 0) ? NULL : tabia_message_hint(log, 0);
  usage_error(s->help, "%s%s%s", tabia_message_text(log, 0), hint ? "; " : "", hint ? hint : "");
}

static int show(session *s, tabia_messages *log, tabia_status status, tabia_severity least) {
  terminal_line_wipe(s->line);
  if (status == TABIA_MISUSE && tabia_messages_count(log))
    show_misuse(s, log);
  else if (is_about_no_text(log))
    show_plainly(log);
  else
    put_messages(log, least, stderr);
  tabia_messages_clear(log);
  return (int)status;
}

int session_show_from(session *s, tabia_status status, tabia_severity least) {
  return show(s, s->log, status, least);
}

int session_show_log(session *s, tabia_messages *log, tabia_status status) {
  return show(s, log, status, TABIA_ERROR);
}

int session_show(session *s, tabia_status status) {
  return session_show_from(s, status, TABIA_ERROR);
}

static_assert((int)TABIA_FAULTY == (int)EXIT_NO && (int)TABIA_MISUSE == (int)EXIT_USAGE &&
                  (int)TABIA_UNREADABLE == (int)EXIT_CANNOT_READ &&
                  (int)TABIA_LIMIT == (int)EXIT_LIMIT,
              "a command ends with the status of the library");

/* ---- the game ---- */

static bool is_ok(session *s, tabia_status result, int *status) {
  *status = session_show(s, result);
  return result == TABIA_OK;
}

tabia_status session_read_rules(session *s, const char *game) {
  const tabia_status result = tabia_rules_read(&s->rules, game, s->log);
  if (s->rules) tabia_rules_set_limits(s->rules, s->limits);
  return result;
}

bool session_read(session *s, const char *game, int *status) {
  return is_ok(s, session_read_rules(s, game), status);
}

bool session_read_any(session *s, const char *game, int *status) {
  const tabia_status result = session_read_rules(s, game);
  if (s->rules) tabia_messages_clear(s->log);
  *status = session_show(s, result);
  return s->rules;
}

tabia_status session_open_other(session *s, const machine_choice *o, tabia_machine **machine) {
  char depth[24];
  tabia_options *options = tabia_options_new();
  snprintf(depth, sizeof depth, "%llu", (unsigned long long)o->depth);
  tabia_options_set(options, "encoding", encoding_words[o->encoding]);
  tabia_options_set(options, "purpose", o->purpose);
  tabia_options_set(options, "depth", depth);
  tabia_options_set(options, "ignore-terminal", o->ignore_terminal ? "yes" : NULL);
  const tabia_status result = tabia_machine_open_with(
      machine, s->rules, o->machine ? o->machine : "auto", options, s->limits, s->log);
  tabia_options_free(options);
  return result;
}

bool session_open(session *s, const machine_choice *o, int *status) {
  return is_ok(s, session_open_other(s, o, &s->machine), status);
}

/* ---- files ---- */

bool session_read_file(const char *path, text *out, const char **why) {
  char piece[1 << 16];
  text_add(out, "");
  FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
  *why = file ? NULL : strerror(errno);
  if (!file) return false;
  for (size_t length; (length = fread(piece, 1, sizeof piece, file)) > 0;)
    text_add_bytes(out, piece, length);
  if (ferror(file)) *why = strerror(errno);
  if (file != stdin) fclose(file);
  return !*why;
}

/* ---- words ---- */

const char *game_title(const char *game, arena *keep) {
  const char *slash = strrchr(game, '/');
  const char *start = slash ? slash + 1 : game;
  const char *dot = strrchr(start, '.');
  return arena_copy_text(keep, start, dot && dot != start ? (size_t)(dot - start) : strlen(start));
}

const char *move_text(const tabia_machine *m, uint32_t role, tabia_move move, arena *keep) {
  const size_t length = tabia_move_text(m, role, move, NULL, 0);
  char *words = arena_alloc(keep, length + 1);
  tabia_move_text(m, role, move, words, length + 1);
  return words;
}

const char *joint_text(const tabia_machine *m, const tabia_move *joint, arena *keep) {
  text out = text_new(keep);
  for (uint32_t i = 0; i < tabia_machine_role_count(m); i++)
    text_add_format(&out, "%s%s", i ? " " : "", move_text(m, i, joint[i], keep));
  return text_string(&out);
}

void session_write_joint(json_writer *w, const char *key, const session *s,
                         const tabia_move *joint) {
  json_open_object(w, key);
  for (uint32_t i = 0; i < tabia_machine_role_count(s->machine); i++)
    json_put_string(w, tabia_machine_role(s->machine, i),
                    move_text(s->machine, i, joint[i], s->keep));
  json_close_object(w);
}
