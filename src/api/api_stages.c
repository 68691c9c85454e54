/* Every stage that has a text form, in one table. */
#include "api/api_options.h"

#include "base/spelling.h"
#include "circuit/circuit_sizes.h"
#include "compile/built_code.h"
#include "compile/compile.h"
#include "frame/frame_write.h"
#include "frame/prolog_game.h"
#include "ground/bases_print.h"
#include "ground/ground_stats.h"
#include "ground/others/ground_compare.h"
#include "ground/others/number_names.h"
#include "machine/gpu/gpu_text.h"
#include "prove/aiger.h"
#include "prove/prover.h"
#include "read/tree_print.h"
#include "rules/dependencies.h"

#include <string.h>

/* ---- what a stage is written from ---- */

#define BASES_VALUES "bases=onestep|declared|iterative"
#define ENCODING_VALUES "encoding=original|direct|pruned"
#define KNOWLEDGE_BASE_VALUES "knowledge-base=dense|hash|trie"

typedef struct stage_job {
  reading *r;
  const tabia_options *options;
  const char *choices; /* that the stage knows */
  const char *name;
  budget b;
  arena *scratch;
  text_sink to;
  tabia_messages *log;
  bool is_misused; /* what was asked for makes no sense, which was told */
} stage_job;

static uint32_t chosen(const stage_job *j, const char *name) {
  return api_option(j->options, j->choices, name);
}

static bool is_chosen(const stage_job *j, const char *name, const char *value) {
  return api_option_is(j->options, j->choices, name, value);
}

/* Where most stages write: given away at the end. */
static void pour(stage_job *j, text *out) {
  if (out->length) text_pour(out, j->to);
}

/* ---- rules ---- */

static bool write_terms(stage_job *j) {
  text out = text_new(j->r->keep);
  tree_print(&j->r->tree, j->scratch, &out);
  pour(j, &out);
  return true;
}

static bool write_rules(stage_job *j) {
  text out = text_new(j->r->keep);
  for (rule_id r = 0; r < j->r->program.rules.count; r++) {
    rule_print_numbered(&j->r->program, r, (notation)chosen(j, "notation"), &out);
    text_add_char(&out, '\n');
  }
  pour(j, &out);
  return true;
}

static bool write_clauses(stage_job *j) {
  text out = text_new(j->r->keep);
  for (clause_id c = 0; c < j->r->program.clauses.count; c++) {
    clause_print(&j->r->program, c, (notation)chosen(j, "notation"), &out);
    text_add_char(&out, '\n');
  }
  pour(j, &out);
  return true;
}

static bool write_deps(stage_job *j) {
  analysis a;
  text out = text_new(j->r->keep);
  rules_analyse(&a, &j->r->program, j->r->keep);
  dependencies_print(&a, (dependencies_format)chosen(j, "format"), j->r->source.name, j->scratch,
                     &out);
  pour(j, &out);
  return true;
}

/* ---- ground rules and gates ---- */

static bool write_bases(stage_job *j) {
  bases b;
  text out = text_new(j->r->keep);
  const bool ok = bases_compute_alone(&b, &j->r->program, (bases_method)chosen(j, "bases"),
                                      j->r->keep, &j->b, &j->r->diags);
  if (ok) bases_print(&b, (bases_format)chosen(j, "format"), j->r->source.name, j->scratch, &out);
  bases_free(&b);
  if (!ok) return false;
  if (budget_is_spent(&j->b)) {
    budget_report(&j->b, &j->r->diags, "fluents and moves were being listed");
    return false;
  }
  pour(j, &out);
  return true;
}

static void write_ground_sizes(stage_job *j, const ground_stats *s, const ground_origin *from) {
  text out = text_new(j->r->keep);
  if (is_chosen(j, "format", "sizes-json"))
    ground_stats_write_json(s, from, j->r->source.name, &out);
  else
    ground_stats_print(s, from, &out);
  pour(j, &out);
}

static void write_ground_as(stage_job *j, const ground_program *g, const ground_stats *s,
                            const ground_origin *from) {
  const uint32_t format = chosen(j, "format");
  if (is_chosen(j, "format", "json"))
    ground_write_json(g, j->r->source.name, j->to);
  else if (is_chosen(j, "format", "sizes") || is_chosen(j, "format", "sizes-json"))
    write_ground_sizes(j, s, from);
  else
    ground_print(g, (ground_format)format, j->to);
}

static bool write_ground(stage_job *j) {
  ground_program g;
  ground_stats s;
  encoded_program e;
  const ground_options how = {.method = (ground_method)chosen(j, "method"),
                              .bases = (bases_method)chosen(j, "bases"),
                              .optimise = is_chosen(j, "optimise", "yes")};
  frame_encode(&e, &j->r->program, (frame_encoding)chosen(j, "encoding"), SCOPE_GAMES, j->r->keep,
               &j->b);
  if (!ground_rules(&g, e.program, how, j->r->keep, &j->b, &j->r->diags, &s)) return false;
  const ground_origin from = {.method = how.method,
                              .bases = how.bases,
                              .encoding = frame_encoding_name(e.used),
                              .encode_seconds = e.used == ENCODING_ORIGINAL ? 0 : e.seconds};
  write_ground_as(j, &g, &s, &from);
  return true;
}

static void write_circuit_as(stage_job *j, const circuit *c, const ground_stats *s) {
  text out = text_new(j->r->keep);
  if (is_chosen(j, "format", "json"))
    circuit_write_json(c, j->r->source.name, &out);
  else if (is_chosen(j, "format", "sizes-json"))
    circuit_sizes_write_json(c, s, j->r->source.name, &out);
  else if (is_chosen(j, "format", "sizes"))
    circuit_sizes_print(c, s, &out);
  else
    circuit_print(c, (circuit_format)chosen(j, "format"), &out);
  pour(j, &out);
}

static bool write_circuit(stage_job *j) {
  ground_program g;
  ground_stats s;
  circuit c;
  const ground_options how = {.optimise = true};
  const bool ok = ground_rules(&g, &j->r->program, how, j->r->keep, &j->b, &j->r->diags, &s) &&
                  circuit_build(&c, &g, j->r->keep, &j->b, &j->r->diags);
  if (ok) write_circuit_as(j, &c, &s);
  return ok;
}

/* ---- frame rules and the compiler ---- */

static bool write_frame(stage_job *j) {
  static const frame_cover covers[] = {COVER_PRUNED, COVER_DIRECT, COVER_GENERIC};
  static const frame_part parts[] = {FRAME_CHANGED, FRAME_WHOLE, FRAME_STEPS, FRAME_SIZES};
  frame_write_options o = {.cover = covers[chosen(j, "cover")],
                           .prove_seconds = FRAME_PRUNING_SECONDS,
                           .part = parts[chosen(j, "part")],
                           .notation = (notation)chosen(j, "notation"),
                           .game = j->r->source.name};
  text out = text_new(j->scratch);
  j->is_misused = !api_option_number(j->options, "prove-limit", &o.prove_seconds, j->log);
  if (j->is_misused) return false;
  const bool ok = frame_write(&j->r->program, &o, j->r->keep, &j->b, &j->r->diags, &out);
  pour(j, &out);
  return ok;
}

static bool compile_to(stage_job *j, compile_stage last, text *out) {
  encoded_program e;
  compilation c;
  const compile_options o = {.name = j->r->source.name,
                             .kb = (knowledge_base)chosen(j, "knowledge-base")};
  frame_encode(&e, &j->r->program, (frame_encoding)chosen(j, "encoding"), SCOPE_GAMES, j->r->keep,
               &j->b);
  return compile_game(&c, e.program, &o, last, j->r->keep, &j->b, &j->r->diags, out);
}

static bool write_compiled(stage_job *j) {
  static const struct {
    const char *name;
    compile_stage stage;
  } rows[] = {{"strata", COMPILE_STRATA},
              {"normal", COMPILE_NORMAL},
              {"labels", COMPILE_LABELS},
              {"inverted", COMPILE_INVERTED},
              {"c", COMPILE_C}};
  uint32_t i = 0;
  while (strcmp(rows[i].name, j->name) != 0) i++;
  text out = text_new(j->scratch);
  const bool ok = compile_to(j, rows[i].stage, &out);
  pour(j, &out);
  return ok;
}

static bool write_ptx(stage_job *j) {
  const machine_source source = {.program = &j->r->program};
  text out = text_new(j->scratch);
  const bool ok = gpu_text_write(&source, &out, &j->b, &j->r->diags);
  pour(j, &out);
  return ok;
}

/* ---- for other programs ---- */

static bool write_asp(stage_job *j) {
  text out = text_new(j->r->keep);
  if (!clauses_are_safe(&j->r->program, &j->r->diags)) return false;
  asp_write_named(&j->r->program, (bases_method)chosen(j, "bases"), &out);
  pour(j, &out);
  return true;
}

static bool write_prolog_grounder(stage_job *j) {
  text out = text_new(j->r->keep);
  if (!clauses_are_safe(&j->r->program, &j->r->diags)) return false;
  prolog_write(&j->r->program, (bases_method)chosen(j, "bases"), &out);
  pour(j, &out);
  return true;
}

/* The search that is written beside it plays on in terminal states. */
static bool write_prolog_game(stage_job *j) {
  encoded_program e;
  text out = text_new(j->r->keep);
  frame_encode(&e, &j->r->program, (frame_encoding)chosen(j, "encoding"), SCOPE_PLAY_ON, j->r->keep,
               &j->b);
  if (j->b.end != BUDGET_LEFT) return false;
  prolog_game_write(&e, &out);
  pour(j, &out);
  return true;
}

/* The question as a circuit of its own; all its names are those of the game. */
static bool write_question(prove_job *p, const char *words, budget *b, text *out,
                           const char **complaint) {
  if (!prover_ask(p, words, b, complaint)) return false;
  const property_vec properties = p->properties;
  if (properties.count != 1 || !property_is_reach(properties.items[0].kind)) {
    *complaint = "`aiger` needs one property of: playable, goals, winnable ROLE, unreachable F, "
                 "invariant E";
    return false;
  }
  job_ask(p, &properties);
  return aiger_write(&p->full, 0, properties.items[0].name, out, complaint);
}

static bool write_aiger(stage_job *j) {
  prove_job p;
  const char *complaint = NULL;
  text out = text_new(j->scratch);
  const char *words = api_option_text(j->options, "property", "playable");
  const bool ok =
      job_open(&p, &j->r->program, (prove_options){.threads = 1}, &j->b, &j->r->diags) &&
      write_question(&p, words, &j->b, &out, &complaint);
  if (complaint) api_tell_error(j->log, "%s", complaint);
  j->is_misused = complaint;
  job_close(&p);
  pour(j, &out);
  return ok;
}

/* ---- the table ---- */

typedef struct stage_row {
  const char *name, *summary, *choices;
  bool (*write)(stage_job *j); /* false: a limit was reached, or messages say why */
  bool takes_faulty;           /* rules that cannot be read whole will do */
} stage_row;

#define COMPILER_CHOICES ENCODING_VALUES " " KNOWLEDGE_BASE_VALUES

static const stage_row stages[] = {
    {"terms", "names and lists as they were read", "", write_terms, true},
    {"rules", "rules with their variables numbered", "notation=kif|prolog", write_rules, true},
    {"clauses", "rules without `or`, `and` and equality", "notation=kif|prolog", write_clauses,
     true},
    {"deps", "which relation depends on which, by strata", "format=text|dot|json", write_deps,
     true},
    {"bases", "every fluent and every move that there can be", "format=kif|json " BASES_VALUES,
     write_bases, false},
    {"ground", "rules without variables",
     "format=kif|prolog|asp|json|sizes|sizes-json method=native|asp|prolog optimise=yes|no " BASES_VALUES
     " " ENCODING_VALUES,
     write_ground, false},
    {"circuit", "gates made of the ground rules", "format=text|dot|json|sizes|sizes-json",
     write_circuit, false},
    {"frame", "rules about what ceases, in place of frame rules",
     "part=changed|whole|steps|sizes cover=pruned|direct|generic notation=kif|prolog "
     "prove-limit=SECONDS",
     write_frame, false},
    {"strata", "flat rules, stratified", COMPILER_CHOICES, write_compiled, false},
    {"normal", "rules of at most two conditions", COMPILER_CHOICES, write_compiled, false},
    {"labels", "how long facts live", COMPILER_CHOICES, write_compiled, false},
    {"inverted", "rules by what triggers them", COMPILER_CHOICES, write_compiled, false},
    {"c", "the game as C", COMPILER_CHOICES, write_compiled, false},
    {"ptx", "random games as assembly text for NVIDIA cards", "", write_ptx, false},
    {"asp", "for gringo, which grounds it", BASES_VALUES, write_asp, false},
    {"prolog", "for SWI-Prolog, which searches it", ENCODING_VALUES, write_prolog_game, false},
    {"prolog-grounder", "for SWI-Prolog, which grounds it", BASES_VALUES, write_prolog_grounder,
     false},
    {"aiger", "for model checkers, which answer one question", "property=P", write_aiger, false},
};

enum { STAGE_COUNT = sizeof stages / sizeof *stages };

uint32_t tabia_stage_count(void) { return STAGE_COUNT; }

const char *tabia_stage_name(uint32_t i) { return i < STAGE_COUNT ? stages[i].name : NULL; }

const char *tabia_stage_summary(uint32_t i) { return i < STAGE_COUNT ? stages[i].summary : NULL; }

const char *tabia_stage_options(uint32_t i) { return i < STAGE_COUNT ? stages[i].choices : NULL; }

static const stage_row *find_stage(const char *name, tabia_messages *log) {
  spelling s = spelling_of(slice_of(name));
  for (uint32_t i = 0; i < STAGE_COUNT; i++) {
    if (strcmp(stages[i].name, name) == 0) return &stages[i];
    spelling_is_nearer(&s, slice_of(stages[i].name));
  }
  if (s.best.start)
    api_tell_error(log, "there is no stage `%s`; did you mean `%s`?", name, s.best.start);
  else
    api_tell_error(log, "there is no stage `%s`", name);
  return NULL;
}

/* ---- running a job ---- */

/* NULL: the rules are not whole, which is told. */
static reading *begin_job(stage_job *j, const tabia_rules *rules, bool takes_faulty,
                          const tabia_limits *limits) {
  j->r = takes_faulty ? reading_new(rules) : reading_whole(rules, j->log);
  if (!j->r) return NULL;
  j->scratch = arena_new();
  j->b = api_budget(limits);
  budget_watch(&j->b, j->r->keep);
  if (!takes_faulty) diag_sink_init(&j->r->diags, j->r->keep); /* warnings are for the check */
  return j->r;
}

static tabia_status end_job(stage_job *j, bool ok) {
  if (!ok && !j->r->diags.errors) budget_report(&j->b, &j->r->diags, "not all was done");
  api_tell(j->log, &j->r->diags, &j->r->source);
  const bool has_errors = j->r->diags.errors;
  arena_free(j->scratch);
  reading_free(j->r);
  if (j->is_misused) return TABIA_MISUSE;
  if (!ok) return api_failure(&j->b);
  return has_errors ? TABIA_FAULTY : TABIA_OK;
}

static tabia_status write_stage(const tabia_rules *rules, const char *stage,
                                const tabia_options *options, const tabia_limits *limits,
                                tabia_put *put, void *context, tabia_messages *log) {
  const stage_row *row = find_stage(stage, log);
  if (!row || !api_options_fit(options, row->choices, row->name, log)) return TABIA_MISUSE;
  stage_job j = {.options = options,
                 .choices = row->choices,
                 .name = row->name,
                 .to = {put, context},
                 .log = log};
  if (!begin_job(&j, rules, row->takes_faulty, limits)) return TABIA_FAULTY;
  return end_job(&j, row->write(&j));
}

tabia_status tabia_rules_write(const tabia_rules *rules, const char *stage,
                               const tabia_options *options, const tabia_limits *limits,
                               tabia_put *put, void *context, tabia_messages *log) {
  API_GUARDED(tabia_status, write_stage(rules, stage, options, limits, put, context, log),
              api_no_memory(log));
}

/* ---- comparing methods ---- */

static bool compare_methods(stage_job *j, ground_method method) {
  ground_program results[2];
  const ground_method methods[2] = {METHOD_NATIVE, method};
  ground_stats unused;
  for (uint32_t i = 0; i < 2; i++) {
    const ground_options how = {.method = methods[i]};
    if (!ground_rules(&results[i], &j->r->program, how, j->r->keep, &j->b, &j->r->diags, &unused))
      return false;
  }
  const ground_side native = {"native", &results[0]};
  const ground_side other = {ground_method_name(method), &results[1]};
  return ground_compare(&j->r->program, native, other, &j->r->diags);
}

static tabia_status compare_with(const tabia_rules *rules, const char *method,
                                 const tabia_limits *limits, tabia_messages *log) {
  ground_method m;
  stage_job j = {.log = log};
  if (!ground_method_find(method, &m)) {
    api_tell_error(log, "there is no method `%s`", method);
    return TABIA_MISUSE;
  }
  if (!begin_job(&j, rules, false, limits)) return TABIA_FAULTY;
  return end_job(&j, compare_methods(&j, m));
}

tabia_status tabia_rules_compare_methods(const tabia_rules *rules, const char *method,
                                         const tabia_limits *limits, tabia_messages *log) {
  API_GUARDED(tabia_status, compare_with(rules, method, limits, log), api_no_memory(log));
}

/* ---- building ---- */

static const char BUILD_CHOICES[] = "product=object|shared level=N " COMPILER_CHOICES;

static bool build(stage_job *j) {
  double level = 2;
  text c = text_new(j->scratch), code = text_new(j->scratch);
  j->is_misused = !api_option_whole(j->options, "level", 0, 3, &level, j->log);
  if (j->is_misused) return false;
  const bool ok = compile_to(j, COMPILE_C, &c) &&
                  c_build_code(&c, is_chosen(j, "product", "shared") ? C_SHARED : C_OBJECT,
                               (uint32_t)level, j->r->keep, &j->b, &j->r->diags, &code);
  pour(j, &code);
  return ok;
}

static tabia_status build_rules(const tabia_rules *rules, const tabia_options *options,
                                const tabia_limits *limits, tabia_put *put, void *context,
                                tabia_messages *log) {
  stage_job j = {.options = options, .choices = BUILD_CHOICES, .to = {put, context}, .log = log};
  if (!api_options_fit(options, BUILD_CHOICES, "a build", log)) return TABIA_MISUSE;
  if (!begin_job(&j, rules, false, limits)) return TABIA_FAULTY;
  return end_job(&j, build(&j));
}

tabia_status tabia_rules_build(const tabia_rules *rules, const tabia_options *options,
                               const tabia_limits *limits, tabia_put *put, void *context,
                               tabia_messages *log) {
  API_GUARDED(tabia_status, build_rules(rules, options, limits, put, context, log),
              api_no_memory(log));
}

const char *tabia_game_header(const char *name) {
  if (strcmp(name, "tabia_game.h") == 0) return c_game_header;
  if (strcmp(name, "tabia_runtime.h") == 0) return c_runtime_header;
  return NULL;
}
