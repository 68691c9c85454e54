/* tabia prove: properties of a game, proved or refuted. */
#include "prove/prove.h"

#include "base/spelling.h"
#include "cli/command.h"
#include "cli/diag_show.h"
#include "cli/machine_load.h"
#include "cli/output.h"
#include "machine/trace.h"
#include "prove/certificate.h"
#include "prove/check_certificate.h"

#include <string.h>
#include <unistd.h>

static const command_help help = {
    .usage = "tabia prove [OPTION] GAME",
    .details =
        "More properties: strongly-winnable, monotone, unreachable FORMULA, invariant FORMULA.",
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

/* The next of a list with commas between its items, but not in parentheses. */
static slice next_item(const char **at) {
  const char *start = *at;
  uint32_t depth = 0;
  for (; **at && (**at != ',' || depth); ++*at) {
    if (**at == '(') depth++;
    if (**at == ')' && depth) depth--;
  }
  const slice item = {start, (size_t)(*at - start)};
  if (**at) ++*at;
  return item;
}

/* Reads a list of properties. */
static bool read_list(property_vec *out, const char *list, const prove_job *j, int *status) {
  while (*list) {
    const slice item = next_item(&list);
    const char *complaint = NULL;
    const char *words = arena_copy_text(j->keep, item.start, item.length);
    if (property_read(out, words, &j->g.circuit, j->keep, &complaint)) continue;
    *status = usage_error(&help, "%s", complaint);
    return false;
  }
  return true;
}

static bool read_properties(property_vec *out, const prove_command *c, const prove_job *j,
                            int *status) {
  if (!c->properties.count) return read_list(out, "all", j, status);
  for (uint32_t i = 0; i < c->properties.count; i++)
    if (!read_list(out, c->properties.items[i], j, status)) return false;
  if (out->count) return true;
  *status = usage_error(&help, "--property names no property");
  return false;
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

static void put_verdicts(const prove_job *j, const prove_command *c) {
  const bool as_json = c->as_json;
  text out = text_new(j->keep);
  json_writer w = json_to(&out);
  if (as_json) json_open_array(&w, NULL);
  for (uint32_t i = 0; i < j->properties.count; i++) {
    if (as_json)
      finding_write_json(&j->properties.items[i], &j->findings[i], &j->g.circuit, c->certificate,
                         &w);
    else
      finding_print(&j->properties.items[i], &j->findings[i], &j->g.circuit, &out);
  }
  if (as_json) {
    json_close_array(&w);
    text_add_char(&out, '\n');
  }
  fputs(text_string(&out), stdout);
}

static int status_of(const prove_job *j) {
  int status = EXIT_YES;
  for (uint32_t i = 0; i < j->properties.count; i++) {
    if (j->findings[i].kind == VERDICT_REFUTED) return EXIT_NO;
    if (j->findings[i].kind == VERDICT_UNKNOWN) status = EXIT_LIMIT;
  }
  return status;
}

/* ---- witnesses ---- */

static void add_line(void *context, const char *line) {
  text *out = context;
  text_add(out, line);
  text_add_char(out, '\n');
}

/* The first line that refutes something, else the first that proves something; or NULL. */
static const finding *finding_to_show(const prove_job *j) {
  const finding *best = NULL;
  for (uint32_t i = 0; i < j->properties.count; i++) {
    const finding *v = &j->findings[i];
    if (!v->has_line) continue;
    if (!best || (best->kind == VERDICT_PROVED && v->kind == VERDICT_REFUTED)) best = v;
  }
  return best;
}

static bool write_witness(const prove_job *j, const prove_command *c, budget *b) {
  const finding *v = finding_to_show(j);
  if (!v) return true;
  const machine_source from = {.program = j->program};
  machine *m = machine_open("reference", &from, b, j->d);
  if (!m) return false;
  machine_workspace *w = machine_workspace_new(m, b);
  const trace_options o = {.game = game_title(c->game, j->keep),
                           .max_steps = v->length,
                           .moves = line_texts(&j->g.circuit, &v->line, j->keep)};
  text out = text_new(j->keep);
  game_fault fault;
  trace_write(m, w, &o, add_line, &out, j->keep, &fault);
  machine_workspace_free(m, w);
  machine_close(m);
  return output_write(c->witness, &out);
}

/* ---- certificates ---- */

static bool write_certificate(const prove_job *j, const char *path) {
  text out = text_new(j->keep);
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (finding_has_certificate(&j->properties.items[i], &j->findings[i]))
      certificate_print(&j->properties.items[i], &j->findings[i], &j->g.circuit, &out);
  if (out.length) return output_write(path, &out);
  fprintf(stderr, "tabia: nothing was found that has a certificate: %s is not written\n", path);
  return true;
}

/* Places of a certificate are of another text than those of the game: what cannot be read of it is
   shown before certificate_check, which has one sink for both, reads it. */
static bool load_certificate(source *s, const char *path, arena *keep) {
  tree t;
  diag_sink d;
  diag_sink_init(&d, keep);
  if (source_load(s, path, keep, &d) && tree_read(&t, s, symbols_new(keep), keep, &d)) return true;
  source_index_lines(s, keep);
  diag_sort(&d);
  diag_report(s, &d, SEVERITY_ERROR);
  return false;
}

static int check_certificate(loaded_game *g, const prove_command *c, budget *b) {
  source s;
  certificate_report r;
  if (!load_certificate(&s, c->check, g->keep)) return EXIT_CANNOT_READ;
  if (!certificate_check(&r, &s, &g->program, g->keep, b, &g->diags)) {
    game_report_late(g, b);
    return b->end == BUDGET_LEFT ? EXIT_CANNOT_READ : EXIT_LIMIT;
  }
  fputs(text_string(&r.words), stdout);
  if (r.rejected) return EXIT_NO;
  if (r.unchecked) return EXIT_LIMIT;
  if (r.accepted) return EXIT_YES;
  fprintf(stderr, "tabia: there is nothing to check in %s\n", c->check);
  return EXIT_CANNOT_READ;
}

/* ---- the command ---- */

/* What goes wrong while proving is about files, and says nothing of the game. */
static int report_trouble(loaded_game *g, const budget *b) {
  const int status = game_report_late(g, b);
  return status == EXIT_NO ? EXIT_CANNOT_READ : status;
}

/* A program that reads the array finds every property in it. */
static int put_all_unknown(prove_job *j, const prove_command *c, const char *why) {
  property_vec properties = {0};
  int status = EXIT_LIMIT;
  if (!job_fall_back(j, why) || !read_properties(&properties, c, j, &status)) return status;
  job_ask(j, &properties);
  job_end(j);
  put_verdicts(j, c);
  return EXIT_LIMIT;
}

static const diag *first_error(const diag_sink *d) {
  for (uint32_t i = 0; i < d->all.count; i++)
    if (diag_severity(&d->all.items[i]) == SEVERITY_ERROR) return &d->all.items[i];
  return NULL;
}

/* A game that cannot be ground is not refuted. */
static int report_unopened(loaded_game *g, prove_job *j, const prove_command *c, const budget *b) {
  const int status = game_report_late(g, b);
  const diag *why = first_error(&g->diags);
  const bool is_unknown = status == EXIT_LIMIT || (why && why->kind == DIAG_E804);
  if (!is_unknown) return status;
  return c->as_json ? put_all_unknown(j, c, why ? why->message : NULL) : EXIT_LIMIT;
}

static int prove_loaded(loaded_game *g, prove_command *c, const prove_method *method, budget *b) {
  progress p = progress_on_stderr(true);
  prove_job j;
  property_vec properties = {0};
  int status = EXIT_USAGE;
  b->progress = &p;
  if (!job_open_for(&j, method, &g->program, c->prove, b, &g->diags)) {
    status = report_unopened(g, &j, c, b);
  } else if (read_properties(&properties, c, &j, &status)) {
    job_ask(&j, &properties);
    job_run(&j, method, b);
    progress_done(&p);
    put_verdicts(&j, c);
    status = g->diags.errors ? report_trouble(g, b) : status_of(&j);
    budget late = budget_new(0, 0);
    if (c->witness && !write_witness(&j, c, &late)) status = EXIT_CANNOT_READ;
    if (c->certificate && !write_certificate(&j, c->certificate)) status = EXIT_CANNOT_READ;
  }
  progress_done(&p);
  job_close(&j);
  return status;
}

static int prove_game(prove_command *c) {
  budget b;
  loaded_game g = {0};
  int status;
  const prove_method *method = find_method(c->method, &status);
  if (!method || !limits_begin(&b, &c->limits, &help, &status)) return status;
  if (game_load_sound(&g, c->game, LOAD_PROGRAM, &status))
    status = c->check ? check_certificate(&g, c, &b) : prove_loaded(&g, c, method, &b);
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
                  "playable, terminates, winnable [ROLE], goals, dead, mutex (all)", .letter = 'p'),
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
