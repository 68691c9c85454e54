#include "certify/certify.h"

#include "certify/evidence.h"

/* ---- words ---- */

static void add_facts(const section *s, text *out) {
  text_add_format(out, "k %u, %u fact%s", s->k, s->facts.count, plural(s->facts.count));
}

static void add_induction(const section *s, text *out) {
  if (s->measures.count)
    text_add_format(out, "%u measure%s (", s->measures.count, plural(s->measures.count));
  else
    text_add(out, "induction (");
  add_facts(s, out);
  text_add_char(out, ')');
}

static void add_line(const tree *t, const section *s, text *out) {
  const uint32_t steps = node_element_count(t, s->line) - 1;
  text_add_format(out, "a line of %u step%s", steps, plural(steps));
  if (s->returns_to != ID_NONE) text_add(out, " that can be repeated for ever");
}

static void add_all_states(const checker *k, const section *s, text *out) {
  text_add_format(out, "looking at all states (%llu)", (unsigned long long)k->states);
  if (s->longest != ID_NONE)
    text_add_format(out, "; the longest play has %u step%s", s->longest, plural(s->longest));
}

/* By what. */
static void add_evidence(const checker *k, const section *s, text *out) {
  switch (s->evidence) {
    case EVIDENCE_INDUCTION: add_induction(s, out); break;
    case EVIDENCE_LINE: add_line(&k->certificate->tree, s, out); break;
    case EVIDENCE_STEPS:
      text_add_format(out, "all plays, which have at most %u step%s", s->steps, plural(s->steps));
      break;
    default: add_all_states(k, s, out); break;
  }
}

static const char *words_of(const checker *k, const section *s, section_result result,
                            arena *keep) {
  static const char *const results[] = {"accepted", "rejected", "not checked"};
  text out = text_new(keep);
  text_add_format(&out, "%s: %s", results[result], section_name(k->certificate, s, keep));
  if (result == SECTION_ACCEPTED) {
    text_add(&out, section_shows(s) == SHOWS_PROVED ? " is proved, by " : " is refuted, by ");
    add_evidence(k, s, &out);
  } else {
    text_add_format(&out, ": %s", k->complaint);
    if (s->walk_file != ID_NONE) text_add(&out, "; the verdict rests on a walk file");
  }
  return text_string(&out);
}

/* ---- one section ---- */

static bool evidence_holds(checker *k, const section *s) {
  evidence e;
  if (!evidence_read(&e, k, s)) return false;
  switch (s->evidence) {
    case EVIDENCE_INDUCTION: return induction_holds(k, &e);
    case EVIDENCE_LINE: return line_holds(k, &e);
    case EVIDENCE_STEPS: return steps_hold(k, &e);
    default: return all_states_hold(k, &e);
  }
}

/* The limit that kept a check from its end; NULL: none did. */
static const char *limit_reached(budget *b) {
  if (!b || !budget_check_now(b)) return NULL;
  switch (b->end) {
    case BUDGET_TIME: return "the time limit was reached";
    case BUDGET_MEMORY: return "the memory limit was reached";
    default: return "it was interrupted";
  }
}

/* Clauses that were cut short, or a solver that had to stop, are no reason to reject anything. */
static section_result result_of(checker *k, bool holds) {
  const char *limit = holds ? NULL : limit_reached(k->b);
  if (limit) {
    k->complaint = limit;
    k->is_unable = true;
  }
  return holds ? SECTION_ACCEPTED : k->is_unable ? SECTION_UNCHECKED : SECTION_REJECTED;
}

static void check_section(checker k, section_report *r, arena *keep) {
  k.keep = arena_new();
  budget_watch(k.b, k.keep);
  r->result = result_of(&k, evidence_holds(&k, r->section));
  r->words = words_of(&k, r->section, r->result, keep);
  budget_unwatch(k.b, k.keep);
  arena_free(k.keep);
}

/* ---- all sections ---- */

double section_seconds(double left, uint32_t open, double had) {
  if (had <= 0) return left / (2 * open);
  return left / open > had ? left / open : left;
}

typedef struct check_rounds {
  checker k;
  certificate_report *report;
  arena *keep;
  budget *all;
  bool *is_open; /* by section: it was not tried, or its time was too short */
  double *had;   /* by section: the seconds of its last try; 0: it was not tried */
  uint32_t open;
} check_rounds;

/* False: no more can be done, for this section or any other. */
static bool check_within(check_rounds *x, uint32_t i, double seconds) {
  section_report *r = &x->report->sections.items[i];
  budget part = budget_part(x->all, seconds);
  x->k.b = &part;
  check_section(x->k, r, x->keep);
  x->had[i] = seconds;
  x->is_open[i] = r->result == SECTION_UNCHECKED && part.end == BUDGET_TIME;
  x->open -= !x->is_open[i];
  if (part.end == BUDGET_INTERRUPT) x->all->end = BUDGET_INTERRUPT;
  return part.end != BUDGET_INTERRUPT;
}

/* Each section that is open gets its share, if that is more than it had.  False: none did. */
static bool run_round(check_rounds *x) {
  bool was_tried = false;
  uint32_t open = x->open;
  for (uint32_t i = 0; i < x->report->sections.count; i++) {
    if (!x->is_open[i]) continue;
    const double seconds = section_seconds(budget_seconds_left(x->all), open--, x->had[i]);
    if (x->had[i] > 0 && seconds <= x->had[i]) continue;
    was_tried = true;
    if (!check_within(x, i, seconds)) return false;
  }
  return was_tried && !budget_check_now(x->all);
}

static void count_results(certificate_report *r) {
  for (uint32_t i = 0; i < r->sections.count; i++) {
    r->accepted += r->sections.items[i].result == SECTION_ACCEPTED;
    r->rejected += r->sections.items[i].result == SECTION_REJECTED;
    r->unchecked += r->sections.items[i].result == SECTION_UNCHECKED;
  }
}

/* Before any check nothing is known of a section. */
static void begin_reports(check_rounds *x, const certificate *c) {
  x->had = arena_zero_array(x->keep, double, c->sections.count + 1);
  x->is_open = arena_new_array(x->keep, bool, c->sections.count + 1);
  x->open = c->sections.count;
  x->k.complaint = "the time limit was reached";
  for (uint32_t i = 0; i < c->sections.count; i++) {
    const section *s = &c->sections.items[i];
    const section_report r = {s, SECTION_UNCHECKED, words_of(&x->k, s, SECTION_UNCHECKED, x->keep)};
    vec_push(x->keep, &x->report->sections, r);
    x->is_open[i] = true;
  }
  x->k.complaint = NULL;
}

bool certificate_check_asking(certificate_report *r, const certificate *c, const program *p,
                              asking how, arena *keep, budget *b, diag_sink *d) {
  ground_program g;
  ground_stats stats;
  budget unlimited = budget_new(0, 0);
  *r = (certificate_report){0};
  if (!ground_rules(&g, p, (ground_options){.optimise = true}, keep, b, d, &stats)) return false;
  if (!g.roles.count) {
    diag_add(d, DIAG_E601, SPAN_NONE, "the game has no role");
    return false;
  }
  const game_names names = game_names_new(p, &g, keep);
  check_rounds x = {.k = {.program = p, .g = &g, .certificate = c, .names = &names, .how = how},
                    .report = r,
                    .keep = keep,
                    .all = b ? b : &unlimited};
  begin_reports(&x, c);
  while (x.open && run_round(&x)) continue;
  count_results(r);
  return true;
}

bool certificate_check(certificate_report *r, const certificate *c, const program *p, arena *keep,
                       budget *b, diag_sink *d) {
  return certificate_check_asking(r, c, p, ASK_AS_SEEMS_BEST, keep, b, d);
}
