/* tabia step: reads moves, writes states, for scripts. */
#include "base/json.h"
#include "cli/command.h"
#include "cli/machine_load.h"
#include "machine/view.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const command_help help = {
    .usage = "tabia step [OPTION] GAME",
    .details = "Writes the first state, then reads joint moves from standard input, one a line with a\n"
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

static void write_role(json_writer *w, const stepper *x, uint32_t role) {
  const role_view *r = &x->view.roles[role];
  json_open_object(w, r->name);
  write_list(w, "legal", &r->texts);
  json_open_array(w, "goals");
  for (uint32_t i = 0; i < r->goal_count; i++) json_put_integer(w, NULL, r->goals[i]);
  json_close_array(w);
  if (x->step) write_list(w, "sees", &x->sights[role]);
  json_close_object(w);
}

static void put_as_json(const stepper *x) {
  text out = text_new(x->scratch);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_integer(&w, "step", (int64_t)x->step);
  write_list(&w, "state", &x->view.fluents);
  json_put_bool(&w, "terminal", x->view.terminal);
  json_open_object(&w, "roles");
  for (uint32_t i = 0; i < x->view.role_count; i++) write_role(&w, x, i);
  json_close_object(&w);
  json_close_object(&w);
  puts(text_string(&out));
}

/* False: trouble. */
static bool put_state(stepper *x) {
  const running_game *g = x->g;
  if (!state_view_read(&x->view, g->m, g->w, x->position, x->scratch)) return false;
  if (x->as_json) put_as_json(x);
  else put_as_text(x);
  fflush(stdout);
  return true;
}

/* ---- reading ---- */

/* The length of the term at the start of `words`, which is not blank. */
static size_t term_length(const char *words) {
  size_t at = 0;
  int depth = 0;
  for (; words[at]; at++) {
    if (depth == 0 && at && (isspace((unsigned char)words[at]) || words[at] == '(')) break;
    if (words[at] == '(') depth++;
    if (words[at] == ')' && --depth <= 0) return at + 1;
  }
  return at;
}

static bool is_edge(char c) { return c == '(' || c == ')'; }

/* Lower case, one space between two arguments, none beside a parenthesis: canonical, but that
   `(a b (c))` is not made `(a b c)`. */
static const char *canonical(const char *words, size_t length, arena *keep) {
  char *out = arena_alloc(keep, length + 2);
  size_t end = 0;
  for (size_t i = 0; i < length; i++) {
    const bool blank = isspace((unsigned char)words[i]);
    const char last = end ? out[end - 1] : '(';
    if (blank && (last == ' ' || last == '(')) continue;
    if (words[i] == ')' && last == ' ') end--;
    if (words[i] == '(' && !is_edge(last) && last != ' ') out[end++] = ' ';
    out[end++] = blank ? ' ' : (char)tolower((unsigned char)words[i]);
  }
  out[end] = '\0';
  return out;
}

static bool reject(const stepper *x, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

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

static bool read_joint(stepper *x, const char *line) {
  for (uint32_t i = 0; i < x->view.role_count; i++) {
    const role_view *r = &x->view.roles[i];
    line = skip_blanks(line);
    if (!*line) return reject(x, "the move of %s is missing", r->name);
    const size_t length = term_length(line);
    const char *move = canonical(line, length, x->scratch);
    x->joint[i] = view_find_move(r, move);
    if (x->joint[i] == MOVE_NONE) return reject(x, "%s has no legal move %s", r->name, move);
    line += length;
  }
  return !*skip_blanks(line) || reject(x, "there are more moves than roles");
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

static bool take_line(stepper *x, const char *line, int *status) {
  *status = EXIT_NO;
  if (x->view.terminal) return reject(x, "the game is over");
  if (!read_joint(x, line)) return false;
  make_moves(x);
  *status = EXIT_YES;
  return put_state(x);
}

static int step_through(stepper *x) {
  char *line = NULL;
  size_t size = 0;
  int status = EXIT_YES;
  bool goes_on = put_state(x);
  while (goes_on && getline(&line, &size, stdin) >= 0)
    if (*skip_blanks(line)) goes_on = take_line(x, line, &status);
  free(line);
  return x->g->w->trouble.is_there ? game_trouble(x->g, x->g->w) : status;
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
