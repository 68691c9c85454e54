#include "mpi/mpi_arguments.h"

#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 1000 /* of perft */ };

const char mpi_usage[] =
    "Usage: mpirun -n N tabia-mpi solve [--database DIR] [--checkpoint DIR] [--save-every SECONDS]\n"
    "         [--max-states N] [--time-limit SECONDS] [--memory-limit BYTES] GAME\n"
    "       mpirun -n N tabia-mpi states [--depth N] [--checkpoint DIR] [--save-every SECONDS] [--json]\n"
    "         [--time-limit SECONDS] [--memory-limit BYTES] GAME\n"
    "       mpirun -n N tabia-mpi prove [-p PROPERTY,...] [--checkpoint DIR] [--save-every SECONDS]\n"
    "         [--json] [--time-limit SECONDS] [--memory-limit BYTES] GAME\n"
    "       mpirun -n N tabia-mpi perft --depth N [--time-limit SECONDS] [--memory-limit BYTES] GAME\n"
    "       mpirun -n N tabia-mpi playouts --count N [--seed N] [--max-steps N]\n"
    "         [--time-limit SECONDS] [--memory-limit BYTES] GAME\n"
    "\n"
    "Solves a game of one role, or of two in turn, by several processes: each keeps the states\n"
    "that it owns.  Prints what `tabia solve` prints first; with --database the values of all\n"
    "states are kept, in the same bytes as `tabia solve --database` writes.  With --checkpoint\n"
    "states are kept in files of that folder, and a stopped job resumes from there, on any\n"
    "number of processes; the folder is written at each level and every 60 seconds.  BYTES are of\n"
    "each process; K, M and G may follow.\n"
    "states counts states by depth, as `tabia states` does; it too has a --checkpoint.\n"
    "prove decides properties by visiting every state, as `tabia prove --method exhaustive` does:\n"
    "playable, terminates, winnable [ROLE] and goals (these four, unless -p says which), unreachable\n"
    "and invariant; with --checkpoint likewise.\n"
    "perft counts ways to play, and playouts plays at random; figures are those of `tabia perft` and\n"
    "`tabia playout`, whatever the number of processes.\n"
    "\n"
    "Example:\n"
    "  mpirun -n 4 tabia-mpi solve tic-tac-toe\n";

/* ---- values ---- */

static bool read_number(const char *words, void *number) {
  char *end;
  const unsigned long long read = strtoull(words, &end, 10);
  *(uint64_t *)number = read;
  return *words >= '0' && *words <= '9' && !*end && read < UINT64_MAX;
}

static bool read_seconds(const char *words, void *seconds) {
  char *end;
  const double read = strtod(words, &end);
  *(double *)seconds = read;
  return end > words && !*end && isfinite(read) && read >= 0;
}

static bool read_bytes(const char *words, void *bytes) {
  static const char units[] = "KMG";
  char *end;
  const unsigned long long read = strtoull(words, &end, 10);
  const char *unit = *end ? strchr(units, *end) : NULL;
  const unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
  *(size_t *)bytes = (size_t)read << shift;
  return *words >= '0' && *words <= '9' && !(unit ? end[1] : *end) && read <= SIZE_MAX >> shift;
}

static bool read_text(const char *words, void *text) {
  *(const char **)text = words;
  return *words != '\0';
}

static bool set_flag(const char *words, void *flag) {
  (void)words;
  return *(bool *)flag = true;
}

/* ---- options ---- */

typedef struct mpi_option {
  const char *name;
  bool (*read)(const char *words, void *to);
  size_t at;           /* in mpi_command */
  const char *actions; /* that it is for; NULL: all */
  const char *wanted;
} mpi_option;

#define A_NUMBER "a whole number"
#define SOME_SECONDS "a number of seconds"

static const mpi_option options[] = {
    {"database", read_text, offsetof(mpi_command, database), "solve", "a folder"},
    {"checkpoint", read_text, offsetof(mpi_command, checkpoint), "solve states prove", "a folder"},
    {"save-every", read_seconds, offsetof(mpi_command, save_every), "solve states prove",
     SOME_SECONDS},
    {"memory-limit", read_bytes, offsetof(mpi_command, bytes), NULL, "a number of bytes"},
    {"max-states", read_number, offsetof(mpi_command, max_states), "solve", A_NUMBER},
    {"time-limit", read_seconds, offsetof(mpi_command, seconds), NULL, SOME_SECONDS},
    {"depth", read_number, offsetof(mpi_command, depth), "states perft", A_NUMBER},
    {"count", read_number, offsetof(mpi_command, count), "playouts", A_NUMBER},
    {"seed", read_number, offsetof(mpi_command, seed), "playouts", A_NUMBER},
    {"max-steps", read_number, offsetof(mpi_command, steps), "playouts", A_NUMBER},
    {"json", set_flag, offsetof(mpi_command, as_json), "states prove", ""},
    {"property", read_text, offsetof(mpi_command, properties), "prove", "a property"}};

enum { OPTIONS = sizeof options / sizeof *options, HELP = OPTIONS, LETTER_P = OPTIONS - 1 };

/* Names are words of their own. */
static bool is_among(const char *name, const char *names) {
  const size_t length = strlen(name);
  for (const char *at = names; (at = strstr(at, name)); at += length)
    if ((at == names || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
  return false;
}

static bool complain(bool speaks, const char *why, const char *word) {
  if (speaks && word) fprintf(stderr, "tabia-mpi: %s `%s`\n", why, word);
  if (speaks && !word) fprintf(stderr, "tabia-mpi: %s\n", why);
  return false;
}

static bool take_option(mpi_command *c, const mpi_option *o, const char *words, bool speaks) {
  char why[96];
  if (o->read(words ? words : "", (char *)c + o->at)) return true;
  snprintf(why, sizeof why, "--%s needs %s, not", o->name, o->wanted);
  return complain(speaks, why, words);
}

/* ---- all of it ---- */

static bool have_effect(const mpi_command *c, const bool *is_given, bool speaks) {
  for (uint32_t i = 0; i < OPTIONS; i++) {
    char why[64];
    if (!is_given[i] || !options[i].actions || is_among(c->action, options[i].actions)) continue;
    snprintf(why, sizeof why, "--%s has no effect with", options[i].name);
    return complain(speaks, why, c->action);
  }
  return true;
}

static bool is_sound(const mpi_command *c, bool speaks) {
  if (!is_among(c->action, "solve states prove perft playouts"))
    return complain(speaks, "there is no action", c->action);
  if (strcmp(c->action, "perft") == 0 && (c->depth == 0 || c->depth > MOST_DEPTH))
    return complain(speaks, "perft needs a --depth from 1 to 1000", NULL);
  if (strcmp(c->action, "playouts") == 0 && c->count == 0)
    return complain(speaks, "playouts needs a --count of at least 1", NULL);
  if (strcmp(c->action, "states") == 0 && c->depth >= UINT32_MAX && c->depth != UINT64_MAX)
    return complain(speaks, "the --depth is too large", NULL);
  return true;
}

mpi_wish mpi_arguments_read(mpi_command *c, int argc, char **argv, bool speaks) {
  struct option names[OPTIONS + 2] = {{0}};
  bool is_given[OPTIONS] = {false};
  for (int i = 0; i < OPTIONS; i++)
    names[i] = (struct option){
        options[i].name, options[i].read == set_flag ? no_argument : required_argument, NULL, i};
  names[HELP] = (struct option){"help", no_argument, NULL, HELP};
  opterr = speaks;
  for (int found; (found = getopt_long(argc, argv, "hp:", names, NULL)) != -1;) {
    if (found == 'h' || found == HELP) return MPI_WISH_HELP;
    if (found == '?') return MPI_WISH_UNKNOWN;
    const int i = found == 'p' ? LETTER_P : found;
    is_given[i] = true;
    if (!take_option(c, &options[i], optarg, speaks)) return MPI_WISH_UNKNOWN;
  }
  if (argc - optind != 2) {
    complain(speaks, "an action and a game are needed", NULL);
    return MPI_WISH_UNKNOWN;
  }
  c->action = argv[optind];
  c->game = argv[optind + 1];
  return is_sound(c, speaks) && have_effect(c, is_given, speaks) ? MPI_WISH_JOB : MPI_WISH_UNKNOWN;
}
