/* rename_check FILE COUNT [SEED]  gives random things of a rulesheet new names, and holds the ground
   program against that of the original: it must be the same but for the name.  Prints how many
   renames were tried, or the first that changed something; status 4: it is too large to be ground. */
#include "base/text.h"
#include "tabia.h"

#include <ctype.h>
#include <stdlib.h>

static const char NEW_NAME[] = "zq0renamed";

static void take_text(void *context, const char *bytes, size_t length) {
  text_add_bytes(context, bytes, length);
}

typedef struct patch {
  const char *words;
  size_t done; /* bytes of them that are copied */
  text *out;
} patch;

static void take_edit(void *context, size_t start, size_t end, const char *words) {
  patch *p = context;
  text_add_bytes(p->out, p->words + p->done, start - p->done);
  text_add(p->out, words);
  p->done = end;
}

/* ---- comparable texts ---- */

static int compare_words(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Its lines, each with its words sorted, sorted: the order of neither has a meaning here. */
static const char *sorted(char *words, const char *between, arena *keep) {
  const char **all = arena_new_array(keep, const char *, strlen(words) + 1);
  size_t count = 0;
  char *rest = NULL;
  for (char *w = strtok_r(words, between, &rest); w; w = strtok_r(NULL, between, &rest))
    all[count++] = *between == '\n' ? sorted(w, " ()", keep) : w;
  qsort(all, count, sizeof *all, compare_words);
  text out = text_new(keep);
  for (size_t i = 0; i < count; i++) text_add_format(&out, "%s%c", all[i], *between);
  return text_string(&out);
}

/* The ground program; NULL: it is too large. */
static const char *ground(const char *words, size_t length, const char *old_name, arena *keep) {
  tabia_rules *rules = NULL;
  tabia_limits *limits = tabia_limits_new();
  text out = text_new(keep), back = text_new(keep);
  tabia_limits_set_seconds(limits, 5);
  const bool is_made =
      tabia_rules_read_text(&rules, "", words, length, NULL) == TABIA_OK &&
      tabia_rules_write(rules, "ground", NULL, limits, take_text, &out, NULL) == TABIA_OK;
  tabia_rules_free(rules);
  tabia_limits_free(limits);
  if (!is_made) return NULL;
  const char *at = text_string(&out), *found;
  while (old_name && (found = strstr(at, NEW_NAME)) != NULL) {
    text_add_bytes(&back, at, (size_t)(found - at));
    for (const char *c = old_name; *c; c++) text_add_char(&back, (char)tolower(*c));
    at = found + sizeof NEW_NAME - 1;
  }
  text_add(&back, at);
  return sorted(arena_copy_text(keep, back.bytes, back.length), "\n", keep);
}

/* ---- renaming ---- */

/* 1: the same, 0: not, -1: it has no other name. */
static int try_rename(const tabia_source *s, uint32_t thing, const char *words, size_t length,
                      const char *original, arena *keep) {
  const bool is_variable = tabia_thing_kind(s, thing) == TABIA_WORD_VARIABLE;
  text renamed = text_new(keep);
  patch p = {words, 0, &renamed};
  char name[32];
  snprintf(name, sizeof name, "%s%s", is_variable ? "?" : "", NEW_NAME);
  if (tabia_source_rename(s, thing, name, take_edit, &p, NULL) != TABIA_OK) return -1;
  text_add_bytes(&renamed, words + p.done, length - p.done);
  const char *result = ground(renamed.bytes, renamed.length, tabia_thing_name(s, thing), keep);
  return result && strcmp(result, original) == 0;
}

static int try_file(const tabia_rules *rules, uint32_t count, uint64_t seed) {
  arena *keep = arena_new();
  size_t length;
  const char *words = tabia_rules_text(rules, &length);
  const char *original = ground(words, length, NULL, keep);
  tabia_source *s = tabia_source_new(rules, NULL, NULL);
  uint32_t tried = 0;
  int status = original && s ? 0 : 4;
  for (uint32_t i = 0; !status && i < 4 * count && tried < count; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const uint32_t thing = (uint32_t)((seed >> 33) % tabia_source_thing_count(s));
    const int result = try_rename(s, thing, words, length, original, keep);
    tried += result >= 0;
    if (result) continue;
    printf("not the same with another name for %s\n", tabia_thing_name(s, thing));
    status = 1;
  }
  if (!status) printf("%u renames\n", tried);
  tabia_source_free(s);
  arena_free(keep);
  return status;
}

int main(int argc, char **argv) {
  tabia_rules *rules = NULL;
  if (argc < 3 || tabia_rules_read_file(&rules, argv[1], NULL) != TABIA_OK) {
    fprintf(stderr, "rename_check FILE COUNT [SEED]\n");
    return 2;
  }
  const int status = try_file(rules, (uint32_t)strtoul(argv[2], NULL, 10),
                              argc > 3 ? strtoull(argv[3], NULL, 10) : 1);
  tabia_rules_free(rules);
  return status;
}
