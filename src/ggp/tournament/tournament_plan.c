#include "ggp/tournament/tournament_plan.h"

#include "ggp/player/local_player.h"

#include <math.h>
#include <stdlib.h>

enum { WORD_MAX = 256, THREADS_MAX = 1024, CORES_MAX = 1024 };

/* A line being read. */
typedef struct plan_line {
  tournament_plan *plan;
  arena *keep;
  uint32_t count;
  const char *words[WORD_MAX];
  const char *why; /* what is wrong, in `keep`; or NULL */
} plan_line;

static bool complain(plan_line *l, const char *format, const char *word) {
  text out = text_new(l->keep);
  const char *place = strstr(format, "%s");
  text_add_bytes(&out, format, place ? (size_t)(place - format) : strlen(format));
  if (place) text_add_format(&out, "%s%s", word, place + 2);
  l->why = text_string(&out);
  return false;
}

/* ---- values ---- */

static bool read_real(plan_line *l, uint32_t i, double *number) {
  char *end;
  if (i >= l->count) return complain(l, "`%s` needs a number", l->words[0]);
  *number = strtod(l->words[i], &end);
  if (!*end && end != l->words[i] && isfinite(*number)) return true;
  return complain(l, "`%s` is not a number", l->words[i]);
}

static bool read_clock(plan_line *l, uint32_t i, double *seconds) {
  if (!read_real(l, i, seconds)) return false;
  return *seconds >= 0 || complain(l, "`%s` is less than 0", l->words[i]);
}

static bool read_count(plan_line *l, uint32_t i, uint64_t *number) {
  double real;
  if (!read_real(l, i, &real)) return false;
  *number = real >= 0 ? (uint64_t)real : 0;
  return (real >= 0 && real <= 1e9 && floor(real) == real) ||
         complain(l, "`%s` is not a whole number", l->words[i]);
}

/* ---- players ---- */

static bool is_taken(const tournament_plan *p, const char *name) {
  for (uint32_t i = 0; i < p->players.count; i++)
    if (strcmp(p->players.items[i].name, name) == 0) return true;
  return false;
}

static bool read_trait(plan_line *l, const char *word, mind_options *o) {
  char *end;
  const char *equals = strchr(word, '=');
  const bool has_digits = equals && equals[1] >= '0' && equals[1] <= '9';
  const uint64_t number = has_digits ? strtoull(equals + 1, &end, 10) : 0;
  if (!number || *end) return complain(l, "`%s` is not NAME=NUMBER", word);
  if (strncmp(word, "threads=", 8) == 0 && number > THREADS_MAX)
    return complain(l, "`%s` are more than 1024 threads", word);
  if (strncmp(word, "threads=", 8) == 0)
    o->threads = (uint32_t)number;
  else if (strncmp(word, "iterations=", 11) == 0)
    o->iterations = number;
  else
    return complain(l, "a player has threads and iterations, not `%s`", word);
  return true;
}

static bool read_player(plan_line *l) {
  match_player p = {.name = l->count > 1 ? l->words[1] : ""};
  const uint32_t at = l->count > 2 ? 2 : 1;
  if (l->count < 2) return complain(l, "`player` needs a name", "");
  if (is_taken(l->plan, p.name)) return complain(l, "there is a player `%s` already", p.name);
  if (!local_player_kind(l->words[at], &p.mind.kind)) p.address = l->words[at];
  if (p.address && !strchr(p.address, ':'))
    return complain(l, "a player is HOST:PORT, random, legal, uct or tabia, not `%s`", p.address);
  for (uint32_t i = at + 1; i < l->count; i++)
    if (!read_trait(l, l->words[i], &p.mind)) return false;
  vec_push(l->keep, &l->plan->players, p);
  return true;
}

/* A game twice would be matches with one key. */
static bool is_listed(const tournament_plan *p, const char *game) {
  for (uint32_t i = 0; i < p->games.count; i++)
    if (strcmp(p->games.items[i], game) == 0) return true;
  return false;
}

static bool read_games(plan_line *l) {
  for (uint32_t i = 1; i < l->count; i++) {
    if (is_listed(l->plan, l->words[i]))
      return complain(l, "there is a game `%s` already", l->words[i]);
    vec_push(l->keep, &l->plan->games, l->words[i]);
  }
  return l->count > 1 || complain(l, "`games` needs a game", "");
}

/* ---- lines ---- */

static bool is(const plan_line *l, const char *word) { return strcmp(l->words[0], word) == 0; }

static bool takes(plan_line *l, uint32_t values) {
  return l->count <= values + 1 || complain(l, "`%s` is too many", l->words[values + 1]);
}

static bool read_line(plan_line *l) {
  tournament_plan *p = l->plan;
  if (is(l, "games")) return read_games(l);
  if (is(l, "player")) return read_player(l);
  if (is(l, "clocks"))
    return takes(l, 2) && read_clock(l, 1, &p->start_clock) && read_clock(l, 2, &p->play_clock);
  if (is(l, "sprt"))
    return takes(l, 2) && read_real(l, 1, &p->sprt_low) && read_real(l, 2, &p->sprt_high);
  if (is(l, "grace")) return takes(l, 1) && read_clock(l, 1, &p->grace);
  if (is(l, "rounds")) return takes(l, 1) && read_count(l, 1, &p->rounds);
  if (is(l, "matches")) return takes(l, 1) && read_count(l, 1, &p->matches);
  if (is(l, "cores")) return takes(l, 1) && read_count(l, 1, &p->cores);
  if (is(l, "seed")) return takes(l, 1) && read_count(l, 1, &p->seed);
  if (is(l, "scramble")) return takes(l, 0) && (p->is_scrambled = true);
  return complain(l, "there is no `%s` in a plan", l->words[0]);
}

static slice take_line(slice *rest) {
  const char *end = memchr(rest->start, '\n', rest->length);
  const slice line = {rest->start, end ? (size_t)(end - rest->start) : rest->length};
  const size_t taken = line.length + (end != NULL);
  *rest = (slice){rest->start + taken, rest->length - taken};
  return line;
}

static bool split_words(plan_line *l, slice line) {
  l->count = 0;
  for (size_t at = 0; at < line.length && line.start[at] != '#';) {
    const size_t begin = at;
    while (at < line.length && !strchr(" \t\r#", line.start[at])) at++;
    if (at > begin && l->count == WORD_MAX) return complain(l, "a line has at most 256 words", "");
    if (at > begin) l->words[l->count++] = arena_copy_text(l->keep, line.start + begin, at - begin);
    while (at < line.length && strchr(" \t\r", line.start[at])) at++;
  }
  return true;
}

static const char *with_line(uint32_t number, const char *why, arena *keep) {
  text out = text_new(keep);
  text_add_format(&out, "line %u: %s", number, why);
  return text_string(&out);
}

static const char *what_is_missing(const tournament_plan *p) {
  if (!p->games.count) return "the plan has no game";
  if (!p->players.count) return "the plan has no player";
  if (p->play_clock <= 0) return "the play clock must be more than 0";
  if (!p->matches || p->matches > 1000) return "`matches` is from 1 to 1000";
  if (!p->rounds) return "`rounds` is at least 1";
  if (p->cores > CORES_MAX) return "`cores` is at most 1024";
  return p->sprt_low < p->sprt_high ? NULL : "`sprt` needs two numbers, the lower first";
}

bool tournament_plan_read(tournament_plan *p, slice words, arena *keep, const char **why) {
  plan_line l = {.plan = p, .keep = keep};
  *p = (tournament_plan){.start_clock = 15,
                         .play_clock = 5,
                         .grace = 1,
                         .sprt_high = 50,
                         .rounds = 1,
                         .matches = 1,
                         .seed = 1};
  for (uint32_t number = 1; words.length; number++) {
    if (split_words(&l, take_line(&words)) && (!l.count || read_line(&l))) continue;
    *why = with_line(number, l.why, keep);
    return false;
  }
  *why = what_is_missing(p);
  return !*why;
}

const char *tournament_settings(const tournament_plan *p, arena *keep) {
  text out = text_new(keep);
  text_add_format(&out, "clocks %g %g grace %g seed %llu%s", p->start_clock, p->play_clock,
                  p->grace, (unsigned long long)p->seed, p->is_scrambled ? " scramble" : "");
  for (uint32_t i = 0; i < p->players.count; i++) {
    const match_player *one = &p->players.items[i];
    text_add_format(&out, "; %s %s %u %llu", one->name,
                    one->address ? one->address : mind_names[one->mind.kind], one->mind.threads,
                    (unsigned long long)one->mind.iterations);
  }
  return text_string(&out);
}

/* ---- matches ---- */

static void add_match(const tournament_plan *p, planned_match m, arena *keep, match_list *out) {
  text key = text_new(keep);
  text_add_format(&key, "%s/%u/%s", m.game, m.round, p->players.items[m.first].name);
  if (m.second != NO_PLAYER) text_add_format(&key, "/%s", p->players.items[m.second].name);
  m.key = text_string(&key);
  vec_push(keep, out, m);
}

static void add_round(const tournament_plan *p, const char *game, uint32_t round, bool is_alone,
                      arena *keep, match_list *out) {
  for (uint32_t a = 0; a < p->players.count; a++) {
    if (is_alone) add_match(p, (planned_match){NULL, game, round, a, NO_PLAYER}, keep, out);
    for (uint32_t b = a + 1; b < p->players.count && !is_alone; b++) {
      add_match(p, (planned_match){NULL, game, round, a, b}, keep, out);
      add_match(p, (planned_match){NULL, game, round, b, a}, keep, out);
    }
  }
}

void tournament_schedule(const tournament_plan *p, const uint32_t *roles, arena *keep,
                         match_list *matches) {
  for (uint32_t round = 1; round <= p->rounds; round++)
    for (uint32_t i = 0; i < p->games.count; i++)
      add_round(p, p->games.items[i], round, roles[i] < 2, keep, matches);
}

uint32_t planned_player(const planned_match *m, uint32_t seat) {
  return m->second == NO_PLAYER || seat % 2 == 0 ? m->first : m->second;
}
