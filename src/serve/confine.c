#include "serve/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

void confinement_write(const confinement *c, char words[CONFINEMENT_SIZE]) {
  snprintf(words, CONFINEMENT_SIZE, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%d", c->cpu_seconds,
           c->memory, c->file_size, c->allows_programs);
}

bool confinement_read(confinement *c, const char *words) {
  int programs, end = 0;
  const int found = sscanf(words, "%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%d%n", &c->cpu_seconds,
                           &c->memory, &c->file_size, &programs, &end);
  c->allows_programs = programs == 1;
  return found == 4 && !words[end];
}

/* ---- resource limits ---- */

static bool set_limit(int what, uint64_t most) {
  const struct rlimit limit = {most, most};
  return setrlimit((__rlimit_resource_t)what, &limit) == 0;
}

static bool set_limits(const confinement *c) {
  return set_limit(RLIMIT_CPU, c->cpu_seconds) && set_limit(RLIMIT_AS, c->memory) &&
         set_limit(RLIMIT_FSIZE, c->file_size) && set_limit(RLIMIT_CORE, 0) &&
         set_limit(RLIMIT_NOFILE, 64);
}

/* ---- files: Landlock ---- */

enum {
  ALLOW_READ =
      LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_EXECUTE
};
enum { ALLOW_ALL = LANDLOCK_ACCESS_FS_MAKE_SYM * 2 - 1 }; /* whatever the first version knows */

static void allow_below(int rules, const char *path, uint64_t what) {
  struct landlock_path_beneath_attr row = {.allowed_access = what};
  row.parent_fd = open(path, O_PATH | O_CLOEXEC);
  if (row.parent_fd < 0) return;
  syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &row, 0);
  close(row.parent_fd);
}

/* The working directory is the child's own; of the system it may read programs and what they need. */
static void restrict_files(void) {
  static const char *const readable[] = {"/usr", "/lib",       "/lib64",
                                         "/bin", "/proc/self", "/sys/devices/system/cpu"};
  const struct landlock_ruleset_attr attributes = {.handled_access_fs = ALLOW_ALL};
  const int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
  if (rules < 0) return;
  for (size_t i = 0; i < sizeof readable / sizeof *readable; i++)
    allow_below(rules, readable[i], ALLOW_READ);
  allow_below(rules, "/dev/null", LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE);
  allow_below(rules, ".", ALLOW_ALL);
  syscall(SYS_landlock_restrict_self, rules, 0);
  close(rules);
}

/* ---- system calls: seccomp ---- */

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LOAD(member) \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, member))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define REFUSE(call) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), RETURN(SECCOMP_RET_ERRNO | EPERM)

#ifdef OWN_ARCHITECTURE
static void install(struct sock_filter *rows, size_t count) {
  const struct sock_fprog program = {(unsigned short)count, rows};
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Calls of other architectures end the process; x32 calls, which have numbers of their own, are
   refused with it. */
#define FILTER_HEAD \
  LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0), \
      RETURN(SECCOMP_RET_KILL_PROCESS), LOAD(nr), \
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), RETURN(SECCOMP_RET_KILL_PROCESS)

static void refuse_the_outside(void) {
  struct sock_filter rows[] = {FILTER_HEAD,
                               REFUSE(socket),
                               REFUSE(socketpair),
                               REFUSE(connect),
                               REFUSE(bind),
                               REFUSE(listen),
                               REFUSE(accept),
                               REFUSE(accept4),
                               REFUSE(ptrace),
                               REFUSE(process_vm_readv),
                               REFUSE(process_vm_writev),
                               REFUSE(mount),
                               REFUSE(umount2),
                               REFUSE(pivot_root),
                               REFUSE(chroot),
                               REFUSE(setns),
                               REFUSE(unshare),
                               REFUSE(bpf),
                               REFUSE(perf_event_open),
                               REFUSE(userfaultfd),
                               REFUSE(keyctl),
                               REFUSE(add_key),
                               REFUSE(request_key),
                               REFUSE(init_module),
                               REFUSE(finit_module),
                               REFUSE(delete_module),
                               REFUSE(kexec_load),
                               REFUSE(reboot),
                               REFUSE(swapon),
                               REFUSE(settimeofday),
                               REFUSE(clock_settime),
                               REFUSE(sethostname),
                               REFUSE(io_uring_setup),
                               REFUSE(open_by_handle_at),
                               REFUSE(setuid),
                               REFUSE(setgid),
                               REFUSE(setresuid),
                               REFUSE(setresgid),
                               REFUSE(setsid),
                               REFUSE(setpgid),
                               REFUSE(pidfd_send_signal),
                               REFUSE(pidfd_getfd),
                               REFUSE(truncate),
                               REFUSE(fchmodat),
                               REFUSE(fchownat),
                               REFUSE(utimensat),
                               REFUSE(setxattr),
                               REFUSE(mknodat),
#ifdef SYS_chmod
                               REFUSE(chmod),
                               REFUSE(chown),
                               REFUSE(lchown),
                               REFUSE(utime),
                               REFUSE(utimes),
                               REFUSE(mknod),
#endif
                               RETURN(SECCOMP_RET_ALLOW)};
  install(rows, sizeof rows / sizeof *rows);
}

/* Threads are clones that say so; clone3 hides its flags, and the C library does without it. */
static void refuse_other_processes(void) {
  struct sock_filter rows[] = {FILTER_HEAD,
                               REFUSE(execve),
                               REFUSE(execveat),
                               REFUSE(kill),
                               REFUSE(tkill),
#ifdef SYS_fork
                               REFUSE(fork),
                               REFUSE(vfork),
#endif
                               BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
                               RETURN(SECCOMP_RET_ERRNO | ENOSYS),
                               BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
                               LOAD(args[0]),
                               BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
                               RETURN(SECCOMP_RET_ERRNO | EPERM),
                               RETURN(SECCOMP_RET_ALLOW)};
  install(rows, sizeof rows / sizeof *rows);
}
#else
static void refuse_the_outside(void) {}
static void refuse_other_processes(void) {}
#endif

bool confine(const confinement *c) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (!set_limits(c)) return false;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  restrict_files();
  refuse_the_outside();
  if (!c->allows_programs) refuse_other_processes();
  return true;
}
