#include "ggp/referee/match_table.h"

#include "base/process.h"

#include <errno.h>

static const double OWN_MARGIN = 0.25; /* seconds: nothing gets lost on the way to ourselves */

static const int *cores_of(const int *cores, uint32_t count, uint32_t seat, arena *keep) {
  if (!count) return NULL;
  int *own = arena_new_array(keep, int, count + 1);
  memcpy(own, cores + (size_t)seat * count, count * sizeof *own);
  own[count] = -1;
  return own;
}

static bool start_own(match_table *t, uint32_t i, const match_player *who, const int *cores) {
  const player_options options = {.mind = who->mind,
                                  .machine_bytes = memory_of_machine() / 2 / t->count,
                                  .name = mind_names[who->mind.kind],
                                  .margin = OWN_MARGIN};
  t->locals[i] = local_player_start(&options, cores);
  return t->locals[i];
}

static const char *said(const char *name, const char *reason, arena *keep) {
  text out = text_new(keep);
  text_add_format(&out, "there is no player `%s`: %s", name, reason);
  return text_string(&out);
}

static bool fill_seat(match_table *t, uint32_t i, const match_player *who, const int *cores,
                      arena *keep, const char **why) {
  const char *reason = "";
  t->seats[i].name = who->name;
  if (!who->address && !start_own(t, i, who, cores)) {
    *why = said(who->name, strerror(errno), keep);
    return false;
  }
  const char *address = who->address ? who->address : local_player_address(t->locals[i]);
  if (tcp_resolve(&t->seats[i].address, address, keep, &reason)) return true;
  *why = said(who->name, reason, keep);
  return false;
}

bool match_table_fill(match_table *t, const match_player *const *who, uint32_t count,
                      const int *cores, uint32_t core_count, arena *keep, const char **why) {
  *t = (match_table){.count = count,
                     .seats = arena_zero_array(keep, match_seat, count + 1),
                     .locals = arena_zero_array(keep, local_player *, count + 1)};
  for (uint32_t i = 0; i < count; i++)
    if (!fill_seat(t, i, who[i], cores_of(cores, core_count, i, keep), keep, why)) return false;
  return true;
}

void match_table_clear(match_table *t) {
  for (uint32_t i = 0; i < t->count; i++) local_player_stop(t->locals[i]);
}
