/* tabia prove: properties of a game, proved or refuted. */
#include "prove/prover.h"

#include "base/spelling.h"
#include "certify/certify.h"
#include "cli/command.h"
#include "cli/diag_show.h"
#include "cli/machine_load.h"
#include "cli/output.h"
#include "cli/terminal_line.h"

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
        "  dead                     nothing is dead: every move is legal once, every rule fires\n"
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
  const char *game;
  uint64_t threads;
  uint32_t not_terminal, reachable, mutexes; /* of yes_or_no; UINT32_MAX: not given */
  prove_options prove;
  limit_options limits;
  bool as_json;
} prove_command;

/* ---- what is asked ---- */

static const char *const yes_or_no[] = {"yes", "no", NULL};

/* What `abstract` may use: everything, if nothing is said.  False: another method was asked for. */
static bool set_abstract_options(prove_command *c, int *status) {
  const bool is_given =
      c->not_terminal != UINT32_MAX || c->reachable != UINT32_MAX || c->mutexes != UINT32_MAX;
  c->prove.abstract = (abstract_options){.not_terminal = c->not_terminal != 1,
                                         .reachable = c->reachable != 1,
                                         .mutexes = c->mutexes != 1};
  if (!is_given || strcmp(c->method, "abstract") == 0) return true;
  *status =
      usage_error(&help, "--not-terminal, --reachable and --mutexes are for method `abstract`");
  return false;
}

/* Asks for everything if nothing was named. */
static bool ask_properties(prove_job *j, const prove_command *c, budget *b, int *status) {
  const char *complaint = NULL;
  for (uint32_t i = 0; i < c->properties.count; i++) {
    if (prover_ask(j, c->properties.items[i], b, &complaint)) continue;
    *status = usage_error(&help, "%s", complaint);
    return false;
  }
  return true;
}

static const prove_method *find_method(const char *name, int *status) {
  const prove_method *found = prove_method_find(name);
  if (found) return found;
  spelling s = spelling_of(slice_of(name));
  for (const prove_method *m = prove_methods; m->name; m++)
    spelling_is_nearer(&s, slice_of(m->name));
  *status = s.best.start ? usage_error(&help, "there is no method `%s`; did you mean `%s`?", name,
                                       s.best.start)
                         : usage_error(&help, "there is no method `%s`", name);
  return NULL;
}

/* ---- what comes out ---- */

/* What the listener writes to. */
typedef struct verdict_printer {
  terminal_line line;
  bool as_json; /* then all come at the end: an array is read whole */
} verdict_printer;

static void print_verdict(void *context, const prove_job *j, uint32_t i) {
  verdict_printer *v = context;
  text out = text_new(j->keep);
  if (v->as_json) return;
  terminal_line_wipe(&v->line);
  finding_print(&j->properties.items[i], &j->findings[i], &j->g.circuit, &out);
  fputs(text_string(&out), stdout);
  fflush(stdout);
}

static void put_as_json(const prove_job *j, const prove_command *c) {
  text out = text_new(j->keep);
  json_writer w = json_to(&out);
  json_open_array(&w, NULL);
  for (uint32_t i = 0; i < j->properties.count; i++)
    finding_write_json(&j->properties.items[i], &j->findings[i], &j->g.circuit, c->certificate, &w);
  json_close_array(&w);
  puts(text_string(&out));
}

static int status_of(const prove_job *j) {
  int status = EXIT_YES;
  for (uint32_t i = 0; i < j->properties.count; i++) {
    if (j->findings[i].kind == VERDICT_REFUTED) return EXIT_NO;
    if (j->findings[i].kind == VERDICT_UNKNOWN) status = EXIT_LIMIT;
  }
  return status;
}

static bool write_witness(const prove_job *j, const prove_command *c) {
  const finding *v = prover_line(j);
  budget late = budget_new(0, 0);
  text out = text_new(j->keep);
  return !v || (prover_trace(j, v, game_title(c->game, j->keep), &late, &out) &&
                output_write(c->witness, &out));
}

static bool write_certificate(const prove_job *j, const char *path) {
  text out = text_new(j->keep);
  if (prover_certify(j, &out)) return output_write(path, &out);
  fprintf(stderr, "tabia: nothing was found that has a certificate: %s is not written\n", path);
  return true;
}

/* ---- certificates ---- */

/* Places of a certificate are of another text than those of the game: what is wrong with how it is
   written is shown before it is compared with the game. */
static bool load_certificate(certificate *c, source *s, const char *path, arena *keep) {
  diag_sink d;
  diag_sink_init(&d, keep);
  d.limit = DIAG_SHOWN_OF_A_KIND;
  if (source_load(s, path, keep, &d) && certificate_read(c, s, keep, &d)) return true;
  source_index_lines(s, keep);
  diag_sort(&d);
  diag_report(s, &d, SEVERITY_ERROR);
  return false;
}

static int check_certificate(loaded_game *g, const prove_command *c, budget *b) {
  source s;
  certificate written;
  certificate_report r;
  if (!load_certificate(&written, &s, c->check, g->keep)) return EXIT_CANNOT_READ;
  if (!certificate_check(&r, &written, &g->program, g->keep, b, &g->diags)) {
    game_report_late(g, b);
    return b->end == BUDGET_LEFT ? EXIT_CANNOT_READ : EXIT_LIMIT;
  }
  for (uint32_t i = 0; i < r.sections.count; i++) puts(r.sections.items[i].words);
  return r.rejected ? EXIT_NO : r.unchecked ? EXIT_LIMIT : EXIT_YES;
}

/* ---- the command ---- */

/* What goes wrong while proving is about files, and says nothing of the game. */
static int report_trouble(loaded_game *g, const budget *b) {
  const int status = game_report_late(g, b);
  return status == EXIT_NO ? EXIT_CANNOT_READ : status;
}

static int show_rest(loaded_game *g, const prove_job *j, const prove_command *c, const budget *b) {
  if (c->as_json) put_as_json(j, c);
  int status = g->diags.errors ? report_trouble(g, b) : status_of(j);
  if (c->witness && !write_witness(j, c)) status = EXIT_CANNOT_READ;
  if (c->certificate && !write_certificate(j, c->certificate)) status = EXIT_CANNOT_READ;
  return status;
}

static int prove_loaded(loaded_game *g, prove_command *c, budget *b) {
  verdict_printer printer = {terminal_line_new(), c->as_json};
  progress shown = progress_to(terminal_line_tell, &printer.line);
  prove_job j;
  int status = EXIT_USAGE;
  b->progress = &shown;
  c->prove.listener = (prove_listener){.found = print_verdict, .context = &printer};
  const prover_opening opening = prover_open(&j, &g->program, c->prove, b, &g->diags);
  terminal_line_wipe(&printer.line);
  if (opening != PROVER_READY) status = game_report_late(g, b);
  if (opening == PROVER_UNGROUND) game_forget_warnings(g); /* they were told */
  if (opening != PROVER_FAULTY && ask_properties(&j, c, b, &status)) {
    prover_run(&j, b);
    terminal_line_wipe(&printer.line);
    status = show_rest(g, &j, c, b);
  }
  job_close(&j);
  return status;
}

static int prove_game(prove_command *c) {
  budget b;
  loaded_game g = {0};
  int status;
  c->prove.method = find_method(c->method, &status);
  if (!c->prove.method || !limits_begin(&b, &c->limits, &help, &status)) return status;
  if (game_load_sound(&g, c->game, LOAD_PROGRAM, &status))
    status = c->check ? check_certificate(&g, c, &b) : prove_loaded(&g, c, &b);
  game_free(&g);
  return status;
}

static uint64_t cores(void) {
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (uint64_t)count : 1;
}

int cmd_prove(int argc, char **argv) {
  prove_command c = {.method = "auto",
                     .threads = cores(),
                     .not_terminal = UINT32_MAX,
                     .reachable = UINT32_MAX,
                     .mutexes = UINT32_MAX,
                     .prove = {.seed = 1, .confidence = 0.99},
                     .limits = {.time_limit = 60}};
  const option options[] = {
      LIST_OPTION("property", &c.properties, "P,...",
                  "what to prove; may be repeated (the first six)", .letter = 'p'),
      STRING_OPTION("method", &c.method, "NAME",
                    "probe, squeeze, exhaustive, abstract, induction, termination, pdr, bmc (auto)",
                    .letter = 'm'),
      STRING_OPTION("witness", &c.witness, "FILE",
                    "write the first line of play that was found there, as a trace"),
      STRING_OPTION("certificate", &c.certificate, "FILE",
                    "write there what shows the verdicts, to be checked again"),
      STRING_OPTION("check", &c.check, "FILE",
                    "check the certificate in that file and do nothing else"),
      STRING_OPTION("walk", &c.prove.walk_file, "FILE",
                    "keep an exhaustive walk there, and go on with it"),
      REAL_OPTION("confidence", &c.prove.confidence, "C",
                  "of the bound that random play gives, between 0 and 1 (0.99)"),
      NUMBER_OPTION("seed", &c.prove.seed, "N", "of random play (1)"),
      NUMBER_OPTION("threads", &c.threads, "N", "of an exhaustive walk (one for each core)",
                    .least = 1, .most = 1024),
      CHOICE_OPTION("not-terminal", &c.not_terminal, yes_or_no,
                    "abstract: use that a state is not terminal (yes)"),
      CHOICE_OPTION("reachable", &c.reachable, yes_or_no,
                    "abstract: use that legal moves led to a state (yes)"),
      CHOICE_OPTION("mutexes", &c.mutexes, yes_or_no,
                    "abstract: prove facts of all states first (yes)"),
      FLAG_OPTION("json", &c.as_json, "print a JSON array"),
      LIMIT_OPTIONS_SAYING(&c.limits, "stop after this time (60); 0: go on until all is known"),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (!(c.prove.confidence > 0 && c.prove.confidence < 1))
    return usage_error(&help, "a confidence is more than 0 and less than 1");
  if (!set_abstract_options(&c, &status)) return status;
  c.game = given.items[0];
  c.prove.threads = (uint32_t)c.threads;
  return prove_game(&c);
}
