#include "ggp/wire/scramble.h"

#include "ggp/wire/sexp.h"

/* `random` is the name by which players know chance. */
static const char *const kept[] = {"<=",    "role", "init",     "true",     "does",  "next",
                                   "legal", "goal", "terminal", "distinct", "not",   "or",
                                   "and",   "base", "input",    "sees",     "random"};

static bool is_number(slice name) {
  size_t i = 0;
  while (i < name.length && name.start[i] >= '0' && name.start[i] <= '9') i++;
  return i == name.length;
}

static bool is_kept(slice name) {
  if (*name.start == '(' || *name.start == ')' || is_number(name)) return true;
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    if (sexp_is(name, kept[i])) return true;
  return false;
}

static void add_word(rng *random, uint32_t syllables, text *out) {
  static const char consonants[] = "bcdfghjklmnprstvz", vowels[] = "aeiou";
  while (syllables--) {
    text_add_char(out, consonants[rng_below(random, sizeof consonants - 1)]);
    text_add_char(out, vowels[rng_below(random, sizeof vowels - 1)]);
  }
}

/* A word that no name has or gets; longer ones where there are many. */
static const char *new_word(bool is_variable, rng *random, const name_map *taken,
                            const name_map *names, arena *keep) {
  for (uint32_t tries = 0;; tries++) {
    text word = text_new(keep);
    if (is_variable) text_add_char(&word, '?');
    add_word(random, 3 + tries / 8, &word);
    const slice made = slice_of(text_string(&word));
    if (!is_kept(made) && !name_map_find(taken, made) && !name_map_find(names, made))
      return made.start;
  }
}

void scramble_names(slice terms, rng *random, name_map *to, name_map *back) {
  slice token;
  name_map names = name_map_new(to->keep);
  name_map_learn_case(&names, terms);
  while (sexp_token(&terms, &token)) {
    if (is_kept(token) || name_map_find(to, token)) continue;
    const slice word = slice_of(new_word(*token.start == '?', random, back, &names, to->keep));
    name_map_put(to, token, word);
    name_map_put(back, word, name_map_find(&names, token)->to);
  }
}
