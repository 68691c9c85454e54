#include "ggp/terminal_game.h"

#include "base/vec.h"
#include "base/whole_file.h"
#include "ggp/legal_list.h"
#include "ggp/player/mind_search.h"
#include "ggp/wire/name_map.h"
#include "ggp/wire/sexp.h"

#include <errno.h>
#include <stdlib.h>

typedef struct terminal_game {
  const terminal_options *o;
  tabia_messages *log;
  arena *keep;
  const tabia_machine *m;
  tabia_workspace *w;
  uint32_t roles;
  bool is_hidden; /* GDL-II: people see percepts, not the state */
  name_map own_case;
  tabia_board *board;  /* NULL: fluents are listed */
  mind_search *search; /* NULL: it cannot be opened; moves are drawn then */
  rng random;
  size_t position_words;
  VEC(uint64_t) positions; /* one after another, from the start of the game */
  VEC(tabia_move) moves;   /* joint moves one after another */
  uint32_t steps;
  text thought;     /* the last one */
  tabia_status end; /* TABIA_LIMIT: somebody went away; TABIA_FAULTY: a role cannot move */
} terminal_game;

typedef enum reply { REPLY_MOVE, REPLY_AGAIN, REPLY_UNDONE, REPLY_STOP } reply;

/* ---- positions ---- */

static void *position_at(terminal_game *g, uint32_t step) {
  return g->positions.items + step * g->position_words;
}

static void *position(terminal_game *g) { return position_at(g, g->steps); }

static void make_room(terminal_game *g) {
  vec_reserve(g->keep, &g->positions, (uint32_t)g->position_words);
  memset(vec_from(&g->positions, g->positions.count), 0, g->position_words * 8);
  g->positions.count += (uint32_t)g->position_words;
}

static void make_step(terminal_game *g, const tabia_move *joint) {
  make_room(g);
  tabia_position_step(g->w, position_at(g, g->steps), joint, position_at(g, g->steps + 1));
  vec_append(g->keep, &g->moves, joint, g->roles);
  g->steps++;
}

static void take_back(terminal_game *g) {
  g->steps--;
  g->positions.count -= (uint32_t)g->position_words;
  g->moves.count -= g->roles;
}

/* ---- texts ---- */

static const char *role_name(const terminal_game *g, uint32_t role) {
  return tabia_machine_role(g->m, role);
}

static const char *move_words(const terminal_game *g, uint32_t role, tabia_move move, arena *keep) {
  text out = text_new(keep);
  slice rest =
      slice_of(name_map_terms(&g->own_case, legal_move_text(g->m, role, move, keep), keep));
  slice token;
  for (bool is_first = true; sexp_token(&rest, &token); is_first = *token.start == '(') {
    if (!is_first && *token.start != ')') text_add_char(&out, ' ');
    text_add_bytes(&out, token.start, token.length);
  }
  return text_string(&out);
}

static void put_out(void *context, const char *bytes, size_t length) {
  fwrite(bytes, 1, length, context);
}

static void show_fluents(terminal_game *g) {
  arena *scratch = arena_new();
  const size_t length = tabia_position_text(g->m, position(g), NULL, 0);
  char *words = arena_alloc(scratch, length + 1);
  tabia_position_text(g->m, position(g), words, length + 1);
  fprintf(g->o->out, "%s\n", words);
  arena_free(scratch);
}

static void show_state(terminal_game *g) {
  if (!g->board ||
      tabia_board_draw(g->board, position(g), "text", put_out, g->o->out, NULL) != TABIA_OK)
    show_fluents(g);
}

/* What the role sees of a step, "(goat-behind 3)"; "": nothing. */
static const char *percept_words(terminal_game *g, uint32_t step, const tabia_move *joint,
                                 uint32_t role, arena *keep) {
  const uint32_t count = tabia_position_sees(g->w, position_at(g, step), joint, role, NULL, 0);
  tabia_percept *percepts = arena_new_array(keep, tabia_percept, count + 1);
  text words = text_new(keep);
  tabia_position_sees(g->w, position_at(g, step), joint, role, percepts, count);
  for (uint32_t i = 0; i < count; i++) {
    const size_t length = tabia_percept_text(g->m, role, percepts[i], NULL, 0);
    char *percept = arena_alloc(keep, length + 1);
    tabia_percept_text(g->m, role, percepts[i], percept, length + 1);
    text_add_format(&words, "%s%s", i ? " " : "", percept);
  }
  return text_string(&words);
}

static void show_percepts(terminal_game *g, const tabia_move *joint, uint32_t role, arena *keep) {
  const char *words = percept_words(g, g->steps, joint, role, keep);
  fprintf(g->o->out, "%s sees %s\n", role_name(g, role), *words ? words : "nothing");
}

/* What has been done; in GDL-II only what the person sees of it. */
static void show_joint(terminal_game *g, const tabia_move *joint, arena *keep) {
  fprintf(g->o->out, "%u.", g->steps + 1);
  for (uint32_t i = 0; i < g->roles; i++)
    if (!g->is_hidden || g->o->is_person[i])
      fprintf(g->o->out, " %s %s;", role_name(g, i), move_words(g, i, joint[i], keep));
  fputc('\n', g->o->out);
  for (uint32_t i = 0; i < g->roles && g->is_hidden; i++)
    if (g->o->is_person[i]) show_percepts(g, joint, i, keep);
}

/* ---- moves ---- */

typedef struct move_list {
  uint32_t count;
  tabia_move *moves;
} move_list;

static move_list legal_moves(terminal_game *g, uint32_t role, arena *keep) {
  const uint32_t count = tabia_position_legal(g->w, position(g), role, NULL, 0);
  move_list list = {count, arena_new_array(keep, tabia_move, count + 1)};
  list.count = tabia_position_legal(g->w, position(g), role, list.moves, count);
  return list;
}

static void show_moves(terminal_game *g, uint32_t role, const move_list *list, arena *keep) {
  for (uint32_t i = 0; i < list->count; i++)
    fprintf(g->o->out, "%4u  %s\n", i + 1, move_words(g, role, list->moves[i], keep));
}

static const char *joint_words(const terminal_game *g, const tabia_move *joint, arena *keep) {
  text words = text_new(keep);
  for (uint32_t i = 0; i < g->roles; i++)
    text_add_format(&words, "%s ", legal_move_text(g->m, i, joint[i], keep));
  return text_string(&words);
}

static match_step step_told(terminal_game *g, uint32_t step, uint32_t role, arena *keep) {
  const tabia_move *joint = g->moves.items + (size_t)step * g->roles;
  if (!g->is_hidden) return (match_step){.moves = joint_words(g, joint, keep)};
  return (match_step){.own = legal_move_text(g->m, role, joint[role], keep),
                      .percepts = percept_words(g, step, joint, role, keep)};
}

/* What the role knows, told from the start. */
static tracker *knowledge_of(terminal_game *g, uint32_t role, arena *keep) {
  tracker *t = tracker_new(g->m, g->w, role, g->o->mind.seed);
  for (uint32_t step = 0; step < g->steps; step++) {
    const match_step told = step_told(g, step, role, keep);
    tracker_step(t, &told);
  }
  return t;
}

static tabia_move think(terminal_game *g, uint32_t role, const move_list *list, arena *keep) {
  tabia_move found;
  tracker *t = knowledge_of(g, role, keep);
  text note = text_new(keep);
  mind_search_set_role(g->search, role);
  const char *words =
      tracker_count(t) ? mind_search_choose(g->search, t, g->o->seconds, NULL, &note, keep) : NULL;
  const bool has_found = words && tabia_move_find(g->w, position(g), role, words, &found);
  tracker_free(t);
  text_clear(&g->thought);
  text_add(&g->thought, text_string(&note));
  return has_found ? found : list->moves[rng_below(&g->random, list->count)];
}

/* ---- the person ---- */

static reply stop(terminal_game *g, tabia_status end) {
  g->end = end;
  return REPLY_STOP;
}

static bool write_moves(const terminal_game *g, FILE *file, arena *keep) {
  for (uint32_t i = 0; i < g->moves.count; i++) {
    const uint32_t role = i % g->roles;
    fprintf(file, "%s%c", legal_move_text(g->m, role, g->moves.items[i], keep),
            role + 1 == g->roles ? '\n' : ' ');
  }
  return !ferror(file);
}

static reply save_moves(terminal_game *g, const char *path, arena *keep) {
  whole_file f;
  const bool is_saved =
      *path && whole_file_begin(&f, path, keep) && whole_file_end(&f, write_moves(g, f.file, keep));
  if (is_saved)
    fputs("saved\n", g->o->out);
  else
    fprintf(g->o->out, "cannot write `%s`: %s\n", path, *path ? strerror(errno) : "no name");
  return REPLY_AGAIN;
}

static reply show_help(terminal_game *g) {
  fputs("a number or a move; hint, why, why LITERAL, undo, moves, state, save FILE, quit\n",
        g->o->out);
  return REPLY_AGAIN;
}

static reply give_hint(terminal_game *g, uint32_t role, const move_list *list, arena *keep) {
  if (!g->search) return show_help(g);
  const tabia_move best = think(g, role, list, keep);
  fprintf(g->o->out, "%s\n", move_words(g, role, best, keep));
  return REPLY_AGAIN;
}

static reply explain(terminal_game *g) {
  fprintf(g->o->out, "%s\n", g->thought.length ? text_string(&g->thought) : "no thought yet");
  return REPLY_AGAIN;
}

static void set_line(terminal_game *g, tabia_options *options, arena *keep) {
  text line = text_new(keep);
  for (uint32_t i = 0; i < g->moves.count; i++)
    text_add_format(&line, "%s ", legal_move_text(g->m, i % g->roles, g->moves.items[i], keep));
  if (g->moves.count) tabia_options_set(options, "after", text_string(&line));
}

/* Why a literal holds here, or why not. */
static reply explain_literal(terminal_game *g, const char *literal, arena *keep) {
  tabia_why *why;
  tabia_options *options = tabia_options_new();
  tabia_messages *log = tabia_messages_new();
  if (options) set_line(g, options, keep);
  if (g->is_hidden)
    fputs("no role sees the state of this game\n", g->o->out);
  else if (tabia_why_ask(&why, g->o->rules, literal, options, NULL, log) == TABIA_OK)
    tabia_why_write(why, "text", UINT32_MAX, put_out, g->o->out, log);
  else
    fputs(tabia_messages_text(log), g->o->out);
  if (!g->is_hidden) tabia_why_free(why);
  tabia_messages_free(log);
  tabia_options_free(options);
  return REPLY_AGAIN;
}

static bool has_choice(terminal_game *g) {
  for (uint32_t i = 0; i < g->roles; i++)
    if (g->o->is_person[i] && tabia_position_legal(g->w, position(g), i, NULL, 0) > 1) return true;
  return false;
}

/* Back to where a person chose last. */
static reply undo(terminal_game *g) {
  if (!g->steps) {
    fputs("this is the start\n", g->o->out);
    return REPLY_AGAIN;
  }
  do take_back(g);
  while (g->steps && !has_choice(g));
  return REPLY_UNDONE;
}

static bool read_move(terminal_game *g, uint32_t role, const char *words, const move_list *list,
                      tabia_move *move, arena *keep) {
  char *end;
  const unsigned long number = strtoul(words, &end, 10);
  text canonical = text_new(keep);
  if (*words >= '0' && *words <= '9' && !*end && number >= 1 && number <= list->count) {
    *move = list->moves[number - 1];
    return true;
  }
  sexp_add_canonical(slice_of(words), &canonical);
  return tabia_move_find(g->w, position(g), role, text_string(&canonical), move);
}

static reply act(terminal_game *g, uint32_t role, const char *words, const move_list *list,
                 tabia_move *move, arena *keep) {
  if (strcmp(words, "quit") == 0) return stop(g, TABIA_OK);
  if (strcmp(words, "undo") == 0) return undo(g);
  if (strcmp(words, "hint") == 0) return give_hint(g, role, list, keep);
  if (strcmp(words, "why") == 0) return explain(g);
  if (strncmp(words, "why ", 4) == 0) return explain_literal(g, words + 4, keep);
  if (strcmp(words, "help") == 0) return show_help(g);
  if (strncmp(words, "save", 4) == 0 && (!words[4] || words[4] == ' '))
    return save_moves(g, words + 4 + (words[4] == ' '), keep);
  if (read_move(g, role, words, list, move, keep)) return REPLY_MOVE;
  const bool shows_state = strcmp(words, "state") == 0;
  if (shows_state && g->is_hidden)
    fputs("no role sees the state of this game\n", g->o->out);
  else if (shows_state)
    show_state(g);
  else if (strcmp(words, "moves") == 0)
    show_moves(g, role, list, keep);
  else
    fprintf(g->o->out, "`%s` is not a legal move; `moves` lists them, `help` lists the commands\n",
            words);
  return REPLY_AGAIN;
}

static bool read_line(terminal_game *g, char *line, size_t size) {
  if (!fgets(line, (int)size, g->o->in)) return false;
  line[strcspn(line, "\r\n")] = '\0';
  return !(g->o->stop && *g->o->stop);
}

static reply ask_person(terminal_game *g, uint32_t role, const move_list *list, tabia_move *move,
                        arena *keep) {
  char line[1024];
  reply r = REPLY_AGAIN;
  if (!g->is_hidden) show_state(g);
  show_moves(g, role, list, keep);
  while (r == REPLY_AGAIN) {
    fprintf(g->o->out, "%s> ", role_name(g, role));
    fflush(g->o->out);
    if (!read_line(g, line, sizeof line)) {
      fputc('\n', g->o->out); /* after the prompt */
      return stop(g, TABIA_LIMIT);
    }
    if (*line) r = act(g, role, line, list, move, keep);
  }
  return r;
}

/* ---- the game ---- */

static bool is_chance(const terminal_game *g, uint32_t role) {
  return strcmp(role_name(g, role), "random") == 0;
}

static reply choose(terminal_game *g, uint32_t role, tabia_move *move, arena *keep) {
  const move_list list = legal_moves(g, role, keep);
  if (!list.count) fprintf(g->o->out, "%s cannot move\n", role_name(g, role));
  if (!list.count) return stop(g, TABIA_FAULTY);
  *move = list.moves[0];
  if (list.count == 1) return REPLY_MOVE;
  if (g->o->is_person[role]) return ask_person(g, role, &list, move, keep);
  *move = is_chance(g, role) || !g->search ? list.moves[rng_below(&g->random, list.count)]
                                           : think(g, role, &list, keep);
  return REPLY_MOVE;
}

/* False: there is nothing more to play. */
static bool play_turn(terminal_game *g) {
  arena *keep = arena_new();
  tabia_move *joint = arena_new_array(keep, tabia_move, g->roles);
  reply r = REPLY_MOVE;
  for (uint32_t i = 0; r == REPLY_MOVE && i < g->roles; i++) r = choose(g, i, &joint[i], keep);
  if (r == REPLY_MOVE) {
    show_joint(g, joint, keep);
    make_step(g, joint);
  }
  arena_free(keep);
  return r != REPLY_STOP;
}

static void show_goals(terminal_game *g) {
  if (!g->is_hidden) show_state(g);
  for (uint32_t i = 0; i < g->roles; i++) {
    const int32_t goal = tabia_position_goal(g->w, position(g), i);
    if (!is_chance(g, i) && goal != TABIA_NO_GOAL)
      fprintf(g->o->out, "%s: %d\n", role_name(g, i), (int)goal);
  }
}

/* Where roles do not know the state nothing is drawn. */
static void find_board(terminal_game *g) {
  static const double LIMIT_SECONDS = 10;
  if (g->is_hidden || g->o->is_plain) return;
  tabia_limits *limits = tabia_limits_new();
  tabia_limits_set_seconds(limits, LIMIT_SECONDS);
  if (tabia_board_new(&g->board, g->m, limits, NULL) != TABIA_OK) g->board = NULL;
  tabia_limits_free(limits);
}

static void learn_names(terminal_game *g) {
  size_t length;
  const char *rules = tabia_rules_text(g->o->rules, &length);
  if (strcmp(tabia_rules_notation(g->o->rules), "kif") == 0)
    name_map_learn_case(&g->own_case, (slice){rules, length});
}

tabia_status terminal_game_play(const terminal_options *o, tabia_messages *log) {
  arena *keep = arena_new();
  terminal_game g = {.o = o,
                     .log = log,
                     .keep = keep,
                     .m = o->machine,
                     .w = tabia_workspace_new(o->machine, NULL),
                     .roles = tabia_machine_role_count(o->machine),
                     .is_hidden = tabia_machine_has_hidden_state(o->machine),
                     .own_case = name_map_new(keep),
                     .search = mind_search_open(&o->mind, o->machine, 0, NULL, log),
                     .random = rng_new(o->mind.seed, 0),
                     .position_words = (tabia_position_size(o->machine) + 7) / 8,
                     .thought = text_new(keep)};
  learn_names(&g);
  find_board(&g);
  make_room(&g);
  tabia_position_start(g.m, position(&g));
  bool goes_on = true;
  while (goes_on && !tabia_position_terminal(g.w, position(&g))) goes_on = play_turn(&g);
  const bool is_over = tabia_position_terminal(g.w, position(&g));
  const tabia_status trouble = tabia_workspace_status(g.w, log);
  if (is_over && trouble == TABIA_OK) show_goals(&g);
  mind_search_close(g.search);
  tabia_board_free(g.board);
  tabia_workspace_free(g.w);
  arena_free(keep);
  return trouble != TABIA_OK ? trouble : g.end;
}
