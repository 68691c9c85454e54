#include "api/api_options.h"

#include "base/spelling.h"
#include "machine/circuit_game.h"

#include <math.h>
#include <string.h>

/* ---- kinds ---- */

static uint32_t count_of(const machine_ops *const *kinds) {
  uint32_t count = 0;
  while (kinds[count]) count++;
  return count;
}

/* Those on devices are the last. */
uint32_t tabia_kind_count(void) { return count_of(machine_kinds) + count_of(machine_device_kinds); }

static const machine_ops *kind_at(uint32_t i) {
  const uint32_t everywhere = count_of(machine_kinds);
  if (i >= tabia_kind_count()) return NULL;
  return i < everywhere ? machine_kinds[i] : machine_device_kinds[i - everywhere];
}

const char *tabia_kind_name(uint32_t i) { return kind_at(i) ? kind_at(i)->name : NULL; }

const char *tabia_kind_summary(uint32_t i) { return kind_at(i) ? kind_at(i)->summary : NULL; }

bool tabia_kind_needs_device(uint32_t i) { return i >= count_of(machine_kinds) && kind_at(i); }

static const char AUTO[] = "auto", AUTO_MANY[] = "auto-many";

static bool is_known(const char *kind, tabia_messages *log) {
  if (strcmp(kind, AUTO) == 0 || strcmp(kind, AUTO_MANY) == 0 || machine_kind(kind)) return true;
  spelling s = spelling_of(slice_of(kind));
  spelling_is_nearer(&s, slice_of(AUTO));
  spelling_is_nearer(&s, slice_of(AUTO_MANY));
  for (uint32_t i = 0; i < tabia_kind_count(); i++)
    spelling_is_nearer(&s, slice_of(tabia_kind_name(i)));
  if (s.best.start)
    api_tell_error(log, "there is no machine `%s`; did you mean `%s`?", kind, s.best.start);
  else
    api_tell_error(log, "there is no machine `%s`", kind);
  return false;
}

/* ---- opening ---- */

static const char OPEN_CHOICES[] = "encoding=original|direct|pruned|auto "
                                   "purpose=single|playouts|steps|long depth=N "
                                   "ignore-terminal=no|yes";

typedef struct opening {
  const char *kind;
  uint32_t encoding; /* ENCODING_COUNT: the fastest */
  frame_scope scope;
  uint32_t depth;
  machine_source source;
} opening;

static void choose_purpose(opening *o, const tabia_options *options) {
  static const machine_bulk bulks[] = {BULK_NONE, BULK_PLAYOUTS, BULK_STEPS, BULK_NONE};
  o->source.bulk = bulks[api_option(options, OPEN_CHOICES, "purpose")];
  o->source.for_long = api_option_is(options, OPEN_CHOICES, "purpose", "long");
  if (strcmp(o->kind, AUTO_MANY) != 0) return;
  o->kind = AUTO;
  o->source.bulk = BULK_PLAYOUTS;
}

static bool read_opening(opening *o, const char *kind, const tabia_options *options,
                         tabia_messages *log) {
  double depth = 0;
  *o = (opening){.kind = kind};
  if (!is_known(kind, log) || !api_options_fit(options, OPEN_CHOICES, "a machine", log) ||
      !api_option_number(options, "depth", &depth, log))
    return false;
  o->depth = (uint32_t)fmin(depth, UINT32_MAX);
  o->encoding = api_option(options, OPEN_CHOICES, "encoding");
  o->scope =
      api_option_is(options, OPEN_CHOICES, "ignore-terminal", "yes") ? SCOPE_PLAY_ON : SCOPE_GAMES;
  choose_purpose(o, options);
  return true;
}

/* The rules in the encoding that was chosen become the source. */
static void encode(tabia_machine *m, opening *o, budget *b) {
  portfolio *p = &m->encodings;
  uint32_t chosen = o->encoding;
  if (chosen == ENCODING_ORIGINAL) return;
  if (chosen == ENCODING_COUNT) {
    const portfolio_task task = {.kind = o->kind,
                                 .source = &o->source,
                                 .scope = o->scope,
                                 .depth = o->depth,
                                 .seconds = PORTFOLIO_SECONDS};
    portfolio_choose(p, &task, m->rules->keep, b);
    chosen = p->best;
  } else {
    frame_encode(&p->encodings[chosen], &m->rules->program, (frame_encoding)chosen, o->scope,
                 m->rules->keep, b);
  }
  m->encoding = p->encodings[chosen].used;
  o->source.program = p->encodings[chosen].program;
  o->source.inertia_count = p->encodings[chosen].frame.inertia_count;
}

static tabia_machine *open_read(reading *r, opening *o, budget *b) {
  const double begun = clock_now();
  tabia_machine *m = arena_alloc_zero(r->keep, sizeof *m);
  m->rules = r;
  o->source.program = &r->program;
  encode(m, o, b);
  m->m = machine_open(o->kind, &o->source, b, &r->diags);
  m->open_seconds = clock_now() - begun;
  return m->m ? m : NULL;
}

static tabia_status open_machine(tabia_machine **out, const tabia_rules *rules, const char *kind,
                                 const tabia_options *options, const tabia_limits *limits,
                                 tabia_messages *log) {
  opening o;
  if (!read_opening(&o, kind, options, log)) return TABIA_MISUSE;
  budget b = api_budget(limits);
  if (api_is_too_late(&b, rules, log)) return TABIA_LIMIT;
  reading *r = reading_whole(rules, log);
  if (!r) return TABIA_FAULTY;
  *out = open_read(r, &o, &b);
  if (*out) return TABIA_OK;
  api_tell(log, &r->diags, &r->source);
  reading_free(r);
  return api_failure(&b);
}

tabia_status tabia_machine_open_with(tabia_machine **out, const tabia_rules *rules,
                                     const char *kind, const tabia_options *options,
                                     const tabia_limits *limits, tabia_messages *log) {
  *out = NULL;
  API_GUARDED(tabia_status, open_machine(out, rules, kind, options, limits, log),
              api_no_memory(log));
}

tabia_status tabia_machine_open(tabia_machine **out, const tabia_rules *rules, const char *kind,
                                const tabia_limits *limits, tabia_messages *log) {
  return tabia_machine_open_with(out, rules, kind, NULL, limits, log);
}

tabia_status tabia_machine_open_game(tabia_machine **out, const char *game, const char *kind,
                                     const tabia_limits *limits, tabia_messages *log) {
  tabia_rules *rules;
  *out = NULL;
  tabia_status status = tabia_rules_read(&rules, game, log);
  if (status == TABIA_OK) status = tabia_machine_open(out, rules, kind, limits, log);
  tabia_rules_free(rules);
  return status;
}

void tabia_machine_close(tabia_machine *m) {
  if (!m) return;
  machine_close(m->m);
  reading_free(m->rules);
}

/* ---- figures ---- */

const void *api_keep_start(const tabia_machine *m, void *room, const void *position) {
  if (position) memcpy(room, position, m->m->position_size);
  return position ? room : NULL;
}

const char *tabia_machine_encoding(const tabia_machine *m) {
  return frame_encoding_name(m->encoding);
}

const char *tabia_machine_kind(const tabia_machine *m) { return m->m->ops->name; }

uint32_t tabia_machine_role_count(const tabia_machine *m) { return m->m->role_count; }

const char *tabia_machine_role(const tabia_machine *m, uint32_t role) { return m->m->roles[role]; }

double tabia_machine_open_seconds(const tabia_machine *m) { return m->open_seconds; }

static uint32_t count_gates(const circuit *c) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->gates.count; i++) count += c->gates.items[i].kind == GATE_AND;
  return count;
}

uint64_t tabia_machine_size(const tabia_machine *m, tabia_size what) {
  const grounded *g = m->m->grounded;
  if (!g) return 0;
  switch (what) {
    case TABIA_SIZE_FLUENTS: return g->circuit.fluents.count;
    case TABIA_SIZE_MOVES: return g->circuit.moves.count;
    case TABIA_SIZE_GROUND_RULES: return g->stats.rules;
    case TABIA_SIZE_GROUND_LITERALS: return g->stats.literals;
    case TABIA_SIZE_GATES: return count_gates(&g->circuit);
    case TABIA_SIZE_GATE_INPUTS: return g->circuit.inputs.count;
    case TABIA_SIZE_LATCHES: return g->circuit.latches.count;
  }
  return 0;
}

/* ---- two machines ---- */

/* A term of each of two circuits: is it written the same? */
typedef struct term_pair {
  const term_table *left, *right;
  arena *scratch;
} term_pair;

static bool is_same_term(const term_pair *p, term_id left, term_id right) {
  const arena_mark mark = arena_save(p->scratch);
  text a = text_new(p->scratch), b = text_new(p->scratch);
  term_print(p->left, left, NOTATION_KIF, NULL, &a);
  term_print(p->right, right, NOTATION_KIF, NULL, &b);
  const bool same = strcmp(text_string(&a), text_string(&b)) == 0;
  arena_restore(p->scratch, mark);
  return same;
}

/* Latches are named by their fluents. */
static bool has_same_names(const circuit *a, const circuit *b, arena *scratch) {
  const term_pair p = {a->terms, b->terms, scratch};
  bool same = a->latches.count == b->latches.count && a->moves.count == b->moves.count &&
              a->fluents.count == b->fluents.count && a->percepts.count == b->percepts.count;
  for (uint32_t i = 0; same && i < a->latches.count; i++)
    same = a->latches.items[i].fluent == b->latches.items[i].fluent;
  for (uint32_t i = 0; same && i < a->fluents.count; i++)
    same = a->fluents.items[i].now == b->fluents.items[i].now &&
           is_same_term(&p, a->fluents.items[i].term, b->fluents.items[i].term);
  for (uint32_t i = 0; same && i < a->moves.count; i++)
    same = is_same_term(&p, a->moves.items[i].term, b->moves.items[i].term);
  for (uint32_t i = 0; same && i < a->percepts.count; i++)
    same = is_same_term(&p, a->percepts.items[i].term, b->percepts.items[i].term);
  return same;
}

static bool share_positions(const tabia_machine *a, const tabia_machine *b) {
  const grounded *left = a->m->grounded, *right = b->m->grounded;
  if (a == b) return true;
  if (!left || !right) return false;
  arena *scratch = arena_new();
  const bool same = has_same_names(&left->circuit, &right->circuit, scratch);
  arena_free(scratch);
  return same;
}

bool tabia_machine_shares_positions(const tabia_machine *a, const tabia_machine *b) {
  API_GUARDED(bool, share_positions(a, b), false);
}
