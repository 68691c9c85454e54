#include "prove/property.h"

#include <string.h>

static const char *const kind_names[PROPERTY_KINDS] = {
    "playable", "terminates", "winnable",          "goals",       "dead",
    "mutex",    "monotone",   "strongly-winnable", "unreachable", "invariant"};

bool property_is_reach(property_kind kind) {
  return kind == PROPERTY_PLAYABLE || kind == PROPERTY_WINNABLE || kind == PROPERTY_GOALS ||
         kind == PROPERTY_UNREACHABLE || kind == PROPERTY_INVARIANT;
}

const char *property_sense(const property *p, const circuit *c) {
  if (c->roles.count < 2) return NULL;
  if (p->kind == PROPERTY_WINNABLE) return "co-operative";
  return p->kind == PROPERTY_STRONGLY_WINNABLE ? "strong" : NULL;
}

static void add_named(property_vec *out, property p, const char *name, arena *keep) {
  p.name = arena_copy_text(keep, name, strlen(name));
  vec_push(keep, out, p);
}

/* For one role, or for all when `only` is empty.  False: there is no such role. */
static bool add_winnable(property_vec *out, property_kind kind, const char *only, const circuit *c,
                         arena *keep) {
  const uint32_t before = out->count;
  for (uint32_t role = 0; role < c->roles.count; role++) {
    text name = text_new(keep);
    text_add_format(&name, "%s ", kind_names[kind]);
    const size_t prefix = name.length;
    term_print(c->terms, c->roles.items[role].term, NOTATION_KIF, NULL, &name);
    const property p = {.kind = kind, .role = role};
    if (!*only || strcasecmp(text_string(&name) + prefix, only) == 0)
      add_named(out, p, text_string(&name), keep);
  }
  return out->count > before;
}

static bool is_of_roles(property_kind kind) {
  return kind == PROPERTY_WINNABLE || kind == PROPERTY_STRONGLY_WINNABLE;
}

static void add_kind(property_vec *out, property_kind kind, const circuit *c, arena *keep) {
  if (is_of_roles(kind))
    add_winnable(out, kind, "", c, keep);
  else
    add_named(out, (property){.kind = kind}, kind_names[kind], keep);
}

static bool add_claim(property_vec *out, property_kind kind, const char *words,
                      const char *claim_words, const circuit *c, arena *keep,
                      const char **complaint) {
  property p = {.kind = kind};
  const claim_free free_ones = kind == PROPERTY_INVARIANT ? FREE_ARE_ALL : FREE_ARE_SOME;
  if (!claim_read(&p.claim, claim_words, free_ones, c, keep, complaint)) return false;
  add_named(out, p, words, keep);
  return true;
}

bool property_read(property_vec *out, const char *words, const circuit *c, arena *keep,
                   const char **complaint) {
  const size_t length = strcspn(words, " \t");
  const char *rest = words + length + strspn(words + length, " \t");
  if (strcmp(words, "all") == 0) {
    for (property_kind kind = PROPERTY_PLAYABLE; kind <= PROPERTY_MUTEX; kind++)
      add_kind(out, kind, c, keep);
    return true;
  }
  for (property_kind kind = 0; kind < PROPERTY_KINDS; kind++) {
    if (strlen(kind_names[kind]) != length || strncmp(words, kind_names[kind], length) != 0)
      continue;
    if (kind >= PROPERTY_UNREACHABLE) return add_claim(out, kind, words, rest, c, keep, complaint);
    if (is_of_roles(kind) && *rest && add_winnable(out, kind, rest, c, keep)) return true;
    if (*rest) break;
    add_kind(out, kind, c, keep);
    return true;
  }
  text why = text_new(keep);
  text_add_format(&why, "there is no property `%s'", words);
  *complaint = text_string(&why);
  return false;
}
