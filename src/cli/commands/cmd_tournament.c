/* tabia tournament: many matches, and who is stronger. */
#include "cli/output.h"
#include "cli/session.h"
#include "ggp/tournament/results_page.h"
#include "ggp/tournament/tournament.h"

#include <errno.h>
#include <string.h>

static const command_help help = {
    .usage = "tabia tournament [OPTION] PLAN",
    .details =
        "Plays the matches of a plan that are not played yet, and shows the standings.  Results are\n"
        "kept in a file: whatever ends the program, nothing is lost or played twice when it is run\n"
        "again.  A plan has lines such as\n"
        "  games connect-four nim     player strong tabia threads=2     rounds 10\n"
        "  clocks 5 1                 player rival localhost:9147       matches 2\n"
        "`man tabia` has all of them.",
    .example = "printf 'games nim\\nplayer random\\nplayer legal\\n' > plan; tabia tournament plan",
};

typedef struct tournament_command {
  const char *results, *page, *csv;
  bool shows_only, is_quiet;
  limit_choice limits;
} tournament_command;

/* What one run works with. */
typedef struct hall {
  session *s;
  const tournament_command *c;
  const char *path; /* of the plan */
  tournament_plan plan;
  match_list matches;
  tournament_store *store;
} hall;

static int complain(int status, const char *what, const char *why) {
  fprintf(stderr, "tabia: %s: %s\n", what, why);
  return status;
}

/* ---- the plan ---- */

static bool load_text(const char *path, text *out) {
  char bytes[1 << 14];
  FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
  if (!file) return false;
  for (size_t got; (got = fread(bytes, 1, sizeof bytes, file)) > 0;)
    text_add_bytes(out, bytes, got);
  const bool is_whole = !ferror(file);
  if (file != stdin) fclose(file);
  return is_whole;
}

static bool read_plan(hall *h, int *status) {
  text words = text_new(h->s->keep);
  const char *why;
  if (!load_text(h->path, &words)) {
    *status = complain(EXIT_CANNOT_READ, h->path, strerror(errno));
    return false;
  }
  if (tournament_plan_read(&h->plan, (slice){text_string(&words), words.length}, h->s->keep, &why))
    return true;
  *status = complain(EXIT_NO, h->path, why);
  return false;
}

/* Roles of a game without `random`. */
static bool count_roles(hall *h, const char *game, uint32_t *roles, int *status) {
  tabia_rules *rules = NULL;
  tabia_status result = tabia_rules_read(&rules, game, h->s->log);
  tabia_info *info = result == TABIA_OK ? tabia_info_new(rules, h->s->log) : NULL;
  if (result == TABIA_OK && !info) result = TABIA_LIMIT;
  if (info) *roles = tabia_info_role_count(info) - tabia_info_is(info, TABIA_HAS_RANDOM);
  tabia_info_free(info);
  tabia_rules_free(rules);
  *status = session_show(h->s, result);
  return result == TABIA_OK;
}

/* Else there would be no match of it. */
static bool has_players(const hall *h, const char *game, uint32_t roles, int *status) {
  if (roles < 2 || h->plan.players.count > 1) return true;
  text why = text_new(h->s->keep);
  text_add_format(&why, "%s needs a second player", game);
  *status = complain(EXIT_NO, h->path, text_string(&why));
  return false;
}

static bool schedule(hall *h, int *status) {
  uint32_t *roles = arena_new_array(h->s->keep, uint32_t, h->plan.games.count);
  for (uint32_t i = 0; i < h->plan.games.count; i++)
    if (!count_roles(h, h->plan.games.items[i], &roles[i], status) ||
        !has_players(h, h->plan.games.items[i], roles[i], status))
      return false;
  tournament_schedule(&h->plan, roles, h->s->keep, &h->matches);
  return true;
}

static bool open_store(hall *h, int *status) {
  text path = text_new(h->s->keep);
  const char *why;
  text_add_format(&path, "%s.db", strcmp(h->path, "-") == 0 ? "plan" : h->path);
  h->store = tournament_store_open(h->c->results ? h->c->results : text_string(&path),
                                   tournament_settings(&h->plan, h->s->keep), h->s->keep, &why);
  if (!h->store) *status = complain(EXIT_CANNOT_READ, "the results cannot be used", why);
  return h->store;
}

/* ---- what is shown ---- */

static void show_match(void *context, const planned_match *m, const match_row *row,
                       const char *why) {
  const hall *h = context;
  if (h->c->is_quiet) return;
  if (!row)
    fprintf(stderr, "%s: %s\n", m->key, why);
  else
    fprintf(stderr, "%s: %g %g, %u step%s, %u error%s%s\n", m->key, row->first_goal,
            row->second_goal, row->steps, plural(row->steps),
            row->first_errors + row->second_errors, plural(row->first_errors + row->second_errors),
            row->is_completed ? "" : ", aborted");
}

static uint32_t played(const hall *h) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < h->matches.count; i++)
    count += tournament_store_has(h->store, h->matches.items[i].key);
  return count;
}

static bool write_to(const char *path, void (*add)(text *out, const results *r), const results *r,
                     arena *keep) {
  text out = text_new(keep);
  if (!path) return true;
  add(&out, r);
  return output_write(path, &out);
}

static bool show_results(const hall *h) {
  arena *keep = h->s->keep;
  standings s = standings_new(keep);
  tournament_store_each(h->store, standings_add, &s);
  standings_rate(&s);
  const results r = {.plan = &h->plan,
                     .standings = &s,
                     .store = h->store,
                     .title = game_title(h->path, keep),
                     .planned = h->matches.count,
                     .played = played(h)};
  return write_to("-", results_add_text, &r, keep) &&
         write_to(h->c->page, results_add_page, &r, keep) &&
         write_to(h->c->csv, results_add_csv, &r, keep);
}

/* ---- the command ---- */

static int play(hall *h) {
  const tournament t = {.plan = &h->plan,
                        .matches = &h->matches,
                        .store = h->store,
                        .stop = session_catch_signals(),
                        .tell = show_match,
                        .context = h};
  const tabia_status status = h->c->shows_only ? TABIA_OK : tournament_run(&t, h->s->keep);
  return show_results(h) ? (int)status : EXIT_CANNOT_READ;
}

int cmd_tournament(int argc, char **argv) {
  tournament_command c = {0};
  const option options[] = {
      STRING_OPTION("results", &c.results, "FILE", "keep results in FILE (PLAN.db)"),
      STRING_OPTION("html", &c.page, "FILE", "write a page of results"),
      STRING_OPTION("csv", &c.csv, "FILE", "write a line for each match"),
      FLAG_OPTION("standings", &c.shows_only, "play nothing, only show the standings"),
      FLAG_OPTION("quiet", &c.is_quiet, "do not report each match"),
      {0}};
  arguments given;
  int status;
  session s;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (session_begin(&s, &c.limits, &help, &status)) {
    hall h = {.s = &s, .c = &c, .path = given.items[0]};
    if (!output_is_possible(c.page) || !output_is_possible(c.csv))
      status = EXIT_CANNOT_READ;
    else if (read_plan(&h, &status) && schedule(&h, &status) && open_store(&h, &status))
      status = play(&h);
    tournament_store_close(h.store);
  }
  return session_end(&s, status);
}
