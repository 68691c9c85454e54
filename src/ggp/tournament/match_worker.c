#include "ggp/tournament/match_worker.h"

#include "base/budget.h"
#include "base/hash.h"
#include "ggp/referee/match_record.h"
#include "ggp/wire/tcp.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a worker says, before the record, or the reason where there is none.  Both ends are the same
   program. */
typedef struct report_head {
  bool is_played;
  bool is_completed;
  uint32_t steps;
  double goals[2]; /* of both players, means over their seats */
  uint32_t errors[2];
} report_head;

/* ---- in the process of the match ---- */

typedef struct job {
  const tournament_plan *plan;
  const planned_match *match;
  const int *cores;
  uint32_t core_count;
  const volatile sig_atomic_t *stop;
  arena *keep;
  tabia_rules *rules;
  tabia_machine *machine;
  text out;
} job;

static void say(job *j, const report_head *head, const char *words) {
  text_clear(&j->out);
  text_add_bytes(&j->out, (const char *)head, sizeof *head);
  text_add(&j->out, words);
}

static bool open_game(job *j) {
  tabia_messages *log = tabia_messages_new();
  const bool is_open = tabia_rules_read(&j->rules, j->match->game, log) == TABIA_OK &&
                       tabia_machine_open(&j->machine, j->rules, "auto", NULL, log) == TABIA_OK;
  if (!is_open) say(j, &(report_head){0}, tabia_messages_text(log));
  tabia_messages_free(log);
  return is_open;
}

/* Every match has a seed of its own, a function of its key; options take small numbers. */
static uint64_t seed_of(const job *j) {
  return hash_mix(hash_bytes(j->match->key, strlen(j->match->key)) + j->plan->seed) >> 33;
}

static bool fill_table(job *j, match_table *t) {
  const uint32_t seats = match_seat_count(j->machine);
  match_player *players = arena_new_array(j->keep, match_player, seats);
  const match_player **who = arena_new_array(j->keep, const match_player *, seats);
  const char *why;
  for (uint32_t i = 0; i < seats; i++) {
    players[i] = j->plan->players.items[planned_player(j->match, i)];
    players[i].mind.seed = seed_of(j) + i;
    who[i] = &players[i];
  }
  if (match_table_fill(t, who, seats, j->cores, j->core_count, j->keep, &why)) return true;
  say(j, &(report_head){0}, why);
  return false;
}

static void count_seat(report_head *head, const match_result *r, uint32_t role, uint32_t side) {
  for (uint32_t i = 0; i < r->turns.count; i++)
    head->errors[side] += *r->turns.items[i].errors[role] != '\0';
  head->errors[side] += *r->start_replies[role] != '\0';
  if (r->is_completed && r->goals[role] != TABIA_NO_GOAL) head->goals[side] += r->goals[role];
}

static report_head sum_up(const job *j, const match_result *r) {
  const uint32_t seats = match_seat_count(j->machine);
  const bool is_alone = j->match->second == NO_PLAYER;
  report_head head = {true, r->is_completed, r->turns.count, {0}, {0}};
  uint32_t counts[2] = {0};
  for (uint32_t i = 0; i < seats; i++) {
    const uint32_t side = is_alone ? 0 : i % 2;
    count_seat(&head, r, match_seat_role(j->machine, i), side);
    counts[side]++;
  }
  for (int side = 0; side < 2; side++)
    if (counts[side]) head.goals[side] /= counts[side];
  return head;
}

/* A match id is one word. */
static const char *id_of(const job *j) {
  text id = text_new(j->keep);
  text_add_format(&id, "t%016llx.%lld",
                  (unsigned long long)hash_bytes(j->match->key, strlen(j->match->key)),
                  (long long)(clock_now() * 1000));
  return text_string(&id);
}

static void play(job *j, const match_table *t) {
  match_result r;
  const match_setup setup = {.id = id_of(j),
                             .rules = j->rules,
                             .machine = j->machine,
                             .seats = t->seats,
                             .start_clock = j->plan->start_clock,
                             .play_clock = j->plan->play_clock,
                             .grace = j->plan->grace,
                             .is_scrambled = j->plan->is_scrambled,
                             .seed = seed_of(j),
                             .stop = j->stop};
  text record = text_new(j->keep);
  const tabia_status status = match_play(&r, &setup, j->keep, NULL);
  const report_head head = sum_up(j, &r);
  match_record_add(&record, j->match->game, &setup, &r);
  if (status == TABIA_LIMIT && *j->stop)
    say(j, &(report_head){0}, "stopped");
  else
    say(j, &head, text_string(&record));
}

static void run_job(job *j) {
  match_table t = {0};
  if (!open_game(j)) return;
  if (fill_table(j, &t)) play(j, &t);
  match_table_clear(&t);
  tabia_machine_close(j->machine);
  tabia_rules_free(j->rules);
}

static void write_all(int pipe, const text *out) {
  for (size_t sent = 0; sent < out->length;) {
    const ssize_t went = write(pipe, out->bytes + sent, out->length - sent);
    if (went < 0 && errno != EINTR) return;
    if (went > 0) sent += (size_t)went;
  }
}

/* Ends with its parent, which may have ended already. */
static void run_in_child(job *j, int pipe, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  run_job(j);
  write_all(pipe, &j->out);
  _exit(0);
}

/* ---- in the process of the tournament ---- */

bool match_worker_start(match_worker *w, const tournament_plan *p, const planned_match *m,
                        const int *cores, uint32_t count, const volatile sig_atomic_t *stop) {
  int ends[2];
  const pid_t parent = getpid();
  *w = (match_worker){.begin = clock_now(), .keep = arena_new()};
  w->report = text_new(w->keep);
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  w->process = fork();
  if (w->process == 0) {
    job j = {.plan = p, .match = m, .cores = cores, .core_count = count, .stop = stop};
    j.keep = arena_new();
    j.out = text_new(j.keep);
    close(ends[0]);
    run_in_child(&j, ends[1], parent);
  }
  close(ends[1]);
  w->pipe = ends[0];
  return w->process > 0;
}

bool match_worker_read(match_worker *w) {
  char bytes[1 << 14];
  const ssize_t got = read(w->pipe, bytes, sizeof bytes);
  if (got > 0) text_add_bytes(&w->report, bytes, (size_t)got);
  return got > 0 || (got < 0 && errno == EINTR);
}

static void await(match_worker *w) {
  while (w->process > 0 && waitpid(w->process, NULL, 0) < 0 && errno == EINTR) continue;
  w->process = 0;
}

static const char *player_name(const tournament_plan *p, uint32_t player) {
  return player == NO_PLAYER ? "" : p->players.items[player].name;
}

bool match_worker_end(match_worker *w, const tournament_plan *p, const planned_match *m,
                      match_row *row, const char **why) {
  report_head head;
  await(w);
  *why = "its process ended without a result";
  if (w->report.length < sizeof head) return false;
  memcpy(&head, w->report.bytes, sizeof head);
  *why = w->report.bytes + sizeof head;
  if (!head.is_played) return false;
  *row = (match_row){.key = m->key,
                     .game = m->game,
                     .first = player_name(p, m->first),
                     .second = player_name(p, m->second),
                     .round = m->round,
                     .steps = head.steps,
                     .is_completed = head.is_completed,
                     .first_goal = head.goals[0],
                     .second_goal = head.goals[1],
                     .first_errors = head.errors[0],
                     .second_errors = head.errors[1],
                     .seconds = clock_now() - w->begin,
                     .record = w->report.bytes + sizeof head};
  return true;
}

void match_worker_free(match_worker *w) {
  if (w->process > 0) kill(w->process, SIGKILL);
  await(w);
  close(w->pipe);
  arena_free(w->keep);
}
