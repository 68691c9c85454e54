#include "ggp/referee/referee.h"

#include "base/budget.h"
#include "ggp/legal_list.h"
#include "ggp/wire/exchange.h"
#include "ggp/wire/ggp_message.h"
#include "ggp/wire/scramble.h"
#include "ggp/wire/sexp.h"

#include <math.h>
#include <time.h>

/* What lives as long as the match. */
typedef struct referee {
  const match_setup *setup;
  match_result *result;
  arena *keep;
  arena *turn; /* for one turn */
  const tabia_machine *m;
  tabia_workspace *w;
  uint32_t roles;
  bool is_hidden;      /* GDL-II */
  name_map own_case;   /* from canonical names to those of the rules */
  name_map sent, back; /* to those that players see, and from there */
  const char *rules;   /* as they are sent */
  exchange *exchanges; /* one for each seat */
  uint32_t seats;
  rng random;
  void *position;
  tabia_move *joint;
  const char **last_moves; /* as they are sent; NULL in the first turn */
  const char **percepts;   /* of the last step, as they are sent */
  uint64_t steps;
} referee;

/* ---- seats ---- */

static bool is_chance(const tabia_machine *m, uint32_t role) {
  return strcmp(tabia_machine_role(m, role), "random") == 0;
}

uint32_t match_seat_count(const tabia_machine *m) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < tabia_machine_role_count(m); i++) count += !is_chance(m, i);
  return count;
}

uint32_t match_seat_role(const tabia_machine *m, uint32_t seat) {
  uint32_t role = 0;
  for (;; role++)
    if (!is_chance(m, role) && seat-- == 0) return role;
}

/* ---- texts ---- */

static void put_text(void *context, const char *bytes, size_t length) {
  text_add_bytes(context, bytes, length);
}

/* The rules on one line in KIF, without comments, in their own case or scrambled. */
static bool write_rules(referee *r, tabia_messages *log) {
  text kif = text_new(r->keep), line = text_new(r->keep);
  if (tabia_rules_format(r->setup->rules, "kif", put_text, &kif, log) != TABIA_OK) return false;
  const slice whole = {text_string(&kif), kif.length};
  name_map_learn_case(&r->own_case, whole);
  if (r->setup->is_scrambled)
    scramble_names(whole, &r->random, &r->sent, &r->back);
  else
    r->sent = r->own_case;
  if (r->setup->is_scrambled)
    name_map_add_terms(&r->sent, whole, &line);
  else
    sexp_add_spaced(whole, &line);
  text_add_char(&line, ' ');
  r->rules = text_string(&line);
  return true;
}

static const char *move_words(const referee *r, uint32_t role, tabia_move move, arena *keep) {
  const size_t length = tabia_move_text(r->m, role, move, NULL, 0);
  char *words = arena_alloc(keep, length + 1);
  tabia_move_text(r->m, role, move, words, length + 1);
  return words;
}

static const char *state_words(const referee *r, arena *keep) {
  arena *scratch = arena_new();
  const uint32_t count = tabia_position_fluents(r->m, r->position, NULL, 0);
  tabia_fluent *fluents = arena_new_array(scratch, tabia_fluent, count + 1);
  text out = text_new(keep);
  tabia_position_fluents(r->m, r->position, fluents, count);
  text_add(&out, "( ");
  for (uint32_t i = 0; i < count; i++) {
    const size_t length = tabia_fluent_text(r->m, fluents[i], NULL, 0);
    char *words = arena_alloc(scratch, length + 1);
    tabia_fluent_text(r->m, fluents[i], words, length + 1);
    name_map_add_terms(&r->own_case, (slice){words, length}, &out);
    text_add_char(&out, ' ');
  }
  text_add_char(&out, ')');
  arena_free(scratch);
  return text_string(&out);
}

static const char *percept_words(referee *r, uint32_t role, arena *keep) {
  const uint32_t count = tabia_position_sees(r->w, r->position, r->joint, role, NULL, 0);
  tabia_percept *percepts = arena_new_array(keep, tabia_percept, count + 1);
  text out = text_new(keep);
  tabia_position_sees(r->w, r->position, r->joint, role, percepts, count);
  for (uint32_t i = 0; i < count; i++) {
    const size_t length = tabia_percept_text(r->m, role, percepts[i], NULL, 0);
    char *words = arena_alloc(keep, length + 1);
    tabia_percept_text(r->m, role, percepts[i], words, length + 1);
    name_map_add_terms(&r->sent, (slice){words, length}, &out);
    text_add_char(&out, ' ');
  }
  return text_string(&out);
}

static int64_t milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void note_state(referee *r) {
  const match_state state = {state_words(r, r->keep), milliseconds_now()};
  vec_push(r->keep, &r->result->states, state);
}

/* ---- messages ---- */

static const char *start_message(const referee *r, uint32_t role) {
  text out = text_new(r->turn);
  const char *name = name_map_terms(&r->sent, tabia_machine_role(r->m, role), r->turn);
  ggp_add_start(&out, r->setup->id, name, r->rules, r->setup->start_clock, r->setup->play_clock);
  return text_string(&out);
}

static const char *joint_words(const referee *r) {
  text out = text_new(r->turn);
  if (!r->steps) return NULL;
  for (uint32_t i = 0; i < r->roles; i++) text_add_format(&out, "%s ", r->last_moves[i]);
  return text_string(&out);
}

static const char *step_message(const referee *r, ggp_kind kind, uint32_t role) {
  text out = text_new(r->turn);
  if (r->is_hidden)
    ggp_add_step_seen(&out, kind, r->setup->id, r->steps, r->steps ? r->last_moves[role] : NULL,
                      r->steps ? r->percepts[role] : NULL);
  else
    ggp_add_step(&out, kind, r->setup->id, joint_words(r));
  return text_string(&out);
}

static const char *message_for(const referee *r, ggp_kind kind, uint32_t role) {
  if (kind == GGP_START) return start_message(r, role);
  if (kind != GGP_ABORT) return step_message(r, kind, role);
  text out = text_new(r->turn);
  ggp_add_abort(&out, r->setup->id);
  return text_string(&out);
}

/* Asks all players; what they took is not the referee's time. */
static void ask_all(referee *r, ggp_kind kind, double seconds) {
  double slowest = 0;
  for (uint32_t i = 0; i < r->seats; i++)
    r->exchanges[i] = (exchange){.to = &r->setup->seats[i].address,
                                 .receiver = r->setup->seats[i].name,
                                 .message = message_for(r, kind, match_seat_role(r->m, i))};
  exchange_all(r->exchanges, r->seats, clock_now() + seconds,
               kind == GGP_ABORT ? NULL : r->setup->stop, r->turn);
  for (uint32_t i = 0; i < r->seats; i++) slowest = fmax(slowest, r->exchanges[i].seconds);
  r->result->own_seconds -= slowest;
}

/* ---- replies ---- */

enum { QUOTED_MAX = 200 }; /* bytes of a reply that an error quotes */

static const char *quoted(const char *kind, slice words, arena *keep) {
  text out = text_new(keep);
  text_add_format(&out, "%s ", kind);
  for (size_t i = 0; i < words.length && i < QUOTED_MAX; i++) {
    const char c = words.start[i];
    text_add_char(&out, c >= ' ' && c <= '~' ? c : '?');
  }
  return text_string(&out);
}

static const char *error_of(referee *r, const exchange *e) {
  if (e->outcome == EXCHANGE_LATE) {
    r->result->late++;
    return "TO";
  }
  r->result->unreachable++;
  return quoted("CE", slice_of(e->why), r->keep);
}

/* The first term of a reply is the move.  A comment before it is not taken, nor another case. */
static bool read_move(referee *r, slice reply, uint32_t role, tabia_move *move) {
  slice rest = reply, term;
  while (rest.length && strchr(" \t\r\n", *rest.start))
    rest = (slice){rest.start + 1, rest.length - 1};
  if (!rest.length || *rest.start == ';') return false;
  const sexp_kind kind = sexp_next(&rest, &term);
  if (kind != SEXP_NAME && kind != SEXP_LIST) return false;
  text spaced = text_new(r->turn), own = text_new(r->turn), canonical = text_new(r->turn);
  sexp_add_spaced(term, &spaced);
  name_map_add_terms(&r->back, term, &own);
  sexp_add_canonical((slice){text_string(&own), own.length}, &canonical);
  if (!tabia_move_find(r->w, r->position, role, text_string(&canonical), move)) return false;
  const char *expected = name_map_terms(&r->sent, text_string(&canonical), r->turn);
  return strcmp(expected, text_string(&spaced)) == 0;
}

static const char *judge(referee *r, const exchange *e, uint32_t role, tabia_move *move) {
  if (e->outcome != EXCHANGE_REPLY) return error_of(r, e);
  if (read_move(r, e->reply, role, move)) return "";
  r->result->illegal++;
  return quoted("IL", e->reply, r->keep);
}

/* ---- turns ---- */

/* TABIA_NO_MOVE: there is none. */
static tabia_move draw_move(referee *r, uint32_t role) {
  const legal_list list = legal_list_of(r->m, r->w, r->position, role, r->turn);
  return list.count ? list.items[rng_below(&r->random, list.count)].move : TABIA_NO_MOVE;
}

/* Draws a move for every role into r->joint: for `random` its own, for a player the substitute that
   stands if its reply is late or illegal.  Substitutes are drawn in every turn, so that draws do not
   depend on replies.  False: a role has no move. */
static bool draw_substitutes(referee *r) {
  bool can_move = true;
  for (uint32_t i = 0; i < r->roles; i++) {
    r->joint[i] = draw_move(r, i);
    can_move = can_move && r->joint[i] != TABIA_NO_MOVE;
  }
  return can_move;
}

/* Legal replies take the place of substitutes. */
static match_turn collect_moves(referee *r) {
  match_turn turn = {arena_new_array(r->keep, const char *, r->roles),
                     arena_new_array(r->keep, const char *, r->roles)};
  for (uint32_t i = 0; i < r->roles; i++) turn.errors[i] = "";
  for (uint32_t i = 0; i < r->seats; i++) {
    const uint32_t role = match_seat_role(r->m, i);
    tabia_move move = r->joint[role];
    turn.errors[role] = judge(r, &r->exchanges[i], role, &move);
    if (!*turn.errors[role]) r->joint[role] = move;
  }
  for (uint32_t i = 0; i < r->roles; i++) {
    const char *canonical = move_words(r, i, r->joint[i], r->keep);
    turn.moves[i] = name_map_terms(&r->own_case, canonical, r->keep);
    r->last_moves[i] = name_map_terms(&r->sent, canonical, r->keep);
  }
  return turn;
}

static void make_step(referee *r) {
  if (r->is_hidden)
    for (uint32_t i = 0; i < r->roles; i++) r->percepts[i] = percept_words(r, i, r->keep);
  tabia_position_step(r->w, r->position, r->joint, r->position);
  r->steps++;
}

static bool is_stopped(const referee *r) { return r->setup->stop && *r->setup->stop; }

/* False: the match cannot go on. */
static bool play_turn(referee *r) {
  const double begin = clock_now();
  arena_clear(r->turn);
  if (!draw_substitutes(r)) return false;
  ask_all(r, GGP_PLAY, r->setup->play_clock + r->setup->grace);
  if (is_stopped(r)) return false;
  const match_turn turn = collect_moves(r);
  make_step(r);
  vec_push(r->keep, &r->result->turns, turn);
  note_state(r);
  r->result->own_seconds += clock_now() - begin;
  if (r->setup->tell) r->setup->tell(r->setup->context, r->steps, turn.moves, turn.errors);
  return true;
}

/* ---- beginning and end ---- */

static const char *start_error(referee *r, const exchange *e) {
  slice rest = e->reply, term;
  if (e->outcome == EXCHANGE_LATE) return "TO";
  if (e->outcome == EXCHANGE_FAILED) return quoted("CE", slice_of(e->why), r->keep);
  if (sexp_next(&rest, &term) == SEXP_NAME && sexp_is(term, "ready")) return "";
  return quoted("IL", e->reply, r->keep);
}

static void start_match(referee *r) {
  const double own = r->result->own_seconds;
  for (uint32_t i = 0; i < r->roles; i++) r->result->start_replies[i] = "";
  ask_all(r, GGP_START, r->setup->start_clock);
  for (uint32_t i = 0; i < r->seats; i++)
    r->result->start_replies[match_seat_role(r->m, i)] = start_error(r, &r->exchanges[i]);
  r->result->own_seconds = own;
}

/* Players have a short time to say goodbye. */
static void end_match(referee *r, ggp_kind how) {
  const double own = r->result->own_seconds;
  arena_clear(r->turn);
  ask_all(r, how, fmin(r->setup->play_clock, 2));
  r->result->own_seconds = own;
}

static void note_goals(referee *r) {
  for (uint32_t i = 0; i < r->roles; i++)
    r->result->goals[i] = tabia_position_goal(r->w, r->position, i);
}

static bool may_go_on(const referee *r) {
  return !is_stopped(r) && (!r->setup->max_steps || r->steps < r->setup->max_steps);
}

static tabia_status run_match(referee *r, tabia_messages *log) {
  note_state(r);
  start_match(r);
  bool goes_on = true;
  while (goes_on && may_go_on(r) && !tabia_position_terminal(r->w, r->position))
    goes_on = play_turn(r);
  const tabia_status trouble = tabia_workspace_status(r->w, log);
  r->result->is_completed =
      trouble == TABIA_OK && goes_on && tabia_position_terminal(r->w, r->position);
  r->result->is_aborted = !r->result->is_completed;
  end_match(r, r->result->is_completed ? GGP_STOP : GGP_ABORT);
  if (r->result->is_completed) note_goals(r);
  if (trouble != TABIA_OK) return trouble;
  if (r->result->is_completed) return TABIA_OK;
  return may_go_on(r) ? TABIA_FAULTY : TABIA_LIMIT;
}

static void make_room(referee *r) {
  r->joint = arena_new_array(r->keep, tabia_move, r->roles);
  r->last_moves = arena_new_array(r->keep, const char *, r->roles);
  r->percepts = arena_new_array(r->keep, const char *, r->roles);
  r->exchanges = arena_new_array(r->keep, exchange, r->seats);
  r->position = arena_alloc_zero(r->keep, tabia_position_size(r->m));
  r->result->goals = arena_zero_array(r->keep, int32_t, r->roles);
  r->result->start_replies = arena_new_array(r->keep, const char *, r->roles);
}

tabia_status match_play(match_result *result, const match_setup *s, arena *keep,
                        tabia_messages *log) {
  referee r = {.setup = s,
               .result = result,
               .keep = keep,
               .turn = arena_new(),
               .m = s->machine,
               .w = tabia_workspace_new(s->machine, NULL),
               .roles = tabia_machine_role_count(s->machine),
               .seats = match_seat_count(s->machine),
               .is_hidden = tabia_machine_has_hidden_state(s->machine),
               .own_case = name_map_new(keep),
               .sent = name_map_new(keep),
               .back = name_map_new(keep),
               .random = rng_new(s->seed, 0)};
  *result = (match_result){.roles = r.roles};
  make_room(&r);
  tabia_position_start(r.m, r.position);
  const tabia_status status = write_rules(&r, log) ? run_match(&r, log) : TABIA_FAULTY;
  tabia_workspace_free(r.w);
  arena_free(r.turn);
  return status;
}
