/* tabia match: a referee and one match. */
#include "base/json.h"
#include "base/vec.h"
#include "cli/output.h"
#include "cli/session.h"
#include "ggp/referee/match_record.h"
#include "ggp/referee/match_table.h"
#include "ggp/wire/sexp.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const command_help help = {
    .usage = "tabia match [OPTION] GAME PLAYER...",
    .details =
        "Plays one match.  There is a PLAYER for each role except `random`, in the order of the\n"
        "rules: HOST:PORT of a player that listens, or one of our own: random, legal, uct,\n"
        "tabia.  A random legal move replaces one that is late, illegal or missing.",
    .example = "tabia match tic-tac-toe tabia random --start-clock 2 --play-clock 1",
};

typedef struct match_command {
  machine_choice machine;
  limit_choice limits;
  double start_clock, play_clock, grace;
  bool is_scrambled, as_json;
  const char *record, *id;
  uint64_t seed, max_steps, iterations;
} match_command;

/* ---- players ---- */

static void read_player(match_player *p, uint32_t seat, const char *word, const match_command *c) {
  *p = (match_player){.name = word, .mind = {.seed = c->seed + seat, .iterations = c->iterations}};
  if (!local_player_kind(word, &p->mind.kind)) p->address = word;
}

static bool seat_players(match_table *t, char **words, uint32_t count, const match_command *c,
                         arena *keep) {
  match_player *players = arena_new_array(keep, match_player, count);
  const match_player **who = arena_new_array(keep, const match_player *, count);
  const char *why;
  for (uint32_t i = 0; i < count; i++) {
    read_player(&players[i], i, words[i], c);
    who[i] = &players[i];
  }
  if (match_table_fill(t, who, count, NULL, 0, keep, &why)) return true;
  fprintf(stderr, "tabia: %s\n", why);
  return false;
}

/* ---- what is shown ---- */

static void show_step(void *context, uint64_t step, const char *const *moves,
                      const char *const *errors) {
  const session *s = context;
  arena *scratch = arena_new();
  text line = text_new(scratch);
  text_add_format(&line, "%4llu", (unsigned long long)step);
  for (uint32_t i = 0; i < tabia_machine_role_count(s->machine); i++) {
    text_add(&line, "  ");
    sexp_add_canonical(slice_of(moves[i]), &line);
    if (*errors[i]) text_add_format(&line, " [%s]", errors[i]);
  }
  puts(text_string(&line));
  fflush(stdout);
  arena_free(scratch);
}

/* The time of the referee itself for one step. */
static double own_seconds(const match_result *r) {
  return r->turns.count ? r->own_seconds / r->turns.count : 0;
}

static void show_result(const session *s, const match_table *t, const match_result *r) {
  for (uint32_t i = 0; i < t->count; i++) {
    const uint32_t role = match_seat_role(s->machine, i);
    printf("%s: %s", tabia_machine_role(s->machine, role), t->seats[i].name);
    if (r->is_completed && r->goals[role] != TABIA_NO_GOAL) printf(", %d", r->goals[role]);
    if (*r->start_replies[role]) printf(", not ready: %s", r->start_replies[role]);
    putchar('\n');
  }
  printf("%s after %u step%s, errors: %u late, %u illegal, %u unreachable\n",
         r->is_completed ? "over" : "aborted", r->turns.count, plural(r->turns.count), r->late,
         r->illegal, r->unreachable);
}

static void show_as_json(const session *s, const match_table *t, const match_result *r,
                         const match_setup *setup) {
  text out = text_new(s->keep);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_string(&w, "match", setup->id);
  json_put_integer(&w, "steps", r->turns.count);
  json_put_bool(&w, "completed", r->is_completed);
  json_open_array(&w, "players");
  for (uint32_t i = 0; i < t->count; i++) {
    const uint32_t role = match_seat_role(s->machine, i);
    json_open_object(&w, NULL);
    json_put_string(&w, "role", tabia_machine_role(s->machine, role));
    json_put_string(&w, "player", t->seats[i].name);
    if (r->is_completed && r->goals[role] != TABIA_NO_GOAL)
      json_put_integer(&w, "goal", r->goals[role]);
    else
      json_put_null(&w, "goal");
    json_put_string(&w, "start_error", r->start_replies[role]);
    json_close_object(&w);
  }
  json_close_array(&w);
  json_put_integer(&w, "late", r->late);
  json_put_integer(&w, "illegal", r->illegal);
  json_put_integer(&w, "unreachable", r->unreachable);
  json_put_number(&w, "referee_seconds", own_seconds(r));
  json_close_object(&w);
  puts(text_string(&out));
}

/* ---- the match ---- */

static bool write_record(session *s, const match_command *c, const char *game,
                         const match_setup *setup, const match_result *r) {
  text out = text_new(s->keep);
  if (!c->record) return true;
  match_record_add(&out, game_title(game, s->keep), setup, r);
  return output_write(c->record, &out);
}

static int referee_match(session *s, const match_command *c, const char *game,
                         const match_table *t) {
  match_result r;
  const match_setup setup = {.id = c->id,
                             .rules = s->rules,
                             .machine = s->machine,
                             .seats = t->seats,
                             .start_clock = c->start_clock,
                             .play_clock = c->play_clock,
                             .grace = c->grace,
                             .is_scrambled = c->is_scrambled,
                             .seed = c->seed,
                             .max_steps = c->max_steps,
                             .stop = session_catch_signals(),
                             .tell = c->as_json ? NULL : show_step,
                             .context = s};
  const tabia_status status = match_play(&r, &setup, s->keep, s->log);
  if (c->as_json)
    show_as_json(s, t, &r, &setup);
  else
    show_result(s, t, &r);
  const int shown = session_show(s, status);
  return write_record(s, c, game, &setup, &r) ? shown : EXIT_CANNOT_READ;
}

static int play_match(session *s, const match_command *c, const arguments *given) {
  const uint32_t seats = match_seat_count(s->machine), players = (uint32_t)given->count - 1;
  match_table t;
  if (players != seats)
    return usage_error(&help, "%s has %u role%s to play, not %u", given->items[0], seats,
                       plural(seats), players);
  if (!output_is_possible(c->record)) return EXIT_CANNOT_READ;
  const int status = seat_players(&t, given->items + 1, players, c, s->keep)
                         ? referee_match(s, c, given->items[0], &t)
                         : EXIT_CANNOT_READ;
  match_table_clear(&t);
  return status;
}

/* Different from every other match of this player, as far as anybody can tell. */
static const char *new_id(arena *keep) {
  text id = text_new(keep);
  text_add_format(&id, "tabia.%lld.%d", (long long)time(NULL), (int)getpid());
  return text_string(&id);
}

int cmd_match(int argc, char **argv) {
  match_command c = {.start_clock = 15, .play_clock = 5, .grace = 1, .seed = 1};
  const option options[] = {
      REAL_OPTION("start-clock", &c.start_clock, "SECONDS", "time to get ready (15)"),
      REAL_OPTION("play-clock", &c.play_clock, "SECONDS", "time for each move (5)"),
      REAL_OPTION("grace", &c.grace, "SECONDS", "a move may be late by this (1)"),
      FLAG_OPTION("scramble", &c.is_scrambled, "give the players scrambled names"),
      STRING_OPTION("record", &c.record, "FILE", "write the match to FILE, as JSON"),
      STRING_OPTION("id", &c.id, "WORD", "identifier of the match"),
      NUMBER_OPTION("seed", &c.seed, "N", "seed of the random moves (1)"),
      NUMBER_OPTION("max-steps", &c.max_steps, "N", "abort the match after N steps"),
      NUMBER_OPTION("iterations", &c.iterations, "N", "limit for each move of our own players"),
      FLAG_OPTION("json", &c.as_json, "print a JSON object"),
      SESSION_MACHINE(&c.machine),
      SESSION_LIMITS_SAYING(&c.limits, "to open the game for the referee"),
      {0}};
  arguments given;
  int status;
  session s;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 2, -1, &status)) return status;
  if (c.play_clock <= 0) return usage_error(&help, "--play-clock must be more than 0");
  if (isinf(c.start_clock) || isinf(c.play_clock) || isinf(c.grace))
    return usage_error(&help, "a clock must end");
  if (session_begin(&s, &c.limits, &help, &status) && session_read(&s, given.items[0], &status) &&
      session_open(&s, &c.machine, &status)) {
    if (!c.id) c.id = new_id(s.keep);
    status = play_match(&s, &c, &given);
  }
  return session_end(&s, status);
}
