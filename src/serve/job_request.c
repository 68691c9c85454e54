#include "serve/job_request.h"

#include "tabia.h"

#include <jansson.h>

static const char *const job_commands[] = {
    "check",   "fmt",    "info",  "show",   "bases",   "ground", "circuit", "frame",
    "compile", "export", "prove", "report", "playout", "perft",  "minimax", "bestmove",
    "board",   "why",    "solve", "test",   "diff",    "trace"};

typedef enum word_kind {
  WORD_FLAG,  /* no value */
  WORD_PLAIN, /* numbers, names, lists of them */
  WORD_TEXT,  /* KIF and the like, or @FILE */
  WORD_FILE
} word_kind;

/* For all commands together: each command checks itself whether it has an option. */
static const struct {
  const char *name;
  word_kind kind;
} job_options[] = {{"json", WORD_FLAG},
                   {"all", WORD_FLAG},
                   {"strict", WORD_FLAG},
                   {"codes", WORD_FLAG},
                   {"explain", WORD_FLAG},
                   {"check", WORD_FILE},
                   {"notation", WORD_PLAIN},
                   {"format", WORD_PLAIN},
                   {"bases", WORD_PLAIN},
                   {"method", WORD_PLAIN},
                   {"encoding", WORD_PLAIN},
                   {"no-optimise", WORD_FLAG},
                   {"compare", WORD_FLAG},
                   {"stats", WORD_FLAG},
                   {"output", WORD_FILE},
                   {"cover", WORD_PLAIN},
                   {"prove-limit", WORD_PLAIN},
                   {"whole", WORD_FLAG},
                   {"emit", WORD_PLAIN},
                   {"knowledge-base", WORD_PLAIN},
                   {"property", WORD_TEXT},
                   {"witness", WORD_FILE},
                   {"certificate", WORD_FILE},
                   {"confidence", WORD_PLAIN},
                   {"seed", WORD_PLAIN},
                   {"threads", WORD_PLAIN},
                   {"not-terminal", WORD_PLAIN},
                   {"reachable", WORD_PLAIN},
                   {"mutexes", WORD_PLAIN},
                   {"from", WORD_TEXT},
                   {"after", WORD_TEXT},
                   {"count", WORD_PLAIN},
                   {"seconds", WORD_PLAIN},
                   {"machine", WORD_PLAIN},
                   {"max-steps", WORD_PLAIN},
                   {"depth", WORD_PLAIN},
                   {"ignore-terminal", WORD_FLAG},
                   {"divide", WORD_FLAG},
                   {"unique", WORD_FLAG},
                   {"alpha-beta", WORD_FLAG},
                   {"perfect-information", WORD_FLAG},
                   {"random", WORD_PLAIN},
                   {"text", WORD_FLAG},
                   {"svg", WORD_FILE},
                   {"write-layout", WORD_FLAG},
                   {"layout", WORD_FILE},
                   {"prove", WORD_FLAG},
                   {"role", WORD_TEXT},
                   {"iterations", WORD_PLAIN},
                   {"learn", WORD_PLAIN},
                   {"kind", WORD_PLAIN},
                   {"time-limit", WORD_PLAIN},
                   {"memory-limit", WORD_PLAIN},
                   {"does", WORD_TEXT},
                   {"max-states", WORD_PLAIN},
                   {"warn", WORD_PLAIN},
                   {"lane", WORD_PLAIN},
                   {"optimise", WORD_PLAIN},
                   {"help", WORD_FLAG}};

bool job_is_command(const char *name) {
  for (size_t i = 0; i < sizeof job_commands / sizeof *job_commands; i++)
    if (!strcmp(job_commands[i], name)) return true;
  return false;
}

/* ---- words ---- */

static bool is_made_of(const char *word, const char *others) {
  for (const char *c = word; *c; c++) {
    const char lower = (char)(*c | 0x20);
    const bool is_usual = (lower >= 'a' && lower <= 'z') || (*c >= '0' && *c <= '9');
    if (!is_usual && !strchr(others, *c)) return false;
  }
  return *word;
}

bool job_is_file_name(const char *name) {
  return is_made_of(name, ".-_") && *name != '.' && *name != '-' && strlen(name) <= 100;
}

static bool is_value(const char *word, word_kind kind) {
  switch (kind) {
    case WORD_FLAG: return false;
    case WORD_PLAIN: return is_made_of(word, ".-_,+:=");
    case WORD_TEXT: return *word != '@' || job_is_file_name(word + 1);
    case WORD_FILE: break;
  }
  return !strcmp(word, "-") || job_is_file_name(word);
}

static bool find_option(const char *name, size_t length, word_kind *kind) {
  for (size_t i = 0; i < sizeof job_options / sizeof *job_options; i++)
    if (strlen(job_options[i].name) == length && !strncmp(job_options[i].name, name, length)) {
      *kind = job_options[i].kind;
      return true;
    }
  return false;
}

/* What runs a compiler, or another program. */
static bool needs_compiler(const char *value) {
  static const char *const words[] = {"compiled", "object", "shared", "asp", "prolog-grounder"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(words[i], value)) return true;
  return false;
}

__attribute__((format(printf, 4, 5))) static bool refuse(job_fault *fault, arena *keep,
                                                         const char *code, const char *format,
                                                         ...) {
  text t = text_new(keep);
  va_list list;
  va_start(list, format);
  text_add_format_list(&t, format, list);
  va_end(list);
  *fault = (job_fault){code, text_string(&t)};
  return false;
}

/* Looks at word *i and at the value that follows it, if it has one. */
static bool check_word(const job_request *r, uint32_t *i, bool allows_compiled, arena *keep,
                       job_fault *fault) {
  const char *word = r->words[*i];
  word_kind kind;
  if (*word != '-') {
    if (*word == '(') return true; /* a literal, of `why` */
    if (is_made_of(word, ".-_") && *word != '.' && (allows_compiled || !needs_compiler(word)))
      return true;
    return refuse(fault, keep, "option", "jobs may not have the operand `%s`", word);
  }
  const char *equals = strchr(word, '=');
  const size_t length = equals ? (size_t)(equals - word) : strlen(word);
  if (length < 3 || word[1] != '-' || !find_option(word + 2, length - 2, &kind))
    return refuse(fault, keep, "option", "jobs may not have the option `%s`", word);
  if (kind == WORD_FLAG) {
    return !equals || refuse(fault, keep, "option", "the option `%s` has no value", word);
  }
  const char *value = equals ? equals + 1 : ++*i < r->word_count ? r->words[*i] : "";
  if (!is_value(value, kind) || (!allows_compiled && needs_compiler(value)))
    return refuse(fault, keep, "option", "jobs may not have this value of the option `%s`", word);
  return true;
}

static bool check_words(const job_request *r, bool allows_compiled, arena *keep, job_fault *fault) {
  for (uint32_t i = 1; i < r->word_count; i++)
    if (!check_word(r, &i, allows_compiled, keep, fault)) return false;
  return true;
}

/* ---- members ---- */

static bool read_words(job_request *r, const json_t *list, arena *keep, job_fault *fault) {
  const size_t count = json_array_size(list);
  if (!json_is_array(list) || count < 1 || count > JOB_WORDS_MAX)
    return refuse(fault, keep, "message", "`%s` must be a list of words", "command");
  for (size_t i = 0; i < count; i++) {
    const json_t *word = json_array_get(list, i);
    if (!json_is_string(word) || strlen(json_string_value(word)) != json_string_length(word))
      return refuse(fault, keep, "message", "`%s` must be a list of words", "command");
    r->words[r->word_count++] =
        arena_copy_text(keep, json_string_value(word), json_string_length(word));
  }
  return true;
}

static bool add_file(job_request *r, const char *name, const json_t *value, arena *keep,
                     job_fault *fault) {
  if (!job_is_file_name(name))
    return refuse(fault, keep, "name", "`%s` is not the name of a file", name);
  if (!json_is_string(value)) return refuse(fault, keep, "message", "`%s` must be a text", name);
  if (r->file_count > JOB_FILES_MAX) return refuse(fault, keep, "message", "too many %s", "files");
  const size_t length = json_string_length(value);
  r->files[r->file_count++] =
      (job_file){arena_copy_text(keep, name, strlen(name)),
                 {arena_copy_text(keep, json_string_value(value), length), length}};
  return true;
}

static bool read_files(job_request *r, json_t *files, arena *keep, job_fault *fault) {
  const char *name;
  json_t *value;
  if (!files) return true;
  if (!json_is_object(files))
    return refuse(fault, keep, "message", "`%s` must be an object", "files");
  json_object_foreach(files, name, value) if (!add_file(r, name, value, keep, fault)) return false;
  return true;
}

/* The rulesheet, or the name of a built-in game, which is its own operand. */
static bool read_rules(job_request *r, const json_t *whole, arena *keep, job_fault *fault,
                       const char **operand) {
  const json_t *game = json_object_get(whole, "game"), *name = json_object_get(whole, "name");
  if (json_is_string(game)) {
    *operand = arena_copy_text(keep, json_string_value(game), json_string_length(game));
    return tabia_game_find(*operand) < tabia_game_count() ||
           refuse(fault, keep, "name", "there is no built-in game `%s`", *operand);
  }
  if (name && !json_is_string(name))
    return refuse(fault, keep, "message", "`%s` must be a text", "name");
  *operand =
      name ? arena_copy_text(keep, json_string_value(name), json_string_length(name)) : "game.kif";
  return add_file(r, *operand, json_object_get(whole, "rules"), keep, fault);
}

static void add_operand(job_request *r, const char *operand) {
  for (uint32_t i = 1; i < r->word_count; i++)
    if (!strcmp(r->words[i], operand)) return;
  r->words[r->word_count++] = operand;
}

static bool read_members(job_request *r, json_t *whole, has_command *has, bool allows_compiled,
                         arena *keep, job_fault *fault) {
  const char *operand = NULL;
  if (!json_is_object(whole))
    return refuse(fault, keep, "message", "this is not a %s", "JSON object");
  if (!read_words(r, json_object_get(whole, "command"), keep, fault)) return false;
  if (!job_is_command(r->words[0]) || (has && !has(r->words[0])))
    return refuse(fault, keep, "command", "jobs may not run `%s`", r->words[0]);
  if (!check_words(r, allows_compiled, keep, fault) ||
      !read_rules(r, whole, keep, fault, &operand) ||
      !read_files(r, json_object_get(whole, "files"), keep, fault))
    return false;
  add_operand(r, operand);
  r->words[r->word_count] = NULL;
  return true;
}

bool job_request_read(job_request *r, slice message, has_command *has, bool allows_compiled,
                      arena *keep, job_fault *fault) {
  *r = (job_request){0};
  json_t *whole = json_loadb(message.start, message.length, JSON_REJECT_DUPLICATES, NULL);
  const bool is_good = read_members(r, whole, has, allows_compiled, keep, fault);
  json_decref(whole);
  return is_good;
}
