/* tabia step: reads moves, writes states, for scripts. */
#include "base/json.h"
#include "cli/command.h"
#include "cli/machine_load.h"
#include "machine/state_view.h"
#include "read/canonical.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const command_help help = {
    .usage = "tabia step [OPTION] GAME",
    .details =
        "Writes the first state, then reads joint moves from standard input, one a line with a\n"
        "move for each role in their order, and writes the state after each.  A state is\n"
        "lines `true F`, `legal R M`, `goal R N`, `terminal`, `sees R P`, then an empty line.",
    .example = "echo '(take a 1) noop' | tabia step nim",
};

typedef struct stepper {
  running_game *g;
  bool as_json;
  void *position;
  move_id *joint;
  state_view view;
  text_list *sights; /* by role, of the last move */
  arena *scratch;    /* of the state */
  arena *next_scratch;
  uint64_t step;
} stepper;

/* ---- writing ---- */

static void put_list(const char *word, const char *role, const text_list *l) {
  for (uint32_t i = 0; i < l->count; i++)
    printf("%s %s%s%s\n", word, role, *role ? " " : "", l->items[i]);
}

static void put_as_text(const stepper *x) {
  const state_view *v = &x->view;
  put_list("true", "", &v->fluents);
  for (uint32_t i = 0; i < v->role_count; i++) {
    const role_view *r = &v->roles[i];
    put_list("legal", r->name, &r->texts);
    for (uint32_t k = 0; k < r->goal_count; k++) printf("goal %s %d\n", r->name, r->goals[k]);
    if (x->step) put_list("sees", r->name, &x->sights[i]);
  }
  puts(v->terminal ? "terminal\n" : "");
}

static void write_list(json_writer *w, const char *key, const text_list *l) {
  json_open_array(w, key);
  for (uint32_t i = 0; i < l->count; i++) json_put_string(w, NULL, l->items[i]);
  json_close_array(w);
}

static void write_legal(json_writer *w, const stepper *x) {
  json_open_object(w, "legal");
  for (uint32_t i = 0; i < x->view.role_count; i++)
    write_list(w, x->view.roles[i].name, &x->view.roles[i].texts);
  json_close_object(w);
}

static void write_goals(json_writer *w, const stepper *x) {
  json_open_object(w, "goals");
  for (uint32_t i = 0; i < x->view.role_count; i++) {
    const role_view *r = &x->view.roles[i];
    json_open_array(w, r->name);
    for (uint32_t k = 0; k < r->goal_count; k++) json_put_integer(w, NULL, r->goals[k]);
    json_close_array(w);
  }
  json_close_object(w);
}

static void write_percepts(json_writer *w, const stepper *x) {
  json_open_object(w, "percepts");
  for (uint32_t i = 0; i < x->view.role_count; i++)
    write_list(w, x->view.roles[i].name, &x->sights[i]);
  json_close_object(w);
}

static void put_as_json(const stepper *x) {
  text out = text_new(x->scratch);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_integer(&w, "step", (int64_t)x->step);
  write_list(&w, "state", &x->view.fluents);
  json_put_bool(&w, "terminal", x->view.terminal);
  write_legal(&w, x);
  write_goals(&w, x);
  if (x->step) write_percepts(&w, x);
  json_close_object(&w);
  puts(text_string(&out));
}

/* False: trouble. */
static bool put_state(stepper *x) {
  const running_game *g = x->g;
  if (!state_view_read(&x->view, g->m, g->w, x->position, x->scratch)) return false;
  if (x->as_json)
    put_as_json(x);
  else
    put_as_text(x);
  fflush(stdout);
  return true;
}

/* ---- reading ---- */

static bool reject(const stepper *x, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Always false. */
static bool reject(const stepper *x, const char *format, ...) {
  va_list list;
  fprintf(stderr, "tabia: step %llu: ", (unsigned long long)x->step + 1);
  va_start(list, format);
  vfprintf(stderr, format, list);
  va_end(list);
  fputc('\n', stderr);
  return false;
}

static const char *skip_blanks(const char *words) { return words + strspn(words, " \t\r\n"); }

/* What a message repeats of a line: a script may have sent anything. */
enum { SHOWN_BYTES = 80 };

static bool reject_move(const stepper *x, const char *role, const char *move) {
  const bool is_long = strlen(move) > SHOWN_BYTES;
  return reject(x, "%s has no legal move %.*s%s", role, SHOWN_BYTES, move, is_long ? "..." : "");
}

static bool read_joint(stepper *x, const char *line) {
  canonical_terms terms;
  const char *why;
  if (!canonical_read(&terms, slice_of(line), x->scratch, &why)) return reject(x, "%s", why);
  for (uint32_t i = 0; i < x->view.role_count; i++) {
    const role_view *r = &x->view.roles[i];
    if (i == terms.items.count) return reject(x, "the move of %s is missing", r->name);
    x->joint[i] = view_find_move(r, terms.items.items[i]);
    if (x->joint[i] == MOVE_NONE) return reject_move(x, r->name, terms.items.items[i]);
  }
  return terms.items.count == x->view.role_count || reject(x, "there are more moves than roles");
}

static void make_moves(stepper *x) {
  const running_game *g = x->g;
  arena *last = x->scratch;
  x->sights = arena_zero_array(x->next_scratch, text_list, x->view.role_count);
  for (uint32_t i = 0; i < x->view.role_count; i++)
    x->sights[i] = sights_of(g->m, g->w, x->position, x->joint, i, x->next_scratch);
  machine_step(g->m, g->w, x->position, x->joint, x->position);
  x->scratch = x->next_scratch;
  x->next_scratch = last;
  arena_clear(last);
  x->step++;
}

/* ---- the command ---- */

static bool take_line(stepper *x, const char *line, size_t length, int *status) {
  *status = EXIT_NO;
  if (strlen(line) < length) return reject(x, "there is a NUL byte in the line");
  if (x->view.terminal) return reject(x, "the game is over");
  if (!read_joint(x, line)) return false;
  make_moves(x);
  *status = EXIT_YES;
  return put_state(x);
}

static bool is_blank(const char *line, size_t length) { return skip_blanks(line) == line + length; }

/* A signal of the user ends the wait for a line with an error. */
static int end_of_lines(running_game *g, int status) {
  if (g->w->trouble.is_there) return game_trouble(g, g->w);
  return ferror(stdin) && budget_check_now(&g->budget) ? game_show_late(g) : status;
}

static int step_through(stepper *x) {
  char *line = NULL;
  size_t size = 0;
  ssize_t length;
  int status = EXIT_YES;
  bool goes_on = put_state(x);
  while (goes_on && (length = getline(&line, &size, stdin)) >= 0)
    if (!is_blank(line, (size_t)length)) goes_on = take_line(x, line, (size_t)length, &status);
  free(line);
  return end_of_lines(x->g, status);
}

static int run_stepper(running_game *g, bool as_json) {
  arena *keep = g->game.keep;
  stepper x = {.g = g, .as_json = as_json, .scratch = arena_new(), .next_scratch = arena_new()};
  x.position = arena_alloc(keep, g->m->position_size);
  x.joint = arena_new_array(keep, move_id, g->m->role_count);
  machine_start(g->m, x.position);
  const int status = step_through(&x);
  arena_free(x.scratch);
  arena_free(x.next_scratch);
  return status;
}

int cmd_step(int argc, char **argv) {
  machine_options m = {0};
  bool as_json = false;
  const option options[] = {
      FLAG_OPTION("json", &as_json, "write each state as a JSON object on a line"),
      MACHINE_OPTIONS(&m),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  running_game g;
  if (game_run(&g, given.items[0], &m, &help, &status)) status = run_stepper(&g, as_json);
  game_stop(&g);
  return status;
}
