/* measure SECONDS COMMAND...: runs a command and prints what it took, on one line:

     STATUS  PROCESSOR-SECONDS  PEAK-KILOBYTES

   Children that were waited for count, too.  STATUS is 128 and the signal's number when a signal
   ended it; what runs for more than SECONDS by the clock is killed.  The command reads nothing, and
   what it writes on standard output is dropped. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* A signal handler can reach nothing else. */
static pid_t child;

static void kill_child(int signal_number) {
  (void)signal_number;
  kill(-child, SIGKILL);
}

static void become(char **command) {
  const int nothing = open("/dev/null", O_RDWR);
  setpgid(0, 0);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  execvp(command[0], command);
  perror(command[0]);
  _exit(127);
}

static double seconds(struct timeval t) { return (double)t.tv_sec + (double)t.tv_usec * 1e-6; }

int main(int argc, char **argv) {
  int status;
  struct rusage used;
  if (argc < 3) return 2;
  child = fork();
  if (child == 0) become(argv + 2);
  setpgid(child, child);
  signal(SIGALRM, kill_child);
  alarm((unsigned)atoi(argv[1]));
  if (child < 0 || wait4(child, &status, 0, &used) != child) return 1;
  printf("%d %.2f %ld\n", WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
         seconds(used.ru_utime) + seconds(used.ru_stime), used.ru_maxrss);
  return 0;
}
