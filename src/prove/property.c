#include "prove/property.h"

#include "base/spelling.h"
#include "read/canonical.h"

#include <string.h>

typedef struct kind_row {
  const char *name, *summary;
} kind_row;

static const kind_row kinds[PROPERTY_KINDS] = {
    {"playable", "every role always has a legal move until the game ends"},
    {"terminates", "every play comes to an end"},
    {"winnable", "some play ends with 100 for the role"},
    {"goals", "at the end every role has exactly one goal, from 0 to 100"},
    {"dead", "every move is legal in some state, and every rule fires"},
    {"mutex", "which fluents exclude each other"},
    {"monotone", "every role always has one goal, and no step makes it smaller"},
    {"strongly-winnable", "the role can get 100, whatever the others do"},
    {"unreachable", "the formula holds in no state that can be reached"},
    {"invariant", "the formula holds in every state that can be reached"}};

const char *property_kind_name(property_kind kind) { return kinds[kind].name; }

const char *property_kind_summary(property_kind kind) { return kinds[kind].summary; }

bool property_is_reach(property_kind kind) {
  return kind == PROPERTY_PLAYABLE || kind == PROPERTY_WINNABLE || kind == PROPERTY_GOALS ||
         kind == PROPERTY_UNREACHABLE || kind == PROPERTY_INVARIANT;
}

static const char *sense_of_winning(property_kind kind, const role_terms *roles) {
  if (roles->all.count < 2) return NULL;
  return kind == PROPERTY_WINNABLE ? "co-operative" : "strong";
}

static bool is_same_claim(const claim *a, const claim *b) {
  if (a->steps.count != b->steps.count) return false;
  for (uint32_t i = 0; i < a->steps.count; i++)
    if (a->steps.items[i].op != b->steps.items[i].op ||
        a->steps.items[i].number != b->steps.items[i].number)
      return false;
  return true;
}

bool property_is_same(const property *a, const property *b) {
  return a->kind == b->kind && a->role == b->role && is_same_claim(&a->claim, &b->claim);
}

static void add_named(property_vec *out, property p, const char *name, arena *keep) {
  p.name = arena_copy_text(keep, name, strlen(name));
  vec_push(keep, out, p);
}

/* For one role, or when `only` is empty for all but `random`, of which nobody expects that it wins.
   False: there is no such role. */
static bool add_winnable(property_vec *out, property_kind kind, const char *only,
                         const role_terms *roles, arena *keep) {
  const uint32_t before = out->count;
  for (uint32_t role = 0; role < roles->all.count; role++) {
    const term_id term = roles->all.items[role];
    text name = text_new(keep);
    text_add_format(&name, "%s ", kinds[kind].name);
    const size_t prefix = name.length;
    term_print(roles->terms, term, NOTATION_KIF, NULL, &name);
    const property p = {.kind = kind, .role = role, .sense = sense_of_winning(kind, roles)};
    const bool plays = !role_is_nature(roles->terms, term);
    if (*only ? strcmp(text_string(&name) + prefix, only) == 0 : plays)
      add_named(out, p, text_string(&name), keep);
  }
  return out->count > before;
}

static bool is_of_roles(property_kind kind) {
  return kind == PROPERTY_WINNABLE || kind == PROPERTY_STRONGLY_WINNABLE;
}

static void add_kind(property_vec *out, property_kind kind, const role_terms *roles, arena *keep) {
  if (is_of_roles(kind))
    add_winnable(out, kind, "", roles, keep);
  else
    add_named(out, (property){.kind = kind}, kinds[kind].name, keep);
}

static bool add_claim(property_vec *out, property_kind kind, const char *words,
                      const state_atoms *atoms, arena *keep, const char **complaint) {
  property p = {.kind = kind};
  const claim_free free_ones = kind == PROPERTY_INVARIANT ? FREE_ARE_ALL : FREE_ARE_SOME;
  if (!claim_read(&p.claim, words, free_ones, atoms, keep, complaint)) return false;
  text name = text_new(keep);
  text_add_format(&name, "%s %s", kinds[kind].name, p.claim.words);
  add_named(out, p, text_string(&name), keep);
  return true;
}

/* ---- what is wrong with the words ---- */

static const char *complain_of_role(property_kind kind, const char *role, const role_terms *roles,
                                    arena *keep) {
  text why = text_new(keep);
  text_add_format(&why, "%s: there is no role %s%s%s", kinds[kind].name, *role ? "`" : "",
                  *role ? role : "that can win", *role ? "`" : "");
  for (uint32_t i = 0; i < roles->all.count; i++) {
    text_add(&why, i ? ", " : "; the roles are ");
    term_print(roles->terms, roles->all.items[i], NOTATION_KIF, NULL, &why);
  }
  return text_string(&why);
}

static const char *complain_of_more(property_kind kind, const char *more, arena *keep) {
  text why = text_new(keep);
  text_add_format(&why, "%s takes nothing more, but there is `%s`", kinds[kind].name, more);
  return text_string(&why);
}

static const char *complain_of_name(const char *words, size_t length, arena *keep) {
  text why = text_new(keep);
  spelling s = spelling_of((slice){words, length});
  for (property_kind kind = 0; kind < PROPERTY_KINDS; kind++)
    spelling_is_nearer(&s, slice_of(kinds[kind].name));
  text_add_format(&why, "there is no property `%.*s`", (int)length, words);
  if (s.best.start) text_add_format(&why, "; did you mean `%s`?", s.best.start);
  for (property_kind kind = 0; !s.best.start && kind < PROPERTY_KINDS; kind++)
    text_add_format(&why, "%s%s", kind ? ", " : "; the properties are ", kinds[kind].name);
  return text_string(&why);
}

/* ---- reading ---- */

/* The role that the words name, as canonical KIF; as they are, if they are no term. */
static const char *role_words(const char *words, arena *keep) {
  canonical_terms terms;
  const char *why;
  const bool is_term =
      canonical_read(&terms, slice_of(words), keep, &why) && terms.items.count == 1;
  return is_term ? terms.items.items[0] : words;
}

static property_kind find_kind(const char *name, size_t length) {
  property_kind kind = 0;
  while (kind < PROPERTY_KINDS && !slice_equals((slice){name, length}, kinds[kind].name)) kind++;
  return kind;
}

bool property_read(property_vec *out, const char *words, const state_atoms *atoms, arena *keep,
                   const char **complaint) {
  const role_terms *roles = &atoms->roles;
  const size_t length = strcspn(words, " \t");
  const char *rest = words + length + strspn(words + length, " \t");
  const property_kind kind = find_kind(words, length);
  if (strcmp(words, "all") == 0) {
    for (property_kind any = PROPERTY_PLAYABLE; any <= PROPERTY_MUTEX; any++)
      add_kind(out, any, roles, keep);
    return true;
  }
  if (kind == PROPERTY_KINDS) {
    *complaint = complain_of_name(words, length, keep);
    return false;
  }
  if (kind >= PROPERTY_UNREACHABLE) return add_claim(out, kind, rest, atoms, keep, complaint);
  if (!*rest && !is_of_roles(kind)) {
    add_kind(out, kind, roles, keep);
    return true;
  }
  if (is_of_roles(kind) && add_winnable(out, kind, role_words(rest, keep), roles, keep))
    return true;
  *complaint = is_of_roles(kind) ? complain_of_role(kind, rest, roles, keep)
                                 : complain_of_more(kind, rest, keep);
  return false;
}
