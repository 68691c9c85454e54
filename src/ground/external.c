#include "ground/external.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  OUTPUT_BYTES = 64 * 1024,
  PIPE_BYTES = 1024 * 1024,
  ERROR_BYTES = 4096, /* of the errors only the last are of interest */
  LOOK_MILLISECONDS = 20,
  PATH_BYTES = 4096
};

struct external {
  external_buffer buffer; /* first: external_peek relies on it */
  const external_command *command;
  budget *limits;
  diag_sink *d;
  pid_t pid;
  int output, errors; /* ends of pipes; -1 when closed */
  double next_look;   /* clock_now() at which its memory is looked at */
  size_t error_count;
  bool is_stopped;
  char error_bytes[ERROR_BYTES + 1];
  unsigned char output_bytes[OUTPUT_BYTES];
};

uint64_t memory_of_machine(void) {
  return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* ---- starting ---- */

/* Where the shell would find a program; false: nowhere. */
static bool find_program(const char *name, char *path) {
  const char *at = getenv("PATH");
  while (at && *at) {
    const size_t length = strcspn(at, ":");
    const int written = snprintf(path, PATH_BYTES, "%.*s/%s", (int)length, at, name);
    if (written > 0 && written < PATH_BYTES && access(path, X_OK) == 0) return true;
    at += length + (at[length] == ':');
  }
  return false;
}

static bool write_all(int to, const char *bytes, size_t count) {
  while (count) {
    const ssize_t written = write(to, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    count -= (size_t)written;
  }
  return true;
}

/* A file without a name: it is gone as soon as nobody has it open. */
static int file_in_memory(const text *words) {
  const int file = memfd_create("tabia", MFD_CLOEXEC);
  if (file < 0) return -1;
  if (write_all(file, words->bytes, words->length) && lseek(file, 0, SEEK_SET) == 0) return file;
  close(file);
  return -1;
}

/* Only calls that are allowed between fork and exec.  Its own process group keeps the terminal's
   interrupt from it: we pass it on by killing. */
__attribute__((noreturn)) static void become(const char *path, const char *const *arguments,
                                             int input, int output, int errors, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);
  if (getppid() == parent && dup2(input, 0) >= 0 && dup2(output, 1) >= 0 && dup2(errors, 2) >= 0)
    execv(path, (char *const *)(uintptr_t)arguments);
  _exit(127);
}

static void close_both(const int *pipe_ends) {
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

/* Three pipes or none. */
static bool open_pipes(int pipes[3][2]) {
  for (uint32_t i = 0; i < 3; i++)
    if (pipe2(pipes[i], O_CLOEXEC) != 0) {
      while (i-- > 0) close_both(pipes[i]);
      return false;
    }
  return true;
}

/* Until then it is a copy of this process, with all its memory. */
static void wait_for_exec(const int *started) {
  char none;
  close(started[1]); /* the other process has this end, and loses it when it becomes the program */
  while (read(started[0], &none, 1) < 0 && errno == EINTR) continue;
  close(started[0]);
}

/* False: the system gives no more pipes or processes. */
static bool launch(external *e, const char *path, int input) {
  int pipes[3][2];
  const int *output = pipes[0], *errors = pipes[1], *started = pipes[2];
  if (!open_pipes(pipes)) return false;
  const pid_t parent = getpid();
  e->pid = fork();
  if (e->pid == 0) become(path, e->command->arguments, input, output[1], errors[1], parent);
  if (e->pid < 0) {
    for (uint32_t i = 0; i < 3; i++) close_both(pipes[i]);
    return false;
  }
  wait_for_exec(started);
  close(output[1]);
  close(errors[1]);
  fcntl(output[0], F_SETPIPE_SZ, PIPE_BYTES); /* fewer waits; the default will do where refused */
  e->output = output[0];
  e->errors = errors[0];
  return true;
}

external *external_start(const external_command *c, const text *input, arena *keep, budget *limits,
                         diag_sink *d) {
  char path[PATH_BYTES];
  if (!find_program(c->arguments[0], path)) {
    diag *g =
        diag_add(d, DIAG_E807, SPAN_NONE, "the program `%s` is not installed", c->arguments[0]);
    diag_hint(d, g, "on Debian: apt install %s", c->package);
    return NULL;
  }
  external *e = arena_alloc_zero(keep, sizeof *e);
  e->command = c;
  e->limits = limits;
  e->d = d;
  const int file = file_in_memory(input);
  const bool is_running = file >= 0 && launch(e, path, file);
  const int why = errno;
  if (file >= 0) close(file);
  if (is_running) return e;
  diag_add(d, DIAG_E808, SPAN_NONE, "`%s` cannot be run: %s", c->arguments[0], strerror(why));
  return NULL;
}

/* ---- limits ---- */

static uint64_t resident_bytes(pid_t pid) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
  FILE *f = fopen(path, "re");
  unsigned long long pages = 0;
  if (f && fscanf(f, "%*u %llu", &pages) != 1) pages = 0;
  if (f) fclose(f);
  return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static bool uses_too_much(external *e) {
  if (!e->limits || e->limits->max_bytes == 0 || clock_now() < e->next_look) return false;
  e->next_look = clock_now() + LOOK_MILLISECONDS * 1e-3;
  return resident_bytes(e->pid) > e->limits->max_bytes;
}

/* The program and those that it has started: `cc` waits for its own. */
static void kill_group(const external *e) { kill(-e->pid, SIGKILL); }

/* Kills the program when the budget is spent.  True: it has been killed. */
static bool stop_at_limit(external *e) {
  if (e->is_stopped || !e->limits) return e->is_stopped;
  if (!budget_check_now(e->limits) && uses_too_much(e)) e->limits->end = BUDGET_MEMORY;
  if (e->limits->end == BUDGET_LEFT) return false;
  kill_group(e);
  return e->is_stopped = true;
}

/* ---- reading ---- */

static void close_end(int *end) {
  close(*end);
  *end = -1;
}

/* Keeps the last ERROR_BYTES of what it says. */
static void take_errors(external *e) {
  if (e->error_count == ERROR_BYTES) {
    memmove(e->error_bytes, e->error_bytes + ERROR_BYTES / 2, ERROR_BYTES / 2);
    e->error_count = ERROR_BYTES / 2;
  }
  const ssize_t count =
      read(e->errors, e->error_bytes + e->error_count, ERROR_BYTES - e->error_count);
  if (count > 0)
    e->error_count += (size_t)count;
  else if (count == 0 || errno != EINTR)
    close_end(&e->errors);
}

static void take_output(external *e) {
  const ssize_t count = read(e->output, e->output_bytes, OUTPUT_BYTES);
  if (count > 0)
    e->buffer = (external_buffer){e->output_bytes, e->output_bytes + count};
  else if (count == 0 || errno != EINTR)
    close_end(&e->output);
}

/* Takes what there is, or waits a moment for it. */
static void take_something(external *e) {
  struct pollfd ends[2] = {{.fd = e->output, .events = POLLIN},
                           {.fd = e->errors, .events = POLLIN}};
  const bool is_ending = e->output < 0 && e->errors < 0;
  if (poll(ends, 2, is_ending ? 1 : LOOK_MILLISECONDS) <= 0) return;
  if (ends[1].revents) take_errors(e);
  if (ends[0].revents) take_output(e);
}

int external_fill(external *e) {
  while (e->buffer.at == e->buffer.end && e->output >= 0 && !stop_at_limit(e)) take_something(e);
  return e->buffer.at < e->buffer.end && !e->is_stopped ? *e->buffer.at : EOF;
}

/* ---- ending ---- */

/* The last line that speaks of an error; gringo goes on with a note that it has stopped. */
static const char *last_error_line(external *e) {
  const char *best = "";
  char *rest = e->error_bytes;
  rest[e->error_count] = '\0';
  for (char *line; (line = strsep(&rest, "\n"));)
    if (*line && (strstr(line, "error:") || !strstr(best, "error:"))) best = line;
  return best;
}

static void report_failure(external *e, int status) {
  const char *name = e->command->arguments[0];
  const char *words = last_error_line(e);
  if (WIFSIGNALED(status))
    diag_add(e->d, DIAG_E808, SPAN_NONE, "`%s` was ended by signal %d (%s)", name, WTERMSIG(status),
             strsignal(WTERMSIG(status)));
  else if (*words)
    diag_add(e->d, DIAG_E808, SPAN_NONE, "`%s` failed: %s", name, words);
  else if (WEXITSTATUS(status))
    diag_add(e->d, DIAG_E808, SPAN_NONE, "`%s` failed with exit status %d", name,
             WEXITSTATUS(status));
  else
    diag_add(e->d, DIAG_E808, SPAN_NONE, "the output of `%s` cannot be understood", name);
}

static void report_stop(external *e) {
  text words = text_new(e->d->keep);
  text_add_format(&words, "`%s` was running", e->command->arguments[0]);
  budget_report(e->limits, e->d, text_string(&words));
}

/* Its output is of no interest any more; its errors and its end are. */
static int wait_for_end(external *e) {
  int status = 0;
  while (waitpid(e->pid, &status, WNOHANG) == 0) {
    stop_at_limit(e);
    take_something(e);
  }
  while (e->errors >= 0) take_errors(e);
  return status;
}

bool external_end(external *e, bool is_understood) {
  if (!is_understood && e->output >= 0) kill_group(e);
  const bool was_killed = !is_understood && e->output >= 0 && !e->is_stopped;
  const int status = wait_for_end(e);
  if (e->output >= 0) close_end(&e->output);
  if (e->errors >= 0) close_end(&e->errors);
  const bool has_failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  if (e->is_stopped)
    report_stop(e);
  else if (was_killed)
    report_failure(e, 0);
  else if (has_failed || !is_understood)
    report_failure(e, status);
  return !e->is_stopped && !has_failed && is_understood;
}
