#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  OUTPUT_BYTES = 64 * 1024,
  PIPE_BYTES = 1024 * 1024,
  ERROR_BYTES = 4096, /* of the errors only the last are of interest */
  LOOK_MILLISECONDS = 20,
  PATH_BYTES = 4096
};

struct process {
  process_buffer buffer; /* first: process_peek relies on it */
  const process_command *command;
  budget *limits;
  diag_sink *d;
  pid_t pid;          /* 0: it has ended */
  arena *guard;       /* kills it */
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

/* A folder of that name can be "executed", too. */
static bool is_program(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, X_OK) == 0;
}

/* Where the shell would find a program; false: nowhere. */
static bool find_program(const char *name, char *path) {
  const char *at = getenv("PATH");
  if (strchr(name, '/'))
    return snprintf(path, PATH_BYTES, "%s", name) < PATH_BYTES && is_program(path);
  while (at && *at) {
    const size_t length = strcspn(at, ":");
    const int written = snprintf(path, PATH_BYTES, "%.*s/%s", (int)length, at, name);
    if (written > 0 && written < PATH_BYTES && is_program(path)) return true;
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

/* Our environment, but for the folder of temporary files. */
static const char **variables_for(const process_command *c, arena *keep) {
  size_t count = 0, kept = 0;
  while (environ[count]) count++;
  const char **variables = arena_zero_array(keep, const char *, count + 2);
  for (size_t i = 0; i < count; i++)
    if (!c->temporary_folder || strncmp(environ[i], "TMPDIR=", 7) != 0)
      variables[kept++] = environ[i];
  if (c->temporary_folder) {
    text folder = text_new(keep);
    text_add_format(&folder, "TMPDIR=%s", c->temporary_folder);
    variables[kept] = text_string(&folder);
  }
  return variables;
}

/* All that a new process needs to become the program: made before it begins. */
typedef struct program_call {
  const char *path;
  const char *const *arguments;
  const char *const *variables; /* its environment */
  int input;                    /* becomes its standard input */
  pid_t parent;
} program_call;

/* Only calls that are allowed between fork and exec.  Its own process group keeps the terminal's
   interrupt from it: we pass it on by killing. */
__attribute__((noreturn)) static void become(const program_call *c, int output, int errors) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);
  if (getppid() == c->parent && dup2(c->input, 0) >= 0 && dup2(output, 1) >= 0 &&
      dup2(errors, 2) >= 0)
    execve(c->path, (char *const *)(uintptr_t)c->arguments, (char *const *)(uintptr_t)c->variables);
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
static bool launch(process *p, const program_call *c) {
  int pipes[3][2];
  const int *output = pipes[0], *errors = pipes[1], *started = pipes[2];
  if (!open_pipes(pipes)) return false;
  p->pid = fork();
  if (p->pid == 0) become(c, output[1], errors[1]);
  if (p->pid < 0) {
    for (uint32_t i = 0; i < 3; i++) close_both(pipes[i]);
    return false;
  }
  wait_for_exec(started);
  close(output[1]);
  close(errors[1]);
  fcntl(output[0], F_SETPIPE_SZ, PIPE_BYTES); /* fewer waits; the default will do where refused */
  p->output = output[0];
  p->errors = errors[0];
  return true;
}

static void report_missing(const process_command *c, diag_sink *d) {
  diag *g = diag_add(d, DIAG_E807, SPAN_NONE, "the program `%s` is not installed", c->arguments[0]);
  diag_hint(d, g, "on Debian: apt install %s", c->package);
}

/* The program and those that it has started: `cc` waits for its own. */
static void kill_group(const process *p) { kill(-p->pid, SIGKILL); }

static void close_end(int *end) {
  if (*end >= 0) close(*end);
  *end = -1;
}

static void close_ends(process *p) {
  close_end(&p->output);
  close_end(&p->errors);
}

/* There is no memory to go on with it. */
static void abandon(void *what) {
  process *p = what;
  if (!p->pid) return;
  kill_group(p);
  while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR) continue;
  close_ends(p);
}

process *process_start(const process_command *c, const text *input, arena *keep, budget *limits,
                       diag_sink *d) {
  char path[PATH_BYTES];
  if (!find_program(c->arguments[0], path)) return report_missing(c, d), NULL;
  process *p = arena_alloc_zero(keep, sizeof *p);
  p->command = c;
  p->limits = limits;
  p->d = d;
  program_call call = {.path = path,
                       .arguments = c->arguments,
                       .variables = variables_for(c, keep),
                       .parent = getpid()};
  call.input = file_in_memory(input); /* nothing is allocated as long as it is open */
  const bool is_running = call.input >= 0 && launch(p, &call);
  const int why = errno;
  if (call.input >= 0) close(call.input);
  if (is_running) {
    p->guard = arena_guarding(abandon, p);
    return p;
  }
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

static bool uses_too_much(process *p) {
  if (!p->limits || p->limits->max_bytes == 0 || clock_now() < p->next_look) return false;
  p->next_look = clock_now() + LOOK_MILLISECONDS * 1e-3;
  return resident_bytes(p->pid) > p->limits->max_bytes;
}

/* Kills the program when the budget is spent.  True: it has been killed. */
static bool stop_at_limit(process *p) {
  if (p->is_stopped || !p->limits) return p->is_stopped;
  if (!budget_check_now(p->limits) && uses_too_much(p)) p->limits->end = BUDGET_MEMORY;
  if (p->limits->end == BUDGET_LEFT) return false;
  kill_group(p);
  return p->is_stopped = true;
}

/* ---- reading ---- */

/* Keeps the last ERROR_BYTES of what it says. */
static void take_errors(process *p) {
  if (p->error_count == ERROR_BYTES) {
    memmove(p->error_bytes, p->error_bytes + ERROR_BYTES / 2, ERROR_BYTES / 2);
    p->error_count = ERROR_BYTES / 2;
  }
  const ssize_t count =
      read(p->errors, p->error_bytes + p->error_count, ERROR_BYTES - p->error_count);
  if (count > 0)
    p->error_count += (size_t)count;
  else if (count == 0 || errno != EINTR)
    close_end(&p->errors);
}

static void take_output(process *p) {
  const ssize_t count = read(p->output, p->output_bytes, OUTPUT_BYTES);
  if (count > 0)
    p->buffer = (process_buffer){p->output_bytes, p->output_bytes + count};
  else if (count == 0 || errno != EINTR)
    close_end(&p->output);
}

/* Takes what there is, or waits a moment for it. */
static void take_something(process *p) {
  struct pollfd ends[2] = {{.fd = p->output, .events = POLLIN},
                           {.fd = p->errors, .events = POLLIN}};
  const bool is_ending = p->output < 0 && p->errors < 0;
  if (poll(ends, 2, is_ending ? 1 : LOOK_MILLISECONDS) <= 0) return;
  if (ends[1].revents) take_errors(p);
  if (ends[0].revents) take_output(p);
}

int process_fill(process *p) {
  while (p->buffer.at == p->buffer.end && p->output >= 0 && !stop_at_limit(p)) take_something(p);
  return p->buffer.at < p->buffer.end && !p->is_stopped ? *p->buffer.at : EOF;
}

/* ---- ending ---- */

/* The last line that speaks of an error; gringo goes on with a note that it has stopped. */
static const char *last_error_line(process *p) {
  const char *best = "";
  char *rest = p->error_bytes;
  rest[p->error_count] = '\0';
  for (char *line; (line = strsep(&rest, "\n"));)
    if (*line && (strstr(line, "error:") || !strstr(best, "error:"))) best = line;
  return best;
}

static void report_failure(process *p, int status) {
  const char *name = p->command->arguments[0];
  const char *words = last_error_line(p);
  if (WIFSIGNALED(status))
    diag_add(p->d, DIAG_E808, SPAN_NONE, "`%s` was ended by signal %d (%s)", name, WTERMSIG(status),
             strsignal(WTERMSIG(status)));
  else if (*words)
    diag_add(p->d, DIAG_E808, SPAN_NONE, "`%s` failed: %s", name, words);
  else if (WEXITSTATUS(status))
    diag_add(p->d, DIAG_E808, SPAN_NONE, "`%s` failed with exit status %d", name,
             WEXITSTATUS(status));
  else
    diag_add(p->d, DIAG_E808, SPAN_NONE, "the output of `%s` cannot be understood", name);
}

static void report_stop(process *p) {
  text words = text_new(p->d->keep);
  text_add_format(&words, "`%s` was running", p->command->arguments[0]);
  budget_report(p->limits, p->d, text_string(&words));
}

/* Its output is of no interest any more; its errors and its end are. */
static int wait_for_end(process *p) {
  int status = 0;
  while (waitpid(p->pid, &status, WNOHANG) == 0) {
    stop_at_limit(p);
    take_something(p);
  }
  while (p->errors >= 0) take_errors(p);
  return status;
}

bool process_end(process *p, bool is_understood) {
  if (!is_understood && p->output >= 0) kill_group(p);
  const bool was_killed = !is_understood && p->output >= 0 && !p->is_stopped;
  const int status = wait_for_end(p);
  p->pid = 0;
  close_ends(p);
  arena_free(p->guard);
  const bool has_failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  if (p->is_stopped)
    report_stop(p);
  else if (was_killed)
    report_failure(p, 0);
  else if (has_failed || !is_understood)
    report_failure(p, status);
  return !p->is_stopped && !has_failed && is_understood;
}
