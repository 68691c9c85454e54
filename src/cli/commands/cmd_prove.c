/* tabia prove: properties of a game, proved or refuted. */
#include "cli/output.h"
#include "cli/proof_show.h"
#include "cli/session.h"

#include <string.h>
#include <unistd.h>

static const command_help help = {
    .usage = "tabia prove [OPTION] GAME",
    .details =
        "Proves or refutes properties, and prints each verdict when it is found:\n"
        "  playable                 every role always has a legal move until the game ends\n"
        "  terminates               every play comes to an end\n"
        "  winnable [ROLE]          some play ends with 100 for the role\n"
        "  goals                    at the end every role has exactly one goal, from 0 to 100\n"
        "  dead                     every move is legal in some state, and every rule fires\n"
        "  mutex                    which fluents exclude each other\n"
        "  strongly-winnable [ROLE] the role can get 100, whatever the others do\n"
        "  monotone                 every role always has one goal, and no step makes it smaller\n"
        "  unreachable FORMULA      the formula holds in no state that can be reached\n"
        "  invariant FORMULA        the formula holds in every state that can be reached",
    .example = "tabia prove tic-tac-toe -p playable,terminates -p 'winnable x'",
};

typedef struct prove_command {
  option_list properties; /* none: all */
  const char *method;
  const char *witness;
  const char *certificate;
  const char *check;
  const char *walk;
  uint64_t threads, seed;
  double confidence;
  uint32_t not_terminal, reachable, mutexes; /* of yes_or_no; UINT32_MAX: not given */
  limit_choice limits;
  start_choice start;
  bool as_json;
} prove_command;

static const char *const yes_or_no[] = {"yes", "no", NULL};

static void add_piece(void *context, const char *bytes, size_t length) {
  text_add_bytes(context, bytes, length);
}

/* ---- what is asked ---- */

static void set_number(tabia_options *o, const char *name, double number) {
  char words[40];
  snprintf(words, sizeof words, "%.17g", number);
  tabia_options_set(o, name, words);
}

static const char *answer(uint32_t given) { return given == UINT32_MAX ? NULL : yes_or_no[given]; }

static void choose(tabia_options *o, const prove_command *c) {
  tabia_options_set(o, "method", c->method);
  tabia_options_set(o, "walk", c->walk);
  tabia_options_set(o, "certificate", c->certificate);
  tabia_options_set(o, "not-terminal", answer(c->not_terminal));
  tabia_options_set(o, "reachable", answer(c->reachable));
  tabia_options_set(o, "mutexes", answer(c->mutexes));
  set_number(o, "threads", (double)c->threads);
  set_number(o, "seed", (double)c->seed);
  set_number(o, "confidence", c->confidence);
}

/* ---- what comes out ---- */

/* What verdicts are written with as they come. */
typedef struct verdict_printer {
  const session *s;
  bool as_json; /* then all come at the end: an object is read whole */
} verdict_printer;

static void print_verdict(void *context, const tabia_proof *p, uint32_t i) {
  const verdict_printer *v = context;
  if (v->as_json) return;
  terminal_line_wipe(v->s->line);
  proof_put_verdict(p, i);
}

/* The first line of play that refutes something, else the first that proves something. */
static uint32_t line_to_show(const tabia_proof *p) {
  const uint32_t count = tabia_proof_count(p);
  uint32_t best = count;
  for (uint32_t i = 0; i < count; i++) {
    if (!tabia_proof_has_line(p, i)) continue;
    if (tabia_proof_verdict(p, i) == TABIA_REFUTED) return i;
    if (best == count) best = i;
  }
  return best;
}

static bool write_witness(const session *s, const tabia_proof *p, const prove_command *c) {
  const uint32_t i = line_to_show(p);
  text out = text_new(s->keep);
  if (i == tabia_proof_count(p)) return true;
  const char *game = game_title(tabia_rules_name(s->rules), s->keep);
  return tabia_proof_write_trace(p, i, game, add_piece, &out, s->log) == TABIA_OK &&
         output_write(c->witness, &out);
}

/* A comment that says of which game the certificate speaks. */
static void add_start(const session *s, text *out) {
  if (!s->start) return;
  text_add(out, "; the start is not that of the game, but\n");
  for (const char *at = s->start; *at;) {
    const size_t length = strcspn(at, "\r\n");
    text_add_format(out, ";   %.*s\n", (int)length, at);
    at += length + (at[length] != '\0');
  }
}

static bool write_certificate(const session *s, const tabia_proof *p, const char *path) {
  text out = text_new(s->keep);
  add_start(s, &out);
  if (tabia_proof_write_certificate(p, add_piece, &out, NULL) == TABIA_OK)
    return output_write(path, &out);
  fprintf(stderr, "tabia: nothing was found that has a certificate: %s is not written\n", path);
  return true;
}

/* ---- proving ---- */

static int prove(session *s, const prove_command *c) {
  verdict_printer printer = {s, c->as_json};
  tabia_proof *p = tabia_proof_new(s->rules);
  choose(s->options, c);
  for (uint32_t i = 0; i < c->properties.count; i++) tabia_proof_ask(p, c->properties.items[i]);
  const tabia_status result =
      tabia_proof_run(p, s->options, s->limits, print_verdict, &printer, s->log);
  terminal_line_wipe(s->line);
  int status = session_show(s, result);
  if (tabia_proof_count(p)) {
    if (c->as_json) proof_put_json(p, tabia_rules_name(s->rules));
    if (c->witness && !write_witness(s, p, c)) status = EXIT_CANNOT_READ;
    if (c->certificate && !write_certificate(s, p, c->certificate)) status = EXIT_CANNOT_READ;
  }
  tabia_proof_free(p);
  return status;
}

/* ---- certificates ---- */

static int check_certificate(session *s, const char *path) {
  text certificate = text_new(s->keep);
  const char *why;
  if (!session_read_file(path, &certificate, &why)) {
    fprintf(stderr, "%s: error: cannot read %s: %s [E701]\n", path, path, why);
    return EXIT_CANNOT_READ;
  }
  return session_show(s,
                      tabia_certificate_check(s->rules, path, certificate.bytes, certificate.length,
                                              s->limits, put_to_stdout, NULL, s->log));
}

/* ---- the command ---- */

static uint64_t cores(void) {
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (uint64_t)count : 1;
}

static const char *const not_for_checks[] = {
    "property", "method",       "witness",   "certificate", "walk", "confidence", "seed",
    "threads",  "not-terminal", "reachable", "mutexes",     "json", NULL};

/* A walk file and threads are of the walk alone. */
static const char *const of_walks[] = {"walk", "threads", NULL};
static const char *const for_walks[] = {"auto", "exhaustive", NULL};

static bool is_one_of(const char *word, const char *const *words) {
  while (*words && strcmp(*words, word) != 0) words++;
  return *words;
}

/* False: a message was shown. */
static bool is_in_order(const prove_command *c, const option *options, const arguments *given,
                        int *status) {
  if (c->check &&
      !options_have_effect(&help, options, given, not_for_checks, "with --check", status))
    return false;
  if (c->method && !is_one_of(c->method, for_walks) &&
      !options_have_effect(&help, options, given, of_walks, "on this method", status))
    return false;
  if (c->confidence > 0 && c->confidence < 1) return true;
  *status = usage_error(&help, "a confidence is more than 0 and less than 1");
  return false;
}

int cmd_prove(int argc, char **argv) {
  prove_command c = {.method = "auto",
                     .threads = cores(),
                     .not_terminal = UINT32_MAX,
                     .reachable = UINT32_MAX,
                     .mutexes = UINT32_MAX,
                     .seed = 1,
                     .confidence = 0.99,
                     .limits = {.time_limit = 60}};
  const option options[] = {
      LIST_OPTION("property", &c.properties, "P,...",
                  "what to prove; may be repeated (the first six)", .letter = 'p'),
      STRING_OPTION("method", &c.method, "NAME",
                    "exhaustive, probe, induction, ...; `man tabia` has all (auto)", .letter = 'm'),
      STRING_OPTION("witness", &c.witness, "FILE",
                    "write the first line of play found to FILE, as a trace"),
      STRING_OPTION("certificate", &c.certificate, "FILE",
                    "write the evidence for the verdicts to FILE"),
      STRING_OPTION("check", &c.check, "FILE", "only check the certificate in FILE"),
      STRING_OPTION("walk", &c.walk, "FILE", "keep an exhaustive walk in FILE, and resume it"),
      REAL_OPTION("confidence", &c.confidence, "C",
                  "of the bound from random play, between 0 and 1 (0.99)"),
      NUMBER_OPTION("seed", &c.seed, "N", "seed of random play (1)"),
      NUMBER_OPTION("threads", &c.threads, "N", "threads of an exhaustive walk (one for each core)",
                    .least = 1, .most = 1024),
      CHOICE_OPTION("not-terminal", &c.not_terminal, yes_or_no,
                    "abstract: assume that a state is not terminal (yes)"),
      CHOICE_OPTION("reachable", &c.reachable, yes_or_no,
                    "abstract: assume that legal moves led to a state (yes)"),
      CHOICE_OPTION("mutexes", &c.mutexes, yes_or_no,
                    "abstract: prove facts of all states first (yes)"),
      FLAG_OPTION("json", &c.as_json, "print a JSON object"),
      SESSION_START(&c.start),
      SESSION_LIMITS_SAYING(&c.limits, "stop after this time (60); 0: go on until all is known"),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (!is_in_order(&c, options, &given, &status)) return status;
  session s;
  if (session_begin(&s, &c.limits, &help, &status) &&
      session_read_from(&s, given.items[0], &c.start, &status))
    status = c.check ? check_certificate(&s, c.check) : prove(&s, &c);
  return session_end(&s, status);
}
