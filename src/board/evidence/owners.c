#include "board/evidence/owners.h"

static const char *role_name(const samples *s, uint32_t role) {
  return names_text(&s->fluents.values, s->role_names.items[role]);
}

static bool is_named_by_letter(const char *text, const char *role) {
  const size_t length = strlen(text);
  return length >= 1 && length <= 2 && *text == *role;
}

/* First letters distinguish roles only if they differ. */
static bool letters_differ(const samples *s) {
  for (uint32_t i = 0; i < s->role_names.count; i++)
    for (uint32_t k = 0; k < i; k++)
      if (*role_name(s, i) == *role_name(s, k)) return false;
  return s->role_names.count > 1;
}

uint32_t owner_of(const samples *s, value_id v) {
  const char *text = names_text(&s->fluents.values, v);
  for (uint32_t i = 0; i < s->role_names.count; i++)
    if (strcmp(text, role_name(s, i)) == 0) return i;
  for (uint32_t i = 0; i < s->role_names.count; i++)
    if (strlen(role_name(s, i)) > 1 && strstr(text, role_name(s, i))) return i;
  for (uint32_t i = 0; i < s->role_names.count && letters_differ(s); i++)
    if (is_named_by_letter(text, role_name(s, i))) return i;
  return OWNER_NONE;
}
