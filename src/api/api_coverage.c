/* Which rules fire, as an object. */
#include "api/api.h"

#include "explain/coverage.h"

#include <string.h>

struct tabia_coverage {
  arena *keep; /* that of the reading: this too lives there */
  reading *r;
  tabia_machine *machine; /* `reference` */
  arena *guard;           /* of the machine */
  tabia_workspace *workspace;
  void *position;
  budget b;
  coverage c;
  id_vec rules; /* those that count */
  const char **heads;
};

static const char *head_of(const program *p, rule_id rule, arena *keep) {
  const struct rule *r = &p->rules.items[rule];
  text out = text_new(keep);
  text_add(&out, "(<= ");
  term_print(p->terms, r->head, NOTATION_KIF, vec_from(&p->variable_names, r->variables), &out);
  text_add(&out, " ...)");
  return text_string(&out);
}

static void list_rules(tabia_coverage *c) {
  const program *p = &c->r->program;
  for (rule_id i = 0; i < p->rules.count; i++)
    if (coverage_counts(p, i)) vec_push(c->keep, &c->rules, i);
  c->heads = arena_new_array(c->keep, const char *, c->rules.count + (size_t)1);
  for (uint32_t i = 0; i < c->rules.count; i++)
    c->heads[i] = head_of(p, c->rules.items[i], c->keep);
}

static void close_machine(void *what) {
  tabia_coverage *c = what;
  tabia_machine_close(c->machine);
}

static tabia_status open_coverage(tabia_coverage **out, const tabia_rules *rules,
                                  const tabia_limits *limits, tabia_messages *log) {
  reading *r = reading_whole(rules, log);
  if (!r) return TABIA_FAULTY;
  tabia_coverage *c = arena_alloc_zero(r->keep, sizeof *c);
  *c = (tabia_coverage){.keep = r->keep, .r = r, .b = api_budget(limits)};
  c->guard = arena_guarding(close_machine, c);
  const tabia_status status = tabia_machine_open(&c->machine, rules, "reference", limits, log);
  if (status != TABIA_OK) {
    arena_free(c->guard);
    reading_free(r);
    return status;
  }
  source_index_lines(&r->source, r->keep);
  c->workspace = api_workspace_new(c->machine, limits);
  c->position = arena_alloc(r->keep, tabia_position_size(c->machine));
  c->c = coverage_open(&r->program, &c->b, r->keep);
  list_rules(c);
  *out = c;
  return TABIA_OK;
}

tabia_status tabia_coverage_new(tabia_coverage **coverage, const tabia_rules *rules,
                                const tabia_limits *limits, tabia_messages *log) {
  *coverage = NULL;
  API_GUARDED(tabia_status, open_coverage(coverage, rules, limits, log), api_no_memory(log));
}

void tabia_coverage_free(tabia_coverage *c) {
  if (!c) return;
  coverage_close(&c->c);
  tabia_workspace_free(c->workspace);
  arena_free(c->guard);
  reading_free(c->r);
}

/* ---- play ---- */

static tabia_status start(tabia_coverage *c, const char *from, tabia_messages *log) {
  if (from)
    return tabia_position_read(c->machine, "the state", from, strlen(from), c->position, log);
  tabia_position_start(c->machine, c->position);
  return TABIA_OK;
}

/* The states of a line, which was found to be one. */
static void visit_line(tabia_coverage *c, const id_vec *joints) {
  const machine *m = c->machine->m;
  for (uint32_t i = 0; i < joints->count; i += m->role_count) {
    coverage_visit(&c->c, m, c->position, joints->items + i);
    machine_step(m, c->workspace->w, c->position, joints->items + i, c->position);
  }
  coverage_visit(&c->c, m, c->position, NULL);
}

static tabia_status follow(tabia_coverage *c, const char *from, const char *after,
                           tabia_messages *log) {
  id_vec joints = {0};
  arena *keep = arena_new();
  tabia_status status = start(c, from, log);
  void *end = arena_alloc(keep, tabia_position_size(c->machine));
  memcpy(end, c->position, tabia_position_size(c->machine));
  if (status == TABIA_OK && after)
    status =
        api_play_line(c->workspace, "the moves", after, strlen(after), end, &joints, keep, log);
  if (status == TABIA_OK) visit_line(c, &joints);
  arena_free(keep);
  return status;
}

tabia_status tabia_coverage_follow(tabia_coverage *c, const char *from, const char *after,
                                   tabia_messages *log) {
  API_GUARDED(tabia_status, follow(c, from, after, log), api_no_memory(log));
}

static tabia_status play(tabia_coverage *c, uint64_t games, uint64_t steps, uint64_t seed,
                         tabia_messages *log) {
  const uint64_t played =
      coverage_play(&c->c, c->machine->m, c->workspace->w, games, steps, seed, &c->b);
  const tabia_status status = api_workspace_status(c->workspace, log);
  if (status != TABIA_OK || (played == games && !budget_check_now(&c->b))) return status;
  return api_tell_spent(log, &c->b, &c->r->source, "not all games were followed");
}

tabia_status tabia_coverage_play(tabia_coverage *c, uint64_t games, uint64_t max_steps,
                                 uint64_t seed, tabia_messages *log) {
  API_GUARDED(tabia_status, play(c, games, max_steps, seed, log), api_no_memory(log));
}

/* ---- what was found ---- */

uint32_t tabia_coverage_count(const tabia_coverage *c) { return c->rules.count; }

bool tabia_coverage_fired(const tabia_coverage *c, uint32_t i) {
  return bitset_has(c->c.fired, c->rules.items[i]);
}

uint32_t tabia_coverage_line(const tabia_coverage *c, uint32_t i) {
  const span where =
      program_span(&c->r->program, c->r->program.rules.items[c->rules.items[i]].node);
  return source_place(&c->r->source, where.start).line;
}

const char *tabia_coverage_rule(const tabia_coverage *c, uint32_t i) { return c->heads[i]; }
