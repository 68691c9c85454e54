/* tabia report: all that is quickly known about a game, on one page. */
#include "base/budget.h"
#include "cli/machine_speeds.h"

#include <math.h>
#include <string.h>

static const command_help help = {
    .usage = "tabia report [OPTION] GAME",
    .details =
        "Reports on one page whether the rules are sound, what the game is like, how large its\n"
        "ground rules and its circuit are, who wins random games, what can be proved quickly, and\n"
        "how fast each machine plays it here.  Takes at most 10 s, unless --time-limit says\n"
        "otherwise.",
    .example = "tabia report tic-tac-toe",
};

typedef struct report_command {
  machine_choice machine;
  limit_choice limits;
  playout_choice play;
  bool as_json;
} report_command;

/* What was found. */
typedef struct report {
  session *s;
  double begun;   /* clock_now() */
  double seconds; /* for all of it */
  tabia_info *info;
  uint32_t warnings;
  bool starts_at_end;
  uint64_t fluents, moves, ground_rules, ground_literals, gates; /* all 0: not ground */
  double circuit_seconds;
  const char *unground; /* why not, in words */
  tabia_playouts *played;
  tabia_messages *faults; /* of play, shown at the end */
  tabia_proof *proof;
  machine_speed_vec speeds;
} report;

/* ---- finding it out ---- */

static const double proof_share = 0.2, machine_seconds = 0.2;
static const size_t ground_bytes = (size_t)4 << 30;

/* At most so many seconds, of what is left of the whole. */
static void allow(const report *r, double share) {
  const double left = r->seconds - (clock_now() - r->begun);
  tabia_limits_set_seconds(r->s->limits, left > 0 ? fmin(left, share) : 1e-9);
}

static size_t least_bytes(const session *s) {
  return s->bytes && s->bytes < ground_bytes ? s->bytes : ground_bytes;
}

static bool find_checks(report *r, int *status) {
  session *s = r->s;
  r->info = tabia_info_new(s->rules, s->log);
  r->warnings = tabia_messages_count_of(s->log, TABIA_WARNING);
  const tabia_status result = r->info ? tabia_info_status(r->info) : TABIA_LIMIT;
  *status = session_show(s, result);
  return result == TABIA_OK;
}

/* Grounding has limits of its own, so that a game too large for it still gets a report. */
static void find_ground(report *r) {
  session *s = r->s;
  tabia_machine *m;
  allow(r, r->seconds / 2);
  tabia_limits_set_bytes(s->limits, least_bytes(s));
  if (tabia_machine_open(&m, s->rules, "circuit", s->limits, s->log) == TABIA_OK) {
    r->fluents = tabia_machine_size(m, TABIA_SIZE_FLUENTS);
    r->moves = tabia_machine_size(m, TABIA_SIZE_MOVES);
    r->ground_rules = tabia_machine_size(m, TABIA_SIZE_GROUND_RULES);
    r->ground_literals = tabia_machine_size(m, TABIA_SIZE_GROUND_LITERALS);
    r->gates = tabia_machine_size(m, TABIA_SIZE_GATES);
    r->circuit_seconds = tabia_machine_open_seconds(m);
  } else {
    const char *why =
        tabia_messages_count(s->log) ? tabia_message_text(s->log, 0) : "not within the limits";
    r->unground = arena_copy_text(s->keep, why, strlen(why));
  }
  tabia_machine_close(m);
  tabia_messages_clear(s->log);
  tabia_limits_set_total_bytes(s->limits, s->bytes);
}

static void find_start(report *r) {
  const tabia_machine *m = r->s->machine;
  void *position = arena_alloc(r->s->keep, tabia_position_size(m));
  tabia_workspace *w = tabia_workspace_new(m, r->s->limits);
  tabia_position_start(m, position);
  r->starts_at_end =
      tabia_position_terminal(w, position) && tabia_workspace_status(w, NULL) == TABIA_OK;
  tabia_workspace_free(w);
}

static tabia_status find_play(report *r, const playout_choice *o) {
  allow(r, r->seconds / 2);
  find_start(r);
  r->played = playouts_new(r->s->machine, o);
  return tabia_playouts_run(r->played, r->s->limits, r->faults);
}

/* What is cheap to prove; what is not decided in time is left out. */
static void find_proofs(report *r) {
  r->proof = tabia_proof_new(r->s->rules);
  tabia_proof_ask(r->proof, "playable, terminates, winnable, goals");
  allow(r, proof_share * r->seconds);
  tabia_proof_run(r->proof, NULL, r->s->limits, NULL, NULL, NULL);
}

static void find_speeds(report *r) {
  const double left = r->seconds - (clock_now() - r->begun);
  const speed_options how = {.open_seconds = r->seconds / 4,
                             .open_bytes = least_bytes(r->s),
                             .play_seconds = machine_seconds,
                             .seconds = left > 0 ? left : 1e-9,
                             .seed = 1};
  r->speeds = machine_speeds(r->s, &how);
}

/* ---- words ---- */

static uint32_t chooser_count(const report *r) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < tabia_machine_role_count(r->s->machine); i++)
    count += tabia_playouts_role_chose(r->played, i);
  return count;
}

/* The roles that choose, as seen in random play, which is not a proof. */
static const char *turns(const report *r) {
  if (tabia_playouts_states(r->played) == 0) return "unknown";
  if (tabia_machine_role_count(r->s->machine) == 1) return "alone";
  if (tabia_playouts_choices(r->played, 2) == 0) return "in turn";
  return tabia_playouts_choices(r->played, 1) ? "in turn and at once" : "at once";
}

/* Have all games the same sum of goals? */
static bool has_constant_sum(const report *r, int64_t *sum) {
  int64_t most;
  return tabia_playouts_goal_sums(r->played, sum, &most) && *sum == most &&
         tabia_machine_role_count(r->s->machine) > 1;
}

static const char *unless(const report *r, tabia_class what) {
  return tabia_info_is(r->info, what) ? "" : "not ";
}

/* ---- for people ---- */

static void put_checks(const report *r) {
  size_t bytes;
  tabia_rules_text(r->s->rules, &bytes);
  printf("game          %s: %zu bytes of %s%s\n", tabia_rules_name(r->s->rules), bytes,
         tabia_rules_notation(r->s->rules),
         tabia_info_is(r->info, TABIA_HAS_PERCEPTS) ? ", GDL-II" : "");
  printf("rules         sound, %u warning%s; %sstratified, %sallowed, %srecursion restricted, "
         "%sbounded\n",
         r->warnings, plural(r->warnings), unless(r, TABIA_IS_STRATIFIED),
         unless(r, TABIA_IS_ALLOWED), unless(r, TABIA_IS_RECURSION_RESTRICTED),
         unless(r, TABIA_IS_BOUNDED));
}

static void put_roles(const report *r) {
  const tabia_machine *m = r->s->machine;
  const uint32_t count = tabia_machine_role_count(m);
  printf("roles         %u:", count);
  for (uint32_t i = 0; i < count; i++) printf(" %s", tabia_machine_role(m, i));
  if (count > 1) printf("; they choose %s", turns(r));
  putchar('\n');
  if (count > 1 && tabia_playouts_states(r->played) && chooser_count(r) == 1)
    puts("              only one of them ever had a choice");
  if (r->starts_at_end) puts("              the initial state is terminal: no move can be made");
}

static void put_ground(const report *r) {
  if (r->unground) {
    printf("ground        %s\n", r->unground);
    return;
  }
  printf("fluents       %llu\nmoves         %llu\n", (unsigned long long)r->fluents,
         (unsigned long long)r->moves);
  printf("ground        %llu rules, %llu literals\n", (unsigned long long)r->ground_rules,
         (unsigned long long)r->ground_literals);
  printf("circuit       %llu gates, ready in %.4f s\n", (unsigned long long)r->gates,
         r->circuit_seconds);
}

static void put_goals(const report *r) {
  const tabia_machine *m = r->s->machine;
  const char *before = "";
  int64_t sum;
  fputs("mean goal    ", stdout);
  for (uint32_t i = 0; i < tabia_machine_role_count(m); i++) {
    if (!tabia_playouts_has_goals(r->played, i)) continue;
    printf("%s %s %.1f", before, tabia_machine_role(m, i), tabia_playouts_mean_goal(r->played, i));
    before = ",";
  }
  fputs(" under random play\n", stdout);
  if (has_constant_sum(r, &sum))
    printf("              the sum of goals was %lld in every game\n", (long long)sum);
}

static void put_play(const report *r) {
  const tabia_playouts *p = r->played;
  if (tabia_playouts_played(p)) {
    printf("branching     %.2f joint moves in a state, on average\n",
           tabia_playouts_mean_joint_moves(p));
    printf("length        %.2f steps on average, from %llu to %llu\n",
           tabia_playouts_mean_length(p), (unsigned long long)tabia_playouts_shortest(p),
           (unsigned long long)tabia_playouts_longest(p));
    put_goals(r);
  } else {
    puts("play          no game came to a sound end");
  }
  playouts_put_uncounted(p, "              ");
}

static void put_proofs(const report *r) {
  const char *lead = "proofs";
  for (uint32_t i = 0; i < tabia_proof_count(r->proof); i++) {
    const tabia_verdict v = tabia_proof_verdict(r->proof, i);
    printf("%-13s %s: %s%s%s\n", lead, tabia_proof_property(r->proof, i),
           v == TABIA_UNKNOWN ? "not decided in this time" : tabia_verdict_name(v),
           v == TABIA_UNKNOWN ? "" : " by ",
           v == TABIA_UNKNOWN ? "" : tabia_proof_method(r->proof, i));
    lead = "";
  }
}

static void put_as_text(const report *r) {
  put_checks(r);
  put_roles(r);
  put_ground(r);
  put_play(r);
  put_proofs(r);
  putchar('\n');
  machine_speeds_put(&r->speeds);
}

/* ---- for programs ---- */

static void write_checks(json_writer *w, const report *r) {
  size_t bytes;
  tabia_rules_text(r->s->rules, &bytes);
  json_put_string(w, "game", tabia_rules_name(r->s->rules));
  json_put_string(w, "notation", tabia_rules_notation(r->s->rules));
  json_put_integer(w, "bytes", (int64_t)bytes);
  json_put_integer(w, "warnings", r->warnings);
  json_put_bool(w, "stratified", tabia_info_is(r->info, TABIA_IS_STRATIFIED));
  json_put_bool(w, "allowed", tabia_info_is(r->info, TABIA_IS_ALLOWED));
  json_put_bool(w, "recursion_ok", tabia_info_is(r->info, TABIA_IS_RECURSION_RESTRICTED));
  json_put_bool(w, "bounded", tabia_info_is(r->info, TABIA_IS_BOUNDED));
  json_put_bool(w, "gdl_ii", tabia_info_is(r->info, TABIA_HAS_PERCEPTS));
  json_put_bool(w, "terminal_at_start", r->starts_at_end);
}

static void write_roles(json_writer *w, const report *r) {
  const tabia_machine *m = r->s->machine;
  json_open_array(w, "roles");
  for (uint32_t i = 0; i < tabia_machine_role_count(m); i++)
    json_put_string(w, NULL, tabia_machine_role(m, i));
  json_close_array(w);
  json_open_array(w, "choosers");
  for (uint32_t i = 0; i < tabia_machine_role_count(m); i++)
    if (tabia_playouts_role_chose(r->played, i)) json_put_string(w, NULL, tabia_machine_role(m, i));
  json_close_array(w);
}

static void write_ground(json_writer *w, const report *r) {
  if (r->unground) {
    json_put_null(w, "ground");
    return;
  }
  json_open_object(w, "ground");
  json_put_integer(w, "fluents", (int64_t)r->fluents);
  json_put_integer(w, "moves", (int64_t)r->moves);
  json_put_integer(w, "rules", (int64_t)r->ground_rules);
  json_put_integer(w, "literals", (int64_t)r->ground_literals);
  json_put_integer(w, "gates", (int64_t)r->gates);
  json_put_number(w, "seconds", r->circuit_seconds);
  json_close_object(w);
}

static void write_play(json_writer *w, const report *r) {
  int64_t sum;
  json_open_object(w, "play");
  playouts_write(w, r->s->machine, r->played);
  json_put_string(w, "turns", turns(r));
  if (tabia_playouts_played(r->played))
    json_put_number(w, "mean_joint_moves", tabia_playouts_mean_joint_moves(r->played));
  else
    json_put_null(w, "mean_joint_moves");
  if (has_constant_sum(r, &sum))
    json_put_integer(w, "constant_sum", sum);
  else
    json_put_null(w, "constant_sum");
  json_close_object(w);
}

static void write_proofs(json_writer *w, const report *r) {
  json_open_array(w, "verdicts");
  for (uint32_t i = 0; i < tabia_proof_count(r->proof); i++) {
    json_open_object(w, NULL);
    json_put_string(w, "property", tabia_proof_property(r->proof, i));
    json_put_string(w, "verdict", tabia_verdict_name(tabia_proof_verdict(r->proof, i)));
    json_put_string(w, "method", tabia_proof_method(r->proof, i));
    json_close_object(w);
  }
  json_close_array(w);
}

static void put_as_json(const report *r) {
  text out = text_new(r->s->keep);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  write_checks(&w, r);
  write_roles(&w, r);
  write_ground(&w, r);
  write_play(&w, r);
  write_proofs(&w, r);
  machine_speeds_write(&w, "machines", &r->speeds);
  json_close_object(&w);
  puts(text_string(&out));
}

/* ---- the command ---- */

static int make_report(report *r, const report_command *c) {
  find_ground(r);
  const tabia_status result = find_play(r, &c->play);
  find_proofs(r);
  find_speeds(r);
  terminal_line_wipe(r->s->line);
  if (c->as_json)
    put_as_json(r);
  else
    put_as_text(r);
  const int status = session_show_log(r->s, r->faults, result);
  if (!session_is_interrupted()) return status;
  if (result == TABIA_OK) fprintf(stderr, "tabia: stopped: proofs or speeds are missing\n");
  return EXIT_LIMIT;
}

static int report_on(session *s, const report_command *c) {
  report r = {.s = s,
              .begun = clock_now(),
              .seconds = c->limits.time_limit,
              .faults = tabia_messages_new()};
  int status;
  allow(&r, r.seconds / 2);
  if (find_checks(&r, &status) && session_open(s, &c->machine, &status))
    status = make_report(&r, c);
  tabia_messages_free(r.faults);
  tabia_proof_free(r.proof);
  tabia_playouts_free(r.played);
  tabia_info_free(r.info);
  return status;
}

int cmd_report(int argc, char **argv) {
  report_command c = {
      .limits = {.time_limit = 10},
      .play = {.seed = 1, .count = 300, .seconds = 3, .max_steps = 100000, .threads = 1}};
  const option options[] = {
      NUMBER_OPTION("count", &c.play.count, "N", "number of random playouts (300)", .letter = 'n',
                    .least = 1),
      REAL_OPTION("seconds", &c.play.seconds, "S", "play for at most this time (3)"),
      NUMBER_OPTION("seed", &c.play.seed, "N", "seed of the random playouts (1)"),
      FLAG_OPTION("json", &c.as_json, "print a JSON object"),
      SESSION_MACHINE(&c.machine),
      SESSION_LIMITS_SAYING(&c.limits, "take no longer than this (10)"),
      {0}};
  arguments given;
  int status;
  session s;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (!(c.limits.time_limit > 0)) return usage_error(&help, "a report needs a time limit");
  if (session_begin(&s, &c.limits, &help, &status) && session_read(&s, given.items[0], &status))
    status = report_on(&s, &c);
  return session_end(&s, status);
}
