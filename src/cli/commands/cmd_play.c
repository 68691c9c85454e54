/* tabia play: a game at the terminal. */
#include "cli/session.h"
#include "ggp/player/local_player.h"
#include "ggp/terminal_game.h"

#include <string.h>

static const command_help help = {
    .usage = "tabia play [OPTION] GAME",
    .details =
        "Plays a game with you at the terminal: you play the first role, or those named with\n"
        "--as, and the program plays the others.  Type the number or the text of a move, or hint,\n"
        "why, why LITERAL, undo, moves, state, save FILE, help, quit.  In GDL-II you see what your\n"
        "role sees.",
    .example = "tabia play tic-tac-toe --as o --seconds 1",
};

typedef struct play_command {
  machine_choice machine;
  limit_choice limits;
  option_list roles;
  terminal_options game;
  const char *kind;
} play_command;

static bool take_role(const session *s, const char *name, bool *is_person) {
  for (uint32_t i = 0; i < tabia_machine_role_count(s->machine); i++)
    if (strcmp(tabia_machine_role(s->machine, i), name) == 0) return is_person[i] = true;
  return false;
}

/* The first role that is not chance, where none is named. */
static void take_first_role(const session *s, bool *is_person) {
  uint32_t i = 0;
  while (i + 1 < tabia_machine_role_count(s->machine) &&
         strcmp(tabia_machine_role(s->machine, i), "random") == 0)
    i++;
  is_person[i] = true;
}

static int play(session *s, play_command *c) {
  bool *is_person = arena_zero_array(s->keep, bool, tabia_machine_role_count(s->machine));
  for (uint32_t i = 0; i < c->roles.count; i++)
    if (!take_role(s, c->roles.items[i], is_person))
      return usage_error(&help, "there is no role `%s` in this game", c->roles.items[i]);
  if (!c->roles.count) take_first_role(s, is_person);
  c->game.rules = s->rules;
  c->game.machine = s->machine;
  c->game.is_person = is_person;
  c->game.in = session_input();
  c->game.out = stdout;
  c->game.stop = session_catch_signals();
  const tabia_status played = terminal_game_play(&c->game, s->log);
  fclose(c->game.in);
  return session_show(s, played);
}

int cmd_play(int argc, char **argv) {
  play_command c = {.kind = "tabia",
                    .machine = {.purpose = "playouts"},
                    .game = {.seconds = 2, .mind = {.seed = 1}}};
  const option options[] = {
      LIST_OPTION("as", &c.roles, "ROLE", "play this role; may be given several times"),
      REAL_OPTION("seconds", &c.game.seconds, "S", "time for each move of the program (2)"),
      NUMBER_OPTION("iterations", &c.game.mind.iterations, "N",
                    "limit for each search of the program"),
      STRING_OPTION("kind", &c.kind, "NAME", "how the program plays: uct or tabia"),
      FLAG_OPTION("plain", &c.game.is_plain, "list the facts instead of drawing a board"),
      NUMBER_OPTION("seed", &c.game.mind.seed, "N", "seed of random numbers (1)"),
      SESSION_MACHINE(&c.machine),
      SESSION_LIMITS_SAYING(&c.limits, "to open the game"),
      {0}};
  arguments given;
  int status;
  session s;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (!local_player_kind(c.kind, &c.game.mind.kind) || c.game.mind.kind < MIND_UCT)
    return usage_error(&help, "--kind is uct or tabia, not `%s`", c.kind);
  if (session_begin(&s, &c.limits, &help, &status) && session_read(&s, given.items[0], &status) &&
      session_open(&s, &c.machine, &status))
    status = play(&s, &c);
  return session_end(&s, status);
}
