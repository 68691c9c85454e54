#include "bdd/bdd_run.h"

#include "base/process.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- where it is ---- */

static const char name_of_program[] = "tabia-bdd";

/* Beside the program that runs, if it is there; or by its name alone. */
static const char *program_path(arena *keep) {
  char own[4096];
  const char *asked = getenv("TABIA_BDD");
  if (asked && *asked) return arena_copy_text(keep, asked, strlen(asked));
  const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
  if (length <= 0) return name_of_program;
  own[length] = '\0';
  text path = text_new(keep);
  text_add_bytes(&path, own, (size_t)(strrchr(own, '/') + 1 - own));
  text_add(&path, name_of_program);
  return access(text_string(&path), X_OK) == 0 ? text_string(&path) : name_of_program;
}

/* ---- its output ---- */

typedef struct answer_reader {
  process *from;
  arena *keep;
  const circuit *c;
  bdd_answer *to;
  bool is_wrong;
} answer_reader;

/* The next word of the line; NULL: it is at its end. */
static const char *next_word(answer_reader *r) {
  text word = text_new(r->keep);
  while (process_peek(r->from) == ' ') process_next(r->from);
  while (process_peek(r->from) > ' ') text_add_char(&word, (char)process_next(r->from));
  return word.length ? text_string(&word) : NULL;
}

static bool are_digits(const char *word) { return *word && !word[strspn(word, "0123456789")]; }

static uint32_t number_of(answer_reader *r, const char *word) {
  const unsigned long number = word && are_digits(word) ? strtoul(word, NULL, 10) : UINT32_MAX;
  if (number >= UINT32_MAX) r->is_wrong = true;
  return (uint32_t)number;
}

static uint32_t next_number(answer_reader *r) { return number_of(r, next_word(r)); }

/* How many states there are; they may be more than a number holds. */
static const char *next_count(answer_reader *r) {
  const char *word = next_word(r);
  if (word && (are_digits(word) || strcmp(word, "more") == 0)) return word;
  r->is_wrong = true;
  return NULL;
}

/* Joint moves to the end of the line. */
static id_vec next_moves(answer_reader *r) {
  id_vec line = {0};
  for (const char *word = next_word(r); word; word = next_word(r)) {
    const circuit_role *role = &r->c->roles.items[line.count % r->c->roles.count];
    const uint32_t move = number_of(r, word);
    if (move < role->first_move || move - role->first_move >= role->move_count) r->is_wrong = true;
    vec_push(r->keep, &line, move);
  }
  if (line.count % r->c->roles.count) r->is_wrong = true;
  return line;
}

static void read_level(answer_reader *r) {
  if (next_number(r) != r->to->levels.count) r->is_wrong = true;
  bdd_level level = {.states = next_count(r)};
  level.nodes = next_number(r);
  if (!r->is_wrong) vec_push(r->keep, &r->to->levels, level);
}

static void read_target(answer_reader *r) {
  const uint32_t target = next_number(r);
  bdd_reached reached = {.is_found = true, .depth = next_number(r)};
  reached.line = next_moves(r);
  if (r->is_wrong || target >= r->c->targets.count ||
      reached.line.count != (uint64_t)reached.depth * r->c->roles.count)
    r->is_wrong = true;
  else
    r->to->targets[target] = reached;
}

static void read_states(answer_reader *r) {
  r->to->states = next_count(r);
  r->to->is_layered = next_number(r) == 1;
}

static void read_ends(answer_reader *r) {
  r->to->end = BDD_ENDS;
  r->to->longest = next_number(r);
}

static void read_cycle(answer_reader *r) {
  r->to->end = BDD_CYCLES;
  r->to->returns_to = next_number(r);
  r->to->cycle = next_moves(r);
  if ((uint64_t)r->to->returns_to * r->c->roles.count >= r->to->cycle.count) r->is_wrong = true;
}

static void read_stop(answer_reader *r) { r->to->stop = next_word(r); }

static const struct {
  const char *word;
  void (*read)(answer_reader *r);
} kinds_of_line[] = {{"level", read_level}, {"target", read_target}, {"states", read_states},
                     {"ends", read_ends},   {"cycle", read_cycle},   {"stop", read_stop}};

/* False: there are no more. */
static bool read_line(answer_reader *r) {
  const char *word = next_word(r);
  if (!word) return false;
  bool is_known = false;
  for (size_t i = 0; i < sizeof kinds_of_line / sizeof *kinds_of_line; i++) {
    if (strcmp(word, kinds_of_line[i].word) != 0) continue;
    kinds_of_line[i].read(r);
    is_known = true;
  }
  if (!is_known || process_next(r->from) != '\n') r->is_wrong = true;
  return !r->is_wrong;
}

static void read_all(answer_reader *r, bdd_level_fn *tell, void *context) {
  uint32_t told = 0;
  while (read_line(r))
    for (; told < r->to->levels.count; told++)
      if (tell) tell(context, &r->to->levels.items[told]);
}

bool bdd_run(bdd_answer *a, const circuit *c, const bdd_encoding *e, bdd_wish wish,
             bdd_level_fn *tell, void *context, arena *keep, budget *b, diag_sink *d) {
  *a = (bdd_answer){.targets = arena_zero_array(keep, bdd_reached, (size_t)c->targets.count + 1)};
  const char *const arguments[] = {program_path(keep), NULL};
  const process_command command = {.package = "tabia-bdd", .arguments = arguments};
  text question = text_new(keep);
  bdd_write_question(c, e, wish, &question);
  answer_reader r = {.keep = keep, .c = c, .to = a};
  r.from = process_start(&command, &question, keep, b, d);
  if (!r.from) return false;
  read_all(&r, tell, context);
  if (r.is_wrong) { /* then nobody knows what is true of the rest */
    a->states = NULL;
    a->end = BDD_END_UNKNOWN;
  }
  return process_end(r.from, !r.is_wrong);
}
