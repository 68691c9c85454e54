/* replay_ground plain|optimised SECONDS GAME TRACE...

   Grounds a game and replays traces (see machine/trace.h) on its ground rules: fluents, legal
   moves, goals and the end must be as written.  Exit 0: all are; 1: one is not, and standard output
   says which; 3: a trace cannot be read; 4: the game was not grounded, within the seconds given and
   two gigabytes or at all, and standard output says why. */
#include "base/sha1.h"
#include "ground/ground_model.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_RIGHT = 0, EXIT_WRONG = 1, EXIT_UNREADABLE = 3, EXIT_LIMIT = 4 };

typedef struct replay {
  arena *keep;
  const ground_program *g;
  ground_model m;
  bool *now;                              /* by fluent */
  const char **fluents, **moves, **roles; /* their texts */
  const char *trace;
  json_int_t step;
} replay;

static const char *text_of(const replay *r, term_id t) {
  text out = text_new(r->keep);
  term_print(r->g->terms, t, NOTATION_KIF, NULL, &out);
  return text_string(&out);
}

static replay replay_new(const ground_program *g, arena *keep) {
  replay r = {.keep = keep,
              .g = g,
              .m = model_new(g, keep),
              .now = arena_new_array(keep, bool, g->fluents.count),
              .fluents = arena_new_array(keep, const char *, g->fluents.count),
              .moves = arena_new_array(keep, const char *, g->moves.count),
              .roles = arena_new_array(keep, const char *, g->roles.count)};
  for (uint32_t i = 0; i < g->fluents.count; i++)
    r.fluents[i] = text_of(&r, g->fluents.items[i].term);
  for (uint32_t i = 0; i < g->moves.count; i++) r.moves[i] = text_of(&r, g->moves.items[i].term);
  for (uint32_t i = 0; i < g->roles.count; i++) r.roles[i] = text_of(&r, g->roles.items[i].term);
  return r;
}

static bool wrong(const replay *r, const char *what, const char *of) {
  printf("%s, step %" JSON_INTEGER_FORMAT ": %s%s%s\n", r->trace, r->step, what, of ? " of " : "",
         of ? of : "");
  return false;
}

/* ---- lists as the trace has them: how many, and the SHA-1 of their lines ---- */

typedef struct listing {
  sha1 sum;
  json_int_t count;
} listing;

static void list_line(listing *l, const char *line) {
  if (l->count++) sha1_add(&l->sum, "\n", 1);
  sha1_add(&l->sum, line, strlen(line));
}

static bool is_listed(listing *l, const json_t *count, const json_t *sum) {
  char hex[SHA1_HEX_SIZE];
  sha1_hex(&l->sum, hex);
  const char *expected = json_string_value(sum);
  return l->count == json_integer_value(count) && expected && strcmp(hex, expected) == 0;
}

/* ---- one state ---- */

static bool check_fluents(const replay *r, const json_t *line) {
  listing l = {0};
  sha1_init(&l.sum);
  for (uint32_t i = 0; i < r->g->fluents.count; i++)
    if (r->now[i]) list_line(&l, r->fluents[i]);
  if (is_listed(&l, json_object_get(line, "fluents"), json_object_get(line, "state"))) return true;
  return wrong(r, "the fluents differ", NULL);
}

static bool check_legal(const replay *r, const json_t *line, uint32_t role) {
  const ground_role *it = &r->g->roles.items[role];
  const json_t *expected = json_object_get(json_object_get(line, "legal"), r->roles[role]);
  listing l = {0};
  sha1_init(&l.sum);
  for (uint32_t i = it->first_move; i < it->first_move + it->move_count; i++)
    if (model_has(&r->m, r->g->moves.items[i].legal)) list_line(&l, r->moves[i]);
  if (is_listed(&l, json_array_get(expected, 0), json_array_get(expected, 1))) return true;
  return wrong(r, "the legal moves differ", r->roles[role]);
}

/* Whether a goal is expected: null stands for none, a list for several. */
static bool is_expected(const json_t *expected, json_int_t value) {
  if (json_is_integer(expected)) return json_integer_value(expected) == value;
  for (size_t i = 0; i < json_array_size(expected); i++)
    if (json_integer_value(json_array_get(expected, i)) == value) return true;
  return false;
}

static bool check_goals(const replay *r, const json_t *line, uint32_t role) {
  const json_t *expected = json_object_get(json_object_get(line, "goals"), r->roles[role]);
  const size_t count = json_is_integer(expected) ? 1 : json_array_size(expected);
  size_t found = 0;
  for (uint32_t i = 0; i < r->g->goals.count; i++) {
    const ground_outcome *o = &r->g->goals.items[i];
    if (o->role != role || !model_has(&r->m, o->atom)) continue;
    if (!is_expected(expected, atoll(text_of(r, o->term))))
      return wrong(r, "a goal differs", r->roles[role]);
    found++;
  }
  return found == count || wrong(r, "a goal is missing", r->roles[role]);
}

static bool check_state(replay *r, const json_t *line) {
  model_set_state(&r->m, r->now);
  model_evaluate(&r->m);
  if (!check_fluents(r, line)) return false;
  for (uint32_t role = 0; role < r->g->roles.count; role++)
    if (!check_legal(r, line, role) || !check_goals(r, line, role)) return false;
  const bool is_terminal = model_has(&r->m, r->g->terminal);
  if (is_terminal != json_is_true(json_object_get(line, "terminal")))
    return wrong(r, "the end differs", NULL);
  return true;
}

/* ---- one step ---- */

static bool do_move(replay *r, uint32_t role, const char *move) {
  const ground_role *it = &r->g->roles.items[role];
  for (uint32_t i = it->first_move; move && i < it->first_move + it->move_count; i++) {
    if (strcmp(r->moves[i], move) != 0) continue;
    model_do(&r->m, i);
    return true;
  }
  return wrong(r, "a move is unknown", r->roles[role]);
}

static bool take_step(replay *r, const json_t *moves) {
  for (uint32_t role = 0; role < r->g->roles.count; role++)
    if (!do_move(r, role, json_string_value(json_object_get(moves, r->roles[role])))) return false;
  model_evaluate(&r->m);
  for (uint32_t i = 0; i < r->g->fluents.count; i++)
    r->now[i] = model_has(&r->m, r->g->fluents.items[i].next);
  return true;
}

static bool replay_line(replay *r, const json_t *line) {
  r->step = json_integer_value(json_object_get(line, "step"));
  const json_t *moves = json_object_get(line, "moves");
  return check_state(r, line) && (!moves || take_step(r, moves));
}

static int replay_trace(replay *r, const char *path) {
  FILE *in = fopen(path, "r");
  if (!in) return EXIT_UNREADABLE;
  r->trace = path;
  for (uint32_t i = 0; i < r->g->fluents.count; i++) r->now[i] = r->g->fluents.items[i].initially;
  json_t *line = json_loadf(in, JSON_DISABLE_EOF_CHECK, NULL); /* the first tells about the game */
  int status = line ? EXIT_RIGHT : EXIT_UNREADABLE;
  json_decref(line);
  while (status == EXIT_RIGHT && (line = json_loadf(in, JSON_DISABLE_EOF_CHECK, NULL))) {
    if (!replay_line(r, line)) status = EXIT_WRONG;
    json_decref(line);
  }
  fclose(in);
  return status;
}

static bool ground_game(ground_program *g, const char *path, ground_options o, double seconds,
                        arena *keep, diag_sink *d) {
  source s;
  tree t = {0};
  program p;
  ground_stats stats;
  budget limits = budget_new(seconds, (size_t)2 << 30);
  budget_watch(&limits, keep);
  if (!source_load(&s, path, keep, d)) return false;
  tree_read(&t, &s, symbols_new(keep), keep, d);
  rules_build(&p, &t, keep, d);
  return ground_rules(g, &p, o, keep, &limits, d, &stats);
}

static int usage(void) {
  fputs("replay_ground plain|optimised SECONDS GAME TRACE...\n", stderr);
  return 2;
}

int main(int argc, char **argv) {
  if (argc < 4) return usage();
  const ground_options o = {.optimise = strcmp(argv[1], "optimised") == 0};
  arena *keep = arena_new();
  diag_sink d;
  diag_sink_init(&d, keep);
  ground_program g;
  int status = EXIT_LIMIT;
  if (ground_game(&g, argv[3], o, atof(argv[2]), keep, &d)) {
    replay r = replay_new(&g, keep);
    status = EXIT_RIGHT;
    for (int i = 4; i < argc && status == EXIT_RIGHT; i++) status = replay_trace(&r, argv[i]);
  } else if (d.all.count) {
    printf("%s\n", d.all.items[d.all.count - 1].message);
  }
  arena_free(keep);
  return status;
}
