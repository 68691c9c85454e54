/* tabia serve: a page where games are written, analysed, played and proved. */
#include "cli/session.h"
#include "ggp/wire/tcp.h"
#include "serve/server.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const command_help help = {
    .usage = "tabia serve [OPTION] [GAME...]",
    .details =
        "Serves a page to write, analyse, play and prove games, at http://127.0.0.1:8800/ by\n"
        "default.  Each job is a process of its own with limits of time, memory and output.  At\n"
        "addresses other than loopback it demands a token, which it prints.  SIGINT and SIGTERM\n"
        "end it and all that it has started.",
    .example = "tabia serve --listen 127.0.0.1:8800",
};

static const server_command commands[] = {
#define COMMAND(name, summary) {#name, summary},
#include "cli/command_table.def"
#undef COMMAND
};

enum { GAMES_MAX = 64 };

typedef struct serve_command {
  server_options server;
  option_list hosts;
  const char *listen, *token, *memory;
  bool opens, is_quiet;
  char made_token[TOKEN_SIZE], program[PATH_MAX], host[256];
  job_file games[GAMES_MAX];
  arena *keep;
} serve_command;

static bool read_address(serve_command *c, uint16_t *port) {
  const char *colon = strrchr(c->listen, ':');
  char *end;
  if (!colon || colon == c->listen || (size_t)(colon - c->listen) >= sizeof c->host) return false;
  const unsigned long number = strtoul(colon + 1, &end, 10);
  const bool is_bracketed = *c->listen == '[' && colon[-1] == ']';
  snprintf(c->host, sizeof c->host, "%.*s", (int)(colon - c->listen) - 2 * is_bracketed,
           c->listen + is_bracketed);
  *port = (uint16_t)number;
  return colon[1] && !*end && number <= 65535;
}

static void add_name(access_rules *a, const char *name) {
  if (a->name_count < ACCESS_NAMES_MAX) a->names[a->name_count++] = name;
}

static bool set_access(serve_command *c) {
  access_rules *a = &c->server.access;
  const bool is_loopback = access_is_loopback(c->host);
  add_name(a, c->host);
  for (uint32_t i = 0; i < c->hosts.count; i++) add_name(a, c->hosts.items[i]);
  add_name(a, "localhost");
  add_name(a, "127.0.0.1");
  add_name(a, "::1");
  a->token = c->token;
  if (c->token || is_loopback) return true;
  a->token = c->made_token;
  return access_make_token(c->made_token);
}

/* The name without its folder is what the page calls it. */
static bool read_games(serve_command *c, const arguments *given, int *status) {
  for (int i = 0; i < given->count; i++) {
    const char *why, *slash = strrchr(given->items[i], '/');
    text words = text_new(c->keep);
    if (!session_read_file(given->items[i], &words, &why)) {
      fprintf(stderr, "tabia: cannot read %s: %s\n", given->items[i], why);
      *status = EXIT_CANNOT_READ;
      return false;
    }
    c->games[i] =
        (job_file){slash ? slash + 1 : given->items[i], {text_string(&words), words.length}};
  }
  c->server.games = c->games;
  c->server.game_count = (uint32_t)given->count;
  return true;
}

/* As many connections as the system lets us have. */
static void raise_file_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

static void open_browser(const char *address) {
  char program[] = "xdg-open", *words[] = {program, strdup(address), NULL};
  pid_t pid;
  if (posix_spawnp(&pid, program, NULL, NULL, words, environ) != 0)
    fputs("tabia: there is no xdg-open to open a browser with\n", stderr);
  free(words[1]);
}

static void tell_address(const serve_command *c) {
  char address[400];
  const access_rules *a = &c->server.access;
  const bool is_six = strchr(c->host, ':');
  snprintf(address, sizeof address, "http://%s%s%s:%u/%s%s", is_six ? "[" : "", c->host,
           is_six ? "]" : "", a->port, a->token ? "?token=" : "", a->token ? a->token : "");
  printf("tabia serves %s\n", address);
  fflush(stdout);
  if (c->opens) open_browser(address);
}

static int serve(serve_command *c) {
  uint16_t wanted;
  if (!read_address(c, &wanted))
    return usage_error(&help, "--listen needs ADDRESS:PORT, not `%s`", c->listen);
  if (!set_access(c)) return usage_error(&help, "there is no token: give one with --token");
  const volatile sig_atomic_t *stop = session_catch_signals();
  c->server.listener = tcp_listen(c->host, wanted, &c->server.access.port);
  if (c->server.listener < 0) {
    fprintf(stderr, "tabia: cannot listen at %s: %s\n", c->listen, strerror(errno));
    return EXIT_CANNOT_READ;
  }
  server *s = server_new(&c->server);
  if (!s) {
    fprintf(stderr, "tabia: cannot make a folder for temporary files: %s\n", strerror(errno));
    return EXIT_CANNOT_READ;
  }
  tell_address(c);
  server_run(s, stop);
  server_free(s);
  return EXIT_YES;
}

static int prepare(serve_command *c, const arguments *given) {
  const limit_choice memory = {.memory_limit = c->memory};
  size_t bytes;
  int status;
  if (!limit_choice_read(&memory, &help, &bytes, &status)) return status;
  const ssize_t length = readlink("/proc/self/exe", c->program, sizeof c->program - 1);
  if (length <= 0) {
    fprintf(stderr, "tabia: cannot find the program itself: %s\n", strerror(errno));
    return EXIT_CANNOT_READ;
  }
  raise_file_limit();
  signal(SIGPIPE, SIG_IGN);
  c->server.job_bytes = bytes;
  c->server.program = c->program;
  c->server.commands = commands;
  c->server.command_count = sizeof commands / sizeof *commands;
  c->server.log = c->is_quiet ? NULL : stderr;
  return read_games(c, given, &status) ? serve(c) : status;
}

int cmd_serve(int argc, char **argv) {
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  serve_command c = {.server = {.jobs = cores > 0 ? (uint64_t)cores : 1,
                                .queue = 400,
                                .sessions = 64,
                                .connections = 800,
                                .job_seconds = 120,
                                .job_output = 32 << 20},
                     .listen = "127.0.0.1:8800",
                     .memory = "2G"};
  const option options[] = {
      STRING_OPTION("listen", &c.listen, "ADDRESS:PORT",
                    "where to listen; port 0: any (127.0.0.1:8800)"),
      LIST_OPTION("host", &c.hosts, "NAME", "another name by which browsers call this server"),
      STRING_OPTION("token", &c.token, "TOKEN", "demand this token"),
      FLAG_OPTION("open", &c.opens, "open a browser there"),
      NUMBER_OPTION("jobs", &c.server.jobs, "N", "jobs that run at a time (one for each core)",
                    .least = 1, .most = 256),
      NUMBER_OPTION("queue", &c.server.queue, "N", "jobs that wait (400)", .most = 1000),
      NUMBER_OPTION("sessions", &c.server.sessions, "N", "games and editors that are open (64)",
                    .most = 1000),
      NUMBER_OPTION("connections", &c.server.connections, "N", "connections at a time (800)",
                    .least = 1, .most = 1000),
      REAL_OPTION("job-seconds", &c.server.job_seconds, "SECONDS", "time limit of a job (120)"),
      STRING_OPTION("job-memory", &c.memory, "BYTES",
                    "memory limit of a job; K, M and G may follow (2G)"),
      FLAG_OPTION("allow-compiled", &c.server.allows_compiled,
                  "jobs may run the C compiler and what it made"),
      FLAG_OPTION("quiet", &c.is_quiet, "log nothing"),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 0, GAMES_MAX, &status)) return status;
  c.keep = arena_new();
  status = prepare(&c, &given);
  arena_free(c.keep);
  return status;
}
