/* Lines of moves, as text. */
#include "api/api_terms.h"

#include "base/spelling.h"
#include "machine/state_view.h"
#include "read/canonical.h"

/* Where a line cannot be played. */
typedef enum stop_kind {
  STOP_NOWHERE,
  STOP_ILLEGAL,
  STOP_MISSING,
  STOP_OVER,    /* the game is */
  STOP_STUCK,   /* a role cannot move */
  STOP_ROUND,   /* play goes in a circle, and nobody has a choice */
  STOP_TROUBLE, /* of the workspace */
  STOP_MORE     /* there is more than one joint move */
} stop_kind;

typedef struct line_stop {
  stop_kind kind;
  uint32_t at; /* the term */
  uint32_t role;
  uint64_t step;        /* from 1 */
  const char *legal;    /* some of what the role could do */
  const char *proposal; /* one that is spelled like the term, or NULL */
} line_stop;

/* A line as it is played.  A short one has no moves of roles that have only one. */
typedef struct line {
  const machine *m;
  machine_workspace *w;
  const given_terms *terms;
  bool is_short;
  uint32_t at; /* the next term */
  uint64_t step;
  void *position;
  move_id *joint;
  id_vec joints;  /* of all steps, one behind another */
  arena *keep;    /* of what the stop says */
  arena *scratch; /* of one move */
  line_stop stop;
} line;

/* Always false. */
static bool stop(line *l, stop_kind kind, uint32_t role) {
  l->stop.kind = kind;
  l->stop.at = l->at;
  l->stop.role = role;
  l->stop.step = l->step;
  return false;
}

/* ---- one move ---- */

typedef struct legal_list {
  move_id *moves;
  uint32_t count;
} legal_list;

static legal_list legal_of(const line *l, uint32_t role) {
  legal_list list = {NULL, machine_legal(l->m, l->w, l->position, role, NULL, 0)};
  list.moves = arena_new_array(l->scratch, move_id, list.count + (size_t)1);
  const uint32_t count = machine_legal(l->m, l->w, l->position, role, list.moves, list.count);
  if (count < list.count) list.count = count; /* trouble came between */
  return list;
}

enum { SHOWN_MOVES = 12 };

static void note_legal(line *l, uint32_t role, const legal_list *list) {
  text words = text_new(l->keep);
  for (uint32_t i = 0; i < list->count && i < SHOWN_MOVES; i++)
    text_add_format(&words, "%s%s", i ? ", " : "", move_words(l->m, role, list->moves[i], l->keep));
  if (list->count > SHOWN_MOVES) text_add_format(&words, " and %u more", list->count - SHOWN_MOVES);
  l->stop.legal = text_string(&words);
}

static slice name_of(const char *canonical) {
  const char *name = canonical + (*canonical == '(');
  return (slice){name, canonical_name_length(name)};
}

/* A move whose name is spelled like the term's; one with another argument is no proposal. */
static void note_proposal(line *l, uint32_t role, const legal_list *list) {
  const char *wanted = l->terms->items.items[l->at].canonical;
  const slice name = name_of(wanted);
  spelling s = spelling_of(slice_of(wanted));
  for (uint32_t i = 0; i < list->count; i++) {
    const char *words = move_words(l->m, role, list->moves[i], l->keep);
    const slice other = name_of(words);
    const bool is_same =
        name.length == other.length && memcmp(name.start, other.start, name.length) == 0;
    if (!is_same && spelling_is_nearer(&s, slice_of(words))) l->stop.proposal = words;
  }
}

/* Takes the next term for the role's move. */
static bool take_move(line *l, uint32_t role, const legal_list *list) {
  const char *wanted = l->terms->items.items[l->at].canonical;
  for (uint32_t i = 0; i < list->count; i++) {
    if (strcmp(move_words(l->m, role, list->moves[i], l->scratch), wanted) != 0) continue;
    l->joint[role] = list->moves[i];
    l->at++;
    return true;
  }
  note_legal(l, role, list);
  note_proposal(l, role, list);
  return stop(l, STOP_ILLEGAL, role);
}

static bool choose_move(line *l, uint32_t role) {
  const legal_list list = legal_of(l, role);
  if (l->w->trouble.is_there) return stop(l, STOP_TROUBLE, role);
  if (!list.count) return stop(l, STOP_STUCK, role);
  if (l->is_short && list.count == 1) {
    l->joint[role] = list.moves[0];
    return true;
  }
  if (l->at < l->terms->items.count) return take_move(l, role, &list);
  note_legal(l, role, &list);
  return stop(l, STOP_MISSING, role);
}

static bool choose_joint(line *l) {
  const arena_mark mark = arena_save(l->scratch);
  bool ok = !machine_terminal(l->m, l->w, l->position) || stop(l, STOP_OVER, 0);
  if (l->w->trouble.is_there) ok = stop(l, STOP_TROUBLE, 0);
  for (uint32_t role = 0; ok && role < l->m->role_count; role++) ok = choose_move(l, role);
  arena_restore(l->scratch, mark);
  return ok;
}

/* ---- the line ---- */

/* Finds out whether positions come again, after Brent: one is remembered, then others later and
   later.  The last step took no term. */
typedef struct circle {
  void *remembered;
  uint64_t steps, next;
} circle;

static bool goes_round(circle *c, const line *l) {
  const size_t size = l->m->position_size;
  if (c->steps && memcmp(c->remembered, l->position, size) == 0) return true;
  if (c->steps++ != c->next) return false;
  memcpy(c->remembered, l->position, size);
  c->next = c->next * 2 + 1;
  return false;
}

static bool make_step(line *l, circle *c) {
  const uint32_t before = l->at;
  l->step++;
  if (!choose_joint(l)) return false;
  if (l->at != before) c->steps = c->next = 0;
  vec_append(l->keep, &l->joints, l->joint, l->m->role_count);
  machine_step(l->m, l->w, l->position, l->joint, l->position);
  if (workspace_is_over(l->w)) return stop(l, STOP_TROUBLE, 0);
  return l->at != before || !goes_round(c, l) || stop(l, STOP_ROUND, 0);
}

static bool play_line(line *l) {
  circle c = {.remembered = arena_alloc(l->keep, l->m->position_size)};
  bool ok = true;
  while (ok && l->at < l->terms->items.count) ok = make_step(l, &c);
  return ok;
}

/* ---- what went wrong ---- */

/* The farther one; else the one that has a better word. */
static const line_stop *worse_stop(const line_stop *whole, const line_stop *brief) {
  if (whole->kind == STOP_TROUBLE || brief->kind == STOP_MORE || brief->at < whole->at)
    return whole;
  if (brief->kind == STOP_TROUBLE || whole->at < brief->at) return brief;
  const bool is_about_a_move = brief->kind == STOP_ILLEGAL || brief->kind == STOP_MISSING;
  return whole->proposal || !is_about_a_move ? whole : brief;
}

static void describe(const line_stop *s, const char *role, const char *term, text *out) {
  switch (s->kind) {
    case STOP_ILLEGAL: text_add_format(out, "%s has no legal move `%s`", role, term); break;
    case STOP_MISSING: text_add_format(out, "the move of %s is missing", role); break;
    case STOP_OVER: text_add(out, "the game is over"); break;
    case STOP_STUCK: text_add_format(out, "%s cannot move", role); break;
    case STOP_ROUND: text_add(out, "play goes in a circle, and no role has a choice"); break;
    case STOP_MORE: text_add(out, "there are more moves than roles"); break;
    case STOP_NOWHERE:
    case STOP_TROUBLE: break;
  }
}

static span place_of(const given_terms *g, uint32_t at) {
  return at < g->items.count ? g->items.items[at].where
                             : (span){g->source.length, g->source.length};
}

static void complain(given_terms *g, const line_stop *s, const machine *m, bool names_step) {
  const char *term = s->at < g->items.count ? g->items.items[s->at].canonical : "";
  text words = text_new(g->keep);
  if (names_step) text_add_format(&words, "step %llu: ", (unsigned long long)s->step);
  describe(s, m->roles[s->role], term, &words);
  diag *said = diag_add(&g->diags, DIAG_E825, place_of(g, s->at), "%s", text_string(&words));
  if (s->proposal)
    diag_hint(&g->diags, said, "did you mean `%s`?  Legal: %s", s->proposal, s->legal);
  else if (s->legal)
    diag_hint(&g->diags, said, "legal: %s", s->legal);
}

/* ---- the calls ---- */

static line line_new(tabia_workspace *w, given_terms *g, const void *position, bool is_short) {
  const machine *m = w->of->m;
  line l = {.m = m, .w = w->w, .terms = g, .is_short = is_short, .keep = g->keep};
  l.scratch = w->keep;
  l.position = arena_alloc(g->keep, m->position_size);
  l.joint = arena_new_array(g->keep, move_id, m->role_count + (size_t)1);
  memcpy(l.position, position, m->position_size);
  return l;
}

/* Tries both ways to read the moves.  The result is one that was understood; else there is none,
   and what is wrong is told. */
static bool understand(line *l, tabia_workspace *w, given_terms *g, const void *position,
                       bool (*take)(line *), bool names_step) {
  *l = line_new(w, g, position, false);
  if (take(l)) return true;
  const line_stop whole = l->stop;
  if (whole.kind == STOP_TROUBLE) return false;
  *l = line_new(w, g, position, true);
  if (take(l)) return true;
  if (l->stop.kind != STOP_TROUBLE) complain(g, worse_stop(&whole, &l->stop), w->of->m, names_step);
  return false;
}

static tabia_status end_of(tabia_workspace *w, given_terms *g, tabia_status status,
                           tabia_messages *log) {
  if (w->w->trouble.is_there)
    status = api_workspace_status(w, log);
  else if (status != TABIA_OK)
    api_tell(log, &g->diags, &g->source);
  given_terms_free(g);
  return status;
}

tabia_status api_play_line(tabia_workspace *w, const char *name, const char *words, size_t length,
                           void *position, id_vec *joints, arena *keep, tabia_messages *log) {
  given_terms g;
  line l;
  if (!given_terms_read(&g, name, words, length)) return end_of(w, &g, TABIA_UNREADABLE, log);
  const bool ok = understand(&l, w, &g, position, play_line, true);
  if (ok) memcpy(position, l.position, w->of->m->position_size);
  if (ok && joints) vec_append(keep, joints, l.joints.items, l.joints.count);
  return end_of(w, &g, ok ? TABIA_OK : TABIA_FAULTY, log);
}

tabia_status tabia_position_play(tabia_workspace *w, const char *name, const char *words,
                                 size_t length, void *position, tabia_messages *log) {
  API_ASK(w, tabia_status, api_play_line(w, name, words, length, position, NULL, NULL, log),
          api_no_memory(log));
}

static bool take_one_joint(line *l) {
  if (!choose_joint(l)) return false;
  return l->at == l->terms->items.count || stop(l, STOP_MORE, 0);
}

tabia_status api_read_joint(tabia_workspace *w, const void *position, const char *name,
                            const char *words, size_t length, tabia_move *joint,
                            tabia_messages *log) {
  given_terms g;
  line l;
  if (!given_terms_read(&g, name, words, length)) return end_of(w, &g, TABIA_UNREADABLE, log);
  const bool ok = understand(&l, w, &g, position, take_one_joint, false);
  if (ok) memcpy(joint, l.joint, w->of->m->role_count * sizeof *joint);
  return end_of(w, &g, ok ? TABIA_OK : TABIA_FAULTY, log);
}

tabia_status tabia_joint_read(tabia_workspace *w, const void *position, const char *name,
                              const char *words, size_t length, tabia_move *joint,
                              tabia_messages *log) {
  API_ASK(w, tabia_status, api_read_joint(w, position, name, words, length, joint, log),
          api_no_memory(log));
}
