/* Answers to 'why?' as objects. */
#include "api/api_options.h"
#include "api/api_terms.h"

#include "explain/why.h"
#include "machine/fluent_set.h"

#include <string.h>

struct tabia_why {
  arena *keep; /* that of the reading: this too lives there */
  reading *r;
  budget b;
  why *y;
};

/* What is asked, and the machine that reads moves. */
typedef struct why_job {
  tabia_why *to;
  const char *literal, *from, *after, *does;
  const char **start; /* the fluents of `from` */
  uint32_t start_count;
  tabia_machine machine; /* the reference machine; m is NULL where there are no moves to read */
  tabia_workspace workspace;
  void *position;
  tabia_messages *log;
} why_job;

static const char why_choices[] = "from=STATE after=MOVES does=MOVES";

/* ---- the question ---- */

static bool read_question(why_job *j, why_question *q) {
  diag_sink d;
  diag_sink_init(&d, j->to->keep);
  const char *words = arena_copy_text(j->to->keep, j->literal, strlen(j->literal));
  const source s = source_of("the question", words, (uint32_t)strlen(words));
  if (why_read(q, &j->to->r->program, s.name, words, j->to->keep, &d)) return true;
  api_tell(j->log, &d, &s);
  return false;
}

/* ---- the state ---- */

static tabia_status read_start(why_job *j) {
  given_terms g;
  if (!j->from) return TABIA_OK;
  const bool ok = given_terms_read(&g, "the state", j->from, strlen(j->from)) &&
                  given_fluents_check(&g, &j->to->r->program);
  if (!ok) api_tell(j->log, &g.diags, &g.source);
  j->start_count = g.items.count;
  j->start = arena_new_array(j->to->keep, const char *, g.items.count + (size_t)1);
  for (uint32_t i = 0; i < g.items.count; i++) {
    const char *words = g.items.items[i].canonical;
    j->start[i] = arena_copy_text(j->to->keep, words, strlen(words));
  }
  given_terms_free(&g);
  return ok ? TABIA_OK : TABIA_UNREADABLE;
}

static void place_start(why_job *j) {
  const machine *m = j->machine.m;
  fluent_conflict unused;
  fluent_id *ids = arena_new_array(j->to->keep, fluent_id, j->start_count + (size_t)1);
  if (!j->start) {
    machine_start(m, j->position);
    return;
  }
  for (uint32_t i = 0; i < j->start_count; i++) ids[i] = m->ops->find_fluent(m, j->start[i]);
  position_of_fluents(m, ids, j->start_count, j->position, &unused, j->to->keep);
}

/* Moves are read by the reference machine. */
static bool open_machine(why_job *j) {
  reading *r = j->to->r;
  const machine_source from = {.program = &r->program};
  j->machine = (tabia_machine){.rules = r};
  j->machine.m = machine_open("reference", &from, &j->to->b, &r->diags);
  if (!j->machine.m) {
    api_tell(j->log, &r->diags, &r->source);
    return false;
  }
  j->workspace = (tabia_workspace){.keep = arena_new(), .of = &j->machine, .budget = j->to->b};
  j->workspace.w = machine_workspace_new(j->machine.m, &j->to->b);
  j->position = arena_alloc(j->to->keep, j->machine.m->position_size);
  place_start(j);
  return true;
}

static void close_machine(why_job *j) {
  if (!j->machine.m) return;
  machine_workspace_free(j->machine.m, j->workspace.w);
  arena_free(j->workspace.keep);
  machine_close(j->machine.m);
}

static const char **joint_words(const why_job *j, const move_id *joint) {
  const machine *m = j->machine.m;
  const char **words = arena_new_array(j->to->keep, const char *, m->role_count + (size_t)1);
  for (uint32_t i = 0; i < m->role_count; i++) words[i] = move_words(m, i, joint[i], j->to->keep);
  return words;
}

/* Reports the trouble, or the limit, that has ended the explanation. */
static tabia_status tell_end(why_job *j) {
  reading *r = j->to->r;
  if (!why_report_trouble(j->to->y, &r->diags))
    budget_report(&j->to->b, &r->diags, "an explanation was being found");
  api_tell(j->log, &r->diags, &r->source);
  return api_failure(&j->to->b);
}

static tabia_status make_moves(why_job *j) {
  id_vec joints = {0};
  if (!j->after) return TABIA_OK;
  const tabia_status status = api_play_line(&j->workspace, "the moves", j->after, strlen(j->after),
                                            j->position, &joints, j->to->keep, j->log);
  const uint32_t roles = j->machine.m->role_count;
  for (uint32_t i = 0; status == TABIA_OK && i < joints.count; i += roles)
    if (!why_step_on(j->to->y, joint_words(j, joints.items + i))) return tell_end(j);
  return status;
}

static tabia_status set_moves(why_job *j) {
  if (!j->does) return TABIA_OK;
  tabia_move *joint =
      arena_new_array(j->to->keep, tabia_move, j->machine.m->role_count + (size_t)1);
  const tabia_status status = api_read_joint(&j->workspace, j->position, "what is done", j->does,
                                             strlen(j->does), joint, j->log);
  if (status == TABIA_OK && !why_set_moves(j->to->y, joint_words(j, joint))) return tell_end(j);
  return status;
}

/* ---- asking ---- */

static tabia_status ask_at(why_job *j) {
  if ((j->after || j->does) && !open_machine(j)) return api_failure(&j->to->b);
  if (!why_begin(j->to->y, j->start, j->start_count)) return tell_end(j);
  tabia_status status = make_moves(j);
  if (status == TABIA_OK) status = set_moves(j);
  if (status != TABIA_OK) return status;
  return why_answer(j->to->y) ? TABIA_OK : tell_end(j);
}

static tabia_status ask_rules(why_job *j) {
  reading *r = j->to->r;
  why_question q;
  if (!read_question(j, &q)) return TABIA_MISUSE;
  diag_sink_init(&r->diags, r->keep); /* warnings are for the check */
  j->to->y = why_open(&r->program, &q, &j->to->b, r->keep, &r->diags);
  if (!j->to->y) {
    api_tell(j->log, &r->diags, &r->source);
    return api_failure(&j->to->b);
  }
  tabia_status status = read_start(j);
  if (status == TABIA_OK) status = ask_at(j);
  close_machine(j);
  return status;
}

static tabia_status ask(tabia_why **out, const tabia_rules *rules, const char *literal,
                        const tabia_options *options, const tabia_limits *limits,
                        tabia_messages *log) {
  if (!api_options_fit(options, why_choices, "why", log)) return TABIA_MISUSE;
  reading *r = reading_whole(rules, log);
  if (!r) return TABIA_FAULTY;
  why_job j = {.literal = literal, .log = log};
  j.to = arena_alloc_zero(r->keep, sizeof *j.to);
  *j.to = (tabia_why){.keep = r->keep, .r = r, .b = api_budget(limits)};
  j.from = api_option_text(options, "from", NULL);
  j.after = api_option_text(options, "after", NULL);
  j.does = api_option_text(options, "does", NULL);
  budget_watch(&j.to->b, r->keep);
  source_index_lines(&r->source, r->keep);
  const tabia_status status = ask_rules(&j);
  if (status == TABIA_OK)
    *out = j.to;
  else
    tabia_why_free(j.to);
  return status;
}

static tabia_status fail(tabia_why **why, tabia_messages *log) {
  *why = NULL;
  return api_no_memory(log);
}

tabia_status tabia_why_ask(tabia_why **why, const tabia_rules *rules, const char *literal,
                           const tabia_options *options, const tabia_limits *limits,
                           tabia_messages *log) {
  *why = NULL;
  API_GUARDED(tabia_status, ask(why, rules, literal, options, limits, log), fail(why, log));
}

void tabia_why_free(tabia_why *why) {
  if (!why) return;
  why_close(why->y);
  reading_free(why->r);
}

/* ---- what was found ---- */

bool tabia_why_holds(const tabia_why *why) { return why->y->holds; }

const char *tabia_why_headline(const tabia_why *why) { return why->y->headline; }

uint32_t tabia_why_answer_count(const tabia_why *why) { return why->y->answers.count; }

static const char *answer_words(const tabia_why *why, uint32_t i) {
  text out = text_new(why->keep);
  term_print(why->y->world->terms, why->y->answers.items[i], NOTATION_KIF, NULL, &out);
  return text_string(&out);
}

const char *tabia_why_answer(tabia_why *why, uint32_t i) {
  API_GUARDED(const char *, answer_words(why, i), NULL);
}

static const why_step *step_of(const tabia_why *why, uint32_t i) {
  return &why->y->explanation.steps.items[i];
}

uint32_t tabia_why_step_count(const tabia_why *why) { return why->y->explanation.steps.count; }

const char *tabia_why_step_kind(const tabia_why *why, uint32_t i) {
  return why_kind_name(step_of(why, i)->kind);
}

uint32_t tabia_why_step_depth(const tabia_why *why, uint32_t i) { return step_of(why, i)->depth; }

bool tabia_why_step_holds(const tabia_why *why, uint32_t i) { return step_of(why, i)->holds; }

static const char *step_words(const tabia_why *why, uint32_t i) {
  text out = text_new(why->keep);
  why_step_print(why->y, step_of(why, i), &out);
  return text_string(&out);
}

const char *tabia_why_step_literal(tabia_why *why, uint32_t i) {
  API_GUARDED(const char *, step_words(why, i), NULL);
}

const char *tabia_why_step_words(const tabia_why *why, uint32_t i) {
  return step_of(why, i)->words;
}

bool tabia_why_step_place(const tabia_why *why, uint32_t i, size_t *start, size_t *end,
                          uint32_t *line) {
  const span where = step_of(why, i)->where;
  if (where.start == UINT32_MAX) return false;
  *start = where.start;
  *end = where.end;
  *line = source_place(&why->r->source, where.start).line;
  return true;
}

/* ---- writing ---- */

static tabia_status write_why(tabia_why *why, const char *format, uint32_t depth, tabia_put *put,
                              void *context, tabia_messages *log) {
  text out = text_new(why->keep);
  if (strcmp(format, "text") == 0)
    why_print(why->y, &why->r->source, depth, &out);
  else if (strcmp(format, "json") == 0)
    why_write_json(why->y, &why->r->source, depth, &out);
  else if (strcmp(format, "dot") == 0)
    why_write_dot(why->y, &why->r->source, depth, &out);
  else {
    api_tell_error(log, "there is no format `%s`: it is text, json or dot", format);
    return TABIA_MISUSE;
  }
  put(context, out.bytes, out.length);
  return TABIA_OK;
}

tabia_status tabia_why_write(tabia_why *why, const char *format, uint32_t depth, tabia_put *put,
                             void *context, tabia_messages *log) {
  API_GUARDED(tabia_status, write_why(why, format, depth, put, context, log), api_no_memory(log));
}
