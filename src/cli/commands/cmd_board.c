/* tabia board: a state drawn, on a board that is found from the rules. */
#include "base/rng.h"
#include "cli/output.h"
#include "cli/session.h"

#include <string.h>

static const command_help help = {
    .usage = "tabia board [OPTION] GAME",
    .details =
        "Draws a state of GAME: boards found from the rules and from random games, the pieces on\n"
        "them, and all other facts.  As text, as SVG for papers and pages, or as JSON with the\n"
        "clicks that make each move.  The layout can be written to a file, corrected by hand, and\n"
        "used again.",
    .example = "tabia board tic-tac-toe --after '(place 2 2) (place 1 1)' --svg picture.svg",
};

typedef struct board_command {
  machine_choice machine;
  limit_choice limits;
  start_choice start;
  uint64_t random_steps, seed;
  const char *svg, *layout;
  bool as_text, as_json, as_layout, proves;
} board_command;

/* ---- which state ---- */

/* False: the role has none. */
static bool draw_move(tabia_workspace *w, const void *position, uint32_t role, rng *r, arena *keep,
                      tabia_move *move) {
  const uint32_t count = tabia_position_legal(w, position, role, NULL, 0);
  tabia_move *moves = arena_new_array(keep, tabia_move, count + 1);
  if (!count || tabia_position_legal(w, position, role, moves, count) != count) return false;
  *move = moves[rng_below(r, count)];
  return true;
}

static bool step_at_random(session *s, tabia_workspace *w, void *position, rng *r,
                           tabia_move *joint) {
  const arena_mark mark = arena_save(s->keep);
  bool can = !tabia_position_terminal(w, position);
  for (uint32_t i = 0; can && i < tabia_machine_role_count(s->machine); i++)
    can = draw_move(w, position, i, r, s->keep, &joint[i]);
  arena_restore(s->keep, mark);
  if (can) tabia_position_step(w, position, joint, position);
  return can;
}

static void play_at_random(session *s, const board_command *c, void *position) {
  tabia_workspace *w = tabia_workspace_new(s->machine, s->limits);
  tabia_move *joint = arena_new_array(s->keep, tabia_move, tabia_machine_role_count(s->machine));
  rng r = rng_new(c->seed, 0);
  for (uint64_t i = 0; i < c->random_steps && step_at_random(s, w, position, &r, joint);) i++;
  tabia_workspace_free(w);
}

/* Grounding more is not worth the while for one drawing.  The size decides, not the time: a picture
   must not depend on what else the computer does. */
static const size_t OPEN_BYTES = (size_t)64 << 20;
static const double OPEN_SECONDS = 10; /* and yet it must end */

static bool open_machine(session *s, const board_command *c, int *status) {
  machine_choice slow = c->machine;
  const double most = c->limits.time_limit;
  if (c->machine.machine || c->machine.encoding) return session_open(s, &c->machine, status);
  tabia_limits_set_bytes(s->limits, s->bytes && s->bytes < OPEN_BYTES ? s->bytes : OPEN_BYTES);
  tabia_limits_set_seconds(s->limits, most > 0 && most < OPEN_SECONDS ? most : OPEN_SECONDS);
  const tabia_status result = tabia_machine_open(&s->machine, s->rules, "circuit", s->limits, NULL);
  tabia_limits_set_total_bytes(s->limits, s->bytes);
  tabia_limits_set_seconds(s->limits, most);
  slow.machine = result == TABIA_LIMIT ? "datalog" : NULL;
  return result == TABIA_OK || session_open(s, &slow, status);
}

/* The game as it is: a board must not look different after every move.  Only where that game cannot
   have such a state is it looked at as a game that begins there. */
static bool open_game(session *s, const char *game, const board_command *c, void **position,
                      int *status) {
  session other;
  bool ok = session_begin(&other, &c->limits, &help, status) &&
            session_read_from(&other, game, &c->start, status) && session_read(s, game, status) &&
            open_machine(s, c, status);
  if (ok) {
    *position = arena_alloc(s->keep, tabia_position_size(s->machine));
    tabia_position_start(s->machine, *position);
  }
  if (ok && other.start &&
      tabia_position_read(s->machine, "--from", other.start, strlen(other.start), *position,
                          NULL) != TABIA_OK) {
    tabia_machine_close(s->machine);
    tabia_rules_free(s->rules);
    s->machine = NULL;
    s->rules = NULL;
    ok = session_read_from(s, game, &c->start, status) && open_machine(s, c, status);
    if (ok) *position = arena_alloc(s->keep, tabia_position_size(s->machine));
    if (ok) tabia_position_start(s->machine, *position);
  }
  session_end(&other, 0);
  return ok;
}

/* ---- drawing ---- */

static void add_piece(void *context, const char *bytes, size_t length) {
  text_add_bytes(context, bytes, length);
}

static int draw(session *s, const board_command *c, tabia_board *board, const void *position) {
  const char *format = c->svg ? "svg" : c->as_json ? "json" : "text";
  text out = text_new(s->keep);
  tabia_status result = TABIA_OK;
  if (c->as_layout)
    tabia_board_write_layout(board, add_piece, &out);
  else
    result = tabia_board_draw(board, position, format, add_piece, &out, s->log);
  if (result == TABIA_OK && !output_write(c->svg, &out)) return EXIT_CANNOT_READ;
  return session_show(s, result);
}

static tabia_status find_board(session *s, tabia_board **board) {
  return tabia_board_new(board, s->machine, s->limits, s->log);
}

/* False: there is no such file, or it is no layout; *status tells. */
static bool read_board(session *s, const char *path, tabia_board **board, int *status) {
  text words = text_new(s->keep);
  const char *why;
  if (!session_read_file(path, &words, &why)) {
    fprintf(stderr, "tabia: %s: %s\n", path, why);
    *status = EXIT_CANNOT_READ;
    return false;
  }
  *status = session_show(s, tabia_board_read(board, s->machine, path, text_string(&words),
                                             words.length, s->limits, s->log));
  return *status == EXIT_YES;
}

static int draw_game(session *s, const board_command *c, void *position) {
  tabia_board *board;
  int status;
  play_at_random(s, c, position);
  if (c->layout ? !read_board(s, c->layout, &board, &status)
                : (status = session_show(s, find_board(s, &board))) != EXIT_YES)
    return status;
  if (c->proves) tabia_board_prove(board, s->limits);
  status = draw(s, c, board, position);
  tabia_board_free(board);
  return status;
}

/* ---- the command ---- */

static bool has_several_forms(const board_command *c) {
  return c->as_text + c->as_json + c->as_layout + (c->svg != NULL) > 1;
}

int cmd_board(int argc, char **argv) {
  board_command c = {.seed = 1};
  const option options[] = {
      SESSION_START(&c.start),
      NUMBER_OPTION("random", &c.random_steps, "STEPS", "make this number of random moves first",
                    .most = 1000 * 1000),
      NUMBER_OPTION("seed", &c.seed, "N", "seed of the random moves (1)", .most = INT64_MAX),
      FLAG_OPTION("text", &c.as_text, "for a terminal; the default"),
      STRING_OPTION("svg", &c.svg, "FILE", "write an SVG picture there (-: standard output)"),
      FLAG_OPTION("json", &c.as_json, "print a JSON object, moves and clicks included"),
      FLAG_OPTION("write-layout", &c.as_layout, "print the layout, to be corrected by hand"),
      STRING_OPTION("layout", &c.layout, "FILE", "draw by this layout"),
      FLAG_OPTION("prove", &c.proves, "say in JSON which boards are certain, by proof"),
      SESSION_MACHINE(&c.machine),
      SESSION_LIMITS(&c.limits),
      {0}};
  arguments given;
  int status;
  session s;
  void *position;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (has_several_forms(&c))
    return usage_error(&help, "--text, --svg, --json and --write-layout are one choice");
  if (session_begin(&s, &c.limits, &help, &status) &&
      open_game(&s, given.items[0], &c, &position, &status))
    status = draw_game(&s, &c, position);
  return session_end(&s, status);
}
