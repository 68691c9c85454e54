/* The property `dead`: is every move legal at some time, and does every rule fire?

   A rule fires when its body holds: rule_marks.h makes marks of that.  What random games show is
   alive; what is left is dead when the facts of induction exclude it, or when all states have been
   looked at. */
#include "base/rng.h"
#include "induct/induct.h"
#include "prove/methods.h"
#include "prove/symbolic/rule_marks.h"
#include "states/walk.h"

#include <math.h>
#include <string.h>

enum { CONFLICTS_MAX = 20 * 1000, NAMED_MAX = 5 };

static const double play_seconds = 2;

/* What may be dead: the moves of the circuit and behind them its marks. */
typedef struct dead_search {
  prove_job *j;
  arena *keep;
  rule_marks marks;
  circuit full, reduced; /* of the game with marks, as in prove_job */
  bitset alive, dead;
  bool *needs_no_step; /* by mark: it counts in a state from which no step is made, too */
  uint32_t count;
  const char *alive_by, *dead_by; /* the methods that last showed that something is */
  const char *tried;              /* the last method that was */
  uint64_t states;                /* that these looked at */
} dead_search;

static uint32_t first_mark(const dead_search *s) { return s->full.moves.count; }

static bool is_undecided(const dead_search *s, uint32_t i) {
  return !bitset_has(s->alive, i) && !bitset_has(s->dead, i);
}

static bool is_decided(const dead_search *s) {
  for (uint32_t i = 0; i < s->count; i++)
    if (is_undecided(s, i)) return false;
  return true;
}

/* ---- random games ---- */

typedef struct dead_play {
  dead_search *s;
  lane_expander e;
  rng r;
  uint8_t *start, *states;
  uint32_t *joints;
} dead_play;

static void note_row(dead_search *s, uint32_t i, const uint64_t *row, const uint64_t *mask) {
  for (uint32_t word = 0; word < ROW_WORDS && !bitset_has(s->alive, i); word++)
    if (row[word] & (mask ? mask[word] : UINT64_MAX)) bitset_add(s->alive, i);
}

static void note_moves(dead_play *p) {
  for (uint32_t i = 0; i < p->e.legal.count; i++)
    if (!bitset_has(p->s->alive, p->e.legal.items[i])) bitset_add(p->s->alive, p->e.legal.items[i]);
}

static void note_marks(dead_play *p) {
  dead_search *s = p->s;
  for (uint32_t i = 0; i < s->reduced.marks.count; i++) {
    uint64_t row[ROW_WORDS];
    if (!is_undecided(s, first_mark(s) + i)) continue;
    for (uint32_t word = 0; word < ROW_WORDS; word++)
      row[word] = lane_steps_mark(&p->e.look, i, word);
    note_row(s, first_mark(s) + i, row, s->needs_no_step[i] ? NULL : p->e.open->words);
  }
}

static void play_step(dead_play *p) {
  const uint32_t roles = p->s->reduced.roles.count, bytes = p->e.s->state_bytes;
  lane_expander_look(&p->e, p->states, LANES);
  note_moves(p);
  for (uint32_t lane = 0; lane < LANES; lane++)
    lane_expander_choose(&p->e, lane, &p->r, p->joints + (size_t)lane * roles);
  lane_steps_step(&p->e.look, p->joints);
  note_marks(p);
  lane_steps_store_next(&p->e.look, p->states);
  for (uint32_t lane = 0; lane < LANES; lane++)
    if (!(p->e.open->words[lane / 64] >> lane % 64 & 1))
      memcpy(p->states + (size_t)lane * bytes, p->start, bytes);
  p->s->states += LANES;
}

static void play(dead_search *s, const lane_stepper *t, budget *b) {
  arena *keep = arena_new();
  dead_play p = {.s = s, .r = rng_new(s->j->options.seed, 1)};
  lane_expander_init(&p.e, t, keep);
  p.start = arena_zero_array(keep, uint8_t, t->state_bytes + 8);
  p.states = arena_zero_array(keep, uint8_t, (size_t)LANES * t->state_bytes + 8);
  p.joints = arena_zero_array(keep, uint32_t, (size_t)LANES * (s->reduced.roles.count + 1));
  lane_stepper_start(t, p.start);
  for (uint32_t lane = 0; lane < LANES; lane++)
    memcpy(p.states + (size_t)lane * t->state_bytes, p.start, t->state_bytes);
  while (!is_decided(s) && !budget_check_now(b)) play_step(&p);
  s->alive_by = "probe";
  arena_free(keep);
}

/* ---- facts ---- */

/* When something counts: a move in states that are not terminal, also where another role is stuck; a
   mark in all states, or in steps. */
typedef enum moment { IN_ANY_STATE, BEFORE_THE_END, IN_A_STEP, MOMENTS } moment;

static moment counts_when(const dead_search *s, uint32_t i) {
  if (i < first_mark(s)) return BEFORE_THE_END;
  return s->needs_no_step[i - first_mark(s)] ? IN_ANY_STATE : IN_A_STEP;
}

/* Excluded by the facts at all such moments. */
static void ask_facts(dead_search *s, const fact_set *facts, moment when, budget *b) {
  const circuit *c = &s->full;
  unrolling *u = unroll_new(c, false, b);
  for (uint32_t i = 0; i < facts->all.count; i++)
    fact_require(facts, c, &facts->all.items[i], u, 0, 0);
  if (when == BEFORE_THE_END) unroll_require_open(u, 0);
  if (when == IN_A_STEP) unroll_require_step(u, 0);
  for (uint32_t i = 0; i < s->count && !budget_check_now(b); i++) {
    const bool is_move = i < first_mark(s);
    if (!is_undecided(s, i) || counts_when(s, i) != when) continue;
    const wire w = is_move ? c->moves.items[i].legal : c->marks.items[i - first_mark(s)].holds;
    const sat_literal l = unroll_wire(u, w, 0);
    if (sat_solve(unroll_solver(u), &l, 1, CONFLICTS_MAX) != SAT_NO || budget_check_now(b))
      continue;
    bitset_add(s->dead, i);
    s->dead_by = "induction";
  }
  unroll_free(u);
}

/* Facts are of fluents, which both circuits number alike. */
static void exclude(dead_search *s, budget *b) {
  if (s->full.fluents.count != s->j->full.fluents.count) return;
  budget half = budget_part(b, budget_seconds_left(b) / 2);
  const fact_set *facts = job_facts(s->j, &half);
  for (moment when = 0; when < MOMENTS; when++) ask_facts(s, facts, when, b);
}

/* ---- all states ---- */

static void walk_all(dead_search *s, const lane_stepper *t, budget *b) {
  walk w;
  const walk_options o = {.threads = s->j->options.threads, .needs_no_step = s->needs_no_step};
  walk_init(&w, t, s->keep);
  walk_run(&w, o, b, s->j->d);
  for (uint32_t i = 0; i < s->count; i++) {
    const bool is_seen =
        i < first_mark(s) ? bitset_has(w.legal, i) : bitset_has(w.fired, i - first_mark(s));
    if (!is_undecided(s, i) || !(is_seen || w.is_complete)) continue;
    bitset_add(is_seen ? s->alive : s->dead, i);
    *(is_seen ? &s->alive_by : &s->dead_by) = "exhaustive";
  }
  s->states = walk_states(&w);
  walk_free(&w);
}

/* ---- the verdict ---- */

/* Rules that were not read from a text have no place. */
static void name_place(const dead_search *s, rule_id rule, text *out) {
  const program *p = s->j->program;
  if (!p->tree) return;
  source lines = *p->tree->source;
  source_index_lines(&lines, s->keep);
  const place at = source_place(&lines, program_span(p, p->rules.items[rule].node).start);
  text_add_format(out, " at line %u:%u", at.line, at.column);
}

static const char *name_move(const dead_search *s, uint32_t move) {
  const circuit *c = &s->full;
  text out = text_new(s->j->keep);
  uint32_t role = 0;
  while (move - c->roles.items[role].first_move >= c->roles.items[role].move_count) role++;
  text_add_format(&out, "%s ", s->j->g.roles[role]);
  term_print(c->terms, c->moves.items[move].term, NOTATION_KIF, NULL, &out);
  return text_string(&out);
}

static const char *name_rule(const dead_search *s, rule_id rule) {
  const program *p = s->j->program;
  text out = text_new(s->j->keep);
  const symbol_id *names = vec_from(&p->variable_names, p->rules.items[rule].variables);
  term_print(p->terms, p->rules.items[rule].head, NOTATION_KIF, names, &out);
  name_place(s, rule, &out);
  return text_string(&out);
}

static void add_name(const dead_search *s, name_list *l, const char *name) {
  vec_push(s->j->keep, &l->names, name);
}

static name_list list_moves(const dead_search *s) {
  name_list l = {.key = "never_legal"};
  for (uint32_t i = 0; i < first_mark(s); i++)
    if (bitset_has(s->dead, i)) add_name(s, &l, name_move(s, i));
  return l;
}

/* ID_NONE: it is a move. */
static uint32_t rule_of(const dead_search *s, uint32_t i) {
  return i < first_mark(s) ? ID_NONE : s->marks.rule_of[i - first_mark(s)];
}

/* Those without a mark in the circuit have no instance at all. */
static name_list list_rules(const dead_search *s) {
  const program *p = s->j->program;
  name_list l = {.key = "never_fires"};
  const bitset fires = bitset_new(s->keep, p->rules.count + 1);
  for (uint32_t i = first_mark(s); i < s->count; i++)
    if (!bitset_has(s->dead, i)) bitset_add(fires, rule_of(s, i));
  for (rule_id rule = 0; rule < p->rules.count; rule++)
    if (bitset_has(s->marks.marked, rule) && !bitset_has(fires, rule))
      add_name(s, &l, name_rule(s, rule));
  return l;
}

/* Moves, and rules none of whose instances is known to fire. */
static name_list list_undecided(const dead_search *s) {
  name_list l = {.key = "undecided"};
  const bitset seen = bitset_new(s->keep, s->j->program->rules.count + 1);
  for (uint32_t i = first_mark(s); i < s->count; i++)
    if (bitset_has(s->alive, i)) bitset_add(seen, rule_of(s, i));
  for (uint32_t i = 0; i < s->count; i++) {
    const uint32_t rule = rule_of(s, i);
    if (!is_undecided(s, i) || (rule != ID_NONE && !bitset_insert(seen, rule))) continue;
    add_name(s, &l, rule == ID_NONE ? name_move(s, i) : name_rule(s, rule));
  }
  return l;
}

/* A few of the names and the number of the others. */
static void add_words(text *words, const char *title, const name_list *l) {
  if (!l->names.count) return;
  text_add_format(words, "%s%s", words->length ? "; " : "", title);
  for (uint32_t i = 0; i < l->names.count && i < NAMED_MAX; i++)
    text_add_format(words, "%s%s", i ? ", " : "", l->names.items[i]);
  if (l->names.count > NAMED_MAX)
    text_add_format(words, " and %u more", l->names.count - NAMED_MAX);
}

static void settle_property(dead_search *s, uint32_t i, const name_list lists[3]) {
  prove_job *j = s->j;
  const bool is_dead = lists[0].names.count || lists[1].names.count;
  const bool is_undecided = lists[2].names.count;
  text words = text_new(j->keep);
  add_words(&words, "never legal: ", &lists[0]);
  add_words(&words, "never fires: ", &lists[1]);
  add_words(&words, "it is not known whether these are used: ", &lists[2]);
  finding v = {.kind = is_dead ? VERDICT_REFUTED : VERDICT_PROVED,
               .method = is_dead ? s->dead_by : s->alive_by,
               .states = is_dead && strcmp(s->dead_by, "exhaustive") != 0 ? 0 : s->states,
               .reason = is_dead ? text_string(&words) : NULL};
  vec_append(j->keep, &v.lists, lists, 3);
  if (is_dead || !is_undecided) {
    job_settle(j, i, v);
    return;
  }
  job_explain(j, i, s->tried, "%s", text_string(&words));
  j->findings[i].lists = v.lists;
}

static void settle(dead_search *s) {
  const name_list lists[3] = {list_moves(s), list_rules(s), list_undecided(s)};
  for (uint32_t i = 0; i < s->j->properties.count; i++)
    if (s->j->properties.items[i].kind == PROPERTY_DEAD && job_is_open(s->j, i))
      settle_property(s, i, lists);
}

/* ---- all ---- */

static bool begin_search(dead_search *s, budget *b) {
  budget part = budget_part(b, budget_seconds_left(b) / 2);
  if (!marks_open(&s->marks, s->j->program, &part, s->keep)) return false;
  const property_vec asked = {.items = (property[]){{.kind = PROPERTY_DEAD}}, .count = 1};
  question_circuit(&s->full, &s->marks.g, &asked, false, s->keep);
  question_circuit(&s->reduced, &s->marks.g, &asked, true, s->keep);
  s->count = s->full.moves.count + s->full.marks.count;
  s->alive = bitset_new(s->keep, s->count + 1);
  s->dead = bitset_new(s->keep, s->count + 1);
  s->needs_no_step = arena_zero_array(s->keep, bool, s->full.marks.count + 1);
  for (uint32_t i = 0; i < s->full.marks.count; i++)
    s->needs_no_step[i] = !s->marks.needs_step[s->marks.rule_of[i]];
  return true;
}

static void search_dead(dead_search *s, unsigned ways, budget *b) {
  lane_stepper t;
  lane_stepper_init(&t, &s->reduced, lane_state_bytes(&s->reduced), LANE_NATIVE_MAX, s->keep, NULL);
  budget part = budget_part(b, fmin(play_seconds, budget_seconds_left(b) / 4));
  if (ways & DEAD_BY_PLAY) play(s, &t, &part);
  if (ways & DEAD_BY_FACTS && !is_decided(s)) exclude(s, b);
  if (ways & DEAD_BY_WALK && !is_decided(s)) walk_all(s, &t, b);
  s->tried = ways & DEAD_BY_WALK ? "exhaustive" : ways & DEAD_BY_FACTS ? "induction" : "probe";
  settle(s);
  lane_stepper_free(&t);
}

void prove_dead(prove_job *j, unsigned ways, budget *b) {
  if (!job_has_open(j, PROPERTY_DEAD)) return;
  dead_search s = {.j = j, .keep = arena_new(), .alive_by = "grounding", .dead_by = "grounding"};
  if (begin_search(&s, b)) search_dead(&s, ways, b);
  marks_close(&s.marks);
  arena_free(s.keep);
}
