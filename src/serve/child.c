#include "serve/child.h"

#include "base/budget.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- its folder ---- */

static bool write_file(const own_folder *folder, const job_file *f) {
  const int file = openat(folder->descriptor, f->name,
                          O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  size_t written = 0;
  if (file < 0) return false;
  while (written < f->text.length) {
    const ssize_t count = write(file, f->text.start + written, f->text.length - written);
    if (count <= 0) break;
    written += (size_t)count;
  }
  return close(file) == 0 && written == f->text.length;
}

static bool make_folder(child *c, const child_plan *p) {
  c->keep = arena_new();
  if (!own_folder_make(&c->folder, p->parent, "job", c->keep)) return false;
  for (uint32_t i = 0; i < p->file_count; i++)
    if (!write_file(&c->folder, &p->files[i])) return false;
  return true;
}

/* ---- starting ---- */

/* Both ends close by themselves in other children; ours never waits. */
static bool make_pair(int ends[2]) {
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  return fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
}

static int spawn(child *c, const child_plan *p, char **words, int out, int err) {
  char folder[4200], *environment[] = {folder,
                                       (char[]){"LANG=C.UTF-8"},
                                       (char[]){"NO_COLOR=1"},
                                       (char[]){"PATH=/usr/bin:/bin"},
                                       (char[]){"TABIA_PROGRESS=lines"},
                                       NULL};
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  snprintf(folder, sizeof folder, "TMPDIR=%s", c->folder.path);
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addchdir_np(&files, c->folder.path);
  if (p->talks)
    posix_spawn_file_actions_adddup2(&files, out, 0);
  else
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, out, 1);
  if (err >= 0)
    posix_spawn_file_actions_adddup2(&files, err, 2);
  else
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&files, 3);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  const int fault = posix_spawn(&c->pid, p->program, &files, &attributes, words, environment);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return fault;
}

static int spawn_with_limits(child *c, const child_plan *p, int out, int err) {
  char limits[CONFINEMENT_SIZE],
      *words[JOB_WORDS_MAX + 8] = {(char[]){"tabia"}, (char[]){"--confined"}, limits};
  uint32_t count = 3;
  confinement_write(&p->limits, limits);
  for (uint32_t i = 0; p->words[i]; i++)
    words[count++] = arena_copy_text(c->keep, p->words[i], strlen(p->words[i]));
  return spawn(c, p, words, out, err);
}

static bool start_in_folder(child *c, const child_plan *p) {
  int out[2] = {-1, -1}, err[2] = {-1, -1};
  int fault = make_pair(out) && (p->talks || make_pair(err)) ? 0 : errno;
  if (!fault) fault = spawn_with_limits(c, p, out[1], err[1]);
  if (out[1] >= 0) close(out[1]);
  if (err[1] >= 0) close(err[1]);
  c->out = out[0];
  c->err = err[0];
  if (fault) c->pid = 0;
  errno = fault;
  return !fault;
}

bool child_start(child *c, const child_plan *p) {
  *c = (child){.out = -1, .err = -1, .folder = {.descriptor = -1}, .started = clock_now()};
  if (make_folder(c, p) && start_in_folder(c, p)) return true;
  const int fault = errno;
  child_clear(c, p->parent);
  errno = fault;
  return false;
}

/* ---- ending ---- */

void child_kill(child *c) {
  if (c->pid > 0) kill(-c->pid, SIGKILL);
}

void child_interrupt(child *c) {
  if (c->pid <= 0) return;
  if (c->interrupted > 0) {
    child_kill(c);
    return;
  }
  c->interrupted = clock_now();
  kill(-c->pid, SIGINT);
}

bool child_has_ended(child *c, int *status) {
  if (c->pid <= 0 || waitpid(c->pid, status, WNOHANG) != c->pid) return false;
  kill(-c->pid, SIGKILL);
  c->pid = 0;
  return true;
}

void child_clear(child *c, const own_folder *parent) {
  if (c->out >= 0) close(c->out);
  if (c->err >= 0) close(c->err);
  if (c->folder.descriptor >= 0) {
    own_folder_remove(&c->folder, parent);
    own_folder_close(&c->folder);
  }
  arena_free(c->keep);
  *c = (child){.out = -1, .err = -1, .folder = {.descriptor = -1}};
}
