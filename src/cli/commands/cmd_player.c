/* tabia player: sits down at a table and waits for a referee. */
#include "base/process.h"
#include "cli/session.h"
#include "ggp/player/local_player.h"
#include "ggp/wire/tcp.h"

#include <errno.h>
#include <string.h>

static const command_help help = {
    .usage = "tabia player [OPTION]",
    .details =
        "Plays by the General Game Playing protocol: listens for a referee, plays its matches one\n"
        "after another, in GDL and GDL-II, and answers in time, whatever the rules.  Logs its\n"
        "thoughts to standard error.  SIGINT and SIGTERM end it.",
    .example = "tabia player --port 9147 --name rook",
};

typedef struct player_command {
  player_options player;
  limit_choice limits;
  const char *kind, *address, *name;
  uint64_t port, threads;
  bool is_quiet;
} player_command;

/* A name must be one word of a message. */
static bool is_word(const char *name) {
  return *name && !strpbrk(name, " \t\r\n();\"\\") && strlen(name) <= 100;
}

static int talk(const player_command *c) {
  uint16_t port;
  const volatile sig_atomic_t *stop = session_catch_signals();
  const int listener = tcp_listen(c->address, (uint16_t)c->port, &port);
  if (listener < 0) {
    fprintf(stderr, "tabia: cannot listen at %s:%u: %s\n", c->address, (unsigned)c->port,
            strerror(errno));
    return EXIT_CANNOT_READ;
  }
  player *p = player_new(&c->player, listener);
  printf("%s listens at %s:%u\n", c->name, c->address, port);
  fflush(stdout);
  player_run(p, stop);
  player_free(p);
  return EXIT_YES;
}

static int prepare(player_command *c) {
  size_t bytes;
  int status;
  if (!is_word(c->name)) return usage_error(&help, "--name needs one word, not `%s`", c->name);
  if (!local_player_kind(c->kind, &c->player.mind.kind))
    return usage_error(&help, "--kind is random, legal, uct or tabia, not `%s`", c->kind);
  if (!limit_choice_read(&c->limits, &help, &bytes, &status)) return status;
  c->player.name = c->name;
  c->player.mind.threads = (uint32_t)c->threads;
  if (!bytes) bytes = memory_of_machine() / 2;
  c->player.mind.bytes = bytes / 2;
  c->player.machine_bytes = bytes / 2;
  c->player.log = c->is_quiet ? NULL : stderr;
  return talk(c);
}

int cmd_player(int argc, char **argv) {
  player_command c = {.player = {.margin = 0.5, .draws_by_match = true, .mind = {.seed = 1}},
                      .kind = "tabia",
                      .address = "127.0.0.1",
                      .name = "tabia",
                      .port = 9147,
                      .threads = 1};
  const option options[] = {
      NUMBER_OPTION("port", &c.port, "N", "port to listen at; 0: any free one (9147)",
                    .most = 65535),
      STRING_OPTION("listen", &c.address, "ADDRESS", "address to listen at (127.0.0.1)"),
      STRING_OPTION("name", &c.name, "NAME", "name of the player (tabia)"),
      STRING_OPTION("kind", &c.kind, "NAME", "how it plays: random, legal, uct or tabia"),
      REAL_OPTION("margin", &c.player.margin, "SECONDS",
                  "answer this long before a clock ends; at most a quarter of it (0.5)"),
      NUMBER_OPTION("threads", &c.threads, "N", "threads to think on (1)", .least = 1,
                    .most = 1024),
      NUMBER_OPTION("seed", &c.player.mind.seed, "N",
                    "seed of random numbers, with the id of a match (1)"),
      STRING_OPTION("database", &c.player.mind.database, "FOLDER",
                    "values that `tabia solve` has kept, for matches of that game"),
      FLAG_OPTION("busy", &c.player.stays, "refuse other matches during one"),
      FLAG_OPTION("quiet", &c.is_quiet, "log nothing"),
      STRING_OPTION("memory-limit", &c.limits.memory_limit, "BYTES",
                    "for machines and search; K, M and G may follow"),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 0, 0, &status)) return status;
  return prepare(&c);
}
