/* Each attempt is made by a child that has confined itself; what it cannot do is what its exit tells. */
#include "serve/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { IS_WATCHED = 1 }; /* shadow memory goes beyond any limit */
#else
enum { IS_WATCHED = 0 };
#endif

static char folder[] = "/tmp/tabia-confine-XXXXXX", outside[100];

static int set_up(void **state) {
  (void)state;
  if (!mkdtemp(folder)) return -1;
  snprintf(outside, sizeof outside, "%s.outside", folder);
  const int file = open(outside, O_CREAT | O_WRONLY, 0600);
  if (file < 0 || write(file, "secret", 6) != 6) return -1;
  return close(file);
}

static int tear_down(void **state) {
  (void)state;
  char path[120];
  snprintf(path, sizeof path, "%s/inside", folder);
  unlink(path);
  unlink(outside);
  return rmdir(folder);
}

/* What the attempt gives: 0, or errno.  Signals are told as 1000 and more. */
static int attempt(int (*work)(void), bool allows_programs) {
  const confinement c = {.cpu_seconds = 1,
                         .memory = IS_WATCHED ? UINT64_MAX : 512 << 20,
                         .file_size = 1 << 20,
                         .allows_programs = allows_programs};
  int status;
  const pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0) {
    if (chdir(folder) != 0 || !confine(&c)) _exit(255);
    _exit(work());
  }
  assert_int_equal(waitpid(pid, &status, 0), pid);
  return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int result(long value) { return value < 0 ? errno : 0; }

static int open_socket(void) { return result(socket(AF_INET, SOCK_STREAM, 0)); }
static int open_local_socket(void) { return result(socket(AF_UNIX, SOCK_STREAM, 0)); }
static int run_program(void) {
  char *words[] = {(char[]){"true"}, NULL}, *none[] = {NULL};
  return result(execve("/usr/bin/true", words, none));
}
static int fork_away(void) {
  const long pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (pid == 0) _exit(0);
  return result(pid);
}
static int signal_others(void) { return result(kill(getppid(), 0)); }
static int trace_others(void) { return result(syscall(SYS_ptrace, 0, 0, 0, 0)); }
static int read_outside(void) { return result(open(outside, O_RDONLY)); }
static int write_outside(void) { return result(open(outside, O_WRONLY)); }
static int cut_outside(void) { return result(truncate(outside, 0)); }
static int open_up_outside(void) { return result(chmod(outside, 0666)); }
static int remove_outside(void) { return result(unlink(outside)); }
static int read_passwords(void) { return result(open("/etc/passwd", O_RDONLY)); }
static int write_inside(void) {
  const int file = open("inside", O_CREAT | O_RDWR, 0600);
  return file < 0 || write(file, "x", 1) != 1 ? errno : 0;
}
static int write_much(void) {
  static char bytes[1 << 16];
  const int file = open("inside", O_CREAT | O_RDWR, 0600);
  for (int i = 0; i < 100; i++)
    if (write(file, bytes, sizeof bytes) < 0) return errno;
  return 0;
}
static int open_many(void) {
  for (int i = 0; i < 100; i++)
    if (dup(0) < 0) return errno;
  return 0;
}
static int map_much(void) {
  return mmap(NULL, (size_t)1 << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
             ? errno
             : 0;
}
static int work_for_ever(void) {
  volatile uint64_t count = 1;
  while (count) count = count + 1;
  return 0;
}
static void *nothing(void *context) { return context; }
static int start_thread(void) {
  pthread_t thread;
  const int fault = pthread_create(&thread, NULL, nothing, NULL);
  return fault ? fault : pthread_join(thread, NULL);
}
static int gain_privileges(void) { return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? 0 : 1; }
static int dump_core(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_max == 0 ? 0 : 1;
}

static void limits_are_written_and_read(void **state) {
  (void)state;
  const confinement c = {7, (uint64_t)5 << 30, 9, true};
  confinement d;
  char words[CONFINEMENT_SIZE];
  confinement_write(&c, words);
  assert_true(confinement_read(&d, words));
  assert_int_equal(d.cpu_seconds, 7);
  assert_int_equal(d.memory, (uint64_t)5 << 30);
  assert_int_equal(d.file_size, 9);
  assert_true(d.allows_programs);
  assert_false(confinement_read(&d, "1,2,3") || confinement_read(&d, "") ||
               confinement_read(&d, "1,2,3,0x") || confinement_read(&d, "a,b,c,d"));
}

static void memory_time_and_files_have_limits(void **state) {
  (void)state;
  if (!IS_WATCHED) assert_int_equal(attempt(map_much, false), ENOMEM);
  const int late = attempt(work_for_ever, false);
  assert_true(late == 1000 + SIGXCPU || late == 1000 + SIGKILL);
  assert_int_equal(attempt(write_much, false), 1000 + SIGXFSZ);
  assert_int_equal(attempt(open_many, false), EMFILE);
  assert_int_equal(attempt(dump_core, false), 0);
  assert_int_equal(attempt(gain_privileges, false), 0);
}

static bool has_seccomp(void) { return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0; }

static void there_are_no_sockets_programs_and_processes(void **state) {
  (void)state;
  if (!has_seccomp()) skip();
  assert_int_equal(attempt(open_socket, false), EPERM);
  assert_int_equal(attempt(open_local_socket, false), EPERM);
  assert_int_equal(attempt(run_program, false), EPERM);
  assert_int_equal(attempt(fork_away, false), EPERM);
  assert_int_equal(attempt(signal_others, false), EPERM);
  assert_int_equal(attempt(trace_others, false), EPERM);
  assert_int_equal(attempt(cut_outside, false), EPERM);
  assert_int_equal(attempt(open_up_outside, false), EPERM);
}

static void threads_are_allowed(void **state) {
  (void)state;
  assert_int_equal(attempt(start_thread, false), 0);
}

static void where_compilers_are_allowed_programs_run_without_network(void **state) {
  (void)state;
  if (!has_seccomp()) skip();
  assert_int_equal(attempt(run_program, true), 0);
  assert_int_equal(attempt(fork_away, true), 0);
  assert_int_equal(attempt(open_socket, true), EPERM);
}

static bool has_landlock(void) {
  return syscall(SYS_landlock_create_ruleset, NULL, 0, 1) > 0; /* the version */
}

static void files_of_others_are_out_of_reach(void **state) {
  (void)state;
  if (!has_landlock()) skip();
  assert_int_equal(attempt(read_outside, false), EACCES);
  assert_int_equal(attempt(write_outside, false), EACCES);
  assert_int_equal(attempt(remove_outside, false), EACCES);
  assert_int_equal(attempt(read_passwords, false), EACCES);
}

static void its_own_folder_is_its_own(void **state) {
  (void)state;
  assert_int_equal(attempt(write_inside, false), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(limits_are_written_and_read),
      cmocka_unit_test(memory_time_and_files_have_limits),
      cmocka_unit_test(there_are_no_sockets_programs_and_processes),
      cmocka_unit_test(threads_are_allowed),
      cmocka_unit_test(where_compilers_are_allowed_programs_run_without_network),
      cmocka_unit_test(files_of_others_are_out_of_reach),
      cmocka_unit_test(its_own_folder_is_its_own),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
